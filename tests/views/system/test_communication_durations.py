"""Times per rank: table, operators of a rank, chart in the order of the table, copy and export."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication
from tests.support.communication_page import Driven, cells, job_store

SPEC = "system-summary-communication"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def four(qtbot, real):
    return Driven(qtbot, job_store(real("cluster_4rank"))).loaded()


@pytest.mark.row(SPEC, 31)
@pytest.mark.example(SPEC, "W4")
def test_ranks_come_longest_first_with_four_decimals(four):
    table = four.page.durations.table
    assert [c.heading() for c in table.columns] == [
        "Rank ID", "Bandwidth Analysis", "Communication Operators Details", "Elapsed Time (ms)", "Transit Time (ms)",
        "Synchronization Time (ms)", "Wait Time (ms)", "Synchronization Time Ratio", "Wait Time Ratio", "Idle Time (ms)",
        "SDMA BW (GB/s)", "RDMA BW (GB/s)",
    ]  # fmt: skip
    assert cells(table) == [
        ["1", "see more", "see more", "2.9257", "0.0066", "1.1243", "2.3123", "0.9942", "0.9972", "0.6069", "0.0298", "0.0000"],
        ["2", "see more", "see more", "2.2553", "0.0061", "0.3119", "1.8385", "0.9809", "0.9967", "0.4106", "0.0317", "0.0000"],
        ["0", "see more", "see more", "2.2324", "0.0000", "1.6462", "1.6462", "1.0000", "1.0000", "0.5863", "0.0696", "0.0000"],
        ["3", "see more", "see more", "0.0736", "0.0063", "0.0001", "0.0111", "0.0094", "0.6371", "0.0563", "0.0315", "0.0000"],
    ]  # fmt: skip


@pytest.mark.row(SPEC, 31)
def test_the_chart_follows_the_order_and_the_filters_of_the_table(four):
    page = four.page
    assert page.chart.area.names == ("1", "2", "0", "3")
    assert [bars.name for bars in page.chart.area.bars] == [
        "Elapsed Time", "Transit Time", "Synchronization Time", "Wait Time",
    ]  # fmt: skip
    assert [line.name for line in page.chart.area.lines] == ["Synchronization Time Ratio", "Wait Time Ratio"]
    page.durations.table.sort_by("rank")
    assert page.chart.area.names == ("0", "1", "2", "3")
    page.durations.table.set_filters({"elapse_ms": "> 2.24"})
    assert page.chart.area.names == ("1", "2")


@pytest.mark.row(SPEC, 31)
def test_the_row_below_is_the_mean_of_what_is_shown(four):
    box = four.page.durations.table_box
    assert box.totals.texts()["elapse_ms"] == "1.8718"
    assert box.totals.texts()["rank"] == "Mean"
    four.page.durations.table.set_filters({"elapse_ms": "> 2.24"})
    assert box.totals.texts()["elapse_ms"] == "2.5905"


@pytest.mark.row(SPEC, 31)
def test_operators_of_a_rank_come_longest_first_without_the_sum(four):
    durations = four.page.durations
    durations.table.link_clicked.emit("operators", 0)
    four.until(lambda: durations.operators.table.num_rows == 4)
    assert [row[0] for row in cells(durations.operators, columns=1)] == [
        "hcom_allReduce__612_4_1", "hcom_allGather__612_7_1", "hcom_allReduce__612_6_1", "hcom_allReduce__612_5_1",
    ]  # fmt: skip
    assert cells(durations.operators, 1, 5)[0][1:] == ["Show in Timeline", "Show in Communication", "1.9405", "0.0023"]
    durations.operators.sort_by("name")
    assert cells(durations.operators, 1, 1) == [["hcom_allGather__612_7_1"]]
    durations.close_operators()
    assert durations.operator_box.isHidden()


@pytest.mark.row(SPEC, 31)
def test_an_operator_of_the_list_is_shown_in_the_thumbnails(four):
    durations = four.page.durations
    durations.open_operators(1)
    four.until(lambda: durations.operators.table.num_rows == 4)
    durations.operators.link_clicked.emit("thumbnail", 1)
    four.until(lambda: four.page.choice.op == "hcom_allGather__612_7_1")
    area = four.page.thumbnails.area
    four.until(lambda: area.bars.names == ("hcom_allGather__612_7_1",) and area.selected >= 0)
    assert area.bars.rank_of(area.selected) == 1


@pytest.mark.row(SPEC, 31)
def test_operators_are_offered_for_the_sum_only(four):
    durations = four.page.durations
    four.choose(op="hcom_allReduce__612_4_1")
    four.until(lambda: durations.rows()[0]["elapse_ms"] == 1.9405)
    assert cells(durations.table, 1, 3) == [["1", "see more", ""]]
    durations.table.row_activated.emit(0)
    assert durations.operator_box.isHidden()


@pytest.mark.row(SPEC, 40)
def test_copy_takes_visible_columns_and_rows_without_the_links(four):
    durations = four.page.durations
    durations.table.setColumnHidden(4, True)
    durations.table.set_filters({"rank": "> 1"})
    durations.table_box.copy()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "Rank ID\tElapsed Time (ms)\tSynchronization Time (ms)\tWait Time (ms)\tSynchronization Time Ratio\tWait Time Ratio"
        "\tIdle Time (ms)\tSDMA BW (GB/s)\tRDMA BW (GB/s)",
        "2\t2.2553\t0.3119\t1.8385\t0.9809\t0.9967\t0.4106\t0.0317\t0",
        "3\t0.0736\t0.0001\t0.0111\t0.0094\t0.6371\t0.0563\t0.0315\t0",
    ]


@pytest.mark.row(SPEC, 40)
def test_a_table_is_written_to_a_file(four, tmp_path):
    target = tmp_path / "times.csv"
    four.page.durations.table.export(target)
    four.until(lambda: bool(four.messages))
    assert four.messages[-1][0] == "success"
    lines = target.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("Rank ID,Elapsed Time (ms)")
    assert lines[1].startswith("1,2.9257,")


@pytest.mark.row(SPEC, 31)
def test_columns_can_be_hidden_from_the_head_of_the_panel(four):
    box = four.page.durations.table_box
    action = next(a for a in box.columns_menu().actions() if a.text() == "Idle Time (ms)")
    action.setChecked(False)
    assert "idle_ms" not in [c.name for c in box.table.shown_columns()]
    action = next(a for a in box.columns_menu().actions() if a.text() == "Idle Time (ms)")
    assert not action.isChecked()
    action.setChecked(True)
    assert "idle_ms" in [c.name for c in box.table.shown_columns()]
