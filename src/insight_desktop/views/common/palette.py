"""The command palette: every command by a few letters of its name, the last used ones first."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from insight_desktop.views.common import fonts, settings, theme
from insight_desktop.views.common.language import tr

RECENT = "palette_recent"
_KEPT = 12
_WIDTH, _ROWS, _ROW = 620, 14, 28


@dataclass(frozen=True)
class Entry:
    """One line: what it is called, where it belongs, its keys, and what it does. Texts are in the current language."""

    id: str
    text: str
    group: str
    keys: str
    run: Callable[[], object]


def score(wanted: str, text: str) -> int | None:
    """How well letters fit a text: larger is better, None when they do not come in this order.

    A whole part of the text counts most, at the start of a word more; scattered letters count by how many of them begin
    a word or stand next to the one before.
    """
    needle, hay = "".join(wanted.lower().split()), text.lower()
    if not needle:
        return 0
    whole = hay.find(wanted.lower().strip())
    if whole >= 0:
        return 10_000 - whole + (5_000 if whole == 0 or not hay[whole - 1].isalnum() else 0)
    points, at = 0, -1
    for letter in needle:
        found = hay.find(letter, at + 1)
        if found < 0:
            return None
        points += 20 if found == 0 or not hay[found - 1].isalnum() else 10 if found == at + 1 else 0
        at = found
    return points - len(hay) // 10


def recent() -> list[str]:
    """Ids of the commands that were used last, newest first."""
    try:
        found = json.loads(settings.read(RECENT, "[]"))
    except ValueError:
        return []
    return [str(i) for i in found] if isinstance(found, list) else []


def ranked(entries: Sequence[Entry], wanted: str) -> list[Entry]:
    """The entries that fit, best first; without letters the last used ones, then all in their order."""
    used = {name: place for place, name in enumerate(recent())}
    found = []
    for place, entry in enumerate(entries):
        own = score(wanted, entry.text)
        other = score(wanted, f"{entry.group} {entry.text}")
        points = max((p for p in (own, None if other is None else other - 2_000) if p is not None), default=None)
        if points is not None:
            found.append((-points, used.get(entry.id, len(used)), place, entry))
    return [row[-1] for row in sorted(found, key=lambda row: row[:3])]


class Palette(QDialog):
    """Type, choose with the arrow keys, Enter runs. The command runs when the palette is closed."""

    def __init__(self, entries: Sequence[Entry], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.entries = entries
        self.chosen: Entry | None = None
        self.field, self.list = QLineEdit(), QListWidget()
        self.field.setPlaceholderText(tr("Type a command"))
        self.field.setAccessibleName(tr("Type a command"))
        self.field.textChanged.connect(self.fill)
        self.field.installEventFilter(self)
        self.list.setAccessibleName(tr("Commands"))
        self.list.setItemDelegate(_Line(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(lambda _item: self.run())
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 10, 10, 10)
        box.setSpacing(8)
        box.addWidget(self.field)
        box.addWidget(self.list, 1)
        self.setWindowTitle(tr("Command palette"))
        self.resize(fonts.scaled(_WIDTH), fonts.scaled(_ROW * _ROWS + 60))
        if parent is not None:
            self.move(parent.mapToGlobal(parent.rect().center()).x() - self.width() // 2, parent.mapToGlobal(parent.rect().topLeft()).y() + 60)  # fmt: skip
        self.fill("")
        self.field.setFocus()

    def fill(self, wanted: str) -> None:
        """Show what fits."""
        self.list.clear()
        for entry in ranked(self.entries, wanted):
            item = QListWidgetItem(entry.text)
            item.setData(Qt.ItemDataRole.UserRole, entry)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.text}, {entry.group}, {entry.keys}")
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def texts(self) -> list[str]:
        """The lines as they stand."""
        return [self.list.item(row).text() for row in range(self.list.count())]

    def run(self) -> None:
        """Close and run the current line."""
        item = self.list.currentItem()
        if item is None:
            return
        entry: Entry = item.data(Qt.ItemDataRole.UserRole)
        self.chosen = entry
        used = [entry.id, *(name for name in recent() if name != entry.id)]
        settings.write(RECENT, json.dumps(used[:_KEPT]))
        self.accept()
        entry.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _ROWS, Qt.Key.Key_PageUp: -_ROWS}
            if event.key() in step and self.list.count():
                at = self.list.currentRow() + step[Qt.Key(event.key())]
                one = abs(step[Qt.Key(event.key())]) == 1
                self.list.setCurrentRow(at % self.list.count() if one else max(0, min(at, self.list.count() - 1)))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run()
                return True
        return super().eventFilter(watched, event)


class _Line(QStyledItemDelegate):
    """Name at the left, menu in grey behind it, keys at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, fonts.scaled(_ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        entry: Entry | None = index.data(Qt.ItemDataRole.UserRole)
        if entry is None:
            return
        rect: QRect = option.rect.adjusted(8, 0, -8, 0)
        painter.save()
        painter.setFont(fonts.ui())
        keys = QKeySequence(entry.keys).toString(QKeySequence.SequenceFormat.NativeText)
        space = painter.fontMetrics().horizontalAdvance(keys) + 14 if keys else 0
        name = painter.fontMetrics().elidedText(entry.text, Qt.TextElideMode.ElideRight, rect.width() - space)
        painter.setPen(theme.token("text"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setPen(theme.token("text3"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, keys)
        begin = painter.fontMetrics().horizontalAdvance(name) + 14
        room = rect.width() - begin - space
        if room > 40:
            group = painter.fontMetrics().elidedText(entry.group, Qt.TextElideMode.ElideRight, room)
            painter.drawText(rect.adjusted(begin, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, group)
        painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.text = ""
