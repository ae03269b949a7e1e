"""Reads the ranks of a job, several at a time in worker processes, and derives its tables."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine import cluster_derive
from insight_desktop.engine.load_worker import follow_parent
from insight_desktop.errors import Cancelled, InsightError
from insight_desktop.ingest.formats import cluster_rank, cluster_text
from insight_desktop.ingest.formats.rank_info import ProfilerMetadata
from insight_desktop.ingest.report import Issue, Report
from insight_desktop.ingest.sources import Source

NICENESS = 10  # beside a window: it must stay responsive
INLINE_BYTES = 24 << 20  # up to here a worker process costs more than it saves
_CHUNK, _QUICK_CHUNK = 16, 128  # ranks that a worker reads before it writes them down
_DERIVING = 0.3  # what the sums cost beside the reading
_STOP = "stop"  # a file of this name in the scratch folder stops the workers
_BROKEN = "A process that read ranks of the cluster ended unexpectedly; the machine may be out of memory."
_BROKEN_FIX = "Close other programs and open the page again."
Early = Callable[[dict[str, pa.Table]], None]
Metadata = dict[int, ProfilerMetadata]
_Read = tuple[Metadata, list[Issue]]


def build(
    members: dict[int, Source], report: Report, *, scratch: Path, workers: int | None = None, early: Early | None = None
) -> dict[str, pa.Table]:
    """Read the ranks, several at a time, and derive the tables of the job.

    Args:
        members: the source of each rank.
        report: takes what is wrong with single ranks, none of which stops the others; progress and cancel go through it.
        scratch: existing folder for what the workers write down.
        workers: worker processes; 0 reads in this one, None decides by the size.
        early: gets `cluster_step` (ranks only) and `cluster_info` as soon as they are known; never called for small jobs.
    """
    ranks = sorted(members)
    sizes = {rank: sum(map(_size, cluster_rank.read_files(members[rank]))) for rank in ranks}
    chunks = [[(rank, members[rank]) for rank in ranks[i : i + _CHUNK]] for i in range(0, len(ranks), _CHUNK)]
    if workers is None:
        workers = 0 if sum(sizes.values()) <= INLINE_BYTES else min(os.cpu_count() or 1, len(chunks), 8)
    done = _Counter(report, chunks, sizes)
    if workers <= 1:
        found = []
        for i, chunk in enumerate(chunks):
            found.append(_read_chunk(chunk, scratch, i, done.one))
    else:
        found = _in_workers(members, chunks, scratch, workers, done, early)
    metadata: Metadata = {}
    for of_chunk, issues in found:
        metadata.update(of_chunk)
        take(report, issues)
    parts = {
        name: pa.concat_tables(
            [_mapped(scratch / f"{name}-{i}.arrow") for i in range(len(chunks))] or [table.schema.empty_table()]
        )
        for name, table in schema.RANK_TABLES.items()
    }
    return cluster_derive.derive(parts, metadata, report, step=done.sums)


def read_output(output: Path, report: Report, *, scratch: Path, early: Early | None = None) -> dict[str, pa.Table]:
    """The tables of a finished analysis; a large one is parsed in a process of its own, because parsing stops all threads.

    Args:
        output: the folder, or a cluster_analysis.db.
        report: takes what is wrong; cancel goes through it.
        scratch: existing folder for what the worker writes down.
        early: gets the step times first when the rest takes a while.
    """
    size = sum(map(_size, cluster_text.files(output)))
    report.checkpoint(0, max(size, 1), output.name)
    if size <= INLINE_BYTES:
        return cluster_text.read(output, report)
    steps = cluster_text.read_steps(output)
    if early is not None and steps is not None:
        early({"cluster_step": steps, "cluster_info": cluster_derive.info_table({})})
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), follow_parent, (NICENESS,)) as pool:
        future = pool.submit(_parse_output, output, scratch)
        try:
            while not wait([future], timeout=0.25).done:
                report.checkpoint(0, size, output.name)
            names, issues = future.result()
        except BrokenProcessPool as error:
            raise InsightError(_BROKEN, fix=_BROKEN_FIX) from error
        except BaseException:
            (scratch / _STOP).touch()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    take(report, issues)
    return {name: _mapped(scratch / f"{name}-output.arrow") for name in names}


def _parse_output(output: Path, scratch: Path) -> tuple[list[str], list[Issue]]:
    """Read a finished analysis and write its tables down; runs in a worker."""
    report = Report(is_cancelled=lambda: (scratch / _STOP).exists() or not scratch.exists())
    found = cluster_text.read(output, report)
    for name, table in found.items():
        _write(scratch / f"{name}-output.arrow", table)
    return list(found), report.issues


def take(report: Report, issues: Iterable[Issue]) -> None:
    """Put issues that were found elsewhere into a report."""
    for issue in issues:
        report.issue(issue.code, issue.severity, issue.where, issue.message, count=issue.count, fix=issue.fix)


class _Counter:
    """Bytes done: first those of the ranks, then a share for the sums."""

    def __init__(self, report: Report, chunks: Sequence[Sequence[tuple[int, Source]]], sizes: dict[int, int]) -> None:
        self._report = report
        self._chunks = chunks
        self._sizes = sizes
        self._done = 0
        self._read = sum(sizes.values())
        self._total = max(int(self._read * (1 + _DERIVING)), 1)

    def quick(self) -> None:
        self._report.checkpoint(0, self._total, "Step times")

    def one(self, rank: int) -> None:
        """A rank is done."""
        self._done += self._sizes[rank]
        self._report.checkpoint(self._done, self._total, f"Communication of rank {rank}")

    def chunk(self, number: int) -> None:
        """A chunk is done."""
        self._done += sum(self._sizes[rank] for rank, _ in self._chunks[number])
        first, last = self._chunks[number][0][0], self._chunks[number][-1][0]
        self._report.checkpoint(self._done, self._total, f"Communication of ranks {first} to {last}")

    def alive(self) -> None:
        """Nothing new, but cancel is looked at."""
        self._report.checkpoint(self._done, self._total, "Communication of the ranks")

    def sums(self, share: float, what: str) -> None:
        """The sums are done to a share of 0 to 1."""
        self._report.checkpoint(int(self._read + (self._total - self._read) * share), self._total, what)


def _in_workers(
    members: dict[int, Source],
    chunks: Sequence[Sequence[tuple[int, Source]]],
    scratch: Path,
    workers: int,
    done: _Counter,
    early: Early | None,
) -> list[_Read]:
    """Read all chunks in worker processes; step times first when somebody wants them early."""
    context = multiprocessing.get_context("spawn")
    found: list[_Read] = [({}, [])] * len(chunks)
    with ProcessPoolExecutor(workers, context, follow_parent, (NICENESS,)) as pool:
        try:
            quick: list[Future[Any]] = []
            if early is not None and all(cluster_rank.has_quick_steps(source) for source in members.values()):
                done.quick()
                ranks = sorted(members)
                for i in range(0, len(ranks), _QUICK_CHUNK):
                    of = [(rank, members[rank]) for rank in ranks[i : i + _QUICK_CHUNK]]
                    quick.append(pool.submit(_read_quick, of, scratch))
            waiting: dict[Future[Any], int] = {
                pool.submit(_read_chunk, chunk, scratch, i): i for i, chunk in enumerate(chunks)
            }
            left: set[Future[Any]] = {*quick, *waiting}
            told = False
            while left:
                ready, left = wait(left, timeout=0.25, return_when=FIRST_COMPLETED)
                for one in ready:
                    number = waiting.get(one)
                    if number is not None:
                        found[number] = one.result()
                        done.chunk(number)
                if early is not None and quick and not told and all(q.done() for q in quick):
                    told = True
                    early(_early_tables([q.result() for q in quick]))
                if not ready:
                    done.alive()
        except BrokenProcessPool as error:
            raise InsightError(_BROKEN, fix=_BROKEN_FIX) from error
        except BaseException:
            (scratch / _STOP).touch()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return found


_Quick = tuple[pa.Table, Metadata]


def _read_quick(chunk: Sequence[tuple[int, Source]], scratch: Path) -> _Quick:
    """Step times and the place in the job of some ranks; runs in a worker. Issues are told by the full reading."""
    found = []
    metadata: Metadata = {}
    for rank, source in chunk:
        _not_stopped(scratch)
        steps, place = cluster_rank.read_steps(source, rank, Report())
        found.append(steps)
        metadata[rank] = ProfilerMetadata(parallel=place.parallel)
    return pa.concat_tables(found), metadata


def _early_tables(found: Sequence[_Quick]) -> dict[str, pa.Table]:
    steps = pa.concat_tables([table for table, _ in found])
    sizes = next((m.parallel for _, of in found for m in of.values() if m.parallel), {})
    return {
        "cluster_step": cluster_derive.step_table(steps, (), sizes),
        "cluster_info": cluster_derive.info_table({"distributed_args": sizes} if sizes else {}),
    }


def _read_chunk(
    chunk: Sequence[tuple[int, Source]], scratch: Path, number: int, tell: Callable[[int], None] | None = None
) -> _Read:
    """Read some ranks and write their tables down; runs in a worker."""
    report = Report()
    metadata: Metadata = {}
    tables: dict[str, list[pa.Table]] = {name: [] for name in schema.RANK_TABLES}
    for rank, source in chunk:
        _not_stopped(scratch)
        found = cluster_rank.read_rank(source, rank, report)
        metadata[rank] = found.metadata
        for name, table in found.tables.items():
            tables[name].append(table)
        if tell is not None:
            tell(rank)
    for name, parts in tables.items():
        _write(scratch / f"{name}-{number}.arrow", pa.concat_tables(parts))
    return metadata, report.issues


def _write(path: Path, table: pa.Table) -> None:
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as out:
        out.write_table(table)


def _not_stopped(scratch: Path) -> None:
    if (scratch / _STOP).exists() or not scratch.exists():
        raise Cancelled("The analysis of the cluster was stopped.")


def _mapped(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
