"""The totals below a table: one row in step with its columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.language import tr

Rule = Literal["sum", "min", "max"]
_HEIGHT = 24
_INSET = 10  # as far from the edges as the texts of the cells


class TotalsRow(QWidget):
    """Sums, smallest and largest values of the rows that a table shows.

    Args:
        table: the table above.
        rules: per column what is told of it; columns without a rule stay empty.
    """

    def __init__(self, table: ArrowTable, rules: Mapping[str, Rule], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self.rules = dict(rules)
        self.values: dict[str, Any] = {}
        self._given: dict[str, Any] = {}
        self._text = ""
        self.setFixedHeight(fonts.scaled(_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        header = table.horizontalHeader()
        for signal in (header.sectionResized, header.sectionMoved, header.geometriesChanged):
            signal.connect(lambda *_: self.update())
        table.horizontalScrollBar().valueChanged.connect(lambda _at: self.update())
        table.rows_changed.connect(lambda _shown, _all: self.renew())
        theme.notifier.changed.connect(self._restyle)

    def set_values(self, values: Mapping[str, Any], text: str = "") -> None:
        """Values that the engine knows exactly, such as the union of times, and the words in front."""
        self._given, self._text = dict(values), text
        self.renew()

    def renew(self) -> None:
        """The table shows other rows."""
        table, rows = self.table.table, self.table.shown_rows()
        self.values = {}
        for name, rule in self.rules.items():
            if name in table.column_names:
                column = table.column(name)
                self.values[name] = total_of(column if rows is None else column.take(pa.array(rows)), rule)
        self.values.update(self._given)
        is_told = bool(self.rules or self._given) and table.num_rows > 0
        # A widget without a parent would become a window of its own.
        self.setVisible(is_told and self.parentWidget() is not None)
        self.setAccessibleName(", ".join(self.texts().values()))
        self.update()

    def texts(self) -> dict[str, str]:
        """What is written, by column."""
        specs = self.table.shown_columns()
        found = {s.name: s.cell(self.values[s.name]) for s in specs if s.name in self.values}
        first = next((s for s in specs if s.is_text), None)
        if first is not None:
            found[first.name] = self._text or self._words()
        return found

    def _words(self) -> str:
        rows = self.table.shown_rows()
        count = self.table.table.num_rows
        if rows is None or len(rows) == count:
            return tr("Totals of {n} rows").format(n=number_text.count(count))
        return tr("Totals of {n} of {m} rows").format(n=number_text.count(len(rows)), m=number_text.count(count))

    def sizeHint(self) -> QSize:
        return QSize(200, fonts.scaled(_HEIGHT))

    def _restyle(self) -> None:
        self.setFixedHeight(fonts.scaled(_HEIGHT))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.token("surface"))
            painter.setPen(theme.token("strong"))
            painter.drawLine(0, 0, self.width(), 0)
            painter.setFont(fonts.ui(bold=True))
            painter.setPen(theme.token("text"))
            header = self.table.horizontalHeader()
            texts = self.texts()
            for section, spec in enumerate(self.table.columns):
                if spec.name not in texts or header.isSectionHidden(section):
                    continue
                left, width = header.sectionViewportPosition(section), header.sectionSize(section)
                area = QRect(left + _INSET, 1, width - 2 * _INSET, self.height() - 1)
                if spec.is_text:  # words may run on where the next columns have nothing to say
                    area.setWidth(self._room(section, texts) - 2 * _INSET)
                else:  # and numbers may begin where the columns before are silent: a cut number would be a lie
                    area.setLeft(area.left() - self._room(section, texts, step=-1) + width)
                side = Qt.AlignmentFlag.AlignLeft if spec.is_text else Qt.AlignmentFlag.AlignRight
                elided = painter.fontMetrics().elidedText(texts[spec.name], Qt.TextElideMode.ElideRight, area.width())
                painter.drawText(area, int(side | Qt.AlignmentFlag.AlignVCenter), elided)

    def _room(self, section: int, texts: Mapping[str, str], step: int = 1) -> int:
        """Width of a column with the silent ones behind it, or before it with a step of −1."""
        header, columns = self.table.horizontalHeader(), self.table.columns
        at = header.visualIndex(section)
        width = header.sectionSize(section)
        while 0 <= at + step < header.count():
            at += step
            following = header.logicalIndex(at)
            if columns[following].name in texts and not header.isSectionHidden(following):
                break
            width += header.sectionSize(following)
        return width


def total_of(column: pa.ChunkedArray, rule: Rule) -> Any:
    """Sum, smallest or largest value of a column; None without any."""
    return {"sum": pc.sum, "min": pc.min, "max": pc.max}[rule](column).as_py()
