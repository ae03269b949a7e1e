"""Work off the window's thread, its result brought back into it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from PySide6.QtCore import QObject

from insight_desktop.errors import Cancelled, InsightError
from insight_desktop.views.common.mailbox import open_mailbox, post
from insight_desktop.views.common.pools import Pool

T = TypeVar("T")

_POOL = Pool("work")


class Door(QObject):
    """Takes calls from any thread and makes them in that of the window."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        open_mailbox()

    def call(self, function: Callable[..., None], *values: Any) -> None:
        """Ask for `function(*values)` in the window's thread; returns at once. Calls for a window that is gone are dropped."""
        post(self, function, *values)

    def run(
        self,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[InsightError], None],
    ) -> None:
        """Run `work()` on the pool, then `then(result)` or `failed(error)` in the window's thread."""

        def done(future: Future[T]) -> None:
            error = future.exception()
            if error is None:
                self.call(then, future.result())
            elif not isinstance(error, Cancelled):
                known = error if isinstance(error, InsightError) else InsightError(f"{type(error).__name__}: {error}")
                self.call(failed, known)

        _POOL.submit(work, done)
