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


def _tables(*tables: Table) -> dict[str, Table]:
    return {table.name: table for table in tables}


_ROW = ("row", _I64, "running number in the order of the files")
_DEVICE = ("device", _I32, "device number; null where the file does not tell it")
_MB = "MB of 1024² bytes; null where the source has no value"

# Tables that are asked by SQL: text and database sources fill the same ones, made on demand by `engine.tables`.
TABLES: dict[str, Table] = _tables(
    _t(
        "memory_record",
        "one record of an allocator's totals",
        _ROW,
        _DEVICE,
        ("component", _TEXT, "PTA, GE, PTA+GE, APP, WORKSPACE, MindSpore, MindSpore+GE"),
        ("ts_ns", _I64, "time; null where the file has no number"),
        ("allocated_mb", _F64, f"handed out to operators, {_MB}"),
        ("reserved_mb", _F64, f"held by the pools, {_MB}"),
        ("active_mb", _F64, f"allocated plus freed blocks that another stream still uses, {_MB}"),
        ("stream", _TEXT, "stream pointer as text, empty for none"),
    ),
    _t(
        "operator_memory",
        "one allocation of a tensor",
        _ROW,
        _DEVICE,
        ("name", _TEXT, "operator, may be empty"),
        ("size_kb", _F64, "KB of 1024 bytes; negative for a release of memory that was allocated before"),
        ("alloc_ns", _I64, "allocation; null before the collection"),
        ("release_ns", _I64, "return to the pool; null when not released within the collection"),
        ("active_release_ns", _I64, "when no stream uses it any more; null as release_ns"),
        ("duration_ns", _I64, "release − allocation, null when not released"),
        ("active_duration_ns", _I64, "active release − allocation, null when not released"),
        ("alloc_allocated_mb", _F64, f"total allocated at the allocation, {_MB}"),
        ("alloc_reserved_mb", _F64, f"total reserved at the allocation, {_MB}"),
        ("alloc_active_mb", _F64, f"total active at the allocation, {_MB}"),
        ("release_allocated_mb", _F64, f"total allocated at the release, {_MB}"),
        ("release_reserved_mb", _F64, f"total reserved at the release, {_MB}"),
        ("release_active_mb", _F64, f"total active at the release, {_MB}"),
        ("stream", _TEXT, "stream pointer as text, empty for none"),
    ),
    _t(
        "module_memory",
        "one record of the memory that a driver or CANN module reserves",
        _ROW,
        _DEVICE,
        ("component", _TEXT, "module: APP, HCCL, RUNTIME, SLOG, …"),
        ("ts_ns", _I64, "time; null where the file has no number"),
        ("reserved_mb", _F64, f"reserved, {_MB}"),
    ),
    _t(
        "app_memory",
        "one record of the whole process's memory (databases; text has it as component APP of memory_record)",
        _ROW,
        _DEVICE,
        ("ts_ns", _I64, "time"),
        ("reserved_mb", _F64, f"HBM and DDR together, {_MB}"),
    ),
    _t(
        "static_memory",
        "one operator of a static graph's memory plan; the operator TOTAL holds the sum of its graph",
        _ROW,
        ("device", _TEXT, "as written, `host` or a number"),
        ("name", _TEXT, "operator"),
        ("model", _TEXT, "name of the model, `0` without one"),
        ("graph_id", _TEXT, "graph as written"),
        ("start_node", _I64, "index of the first node that needs it, in topological order"),
        ("end_node", _I64, "index of the last one; 4294967295 until the end of the graph"),
        ("size_kb", _F64, "KB of 1024 bytes"),
    ),
    _t(
        "kernel",
        "one task of the device or one communication operator; PMU columns follow under the names of the source",
        _ROW,
        _DEVICE,
        ("step", _TEXT, "step, null when no schedule was used"),
        ("name", _TEXT, "operator"),
        ("type", _TEXT, "operator type; N/A at Level0"),
        ("core", _TEXT, "accelerator core; HCCL or COMMUNICATION for communication operators"),
        ("state", _TEXT, "static or dynamic, null when not told"),
        ("start_ns", _I64, "start, null for 0 or no number"),
        ("duration_ns", _I64, "duration"),
        ("duration_ps", _I64, "duration in ps; null in blocks of rows without a fourth decimal of µs"),
        ("wait_ns", _I64, "gap after the previous task of the device; null where the file has no value"),
        ("task_id", _TEXT, "task id, null for none"),
        ("stream_id", _TEXT, "stream id, null for none"),
        ("block_num", _I64, "cores used (Block Dim, Block Num)"),
        ("mix_block_num", _I64, "cores of the other kind that a mixed task uses"),
        ("hf32", _TEXT, "YES or NO, null when not told"),
        ("input_shapes", _TEXT, "shapes, quotes included; N/A as written; null when the file has no such column"),
        ("input_types", _TEXT, "data types separated by ;"),
        ("input_formats", _TEXT, "formats separated by ;"),
        ("output_shapes", _TEXT, "as input_shapes"),
        ("output_types", _TEXT, "data types separated by ;"),
        ("output_formats", _TEXT, "formats separated by ;"),
        ("is_communication", pa.bool_(), "true for communication operators"),
    ),
    _t(
        "op_statistic",
        "one operator type on one kind of core, summed up by the collector",
        _ROW,
        _DEVICE,
        ("model", _TEXT, "name of the model, null when not told"),
        ("type", _TEXT, "operator type"),
        ("core", _TEXT, "accelerator core"),
        ("count", _I64, "how often"),
        ("total_us", _F64, "time in µs"),
        ("min_us", _F64, "shortest in µs"),
        ("avg_us", _F64, "mean in µs"),
        ("max_us", _F64, "longest in µs"),
        ("ratio_percent", _F64, "share of the whole time in %"),
    ),
    _t(
        "operator_details",
        "one framework operator with its host and device times",
        _ROW,
        ("name", _TEXT, "operator"),
        ("input_shapes", _TEXT, "shapes of its tensors"),
        ("call_stack", _TEXT, "call stack, one frame per line"),
        ("host_self_us", _F64, "host time without its children in µs"),
        ("host_total_us", _F64, "host time in µs"),
        ("device_self_us", _F64, "device time without its children in µs"),
        ("device_total_us", _F64, "device time in µs"),
        ("device_self_aicore_us", _F64, "device time on AI cores without its children in µs"),
        ("device_total_aicore_us", _F64, "device time on AI cores in µs"),
    ),
    _t(
        "api_statistic",
        "one API of one level, summed up by the collector",
        _ROW,
        _DEVICE,
        ("level", _TEXT, "acl, hccl, model, node, runtime, …"),
        ("name", _TEXT, "API"),
        ("total_us", _F64, "time in µs"),
        ("count", _I64, "how often"),
        ("avg_us", _F64, "mean in µs"),
        ("min_us", _F64, "shortest in µs"),
        ("max_us", _F64, "longest in µs"),
        ("variance", _F64, "variance in µs²"),
    ),
    _t(
        "communication_operator",
        "one communication operator with its times as the collector analysed them",
        _ROW,
        ("step", _TEXT, "step, null when no schedule was used"),
        ("kind", _TEXT, "collective or p2p"),
        ("name", _TEXT, "operator"),
        ("group_hash", _TEXT, "hash of the communication group, 64 bits as decimal text"),
        ("start_ns", _I64, "start; the source has 0.25 µs steps only"),
        ("elapse_ms", _F64, "transit + wait + idle in ms"),
        ("transit_ms", _F64, "data under way in ms"),
        ("wait_ms", _F64, "waiting for other ranks in ms"),
        ("synchronization_ms", _F64, "the first wait in ms"),
        ("idle_ms", _F64, "neither in ms"),
    ),
    _t(
        "step_trace_time",
        "one step of a card, as the collector sums it up",
        _ROW,
        _DEVICE,
        ("step", _TEXT, "step, null when no schedule was used"),
        ("computing_us", _F64, "time of computing tasks in µs"),
        ("communication_not_overlapped_us", _F64, "communication beside which nothing is computed in µs"),
        ("overlapped_us", _F64, "communication beside which something is computed in µs"),
        ("communication_us", _F64, "time of communication in µs"),
        ("free_us", _F64, "time without either in µs"),
        ("stage_us", _F64, "step without its bubbles in µs"),
        ("bubble_us", _F64, "time of receive operators in µs"),
        ("communication_not_overlapped_exclude_receive_us", _F64, "without the bubble in µs"),
        ("preparing_us", _F64, "before the first device task in µs"),
    ),
)

_STEP = ("step", _TEXT, "step number as text; 0 where the source has none")
_RANK = ("rank", _I32, "global rank")
_GROUP = ("group_no", _I32, "number of the group in `cluster_group`")
_OPERATOR = ("name", _TEXT, "operator; `Total Op Info` for the sum of a group")
_TRANSPORT = ("transport", _TEXT, "HCCS, PCIE, RDMA, SDMA (sum of all but RDMA), SIO; LOCAL inside a card")
_SIZE = ("size_mb", _F64, "transferred in MB of 10⁶ bytes")
_TIME = ("time_ms", _F64, "data under way in ms")
_BANDWIDTH = ("bandwidth_gbs", _F64, "size / time in GB/s; 0 without time")

# Tables of a whole job, made by `engine.cluster` from all ranks or read from a finished analysis.
CLUSTER: dict[str, Table] = _tables(
    _t(
        "cluster_group",
        "one communication group",
        ("group_no", _I32, "running number in the order of first appearance"),
        ("hash", _TEXT, "hash of its id, 64 bits as decimal text; empty where the source has none"),
        ("kind", _TEXT, "collective, p2p or unknown"),
        ("ranks", pa.list_(_I32), "members, ascending"),
        ("group_id", _TEXT, "id that the framework gave; empty when unknown"),
        ("pg_name", _TEXT, "name of the process group: tp, pp, dp, …; empty when unknown"),
    ),
    _t(
        "cluster_time",
        "one operator of a rank, or the sum over a group's operators",
        _STEP,
        _RANK,
        _GROUP,
        _OPERATOR,
        ("start_ns", _I64, "start; null for sums"),
        ("elapse_ms", _F64, "last end − first start in ms"),
        ("transit_ms", _F64, "data under way in ms"),
        ("synchronization_ms", _F64, "the first wait in ms"),
        ("wait_ms", _F64, "waiting for other ranks in ms"),
        ("idle_ms", _F64, "neither in ms"),
    ),
    _t(
        "cluster_bandwidth",
        "one transport of an operator of a rank",
        _STEP,
        _RANK,
        _GROUP,
        _OPERATOR,
        _TRANSPORT,
        _SIZE,
        _TIME,
        _BANDWIDTH,
        ("large_packet_ratio", _F64, "packets above the threshold / packets, 0 to 1"),
    ),
    _t(
        "cluster_packet",
        "packets of one size of a transport of an operator of a rank",
        _STEP,
        _RANK,
        _GROUP,
        _OPERATOR,
        _TRANSPORT,
        ("packet_mb", _F64, "size of a packet in MB of 10⁶ bytes"),
        ("count", _I64, "number of packets"),
        ("duration_ms", _F64, "their time in ms"),
    ),
    _t(
        "cluster_matrix",
        "one link between two ranks",
        _STEP,
        _GROUP,
        ("name", _TEXT, "`<type>-<top1, middle, bottom1, …, total>`, or `Total Op Info`"),
        ("src", _I32, "global rank that sends"),
        ("dst", _I32, "global rank that receives"),
        _TRANSPORT,
        ("op_name", _TEXT, "operator that the values are of; empty for sums"),
        _SIZE,
        _TIME,
        _BANDWIDTH,
    ),
    _t(
        "cluster_step",
        "one step of a rank or of a pipeline stage",
        _STEP,
        ("kind", _TEXT, "rank or stage"),
        ("index", _TEXT, "rank, or the ranks of the stage as `(0, 1)`"),
        ("rank", _I32, "global rank, null for stages"),
        ("computing_us", _F64, "computing in µs"),
        ("communication_not_overlapped_us", _F64, "communication beside which nothing is computed in µs"),
        ("overlapped_us", _F64, "communication beside which something is computed in µs"),
        ("communication_us", _F64, "communication in µs"),
        ("free_us", _F64, "time without either in µs"),
        ("stage_us", _F64, "step without its bubbles in µs"),
        ("bubble_us", _F64, "time of receive operators in µs"),
        ("communication_not_overlapped_exclude_receive_us", _F64, "without the bubble in µs"),
        ("preparing_us", _F64, "before the first device task in µs; null where not collected"),
        ("dp", _I32, "data parallel index, null when unknown and for stages"),
        ("pp", _I32, "pipeline index, as dp"),
        ("tp", _I32, "tensor parallel index, as dp"),
    ),
    _t(
        "cluster_arrival",
        "one step of a rank: when it came to the collective operators that it shares with others",
        _STEP,
        _RANK,
        ("operators", _I32, "collective operators that it shares with other ranks"),
        ("times_last", _I32, "of these, how often it came last and the others waited noticeably"),
        ("caused_ms", _F64, "what all others waited for it together, in ms"),
        ("held_up_ms", _F64, "what the one that waited longest waited for it, summed over the operators, in ms"),
        ("late_ms", _F64, "how much later than the first rank it came, summed over the operators, in ms"),
        ("waited_ms", _F64, "how much earlier than the last rank it came, summed over the operators, in ms"),
        ("skew_us", _F64, "its clock beside the median of all ranks in µs, above 0: ahead; null without start times"),
        ("skew_error_us", _F64, "mean distance of the operators' ends from that, in µs"),
    ),
    _t(
        "cluster_wait",
        "one rank that waited for another in a step and group",
        _STEP,
        _GROUP,
        ("rank", _I32, "global rank that came last"),
        ("waiter", _I32, "global rank that waited for it"),
        ("times", _I32, "in how many operators"),
        ("wait_ms", _F64, "how long, in ms"),
        ("longest_ms", _F64, "the longest of these waits in ms"),
        ("name", _TEXT, "operator of the longest wait"),
    ),
    _t("cluster_info", "one fact of the job", ("key", _TEXT, "name"), ("value", _TEXT, "JSON")),
)

# What a reader gives of one rank before the ranks are joined; groups by their hash, links by local numbers.
RANK_TABLES: dict[str, Table] = _tables(
    *(
        _t(
            name,
            CLUSTER[f"cluster_{name}"].row,
            *[
                c
                for c in ((k.name, k.type, k.meaning) for k in CLUSTER[f"cluster_{name}"].columns)
                if c[0] != "group_no"
            ],
            ("kind", _TEXT, "collective or p2p"),
            ("hash", _TEXT, "hash of the group"),
        )
        for name in ("time", "bandwidth", "packet")
    ),
    _t(
        "link",
        "one link of a rank",
        _STEP,
        _RANK,
        ("name", _TEXT, "as in cluster_matrix"),
        ("src", _I32, "local number of the sender inside the group"),
        ("dst", _I32, "local number of the receiver inside the group"),
        _TRANSPORT,
        ("op_name", _TEXT, "operator that the values are of"),
        _SIZE,
        _TIME,
        ("kind", _TEXT, "collective or p2p"),
        ("hash", _TEXT, "hash of the group"),
    ),
    _t(
        "step",
        "one step of a rank",
        *[
            (c.name, c.type, c.meaning)
            for c in CLUSTER["cluster_step"].columns
            if c.name == "step" or c.name == "rank" or c.name.endswith("_us")
        ],
    ),
)
