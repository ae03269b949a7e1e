"""What an import tells while it runs and afterwards: progress, cancel flag, issues."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Literal

from insight_desktop.errors import Cancelled

Severity = Literal["info", "warning", "error"]


@dataclass
class Issue:
    """One kind of defect met while reading; equal (code, where) pairs are counted, not repeated.

    Attributes:
        code: stable name, `format.defect`, e.g. `trace_json.bad_ts`.
        severity: info (nothing lost), warning (something left out or guessed), error (file or table unusable).
        where: file name with byte, line, table or row.
        count: how often it was met.
        message: one sentence for the user: what, where, what is kept.
        fix: what to do; may be empty.
    """

    code: str
    severity: Severity
    where: str
    message: str
    count: int = 1
    fix: str = ""

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True)
class Progress:
    """State of one card's import: bytes done of bytes in all, and what is being read now."""

    done_bytes: int
    total_bytes: int
    what: str = ""


class Report:
    """Collects issues and passes progress on; a reader calls `checkpoint` between batches."""

    def __init__(
        self,
        on_progress: Callable[[Progress], None] | None = None,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self._issues: dict[tuple[str, str], Issue] = {}
        self._on_progress = on_progress
        self._is_cancelled = is_cancelled
        self.counts: dict[str, int] = {}
        self.facts: dict[str, object] = {}  # what a reader knows of its source beyond rows, e.g. `args_tables`

    @property
    def issues(self) -> list[Issue]:
        return list(self._issues.values())

    def issue(
        self,
        code: str,
        severity: Severity,
        where: str,
        message: str,
        *,
        count: int = 1,
        fix: str = "",
    ) -> None:
        """Record a defect; the first message of a (code, where) pair stays, counts add up."""
        known = self._issues.get((code, where))
        if known is not None:
            known.count += count
            return
        self._issues[code, where] = Issue(code, severity, where, message, count, fix)

    def add(self, name: str, amount: int = 1) -> None:
        """Count something for the import report, e.g. `flow_starts` or `table.TASK`."""
        self.counts[name] = self.counts.get(name, 0) + amount

    def checkpoint(self, done_bytes: int, total_bytes: int, what: str = "") -> None:
        """Tell progress; raises Cancelled when the user stopped the import."""
        if self._is_cancelled is not None and self._is_cancelled():
            raise Cancelled("The import was stopped.", fix="Open the data again to read it.")
        if self._on_progress is not None:
            self._on_progress(Progress(done_bytes, total_bytes, what))
