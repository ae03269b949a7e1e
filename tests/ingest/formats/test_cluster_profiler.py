"""The cluster side of a rank from raw tables: the same as the collector's own analysis, and the rules of RDMA."""

from __future__ import annotations

import sqlite3

import pytest

from insight_desktop import schema
from insight_desktop.ingest.formats import cluster_profiler, cluster_rank
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

SPEC = "system-summary-communication"
OUTPUT = "ASCEND_PROFILER_OUTPUT"


@pytest.mark.row(SPEC, 6)
@pytest.mark.parametrize(("level", "rank"), [("db_level1", 0), ("db_level1", 1), ("db_level2", 0)])
def test_raw_tables_give_what_the_collector_analysed(real, level, rank):
    folder = real(level) / f"rank{rank}_ascend_pt" / OUTPUT
    base = folder / f"ascend_pytorch_profiler_{rank}.db"
    analysed = Source("profiler_db", "db", (base,), (("analysis_db", folder / "analysis.db"),))
    expected = cluster_rank.read_rank(analysed, rank, Report()).tables
    report = Report()
    found = cluster_rank.read_rank(Source("profiler_db", "db", (base,)), rank, report).tables
    assert report.issues == []
    for name in schema.RANK_TABLES:
        ours, theirs = rows(found[name]), rows(expected[name])
        assert ours.keys() == theirs.keys()
        for key, values in theirs.items():
            assert ours[key] == pytest.approx(values, rel=1e-5, abs=1e-4), (name, key)
    assert found["time"].num_rows == 4
    assert found["link"].num_rows == 48


def rows(table):
    """Texts and whole numbers of each row → its figures; starts differ by the clock, transports without traffic are left out."""
    out = {}
    for row in table.to_pylist():
        if row.get("size_mb") == 0:
            continue
        key = tuple(v for n, v in row.items() if n != "start_ns" and not isinstance(v, float))
        key += (round(row["packet_mb"], 6),) if "packet_mb" in row else ()
        out[key] = [v for v in row.values() if isinstance(v, float)]
    return out


def database(path, tasks, *, name="hcom_send__1", steps=()):
    """One operator from 1000 to 9000 ns; tasks are (type, plane, start, end, rdma, transport, link, size)."""
    with sqlite3.connect(path) as base:
        base.executescript(
            """CREATE TABLE STRING_IDS (id INTEGER, value TEXT);
            CREATE TABLE STEP_TIME (id INTEGER, startNs INTEGER, endNs INTEGER);
            CREATE TABLE COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, groupName INTEGER, opId INTEGER);
            CREATE TABLE COMMUNICATION_TASK_INFO (name INTEGER, globalTaskId INTEGER, taskType INTEGER, planeId INTEGER,
                rdmaType INTEGER, srcRank INTEGER, dstRank INTEGER, transportType INTEGER, linkType INTEGER, size INTEGER,
                opId INTEGER);
            CREATE TABLE COMPUTE_TASK_INFO (globalTaskId INTEGER);
            CREATE TABLE TASK (globalTaskId INTEGER, startNs INTEGER, endNs INTEGER, deviceId INTEGER);"""
        )
        texts = {name: 1, "group_name_5": 2, "Memcpy": 3, "Notify_Wait": 4, "RDMASend": 5}
        base.executemany("INSERT INTO STRING_IDS VALUES (?, ?)", [(i, t) for t, i in texts.items()])
        base.execute("INSERT INTO COMMUNICATION_OP VALUES (1, 1000, 9000, 2, 7)")
        base.executemany("INSERT INTO STEP_TIME VALUES (?, ?, ?)", steps)
        for i, (kind, plane, start, end, rdma, transport, link, size) in enumerate(tasks):
            base.execute(
                "INSERT INTO COMMUNICATION_TASK_INFO VALUES (1, ?, ?, ?, ?, 0, 1, ?, ?, ?, 7)",
                (i, texts[kind], plane, rdma, transport, link, size),
            )
            base.execute("INSERT INTO TASK VALUES (?, ?, ?, 0)", (i, start, end))
    return path


def read(path):
    found = cluster_rank.read_rank(Source("profiler_db", "db", (path,)), 3, Report())
    return {name: table.to_pylist() for name, table in found.tables.items()}


def test_rdma_counts_from_the_first_payload_to_the_last_closing_task(tmp_path):
    # Two payloads and the three tasks that close them (a wait among them), before that a wait; link 3 is ROCE.
    tasks = [
        ("Notify_Wait", 0, 1000, 2000, 65535, 2, 65535, 0),
        ("RDMASend", 0, 3000, 3100, 1, 1, 3, 1_000_000),
        ("RDMASend", 0, 3100, 3200, 1, 1, 3, 2_000_000),
        ("RDMASend", 0, 3200, 3300, 0, 1, 3, 4),
        ("Notify_Wait", 0, 3300, 4000, 65535, 2, 65535, 0),
        ("RDMASend", 0, 4000, 5000, 0, 1, 3, 4),
        ("Notify_Wait", 0, 6000, 6500, 65535, 2, 65535, 0),
    ]
    found = read(database(tmp_path / "ascend_pytorch_profiler_3.db", tasks))
    time = found["time"][0]
    assert (time["kind"], time["hash"], time["step"]) == ("p2p", "5862276114690318097", "0")
    assert (time["elapse_ms"], time["transit_ms"], time["wait_ms"], time["synchronization_ms"]) == (
        0.008, 0.002, 0.0015, 0.001,
    )  # fmt: skip
    assert time["idle_ms"] == pytest.approx(0.0045)
    rdma = next(r for r in found["bandwidth"] if r["transport"] == "RDMA")
    assert (rdma["size_mb"], rdma["time_ms"], rdma["bandwidth_gbs"], rdma["large_packet_ratio"]) == (
        3.0,
        0.002,
        1500.0,
        1.0,
    )
    assert {(r["name"], r["src"], r["dst"], r["transport"]) for r in found["link"]} == {
        (f"send-{sort}", 0, 1, "RDMA") for sort in ("top1", "middle", "bottom1", "total")
    }


def test_copies_inside_the_card_are_local_links_and_no_traffic(tmp_path):
    tasks = [("Memcpy", 0, 1000, 2000, 65535, 0, 0, 5_000_000), ("Memcpy", 1, 2000, 4000, 65535, 0, 4, 8_000_000)]
    found = read(database(tmp_path / "ascend_pytorch_profiler_3.db", tasks, name="hcom_alltoallv__1"))
    used = {r["transport"]: (r["size_mb"], r["time_ms"]) for r in found["bandwidth"] if r["size_mb"]}
    assert used == {"SDMA": (8.0, 0.002), "SIO": (8.0, 0.002)}
    assert {(r["name"], r["transport"]) for r in found["link"] if r["name"].endswith("total")} == {
        ("alltoall-total", "LOCAL")
    }


def test_operator_outside_all_steps_is_in_none(tmp_path):
    tasks = [("Memcpy", 0, 1000, 2000, 65535, 0, 1, 1_000_000)]
    found = read(database(tmp_path / "ascend_pytorch_profiler_3.db", tasks, steps=[(4, 20_000, 30_000)]))
    assert found["time"] == []
    found = read(database(tmp_path / "x.db", tasks, steps=[(4, 0, 500), (5, 500, 30_000)]))
    assert found["time"][0]["step"] == "5"


@pytest.mark.parametrize(
    ("name", "preparing"), [("ascend_pytorch_profiler_3.db", 0.5), ("ascend_mindspore_profiler_3.db", 0.0)]
)
def test_preparing_time_is_told_by_the_framework_that_marks_it(tmp_path, name, preparing):
    tasks = [("Memcpy", 0, 1000, 2000, 65535, 0, 1, 1_000_000)]
    step = read(database(tmp_path / name, tasks, steps=[(5, 500, 30_000)]))["step"][0]
    assert (step["step"], step["communication_us"], step["communication_not_overlapped_us"]) == ("5", 8.0, 8.0)
    assert step["preparing_us"] == preparing


@pytest.mark.example(SPEC, "W1")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("group_name_5", "5862276114690318097"),
        ("10.0.0.1%eth0_60000_0_1700000000", "9761301406812703851"),
        ("90.91.105.46%enp189s0f0_60000_0_1736410538306028", "17148521525495523210"),
    ],
)
def test_hash_of_a_group(name, expected):
    assert cluster_profiler.group_hash(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hcom_allReduce__1", "allreduce"), ("hcom_reduceScatter__1", "reduce"), ("hcom_alltoallv__1", "alltoall"),
        ("hcom_batchSendRecv__1", "batchsendrecv"), ("hcom_receive__2", "receive"), ("custom__3", "custom"),
    ],
)  # fmt: skip
def test_type_of_a_link(name, expected):
    assert cluster_profiler.link_type(name) == expected
