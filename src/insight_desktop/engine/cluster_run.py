"""The making of a job's analysis in a thread of its own: two phases, progress, cancel, and who waits for which tables.

Phases: `quick` (nothing there yet), `full` (step times and parallel sizes are there, the rest is being made), `ready`.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow as pa

from insight_desktop.errors import Cancelled, InsightError

Phase = Literal["idle", "quick", "full", "ready", "failed", "cancelled"]
_running: weakref.WeakSet[Run] = weakref.WeakSet()


@dataclass(frozen=True)
class Status:
    """How far the analysis of a job is.

    Attributes:
        phase: `idle` (nobody asked), `quick`, `full`, `ready`, `failed` or `cancelled`.
        done_bytes, total_bytes: of the files that are read.
        what: what is being done, one sentence part such as `Ranks 32 to 63`.
        message, fix: why it failed.
        seconds: since it began.
    """

    phase: Phase
    done_bytes: int = 0
    total_bytes: int = 0
    what: str = ""
    message: str = ""
    fix: str = ""
    seconds: float = 0.0

    @property
    def is_running(self) -> bool:
        """True while somebody may still have to wait."""
        return self.phase in ("quick", "full")

    @property
    def share(self) -> float:
        """0 to 1."""
        return min(self.done_bytes / self.total_bytes, 1.0) if self.total_bytes else 0.0


class Run:
    """One analysis that is being made.

    Args:
        make: does it; gets the run for its progress and gives the folder of the finished tables.
    """

    def __init__(self, make: Callable[[Run], Path]) -> None:
        self._make = make
        self._changed = threading.Condition()
        self._phase: Phase = "quick"
        self._early: dict[str, pa.Table] = {}
        self._folder: Path | None = None
        self._error: BaseException | None = None
        self._progress = (0, 0, "")
        self._began = time.monotonic()
        self._cancelled = threading.Event()
        _running.add(self)
        self._thread = threading.Thread(target=self._work, name="cluster", daemon=True)
        self._thread.start()

    @property
    def status(self) -> Status:
        """How far it is."""
        with self._changed:
            error = self._error
            seconds = time.monotonic() - self._began
            known = (error.message, error.fix) if isinstance(error, InsightError) else (str(error or ""), "")
            return Status(self._phase, *self._progress, *known, seconds=seconds)

    def cancel(self) -> None:
        """Stop it; whoever waits gets Cancelled. Nothing is kept."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    # ---- for the maker -----------------------------------------------------------------------------------------------

    def checkpoint(self, done_bytes: int, total_bytes: int, what: str = "") -> None:
        """Tell progress. Raises Cancelled when it was stopped."""
        if self._cancelled.is_set():
            raise Cancelled("The analysis of the cluster was stopped.", fix="Open the page again to start it.")
        with self._changed:
            self._progress = (done_bytes, total_bytes, what)

    def early(self, tables: Mapping[str, pa.Table]) -> None:
        """Tables that can be asked already while the others are made."""
        with self._changed:
            self._early = dict(tables)
            self._phase = "full"
            self._changed.notify_all()

    # ---- for those who ask -------------------------------------------------------------------------------------------

    def early_table(self, name: str) -> pa.Table | None:
        """A table of the first phase while the second is under way, None when it is not one of those or all is there."""
        with self._changed:
            return self._early.get(name) if self._phase == "full" else None

    def wait_early(self) -> None:
        """Wait for the first phase. Raises what the making raised."""
        self._wait("quick")

    def wait(self) -> Path:
        """The folder of all tables. Raises what the making raised, Cancelled when it was stopped."""
        self._wait("quick", "full")
        assert self._folder is not None
        return self._folder

    def _wait(self, *phases: Phase) -> None:
        try:
            with self._changed:
                while self._phase in phases:
                    self._changed.wait(0.5)
                error = self._error
        except KeyboardInterrupt:
            self.cancel()
            raise
        if isinstance(error, InsightError):
            raise type(error)(error.message, fix=error.fix)  # a new one: an exception grows with every raise
        if error is not None:
            raise InsightError(f"The analysis of the cluster failed ({type(error).__name__}: {error}).") from error

    def _work(self) -> None:
        folder: Path | None = None
        error: BaseException | None = None
        try:
            folder = self._make(self)
        except BaseException as failure:
            error = failure
        with self._changed:
            self._folder, self._error = folder, error
            self._phase = "ready" if error is None else "cancelled" if isinstance(error, Cancelled) else "failed"
            self._early = {}
            self._changed.notify_all()
        _running.discard(self)


def cancel_all() -> None:
    """Stop everything that is being made: the program ends."""
    for run in list(_running):
        run.cancel()
