"""The Operator page: controls, tables, drill-down, export, comparison, jumps, state, empty pages."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QFileDialog, QStyleOptionViewItem
from tests.support.operator_files import (
    FIXTURE,
    HEADER,
    fixture_store,
    kernel_store,
    line,
    open_store,
    text_store,
    write,
)
from tests.support.operator_page import Driven, cells

from insight_desktop.engine.store import Store
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.context import Jump
from insight_desktop.views.system.operator_focus import Focus

SPEC = "system-memory-operator-rl"
T1R0 = "text_level1/rank0_ascend_pt"
B1R0 = "db_level1/rank0_ascend_pt"
L0 = "db_level0/rank0_ascend_pt"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def fixture(qtbot, tmp_path):
    return Driven(qtbot, fixture_store(tmp_path)).loaded()


@pytest.fixture
def two_cards(tmp_path):
    """Card 1 is compared with card 0."""
    texts = [
        [line("a", "Add", duration=10), line("b", "Mul", duration=5)],
        [line("a", "Add", duration=4), line("c", "Neg", duration=8)],
    ]
    for rank, given in enumerate(texts):
        write(tmp_path, "\n".join([HEADER, *given]) + "\n", rank)
    return open_store(tmp_path)


# ---- groups and top


@pytest.mark.example(SPEC, "O2")
@pytest.mark.row(SPEC, 30, 31)
def test_operator_types_come_first_with_three_decimals_largest_total_first(fixture):
    assert fixture.heads() == [
        "Type", "Accelerator Core", "Count", "Total Time (µs)", "Share (%)", "Avg Time (µs)", "Max Time (µs)",
        "Min Time (µs)", "Operation",
    ]  # fmt: skip
    assert fixture.cells() == [
        ["Cast", "AI_CPU", "1", "50.500", "59.44", "50.500", "50.500", "50.500", "Details"],
        ["MatMul", "AI_CORE", "2", "30.010", "35.32", "15.000", "20.000", "10.010", "Details"],
        ["Cast", "AI_VECTOR_CORE", "2", "4.450", "5.24", "2.230", "3.340", "1.120", "Details"],
    ]
    assert fixture.page.bar.group == "type"
    assert fixture.page.bar.top == 15


@pytest.mark.row(SPEC, 30)
def test_five_groups_are_offered(fixture):
    box = fixture.page.bar.group_box
    assert [box.itemText(i) for i in range(box.count())] == [
        "Computing Operator", "Computing Operator Type", "Computing Operator Name and Input Shape",
        "Communication Operator", "Communication Operator Type",
    ]  # fmt: skip


@pytest.mark.example(SPEC, "O4", "O6")
@pytest.mark.row(SPEC, 30)
def test_groups_have_their_own_columns(fixture):
    fixture.choose("name_shape", -1)
    assert fixture.heads()[:4] == ["Name", "Shape", "Accelerator Core", "Count"]
    assert [row[:2] for row in fixture.cells()][:2] == [["cast_c", '"16"'], ["mm_b", '"16,16;16,16"']]
    fixture.choose("communication_type")
    assert fixture.heads()[:3] == ["Type", "Count", "Total Time (µs)"]
    assert fixture.cells(columns=3) == [["hcom_allReduce_", "2", "200.000"]]
    fixture.choose("communication")
    assert fixture.heads() == ["Name", "Type", "Start Time (ms)", "Duration (µs)", "Wait Time (µs)"]
    assert [row[3] for row in fixture.cells()] == ["100.250", "99.750"]


@pytest.mark.example(SPEC, "O5", "O8")
@pytest.mark.row(SPEC, 30)
def test_filters_act_after_top(fixture):
    fixture.choose("name", 2)
    assert [row[0] for row in fixture.cells()] == ["cast_c", "mm_b"]
    fixture.page.tables.main.table.set_filters({"type": "CAST"})
    assert [row[:3] for row in fixture.cells()] == [["cast_c", "Cast", "AI_CPU"]]
    assert fixture.page.tables.main.chip.text() == "1 of 2 rows"


@pytest.mark.example(SPEC, "O10")
@pytest.mark.row(SPEC, 31)
def test_totals_are_numbers_when_they_are_sorted(qtbot, tmp_path):
    rows = [line(f"op{d}", f"T{d}", duration=d) for d in (1000, 99.5, 200)]
    driven = Driven(qtbot, kernel_store(tmp_path, rows)).loaded()
    assert [row[3] for row in driven.cells()] == ["1,000.000", "200.000", "99.500"]
    driven.page.tables.main.table.sort_by("sum_us")
    assert [row[3] for row in driven.cells()] == ["99.500", "200.000", "1,000.000"]


@pytest.mark.row(SPEC, 30)
def test_custom_top_has_a_number_of_its_own(fixture):
    bar = fixture.page.bar
    bar.top_box.setCurrentIndex(bar.top_box.findData("custom"))
    bar.top_box.activated.emit(2)
    assert bar.top_spin.isVisibleTo(bar)
    assert (bar.top_spin.minimum(), bar.top_spin.maximum(), bar.top) == (0, 100_000_000, 15)
    bar.top_spin.setValue(1)
    fixture.until(lambda: fixture.page.tables.main.table.table.num_rows == 1)
    bar.top_spin.setValue(0)
    fixture.until(lambda: fixture.page.tables.main.table.table.num_rows == 0)
    assert "Top is 0" in fixture.page.tables.main.table._empty_text


@pytest.mark.example(SPEC, "O12")
@pytest.mark.row(SPEC, 30)
def test_card_with_communication_only_says_so_and_offers_no_custom_top(qtbot, tmp_path):
    driven = Driven(qtbot, kernel_store(tmp_path, [line("hcom_x__1", "hcom_x_", "HCCL")]))
    driven.until(lambda: driven.page.bar.top_box.count() == 2)
    assert "communication operators only" in driven.page.tables.main.table._empty_text
    driven.choose("communication")
    assert [row[0] for row in driven.cells()] == ["hcom_x__1"]
    assert driven.page.bar.top_box.count() == 3


# ---- drill-down, columns


@pytest.mark.example(SPEC, "O7")
@pytest.mark.row(SPEC, 33)
def test_details_list_all_kernels_of_a_group_whatever_top_is(fixture):
    tables = fixture.page.tables

    tables._details_wanted(2)
    fixture.until(lambda: tables.drill.table.table.num_rows > 0)
    view = tables.drill.table
    assert [row[4] for row in cells(view)] == ["3.336", "1.117"]
    assert [row[7] for row in cells(view)] == ['""', '"16"']
    assert tables.drill.title.text() == "Kernels of Cast · AI_VECTOR_CORE"
    view.sort_by("duration_us")
    assert [row[4] for row in cells(view)] == ["1.117", "3.336"]
    tables._details_wanted(2)
    assert tables.drill.isHidden()


@pytest.mark.row(SPEC, 33)
def test_drill_down_follows_the_current_row_and_closes_with_another_group(fixture):
    tables = fixture.page.tables
    tables._details_wanted(2)
    fixture.until(lambda: tables.drill.table.table.num_rows == 2)
    tables.select_row(0)
    fixture.until(lambda: tables.drill.table.table.num_rows == 1)
    assert cells(tables.drill.table, columns=2) == [["cast_c", "Cast"]]
    fixture.choose("communication_type")
    assert tables.drill.isHidden()


def test_open_drill_down_takes_room_from_the_charts_and_gives_it_back(fixture):
    splitter = fixture.page.splitter
    before = splitter.sizes()
    fixture.page.tables._details_wanted(1)
    assert splitter.sizes()[0] < before[0]
    fixture.page.tables._details_wanted(1)
    assert splitter.sizes() == before


@pytest.mark.row(SPEC, 34)
def test_counters_follow_in_alphabetical_order_under_their_own_names(fixture):
    fixture.choose("name")
    assert fixture.heads() == [
        "Name", "Type", "Accelerator Core", "Start Time (ms)", "Duration (µs)", "Wait Time (µs)", "Block Num",
        "Input Shapes", "Input Data Types", "Input Formats", "Output Shapes", "Output Data Types", "Output Formats",
        "aic_mac_ratio", "aicore_time(us)", "cube_utilization(%)",
    ]  # fmt: skip
    panel = fixture.page.tables.main
    menu = panel.columns_menu()
    assert [a.text() for a in menu.actions()][:2] == ["Show all counters", "Hide all counters"]
    menu.actions()[1].trigger()
    assert [c.name for c in panel.table.shown_columns()][-1] == "output_formats"
    menu.actions()[0].trigger()
    assert [c.name for c in panel.table.shown_columns()][-1] == "cube_utilization(%)"


@pytest.mark.row(SPEC, 34)
def test_level_0_has_no_shapes(qtbot, real):
    driven = Driven(qtbot, open_store(real(L0))).loaded().choose("name")
    assert driven.heads() == [
        "Name", "Type", "Accelerator Core", "Start Time (ms)", "Duration (µs)", "Wait Time (µs)",
    ]  # fmt: skip
    driven.until(lambda: len(driven.page.findings.texts()) == 3)
    largest, unusual, note = driven.page.findings.texts()
    assert largest.startswith("aclnn")  # types are not told, so names are
    assert "tell no shapes" in note
    assert unusual


@pytest.mark.row(SPEC, 34)
def test_start_that_the_file_does_not_tell_reads_na(qtbot, tmp_path):
    driven = Driven(qtbot, kernel_store(tmp_path, [line("a", start=0, duration=5)])).loaded().choose("name")
    assert driven.cells(columns=5)[0][3:] == ["NA", "5.000"]


# ---- real data


@pytest.mark.example(SPEC, "OD7", "OD9", "OD10")
@pytest.mark.row(SPEC, 30, 31)
def test_real_text_card_has_the_printed_figures(qtbot, real):
    driven = Driven(qtbot, open_store(real(T1R0))).loaded()
    assert [row[:4] + row[5:8] for row in driven.cells(3)] == [
        ["ForeachAddList", "AI_VECTOR_CORE", "3", "1,959.080", "653.030", "706.610", "624.150"],
        ["TransData", "AI_VECTOR_CORE", "57", "1,423.200", "24.970", "70.800", "6.540"],
        ["MatMulV2", "AI_CORE", "8", "921.500", "115.190", "346.570", "16.540"],
    ]
    largest = "ForeachAddList · AI_VECTOR_CORE: 22.1 % of computing time, 3 calls."
    driven.until(lambda: driven.page.findings.texts()[:1] == [largest])
    driven.choose("communication_type")
    assert driven.cells(columns=3) == [["hcom_allReduce_", "4", "105,991.880"]]
    driven.until(
        lambda: next(iter(driven.page.findings.texts()), "").startswith(
            "hcom_allReduce_: 100.0 % of communication time"
        )
    )


@pytest.mark.example(SPEC, "OD15", "OD16")
@pytest.mark.row(SPEC, 35, 36)
def test_database_has_wait_times_and_a_hint_about_units(qtbot, real):
    driven = Driven(qtbot, open_store(real(B1R0)))
    assert driven.page.tables.main.table._empty_text in ("", "Loading kernels and wait times…")
    driven.loaded()
    assert driven.page.tables.main.hint.isHidden()
    driven.choose("name")
    assert [row[3:7] for row in driven.cells(4)] == [
        ["250.60", "695.074", "95.122", "48"], ["249.48", "628.032", "90.602", "48"],
        ["251.39", "624.512", "98.542", "48"], ["130.46", "358.247", "1,102.583", "16"],
    ]  # fmt: skip
    assert not driven.page.tables.main.hint.isHidden()
    assert "times in ns" in driven.page.tables.main.hint.toolTip()
    driven.choose("communication")
    assert [row[0] + " " + " ".join(row[2:]) for row in driven.cells()][:2] == [
        "hcom_allReduce__210_0_1 146.95 88,750.993 693.394", "hcom_allReduce__210_3_1 240.31 8,764.155 0.000",
    ]  # fmt: skip
    assert driven.page.tables.main.hint.isHidden()


# ---- export and copy


@pytest.mark.example(SPEC, "O9")
@pytest.mark.row(SPEC, 37)
def test_export_has_the_heads_of_the_file_and_follows_the_filters(fixture, tmp_path):
    out = tmp_path / "out.csv"
    fixture.page.export(out)
    fixture.until(out.exists)
    lines = out.read_text("utf-8").splitlines()
    assert lines[:2] == [
        "opType,accCore,count,totalTime,avgTime,maxTime,minTime",
        "Cast,AI_CPU,1,50.500,50.500,50.500,50.500",
    ]
    fixture.page.tables.main.table.set_filters({"type": "mat"})
    fixture.page.export(tmp_path / "shown.csv")
    fixture.page.export(tmp_path / "all.csv", all_rows=True)
    fixture.until((tmp_path / "all.csv").exists)
    assert len((tmp_path / "all.csv").read_text().splitlines()) == 4
    fixture.until(lambda: any(text == "Export Successful." for _, text, _ in fixture.messages))
    table = fixture.page.export_table()
    assert table["opType"].to_pylist() == ["MatMul"]


@pytest.mark.row(SPEC, 37)
def test_save_dialog_begins_with_the_default_name_and_risky_names_get_a_backslash(qtbot, tmp_path, monkeypatch):
    driven = Driven(qtbot, kernel_store(tmp_path, [line("=x", duration=3)])).loaded().choose("name")
    offered = []
    out = tmp_path / "out.csv"

    def ask(_parent, _title, name, _kinds):
        offered.append(name)
        return str(out), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    driven.page.bar.shown_action.trigger()
    driven.until(out.exists)
    assert offered[0].startswith("operator_detail_group_by_Operator_0_")
    assert offered[0].endswith(".csv")
    lines = out.read_text().splitlines()
    assert lines[0].startswith(
        "name,type,accCore,startTime,duration,waitTime,blockDim,inputShape,inputType,inputFormat"
    )
    assert lines[1].startswith("\\=x,Add,AI_CORE,")


@pytest.mark.row(SPEC, 37)
def test_copy_has_the_columns_without_the_links(fixture):
    fixture.page.tables.main.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[-1] == "Min Time (µs)"
    assert lines[1].split("\t")[:3] == ["Cast", "AI_CPU", "1"]
    assert fixture.status[-1] == ["Copied", "3 rows"]


# ---- comparison


@pytest.mark.row(SPEC, 38)
def test_comparison_shows_differences_in_colour_and_in_words(qtbot, two_cards):
    driven = Driven(qtbot, two_cards, "1").loaded()
    driven.choose("name").choose(base="0")
    bar = driven.page.bar
    assert bar.group == "type"  # single kernels have no partners
    assert bar.group_box.findData("name") < 0
    assert driven.heads() == [
        "Type", "Source", "Accelerator Core", "Count", "Total Time (µs)", "Avg Time (µs)", "Max Time (µs)", "Min Time (µs)",
        "Change", "Operation",
    ]  # fmt: skip
    assert [[row[0], row[1], row[3], row[4], row[8]] for row in driven.cells()] == [
        ["Neg", "Difference", "+1", "+8.000", "only in comparison"],
        ["Mul", "Difference", "−1", "−5.000", "only in baseline"],
        ["Add", "Difference", "0", "−6.000", "shorter"],
    ]
    view = driven.page.tables.main.table
    total = [c.name for c in view.columns].index("sum_us")
    inks = []
    for row in range(3):
        option = QStyleOptionViewItem()
        view.itemDelegate().initStyleOption(option, view.model().index(row, total))
        inks.append(option.palette.color(QPalette.ColorRole.Text).name())
    assert inks == [theme.token("ok").name(), theme.token("error").name(), theme.token("error").name()]
    assert driven.page.insights.tab == "differences"


@pytest.mark.row(SPEC, 38)
def test_details_of_a_difference_are_baseline_and_comparison(qtbot, two_cards):
    driven = Driven(qtbot, two_cards, "1").loaded().choose(base="0")
    tables = driven.page.tables
    tables._details_wanted(2)
    assert [[row[0], row[1], row[3], row[4]] for row in cells(tables.drill.table)] == [
        ["Add", "Baseline", "1", "10.000"],
        ["Add", "Comparison", "1", "4.000"],
    ]
    tables.select_row(0)
    assert [row[1:5] for row in cells(tables.drill.table)] == [
        ["Baseline", "AI_CORE", "–", "–"],
        ["Comparison", "AI_CORE", "1", "8.000"],
    ]


@pytest.mark.example(SPEC, "OD18")
@pytest.mark.row(SPEC, 38)
def test_real_cards_differ_as_printed(qtbot, real):
    driven = Driven(qtbot, open_store(real("text_level1")), "1").loaded().choose(top=-1, base="0")
    driven.until(lambda: driven.page.tables.main.table.table.num_rows == 33)
    rows = {row[0]: row[3:8] for row in driven.cells()}
    assert rows["MatMulV2"] == ["0", "+26.060", "+3.250", "+10.800", "+1.320"]
    assert rows["Conv2DBackpropFilter"] == ["0", "+7.000", "+1.400", "+6.000", "−0.580"]
    assert driven.cells()[-1][0:1] + driven.cells()[-1][3:8] == [
        "TransData",
        "0",
        "−7.200",
        "−0.130",
        "−1.560",
        "−0.260",
    ]


# ---- cards


@pytest.mark.row(SPEC, 29)
def test_click_on_a_card_in_the_data_manager_switches_the_page(qtbot, two_cards):
    driven = Driven(qtbot, two_cards, "0").loaded()
    assert driven.cells(1, 1) == [["Add"]]
    driven.context.card_selected.emit("1")
    driven.until(lambda: driven.cells(1, 1) == [["Neg"]])
    assert driven.page.bar.card == "1"


# ---- Timeline


@pytest.mark.row(SPEC, 23)
def test_group_and_kernel_lead_to_their_slices(qtbot, real):
    store = open_store(real(T1R0))
    driven = Driven(qtbot, store).loaded()
    driven.page.show_in_timeline(Focus(type="MatMulV2", core="AI_CORE"))
    driven.until(lambda: bool(driven.jumps))
    jump = driven.jumps[0]
    assert isinstance(jump, Jump)
    capture = store.capture("0")
    name = capture.strings[int(capture.slice_name[jump.slice_id])].as_py()
    assert name == "aclnnAddmm_MatMulCommon_MatMulV2"
    assert int(capture.slice_end[jump.slice_id] - capture.slice_start[jump.slice_id]) == 346567


def test_kernel_without_a_slice_is_told(fixture):
    fixture.page.show_in_timeline(fixture.page.tables.focus)
    fixture.until(lambda: bool(fixture.messages))
    assert fixture.messages[0][:2] == ("warning", "The Timeline has no slice of Cast · AI_CPU.")


# ---- state, status, language


def test_everything_that_was_arranged_comes_back(qtbot, tmp_path):
    store = fixture_store(tmp_path)
    driven = Driven(qtbot, store).loaded().choose("name_shape", 4)
    page = driven.page
    page.tables.main.table.sort_by("count", descending=True)
    page.tables.main.table.set_filters({"core": "vector"})
    page.tables.main.set_hidden({"min_us"})
    page.tables.select_row(3)
    page.tables.open_drill(page.tables.focus)
    driven.until(lambda: page.tables.drill.table.table.num_rows > 0)
    page.insights.show_tab("outliers")
    state = page.view_state()

    other = Driven(qtbot, store).loaded()
    other.page.restore_state(state)
    view = other.page.tables.main.table
    other.until(lambda: view.table.num_rows == 4 and other.page.tables.opened is not None)
    assert (other.page.bar.group, other.page.bar.top, other.page.insights.tab) == ("name_shape", 4, "outliers")
    assert other.cells(columns=2) == [["cast_a", '""']]
    assert (view.sort.column, view.sort.descending) == ("count", True)
    assert "min_us" not in [c.name for c in view.shown_columns()]
    assert other.page.tables.focus.label == 'cast_a · "" · AI_VECTOR_CORE'
    other.until(lambda: other.page.tables.drill.table.table.num_rows == 1)


def test_state_waits_for_its_card(qtbot, tmp_path):
    driven = Driven(qtbot, Store())
    driven.page.restore_state({"bar": {"group": "communication", "top": -1}})
    assert driven.page.view_state() == {"bar": {"group": "communication", "top": -1}}
    for card in fixture_store(tmp_path).cards:
        driven.context.store.put(card)
    driven.context.store_changed.emit()
    driven.until(lambda: driven.page.tables.main.table.table.num_rows == 2)
    assert driven.page.bar.top == -1


def test_status_tells_what_is_selected(fixture):
    fixture.page.tables.select_row(1)
    fixture.until(lambda: fixture.status[-1][0] == "MatMul · AI_CORE")
    assert fixture.status[-1] == [
        "MatMul · AI_CORE",
        "2 calls",
        "sum 30.010 µs",
        "average 15.000 µs",
        "35.32 % of the time",
    ]


@pytest.mark.row(SPEC, 46)
def test_chinese_labels(fixture):
    language.set_language("zh", remember=False)
    fixture.until(lambda: fixture.page.bar.group_label.text() == "分组方式")
    box = fixture.page.bar.group_box
    assert [box.itemText(i) for i in range(box.count())] == [
        "计算算子", "计算算子类型", "计算算子名称和输入Shape", "通信算子", "通信算子类型",
    ]  # fmt: skip
    assert fixture.page.bar.top_label.text() == "前 N 项"
    assert [fixture.page.bar.top_box.itemText(i) for i in range(3)] == ["15", "全部", "自定义"]
    assert fixture.page.bar.export_button.text() == "导出"


# ---- empty


@pytest.mark.row(SPEC, 47)
def test_empty_project_says_no_data(qtbot):
    driven = Driven(qtbot, Store())
    assert driven.page.stack.currentWidget() is driven.page.empty
    assert driven.page.empty.title.text() == "No Data"
    assert not driven.page.bar.export_button.isEnabled()


@pytest.mark.row(SPEC, 47)
def test_card_without_kernels_tells_the_files_and_the_switch(qtbot, tmp_path):
    header = FIXTURE.splitlines()[0]
    driven = Driven(qtbot, text_store(tmp_path, header + "\n"))
    driven.until(lambda: driven.page.stack.currentWidget() is driven.page.empty)
    assert driven.page.empty.title.text() == "Operator has nothing to show for card 0"
    assert "profiler_level" in driven.page.empty.code


def test_card_that_is_not_read_offers_to_read_it(qtbot):
    driven = Driven(qtbot, Store(), "3")
    asked = []
    driven.context.parse_requested.connect(asked.append)
    assert driven.page.empty.title.text() == "Card 3 is not read yet"
    driven.page.empty.buttons[0].click()
    assert asked == [["3"]]
