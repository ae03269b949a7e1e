"""The tree of the data panel: projects, clusters, hosts, cards; painted row by row.

Items carry a `Node`; everything shown comes from the workspace's rows, so a refresh is only a repaint.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QStandardItem
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QToolTip, QTreeView, QWidget

from insight_desktop.views.cards import (
    BUSY,
    FAILED,
    IDLE,
    NOTES,
    READING,
    SKIPPED,
    STATE_ICONS,
    WAITING,
    CardRow,
    ProjectRow,
    card_title,
    kind_text,
)
from insight_desktop.views.common import fonts, icons, parts, theme
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr

NODE = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


@dataclass
class Node:
    """What a row of the tree stands for; `text` is the label of cluster and host rows."""

    kind: str  # project, cluster, host, card
    project: ProjectRow
    card: CardRow | None = None
    text: str = ""
    quiet: str = ""


def node_of(index: Index) -> Node | None:
    found: Any = index.data(NODE)
    return found if isinstance(found, Node) else None


def item_for(node: Node, *, checkable: bool = False) -> QStandardItem:
    item = QStandardItem()
    item.setData(node, NODE)
    item.setEditable(node.kind == "project")
    item.setData(label_of(node), Qt.ItemDataRole.AccessibleTextRole)
    if checkable and node.kind in ("project", "card"):
        item.setCheckable(True)
        item.setCheckState(Qt.CheckState.Checked)
    return item


def label_of(node: Node) -> str:
    """The name in the row."""
    if node.kind == "project":
        return node.project.name
    if node.card is None:
        return node.text
    title = card_title(node.card)
    return tr("Card {name}").format(name=node.card.name) if title != node.card.name else title


def state_word(card: CardRow) -> str:
    """One word for a card's state."""
    if card.status == READING:
        return f"{card.percent} %"
    words = {WAITING: tr("waiting"), FAILED: tr("failed"), IDLE: tr("not read"), SKIPPED: tr("no timeline")}
    return words.get(card.status, kind_text(card.kind))


class RowPainter(QStyledItemDelegate):
    """Paints a row: icon, name, quiet text at the right, the 3 px bar of a card that is being read."""

    def __init__(self, view: DataTree) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        node = node_of(index)
        reading = node is not None and node.card is not None and node.card.status == READING
        return QSize(option.rect.width(), fonts.scaled(24) + (4 if reading else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node = node_of(index)
        if node is None:
            return
        painter.save()
        rect = QRect(option.rect)
        reading = node.card is not None and node.card.status == READING
        if reading:
            self._paint_bar(painter, rect, node)
            rect.setHeight(rect.height() - 4)
        left = rect.left() + 2
        if index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            left = self._paint_check(painter, rect, left, index)
        name, colour = self._icon(node)
        selected = self._view.selectionModel().isSelected(QModelIndex(index))  # type: ignore[arg-type]
        strong = selected and self._view.isActiveWindow()
        size = fonts.scaled(icons.ROW)
        top = rect.top() + (rect.height() - size) // 2
        icons.icon(name, "seltext" if strong and colour == "text2" else colour).paint(
            painter, QRect(left, top, size, size)
        )
        left += size + 6
        right = self._paint_right(painter, rect, node, strong)
        painter.setFont(fonts.ui(bold=node.kind == "project" and node.project is self._view.current))
        painter.setPen(theme.token("seltext" if strong else self._view.mark(node)[1] or "text"))
        room = QRect(left, rect.top(), max(right - left - 8, 12), rect.height())
        text = _elide(label_of(node), painter.fontMetrics(), room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()

    def _paint_bar(self, painter: QPainter, rect: QRect, node: Node) -> None:
        assert node.card is not None
        bar = QRect(rect.left() + 2, rect.bottom() - 4, rect.width() - 10, 3)
        painter.fillRect(bar, theme.token("hover"))
        bar.setWidth(bar.width() * node.card.percent // 100)
        painter.fillRect(bar, theme.token("accentfill"))

    def _paint_check(self, painter: QPainter, rect: QRect, left: int, index: Index) -> int:
        box = QRect(left, rect.top() + (rect.height() - 14) // 2, 14, 14)
        on = index.data(Qt.ItemDataRole.CheckStateRole) in (Qt.CheckState.Checked, Qt.CheckState.Checked.value)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.token("accentfill" if on else "strong"))
        painter.setBrush(theme.token("accentfill" if on else "field"))
        painter.drawRoundedRect(box.adjusted(0, 0, -1, -1), 3, 3)
        if on:
            icons.icon("check", "#FFFFFF").paint(painter, box.adjusted(1, 1, -1, -1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        return left + 20

    def _paint_right(self, painter: QPainter, rect: QRect, node: Node, strong: bool) -> int:
        """Text (and marks) at the right end; returns where they begin."""
        right = rect.right() - 8
        middle = rect.top() + (rect.height() - fonts.scaled(icons.ROW)) // 2
        card = node.card
        if card is not None and card.status == IDLE:
            right -= fonts.scaled(icons.ROW)
            icons.icon("play", "seltext" if strong else "accent").paint(
                painter, QRect(right, middle, fonts.scaled(icons.ROW), fonts.scaled(icons.ROW))
            )
            right -= 6
        elif card is not None and card.status == NOTES and not node.project.busy:
            right -= fonts.scaled(icons.ROW)
            icons.icon("warning", "warn").paint(
                painter, QRect(right, middle, fonts.scaled(icons.ROW), fonts.scaled(icons.ROW))
            )
            right -= 6
        text, colour = self._quiet(node)
        word, ink = self._view.mark(node)
        if word and (node.card is None or node.card.status not in (READING, FAILED)):
            text, colour = word, ink
        painter.setFont(fonts.ui())
        painter.setPen(theme.token("seltext" if strong else colour))
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QRect(right - width, rect.top(), width, rect.height()), Qt.AlignmentFlag.AlignVCenter, text)
        return right - width if text else right

    @staticmethod
    def _quiet(node: Node) -> tuple[str, str]:
        if node.kind == "project":
            cards = node.project.cards
            if cards is None:
                return "", "text2"
            return (
                f"{node.project.done} / {len(cards)}" if node.project.done < len(cards) else str(len(cards))
            ), "text2"
        if node.card is None:
            return node.quiet, "text2"
        return state_word(node.card), {FAILED: "error", READING: "accent"}.get(node.card.status, "text2")

    @staticmethod
    def _icon(node: Node) -> tuple[str, str]:
        if node.card is not None:
            if node.project.busy or node.card.status in (FAILED, SKIPPED, *BUSY):
                return STATE_ICONS[node.card.status]
            return "cpu", "text2"
        return {"project": ("stack", "accent"), "cluster": ("tree-structure", "text2")}.get(
            node.kind, ("desktop-tower", "text2")
        )

    # ---- renaming ----------------------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002
        editor = QLineEdit(parent)
        editor.setProperty("inplace", "true")
        editor.setMaxLength(200)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        node = node_of(index)
        if isinstance(editor, QLineEdit) and node is not None:
            editor.setText(node.project.name)
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:  # noqa: ARG002
        node = node_of(index)
        if isinstance(editor, QLineEdit) and node is not None:
            self._view.renamed.emit(node.project.name, editor.text())

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002
        editor.setGeometry(option.rect.adjusted(18, 1, -6, -1))

    def helpEvent(self, event: QHelpEvent, view: Any, option: QStyleOptionViewItem, index: Index) -> bool:
        node = node_of(index)
        if event.type() != QEvent.Type.ToolTip or node is None:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), tip_of(node), view)
        return True


def tip_of(node: Node) -> str:
    """Tooltip of a row: the full path, and for a card its state."""
    if node.kind == "project":
        return "\n".join([node.project.name, *(str(path) for path in node.project.paths)])
    if node.card is None:
        return label_of(node)
    lines = [label_of(node), str(node.card.path)]
    if node.card.message:
        lines.append(say(node.card.message))
    return "\n".join(lines)


class DataTree(QTreeView):
    """The tree. The delegate paints; this class fills rows from edge to edge and tells what was asked.

    Signals:
        renamed: old and new name of a project.
        play: name of a card whose ▶ was clicked.
    """

    renamed = Signal(str, str)
    play = Signal(str)

    def __init__(
        self, parent: QWidget | None = None, *, mark: Callable[[Node], tuple[str, str]] = lambda _node: ("", "")
    ) -> None:
        super().__init__(parent)
        self.mark = mark  # word and colour of a row that plays a part of its own
        self.current: ProjectRow | None = None
        self.setHeaderHidden(True)
        self.setIndentation(14)
        self.setUniformRowHeights(False)
        self.setMouseTracking(True)
        self.setExpandsOnDoubleClick(False)
        self.setEditTriggers(QTreeView.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(RowPainter(self))
        self._under = QPersistentModelIndex()
        parts.repaint_on_theme(self.viewport())

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node = node_of(index)
        rect = QRect(0, option.rect.top(), self.viewport().width(), option.rect.height())
        if self.selectionModel().isSelected(QModelIndex(index)):  # type: ignore[arg-type]
            painter.fillRect(rect, theme.token("sel" if self.isActiveWindow() else "selinactive"))
        elif node is not None and node.card is not None and node.card.status == FAILED:
            painter.fillRect(rect, theme.token("errbg"))
        elif self._under == index:
            painter.fillRect(rect, theme.token("hover"))
        self.drawBranches(
            painter,
            QRect(0, rect.top(), option.rect.left() + self._depth(index) * self.indentation(), rect.height()),
            index,
        )
        inner = QStyleOptionViewItem(option)
        inner.rect = self.visualRect(QModelIndex(index)).adjusted(0, 0, 0, 0)  # type: ignore[arg-type]
        self.itemDelegate().paint(painter, inner, index)
        if self.hasFocus() and self.currentIndex() == index:
            painter.setPen(theme.token("focus"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:  # noqa: ARG002
        if not self.model().hasChildren(index):
            return
        at = self.visualRect(QModelIndex(index))  # type: ignore[arg-type]
        name = "caret-down" if self.isExpanded(QModelIndex(index)) else "caret-right"  # type: ignore[arg-type]
        icons.icon(name, "text2").paint(painter, QRect(at.left() - 13, at.top() + (at.height() - 12) // 2, 12, 12))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        under = QPersistentModelIndex(self.indexAt(event.position().toPoint()))
        if under != self._under:
            self._under = under
            self.viewport().update()
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._under = QPersistentModelIndex()
        self.viewport().update()
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        index = self.indexAt(at)
        node = node_of(index)
        if event.button() == Qt.MouseButton.LeftButton and node is not None:
            if node.card is not None and node.card.status == IDLE and at.x() > self.viewport().width() - 30:
                self.play.emit(node.card.name)
                return
            if index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                self._toggle(index, at)
                return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        node = node_of(index)
        if node is not None and node.kind == "project" and not index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            self.edit(index)
            return
        super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Space and index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            self._toggle(index, None)
            return
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and index.isValid()
            and self.state() != QTreeView.State.EditingState
        ):
            self.activated.emit(index)
            return
        super().keyPressEvent(event)

    def _toggle(self, index: QModelIndex, at: QPoint | None) -> None:
        if at is not None and at.x() < self.visualRect(index).left():
            self.setExpanded(index, not self.isExpanded(index))
            return
        on = index.data(Qt.ItemDataRole.CheckStateRole) in (Qt.CheckState.Checked, Qt.CheckState.Checked.value)
        state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
        model = self.model()
        model.setData(index, state, Qt.ItemDataRole.CheckStateRole)
        below = [model.index(i, 0, index) for i in range(model.rowCount(index))]
        while below:
            child = below.pop()
            if child.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                model.setData(child, state, Qt.ItemDataRole.CheckStateRole)
            below += [model.index(i, 0, child) for i in range(model.rowCount(child))]

    @staticmethod
    def _depth(index: Index) -> int:
        depth = 0
        parent = index.parent()
        while parent.isValid():
            depth, parent = depth + 1, parent.parent()
        return depth


def _elide(text: str, metrics: QFontMetrics, room: int) -> str:
    """Long names are cut in the middle; the tail, which tells them apart, keeps 40 %."""
    if metrics.horizontalAdvance(text) <= room:
        return text
    tail_room = int(room * 0.4)
    tail = ""
    for at in range(len(text) - 1, -1, -1):
        if metrics.horizontalAdvance(text[at:]) > tail_room:
            break
        tail = text[at:]
    head_room = room - metrics.horizontalAdvance("…" + tail)
    head = ""
    for at in range(1, len(text) + 1):
        if metrics.horizontalAdvance(text[:at]) > head_room:
            break
        head = text[:at]
    return f"{head}…{tail}"
