"""What is painted around and over the blitted frame: grounds, selection, range, cursor, texts. Stateless functions."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from insight_desktop.views.common import language, number_text, theme
from insight_desktop.views.timeline import steps
from insight_desktop.views.timeline.area import Area
from insight_desktop.views.timeline.frames import Frame, slice_height
from insight_desktop.views.timeline.labels import Labels
from insight_desktop.views.timeline.layout import heights
from insight_desktop.views.timeline.state import Selected, TimelineState, TimeRange

HANDLE = (6, 28)
CHEVRON = 12


def row_grounds(painter: QPainter, area: Area, width: int) -> None:
    """Grounds and separators of the rows, for the parts that no frame covers yet."""
    raised, grid = theme.token("raised"), theme.token("grid")
    for row in area.visible():
        y = row.y - area.scroll
        if row.kind in ("card", "reading"):
            painter.fillRect(0, y, width, row.height, raised)
        painter.fillRect(0, y + row.height - 1, width, 1, grid)


def chevron(painter: QPainter, x: float, y: float, colour: int, ground: int) -> None:
    """A slice without length or an instant: a 12 px chevron with a halo of the ground."""
    top, half = y + 4, CHEVRON / 2
    shape = QPolygonF([QPointF(x - half, top + 8), QPointF(x, top), QPointF(x + half, top + 8)])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor.fromRgb(ground), 4))
    painter.drawPolyline(shape)
    painter.setPen(QPen(QColor.fromRgb(colour), 2))
    painter.drawPolyline(shape)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def after_data(painter: QPainter, state: TimelineState, width: int, height: int) -> None:
    """The end of the data as a thin line, where the view goes beyond it."""
    x = state.viewport.view.x_of(state.viewport.total_ns, width)
    if x < width - 1:
        painter.fillRect(QRectF(x, 0, width - x, height), QBrush(theme.token("grid"), Qt.BrushStyle.BDiagPattern))


def range_shade(painter: QPainter, area: Area, width: int, height: int) -> None:
    """A selected range: everything outside is dimmed, edges with handles on its lanes."""
    found = area.state.range
    if found is None:
        return
    view = area.state.viewport.view
    x0, x1 = round(view.x_of(found.start_ns, width)), round(view.x_of(found.end_ns, width))
    shade = QColor(0, 0, 0, 107) if theme.is_dark() else QColor(255, 255, 255, 140)
    painter.fillRect(0, 0, max(0, min(x0, width)), height, shade)
    painter.fillRect(max(0, min(x1, width)), 0, width - max(0, min(x1, width)), height, shade)
    colour = theme.token("focus")
    span = range_heights(area)
    if found.rows is not None and span is not None:
        left, right = max(0, x0), min(width, x1)
        painter.fillRect(left, 0, right - left, max(0, span[0]), shade)
        painter.fillRect(left, max(0, span[1]), right - left, max(0, height - span[1]), shade)
    for x in (x0, x1):
        if not -HANDLE[0] < x < width + HANDLE[0]:
            continue
        painter.fillRect(x, 0, 1, height, colour)
        if span is not None:
            middle = (max(span[0], 0) + min(span[1], height)) / 2
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(x + 0.5 - HANDLE[0] / 2, middle - HANDLE[1] / 2, *HANDLE), 2, 2)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def mask(painter: QPainter, state: TimelineState, width: int, height: int) -> None:
    """The mask of a slice or of an analysis: everything outside it is dimmed over all lanes."""
    span = state.modes.mask_span()
    if span is None:
        return
    view = state.viewport.view
    x0, x1 = (min(max(round(view.x_of(t, width)), 0), width) for t in span)
    shade = QColor(0, 0, 0, 107) if theme.is_dark() else QColor(255, 255, 255, 140)
    painter.fillRect(0, 0, x0, height, shade)
    painter.fillRect(x1, 0, width - x1, height, shade)
    if state.modes.analysis is not None:
        colour = theme.token("warn")
        for x in (x0, x1):
            painter.fillRect(x, 0, 1, height, colour)


def range_heights(area: Area) -> tuple[int, int] | None:
    """Top of the first and bottom of the last lane of the range in the widget; None when no lane of it is shown."""
    found, shown = area.state.range, area.rows
    if found is None:
        return None
    if area.range_known is None or area.range_known[0] is not shown or area.range_known[1] is not found:
        area.range_known = shown, found, _heights(area, found)  # of very many lanes that takes longer than a frame
    span = area.range_known[2]
    return (span[0] - area.scroll, span[1] - area.scroll) if span is not None else None


def _heights(area: Area, found: TimeRange) -> tuple[int, int] | None:
    rows = [row for row in (area.state.shown_row(area.rows, key) for key in found.keys) if row is not None]
    if not rows:
        return None
    if found.rows is not None and rows[0].kind == "lane":
        top = rows[0].y
        return top + found.rows[0] * heights.row, top + (found.rows[1] + 1) * heights.row
    return min(r.y for r in rows), max(r.y + r.height for r in rows)


def slice_rect(area: Area, width: int, chosen: Selected | None = None) -> QRectF | None:
    """Where a slice is drawn, the selected one without another; None when its lane is not shown open."""
    chosen = chosen if chosen is not None else area.state.selected
    if chosen is None:
        return None
    unit = area.state.unit_of_track(chosen.card, chosen.track)
    row = area.rows.of(unit.key) if unit is not None else None
    if row is None:
        return None
    shift, depth = area.state.shift_of(chosen), area.state.depth_of(chosen)
    view = area.state.viewport.view
    x0, x1 = (min(max(view.x_of(t - shift, width), -8.0), width + 8.0) for t in (chosen.start_ns, chosen.end_ns))
    if chosen.end_ns == chosen.start_ns:
        x0, x1 = x0 - CHEVRON / 2, x0 + CHEVRON / 2
    if row.kind == "folded":
        part = (row.height - 4) / max(1, row.unit.depth_rows if row.unit else 1)
        return QRectF(x0, row.y - area.scroll + 2 + depth * part, max(x1 - x0, 2.0), max(part, 2.0))
    return QRectF(x0, row.y - area.scroll + depth * heights.row + 1, max(x1 - x0, 2.0), slice_height())


def selected_slice(painter: QPainter, area: Area, width: int) -> None:
    """The frame of the selected slice: 2 px, white on dark, black on light."""
    rect = slice_rect(area, width)
    if rect is None:
        return
    pen = QPen(QColor("#FFFFFF" if theme.is_dark() else "#0E1013"), 2)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    left, right = round(rect.left()), max(round(rect.right()), round(rect.left()) + 3)
    painter.drawRect(QRectF(left + 1, rect.top() + 1, right - left - 2, rect.height() - 2).normalized())


def cursor_line(painter: QPainter, state: TimelineState, width: int, height: int) -> None:
    """The time at the mouse, over all lanes."""
    at = state.hover.time_ns
    if at is None:
        return
    x = state.viewport.view.x_of(at, width)
    if 0 <= x < width:
        colour = theme.token("focus")
        colour.setAlphaF(0.7)
        painter.fillRect(QRectF(int(x), 0, 1, height), colour)


def box(painter: QPainter, found: tuple[float, float] | None, height: int) -> None:
    """The box of an Alt drag."""
    if found is None:
        return
    colour = theme.token("focus")
    left, right = sorted(found)
    tint = QColor(colour)
    tint.setAlphaF(0.18)
    painter.fillRect(QRectF(left, 0, right - left, height), tint)
    painter.setPen(QPen(colour, 1))
    painter.drawLine(QPointF(round(left), 0), QPointF(round(left), height))
    painter.drawLine(QPointF(round(right), 0), QPointF(round(right), height))


def sticky_card(painter: QPainter, area: Area, width: int, frame: Frame | None) -> None:
    """The card row stays at the top while its lanes scroll below it."""
    row = area.sticky()
    if row is not None:
        painter.fillRect(0, 0, width, heights.group, theme.token("raised"))
        painter.fillRect(0, heights.group - 1, width, 1, theme.token("border"))
    del frame


def counter_tops(painter: QPainter, area: Area, width: int, tops: dict[str, float], labels: Labels) -> None:
    """The largest value of every counter at the right end of its lane."""
    painter.setFont(labels.font)
    metrics = painter.fontMetrics()
    plate = theme.token("canvas")
    plate.setAlphaF(0.75)
    painter.setPen(theme.token("text2"))
    for row in area.visible():
        if row.kind == "counter" and row.unit is not None and row.unit.key in tops:
            most = tops[row.unit.key] / steps.HEADROOM
            text = number_text.number(most, 0 if most >= 100 or most == int(most) else 3)
            text = f"{text} {getattr(row.unit.node, 'unit', '')}".strip()
            room = metrics.horizontalAdvance(text) + 8
            rect = QRectF(width - room - 2, row.y - area.scroll + 2, room, 15)
            painter.fillRect(rect, plate)
            rect.adjust(0, 0, -4, 0)
            painter.drawText(rect, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def reading_text(facts: Any) -> tuple[str, bool]:
    """What is said about a card that is not there yet, and whether that is a failure; `facts` is its import."""
    status = getattr(facts, "status", "")
    if status in ("failed", "cancelled"):
        said = f"{getattr(facts, 'message', '')} {getattr(facts, 'fix', '')}".strip()
        return said or language.tr("This card could not be read."), status == "failed"
    part = read_part(facts)
    if part is None:
        return language.tr("Waiting to be read"), False
    return f"{language.tr('Being read')} · {number_text.percent(part, 0)}", False


def read_part(facts: Any) -> float | None:
    """How much of a card is read, 0–1; None before it begins."""
    progress = getattr(facts, "progress", None)
    return (
        min(1.0, progress.done_bytes / progress.total_bytes) if progress is not None and progress.total_bytes else None
    )


def reading(painter: QPainter, area: Area, width: int, labels: Labels) -> None:
    """Cards that are still being read: density of what is known so far, the rest hatched; failed ones say why."""
    for row in area.visible():
        if row.kind != "reading" or row.unit is None:
            continue
        facts = area.state.context.reading.get(row.unit.card)
        text, failed = reading_text(facts)
        y, height = row.y - area.scroll, row.height - 1
        known = round(width * (read_part(facts) or 0.0))
        _density(painter, facts, QRectF(0, y + 3, known, height - 6))
        painter.fillRect(
            QRectF(known, y, width - known, height), QBrush(theme.token("border"), Qt.BrushStyle.BDiagPattern)
        )
        painter.setFont(labels.font)
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(20, width - 24))
        plate = QRectF(8, y + 2, metrics.horizontalAdvance(shown) + 12, height - 4)
        painter.fillRect(plate, theme.token("errbg" if failed else "raised"))
        painter.setPen(theme.token("error" if failed else "text2"))
        painter.drawText(plate.adjusted(6, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, shown)


def _density(painter: QPainter, facts: Any, rect: QRectF) -> None:
    """How many slices begin where, in what has been read so far."""
    preview = getattr(facts, "preview", None)
    if preview is None or rect.width() < 1:
        return
    most = max(1, int(preview.density.max()))
    step = rect.width() / len(preview.density)
    for at, count in enumerate(preview.density.tolist()):
        if count:
            colour = theme.token("strong")
            colour.setAlphaF(0.25 + 0.75 * count / most)
            painter.fillRect(QRectF(rect.left() + at * step, rect.top(), step, rect.height()), colour)
