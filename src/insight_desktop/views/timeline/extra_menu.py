"""The part of the context menu that looks at the selection in other ways: flame graph, free time, A/B, export."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.timeline.state import TimelineState

# command of `extra_panels.Commands`, text, keys, what must be selected
ITEMS: tuple[tuple[str, str, str, str], ...] = (
    ("flame_graph", QT_TRANSLATE_NOOP("insight", "Flame graph of the selection"), "", "anything"),
    ("why_free", QT_TRANSLATE_NOOP("insight", "Why is this time free?"), "", "time"),
    ("all_of_name", QT_TRANSLATE_NOOP("insight", "Select all of this name"), "", "slice"),
    ("other_card", QT_TRANSLATE_NOOP("insight", "Matching slice of the other card (A/B)"), "B", "two cards"),
    ("export_selection", QT_TRANSLATE_NOOP("insight", "Export selection…"), "Ctrl+E", "anything"),
    ("fold_gaps", QT_TRANSLATE_NOOP("insight", "Fold idle gaps"), "G", "folding"),
    ("colour_by", QT_TRANSLATE_NOOP("insight", "Colour by…"), "C", "data"),
    ("remove_query_lane", QT_TRANSLATE_NOOP("insight", "Remove the lane of the query"), "", "query"),
)


def add(menu: QMenu, state: TimelineState) -> None:
    """Add the submenu with what can be done now; nothing without a selection."""
    is_slice = state.selected is not None and state.selected.kind == "slice"
    known = {
        "anything": is_slice or state.range is not None or bool(state.lanes),
        "time": is_slice or state.range is not None,
        "slice": is_slice,
        "data": state.first_card is not None,
        "folding": state.first_card is not None,
        "query": bool(state.sql_lanes.chosen()),
        "two cards": is_slice and len(state.context.store.cards) > 1,
    }
    shown = [item for item in ITEMS if known[item[3]]]
    if not shown:
        return
    menu.addSeparator()
    part = menu.addMenu(tr("Analyse"))
    for command, text, keys, _ in shown:
        action = QAction(f"{tr(text)}\t{keys}" if keys else tr(text), part)
        action.setObjectName(command)
        if command == "fold_gaps":
            action.setCheckable(True)
            action.setChecked(state.folding.is_on)
        action.triggered.connect(lambda _=False, command=command: state.command_wanted.emit(command))
        part.addAction(action)
