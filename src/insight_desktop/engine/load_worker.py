"""One import, in whatever process or thread it runs: reader, builder, progress, preview, cancel."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine import fillers
from insight_desktop.engine.cache import Cache, capture_key
from insight_desktop.errors import Cancelled, InsightError
from insight_desktop.ingest.formats import rank_info
from insight_desktop.ingest.report import Progress, Report
from insight_desktop.ingest.sources import Source

BUCKETS = 256  # of a preview
_WHAT = 64  # bytes of the text that says what is being read
_FORMATS = "insight_desktop.ingest.formats"

Status = Literal["waiting", "reading", "ready", "failed", "cancelled", "skipped"]
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Job:
    """What a worker has to know of one import."""

    source: Source
    cache_root: Path
    limit_bytes: int
    fresh: bool
    threads: int


@dataclass(frozen=True)
class Outcome:
    """How an import ended."""

    status: Status
    message: str = ""
    fix: str = ""
    capture: Path | None = None
    cached: bool = False
    seconds: float = 0.0
    peak_rss_mb: float = 0.0


@dataclass(frozen=True)
class Preview:
    """How many slices begin in each of equal spans of time so far.

    Attributes:
        density: counts, [BUCKETS].
        start_ns, end_ns: the time that the counts cover.
    """

    density: npt.NDArray[np.int64]
    start_ns: int
    end_ns: int


class Board:
    """State of running imports in memory that all processes share; each slot has one writer, so no locks are needed.

    A worker that dies leaves nothing locked.
    """

    def __init__(self, slots: int, memory: Any | None = None) -> None:
        self.slots = slots
        self.memory = memory if memory is not None else bytearray(slots * self._slot().itemsize)
        self._slots = np.frombuffer(self.memory, self._slot(), slots)

    @staticmethod
    def _slot() -> np.dtype[Any]:
        return np.dtype(
            [("cancel", "u1"), ("what", f"S{_WHAT}"), ("done", "<i8"), ("total", "<i8"), ("start", "<i8"), ("end", "<i8"), ("density", "<i8", BUCKETS)]
        )  # fmt: skip

    @classmethod
    def bytes_for(cls, slots: int) -> int:
        """Size of the memory that a board needs."""
        return int(slots * cls._slot().itemsize)

    def clear(self, slot: int) -> None:
        """Make a slot ready for the next import."""
        self._slots[slot] = np.zeros((), self._slot())

    def cancel(self, slot: int) -> None:
        """Ask the import in a slot to stop."""
        self._slots[slot]["cancel"] = 1

    def is_cancelled(self, slot: int) -> bool:
        """True when the import in a slot was asked to stop."""
        return bool(self._slots[slot]["cancel"])

    def write(self, slot: int, progress: Progress) -> None:
        """Tell progress."""
        row = self._slots[slot]
        row["done"], row["total"] = progress.done_bytes, progress.total_bytes
        row["what"] = progress.what.encode("utf-8")[:_WHAT]

    def write_preview(self, slot: int, preview: Preview) -> None:
        """Show where slices are so far."""
        row = self._slots[slot]
        row["start"], row["end"] = preview.start_ns, preview.end_ns
        row["density"][:] = preview.density

    def read(self, slot: int) -> tuple[Progress, Preview | None]:
        """Progress and preview of a slot."""
        row = self._slots[slot]
        progress = Progress(int(row["done"]), int(row["total"]), bytes(row["what"]).decode("utf-8", "ignore"))
        if row["end"] <= row["start"]:
            return progress, None
        return progress, Preview(row["density"].copy(), int(row["start"]), int(row["end"]))


class _PreviewTap:
    """Counts slices over time while a stream passes; the time range grows in powers of two, so no count is lost."""

    def __init__(self, board: Board, slot: int) -> None:
        self._board, self._slot = board, slot
        self._density = np.zeros(BUCKETS, np.int64)
        self._shift = -1
        self._first = 0  # number of the first bucket at this shift
        self._told = 0.0

    def watch(self, stream: Iterator[tuple[str, pa.RecordBatch]]) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Pass a stream on."""
        for table, batch in stream:
            if table == "slice" and batch.num_rows:
                self._count(batch.column("start_ns").to_numpy())
            yield table, batch

    def _count(self, start: npt.NDArray[np.int64]) -> None:
        start = start[start > 0]
        if not len(start):
            return
        low, high = int(start.min()), int(start.max())
        if self._shift < 0:
            self._shift = max(0, (max(high - low, 1) // BUCKETS).bit_length())
            self._first = low >> self._shift
        while low >> self._shift < self._first or high >> self._shift >= self._first + BUCKETS:
            self._widen(low)
        self._density += np.bincount((start >> self._shift) - self._first, minlength=BUCKETS)[:BUCKETS]
        now = time.monotonic()
        if now - self._told > 0.1:
            self._told = now
            begin = self._first << self._shift
            end = begin + (BUCKETS << self._shift)
            if end < 1 << 63:
                self._board.write_preview(self._slot, Preview(self._density, begin, end))

    def _widen(self, low: int) -> None:
        """Double the width of the buckets, moving the first one down when time before it is needed."""
        numbers = (self._first >> 1) + ((self._first & 1) + np.arange(BUCKETS) >> 1)  # their sum may pass an int64
        self._shift += 1
        self._first >>= 1
        if low >> self._shift < self._first:
            self._first = max(low >> self._shift, self._first - BUCKETS // 2 + 1)
        self._density = np.bincount(numbers - self._first, self._density, BUCKETS)[:BUCKETS].astype(np.int64)


def find_reader(name: str) -> str | None:
    """Full module name of the reader of a format; None when there is none.

    INSIGHT_READERS may name further packages with format modules, separated by commas.
    """
    packages = [_FORMATS, *filter(None, os.environ.get("INSIGHT_READERS", "").split(","))]
    for package in packages:
        try:
            if importlib.util.find_spec(f"{package}.{name}") is not None:
                return f"{package}.{name}"
        except ModuleNotFoundError:
            continue
    return None


def no_reader(source: Source) -> Outcome:
    """Outcome for a format whose files have no timeline."""
    return Outcome(
        "skipped",
        f"Data of the format {source.format} have no timeline; pages that use them read the files when opened.",
    )


def run_job(job: Job, board: Board | None = None, slot: int = 0) -> Outcome:
    """Read a source into the cache; never raises."""
    began = time.perf_counter()
    board = board or Board(1)
    try:
        outcome = _import(job, board, slot)
    except Cancelled as error:
        outcome = Outcome("cancelled", error.message, error.fix)
    except InsightError as error:
        outcome = Outcome("failed", error.message, error.fix)
    except MemoryError:
        outcome = Outcome(
            "failed",
            f"There is not enough memory to read {_name(job.source)}.",
            "Close other programs or read a smaller part of the data.",
        )
    except Exception as error:
        logger.exception("import of %s failed", job.source.files)
        message = f"{_name(job.source)} could not be read: {type(error).__name__}: {error}"
        outcome = Outcome("failed", message, "The log has the details; please report it with the file if you may.")
    from insight_desktop.engine.build_source import peak_rss_mb

    return Outcome(
        outcome.status,
        outcome.message,
        outcome.fix,
        outcome.capture,
        outcome.cached,
        round(time.perf_counter() - began, 3),
        peak_rss_mb(),
    )


def _name(source: Source) -> str:
    return source.files[0].name if source.files else source.format


def _import(job: Job, board: Board, slot: int) -> Outcome:
    source = job.source
    report = Report(lambda p: board.write(slot, p), lambda: board.is_cancelled(slot))
    cache = _cache(job.cache_root, job.limit_bytes)
    key = capture_key(source)
    ready = cache.root / key
    if not job.fresh and cache.find(key) is not None:
        return Outcome("ready", capture=ready, cached=True)
    reader = _reader(source)
    if reader is None:
        return no_reader(source)
    from insight_desktop.engine.build import build_capture

    def waiting() -> None:
        report.checkpoint(0, source.size_bytes, "another window reads it")

    with cache.create(key, fresh=job.fresh, waiting=waiting) as folder:
        if folder is None:
            return Outcome("ready", capture=ready, cached=True)
        report.checkpoint(0, source.size_bytes, _name(source))
        rank_info.check(source.extras, report)
        stream = reader.read(source, report, threads=job.threads)
        build_capture(folder, _PreviewTap(board, slot).watch(stream), source, report, threads=job.threads)
        fillers.fill(folder, source, report)
        if capture_key(source) != key:
            raise InsightError(
                f"{_name(source)} changed while it was read.", fix="Open it again when it is written completely."
            )
    return Outcome("ready", capture=ready)


@lru_cache
def _opened_cache(root: Path, limit_bytes: int) -> Cache:
    return Cache(root, limit_bytes)


def _cache(root: Path, limit_bytes: int) -> Cache:
    """The cache of all jobs of this process: opening it looks at everything that lies in it."""
    if not root.is_dir():
        _opened_cache.cache_clear()
    return _opened_cache(root, limit_bytes)


def _reader(source: Source) -> ModuleType | None:
    name = find_reader(source.format)
    module = importlib.import_module(name) if name else None
    return module if module is not None and hasattr(module, "read") else None


# ---- in worker processes

_board: Board | None = None


def start_worker(memory: Any, slots: int, niceness: int) -> None:
    """Initializer of a worker process: shared board, lower priority, end with the parent."""
    global _board
    _board = Board(slots, memory)
    follow_parent(niceness)


def follow_parent(niceness: int) -> None:
    """Initializer of any worker process: lower priority, and no life after the window that started it."""
    if hasattr(os, "nice"):
        os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_in_worker(job: Job, slot: int) -> Outcome:
    """`run_job` with the board of this worker process; its clock starts when the kernels are loaded."""
    warm_up()
    return run_job(job, _board, slot)


@lru_cache
def warm_up() -> None:
    """Load the kernels of reading and building into a new worker, so that the first file does not wait for them."""
    from insight_desktop.engine.warm import warm_reading

    with tempfile.TemporaryDirectory(prefix="insight-warm-") as folder:
        warm_reading(Path(folder))
