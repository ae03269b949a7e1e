"""The tabs of the bottom panel that look at the selection in other ways; each is built when it is first shown."""

from __future__ import annotations

from insight_desktop.views.timeline.bottom_panel import BottomPanel
from insight_desktop.views.timeline.flame_panel import FlamePanel
from insight_desktop.views.timeline.sql_panel import SqlPanel
from insight_desktop.views.timeline.state import TimelineState


def add(panel: BottomPanel, state: TimelineState) -> None:
    """Add the tabs."""
    panel.add_lazy("flame", "Flame Graph", lambda: FlamePanel(state))
    panel.add_lazy("sql", "SQL", lambda: SqlPanel(state))
