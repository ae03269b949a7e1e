"""Findings, pies and the other views over the tables of the Operator page."""

from __future__ import annotations

import pyarrow as pa
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from tests.support.operator_files import fixture_store, kernel_store, line, open_store
from tests.support.operator_page import Driven, cells

from insight_desktop.views.system import operator_findings
from insight_desktop.views.system.operator_charts import labels_of
from insight_desktop.views.system.operator_focus import Focus

SPEC = "system-memory-operator-rl"
U0 = "upstream_unit/test_rank_0"
T1R0 = "text_level1/rank0_ascend_pt"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def fixture(qtbot, tmp_path):
    driven = Driven(qtbot, fixture_store(tmp_path)).loaded()
    driven.until(lambda: bool(pieces(driven)))
    return driven


def pieces(driven, which="items"):
    pie = getattr(driven.page.insights.shares, which)
    return [(p.name, p.value) for p in pie.area.pieces]


def shown(driven, tab):
    driven.page.insights.show_tab(tab)
    return getattr(driven.page.insights, tab)


# ---- pies


@pytest.mark.example(SPEC, "O3")
@pytest.mark.row(SPEC, 32)
def test_two_pies_show_types_and_cores(fixture):
    shares = fixture.page.insights.shares
    assert (shares.items.title, shares.cores.title) == (
        "Total Time (µs) Group by Operator Type", "Total Time (µs) Group by Accelerator Core",
    )  # fmt: skip
    assert pieces(fixture) == [("Cast", 50.5), ("MatMul", 30.01), ("Cast", 4.45)]
    assert pieces(fixture, "cores") == [("AI_CPU", 50.5), ("AI_CORE", 30.01), ("AI_VECTOR_CORE", 4.45)]
    fixture.choose(top=1)
    fixture.until(lambda: pieces(fixture, "cores") == [("AI_CPU", 50.5)])


@pytest.mark.example(SPEC, "O5")
@pytest.mark.row(SPEC, 32)
def test_pie_of_operators_has_single_kernels(fixture):
    fixture.choose("name", -1)
    wanted = [("cast_c", 50.5), ("mm_b", 20.0), ("mm_a", 10.01), ("cast_a", 3.34), ("cast_a", 1.12)]
    fixture.until(lambda: pieces(fixture) == wanted)
    assert [value for _, value in pieces(fixture, "cores")] == [50.5, 30.01, 4.46]


@pytest.mark.row(SPEC, 32)
def test_communication_has_no_pie_of_cores(fixture):
    fixture.choose("communication_type")
    fixture.until(lambda: pieces(fixture) == [("hcom_allReduce_", 200.0)])
    assert fixture.page.insights.shares.cores.isHidden()


@pytest.mark.example(SPEC, "O11")
@pytest.mark.row(SPEC, 32)
def test_fiftieth_piece_is_the_sum_of_the_rest(qtbot, tmp_path):
    rows = [line(f"op{d}", f"T{d}", duration=d, start=d) for d in range(52, 0, -1)]
    driven = Driven(qtbot, kernel_store(tmp_path, rows)).loaded().choose(top=-1)
    driven.until(lambda: len(pieces(driven)) == 50)
    assert pieces(driven)[48:] == [("T4", 4.0), ("Others (3)", 6.0)]
    assert driven.page.insights.shares.focus_of("49") is None
    driven.page.insights.shares.items.clicked.emit("48")
    assert driven.page.tables.focus == Focus(type="T4", core="AI_CORE")


@pytest.mark.row(SPEC, 32)
def test_click_on_a_piece_chooses_its_row_and_a_core_filters(fixture):
    shares, table = fixture.page.insights.shares, fixture.page.tables.main.table
    shares.items.clicked.emit("1")
    assert fixture.page.tables.focus == Focus(type="MatMul", core="AI_CORE")
    assert shares.items.area.current == "1"
    shares.cores.clicked.emit("AI_VECTOR_CORE")
    assert [row[:2] for row in cells(table)] == [["Cast", "AI_VECTOR_CORE"]]
    shares.cores.clicked.emit("AI_VECTOR_CORE")
    assert len(cells(table)) == 3


@pytest.mark.row(SPEC, 32)
def test_piece_has_percentages_and_its_value(fixture):
    area = fixture.page.insights.shares.cores.area
    piece = area.pieces[1]
    assert round(area.share(piece), 4) == 0.3532
    assert area.value_text(piece) == "30.01 µs"
    middle = area._circle(area.width(), area.height())
    top_right = QPointF(middle.center().x() + middle.width() * 0.39, middle.center().y())
    assert area.piece_at(top_right).key == "AI_CPU"


def test_menu_of_a_piece_leads_to_details_and_timeline(fixture):
    wanted = []
    fixture.page.insights.shares.timeline_wanted.connect(wanted.append)
    menu = fixture.page.insights.shares.item_menu("1")
    texts = [a.text() for a in menu.actions()]
    assert texts[:2] == ["Show in Timeline", "Details"]
    menu.actions()[0].trigger()
    assert wanted == [Focus(type="MatMul", core="AI_CORE")]
    menu.actions()[1].trigger()
    fixture.until(lambda: fixture.page.tables.drill.table.table.num_rows == 2)
    core = fixture.page.insights.shares.core_menu("AI_CPU")
    assert [a.text() for a in core.actions()][:2] == ["Show in Timeline", "Filter the table by this"]


@pytest.mark.example(SPEC, "OD3")
@pytest.mark.row(SPEC, 32)
def test_real_core_pie(qtbot, real):
    driven = Driven(qtbot, open_store(real(U0))).loaded()
    driven.until(lambda: len(pieces(driven, "cores")) == 6)
    assert pieces(driven, "cores") == [
        ("MIX_AIC", 21112.85), ("DSA_SQE", 5344.21), ("AI_CORE", 506.37), ("AI_CPU", 145.02), ("MIX_AIV", 19.5),
        ("AI_VECTOR_CORE", 2.64),
    ]  # fmt: skip


def test_ctrl_click_on_a_piece_goes_to_the_timeline(qtbot, real, monkeypatch):
    driven = Driven(qtbot, open_store(real(T1R0))).loaded()
    driven.until(lambda: len(pieces(driven)) == 15)
    control = Qt.KeyboardModifier.ControlModifier
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", staticmethod(lambda: control))
    driven.page.insights.shares.items.clicked.emit("2")
    driven.until(lambda: bool(driven.jumps))
    assert driven.page.tables.focus == Focus(type="MatMulV2", core="AI_CORE")
    assert driven.jumps[0].card == "0"


# ---- the other tabs


def test_pareto_colours_groups_by_class(fixture):
    chart = shown(fixture, "pareto")
    fixture.until(lambda: len(chart.series) == 3)
    assert [(s.name, s.y.round(4).tolist()) for s in chart.series] == [
        ("Class A (2)", [0.5944, 0.3532]), ("Class B (1)", [0.0524]), ("Cumulative", [0.5944, 0.9476, 1.0]),
    ]  # fmt: skip
    chart.point_clicked.emit("B", 0)
    assert fixture.page.tables.focus == Focus(type="Cast", core="AI_VECTOR_CORE")


def test_durations_of_the_current_operator_are_coloured_by_shape(fixture):
    charts = shown(fixture, "durations")
    fixture.page.tables.select_row(2)
    fixture.until(lambda: charts.scatter.subtitle.full_text() == "Cast · AI_VECTOR_CORE")
    fixture.until(lambda: len(charts.histogram.series) == 1 and charts.histogram.series[0].y.sum() == 2)
    assert {s.name: s.y.tolist() for s in charts.scatter.series} == {'""': [3.336], '"16"': [1.117]}
    wanted = []
    charts.timeline_wanted.connect(wanted.append)
    charts.scatter.point_clicked.emit(charts.scatter.series[0].key, 0)
    assert wanted[0].row is not None


def test_outliers_tell_their_cost(qtbot, tmp_path):
    rows = [line("op", "Add", start=i * 100, duration=10) for i in range(1, 9)]
    rows.append(line("op", "Add", start=2000, duration=50))
    driven = Driven(qtbot, kernel_store(tmp_path, rows)).loaded()
    driven.until(
        lambda: len(driven.page.findings.texts()) == 2 or "1 kernel takes" in str(driven.page.findings.texts())
    )
    assert "1 kernel takes far longer than its like and costs 40.000 µs." in driven.page.findings.texts()
    panel = shown(driven, "outliers")
    driven.until(lambda: panel.table.table.num_rows == 1)
    row = dict(zip([c.name for c in panel.table.columns], cells(panel.table)[0], strict=True))
    assert (row["duration_us"], row["median_us"], row["factor"], row["cost_us"]) == (
        "50.000",
        "10.000",
        "5.00",
        "40.000",
    )
    assert panel.chip.text() == "1 of 1 rows · cost 40.000 µs"


def test_shapes_of_an_operator_stand_side_by_side(fixture):
    view = shown(fixture, "shapes")
    fixture.page.tables.select_row(0)
    fixture.until(lambda: view.panel.table.table.num_rows == 3)
    assert [row[:3] for row in cells(view.panel.table)] == [
        ['"16"', "AI_CPU", "1"], ['""', "AI_VECTOR_CORE", "1"], ['"16"', "AI_VECTOR_CORE", "1"],
    ]  # fmt: skip
    assert view.bars.area.series[0].values == [50.5, 3.34, 1.12]
    fixture.choose("communication_type")
    fixture.until(lambda: view.bars.is_empty)


def test_pipes_are_stacked_and_name_what_bounds(qtbot, real):
    driven = Driven(qtbot, open_store(real(T1R0))).loaded()
    chart = shown(driven, "pipes")
    driven.until(lambda: len(chart.area.names) == 15)
    assert chart.area.names[0] == "ForeachAddList  [aiv_mte2]"
    by_name = {s.name: s.values for s in chart.area.series}
    assert round(by_name["aiv_mte2"][0], 1) == 98.0
    assert by_name["aic_mac"][0] == 0.0


def test_missing_pipes_tell_the_switch_of_the_collector(qtbot, real):
    driven = Driven(qtbot, open_store(real(U0))).loaded()
    chart = shown(driven, "pipes")
    driven.until(lambda: chart.is_empty)
    title, text = chart.empty.texts()
    assert title == "The kernels of card 0 tell no shares of pipes."
    assert "aic_metrics=PipeUtilization" in text


@pytest.mark.row(SPEC, 38)
def test_comparison_replaces_the_pies(qtbot, real):
    driven = Driven(qtbot, open_store(real("text_level1")), "1").loaded().choose(base="0")
    insights = driven.page.insights
    assert [insights.bar.tabText(i) for i in range(insights.bar.count())][:2] == ["Differences", "Pareto (ABC)"]
    driven.until(lambda: len(insights.differences.area.names) == 15)
    driven.until(
        lambda: next(iter(driven.page.findings.texts()), "").startswith("Computing time against the baseline: ")
    )
    assert insights.differences.area.names[0] == "MatMulV2"
    assert insights.differences.area.series[0].values[0] == 26.06


# ---- words


def test_damaged_rows_are_told(qtbot, real):
    driven = Driven(qtbot, open_store(real(U0))).loaded()
    driven.until(lambda: "1 damaged row of the kernel file was left out." in driven.page.findings.texts())


def test_largest_group_is_told_with_its_class():
    rows = [
        {"type": "MatMul", "core": "AI_CORE", "count": 8, "sum_us": 352.0, "share_ratio": 0.352, "cumulative_ratio": 0.352, "class": "A"},
        {"type": "Add", "core": "AIV", "count": 1, "sum_us": 648.0, "share_ratio": 0.648, "cumulative_ratio": 1.0, "class": "A"},
    ]  # fmt: skip
    found = operator_findings.largest(pa.Table.from_pylist(rows), "type")
    assert found is not None
    assert found.text == "MatMul · AI_CORE: 35.2 % of computing time, 8 calls."
    assert found.why == "2 of 2 groups make 100.0 % of 1,000.00 µs (class A)."
    assert operator_findings.largest(pa.Table.from_pylist(rows).slice(0, 0), "type") is None


def test_nothing_unusual_is_said_where_it_was_checked():
    found = operator_findings.unusual([])
    assert (found.text, found.level) == ("No kernel takes far longer than its like.", "ok")


def test_cores_stand_in_labels_only_where_names_repeat(fixture):
    table = fixture.page.tables.main.table.table
    assert labels_of(table, "type", short=True) == ["Cast · AI_CPU", "MatMul · AI_CORE", "Cast · AI_VECTOR_CORE"]
    assert labels_of(table.slice(0, 2), "type", short=True) == ["Cast", "MatMul"]
