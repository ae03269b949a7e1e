"""The operators per rank: times, shifts, alignment, the first window, selection, drawing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from PySide6.QtCore import QPointF
from tests.support.communication_page import Driven, job_store

from insight_desktop.views.common import theme
from insight_desktop.views.system.communication_bars import joined, ms_text
from insight_desktop.views.system.communication_lanes import LanesArea

SPEC = "system-summary-communication"
FIFTH = "hcom_allReduce__612_5_1"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def four(qtbot, real):
    return Driven(qtbot, job_store(real("cluster_4rank"))).loaded()


def bars_of(rows):
    """A table as the query gives it, from (rank, name, start, length) in ns."""
    rank, name, start, length = zip(*rows, strict=True)
    return pa.table(
        {
            "rank": pa.array(rank, pa.int32()), "name": pa.array(name), "start_ns": pa.array(start, pa.int64()),
            "duration_ns": pa.array(length, pa.int64()), "shift_ns": pa.array([0] * len(rank), pa.int64()),
        }
    )  # fmt: skip


def ends(bars, side=0):
    own = bars.side == side
    return int(bars.start_ns[own].min()), int((bars.start_ns + bars.length_ns)[own].max())


# ---- times


@pytest.mark.row(SPEC, 29)
def test_rows_are_ranks_and_bars_are_operators_with_times_to_the_nanosecond(four):
    bars = four.page.thumbnails.area.bars
    assert bars.ranks == (0, 1, 2, 3)
    assert bars.count == 16
    at = bars.find(0, FIFTH)
    assert int(bars.length_ns[at]) == 504520
    assert int(bars.raw_ns[at]) == 1764246877870190800
    first = 1764246877815154800  # the first operator of the group, on rank 1: the start of the trace
    assert int(bars.start_ns[at]) == 1764246877870190800 - first


@pytest.mark.row(SPEC, 29)
def test_the_readout_of_a_bar_cuts_zeros(four):
    area = four.page.thumbnails.area
    lines = [(line.name, line.value) for line in area.readout(area.bars.find(0, FIFTH))]
    assert lines == [
        (FIFTH, ""), ("Rank ID", "0"), ("Start Time", "55.036 ms"), ("Elapsed Time", "0.50452 ms"),
    ]  # fmt: skip
    assert ms_text(1) == "0.000001"
    assert ms_text(2_000_000) == "2"


@pytest.mark.row(SPEC, 29)
@pytest.mark.example(SPEC, "W20")
def test_alignment_moves_ranks_to_the_latest_end_and_can_be_undone(four):
    panel = four.page.thumbnails
    assert not panel.default_button.isEnabled()
    panel.area.select(panel.area.bars.find(2, FIFTH))
    panel.align_to_selected()
    four.until(lambda: panel.area.bars.align == FIFTH)
    bars = panel.area.bars
    shifts = [int(bars.shift_ns[bars.find(rank, FIFTH)]) for rank in range(4)]
    assert shifts == [580, 2600, 26480, 0]
    at = [bars.find(rank, FIFTH) for rank in range(4)]
    assert len({int(bars.start_ns[i] + bars.length_ns[i]) for i in at}) == 1
    assert panel.default_button.isEnabled()
    panel.restore_default()
    four.until(lambda: panel.area.bars.align is None)
    assert not panel.area.bars.shift_ns.any()


@pytest.mark.row(SPEC, 29)
@pytest.mark.example(SPEC, "W20")
def test_data_of_other_times_are_moved_together():
    eight = [(rank, "a", rank + 1, 11) for rank in range(8)]
    bars = joined([bars_of(eight)])
    assert not bars.shift_ns.any()
    assert ends(bars) == (1, 19)
    sixteen = eight + [(8 + rank, "a", 100 + rank, 11) for rank in range(8)]
    bars = joined([bars_of(sixteen)])
    assert set(bars.shift_ns[bars.row < 8].tolist()) == {99}
    assert ends(bars) == (100, 118)


@pytest.mark.row(SPEC, 29, 36)
@pytest.mark.example(SPEC, "W20")
def test_current_and_baseline_meet_on_one_screen():
    now = [(rank, "a", rank + 1, 11) for rank in range(8)]
    then = [(rank, "a", 10**13 + rank + 1, 11) for rank in range(8)]
    bars = joined([bars_of(now), bars_of(then)])
    assert set(bars.shift_ns[bars.side == 0].tolist()) == {10**13}
    assert ends(bars) == (10000000000001, 10000000000019)
    assert ends(bars, 1) == (10000000000001, 10000000000019)


@pytest.mark.row(SPEC, 29)
def test_a_rank_without_the_operator_is_not_moved_by_the_alignment():
    bars = joined([bars_of([(0, "a", 0, 10), (1, "a", 5, 10), (2, "b", 3, 4)])], align="a")
    assert [int(bars.shift_ns[bars.find(r, n)]) for r, n in ((0, "a"), (1, "a"), (2, "b"))] == [5, 0, 0]


@pytest.mark.row(SPEC, 29)
def test_one_operator_alone_shows_its_bars_only(four):
    four.choose(op=FIFTH)
    bars = four.page.thumbnails.area.bars
    assert bars.names == (FIFTH,)
    assert bars.count == 4


# ---- first window


@pytest.mark.row(SPEC, 29, 37)
def test_at_most_516_ranks_and_about_10000_bars_are_in_view_at_first(qtbot):
    area = LanesArea()
    qtbot.addWidget(area)
    area.resize(900, 500)
    area.show_bars(joined([bars_of([(rank, "a", 10 * k, 5) for rank in range(600) for k in range(40)])]))
    assert area.rows == 516
    assert area.top == 0
    first, last = area.bars.span
    assert area.bars.count == 24_000
    assert area.span_ns == (last - first) * 42 // 100  # the next whole percent above 10000 / 24000


# ---- selection and keys


@pytest.mark.row(SPEC, 29)
def test_a_click_selects_a_bar_and_tells_its_time_and_the_longest_of_its_name(four):
    panel = four.page.thumbnails
    area = panel.area
    box = area.box_of(area.bars.find(0, FIFTH))
    assert area.bar_at(QPointF(box.center().x(), box.center().y())) == area.bars.find(0, FIFTH)
    area.select(area.bars.find(0, FIFTH))
    area.bar_clicked.emit(area.selected)
    assert panel.facts() == [
        f"{FIFTH} · rank 0", "Elapsed Time: 0.50452 ms", "longest in the group: 0.50452 ms · rank 0",
    ]  # fmt: skip
    assert four.page.durations.table.row(four.page.durations.table.current_row())["rank"] == 0


@pytest.mark.row(SPEC, 29)
def test_all_rows_zoom_together_and_everything_comes_back(four):
    area = four.page.thumbnails.area
    whole = (area.left_ns, area.span_ns)
    area.zoom(4.0)
    assert area.span_ns == pytest.approx(whole[1] / 4)
    assert four.page.thumbnails.across.isVisible()
    area.restore()
    assert (area.left_ns, area.span_ns) == whole


@pytest.mark.row(SPEC, 29)
def test_the_menu_of_a_bar_offers_the_three_ways(four):
    panel = four.page.thumbnails
    panel.area.select(0)
    panel.area.bar_clicked.emit(0)
    actions = {a.text(): a.isEnabled() for a in panel.operator_menu().actions()[:3]}
    assert actions == {
        "Find in Timeline": False, "Align according to selected operator": True, "Restore default state": False,
    }  # fmt: skip


def test_a_hidden_operator_has_no_bars_and_the_others_keep_their_colours(four):
    panel = four.page.thumbnails
    name = panel.whole.names[0]
    colours = {n: panel.area.colour_of(i).name() for i, n in enumerate(panel.whole.names)}
    panel.legend.set_hidden(frozenset({name}))
    assert panel.area.bars.count == 12
    assert {n: panel.area.colour_of(i).name() for i, n in enumerate(panel.area.bars.names)} == colours


def test_numbers_of_the_chart_are_those_of_the_bars(four):
    table, _ = four.page.thumbnails.numbers()
    row = next(r for r in table.to_pylist() if r["rank"] == 0 and r["name"] == FIFTH)
    assert (row["start_ms"], row["elapse_ms"]) == (55.036, 0.50452)


# ---- drawing


def test_bars_become_pixels_in_the_line_of_their_rank(qtbot):
    area = LanesArea()
    qtbot.addWidget(area)
    area.show_bars(joined([bars_of([(0, "a", 0, 50), (1, "b", 50, 50)])]))
    pixels = area.raster(100, 60)
    a, b = (int(theme.slices()[i]) for i in (0, 1))
    assert pixels.shape == (2, 100)
    assert set(np.flatnonzero(pixels[0] == a).tolist()) == set(range(49))  # the last pixel parts neighbours
    assert set(np.flatnonzero(pixels[1] == b).tolist()) == set(range(50, 99))
