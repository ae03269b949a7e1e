"""The analysis of a job: figures of the worked examples, both kinds of sources, missing and damaged ranks, the cache."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest
from tests.support.cluster_files import link, open_cluster, operator, write_rank

from insight_desktop import schema
from insight_desktop.engine import cluster, cluster_build
from insight_desktop.engine.cluster_groups import group_hash
from insight_desktop.engine.members import members
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import communication
from insight_desktop.errors import BadArgument, Cancelled, NoData
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.formats import cluster_rank
from insight_desktop.ingest.report import Report

SPEC = "system-summary-communication"
HASHES = {
    "5862276093215481612": ("group_name_0", "default_group", "collective", [0, 1, 2, 3]),
    "5862276114690318097": ("group_name_5", "dp_cp", "collective", [0, 1]),
    "5862276123280252691": ("group_name_7", "dp_cp", "collective", [2, 3]),
    "5862276106100383503": ("group_name_3", "dp", "collective", [2, 3]),
    "3985310379703952346": ("group_name_13", "mp", "collective", [0, 2]),
    "3985310383998919643": ("group_name_14", "mp", "collective", [1, 3]),
    "3985310491373102170": ("group_name_20", "embd", "collective", [0, 2]),
    "3985310504258004061": ("group_name_23", "embd", "collective", [1, 3]),
    "3985310396883821534": ("group_name_17", "tp", "collective", [2]),
    "3985310401178788831": ("group_name_18", "tp", "collective", [3]),
    "3985310405473756128": ("group_name_19", "pp", "p2p", [0, 2]),
    "3985310499963036764": ("group_name_22", "pp", "p2p", [1, 3]),
}
STEPS = {
    "0": (231290.1, 420174.26, 158558.0, 810022.25, 206.25, 0, 0, 0),
    "1": (230903.72, 441708.38, 136819.56, 809431.75, 205.0, 1, 0, 0),
    "2": (400448.26, 277649.66, 131705.28, 809803.25, 189.0, 0, 1, 0),
    "3": (401131.7, 261498.44, 147520.2, 810150.25, 278.75, 1, 1, 0),
    "(0, 1)": (231290.1, 441708.38, 158558.0, 810022.25, 206.25, None, None, None),
    "(2, 3)": (401131.7, 277649.66, 147520.2, 810150.25, 278.75, None, None, None),
}
STEP_COLUMNS = (
    "computing_us",
    "communication_not_overlapped_us",
    "free_us",
    "stage_us",
    "preparing_us",
    "dp",
    "pp",
    "tp",
)


def steps_of(found):
    return {
        row["index"]: tuple(round(row[c], 2) if isinstance(row[c], float) else row[c] for c in STEP_COLUMNS)
        for row in found.table("cluster_step").to_pylist()
    }


@pytest.fixture(params=["text", "db"])
def set_a(request, real):
    return cluster.opened(open_cluster(real("cluster_4rank"), kind=request.param))


@pytest.mark.example(SPEC, "W2")
@pytest.mark.row(SPEC, 2)
def test_groups_of_four_ranks(set_a):
    found = {
        g["hash"]: (g["group_id"], g["pg_name"], g["kind"], g["ranks"])
        for g in set_a.table("cluster_group").to_pylist()
    }
    assert found == HASHES
    assert set_a.issues == []


@pytest.mark.example(SPEC, "W3")
@pytest.mark.row(SPEC, 5)
def test_steps_stages_and_indices_of_four_ranks(real):
    assert steps_of(cluster.opened(open_cluster(real("cluster_4rank")))) == STEPS


@pytest.mark.example(SPEC, "W3")
@pytest.mark.row(SPEC, 6)
def test_database_differs_in_stage_and_preparing_only(real):
    found = steps_of(cluster.opened(open_cluster(real("cluster_4rank"), kind="db")))
    stages, preparing = (810022.36, 809431.66, 809803.2, 810150.34), (206.09, 205.16, 189.13, 278.68)
    assert [found[str(rank)] for rank in range(4)] == [
        (*STEPS[str(rank)][:3], stages[rank], preparing[rank], *STEPS[str(rank)][5:]) for rank in range(4)
    ]


@pytest.mark.row(SPEC, 6)
@pytest.mark.parametrize("name", ["cluster_time", "cluster_bandwidth", "cluster_packet", "cluster_matrix"])
def test_database_and_text_give_the_same_numbers(real, name):
    # Bandwidth rows of transports without traffic are in the text only.
    text, database = (cluster.opened(open_cluster(real("cluster_4rank"), kind=kind)) for kind in ("text", "db"))

    def rows(of):
        hashes = {g["group_no"]: g["hash"] for g in of.table("cluster_group").to_pylist()}
        found = []
        for row in of.table(name).to_pylist():
            row["group_no"] = hashes[row["group_no"]]
            if name != "cluster_bandwidth" or row["size_mb"]:
                found.append(tuple(round(v, 9) if isinstance(v, float) else v for v in row.values()))
        return sorted(found, key=str)

    assert rows(text) == rows(database)
    assert len(rows(text)) >= 100


@pytest.mark.row(SPEC, 4)
def test_link_with_an_unknown_end_is_left_out_and_told(tmp_path):
    links = {"allreduce-total@7": {"0-0": link(1.0, 0.5, "LOCAL"), "0-1": link(2.0, 0.5)}}
    write_rank(tmp_path, 4, collective={"hcom_allReduce__1@7": operator(elapse=1.0)}, links=links)
    found = cluster.opened(open_cluster(tmp_path))
    rows = [(r["name"], r["src"], r["dst"], r["bandwidth_gbs"]) for r in found.table("cluster_matrix").to_pylist()]
    assert rows == [("Total Op Info", 4, 4, 2.0), ("allreduce-total", 4, 4, 2.0)]
    assert [(i.code, i.severity) for i in found.issues] == [("cluster.lost_links", "warning")]


@pytest.mark.row(SPEC, 4)
def test_metadata_places_links_of_ranks_that_were_not_collected(tmp_path):
    groups = {"id": {"group_name": "dp", "group_rank": 0, "global_ranks": [4, 6]}}
    links = {"allreduce-total@" + _hash("id"): {"0-0": link(1.0, 0.5, "LOCAL"), "0-1": link(2.0, 0.5)}}
    write_rank(
        tmp_path, 4, collective={"hcom_allReduce__1@" + _hash("id"): operator(elapse=1.0)}, links=links, groups=groups
    )
    found = cluster.opened(open_cluster(tmp_path))
    rows = [(r["src"], r["dst"]) for r in found.table("cluster_matrix", name="Total Op Info").to_pylist()]
    assert rows == [(4, 4), (4, 6)]
    assert [(i.code, i.message) for i in found.issues] == [
        ("cluster.ranks_missing", "1 of 2 ranks were not collected: 6. Groups keep them, without figures.")
    ]


def test_links_of_several_ranks_and_operators_are_added_up(tmp_path):
    for rank in (0, 1):
        links = {
            "allreduce-total@7": {f"{rank}-{rank}": link(1.0, 1.0, "LOCAL"), "0-1": link(1.0, 0.25)},
            "allgather-total@7": {"0-1": link(3.0, 0.25)},
            "allgather-top1@7": {"0-1": link(90.0, 0.25)},
        }
        write_rank(tmp_path, rank, collective={"hcom_a@7": operator(elapse=1.0)}, links=links)
    found = cluster.opened(open_cluster(tmp_path)).table("cluster_matrix", name="Total Op Info").to_pylist()
    assert [(r["src"], r["dst"], r["size_mb"], r["time_ms"], r["bandwidth_gbs"]) for r in found] == [
        (0, 0, 1.0, 1.0, 1.0), (0, 1, 8.0, 1.0, 8.0), (1, 1, 1.0, 1.0, 1.0),
    ]  # fmt: skip


def test_damaged_rank_is_named_and_the_others_are_read(tmp_path):
    for rank in (0, 1):
        write_rank(tmp_path, rank, collective={"hcom_a@7": operator(elapse=1.0 + rank)}, steps=[("1", *range(1, 10))])
    (tmp_path / "rank_1_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "communication.json").write_text('{"step1": ')
    found = cluster.opened(open_cluster(tmp_path))
    assert [r["rank"] for r in found.table("cluster_time", name="Total Op Info").to_pylist()] == [0]
    assert [r["rank"] for r in found.table("cluster_step").to_pylist()] == [0, 1]
    assert [(i.code, i.where) for i in found.issues] == [("cluster.rank_file", "rank 1, communication.json")]


def test_step_without_a_number_is_step_0(tmp_path):
    write_rank(tmp_path, 0, collective={"hcom_a@7": operator()}, step="step", steps=[("", *range(1, 10))])
    found = cluster.opened(open_cluster(tmp_path))
    assert {r["step"] for r in found.table("cluster_time").to_pylist()} == {"0"}
    assert [r["step"] for r in found.table("cluster_step").to_pylist()] == ["0"]


def test_sums_of_the_source_and_infinite_numbers_never_reach_the_sums(tmp_path):
    operators = {"hcom_a@7": operator(elapse=2.0, idle=float("inf")), "Total Op Info": operator(elapse=99.0)}
    write_rank(tmp_path, 0, collective=operators)
    found = cluster.opened(open_cluster(tmp_path)).table("cluster_time", name="Total Op Info").to_pylist()
    assert [(r["elapse_ms"], r["idle_ms"]) for r in found] == [(2.0, None)]


@pytest.mark.example(SPEC, "W24")
@pytest.mark.row(SPEC, 7, 9)
def test_finished_analysis_of_an_old_format_is_read(real):
    found = cluster.opened(open_cluster(real("upstream_unit/cluster_analysis_output")))
    assert found.source == "cluster_analysis_output"
    assert found.table("cluster_group").num_rows == 28
    free = {r["rank"]: r["free_us"] for r in found.table("cluster_step", kind="rank").to_pylist()}
    assert (len(free), round(free[0], 3)) == (16, 69909.504)
    assert {r["preparing_us"] for r in found.table("cluster_step").to_pylist()} == {None}
    send = found.table("cluster_bandwidth", rank=1, name="hcom_send__822_0", transport="RDMA").to_pylist()
    figures = ("size_mb", "time_ms", "bandwidth_gbs", "large_packet_ratio")
    assert [tuple(round(r[c], 4) for c in figures) for r in send] == [(20.9715, 0.8638, 24.2777, 1.0)]
    links = found.table("cluster_matrix", name="hcom_send__822_0", src=0, dst=8).to_pylist()
    assert [r["bandwidth_gbs"] for r in links] == [24.2778]


@pytest.mark.row(SPEC, 7)
def test_incomplete_analysis_is_computed_anew_with_a_note(tmp_path, real):
    shutil.copytree(real("cluster_4rank"), tmp_path / "job")
    output = tmp_path / "job" / "cluster_analysis_output"
    output.mkdir()
    (output / "communication_group.json").write_text('{"collective": [[0, 1]], "p2p": []}')
    before = sorted(p.name for p in output.iterdir())
    found = cluster.opened(open_cluster(tmp_path / "job"))
    assert (found.source, found.table("cluster_group").num_rows) == ("ranks", 12)
    assert [i.code for i in found.issues] == ["cluster.recomputed"]
    assert sorted(p.name for p in output.iterdir()) == before


@pytest.mark.row(SPEC, 7)
def test_complete_analysis_of_fewer_ranks_than_are_open_is_computed_anew(tmp_path, real):
    shutil.copytree(real("upstream_unit/cluster_analysis_output"), tmp_path / "cluster_analysis_output")
    write_rank(tmp_path, 16, collective={"hcom_a@7": operator(elapse=1.0)}, steps=[("2", *range(1, 10))])
    found = cluster.opened(open_cluster(tmp_path))
    assert found.source == "ranks"
    assert "lacks rank 16" in found.issues[0].message


def test_second_question_and_second_window_read_nothing(real, monkeypatch):
    store = open_cluster(real("cluster_4rank"))
    first = cluster.opened(store)
    monkeypatch.setattr(cluster_build, "build", None)
    assert cluster.opened(store) is first
    assert cluster.opened(Store(store.cards)).folder == first.folder


def test_changed_file_makes_another_cluster(tmp_path):
    write_rank(tmp_path, 0, collective={"hcom_a@7": operator(elapse=1.0)})
    store = open_cluster(tmp_path)
    first = cluster.opened(store)
    write_rank(tmp_path, 0, collective={"hcom_a@7": operator(elapse=22.0)})
    second = cluster.opened(store)
    assert second.folder != first.folder
    assert second.table("cluster_time", name="Total Op Info").to_pylist()[0]["elapse_ms"] == 22.0


def test_workers_and_this_process_give_the_same(tmp_path, real):
    store = open_cluster(real("cluster_4rank"))
    members = {int(card.rank): card.source for card in store.cards}
    made = []
    for workers in (0, 2):
        scratch = tmp_path / str(workers)
        scratch.mkdir()
        made.append(cluster_build.build(members, Report(), scratch=scratch, workers=workers))
    assert all(made[0][name].equals(made[1][name]) for name in schema.CLUSTER)
    assert all(isinstance(table, pa.Table) for table in made[0].values())


def test_two_jobs_stay_apart(tmp_path):
    for job, elapse in (("a", 1.0), ("b", 5.0)):
        for rank in (0, 1):
            folder = tmp_path / "jobs" / job / "ranks"
            write_rank(folder, rank, collective={"hcom_a@7": operator(elapse=elapse)}, steps=[("1", *range(1, 10))])
    store = open_cluster(tmp_path / "jobs")
    assert cluster.names(store) == ["a", "b"]
    found = [cluster.opened(store, name).table("cluster_time", name="Total Op Info") for name in ("a", "b")]
    assert [t["elapse_ms"].to_pylist() for t in found] == [[1.0, 1.0], [5.0, 5.0]]
    assert communication.durations(store, cluster="b")["elapse_ms"].to_pylist() == [5.0, 5.0]
    assert communication.durations(store)["elapse_ms"].to_pylist() == [1.0, 1.0]
    with pytest.raises(BadArgument, match="Clusters: a, b"):
        cluster.opened(store, "c")


@pytest.mark.row(SPEC, 1)
def test_rank_that_is_there_twice_is_taken_from_the_newer_folder(tmp_path):
    for stamp, elapse in (("20250101000000000", 1.0), ("20260101000000000", 2.0)):
        card = write_rank(tmp_path / stamp, 0, collective={"hcom_a@7": operator(elapse=elapse)})
        card.rename(tmp_path / f"host_1_{stamp}_ascend_pt")
    store = open_cluster(tmp_path)
    assert [c.rank for c in store.cards] == ["0", "0"]
    found = cluster.opened(store)
    assert found.table("cluster_time", name="Total Op Info")["elapse_ms"].to_pylist() == [2.0]
    assert [i.code for i in found.issues] == ["cluster.rank_twice"]


def test_cards_without_cluster_data_say_what_to_collect(real):
    with pytest.raises(NoData, match="profiler_level"):
        cluster.opened(open_cluster(real("upstream_unit/full_db/msprof_0.db")))


def _hash(group_id):
    return group_hash(group_id)


def test_ranks_that_are_not_read_belong_to_the_job(real):
    found = discover([real("cluster_4rank")])
    store = Store()
    store.members = members(found.cards)
    assert cluster.names(store) == [""]
    assert steps_of(cluster.opened(store)) == STEPS


def test_card_that_is_read_stands_for_its_member(tmp_path, real):
    store = open_cluster(real("cluster_4rank"))
    alone = cluster.opened(store)
    store.members = members(discover([real("cluster_4rank")]).cards)
    assert cluster.opened(store) is alone


def test_step_times_are_there_before_the_communication(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_build, "INLINE_BYTES", 0)
    for rank in range(40):
        write_rank(
            tmp_path,
            rank,
            collective={"hcom_a@7": operator(elapse=1.0)},
            steps=[("1", *range(rank, rank + 9))],
            sizes={"tensor_model_parallel_size": 40, "world_size": 40},
        )
    store = Store()
    store.members = members(discover([tmp_path]).cards)
    told = []
    early = cluster_build.cluster_derive.step_table

    def watched(*arguments):
        told.append(cluster.status(store).phase)
        return early(*arguments)

    monkeypatch.setattr(cluster_build.cluster_derive, "step_table", watched)
    job = cluster.opened(store)
    first = job.table("cluster_step", kind="rank", columns=("rank", "computing_us"))
    assert first.num_rows == 40
    assert job.table("cluster_time").num_rows == 80
    assert job.table("cluster_step", kind="rank", columns=("rank", "computing_us")).equals(first)
    assert told == ["quick", "full"]
    assert cluster.status(store).phase == "ready"


def test_analysis_that_was_stopped_is_told_and_can_begin_anew(tmp_path, monkeypatch):
    write_rank(tmp_path, 0, collective={"hcom_a@7": operator(elapse=1.0)})
    store = open_cluster(tmp_path)
    assert cluster.status(store).phase == "idle"
    stopped = threading.Event()
    derive = cluster_build.cluster_derive.derive

    def slow(*arguments, **more):
        stopped.wait(10)
        return derive(*arguments, **more)

    monkeypatch.setattr(cluster_build.cluster_derive, "derive", slow)
    assert cluster.start(store).phase == "quick"
    cluster.cancel(store)
    stopped.set()
    with pytest.raises(Cancelled):
        cluster.opened(store)
    assert cluster.status(store).phase == "cancelled"
    cluster.start(store)
    assert cluster.opened(store).table("cluster_time").num_rows == 2
    assert [f.name for f in cluster.opened(store).folder.parent.iterdir() if f.name.startswith("tmp-")] == []


@pytest.mark.row(SPEC, 38)
def test_ranks_that_are_missing_empty_or_of_another_step_are_named(tmp_path):
    sizes = {f"{name}_parallel_size": 1 for name in ("pipeline_model", "data", "context", "expert_model")}
    sizes |= {"tensor_model_parallel_size": 8, "world_size": 8}
    for rank in (0, 1, 2, 3):
        step = "14" if rank == 2 else "13"
        write_rank(
            tmp_path,
            rank,
            collective={"hcom_a@7": operator(elapse=1.0)},
            step=f"step{step}",
            steps=[(step, *range(9))],
            sizes=sizes,
        )
    (tmp_path / "rank_1_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "communication.json").write_text("{")
    empty = tmp_path / "rank_4_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    empty.mkdir(parents=True)
    (empty / "trace_view.json").write_text('[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]')
    (empty.parent / "profiler_info_4.json").write_text("{}")
    found = cluster.opened(open_cluster(tmp_path))
    assert {(i.code, i.message.partition(":")[0]) for i in found.issues} == {
        ("cluster.rank_file", "Rank 1 is incomplete"),
        ("cluster.rank_empty", "Rank 4 has neither step times nor communication data; it is left out."),
        ("cluster.ranks_missing", "4 of 8 ranks were not collected"),
        ("cluster.other_steps", "Rank 2"),
    }
    said = {i.where: i.message for i in found.issues}
    assert said["ranks"].startswith("4 of 8 ranks were not collected: 4 to 7.")
    assert said["step times of rank 2"] == "Rank 2: step times of step 14, the other ranks have step 13."
    assert found.table("cluster_step", kind="rank").num_rows == 4


def test_large_finished_analysis_is_parsed_apart_and_gives_the_same(real, monkeypatch, tmp_path):
    output = real("upstream_unit/cluster_analysis_output")
    found = []
    for limit in (cluster_build.INLINE_BYTES, 0):
        monkeypatch.setattr(cluster_build, "INLINE_BYTES", limit)
        early = []
        scratch = tmp_path / str(limit)
        scratch.mkdir()
        tables = cluster_build.read_output(output, Report(), scratch=scratch, early=early.append)
        found.append(tables)
        assert len(early) == (0 if limit else 1)
    assert found[0].keys() == found[1].keys()
    assert all(found[0][name].equals(found[1][name]) for name in found[0])
    assert early[0]["cluster_step"].equals(found[0]["cluster_step"])


def write_prof(folder, number, rank):
    prof = folder / f"PROF_00000{number}_20250101000000000_ABCD"
    for name in ("mindstudio_profiler_output", "analyze", "device_0"):
        (prof / name).mkdir(parents=True)
    events = '[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]'
    (prof / "mindstudio_profiler_output" / "msprof_20250101000000.json").write_text(events)
    content = {"step": {"p2p": {}, "collective": {"hcom_a__1@7": operator(elapse=1.0)}}}
    (prof / "analyze" / "communication.json").write_text(json.dumps(content))
    (prof / "device_0" / "info.json.0").write_text(json.dumps({"rank_id": rank}))


def job_of(folder):
    store = Store()
    found = discover([folder])
    store.members, store.extras = members(found.cards), tuple(found.extras)
    return cluster.opened(store)


@pytest.mark.row(SPEC, 1)
def test_ranks_of_the_command_line_collector_come_from_its_info_files(tmp_path):
    for number, rank in ((1, 5), (2, 3)):
        write_prof(tmp_path, number, rank)
    found = job_of(tmp_path)
    assert found.table("cluster_group")["ranks"].to_pylist() == [[3, 5]]
    assert set(found.table("cluster_time")["step"].to_pylist()) == {"0"}


@pytest.mark.row(SPEC, 1)
def test_cards_none_of_which_tells_its_rank_are_numbered(tmp_path):
    for number in (1, 2):
        write_prof(tmp_path, number, -1)
    found = job_of(tmp_path)
    assert found.table("cluster_group")["ranks"].to_pylist() == [[0, 1]]
    assert [i.code for i in found.issues] == ["cluster.ranks_numbered"]


@pytest.mark.row(SPEC, 1)
def test_folder_of_a_finished_analysis_is_no_rank_and_deep_ranks_are_found(tmp_path, real):
    write_rank(tmp_path / "a" / "b", 0, steps=[("1", *range(9))])
    write_rank(tmp_path / "a" / "b", 1, steps=[("1", *range(9))])
    shutil.copytree(real("upstream_unit/cluster_analysis_output"), tmp_path / "a" / "cluster_analysis_output")
    found = discover([tmp_path])
    assert [c.rank for c in found.cards] == ["0", "1"]
    assert ("cluster_analysis_output", tmp_path / "a" / "cluster_analysis_output") in found.extras


@pytest.mark.row(SPEC, 1)
def test_analysis_database_beside_whole_text_gives_way_to_it(real):
    found = discover([real("cluster_4rank")])
    assert {cluster_rank.origin(m.source) for m in members(found.cards)} == {"text"}
    found = discover([real("db_level1")])
    assert {cluster_rank.origin(m.source) for m in members(found.cards)} == {"analysis_db"}


@pytest.mark.row(SPEC, 38)
@pytest.mark.parametrize("value", [None, True, "x", float("nan"), 1e308, -1, 2**70, [], [1], {}, {"a": 1}])
@pytest.mark.parametrize(
    "where",
    [
        ("step1",), ("step1", "collective"), ("step1", "collective", "hcom_a@7"),
        ("step1", "collective", "hcom_a@7", "Communication Time Info"),
        ("step1", "collective", "hcom_a@7", "Communication Time Info", "Start Timestamp(us)"),
        ("step1", "collective", "hcom_a@7", "Communication Time Info", "Elapse Time(ms)"),
        ("step1", "collective", "hcom_a@7", "Communication Bandwidth Info", "HCCS"),
        ("step1", "collective", "hcom_a@7", "Communication Bandwidth Info", "HCCS", "Size Distribution"),
        ("step1", "collective", "hcom_a@7", "Communication Bandwidth Info", "HCCS", "Size Distribution", "8.0"),
        ("step1", "collective", "hcom_a@7", "Communication Bandwidth Info", "HCCS", "Size Distribution", "8.0", 0),
    ],
)  # fmt: skip
def test_wrong_values_of_a_rank_never_stop_the_job(tmp_path, where, value):
    for rank in (0, 1):
        good = operator(elapse=1.0, links={"HCCS": (8.0, 2.0, {"8.0": [1, 2.0]})})
        write_rank(tmp_path, rank, collective={"hcom_a@7": good}, steps=[("1", *range(9))])
    path = tmp_path / "rank_1_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "communication.json"
    content = json.loads(path.read_text())
    inside = content
    for key in where[:-1]:
        inside = inside[key]
    inside[where[-1]] = value
    path.write_text(json.dumps(content))
    found = job_of(tmp_path)
    assert found.table("cluster_time", rank=0, name="hcom_a").num_rows == 1
    assert found.table("cluster_step", kind="rank").num_rows == 2


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes of Linux")
def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    told = tmp_path / "worker"
    script = (
        "import multiprocessing, os, pathlib, time\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from insight_desktop.engine.load_worker import follow_parent\n"
        "if __name__ == '__main__':\n"
        "    pool = ProcessPoolExecutor(1, multiprocessing.get_context('spawn'), follow_parent, (0,))\n"
        f"    pathlib.Path({str(told)!r}).write_text(str(pool.submit(os.getpid).result()))\n"
        "    os._exit(0)\n"
    )
    (tmp_path / "run.py").write_text(script)
    subprocess.run([sys.executable, str(tmp_path / "run.py")], check=True, timeout=120)
    worker = int(told.read_text())
    end = time.monotonic() + 30
    while time.monotonic() < end and Path(f"/proc/{worker}").exists():
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()


def test_numbers_that_times_cannot_be_count_as_nothing_and_their_rank_is_named(tmp_path):
    good = operator(1.0, elapse=2.0, transit=0.5, wait=1.0, sync=0.5, idle=-0.25)
    bad = operator(1.0, elapse=2.0, transit=0.5, wait=-1.0, sync=float("nan"), idle=0.5)
    for rank, facts in ((0, good), (1, bad)):
        write_rank(
            tmp_path, rank, collective={"hcom_allReduce__1@7": facts},
            steps=[("1", 90, 60, 20, 80 if rank == 0 else -80, 50 if rank == 0 else "inf", -3, 0, -2, 10)],
        )  # fmt: skip
    found = cluster.opened(open_cluster(tmp_path))
    rows = {r["rank"]: r for r in found.table("cluster_time").to_pylist() if r["name"] == "hcom_allReduce__1"}
    assert (rows[0]["wait_ms"], rows[0]["idle_ms"]) == (1.0, -0.25)
    assert (rows[1]["wait_ms"], rows[1]["synchronization_ms"], rows[1]["elapse_ms"]) == (None, None, 2.0)
    steps = {r["rank"]: r for r in found.table("cluster_step").to_pylist()}
    assert (steps[1]["communication_us"], steps[1]["free_us"], steps[1]["stage_us"]) == (None, None, -3.0)
    assert {(i.code, i.where) for i in found.issues} == {
        ("cluster.no_times", "rank 1"), ("cluster.no_step_times", "rank 1"),
        ("csv.not_a_number", "rank 1, step_trace_time.csv, column Free"),
    }  # fmt: skip


def test_same_defect_of_several_ranks_names_each(tmp_path):
    for rank in range(3):
        card = write_rank(tmp_path, rank, steps=[("1", 90, 60, 20, 80, 50, 0, 0, 60, 10)], collective={})
        if rank:
            (card / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv").write_text("a,b\n1,2\n")
            (card / "ASCEND_PROFILER_OUTPUT" / "communication.json").write_text("[]")
    found = cluster.opened(open_cluster(tmp_path))
    where = {i.where for i in found.issues if i.severity == "error"}
    assert where == {f"rank {r}, {name}" for r in (1, 2) for name in ("step_trace_time.csv", "communication.json")}


def test_numbers_that_no_rank_has_are_left_out(tmp_path):
    steps = [("1", 90, 60, 20, 80, 50, 0, 0, 60, 10)]
    groups = {"g": {"group_name": "dp", "group_rank": 0, "global_ranks": [0, 1, 4_000_000_000]}}
    for rank in (0, 1, 4_000_000_000):
        write_rank(tmp_path, rank, steps=steps, groups=groups, collective={"hcom_allReduce__1@1": operator(1.0, 2.0)})
    found = cluster.opened(open_cluster(tmp_path))
    assert found.table("cluster_step")["rank"].to_pylist() == [0, 1]
    assert ("cluster.rank_number", "rank 4000000000") in {(i.code, i.where) for i in found.issues}


@pytest.mark.parametrize("change", ["mark", "utf16", "semicolons"])
def test_files_that_an_editor_saved_again_give_the_same_job(tmp_path: Path, change: str) -> None:
    for rank in (0, 1):
        write_rank(
            tmp_path, rank, collective={"hcom_a@7": operator(elapse=1.0 + rank)}, steps=[("1", *range(1, 10))],
        )  # fmt: skip

    def told() -> list[dict[str, object]]:
        store = open_cluster(tmp_path)
        devices = [card.device for card in store.cards]
        assert devices == [0, 1]
        return communication.operators(store).to_pylist()

    before = told()
    assert len(before) > 0
    for path in tmp_path.rglob("ASCEND_PROFILER_OUTPUT/*"):
        raw = path.read_bytes()
        if change == "semicolons":
            raw = raw.replace(b",", b";") if path.suffix == ".csv" else raw
        else:
            raw = b"\xef\xbb\xbf" + raw if change == "mark" else raw.decode().encode("utf-16")
        path.write_bytes(raw)
    assert told() == before
