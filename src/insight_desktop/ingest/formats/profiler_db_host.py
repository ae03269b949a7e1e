"""Host lanes of a profiler database: PyTorch, Python stack, CANN levels, MSTX domains, OS runtime, garbage collection."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.profiler_db_identity import enumeration
from insight_desktop.ingest.formats.profiler_db_ids import IdMap, Keys
from insight_desktop.ingest.formats.profiler_db_rows import TIMES, Rows, pid_tid
from insight_desktop.ingest.formats.profiler_db_tables import NONE32, NULL

Stream = Iterator[tuple[str, pa.RecordBatch]]

PYTHON_STACK = 50003
_CANN = frozenset({"acl", "model", "node", "communication", "hccl", "runtime"})
_PYTORCH, _OS_RUNTIME, _GC, _DIRECT, _LEVELS, _MARKS, _STACK = 0, 1, 2, 1000, 100_000_000, 500_000_000, 2_000_000_000


def host_slices(rows: Rows) -> Stream:
    """Slices of all host tables; remembers what can be linked."""
    yield from _python(rows)
    yield from _cann(rows)
    yield from _marks(rows)
    yield from _simple(rows, "OSRT_API", "OS Runtime API", _OS_RUNTIME)
    yield from _simple(rows, "GC_RECORD", "Python GC", _GC)


def _python(rows: Rows) -> Stream:
    if not rows.readable("PYTORCH_API"):
        return
    linked = None
    if rows.database.has("CONNECTION_IDS", "id", "connectionId"):
        parts = [(b["id"], b["connectionId"]) for b in rows.database.batches("CONNECTION_IDS", ("id", "connectionId"))]
        empty = [np.empty(0, np.int64)]
        ids, connections = (np.concatenate(empty + [part[i] for part in parts]) for i in (0, 1))
        rows.ends.connection_ids = (ids, connections)
        linked = IdMap(ids)
    enqueue = rows.names.ids_that_begin("Enqueue")

    def make(global_tid: int, stack: int) -> int:
        if stack:
            return rows.host_track(
                global_tid, f"Python Stack {pid_tid(global_tid)[1]}", _STACK, "", schema.ROLE_PYTHON_STACK
            )
        return rows.host_track(global_tid, "PyTorch", _PYTORCH, "", schema.ROLE_THREAD)

    keys = Keys(make, 2)
    columns = (*TIMES, "globalTid", "connectionId", "name", "type")
    for raw in rows.database.batches("PYTORCH_API", columns, times=TIMES):
        found, flags = rows.clean("PYTORCH_API", raw)
        track = keys.of(found["globalTid"], (found["type"] == PYTHON_STACK).astype(np.int64))
        serial, batch = rows.slices("PYTORCH_API", track, found, flags, rows.names.numbers(found["name"]))
        yield batch
        connection = found["connectionId"]
        keep = connection != NULL if linked is None else linked.get(connection) >= 0
        if keep.any():
            rows.ends.python.add(connection[keep], serial[keep], found["startNs"][keep])
            begins = enqueue(found["name"][keep])
            rows.ends.python_enqueue.append(serial[keep][begins])


def _cann(rows: Rows) -> Stream:
    if not rows.readable("CANN_API"):
        return
    types = enumeration(rows.database, "ENUM_API_TYPE")

    def make(global_tid: int, kind: int) -> int:
        name = types.get(kind, "(none)" if kind == NULL else str(kind))
        below = 2**26 - min(max(kind, 0), 2**26)  # the higher level has the greater number and comes first
        if name.lower() in _CANN:
            return rows.host_track(global_tid, name, _LEVELS + below, "CANN", schema.ROLE_THREAD)
        return rows.host_track(global_tid, name, _DIRECT + below, "", schema.ROLE_THREAD)

    keys = Keys(make, 2)
    linked = rows.ends.reaches_device()
    columns = (*TIMES, "type", "globalTid", "connectionId", "name")
    for raw in rows.database.batches("CANN_API", columns, times=TIMES):
        found, flags = rows.clean("CANN_API", raw)
        track = keys.of(found["globalTid"], found["type"])
        serial, batch = rows.slices("CANN_API", track, found, flags, rows.names.numbers(found["name"]))
        yield batch
        keep = linked(found["connectionId"])
        rows.ends.api.add(found["connectionId"][keep], serial[keep], found["startNs"][keep])


def _marks(rows: Rows) -> Stream:
    if not rows.readable("MSTX_EVENTS"):
        return

    def make(global_tid: int, domain: int) -> int:
        title = "MSTX" if domain in (NULL, NONE32) else rows.names.label(domain)
        order = -1 if domain in (NULL, NONE32) else min(max(domain, 0), 2**30)
        return rows.host_track(global_tid, title, _MARKS + order, "MSTX", schema.ROLE_MSTX)

    keys = Keys(make, 2)
    columns = (*TIMES, "message", "globalTid", "domainId", "connectionId")
    for raw in rows.database.batches("MSTX_EVENTS", columns, times=TIMES):
        found, flags = rows.clean("MSTX_EVENTS", raw)
        track = keys.of(found["globalTid"], found["domainId"])
        serial, batch = rows.slices("MSTX_EVENTS", track, found, flags, rows.names.numbers(found["message"]))
        yield batch
        rows.ends.mstx.add(found["connectionId"], serial, found["startNs"])


def _simple(rows: Rows, table: str, lane: str, order: int) -> Stream:
    """Tables with one lane per thread; rows without a name column are named by the lane."""
    if not rows.readable(table):
        return
    keys = Keys(lambda global_tid: rows.host_track(global_tid, lane, order, "", schema.ROLE_OTHER), 1)
    named = rows.database.has(table, "name")
    for raw in rows.database.batches(table, (*TIMES, "globalTid", "name"), times=TIMES):
        found, flags = rows.clean(table, raw)
        track = keys.of(found["globalTid"])
        name = rows.names.numbers(found["name"]) if named else np.full(len(track), rows.names.number(lane), np.int32)
        _, batch = rows.slices(table, track, found, flags, name)
        yield batch
