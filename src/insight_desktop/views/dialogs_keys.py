"""The dialog in which commands get other keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit, QTableWidget, QTableWidgetItem, QWidget

from insight_desktop.views.common import actions, fonts, parts
from insight_desktop.views.common.actions import Action
from insight_desktop.views.common.language import tr
from insight_desktop.views.dialogs import Dialog


class ChangeKeysDialog(Dialog):
    """All commands with their keys. A change holds at once; keys that another command has are refused.

    Args:
        table: the commands.
    """

    def __init__(self, table: Sequence[Action], parent: QWidget | None = None) -> None:
        super().__init__(tr("Change keys"), parent, width=720)
        self.actions_ = table
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Filter"))
        self.search.setAccessibleName(tr("Filter"))
        self.search.textChanged.connect(self._filter)
        self.table = QTableWidget(len(table), 3)
        self.table.setHorizontalHeaderLabels([tr("Command"), tr("Keys"), tr("Menu")])
        self.table.setAccessibleName(tr("Commands"))
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(fonts.scaled(26))
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setColumnWidth(0, 340)
        self.table.setColumnWidth(1, 150)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setMinimumHeight(380)
        self.table.currentCellChanged.connect(lambda *_cells: self._chosen())
        self.field = QKeySequenceEdit()
        self.field.setMaximumSequenceLength(1)
        self.field.setAccessibleName(tr("New keys"))
        self.take = parts.button(tr("Use"), click=self.use)
        self.free = parts.button(tr("No key"), click=lambda: self._set(""))
        self.back = parts.button(tr("Default"), click=lambda: self._set(None))
        self.note = parts.label(level=2)
        self.note.setWordWrap(True)
        row = parts.columns(gap=8)
        row.addWidget(parts.label(tr("New keys"), level=2))
        row.addWidget(self.field, 1)
        for button in (self.take, self.free, self.back):
            row.addWidget(button)
        self.content.addWidget(self.search)
        self.content.addWidget(self.table, 1)
        self.content.addLayout(row)
        self.content.addWidget(self.note)
        self.add_verb(tr("Restore all defaults"), self.reset)
        self.add_verb(tr("Close"), self.accept, default=False)
        self._fill()
        self.table.selectRow(0)

    def current(self) -> Action:
        """The command of the current row."""
        return self.actions_[max(self.table.currentRow(), 0)]

    def choose(self, action_id: str) -> None:
        """Make the row of a command current."""
        self.table.selectRow(next(row for row, a in enumerate(self.actions_) if a.id == action_id))

    def use(self) -> None:
        """Give the current command the typed keys, unless another one has them."""
        keys = self.field.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        if not keys:
            self._tell(tr("Press the new keys in the field first."), "warning")
            return
        other = actions.owner(self.actions_, keys, but=self.current().id)
        if other is not None:
            text = tr("{keys} belongs to “{command}”. Choose other keys, or take them from it first.")
            self._tell(text.format(keys=_shown(keys), command=tr(other.text)), "error")
            return
        self._set(keys)

    def reset(self) -> None:
        """Every command has the keys again that it came with."""
        actions.reset()
        self._fill()
        self._tell(tr("All commands have their default keys again."))

    def _set(self, keys: str | None) -> None:
        action = self.current()
        wanted = action.keys if keys is None else keys
        other = actions.owner(self.actions_, wanted, but=action.id)
        if other is not None:
            text = tr("{keys} belongs to “{command}”. Choose other keys, or take them from it first.")
            self._tell(text.format(keys=_shown(wanted), command=tr(other.text)), "error")
            return
        actions.set_keys(action.id, None if keys is not None and actions.plain(keys) == action.keys else keys)
        self._fill()
        self.field.clear()
        now = action.now
        done = tr("{command}: {keys}") if now else tr("{command} has no key now.")
        self._tell(done.format(command=tr(action.text), keys=_shown(now)))

    def _tell(self, text: str, state: str = "") -> None:
        self.note.setText(text)
        parts.set_state(self.note, state=state)

    def _fill(self) -> None:
        for row, action in enumerate(self.actions_):
            changed = action.id in actions.chosen()
            for column, text in enumerate((tr(action.text), _shown(action.now), tr(action.group))):
                item = QTableWidgetItem(text)
                item.setFont(fonts.ui(bold=changed and column == 1))
                if changed and column == 1:
                    item.setToolTip(tr("Default: {keys}").format(keys=_shown(action.keys) or "–"))
                self.table.setItem(row, column, item)

    def _filter(self, wanted: str) -> None:
        needle = wanted.strip().lower()
        for row in range(self.table.rowCount()):
            items = [self.table.item(row, column) for column in range(3)]
            text = " ".join(item.text() for item in items if item is not None)
            self.table.setRowHidden(row, needle not in text.lower())

    def _chosen(self) -> None:
        self.field.clear()
        self._tell("")
        self.back.setEnabled(True)


def _shown(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
