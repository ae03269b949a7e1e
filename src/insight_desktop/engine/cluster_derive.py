"""From the tables of single ranks to those of the job: groups, sums, ratios, links between global ranks, steps and stages.

The sums are asked of DuckDB over Arrow tables: ranks × operators × transports can be tens of millions of rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine import cluster_check, cluster_waits, places
from insight_desktop.engine import cluster_groups as groups_of
from insight_desktop.engine.cluster_groups import Group
from insight_desktop.ingest.formats.cluster_rank import TOTAL, table
from insight_desktop.ingest.formats.rank_info import ProfilerMetadata
from insight_desktop.ingest.report import Report

Tables = dict[str, pa.Table]
Step = Callable[[float, str], None]

_TIMES = ("elapse_ms", "transit_ms", "synchronization_ms", "wait_ms", "idle_ms")
_STEP_VALUES = tuple(c.name for c in schema.CLUSTER["cluster_step"].columns if c.name.endswith("_us"))


def _untold(_share: float, _what: str) -> None:
    """Nobody wants to know."""


def derive(
    parts: Tables,
    metadata: Mapping[int, ProfilerMetadata],
    report: Report,
    step: Step = _untold,
) -> Tables:
    """The tables of `schema.CLUSTER` from those of `schema.RANK_TABLES` of all ranks, laid end to end in order of the ranks.

    Args:
        parts: time, bandwidth, packet, link and step of all ranks.
        metadata: place of each rank in the job.
        report: takes what does not fit together.
        step: is told how far it is, 0 to 1, and what comes next.
    """
    step(0.0, "Groups")
    known = groups_of.declared(metadata.values())
    groups = groups_of.joined(_observed(parts), known)
    number = pa.table(
        {"hash": pa.array([g.hash for g in groups], pa.string()), "group_no": pa.array(range(len(groups)), pa.int32())}
    )
    out = {"cluster_group": group_table(groups)}
    with _database({**parts, "number": number}) as database:
        _sums(database, out, step)
        step(0.8, "Links")
        out["cluster_matrix"] = _matrix(database, groups, report)
    step(0.9, "Waits")
    out |= cluster_waits.waits(out["cluster_time"])
    sizes = next((m.parallel for m in metadata.values() if m.parallel), {})
    out["cluster_step"] = step_table(parts["step"], groups, sizes)
    out["cluster_info"] = info_table({"distributed_args": sizes} if sizes else {})
    cluster_check.check(out, sizes, report)
    return out


def finished(tables: Mapping[str, pa.Table], sizes: Mapping[str, int]) -> Tables:
    """The tables of a finished analysis; sums that older files do not have, or have for all groups at once, are added.

    Args:
        tables: some or all of `schema.CLUSTER`; those that are not there become empty.
        sizes: `distributed_args` of a rank, for analyses that do not hold them.
    """
    out = {name: tables.get(name, declared.schema.empty_table()) for name, declared in schema.CLUSTER.items()}
    if sizes and not out["cluster_info"].num_rows:
        out["cluster_info"] = info_table({"distributed_args": dict(sizes)})
    sums = pc.any(pc.equal(out["cluster_time"]["name"], TOTAL)).as_py()
    if out["cluster_time"].num_rows and not sums:
        numbers = out["cluster_group"]["group_no"]
        rows: Tables = {"number": pa.table({"hash": numbers.cast(pa.string()), "group_no": numbers})}
        for name in ("time", "bandwidth", "packet"):
            found = out[f"cluster_{name}"]
            rows[name] = found.append_column("hash", found["group_no"].cast(pa.string())).drop_columns(["group_no"])
        with _database(rows) as database:
            _sums(database, out)
    out["cluster_matrix"] = _with_matrix_totals(_filled_bandwidth(out["cluster_matrix"]))
    out |= cluster_waits.waits(out["cluster_time"])
    return out


def _with_matrix_totals(matrix: pa.Table) -> pa.Table:
    """Sums of links from the `-total` rows where a matrix has none."""
    if not matrix.num_rows or pc.any(pc.equal(matrix["name"], TOTAL)).as_py():
        return matrix
    with _database({"matrix": matrix}) as database:
        sums = database.sql(
            f"""SELECT step, group_no, '{TOTAL}' AS name, src, dst, transport, '' AS op_name, fsum(size_mb) AS size_mb,
                fsum(time_ms) AS time_ms, NULL::DOUBLE AS bandwidth_gbs
            FROM matrix_rows WHERE contains(name, 'total')
            GROUP BY step, group_no, src, dst, transport ORDER BY ALL"""
        ).to_arrow_table()
    return pa.concat_tables([_filled_bandwidth(sums.cast(matrix.schema)), matrix])


def _sums(database: duckdb.DuckDBPyConnection, out: Tables, step: Step = _untold) -> None:
    step(0.05, "Sums of times")
    out["cluster_time"] = _with_totals(database, "time", _TIME_SUMS)
    step(0.2, "Sums of bandwidths")
    bandwidth = _with_totals(database, "bandwidth", _BANDWIDTH_SUMS, ", transport")
    out["cluster_bandwidth"] = _filled_bandwidth(bandwidth)
    step(0.5, "Sums of packets")
    out["cluster_packet"] = _with_totals(database, "packet", _PACKET_SUMS, ", transport, packet_mb")


def group_table(groups: Sequence[Group]) -> pa.Table:
    """The table `cluster_group`."""
    rows = [(i, g.hash, g.kind, list(g.ranks), g.group_id, g.pg_name) for i, g in enumerate(groups)]
    return _table("cluster_group", rows)


def info_table(facts: Mapping[str, Any]) -> pa.Table:
    """The table `cluster_info`."""
    return _table("cluster_info", [(key, json.dumps(value)) for key, value in facts.items()])


def step_table(ranks: pa.Table, groups: Sequence[Group], sizes: Mapping[str, int]) -> pa.Table:
    """Rows of the ranks with their parallel indices, then one row per step and stage with the maxima over its ranks."""
    index = groups_of.parallel_index(sizes, len(pc.unique(ranks["rank"])))
    unknown: tuple[None, None, None] = (None, None, None)
    rows: list[tuple[Any, ...]] = []
    by_step: dict[str, dict[int, list[float | None]]] = {}
    for row in ranks.to_pylist():
        values = [row[name] for name in _STEP_VALUES]
        rows.append((row["step"], "rank", str(row["rank"]), row["rank"], *values, *index.get(row["rank"], unknown)))
        by_step.setdefault(row["step"], {})[row["rank"]] = values
    found = groups_of.stages(groups)
    for step, by_rank in by_step.items():
        for stage in found:
            members = [by_rank[rank] for rank in stage if rank in by_rank]
            if members:
                peaks = [
                    max((v for v in column if v is not None), default=None) for column in zip(*members, strict=True)
                ]
                rows.append((step, "stage", rank_set(stage), None, *peaks, *unknown))
    return _table("cluster_step", rows)


def rank_set(ranks: Sequence[int]) -> str:
    """Ranks as their group is written: `(0, 1)`, one alone `(2)`."""
    return f"({', '.join(map(str, ranks))})"


def as_python_rounds(values: npt.ArrayLike, digits: int) -> npt.NDArray[np.float64]:
    """Numbers rounded as Python's `round` does, which the files of a cluster are written with."""
    numbers = np.asarray(values, np.float64)
    scaled = numbers * 10.0**digits
    out = np.rint(scaled) / 10.0**digits
    near = np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6)
    out[near] = [round(value, digits) for value in numbers[near].tolist()]
    return out


# Sums are compensated, so that they do not depend on the order in which threads add.
_TIME_SUMS = "NULL::BIGINT AS start_ns, " + ", ".join(f"fsum({name}) AS {name}" for name in _TIMES)
_BANDWIDTH_SUMS = (
    "transport, fsum(size_mb) AS size_mb, fsum(time_ms) AS time_ms, NULL::DOUBLE AS bandwidth_gbs, "
    "0.0 AS large_packet_ratio"
)
_PACKET_SUMS = "transport, packet_mb, sum(count)::BIGINT AS count, fsum(duration_ms) AS duration_ms"


class _database:
    """A DuckDB in memory over Arrow tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __enter__(self) -> duckdb.DuckDBPyConnection:
        self._connection = duckdb.connect(":memory:", config=_limits())
        for name, rows in self._tables.items():
            # The order of the files decides which of several values is the last, and how rows are kept.
            numbered = rows.append_column("seq", pa.array(np.arange(rows.num_rows)))
            self._connection.register(f"{name}_rows", numbered)
        return self._connection

    def __exit__(self, *error: object) -> None:
        self._connection.close()


def _limits() -> dict[str, Any]:
    """Sums that need more memory than this go through the disk of the cache."""
    return {"python_enable_replacements": False, "memory_limit": "1GB", "temp_directory": str(places.spill_dir())}


def _observed(parts: Tables) -> list[tuple[str, str, int]]:
    """Kind, hash and rank of operators and links, each once, in reading order."""
    seen: dict[tuple[str, str, int], None] = {}
    for name in ("time", "link"):
        columns = pa.table({c: parts[name][c] for c in ("kind", "hash", "rank")})
        for row in columns.group_by(["kind", "hash", "rank"], use_threads=False).aggregate([]).to_pylist():
            seen[row["kind"], row["hash"], row["rank"]] = None
    return list(seen)


def _with_totals(database: duckdb.DuckDBPyConnection, name: str, sums: str, keys: str = "") -> pa.Table:
    """Rows with the number of their group, then the sums per step, rank and group (and further keys)."""
    declared = schema.CLUSTER[f"cluster_{name}"].schema
    columns = ", ".join(declared.names)
    found = database.sql(
        f"""WITH numbered AS (SELECT r.*, n.group_no FROM {name}_rows r JOIN number_rows n ON n.hash = r.hash),
        total AS (
            SELECT step, rank, group_no, '{TOTAL}' AS name, {sums}, min(seq) AS seq FROM numbered
            GROUP BY step, rank, group_no{keys})
        SELECT {columns} FROM (SELECT {columns}, seq FROM numbered UNION ALL SELECT {columns}, seq FROM total)
        ORDER BY step, group_no, name != '{TOTAL}', rank, seq"""
    )
    return found.to_arrow_table().cast(declared)


def _filled_bandwidth(table: pa.Table) -> pa.Table:
    """Missing bandwidths from size and time."""
    at = table.schema.get_field_index("bandwidth_gbs")
    missing = pc.is_null(table["bandwidth_gbs"])
    size, time = (np.nan_to_num(table[name].to_numpy()) for name in ("size_mb", "time_ms"))
    made = as_python_rounds(np.divide(size, time, out=np.zeros_like(size), where=time != 0), 4)
    return table.set_column(at, table.schema.field(at), pc.if_else(missing, pa.array(made), table["bandwidth_gbs"]))


def _matrix(database: duckdb.DuckDBPyConnection, groups: Sequence[Group], report: Report) -> pa.Table:
    """Links between global ranks: metadata first, then the self links that every rank reports of itself."""
    placed = [(g, local, rank) for g, group in enumerate(groups) for local, rank in enumerate(group.local)]
    columns = list(zip(*placed, strict=True)) if placed else [(), (), ()]
    known = {n: pa.array(c, pa.int32()) for n, c in zip(("group_no", "local", "rank"), columns, strict=True)}
    database.register("known_rows", pa.table(known))
    database.execute(_NUMBERED)
    database.execute(_OWN)
    doubt = database.sql(_IN_DOUBT).fetchall()[0][0]
    linked = database.sql(_LINKED).to_arrow_table()
    lost = pc.or_(pc.is_null(linked["src"]), pc.is_null(linked["dst"]))
    if doubt:
        report.issue(
            "cluster.rank_in_doubt", "warning", "communication_matrix",
            f"{doubt} members of groups are claimed by several ranks; the first rank was taken.",
        )  # fmt: skip
    if count := pc.sum(lost).as_py():
        report.issue(
            "cluster.lost_links", "warning", "communication_matrix",
            f"{count} links were left out: the rank at one end is not known.",
            fix="Open the data of all ranks, with their profiler_metadata.json.",
        )  # fmt: skip
    declared = schema.CLUSTER["cluster_matrix"].schema
    return _filled_bandwidth(linked.filter(pc.invert(lost)).cast(declared))


_NUMBERED = (
    "CREATE TEMP TABLE numbered AS SELECT n.group_no, r.* FROM link_rows r JOIN number_rows n ON n.hash = r.hash"
)
_OWN = """CREATE TEMP TABLE own AS
    SELECT step, group_no, src AS local, arg_min(rank, seq) AS rank, count(DISTINCT rank) AS ranks
    FROM numbered WHERE src = dst GROUP BY ALL"""
_IN_DOUBT = """SELECT count(*) FROM own o
    WHERE ranks > 1 AND NOT EXISTS (FROM known_rows k WHERE k.group_no = o.group_no)"""
_LINKED = f"""WITH merged AS (
        SELECT step, group_no, name, src, dst, arg_max(transport, seq) AS transport, arg_max(op_name, seq) AS op_name,
               fsum(size_mb) AS size_mb, fsum(time_ms) AS time_ms, min(seq) AS seq
        FROM numbered GROUP BY step, group_no, name, src, dst),
    placed AS (
        SELECT m.step, m.group_no, m.name, coalesce(ks.rank, os.rank) AS src, coalesce(kd.rank, od.rank) AS dst,
               m.transport, m.op_name, m.size_mb, m.time_ms, m.seq
        FROM merged m
        LEFT JOIN known_rows ks ON ks.group_no = m.group_no AND ks.local = m.src
        LEFT JOIN known_rows kd ON kd.group_no = m.group_no AND kd.local = m.dst
        LEFT JOIN own os ON os.step = m.step AND os.group_no = m.group_no AND os.local = m.src
        LEFT JOIN own od ON od.step = m.step AND od.group_no = m.group_no AND od.local = m.dst),
    total AS (
        SELECT step, group_no, '{TOTAL}' AS name, src, dst, arg_max(transport, seq) AS transport, '' AS op_name,
               fsum(size_mb) AS size_mb, fsum(time_ms) AS time_ms
        FROM placed
        WHERE NOT regexp_matches(name, 'middle|top|bottom') AND src IS NOT NULL AND dst IS NOT NULL
        GROUP BY step, group_no, src, dst)
    SELECT step, group_no, name, src, dst, transport, op_name, size_mb, time_ms, NULL::DOUBLE AS bandwidth_gbs
    FROM (SELECT * EXCLUDE (seq) FROM placed UNION ALL SELECT * FROM total)
    ORDER BY step, group_no, name != '{TOTAL}', name, src, dst"""


def _table(name: str, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    return table(schema.CLUSTER[name], list(rows))
