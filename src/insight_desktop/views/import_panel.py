"""The import report: what was read, what was not, why, and what to do about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from insight_desktop.errors import BadArgument
from insight_desktop.ingest.report import Issue
from insight_desktop.ingest.sources import Ignored
from insight_desktop.views.cards import (
    BUSY,
    FAILED,
    IDLE,
    NOTES,
    READING,
    READY,
    SKIPPED,
    WAITING,
    CardRow,
    ProjectRow,
    kind_text,
)
from insight_desktop.views.common import fonts, icons, parts, theme
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.import_table import (
    ReportModel,
    card_rows,
    ignored_rows,
    issue_rows,
    severity_word,
    status_word,
)
from insight_desktop.views.workspace import Workspace

CARDS, ISSUES, IGNORED = "cards", "issues", "ignored"


class ImportPanel(QFrame):
    """Chips with counts, the table, and the pane *Why / What to do / buttons / path* beside it.

    Signals:
        close_wanted: hide the panel.
        folder_wanted: path to show in the file manager.
        log_wanted: show the log folder.
    """

    close_wanted = Signal()
    folder_wanted = Signal(object)
    log_wanted = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.view = CARDS
        self.setObjectName("surface")
        layout = parts.rows(self)
        self._left = QWidget()
        left = parts.rows(self._left)
        left.addWidget(self._build_bar())
        left.addWidget(self._build_table(), 1)
        self.pane = FixPane(workspace)
        self.pane.folder_wanted.connect(self.folder_wanted)
        self.pane.log_wanted.connect(self.log_wanted)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self._left)
        splitter.addWidget(self.pane)
        splitter.setStretchFactor(0, 7)
        splitter.setStretchFactor(1, 3)
        splitter.setSizes([860, 380])
        layout.addWidget(splitter, 1)
        workspace.projects_changed.connect(self.refresh)
        workspace.card_changed.connect(self.refresh)
        workspace.import_ended.connect(self.refresh)
        self.retranslate()

    def _build_bar(self) -> QWidget:
        bar = QWidget()
        parts.keep_height(bar, 38)
        row = parts.columns(bar, margins=(10, 0, 12, 0), gap=0)
        self._chips = parts.columns(gap=8)
        row.addLayout(self._chips)
        row.addStretch(1)
        self._buttons: dict[str, parts.Segment] = {}
        for name in (CARDS, ISSUES, IGNORED):
            button = parts.Segment()
            button.clicked.connect(lambda _=False, name=name: self.show_view(name))
            self._buttons[name] = button
            row.addWidget(button)
        parts.join(self._buttons.values())
        return bar

    def _build_table(self) -> QTableView:
        self.model = ReportModel()
        self.table = QTableView()
        self.table.setProperty("edge", "none")
        self.table.setModel(self.model)
        self.table.setItemDelegate(_Cell(self.table))
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(fonts.scaled(24))
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.table.setAlternatingRowColors(True)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.selectionModel().currentRowChanged.connect(lambda index, _old: self._picked(index))
        return self.table

    def retranslate(self) -> None:
        self.table.setAccessibleName(tr("Import report"))
        self.pane.retranslate()
        self.show_view(self.view)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- content -----------------------------------------------------------------------------------------------------

    def show_view(self, name: str) -> None:
        """`cards`, `issues` or `ignored`."""
        self.view = name
        for key, button in self._buttons.items():
            button.setChecked(key == name)
        self.refresh()
        if self.model.rowCount():
            self.table.selectRow(0)
        else:
            self.pane.show_nothing()

    def show_worst(self) -> None:
        """Show the cards, the worst one selected."""
        self.show_view(CARDS)
        self.table.scrollToTop()

    def show_card(self, name: str) -> None:
        """Select a card in the table."""
        self.show_view(CARDS)
        for number, row in enumerate(self.model.shown.rows):
            if row.name == name:
                self.table.selectRow(number)

    def refresh(self) -> None:
        project = self.workspace.current
        self._fill_buttons(project)
        self._fill_chips(project)
        if project is None:
            return
        chosen = self.model.row(self.table.currentIndex().row())
        if self.view == CARDS:
            rows = card_rows(project, self.workspace.pace())
        elif self.view == ISSUES:
            rows = issue_rows(project)
        else:
            rows = ignored_rows(project)
        before = [c.title for c in self.model.shown.columns]
        self.model.show_rows(rows)
        if before != [c.title for c in rows.columns]:
            for number, column in enumerate(rows.columns):
                self.table.setColumnWidth(number, fonts.scaled(column.width))
        if chosen is not None and chosen in rows.rows:
            self.table.selectRow(rows.rows.index(chosen))
        elif rows.rows and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._picked(self.table.currentIndex())

    def _fill_buttons(self, project: ProjectRow | None) -> None:
        issues = ignored = 0
        if project is not None:
            issues = len(project.issues) + sum(len(c.issues) for c in project.cards or [])
            ignored = len(project.ignored)
        self._buttons[CARDS].setText(tr("Cards"))
        self._buttons[ISSUES].setText(tr("Issues ({count})").format(count=issues) if issues else tr("Issues"))
        self._buttons[IGNORED].setText(
            tr("Files ignored ({count})").format(count=ignored) if ignored else tr("Files ignored")
        )

    def _fill_chips(self, project: ProjectRow | None) -> None:
        cards = (project.cards or []) if project else []
        notes = sum(len(c.notes) for c in cards if c.status == NOTES)
        chips = (
            (sum(c.status in (READY, NOTES) for c in cards), tr("{count} ready"), "check-circle", "ok"),
            (sum(c.status == READING for c in cards), tr("{count} reading"), "spinner", "info"),
            (sum(c.status == WAITING for c in cards), tr("{count} waiting"), "clock", "plain"),
            (sum(c.status == IDLE for c in cards), tr("{count} not read"), "pause-circle", "plain"),
            (sum(c.status == FAILED for c in cards), tr("{count} failed"), "x-circle", "error"),
            (notes, tr("1 note") if notes == 1 else tr("{count} notes"), "warning", "warn"),
        )
        wanted = [(text.format(count=count), icon, kind) for count, text, icon, kind in chips if count]
        if [text for text, _, _ in wanted] == self.chip_texts():
            return
        parts.clear(self._chips)
        for text, icon, kind in wanted:
            self._chips.addWidget(parts.Chip(text, icon, kind))

    def chip_texts(self) -> list[str]:
        """The chips as text."""
        items = [self._chips.itemAt(i) for i in range(self._chips.count())]
        found = [item.widget() for item in items if item is not None]
        return [w.accessibleName() for w in found if isinstance(w, parts.Chip)]

    def _picked(self, index: QModelIndex) -> None:
        row = self.model.row(index.row()) if index.isValid() else None
        if isinstance(row, CardRow):
            self.pane.show_card(row)
        elif isinstance(row, tuple):
            self.pane.show_issue(row[0], row[1])
        elif isinstance(row, Ignored):
            self.pane.show_ignored(row)
        else:
            self.pane.show_nothing()

    # ---- out ---------------------------------------------------------------------------------------------------------

    def head_buttons(self) -> list[QWidget]:
        """Copy, save, close: for the head of the panel that holds the report."""
        copy = parts.button(tr("Copy report"), "copy", flat=True, click=self.copy_report)
        save = parts.icon_button("download-simple", tr("Save report…"), click=self.ask_save)
        close = parts.icon_button("x", tr("Close"), click=self.close_wanted.emit)
        return [copy, save, close]

    def copy(self) -> None:
        """What the copy button of a bottom panel does."""
        self.copy_report()

    def copy_report(self) -> None:
        QApplication.clipboard().setText(json.dumps(self.report(), indent=2, ensure_ascii=False))

    def ask_save(self) -> None:
        project = self.workspace.current
        if project is None:
            return
        start = str(Path.home() / f"{project.name}-import-report.json")
        name, _ = QFileDialog.getSaveFileName(self, tr("Save import report"), start, "JSON (*.json)")
        if name:
            self.save_report(Path(name))

    def save_report(self, target: Path) -> None:
        """Write the report as JSON; a place inside the data is refused, because nothing is written beside the data."""
        project = self.workspace.current
        inside = [
            p for p in (project.paths if project else []) if p.is_dir() and target.resolve().is_relative_to(p.resolve())
        ]
        try:
            if inside:
                raise BadArgument(
                    tr("The report was not written into the data folder."), fix=tr("Choose another folder.")
                )
            target.write_text(json.dumps(self.report(), indent=2, ensure_ascii=False), encoding="utf-8")
        except OSError as error:
            self.workspace.context.message.emit(
                "error",
                tr("The report could not be written: {why}.").format(why=error.strerror or error),
                tr("Choose another folder."),
            )
        except BadArgument as error:
            self.workspace.context.message.emit("warning", error.message, error.fix)

    def report(self) -> dict[str, Any]:
        """Everything the panel knows, with codes; JSON values only."""
        project = self.workspace.current
        if project is None:
            return {}
        return {
            "project": project.name,
            "scene": project.scene,
            "cards": [_card_as_dict(c) for c in project.cards or []],
            "issues": [i.as_dict() for i in project.issues]
            + [{"card": c.name, **i.as_dict()} for c in project.cards or [] for i in c.issues],
            "ignored": [{"path": str(i.path), "reason": i.reason} for i in project.ignored],
        }


def _card_as_dict(card: CardRow) -> dict[str, Any]:
    return {
        "name": card.name,
        "rank": card.source.rank,
        "device": card.source.device,
        "host": card.source.host,
        "kind": card.kind,
        "kinds": list(card.source.kinds),
        "path": str(card.path),
        "status": card.status,
        "message": card.message,
        "fix": card.fix,
        "seconds": round(card.seconds, 3),
        **card.counts,
    }


class FixPane(QFrame):
    """Why something failed, what to do, buttons that do it, and the path."""

    folder_wanted = Signal(object)
    log_wanted = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.setObjectName("surface")
        self.setMinimumWidth(240)
        layout = parts.rows(self)
        inside = parts.rows(margins=(14, 12, 14, 8), gap=8)
        layout.addLayout(inside)
        top = parts.columns(gap=8)
        self.mark = parts.IconLabel("info", "accent", 16)
        self.title = parts.label(strong=True, role="explain")
        self.title.setWordWrap(True)
        parts.set_state(self.title, role="")
        top.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        top.addWidget(self.title, 1)
        inside.addLayout(top)
        self.why = parts.label(level=2)
        self.remedy = parts.label(level=2)
        for words in (self.why, self.remedy):
            words.setWordWrap(True)
            words.setTextFormat(Qt.TextFormat.RichText)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            inside.addWidget(words)
        self.path = parts.ElidedLabel()
        self.path.setFont(fonts.mono(fonts.SMALL))
        self.path.setProperty("level", "2")
        inside.addWidget(self.path)
        self._buttons: QHBoxLayout = parts.columns(gap=8)
        inside.addLayout(self._buttons)
        layout.addStretch(1)
        layout.addWidget(parts.line())
        layout.addWidget(self._build_foot())

    def _build_foot(self) -> QWidget:
        foot = QWidget()
        row = parts.columns(foot, margins=(14, 5, 12, 5), gap=8)
        row.addWidget(parts.IconLabel("shield-check", "ok", 16))
        self.promise = parts.label(level=2)
        self.log = parts.button("", link=True, click=self.log_wanted.emit)
        row.addWidget(self.promise)
        row.addStretch(1)
        row.addWidget(self.log)
        return foot

    def retranslate(self) -> None:
        self.promise.setText(tr("Nothing was written beside the data"))
        self.log.setText(tr("Log"))

    def show_nothing(self) -> None:
        self._show(("check-circle", "ok"), tr("Nothing to report"), "", "", "")

    def show_card(self, card: CardRow) -> None:
        name = tr("Card {name}").format(name=card.name)
        why, remedy = card.message, card.fix
        if not why and card.notes:
            why, remedy = card.notes[0].message, card.notes[0].fix
        marks = {FAILED: ("x-circle", "error"), NOTES: ("warning", "warn"), READY: ("check-circle", "ok")}
        titles = {
            FAILED: tr("{card} could not be read"),
            NOTES: tr("{card} was read with notes"),
            READY: tr("{card} was read"),
            IDLE: tr("{card} was not read yet"),
            SKIPPED: tr("{card} has no timeline"),
        }
        title = titles.get(card.status, tr("{card} is being read")).format(card=name)
        self._show(marks.get(card.status, ("info", "accent")), title, why, remedy, str(card.path))
        if card.status in BUSY:
            return
        first = card.status == FAILED
        for kind in card.other_kinds:
            text = tr("Use {kind} output").format(kind=kind_text(kind))
            self._add(text, "", lambda kind=kind: self.workspace.set_kind(card.name, kind), default=first)
        if card.status == IDLE:
            self._add(tr("Read this card"), "play", lambda: self.workspace.read([card.name]))
        else:
            self._add(
                tr("Try again") if first else tr("Read again"),
                "arrow-clockwise",
                lambda: self.workspace.reread(card.name),
            )
        self._add(tr("Open folder"), "folder-open", lambda: self.folder_wanted.emit(card.path))

    def show_issue(self, card: str, issue: Issue) -> None:
        marks = {"error": ("x-circle", "error"), "warning": ("warning", "warn"), "info": ("info", "accent")}
        title = (
            severity_word(issue)
            if not card
            else tr("{severity} on card {card}").format(severity=severity_word(issue), card=card)
        )
        self._show(marks[issue.severity], title[:1].upper() + title[1:], issue.message, issue.fix, issue.where)

    def show_ignored(self, ignored: Ignored) -> None:
        self._show(
            ("info", "accent"),
            tr("{name} was left out").format(name=ignored.path.name),
            ignored.reason,
            "",
            str(ignored.path),
        )
        self._add(tr("Open folder"), "folder-open", lambda: self.folder_wanted.emit(ignored.path))

    def texts(self) -> list[str]:
        """Title, why, what to do, as shown."""
        return [self.title.text(), self.why.text(), self.remedy.text()]

    def _show(self, mark: tuple[str, str], title: str, why: str, remedy: str, path: str) -> None:
        self.mark.set_icon(*mark)
        self.title.setText(title)
        self.why.setText(_headed(tr("Why"), say(why)))
        self.why.setVisible(bool(why))
        self.remedy.setText(_headed(tr("What to do"), say(remedy)))
        self.remedy.setVisible(bool(remedy))
        self.path.set_text(path)
        self.path.setVisible(bool(path))
        parts.clear(self._buttons)
        self._buttons.addStretch(1)

    def _add(self, text: str, icon: str, act: Any, *, default: bool = False) -> None:
        button = parts.button(text, icon, click=act)
        if default:
            button.setDefault(True)
        self._buttons.insertWidget(self._buttons.count() - 1, button)


def _headed(head: str, text: str) -> str:
    safe = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<span style="font-weight:600;color:{theme.hex_of("text")}">{head}</span>&nbsp; {safe}'


class _Cell(QStyledItemDelegate):
    """Totals get a line above; the mark of a state stands right before its word."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        painter.save()
        model = index.model()
        if isinstance(model, ReportModel) and model.row(index.row()) is None:
            painter.setPen(theme.token("strong"))
            painter.drawLine(option.rect.topLeft(), option.rect.topRight())
        else:
            painter.setPen(QColor(theme.token("grid")))
            painter.drawLine(option.rect.topRight(), option.rect.bottomRight())
        painter.restore()

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.decorationSize = QSize(fonts.scaled(icons.ROW), fonts.scaled(icons.ROW))


__all__ = ["CARDS", "IGNORED", "ISSUES", "FixPane", "ImportPanel", "status_word"]
