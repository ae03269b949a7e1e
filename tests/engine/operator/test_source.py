"""Queries of the page Source: values per core, linking, limits, registers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support import operator_bins as bins

from insight_desktop.engine.operator import code, fill_bin, registers, source
from insight_desktop.engine.operator.profiles import kernel
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData

SPEC = "operator"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("home")
        patch.setenv("INSIGHT_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def small(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return bins.opened(bins.write(tmp_path_factory.mktemp("add"), bins.sample()))


def store_of(tmp_path: Path, *parts: bytes) -> Store:
    return bins.opened(bins.write(tmp_path, b"".join(parts)))


def lines_block(records: list[dict[str, Any]], codes: dict[str, Any] | None = None, path: str = "/a.cpp") -> bytes:
    payload: dict[str, Any] = {"Cores": ["c0", "c1"], "Files": [{"Source": path, "Lines": records}]}
    if codes is not None:
        payload["Files Dtype"] = {"Lines": codes}
    return bins.block(bins.LINES, payload)


def code_block(records: list[dict[str, Any]], codes: dict[str, Any] | None = None, version: int = 0x5A) -> bytes:
    payload: dict[str, Any] = {"Cores": ["c0", "c1"], "Instructions": records}
    if codes is not None:
        payload["Instructions Dtype"] = {"Instructions": codes}
    return bins.block(bins.INSTRUCTIONS, payload, version=version)


SOURCES = bins.block(bins.SOURCE, b"one\ntwo\n", "/a.cpp")


@pytest.mark.row(SPEC, 9, 10)
def test_files_and_cores_of_the_small_kernel(small: Store) -> None:
    assert source.files(small).to_pylist() == [{"path": bins.PATH, "size_bytes": len(bins.TEXT), "has_text": True}]
    assert source.cores(small)["core"].to_pylist() == [bins.CORE]


@pytest.mark.row(SPEC, 10)
def test_files_are_sorted_and_lines_alone_name_no_file(tmp_path: Path, home: Path) -> None:
    parts = [bins.block(bins.SOURCE, b"x", p) for p in ("/b.cpp", "/a.cpp")]
    parts.append(bins.block(bins.SOURCE, b"", "/empty.h"))
    store = store_of(tmp_path, *parts, lines_block([], {"Line": 1}, "/other.cpp"))
    found = [(row["path"], row["has_text"]) for row in source.files(store).to_pylist()]
    assert found == [("/a.cpp", True), ("/b.cpp", True), ("/empty.h", False)]
    assert source.text(store, file="/other.cpp")["text"].to_pylist() == [""]


@pytest.mark.row(SPEC, 19)
@pytest.mark.example(SPEC, 22)
def test_line_of_the_small_kernel_has_two_instructions(small: Store) -> None:
    found = source.instructions(small, line=22).to_pylist()
    assert [(r["number"], r["Address"], r["Cycles"]) for r in found] == [(1, "0x1134e000", 400), (2, "0x1134e008", 50)]
    assert [r["L2Cache Hit Rate"] for r in found] == [90.0, -1.0]
    line = source.lines(small).to_pylist()
    assert line == [{"line": 22, "ranges": [0x1134E000, 0x1134E008], "Instructions Executed": 2, "Cycles": 450}]
    assert source.instructions(small, line=21).num_rows == 0
    assert code.code_of(kernel(small, None)).version == 0


@pytest.mark.row(SPEC, 11, 12)
def test_columns_come_in_their_order_and_without_hidden_ones(tmp_path: Path, home: Path) -> None:
    codes = {"Zeta": 1, "Cycles": 1, "Address Range": 0, "Line": 1, "Alpha": 4, "Instructions Executed": 1, "GPR Status": 5,
             "Stall Sampling(Not Issue)": 100, "Bad": "1", "Odd": 7, "Skipped": 0}  # fmt: skip
    more = {"Address": 3, "Pipe": 3, "Source": 3, "AscendC Inner Code": 3, "RealStallCycles": 1}
    store = store_of(
        tmp_path, SOURCES, lines_block([{"Line": 1}], codes), code_block([{"Address": "0x1"}], codes | more)
    )
    assert source.lines(store).column_names == [
        "line", "ranges", "Instructions Executed", "Cycles", "Stall Sampling(Not Issue)", "Alpha", "Zeta",
    ]  # fmt: skip
    assert source.instructions(store).column_names == [
        "number", "address_value", "Address", "Pipe", "Source", "Instructions Executed", "Alpha", "GPR Status",
        "Stall Sampling(Not Issue)", "Zeta", "Cycles", "RealStallCycles",
    ]  # fmt: skip


@pytest.mark.row(SPEC, 13, 14)
def test_value_of_a_core_falls_back_to_the_first_and_negative_is_not_available(tmp_path: Path, home: Path) -> None:
    codes = {"Address": 3, "A": 1, "B": 1, "C": 2, "D": 4, "E": 1, "F": 2}
    record = {"Address": "0x8", "A": [5, 7], "B": [9], "C": -0.5, "D": 50, "E": ["x", 1.5], "F": 3}
    store = store_of(tmp_path, code_block([record, {"Address": "0x10"}], codes))
    first = source.instructions(store, core="c0").to_pylist()
    second = source.instructions(store, core="c1").to_pylist()
    unknown = source.instructions(store, core="c9").to_pylist()
    assert [first[0][n] for n in "ABCDEF"] == [5, 9, -1.0, 50.0, 0, 3.0]
    assert [second[0][n] for n in "ABCDEF"] == [7, 9, -1.0, 50.0, 0, 3.0]
    assert unknown == first
    assert [first[1][n] for n in "ABCDEF"] == [None] * 6


def test_instructions_with_type_codes_are_sorted_by_address_others_not(tmp_path: Path, home: Path) -> None:
    given = [{"Address": a} for a in ("0x30", "20", "nonsense", "0X10")]
    typed = store_of(tmp_path / "typed", code_block(given, {"Address": 3}))
    assert source.instructions(typed)["Address"].to_pylist() == ["nonsense", "0X10", "20", "0x30"]
    assert source.instructions(typed)["address_value"].to_pylist() == [None, 0x10, 0x20, 0x30]
    old = store_of(tmp_path / "old", code_block(given))
    assert source.instructions(old)["Address"].to_pylist() == ["0x30", "20", "nonsense", "0X10"]


@pytest.mark.row(SPEC, 25)
@pytest.mark.example(SPEC, 14)
def test_old_format_needs_all_four_members_and_a_value(tmp_path: Path, home: Path) -> None:
    ranges = [["0x10", "0x18"]]
    records = [
        {"Line": 31, "Address Range": ranges, "Cycles": [15674, 0], "Instructions Executed": [192, 0]},
        {"Line": 32, "Address Range": ranges, "Cycles": [16293], "Instructions Executed": [193]},
        {"Line": 33, "Cycles": [1, 1], "Instructions Executed": [1, 1]},
    ]
    instructions = [{"Address": "0x10", "Source": "ADD", "Pipe": "SCALAR", "Cycles": [4, 5], "Instructions Executed": [1, 2], "RealStallCycles": [1, 1], "TheoreticalStallCycles": [1, 1], "AscendC Inner Code": ""}]  # fmt: skip
    store = store_of(tmp_path, SOURCES, lines_block(records), code_block(instructions))
    first = source.lines(store, core="c0").to_pylist()
    assert [(r["line"], r["Cycles"], r["Instructions Executed"]) for r in first] == [(31, 15674, 192), (32, 16293, 193)]
    assert source.lines(store, core="c1").num_rows == 0
    found = source.instructions(store, core="c1")
    assert found.column_names[2:] == ["Address", "Pipe", "Source", "Instructions Executed", "Cycles"]
    assert found["Cycles"].to_pylist() == [5]


@pytest.mark.row(SPEC, 20)
@pytest.mark.example(SPEC, 15)
def test_instruction_leads_to_the_last_record_that_holds_its_address(tmp_path: Path, home: Path) -> None:
    records = [
        {"Line": 32, "Address Range": [["0x1134e0f0", "0x1134e0f0"], ["0x1134e0f8", "0x1134e0f8"]]},
        {"Line": 41, "Address Range": [["0x1134e0e0", "0x1134e0f0"], ["broken"], [1, 2]]},
        {"Line": 50, "Address Range": [["0x20", "0x28"]]},
    ]
    codes = {"Line": 1, "Address Range": 0}
    given = [
        {"Address": "0x1134e0f0", "AscendC Inner Code": "C:\\src\\a.cpp:7"},
        {"Address": "0x1134e0f8"},
        {"Address": "0x5"},
    ]
    kinds = {"Address": 3, "AscendC Inner Code": 3}
    store = store_of(tmp_path / "v90", SOURCES, lines_block(records, codes), code_block(given, kinds))
    found = code.code_of(kernel(store, None))
    assert [found.line_of(place, "/a.cpp") for place in range(3)] == [-1, 41, 32]
    trusted = store_of(
        tmp_path / "v0", SOURCES, lines_block(records, codes, "C:\\src\\a.cpp"), code_block(given, kinds, 0)
    )
    found = code.code_of(kernel(trusted, None))
    assert found.line_of(1, "C:\\src\\a.cpp") == 7
    assert found.line_of(1, "/other.cpp") == -1
    assert found.line_of(99, "/other.cpp") == -1


def test_of_several_records_of_a_line_the_last_is_shown(tmp_path: Path, home: Path) -> None:
    records = [
        {"Line": 3, "Cycles": 1, "Address Range": [["0x1", "0x1"]]},
        {"Line": 3, "Cycles": 2, "Address Range": [["0x2", "0x2"]]},
    ]
    given = [{"Address": "0x1"}, {"Address": "0x2"}]
    store = store_of(tmp_path, SOURCES, lines_block(records, {"Cycles": 1}), code_block(given, {"Address": 3}))
    assert source.lines(store).to_pylist() == [{"line": 3, "ranges": [2, 2], "Cycles": 2}]
    assert source.instructions(store, line=3)["number"].to_pylist() == [2]


@pytest.mark.row(SPEC, 19)
def test_both_ends_of_a_range_belong_to_it_and_ranges_may_overlap() -> None:
    spans = code.Spans.of([0x40, 0x48, 0x10, 0x30, 0x18, 0x20])
    asked = [0x8, 0x10, 0x2F, 0x30, 0x31, 0x3F, 0x40, 0x48, 0x49]
    import numpy as np

    assert spans.holds(np.array(asked, np.uint64)).tolist() == [
        False, True, True, True, False, False, True, True, False,
    ]  # fmt: skip
    assert not code.Spans.of([]).holds(np.array([1], np.uint64)).any()


@pytest.mark.row(SPEC, 23)
def test_long_texts_are_cut_with_a_note() -> None:
    many = source.cut_text("x\n" * 10_001)
    assert len(many) == 10_001
    assert many[-1].startswith("----------【Exceed 10000 lines")
    wide = source.cut_text("y" * 10_001)
    assert wide == ["y" * 10_000 + " 【Exceed 10000 , Hide the rest content】"]
    large = source.cut_text(("z" * 999 + "\n") * 1001)
    assert large[-1] == "----------【Characters Exceed 1000000 , Hide the rest content】----------"
    assert len(large) == 1002
    assert source.cut_text("a\r\nb\rc\nd") == ["a", "b", "c", "d"]


@pytest.mark.row(SPEC, 18)
@pytest.mark.example(SPEC, 18)
def test_registers_keep_their_track_as_long_as_they_live() -> None:
    def entry(name: str, life: int, state: int = 4) -> dict[str, Any]:
        return {"regIndex": name, "survivalTime": life, "regStatus": state}

    given = [
        [entry("R1", 2, 2), entry("R2", 4, 2)],
        [entry("R1", 2, 1), entry("R2", 4)],
        [entry("R3", 1), entry("R2", 4)],
        [entry("R2", 4)],
        [entry("R4", 3)],
    ]
    found = registers.tracks([json.dumps(each) for each in given] + [None, "broken"])
    plain = [[None if t is None else (t.name, t.state, t.progress, t.length) for t in row] for row in found]
    assert plain == [
        [("R1", 2, registers.BEGIN, 2), ("R2", 2, registers.BEGIN, 4)],
        [("R1", 1, registers.END, 2), ("R2", 4, registers.IN_USE, 4)],
        [("R3", 4, registers.BEGIN, 1), ("R2", 4, registers.IN_USE, 4)],
        [None, ("R2", 4, registers.END, 4)],
        [("R4", 4, registers.BEGIN, 3)],
        [],
        [],
    ]


def test_details_and_tracks_stay_json(tmp_path: Path, home: Path) -> None:
    stall = {"Percent": 0.25, "Details": {"Active": 3, "Others": 1}}
    status = [{"regIndex": "R1", "survivalTime": 3, "regStatus": 2}]
    codes = {"Address": 3, "Stall Sampling(All Samples)": 100, "GPR Status": 5}
    store = store_of(tmp_path, code_block([{"Address": "0x1", "Stall Sampling(All Samples)": stall, "GPR Status": status}], codes))  # fmt: skip
    row = source.instructions(store).to_pylist()[0]
    assert json.loads(row["Stall Sampling(All Samples)"]) == stall
    assert json.loads(row["GPR Status"]) == status


def test_large_blocks_are_read_when_the_page_asks(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill_bin, "EAGER_BYTES", 10)
    store = bins.opened(bins.write(tmp_path, bins.sample()))
    folder = store.every_card[0].folder
    assert not list(folder.glob("operator_*.arrow"))
    assert source.instructions(store)["Cycles"].to_pylist() == [400, 50]
    assert source.lines(store)["line"].to_pylist() == [22]
    assert len(list(folder.glob("operator_*.arrow"))) == 2


def test_damaged_records_are_left_out_and_the_others_kept(tmp_path: Path, home: Path) -> None:
    raw = (
        b'{"Cores":["c0"],"Instructions Dtype":{"Instructions":{"Address":3,"Cycles":1}},'
        b'"Instructions":[{"Address":"0x1","Cycles":[1]},{"Address":tru,"Cycles":[1]},5,{"Address":"0x3","Cycles":[3]}'
    )
    store = store_of(tmp_path, bins.block(bins.BASE, bins.base()), bins.block(bins.INSTRUCTIONS, raw))
    assert source.instructions(store)["Address"].to_pylist() == ["0x1", "0x3"]


def test_no_instructions_and_no_lines_are_told(tmp_path: Path, home: Path) -> None:
    store = store_of(tmp_path, bins.block(bins.BASE, bins.base()))
    with pytest.raises(NoData, match="instructions"):
        source.instructions(store)
    with pytest.raises(NoData, match="source lines"):
        source.lines(store)
    assert source.cores(store).num_rows == 0


def test_source_that_is_no_utf8_is_shown_with_replacements(tmp_path: Path, home: Path) -> None:
    store = store_of(tmp_path, bins.block(bins.SOURCE, b"a \xff\xfe b\nc", "/a.cpp"))
    assert source.text(store, file="/a.cpp")["text"].to_pylist() == ["a �� b", "c"]


def test_ranges_can_be_asked_for(small: Store) -> None:
    assert source.in_ranges(small, ranges="0x1134e008-0x1134e010")["number"].to_pylist() == [2]
    with pytest.raises(BadArgument):
        source.in_ranges(small, ranges="here")


def test_local_file_stands_in_for_a_source(small: Store, tmp_path: Path) -> None:
    own = tmp_path / "mine.cpp"
    own.write_text("int main;\n")
    assert source.source_text(kernel(small, None), "/missing.cpp", own) == "int main;\n"
    with pytest.raises(NoData, match="cannot be read"):
        source.source_text(kernel(small, None), "/missing.cpp", tmp_path / "gone.cpp")
