"""The edit box of a flag and the menu of its colours."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QColorDialog, QDialog, QLineEdit, QMenu, QWidget

from insight_desktop.views.common import parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.flags import COLOURS, NAME_LIMIT, Flags

_SWATCH = 14


def swatch(colour: str, size: int = _SWATCH) -> QIcon:
    """A square of a colour."""
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(0, 0, size, size, 2, 2)
    painter.end()
    return QIcon(pixmap)


def colour_menu(flags: Flags, number: int, parent: QWidget) -> QMenu:
    """The standard colours, those of the user's own, and a picker for others."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for colour in (*COLOURS, *flags.own_colours):
        action = QAction(swatch(colour), colour, menu)
        action.triggered.connect(lambda _=False, colour=colour: flags.change(number, colour=colour))
        menu.addAction(action)
    menu.addSeparator()
    other = QAction(tr("Other colour…"), menu)
    other.triggered.connect(lambda: _pick(flags, number, parent))
    menu.addAction(other)
    return menu


def _pick(flags: Flags, number: int, parent: QWidget) -> None:
    flag = flags.get(number)
    if flag is None:
        return
    colour = QColorDialog.getColor(QColor(flag.colour), parent, tr("Colour of the flag"))
    if colour.isValid():
        flags.change(number, colour=colour.name().upper())


class FlagEdit(QDialog):
    """Name, colour and delete of one flag; goes away with Enter, Esc or a click elsewhere."""

    def __init__(self, flags: Flags, number: int, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.flags, self.number = flags, number
        flag = flags.get(number)
        self.field = QLineEdit(flag.name if flag is not None else "")
        self.field.setMaxLength(NAME_LIMIT)
        self.field.setAccessibleName(tr("Name of the flag"))
        self.field.setMinimumWidth(200)
        self.field.returnPressed.connect(self.close)
        self.field.editingFinished.connect(self._rename)
        self.colour = parts.icon_button("palette", tr("Colour of the flag"), click=self._colours)
        self.trash = parts.icon_button("trash", tr("Delete flag"), click=self._delete)
        row = parts.columns(self, margins=(8, 8, 8, 8), gap=6)
        for widget in (self.colour, self.field, self.trash):
            row.addWidget(widget)
        flags.changed.connect(self._show_colour)
        self._show_colour()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _rename(self) -> None:
        flag = self.flags.get(self.number)
        if flag is not None and self.field.text().strip() not in ("", flag.name):
            self.flags.change(self.number, name=self.field.text())

    def _show_colour(self) -> None:
        flag = self.flags.get(self.number)
        if flag is not None:
            self.colour.setIcon(swatch(flag.colour, 16))

    def _colours(self) -> None:
        colour_menu(self.flags, self.number, self).popup(self.colour.mapToGlobal(QPoint(0, self.colour.height())))

    def _delete(self) -> None:
        self.flags.remove(self.number)
        self.close()

    def done(self, result: int) -> None:
        self._rename()
        super().done(result)


def edit(flags: Flags, number: int, parent: QWidget, at: QPoint) -> FlagEdit:
    """Open the edit box at a global position."""
    box = FlagEdit(flags, number, parent)
    box.move(at)
    box.show()
    return box
