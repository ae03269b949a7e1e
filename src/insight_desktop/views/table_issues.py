"""Issues of the csv files of cards, looked for after an import, so that the report tells them before a page is opened."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from insight_desktop.engine.import_tables import table_issues
from insight_desktop.ingest.report import Issue
from insight_desktop.views.cards import NOTES, READY, USABLE, CardRow
from insight_desktop.views.common.worker import Door

if TYPE_CHECKING:
    from insight_desktop.views.workspace import Workspace


class TableIssues(QObject):
    """Looks at one card after the other while nothing is imported."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self._door = Door(self)
        self._looked: dict[str, object] = {}  # card → the import whose tables were looked at
        self._busy = False
        workspace.import_ended.connect(self.go_on)
        workspace.project_opened.connect(self._other_project)

    def go_on(self) -> None:
        """Look at the next card that is ready."""
        current = self.workspace.current
        if self._busy or current is None or current.busy:
            return
        for row in current.cards or []:
            if row.status in USABLE and row.kind == "text" and self._looked.get(row.name) is not row.item:
                self._looked[row.name] = row.item
                self._busy = True
                look = partial(table_issues, self.workspace.context.store, row.name)
                self._door.run(look, partial(self._found, row, row.item), lambda _error: self._next())
                return

    def _found(self, row: CardRow, item: object, issues: list[Issue]) -> None:
        current = self.workspace.current
        new = [issue for issue in issues if issue not in row.issues]
        if new and current is not None and current.card(row.name) is row and row.item is item:
            row.issues = [*row.issues, *new]
            if row.status == READY and row.notes:
                row.status = NOTES
            self.workspace.card_changed.emit(row.name)
        self._next()

    def _next(self) -> None:
        self._busy = False
        self.go_on()

    def _other_project(self, _name: str) -> None:
        self._looked.clear()
