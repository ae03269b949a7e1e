"""The ways into the program: dialogs, drop, typed paths, sessions, recent projects."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QFileDialog

from insight_desktop.engine.session import SUFFIX
from insight_desktop.views import recent_sessions
from insight_desktop.views.cards import ProjectRow
from insight_desktop.views.common import number_text, settings
from insight_desktop.views.common.language import tr
from insight_desktop.views.dialogs import ProblemsDialog, RelinkDialog, delete_question
from insight_desktop.views.import_dialog import LAST_PATH, ImportDialog
from insight_desktop.views.recent_list import CHANGED, MOVED, NORMAL, Recent
from insight_desktop.views.workspace import Checked, Workspace, file_stamps

if TYPE_CHECKING:
    from insight_desktop.views.main_window import MainWindow


class Opening(QObject):
    """Asks the user and tells the workspace."""

    def __init__(self, window: MainWindow, workspace: Workspace) -> None:
        super().__init__(window)
        self.window_ = window
        self.workspace = workspace
        self._later: list[Path] = []  # data that were dropped together with a session
        workspace.problems.connect(self.show_problems)
        workspace.project_opened.connect(self._add_later)
        workspace.context.message.connect(self._nothing_later)

    # ---- native and own dialogs --------------------------------------------------------------------------------------

    def ask_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self.window_, tr("Open folder"), _start())
        if chosen:
            self.open_paths([Path(chosen)])

    def ask_files(self) -> None:
        kinds = (
            tr("Profiling data")
            + " (*.json *.json.gz *.db *.csv *.bin *.pickle *.insight);;"
            + tr("All files")
            + " (*)"
        )
        chosen, _ = QFileDialog.getOpenFileNames(self.window_, tr("Open files"), _start(), kinds)
        if chosen:
            self.open_paths([Path(name) for name in chosen])

    def ask_import(self, project: str = "") -> None:
        """The import dialog; with a project its data are added to it."""
        dialog = ImportDialog(project or None, parent=self.window_)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self.open_paths(dialog.selected(), add_to=project or None)

    def ask_add(self) -> None:
        if self.workspace.current is not None:
            self.ask_import(self.workspace.current.name)

    def ask_session(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self.window_, tr("Open session"), _start(), tr("Sessions") + f" (*{SUFFIX})"
        )
        if chosen:
            self.open_paths([Path(chosen)])

    def ask_save_session(self) -> None:
        project = self.workspace.current
        if project is None:
            return
        start = str(Path(_start()) / f"{project.name}{SUFFIX}")
        chosen, _ = QFileDialog.getSaveFileName(
            self.window_, tr("Save session"), start, tr("Sessions") + f" (*{SUFFIX})"
        )
        if chosen:
            self._save_to(Path(chosen))

    def save_session(self) -> None:
        """Save to the file of this session; the first time, ask for one."""
        if self.window_.sessions.file is None:
            self.ask_save_session()
        else:
            self._save_to(self.window_.sessions.file)

    def _save_to(self, path: Path) -> None:
        if self.window_.sessions.save(path) and self.window_.sessions.file is not None:
            recent_sessions.remember(self.window_.sessions.file)

    # ---- opening -----------------------------------------------------------------------------------------------------

    def open_paths(self, paths: list[Path], add_to: str | None = None) -> None:
        """Open any mix of data and one session: the session first, then the data are added to it."""
        sessions = [path for path in paths if path.suffix.lower() == SUFFIX]
        data = [path for path in paths if path not in sessions]
        if paths:
            settings.write(LAST_PATH, str(paths[0]))
        if not sessions:
            self.workspace.open_paths(data, add_to=add_to)
            return
        if len(sessions) > 1:
            self.workspace.context.message.emit(
                "info",
                tr("One session can be open at a time; {name} was opened.").format(name=sessions[0].name),
                tr("Open the others one after the other."),
            )
        self._later = data
        if self.window_.sessions.open(sessions[0]):
            recent_sessions.remember(sessions[0])
            current = self.workspace.current
            if current is not None and current.entry.is_same_source(self.window_.sessions.paths):
                self._add_later(current.name)
        else:
            self._later = []

    def _add_later(self, name: str) -> None:
        """The session that came with data is open now: add the data."""
        data, self._later = self._later, []
        if name and data:
            self.workspace.open_paths(data, add_to=name)

    def _nothing_later(self, level: str, _text: str, _fix: str) -> None:
        if level == "error":
            self._later = []  # the session's data could not be opened

    def show_problems(self, checked: Checked) -> None:
        """List what is wrong with paths; continue if the user says so."""
        dialog = ProblemsDialog(checked, self.window_)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self.workspace.go_on(checked)

    def ask_delete(self, projects: list[str], cards: list[str]) -> None:
        """Delete after a question."""
        if delete_question(projects, cards, self.window_).exec() != QDialog.DialogCode.Accepted:
            return
        for name in cards:
            self.workspace.delete_card(name)
        if projects:
            self.workspace.delete_projects(projects)
        self.window_.data_panel.set_editing(False)

    def ask_relink(self, name: str) -> None:
        """Where are the data of a project now?"""
        project = self.workspace.project(name)
        if project is None:
            return
        missing = [path for path in project.paths if not path.exists()]
        answers = self.relink_answers(name, missing)
        if answers is not None:
            self.workspace.relink(name, [answers.get(path, path) for path in project.paths])

    def relink_answers(self, name: str, missing: list[Path]) -> dict[Path, Path] | None:
        dialog = RelinkDialog(name, missing, self.window_)
        return dialog.answers() if dialog.exec() == QDialog.DialogCode.Accepted else None

    def open_recent(self, recent: Recent) -> None:
        if recent.kind == "session":
            self.open_paths([recent.path])
        elif recent.state == MOVED:
            self.ask_relink(recent.name)
        else:
            self.workspace.switch(recent.name)

    # ---- recent ------------------------------------------------------------------------------------------------------

    def recent(self) -> list[Recent]:
        """Projects and sessions for the start page, the newest first."""
        rows = [_recent_project(project) for project in self.workspace.projects]
        rows += recent_sessions.rows()
        return sorted(rows, key=lambda row: -row.opened_at)

    def forget(self, recent: Recent) -> None:
        """Take one row off the list."""
        if recent.kind == "session":
            recent_sessions.forget(recent.path)
            self.workspace.projects_changed.emit()
        else:
            self.workspace.delete_projects([recent.name])

    def clear_recent(self) -> None:
        """Take everything off the list, after a question."""
        names = [project.name for project in self.workspace.projects]
        if not names and not recent_sessions.rows():
            return
        if delete_question(names, [], self.window_).exec() == QDialog.DialogCode.Accepted:
            self.workspace.delete_projects(names)
            for row in recent_sessions.rows():
                recent_sessions.forget(row.path)
            self.workspace.projects_changed.emit()

    def show_in_folder(self, path: Path) -> None:
        """Open the folder of a path in the system's file manager."""
        folder = path if path.is_dir() else path.parent
        if not folder.exists():
            self.workspace.context.message.emit(
                "warning",
                tr("{path} is not there any more.").format(path=folder),
                tr("Relink the project to the place where the data lie now."),
            )
            return
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _start() -> str:
    last = Path(settings.read(LAST_PATH) or Path.home())
    return str(last if last.is_dir() else last.parent)


def _recent_project(project: ProjectRow) -> Recent:
    facts = project.entry.facts
    texts = []
    cards = facts.get("cards")
    if cards:
        texts.append(tr("1 card") if cards == 1 else tr("{count} cards").format(count=number_text.count(cards)))
    if facts.get("kinds"):
        texts.append(", ".join(facts["kinds"]))
    if facts.get("size_bytes"):
        texts.append(number_text.bytes_text(facts["size_bytes"]))
    gone = any(not path.exists() for path in project.paths)
    noted = facts.get("files") or []
    changed = not gone and file_stamps([Path(row[0]) for row in noted]) != noted
    return Recent(
        name=project.name,
        path=project.paths[0] if project.paths else Path(),
        facts=" · ".join(texts),
        opened_at=project.entry.opened_at,
        state=MOVED if gone else CHANGED if changed else NORMAL,
        seconds=facts.get("open_seconds"),
    )
