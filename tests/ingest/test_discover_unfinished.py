"""Runs that stopped half way, and parts of a run that did not arrive."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from insight_desktop.ingest.discover import discover

TRACE = b'[{"ph": "X", "name": "op", "ts": "1761000000000000.000", "dur": 10, "pid": 3, "tid": 4}]'
OUTPUT = "ASCEND_PROFILER_OUTPUT"
MSPROF = "PROF_000001_1_Z/mindstudio_profiler_output"


def put(path: Path, content: bytes = TRACE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def told(folder: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """Names of the cards, and (code, name of the place) of every issue."""
    found = discover(folder)
    return [card.name for card in found.cards], [(i.code, Path(i.where).name) for i in found.issues]


@pytest.mark.parametrize("left", ["profiler_info_1.json", "logs/profiler.log", f"{OUTPUT}/.keep"])
def test_a_rank_whose_run_did_not_finish_is_named(tmp_path: Path, left: str) -> None:
    put(tmp_path / "r0_ascend_pt" / OUTPUT / "trace_view.json")
    put(tmp_path / "r0_ascend_pt" / "profiler_info_0.json", b"{}")
    put(tmp_path / "r1_ascend_pt" / left, b"{}")
    assert told(tmp_path) == (["0"], [("discover.no_output", "r1_ascend_pt")])


def test_a_rank_folder_around_other_folders_is_not_called_unfinished(tmp_path: Path) -> None:
    put(tmp_path / "all_ascend_pt" / "r0_ascend_pt" / OUTPUT / "trace_view.json")
    put(tmp_path / "all_ascend_pt" / "r0_ascend_pt" / "profiler_info_0.json", b"{}")
    assert told(tmp_path) == (["0"], [])


def test_raw_data_are_told_once(tmp_path: Path) -> None:
    put(tmp_path / "r0_ascend_pt" / OUTPUT / "trace_view.json")
    put(tmp_path / "r1_ascend_pt" / "FRAMEWORK" / "torch.op_range", b"x")
    assert told(tmp_path) == (["r0_ascend_pt"], [("discover.not_analysed", "r1_ascend_pt")])


@pytest.mark.parametrize(
    "path", [f"r0_ascend_pt/{OUTPUT}/trace_view.json.gz", f"{MSPROF}/msprof_20260101000001.json.gz"]
)
def test_packed_traces_are_found_where_plain_ones_are(tmp_path: Path, path: str) -> None:
    file = put(tmp_path / path, gzip.compress(TRACE))
    found = discover(tmp_path)
    assert [card.sources[0].files for card in found.cards] == [(file,)]


def test_the_plain_trace_wins_over_its_packed_twin(tmp_path: Path) -> None:
    folder = tmp_path / "r0_ascend_pt" / OUTPUT
    put(folder / "trace_view.json.gz", gzip.compress(TRACE))
    plain = put(folder / "trace_view.json")
    assert [card.sources[0].files for card in discover(tmp_path).cards] == [(plain,)]


def test_missing_pieces_of_an_export_are_named(tmp_path: Path) -> None:
    for k in (0, 2, 5):
        put(tmp_path / MSPROF / f"msprof_slice_{k}_20260101000001.json")
    found = discover(tmp_path)
    assert [i.message for i in found.issues] == [
        "Pieces of an export are missing: 1 (before msprof_slice_2_20260101000001.json), "
        "3–4 (before msprof_slice_5_20260101000001.json). What they hold is not shown."
    ]


@pytest.mark.parametrize("pieces", [("_slice_0", "_slice_1"), ("", "_slice_1", "_slice_2"), ("",)])
def test_whole_exports_of_both_exporters_lack_nothing(tmp_path: Path, pieces: tuple[str, ...]) -> None:
    for piece in pieces:
        put(tmp_path / MSPROF / f"msprof{piece}_20260101000001.json")
    assert told(tmp_path)[1] == []
