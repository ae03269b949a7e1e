"""Work off the window's thread: results come back in order of asking, and only the newest question is answered."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QObject

from insight_desktop.errors import Cancelled, InsightError
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.mailbox import open_mailbox, post
from insight_desktop.views.common.pools import Pool

_POOL = Pool("ask")


class Background(QObject):
    """Runs functions on a small pool and delivers their results in the window's thread.

    Results of a widget that is gone are dropped, so give the widget as parent.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._newest: dict[str, int] = {}
        open_mailbox()

    def run(
        self,
        key: str,
        work: Callable[[], Any],
        *,
        then: Callable[[Any], None],
        failed: Callable[[InsightError], None],
    ) -> None:
        """Run `work()`; then `then(result)` or `failed(error)`, unless `key` was run or dropped again meanwhile."""
        number = self.drop(key)

        def is_new() -> bool:
            return self._newest.get(key) == number

        def start() -> Any:
            if not is_new():
                raise Cancelled("superseded")
            return work()

        def done(future: Future[Any]) -> None:
            error = future.exception()
            if error is None:
                post(self, self._deliver, then, is_new, future.result())
            elif not isinstance(error, Cancelled):
                known = error if isinstance(error, InsightError) else InsightError(f"{type(error).__name__}: {error}")
                post(self, self._deliver, failed, is_new, known)

        _POOL.submit(start, done)

    def drop(self, key: str) -> int:
        """Forget the running question of a key: its answer will not arrive. Returns the new number of the key."""
        self._newest[key] = self._newest.get(key, 0) + 1
        return self._newest[key]

    def _deliver(self, then: Callable[[Any], None], is_new: Callable[[], bool], result: Any) -> None:
        if is_new():
            then(result)


class Asker(Background):
    """The one way a page or panel asks the engine. The parent is the widget that asks."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.context = context

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
        self.run(
            query_key(query),
            lambda: query(self.context.store, **arguments),
            then=then,
            failed=failed or self._show_error,
        )

    def forget(self, query: Callable[..., Any]) -> None:
        """The answer to the running question of this query is no longer wanted."""
        self.drop(query_key(query))

    def _show_error(self, error: InsightError) -> None:
        self.context.message.emit("error", error.message, error.fix)


def query_key(query: Callable[..., Any]) -> str:
    """Questions of one query supersede each other."""
    return f"{query.__module__}.{query.__qualname__}"
