"""Every table and column: type, unit, meaning. Readers fill them, queries and headings use them.

Two groups: STREAM tables travel from a reader to `engine.load` as Arrow batches; a capture on disk is described
in `engine.capture`. Times are int64 nanoseconds since the Unix epoch (or since the trace's own zero).
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

# Flags of a slice (bit mask).
UNFINISHED = 1  # begun but never ended: drawn to the end of the data
ASYNC = 2  # begin/end pair that is not bound to the nesting of a thread
CLAMPED = 4  # the source said end < start, no end, or a negative duration: shown with zero length

# Roles of a track: which meaning a lane has, independent of its title.
ROLE_THREAD = "thread"  # a host thread (operators, API calls)
ROLE_PYTHON_STACK = "python_stack"
ROLE_ASYNC = "async"
ROLE_STREAM = "stream"  # device stream
ROLE_GROUP = "group"  # operators of a communication group
ROLE_PLANE = "plane"  # tasks of a communication plane
ROLE_OVERLAP = "overlap"  # Computing, Communication, Communication(Not Overlapped), Free
ROLE_MSTX = "mstx"
ROLE_OTHER = "other"


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    type: pa.DataType
    meaning: str


@dataclass(frozen=True)
class Table:
    """One table: its columns in order and what a row is."""

    name: str
    row: str
    columns: tuple[Column, ...]

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([(c.name, c.type) for c in self.columns])


def _t(name: str, row: str, *columns: tuple[str, pa.DataType, str]) -> Table:
    return Table(name, row, tuple(Column(*c) for c in columns))


_I8, _I32, _I64, _F64, _TEXT = pa.uint8(), pa.int32(), pa.int64(), pa.float64(), pa.string()

STREAM: dict[str, Table] = {
    t.name: t
    for t in (
        _t(
            "string",
            "one interned text; its id is its running number, 0 first",
            ("value", pa.large_string(), "UTF-8 text; damaged bytes replaced"),
        ),
        _t(
            "track",
            "one slice lane; its id is its running number; sent once, when all names are known",
            ("pid", _TEXT, "process id as written, text"),
            ("process", _TEXT, "process name without the id; the pid where none is given"),
            ("process_label", _TEXT, "CPU, NPU, NPU 3, ... or empty"),
            ("process_sort", _F64, "order of processes; null sorts last"),
            ("tid", _TEXT, "thread id as written, text"),
            ("thread", _TEXT, "thread title; the tid where none is given"),
            ("thread_sort", _F64, "order of threads inside the process; null sorts last"),
            ("group", _TEXT, "label between thread and lane (CANN, MSTX) or empty"),
            ("lane", _TEXT, "title of the lane; equals `thread` for a thread's only or main lane"),
            ("lane_sort", _I32, "order of lanes inside the thread"),
            ("role", _TEXT, "one of the ROLE_ constants"),
            ("device", _I32, "device number, -1 unknown or host"),
        ),
        _t(
            "slice",
            "one interval; its serial is its running number over all batches",
            ("track", _I32, "id of the track"),
            ("start_ns", _I64, "start"),
            ("end_ns", _I64, "end, never before start"),
            ("name", _I32, "string id"),
            ("category", _I32, "string id of `cat`, -1 none"),
            ("flags", _I8, "bit mask UNFINISHED, ASYNC, CLAMPED"),
            ("args_at", _I64, "where the details are (see engine.capture), -1 none"),
            ("args_len", _I32, "length in bytes, or minus the table number for databases; 0 none"),
            ("group", _I32, "string id of group_id, -1 none; slices of one group share a row"),
        ),
        _t(
            "instant",
            "one point in time on a track",
            ("track", _I32, "id of the track"),
            ("ts_ns", _I64, "time"),
            ("name", _I32, "string id"),
            ("category", _I32, "string id, -1 none"),
            ("args_at", _I64, "as slice"),
            ("args_len", _I32, "as slice"),
        ),
        _t(
            "series",
            "one line of a counter lane; its id is its running number; sent once at the end",
            ("pid", _TEXT, "process id, text"),
            ("process", _TEXT, "process or group the counter was written for (HBM, NPU MEM)"),
            ("process_label", _TEXT, "CPU, NPU, ... or empty"),
            ("process_sort", _F64, "order of processes; null sorts last"),
            ("metrics", _TEXT, "top row in the tree: `CPU Metrics` or `NPU Metrics`"),
            ("counter", _TEXT, "title of the lane"),
            ("series", _TEXT, "name of the line"),
            ("unit", _TEXT, "unit, empty when unknown"),
            ("order", _I32, "order of lanes inside the process"),
            ("device", _I32, "device number, -1 unknown or host"),
        ),
        _t(
            "counter",
            "one value of a series",
            ("series", _I32, "id of the series"),
            ("ts_ns", _I64, "time"),
            ("value", _F64, "value; NaN ends the step (a gap)"),
        ),
        _t(
            "flow",
            "one end of a link in a text trace; bound to slices and paired by engine.timeline.flows",
            ("track", _I32, "id of the main track of the (pid, tid) it was written on"),
            ("ts_ns", _I64, "time"),
            ("phase", _I8, "115 start, 116 step, 102 end"),
            ("category", _I32, "string id"),
            ("id", _I64, "link id: the number if it is a plain one, else -1 - string id"),
            ("enclosing", pa.bool_(), 'true for bp "e"'),
        ),
        _t(
            "link",
            "one link whose ends are known (databases)",
            ("category", _I32, "string id"),
            ("id", _I64, "as flow"),
            ("from_serial", _I64, "serial of the source slice"),
            ("to_serial", _I64, "serial of the target slice"),
        ),
        _t(
            "args",
            "details of a source that cannot be sought (gzip): bytes appended to one stream; args_at counts in it",
            ("bytes", pa.large_binary(), "the next piece of the stream"),
        ),
    )
}


def batch(table: str, **columns: object) -> pa.RecordBatch:
    """A record batch of a stream table from arrays or lists, in the declared types."""
    schema = STREAM[table].schema
    return pa.record_batch([pa.array(columns[f.name], type=f.type) for f in schema], schema=schema)
