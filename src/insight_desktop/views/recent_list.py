"""The list of recent projects and sessions on the start page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from insight_desktop.views.common import fonts, icons, parts, theme
from insight_desktop.views.common.language import current, tr

Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT = 52
MOVED, CHANGED, NORMAL = "moved", "changed", ""


@dataclass(frozen=True)
class Recent:
    """One row: a project or a session that was open before.

    Attributes:
        kind: `project` or `session`.
        facts: `16 cards · db and text · 29.4 GB`.
        opened_at: seconds since the epoch, 0 when unknown.
        state: `moved` (its path is gone), `changed` (its files differ from what was read), or empty.
        seconds: how long the last opening from the cache took, None when it never was.
    """

    name: str
    path: Path
    kind: str = "project"
    facts: str = ""
    opened_at: float = 0.0
    state: str = NORMAL
    seconds: float | None = None
    icon: str = "chart-bar-horizontal"


def when(opened_at: float, today: date | None = None) -> str:
    """`Today 14:02`, `Yesterday`, `Fri 28 Nov`, `2025-11-28`."""
    if not opened_at:
        return ""
    at = datetime.fromtimestamp(opened_at)
    days = ((today or date.today()) - at.date()).days
    if days == 0:
        return tr("Today {time}").format(time=f"{at:%H:%M}")
    if days == 1:
        return tr("Yesterday")
    if 0 < days < 300:
        if current() == "zh":
            return f"{at.month} 月 {at.day} 日"
        names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
        months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
        return f"{names[at.weekday()]} {at.day} {months[at.month - 1]}"
    return f"{at:%Y-%m-%d}"


def state_text(recent: Recent) -> tuple[str, str]:
    """Text and colour token of the right column."""
    if recent.state == MOVED:
        return tr("moved: relink…"), "error"
    if recent.state == CHANGED:
        return tr("changed on disk, parse again"), "warn"
    if recent.seconds is not None:
        return tr("opens in {seconds} s").format(seconds=f"{max(recent.seconds, 0.1):.1f}"), "text2"
    return "", "text2"


class RecentModel(QAbstractListModel):
    """Rows that match the filter."""

    def __init__(self) -> None:
        super().__init__()
        self._all: list[Recent] = []
        self._shown: list[Recent] = []
        self._filter = ""

    def set_rows(self, rows: list[Recent]) -> None:
        self._all = rows
        self.set_filter(self._filter)

    def set_filter(self, text: str) -> None:
        self._filter = text
        wanted = text.strip().lower()
        self.beginResetModel()
        self._shown = [r for r in self._all if wanted in f"{r.name} {r.path}".lower()]
        self.endResetModel()

    @property
    def total(self) -> int:
        return len(self._all)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: ARG002
        return len(self._shown)

    def row(self, index: Index) -> Recent | None:
        return self._shown[index.row()] if 0 <= index.row() < len(self._shown) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        recent = self.row(index)
        if recent is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return recent.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return str(recent.path)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{recent.name}, {recent.path}, {recent.facts}, {when(recent.opened_at)}, {state_text(recent)[0]}"
        return None


class _RowPainter(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(option.rect.width(), fonts.scaled(ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        recent = model.row(index) if isinstance(model, RecentModel) else None
        if recent is None:
            return
        rect: QRect = option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        active = bool(option.state & QStyle.StateFlag.State_Active)
        hover = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        strong = selected and active
        ground = "sel" if strong else "selinactive" if selected else "hover" if hover else "surface"
        painter.fillRect(rect, theme.token(ground))
        painter.setPen(theme.token("grid"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        icons.icon(recent.icon, "seltext" if strong else "accent").paint(
            painter, QRect(rect.left() + 12, rect.center().y() - 9, 20, 20)
        )
        self._paint_texts(painter, rect, recent, strong)
        painter.restore()

    @staticmethod
    def _paint_texts(painter: QPainter, rect: QRect, recent: Recent, strong: bool) -> None:
        first = theme.token("seltext" if strong else "text")
        second = theme.token("seltext" if strong else "text2")
        half = rect.height() // 2
        name_left = rect.left() + 46
        facts_left = rect.left() + max(int(rect.width() * 0.374), 240)
        when_left = rect.left() + int(rect.width() * 0.727)
        if rect.width() < 640:
            facts_left, when_left = rect.right(), rect.right()
        room = facts_left - name_left - 12
        painter.setFont(fonts.ui(bold=True))
        painter.setPen(first)
        elide = Qt.TextElideMode.ElideMiddle
        vcenter = Qt.AlignmentFlag.AlignVCenter
        top = QRect(name_left, rect.top() + 5, room, half - 4)
        painter.drawText(top, vcenter, painter.fontMetrics().elidedText(recent.name, elide, room))
        painter.setFont(fonts.mono(fonts.SMALL))
        painter.setPen(second)
        low = QRect(name_left, rect.top() + half, room, half - 5)
        painter.drawText(low, vcenter, painter.fontMetrics().elidedText(str(recent.path), elide, room))
        painter.setFont(fonts.ui())
        metrics = painter.fontMetrics()
        if facts_left < rect.right():
            width = when_left - facts_left - 12
            painter.drawText(
                QRect(facts_left, rect.top(), width, rect.height()),
                vcenter,
                metrics.elidedText(recent.facts, Qt.TextElideMode.ElideRight, width),
            )
            painter.drawText(QRect(when_left, rect.top(), 120, rect.height()), vcenter, when(recent.opened_at))
            text, colour = state_text(recent)
            painter.setPen(theme.token("seltext" if strong else colour))
            width = QFontMetrics(painter.font()).horizontalAdvance(text)
            painter.drawText(QRect(rect.right() - 12 - width, rect.top(), width, rect.height()), vcenter, text)


class RecentList(QListView):
    """Enter or double click opens, Delete forgets.

    Signals:
        chosen: the Recent to open.
        forgotten: the Recent to take off the list.
    """

    chosen = Signal(object)
    forgotten = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = RecentModel()
        self.setModel(self.rows)
        self.setItemDelegate(_RowPainter(self))
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.clicked.connect(self._choose)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        parts.repaint_on_theme(self.viewport())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        recent = self.rows.row(self.currentIndex())
        if recent is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit(recent)
        elif recent is not None and event.key() == Qt.Key.Key_Delete:
            self.forgotten.emit(recent)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.viewport().update()
        super().changeEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        recent = self.rows.row(index)
        if recent is not None:
            self.chosen.emit(recent)
