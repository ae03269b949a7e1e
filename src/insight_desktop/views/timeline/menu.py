"""The context menu of chart and tree: only what can be done now, in groups."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QDialog, QInputDialog, QMenu, QWidget

from insight_desktop.views.common import language
from insight_desktop.views.timeline import links
from insight_desktop.views.timeline.layout import Unit
from insight_desktop.views.timeline.marker_list import MarkerList
from insight_desktop.views.timeline.offset_dialog import OffsetDialog
from insight_desktop.views.timeline.state import Selected, TimelineState

tr = language.tr


class Verbs:
    """What the menu, the toolbar and the keys do to a timeline."""

    def __init__(self, state: TimelineState, owner: QWidget, jump: Callable[[Selected], None]) -> None:
        self.state = state
        self.owner = owner
        self.jump = jump
        self._markers: MarkerList | None = None

    def selected_units(self) -> list[Unit]:
        return [u for u in (self.state.unit(key) for key in self.state.lanes) if u is not None]

    def zoom(self, steps: int) -> None:
        """Zoom about the middle of the range if it is on screen, else of the view."""
        view, found = self.state.viewport.view, self.state.range
        at = 0.5
        if found is not None:
            at = view.x_of((found.start_ns + found.end_ns) // 2, 1)
        self.state.viewport.zoom(steps, at if 0 <= at <= 1 else 0.5)

    def fit(self) -> None:
        """Show exactly the selected slice; a slice without length is centred."""
        chosen = self.state.selected
        if chosen is not None:
            shift = self.state.shift_of(chosen)
            self.state.viewport.settle()
            self.state.viewport.show(chosen.start_ns - shift, chosen.end_ns - shift)

    def zoom_into_range(self) -> None:
        """Show exactly the selected range."""
        if self.state.range is not None:
            self.state.viewport.settle()
            self.state.viewport.show(self.state.range.start_ns, self.state.range.end_ns)

    def pin(self, is_pinned: bool) -> None:
        self.state.pin(self.selected_units(), is_pinned)

    def hide(self) -> None:
        self.state.hide(self.selected_units())

    def open_below(self, is_open: bool) -> None:
        """Open or close the selected lane and everything below it."""
        for unit in self.selected_units():
            self.state.set_open(unit.walk(), is_open)

    def open_everything(self, is_open: bool) -> None:
        """Open everything, or close all but the cards."""
        for opened in self.state.cards.values():
            units = [u for u in opened.unit.walk() if is_open or not u.is_card]
            self.state.set_open(units, is_open)

    def show_markers(self) -> None:
        """Open the Marker List, or bring it to the front."""
        if self._markers is None:
            self._markers = MarkerList(self.state.flags, self.owner)
        self._markers.fill()
        self._markers.show()
        self._markers.raise_()

    def copy_name(self) -> None:
        chosen = self.state.selected
        units = self.selected_units()
        text = chosen.name if chosen is not None else "\n".join(u.title for u in units)
        QGuiApplication.clipboard().setText(text)

    def ask_offset(self) -> None:
        units = self.selected_units()
        if len(units) == 1 and units[0].is_card:
            card = units[0].card
            dialog = OffsetDialog(
                self.state.card_title(card),
                self.state.context.store.card(card).offset_ns,
                self.state.lead_ns(card),
                self.owner,
            )
            if dialog.exec() == QDialog.DialogCode.Accepted:
                self.state.set_offset(card, dialog.offset_ns())

    def reset_offsets(self) -> None:
        """Show all cards at their recorded time."""
        for card in list(self.state.cards):
            if self.state.capture(card) is not None:
                self.state.set_offset(card, 0)

    def ask_alias(self) -> None:
        units = self.selected_units()
        if len(units) == 1 and units[0].is_card:
            title = tr("Alias of {0}").format(self.state.card_name(units[0].card))
            text, ok = QInputDialog.getText(
                self.owner, title, tr("Name shown beside the card"), text=self.state.alias(units[0].card)
            )
            if ok:
                self.state.set_alias(units[0].card, text)


def build(verbs: Verbs, parent: QWidget) -> QMenu:
    """The menu for what is selected now. Groups without items leave no separator."""
    menu = QMenu(parent)
    state, units = verbs.state, verbs.selected_units()
    one_card = len(units) == 1 and units[0].is_card and units[0].node is not None
    shifted = any(card.offset_ns for card in state.context.store.cards)
    _group(
        menu,
        [
            (tr("Set alias…"), "", one_card, verbs.ask_alias),
            (tr("Timestamp offset…"), "", one_card, verbs.ask_offset),
            (tr("Remove all offsets"), "", shifted and (one_card or not units), verbs.reset_offsets),
        ],
    )
    viewport = state.viewport
    _group(
        menu,
        [
            (tr("Fit to screen"), "F", state.selected is not None, verbs.fit),
            (tr("Zoom into selection"), "Shift+Z", state.range is not None, verbs.zoom_into_range),
            (_counted(tr("Undo zoom"), viewport.undo_count), "Backspace", viewport.undo_count or None, viewport.undo),
            (
                _counted(tr("Redo zoom"), viewport.redo_count),
                "Shift+Backspace",
                viewport.redo_count or None,
                viewport.redo,
            ),
            (tr("Reset zoom"), "Ctrl+0", (viewport.undo_count or viewport.redo_count) or None, viewport.reset),
        ],
    )
    pinned = [state.is_pinned(u) for u in units]
    _group(
        menu,
        [
            (tr("Pin"), "", bool(units) and not all(pinned), lambda: verbs.pin(True)),
            (tr("Unpin"), "", any(pinned), lambda: verbs.pin(False)),
            (tr("Unpin all"), "", len(state.arrangement.pinned) > 1, state.unpin_all),
        ],
    )
    single = units[0] if len(units) == 1 and units[0].can_open else None
    below = [u for u in single.walk() if u.can_open] if single is not None else []
    _group(
        menu,
        [
            (tr("Expand all"), "", any(not state.is_open(u) for u in below), lambda: verbs.open_below(True)),
            (tr("Collapse all"), "", any(state.is_open(u) for u in below), lambda: verbs.open_below(False)),
        ],
    )
    _group(
        menu,
        [
            (tr("Hide"), "", bool(units), verbs.hide),
            (tr("Show all hidden lanes"), "", bool(state.arrangement.hidden), verbs_show_all(state)),
        ],
    )
    _group(menu, [(tr("Copy name"), "", bool(units) or state.selected is not None, verbs.copy_name)])
    _links(menu, verbs)
    return menu


def verbs_show_all(state: TimelineState) -> Callable[[], None]:
    """Show every hidden unit of all cards."""
    return lambda: state.show_all(None)


def _counted(text: str, count: int) -> str:
    return f"{text} ({count})" if count else text


def _group(menu: QMenu, items: list[tuple[str, str, bool | int | None, Callable[[], None]]]) -> None:
    """Add items that apply; None as condition shows the item disabled."""
    shown = [item for item in items if item[2] is None or item[2]]
    if shown and not menu.isEmpty():
        menu.addSeparator()
    for text, key, can, verb in shown:
        action = QAction(f"{text}\t{key}" if key else text, menu)
        action.setEnabled(can is not None)
        action.triggered.connect(lambda _=False, verb=verb: verb())
        menu.addAction(action)


def _links(menu: QMenu, verbs: Verbs) -> None:
    found = links.of_selection(verbs.state)
    chosen = verbs.state.selected
    if not found or chosen is None:
        return
    menu.addSeparator()
    top = menu.addMenu(tr("Jump to linked slice"))
    for title, ends in (
        (tr("From"), [(link.source, link.category) for link in found if link.target.id == chosen.id]),
        (tr("To"), [(link.target, link.category) for link in found if link.source.id == chosen.id]),
    ):
        if ends:
            part = top.addMenu(title)
            for end, category in ends:
                action = QAction(f"{end.name} ({category})", part)
                action.triggered.connect(lambda _=False, end=end: verbs.jump(end))
                part.addAction(action)
