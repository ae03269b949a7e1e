"""Keeps what the user arranged: autosave per project, `.insight` files, back again exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer

from insight_desktop.engine import session
from insight_desktop.engine.session import SUFFIX, Session
from insight_desktop.errors import InsightError
from insight_desktop.views.cards import BUSY, ProjectRow
from insight_desktop.views.common.language import tr
from insight_desktop.views.workspace import Workspace

DELAY_MS = 1_500
WINDOW = "window"  # key of the window's own state beside those of the tabs

State = dict[str, Any]


class Sessions(QObject):
    """Glue between the window's state and session files.

    Args:
        workspace: what is open.
        collect: gives the state of window and pages, by tab id and `window`.
        restore: takes such a state.
        ask_relink: asks where missing paths are now; None when the user cancels.
    """

    def __init__(
        self,
        workspace: Workspace,
        collect: Callable[[], State],
        restore: Callable[[State], None],
        ask_relink: Callable[[str, list[Path]], dict[Path, Path] | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.file: Path | None = None  # of the session that was opened or saved last
        self._collect, self._restore, self._ask_relink = collect, restore, ask_relink
        self._of: ProjectRow | None = None  # whose state the pages show; None until it was brought back
        self._waiting: State | None = None
        self.paths: list[Path] = []  # paths of the session file whose state waits
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self.autosave)
        workspace.context.view_changed.connect(self._changed)
        workspace.leaving.connect(self.autosave)
        workspace.project_opened.connect(self._opened)
        workspace.import_ended.connect(self._bring_back)

    # ---- autosave ----------------------------------------------------------------------------------------------------

    def autosave(self) -> None:
        """Keep the state of the project that is shown."""
        self._timer.stop()
        project = self._of
        if project is None or project.found is None or project is not self.workspace.current:
            return
        try:
            session.save(
                session.autosave_path(project.entry),
                session.from_project(project.entry, project.found, self._collect()),
            )
        except InsightError as error:
            self.workspace.context.message.emit("warning", error.message, error.fix)

    def _changed(self) -> None:
        if self._of is not None:
            self._timer.start()

    def _opened(self) -> None:
        project = self.workspace.current
        self._of = None
        if project is None:
            self.file = None
            self._waiting = None
            return
        if self._waiting is None or not project.entry.is_same_source(self.paths):
            self._waiting = self._kept(project)
        if not any(card.status in BUSY for card in project.cards or []):
            QTimer.singleShot(0, self, self._bring_back)

    def _kept(self, project: ProjectRow) -> State:
        path = session.autosave_path(project.entry)
        if not path.exists():
            return {}
        try:
            return session.load(path).views
        except InsightError as error:
            self.workspace.context.message.emit(
                "warning", error.message, tr("The view begins anew; the data are untouched.")
            )
            return {}

    def _bring_back(self) -> None:
        """Restore the state that waits, once the cards are there; from then on changes are kept."""
        project = self.workspace.current
        if project is None or any(card.status in BUSY for card in project.cards or []):
            return
        state, self._waiting = self._waiting, None
        if state:
            self._restore(state)
        self._of = project

    # ---- files -------------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> bool:
        """Write the session of the current project to a file; False (and a banner) when that fails."""
        project = self.workspace.current
        if project is None or project.found is None:
            return False
        path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
        try:
            session.save(path, session.from_project(project.entry, project.found, self._collect()))
        except InsightError as error:
            self.workspace.context.message.emit("error", error.message, error.fix)
            return False
        self.file = path
        self.workspace.context.message.emit("success", tr("Session saved: {path}").format(path=path), "")
        return True

    def open(self, path: Path) -> bool:
        """Open a session file: its data, then its view. False when the user gave up or it cannot be read."""
        try:
            saved = session.load(path)
        except InsightError as error:
            self.workspace.context.message.emit("error", error.message, error.fix)
            return False
        found, missing = session.resolve(saved, path)
        places = {f.source.path: f.path for f in found}
        if missing:
            answers = self._ask_relink(saved.name, [source.path for source in missing])
            if answers is None:
                return False
            places.update(answers)
        for changed in (f for f in found if f.changed):
            self.workspace.context.message.emit(
                "warning",
                tr("{name} is another file than when the session was saved.").format(name=changed.path.name),
                tr("The saved view may not fit."),
            )
        self.autosave()
        self._of = None
        self._waiting = dict(saved.views)
        self.paths = [places[source.path] for source in saved.sources if source.path in places]
        self._open_data(saved, self.paths)
        self.file = path
        return True

    def _open_data(self, saved: Session, paths: list[Path]) -> None:
        kinds = {card.name: card.kind for card in saved.cards if card.kind and not card.removed}
        if self.workspace.current is not None and self.workspace.current.entry.is_same_source(paths):
            self._bring_back()
            return
        options = {card.name: card.options for card in saved.cards if card.options and not card.removed}
        self.workspace.open_paths(paths, kinds=kinds, options=options)
