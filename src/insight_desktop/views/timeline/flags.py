"""Flags (markers): single times and ranges with a name and a colour, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from insight_desktop.views.common import tokens
from insight_desktop.views.timeline.viewport import View

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState

COLOURS = ("#D92C21", "#6456E6", "#1D978A")
NAME_LIMIT = 256
OWN_COLOURS = 23  # colours of the user's own that are remembered
_HEIGHT = 14
_WIDEST = 160.0
_POLE = 6.0


@dataclass(frozen=True)
class Flag:
    """A flag; times as recorded.

    Attributes:
        number: tells flags apart while the program runs.
        name: what its banner says.
        start_ns, end_ns: where it stands; no end for a single time.
        colour: `#RRGGBB`.
        card: the card whose clock the times are of; None for the clock of the axis (no card's offset moves it).
        keys: lanes of the range it was made from.
    """

    number: int
    name: str
    start_ns: int
    end_ns: int | None
    colour: str
    card: str | None = None
    keys: tuple[str, ...] = ()


class Flags(QObject):
    """All flags of a timeline, sorted by the time they are shown at.

    Signals:
        changed: flags were added, changed or removed, or another one is selected.
    """

    changed = Signal()

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        self.all: list[Flag] = []
        self.selected: int | None = None  # number of a flag
        self.own_colours: list[str] = []
        self._made = 0

    # ---- reading -----------------------------------------------------------------------------------------------------

    def get(self, number: int | None) -> Flag | None:
        return next((flag for flag in self.all if flag.number == number), None)

    def shown(self) -> list[Flag]:
        """The flags whose card is open (or that belong to none), by the time they are shown at."""
        found = [flag for flag in self.all if flag.card is None or self.state.capture(flag.card) is not None]
        return sorted(found, key=lambda flag: (self.span(flag)[0], flag.number))

    def span(self, flag: Flag) -> tuple[int, int | None]:
        """Start and end of a flag on the axis."""
        shift = self._shift(flag.card, flag.keys)
        return flag.start_ns - shift, None if flag.end_ns is None else flag.end_ns - shift

    def _shift(self, card: str | None, keys: Iterable[str]) -> int:
        """Recorded time minus axis time of what a flag stands on: its first lane, else its card, else no card."""
        if card is None:
            return self.state.base_ns
        return self.state.shift_ns(card, self.state.unit(next(iter(keys), None)))

    def of_span(self, start_ns: int, end_ns: int, card: str) -> Flag | None:
        """The range flag that stands exactly at a stretch of axis time."""
        return next((f for f in self.all if f.card == card and self.span(f) == (start_ns, end_ns)), None)

    def difference(self, one: Flag, other: Flag) -> int:
        """Time from the start of one flag to the start of another, in ns."""
        return self.span(other)[0] - self.span(one)[0]

    def forget_card(self, card: str) -> None:
        """Remove the flags of a card that will not come back."""
        kept = [flag for flag in self.all if flag.card != card]
        if len(kept) < len(self.all):
            self.all = kept
            self._changed()

    # ---- changing ----------------------------------------------------------------------------------------------------

    def add_single(self, time_ns: int) -> Flag:
        """A flag at an axis time."""
        count = sum(flag.end_ns is None for flag in self.all) + 1
        return self._add(self._free("default", count), time_ns + self.state.base_ns, None)

    def add_range(self, start_ns: int, end_ns: int, card: str, keys: tuple[str, ...], name: str = "") -> Flag:
        """A range flag over a stretch of axis time; the one that stands there already instead of a second one."""
        known = self.of_span(start_ns, end_ns, card)
        if known is not None:
            return known
        shift = self._shift(card, keys)
        count = sum(flag.end_ns is not None for flag in self.all) + 1
        text = name[:NAME_LIMIT] or self._free("range", count)
        return self._add(text, start_ns + shift, end_ns + shift, card, keys)

    def toggle_range(self) -> None:
        """Flag the selected range, or remove the flag that it has."""
        found = self.state.range
        if found is None:
            return
        known = self.of_span(found.start_ns, found.end_ns, found.card)
        if known is not None:
            self.remove(known.number)
        else:
            self.add_range(found.start_ns, found.end_ns, found.card, found.keys)

    def create(self, time_ns: int | None) -> Flag | None:
        """What the key does: a flag of the selected range, of the selected slice, or at the time of the mouse."""
        found, chosen = self.state.range, self.state.selected
        if found is not None and chosen is None:
            return self.add_range(found.start_ns, found.end_ns, found.card, found.keys)
        if chosen is not None:
            unit = self.state.unit_of_track(chosen.card, chosen.track)
            shift = self.state.shift_ns(chosen.card, unit)
            keys = (unit.key,) if unit is not None else ()
            return self.add_range(chosen.start_ns - shift, chosen.end_ns - shift, chosen.card, keys, chosen.name)
        return self.add_single(time_ns) if time_ns is not None else None

    def change(self, number: int, *, name: str | None = None, colour: str | None = None) -> None:
        """Another name (at most 256 characters, not empty) or colour."""
        flag = self.get(number)
        if flag is None:
            return
        text = (name or "").strip()[:NAME_LIMIT] or flag.name
        self._put(replace(flag, name=text, colour=colour or flag.colour))
        if colour is not None and colour not in COLOURS:
            kept = [own for own in self.own_colours if own != colour]
            self.own_colours = [colour, *kept][:OWN_COLOURS]

    def move(self, old: tuple[int, int, str], new: tuple[int, int]) -> None:
        """The flag that stands at a stretch of axis time (with its card) goes along when the range is adjusted."""
        flag = self.of_span(*old)
        if flag is not None:
            shift = self._shift(flag.card, flag.keys)
            self._put(replace(flag, start_ns=new[0] + shift, end_ns=new[1] + shift))

    def remove(self, number: int) -> None:
        self.all = [flag for flag in self.all if flag.number != number]
        if self.selected == number:
            self.selected = None
        self._changed()

    def clear(self) -> None:
        """Remove all flags."""
        self.all, self.selected = [], None
        self._changed()

    def select(self, number: int | None) -> None:
        """Select a flag; a range flag selects its range again."""
        self.selected = number
        flag = self.get(number)
        if flag is not None and flag.card is not None:
            start, end = self.span(flag)
            keys = tuple(key for key in flag.keys if self.state.unit(key) is not None)
            if end is not None and end > start and keys:
                self.state.select_span(start, end, flag.card, keys)
        self.changed.emit()

    def _add(
        self, name: str, start_ns: int, end_ns: int | None, card: str | None = None, keys: tuple[str, ...] = ()
    ) -> Flag:
        flag = Flag(self._made, name, start_ns, end_ns, COLOURS[self._made % len(COLOURS)], card, keys)
        self._made += 1
        self.all.append(flag)
        self._changed()
        return flag

    def _free(self, word: str, count: int) -> str:
        """The first name of its kind, from a count on, that no flag has."""
        names = {flag.name for flag in self.all}
        while f"{word}-{count}" in names:
            count += 1
        return f"{word}-{count}"

    def _put(self, new: Flag) -> None:
        self.all = [new if flag.number == new.number else flag for flag in self.all]
        self._changed()

    def _changed(self) -> None:
        context = self.state.context
        context.flags = list(self.all)
        context.flags_changed.emit()
        self.changed.emit()
        context.view_changed.emit()

    # ---- what is remembered ------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """JSON values for the session file."""
        names = ("name", "start_ns", "end_ns", "colour", "card")
        rows = [{**{name: getattr(flag, name) for name in names}, "keys": list(flag.keys)} for flag in self.all]
        return {"all": rows, "own_colours": list(self.own_colours)}

    def restore(self, state: dict[str, Any]) -> None:
        """Bring back what `as_dict` gave."""
        self.all = [_flag(number, row) for number, row in enumerate(state.get("all", ()))]
        self._made, self.selected = len(self.all), None
        self.own_colours = [str(colour) for colour in state.get("own_colours", ())][:OWN_COLOURS]
        self._changed()


def _flag(number: int, row: dict[str, Any]) -> Flag:
    end, card = row.get("end_ns"), row.get("card")
    return Flag(
        number, str(row["name"])[:NAME_LIMIT], int(row["start_ns"]), None if end is None else int(end),
        str(row.get("colour") or COLOURS[0]), None if card is None else str(card), tuple(row.get("keys", ())),
    )  # fmt: skip


# ---- drawing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Banner:
    """A flag in the marker row: its place and the text that fits."""

    flag: Flag
    box: QRectF
    text: str


def banners(flags: Flags, view: View, width: int, top: float, metrics: QFontMetricsF) -> list[Banner]:
    """Where the flags stand in the marker row; a range has one at each end, the second without its name."""
    made = []
    for flag in flags.shown():
        start, end = flags.span(flag)
        x = view.x_of(start, width)
        text = metrics.elidedText(flag.name, Qt.TextElideMode.ElideRight, _WIDEST)
        room = metrics.horizontalAdvance(text) + 10
        if -room < x < width:
            made.append(Banner(flag, QRectF(x, top, room, _HEIGHT), text))
        if end is not None:
            right = view.x_of(end, width)
            if 0 < right < width + 2 * _POLE:
                made.append(Banner(flag, QRectF(right - 2 * _POLE, top, 2 * _POLE, _HEIGHT), ""))
    return made


def paint_row(painter: QPainter, flags: Flags, view: View, width: int, top: float) -> None:
    """The flags of the marker row; the ends of a range are joined."""
    metrics = QFontMetricsF(painter.font())
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for flag in flags.shown():
        start, end = flags.span(flag)
        if end is not None:
            left, right = (min(max(view.x_of(t, width), -20.0), width + 20.0) for t in (start, end))
            painter.setPen(QPen(QColor(flag.colour), 1))
            painter.drawLine(QPointF(left, top + _HEIGHT), QPointF(right, top + _HEIGHT))
    for banner in banners(flags, view, width, top, metrics):
        colour, box = QColor(banner.flag.colour), banner.box
        painter.setPen(
            QPen(QColor(tokens.ink_for(banner.flag.colour)), 1.5) if _is_on(flags, banner) else Qt.PenStyle.NoPen
        )
        painter.setBrush(colour)
        if banner.text:
            painter.drawRoundedRect(box, 2, 2)
            painter.setPen(QColor(tokens.ink_for(banner.flag.colour)))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, banner.text)
        else:
            right = box.right()
            painter.drawPolygon(
                QPolygonF(
                    [QPointF(right, box.top()), QPointF(right, box.bottom()), QPointF(box.left(), box.center().y())]
                )
            )
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _is_on(flags: Flags, banner: Banner) -> bool:
    return banner.flag.number == flags.selected


def paint_lines(painter: QPainter, flags: Flags, width: int, height: int) -> None:
    """A dashed line of every flag over the lanes."""
    view = flags.state.viewport.view
    for flag in flags.shown():
        for time_ns in _times(flags.span(flag)):
            x = view.x_of(time_ns, width)
            if 0 <= x < width:
                pen = QPen(QColor(flag.colour), 1, Qt.PenStyle.CustomDashLine)
                pen.setDashPattern([4, 3])
                painter.setPen(pen)
                painter.drawLine(QPointF(int(x) + 0.5, 0), QPointF(int(x) + 0.5, height))


def _times(span: tuple[int, int | None]) -> Iterable[int]:
    return [time_ns for time_ns in span if time_ns is not None]
