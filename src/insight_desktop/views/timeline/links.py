"""Link curves of the selected slice: where both ends are on screen, and how they are drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from insight_desktop.engine.timeline import links
from insight_desktop.views.timeline.area import Area
from insight_desktop.views.timeline.layout import heights
from insight_desktop.views.timeline.state import Selected, TimelineState

ARROW = 10.0
MOST = 150  # links of one slice in each direction that are drawn; more are told apart by zooming in


@dataclass(frozen=True)
class Linked:
    """A link of the selected slice: its other end and what it means."""

    category: str
    source: Selected
    target: Selected


def is_hub(state: TimelineState) -> bool:
    """Whether the selected slice has more links than are drawn."""
    return max(counts(state)) > MOST


def counts(state: TimelineState) -> tuple[int, int]:
    """How many links start, and how many end, at the selected slice."""
    chosen = state.selected
    capture = state.capture(chosen.card) if chosen is not None and chosen.kind == "slice" else None
    return links.counts_of(capture, chosen.id) if chosen is not None and capture is not None else (0, 0)


def of_selection(state: TimelineState) -> list[Linked]:
    """Links of the selected slice, in both directions and all categories; of a hub those in sight, spread over time."""
    chosen = state.selected
    if chosen is None or chosen.kind != "slice":
        return []
    capture = state.capture(chosen.card)
    if capture is None:
        return []
    found = []
    for link in links.of_slice(capture, chosen.id, most=MOST, window=_window(state, chosen)):
        source, target = state.slice(chosen.card, link.from_id), state.slice(chosen.card, link.to_id)
        if source is not None and target is not None and _is_inside(state, source, target):
            found.append(Linked(link.category, source, target))
    return found


def _window(state: TimelineState, chosen: Selected) -> tuple[int, int]:
    """Recorded time in which the other ends of a hub matter: what is locked, else what is seen."""
    locked, view, shift = state.modes.locked, state.viewport.view, state.shift_ns(chosen.card)
    ends = (locked.start_ns, locked.end_ns) if locked is not None else (view.first_ns, view.last_ns)
    return ends[0] + shift, ends[1] + shift


def next_of_chain(state: TimelineState, chosen: Selected, by: Literal[-1, 1]) -> Selected | None:
    """The slice to which the links of the selected one lead forward (1) or back (-1), the nearest in time.

    Where it has none in this direction, the slice of its thread through which the chain passes; None at the end.
    """
    found = of_selection(state)
    if by > 0:
        ends = [link.target for link in found if link.source.id == chosen.id]
    else:
        ends = [link.source for link in found if link.target.id == chosen.id]
    if ends:
        return (min if by > 0 else max)(ends, key=lambda end: (end.start_ns, end.id))
    capture = state.capture(chosen.card)
    passed = links.passed_through(capture, chosen.id, by) if capture is not None and chosen.kind == "slice" else None
    return state.slice(chosen.card, passed) if passed is not None else None


def _is_inside(state: TimelineState, *ends: Selected) -> bool:
    """With a locked selection: whether either end begins in it."""
    locked = state.modes.locked
    if locked is None:
        return True
    return any(locked.start_ns <= end.start_ns - state.shift_of(end) <= locked.end_ns for end in ends)


def anchor(area: Area, slice_: Selected, time_ns: int, width: int) -> tuple[QPointF, bool] | None:
    """Where a link touches a slice, and whether that is the preview of a closed unit; None when neither is shown."""
    state = area.state
    row = state.row_of(slice_.card, slice_.track)
    if row is None or row.unit is None:
        return None
    x = state.viewport.view.x_of(time_ns - state.shift_of(slice_), width)
    own = slice_.track in row.unit.tracks
    depth = state.depth_of(slice_)
    if own and row.kind == "lane":
        y = row.y + depth * heights.row + heights.row / 2
    elif own:
        y = row.y + 2 + (row.height - 4) * (depth + 0.5) / max(row.unit.depth_rows, 1)
    else:
        y = row.y + heights.group / 2
    # Far away points make Qt's strokes slow and imprecise; the curve only has to leave the widget.
    return QPointF(min(max(x, -4000.0), width + 4000.0), y - area.scroll), not own


def curves(
    area: Area, found: list[Linked], width: int, *, late: bool | None = None
) -> list[tuple[QPainterPath, QPointF]]:
    """Path and tip of every link that has at least one end outside closed units.

    With `late` (by default as the page wants it) links lead from the end of their source to the end of their target.
    """
    made = []
    late = area.state.modes.links_end_late if late is None else late
    for link in found:
        is_before = link.source.end_ns <= link.target.start_ns
        a = anchor(area, link.source, link.source.end_ns if late or is_before else link.source.start_ns, width)
        b = anchor(area, link.target, link.target.end_ns if late else link.target.start_ns, width)
        if a is None or b is None or (a[1] and b[1]):
            continue
        start, tip = a[0], b[0]
        reach = min(max(abs(tip.x() - start.x()) / 2, 24.0), 160.0)
        path = QPainterPath(start)
        path.cubicTo(QPointF(start.x() + reach, start.y()), QPointF(tip.x() - reach, tip.y()), tip)
        made.append((path, tip))
    return made


def draw(painter: QPainter, made: list[tuple[QPainterPath, QPointF]], colour: QColor, ground: QColor) -> None:
    """Curves with a halo of the ground and an arrow at the target."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    halo = QColor(ground)
    halo.setAlphaF(0.85)
    for path, _ in made:
        painter.setPen(QPen(halo, 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPath(path)
    for path, tip in made:
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        half = ARROW * math.tan(math.radians(30))
        painter.setPen(QPen(halo, 1))
        painter.setBrush(colour)
        back = tip.x() - ARROW
        painter.drawPolygon(QPolygonF([tip, QPointF(back, tip.y() - half), QPointF(back, tip.y() + half)]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
