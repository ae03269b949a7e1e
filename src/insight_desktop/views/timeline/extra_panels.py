"""The tabs of the bottom panel that look at the selection in other ways, and the commands that lead to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.timeline.bottom_panel import BottomPanel
from insight_desktop.views.timeline.chosen import chosen
from insight_desktop.views.timeline.compare_panel import ComparePanel
from insight_desktop.views.timeline.export_dialog import ExportDialog
from insight_desktop.views.timeline.flame_panel import FlamePanel
from insight_desktop.views.timeline.gap_panel import GapPanel
from insight_desktop.views.timeline.requests_panel import RequestsPanel
from insight_desktop.views.timeline.service_tables_panel import ServiceTablesPanel
from insight_desktop.views.timeline.sql_panel import SqlPanel
from insight_desktop.views.timeline.state import TimelineState
from insight_desktop.views.timeline.step_ruler import Steps

if TYPE_CHECKING:
    from insight_desktop.views.system.timeline import TimelinePage

NOTHING = QT_TRANSLATE_NOOP("insight", "Nothing is selected.")


def add(panel: BottomPanel, state: TimelineState) -> None:
    """Add the tabs; each is built when it is first shown."""
    panel.add_lazy("flame", "Flame Graph", lambda: FlamePanel(state))
    panel.add_lazy("free", "Why Free", lambda: GapPanel(state))
    panel.add_lazy("compare", "A/B", lambda: ComparePanel(state))
    panel.add_lazy("sql", "SQL", lambda: SqlPanel(state))


def add_requests(panel: BottomPanel, state: TimelineState) -> None:
    """Add the tabs of requests and of recorded tables once a serving run is open; alone it has no System View."""
    store = state.context.store
    panel.show_only_if("system", bool(store.cards_of("system")) or not store.cards_of("service"))
    if state.context.store.cards_of("service") and not panel.has("requests"):
        panel.add_lazy("requests", "Request List", lambda: RequestsPanel(state))
        panel.add_lazy("service_tables", "Service Tables", lambda: ServiceTablesPanel(state))


class Commands:
    """What menus, keys and the palette ask of a Timeline page, by id."""

    def __init__(self, page: TimelinePage) -> None:
        self.page = page
        self.steps = Steps(page.state, page)
        steps = self.steps
        self.by_id: dict[str, Callable[[], object]] = {
            "next_step": lambda: steps.go_step(1),
            "previous_step": lambda: steps.go_step(-1),
            "next_of_name": lambda: steps.go_name(1),
            "previous_of_name": lambda: steps.go_name(-1),
            "all_of_name": self.all_of_name,
            "other_card": steps.go_other,
            "flame_graph": lambda: page.panel.show_tab("flame"),
            "why_free": lambda: page.panel.show_tab("free"),
            "compare_cards": lambda: page.panel.show_tab("compare"),
            "colour_by": lambda: page.body.verbs.show_colours(page.tools.anchor(page.colour_button)),
            "fold_gaps": page.state.folding.toggle,
            "remove_query_lane": lambda: page.state.sql_lanes.remove(page.state.sql_lanes.chosen()),
            "sql": lambda: page.panel.show_tab("sql"),
            "export_selection": self.ask_export,
        }
        page.state.command_wanted.connect(self.run)

    def run(self, command: str) -> None:
        """Do what a command says; unknown ones are ignored."""
        act = self.by_id.get(command)
        if act is not None:
            act()

    def all_of_name(self) -> None:
        """Search for the name of the selected slice: all others are dimmed, Find lists its slices."""
        selected = self.page.state.selected
        if selected is not None:
            self.page.panel.show_tab("find")
            self.page.search.restore_state({"text": selected.name, "match": "name", "case": True})

    def ask_export(self) -> None:
        """Write the selection to a file."""
        part = chosen(self.page.state)
        if part is None:
            fix = tr("Select a range, a slice or lanes of the Timeline.")
            self.page.context.message.emit("warning", tr(NOTHING), fix)
            return
        ExportDialog(self.page.state, part, self.page).exec()
