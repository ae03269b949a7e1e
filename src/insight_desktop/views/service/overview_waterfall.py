"""Waterfall cells: where the time of every request went, drawn to one scale."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from insight_desktop.schema_service import PARTS
from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.arrow_model import ArrowModel
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr

PART_TITLES = {
    "frontend": QT_TRANSLATE_NOOP("insight", "frontend"), "queue": QT_TRANSLATE_NOOP("insight", "queue"),
    "prefill": QT_TRANSLATE_NOOP("insight", "prefill"), "decode": QT_TRANSLATE_NOOP("insight", "decode"),
    "stalled": QT_TRANSLATE_NOOP("insight", "stalled"), "tail": QT_TRANSLATE_NOOP("insight", "tail"),
}  # fmt: skip
Segment = tuple[str, int, int]


def segments_of(row: dict[str, Any], stalls: list[tuple[int, int]]) -> list[Segment]:
    """(part, start, end) in ns since the request began, from a row of `service.requests.list`."""
    begin = row["start_ns"]
    if begin is None:
        return []
    at, out = 0, []
    for part in ("frontend", "queue"):
        length = row[f"part_{part}_ns"]
        out.append((part, at, at + length))
        at += length
    inside = [(a - begin, b - begin) for a, b in stalls]
    first = row["first_token_ns"]
    cut = max(at, first - begin) if first is not None else at + row["part_prefill_ns"] + row["part_stalled_ns"]
    out.append(("prefill", at, cut))
    tail = row["part_tail_ns"]
    every = sum(row[f"part_{part}_ns"] for part in PARTS)
    out.append(("decode", cut, max(cut, every - tail)))
    out += [("stalled", a, b) for a, b in inside if b > a]
    out.append(("tail", max(cut, every - tail), every))
    return [segment for segment in out if segment[2] > segment[1]]


class WaterfallDelegate(QStyledItemDelegate):
    """Paints the bar of a row; `longest_ns` is the width of the column.

    Attributes:
        stalls: times of preemptions by request.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.longest_ns = 1
        self.stalls: dict[str, list[tuple[int, int]]] = {}
        self._kept: dict[int, list[Segment]] = {}
        self._table: Any = None

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        widget = option.widget
        style = widget.style() if widget is not None else None
        if style is not None:
            style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, widget)
        model = index.model()
        if not isinstance(model, ArrowModel):
            return
        paint_segments(
            painter, QRectF(option.rect.adjusted(8, 0, -8, 0)), self._segments(model, index.row()), self.longest_ns
        )

    def _segments(self, model: ArrowModel, row: int) -> list[Segment]:
        if self._table is not model.table:
            self._table, self._kept = model.table, {}
        source = model.source_row(row)
        if source not in self._kept:
            found = model.table.slice(source, 1).to_pylist()[0]
            self._kept[source] = segments_of(found, self.stalls.get(found["rid"], []))
        return self._kept[source]


def paint_segments(painter: QPainter, area: QRectF, segments: list[Segment], longest: int) -> None:
    """Bars of parts; every part that has any length gets a pixel."""
    height = fonts.scaled(10)
    top = round(area.center().y() - height / 2)
    for part, start, end in segments:
        left = area.left() + area.width() * start / longest
        right = area.left() + area.width() * end / longest
        painter.fillRect(QRectF(left, top, max(1.0, right - left), height), theme.meaning(part))


class ChipDelegate(QStyledItemDelegate):
    """Limits that are not met, as words on red."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        widget = option.widget
        if widget is not None:
            widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, widget)
        text = str(index.data(Qt.ItemDataRole.DisplayRole) or "")
        if not text:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(fonts.ui(fonts.SMALL))
        metrics = painter.fontMetrics()
        area = QRectF(option.rect.adjusted(8, 3, -4, -3))
        area.setWidth(min(area.width(), metrics.horizontalAdvance(text) + 12))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.token("errbg"))
        painter.drawRoundedRect(area, 3, 3)
        painter.setPen(theme.token("error"))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, round(area.width()) - 8)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), shown)
        painter.restore()


class PartLegend(QWidget):
    """Names of the parts with their colours."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        parts.repaint_on_theme(self)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = sum(metrics.horizontalAdvance(tr(t)) + 30 for t in PART_TITLES.values())
        return QSize(width, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, _event: Any) -> None:
        with QPainter(self) as painter:
            metrics, x = self.fontMetrics(), 0
            for part, title in PART_TITLES.items():
                text = tr(title)
                width = metrics.horizontalAdvance(text)
                if x + 18 + width > self.width():
                    break
                painter.fillRect(QRectF(x, self.height() / 2 - 4, 12, 8), theme.meaning(part))
                painter.setPen(theme.token("text2"))
                area = QRectF(x + 18, 0, width + 2, self.height())
                painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
                x += width + 30
