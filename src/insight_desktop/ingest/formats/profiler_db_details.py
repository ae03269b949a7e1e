"""Details of single rows of a profiler database, read from the file when they are asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from insight_desktop.errors import BadArgument
from insight_desktop.ingest.formats.profiler_db_identity import enumeration, groups
from insight_desktop.ingest.formats.profiler_db_rows import ARGS_TABLES
from insight_desktop.ingest.formats.profiler_db_tables import NONE32, Database, TableInfo, open_database, quoted
from insight_desktop.ingest.open_files import SQLITE_ERRORS, explain_sqlite, open_sqlite
from insight_desktop.ingest.report import Report

Values = dict[str, Any]
NA = "N/A"
_NONE = (None, NONE32, 2**63 - 1)
_SCAN_ROWS = 2_000_000  # larger tables without an index are searched by halves first
_TASK_STRINGS = (
    ("opType", "OP Type"), ("opState", "OP State"), ("hf32Eligible", "HF32 Eligible"), ("inputShapes", "Input Shapes"),
    ("inputDataTypes", "Input Data Types"), ("inputFormats", "Input Formats"), ("outputShapes", "Output Shapes"),
    ("outputDataTypes", "Output Data Types"), ("outputFormats", "Output Formats"), ("attrInfo", "Attr Info"),
)  # fmt: skip


def details(files: Sequence[Path], at: int, length: int, tables: Sequence[str] = ARGS_TABLES) -> Values:
    """Details of one slice, key → int, float or text, in display order; "N/A" where the collector had no value.

    Args:
        files: files of the source; the first is the database.
        at, length: `args_at` and `args_len` of the slice.
        tables: `report.facts["args_tables"]` of the import.

    Raises BadFile when the database cannot be read, BadArgument when it has no such table or row.
    """
    if not -len(tables) <= length < 0:
        raise BadArgument(f"A slice of {files[0].name} names no row of a table.")
    return details_many(files, tables[-1 - length], [at])[0]


def details_many(files: Sequence[Path], table: str, rowids: Sequence[int]) -> list[Values]:
    """Details of many rows of one table by `args_at`, in the order asked; one pass over each table that is needed.

    Raises as `details`.
    """
    make = _MAKERS.get(table)
    with open_sqlite(files[0], allow_truncated=True) as file, closing(open_database(file, Report())) as database:
        if make is None or table not in database.tables:
            raise BadArgument(f"{files[0].name} has no table {table} with details.")
        try:
            return make(_Reader(database), table, list(rowids))
        except SQLITE_ERRORS as error:
            raise explain_sqlite(error, files[0], file.missing_bytes) from error


class _Reader:
    """Rows by key from an opened database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._enums: dict[str, dict[int, str]] = {}
        self._texts: dict[int, str] = {}

    def own(self, table: str, rowids: list[int]) -> list[Values]:
        """Whole rows with lower-case column names, one per rowid."""
        info = self.database.tables[table]
        columns = _columns(info)
        if info.has_rowid:
            sql = f"SELECT _rowid_, {columns} FROM {info.quoted} WHERE _rowid_ IN (SELECT value FROM json_each(?))"
            found = {row[0]: row[1:] for row in self._ask(sql, json.dumps(rowids))}
        else:
            found = {}
            for at in set(rowids):
                for row in self._ask(f"SELECT {columns} FROM {info.quoted} LIMIT 1 OFFSET ?", at):
                    found[at] = row
        missing = [rowid for rowid in rowids if rowid not in found]
        if missing:
            raise BadArgument(f"Table {table} of {self.database.file.path.name} has no row {missing[0]}.")
        return [dict(zip(info.columns, found[rowid], strict=True)) for rowid in rowids]

    def by_key(self, table: str, key: str, values: Iterable[Any]) -> dict[Any, list[Values]]:
        """Rows of another table by the value of a column, in the order of the file."""
        info = self.database.tables.get(table)
        wanted = sorted({v for v in values if isinstance(v, int)})
        if info is None or key.lower() not in info.columns or not wanted:
            return {}
        column = quoted(info.columns[key.lower()])
        rows = self._by_halves(info, column, wanted[0]) if len(wanted) == 1 else []
        if not rows:
            try:
                rows = self._ask(
                    f"SELECT {_columns(info)} FROM {info.quoted} WHERE {column} IN (SELECT value FROM json_each(?))",
                    json.dumps([*wanted, *map(str, wanted)]),  # a text column holds the digits
                )
            except SQLITE_ERRORS:
                return {}  # a damaged side table costs its part of the details only; the import has reported it
        out: dict[Any, list[Values]] = {}
        for row in rows:
            values_of_row = dict(zip(info.columns, row, strict=True))
            out.setdefault(_id(values_of_row[key.lower()]), []).append(values_of_row)
        return out

    def _by_halves(self, info: TableInfo, column: str, wanted: int) -> list[tuple[Any, ...]]:
        """Rows of a big table that is sorted by the column in rowid order; nothing when it is not."""
        last = self.database.first(f"SELECT max(_rowid_) FROM {info.quoted}") if info.has_rowid else None
        if last is None or not isinstance(last[0], int) or last[0] < _SCAN_ROWS or self._indexed(info, column):
            return []
        probe = f"SELECT {column} FROM {info.quoted} WHERE _rowid_ >= ? AND typeof({column}) = 'integer' LIMIT 1"
        samples = [self.database.first(probe.replace("?", str(1 + last[0] * i // 64))) for i in range(64)]
        values = [row[0] for row in samples if row]
        if values != sorted(values):
            return []
        low, high = 0, last[0] + 1
        while low < high:
            middle = (low + high) // 2
            row = self.database.first(probe.replace("?", str(middle)))
            if row is not None and row[0] < wanted:
                low = middle + 1
            else:
                high = middle
        out = []
        at = list(info.columns).index(next(k for k, v in info.columns.items() if quoted(v) == column))
        for row in self.database.small.execute(
            f"SELECT {_columns(info)} FROM {info.quoted} WHERE _rowid_ >= ?", (low - 1,)
        ):
            if row[at] == wanted:
                out.append(row)
            elif isinstance(row[at], int) and row[at] > wanted:
                break
        return out

    def _indexed(self, info: TableInfo, column: str) -> bool:
        plan = self._ask(f"EXPLAIN QUERY PLAN SELECT * FROM {info.quoted} WHERE {column} = 1")
        return any("SEARCH" in str(row[-1]) and "AUTOMATIC" not in str(row[-1]) for row in plan)

    def _ask(self, sql: str, *arguments: Any) -> list[tuple[Any, ...]]:
        return self.database.small.execute(sql, arguments).fetchall()

    def load_texts(self, ids: Iterable[Any]) -> None:
        """Look up many ids of STRING_IDS at once."""
        wanted = [i for i in map(_id, ids) if isinstance(i, int) and i not in self._texts]
        for number, rows in self.by_key("STRING_IDS", "id", wanted).items():
            value = rows[0].get("value")
            if value is not None:
                self._texts[number] = value if isinstance(value, str) else _plain(value)

    def text(self, string_id: Any) -> Any:
        """Text of an id of STRING_IDS; the bare number where it is unknown."""
        if string_id in _NONE:
            return NA
        string_id = _id(string_id)
        if string_id not in self._texts:
            self.load_texts([string_id])
        return self._texts.get(string_id, _plain(string_id))

    def enum(self, table: str, number: Any) -> Any:
        """Name of a value of an enumeration; the bare number where it is unknown."""
        if table not in self._enums:
            self._enums[table] = enumeration(self.database, table)
        return NA if number is None else self._enums[table].get(number, _plain(number))


def _id(value: Any) -> Any:
    """An id as a number where its column holds the digits as text."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19 else value


def _columns(info: TableInfo) -> str:
    return ", ".join(quoted(name) for name in info.columns.values())


def _plain(value: Any) -> Any:
    """A value for display: numbers stay numbers, none is N/A, bytes become text."""
    if value in _NONE:
        return NA
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _value(value: Any) -> Any:
    """A quantity for display: only NULL is N/A, the "none" of id columns is a number here."""
    return NA if value is None else value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _yes_no(value: Any) -> str:
    return NA if value is None else "yes" if value else "no"


def _task(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    rows = reader.own(table, rowids)
    tasks = [row.get("globaltaskid") for row in rows]
    compute = reader.by_key("COMPUTE_TASK_INFO", "globalTaskId", tasks)
    counters = reader.by_key("TASK_PMU_INFO", "globalTaskId", tasks)
    copies = reader.by_key("MEMCPY_INFO", "globalTaskId", tasks)
    infos = [info for found in compute.values() for info in found]
    strings = {info.get(column.lower()) for info in infos for column, _ in _TASK_STRINGS}
    reader.load_texts(
        strings | {row.get("tasktype") for row in rows} | {c.get("name") for f in counters.values() for c in f}
    )
    out = []
    for row, task in zip(rows, tasks, strict=True):
        values = {
            "modelId": _plain(row.get("modelid")), "taskType": reader.text(row.get("tasktype")),
            "streamId": _plain(row.get("streamid")), "taskId": _plain(row.get("taskid")),
            "contextId": _plain(row.get("contextid")), "connectionId": _plain(row.get("connectionid")),
        }  # fmt: skip
        for info in compute.get(task, [])[:1]:
            values |= _compute(reader, info)
        for counter in counters.get(task, []):
            values[str(reader.text(counter.get("name")))] = _value(counter.get("value"))
        for copy in copies.get(task, [])[:1]:
            values |= _copy(reader, row, copy)
        out.append(values)
    return out


def _compute(reader: _Reader, info: Values) -> Values:
    """Operator facts of a task. Where blockNum exists it is the block count and blockDim a text of SIMT kernels."""
    count = next((info[c] for c in ("blocknum", "blockdim", "block_dim") if c in info), None)
    mixed = next((info[c] for c in ("mixblocknum", "mixblockdim") if c in info), None)
    values = {
        "Accelerator Core": reader.text(info.get("tasktype")),
        "Block Num": _value(count),
        "Mix Block Num": _value(mixed),
    }
    values |= {
        title: reader.text(info.get(column.lower())) for column, title in _TASK_STRINGS if column.lower() in info
    }
    if "blocknum" in info and reader.text(info.get("tasktype")) == "KERNEL_SIMT":
        values |= {"gridDim": reader.text(info.get("griddim")), "blockDim": reader.text(info.get("blockdim"))}
    return values


def _copy(reader: _Reader, row: Values, copy: Values) -> Values:
    size: Any = copy.get("size")
    start: Any = row.get("startns")
    end: Any = row.get("endns")
    numbers = all(isinstance(value, int | float) for value in (size, start, end))
    bandwidth = size / (end - start) if numbers and end > start else NA  # bytes per ns are GB per s
    return {
        "operation": reader.enum("ENUM_MEMCPY_OPERATION", copy.get("memcpyoperation")),
        "size(B)": _value(size),
        "bandwidth(GB/s)": bandwidth,
    }


def _plane(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    rows = reader.own(table, rowids)
    tasks = reader.by_key("TASK", "globalTaskId", [row.get("globaltaskid") for row in rows])
    reader.load_texts({row.get(column) for row in rows for column in ("groupname", "tasktype")})
    known = groups(reader.database)
    out = []
    for row in rows:
        task = tasks.get(row.get("globaltaskid"), [{}])[0]
        ranks = known.get(str(reader.text(row.get("groupname"))), {}).get("global_ranks")
        values = {
            "notifyId": _plain(row.get("notifyid")), "streamId": _plain(task.get("streamid")),
            "taskId": _plain(task.get("taskid")), "contextId": _plain(task.get("contextid")),
            "taskType": reader.text(row.get("tasktype")), "srcRank": _plain(row.get("srcrank")),
            "dstRank": _plain(row.get("dstrank")),
        }  # fmt: skip
        if isinstance(ranks, list):
            values |= {"globalSrcRank": _at(ranks, row.get("srcrank")), "globalDstRank": _at(ranks, row.get("dstrank"))}
        values |= {
            "transportType": reader.enum("ENUM_HCCL_TRANSPORT_TYPE", row.get("transporttype")),
            "size(Byte)": _value(row.get("size")),
            "dataType": reader.enum("ENUM_HCCL_DATA_TYPE", row.get("datatype")),
            "linkType": reader.enum("ENUM_HCCL_LINK_TYPE", row.get("linktype")),
            "bandwidth(B/s)": _value(row.get("bandwidth")),
            "rdmaType": reader.enum("ENUM_HCCL_RDMA_TYPE", row.get("rdmatype")),
        }
        out.append(values)
    return out


def _at(ranks: list[Any], local: Any) -> Any:
    return ranks[local] if isinstance(local, int) and 0 <= local < len(ranks) else NA


def _operator(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    rows = reader.own(table, rowids)
    reader.load_texts({row.get(column) for row in rows for column in ("groupname", "algtype", "optype")})
    return [
        {
            "connectionId": _plain(row.get("connectionid")),
            "dataType": reader.enum("ENUM_HCCL_DATA_TYPE", row.get("datatype")),
            "algType": reader.text(row.get("algtype")), "count": _value(row.get("count")),
            "relay": _yes_no(row.get("relay")), "retry": _yes_no(row.get("retry")),
            **({"rankSize": _plain(row.get("ranksize"))} if "ranksize" in row else {}),
            "groupName": reader.text(row.get("groupname")),
        }
        for row in rows
    ]  # fmt: skip


def _python(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    rows = reader.own(table, rowids)
    chains = reader.by_key("PYTORCH_CALLCHAINS", "id", [row.get("callchainid") for row in rows])
    frames = {frame.get("stack") for chain in chains.values() for frame in chain}
    reader.load_texts(frames | {row.get(column) for row in rows for column in ("inputshapes", "inputdtypes")})
    out = []
    for row in rows:
        values = {
            "sequenceNumber": _plain(row.get("sequencenumber")), "fwdThreadId": _plain(row.get("fwdthreadid")),
            "connectionId": _plain(row.get("connectionid")), "inputShapes": reader.text(row.get("inputshapes")),
            "inputDtypes": reader.text(row.get("inputdtypes")),
        }  # fmt: skip
        chain = chains.get(row.get("callchainid"), [])
        if chain:
            chain = sorted(chain, key=lambda frame: frame.get("stackdepth") or 0)
            values["Call stack"] = ";\n".join(str(reader.text(frame.get("stack"))) for frame in chain)
        out.append(values)
    return out


def _cann(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    rows = reader.own(table, rowids)
    reader.load_texts({row.get("name") for row in rows})
    return [
        {
            "globalTid": _plain(row.get("globaltid")),
            "type": reader.enum("ENUM_API_TYPE", row.get("type")),
            "name": reader.text(row.get("name")),
            "connectionId": _plain(row.get("connectionid")),
        }
        for row in rows
    ]


def _mark(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    return [
        {
            "eventType": reader.enum("ENUM_MSTX_EVENT_TYPE", row.get("eventtype")),
            "domain": "default" if row.get("domainid") in _NONE else reader.text(row.get("domainid")),
            "rangeId": _plain(row.get("rangeid")),
            "category": _plain(row.get("category")),
            "connectionId": _plain(row.get("connectionid")),
        }
        for row in reader.own(table, rowids)
    ]


def _ccu(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    out = []
    for row in reader.own(table, rowids):
        values = {"deviceId": _plain(row.get("deviceid")), "globalTaskId": _plain(row.get("globaltaskid"))}
        text = reader.text(row.get("args"))
        try:
            pairs = json.loads(text) if isinstance(text, str) else None
        except ValueError:
            pairs = None
        if isinstance(pairs, list) and all(isinstance(p, dict) and {"key", "value"} <= p.keys() for p in pairs):
            values |= {str(pair["key"]): pair["value"] for pair in pairs}
        else:
            values["args"] = text
        out.append(values)
    return out


def _thread(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    return [{"globalTid": _plain(row.get("globaltid"))} for row in reader.own(table, rowids)]


def _garbage(reader: _Reader, table: str, rowids: list[int]) -> list[Values]:
    out = []
    for row in reader.own(table, rowids):
        start, end = row.get("startns"), row.get("endns")
        whole = isinstance(start, int) and isinstance(end, int)
        duration = end - start if whole else NA  # type: ignore[operator]
        out.append({"globalTid": _plain(row.get("globaltid")), "start(ns)": _value(start), "duration(ns)": duration})
    return out


_MAKERS: dict[str, Callable[[_Reader, str, list[int]], list[Values]]] = {
    "TASK": _task,
    "COMMUNICATION_TASK_INFO": _plane,
    "COMMUNICATION_OP": _operator,
    "CCU": _ccu,
    "PYTORCH_API": _python,
    "CANN_API": _cann,
    "MSTX_EVENTS": _mark,
    "OSRT_API": _thread,
    "GC_RECORD": _garbage,
}
