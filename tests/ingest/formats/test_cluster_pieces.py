"""A large file of a finished analysis by pieces gives what it gives as a whole."""

from __future__ import annotations

import json

import pytest

from insight_desktop.ingest.formats import cluster_pieces
from insight_desktop.ingest.formats.cluster_pieces import Growing, entries


@pytest.mark.parametrize("name", ["cluster_communication.json", "cluster_communication_matrix.json"])
@pytest.mark.parametrize("indent", [None, 2])
def test_pieces_of_a_real_file_are_its_entries(real, tmp_path, name, indent):
    whole = json.loads((real("upstream_unit/cluster_analysis_output") / name).read_text())
    path = tmp_path / name
    path.write_text(json.dumps(whole, indent=indent))
    assert list(entries(path, small=0)) == list(whole.items())


@pytest.mark.parametrize(
    "content",
    [
        {"(0, 1)": {"step1": {"a": 1}}, "(2,)": {}, "p2p": {"step1": {"b@1": {"0": {}}}}},
        {"(0, 1)": {"step1": {"p2p": {"inside": 1}}}, "(0,)": {"step1": {}}},
        {"other": 1, "(0, 1)": {"a": 1}},
        {},
        {"no": {"rank": "sets"}},
    ],
)
def test_keys_at_other_places_change_nothing(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(content))
    assert list(entries(path, small=0))[-1:] == list(content.items())[-1:]
    assert [k for k, _ in entries(path, small=0) if k.startswith("(")] == [k for k in content if k.startswith("(")]


def test_numbers_that_are_no_json_are_accepted(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"(0, 1)": {"a": NaN}, "(1, 2)": {"b": Infinity}}')
    assert [list(v) for _, v in entries(path, small=0)] == [["a"], ["b"]]


def test_cut_file_is_an_error(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"(0, 1)": {"a": 1}, "(1, 2)": {"b": ')
    with pytest.raises(ValueError):
        list(entries(path, small=0))


def test_rows_become_arrow_while_they_come():
    found = Growing("cluster_packet")
    for i in range(5):
        found.rows["cluster_packet"].append(("1", i, 0, "a", "HCCS", 1.0, 1, 1.0))
        found.settle(least=2)
    assert len(found.rows["cluster_packet"]) == 1
    assert found.tables()["cluster_packet"]["rank"].to_pylist() == [0, 1, 2, 3, 4]
    assert cluster_pieces.Growing("cluster_time").tables()["cluster_time"].num_rows == 0
