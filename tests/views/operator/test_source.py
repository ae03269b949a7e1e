"""The Source page: selects, columns, cells, linking both ways, search, limits, sources of the user."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.support import operator_bins as bins

from insight_desktop.engine.store import Store
from insight_desktop.views.common.context import Context, SourcePlace
from insight_desktop.views.operator import source_cells, source_load, source_tokens
from insight_desktop.views.operator.source import TAB, SourcePage
from insight_desktop.views.operator.source_cells import Segment
from insight_desktop.views.operator.source_search import Match, find

SPEC = "operator"
A, B = "/a/first.cpp", "/b/second.cpp"


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row(SPEC, *numbers)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))
    return tmp_path


def two_sources(*, version: int = 0x5A) -> bytes:
    """Three cores, two sources, four instructions; values differ by core."""
    cores = [f"core{i}.veccore0" for i in range(3)]
    line_codes = {
        "Address Range": 0,
        "Cycles": 1,
        "Instructions Executed": 1,
        "Line": 1,
        "GPR Count": 1,
        "Process Bytes": 1,
    }
    lines = [
        {"Source": A, "Lines": [
            {"Line": 2, "Address Range": [["0x10", "0x18"]], "Cycles": [30, 31, 32], "Instructions Executed": [2, 3], "GPR Count": [-1], "Process Bytes": 64},
            {"Line": 1, "Address Range": [["0x20", "0x20"]], "Cycles": [5], "Instructions Executed": [1]},
            {"Line": 2, "Address Range": [["0x18", "0x20"]], "Cycles": [40, 41, 42], "Instructions Executed": [2, 3]},
            {"Line": 99, "Address Range": [["0x10", "0x28"]], "Cycles": [7], "Instructions Executed": [1]},
        ]},
        {"Source": B, "Lines": [{"Line": 1, "Address Range": [["0x28", "0x28"]], "Cycles": [9], "Instructions Executed": [1]}]},
    ]  # fmt: skip
    codes = {
        "Address": 3, "AscendC Inner Code": 3, "Cycles": 1, "Instructions Executed": 1, "Pipe": 3, "Source": 3,
        "Vector Utilization Percentage": 4, "Process Bytes": 1, "RealStallCycles": 1, "Address Range": 0,
    }  # fmt: skip
    made = [
        {"Address": f"0x{address:x}", "AscendC Inner Code": f"{A}:1", "Cycles": cycles, "Instructions Executed": [1], "Pipe": pipe,
         "Source": text, "Vector Utilization Percentage": [use], "Process Bytes": [size], "RealStallCycles": [0]}
        for address, cycles, pipe, text, use, size in (
            (0x28, [100, 1], "MTE3", "MOV_UB_TO_OUT", 51, -1), (0x10, [10, 2], "MTE2", "MOV_OUT_TO_UB", -1, 128),
            (0x18, [9, 3], "VECTOR", "VADD", 50, 64), (0x20, [-1, 4], "SCALAR", "ADD", 12.345, 0),
        )
    ]  # fmt: skip
    files = {"Cores": cores, "Files Dtype": {"Lines": line_codes}, "Files": lines}
    instr = {"Cores": cores, "Instructions Dtype": {"Instructions": codes}, "Instructions": made}
    return b"".join(
        [
            bins.block(bins.SOURCE, b"int a;\nint b;\nint c;\n", A),
            bins.block(bins.SOURCE, b"void second();\n", B),
            bins.block(bins.LINES, files),
            bins.block(bins.INSTRUCTIONS, instr, version=version),
            bins.block(bins.BASE, bins.base()),
        ]
    )


def open_page(qtbot: QtBot, store: Store) -> SourcePage:
    page = SourcePage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1400, 700)
    page.show()
    qtbot.waitUntil(lambda: page.loaded is not None, timeout=20_000)
    return page


def opened(qtbot: QtBot, folder: Path, data: bytes) -> SourcePage:
    return open_page(qtbot, bins.opened(bins.write(folder / "add", data)))


def cells(page: SourcePage) -> list[list[str]]:
    model = page.table.model()
    return [[str(model.index(r, c).data()) for c in range(model.columnCount())] for r in range(model.rowCount())]


def headings(page: SourcePage) -> list[str]:
    return [spec.heading() for spec in page.table.columns]


def related(page: SourcePage) -> list[int]:
    found = page.table.related
    return [] if found is None else [int(i) for i in np.flatnonzero(found)]


def test_tab_has_its_id() -> None:
    assert (TAB.id, TAB.title) == ("operator.source", "Source")


@row(9, 10)
def test_cores_and_sources_are_offered_and_kept(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, two_sources())
    assert [page.core_box.itemText(i) for i in range(page.core_box.count())] == [
        "core0.veccore0",
        "core1.veccore0",
        "core2.veccore0",
    ]
    assert [page.file_box.itemData(i) for i in range(page.file_box.count())] == [A, B]
    assert (page.core_box.currentText(), page.file_box.currentText()) == ("core0.veccore0", "first.cpp")
    page.file_box.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.file == B)
    assert list(page.model.lines) == ["void second();"]
    page.core_box.setCurrentIndex(2)
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.core == "core2.veccore0")
    page.context.store_changed.emit()
    qtbot.wait(50)
    assert (page.core_box.currentText(), page.file_box.currentText()) == ("core2.veccore0", "second.cpp")


@row(11, 12)
def test_columns_stand_in_the_order_of_the_collector(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, two_sources())
    own = [page.view.attributes.heading(name) for name, _ in page.view.attributes.columns]
    assert own == ["Instructions Executed", "Cycles", "Cycles (%)", "GPR Count", "Process Bytes"]
    assert headings(page) == [
        "#", "Address", "Pipe", "Source", "Instructions Executed", "Process Bytes", "Vector Utilization Percentage", "Cycles",
        "RealStallCycles",
    ]  # fmt: skip


@row(13, 14)
def test_values_are_those_of_the_core_and_negative_ones_are_not_available(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, two_sources())
    attributes = page.view.attributes
    # Of two records of line 2 the last one in the file counts; a line without a record is blank.
    assert [attributes.text(1, n) for n in ("Instructions Executed", "Cycles", "GPR Count")] == ["2", "40", ""]
    assert [attributes.text(2, n) for n in ("Instructions Executed", "Cycles")] == ["", ""]
    assert [line[1] for line in cells(page)] == ["0x10", "0x18", "0x20", "0x28"]
    assert [line[5] for line in cells(page)] == ["128", "64", "0", "NA"]
    assert [line[6] for line in cells(page)] == ["NA", "50%", "12.35%", "51%"]
    assert [line[7] for line in cells(page)] == ["10", "9", "NA", "100"]
    page.core_box.setCurrentIndex(2)
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.core == "core2.veccore0")
    assert attributes.text(1, "Cycles") == "42"
    assert (
        attributes.text(1, "Instructions Executed") == "2"
    )  # two values only: the first one stands for the third core
    assert [line[7] for line in cells(page)] == ["10", "9", "NA", "100"]


@row(15, 16)
def test_bars_of_percents_and_cycles() -> None:
    assert (source_cells.is_inside(50), source_cells.is_inside(51)) == (False, True)
    assert source_cells.cycles_percent(400, 400) == 100
    assert source_cells.cycles_percent(50, 400) == 13
    assert source_cells.cycles_percent(-1, 400) == 0
    assert source_cells.text_of(90.0, 4) == "90%"
    assert source_cells.text_of(-1.0, 4) == "NA"


@row(17)
def test_stall_cells_have_a_part_per_reason(qtbot: QtBot, home: Path) -> None:
    value = json.dumps({"Percent": 0.1234, "Details": {"Active": 1, "IBuf_Empty": 0, "Scoreboard_Not_Ready": 59}})
    assert source_cells.text_of(value, 100) == "12.34%"
    assert source_cells.segments(source_load.stall(value)[1]) == [
        Segment("Active", 1, 4),
        Segment("Scoreboard_Not_Ready", 59, 118),
    ]
    assert source_cells.stall_tip(value).split("\n") == [
        "Total: 60", "Active: 1", "IBuf_Empty: 0", "Scoreboard_Not_Ready: 59",
    ]  # fmt: skip
    page = opened(qtbot, home, simt())
    assert headings(page)[-1] == "Stall Sampling(All Samples)"
    loaded = page.loaded
    assert loaded is not None
    assert loaded.heat_name == "Stall Sampling(All Samples)"
    assert list(loaded.heat) == [0.5, 1.0]
    page.table._cycle_sort(len(headings(page)) - 1)
    assert page.table.sort is None


def simt() -> bytes:
    """Registers and stall samples."""
    stall = {"Percent": 0.25, "Details": {"Active": 3, "Others": 1}}
    codes = {"Address": 3, "Source": 3, "GPR Status": 5, "Stall Sampling(All Samples)": 100}
    status = [
        [{"regIndex": "R1", "survivalTime": 2, "regStatus": 2}],
        [{"regIndex": "R1", "survivalTime": 2, "regStatus": 1}, {"regIndex": "R2", "survivalTime": 1, "regStatus": 3}],
    ]
    made = [
        {"Address": f"0x{8 * i:x}", "Source": "SIMT", "GPR Status": status[i], "Stall Sampling(All Samples)": stall}
        for i in (0, 1)
    ]
    lines = [
        {"Line": n, "Address Range": [[f"0x{8 * n - 8:x}"] * 2], "Stall Sampling(All Samples)": {**stall, "Percent": 0.25 * n}}
        for n in (1, 2)
    ]  # fmt: skip
    files = {"Cores": ["ALL"], "Files Dtype": {"Lines": {"Address Range": 0, "Line": 1, "Stall Sampling(All Samples)": 100}}, "Files": [{"Source": A, "Lines": lines}]}  # fmt: skip
    instr = {"Cores": ["ALL"], "Instructions Dtype": {"Instructions": codes}, "Instructions": made}
    blocks = [
        bins.block(bins.SOURCE, b"a\nb\n", A),
        bins.block(bins.LINES, files),
        bins.block(bins.INSTRUCTIONS, instr),
    ]
    return b"".join(blocks)


@row(18)
def test_registers_have_tracks(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, simt())
    shown = [[t and (t.name, t.state, t.progress, t.length) for t in line] for line in page.table.tracks]
    assert shown == [[("R1", 2, 0, 2)], [("R1", 1, 1, 2), ("R2", 3, 0, 1)]]
    assert source_cells.track_at(8 + 16 + 3, page.table.tracks[1]) == "R2 (Length: 1)"
    assert source_cells.track_at(200, page.table.tracks[1]) == ""
    assert page.grab().width() == 1400


@row(19)
@pytest.mark.example(SPEC, 22)
def test_a_line_marks_its_instructions(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.sample())
    page.line_chosen(22)
    assert related(page) == [0, 1]
    assert page.line_label.text() == "Line : 22"
    assert page.count_label.full_text().startswith("Related Instructions Count : 2")
    assert page.table.most_cycles == 400
    assert [line[-2:] for line in cells(page)] == [["90%", "400"], ["NA", "50"]]
    page.line_chosen(3)
    assert related(page) == []
    assert page.count_label.full_text() == "Related Instructions Count : 0"


@row(20)
def test_an_instruction_leads_to_its_line(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, two_sources())
    page.instruction_chosen(1)  # 0x18: both records of line 2, and line 99 behind them in the file
    assert page.model.selected == -1  # line 99 is beyond the text
    page.instruction_chosen(3)
    assert related(page) == []
    named = opened(qtbot, home / "named", two_sources(version=0))
    named.instruction_chosen(1)
    assert named.model.selected == 1  # what the instruction itself names
    assert related(named) == [2]


@row(21)
def test_only_related_instructions_keep_their_numbers(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, two_sources())
    page.line_chosen(2)
    page.only.setChecked(True)
    assert [line[0] for line in cells(page)] == ["2", "3"]
    page.line_chosen(1)
    assert [line[0] for line in cells(page)] == ["3"]
    page.only.setChecked(False)
    assert len(cells(page)) == 4


@row(22)
def test_columns_filter_by_numbers_texts_and_na(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, two_sources())
    for filters, numbers in (
        ({"Cycles": "NA"}, ["3"]), ({"Cycles": "> 9"}, ["1", "4"]), ({"Source": "mov"}, ["1", "4"]),
        ({"Pipe": "VECT"}, ["2"]), ({"Address": "0x18..0x20"}, ["2", "3"]), ({"Process Bytes": "na"}, ["4"]),
    ):  # fmt: skip
        page.table.set_filters(filters)
        assert [line[0] for line in cells(page)] == numbers, filters
    page.table.set_filters({})
    page.table.sort_by("Cycles")
    assert [line[0] for line in cells(page)] == ["3", "2", "1", "4"]  # NA counts as −1
    page.table.sort_by("Address", descending=True)
    assert [line[1] for line in cells(page)] == ["0x28", "0x20", "0x18", "0x10"]


@row(23)
def test_long_code_is_cut(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.block(bins.SOURCE, b"x\n" * 10_050, A) + bins.block(bins.BASE, bins.base()))
    assert len(page.model.lines) == 10_001
    assert page.model.lines[-1] == "----------【Exceed 10000 lines , Hide the rest content】----------"


@row(24)
def test_search_counts_wraps_and_closes(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.sample())
    page.open_search()
    bar = page.search_bar
    bar.field.setText("add")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert (bar.place.text(), bar.current) == ("1 of 1", Match(21, 4, 7))
    bar.field.setText("DEMO")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.place.text() == "1 of 20"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.place.text() == "2 of 20"
    bar.previous.click()
    bar.previous.click()
    assert bar.place.text() == "20 of 20"
    bar.next.click()
    assert bar.place.text() == "1 of 20"
    bar.case.click()
    assert bar.place.text() == "No Result"
    bar.case.click()
    page.view.text.anchor, page.view.text.reach = (2, 0), (4, 3)
    bar.within.click()
    assert bar.place.text() == "1 of 3"
    assert len(page.model.matches) == 3
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert len(page.model.matches) == 0


def test_places_of_a_text() -> None:
    lines = ["Compute(); MatmulCompute();", "compute"]
    assert find(lines, "compute") == [Match(0, 0, 7), Match(0, 17, 24), Match(1, 0, 7)]
    assert find(lines, "compute", case=True) == [Match(1, 0, 7)]
    assert find(lines, "compute", word=True) == [Match(0, 0, 7), Match(1, 0, 7)]
    assert find(lines, "C.m", regex=True, case=True) == [Match(0, 0, 3), Match(0, 17, 20)]
    assert find(lines, "") == []


@row(25)
def test_old_files_without_types_are_shown(qtbot: QtBot, home: Path) -> None:
    core = ["core0.veccore0"]
    lines = {"Cores": core, "Files": [{"Source": A, "Lines": [
        {"Line": 1, "Address Range": [["0x8", "0x8"]], "Cycles": [3], "Instructions Executed": [1]},
        {"Line": 2, "Address Range": [["0x10", "0x10"]], "Cycles": [0], "Instructions Executed": [0]},
    ]}]}  # fmt: skip
    made = {"Address": "0x8", "Source": "VADD", "AscendC Inner Code": "", "Pipe": "VECTOR", "Cycles": [3], "Instructions Executed": [1],
            "RealStallCycles": [1], "TheoreticalStallCycles": [1]}  # fmt: skip
    data = [bins.block(bins.SOURCE, b"a\nb\n", A), bins.block(bins.LINES, lines)]
    data.append(bins.block(bins.INSTRUCTIONS, {"Cores": core, "Instructions": [made]}))
    page = opened(qtbot, home, b"".join(data))
    assert headings(page) == ["#", "Address", "Pipe", "Source", "Instructions Executed", "Cycles"]
    assert [name for name, _ in page.view.attributes.columns if name != source_cells.SHARE] == [
        "Instructions Executed", "Cycles", "Stall Sampling(All Samples)", "Stall Sampling(Not Issue)",
    ]  # fmt: skip
    assert page.view.attributes.text(1, "Cycles") == ""  # nothing was counted for line 2


@row(47)
def test_a_cache_line_shows_its_instructions(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.sample())
    page.line_chosen(22)
    page.context.source_wanted.emit(SourcePlace("add", ranges=(0x1134E000, 0x1134E000), cache_line=130))
    assert (page.model.selected, related(page)) == (-1, [0])
    assert page.line_label.text() == "Cacheline ID:130"
    page.line_chosen(22)
    assert page.line_label.text() == "Line : 22"


def test_hot_lines_come_in_the_order_of_their_cost(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, two_sources())
    loaded = page.loaded
    assert loaded is not None
    # 40 cycles in line 2 and 5 in line 1; line 99 (7 cycles) has no text but counts in the sum.
    assert [round(float(h), 3) for h in loaded.heat] == [0.125, 1.0, 0.0]
    assert [round(float(s), 4) for s in loaded.shares] == [round(5 / 52, 4), round(40 / 52, 4), 0.0]
    page.next_hot()
    assert page.model.selected == 2
    page.next_hot()
    assert page.model.selected == 1
    page.next_hot()
    assert page.model.selected == 2


def test_missing_sources_are_taken_from_a_folder_that_the_user_chose(qtbot: QtBot, home: Path) -> None:
    lines = bins.lines()
    data = b"".join(
        [bins.block(bins.LINES, lines), bins.block(bins.INSTRUCTIONS, bins.instructions()), bins.block(bins.BASE, bins.base())]
    )  # fmt: skip
    local = home / "work" / "demo"
    local.mkdir(parents=True)
    (local / "add_custom.cpp").write_text(bins.TEXT)
    (home / "work" / "other").mkdir()
    (home / "work" / "other" / "add_custom.cpp").write_text("wrong")
    page = opened(qtbot, home, data)
    assert page.file_box.count() == 0
    assert page.map_button.isVisible()
    assert page.code_stack.currentIndex() == 1
    page.map_folder(home / "work")
    qtbot.waitUntil(lambda: len(page.model.lines) == 23)
    assert page.mapped == {bins.PATH: local / "add_custom.cpp"}
    page.line_chosen(22)
    assert related(page) == [0, 1]
    state = json.loads(json.dumps(page.view_state()))
    assert state["mapped"] == {bins.PATH: str(local / "add_custom.cpp")}
    page.map_folder(home / "nothing")  # nothing fits: what was found stays
    qtbot.wait(50)
    assert page.mapped


def test_kernels_without_code_say_what_to_do(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.sample(lines=None, instructions=None))
    assert page.code_stack.currentIndex() == 0  # the text is there, its figures are not
    assert page.table_stack.currentIndex() == 1
    bare = opened(qtbot, home / "bare", bins.block(bins.BASE, bins.base()))
    assert bare.code_stack.currentIndex() == 1
    assert bare.code_empty.title.text() == "No source text"


def test_what_is_chosen_comes_back_with_the_session(qtbot: QtBot, home: Path) -> None:
    store = bins.opened(bins.write(home / "add", two_sources()))
    page = open_page(qtbot, store)
    page.core_box.setCurrentIndex(1)
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.core == "core1.veccore0")
    page.line_chosen(2)
    page.table.set_filters({"Pipe": "MTE2"})
    state = json.loads(json.dumps(page.view_state()))
    other = SourcePage(Context(store))
    other.setProperty("keeps", other.context)
    qtbot.addWidget(other)
    other.restore_state(state)
    other.show()
    qtbot.waitUntil(lambda: other.model.selected == 2, timeout=20_000)
    assert other.core_box.currentText() == "core1.veccore0"
    assert other.table.filters() == {"Pipe": "MTE2"}


def kinds(line: str, **more: Any) -> list[tuple[str, str]]:
    return [(line[t.start : t.end], t.kind) for t in source_tokens.tokens(line, **more)]


def test_code_is_highlighted() -> None:
    assert kinds('#include "a.h"') == [("#include", "directive"), ('"a.h"', "string")]
    assert kinds("  for (int i = 0x1F; ; Add(i)) // sum") == [
        ("for", "keyword"), ("int", "keyword"), ("0x1F", "number"), ("Add", "function"), ("// sum", "comment"),
    ]  # fmt: skip
    assert kinds("Tensor<half> x;")[:2] == [("Tensor", "type"), ("half", "type")]
    assert kinds("x */ y(1)", inside=True) == [("x */", "comment"), ("y", "function"), ("1", "number")]
    assert kinds("def run(x):  # go", python=True) == [("def", "keyword"), ("run", "function"), ("# go", "comment")]
    lines = ["a /* b", "c", "*/ d", '"/*" e', "f"]
    assert source_tokens.comment_starts(lines) == [False, True, True, False, False]
