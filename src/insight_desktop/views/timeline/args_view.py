"""The details of a slice as a tree: nested values open, call stacks stand line by line, arrays of objects are tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QMenu,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from insight_desktop.views.common import fonts, theme
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline import args_values

_MOST_CHILDREN = 2_000
_DEEPEST = 60  # levels; what lies deeper is shown as JSON text
_OPEN_LEVELS = 2  # opened at first
_TABLE_ROWS = 8  # rows of a table before it scrolls
_REQUESTS = ("res_list", "rid")  # arguments that name requests
_VALUE = Qt.ItemDataRole.UserRole


class ArgsView(QStackedWidget):
    """Shows `(key, value)` pairs, or one text that says why there are none.

    Signals:
        rid_chosen: name of a request whose row in a table was chosen; only with `lists_requests`.
    """

    rid_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pairs: list[tuple[str, Any]] = []
        self._message = ""
        self.lists_requests = False  # lists of requests are tables whose rows can be chosen
        self.tree = _Tree(self)
        self._text = QLabel()
        self._text.setObjectName("surface")
        self._text.setWordWrap(True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._text.setContentsMargins(10, 10, 10, 10)
        self._text.setProperty("level", "3")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.addWidget(self.tree)
        self.addWidget(self._text)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)
        theme.notifier.changed.connect(self._fill)
        self._translate()

    def show_pairs(self, pairs: Sequence[tuple[str, Any]]) -> None:
        """Show these details."""
        self._pairs, self._message = list(pairs), ""
        self._fill()
        self.setCurrentWidget(self.tree)

    def show_message(self, text: str) -> None:
        """Say why there are no details; already in the current language."""
        self._pairs, self._message = [], text
        self.tree.clear()
        self._text.setText(text)
        self.setCurrentWidget(self._text)

    @property
    def pairs(self) -> Sequence[tuple[str, Any]]:
        """The details that are shown."""
        return self._pairs

    @property
    def message(self) -> str:
        """The text that is shown instead of details, or empty."""
        return self._message

    def copy_value(self) -> None:
        """Put the value of the current row on the clipboard."""
        item = self.tree.currentItem()
        if item is not None:
            QGuiApplication.clipboard().setText(args_values.copied(item.data(1, _VALUE).value))

    def copy_json(self) -> None:
        """Put all details on the clipboard as JSON."""
        QGuiApplication.clipboard().setText(args_values.pairs_as_json(self._pairs))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _translate(self) -> None:
        self.tree.setAccessibleName(tr("Args"))
        self.tree.setHeaderLabels([tr("Args"), tr("Value")])

    def _fill(self) -> None:
        self.tree.clear()
        pairs = list(self._pairs)
        if self.lists_requests:  # what a batch is about comes first
            pairs.sort(key=lambda pair: pair[0] not in _REQUESTS)
        for key, value in pairs:
            table = args_values.requests_table(value) if self.lists_requests and key in _REQUESTS else None
            if table is not None:
                self._add_requests(key, value, table)
            else:
                _add(self.tree, self.tree.invisibleRootItem(), key, value, level=0)

    def _add_requests(self, key: str, raw: Any, table: pa.Table) -> None:
        """Requests of an event; a click on one chooses it."""
        item = QTreeWidgetItem(self.tree.invisibleRootItem(), [key, tr("{n} requests").format(n=table.num_rows)])
        item.setData(1, _VALUE, _Kept(raw))
        item.setForeground(0, theme.token("text2"))
        item.setForeground(1, theme.token("text3"))
        view = _add_table(self.tree, item, table)
        view.clicked.connect(lambda _index: self._choose(view))
        view.row_activated.connect(lambda _row: self._choose(view))
        item.setExpanded(True)

    def _choose(self, view: ArrowTable) -> None:
        row = view.current_row()
        if row >= 0:
            self.rid_chosen.emit(str(view.table["rid"][row].as_py()))

    def _menu(self, at: QPoint) -> None:
        self.menu().exec(self.tree.viewport().mapToGlobal(at))

    def menu(self) -> QMenu:
        """The context menu of the tree."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        item = self.tree.currentItem()
        entries: tuple[tuple[str, Callable[[], object], bool] | None, ...] = (
            (tr("Copy value"), self.copy_value, item is not None),
            (tr("Copy all as JSON"), self.copy_json, bool(self._pairs)),
            None,
            (tr("Expand all"), self.tree.expandAll, True),
            (tr("Collapse all"), self.tree.collapseAll, True),
        )
        for entry in entries:
            if entry is None:
                menu.addSeparator()
                continue
            action = menu.addAction(entry[0])
            action.setEnabled(entry[2])
            action.triggered.connect(lambda _checked=False, do=entry[1]: do())
        return menu


class _Kept:
    """A value as it was read: Qt would turn it into one of its own, which holds no integers above 64 bits."""

    def __init__(self, value: Any) -> None:
        self.value = value


class _Tree(QTreeWidget):
    """Keys and values; Ctrl+C copies the value of the current row."""

    def __init__(self, owner: ArgsView) -> None:
        super().__init__(owner)
        self._owner = owner
        self.setColumnCount(2)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setIndentation(fonts.scaled(14))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.header().setStretchLastSection(True)
        self.header().resizeSection(0, fonts.scaled(140))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._owner.copy_value()
        elif event.key() == Qt.Key.Key_Q and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            event.ignore()  # closes the panel
        else:
            super().keyPressEvent(event)


def _add(tree: QTreeWidget, parent: QTreeWidgetItem, key: str, raw: Any, *, level: int) -> None:
    value = args_values.nested(raw) if level < _DEEPEST else args_values.shown(raw)
    item = QTreeWidgetItem(parent, [key, ""])
    item.setData(1, _VALUE, _Kept(raw))
    item.setForeground(0, theme.token("text2"))
    table = args_values.table_of(value)
    if table is not None:
        item.setText(1, tr("{n} rows").format(n=len(value)))
        _add_table(tree, item, table)
    elif isinstance(value, str) and args_values.is_lined(key):
        lines = args_values.lines_of(value)
        item.setText(1, tr("{n} lines").format(n=len(lines)))
        _add_lines(item, lines)
    elif isinstance(value, (dict, list)) and any(
        isinstance(v, (dict, list)) or isinstance(value, dict) for _, v in args_values.children(value)
    ):
        _add_children(tree, item, value, level)
    else:
        text = args_values.clipped(args_values.shown(value))
        item.setText(1, text)
        item.setToolTip(1, text)
        return
    item.setForeground(1, theme.token("text3"))
    item.setExpanded(level < _OPEN_LEVELS)


def _add_lines(item: QTreeWidgetItem, lines: Sequence[str]) -> None:
    for line in lines[:_MOST_CHILDREN]:
        # One frame per line over the whole width; the middle is elided, so that file and function stay readable.
        child = QTreeWidgetItem(item, [args_values.clipped(line)])
        child.setFirstColumnSpanned(True)
        child.setFont(0, fonts.mono(fonts.SMALL))
        child.setToolTip(0, args_values.clipped(line))
        child.setData(1, _VALUE, _Kept(line))


def _add_children(tree: QTreeWidget, item: QTreeWidgetItem, value: Any, level: int) -> None:
    entries = list(args_values.children(value))
    item.setText(1, tr("{n} entries").format(n=len(entries)))
    for key, inner in entries[:_MOST_CHILDREN]:
        _add(tree, item, key, inner, level=level + 1)
    if len(entries) > _MOST_CHILDREN:
        rest = tr("… {n} more; copy as JSON to see all").format(n=len(entries) - _MOST_CHILDREN)
        QTreeWidgetItem(item, ["", rest])


def _add_table(tree: QTreeWidget, item: QTreeWidgetItem, table: Any) -> ArrowTable:
    line = QTreeWidgetItem(item)
    line.setFirstColumnSpanned(True)
    view = ArrowTable(table, filter_row=False, parent=tree)
    view.setFixedHeight(fonts.scaled(24) * min(table.num_rows, _TABLE_ROWS) + fonts.scaled(26) + 14)
    view.setAccessibleName(item.text(0))
    line.setSizeHint(0, view.size().expandedTo(view.minimumSize()))
    tree.setItemWidget(line, 0, view)
    return view
