"""The Summary page: facts, steps, overview, findings, slow ranks, details, ways to other pages, comparison, empty pages."""

from __future__ import annotations

import time

import pyarrow as pa
import pytest
from PySide6.QtGui import QGuiApplication, QPixmap
from tests.support.cluster_files import open_cluster, write_rank
from tests.support.operator_page import cells
from tests.support.summary_page import DrivenSummary, open_members, write_job

from insight_desktop.engine import cluster
from insight_desktop.engine.cluster_run import Status
from insight_desktop.engine.store import Store
from insight_desktop.engine.system.summary_layout import CP_VIEW, FULL, PP_VIEW
from insight_desktop.views.common import language
from insight_desktop.views.common.context import CommunicationPlace, Jump

SPEC = "system-summary-communication"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def set_a(qtbot, real):
    return DrivenSummary(qtbot, open_cluster(real("cluster_4rank")))


@pytest.fixture
def folds(qtbot, tmp_path):
    """tp 2, cp 2, dp 2, pp 2 without the ranks 4 and 5."""
    ranks = [r for r in range(16) if r not in (4, 5)]
    groups = {"tp": [(r, r + 1) for r in range(0, 16, 2)], "pp": [(r, r + 8) for r in range(8)]}
    tp = {0: 0.010, 1: 0.012, 2: 0.013, 3: 0.014}
    write_job(
        tmp_path, ranks, sizes={"tp": 2, "cp": 2, "dp": 2, "pp": 2}, groups=groups,
        times=lambda name, rank: tp.get(rank, 0.0) if name == "tp" else 1.0,
    )  # fmt: skip
    return DrivenSummary(qtbot, open_cluster(tmp_path))


@pytest.fixture
def two_jobs(qtbot, tmp_path):
    """Two jobs of two ranks; the second one computes 10 µs longer and has one rank more."""
    write_job(tmp_path / "a", [0, 1], sizes={"dp": 2}, figures=lambda r: (100 + r, 60, 20, 80, 50, 0, 0, 60, 10))
    write_job(tmp_path / "b", [0, 1, 2], sizes={"dp": 3}, figures=lambda r: (110 + r, 60, 20, 80, 50, 0, 0, 60, 10))
    store = open_cluster(tmp_path)
    base, job = cluster.names(store)
    return DrivenSummary(qtbot, store, job=job, base=base)


def overview(driven, *columns):
    shown = driven.page.below.overview.shown
    return [tuple(row[c] for c in columns) for row in shown.to_pylist()]


def choose(box, data):
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


# ---- facts


@pytest.mark.example(SPEC, "W7")
@pytest.mark.row(SPEC, 10)
def test_facts_of_four_ranks(set_a):
    texts = set_a.page.bar.texts()
    assert (texts["devices"], texts["steps"], texts["duration"]) == ("4", "1", "810.43ms")
    assert texts["capture"].startswith("2025-11-27 ")
    assert texts["capture"].endswith(":34:37")
    assert texts["folder"].startswith("cluster tables computed here from the ranks · ")


@pytest.mark.row(SPEC, 10, 36)
def test_each_fact_has_a_line_for_the_job_and_one_for_the_baseline(two_jobs):
    assert two_jobs.page.bar.texts()["devices"] == "3\n2"
    assert two_jobs.page.bar.base_box.isVisible()


@pytest.mark.row(SPEC, 10)
def test_times_are_hidden_when_only_a_finished_analysis_is_open(qtbot, real):
    store = Store([])
    store.extras = (("cluster_analysis_output", real("upstream_unit/cluster_analysis_output")),)
    driven = DrivenSummary(qtbot, store)
    texts = driven.page.bar.texts()
    assert texts["devices"] == "16"
    assert "duration" not in texts
    assert "capture" not in texts


# ---- strategy and views


@pytest.mark.row(SPEC, 12)
def test_collected_sizes_stand_in_the_form(set_a):
    form = set_a.page.form
    assert (form.strategy.pp, form.strategy.dp, form.strategy.tp) == (2, 2, 1)
    assert form.origin_label.full_text() == "from the data"
    assert set_a.page.above.graph.dimension == FULL


@pytest.mark.row(SPEC, 12, 38)
def test_without_sizes_the_layout_asks_for_them_and_the_overview_stands(qtbot, tmp_path):
    for rank in range(3):
        write_rank(tmp_path, rank, steps=[("1", 90, 60, 20, 80, 50, 0, 0, 60, 10)])
    driven = DrivenSummary(qtbot, open_cluster(tmp_path))
    graph = driven.page.above.graph
    assert graph.stack.currentWidget() is graph.empty
    assert graph.empty.texts()[0] == "The sizes of the parallel dimensions are not in the data"
    assert overview(driven, "rank", "e2e_us") == [(0, 210.0), (1, 210.0), (2, 210.0)]
    driven.sizes(dp=3)
    assert graph.stack.currentWidget() is graph.area
    assert [f.members for f in graph.area.frames()] == [(0,), (1,), (2,)]


@pytest.mark.row(SPEC, 15, 38)
def test_more_than_64_ranks_begin_folded_and_need_sizes(qtbot, tmp_path):
    for rank in range(65):
        write_rank(tmp_path, rank, steps=[("1", 90, 60, 20, 80, 50, 0, 0, 60, 10)])
    driven = DrivenSummary(qtbot, open_members(tmp_path))
    assert driven.page.below.overview.chart.empty.texts()[0] == (
        "The overview of more than 64 ranks needs the sizes of the parallel dimensions."
    )
    driven.sizes(tp=5, dp=13)
    assert driven.page.dimension == PP_VIEW
    assert driven.page.below.overview.shown.num_rows == 13


@pytest.mark.example(SPEC, "W14")
@pytest.mark.row(SPEC, 18, 19)
def test_folded_views_show_extremes_and_averages(folds):
    assert folds.page.below.overview.shown.num_rows == 14
    assert overview(folds, "computing_not_overlapped_us", "e2e_us", "computing_ratio", "communication_ratio")[0] == (
        70.0, 210.0, 42.857, 38.095,
    )  # fmt: skip
    folds.view(CP_VIEW)
    assert [i for (i,) in overview(folds, "index")] == [0, 1, 3, 4, 5, 6, 7]
    lines = dict(folds.page.above.graph.lines_of(0))
    assert (lines["Included Ranks"], lines["Max Computing"]) == ("0,1", "90.000 µs")
    assert lines["TP-Avg Communication"] == "11.000 µs"
    assert dict(folds.page.above.graph.lines_of(1))["TP-Avg Communication"] == "13.500 µs"
    folds.view(PP_VIEW)
    assert overview(folds, "index", "max_computing_us") == [(0, 90.0), (1, 90.0), (2, 90.0), (3, 90.0)]
    assert dict(folds.page.above.graph.lines_of(0))["TP-Avg Communication"] == "12.250 µs"


@pytest.mark.row(SPEC, 18)
def test_total_time_of_folded_views_is_off_in_the_legend(folds):
    folds.view(CP_VIEW)
    chart = folds.page.below.overview.chart
    assert [s.name for s in chart.area.bars] == ["Max Computing", "Max Communication", "Max Free", "Max Total Time"]
    assert chart.area.hidden == {"max_e2e_us"}


# ---- overview


@pytest.mark.example(SPEC, "W8")
@pytest.mark.row(SPEC, 20)
def test_bars_and_ratios_of_four_ranks(set_a):
    area = set_a.page.below.overview.chart.area
    assert area.names == ("0", "1", "2", "3")
    assert [s.name for s in area.bars] == [
        "Computing(Not Overlapped)", "Computing_Communication Overlapped", "Communication(Not Overlapped)", "Free",
        "Preparing",
    ]  # fmt: skip
    assert {s.name: list(s.values) for s in area.lines} == {
        "Computing Ratio": [28.546, 28.519, 49.439, 49.496], "Communication Ratio": [51.859, 54.556, 34.278, 32.267],
    }  # fmt: skip
    assert [list(s.values)[3] for s in area.bars] == [401131.7, 0.0, 261498.44, 147520.2, 278.75]


@pytest.mark.example(SPEC, "W8")
@pytest.mark.row(SPEC, 20)
def test_ranks_are_ordered_before_they_are_cut(set_a):
    view = set_a.page.below.overview
    view.choose_group((1, 3))
    choose(view.order_box, "preparing_us")
    choose(view.top_box, 1)
    assert overview(set_a, "rank", "preparing_us") == [(3, 278.75)]
    assert [view.top_box.itemText(i) for i in range(view.top_box.count())] == ["1", "2 (All)"]


@pytest.mark.row(SPEC, 20)
def test_orders_tops_and_groups_that_are_offered(set_a):
    view = set_a.page.below.overview
    assert [view.top_box.itemText(i) for i in range(view.top_box.count())] == ["1", "2", "4 (All)"]
    assert [view.group_box.itemText(i) for i in range(view.group_box.count())] == [
        "All", "(0, 1)", "(0, 2)", "(1, 3)", "(2, 3)",
    ]  # fmt: skip
    assert view.order_box.itemText(0) == "Rank ID"
    assert view.order_box.count() == 8


@pytest.mark.row(SPEC, 20, 38)
def test_members_of_a_group_without_data_have_zeros(set_a):
    set_a.page.below.overview.choose_group((3, 9))
    assert overview(set_a, "rank", "computing_us") == [(3, 401131.7), (9, 0.0)]


@pytest.mark.row(SPEC, 20)
def test_the_first_charted_rank_is_active_until_another_bar_is_clicked(set_a):
    assert set_a.page.rank == 0
    set_a.page.below.overview.chart.clicked.emit("free_us", 2)
    assert set_a.page.rank == 2
    assert set_a.page.above.graph.area.selected == 2
    assert set_a.status[-1] == [
        "Rank 2", "dp0 · pp1", "step time 809.992 ms", "Computing 400.448 ms (49.4 %)",
        "Communication(Not Overlapped) 277.650 ms",
    ]  # fmt: skip


@pytest.mark.row(SPEC, 40)
def test_the_table_is_copied_as_it_is_seen(set_a):
    view = set_a.page.below.overview
    view.show_as("table")
    view.table.table.set_filters({"computing_us": ">300000"})
    view.table.copy_button.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("\t")[0] for line in lines] == ["Rank ID", "2", "3"]
    assert view.table.totals.texts()["computing_us"] == "801,579.960"


def test_steps_are_chosen_for_the_whole_page(qtbot, tmp_path):
    write_rank(tmp_path, 0, steps=[("1", 10, 2, 1, 3, 4, 5, 0, 1, 1.5), ("2", 20, 2, 1, 3, 4, 5, 7, 1, "")])
    write_rank(tmp_path, 1, steps=[("1", 11, 2, 1, 3, 4, 5, 0, 1, 1.5), ("2", 21, 2, 1, 3, 4, 5, 7, 1, "")])
    driven = DrivenSummary(qtbot, open_cluster(tmp_path))
    box = driven.page.bar.step_box
    assert [box.itemText(i) for i in range(box.count())] == ["All", "1", "2"]
    assert overview(driven, "computing_us") == [(30.0,), (32.0,)]
    choose(box, "2")
    driven.settled()
    assert overview(driven, "computing_us", "preparing_us") == [(20.0, 0.0), (21.0, 0.0)]


# ---- what stands out


@pytest.mark.example(SPEC, "W8")
@pytest.mark.row(SPEC, 21)
def test_figures_that_differ_by_more_than_a_twentieth_are_told(set_a):
    text = set_a.page.findings.as_text()
    assert "Computing differs by 170.228 ms between the ranks, 21.0 % of the mean step time." in text
    assert "Computing: 170,227.980 µs" in text
    assert "Communication(Not Overlapped): 180,209.940 µs" in text
    assert "Free:" not in text


@pytest.mark.example(SPEC, "W9")
@pytest.mark.row(SPEC, 22)
def test_the_slow_group_of_four_ranks(set_a):
    for view in (FULL, PP_VIEW):
        if view != set_a.page.dimension:
            set_a.view(view)
        table = set_a.page.slow.slow.table
        assert [c.heading() for c in table.columns] == [
            "Top 3 Slow Groups", "DP-Average communication time difference (µs)",
        ]  # fmt: skip
        assert cells(table) == [["dp1-pp1 number(3)", "9,682.120"]]


@pytest.mark.row(SPEC, 22)
def test_a_click_on_a_slow_element_shows_it_in_the_layout(set_a):
    set_a.page.slow.slow.table.select_row(0)
    assert set_a.page.above.tab == "layout"
    assert set_a.page.above.graph.area.selected == 3
    assert {g.name for g, _ in set_a.page.above.graph.area.lines()} == {"dp", "pp"}


@pytest.mark.row(SPEC, 22)
def test_no_slow_card_and_another_strategy_are_told(qtbot, tmp_path):
    write_job(tmp_path, [0, 1], sizes={"dp": 2}, groups={"dp": [(0, 1)]}, times=lambda _n, _r: 1.0)
    driven = DrivenSummary(qtbot, open_cluster(tmp_path))
    assert driven.page.slow.slow_rows == []
    assert "There is no obviously slow card." in driven.page.findings.as_text()
    driven.sizes(tp=2, dp=1)
    assert driven.page.slow.slow.table._empty_text == (
        "The communication groups of the data do not match the parallel strategy."
    )


def test_stragglers_come_with_their_evidence(qtbot, tmp_path):
    write_job(
        tmp_path, range(4), sizes={"dp": 4}, groups={"dp": [tuple(range(4))]},
        times=lambda _name, rank: 0.1 if rank == 2 else 5.0,
        figures=lambda r: (90_000 if r == 2 else 85_000, 60, 0, 60, 50, 0, 0, 60, 10),
    )  # fmt: skip
    driven = DrivenSummary(qtbot, open_cluster(tmp_path))
    assert [r["rank"] for r in driven.page.slow.straggler_rows] == [2]
    text = driven.page.findings.as_text()
    assert "Rank 2 makes the others wait 4.900 ms per step." in text
    assert "It came last in 1 of 1 collective operators (100.0 %); 3 ranks waited" in text
    assert "It has 5.000 ms more Computing per step than those that waited." in text


def test_who_waited_for_the_active_rank_is_listed(qtbot, tmp_path):
    write_job(
        tmp_path, range(4), sizes={"dp": 4}, groups={"dp": [tuple(range(4))]},
        times=lambda _name, rank: 0.1 if rank == 2 else 5.0 + rank,
    )  # fmt: skip
    driven = DrivenSummary(qtbot, open_cluster(tmp_path))
    driven.page.slow.stragglers.table.select_row(0)
    driven.settled()
    waits = driven.page.slow.waits
    assert waits.title.text() == "Who waited for rank 2"
    assert [row[:3] for row in cells(waits.table)] == [["3", "7.900", "1"], ["1", "5.900", "1"], ["0", "4.900", "1"]]
    driven.page.choose_rank(0)
    driven.settled()
    assert waits.table.table.num_rows == 0


# ---- rank × step


def test_a_cell_leads_to_its_step_in_the_timeline_or_to_the_card(set_a):
    set_a.page.above.steps.cell_activated.emit(2, "13")
    set_a.settled()
    card = next(c.name for c in set_a.context.store.cards if c.rank == "2")
    assert [jump.card for jump in set_a.jumps] == [card]


def test_the_readout_tells_the_place_of_a_rank_and_lines_part_its_groups(folds):
    heat = folds.page.above.steps
    assert heat.tip(0, 0)[0].value == "dp0 · pp0 · cp0 · tp0"
    assert list(heat.map.cells.row_lines) == [4, 6, 10]  # ranks 6, 8 and 12: the ranks 4 and 5 are not there


def test_the_heat_map_tells_how_far_a_rank_is_from_the_median_of_its_step(qtbot, tmp_path):
    for rank, value in enumerate((100.0, 100.0, 125.0)):
        steps = [("1", value, 2, 0, 2, 4, 0, 0, 2, 0), ("2", 100.0, 2, 0, 2, 4, 0, 0, 2, 0)]
        write_rank(tmp_path, rank, steps=steps)
    driven = DrivenSummary(qtbot, open_cluster(tmp_path))
    heat = driven.page.above.steps
    assert (heat.found.ranks, heat.found.steps) == ([0, 1, 2], ["1", "2"])
    assert heat.map.cells.values.tolist() == [[0.0, 0.0], [0.0, 0.0], [25.0, 0.0]]
    assert [(line.name, line.value) for line in heat.tip(2, 0)] == [
        ("Rank 2 · Step 1", ""), ("Computing", "0.125 ms"), ("Median of 3 ranks", "0.100 ms"),
        ("Difference", "+0.025 ms (+25.0 %)"),
    ]  # fmt: skip
    heat.map.cell_clicked.emit(2, 0)
    assert driven.page.rank == 2
    menu = heat.menu(2, 0)
    assert [a.text() for a in menu.actions()] == ["Show in Timeline", "Show only this step", "Copy"]
    menu.actions()[2].trigger()
    assert QGuiApplication.clipboard().text().splitlines()[3] == "Difference\t+0.025 ms (+25.0 %)"
    heat.map.column_clicked.emit(1)
    driven.settled()
    assert driven.page.bar.step == "2"
    heat.choose("skew_us")
    driven.settled()
    assert heat.map.is_empty


# ---- details


@pytest.mark.example(SPEC, "W22")
@pytest.mark.row(SPEC, 23)
def test_computing_detail_of_a_rank(set_a):
    set_a.page.choose_rank(2)
    set_a.page.below.show_tab("computing")
    set_a.settled()
    detail = set_a.page.below.computing
    assert [row[:2] for row in cells(detail.parts_box.table)] == [
        ["AI_CORE", "84,415"], ["AI_VECTOR_CORE", "168,357"], ["MIX_AIC", "124,287"], ["MIX_AIV", "23,387"],
    ]  # fmt: skip
    assert detail.title == "Computing Detail (Rank 2)"
    heads = [c.heading() for c in detail.kernel_box.table.columns]
    assert heads[:5] == ["Name", "Type", "Start Time (ms)", "Duration (µs)", "Wait Time (µs)"]
    assert "Input Shapes" in heads
    assert {r["core"] for r in detail.kernel_box.table.table.to_pylist()} == {"AI_CORE"}
    detail.parts_box.table.select_row(2)
    set_a.settled()
    assert {r["core"] for r in detail.kernel_box.table.table.to_pylist()} == {"MIX_AIC"}


@pytest.mark.example(SPEC, "W22")
@pytest.mark.row(SPEC, 23)
def test_communication_detail_of_a_rank(set_a):
    set_a.page.choose_rank(2)
    set_a.page.below.show_tab("communication")
    set_a.settled()
    assert cells(set_a.page.below.communication.parts_box.table) == [["Communication", "277,649", "0"]]


@pytest.mark.row(SPEC, 23, 38)
def test_details_say_when_a_rank_has_no_kernels(set_a):
    set_a.page.choose_rank(1)
    set_a.page.below.show_tab("computing")
    set_a.settled()
    detail = set_a.page.below.computing
    assert detail.stack.currentWidget() is detail.empty
    assert detail.empty.texts()[0]


# ---- ways to other pages


@pytest.mark.row(SPEC, 35)
def test_a_rank_leads_to_its_card_and_to_communication(set_a):
    set_a.page.choose_rank(2)
    set_a.page.below.timeline_button.click()
    card = next(c.name for c in set_a.context.store.cards if c.rank == "2")
    assert set_a.jumps == [Jump(card)]
    set_a.page.below.communication_button.click()
    assert set_a.places == [CommunicationPlace(rank=2)]
    set_a.page.above.graph.communication_wanted.emit("dp", (2, 3))
    assert set_a.places[-1] == CommunicationPlace(group="dp", ranks=(2, 3))


@pytest.mark.row(SPEC, 16)
def test_a_line_of_the_layout_filters_the_overview_and_a_pipeline_shows_its_lanes(set_a):
    set_a.page.above.graph.group_clicked.emit("dp", (2, 3))
    assert overview(set_a, "rank") == [(2,), (3,)]
    set_a.page.above.graph.group_clicked.emit("pp", (0, 2))
    set_a.settled()
    assert set_a.page.below.tab == "pipeline"
    assert set_a.page.below.pipeline.group_box.currentText() == "(0, 2)"


@pytest.mark.row(SPEC, 35)
def test_a_rank_that_is_not_read_is_read_first(qtbot, tmp_path):
    write_job(tmp_path, [0, 1], sizes={"dp": 2})
    driven = DrivenSummary(qtbot, open_members(tmp_path))
    driven.page.show_in_timeline(1)
    assert driven.jumps == []
    assert len(driven.parsed) == 1
    driven.page.show_in_timeline(7)
    assert driven.messages[-1][1] == "Rank 7 has no timeline."


# ---- comparison


@pytest.mark.example(SPEC, "W25")
@pytest.mark.row(SPEC, 36)
def test_a_comparison_plots_differences_and_a_missing_rank_counts_as_zero(two_jobs):
    assert overview(two_jobs, "rank", "computing_us", "free_us") == [(0, 10.0, 0.0), (1, 10.0, 0.0), (2, 112.0, 50.0)]
    view = two_jobs.page.below.overview
    view.show_as("table")
    assert view.stack.currentWidget() is view.pair_box
    assert view.pair_table.pairs == 3
    assert two_jobs.page.findings.findings() == []
    assert two_jobs.page.slow.slow_rows == []
    assert two_jobs.page.form.devices == 3
    view.choose_group((1, 9))
    assert overview(two_jobs, "rank", "computing_us") == [(1, 10.0), (9, 0.0)]
    assert view.pair_table.pairs == 1
    view.choose_group(())
    two_jobs.view(PP_VIEW)
    assert overview(two_jobs, "index", "max_computing_us") == [(0, 10.0), (1, 10.0), (2, 112.0)]
    assert view.pair_table.pairs == 3
    assert dict(two_jobs.page.above.graph.lines_of(2))["Max Computing"] == "112.000 µs (+112.000)"


# ---- large jobs


@pytest.mark.row(SPEC, 37)
def test_a_thousand_ranks_are_shown_in_time(qtbot, tmp_path):
    values = pa.array([float(100 + r % 7) for r in range(1024)])
    names = [
        "computing_us",
        "overlapped_us",
        "communication_us",
        "communication_not_overlapped_us",
        "free_us",
        "preparing_us",
    ]
    more = ["computing_not_overlapped_us", "e2e_us", "computing_ratio", "communication_ratio"]
    found = pa.table({"rank": pa.array(range(1024), pa.int32()), **dict.fromkeys([*names, *more], values)})
    write_rank(tmp_path, 0, steps=[("1", 90, 60, 20, 80, 50, 0, 0, 60, 10)])
    view = DrivenSummary(qtbot, open_cluster(tmp_path)).page.below.overview
    begin = time.perf_counter()
    view.show_rows(found, FULL)
    view.chart.area.render(QPixmap(view.chart.area.size()))
    assert time.perf_counter() - begin < 0.2
    assert [view.top_box.itemText(i) for i in (0, 9, 10)] == ["1", "512", "1,024 (All)"]


# ---- missing data


@pytest.mark.row(SPEC, 38)
def test_nothing_open_and_data_without_a_job_say_why(qtbot, tmp_path):
    driven = DrivenSummary(qtbot, Store([]))
    assert driven.page.stack.currentWidget() is driven.page.empty
    assert driven.page.empty.title.text() == "No Data"


@pytest.mark.row(SPEC, 38)
def test_a_stopped_analysis_can_be_started_again(set_a):
    set_a.page._analysed(Status("cancelled"))
    assert set_a.page.empty.title.text() == "The analysis of the ranks was stopped"
    set_a.page.empty.buttons[0].click()
    set_a.settled()
    assert set_a.page.stack.currentWidget() is set_a.page.content
    set_a.page._analysed(Status("failed", message="No room.", fix="Free some."))
    assert (set_a.page.empty.title.text(), set_a.page.empty.text.text()) == ("No room.", "Free some.")


@pytest.mark.row(SPEC, 8)
def test_progress_is_shown_while_the_ranks_are_read(set_a, monkeypatch):
    running = Status("full", 25, 100, "Ranks 0 to 31")
    monkeypatch.setattr(cluster, "status", lambda _store, _name=None: running)
    stopped = []
    monkeypatch.setattr(cluster, "cancel", lambda _store, name=None: stopped.append(name))
    set_a.page.progress.watch(None)
    assert set_a.page.progress.isVisible()
    assert set_a.page.progress.words.text() == "The ranks are being analysed: 25 %"
    set_a.page.progress.cancel_button.click()
    assert stopped == [None]
    set_a.page.progress.rest()


@pytest.mark.row(SPEC, 8)
def test_before_the_first_tables_only_the_progress_is_shown(set_a):
    page = set_a.page
    page._wait()
    assert page.stack.currentWidget() is page.waiting
    assert not page.form.isVisible()
    page.waiting.started.emit()
    set_a.settled()
    assert page.stack.currentWidget() is page.content


@pytest.mark.row(SPEC, 38)
def test_a_missing_rank_and_metadata_are_named_not_fatal(qtbot, tmp_path):
    write_job(tmp_path, [0, 2], sizes={"dp": 4}, groups={"dp": [(0, 1, 2, 3)]})
    driven = DrivenSummary(qtbot, open_cluster(tmp_path))
    assert overview(driven, "rank") == [(0,), (2,)]
    assert len(driven.page.above.graph.area.graph) == 4
    assert [c is None for c in driven.page.above.graph.area.colours] == [True] * 4
    driven.page.above.graph.choose_metric("computing_us")
    assert [c is None for c in driven.page.above.graph.area.colours] == [False, True, False, True]


# ---- language and state


@pytest.mark.row(SPEC, 39)
def test_labels_follow_the_language_and_numbers_stay(set_a):
    before = overview(set_a, "rank", "computing_us")
    language.set_language("zh", remember=False)
    set_a.settled()
    assert set_a.page.form.title.full_text() == "并行策略分析"
    assert set_a.page.bar.titles["devices"].text() == "设备数"
    assert set_a.page.below.overview.chart.title == "计算/通信概览"
    assert [s.name for s in set_a.page.below.overview.chart.area.bars][3:] == ["空闲时间", "预处理时间"]
    assert overview(set_a, "rank", "computing_us") == before


def test_what_was_arranged_comes_back(qtbot, real):
    store = open_cluster(real("cluster_4rank"))
    driven = DrivenSummary(qtbot, store)
    driven.view(PP_VIEW)
    driven.page.above.show_tab("steps")
    driven.page.below.show_tab("computing")
    state = driven.page.view_state()
    other = DrivenSummary(qtbot, store)
    other.page.restore_state(state)
    other.settled()
    assert (other.page.dimension, other.page.above.tab, other.page.below.tab) == (PP_VIEW, "steps", "computing")
