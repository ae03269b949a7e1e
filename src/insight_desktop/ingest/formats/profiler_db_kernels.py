"""Computing tasks and communication operators of a profiler database as rows of the table `kernel`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.ingest.formats import table_batches
from insight_desktop.ingest.formats.kernel_csv import with_quotes
from insight_desktop.ingest.formats.profiler_db_ids import IdMap
from insight_desktop.ingest.formats.profiler_db_tables import NONE32, NULL, Columns, Database, Ints
from insight_desktop.ingest.formats.profiler_db_texts import Texts, reals, whole

CORE = "COMMUNICATION"  # what text exports write for communication operators
_TASK = ("startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "streamId", "taskId")
_INFO = {
    "name": "name", "type": "opType", "core": "taskType", "state": "opState", "hf32": "hf32Eligible",
    "input_shapes": "inputShapes", "input_types": "inputDataTypes", "input_formats": "inputFormats",
    "output_shapes": "outputShapes", "output_types": "outputDataTypes", "output_formats": "outputFormats",
}  # fmt: skip
_COMMUNICATION = ("opName", "startNs", "endNs", "connectionId", "opType", "deviceId", "waitNs")
_ROWS = 256 * 1024


def read(database: Database) -> Iterator[pa.RecordBatch]:
    """Batches of the table `kernel`: computing tasks in the order of the file, then communication operators."""
    tasks = _whole(database, "TASK", _TASK)
    texts = Texts(database)
    compute, info = _compute(database, tasks)
    communication = _communication(database, tasks)
    wait = _waits({**compute, "waitNs": info["waitNs"]}, communication)
    first = len(compute["startNs"])
    columns = _compute_columns(database, texts, compute, info)
    columns["wait_ns"] = whole(wait[:first])
    yield from _batches(columns, first, 0)
    columns = _communication_columns(texts, communication)
    columns["wait_ns"] = whole(wait[first:])
    yield from _batches(columns, len(communication["startNs"]), first)


def device(numbers: Ints) -> pa.Int32Array:
    """Device numbers; null for unknown ones."""
    unknown = (numbers < 0) | (numbers >= NONE32)
    return pa.array(np.where(unknown, 0, numbers).astype(np.int32), mask=unknown)


def _whole(database: Database, table: str, columns: tuple[str, ...], *, times: tuple[str, ...] = ("startNs", "endNs")) -> Columns:  # fmt: skip
    """All rows of a table; rows without a start are left out, an end before the start becomes the start."""
    parts = list(database.batches(table, columns, times=times))
    names = ("at", *columns)
    found = {n: np.concatenate([p[n] for p in parts]) if parts else np.empty(0, np.int64) for n in names}
    if times:
        keep = found["startNs"] != NULL
        found = {name: values[keep] for name, values in found.items()}
        found["endNs"] = np.maximum(found["endNs"], found["startNs"])
    return found


def _compute(database: Database, tasks: Columns) -> tuple[Columns, Columns]:
    """Tasks that have an entry in COMPUTE_TASK_INFO, and their entries, row by row."""
    table = database.tables.get("COMPUTE_TASK_INFO")
    blocks = [c for c in ("blockNum", "blockDim", "block_dim") if table and c.lower() in table.columns][:1]
    mixed = [c for c in ("mixBlockNum", "mixBlockDim") if table and c.lower() in table.columns][:1]
    wanted = ("globalTaskId", "waitNs", *_INFO.values(), *blocks, *mixed)
    info = _whole(database, "COMPUTE_TASK_INFO", wanted, times=())
    none = np.full(len(info["at"]), NULL, np.int64)
    info["blocks"] = info[blocks[0]] if blocks else none
    info["mixed"] = info[mixed[0]] if mixed else none
    at = IdMap(info["globalTaskId"]).get(tasks["globalTaskId"])
    hit = (at >= 0) & (tasks["globalTaskId"] != NULL)
    return {n: v[hit] for n, v in tasks.items()}, {n: v[at[hit]] for n, v in info.items()}


def _communication(database: Database, tasks: Columns) -> Columns:
    """Communication operators, once per device on which one of their tasks runs."""
    found = _whole(database, "COMMUNICATION_OP", _COMMUNICATION)
    own = (found["deviceId"] >= 0) & (found["deviceId"] < NONE32)
    if own.all() or not len(found["at"]):
        return found
    pairs = np.unique(np.stack([tasks["connectionId"], tasks["deviceId"]]), axis=1)
    pairs = pairs[:, (pairs[0] != NULL) & (pairs[0] != NONE32)]
    low = np.searchsorted(pairs[0], found["connectionId"], "left")
    high = np.searchsorted(pairs[0], found["connectionId"], "right")
    times = np.where(own, 1, np.maximum(high - low, 1))
    rows = np.repeat(np.arange(len(times)), times)
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(times) - times, times)
    out = {name: values[rows] for name, values in found.items()}
    told = ~own[rows] & (high - low)[rows].astype(bool)
    out["deviceId"][told] = pairs[1][(low[rows] + nth)[told]]
    return out


def _waits(compute: Columns, communication: Columns) -> Ints:
    """Stored waits, and where there are none: start minus end of the previous row of the device, not below 0.

    Previous is the row before in the order of starts, the first row of a device waits 0.
    """
    start, end, device_id = (
        np.concatenate([compute[n], communication[n]]) for n in ("startNs", "endNs", "deviceId")
    )  # fmt: skip
    stored = np.concatenate([compute["waitNs"], communication["waitNs"]])
    order = np.lexsort((start, device_id))
    gap = np.zeros(len(start), np.int64)
    gap[1:] = np.maximum(start[order][1:] - end[order][:-1], 0)
    if len(gap):
        gap[1:][device_id[order][1:] != device_id[order][:-1]] = 0
    wait = np.empty(len(start), np.int64)
    wait[order] = gap
    return np.where(stored == NULL, wait, stored)


def _compute_columns(database: Database, texts: Texts, tasks: Columns, info: Columns) -> dict[str, pa.Array]:
    columns = {name: texts.of(info[column], null=None) for name, column in _INFO.items()}
    for name in ("name", "type", "core"):
        columns[name] = pc.fill_null(columns[name], "")
    for name in ("state", "hf32"):
        columns[name] = _no_missing(columns[name])
    for name in ("input_shapes", "output_shapes"):
        columns[name] = with_quotes(columns[name])
    columns |= {
        "device": device(tasks["deviceId"]),
        "start_ns": whole(tasks["startNs"], zero_is_null=True),
        "duration_ns": pa.array(tasks["endNs"] - tasks["startNs"]),
        "task_id": _number_text(tasks["taskId"]),
        "stream_id": _number_text(tasks["streamId"]),
        "block_num": whole(info["blocks"]),
        "mix_block_num": whole(info["mixed"]),
        "is_communication": pa.repeat(pa.scalar(False), len(tasks["startNs"])),
    }
    return columns | _pmu(database, texts, info["globalTaskId"])


def _communication_columns(texts: Texts, found: Columns) -> dict[str, pa.Array]:
    rows = len(found["startNs"])
    names = texts.of(found["opName"])
    prefix = pc.list_element(pc.split_pattern(names, "__", max_splits=1), 0) if rows else names
    return {
        "device": device(found["deviceId"]),
        "name": names,
        "type": pc.coalesce(texts.of(found["opType"], null=None), prefix),
        "core": pa.repeat(pa.scalar(CORE), rows),
        "start_ns": whole(found["startNs"], zero_is_null=True),
        "duration_ns": pa.array(found["endNs"] - found["startNs"]),
        "is_communication": pa.repeat(pa.scalar(True), rows),
    }


def _pmu(database: Database, texts: Texts, tasks: Ints) -> dict[str, pa.Array]:
    """TASK_PMU_INFO with one column per name, rows as in `tasks`; names in the order in which they come."""
    rows, inverse = np.unique(tasks, return_inverse=True)
    known = IdMap(rows)
    columns: dict[int, np.ndarray] = {}
    for found in database.batches("TASK_PMU_INFO", ("globalTaskId", "name"), ("value",)):
        at = known.get(found["globalTaskId"])
        hit = at >= 0
        at, name, value = at[hit], found["name"][hit], found["value"][hit]
        ids, first = np.unique(name, return_index=True)
        for one in ids[np.argsort(first)]:
            mine = name == one
            columns.setdefault(int(one), np.full(len(rows), np.nan))[at[mine]] = value[mine]
    words = texts.of(np.array(list(columns), np.int64)).to_pylist() if columns else []
    taken = {name.casefold() for name in schema.TABLES["kernel"].schema.names}
    out = {}
    for word, values in zip(words, columns.values(), strict=True):
        if word and word.casefold() not in taken:  # a value without a name belongs to no column
            taken.add(word.casefold())
            out[word] = reals(values[inverse])
    return out


def _number_text(numbers: Ints) -> pa.StringArray:
    return pa.array(numbers, mask=(numbers == NULL) | (numbers == NONE32)).cast(pa.string())


def _no_missing(words: pa.StringArray) -> pa.StringArray:
    return pc.if_else(pc.is_in(words, pa.array(["N/A", ""])), pa.scalar(None, pa.string()), words)


def _batches(columns: dict[str, pa.Array], rows: int, first_row: int) -> Iterator[pa.RecordBatch]:
    for at in range(0, rows, _ROWS):
        count = min(_ROWS, rows - at)
        yield table_batches.make(
            "kernel", {n: c.slice(at, count) for n, c in columns.items()}, count, first_row + at
        )  # fmt: skip
