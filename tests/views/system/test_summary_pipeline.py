"""The pipeline chart: lanes, curves between the ends of a transfer, zoom, readout, the way into the Timeline."""

from __future__ import annotations

import pyarrow as pa
import pytest
from PySide6.QtCore import Qt

from insight_desktop.engine.store import Store
from insight_desktop.engine.system.summary_pipeline import SCHEMA
from insight_desktop.views.common import theme
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.system.summary_lanes import Lanes, PipelineArea
from insight_desktop.views.system.summary_pipeline import PipelinePanel

SPEC = "system-summary-communication"
BASE = 1_700_000_000_000_000_000

pytestmark = pytest.mark.usefixtures("look")


def row(rank, lane, name, kind, start, duration, connection=None):
    return {
        "rank": rank, "card": f"card {rank}", "lane": lane, "name": name, "kind": kind, "start_ns": BASE + start,
        "duration_ns": duration, "connection": connection,
    }  # fmt: skip


@pytest.fixture
def found():
    return pa.Table.from_pylist(
        [
            row(0, "fp_bp", "FP0", "FP", 0, 1_000_000), row(0, "p2p", "hcom_send_1", "SEND", 1_000_000, 200_000, "a"),
            row(2, "p2p", "hcom_receive_1", "RECV", 1_100_000, 300_000, "a"),
            row(2, "fp_bp", "FP0", "FP", 1_400_000, 900_000), row(2, "fp_bp", "BP0", "BP", 2_300_000, 1_700_000),
        ],
        SCHEMA,
    )  # fmt: skip


@pytest.fixture
def panel(qtbot, found):
    made = PipelinePanel(Context(Store([])))
    qtbot.addWidget(made)
    made.resize(1000, 320)
    made.show()
    made._show(found)
    return made


@pytest.mark.row(SPEC, 24)
def test_every_rank_has_a_lane_of_passes_above_one_of_transfers(panel):
    lanes = panel.area.lanes
    assert (lanes.ranks, lanes.kinds) == ([0, 2], ["FP", "SEND", "RECV", "BP"])
    assert lanes.span_ns == 4_000_000
    tops = [round(panel.area.box(i).top()) for i in range(5)]
    assert tops[0] < tops[1] < tops[3] == tops[4] < tops[2]
    assert lanes.colour(0) == theme.meaning("computing")


@pytest.mark.row(SPEC, 24)
def test_two_ends_of_a_transfer_are_joined(panel):
    assert panel.area.lanes.pairs == [(1, 2)]


@pytest.mark.row(SPEC, 24)
def test_the_readout_counts_from_the_first_start_in_ms(panel):
    assert [(line.name, line.value) for line in panel.area.readout(3)] == [
        ("FP0", ""), ("Rank ID", "2"), ("Start Time", "1.400 ms"), ("Duration", "0.900 ms"),
    ]  # fmt: skip


@pytest.mark.row(SPEC, 24)
def test_zoom_keeps_the_place_and_the_window_stays_inside(panel):
    area = panel.area
    plot = area.plot()
    area.zoom(4, plot.left() + plot.width() / 2)
    assert (area.left, area.span) == (1_500_000.0, 1_000_000.0)
    area.show_window(9e9, 1_000_000.0)
    assert area.left == 3_000_000.0
    area.restore()
    assert area.span == 4_000_000.0


@pytest.mark.row(SPEC, 24, 35)
def test_a_double_click_leads_to_the_pass_in_the_timeline(panel, qtbot):
    told = []
    panel.jump.connect(told.append)
    qtbot.mouseDClick(panel.area, Qt.MouseButton.LeftButton, pos=panel.area.box(4).center().toPoint())
    assert told == [Jump("card 2", start_ns=BASE + 2_300_000, end_ns=BASE + 4_000_000)]


@pytest.mark.row(SPEC, 24)
def test_pipelines_are_offered_and_none_is_chosen_at_first(panel):
    panel.set_groups([(1, 3), (0, 2)])
    assert [panel.group_box.itemText(i) for i in range(panel.group_box.count())] == ["–", "(0, 2)", "(1, 3)"]
    panel.ask()
    assert panel.empty.texts()[0] == "No pipeline is chosen"


@pytest.mark.row(SPEC, 24)
def test_height_grows_with_the_ranks(qtbot):
    area = PipelineArea()
    qtbot.addWidget(area)
    rows = [row(r, "fp_bp", "FP0", "FP", 0, 1000) for r in range(40)]
    area.show_lanes(Lanes.of(pa.Table.from_pylist(rows, SCHEMA)))
    assert area.minimumHeight() > 40 * 50


def test_numbers_are_the_bars(panel):
    table, specs = panel.numbers()
    assert table.num_rows == 5
    assert [s.name for s in specs] == ["rank", "lane", "name", "kind", "start_ns", "duration_ns"]
