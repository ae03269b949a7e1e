"""The banks of an on-chip memory at one line: 16 groups of three banks, 128 rows each, coloured by what lives in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from insight_desktop.engine.operator import banks
from insight_desktop.engine.operator.banks import BANKS, GROUPS, ROWS
from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.language import tr
from insight_desktop.views.operator.plan_chart import kilobytes

Row = Mapping[str, Any]
_HEAD, _TITLE, _GAP, _MARGIN = 20, 15, 6, 10
_ACROSS, _DOWN = GROUPS, BANKS // GROUPS


class BankMap(QWidget):
    """Signals:
    block_clicked: id of a block.
    """

    block_clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[Row] = ()
        self.colours: Mapping[str, QColor] = {}
        self.chosen = ""
        self.placed: list[tuple[banks.Cell, str]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(fonts.scaled(480), fonts.scaled(220))
        self.setMouseTracking(True)
        parts.repaint_on_theme(self)

    def sizeHint(self) -> QSize:
        return QSize(fonts.scaled(900), fonts.scaled(300))

    def show_rows(self, rows: Sequence[Row], colours: Mapping[str, QColor]) -> None:
        """Blocks that live now, with the colours of their ids."""
        self.rows, self.colours = rows, colours
        self.placed = [
            (cell, str(row["id"])) for row in rows for cell in banks.cells(row["address_bytes"], row["size_bytes"])
        ]
        self.update()

    def choose(self, block: str) -> None:
        """Make the cells of a block stand out; empty for none."""
        self.chosen = block
        self.update()

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def bank_box(self, bank: int) -> QRectF:
        """Where the rows of a bank are."""
        wide = (self.width() - 2 * _MARGIN - (_ACROSS - 1) * _GAP) / _ACROSS
        head, title = fonts.scaled(_HEAD), fonts.scaled(_TITLE)
        tall = (self.height() - head - _MARGIN - (_DOWN - 1) * _GAP) / _DOWN - title
        x = _MARGIN + bank % GROUPS * (wide + _GAP)
        y = head + bank // GROUPS * (tall + title + _GAP) + title
        return QRectF(x, y, wide, max(tall, 8.0))

    def cell_box(self, cell: banks.Cell) -> QRectF:
        """Where a cell is, on whole pixels from top to bottom; at least 1 % of the bank high."""
        box = self.bank_box(cell.bank)
        top = round(box.top() + cell.row * box.height() / ROWS)
        below = round(box.top() + (cell.row + 1) * box.height() / ROWS)
        high = max(below - top, round(box.height() / 100), 1)
        return QRectF(box.left() + cell.left * box.width(), top, cell.width * box.width(), high)

    def place_at(self, x: float, y: float) -> tuple[int, int, float] | None:
        """Bank, row and part of the row's width at a point."""
        for bank in range(BANKS):
            box = self.bank_box(bank)
            if box.contains(x, y):
                row = min(int((y - box.top()) / box.height() * ROWS), ROWS - 1)
                return bank, row, (x - box.left()) / box.width()
        return None

    def block_at(self, x: float, y: float) -> str:
        """Id of the block at a point; empty for none."""
        found = self.place_at(x, y)
        if found is None:
            return ""
        bank, row, across = found
        for cell, block in reversed(self.placed):
            if (cell.bank, cell.row) == (bank, row) and cell.left <= across <= cell.left + cell.width:
                return block
        return ""

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.token("canvas"))
            painter.setFont(fonts.ui(fonts.SMALL))
            centre = int(Qt.AlignmentFlag.AlignCenter)
            for group in range(GROUPS):
                box = self.bank_box(group)
                painter.setPen(theme.token("text2"))
                above = QRectF(box.left(), 0, box.width(), fonts.scaled(_HEAD))
                painter.drawText(above, centre, self._elided(painter, tr("Group {0}").format(group), box.width()))
            for bank in range(BANKS):
                box = self.bank_box(bank)
                painter.fillRect(box, theme.token("raised"))
                painter.setPen(theme.token("text3"))
                title = fonts.scaled(_TITLE)
                text = self._elided(painter, tr("Bank {0}").format(bank), box.width())
                painter.drawText(QRectF(box.left(), box.top() - title, box.width(), title), centre, text)
            self._paint_cells(painter)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.token("border"), 1))
            for bank in range(BANKS):
                painter.drawRect(self.bank_box(bank).adjusted(-0.5, -0.5, 0.5, 0.5))

    def _paint_cells(self, painter: QPainter) -> None:
        ground = theme.token("raised")
        stands_out = any(
            block == self.chosen for _, block in self.placed
        )  # a block that lives at another line does not
        for cell, block in self.placed:
            fill = self.colours.get(block, theme.token("strong"))
            painter.fillRect(
                self.cell_box(cell), fill if not stands_out or block == self.chosen else _mixed(fill, ground)
            )

    @staticmethod
    def _elided(painter: QPainter, text: str, width: float) -> str:
        return painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(width))

    # ---- mouse -------------------------------------------------------------------------------------------------------

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        block = self.block_at(event.position().x(), event.position().y())
        if block:
            self.block_clicked.emit(block)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos().x(), event.pos().y()), self)
            return True
        return super().event(event)

    def tip_at(self, x: float, y: float) -> str:
        """What is at a point: bank and row, and the block that lives there."""
        found = self.place_at(x, y)
        if found is None:
            return ""
        bank, row, _ = found
        lines = [tr("Bank {0}, row {1}").format(bank, row)]
        block = self.block_at(x, y)
        known = next((r for r in self.rows if str(r["id"]) == block), None)
        if known is not None:
            size, address = kilobytes(known["size_bytes"]), kilobytes(known["address_bytes"])
            lines.append(f"ID {block} · {known['buffer']}")
            lines.append(tr("{0} at {1}").format(size, address))
        return "\n".join(lines)


def _mixed(fill: QColor, ground: QColor) -> QColor:
    """A colour that stands back: cells that share a pixel must not add up, so it is opaque."""
    return QColor(*(round(0.4 * a + 0.6 * b) for a, b in zip(fill.getRgb()[:3], ground.getRgb()[:3], strict=True)))  # type: ignore[index]
