"""Cells of source lines and instructions: percent bars, heat, stall samples, tracks of registers; texts and widths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from insight_desktop.engine.operator.numbers import decimal_text
from insight_desktop.engine.operator.registers import BEGIN, END, READ, READ_WRITE, WRITE, Track
from insight_desktop.ingest.formats import operator_instructions as layout
from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.operator.source_load import stall

NA = "NA"
SHARE = "\0share"  # the column of the page's own: part of the sum
TRACK = 16  # px of a register's track
STALL_BAR = 120
_INSIDE_FROM = 50.0  # percent from which the label stands inside the bar
_LEAST_SEGMENT = 4
_WIDEST_NUMBER = 164  # px; longer headings are elided, their tooltip has it all
_P12 = (
    "#0062DC", "#FF5432", "#279C6E", "#34B1B9", "#D53F78", "#0077FF", "#FD2F2F", "#6037DB", "#2F9CE0", "#EE891D",
    "#AA38CE", "#75A105",
)  # fmt: skip
_REGISTER = "#C586C0"


@dataclass(frozen=True)
class Segment:
    """A reason in a stall cell: name, samples, pixels."""

    name: str
    count: int
    width: int


def twelve(at: int) -> QColor:
    """Colour of the at-th thing of a list."""
    return QColor(_P12[at % len(_P12)])


def heat(part: float) -> QColor:
    """Colour of a line by its part of the largest value: blue, amber, red."""
    stops = (theme.token("accent"), theme.meaning("communication"), theme.meaning("stalled"))
    place = min(max(part, 0.0), 1.0) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    mix = place - low
    a, b = stops[low], stops[low + 1]
    return QColor(
        round(a.red() + (b.red() - a.red()) * mix), round(a.green() + (b.green() - a.green()) * mix),
        round(a.blue() + (b.blue() - a.blue()) * mix),
    )  # fmt: skip


def text_of(value: Any, code: int) -> str:
    """The text of a value: NA where it is negative, empty where there is none."""
    if value is None:
        return ""
    if code == layout.DETAILS:
        part = stall(value)[0]
        return f"{part * 100:.2f}%" if part >= 0 else ""
    if isinstance(value, str):
        return value
    if value < 0:
        return NA
    if code == layout.PERCENT:
        return f"{decimal_text(float(value), 2)}%"
    return number_text.number(value)


def segments(counts: Sequence[tuple[str, int]]) -> list[Segment]:
    """Parts of a stall bar: reasons with samples, in their order, each at least 4 px wide."""
    total = sum(count for _, count in counts if count > 0)
    return [
        Segment(name, count, max(_LEAST_SEGMENT, round(count * STALL_BAR / total)))
        for name, count in counts
        if count > 0
    ]


def stall_tip(value: str | None) -> str:
    """Total and reasons of a stall cell, one per line."""
    _, counts = stall(value)
    if not counts:
        return ""
    return "\n".join([f"Total: {sum(n for _, n in counts)}", *(f"{name}: {count}" for name, count in counts)])


def cycles_percent(value: float, most: float) -> int:
    """Length of the bar of cycles, in percent of the cell; halves go up."""
    return int(max(value, 0.0) / max(most, 1.0) * 100 + 0.5)


def width_of(name: str, code: int, metrics: QFontMetricsF, heading: str = "") -> int:
    """First width of a column at 100 %."""
    if code == layout.DETAILS:
        return STALL_BAR + 90
    least = {layout.PERCENT: 120, layout.TEXT: 110}.get(code, 84)
    wanted = max(least if name != SHARE else 92, round(metrics.horizontalAdvance(heading or name)) + 26)
    return min(wanted, _WIDEST_NUMBER) if code in (layout.INT, layout.FLOAT) else wanted


def paint_percent(painter: QPainter, box: QRectF, percent: float, text: str, *, on_selection: bool = False) -> None:
    """A bar of that percent of the cell; its label stands inside from 50 % on."""
    room = box.adjusted(4, 5, -4, -5)
    bar = QRectF(room.left(), room.top(), room.width() * min(max(percent, 0.0), 100.0) / 100, room.height())
    painter.fillRect(bar, theme.token("accentfill"))
    metrics = QFontMetricsF(painter.font())
    wide = metrics.horizontalAdvance(text)
    if is_inside(percent) and bar.width() >= wide + 8:
        painter.setPen(QColor("#FFFFFF"))
        painter.drawText(
            bar.adjusted(4, -4, -4, 4), int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text
        )
        return
    painter.setPen(theme.token("seltext" if on_selection else "text"))
    left = min(bar.right() + 4, room.right() - wide)
    painter.drawText(QRectF(left, box.top(), wide + 2, box.height()), int(Qt.AlignmentFlag.AlignVCenter), text)


def paint_share(painter: QPainter, box: QRectF, part: float, text: str, *, on_selection: bool = False) -> None:
    """A share behind its bar; the bar of the largest one is as long as there is room."""
    wide = QFontMetricsF(painter.font()).horizontalAdvance("100.0") + 10
    room = max(box.width() - wide - 6, 8.0)
    length = max(1.0, room * part) if part > 0 else 0.0
    fill = theme.token("accent")
    fill.setAlphaF(0.8)
    painter.fillRect(QRectF(box.left() + 4, box.top() + 5, length, box.height() - 10), fill)
    painter.setPen(theme.token("seltext" if on_selection else "text"))
    where = QRectF(box.left() + 4 + length + 4, box.top(), wide, box.height())
    painter.drawText(where, int(Qt.AlignmentFlag.AlignVCenter), text)


def is_inside(percent: float) -> bool:
    """Whether the label of a percent bar stands inside it."""
    return percent > _INSIDE_FROM


def paint_amount(painter: QPainter, box: QRectF, percent: int, text: str) -> None:
    """A bar at the left of a number; the number itself is painted by the table."""
    wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 22
    room = max(box.width() - wide - 4, 8.0)
    if percent > 0:
        length = max(1.0, room * percent / 100)
        fill = theme.token("accent")
        fill.setAlphaF(0.8)
        painter.fillRect(QRectF(box.left() + 4, box.top() + 6, length, box.height() - 12), fill)


def paint_stall(painter: QPainter, box: QRectF, value: str | None, *, on_selection: bool = False) -> None:
    """Percent and the stacked bar of its reasons."""
    _, counts = stall(value)
    text = text_of(value, layout.DETAILS)
    painter.setPen(theme.token("seltext" if on_selection else "text"))
    room = fonts.scaled(58)
    painter.drawText(
        QRectF(box.left() + 8, box.top(), room, box.height()),
        int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text,
    )  # fmt: skip
    x = box.left() + 8 + room + 8
    for i, part in enumerate(segments(counts)):
        painter.fillRect(QRectF(x, box.top() + 6, part.width, box.height() - 12), twelve(i))
        x += part.width


def paint_tracks(painter: QPainter, box: QRectF, tracks: Sequence[Track | None]) -> None:
    """Registers at an instruction: a line while one lives, an arrow to the left where it is written, to the right where read."""
    ink = QColor(_REGISTER)
    middle = box.center().y()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for slot, track in enumerate(tracks):
        if track is None or track.state == 0:
            continue
        x = box.left() + 8 + slot * TRACK + TRACK / 2
        is_written = track.state in (WRITE, READ_WRITE)
        is_read = track.state in (READ, READ_WRITE)
        top = middle if is_written and track.progress == BEGIN else box.top()
        bottom = middle if is_read and track.progress == END else box.bottom() + 1
        painter.setPen(QPen(ink, 1.5))
        painter.drawLine(QLineF(x, top, x, bottom))
        if is_written:
            _arrow(painter, x, middle, -1, ink, filled=True)
        if is_read:
            _arrow(painter, x, middle, 1, ink, filled=False)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def _arrow(painter: QPainter, x: float, y: float, way: int, ink: QColor, *, filled: bool) -> None:
    points = [QPointF(x + way * 6, y), QPointF(x + way, y - 3.5), QPointF(x + way, y + 3.5)]
    painter.setBrush(ink if filled else theme.token("surface"))
    painter.setPen(QPen(ink, 1))
    painter.drawPolygon(QPolygonF(points))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def track_at(x: float, tracks: Sequence[Track | None]) -> str:
    """Register below a place of its cell, with its length; empty for none."""
    slot = int((x - 8) // TRACK)
    track = tracks[slot] if 0 <= slot < len(tracks) else None
    return f"{track.name} (Length: {track.length})" if track is not None else ""
