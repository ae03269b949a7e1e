"""Tab and Page: what a tab is, and the one way a page asks the engine."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from insight_desktop.errors import Cancelled, InsightError
from insight_desktop.views.common.context import Context

_POOL = ThreadPoolExecutor(max_workers=2, thread_name_prefix="ask")


@dataclass(frozen=True)
class Tab:
    """One tab: id `area.topic` (equal to its module names), English title, page class."""

    id: str
    title: str
    page: type[Page]


class _Answers(QObject):
    """Brings results of the pool back into the window's thread."""

    arrived = Signal(object, object, object)

    def __init__(self) -> None:
        super().__init__()
        self.arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def _deliver(self, then: Callable[[Any], None], is_new: Callable[[], bool], result: Any) -> None:
        if is_new():
            then(result)


class Page(QWidget):
    """A tab's content. Subclasses build widgets in `__init__`, fill them in `refresh`, and say what they remember."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._answers = _Answers()
        self._newest: dict[str, int] = {}

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
        key = f"{query.__module__}.{query.__qualname__}"
        number = self._newest.get(key, 0) + 1
        self._newest[key] = number

        def is_new() -> bool:
            return self._newest.get(key) == number

        def work() -> Any:
            if not is_new():
                raise Cancelled("superseded")
            return query(self.context.store, **arguments)

        def done(future: Future[Any]) -> None:
            error = future.exception()
            if error is None:
                self._answers.arrived.emit(then, is_new, future.result())
            elif not isinstance(error, Cancelled):
                known = error if isinstance(error, InsightError) else InsightError(f"{type(error).__name__}: {error}")
                self._answers.arrived.emit(failed or self._show_error, is_new, known)

        _POOL.submit(work).add_done_callback(done)

    def _show_error(self, error: InsightError) -> None:
        self.context.message.emit("error", error.message, error.fix)
