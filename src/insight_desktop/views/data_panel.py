"""The data panel: what is open, how far it is read, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QMenu, QWidget

from insight_desktop.views import comparing_jobs
from insight_desktop.views.cards import BUSY, FAILED, IDLE, MANY_CARDS, USABLE, CardRow, ProjectRow, kind_text
from insight_desktop.views.common import icons, number_text, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.data_facts import CardFacts, ImportProgress
from insight_desktop.views.data_tree import NODE, DataTree, Node, item_for, label_of, node_of
from insight_desktop.views.workspace import Workspace


class DataPanel(QFrame):
    """Head with + and more, filter, tree, and below it the facts of the current card or the running import.

    Signals:
        add_wanted: name of the project that data should be added to, "" for a new project.
        delete_wanted: names of projects, names of cards of the current project; the window asks before it deletes.
        folder_wanted: a path to show in the system's file manager.
        report_wanted: show the import report.
        relink_wanted: name of a project whose data moved.
    """

    add_wanted = Signal(str)
    delete_wanted = Signal(list, list)
    folder_wanted = Signal(object)
    report_wanted = Signal()
    relink_wanted = Signal(str)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.editing = False
        self.setObjectName("surface")
        self.setMinimumWidth(160)
        self.setMaximumWidth(420)
        layout = parts.rows(self)
        layout.addWidget(self._build_head())
        layout.addWidget(self._build_filter())
        layout.addWidget(self._build_edit_bar())
        self.tree = DataTree(mark=self._mark)
        self.model = QStandardItemModel()
        self.tree.setModel(self.model)
        layout.addWidget(self.tree, 1)
        self.facts = CardFacts(workspace)
        self.progress = ImportProgress(workspace)
        layout.addWidget(self.progress)
        layout.addWidget(self.facts)
        self._connect()
        self.retranslate()
        self.rebuild()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build_head(self) -> QWidget:
        head = QWidget()
        parts.keep_height(head, 34)
        layout = parts.columns(head, margins=(12, 0, 8, 0), gap=2)
        self.title = parts.label(strong=True)
        layout.addWidget(self.title)
        layout.addStretch(1)
        self.add_button = parts.icon_button("plus", click=lambda: self.add_wanted.emit(""))
        self.more_button = parts.icon_button("dots-three", click=self._show_more)
        layout.addWidget(self.add_button)
        layout.addWidget(self.more_button)
        return head

    def _build_filter(self) -> QWidget:
        row = QWidget()
        layout = parts.columns(row, margins=(8, 0, 8, 6))
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self._filter_icon = QAction(self.filter)
        icons.put(self._filter_icon, "funnel-simple")
        self.filter.addAction(self._filter_icon, QLineEdit.ActionPosition.LeadingPosition)
        self.filter.textChanged.connect(self._apply_filter)
        layout.addWidget(self.filter)
        return row

    def _build_edit_bar(self) -> QWidget:
        self.edit_bar = QWidget()
        layout = parts.columns(self.edit_bar, margins=(10, 0, 8, 6), gap=6)
        self.all_box = QCheckBox()
        self.all_box.setChecked(True)
        self.all_box.clicked.connect(self._check_all)
        self.delete_button = parts.button("", "trash", click=self._delete_checked)
        self.stop_button = parts.button("", click=lambda: self.set_editing(False))
        layout.addWidget(self.all_box)
        layout.addStretch(1)
        layout.addWidget(self.delete_button)
        layout.addWidget(self.stop_button)
        self.edit_bar.hide()
        return self.edit_bar

    def _connect(self) -> None:
        self.workspace.projects_changed.connect(self.rebuild)
        self.workspace.card_changed.connect(self._card_changed)
        self.workspace.import_ended.connect(self._update_bottom)
        self.workspace.comparing.changed.connect(self.tree.viewport().update)
        self.workspace.comparing_jobs.changed.connect(self.tree.viewport().update)
        self.workspace.context.card_selected.connect(self._show_current)
        self.tree.clicked.connect(self._open_index)
        self.tree.activated.connect(self._open_index)
        self.tree.customContextMenuRequested.connect(self._show_menu)
        self.tree.renamed.connect(self._rename)
        self.tree.play.connect(lambda name: self.workspace.read([name]))

    def retranslate(self) -> None:
        self.title.setText(tr("Data"))
        parts.set_tip(self.add_button, tr("Open more data"))
        parts.set_tip(self.more_button, tr("More"))
        self.filter.setPlaceholderText(tr("Filter cards, hosts"))
        self.filter.setAccessibleName(tr("Filter cards, hosts"))
        self.tree.setAccessibleName(tr("Projects and cards"))
        self.all_box.setText(tr("All"))
        self.delete_button.setText(tr("Delete"))
        self.stop_button.setText(tr("Cancel"))
        self.facts.retranslate()
        self.progress.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.rebuild()
        super().changeEvent(event)

    # ---- the tree ----------------------------------------------------------------------------------------------------

    def rebuild(self) -> None:
        """Fill the tree again; expansion, selection and check marks stay."""
        seen = self.tree.current  # rows of a project that was not open were closed, but not by the user
        closed = {self._key(i) for i in self._indexes() if self.model.hasChildren(i) and not self.tree.isExpanded(i)}
        known = {self._key(i) for i in self._indexes() if (n := node_of(i)) is not None and n.project is seen}
        self.model.clear()
        self.tree.current = self.workspace.current
        for project in self.workspace.projects:
            root = item_for(Node("project", project), checkable=self.editing)
            self.model.appendRow(root)
            if project is self.workspace.current or project.cards:
                self._add_cards(root, project)
        for index in self._indexes():
            key = self._key(index)
            is_open = key not in closed if key in known else self._opens_at_first(index)
            self.tree.setExpanded(index, is_open)
        self._apply_filter(self.filter.text())
        self._show_current(self.workspace.context.card or "")
        self.more_button.setEnabled(bool(self.workspace.projects))
        self._update_bottom()

    def _add_cards(self, root: QStandardItem, project: ProjectRow) -> None:
        cards = project.cards or []
        clusters = sorted({c.source.cluster for c in cards})
        for cluster in clusters:
            of_cluster = [c for c in cards if c.source.cluster == cluster]
            parent = root
            if len(clusters) > 1 and cluster:
                parent = item_for(Node("cluster", project, text=cluster, quiet=str(len(of_cluster))))
                root.appendRow(parent)
            self._add_hosts(parent, project, of_cluster)

    def _add_hosts(self, parent: QStandardItem, project: ProjectRow, cards: list[CardRow]) -> None:
        by_host = {
            h: list(g) for h, g in groupby(sorted(cards, key=lambda c: c.source.host), key=lambda c: c.source.host)
        }
        ordered = sorted(by_host.items(), key=lambda pair: min(cards.index(c) for c in pair[1]))
        for host, group in ordered:
            group.sort(key=cards.index)
            target = parent
            if host:
                target = item_for(Node("host", project, text=host, quiet=_span(group)))
                parent.appendRow(target)
            for card in group:
                target.appendRow(
                    item_for(Node("card", project, card), checkable=self.editing and project is self.workspace.current)
                )

    def _indexes(self) -> list[QModelIndex]:
        found: list[QModelIndex] = []
        waiting = [self.model.index(i, 0) for i in range(self.model.rowCount())]
        while waiting:
            index = waiting.pop(0)
            found.append(index)
            waiting += [self.model.index(i, 0, index) for i in range(self.model.rowCount(index))]
        return found

    @staticmethod
    def _key(index: QModelIndex) -> tuple[str, ...]:
        node = node_of(index)
        if node is None:
            return ()
        return (node.kind, node.project.name, node.text, node.card.name if node.card else "")

    def _opens_at_first(self, index: QModelIndex) -> bool:
        node = node_of(index)
        return node is not None and node.project is self.workspace.current

    def index_of(self, card: str) -> QModelIndex:
        """Row of a card of the current project; invalid when it is not there."""
        for index in self._indexes():
            node = node_of(index)
            if (
                node is not None
                and node.card is not None
                and node.card.name == card
                and node.project is self.workspace.current
            ):
                return index
        return QModelIndex()

    def row_texts(self) -> list[str]:
        """Labels of all rows from top to bottom, indented: what the tree shows, as text."""

        def walk(parent: QModelIndex, depth: int) -> list[str]:
            lines = []
            for i in range(self.model.rowCount(parent)):
                index = self.model.index(i, 0, parent)
                node = node_of(index)
                lines.append("  " * depth + (label_of(node) if node else ""))
                lines += walk(index, depth + 1)
            return lines

        return walk(QModelIndex(), 0)

    def _card_changed(self, name: str) -> None:
        index = self.index_of(name)
        if index.isValid():
            self.tree.itemDelegate().sizeHintChanged.emit(index)
        self.tree.viewport().update()
        self._update_bottom()

    def _show_current(self, name: str) -> None:
        index = self.index_of(name) if name else QModelIndex()
        if not self.editing and index.isValid() and index != self.tree.currentIndex():
            self.tree.setCurrentIndex(index)
        self.facts.refresh()

    def _apply_filter(self, text: str) -> None:
        wanted = text.strip().lower()

        def walk(index: QModelIndex, inherited: bool) -> bool:
            node = node_of(index)
            hit = inherited or not wanted or (node is not None and wanted in label_of(node).lower())
            below = [walk(self.model.index(i, 0, index), hit) for i in range(self.model.rowCount(index))]
            shown = hit or any(below)
            self.tree.setRowHidden(index.row(), index.parent(), not shown)
            return shown

        for i in range(self.model.rowCount()):
            walk(self.model.index(i, 0), False)

    def _update_bottom(self) -> None:
        project = self.workspace.current
        importing = project is not None and (
            project.busy
            or (len(project.cards or []) >= MANY_CARDS and any(c.status == IDLE for c in project.cards or []))
        )
        self.progress.setVisible(importing)
        self.facts.setVisible(not importing and project is not None)
        self.progress.refresh()
        self.facts.refresh()

    # ---- what the user does ------------------------------------------------------------------------------------------

    def _open_index(self, index: QModelIndex) -> None:
        node = node_of(index)
        if node is None or self.editing:
            return
        if node.project is not self.workspace.current:
            self.workspace.switch(node.project.name)
        elif node.card is not None and node.card.status in USABLE:
            self.workspace.select_card(node.card.name)
        elif node.card is not None and node.card.status == FAILED:
            self.report_wanted.emit()
        self.facts.show_card(node.card)

    def _rename(self, old: str, new: str) -> None:
        refused = self.workspace.rename(old, new)
        if refused:
            self.workspace.context.message.emit("warning", refused, tr("The name was not changed."))

    def set_editing(self, on: bool) -> None:
        """Check boxes to delete several projects and cards at once."""
        self.editing = on
        self.edit_bar.setVisible(on)
        self.all_box.setChecked(True)
        self.rebuild()

    def _check_all(self, on: bool) -> None:
        for index in self._indexes():
            if index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                self.model.setData(
                    index, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole
                )

    def checked(self) -> tuple[list[str], list[str]]:
        """Names of the checked projects, and of the checked cards whose project is not checked as a whole."""
        projects: list[str] = []
        cards: list[str] = []
        for index in self._indexes():
            item = self.model.itemFromIndex(index)
            node: Any = item.data(NODE)
            if not item.isCheckable() or item.checkState() != Qt.CheckState.Checked:
                continue
            if node.kind == "project":
                projects.append(node.project.name)
            elif node.project.name not in projects:
                cards.append(node.card.name)
        return projects, cards

    def _delete_checked(self) -> None:
        projects, cards = self.checked()
        if projects or cards:
            self.delete_wanted.emit(projects, cards)

    def _show_more(self) -> None:
        menu = QMenu(self)
        _add(menu, tr("Delete several…"), "trash", lambda: self.set_editing(True))
        _add(menu, tr("Expand all"), "caret-double-down", self.tree.expandAll)
        _add(menu, tr("Collapse all"), "caret-double-up", self.tree.collapseAll)
        _add(menu, tr("Import report"), "shield-check", self.report_wanted.emit)
        menu.exec(self.more_button.mapToGlobal(QPoint(0, self.more_button.height())))

    def _show_menu(self, at: QPoint) -> None:
        index = self.tree.indexAt(at)
        menu = self.menu_for(index)
        if menu is not None:
            menu.exec(self.tree.viewport().mapToGlobal(at))

    def menu_for(self, index: QModelIndex) -> QMenu | None:
        """Context menu of a row, None where nothing can be done."""
        node = node_of(index)
        if node is None or node.kind == "host":
            return None
        menu = QMenu(self)
        if node.kind == "cluster":
            self._add_comparing_jobs(menu, node.project, node.text)
            return menu
        if node.card is not None:
            self._fill_card_menu(menu, node, node.card)
            return menu
        project = node.project
        if project is not self.workspace.current:
            _add(menu, tr("Open"), "stack", lambda: self.workspace.switch(project.name))
            if project.cards is None and all(path.exists() for path in project.paths):
                _add(menu, tr("List its cards"), "list-bullets", lambda: self.workspace.list_cards(project.name))
        _add(menu, tr("Add data…"), "plus", lambda: self.add_wanted.emit(project.name))
        _add(menu, tr("Rename"), "pencil-simple", lambda: self.tree.edit(index))
        if any(not path.exists() for path in project.paths):
            _add(menu, tr("Relink…"), "link", lambda: self.relink_wanted.emit(project.name))
        jobs = comparing_jobs.jobs_of(project)
        if len(jobs) == 1 and self.workspace.current is not None:
            self._add_comparing_jobs(menu, project, jobs[0])
        _add(menu, tr("Open folder"), "folder-open", lambda: self.folder_wanted.emit(project.paths[0]))
        menu.addSeparator()
        _add(menu, tr("Delete…"), "trash", lambda: self.delete_wanted.emit([project.name], []))
        return menu

    def _fill_card_menu(self, menu: QMenu, node: Node, card: CardRow) -> None:
        if node.project is self.workspace.current:
            if card.status == IDLE:
                _add(menu, tr("Read this card"), "play", lambda: self.workspace.read([card.name]))
            elif card.status not in BUSY:
                _add(menu, tr("Read again"), "arrow-clockwise", lambda: self.workspace.reread(card.name))
            for kind in card.other_kinds:
                _add(
                    menu,
                    tr("Use {kind} data").format(kind=kind_text(kind)),
                    "swap",
                    partial(self.workspace.set_kind, card.name, kind),
                )
        self._add_comparing(menu, node.project, card)
        _add(menu, tr("Open folder"), "folder-open", lambda: self.folder_wanted.emit(card.path))
        if node.project is self.workspace.current:
            menu.addSeparator()
            _add(menu, tr("Delete…"), "trash", lambda: self.delete_wanted.emit([], [card.name]))

    def _add_comparing(self, menu: QMenu, project: ProjectRow, card: CardRow) -> None:
        """Baseline and comparison; the comparison is a card of the open project."""
        comparing = self.workspace.comparing
        menu.addSeparator()
        if comparing.is_baseline(card):
            _add(menu, tr("Unset as baseline data"), "x", comparing.unset_baseline)
        elif comparing.can_be_baseline(card):
            _add(menu, tr("Set as baseline data"), "git-diff", partial(comparing.set_baseline, project, card))
        if comparing.comparison is card:
            _add(menu, tr("Unset as comparison data"), "x", comparing.unset_comparison)
        else:
            action = _add(menu, tr("Set as comparison data"), "git-diff", partial(comparing.set_comparison, card))
            action.setEnabled(comparing.can_compare(project, card))
        if comparing.baseline is not None or comparing.comparison is not None:
            _add(menu, tr("End the comparison"), "x", comparing.clear)
        menu.addSeparator()

    def _add_comparing_jobs(self, menu: QMenu, project: ProjectRow, job: str) -> None:
        """As `_add_comparing`, for the whole job: Summary and Communication show it."""
        comparing = self.workspace.comparing_jobs
        if comparing.is_baseline(project, job):
            _add(menu, tr("Unset as baseline data"), "x", comparing.unset_baseline)
        else:
            _add(menu, tr("Set as baseline data"), "git-diff", partial(comparing.set_baseline, project, job))
        if comparing.is_comparison(project, job):
            _add(menu, tr("Unset as comparison data"), "x", comparing.unset_comparison)
        else:
            action = _add(
                menu, tr("Set as comparison data"), "git-diff", partial(comparing.set_comparison, project, job)
            )
            action.setEnabled(comparing.can_compare(project))
        if comparing.baseline is not None or comparing.comparison is not None:
            _add(menu, tr("End the comparison"), "x", comparing.clear)
        menu.addSeparator()

    def _mark(self, node: Node) -> tuple[str, str]:
        """Word and colour of a card or job that is being compared, empty for others."""
        jobs = comparing_jobs.jobs_of(node.project) if node.kind == "project" else [node.text]
        if node.card is None and node.kind in ("cluster", "project") and len(jobs) == 1:
            if self.workspace.comparing_jobs.is_baseline(node.project, jobs[0]):
                return tr("baseline"), "accent"
            is_other = self.workspace.comparing_jobs.is_comparison(node.project, jobs[0])
            return (tr("comparison"), "warn") if is_other else ("", "")
        comparing = self.workspace.comparing
        if node.card is None or not comparing.holds(node.project, node.card):
            return "", ""
        return (tr("baseline"), "accent") if comparing.is_baseline(node.card) else (tr("comparison"), "warn")


def _add(menu: QMenu, text: str, icon: str, act: Callable[[], Any]) -> QAction:
    action = menu.addAction(text)
    action.setIcon(icons.icon(icon))
    action.triggered.connect(lambda _=False: act())
    return action


def _span(cards: list[CardRow]) -> str:
    """`0–7` for the ranks of a host, the number of cards where they have none."""
    ranks = [int(c.source.rank) for c in cards if c.source.rank is not None and c.source.rank.isdigit()]
    if len(ranks) != len(cards):
        return number_text.count(len(cards))
    return f"{min(ranks)}–{max(ranks)}" if len(ranks) > 1 else str(ranks[0])
