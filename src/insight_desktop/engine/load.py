"""Imports: many cards at once in worker processes, with progress, preview and cancel; one failure stays on its card."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.sharedctypes
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from insight_desktop.engine import places
from insight_desktop.engine.cache import Cache, Pin, capture_key
from insight_desktop.engine.capture import Manifest
from insight_desktop.engine.load_options import checked, with_options
from insight_desktop.engine.load_worker import (
    Board,
    Job,
    Outcome,
    Preview,
    Status,
    find_reader,
    no_reader,
    run_in_worker,
    run_job,
    start_worker,
    warm_up,
)
from insight_desktop.errors import InsightError
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.report import Progress
from insight_desktop.ingest.sources import Card, Discovery

INLINE_BYTES = 4 * 1024 * 1024  # smaller sources are read in a thread: a new process costs about a second
BIG_BYTES = 64 * 1024 * 1024  # a lone bigger one gets two threads
NICENESS = 10  # beside a window: it must stay responsive
IDLE_S = 120.0
_SLOTS = 256
_TICK_S = 0.05
_INLINE_LANES = 2

logger = logging.getLogger(__name__)
ChangeCallback = Callable[["CardImport"], None]


@dataclass
class CardImport:
    """State of one card's import.

    Attributes:
        card, kind: what is read.
        status: waiting, reading, ready, failed, cancelled or skipped (no timeline in this format).
        message, fix: why it is not ready.
        progress, preview: while reading.
        capture: folder of the capture when ready.
        manifest: facts of the capture when ready; `counts`, `tables` and `issues` are shortcuts to it.
        cached: true when nothing had to be read.
        seconds, peak_rss_mb: cost of the import; memory is that of the whole process that did it.
    """

    card: Card
    kind: str
    status: Status = "waiting"
    message: str = ""
    fix: str = ""
    progress: Progress | None = None
    preview: Preview | None = None
    capture: Path | None = None
    manifest: Manifest | None = None
    cached: bool = False
    seconds: float = 0.0
    peak_rss_mb: float = 0.0

    @property
    def is_done(self) -> bool:
        return self.status not in ("waiting", "reading")

    @property
    def counts(self) -> dict[str, int]:
        return self.manifest.counts if self.manifest else {}

    @property
    def tables(self) -> dict[str, int]:
        return self.manifest.tables if self.manifest else {}

    @property
    def issues(self) -> list[dict[str, Any]]:
        return self.manifest.issues if self.manifest else []


@dataclass
class _Lane:
    """One worker: a process of its own (so that a crash hits its import only), a thread, or a share of a foreign executor."""

    inline: bool
    executor: Executor | None = None
    future: Future[Outcome] | None = None
    item: CardImport | None = None
    slot: int = 0


@dataclass(eq=False)
class _Waiting:
    """A card in the queue."""

    item: CardImport
    fresh: bool

    @cached_property
    def size_bytes(self) -> int:
        """Size of its files, which are looked at once however often a lane is looked for."""
        return self.item.card.source(self.item.kind).size_bytes


@dataclass
class _Queue:
    items: list[CardImport] = field(default_factory=list)
    waiting: list[_Waiting] = field(default_factory=list)


class Importer:
    """Imports cards in the background; what it delivers stays in the cache until it is closed.

    Args:
        cache: where captures go.
        executor: somebody else's executor (a cluster scheduler's, say); progress is not told then.
        on_change: called for every change of a card, from a thread of the importer.
        inline_bytes: sources up to this size are read in a thread of this process.
        workers: number of worker processes; the number of cores when None.
        idle_s: seconds without work after which the workers end.
    """

    def __init__(
        self,
        cache: Cache,
        *,
        executor: Executor | None = None,
        on_change: ChangeCallback | None = None,
        inline_bytes: int = INLINE_BYTES,
        workers: int | None = None,
        idle_s: float = IDLE_S,
        niceness: int = NICENESS,
    ) -> None:
        self._cache, self._executor, self._on_change, self._inline_bytes = cache, executor, on_change, inline_bytes
        self._idle_s = idle_s
        self._niceness = niceness
        self._pins: dict[str, Pin] = {}
        self._workers = workers or os.cpu_count() or 1
        self._state = _Queue()
        self._changed = threading.Condition()
        self._closing = False
        self._runner: threading.Thread | None = None
        context = multiprocessing.get_context("spawn")
        self._context = context
        self._board = Board(_SLOTS, multiprocessing.sharedctypes.RawArray("B", Board.bytes_for(_SLOTS)))
        self._threads = ThreadPoolExecutor(_INLINE_LANES, thread_name_prefix="import")
        self._lanes = [_Lane(inline=True, executor=self._threads, slot=i) for i in range(_INLINE_LANES)]

    # ---- for callers

    @property
    def imports(self) -> list[CardImport]:
        """All imports so far, in the order in which they were started."""
        return list(self._state.items)

    def start(
        self, cards: Iterable[Card], kinds: dict[str, str] | None = None, *, fresh: bool = False
    ) -> list[CardImport]:
        """Queue cards.

        Args:
            cards: what to read.
            kinds: kind per card name; the preferred one where none is given.
            fresh: read anew although a capture is there.
        """
        started = []
        for card in cards:
            source = card.source((kinds or {}).get(card.name)) if card.sources else None
            item = CardImport(card, source.kind if source else "")
            if source is None:
                item.status, item.message = "skipped", f"Card {card.name} has no files that can be read."
            started.append(item)
        with self._changed:
            if self._closing:
                raise InsightError("The importer is closed.")
            self._state.items += started
            self._state.waiting += [_Waiting(item, fresh) for item in started if not item.is_done]
            if self._runner is None:
                self._runner = threading.Thread(target=self._run, name="importer", daemon=True)
                self._runner.start()
            self._changed.notify_all()
        return started

    def preload(self) -> None:
        """Start a worker that loads the kernels, so that the first big file does not wait for that."""
        with self._changed:
            if self._executor is not None or self._closing or len(self._lanes) > _INLINE_LANES:
                return
            lane = _Lane(inline=False, executor=self._new_worker(), slot=len(self._lanes))
            self._lanes.append(lane)
        assert lane.executor is not None
        lane.executor.submit(warm_up)

    def cancel(self, name: str | None = None) -> None:
        """Stop the imports of a card, or all; those that run stop at their next batch and leave nothing behind."""
        with self._changed:
            for entry in [w for w in self._state.waiting if name in (None, w.item.card.name)]:
                self._state.waiting.remove(entry)
                self._finish(
                    entry.item, Outcome("cancelled", "The import was stopped.", "Open the data again to read it.")
                )
            for lane in self._lanes:
                if lane.item is not None and name in (None, lane.item.card.name):
                    self._board.cancel(lane.slot)
                    if lane.future is not None and self._executor is not None:
                        lane.future.cancel()
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> list[CardImport]:
        """Block until all imports are done or the time in seconds is over; returns all imports."""
        with self._changed:
            self._changed.wait_for(lambda: all(item.is_done for item in self._state.items), timeout)
        return self.imports

    def close(self) -> None:
        """Stop everything and end the workers."""
        self.cancel()
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._runner is not None:
            self._runner.join()
        self._threads.shutdown()
        self._end_workers()
        for pin in self._pins.values():
            pin.release()
        self._pins.clear()

    def __enter__(self) -> Importer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- the importer's own thread

    def _run(self) -> None:
        while True:
            with self._changed:
                busy = any(lane.item is not None for lane in self._lanes)
                if self._closing and not busy:
                    return
                if not busy and not self._state.waiting:
                    if not self._changed.wait(self._idle_s):
                        self._end_workers()
                    continue
            self._collect()
            self._dispatch()
            time.sleep(_TICK_S / 5)

    def _new_worker(self) -> ProcessPoolExecutor:
        memory = self._board.memory
        return ProcessPoolExecutor(
            1, self._context, initializer=start_worker, initargs=(memory, _SLOTS, self._niceness)
        )

    def _end_workers(self) -> None:
        """Give the memory of idle workers back; they are made anew when needed."""
        for lane in self._lanes:
            if not lane.inline and lane.executor is not None:
                lane.executor.shutdown(cancel_futures=True)
                lane.executor = None

    def _collect(self) -> None:
        """Take results and progress from the lanes."""
        for lane in self._lanes:
            if lane.item is None or lane.future is None:
                continue
            if not lane.future.done():
                progress, preview = self._board.read(lane.slot)
                if progress != lane.item.progress:
                    lane.item.progress, lane.item.preview = progress, preview
                    self._tell(lane.item)
                continue
            outcome = self._result(lane)
            item, lane.item, lane.future = lane.item, None, None
            with self._changed:
                self._finish(item, outcome)

    def _result(self, lane: _Lane) -> Outcome:
        assert lane.future is not None
        assert lane.item is not None
        if lane.future.cancelled():
            return Outcome("cancelled", "The import was stopped.", "Open the data again to read it.")
        error = lane.future.exception()
        if error is None:
            return lane.future.result()
        if isinstance(error, BrokenProcessPool):
            if lane.executor is not None:
                lane.executor.shutdown(wait=False)
            lane.executor = None  # made anew for the next card
            self._cache.sweep()
            return Outcome(
                "failed",
                f"The process that read card {lane.item.card.name} ended unexpectedly; other cards are not affected.",
                "If memory ran out, close other programs or read fewer cards at once; else please report the file.",
            )
        return Outcome("failed", f"Card {lane.item.card.name} could not be read: {error}", "The log has the details.")

    def _dispatch(self) -> None:
        """Give waiting cards to free lanes."""
        while True:
            with self._changed:
                found = next(
                    ((entry, lane) for entry in self._state.waiting if (lane := self._free_lane(entry)) is not None), None
                )  # fmt: skip
                if found is None:
                    return
                entry, lane = found
                item, fresh = entry.item, entry.fresh
                self._state.waiting.remove(entry)
                alone = not self._state.waiting and all(other.item is None for other in self._lanes)
                lane.item = item
                item.status = "reading"
                self._board.clear(lane.slot)
            self._tell(item)
            try:
                self._submit(lane, item, fresh, alone)
            except Exception as error:  # no process could be started, the executor is gone, …
                logger.exception("import of card %s could not start", item.card.name)
                lane.item = None
                with self._changed:
                    self._finish(
                        item,
                        Outcome(
                            "failed", f"Card {item.card.name} could not be read: {error}", "The log has the details."
                        ),
                    )

    def _submit(self, lane: _Lane, item: CardImport, fresh: bool, alone: bool) -> None:
        source = item.card.source(item.kind)
        outcome = self._at_once(item, fresh)
        if outcome is not None:
            lane.item = None
            with self._changed:
                self._finish(item, outcome)
            return
        threads = 2 if alone and source.size_bytes > BIG_BYTES and self._workers > 1 else 1
        job = Job(source, self._cache.root, self._cache.limit_bytes, fresh, threads)
        if self._executor is not None:
            lane.future = self._executor.submit(run_job, job)
        elif lane.inline:
            lane.future = self._threads.submit(run_job, job, self._board, lane.slot)
        else:
            if lane.executor is None:
                lane.executor = self._new_worker()
            try:
                lane.future = lane.executor.submit(run_in_worker, job, lane.slot)
            except BrokenProcessPool:  # it died while it was idle
                lane.executor = None
                self._submit(lane, item, fresh, alone)

    def _at_once(self, item: CardImport, fresh: bool) -> Outcome | None:
        """Outcome that needs no worker: the capture is there, or nothing can read the format."""
        source = item.card.source(item.kind)
        if find_reader(source.format) is None:
            return no_reader(source)
        if fresh:
            return None
        began = time.perf_counter()
        folder = self._cache.find(capture_key(source))
        if folder is None:
            return None
        return Outcome("ready", capture=folder, cached=True, seconds=round(time.perf_counter() - began, 3))

    def _free_lane(self, entry: _Waiting) -> _Lane | None:
        inline = self._executor is None and entry.size_bytes <= self._inline_bytes
        for lane in self._lanes:
            if lane.item is None and lane.inline == inline:
                return lane
        if inline:
            return None
        limit = _SLOTS - _INLINE_LANES if self._executor is not None else min(self._workers, _SLOTS - _INLINE_LANES)
        if len(self._lanes) - _INLINE_LANES >= limit:
            return None
        lane = _Lane(inline=False, slot=len(self._lanes))
        self._lanes.append(lane)
        return lane

    def _finish(self, item: CardImport, outcome: Outcome) -> None:
        """Note how an import ended; the lock is held."""
        item.message, item.fix, item.cached = outcome.message, outcome.fix, outcome.cached
        item.seconds, item.peak_rss_mb, item.capture = outcome.seconds, outcome.peak_rss_mb, outcome.capture
        item.preview = None
        status = outcome.status
        if outcome.capture is not None:
            key = outcome.capture.name
            if key not in self._pins:
                self._pins[key] = self._cache.pin(key)
            try:
                item.manifest = Manifest.read(outcome.capture)
            except InsightError as error:
                status, item.message, item.fix, item.capture = "failed", error.message, error.fix, None
        item.status = status
        self._tell(item)
        self._changed.notify_all()

    def _tell(self, item: CardImport) -> None:
        if self._on_change is None:
            return
        try:
            self._on_change(item)
        except Exception:  # a listener's trouble must not stop the other imports
            logger.exception("listener of imports failed")


def import_paths(
    paths: Sequence[str | Path],
    *,
    cache: Cache | None = None,
    name: str | None = None,
    kinds: dict[str, str] | None = None,
    on_change: ChangeCallback | None = None,
    fresh: bool = False,
    lazy_above: int = 16,
    cards: Iterable[str] | None = None,
    ask: Callable[[Discovery], Iterable[str]] | None = None,
    options: Mapping[str, str] | None = None,
) -> tuple[Discovery, list[CardImport]]:
    """Discover and import, and wait for the end.

    Args:
        paths: files and folders.
        cache: the user's cache when None.
        name: name of the project.
        kinds: kind per card name.
        on_change: as for `Importer`.
        fresh: read anew although captures are there.
        lazy_above: with more cards than this (kernels are not counted), only those in `cards` or chosen by `ask` are read; the others stay waiting.
        cards: names of the cards to read; all (or, with many, none) when None.
        ask: chooses card names when there are more than `lazy_above` and `cards` is None.
        options: how sources are read, text by name: see `load_options`.

    Returns:
        What was found, and one import per card in the order of the cards.

    Raises:
        InsightError: nothing usable at these paths, or an option that makes no sense.
    """
    options = checked(options or {})  # a wrong one is told before anything is looked at
    found = discover(paths, name=name)
    if options:
        found.cards = [with_options(card, options) for card in found.cards]
    chosen = set(cards) if cards is not None else None
    # kernels are quick to read, and compared with one another
    kernels = {card.name for card in found.cards if card.area == "operator"}
    if chosen is None and len(found.cards) - len(kernels) > lazy_above:
        chosen = set(ask(found)) if ask is not None else set()
    todo = [card for card in found.cards if chosen is None or card.name in chosen]
    with Importer(cache or Cache(), on_change=on_change, niceness=0) as importer:  # no window works beside it
        importer.start(todo, kinds, fresh=fresh)
        done = {item.card.name: item for item in importer.wait()}
    later = "Not read yet: with many cards each is read when it is asked for."
    imports = [
        done.get(card.name) or CardImport(card, card.kinds[0] if card.kinds else "", message=later) for card in found.cards
    ]  # fmt: skip
    return found, imports


def use_kernel_cache() -> None:
    """Let compiled kernels be kept in the user's cache when the package's folder is read-only; call before importing kernels."""
    package = Path(__file__).resolve().parent
    if "NUMBA_CACHE_DIR" not in os.environ and not os.access(package, os.W_OK):
        folder = places.kernels_dir()
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            os.environ["NUMBA_CACHE_DIR"] = str(folder)


def warm_kernels() -> float:
    """Compile (or load) all kernels of reading and building once; returns the seconds it took.

    Modules of readers and of the timeline may offer `warm()` for kernels of their own.
    """
    use_kernel_cache()
    from insight_desktop.engine.warm import warm_modules

    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="insight-warm-") as folder:
        warm_modules(Path(folder))
    return time.perf_counter() - began
