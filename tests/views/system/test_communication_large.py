"""A job of 1024 ranks on the Communication page: every view is drawn in time, and labels do not crowd."""

from __future__ import annotations

import time

import pytest
from benchmarks import make_cluster
from tests.support.communication_page import Driven, job_store

SPEC = "system-summary-communication"
_DRAWN_S = 0.2

pytestmark = [pytest.mark.usefixtures("look"), pytest.mark.timeout(300)]


def drawn(widget) -> float:
    """Processor seconds that a widget takes to draw itself anew."""
    for name in ("_kept",):
        if hasattr(widget, name):
            setattr(widget, name, None)
    began = time.process_time()
    widget.grab()
    return time.process_time() - began


@pytest.mark.row(SPEC, 37)
def test_1024_ranks_are_drawn_in_time_without_a_flood_of_labels(qtbot, tmp_path):
    driven = Driven(qtbot, job_store(make_cluster.write(tmp_path, 1024, operators=6))).loaded()
    page = driven.page
    assert len(page.choice.group.ranks) == 1024
    assert page.bar.group_box.currentText() == "default_group:(0, 1, … 1023)"
    for tab in ("durations", "chart", "slow", "links", "advice"):
        page.show_tab(tab)
        driven.rest()
        assert drawn(page) < _DRAWN_S, tab
    for widget in (page.matrix.heat.area, page.thumbnails.area, page.chart.area, page.links.heat.area):
        widget.resize(1300, 700)
        assert drawn(widget) < _DRAWN_S
    assert page.thumbnails.area.rows == 516
    cells = page.matrix.heat.area
    assert cells.window_.columns == 1024  # far above the 16 columns with values
    page.matrix.set_metric("transport")
    assert drawn(cells) < _DRAWN_S
    page.show_packets(1000)
    driven.until(lambda: page.bandwidth.table.table.num_rows > 0)
    assert drawn(page) < _DRAWN_S
