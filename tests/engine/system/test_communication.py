"""The named queries of the Communication page: the worked examples on four real ranks, and the rules on made ones."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.support.cluster_files import link, open_cluster, operator, write_rank

from insight_desktop.engine.system import communication, communication_advice, communication_rows
from insight_desktop.errors import BadArgument, NoData

SPEC = "system-summary-communication"
ALL = "default_group:(0, 1, 2, 3)"


@pytest.fixture
def set_a(real):
    return open_cluster(real("cluster_4rank"))


def rows(table, *columns):
    return [tuple(row[c] for c in columns) for row in table.to_pylist()]


@pytest.mark.example(SPEC, "W2")
def test_groups_are_listed_in_the_order_of_the_selector(set_a):
    assert [label for (label,) in rows(communication.groups(set_a), "group")] == [
        ALL, "dp:(2, 3)", "dp_cp:(0, 1)", "dp_cp:(2, 3)", "embd:(0, 2)", "embd:(1, 3)", "mp:(0, 2)", "mp:(1, 3)",
        "pp:(0, 2)", "pp:(1, 3)", "tp:(2)", "tp:(3)",
    ]  # fmt: skip


def test_unnamed_groups_are_counted_and_equal_labels_numbered(tmp_path):
    info = {
        "a": {"group_name": "tp", "global_ranks": [0, 1]},
        "b": {"group_name": "tp", "global_ranks": [0, 1]},
    }
    keys = ["97", "98"]  # the hashes of a and b: 97·2³² + 97 and 98·2³² + 98
    keys = [str(int(k) * 2**32 + int(k)) for k in keys]
    for rank in (0, 1):
        names = {f"hcom_x__{i}@{key}": operator(elapse=1.0) for i, key in enumerate([*keys, "5"])}
        write_rank(tmp_path, rank, collective=names, groups=info)
    write_rank(tmp_path, 2, collective={"hcom_x__9@6": operator(elapse=1.0)})
    found = communication.groups(open_cluster(tmp_path))
    assert [label for (label,) in rows(found, "group")] == [
        "tp:(0, 1)", "tp:(0, 1) #2", "(0, 1):unknown_3", "(2):unknown_4",
    ]  # fmt: skip


def test_only_group_without_a_name_shows_its_hash(tmp_path):
    write_rank(tmp_path, 0, collective={"hcom_x@5": operator(elapse=1.0)})
    assert rows(communication.groups(open_cluster(tmp_path)), "group") == [("(0):5",)]


def test_operators_are_sorted_by_bytes_with_the_sum_first(set_a):
    assert rows(communication.steps(set_a), "step") == [("13",)]
    names = [name for (name,) in rows(communication.operators(set_a), "name")]
    assert names[0] == "Total Op Info"
    assert (len(names), names == sorted(names)) == (5, True)
    links = [name for (name,) in rows(communication.operators(set_a, matrix=True), "name")]
    assert links[0] == "Total Op Info"
    assert "allreduce-total" in links


@pytest.mark.example(SPEC, "W4")
@pytest.mark.row(SPEC, 3)
def test_durations_of_all_ranks_longest_first(set_a):
    names = (
        "rank",
        "elapse_ms",
        "transit_ms",
        "sync_ms",
        "wait_ms",
        "sync_ratio",
        "wait_ratio",
        "idle_ms",
        "sdma_gbs",
        "rdma_gbs",
    )
    assert rows(communication.durations(set_a, step="13", group=ALL), *names) == [
        (1, 2.9257, 0.0066, 1.1243, 2.3123, 0.9942, 0.9972, 0.6069, 0.0298, 0.0),
        (2, 2.2553, 0.0061, 0.3119, 1.8385, 0.9809, 0.9967, 0.4106, 0.0317, 0.0),
        (0, 2.2324, 0.0, 1.6462, 1.6462, 1.0, 1.0, 0.5863, 0.0696, 0.0),
        (3, 0.0736, 0.0063, 0.0001, 0.0111, 0.0094, 0.6371, 0.0563, 0.0315, 0.0),
    ]


@pytest.mark.example(SPEC, "W4")
@pytest.mark.row(SPEC, 3)
@pytest.mark.parametrize(
    ("rank", "size", "time", "speed"),
    [
        (0, 0.0003, 0.0041, 0.0696),
        (1, 0.0003, 0.0105, 0.0298),
        (2, 0.0003, 0.0098, 0.0317),
        (3, 0.0003, 0.0099, 0.0315),
    ],
)
def test_bandwidth_of_a_sum_is_that_of_its_operators(set_a, rank, size, time, speed):
    found = communication.bandwidth(set_a, group=ALL, rank=rank)
    assert rows(found.slice(0, 1), "transport", "size_mb", "transit_ms", "bandwidth_gbs", "large_packet_ratio") == [
        ("SDMA", size, time, speed, None)
    ]


def test_operators_of_a_rank_are_without_the_sum(set_a):
    found = communication.rank_operators(set_a, group=ALL, rank=1)
    assert rows(found, "elapse_ms") == [(1.9405,), (0.5744,), (0.2747,), (0.1361,)]
    assert [name for (name,) in rows(found, "name") if "Total" in name] == []


@pytest.mark.example(SPEC, "W5")
@pytest.mark.row(SPEC, 3)
def test_sums_of_other_groups(set_a):
    def of(group, rank):
        found = communication.durations(set_a, group=group).to_pylist()
        return next(row for row in found if row["rank"] == rank)

    first = of("pp:(0, 2)", 0)
    assert (first["elapse_ms"], first["wait_ms"], first["sync_ms"], first["idle_ms"]) == (
        313.8778,
        158.5055,
        158.5055,
        155.3723,
    )
    assert (first["sync_ratio"], first["wait_ratio"]) == (1.0, 1.0)
    assert (of("pp:(0, 2)", 2)["elapse_ms"], of("pp:(0, 2)", 2)["wait_ms"]) == (72.6637, 0.8074)
    third = of("mp:(0, 2)", 2)
    assert (third["elapse_ms"], third["transit_ms"], third["wait_ms"], third["sync_ms"]) == (
        0.0493,
        0.0065,
        0.0098,
        0.0,
    )
    assert (third["wait_ratio"], third["sync_ratio"]) == (0.6025, 0.0061)
    assert of("dp_cp:(0, 1)", 0)["elapse_ms"] == 65.4123


@pytest.mark.example(SPEC, "W5")
@pytest.mark.row(SPEC, 3)
def test_packet_sizes_of_a_sum_are_merged(set_a):
    links = {
        row["transport"]: (row["size_mb"], row["transit_ms"], row["bandwidth_gbs"])
        for row in communication.bandwidth(set_a, group="dp_cp:(0, 1)", rank=0).to_pylist()
    }
    assert links["HCCS"] == (1127.447, 59.5135, 18.9444)
    found = communication.packets(set_a, group="dp_cp:(0, 1)", rank=0).to_pylist()
    assert [(r["packet_mb"], r["count"], round(r["duration_ms"], 5)) for r in found if r["transport"] == "HCCS"] == [
        (29.769728, 1, 1.52964), (59.506688, 1, 3.18488), (62.979072, 1, 3.36926), (94.42048, 1, 4.8493),
        (125.812736, 2, 12.92334), (125.82912, 5, 33.6571),
    ]  # fmt: skip
    pp = {r["transport"]: r for r in communication.bandwidth(set_a, group="pp:(0, 2)", rank=0).to_pylist()}
    assert (pp["HCCS"]["size_mb"], pp["HCCS"]["transit_ms"], pp["HCCS"]["bandwidth_gbs"]) == (16.7772, 0.8024, 20.9093)
    assert pp["HCCS"]["parent"] == "SDMA"


@pytest.mark.example(SPEC, "W6")
@pytest.mark.row(SPEC, 4)
def test_matrix_of_all_ranks(set_a):
    found = {(r["src"], r["dst"]): r for r in communication.matrix(set_a, group=ALL).to_pylist()}
    assert {ends: r["bandwidth_gbs"] for ends, r in found.items()} == {
        (0, 1): 0.0787, (0, 2): 0.0774, (0, 3): 0.0571, (1, 0): 0.0155, (1, 2): 0.0738, (1, 3): 0.0667, (2, 0): 0.0165,
        (2, 1): 0.0814, (2, 3): 0.0696, (3, 0): 0.016, (3, 1): 0.0814, (3, 2): 0.08, (0, 0): 0.0238, (1, 1): 0.0317,
        (2, 2): 0.0339, (3, 3): 0.0331,
    }  # fmt: skip
    assert [found[ends]["transit_ms"] for ends in ((0, 0), (1, 0), (2, 0), (3, 0))] == [0.0104, 0.0077, 0.0073, 0.0075]
    assert {found[k, k]["transport"] for k in range(4)} == {"LOCAL"}
    outer = communication.matrix(set_a, group=ALL, inner=False).to_pylist()
    speeds = [r["bandwidth_gbs"] for r in outer]
    assert (len(outer), min(speeds), max(speeds)) == (12, 0.0155, 0.0814)


@pytest.mark.example(SPEC, "W6")
@pytest.mark.row(SPEC, 4)
def test_local_numbers_of_links_become_global_ranks(set_a):
    found = {
        (r["src"], r["dst"]): r
        for r in communication.matrix(set_a, group="pp:(1, 3)", op="batchsendrecv-top1").to_pylist()
    }
    assert {(1, 1), (1, 3)} <= set(found)
    assert (found[1, 3]["size_mb"], found[1, 3]["transit_ms"], found[1, 3]["bandwidth_gbs"]) == (
        8.3886,
        0.4007,
        20.9359,
    )
    sums = {(r["src"], r["dst"]): r for r in communication.matrix(set_a, group="dp_cp:(0, 1)").to_pylist()}
    assert (sums[0, 0]["transport"], sums[0, 0]["bandwidth_gbs"], sums[0, 0]["size_mb"]) == (
        "LOCAL",
        90.2654,
        2254.8942,
    )
    assert (sums[0, 1]["bandwidth_gbs"], sums[1, 0]["bandwidth_gbs"], sums[1, 0]["transit_ms"]) == (
        18.9444,
        18.9439,
        59.5149,
    )
    bottom = communication.matrix(set_a, group="dp_cp:(0, 1)", op="allgather-bottom1", inner=False)
    assert rows(bottom, "src", "dst", "bandwidth_gbs") == [(0, 1, 19.4683), (1, 0, 19.4696)]


@pytest.mark.example(SPEC, "W15")
def test_ranks_that_the_fastest_waited_for(set_a):
    assert rows(communication.slow_ranks(set_a, group=ALL), "rank", "difference_ms", "elapse_ms", "fastest_rank", "fastest_ms") == [
        (3, 2.8521, 0.07362, 1, 2.92572), (0, 0.69328, 2.23244, 1, 2.92572), (2, 0.67046, 2.25526, 1, 2.92572),
    ]  # fmt: skip


@pytest.mark.example(SPEC, "W15")
@pytest.mark.parametrize(
    ("rank", "differences"),
    [(3, [1.92238, 0.55174, 0.25828]), (0, [1.11962, 0.03286]), (2, [0.88846, 0.19556])],
)
def test_operators_of_a_slow_rank(set_a, rank, differences):
    found = communication.slow_operators(set_a, group=ALL, rank=rank)
    assert [d for (d,) in rows(found, "difference_ms")] == differences
    assert [i for (i,) in rows(found, "index")] == list(range(1, len(differences) + 1))


@pytest.mark.example(SPEC, "W15")
def test_pipelines_are_not_compared(set_a):
    with pytest.raises(NoData, match="different things"):
        communication.slow_ranks(set_a, group="pp:(0, 2)")


def test_group_of_one_rank_and_a_balanced_one_have_no_slow_ranks(set_a, tmp_path):
    assert communication.slow_ranks(set_a, group="tp:(2)").num_rows == 0
    for rank, elapse in enumerate((10.0, 9.5, 9.01)):
        write_rank(tmp_path, rank, collective={"hcom_allReduce@7": operator(elapse=elapse)})
    assert communication.slow_ranks(open_cluster(tmp_path)).num_rows == 0


@pytest.mark.example(SPEC, "W16")
@pytest.mark.row(SPEC, 33)
def test_advice_on_bandwidth(set_a):
    assert communication.advice(set_a, group=ALL).to_pylist() == [
        {
            "transport": "SDMA", "ranks": 4, "time_ms": 0.0343, "avg_gbs": 0.0407, "max_gbs": 0.0696, "min_gbs": 0.0298,
            "diff_gbs": 0.0398, "is_efficient": False, "is_main": True,
        }
    ]  # fmt: skip


@pytest.mark.example(SPEC, "W17")
def test_small_packets_of_the_whole_job(set_a):
    found = communication.small_packets(set_a).to_pylist()
    assert [(r["category"], r["operators"], r["small"], r["is_issue"], r["standard_mb"]) for r in found] == [
        ("SDMA", 49, 29, True, 16.0), ("RDMA", 0, 0, False, 1.0),
    ]  # fmt: skip
    assert [(f"{r['share'] * 100:.6f}", f"{r['small_ms']:.6f}") for r in found] == [
        ("59.183673", "3.261420"), ("0.000000", "0.000000"),
    ]  # fmt: skip


@pytest.mark.example(SPEC, "W17")
def test_small_packets_of_two_transports():
    pairs = [
        ("SDMA", 15, 2),
        ("SDMA", 17, 1),
        ("SDMA", 1, 5),
        ("SDMA", 100, 3),
        ("RDMA", 0.2, 2),
        ("RDMA", 1.2, 2),
        ("RDMA", 0.9, 5),
        ("RDMA", 100.1, 10),
    ]
    links = pa.Table.from_pylist(
        [{"name": "a", "transport": t, "size_mb": float(s), "time_ms": float(m)} for t, s, m in pairs]
    )
    found = communication_advice.small_packets(links)
    assert rows(found, "operators", "small", "share", "small_ms", "is_issue") == [
        (4, 2, 0.5, 7.0, True),
        (4, 2, 0.5, 7.0, True),
    ]


@pytest.mark.example(SPEC, "W18")
def test_packets_of_a_sum(set_a):
    found = communication.packets(set_a, group=ALL, rank=1).to_pylist()
    hccs = [r for r in found if r["transport"] == "HCCS"]
    assert [(r["packet_mb"], r["count"], round(r["duration_ms"], 5), r["bandwidth_gbs"]) for r in hccs] == [
        (4e-06, 6, 0.00658, 0.0036), (9.6e-05, 3, 0.00388, 0.0742),
    ]  # fmt: skip


@pytest.mark.example(SPEC, "W18")
def test_packets_of_an_operator_in_a_finished_analysis(real):
    store = open_cluster(real("upstream_unit/cluster_analysis_output"))
    found = communication.packets(store, group="9350434047717501483", op="hcom_broadcast__483_1", rank=1).to_pylist()
    assert [(r["packet_mb"], r["count"], r["bandwidth_gbs"]) for r in found if r["transport"] == "HCCS"] == [
        (0.015504, 1, 9.3398), (0.016512, 7, 10.3756),
    ]  # fmt: skip


def test_operators_beside_a_matrix_multiplication():
    kernels = [(100, 24), (120, 20), (160, 30), (200, 1), (250, 19)]
    operators = [
        ("g1", 95, 6, 15.5),
        ("g2", 121, 3, 14.2),
        ("g3", 145, 11, 10),
        ("g4", 200.5, 0.5, 18),
        ("g5", 240, 12, 13.8),
    ]
    assert [name for name, _, _ in communication_advice.contentions(operators, kernels)] == ["g2", "g5"]


def test_operators_that_were_sent_again(tmp_path):
    for i, (elapse, time) in enumerate([(2000, 2000), (2000, 5000), (5000, 2000), (5000, 5000), (4500, 7000)]):
        for rank in (0, 1):
            op = operator(elapse=elapse + 100.0 * rank, links={"RDMA": (1.0, float(time) - 500 * rank, {})})
            write_rank(tmp_path / str(i), rank, collective={f"hcom_{i}@7": op})
        found = communication.retransmissions(open_cluster(tmp_path / str(i)))
        expected = [(f"hcom_{i}", "(0, 1)", float(elapse), float(time))] if i >= 3 else []
        assert rows(found, "name", "group", "min_elapse_ms", "max_rdma_ms") == expected


def test_contention_looks_at_ranks_with_kernels_only(set_a):
    found = communication.contentions(set_a)
    assert set(found["rank"].to_pylist()) <= {0, 2}
    assert all(speed < 14.4 for speed in found["bandwidth_gbs"].to_pylist())


@pytest.mark.example(SPEC, "W20")
def test_ranks_of_one_time_stay_and_earlier_ones_are_moved():
    early = {k: (k + 1, k + 12) for k in range(8)}
    assert set(communication_rows.overlap_shifts(early).values()) == {0}
    late = {k + 8: (100 + k, 111 + k) for k in range(8)}
    shifts = communication_rows.overlap_shifts({**early, **late})
    assert [shifts[k] for k in range(16)] == [99] * 8 + [0] * 8
    both = {k: (begin + shifts[k], end + shifts[k]) for k, (begin, end) in {**early, **late}.items()}
    assert (min(begin for begin, _ in both.values()), max(end for _, end in both.values())) == (100, 118)
    later = 10**13
    baseline = {k + 8: (begin + later, end + later) for k, (begin, end) in early.items()}
    shifts = communication_rows.overlap_shifts({**early, **baseline})
    assert [shifts[k] for k in range(16)] == [later] * 8 + [0] * 8
    assert (min(b for b, _ in baseline.values()), max(e for _, e in baseline.values())) == (
        10000000000001,
        10000000000019,
    )


@pytest.mark.example(SPEC, "W20")
def test_operators_are_aligned_by_their_end(set_a):
    plain = communication.thumbnails(set_a, group=ALL).to_pylist()
    names = {row["name"] for row in plain}
    fifth = next(name for name in names if "allReduce" in name and name.endswith("_5_1"))
    ends = {r["rank"]: r["start_ns"] + r["duration_ns"] for r in plain if r["name"] == fifth}
    assert ends == {0: 1764246877870695320, 1: 1764246877870693300, 2: 1764246877870669420, 3: 1764246877870695900}
    aligned = [r for r in communication.thumbnails(set_a, group=ALL, align=fifth).to_pylist() if r["name"] == fifth]
    assert {r["rank"]: r["shift_ns"] for r in aligned} == {0: 580, 1: 2600, 2: 26480, 3: 0}
    assert {r["start_ns"] + r["duration_ns"] for r in aligned} == {1764246877870695900}
    assert {r["rank"]: r["duration_ns"] for r in aligned}[0] == 504520


def test_unknown_group_is_told_and_an_unknown_step_is_empty(set_a):
    with pytest.raises(BadArgument, match="default_group"):
        communication.durations(set_a, group="nobody")
    assert communication.durations(set_a, step="99").num_rows == 0
    assert communication.matrix(set_a, step="99").num_rows == 0
    with pytest.raises(NoData, match="step 99"):
        communication.slow_ranks(set_a, step="99")


def test_job_without_communication_data_says_what_to_collect(tmp_path):
    write_rank(tmp_path, 0, steps=[("1", *range(1, 10))])
    store = open_cluster(tmp_path)
    assert communication.groups(store).num_rows == 0
    with pytest.raises(NoData, match="Level1"):
        communication.durations(store)


@pytest.fixture
def two_jobs(tmp_path):
    """Job b against job a: rank 1 is there in b only, the link changed from RDMA to HCCS."""
    for job, ranks, elapse, transport in (("a", (0,), 1.00005, "RDMA"), ("b", (0, 1), 3.5, "HCCS")):
        for rank in ranks:
            links = {
                "allreduce-total@7": {f"{rank}-{rank}": link(1.0, 1.0, "LOCAL"), "0-1": link(elapse, 0.5, transport)}
            }
            groups = {"": {"group_name": "dp", "global_ranks": [0, 1]}}
            names = {f"{key.partition('@')[0]}@0": value for key, value in links.items()}
            own = {"hcom_allReduce@0": operator(elapse=elapse, wait=0.5)}
            folder = tmp_path / "jobs" / job / "ranks"
            step = ("1", 10.0 * len(ranks), 2, 1, 3, 4, 5, 0, 1, 1)
            write_rank(folder, rank, collective=own, links=names, groups=groups, steps=[step])
    return open_cluster(tmp_path / "jobs")


@pytest.mark.example(SPEC, "W25")
def test_durations_against_a_baseline(two_jobs):
    found = communication.durations_compare(two_jobs, cluster="b", baseline="a")
    names = ("rank", "elapse_ms", "elapse_ms_comparison", "elapse_ms_baseline", "wait_ms", "in_baseline")
    # 1.00005 is shown as 1.0001 before it is subtracted
    assert rows(found, *names) == [(1, 3.5, 3.5, None, 0.5, False), (0, 2.4999, 3.5, 1.0001, 0.0, True)]


@pytest.mark.example(SPEC, "W25")
def test_links_against_a_baseline(two_jobs):
    found = {
        (r["src"], r["dst"]): r for r in communication.matrix_compare(two_jobs, cluster="b", baseline="a").to_pylist()
    }
    link_of = found[0, 1]
    assert (link_of["transport_baseline"], link_of["transport_comparison"], link_of["is_same_transport"]) == (
        "RDMA",
        "HCCS",
        False,
    )
    assert (found[0, 0]["is_same_transport"], found[0, 0]["bandwidth_gbs"]) == (True, 0.0)
    # two ranks of b report the link: 7 MB in 1 ms against 1.00005 MB in 0.5 ms
    assert (link_of["bandwidth_gbs_comparison"], link_of["bandwidth_gbs_baseline"]) == (7.0, 2.0001)
    assert link_of["bandwidth_gbs"] == 4.9999


def test_group_that_the_baseline_does_not_have_stands_alone(tmp_path, two_jobs):
    write_rank(tmp_path / "jobs" / "b" / "ranks", 5, collective={"hcom_x@55": operator(elapse=2.0)})
    store = open_cluster(tmp_path / "jobs")
    found = communication.durations_compare(store, cluster="b", baseline="a", group="55")
    assert rows(found, "rank", "elapse_ms", "elapse_ms_baseline") == [(5, 2.0, None)]
