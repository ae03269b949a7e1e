"""What the parts of a timeline share: cards and their trees, the view, selection, range, mouse, highlights.

Widgets read it, call its verbs and listen to its signals; none of them knows another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline import lanes
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.timeline import auto_fit, lane_filter, remembered
from insight_desktop.views.timeline.awaited import Awaited
from insight_desktop.views.timeline.colouring import Colouring
from insight_desktop.views.timeline.filter_state import TimelineFilter
from insight_desktop.views.timeline.flags import Flags
from insight_desktop.views.timeline.folding import Folding
from insight_desktop.views.timeline.layout import (
    Arrangement,
    Row,
    Rows,
    Unit,
    heights,
    lay_out,
    lay_out_pinned,
    unit_tree,
)
from insight_desktop.views.timeline.merging import Merges
from insight_desktop.views.timeline.modes import Modes
from insight_desktop.views.timeline.placing import Placing
from insight_desktop.views.timeline.request_lanes import RequestLanes
from insight_desktop.views.timeline.request_trail import RequestTrail
from insight_desktop.views.timeline.sql_lanes import SqlLanes
from insight_desktop.views.timeline.viewport import Viewport

_FIT_MS = 60  # lanes are cut to the rows in use this long after the view came to rest


@dataclass(frozen=True)
class Selected:
    """The selected slice or instant; times as recorded, `lane` a depth row of `track`."""

    card: str
    kind: str
    id: int
    track: int
    lane: int
    start_ns: int
    end_ns: int
    name_id: int
    name: str


@dataclass(frozen=True)
class TimeRange:
    """A selected stretch of axis time on lanes of one card; `keys` are those of the lanes' units.

    `rows` are the first and last depth row that count, when only a part of one lane is selected.
    """

    start_ns: int
    end_ns: int
    card: str
    keys: tuple[str, ...]
    rows: tuple[int, int] | None = None


@dataclass
class Hover:
    """Where the mouse is: axis time, the row below it, the name of the slice below it."""

    time_ns: int | None = None
    key: str | None = None
    card: str | None = None
    name_id: int | None = None


@dataclass
class Opened:
    """One card of the timeline; `capture` is None while it is being read."""

    name: str
    unit: Unit
    capture: Capture | None
    units: dict[str, Unit] = field(default_factory=dict)
    by_track: dict[int, Unit] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.units = {unit.key: unit for unit in self.unit.walk()}
        self.by_track = {track: unit for unit in self.units.values() for track in unit.tracks}


def card_text(name: str, alias: str = "") -> str:
    """How a card is called: by its alias, else `Card 3` for a bare number, else by its name."""
    return alias or (language.tr("Card {name}").format(name=name) if name.isdigit() else name)


class TimelineState(QObject):
    """Shared by all widgets of one timeline page.

    Signals:
        rows_changed: the tree, open, hidden or pinned lanes changed; `rows` and `pinned_rows` are new.
        lanes_changed: other lanes are selected in the tree.
        selection_changed, range_changed, hover_changed: what the name says.
        highlight_changed: the search matches changed.
        filter_changed: another filter holds for drawing and tables, or none.
        command_wanted: a command of the page by its id in `extra_panels.Commands`.
        mode_changed: a drag pans from now on, or selects again.
    """

    rows_changed = Signal()
    lanes_changed = Signal()
    selection_changed = Signal()
    range_changed = Signal()
    hover_changed = Signal()
    highlight_changed = Signal()
    filter_changed = Signal()
    command_wanted = Signal(str)
    mode_changed = Signal()

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.viewport = Viewport(self)
        self.arrangement = Arrangement()
        self.cards: dict[str, Opened] = {}
        self.rows = Rows()
        self.pinned_rows = Rows()
        self.base_ns = 0
        self.lanes: list[str] = []  # keys of the selected rows of the tree
        self.focus_lane: str | None = None
        self.selected: Selected | None = None
        self.range: TimeRange | None = None
        self.hover = Hover()
        self.pan_mode = False  # a plain drag pans instead of selecting a range
        self.matches: dict[str, set[int]] | None = None  # card → string ids that a search found
        self.filter = TimelineFilter(context, self)
        self.filter.changed.connect(self.filter_changed)
        self.lane_offsets: dict[
            str, int
        ] = {}  # key of a lane below its card → offset that it has instead of the card's
        self.placing = Placing(self)
        self.shown_cards: set[str] = set()  # the only cards and lane names that are shown; empty: all
        self.shown_names: set[str] = set()
        self.flags = Flags(self)
        self.merges = Merges(self)
        self.modes = Modes(self)
        self.colouring = Colouring(self)
        self.folding = Folding(self)
        self.sql_lanes = SqlLanes(self)
        self.request_lanes = RequestLanes(self)
        self.trail = RequestTrail(self)
        self.awaited = Awaited(self)
        self._fit = QTimer(self, singleShot=True, interval=_FIT_MS)
        self._fit.timeout.connect(self.fit_rows)
        self._row_height = heights.row
        theme.notifier.changed.connect(self._follow_text)
        self.viewport.changed.connect(lambda: self._fit.start() if self.modes.auto_fit else None)

    # ---- data --------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Take over the cards of the store; what is known of them stays."""
        store = self.context.store
        old, self.cards = self.cards, {}
        for card in store.cards:
            capture = store.capture(card.name)
            known = old.get(card.name)
            if known is not None and known.capture is capture:
                self.cards[card.name] = known
                continue
            unit = unit_tree(card.name, lanes.card_tree(capture, card))
            self.merges.plant(unit, capture)
            self.sql_lanes.plant(unit, capture)
            self.request_lanes.plant(unit)
            self.cards[card.name] = Opened(card.name, unit, capture)
        for name, facts in self.context.reading.items():
            if name not in self.cards and getattr(facts, "status", "") not in ("ready", "skipped"):
                unit = Unit(name, name, None, None, 0)
                self.cards[name] = Opened(name, unit, None)
        if sum(not name.isdigit() for name in self.cards) <= 1:  # a card stands where it will stand; a guest is last
            self.cards = dict(sorted(self.cards.items(), key=lambda item: float(item[0]) if item[0].isdigit() else inf))
        self.awaited.place()
        self.placing.arrange([name for name, opened in old.items() if opened.capture is not None])
        self.base_ns = store.base_ns
        viewport = self.viewport
        had_data = any(opened.capture is not None for opened in old.values())
        was_whole = viewport.view.left_ns == 0 and viewport.span_ns == viewport.total_ns and not viewport.undo_count
        viewport.set_total(self.placing.total_ns(), keep=had_data and not was_whole)
        self._drop_what_is_gone()
        self.lay_out()
        self.awaited.arrive()

    def is_reading(self) -> bool:
        """Whether a card is being read or waits for it."""
        return any(getattr(facts, "status", "") in ("waiting", "reading") for facts in self.context.reading.values())

    def capture(self, card: str) -> Capture | None:
        """The capture of a card; None while it is being read or unknown."""
        found = self.cards.get(card)
        return found.capture if found is not None else None

    def unit(self, key: str | None) -> Unit | None:
        """The unit of a key in any card."""
        if key is None:
            return None
        for opened in self.cards.values():
            found = opened.units.get(key)
            if found is not None:
                return found
        return None

    def unit_of_track(self, card: str, track: int) -> Unit | None:
        """The unit that shows a track."""
        opened = self.cards.get(card)
        return opened.by_track.get(track) if opened else None

    def shift_ns(self, card: str, unit: Unit | None = None) -> int:
        """Recorded time minus axis time of a card, or of one of its lanes that has an offset of its own."""
        return self.base_ns + self.offset_ns(card, unit)

    def offset_ns(self, card: str, unit: Unit | None = None) -> int:
        """Offset of a card, or of a lane: that of the lane below the card if it has one, else the card's."""
        if unit is not None and self.lane_offsets:
            own = self.lane_offsets.get(unit.second_key)
            if own is not None:
                return own
        opened = self.cards.get(card)
        known = opened is not None and opened.capture is not None
        return self.context.store.card(card).offset_ns if known else 0

    def is_moved(self, unit: Unit) -> bool:
        """Whether a card, or a lane right below one, has an offset of its own."""
        if unit.is_card:
            return unit.node is not None and self.offset_ns(unit.card) != 0
        return self.lane_offsets.get(unit.key, 0) != 0

    def shift_of(self, chosen: Selected) -> int:
        """Recorded time minus axis time of the lane of a slice."""
        unit = self.unit_of_track(chosen.card, chosen.track) if self.lane_offsets else None
        return self.shift_ns(chosen.card, unit)

    def alias(self, card: str) -> str:
        opened = self.cards.get(card)
        return self.context.store.card(card).alias if opened is not None and opened.capture is not None else ""

    def card_title(self, card: str) -> str:
        """How a card is called: by its alias, else `Card 3` for a bare number."""
        return self.alias(card) or self.card_name(card)

    def card_name(self, card: str) -> str:
        """The card's own name; a bare number gets the word before it."""
        return card_text(card)

    def set_alias(self, card: str, alias: str) -> None:
        """Give a card a name of the user's own; empty removes it."""
        self.context.store.card(card).alias = alias.strip()
        self.rows_changed.emit()
        self.context.view_changed.emit()

    def set_offset(self, card: str, offset_ns: int) -> None:
        """Move a card with all its lanes along the axis; a positive offset moves it to the left."""
        self.placing.placed.add(card)
        own = [key for key in self.lane_offsets if key == card or key.startswith(f"{card}/")]
        for key in own:
            del self.lane_offsets[key]
        self.placing.tell_store()
        if own or self.context.store.card(card).offset_ns != offset_ns:
            self.context.store.set_offset(card, offset_ns)
            self.context.store_changed.emit()
            self.context.view_changed.emit()

    def set_offsets(self, offsets: dict[str, int]) -> None:
        """Give several cards offsets at once; their lanes go with them."""
        self.lane_offsets = {k: ns for k, ns in self.lane_offsets.items() if k.split("/", 1)[0] not in offsets}
        self.placing.tell_store()
        self.placing.placed.update(offsets)
        for card, offset_ns in offsets.items():
            if self.capture(card) is not None:
                self.context.store.set_offset(card, offset_ns)
        self.context.store_changed.emit()
        self.context.view_changed.emit()

    def merge(self, units: Iterable[Unit]) -> None:
        """Draw streams of one card as one lane; raises BadArgument for other lanes."""
        self.merges.merge(units)
        self.replant()

    def unmerge(self, units: Iterable[Unit]) -> None:
        """Show the members of merged lanes again."""
        self.merges.unmerge(units)
        self.replant()

    def replant(self) -> None:
        """Make the trees anew after other lanes were merged."""
        for name, opened in list(self.cards.items()):
            if opened.capture is not None:
                unit = unit_tree(name, lanes.card_tree(opened.capture, self.context.store.card(name)))
                self.merges.plant(unit, opened.capture)
                self.sql_lanes.plant(unit, opened.capture)
                self.request_lanes.plant(unit)
                self.cards[name] = Opened(name, unit, opened.capture)
        self.arrangement.pinned = [key for key in self.arrangement.pinned if self._may_be_pinned(key)]
        self.lanes = [key for key in self.lanes if self.unit(key) is not None]
        if self.range is not None and any(self.unit(key) is None for key in self.range.keys):
            self.set_range(None)
        self._arranged()
        self.lanes_changed.emit()
        self.highlight_changed.emit()

    def _may_be_pinned(self, key: str) -> bool:
        """Whether a lane is there, or comes when its query is answered."""
        makers = (self.sql_lanes, self.request_lanes, self.awaited)
        awaited = any(maker.is_awaited(key) for maker in makers)
        return awaited or self.unit(key) is not None

    def depth_of(self, chosen: Selected) -> int:
        """Depth row of the lane on which a slice is drawn."""
        if not self.merges.groups:
            return chosen.lane
        return self.merges.row_of(self.unit_of_track(chosen.card, chosen.track), chosen)

    def set_lane_offset(self, unit: Unit, offset_ns: int) -> None:
        """Move the second-level lane that holds a unit, and nothing else of its card."""
        self.set_lane_offsets({unit.second_key: offset_ns})

    def set_lane_offsets(self, offsets: dict[str, int]) -> None:
        """Give lanes below their cards (by key) offsets of their own; the card's offset again where it is the same."""
        for key, offset_ns in offsets.items():
            unit = self.unit(key)
            if unit is not None and offset_ns == self.offset_ns(unit.card):
                self.lane_offsets.pop(key, None)
            else:
                self.lane_offsets[key] = offset_ns
        self.placing.tell_store()
        self.refresh()
        self.rows_changed.emit()
        self.context.store_changed.emit()
        self.context.view_changed.emit()

    def lead_ns(self, card: str) -> int:
        """Axis time of the first event of a card when it has no offset."""
        capture = self.capture(card)
        return capture.manifest.start_ns - self.base_ns if capture is not None else 0

    def set_pan_mode(self, on: bool) -> None:
        """Whether a plain drag pans."""
        if on != self.pan_mode:
            self.pan_mode = on
            self.mode_changed.emit()
            self.context.view_changed.emit()

    # ---- rows --------------------------------------------------------------------------------------------------------

    def lay_out(self) -> None:
        """Make the rows anew after a change of the tree."""
        self.placing.tell_store()
        heights.follow_text()
        self._row_height = heights.row
        units = [opened.unit for opened in self.cards.values()]
        self.arrangement.kept = lane_filter.kept_keys(self, self.shown_cards, self.shown_names)
        self.arrangement.used = auto_fit.used_rows(self) if self.modes.auto_fit else {}
        self.rows = lay_out(units, self.arrangement)
        pinned = [u for u in (self.unit(key) for key in self.arrangement.pinned) if u is not None]
        self.pinned_rows = lay_out_pinned(pinned, self.arrangement, self.first_card)
        self.rows_changed.emit()

    def _follow_text(self) -> None:
        """Rows are as high as their texts need."""
        heights.follow_text()
        if self._row_height != heights.row:
            self.lay_out()

    def filter_lanes(self, cards: set[str], names: set[str]) -> None:
        """Show only these cards and lanes of these names, with what is above and below them; empty sets show all."""
        self.shown_cards, self.shown_names = set(cards), set(names)
        for key in lane_filter.kept_keys(self, self.shown_cards, self.shown_names) or ():
            unit = self.unit(key)
            if names and unit is not None and unit.children:
                self.arrangement.set_open(unit, True)
        self._arranged()
        self._drop_what_is_filtered()

    def fit_rows(self) -> None:
        """The visible time is another one: lanes that are cut to the rows in use may need others."""
        if self.modes.auto_fit and auto_fit.used_rows(self) != self.arrangement.used:
            self.lay_out()

    @property
    def first_card(self) -> str | None:
        return next((o.name for o in self.cards.values() if o.capture is not None), None)

    def is_open(self, unit: Unit) -> bool:
        return self.arrangement.is_open(unit, self.first_card)

    def set_open(self, units: Iterable[Unit], is_open: bool) -> None:
        """Open or close units."""
        for unit in units:
            if unit.can_open:
                self.arrangement.set_open(unit, is_open)
        self._arranged()

    def toggle(self, unit: Unit) -> None:
        self.set_open([unit], not self.is_open(unit))

    def reveal(self, unit: Unit) -> None:
        """Show a unit: open and unhide everything above it, and open its own depth rows."""
        for above in [unit, *unit.ancestors()]:
            self.arrangement.hidden.discard(above.key)
            if above.can_open and not self.is_open(above):
                self.arrangement.set_open(above, True)
        self._arranged()

    def hide(self, units: Iterable[Unit]) -> None:
        """Hide units; a selection on them is dropped."""
        units = list(units)
        self.arrangement.hide(units)
        gone = {u.key for unit in units for u in unit.walk()}
        self.lanes = [key for key in self.lanes if key not in gone]
        self._arranged()
        self.lanes_changed.emit()

    def show_all(self, parent: Unit | None) -> None:
        """Show every hidden unit below a parent, at any depth."""
        self.arrangement.show_all(parent, [o.unit for o in self.cards.values()])
        self._arranged()

    def pin(self, units: Iterable[Unit], is_pinned: bool) -> None:
        """Copy units to the pinned area, or take them out of it. Of a unit and its ancestor the ancestor stays."""
        keys = [unit.key for unit in units]
        pinned = [key for key in self.arrangement.pinned if key not in keys]
        if is_pinned:
            pinned += keys
        self.arrangement.pinned = pinned
        self._arranged()

    def unpin_all(self) -> None:
        self.arrangement.pinned.clear()
        self._arranged()

    def move_pin(self, key: str, position: int) -> None:
        """Give a pinned unit another place among the pinned ones."""
        pinned = [k for k in self.arrangement.pinned if k != key]
        pinned.insert(max(0, min(position, len(pinned))), key)
        self.arrangement.pinned = pinned
        self._arranged()

    def is_pinned(self, unit: Unit) -> bool:
        return unit.key in self.arrangement.pinned

    # ---- selection ---------------------------------------------------------------------------------------------------

    def select_lanes(self, keys: Iterable[str], focus: str | None = None) -> None:
        """Select rows of the tree."""
        keys = list(dict.fromkeys(keys))
        self.focus_lane = focus if focus is not None else (keys[-1] if keys else self.focus_lane)
        if keys != self.lanes:
            self.lanes = keys
            unit = self.unit(keys[-1]) if keys else None
            if unit is not None and unit.card != self.context.card:
                self.context.select_card(unit.card)
        self.lanes_changed.emit()

    def select(self, selected: Selected | None) -> None:
        """Select a slice or instant, or nothing."""
        if selected != self.selected:
            self.selected = selected
            self.selection_changed.emit()
            self.context.view_changed.emit()

    def slice(self, card: str, slice_id: int) -> Selected | None:
        """A slice by its id, ready to be selected; None when the card has no such slice."""
        capture = self.capture(card)
        if capture is None or not 0 <= slice_id < len(capture.slice_start):
            return None
        lane = capture.lane_of(slice_id)
        name = int(capture.slice_name[slice_id])
        return Selected(
            card, "slice", slice_id, int(capture.lane_track[lane]), int(capture.lane_row[lane]),
            int(capture.slice_start[slice_id]), int(capture.slice_end[slice_id]), name, capture.text(name),
        )  # fmt: skip

    def instant(self, card: str, instant_id: int, track: int) -> Selected | None:
        """An instant by its id, ready to be selected."""
        capture = self.capture(card)
        if capture is None or not 0 <= instant_id < len(capture.instant_ts):
            return None
        name, at = int(capture.instant_name[instant_id]), int(capture.instant_ts[instant_id])
        return Selected(card, "instant", instant_id, track, 0, at, at, name, capture.text(name))

    def set_range(self, new: TimeRange | None) -> None:
        """Select a stretch of time on lanes of one card, or none; nothing happens while the selection is locked.

        A range and a slice exclude each other.
        """
        if new != self.range and self.modes.locked is None:
            self.range = new
            if new is not None:
                self.selected = None
                self.selection_changed.emit()
            self.range_changed.emit()
            self.context.view_changed.emit()

    def select_span(self, start_ns: int, end_ns: int, card: str, keys: tuple[str, ...]) -> None:
        """Select a range and the lanes it lies on."""
        self.set_range(TimeRange(start_ns, end_ns, card, keys))
        if self.modes.locked is None:
            self.select_lanes(keys)

    def range_of_selected(self) -> TimeRange | None:
        """The selected slice as a range on its lane; None without one that has a length."""
        chosen = self.selected
        unit = self.unit_of_track(chosen.card, chosen.track) if chosen is not None else None
        if chosen is None or unit is None or chosen.end_ns <= chosen.start_ns:
            return None
        shift = self.shift_of(chosen)
        return TimeRange(chosen.start_ns - shift, chosen.end_ns - shift, chosen.card, (unit.key,))

    def set_hover(self, hover: Hover) -> None:
        if hover != self.hover:
            self.hover = hover
            self.hover_changed.emit()

    def set_matches(self, matches: dict[str, set[int]] | None) -> None:
        self.matches = matches
        self.highlight_changed.emit()

    # ---- what is remembered ------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """JSON values for the session file."""
        return remembered.as_dict(self)

    def restore(self, state: dict[str, Any]) -> None:
        """Bring back what `as_dict` gave; cards that are not open take their part when they come."""
        remembered.restore(self, state)

    def row_of(self, card: str, track: int) -> Row | None:
        """The row on which something of a track is drawn: its own, or that of the closed unit above it."""
        unit = self.unit_of_track(card, track)
        return self.shown_row(self.rows, unit.key) if unit is not None else None

    def shown_row(self, rows: Rows, key: str) -> Row | None:
        """The row of a unit, or of the lowest unit above it that is shown."""
        unit = self.unit(key)
        if unit is None:
            return None
        return next((row for row in (rows.of(u.key) for u in [unit, *unit.ancestors()]) if row is not None), None)

    def _arranged(self) -> None:
        self.lay_out()
        self.context.view_changed.emit()

    def _drop_what_is_filtered(self) -> None:
        """A slice, its links, a range and lanes that the filter of lanes took away are no longer selected."""
        kept = self.arrangement.kept
        if kept is None:
            return
        chosen = self.selected
        unit = self.unit_of_track(chosen.card, chosen.track) if chosen is not None else None
        if chosen is not None and (unit is None or unit.key not in kept):
            self.select(None)
        if self.range is not None and not all(key in kept for key in self.range.keys):
            self.modes.unlock()
            self.set_range(None)
        self.select_lanes([key for key in self.lanes if key in kept])

    def _drop_what_is_gone(self) -> None:
        self.lanes = [key for key in self.lanes if self.unit(key) is not None]
        if self.selected is not None and self.capture(self.selected.card) is None:
            self.select(None)
        if self.range is not None and self.capture(self.range.card) is None:
            self.modes.locked = None
            self.set_range(None)
        self.modes.drop_what_is_gone()
        self.hover = Hover()
