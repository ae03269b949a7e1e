"""What one rank adds to the analysis of a job: communication.json, communication_matrix.json, step_trace_time.csv and
profiler_metadata.json, or analysis.db with META_DATA. Both kinds fill the same tables (`schema.RANK_TABLES`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from insight_desktop import schema
from insight_desktop.errors import InsightError
from insight_desktop.ingest.formats import cluster_profiler, operator_csv, rank_info
from insight_desktop.ingest.formats.profiler_db_tables import open_database
from insight_desktop.ingest.formats.rank_info import ProfilerMetadata
from insight_desktop.ingest.open_files import open_sqlite, parse_json
from insight_desktop.ingest.report import Report, Severity
from insight_desktop.ingest.sources import Source

TOTAL = "Total Op Info"
KINDS = ("p2p", "collective")
IDLE = "Idle Time(ms)"  # what the others leave of the elapsed time: below zero where they overlap
TIME_LABELS = (
    "Elapse Time(ms)", "Transit Time(ms)", "Synchronization Time(ms)", "Wait Time(ms)", IDLE,
)  # fmt: skip
STEP_COLUMNS = tuple(c.name for c in schema.RANK_TABLES["step"].columns if c.name.endswith("_us"))
DB_STEP_COLUMNS = (
    "computing", "communication_not_overlapped", "overlapped", "communication", "free", "stage", "bubble",
    "communication_not_overlapped_and_exclude_receive", "preparing",
)  # fmt: skip
ROLES = ("communication_json", "communication_matrix", "step_trace_time", "analysis_db")
_DIFFERENCES = frozenset({"stage_us", "communication_not_overlapped_exclude_receive_us"})
_ALWAYS = 5  # the first columns of STEP_COLUMNS, which every step has
_TRACE = 1e-3
_FILES = {"communication_json": "communication.json", "communication_matrix": "communication_matrix.json"}

Rows = list[tuple[Any, ...]]


@dataclass
class RankData:
    """Tables of one rank in the types of `schema.RANK_TABLES`, and its place in the job."""

    tables: dict[str, pa.Table]
    metadata: ProfilerMetadata = field(default_factory=ProfilerMetadata)


def origin(source: Source) -> str:
    """Where the cluster side of a rank comes from: `analysis_db`, `text`, `profiler_db` (its raw tables), or empty.

    A database card takes analysis.db, a text card the JSON and csv files, each the other when its own is missing.
    """
    text = any(role in ROLES and role != "analysis_db" for role, _ in source.extras)
    if source.extra("analysis_db") is not None and (source.kind == "db" or not text):
        return "analysis_db"
    if text:
        return "text"
    return "profiler_db" if source.format == "profiler_db" and source.files else ""


def used_files(source: Source) -> list[Path]:
    """The files whose change makes the tables of a rank old."""
    wanted = (*ROLES, "profiler_metadata")
    return [path for role, path in source.extras if role in wanted] + (
        list(source.files) if source.format == "profiler_db" else []
    )


def read_files(source: Source) -> list[Path]:
    """The files that `read_rank` reads from end to end."""
    of = origin(source)
    if of == "profiler_db":
        return list(source.files)
    wanted = ("analysis_db",) if of == "analysis_db" else tuple(r for r in ROLES if r != "analysis_db")
    return [path for role, path in source.extras if role in wanted]


def has_quick_steps(source: Source) -> bool:
    """True when the step times can be read without everything else."""
    return origin(source) in ("text", "analysis_db")


def read_steps(source: Source, rank: int, report: Report) -> tuple[pa.Table, ProfilerMetadata]:
    """Step times of one rank and its place in the job, without its communication."""
    rows: dict[str, Rows] = {"step": []}
    database, step_file = source.extra("analysis_db"), source.extra("step_trace_time")
    if origin(source) == "analysis_db" and database is not None:
        _guarded(database, rank, report, lambda: _database_steps(database, rank, rows, report))
    elif step_file is not None:
        _guarded(step_file, rank, report, lambda: _add_steps(source, rank, rows, report))
    return table(schema.RANK_TABLES["step"], rows["step"]), read_metadata(source, report)


def read_rank(source: Source, rank: int, report: Report) -> RankData:
    """Read the cluster side of one rank; a file that cannot be used is an issue, the others are read."""
    rows: dict[str, Rows] = {name: [] for name in schema.RANK_TABLES}
    report = _RankReport(report, rank)
    metadata = read_metadata(source, report)
    database, of = source.extra("analysis_db"), origin(source)
    if of == "analysis_db" and database is not None:
        _guarded(database, rank, report, lambda: _of_database(database, rank, rows, report))
    elif of == "profiler_db":
        _guarded(source.files[0], rank, report, lambda: cluster_profiler.read(source.files[0], rank, rows, report))
    else:
        for role, path in source.extras:
            if role in _FILES:
                add = _add_operators if role == "communication_json" else _add_links
                _guarded(path, rank, report, lambda p=path, a=add: a(load_json(p), rank, rows))
        step_file = source.extra("step_trace_time")
        if step_file is not None:
            _guarded(step_file, rank, report, lambda: _add_steps(source, rank, rows, report))
    _name_gaps(rows, rank, report)
    return RankData({name: table(schema.RANK_TABLES[name], rows[name]) for name in rows}, metadata)


class _RankReport(Report):
    """Passes everything on; where an issue is, its rank stands first, so that ranks are told apart."""

    def __init__(self, report: Report, rank: int) -> None:
        super().__init__()
        self._of, self._rank = report, f"rank {rank}"

    def issue(
        self, code: str, severity: Severity, where: str, message: str, *, count: int = 1, fix: str = ""
    ) -> None:  # fmt: skip
        place = where if where.startswith(self._rank) else f"{self._rank}, {where}"
        self._of.issue(code, severity, place, message, count=count, fix=fix)

    def checkpoint(self, done_bytes: int, total_bytes: int, what: str = "") -> None:
        self._of.checkpoint(done_bytes, total_bytes, what)


def _name_gaps(rows: dict[str, Rows], rank: int, report: Report) -> None:
    """Tell of figures that are missing, no numbers or below zero."""
    for name, columns, code, what in (
        ("time", slice(4, 9), "cluster.no_times", "operators"),
        ("step", slice(2, 2 + _ALWAYS), "cluster.no_step_times", "steps"),
    ):
        bad = sum(1 for row in rows[name] if None in row[columns])
        if bad:
            report.issue(
                code, "warning", f"rank {rank}",
                f"Times of rank {rank} are missing, no numbers or below zero ({what}: {bad}); they count as nothing.",
            )  # fmt: skip


def table(declared: schema.Table, rows: Rows) -> pa.Table:
    """Rows as a table of the declared types."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(declared.columns)
    return pa.table(
        [pa.array(c, f.type) for c, f in zip(columns, declared.schema, strict=True)], schema=declared.schema
    )


def load_json(path: Path) -> Any:
    """A JSON file; byte order marks, NaN and Infinity, which are no JSON, are accepted."""
    return parse_json(path.read_bytes())


def step_text(value: object) -> str:
    """`step13` gives 13; `step`, an empty one and none give 0."""
    return str(value if value is not None else "").strip().removeprefix("step") or "0"


def number(value: Any) -> float | None:
    """A finite number, else None."""
    if type(value) is float:  # nearly all; there are tens of millions of them
        return value if math.isfinite(value) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None


def figure(value: Any) -> float | None:
    """A finite number that is not below zero, as times and sizes are; else None. Rounding may leave a trace below."""
    if type(value) is float and 0.0 <= value < math.inf:
        return value
    found = number(value)
    return found if found is not None and found > -_TRACE else None


def step_figures(values: Iterable[Any]) -> tuple[float | None, ...]:
    """Figures of a step in the order of STEP_COLUMNS; those that are differences of others may be below zero."""
    named = zip(STEP_COLUMNS, values, strict=True)
    return tuple(number(v) if name in _DIFFERENCES else figure(v) for name, v in named)


def start_ns(value: Any) -> int | None:
    """µs to ns by the decimal that the double is written as; 0 (a sum) gives None."""
    if number(value) is None or not 0 < value < 9e15:
        return None
    return int((Decimal(repr(value)) * 1000).to_integral_value())


def split_name(key: str) -> tuple[str, str]:
    """Name and group hash of `name@hash`, at the last @."""
    name, at, group = key.rpartition("@")
    return (name, group) if at else (key, "")


def items(value: Any) -> Iterable[tuple[str, Any]]:
    """Entries of a JSON object; nothing for anything else."""
    return value.items() if isinstance(value, dict) else ()


def operator_rows(facts: Any, head: tuple[Any, ...]) -> tuple[tuple[Any, ...], Rows, Rows]:
    """The time row, bandwidth rows and packet rows of one operator object, each behind `head`."""
    times = facts.get("Communication Time Info") if isinstance(facts, dict) else None
    times = times if isinstance(times, dict) else {}
    time = (
        *head,
        start_ns(times.get("Start Timestamp(us)")),
        *(number(times.get(label)) if label == IDLE else figure(times.get(label)) for label in TIME_LABELS),
    )
    bandwidths: Rows = []
    packets: Rows = []
    for transport, link in items(facts.get("Communication Bandwidth Info") if isinstance(facts, dict) else None):
        if not isinstance(link, dict):
            continue
        figures = [figure(link.get(k)) for k in ("Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)")]
        bandwidths.append((*head, transport, *figures, number(link.get("Large Packet Ratio")) or 0.0))
        for size, pair in items(link.get("Size Distribution")):
            packet = _float(size)
            if packet is not None and isinstance(pair, list) and len(pair) == 2:
                packets.append((*head, transport, packet, _count(pair[0]), figure(pair[1])))
    return time, bandwidths, packets


def _object(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise ValueError("it holds no JSON object")
    return content


def _guarded(path: Path, rank: int, report: Report, read: Any) -> None:
    """Run a reader; a file that cannot be used becomes an issue that names the rank."""
    try:
        read()
        return
    except InsightError as error:
        why, fix = error.message, error.fix
    except OSError as error:
        why, fix = f"{path.name} cannot be read ({error.strerror or error}).", "Check the permissions of the file."
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        why, fix = f"{path.name} is damaged: {error}.", "Export the data again."
    report.issue(
        "cluster.rank_file", "error", f"rank {rank}, {path.name}", f"Rank {rank} is incomplete: {why}", fix=fix
    )


def read_metadata(source: Source, report: Report) -> ProfilerMetadata:
    """Place of a rank in its job: META_DATA of a database card, else profiler_metadata.json beside it."""
    path = source.extra("profiler_metadata")
    if path is not None and source.kind != "db":
        return rank_info.read_metadata(path, report)
    found = _database_metadata(source, report)
    if found is None and path is not None:
        return rank_info.read_metadata(path, report)
    return found or ProfilerMetadata()


def _database_metadata(source: Source, report: Report) -> ProfilerMetadata | None:
    if source.format != "profiler_db" or not source.files:
        return None
    try:
        with open_sqlite(source.files[0], allow_truncated=True) as file, closing(open_database(file, report)) as db:
            facts = {str(k): v for k, v in db.rows("META_DATA", "name", "value")}
    except InsightError:
        return None  # the import of the card tells what is wrong with its database
    wanted = {key: _json(facts.get(key)) for key in ("distributed_args", "parallel_group_info")}
    return rank_info.metadata_of(wanted) if any(wanted.values()) else None


def _json(text: Any) -> Any:
    try:
        return parse_json(text.encode()) if text else {}
    except (ValueError, AttributeError):
        return {}


def _add_operators(content: Any, rank: int, rows: dict[str, Rows]) -> None:
    for step, kinds in _object(content).items():
        for kind in KINDS:
            for key, facts in items(kinds.get(kind) if isinstance(kinds, dict) else None):
                name, group = split_name(key)
                if name.lower().startswith("total"):
                    continue
                time, bandwidths, packets = operator_rows(facts, (step_text(step), rank, name))
                rows["time"].append((*time, kind, group))
                rows["bandwidth"] += [(*row, kind, group) for row in bandwidths]
                rows["packet"] += [(*row, kind, group) for row in packets]


def _add_links(content: Any, rank: int, rows: dict[str, Rows]) -> None:
    found = rows["link"]
    for step, kinds in _object(content).items():
        for kind in KINDS:
            for key, links in items(kinds.get(kind) if isinstance(kinds, dict) else None):
                name, group = split_name(key)
                if name.lower().startswith("total"):
                    continue
                for ends, link in items(links):
                    src, _, dst = ends.partition("-")
                    if not isinstance(link, dict) or not (is_rank(src) and is_rank(dst)):
                        continue
                    found.append(
                        (
                            step_text(step), rank, name, int(src), int(dst), str(link.get("Transport Type") or ""),
                            str(link.get("Op Name") or ""), figure(link.get("Transit Size(MB)")),
                            figure(link.get("Transit Time(ms)")), kind, group,
                        )
                    )  # fmt: skip


def _add_steps(source: Source, rank: int, rows: dict[str, Rows], report: Report) -> None:
    for batch in operator_csv.read_table(source, "step_trace_time", report):
        for row in batch.to_pylist():
            rows["step"].append((step_text(row["step"]), rank, *step_figures(row[c] for c in STEP_COLUMNS)))


def _database_steps(path: Path, rank: int, rows: dict[str, Rows], report: Report) -> None:
    with open_sqlite(path, allow_truncated=True) as file, closing(open_database(file, report)) as database:
        _add_step_rows(database, rank, rows)


def _add_step_rows(database: Any, rank: int, rows: dict[str, Rows]) -> None:
    for step, *values in database.rows("STEPTRACETIME", "step", *DB_STEP_COLUMNS):
        rows["step"].append((step_text(step), rank, *step_figures(values)))


def _of_database(path: Path, rank: int, rows: dict[str, Rows], report: Report) -> None:
    with open_sqlite(path, allow_truncated=True) as file, closing(open_database(file, report)) as database:
        _add_step_rows(database, rank, rows)
        columns = ("step", "type", "hccl_op_name", "group_name", "start_timestamp", "elapse_time", "transit_time")
        more = ("synchronization_time", "wait_time", "idle_time")
        for step, kind, name, group, start, *times in database.rows("COMMANALYZERTIME", *columns, *more):
            if not _is_total(name):
                rows["time"].append(
                    (
                        step_text(step),
                        rank,
                        str(name),
                        start_ns(start),
                        *map(figure, times[:-1]),
                        number(times[-1]),
                        kind,
                        str(group or ""),
                    )
                )
        _add_database_bandwidth(
            database.rows(
                "COMMANALYZERBANDWIDTH", "step", "type", "hccl_op_name", "group_name", "transport_type",
                "transit_size", "transit_time", "bandwidth", "large_packet_ratio", "package_size", "count",
                "total_duration",
            ),
            rank,
            rows,
        )  # fmt: skip
        links = database.rows(
            "COMMANALYZERMATRIX", "step", "hccl_op_name", "src_rank", "dst_rank", "transport_type", "op_name",
            "transit_size", "transit_time", "type", "group_name",
        )  # fmt: skip
        for step, name, src, dst, transport, op_name, size, time, kind, group in links:
            ends = _whole(src), _whole(dst)
            if None not in ends and not _is_total(name):
                rows["link"].append(
                    (
                        step_text(step), rank, str(name), *ends, str(transport or ""), str(op_name or ""), figure(size),
                        figure(time), kind, str(group or ""),
                    )
                )  # fmt: skip


def _add_database_bandwidth(found: Rows, rank: int, rows: dict[str, Rows]) -> None:
    """One row per packet size becomes one row per transport with its packets."""
    seen = set()
    for step, kind, name, group, transport, size, time, bandwidth, large, packet, count, duration in found:
        if _is_total(name):
            continue
        head = (step_text(step), rank, str(name), str(transport))
        tail = (kind, str(group or ""))
        if (head, tail) not in seen:
            seen.add((head, tail))
            rows["bandwidth"].append(
                (*head, figure(size), figure(time), figure(bandwidth), number(large) or 0.0, *tail)
            )
        if number(count):
            rows["packet"].append((*head, number(packet), _count(count), figure(duration), *tail))


def is_rank(text: str) -> bool:
    """True for the digits of a rank."""
    return text.isdecimal() and len(text) <= 9


def _count(value: Any) -> int:
    """A number of packets that fits its column."""
    return int(min(max(number(value) or 0.0, 0.0), 2.0**62))


def _is_total(name: Any) -> bool:
    return str(name or "").lower().startswith("total")


def _whole(value: Any) -> int | None:
    found = _float(value)
    return int(found) if found is not None and 0 <= found < 1e9 and found == int(found) else None


def _float(value: Any) -> float | None:
    try:
        return number(float(value))
    except (TypeError, ValueError):
        return None
