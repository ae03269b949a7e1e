"""A finished analysis: text of both generations, a database, damaged files."""

from __future__ import annotations

import json

import pytest

from insight_desktop.ingest.formats import cluster_text
from insight_desktop.ingest.report import Report

SPEC = "system-summary-communication"
HEAD = (
    "Step,Type,Index,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
    "Communication(Not Overlapped and Exclude Receive)"
)


@pytest.fixture
def output(tmp_path):
    folder = tmp_path / "cluster_analysis_output"
    folder.mkdir()
    return folder


def steps(output, text):
    (output / cluster_text.STEPS).write_text(text)
    report = Report()
    return cluster_text.read(output, report).get("cluster_step"), report.issues


@pytest.mark.row(SPEC, 9)
def test_step_table_without_a_needed_column_is_rejected(output):
    found, issues = steps(output, HEAD.replace(",Free", "") + "\n1,rank,0,1,1,1,1,1,1,1\n")
    assert found is None
    assert [(i.severity, "no column Free" in i.message) for i in issues] == [("error", True)]


@pytest.mark.row(SPEC, 9)
def test_row_of_another_length_is_skipped_and_missing_preparing_stays_missing(output):
    found, issues = steps(output, HEAD + "\n,rank,0,1,2,3,4,5,6,7,8\n1,rank,1,1,2\n")
    assert [(r["step"], r["rank"], r["free_us"], r["preparing_us"]) for r in found.to_pylist()] == [("0", 0, 5.0, None)]
    assert [i.code for i in issues] == ["cluster_text.short_rows"]


@pytest.mark.row(SPEC, 9)
def test_indices_count_only_when_all_three_are_there(output):
    row = "\n1,rank,0,1,2,3,4,5,6,7,8"
    found, _ = steps(output, HEAD + ",Preparing,DP Index,PP Index,TP Index" + row + ",9,1,x,3\n")
    assert [(r["preparing_us"], r["dp"], r["pp"], r["tp"]) for r in found.to_pylist()] == [(9.0, 1, 0, 3)]
    found, _ = steps(output, HEAD + ",Preparing,DP Index,PP Index" + row + ",9,1,2\n")
    assert [(r["dp"], r["pp"], r["tp"]) for r in found.to_pylist()] == [(None, None, None)]


@pytest.mark.row(SPEC, 9)
def test_stage_in_quotes_and_numbers_that_are_none(output):
    found, _ = steps(output, HEAD + '\n1,stage,"(0, 1)",nan,2,3,4,5,6,7,8\n1,rank,x,1,2,3,4,5,6,7,8\n')
    assert [(r["kind"], r["index"], r["rank"], r["computing_us"]) for r in found.to_pylist()] == [
        ("stage", "(0, 1)", None, None)
    ]


@pytest.mark.row(SPEC, 7)
def test_groups_of_operators_are_found_by_members_and_hash_or_members_alone(output):
    info = [{"type": "collective", "rank_set": [1, 0], "group_name": "7", "group_id": "g", "pg_name": "tp"}]
    groups = {"collective": [[0, 1]], "p2p": [], "comm_group_parallel_info": info}
    (output / cluster_text.GROUPS).write_text(json.dumps(groups))
    op = {"0": {"Communication Time Info": {"Elapse Time(ms)": 1.5}}}
    time = {"(0, 1)": {"step3": {"a@7": op, "b@8": op}}, "p2p": {"step3": {"c@9": op, "Total Op Info": op}}}
    (output / cluster_text.TIME).write_text(json.dumps(time))
    found = cluster_text.read(output, Report())
    assert [(g["hash"], g["kind"], g["ranks"], g["pg_name"]) for g in found["cluster_group"].to_pylist()] == [
        ("7", "collective", [0, 1], "tp"), ("8", "unknown", [0, 1], ""), ("p2p", "p2p", [], ""),
    ]  # fmt: skip
    assert [(r["step"], r["name"], r["group_no"], r["elapse_ms"]) for r in found["cluster_time"].to_pylist()] == [
        ("3", "a", 0, 1.5), ("3", "b", 1, 1.5), ("3", "c", 2, 1.5),
    ]  # fmt: skip
    assert cluster_text.missing(found, []) == "cluster_communication_matrix.json, cluster_step_trace_time.csv"


@pytest.mark.row(SPEC, 7)
def test_group_file_without_parallel_info_adopts_the_hash_of_its_operators(real):
    found = cluster_text.read(real("upstream_unit/cluster_analysis_output"), Report())
    groups = found["cluster_group"].to_pylist()
    assert [g["hash"] for g in groups if g["hash"]] == ["9350434047717501483", "p2p"]
    sends = [r for r in found["cluster_time"].to_pylist() if r["name"].startswith("hcom_send") and r["rank"] == 1]
    assert [(round(r["elapse_ms"], 4), round(r["transit_ms"], 4), round(r["idle_ms"], 4)) for r in sends] == [
        (0.8966, 0.8638, 0.0327)
    ]


@pytest.mark.row(SPEC, 7)
def test_hashes_of_operators_part_the_groups_of_an_old_group_file(output):
    # The 12 groups of a job of 4 ranks have 7 sets of members; (0, 2) and (1, 3) are listed in both kinds.
    groups = {
        "00": ("(0, 1, 2, 3)", "hcom_allReduce"), "05": ("(0, 1)", "hcom_allGather"), "07": ("(2, 3)", "hcom_allGather"),
        "03": ("(2, 3)", "hcom_allReduce"), "13": ("(0, 2)", "hcom_allReduce"), "14": ("(1, 3)", "hcom_allReduce"),
        "20": ("(0, 2)", "hcom_broadcast"), "23": ("(1, 3)", "hcom_broadcast"), "17": ("(2,)", "hcom_allReduce"),
        "18": ("(3,)", "hcom_allReduce"), "19": ("(0, 2)", "hcom_send"), "22": ("(1, 3)", "hcom_receive"),
    }  # fmt: skip
    old = {"collective": [[0, 1, 2, 3], [0, 1], [2, 3], [0, 2], [1, 3], [2], [3]], "p2p": [[0, 2], [1, 3]]}
    (output / cluster_text.GROUPS).write_text(json.dumps(old))
    op = {"0": {"Communication Time Info": {"Elapse Time(ms)": 1.0}}}
    time: dict = {}
    for key, (ranks, name) in groups.items():
        ops = {f"Total Op Info@{key}": op, f"{name}__1@{key}": op}
        time.setdefault(ranks, {"step1": {}})["step1"].update(ops)
    (output / cluster_text.TIME).write_text(json.dumps(time))
    found = cluster_text.read(output, Report())
    rows = {g["hash"]: (tuple(g["ranks"]), g["kind"]) for g in found["cluster_group"].to_pylist()}
    assert rows == {
        "00": ((0, 1, 2, 3), "collective"), "05": ((0, 1), "collective"), "07": ((2, 3), "collective"),
        "03": ((2, 3), "collective"), "13": ((0, 2), "collective"), "14": ((1, 3), "collective"),
        "20": ((0, 2), "collective"), "23": ((1, 3), "collective"), "17": ((2,), "collective"),
        "18": ((3,), "collective"), "19": ((0, 2), "p2p"), "22": ((1, 3), "p2p"),
    }  # fmt: skip
    hashes = {g["group_no"]: g["hash"] for g in found["cluster_group"].to_pylist()}
    ops = {(r["name"], hashes[r["group_no"]]) for r in found["cluster_time"].to_pylist() if "Total" not in r["name"]}
    assert ops == {(f"{name}__1", key) for key, (_, name) in groups.items()}


def test_damaged_file_is_an_issue_and_the_others_are_read(output):
    (output / cluster_text.MATRIX).write_text("{")
    found, issues = steps(output, HEAD + "\n1,rank,0,1,2,3,4,5,6,7,8\n")
    assert found.num_rows == 1
    assert [(i.code, i.where) for i in issues] == [("cluster_text.unusable", cluster_text.MATRIX)]


@pytest.mark.parametrize("content", ["[]", '{"comm_group_parallel_info": [3]}', '{"collective": [["x"]]}'])
def test_group_file_of_another_shape_is_an_issue(output, content):
    (output / cluster_text.GROUPS).write_text(content)
    report = Report()
    assert "cluster_group" not in cluster_text.read(output, report)
    assert [i.code for i in report.issues] == ["cluster_text.unusable"]


def test_file_that_is_no_database_is_an_issue(output):
    (output / cluster_text.DATABASE).write_text("no database at all, but long enough to have a head of sixteen bytes")
    report = Report()
    assert cluster_text.read(output, report) == {}
    assert [i.code for i in report.issues] == ["cluster_text.unusable"]
