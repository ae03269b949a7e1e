"""Threads that work for the window, and whether any of them is busy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_running = 0


class Pool:
    """Two threads with a name; jobs beyond that wait."""

    def __init__(self, name: str) -> None:
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix=name)

    def submit(self, work: Callable[[], T], done: Callable[[Future[T]], None] | None = None) -> Future[T]:
        """Run `work()` on one of the threads, then `done(future)` there; the pool is busy until that has returned."""
        _count(1)
        future = self._threads.submit(work)
        if done is not None:
            future.add_done_callback(done)
        future.add_done_callback(lambda _future: _count(-1))
        return future


def is_idle() -> bool:
    """True when no pool of the window has anything to do; answers are in the event queue then."""
    return _running == 0


def _count(by: int) -> Any:
    global _running
    with _lock:
        _running += by
