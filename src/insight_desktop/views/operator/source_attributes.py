"""Attributes of source lines beside the code: one column per figure of the collector, and the share of the hottest one."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QScrollBar, QToolTip, QWidget

from insight_desktop.ingest.formats import operator_instructions as layout
from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.operator import source_cells
from insight_desktop.views.operator.source_cells import SHARE
from insight_desktop.views.operator.source_model import CodeModel, wheel


class AttributePane(QWidget):
    """A row per line of code; scrolled with the code."""

    def __init__(self, model: CodeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.left = 0
        self.columns: list[tuple[str, int]] = []  # name, type code
        self.widths: list[int] = []
        self.across = QScrollBar(Qt.Orientation.Horizontal, self)
        self.across.valueChanged.connect(self._scrolled)
        self.setMinimumWidth(fonts.scaled(50))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        model.changed.connect(self.update)
        theme.notifier.changed.connect(self.renew)

    def renew(self) -> None:
        """Other figures."""
        loaded = self.model.loaded
        self.columns = []
        if loaded is not None:
            known = loaded.line_table.column_names if loaded.line_table is not None else []
            self.columns = [(n, code) for n, code in loaded.code.line_columns() if n in known]
            if loaded.heat_name:  # the page's own column stands behind the figure that it is the share of
                at = [n for n, _ in self.columns].index(loaded.heat_name)
                self.columns.insert(at + 1, (SHARE, layout.PERCENT))
        metrics = QFontMetricsF(fonts.ui(bold=True))
        self.widths = [
            fonts.scaled(source_cells.width_of(name, code, metrics, self.heading(name))) for name, code in self.columns
        ]
        self._fit()
        self.update()

    def heading(self, name: str) -> str:
        """Title of a column: the collector's name; the page's own share names what it is of."""
        loaded = self.model.loaded
        return f"{loaded.heat_name} (%)" if name == SHARE and loaded is not None else name

    def wanted_width(self) -> int:
        """Room for all columns."""
        return sum(self.widths)

    def text(self, line: int, name: str) -> str:
        """Text of a cell; line from 0."""
        value, code = self.value(line, name), dict(self.columns).get(name, layout.TEXT)
        if name == SHARE:
            return number_text.number(value, 1) if value else ""
        return source_cells.text_of(value, code)

    def value(self, line: int, name: str) -> Any:
        """Value of a cell; None without a record."""
        loaded, record = self.model.loaded, self.model.record(line)
        if loaded is None or record < 0 or loaded.line_table is None:
            return None
        if name == SHARE:
            return float(loaded.shares[line]) * 100 if line < len(loaded.shares) else None
        column: pa.ChunkedArray = loaded.line_table[name]
        return column[record].as_py()

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def _fit(self) -> None:
        high = self.across.sizeHint().height()
        self.across.setGeometry(0, self.height() - high, self.width(), high)
        self.across.setRange(0, max(0, self.wanted_width() - self.width()))
        self.across.setPageStep(max(1, self.width()))
        self.across.setVisible(self.across.maximum() > 0)

    def _scrolled(self, value: int) -> None:
        self.left = value
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def column_at(self, x: float) -> int:
        """Column at a place; −1 for none."""
        at = -float(self.left)
        for i, width in enumerate(self.widths):
            if at <= x < at + width:
                return i
            at += width
        return -1

    # ---- events ------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.model.click(self.model.line_at(event.position().y()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        wheel(self.model, event, self.across)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self._tip(event.pos().x(), event.pos().y()), self)
            return True
        return super().event(event)

    def _tip(self, x: int, y: int) -> str:
        at = self.column_at(x)
        if at < 0:
            return ""
        name, code = self.columns[at]
        if y < self.model.head_height:
            return self.heading(name)
        line = self.model.line_at(y)
        value = self.value(line, name) if line >= 0 else None
        if code == layout.DETAILS:
            return source_cells.stall_tip(value)
        return f"{self.heading(name)}: {self.text(line, name)}" if value is not None else ""

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        model = self.model
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.token("canvas"))
            painter.setFont(fonts.ui())
            for line in model.visible():
                self._paint_line(painter, line)
            if self.across.isVisible():
                painter.fillRect(0, self.across.y(), self.width(), self.across.height(), theme.token("canvas"))
            self._paint_head(painter)
            painter.setPen(theme.token("border"))
            painter.drawLine(0, 0, 0, self.height())

    def _paint_line(self, painter: QPainter, line: int) -> None:
        y, high = self.model.y_of(line), self.model.row_height
        chosen = line + 1 == self.model.selected
        if chosen:
            painter.fillRect(0, y, self.width(), high, theme.token("sel"))
        x = -float(self.left)
        for (name, code), width in zip(self.columns, self.widths, strict=True):
            if x + width > 0 and x < self.width():
                painter.setPen(theme.token("grid"))
                painter.drawLine(round(x) + width - 1, y, round(x) + width - 1, y + high)
                self._paint_cell(painter, QRectF(x, y, width, high), line, (name, code), chosen=chosen)
            x += width

    def _paint_cell(self, painter: QPainter, box: QRectF, line: int, column: tuple[str, int], *, chosen: bool) -> None:
        name, code = column
        value = self.value(line, name)
        if value is None:
            return
        text = self.text(line, name)
        if name == SHARE:
            source_cells.paint_share(painter, box, self.model.heat(line), text, on_selection=chosen)
        elif code == layout.DETAILS:
            source_cells.paint_stall(painter, box, value, on_selection=chosen)
        elif code == layout.PERCENT and value >= 0:
            source_cells.paint_percent(painter, box, value, text, on_selection=chosen)
        else:
            painter.setPen(theme.token("seltext" if chosen else "text"))
            side = Qt.AlignmentFlag.AlignLeft if code == layout.TEXT else Qt.AlignmentFlag.AlignRight
            inner = box.adjusted(8, 0, -10, 0)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(inner.width()))
            painter.drawText(inner, int(side | Qt.AlignmentFlag.AlignVCenter), shown)

    def _paint_head(self, painter: QPainter) -> None:
        high = self.model.head_height
        painter.fillRect(0, 0, self.width(), high, theme.token("raised"))
        painter.setFont(fonts.ui(bold=True))
        x = -float(self.left)
        for (name, code), width in zip(self.columns, self.widths, strict=True):
            right = code in (layout.INT, layout.FLOAT)
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            painter.setPen(theme.token("border"))
            painter.drawLine(round(x) + width - 1, 0, round(x) + width - 1, high)
            painter.setPen(theme.token("text2"))
            inner = QRectF(x + 8, 0, width - 18, high - 1)
            shown = painter.fontMetrics().elidedText(
                self.heading(name), Qt.TextElideMode.ElideRight, int(inner.width())
            )
            painter.drawText(inner, int(side | Qt.AlignmentFlag.AlignVCenter), shown)
            x += width
        painter.setPen(theme.token("border"))
        painter.drawLine(0, high - 1, self.width(), high - 1)
