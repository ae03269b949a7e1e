"""Chrome trace JSON: trace_view.json, msprof*.json, PyTorch and GPU traces, plain or gzip.

Reads bare arrays, objects with `traceEvents`, and one event after the other. Times are microseconds as decimal text
and become nanoseconds exactly. Damaged events are left out and reported; everything before and after them is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np

from insight_desktop import schema
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import trace_chunks, trace_issues, trace_joined
from insight_desktop.ingest.formats import trace_layout as ts
from insight_desktop.ingest.formats.service_chains import as_service
from insight_desktop.ingest.formats.trace_chunks import Document, Facts, read_pieces
from insight_desktop.ingest.formats.trace_feed import Feed
from insight_desktop.ingest.formats.trace_names import group_names, series_batch, track_batch
from insight_desktop.ingest.formats.trace_pairs import Pairs, pair_marks
from insight_desktop.ingest.formats.trace_rows import Batch, Rows
from insight_desktop.ingest.formats.trace_text import what_is, without_bom
from insight_desktop.ingest.formats.trace_worker import Tables
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

_STRING_ROWS = 1 << 16
_TRACE_NAME = re.compile(
    r"(?:.*[._-])?trace(?:_view)?\.json(?:\.gz)?|msprof(?:_slice)?(?:_\d{1,15}){1,4}\.json(?:\.gz)?"
)
_EVENT_KEYS = (b'"ph"', b'"traceEvents"')
_SNAPSHOT_KEYS = (b'"segments"', b'"device_traces"')
# Keys of the root object that stand before the events in PyTorch and browser traces.
_ROOT_KEYS = (b'"schemaVersion"', b'"deviceProperties"', b'"displayTimeUnit"', b'"stackFrames"', b'"otherData"')


def sniff(path: str, head: bytes) -> bool:
    """True for a file (or its gzip) that may hold trace events.

    A name that the exporters use is enough, so that an empty or damaged file is refused with a reason by `read`.
    """
    name = path.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if head.startswith(b"\x1f\x8b"):
        return name.endswith((".json.gz", ".trace.gz")) or _is_trace_name(name)
    if any(key in head for key in _EVENT_KEYS):
        return without_bom(head).lstrip(b" \r\n\t")[:1] in (b"[", b"{", b"/")
    if any(key in head for key in _SNAPSHOT_KEYS):
        return False  # a memory snapshot saved as JSON
    if _is_trace_name(name):
        return True
    text = without_bom(head).lstrip(b" \r\n\t")
    return name.endswith(".json") and text[:1] == b"{" and any(key in head for key in _ROOT_KEYS)


def _is_trace_name(name: str) -> bool:
    return bool(_TRACE_NAME.fullmatch(name))


def read(source: Source, report: Report, *, threads: int = 1) -> Iterator[Batch]:
    """Yield (table, batch) of the stream; see schema.STREAM.

    Slices, instants, counters, flows (and args for gzip) come while reading; begin/end pairs, strings, tracks and
    series at the end. Closing the iterator stops the work.

    Raises:
        BadFile: no file of the source holds a trace event.
    """
    stream = _Reading(source, report, threads).run()
    yield from as_service(stream) if source.kind == "service" else stream


def details(files: tuple[Path, ...], at: int, length: int) -> bytes:
    """Bytes [at, at + length) of the files laid end to end: the args text of one event."""
    found = b""
    for path, size in zip(files, trace_chunks.sizes(files), strict=True):
        if at < size and length > 0:
            with path.open("rb") as file:
                file.seek(at)
                piece = file.read(min(length, size - at))
            found += piece
            at, length = at + len(piece), length - len(piece)
        at -= size
    return found


class _Reading:
    """One run over a source."""

    def __init__(self, source: Source, report: Report, threads: int) -> None:
        self.source, self.report, self.threads = source, report, max(1, threads)
        self.sizes = trace_chunks.sizes(source.files)
        self.packed = any(_is_packed(path) for path in source.files)
        self.rows = Rows(copy_args=self.packed)
        self.stats = np.zeros(ts.STATS, np.int64)
        self.own = Tables()
        self.tables = [Tables() for _ in range(self.threads)] if self.threads > 1 else []
        self.executor = ThreadPoolExecutor(self.threads, "trace") if self.threads > 1 else None

    def run(self) -> Iterator[Batch]:
        errors: list[tuple[Path, BadFile]] = []
        try:
            for number, path in enumerate(self.source.files):
                try:
                    yield from self._file(path, sum(self.sizes[:number]))
                except BadFile as error:
                    errors.append((path, error))
        finally:
            if self.executor is not None:
                self.executor.shutdown(wait=True, cancel_futures=True)
        if errors and len(errors) == len(self.source.files):
            raise errors[0][1]
        for path, problem in errors:
            self.report.issue("trace_json.bad_file", "error", path.name, problem.message, fix=problem.fix)
        yield from self._ends()

    def _file(self, path: Path, base: int) -> Iterator[Batch]:
        """One file; a second pass looks for events anywhere when its structure led to none."""
        with closing(Feed(path)) as feed:
            head = bytearray(64)
            count = feed.read_into(memoryview(head))
            what = what_is(without_bom(bytes(head[:count])))
            if what:
                raise trace_issues.no_trace(path, bytes(head[:count]), what)
        first: Facts | None = None
        for salvage in (False, True):
            with closing(Feed(path)) as feed:
                document = Document(self.own, copy_args=self.packed, salvage=salvage)
                for piece in read_pieces(
                    feed, document, self.tables, self.executor, base, lambda: self._tell(feed, base, path),
                    trace_chunks.CHUNK_BYTES,
                ):  # fmt: skip
                    yield from self.rows.batches(piece)
                facts = document.facts
                first = first or facts
                if int(facts.stats[ts.EVENTS] - facts.stats[ts.NO_PHASE]) > 0:
                    self.stats += facts.stats
                    trace_issues.file_issues(self.report, path, facts, feed.problem, base, salvage=salvage)
                    return
            if not _worth_salvage(facts):
                break
        raise trace_issues.no_trace(path, facts.head, "", first, feed.problem)

    def _tell(self, feed: Feed, base: int, path: Path) -> None:
        self.report.checkpoint(base + feed.done_bytes, sum(self.sizes), path.name)

    def _ends(self) -> Iterator[Batch]:
        rows, where = self.rows, self.source.files[0].name
        marks = rows.marks()
        if marks is not None:
            pairs = pair_marks(marks, rows.last_ns)
            yield from self._pair_batches(pairs)
            trace_issues.pair_issues(self.report, pairs, where)
            points = marks.take(pairs.points)
            if len(points):
                yield (
                    "instant",
                    schema.batch(
                        "instant",
                        track=points["track"],
                        ts_ns=points["ts"],
                        **{name: points[name] for name in ("name", "category", "args_at", "args_len")},
                    ),
                )
        trace_issues.count_events(self.report, self.stats, rows.meta, rows.last_ns, where)
        if marks is None and not self.stats[[ts.N_SLICE, ts.N_INSTANT, ts.N_VALUE]].any():
            trace_issues.nothing_to_show(self.report, int(self.stats[ts.EVENTS]), where)
        # Titles refer to texts that no row carries (lanes named by metadata only), so tracks are plain text.
        yield "track", track_batch(rows.lane_names(), rows.meta, group_names(self.source.extra("profiler_metadata")))
        yield "series", series_batch(rows.series_names(), rows.meta)
        for first in range(0, max(1, len(rows.texts)), _STRING_ROWS):
            yield "string", schema.batch("string", value=rows.texts[first : first + _STRING_ROWS])
        if self.packed:
            self.report.facts["args"] = "stream"

    def _pair_batches(self, pairs: Pairs) -> Iterator[Batch]:
        count = len(pairs.slices["track"])
        if len(pairs.both) and not self.packed and self.source.kind != "service":
            yield from trace_joined.join(self.source.files, pairs.slices, pairs.both, *pairs.end_args)
            self.report.facts["args_joined"] = True
        if count:
            yield "slice", schema.batch("slice", group=np.full(count, -1, np.int32), **pairs.slices)


def _is_packed(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"\x1f\x8b"
    except OSError:
        return False


def _worth_salvage(facts: Facts) -> bool:
    """True when a file without events did not read like whole JSON."""
    return not facts.blank and (facts.unclosed or facts.bad_root >= 0 or facts.trailing >= 0 or facts.skipped > 0)
