"""The parallel layout: places, frames, lines, legend, colours, bounds, find, menus, and a thousand ranks."""

from __future__ import annotations

import time

import pyarrow as pa
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPixmap

from insight_desktop.engine.system.summary_layout import CP_VIEW, FULL, MINDIE, PP_VIEW, Strategy, elements, groups
from insight_desktop.views.system.summary_graph import GraphPanel

SPEC = "system-summary-communication"
TP2CP2DP2PP2 = Strategy(tp=2, cp=2, dp=2, pp=2)

pytestmark = pytest.mark.usefixtures("look")


def tables(strategy, dimension):
    found = elements(strategy, dimension)
    rows = [
        {"index": e.index, "name": e.name, "ranks": e.ranks_text, **e.at, "ep": e.ep, "x": e.x, "y": e.y} for e in found
    ]
    numbers = [(n, pa.int32()) for n in ("tp", "cp", "dp", "pp", "ep", "x", "y")]
    schema = pa.schema([("index", pa.int32()), ("name", pa.string()), ("ranks", pa.string()), *numbers])
    made = groups(strategy, dimension)
    return pa.Table.from_pylist(rows, schema), pa.table(
        {"dimension": [n for n, _ in made], "ranks": pa.array([list(m) for _, m in made], pa.list_(pa.int32()))}
    )


def figures(values, name="preparing_us"):
    ranks = [r for r, v in enumerate(values) if v is not None]
    return pa.table({"rank": pa.array(ranks, pa.int32()), name: [float(v) for v in values if v is not None]})


def times(values):
    rows = [(r, n, t) for n, by_rank in values.items() for r, t in by_rank.items()]
    return pa.table(
        {
            "rank": pa.array([r for r, _, _ in rows], pa.int32()),
            "pg_name": pa.array([n for _, n, _ in rows], pa.string()),
            "time_us": pa.array([float(t) for _, _, t in rows], pa.float64()),
        }
    )


class Panel:
    def __init__(self, qtbot, strategy=TP2CP2DP2PP2, dimension=FULL):
        self.qtbot = qtbot
        self.panel = GraphPanel()
        qtbot.addWidget(self.panel)
        self.panel.resize(1200, 500)
        self.panel.show()
        self.told, self.elements, self.groups, self.views, self.communication = [], [], [], [], []
        self.panel.told.connect(lambda level, text: self.told.append(text))
        self.panel.element_clicked.connect(self.elements.append)
        self.panel.group_clicked.connect(lambda n, m: self.groups.append((n, m)))
        self.panel.dimension_changed.connect(self.views.append)
        self.panel.communication_wanted.connect(lambda n, m: self.communication.append((n, m)))
        self.show(strategy, dimension)

    def show(self, strategy, dimension=FULL):
        self.panel.set_view(strategy, dimension)
        self.panel.show_graph(*tables(strategy, dimension))
        return self

    @property
    def area(self):
        return self.panel.area

    def click(self, at):
        self.qtbot.mouseClick(self.area.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())

    def on_screen(self, at):
        return QPointF(at.x() * self.area.scale, at.y() * self.area.scale) + self.area._origin()

    def legend(self):
        return {k: (e.isVisible(), e.isEnabled(), e.isChecked()) for k, e in self.panel.legend.items()}

    def action(self, menu, text):
        return next(a for a in menu.actions() if a.text() == text)


@pytest.fixture
def panel(qtbot):
    return Panel(qtbot)


@pytest.mark.row(SPEC, 15)
def test_context_parallel_view_is_offered_only_with_context_parallelism(panel):
    texts = {v: b.text() for v, b in panel.panel.view_buttons.items() if b.isVisible()}
    assert texts == {PP_VIEW: "DP + PP", CP_VIEW: "DP + PP + CP", FULL: "DP + PP + CP + TP"}
    panel.show(Strategy(tp=2, dp=2, pp=2))
    texts = {v: b.text() for v, b in panel.panel.view_buttons.items() if b.isVisible()}
    assert texts == {PP_VIEW: "DP + PP", FULL: "DP + PP + TP"}


@pytest.mark.row(SPEC, 16)
def test_squares_stand_44_apart_by_20_with_room_between_blocks(panel):
    graph = panel.area.graph
    left = [float(graph.left[i]) for i in range(8)]
    # 40 padding; a column every 64; 10 more per block of cp, 30 more per block of dp (20 + 10 · (2 − 1))
    assert left == [40, 104, 178, 242, 326, 390, 464, 528]
    assert float(graph.top[8]) - float(graph.top[0]) == 84


@pytest.mark.row(SPEC, 16)
def test_only_data_parallelism_has_frames_at_first(panel):
    assert panel.legend() == {
        "pp": (True, True, False), "tp": (True, True, False), "cp": (True, True, False), "dp": (True, True, True),
        "ep": (False, True, False), "moe_tp": (False, False, False),
    }  # fmt: skip
    assert [f.members for f in panel.area.frames()] == [
        (0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15),
    ]  # fmt: skip
    panel.panel.legend["cp"].click()
    assert [f.members for f in panel.area.frames() if f.kind == "cp"] == [
        (0, 1, 8, 9), (2, 3, 10, 11), (4, 5, 12, 13), (6, 7, 14, 15),
    ]  # fmt: skip


@pytest.mark.row(SPEC, 16)
def test_folded_dimensions_are_disabled_in_the_legend(panel):
    panel.show(TP2CP2DP2PP2, CP_VIEW)
    assert [k for k, (shown, on, _) in panel.legend().items() if shown and not on] == ["tp"]
    panel.show(TP2CP2DP2PP2, PP_VIEW)
    assert [k for k, (shown, on, _) in panel.legend().items() if shown and not on] == ["tp", "cp"]
    panel.show(Strategy(MINDIE, tp=2, dp=2, pp=2, ep=2, moe_tp=2), PP_VIEW)
    assert [k for k, (shown, on, _) in panel.legend().items() if shown and not on] == ["tp", "ep", "moe_tp"]


@pytest.mark.row(SPEC, 16)
def test_a_click_on_a_square_draws_every_group_that_holds_it(panel):
    panel.click(panel.area.on_screen(5).center())
    assert panel.elements == [5]
    names = {g.name: g.members for g, _ in panel.area.lines()}
    assert names["tp"] == (4, 5)
    assert names["cp"] == (5, 7)
    assert names["dp"] == (1, 5)
    assert names["pp"] == (5, 13)
    panel.click(QPointF(3, 3))
    assert panel.elements == [5, -1]
    assert panel.area.lines() == []


@pytest.mark.row(SPEC, 16)
def test_pipeline_lines_are_not_drawn_in_folded_views(panel):
    panel.show(TP2CP2DP2PP2, PP_VIEW)
    panel.click(panel.area.on_screen(0).center())
    assert {g.name for g, _ in panel.area.lines()} == {"dp"}


@pytest.mark.row(SPEC, 16)
def test_a_click_on_a_line_or_frame_tells_its_members(panel):
    panel.panel.legend["pp"].click()
    between = (panel.area.on_screen(0).center() + panel.area.on_screen(8).center()) / 2
    panel.click(between)
    assert panel.groups == [("pp", (0, 8))]
    edge = panel.area.frames()[1].boxes[0]
    panel.click(panel.on_screen(QPointF(edge.right(), edge.center().y())))
    assert panel.groups[-1] == ("dp", (4, 5, 6, 7, 12, 13, 14, 15))


@pytest.mark.row(SPEC, 16)
def test_lines_of_a_square_pass_no_other_square(panel):
    graph = panel.area.graph
    for group in graph.groups_of(0):
        inside = set(group.members)
        for lane in range(8):
            for line in graph.route(group, lane):
                for at in (line.p1(), line.center(), line.p2()):
                    hit = graph.element_at(at)
                    assert hit in inside | {-1}


@pytest.mark.row(SPEC, 16)
def test_menu_expands_and_collapses_dimensions(panel):
    menu = panel.panel.element_menu(0)
    assert not panel.action(menu, "Expand").isEnabled()
    panel.action(menu, "Collapse").trigger()
    assert panel.views == [CP_VIEW]
    panel.show(TP2CP2DP2PP2, CP_VIEW)
    panel.action(panel.panel.element_menu(0), "Expand").trigger()
    panel.show(TP2CP2DP2PP2, PP_VIEW)
    assert not panel.action(panel.panel.element_menu(0), "Collapse").isEnabled()
    assert panel.views == [CP_VIEW, FULL]


@pytest.mark.row(SPEC, 16)
def test_menu_sets_bounds_that_may_not_cross(panel):
    panel.panel.show_figures(figures([10, 20, 30, 40]), times({}))
    panel.panel.choose_metric("preparing_us")
    panel.action(panel.panel.element_menu(2), "Set as Upper Bound").trigger()
    assert panel.panel.range == (10.0, 30.0)
    panel.action(panel.panel.element_menu(1), "Set as Lower Bound").trigger()
    assert panel.panel.range == (20.0, 30.0)
    panel.action(panel.panel.element_menu(3), "Set as Lower Bound").trigger()
    assert panel.told == ["The lower bound is above the upper bound."]
    assert panel.panel.range == (20.0, 30.0)
    panel.panel.choose_metric("")
    assert not panel.action(panel.panel.element_menu(2), "Set as Upper Bound").isEnabled()


@pytest.mark.row(SPEC, 16)
def test_attributes_are_copied_as_the_readout_shows_them(panel):
    panel.panel.show_figures(figures([10.5, 20]), times({"tp": {0: 15.2}}))
    panel.action(panel.panel.element_menu(0), "Copy attributes").trigger()
    assert QGuiApplication.clipboard().text() == (
        "Index: 0\nName: dp0-pp0-cp0-tp0\nIncluded Ranks: 0\nPreparing: 10.500 µs\nTP-Communication: 15.200 µs\n"
    )


@pytest.mark.row(SPEC, 16)
def test_find_shows_an_element_or_says_that_there_is_none(panel):
    panel.panel.find_field.setText("13")
    panel.panel.find_button.click()
    assert panel.area.selected == 13
    panel.panel.find_field.setText("16")
    panel.panel.find_button.click()
    assert panel.told == ["There is no element 16 in this view."]


@pytest.mark.example(SPEC, "W21")
@pytest.mark.row(SPEC, 17)
def test_a_typed_range_is_kept_inside_the_values(qtbot):
    panel = Panel(qtbot, Strategy(dp=2, pp=2))
    panel.panel.show_figures(figures([206.25, 205.0, 189.0, 278.75]), times({}))
    panel.panel.choose_metric("preparing_us")
    panel.panel.range_fields.low_field.setText("700")
    panel.panel.range_fields.high_field.setText("900")
    panel.panel.range_fields.apply()
    assert panel.panel.range == (278.75, 278.75)
    assert panel.area.colours == [None, None, None, QColor("#eac299")]


@pytest.mark.example(SPEC, "W9")
@pytest.mark.row(SPEC, 17, 19)
def test_the_figure_of_the_view_is_chosen_when_the_data_have_it(qtbot):
    panel = Panel(qtbot, Strategy(dp=2, pp=2))
    panel.panel.show_figures(figures([1, 2, 3, 4]), times({"tp": {2: 15.2, 3: 15.14}, "dp": {2: 9715.42, 3: 33.3}}))
    assert panel.panel.metric_box.currentText() == "TP-Communication"
    assert panel.area.colours == [None, None, QColor(248, 45, 24), QColor(1, 119, 255)]
    panel.panel.show_figures(figures([1, 2, 3, 4]), times({"dp": {0: 1.0}}))
    assert panel.panel.metric_box.currentText() == "None"


@pytest.mark.row(SPEC, 17)
def test_zeros_and_missing_values_have_no_colour(qtbot):
    panel = Panel(qtbot, Strategy(dp=2, pp=2))
    panel.panel.show_figures(figures([0, 5, None, 10]), times({}))
    panel.panel.choose_metric("preparing_us")
    assert [c is None for c in panel.area.colours] == [True, False, True, False]


@pytest.mark.row(SPEC, 17, 19)
def test_figures_of_all_elements_are_offered_even_when_the_first_lacks_them(qtbot):
    panel = Panel(qtbot, Strategy(dp=2, pp=2))
    panel.panel.show_figures(figures([1, 2, 3, 4]), times({"dp": {2: 9715.42}}))
    box = panel.panel.metric_box
    assert [box.itemText(i) for i in range(box.count())] == ["None", "Preparing", "DP-Communication"]


@pytest.mark.row(SPEC, 35)
def test_a_line_leads_to_the_communication_page(panel):
    action = panel.action(panel.panel.group_menu("dp", (1, 5)), "View Communication Duration Analysis")
    action.trigger()
    assert panel.communication == [("dp", (1, 5))]


@pytest.mark.row(SPEC, 36)
def test_with_a_comparison_the_readout_tells_the_difference(panel):
    panel.panel.show_figures(figures([10, 20]), times({}), figures([4]), times({}))
    assert dict(panel.panel.lines_of(0))["Preparing"] == "10.000 µs (+6.000)"
    assert dict(panel.panel.lines_of(1))["Preparing"] == "20.000 µs (+20.000)"


def test_the_whole_layout_is_written_as_a_picture(panel, tmp_path):
    panel.panel.export(tmp_path / "layout.png")
    panel.panel.export(tmp_path / "layout.svg")
    assert QPixmap(str(tmp_path / "layout.png")).width() >= 600
    assert "<svg" in (tmp_path / "layout.svg").read_text()
    panel.panel.export(tmp_path / "missing" / "layout.png")
    assert len(panel.told) == 1


@pytest.mark.row(SPEC, 37)
def test_a_thousand_squares_are_painted_in_time_and_small_ones_carry_no_labels(qtbot):
    panel = Panel(qtbot, Strategy(tp=8, dp=32, pp=4))
    panel.panel.show_figures(figures([float(i + 1) for i in range(1024)]), times({}))
    panel.panel.choose_metric("preparing_us")
    for kind in ("pp", "tp"):
        panel.panel.legend[kind].setChecked(True)
    panel.area.scale = 0.08
    panel.area.select(500)
    assert len(panel.area.graph.visible(panel.area.graph.box(0))) < 10
    panel.panel.grab()
    begin = time.perf_counter()
    for _ in range(3):
        panel.area.viewport().render(QPixmap(panel.area.viewport().size()))
    assert (time.perf_counter() - begin) / 3 < 0.2
