"""cluster_analysis.db: the finished analysis of a cluster as a database. Fills the tables of `schema.CLUSTER`."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.cluster_rank import (
    DB_STEP_COLUMNS,
    Rows,
    figure,
    number,
    start_ns,
    step_figures,
    step_text,
    table,
)
from insight_desktop.ingest.formats.profiler_db_tables import Database, open_database
from insight_desktop.ingest.open_files import open_sqlite
from insight_desktop.ingest.report import Report

_TIMES = ("elapsed_time", "transit_time", "synchronization_time", "wait_time", "idle_time")
_BANDWIDTH = (
    "step", "rank_id", "hccl_op_name", "group_name", "band_type", "transit_size", "transit_time", "bandwidth",
    "large_packet_ratio", "package_size", "count", "total_duration",
)  # fmt: skip
_MATRIX = (
    "step", "hccl_op_name", "group_name", "src_rank", "dst_rank", "transport_type", "op_name", "transit_size",
    "transit_time", "bandwidth",
)  # fmt: skip


def read(path: Path, report: Report) -> dict[str, pa.Table]:
    """The tables of `schema.CLUSTER` that the database has; those whose source is not in it are left out.

    Raises BadFile when it is no usable database.
    """
    with open_sqlite(path, allow_truncated=True) as file, closing(open_database(file, report)) as database:
        groups = _Groups(database)
        rows: dict[str, Rows | None] = {
            "cluster_time": _time(database, groups),
            **_bandwidth(database, groups),
            "cluster_matrix": _matrix(database, groups),
            "cluster_step": _steps(database),
            "cluster_info": _info(database),
            "cluster_group": groups.rows if groups.there else None,
        }
    return {name: table(schema.CLUSTER[name], found) for name, found in rows.items() if found is not None}


class _Groups:
    """Groups of CommunicationGroupMapping, one per hash; operators of a hash that is not in it make an unknown one."""

    def __init__(self, database: Database) -> None:
        self.there = "COMMUNICATIONGROUPMAPPING" in database.tables
        self.rows: Rows = []
        self._number: dict[str, int] = {}
        columns = ("type", "rank_set", "group_name", "group_id", "pg_name")
        for kind, ranks, key, group_id, name in database.rows("COMMUNICATIONGROUPMAPPING", *columns):
            members = sorted(int(digits) for digits in re.findall(r"\d+", str(ranks)))
            known = self._number.get(str(key))
            if known is None:
                self._add(str(key or ""), str(kind or "unknown"), members, str(group_id or ""), str(name or ""))
            elif kind == "p2p":
                number_of, same, _, *rest = self.rows[known]
                self.rows[known] = (number_of, same, "p2p", *rest)

    def find(self, key: Any) -> int:
        """Number of the group with this hash."""
        text = str(key or "")
        if text not in self._number:
            self._add(text, "unknown", [], "", "")
        return self._number[text]

    def _add(self, key: str, *facts: Any) -> None:
        self._number[key] = len(self.rows)
        self.rows.append((len(self.rows), key, *facts))


def _time(database: Database, groups: _Groups) -> Rows | None:
    name = _first(database, "CLUSTERCOMMUNICATIONTIME", "CLUSTERCOMMANALYZERTIME")
    if name is None:
        return None
    heads = ("step", "rank_id", "group_name", "hccl_op_name", "start_timestamp", "elapse_time")
    return [
        (
            step_text(step), int(rank), groups.find(group), str(operator), start_ns(start),
            figure(times[0]) if times[0] is not None else figure(old), *map(figure, times[1:-1]), number(times[-1]),
        )
        for step, rank, group, operator, start, old, *times in database.rows(name, *heads, *_TIMES)
        if number(rank) is not None
    ]  # fmt: skip


def _bandwidth(database: Database, groups: _Groups) -> dict[str, Rows | None]:
    name = _first(database, "CLUSTERCOMMUNICATIONBANDWIDTH", "CLUSTERCOMMANALYZERBANDWIDTH")
    if name is None:
        return {}
    rows: Rows = []
    packets: Rows = []
    seen = set()
    for step, rank, operator, group, transport, size, time, speed, large, packet, count, duration in database.rows(
        name, *_BANDWIDTH
    ):
        if number(rank) is None:
            continue
        head = (step_text(step), int(rank), groups.find(group), str(operator), str(transport))
        if head not in seen:  # one row per packet size repeats the figures of the operator
            seen.add(head)
            rows.append((*head, figure(size), figure(time), figure(speed), number(large) or 0.0))
        if number(count):
            packets.append((*head, number(packet), int(count), figure(duration)))
    return {"cluster_bandwidth": rows, "cluster_packet": packets}


def _matrix(database: Database, groups: _Groups) -> Rows | None:
    name = _first(database, "CLUSTERCOMMUNICATIONMATRIX", "CLUSTERCOMMANALYZERMATRIX")
    if name is None:
        return None
    return [
        (
            step_text(step), groups.find(group), str(operator), int(float(src)), int(float(dst)), str(transport or ""),
            str(operation or ""), *map(figure, figures),
        )
        for step, operator, group, src, dst, transport, operation, *figures in database.rows(name, *_MATRIX)
        if src is not None and dst is not None
    ]  # fmt: skip


def _steps(database: Database) -> Rows | None:
    if "CLUSTERSTEPTRACETIME" not in database.tables:
        return None
    rows: Rows = []
    columns = ("step", "type", "index", *DB_STEP_COLUMNS, "dp_index", "pp_index", "tp_index")
    for step, kind, index, *figures in database.rows("CLUSTERSTEPTRACETIME", *columns):
        text = str(index)
        rank = int(text) if kind == "rank" and text.isdigit() else None
        if kind == "stage":
            text = f"({', '.join(re.findall(r'[0-9]+', text))})"
        elif rank is None:
            continue
        values, indices = figures[: len(DB_STEP_COLUMNS)], figures[len(DB_STEP_COLUMNS) :]
        places = [int(i) if isinstance(i, int | float) and rank is not None else None for i in indices]
        rows.append((step_text(step), str(kind), text, rank, *step_figures(values), *places))
    return rows


def _info(database: Database) -> Rows | None:
    if "CLUSTERBASEINFO" not in database.tables:
        return None
    found = {str(k): v for k, v in database.rows("CLUSTERBASEINFO", "key", "value") if k is not None}
    old = next((row[0] for row in database.rows("CLUSTERBASEINFO", "distributed_args") if row[0]), None)
    text = found.get("distributed_args") or old
    try:
        content = orjson.loads(text) if text else None
    except (orjson.JSONDecodeError, TypeError):
        content = None
    return [("distributed_args", orjson.dumps(content).decode())] if isinstance(content, dict) else []


def _first(database: Database, *names: str) -> str | None:
    return next((name for name in names if name in database.tables), None)
