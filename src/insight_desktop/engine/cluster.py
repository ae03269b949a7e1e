"""The analysis of a job with many ranks, made once from the ranks' files and kept in the cache.

A cluster is a folder of Parquet tables (`schema.CLUSTER`) whose name is a key of its members: paths, sizes and times of all files
that it was made of. A finished analysis that lies beside the data is read instead when it is complete. Nothing is
written beside the data.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import shutil
import threading
import uuid
import weakref
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop import schema
from insight_desktop.engine import cluster_derive, places
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, InsightError, NoData
from insight_desktop.ingest.formats import cluster_rank, cluster_text
from insight_desktop.ingest.formats.rank_info import ProfilerMetadata
from insight_desktop.ingest.report import Issue, Report
from insight_desktop.ingest.sources import Source

VERSION = 1  # grows when the same files give other tables
INLINE_BYTES = 24 << 20  # up to here a worker process costs more than it saves
_CHUNK = 32  # ranks that a worker reads before it writes them down
_KEPT = 16  # clusters that stay in the cache
_TIMESTAMP = re.compile(r"_(\d{14,17})_")
_lock = threading.Lock()
_opened: weakref.WeakKeyDictionary[Store, dict[str, tuple[str, Cluster]]] = weakref.WeakKeyDictionary()


@dataclass
class Cluster:
    """The tables of one job.

    Attributes:
        folder: where they are kept.
        source: `ranks`, `cluster_analysis_output` or `cluster_analysis.db`.
        issues: what was wrong or left out.
    """

    folder: Path
    source: str = "ranks"
    issues: list[Issue] = field(default_factory=list)

    def table(self, table: str, /, *, columns: Sequence[str] | None = None, **wanted: object) -> pa.Table:
        """Rows of a table of `schema.CLUSTER` whose columns have these values (None: any), all columns or some."""
        filters = [(column, "=", value) for column, value in wanted.items() if value is not None]
        chosen = None if columns is None else list(columns)
        return pq.read_table(
            self.folder / f"{table}.parquet", columns=chosen, filters=filters or None, use_threads=False
        )


def names(store: Store) -> list[str]:
    """Names of the jobs that are open, in order; one empty name when there is one only."""
    found = {card.cluster for card in store.cards_of("system") if not card.guest} or {""}
    return sorted(found)


def opened(store: Store, name: str | None = None) -> Cluster:
    """A job of the cards that are open, made when it is not in the cache.

    Args:
        store: the opened cards and the project's files.
        name: one of `names`; the first when None.

    Raises NoData when neither the cards nor a finished analysis have anything for it, BadArgument for an unknown name.
    """
    known = names(store)
    if name is not None and name not in known:
        raise BadArgument(
            f"There is no cluster {name!r}.", fix=f"Clusters: {', '.join(filter(None, known)) or 'one only'}."
        )
    chosen = known[0] if name is None else name
    with _lock:
        cards = [c for c in store.cards_of("system") if c.cluster == chosen and not c.guest]
        members, report = _members(cards)
        outputs = [p for role, p in store.extras if role in cluster_text.ROLES and _belongs(p, chosen, len(known) == 1)]
        key = _key(members, outputs)
        held = _opened.setdefault(store, {})
        if chosen not in held or held[chosen][0] != key:
            held[chosen] = key, _made(key, members, outputs, report)
        return held[chosen][1]


def _belongs(output: Path, name: str, is_only: bool) -> bool:
    """True when a finished analysis lies in the folder of a job."""
    return is_only or (bool(name) and name in output.parent.parts)


def build(
    members: dict[int, Source], report: Report, *, scratch: Path, workers: int | None = None
) -> dict[str, pa.Table]:
    """Read the ranks, several at a time, and derive the tables of the job.

    Args:
        members: the source of each rank.
        report: takes what is wrong with single ranks; none of them stops the others.
        scratch: existing folder for what the workers write down.
        workers: worker processes; 0 reads in this one, None decides by the size.
    """
    ranks = sorted(members)
    chunks = [[(rank, members[rank]) for rank in ranks[i : i + _CHUNK]] for i in range(0, len(ranks), _CHUNK)]
    if workers is None:
        size = sum(_size(path) for source in members.values() for path in _files(source))
        workers = 0 if size <= INLINE_BYTES else min(os.cpu_count() or 1, len(chunks), 8)
    if workers <= 1:
        found = [_read_chunk(chunk, scratch, i) for i, chunk in enumerate(chunks)]
    else:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            found = list(pool.map(_read_chunk, chunks, [scratch] * len(chunks), range(len(chunks))))
    metadata: dict[int, ProfilerMetadata] = {}
    for of_chunk, issues in found:
        metadata.update(of_chunk)
        for issue in issues:
            report.issue(issue.code, issue.severity, issue.where, issue.message, count=issue.count, fix=issue.fix)
    parts = {
        name: pa.concat_tables(
            [_mapped(scratch / f"{name}-{i}.arrow") for i in range(len(chunks))] or [table.schema.empty_table()]
        )
        for name, table in schema.RANK_TABLES.items()
    }
    return cluster_derive.derive(parts, metadata, report)


Read = tuple[dict[int, ProfilerMetadata], list[Issue]]


def _read_chunk(chunk: Sequence[tuple[int, Source]], scratch: Path, number: int) -> Read:
    """Read some ranks and write their tables down; runs in a worker."""
    report = Report()
    metadata: dict[int, ProfilerMetadata] = {}
    tables: dict[str, list[pa.Table]] = {name: [] for name in schema.RANK_TABLES}
    for rank, source in chunk:
        found = cluster_rank.read_rank(source, rank, report)
        metadata[rank] = found.metadata
        for name, table in found.tables.items():
            tables[name].append(table)
    for name, parts in tables.items():
        whole = pa.concat_tables(parts)
        with (
            pa.OSFile(str(scratch / f"{name}-{number}.arrow"), "wb") as file,
            pa.ipc.new_file(file, whole.schema) as out,
        ):
            out.write_table(whole)
    return metadata, report.issues


def _mapped(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _made(key: str, members: dict[int, Source], outputs: Sequence[Path], report: Report) -> Cluster:
    root = places.cache_dir() / "clusters"
    folder = root / key
    try:
        return _held(folder)
    except (OSError, ValueError, KeyError, TypeError):
        pass  # not there, or of a run that was stopped
    temporary = root / f"tmp-{key}-{uuid.uuid4().hex[:8]}"
    try:
        scratch = temporary / "parts"
        scratch.mkdir(parents=True)
        tables, source = _tables(members, outputs, report, scratch)
        for name, table in tables.items():
            pq.write_table(table, temporary / f"{name}.parquet", compression="lz4", row_group_size=128 * 1024)
        del tables
        shutil.rmtree(scratch)
        facts = {"source": source, "issues": [issue.as_dict() for issue in report.issues]}
        (temporary / "cluster.json").write_text(json.dumps(facts), encoding="utf-8")
        with suppress(OSError):  # another window was faster
            temporary.rename(folder)
    except OSError as error:
        raise InsightError(
            f"The analysis of the cluster cannot be kept in {root} ({error.strerror or error}).",
            fix="Free some space on the disk of the cache, or choose another folder for it.",
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    _forget_old(root, key)
    return _held(folder)


def _held(folder: Path) -> Cluster:
    facts = json.loads((folder / "cluster.json").read_text(encoding="utf-8"))
    with suppress(OSError):  # a cache that can only be read
        os.utime(folder)
    return Cluster(folder, facts["source"], [Issue(**issue) for issue in facts["issues"]])


def _tables(
    members: dict[int, Source], outputs: Sequence[Path], report: Report, scratch: Path
) -> tuple[dict[str, pa.Table], str]:
    """A complete finished analysis, else the ranks, else what an incomplete one has."""
    useful = {rank: source for rank, source in members.items() if _files(source)}
    for output in outputs:
        found = cluster_text.read(output, report)
        missing = cluster_text.missing(found, useful)
        sizes = _sizes(members) if "cluster_step" in found else {}
        if not missing:
            return cluster_derive.finished(found, sizes), output.name
        if not useful:
            report.issue("cluster.incomplete", "warning", output.name, f"{output.name} lacks {missing}.")
            return cluster_derive.finished(found, sizes), output.name
        report.issue(
            "cluster.recomputed", "info", output.name,
            f"{output.name} lacks {missing}; the figures were computed from the {len(useful)} ranks instead.",
        )  # fmt: skip
    if not useful:
        raise NoData(
            "None of the open cards has data of a cluster.",
            fix="Collect at profiler_level Level1 or above on several ranks, and open the folder above them.",
        )
    return build(useful, report, scratch=scratch), "ranks"


def _sizes(members: dict[int, Source]) -> dict[str, int]:
    """Sizes of the parallel dimensions that the first rank with metadata tells."""
    for _, source in sorted(members.items()):
        found = cluster_rank.read_metadata(source, Report()).parallel
        if found:
            return found
    return {}


def _members(cards: Iterable[StoreCard]) -> tuple[dict[int, Source], Report]:
    """The source of each rank; of two cards with one rank the one with the newer folder counts."""
    report = Report()
    found: dict[int, StoreCard] = {}
    for card in cards:
        if card.source is None or card.rank is None or not card.rank.isdigit():
            continue
        rank = int(card.rank)
        other = found.get(rank)
        if other is not None:
            card, other = (card, other) if _stamp(card) > _stamp(other) else (other, card)
            report.issue(
                "cluster.rank_twice", "warning", f"rank {rank}",
                f"Rank {rank} is there twice: {card.name} is used, {other.name} left out.",
            )  # fmt: skip
        found[rank] = card
    return {rank: card.source for rank, card in found.items() if card.source is not None}, report


def _stamp(card: StoreCard) -> int:
    """Time in the name of a card's folder or of one above it, 0 without one."""
    found = _TIMESTAMP.findall(str(card.source_folder or ""))
    return int(found[-1].ljust(17, "0")) if found else 0


def _files(source: Source) -> list[Path]:
    return [path for role, path in source.extras if role in cluster_rank.ROLES]


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


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _forget_old(root: Path, keep: str) -> None:
    folders = [f for f in root.iterdir() if f.is_dir() and not f.name.startswith("tmp-") and f.name != keep]
    for folder in sorted(folders, key=lambda f: f.stat().st_mtime_ns)[: -_KEPT + 1 or None]:
        shutil.rmtree(folder, ignore_errors=True)
