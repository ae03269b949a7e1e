"""The Marker List: all flags by time, with jump, colour, delete, and the time between two of them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCloseEvent, QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QFrame, QMessageBox, QScrollArea, QVBoxLayout, QWidget

from insight_desktop.views.common import number_text, parts, theme
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.flag_edit import colour_menu, swatch
from insight_desktop.views.timeline.flags import Flag, Flags

WIDTH = 400
_HEIGHT = 360


class FlagRow(QFrame):
    """One flag: colour, name, time (a range has two lines), jump, delete."""

    def __init__(self, owner: MarkerList, flag: Flag) -> None:
        super().__init__()
        self.owner, self.flag = owner, flag
        flags = owner.flags
        start, end = flags.span(flag)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("selected", "true" if flag.number == flags.selected else "false")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(flag.name)
        self.colour = parts.icon_button("palette", tr("Colour of the flag"), click=self._colours)
        self.colour.setIcon(swatch(flag.colour))
        self.name = parts.label(flag.name, strong=flag.number == flags.selected)
        self.name.setTextFormat(Qt.TextFormat.PlainText)
        self.name.setToolTip(flag.name)
        self.name.setMinimumWidth(40)
        times = [number_text.ruler(at) for at in (start, end) if at is not None]
        self.time = parts.label("\n".join(times), level=2)
        self.jump = parts.icon_button("arrow-right", tr("Go to this flag"), click=lambda: owner.jump(flag))
        self.trash = parts.icon_button("trash", tr("Delete flag"), click=lambda: flags.remove(flag.number))
        row = parts.columns(self, margins=(8, 2, 8, 2), gap=6)
        row.addWidget(self.colour)
        row.addWidget(self.name, 1)
        for widget in (self.time, self.jump, self.trash):
            row.addWidget(widget)

    def _colours(self) -> None:
        menu = colour_menu(self.owner.flags, self.flag.number, self.owner)
        menu.popup(self.colour.mapToGlobal(QPoint(0, self.colour.height())))

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self.owner.flags.select(self.flag.number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the flag, Space selects it, Delete removes it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.owner.jump(self.flag)
        elif event.key() == Qt.Key.Key_Space:
            self.owner.flags.select(self.flag.number)
        elif event.key() == Qt.Key.Key_Delete:
            self.owner.flags.remove(self.flag.number)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.owner.tell_difference(self.flag)
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(theme.token("focus"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.end()

    def enterEvent(self, _event: QEnterEvent) -> None:
        self.owner.tell_difference(self.flag)

    def leaveEvent(self, _event: object) -> None:
        self.owner.tell_difference(None)


class MarkerList(QDialog):
    """Stays open beside the timeline and follows its flags."""

    def __init__(self, flags: Flags, parent: QWidget, confirm: Callable[[], bool] | None = None) -> None:
        super().__init__(parent)
        self.flags = flags
        self._confirm = confirm or self._ask
        self.rows: list[FlagRow] = []
        self.list = QVBoxLayout()
        self.list.setContentsMargins(0, 0, 0, 0)
        self.list.setSpacing(1)
        inside = QWidget()
        inside.setObjectName("surface")
        inside.setLayout(self.list)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        self.difference = parts.label(level=2)
        self.empty = parts.label(level=3)
        self.empty.setWordWrap(True)
        self.empty.setMargin(16)
        self.clear = parts.button("", click=self.clear_all)
        foot = parts.columns(margins=(12, 6, 12, 8))
        foot.addWidget(self.difference, 1)
        foot.addWidget(self.clear)
        box = parts.rows(self)
        box.addWidget(self.empty)
        box.addWidget(area, 1)
        box.addLayout(foot)
        self.resize(WIDTH, _HEIGHT)
        self.setMinimumWidth(WIDTH)
        flags.changed.connect(self.fill)
        flags.state.rows_changed.connect(self._moved)
        self.fill()

    def fill(self) -> None:
        """All rows anew."""
        held = next((row.flag.number for row in self.rows if row.hasFocus()), None)
        parts.clear(self.list)
        self.rows = [FlagRow(self, flag) for flag in self.flags.shown()]
        for row in self.rows:
            self.list.addWidget(row)
        self.list.addStretch(1)
        for row in self.rows:
            if row.flag.number == held:
                row.setFocus()
        chosen = self.flags.get(self.flags.selected)
        self.setWindowTitle(chosen.name if chosen is not None else tr("Marker List"))
        self.empty.setText(tr("No flags yet. Click the row below the time axis, or press K."))
        self.empty.setVisible(not self.rows)
        self.clear.setText(tr("Clear"))
        self.clear.setEnabled(bool(self.flags.all))
        self.tell_difference(None)

    def _moved(self) -> None:
        if self.isVisible():
            self.fill()

    def tell_difference(self, other: Flag | None) -> None:
        """The time between the selected flag and the one below the mouse."""
        chosen = self.flags.get(self.flags.selected)
        text = ""
        if chosen is not None and other is not None and other.number != chosen.number:
            text = tr("Time difference {0}").format(number_text.duration(abs(self.flags.difference(chosen, other))))
        self.difference.setText(text)

    def jump(self, flag: Flag) -> None:
        """Bring a flag to the middle when it is not on screen."""
        viewport = self.flags.state.viewport
        start, end = self.flags.span(flag)
        view = viewport.view
        if not view.first_ns <= start < view.last_ns:
            viewport.settle()
            viewport.centre(start if end is None else (start + end) // 2)
        self.flags.select(flag.number)

    def clear_all(self) -> None:
        """Remove all flags after a question."""
        if self.flags.all and self._confirm():
            self.flags.clear()

    def _ask(self) -> bool:
        box = QMessageBox(self)
        box.setWindowTitle(tr("Marker List"))
        box.setText(tr("Remove all flags?"))
        yes = box.addButton(tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(tr("Keep"), QMessageBox.ButtonRole.RejectRole))
        box.exec()
        return box.clickedButton() is yes

    def closeEvent(self, event: QCloseEvent) -> None:
        self.tell_difference(None)
        super().closeEvent(event)
