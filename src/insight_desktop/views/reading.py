"""Reads cards through the engine's importer and puts finished captures into the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from insight_desktop.engine.cache import LIMIT_BYTES, Cache, Pin
from insight_desktop.engine.cluster_run import cancel_all
from insight_desktop.engine.load import CardImport, Importer
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.ingest.report import Issue
from insight_desktop.views.cards import FAILED, IDLE, NOTES, READING, READY, SKIPPED, WAITING, CardRow, ProjectRow
from insight_desktop.views.common import settings

_STATUS = {
    "waiting": WAITING,
    "reading": READING,
    "ready": READY,
    "failed": FAILED,
    "cancelled": IDLE,
    "skipped": SKIPPED,
}


@dataclass(frozen=True)
class Update:
    """What is new about a card, taken where it happened; applied to the row in the window's thread."""

    item: CardImport
    status: str
    done_bytes: int = 0
    total_bytes: int = 0
    what: str = ""
    message: str = ""
    fix: str = ""
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    issues: tuple[Issue, ...] = ()
    capture: Path | None = None

    @property
    def is_progress(self) -> bool:
        """True when only the progress moved."""
        return self.status == READING and self.done_bytes > 0

    def apply(self, row: CardRow) -> None:
        row.status = self.status
        row.done_bytes, row.total_bytes, row.what = self.done_bytes, self.total_bytes, self.what
        row.message, row.fix, row.seconds = self.message, self.fix, self.seconds
        row.counts, row.issues, row.capture = dict(self.counts), list(self.issues), self.capture


def update_of(item: CardImport) -> Update:
    """State of an import as an update."""
    issues = tuple(Issue(**{k: v for k, v in each.items() if k in Issue.__dataclass_fields__}) for each in item.issues)
    status = _STATUS[item.status]
    if status == READY and any(issue.severity != "info" for issue in issues):
        status = NOTES
    progress = item.progress
    return Update(
        item=item,
        status=status,
        done_bytes=progress.done_bytes if progress else 0,
        total_bytes=progress.total_bytes if progress else 0,
        what=progress.what if progress else "",
        message="" if status in (READY, NOTES, IDLE) else item.message,
        fix="" if status in (READY, NOTES, IDLE) else item.fix,
        seconds=item.seconds,
        counts=dict(item.counts),
        issues=issues,
        capture=item.capture,
    )


MIN_CACHE_GB, MAX_CACHE_GB = 1, 4000


def cache_limit_gb() -> int:
    """How large the user lets the cache grow, in GB (10⁹ bytes)."""
    kept = settings.read("cache_limit_gb")
    return min(max(int(kept), MIN_CACHE_GB), MAX_CACHE_GB) if kept.isdecimal() else LIMIT_BYTES // 1000**3


class CardReader:
    """One importer for the window.

    Args:
        cache: where captures go; the user's cache when None.
    """

    def __init__(self, cache: Cache | None = None) -> None:
        self.cache = cache or Cache(limit_bytes=cache_limit_gb() * 1000**3)
        self._importer = Importer(self.cache, on_change=self._changed)
        self._listeners: dict[int, Callable[[Update], None]] = {}
        self._pins: dict[str, Pin] = {}

    def start(self, rows: list[CardRow], tell: Callable[[CardRow, Update], None], *, fresh: bool = False) -> None:
        """Queue the rows' cards; `tell(row, update)` comes from a thread of the importer."""
        for row in rows:
            self._listeners[id(row.source)] = lambda update, row=row: tell(row, update)  # type: ignore[misc]
        kinds = {row.source.name: row.kind for row in rows}
        items = self._importer.start([row.source for row in rows], kinds, fresh=fresh)
        for row, item in zip(rows, items, strict=True):
            row.item = item
            if item.is_done:
                tell(row, update_of(item))

    def set_cache_limit(self, gigabytes: int) -> None:
        """Let the cache grow up to another size; captures beyond it go with the next import."""
        settings.write("cache_limit_gb", str(gigabytes))
        self.cache.limit_bytes = gigabytes * 1000**3

    def cancel(self, row: CardRow | None = None) -> None:
        """Stop one card or all."""
        self._importer.cancel(row.source.name if row is not None else None)

    def open(self, store: Store, row: CardRow, project: ProjectRow) -> None:
        """Put the capture of a finished card into the store and keep it in the cache while it is open."""
        if row.capture is None:
            return
        choice = project.entry.choice(row.source)
        known = next((card for card in store.cards if card.name == row.name), None)
        files = row.source.source(row.kind).files
        pin = self.cache.pin(row.capture.name)
        self._release(row.name)
        self._pins[row.name] = pin
        store.put(
            StoreCard(
                name=row.name,
                rank=None if row.guest else row.source.rank,  # no rank of this job
                device=choice.device if choice.device is not None else row.source.device,
                host=row.source.host,
                kind=row.kind,
                folder=row.capture,
                offset_ns=known.offset_ns if known is not None else 0,
                alias=choice.alias,
                source_folder=files[0].parent if files else None,
                source=row.source.source(row.kind),
                cluster="" if row.guest else row.source.cluster,
                guest=row.guest,
            )
        )
        store.capture(row.name)

    def release(self, name: str | None = None) -> None:
        """Let the capture of a card go, or all of them."""
        for each in [name] if name is not None else list(self._pins):
            self._release(each)

    def close(self) -> None:
        """Stop everything; called once, at the end."""
        self._listeners.clear()
        cancel_all()
        self._importer.close()
        self.release()

    def _release(self, name: str) -> None:
        pin = self._pins.pop(name, None)
        if pin is not None:
            pin.release()

    def _changed(self, item: CardImport) -> None:
        listener = self._listeners.get(id(item.card))
        if listener is not None:
            listener(update_of(item))
