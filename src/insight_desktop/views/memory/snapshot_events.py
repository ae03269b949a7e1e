"""The event list: rows painted straight from the columns, so that ten million events scroll like ten."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from insight_desktop.engine.memory.snapshot_data import Device, Snapshot
from insight_desktop.schema_snapshot import OOM
from insight_desktop.views.common import fonts, number_text, theme
from insight_desktop.views.common.language import tr
from insight_desktop.views.memory import snapshot_texts as texts

ROW = 22
_NONE = np.empty(0, np.int64)
_LEAST_ACTION = 72  # px of the name of an action, beside which its address may stand


class EventList(QAbstractScrollArea):
    """Events of a device. Arrows, Page Up and Down, Home and End move; a click chooses.

    Signals:
        event_chosen: index of an event that the user chose.
    """

    event_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._device: Device | None = None
        self._rows: npt.NDArray[np.int64] | None = None  # events that are listed; None: all
        self.hits: npt.NDArray[np.int64] = _NONE
        self.current = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(tr("Events"))
        theme.notifier.changed.connect(self.viewport().update)

    def show_events(self, snapshot: Snapshot, device: Device) -> None:
        """Other data."""
        self._snapshot, self._device, self._rows, self.hits = snapshot, device, None, _NONE
        self.current = -1
        self._fit()

    def set_rows(self, rows: npt.NDArray[np.int64] | None) -> None:
        """List only these events (ascending); None for all."""
        self._rows = rows
        self._fit()
        self.reveal(self.current)

    def set_hits(self, hits: npt.NDArray[np.int64]) -> None:
        """Mark what a search found."""
        self.hits = hits
        self.viewport().update()

    def set_current(self, event: int) -> None:
        """Show an event as the chosen one, without telling it."""
        if event == self.current:
            return
        self.current = event
        self.reveal(event)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many events are listed."""
        if self._device is None:
            return 0
        return self._device.events if self._rows is None else len(self._rows)

    def event_at(self, place: int) -> int:
        """The event of a place in the list."""
        return place if self._rows is None else int(self._rows[place])

    def place_of(self, event: int) -> int:
        """Place of an event, or where it would stand."""
        return event if self._rows is None else int(np.searchsorted(self._rows, event))

    @property
    def row_height(self) -> int:
        """Height of a row."""
        return fonts.scaled(ROW)

    def _fit(self) -> None:
        page = max(1, self.viewport().height() // self.row_height)
        bar = self.verticalScrollBar()
        bar.setPageStep(page)
        bar.setRange(0, max(0, self.count - page))
        self.viewport().update()

    def reveal(self, event: int) -> None:
        """Scroll so that an event is seen."""
        if event < 0 or not self.count:
            self.viewport().update()
            return
        bar, place = self.verticalScrollBar(), min(self.place_of(event), self.count - 1)
        if not bar.value() <= place < bar.value() + bar.pageStep():
            bar.setValue(place - bar.pageStep() // 2)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.reveal(self.current)

    def sizeHint(self) -> QSize:
        return QSize(380, 320)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        height, width = self.row_height, self.viewport().width()
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), theme.token("surface"))
            if self._device is None or self._snapshot is None:
                return
            first = self.verticalScrollBar().value()
            last = min(self.count, first + self.viewport().height() // height + 1)
            marked = set(self.hits[np.searchsorted(self.hits, self.event_at(first)) :][: 10_000].tolist()) if first < last and len(self.hits) else set()  # fmt: skip
            for place in range(first, last):
                box = QRectF(0, (place - first) * height, width, height)
                event = self.event_at(place)
                self._row(painter, box, event, zebra=place % 2 == 1, hit=event in marked)
            if self.hasFocus():
                painter.setPen(QPen(theme.token("focus"), 1))
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def _row(self, painter: QPainter, box: QRectF, event: int, *, zebra: bool, hit: bool) -> None:
        device, snapshot = self._device, self._snapshot
        assert device is not None
        assert snapshot is not None
        chosen = event == self.current
        if chosen:
            painter.fillRect(box, theme.token("sel"))
        elif hit:
            painter.fillRect(box, theme.token("warnbg"))
        elif zebra:
            painter.fillRect(box, theme.token("zebra"))
        ink = theme.token("seltext" if chosen else "text")
        code = int(device.action[event])
        action = snapshot.actions[code]
        small, mono = fonts.ui(fonts.BODY), fonts.mono(fonts.SMALL)
        metrics, digits = QFontMetricsF(small), QFontMetricsF(mono)
        base = box.top() + (box.height() + metrics.ascent() - metrics.descent()) / 2
        painter.fillRect(QRectF(8, box.center().y() - 4, 8, 8), texts.colour_of_action(action))
        painter.setFont(small)
        painter.setPen(ink)
        number = number_text.count(event)
        widest = metrics.horizontalAdvance(number_text.count(max(device.events, 1000)))
        x = 24 + widest
        painter.drawText(QPointF(x - metrics.horizontalAdvance(number), base), number)
        size = texts.size(int(device.column("size")[event]))
        right = box.right() - 8
        painter.drawText(QPointF(right - metrics.horizontalAdvance(size), base), size)
        place = number_text.MISSING if code == OOM else texts.address(int(device.column("address")[event]))
        end = right - metrics.horizontalAdvance("1,000.000 MiB") - 10
        painter.setFont(mono)
        left = end - digits.horizontalAdvance(place)
        room = left - (x + 10) - 8
        if room >= min(metrics.horizontalAdvance(action), fonts.scaled(_LEAST_ACTION)):
            painter.drawText(QPointF(left, base), place)
        else:  # what happened says more than where
            room = end - (x + 10)
        name = metrics.elidedText(action, Qt.TextElideMode.ElideRight, max(24.0, room))
        painter.setFont(small)
        painter.drawText(QPointF(x + 10, base), name)

    # ---- mouse and keys ----------------------------------------------------------------------------------------------

    def _choose(self, place: int) -> None:
        if not self.count:
            return
        event = self.event_at(min(max(place, 0), self.count - 1))
        if event != self.current:
            self.set_current(event)
            self.event_chosen.emit(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._at_mouse(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._at_mouse(event)

    def _at_mouse(self, event: QMouseEvent) -> None:
        place = self.verticalScrollBar().value() + int(event.position().y() // self.row_height)
        if 0 <= place < self.count:
            self._choose(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        place, page = self.place_of(self.current) if self.current >= 0 else -1, self.verticalScrollBar().pageStep()
        moves = {
            Qt.Key.Key_Down: place + 1, Qt.Key.Key_Up: place - 1, Qt.Key.Key_PageDown: place + page,
            Qt.Key.Key_PageUp: place - page, Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.count - 1,
        }  # fmt: skip
        wanted = moves.get(Qt.Key(event.key()))
        if wanted is None:
            super().keyPressEvent(event)
            return
        self._choose(wanted)
