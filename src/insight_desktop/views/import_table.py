"""The three tables of the import report: cards worst first, issues, ignored files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from insight_desktop.ingest.report import Issue
from insight_desktop.ingest.sources import Ignored
from insight_desktop.views.cards import STATE_ICONS, USABLE, WORST_FIRST, CardRow, ProjectRow, rank_order
from insight_desktop.views.common import fonts, icons, number_text
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.data_facts import left_text
from insight_desktop.views.workspace import Pace

Index = QModelIndex | QPersistentModelIndex
SEVERITY = {"error": ("x-circle", "error"), "warning": ("warning", "warn"), "info": ("info", "accent")}
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass
class Column:
    """Heading and cell text of one column; `icon` gives name and colour of a mark before the text."""

    title: str
    text: Callable[[Any], str]
    width: int
    right: bool = False
    icon: Callable[[Any], tuple[str, str]] | None = None


@dataclass
class Rows:
    """What a table shows."""

    columns: list[Column]
    rows: list[Any] = field(default_factory=list)
    totals: list[str] = field(default_factory=list)


class ReportModel(QAbstractTableModel):
    """A read-only table over `Rows`; the last line is the totals row when there is one."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = Rows([])

    def show_rows(self, rows: Rows) -> None:
        """Show other rows; the same shape keeps selection and scroll position."""
        same = (
            [c.title for c in rows.columns] == [c.title for c in self.shown.columns]
            and len(rows.rows) == len(self.shown.rows)
            and bool(rows.totals) == bool(self.shown.totals)
        )
        if same:
            self.shown = rows
            if self.rowCount():
                self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            return
        self.beginResetModel()
        self.shown = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.shown.rows) + bool(self.shown.totals)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: ARG002
        return len(self.shown.columns)

    def row(self, number: int) -> Any:
        """The object behind a row, None for the totals."""
        return self.shown.rows[number] if 0 <= number < len(self.shown.rows) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.shown.columns[index.column()]
        row = self.row(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self.shown.totals[index.column()] if row is None else column.text(row)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.right else LEFT
        if role == Qt.ItemDataRole.FontRole and row is None:
            return QFont(fonts.ui(bold=True))
        if role == Qt.ItemDataRole.ToolTipRole and row is not None:
            return column.text(row)
        if role == Qt.ItemDataRole.DecorationRole and row is not None and column.icon is not None:
            return icons.icon(*column.icon(row))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.shown.columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if self.shown.columns[section].right else LEFT
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.row(index.row()) is None:
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)


def card_rows(project: ProjectRow, pace: Pace) -> Rows:
    """Cards worst first, with a line of totals."""
    cards = sorted(project.cards or [], key=lambda c: (WORST_FIRST[c.status], rank_order(c)))
    columns = [
        Column(tr("Card"), lambda c: c.name, 70),
        Column(tr("Status"), lambda c: status_word(c), 110, icon=lambda c: STATE_ICONS[c.status]),
        Column(tr("Source"), lambda c: c.path.name, 210),
        Column(tr("Slices"), lambda c: number_text.count(c.counts.get("slices")), 105, right=True),
        Column(tr("Links"), lambda c: number_text.count(c.counts.get("links")), 100, right=True),
        Column(tr("Time (s)"), lambda c: number_text.number(c.seconds or None, 2), 80, right=True),
        Column(tr("Message"), lambda c: message_of(c, pace), 150),
    ]
    done = sum(c.status in USABLE for c in cards)
    failed = sum(c.status == "failed" for c in cards)
    totals = [
        tr("{done} of {total}").format(done=done, total=len(cards)),
        tr("{count} failed").format(count=failed) if failed else "",
        number_text.bytes_text(sum(c.source.source(c.kind).size_bytes for c in cards)),
        number_text.count(sum(c.counts.get("slices", 0) for c in cards)),
        number_text.count(sum(c.counts.get("links", 0) for c in cards)),
        number_text.number(sum(c.seconds for c in cards), 2),
        "",
    ]
    return Rows(columns, cards, totals if len(cards) > 1 else [])


def issue_rows(project: ProjectRow) -> Rows:
    """All issues, errors first, with the card they belong to."""
    found: list[tuple[str, Issue]] = [("", issue) for issue in project.issues]
    for card in project.cards or []:
        found += [(card.name, issue) for issue in card.issues]
    order = {"error": 0, "warning": 1, "info": 2}
    found.sort(key=lambda pair: order.get(pair[1].severity, 3))
    columns = [
        Column(tr("Card"), lambda p: p[0], 70),
        Column(tr("Severity"), lambda p: severity_word(p[1]), 100, icon=lambda p: SEVERITY[p[1].severity]),
        Column(tr("Where"), lambda p: p[1].where, 240),
        Column(tr("Count"), lambda p: number_text.count(p[1].count), 70, right=True),
        Column(tr("Message"), lambda p: say(p[1].message), 200),
    ]
    return Rows(columns, found)


def ignored_rows(project: ProjectRow) -> Rows:
    """Files that were left out, and why."""
    columns = [
        Column(tr("File"), lambda i: i.path.name, 260),
        Column(tr("Reason"), lambda i: say(i.reason), 360),
        Column(tr("Path"), lambda i: str(i.path), 200),
    ]
    rows: list[Ignored] = list(project.ignored)
    return Rows(columns, rows)


def status_word(card: CardRow) -> str:
    words = {
        "ready": tr("ready"),
        "with notes": tr("with notes"),
        "reading": tr("reading"),
        "waiting": tr("waiting"),
        "failed": tr("failed"),
        "idle": tr("not read"),
        "skipped": tr("no timeline"),
    }
    return words[card.status]


def severity_word(issue: Issue) -> str:
    return {"error": tr("error"), "warning": tr("warning"), "info": tr("note")}[issue.severity]


def message_of(card: CardRow, pace: Pace) -> str:
    """One line: why it failed, how far it is, or its first note."""
    if card.status == "reading":
        left = left_text(pace)
        return (
            f"{card.percent} %, {say(card.what)}" if card.what else f"{card.percent} %" + (f", {left}" if left else "")
        )
    if card.message:
        return say(card.message)
    return say(card.notes[0].message) if card.notes else ""
