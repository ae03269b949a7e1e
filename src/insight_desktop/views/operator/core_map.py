"""Core occupancy: one card per core with its parts, coloured by how far they are from the average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QToolTip, QWidget

from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.operator import operator_colours

Row = Mapping[str, Any]
METRICS = ("cycles", "throughput", "hit_rate", "simt")
_LEAST, _GAP, _PAD = 66, 5, 4
_BOXES = ("cube0", "vector0", "vector1")


class CoreArea(QWidget):
    """The painted cards.

    Signals:
        core_chosen: number of the card, −1 for none.
    """

    core_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: list[tuple[int, dict[str, Row]]] = []
        self.boxes: tuple[str, ...] = _BOXES
        self.chosen = -1
        self.low_is_bad = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.notifier.changed.connect(self._fit)

    def show_rows(self, rows: Sequence[Row], *, low_is_bad: bool) -> None:
        """Show rows of `operator.details.core_load`."""
        cards: dict[int, dict[str, Row]] = {}
        names: dict[int, int] = {}
        for row in rows:
            held = cards.setdefault(row["card"], {})
            names[row["card"]] = row["shown"]
            if row["sub_core"]:
                held[row["sub_core"]] = row
        self.cards = [(names[card], cards[card]) for card in sorted(cards)]
        used = {name for _, held in self.cards for name in held}
        others = sorted(used - set(_BOXES))
        kinds = {name.rstrip("0123456789") for name in used}
        own = tuple(name for name in _BOXES if name.rstrip("0123456789") in kinds)
        self.boxes = (*own, *others) or _BOXES
        self.low_is_bad = low_is_bad
        self.chosen = self.chosen if self.chosen < len(self.cards) else -1
        self._fit()

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def per_row(self, width: float) -> int:
        """Cards in a row: as many as fit, in rows of equal length."""
        most = max(1, int((width + _GAP - 2 * _PAD) // (self._least() + _GAP)))
        count = max(1, len(self.cards))
        lines = -(-count // most)
        return min(most, -(-count // lines)) if count <= 4 * most else most

    def _least(self) -> float:
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        texts = [self._text(name, row) for _, held in self.cards[:200] for name, row in held.items()]
        return max(fonts.scaled(_LEAST), max((metrics.horizontalAdvance(t) for t in texts), default=0.0) + 12)

    def card_size(self, width: float) -> tuple[float, float]:
        """Width and height of a card."""
        count = self.per_row(width)
        each = min(170.0, (width - 2 * _PAD - (count - 1) * _GAP) / count)
        line = fonts.scaled(18)
        return each, line + 4 + len(self.boxes) * (line + 3) + 3

    def place(self, at: int, width: float) -> QRectF:
        """Where a card stands."""
        count = self.per_row(width)
        wide, high = self.card_size(width)
        return QRectF(_PAD + at % count * (wide + _GAP), _PAD + at // count * (high + _GAP), wide, high)

    def _fit(self) -> None:
        high = self.place(max(0, len(self.cards) - 1), max(self.width(), 200)).bottom() + _PAD
        self.setMinimumHeight(round(high))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(640, self.minimumHeight())

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter, self.width(), self.height(), QRectF(event.rect()))

    def paint(self, painter: QPainter, width: float, height: float, part: QRectF | None = None) -> None:
        """The cards in any size; only those in `part` when it is given."""
        painter.fillRect(QRectF(0, 0, width, height), theme.token("canvas"))
        painter.setFont(fonts.ui(fonts.SMALL))
        for at, (core, held) in enumerate(self.cards):
            place = self.place(at, width)
            if part is None or place.intersects(part):
                self._paint_card(painter, place, at, core, held)

    def _paint_card(self, painter: QPainter, place: QRectF, at: int, core: int, held: Mapping[str, Row]) -> None:
        chosen = at == self.chosen
        painter.setPen(QPen(theme.token("focus" if chosen and self.hasFocus() else "text" if chosen else "border"), 1))
        painter.setBrush(theme.token("surface"))
        painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        line = fonts.scaled(18)
        painter.setFont(fonts.ui(fonts.SMALL, bold=chosen))
        painter.setPen(theme.token("text" if held else "text3"))
        painter.drawText(
            QRectF(place.left() + 6, place.top() + 2, place.width() - 12, line),
            Qt.AlignmentFlag.AlignVCenter,
            f"Core {core}",
        )
        painter.setFont(fonts.ui(fonts.SMALL))
        metrics = QFontMetricsF(painter.font())
        for i, name in enumerate(self.boxes):
            box = QRectF(place.left() + 4, place.top() + line + 4 + i * (line + 3), place.width() - 8, line)
            row = held.get(name)
            fill = operator_colours.level(row["level"] if row is not None else 0, low_is_bad=self.low_is_bad)
            painter.fillRect(box, fill if row is not None else theme.token("canvas"))
            if row is None:
                continue
            painter.setPen(theme.ink_for(fill) if fill != theme.token("hover") else theme.token("text"))
            text = metrics.elidedText(self._text(name, row), Qt.TextElideMode.ElideRight, box.width() - 4)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _text(self, name: str, row: Row) -> str:
        short = f"{name[0].upper()}{name[-1]}" if name[-1:].isdigit() else name
        value = str(row["text"] if row["text"] is not None else "–")
        shown = f"{int(value):,}" if value.isdigit() else value
        held = row.get("baseline")
        return f"{short} {shown}({held})" if held is not None else f"{short} {shown}"

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def card_at(self, at: QPointF) -> int:
        """Card under a place, −1 for none."""
        return next((i for i in range(len(self.cards)) if self.place(i, self.width()).contains(at)), -1)

    def choose(self, at: int) -> None:
        """Choose a card, or none."""
        if at != self.chosen:
            self.chosen = at
            self.update()
            self.core_chosen.emit(at)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus()
        found = self.card_at(event.position())
        self.choose(-1 if found == self.chosen else found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: self.per_row(self.width()),
                Qt.Key.Key_Up: -self.per_row(self.width())}.get(Qt.Key(event.key()))  # fmt: skip
        if step is None or not self.cards:
            super().keyPressEvent(event)
            return
        wanted = self.chosen + step if self.chosen >= 0 else 0
        self.choose(min(max(wanted, 0), len(self.cards) - 1))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.tip_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), text, self) if text else QToolTip.hideText()
            return True
        return super().event(event)

    def tip_at(self, at: QPointF) -> str:
        """Core, part, value and level under the mouse."""
        found = self.card_at(at)
        if found < 0:
            return ""
        core, held = self.cards[found]
        if not held:
            return tr("Core {0} was not used").format(core)
        lines, level = [f"Core {core}"], tr("Level")
        for name, row in held.items():
            own = f" (core {row['core']})" if row["core"] != core else ""
            lines.append(f"{name}{own}: {row['text']}, {level} {row['level']}")
        return "\n".join(lines)


class LevelLegend(QWidget):
    """Ten levels from fewer to more than the average."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.notifier.changed.connect(self.update)

    def _words(self) -> tuple[str, str]:
        return tr("fewer"), tr("more than average")

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
        return QSize(round(sum(metrics.horizontalAdvance(w) for w in self._words()) + 10 * 15 + 14), fonts.scaled(20))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setFont(fonts.ui(fonts.SMALL))
            metrics = QFontMetricsF(painter.font())
            first, last = self._words()
            base = (self.height() + metrics.ascent() - metrics.descent()) / 2
            painter.setPen(theme.token("text2"))
            painter.drawText(QPointF(0, base), first)
            x = metrics.horizontalAdvance(first) + 7
            for i, colour in enumerate(operator_colours.levels()):
                painter.fillRect(QRectF(x + i * 15, self.height() / 2 - 5, 13, 10), QColor(colour))
            painter.drawText(QPointF(x + 150 + 5, base), last)


class CoreMap(ChartBox):
    """Core occupancy in its panel.

    Signals:
        metric_changed: cycles, throughput, hit_rate or simt.
        core_chosen: number of a card, −1 for none.
    """

    metric_changed = Signal(str)
    core_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.area = CoreArea()
        self.scroll_area = QScrollArea()
        self.scroll_area.setWidget(self.area)
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        parts.rows(self.content).addWidget(self.scroll_area)
        self.legend = LevelLegend()
        self.metric_box = Select()
        for metric in METRICS:
            self.metric_box.addItem(metric, metric)
        at = self.head_row.indexOf(self.note)
        self.head_row.insertWidget(at, self.metric_box)
        self.head_row.insertWidget(at, self.legend)
        self.metric_box.currentIndexChanged.connect(lambda _i: self.metric_changed.emit(self.shown_metric))
        self.area.core_chosen.connect(self.core_chosen)
        self._say_metrics()

    @property
    def shown_metric(self) -> str:
        """What the cards show."""
        return str(self.metric_box.currentData() or "cycles")

    def set_metric(self, metric: str) -> None:
        """Show another figure."""
        self.metric_box.setCurrentIndex(max(0, self.metric_box.findData(metric)))

    def retranslate(self) -> None:
        super().retranslate()
        if hasattr(self, "metric_box"):
            self._say_metrics()

    def _say_metrics(self) -> None:
        titles = {"cycles": tr("Cycles"), "throughput": tr("Throughput"), "hit_rate": tr("Cache Hit Rate(%)"),
                  "simt": tr("SIMT VF Instructions")}  # fmt: skip
        for i in range(self.metric_box.count()):
            self.metric_box.setItemText(i, titles[str(self.metric_box.itemData(i))])
        self.metric_box.setAccessibleName(tr("Show As"))
        self.legend.updateGeometry()
        self.legend.update()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show rows of `operator.details.core_load`."""
        self.area.show_rows(rows, low_is_bad=self.shown_metric == "hit_rate")
        self.set_empty(None)

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        self.area.paint(painter, width, height)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        rows = [dict(row) for _, held in self.area.cards for row in held.values()]
        names = ("core", "sub_core", "value", "level")
        table = pa.table({name: pa.array([row.get(name) for row in rows]) for name in names})
        return table, [
            ColumnSpec("core", tr("Core"), kind="id"), ColumnSpec("sub_core", tr("Part")),
            ColumnSpec("value", self.metric_box.currentText(), kind="number"), ColumnSpec("level", tr("Level"), kind="id"),
        ]  # fmt: skip

    def summary(self) -> str:
        used = [row for _, held in self.area.cards for row in held.values()]
        far = [f"{row['sub_core']} of core {row['core']}" for row in used if row["level"] and row["level"] >= 7]
        none = tr("no part is far above the average")
        return f"{self.title}: {', '.join(far[:5]) or none}"
