"""What menus, toolbar and keys do to a timeline."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QInputDialog, QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common import language, number_text
from insight_desktop.views.common.context import CommunicationPlace
from insight_desktop.views.timeline import related
from insight_desktop.views.timeline.align_verbs import AlignVerbs
from insight_desktop.views.timeline.colouring import ColourMenu
from insight_desktop.views.timeline.flow_menu import FlowMenu
from insight_desktop.views.timeline.lane_filter import LaneFilterMenu
from insight_desktop.views.timeline.layout import Unit
from insight_desktop.views.timeline.marker_list import MarkerList
from insight_desktop.views.timeline.offset_dialog import OffsetDialog
from insight_desktop.views.timeline.service_verbs import ServiceVerbs
from insight_desktop.views.timeline.state import Selected, TimelineState

tr = language.tr
PIN_LIMIT = 100
SYNC_NAMES = ("SET_FLAG", "WAIT_FLAG", "set_event", "wait_event")  # waits of a simulated operator
SYNC_TERM = f"-/^({'|'.join(SYNC_NAMES)})$/"  # for the filter


class Verbs:
    """The verbs; they look at what is selected themselves."""

    def __init__(self, state: TimelineState, owner: QWidget, jump: Callable[[Selected], None]) -> None:
        self.state = state
        self.owner = owner
        self.jump = jump
        self.set_filter: Callable[[str], object] = state.filter.set_text
        self._markers: MarkerList | None = None
        self._links_before: list[str] = []  # categories that were drawn when SET and WAIT were hidden
        self.alignment = AlignVerbs(state, owner)
        self.service = ServiceVerbs(state)

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

    def show_flow_menu(self, below: QWidget) -> FlowMenu:
        """Open the choice of link categories below a button."""
        menu = FlowMenu(self.state, self.owner)
        menu.move(below.mapToGlobal(below.rect().bottomLeft()))
        menu.show()
        return menu

    def show_colours(self, below: QWidget) -> ColourMenu:
        """Open the choice of what slices are coloured by below a button."""
        menu = ColourMenu(self.state.colouring, self.owner)
        menu.move(below.mapToGlobal(below.rect().bottomLeft()))
        menu.show()
        return menu

    def show_lane_filter(self, below: QWidget) -> LaneFilterMenu:
        """Open the choice of cards and lanes below a button."""
        menu = LaneFilterMenu(self.state, self.owner)
        menu.move(below.mapToGlobal(below.rect().bottomLeft()))
        menu.show()
        return menu

    def close_markers(self) -> bool:
        """Close the Marker List; False when it is not open."""
        if self._markers is None or not self._markers.isVisible():
            return False
        self._markers.close()
        return True

    def show_markers(self) -> None:
        """Open the Marker List, or bring it to the front."""
        if self._markers is None:
            self._markers = MarkerList(self.state.flags, self.owner)
        self._markers.fill()
        self._markers.show()
        self._markers.raise_()
        self._markers.activateWindow()  # its keys work at once

    def copy_name(self) -> None:
        chosen = self.state.selected
        units = self.selected_units()
        text = chosen.name if chosen is not None else "\n".join(u.title for u in units)
        QGuiApplication.clipboard().setText(text)

    def ask_offset(self) -> None:
        """Ask for the offset of a card or of a lane right below one."""
        units = self.selected_units()
        if len(units) != 1 or units[0].level > 1:
            return
        unit = units[0]
        title = self.state.card_title(unit.card) if unit.is_card else unit.title
        now, lead = self.state.offset_ns(unit.card, unit), self.state.lead_ns(unit.card)
        dialog = OffsetDialog(title, now, lead, self.owner)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            if unit.is_card:
                self.state.set_offset(unit.card, dialog.offset_ns())
            else:
                self.state.set_lane_offset(unit, dialog.offset_ns())

    def ask_alias(self) -> None:
        units = self.selected_units()
        if len(units) == 1 and units[0].is_card:
            title = tr("Alias of {0}").format(self.state.card_name(units[0].card))
            text, ok = QInputDialog.getText(
                self.owner, title, tr("Name shown beside the card"), text=self.state.alias(units[0].card)
            )
            if ok:
                self.state.set_alias(units[0].card, text)

    # ---- pins and merging --------------------------------------------------------------------------------------------

    def same_named(self) -> list[Unit]:
        """Lanes of all cards that are called as the selected ones, when those are innermost and called alike."""
        units = self.selected_units()
        if not units or any(u.children or u.members or not u.is_lane for u in units):
            return []
        names = {lane_identity(u) for u in units}
        pins = {self.state.is_pinned(u) for u in units}
        if len(names) != 1 or len(pins) != 1:
            return []
        every = (u for opened in self.state.cards.values() for u in opened.unit.walk())
        return [u for u in every if u.is_lane and not u.children and lane_identity(u) in names]

    def pin_same_named(self, is_pinned: bool) -> None:
        """Pin (at most 100) or unpin all lanes of the name."""
        units = self.same_named()
        if is_pinned:
            room = PIN_LIMIT - len(self.state.arrangement.pinned)
            new = [u for u in units if not self.state.is_pinned(u)]
            if len(new) > room:
                text = tr("At most {0} lanes can be pinned.").format(PIN_LIMIT)
                fix = tr("{0} of {1} lanes of this name are pinned.").format(max(0, room), len(new))
                self.state.context.message.emit("warning", text, fix)
            units = new[: max(0, room)]
        self.state.pin(units, is_pinned)

    def merge(self) -> None:
        """Draw the selected streams of one card as one lane."""
        try:
            self.state.merge(self.selected_units())
        except InsightError as error:
            self.state.context.message.emit("warning", error.message, error.fix)

    def unmerge(self) -> None:
        self.state.unmerge(self.selected_units())

    def show_events(self) -> None:
        """The Events View of the selected lane and everything below it."""
        units = self.selected_units()
        if len(units) == 1:
            tracks = [t for u in units[0].walk() for t in u.tracks]
            self.state.context.events_wanted.emit(units[0].card, tracks, units[0].title)

    # ---- other cards, other pages ------------------------------------------------------------------------------------

    def find_in_communication(self) -> None:
        """Show the selected operator on the Communication page."""
        chosen = self.state.selected
        if chosen is not None:
            place = CommunicationPlace(card=chosen.card, slice_id=chosen.id)
            self.state.context.communication_wanted.emit(place)

    def read_related(self) -> None:
        """Read the cards that share the group of the selected lane and were not read yet."""
        units = self.selected_units()
        found = related.related(self.state, units[0]) if len(units) == 1 else None
        if found is not None and found.unread:
            self.state.context.parse_requested.emit(list(found.unread))

    def hides_sync(self) -> bool:
        """Whether the waits of a simulated operator are filtered out."""
        return SYNC_TERM in self.state.filter.text

    def toggle_sync(self) -> None:
        """Filter the waits of a simulated operator out, with the links between them; or show them again."""
        text = self.state.filter.text
        if self.hides_sync():
            self.set_filter(text.replace(SYNC_TERM, "").strip())
            self.state.modes.set_flow_categories(self._links_before)
            return
        self.state.filter.vanishing = SYNC_TERM
        if self.state.selected is not None and self.state.selected.name in SYNC_NAMES:
            self.state.select(None)  # its links go with it
        self._links_before = list(self.state.modes.flow_categories)
        self.state.modes.set_flow_categories([])
        self.set_filter(f"{text} {SYNC_TERM}".strip())

    def analyse(self, zoom: bool) -> None:
        self.state.modes.analyse(self.state.range, zoom=zoom)

    def set_base_slice(self) -> None:
        self.state.modes.set_lead(self.alignment.base_slice())

    def gap_text(self, before: Selected | None, now: Selected) -> str:
        """The time between two slices, for the status bar; empty when they overlap or are of unknown cards."""
        if before is None or before == now or self.state.capture(before.card) is None:
            return ""
        one, two = ((s.start_ns - self.state.shift_of(s), s.end_ns - self.state.shift_of(s)) for s in (before, now))
        gap = max(two[0] - one[1], one[0] - two[1])
        return tr("gap to {0}: {1}").format(before.name, number_text.duration(gap)) if gap >= 0 else ""


def lane_identity(unit: Unit) -> tuple[str, str]:
    """What equal lanes of several cards have in common: kind and name."""
    return (unit.node.kind if unit.node is not None else "", unit.title)
