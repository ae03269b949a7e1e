"""Tab and Page: what a tab is, and the one way a page asks the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context


@dataclass(frozen=True)
class Tab:
    """One tab: id `area.topic` (equal to its module names), English title, page class."""

    id: str
    title: str
    page: type[Page]


class Page(QWidget):
    """A tab's content. Subclasses build widgets in `__init__`, fill them in `refresh`, and say what they remember."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._asker = Asker(context, self)

    def refresh(self) -> None:
        """The data or the selection changed."""

    def view_state(self) -> dict[str, Any]:
        """What the session file keeps of this page; JSON values only."""
        return {}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; unknown keys are ignored."""

    def ask(
        self,
        query: Callable[..., Any],
        *,
        then: Callable[[Any], None],
        failed: Callable[[InsightError], None] | None = None,
        **arguments: Any,
    ) -> None:
        """Run `query(store, **arguments)` off the window's thread; `then(result)` only if no newer question was asked.

        A failure goes to `failed`, or becomes a banner. Every question ends in one of both.
        """
        self._asker.ask(query, then=then, failed=failed, **arguments)
