"""The analysis of a job with many ranks, made once from the ranks' files and kept in the cache.

A cluster is a folder of Parquet tables (`schema.CLUSTER`) whose name is a key of its members: paths, sizes and times of all files
that it was made of. A finished analysis that lies beside the data is read instead when it is complete. Nothing is
written beside the data.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, overload

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from insight_desktop.engine import cluster_build, cluster_check, cluster_derive, places
from insight_desktop.engine.cluster_run import Run, Status
from insight_desktop.engine.members import Member
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, InsightError, NoData
from insight_desktop.ingest.formats import cluster_rank, cluster_text
from insight_desktop.ingest.report import Issue, Report
from insight_desktop.ingest.sources import Source

VERSION = 6  # grows when the same files give other tables
_FACTS = "cluster.json"
_GROUP_ROWS = 64 * 1024  # rows of a Parquet group; a question reads whole groups
_LOOK_AGAIN_S = 0.005  # per rank: how long its files are taken as they were
_KEPT = 16  # clusters that stay in the cache
_TIMESTAMP = re.compile(r"_(\d{14,17})_")
_lock = threading.Lock()
_opened: weakref.WeakKeyDictionary[Store, dict[str, _Job]] = weakref.WeakKeyDictionary()


class Cluster:
    """The tables of one job, which may still be in the making: whatever is not there yet is waited for."""

    def __init__(self, folder: Path | None = None, run: Run | None = None) -> None:
        self._folder = folder
        self._run = run
        self._facts: dict[str, Any] | None = None
        self._kept: dict[object, pa.Table] = {}

    @property
    def folder(self) -> Path:
        """Where the tables are kept."""
        if self._folder is None:
            assert self._run is not None
            self._folder = self._run.wait()
        return self._folder

    @property
    def source(self) -> str:
        """`ranks`, `cluster_analysis_output` or `cluster_analysis.db`."""
        return str(self._told()["source"])

    @property
    def issues(self) -> list[Issue]:
        """What was wrong or left out."""
        return [Issue(**issue) for issue in self._told()["issues"]]

    @property
    def key(self) -> str:
        """Changes with everything that the tables were made of."""
        return self.folder.name

    def table(self, table: str, /, *, columns: Sequence[str] | None = None, **wanted: object) -> pa.Table:
        """Rows of a table of `schema.CLUSTER` whose columns have these values (None: any), all columns or some."""
        chosen = {column: value for column, value in wanted.items() if value is not None}
        early = self._run.early_table(table) if self._run is not None and self._folder is None else None
        if early is not None and (table != "cluster_step" or chosen.get("kind") == "rank"):
            for column, value in chosen.items():
                early = early.filter(pc.equal(early[column], value))
            return early if columns is None else early.select(list(columns))
        return pq.read_table(
            self.folder / f"{table}.parquet",
            columns=None if columns is None else list(columns),
            filters=[(column, "=", value) for column, value in chosen.items()] or None,
            use_threads=False,
        )

    def kept(self, key: object, make: Callable[[], pa.Table]) -> pa.Table:
        """The table of `make`, kept under a key while the job is open: its tables never change."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def _told(self) -> dict[str, Any]:
        if self._facts is None:
            self._facts = json.loads((self.folder / _FACTS).read_text(encoding="utf-8"))
        return self._facts


def names(store: Store) -> list[str]:
    """Names of the jobs that are open, in order; one empty name when there is one only."""
    useful = {m.cluster for m in store.members if cluster_rank.origin(m.source)}
    opened_ones = {card.cluster for card in store.cards_of("system") if not card.guest}
    return sorted(useful | opened_ones or {""})


def opened(store: Store, name: str | None = None) -> Cluster:
    """A job of the project's ranks, whether their cards are read or not; made when it is not in the cache.

    Returns when the first tables are there; a table that is still being made is waited for when it is asked.

    Args:
        store: the opened cards, the ranks and the files of the project.
        name: one of `names`; the first when None.

    Raises NoData when neither the ranks nor a finished analysis have anything for it, BadArgument for an unknown name,
    Cancelled when the analysis was stopped.
    """
    job = _job(store, name, begin=True)
    if job.run is None:
        return job.cluster
    job.run.wait_early()
    return job.cluster


def status(store: Store, name: str | None = None) -> Status:
    """How far the analysis of a job is, without waiting and without starting it. Raises BadArgument for an unknown name."""
    job = _job(store, name, begin=False)
    if job is None:
        return Status("idle")
    return job.run.status if job.run is not None else Status("ready", 1, 1)


def start(store: Store, name: str | None = None) -> Status:
    """Begin the analysis of a job when it is neither there nor under way, one that failed or was stopped included."""
    chosen = _known(store, name)
    with _lock:
        held = _opened.setdefault(store, {})
        job = held.get(chosen)
        if job is not None and job.run is not None and job.run.status.phase in ("failed", "cancelled"):
            del held[chosen]
    found = _job(store, name, begin=True)
    return found.run.status if found.run is not None else Status("ready", 1, 1)


def cancel(store: Store, name: str | None = None) -> None:
    """Stop the analysis of a job, or of all; queries that wait for it get Cancelled, `start` begins anew."""
    with _lock:
        jobs = _opened.get(store, {})
        for each, job in jobs.items():
            if job.run is not None and name in (None, each):
                job.run.cancel()


def settle(store: Store) -> None:
    """Wait until no job of a store is being made any more."""
    with _lock:
        runs = [job.run for job in _opened.get(store, {}).values() if job.run is not None]
    for run in runs:
        with suppress(InsightError):
            run.wait()


_Known = tuple[str | None, Source | None, Path | None]  # rank, files, folder of a card


@dataclass
class _Job:
    """What is known of a job: the key of its members, and the run while it is being made."""

    key: str
    cluster: Cluster
    run: Run | None
    seen: tuple[object, ...]
    at: float


def _known(store: Store, name: str | None) -> str:
    known = names(store)
    if name is not None and name not in known:
        raise BadArgument(
            f"There is no cluster {name!r}.", fix=f"Clusters: {', '.join(filter(None, known)) or 'one only'}."
        )
    return known[0] if name is None else name


@overload
def _job(store: Store, name: str | None, *, begin: Literal[True]) -> _Job: ...
@overload
def _job(store: Store, name: str | None, *, begin: bool) -> _Job | None: ...
def _job(store: Store, name: str | None, *, begin: bool) -> _Job | None:
    """The job as its files are now; files are looked at again after a while only, there may be thousands of them.

    The window asks how far a job is, so no file is looked at for that, nor while others are kept waiting.
    """
    chosen = _known(store, name)
    cards = [c for c in store.cards_of("system") if c.cluster == chosen and not c.guest]
    members = [m for m in store.members if m.cluster == chosen]
    seen = (*((c.name, c.source) for c in cards), *members, *store.extras)
    with _lock:
        job = _opened.setdefault(store, {}).get(chosen)
        if job is not None and job.seen == seen:
            if not begin or time.monotonic() - job.at < len(seen) * _LOOK_AGAIN_S:
                return job
        elif not begin:
            return None
    sources, report = _sources(cards, members)
    finished = outputs(store, chosen)
    key = _key(sources, finished)
    with _lock:
        held = _opened.setdefault(store, {})
        job = held.get(chosen)
        if job is not None and job.key == key:
            job.seen, job.at = seen, time.monotonic()
            return job
        if job is not None and job.run is not None:
            job.run.cancel()
        job = held[chosen] = _begun(key, sources, finished, report, seen)
        return job


def has_several_ranks(store: Store, name: str | None = None) -> bool:
    """True when a job (the first when None) has several ranks or a finished analysis: there is something to compare."""
    chosen = names(store)[0] if name is None else name
    of: list[tuple[str, str | None, Source | None]] = []
    of += [(m.name, m.rank, m.source) for m in store.members if m.cluster == chosen]
    of += [(c.name, c.rank, c.source) for c in store.cards_of("system") if c.cluster == chosen and not c.guest]
    ranks = {rank or name for name, rank, source in of if source is not None and cluster_rank.origin(source)}
    return len(ranks) > 1 or bool(outputs(store, chosen))


def outputs(store: Store, name: str) -> list[Path]:
    """Finished analyses of a job."""
    others = [other for other in names(store) if other != name]
    return [path for role, path in store.extras if role in cluster_text.ROLES and _belongs(path, name, others)]


def _belongs(output: Path, name: str, others: Sequence[str]) -> bool:
    """True when a finished analysis lies in the folder of a job; one without a name has those that are nobody else's."""
    within = output.parent.parts
    return not others or (name in within if name else not any(other in within for other in others))


def _begun(
    key: str, members: dict[int, Source], outputs: Sequence[Path], report: Report, seen: tuple[object, ...]
) -> _Job:
    """A job that is in the cache, or one that begins to be made."""
    root = places.cache_dir() / "clusters"
    at = time.monotonic()
    try:
        return _Job(key, _held(root / key), None, seen, at)
    except (OSError, ValueError, KeyError, TypeError):
        pass  # not there, or of a run that was stopped

    def make(run: Run) -> Path:
        watched = Report(lambda p: run.checkpoint(p.done_bytes, p.total_bytes, p.what), lambda: run.is_cancelled)
        cluster_build.take(watched, report.issues)
        _write(root, key, members, outputs, watched, run)
        return root / key

    run = Run(make)
    return _Job(key, Cluster(run=run), run, seen, at)


def _write(root: Path, key: str, members: dict[int, Source], outputs: Sequence[Path], report: Report, run: Run) -> None:
    """Make the tables in a temporary folder that becomes the one in the cache."""
    temporary = root / f"tmp-{key}-{uuid.uuid4().hex[:8]}"
    try:
        scratch = temporary / "parts"
        scratch.mkdir(parents=True)
        tables, source = _tables(members, outputs, report, scratch, run)
        for name, table in tables.items():
            pq.write_table(table, temporary / f"{name}.parquet", compression="lz4", row_group_size=_GROUP_ROWS)
        del tables
        shutil.rmtree(scratch)
        facts = {"source": source, "issues": [issue.as_dict() for issue in report.issues]}
        (temporary / _FACTS).write_text(json.dumps(facts), encoding="utf-8")
        with suppress(OSError):  # another window was faster
            temporary.rename(root / key)
    except OSError as error:
        raise InsightError(
            f"The analysis of the cluster cannot be kept in {root} ({error.strerror or error}).",
            fix="Free some space on the disk of the cache, or choose another folder for it.",
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    _forget_old(root, key)
    _held(root / key)


def _held(folder: Path) -> Cluster:
    """A finished analysis of the cache. Raises OSError or ValueError without a whole one."""
    found = Cluster(folder)
    _ = found.source, found.issues
    with suppress(OSError):  # a cache that can only be read
        os.utime(folder)
    return found


def _tables(
    members: dict[int, Source], outputs: Sequence[Path], report: Report, scratch: Path, run: Run
) -> tuple[dict[str, pa.Table], str]:
    """A complete finished analysis, else the ranks, else what an incomplete one has."""
    useful = {rank: source for rank, source in members.items() if cluster_rank.origin(source)}
    for output in outputs:
        early = run.early if not useful else None
        found = cluster_build.read_output(output, report, scratch=scratch, early=early)
        missing = cluster_text.missing(found, useful)
        sizes = _sizes(members) if "cluster_step" in found else {}
        if missing and not useful:
            report.issue("cluster.incomplete", "warning", output.name, f"{output.name} lacks {missing}.")
        if not missing or not useful:
            whole = cluster_derive.finished(found, sizes)
            cluster_check.check(whole, sizes, report)
            return whole, output.name
        report.issue(
            "cluster.recomputed", "info", output.name,
            f"{output.name} lacks {missing}; the figures were computed from the {len(useful)} ranks instead.",
        )  # fmt: skip
    if not useful:
        raise _no_data()
    _name_empty(members, useful, report)
    found = cluster_build.build(useful, report, scratch=scratch, early=run.early if not outputs else None)
    if not any(found[name].num_rows for name in ("cluster_step", "cluster_time", "cluster_matrix")):
        raise _no_data()
    return found, "ranks"


def _no_data() -> NoData:
    return NoData(
        "None of the open cards has data of a cluster.",
        fix="Collect at profiler_level Level1 or above on several ranks, and open the folder above them.",
    )


def _name_empty(members: dict[int, Source], useful: dict[int, Source], report: Report) -> None:
    for rank in sorted(members.keys() - useful.keys()):
        report.issue(
            "cluster.rank_empty", "warning", f"rank {rank}",
            f"Rank {rank} has neither step times nor communication data; it is left out.",
            fix="Collect it at profiler_level Level1 or above, and analyse it.",
        )  # fmt: skip


def _sizes(members: dict[int, Source]) -> dict[str, int]:
    """Sizes of the parallel dimensions that the first rank with metadata tells."""
    for _, source in sorted(members.items()):
        found = cluster_rank.read_metadata(source, Report()).parallel
        if found:
            return found
    return {}


def _sources(cards: Iterable[StoreCard], members: Iterable[Member]) -> tuple[dict[int, Source], Report]:
    """The source of each rank, that of an open card first; of two with one rank the one with the newer folder counts."""
    report = Report()
    known: dict[str, _Known] = {m.name: (m.rank, m.source, m.folder) for m in members}
    known |= {c.name: (c.rank, c.source, c.source_folder) for c in cards}
    known = _numbered(known, report)
    found: dict[int, tuple[int, str, Source]] = {}
    for name, (rank, source, folder) in known.items():
        if source is None or rank is None or not rank.isdecimal():
            continue
        if not cluster_rank.is_rank(rank):
            report.issue(
                "cluster.rank_number", "warning", f"rank {rank}", f"Rank {rank} is no number of a rank; it is left out.",
                fix="Check the name of its profiler_info file.",
            )  # fmt: skip
            continue
        number, one = int(rank), (_stamp(folder), name, source)
        other = found.get(number)
        if other is not None:
            one, other = (one, other) if one[0] > other[0] else (other, one)
            report.issue(
                "cluster.rank_twice", "warning", f"rank {number}",
                f"Rank {number} is there twice: {one[1]} is used, {other[1]} left out.",
            )  # fmt: skip
        found[number] = one
    return {rank: source for rank, (_, _, source) in found.items()}, report


def _numbered(known: dict[str, _Known], report: Report) -> dict[str, _Known]:
    """Cards of a job none of which tells its rank, numbered from 0 in their order (host, then device)."""
    useful = [name for name, (_, source, _) in known.items() if source is not None and cluster_rank.origin(source)]
    if len(useful) < 2 or any(known[name][0] is not None for name in known):
        return known
    report.issue(
        "cluster.ranks_numbered", "warning", "ranks",
        f"None of the {len(useful)} cards tells its rank; they were numbered from 0 in their order.",
        fix="Collect with the rank in the environment, so that groups can be told.",
    )  # fmt: skip
    return {name: (str(i), known[name][1], known[name][2]) for i, name in enumerate(useful)}


def _stamp(folder: Path | None) -> int:
    """Time in the name of a folder or of one above it, 0 without one."""
    found = _TIMESTAMP.findall(str(folder or ""))
    return int(found[-1].ljust(17, "0")) if found else 0


def _key(members: dict[int, Source], outputs: Sequence[Path]) -> str:
    facts = [str(VERSION)]
    for rank, source in sorted(members.items()):
        facts += [f"{rank} {source.kind}", *map(_fact, cluster_rank.used_files(source))]
    for output in outputs:
        facts += map(_fact, cluster_text.files(output))
    return hashlib.sha256("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _fact(path: Path) -> str:
    try:
        info = path.stat()
    except OSError:
        return f"{path} gone"
    return f"{path} {info.st_size} {info.st_mtime_ns}"


def _forget_old(root: Path, keep: str) -> None:
    folders = [f for f in root.iterdir() if f.is_dir() and not f.name.startswith("tmp-") and f.name != keep]
    for folder in sorted(folders, key=lambda f: f.stat().st_mtime_ns)[: -_KEPT + 1 or None]:
        shutil.rmtree(folder, ignore_errors=True)
