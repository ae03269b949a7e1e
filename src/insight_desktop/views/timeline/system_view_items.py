"""The items of the Stats System View and the Events View: their columns and how they ask the engine."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import timeline
from insight_desktop.engine.timeline.layers import View as Layer
from insight_desktop.views.common import number_text
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.timeline.system_view_notes import note_text, translated
from insight_desktop.views.timeline.system_view_parts import (
    ACTIVITIES,
    GO_COLUMN,
    LEVEL1,
    LEVEL2,
    MOST_ROWS,
    NO_DEVICE,
    NO_HOST,
    NO_KERNELS,
    START,
    Answer,
    Details,
    Item,
    Missing,
    Question,
    timed,
)

_NAME = ColumnSpec("name", "Name")
_SUMMARY = (
    _NAME,
    ColumnSpec("ratio", "Time", "%", kind="percent", decimals=2, bar=True, tooltip="Share of the whole layer"),
    ColumnSpec("total_ns", "Total Time", "µs", kind="duration"),
    ColumnSpec("count", "Num Calls", kind="count"),
    ColumnSpec("avg_ns", "Avg", "µs", kind="duration"),
    ColumnSpec("min_ns", "Min", "µs", kind="duration"),
    ColumnSpec("max_ns", "Max", "µs", kind="duration"),
)
_TRACE = (_NAME, START, ColumnSpec("dur_ns", "Duration", "µs", kind="duration"), GO_COLUMN)
_DETAIL = (_NAME, START, ColumnSpec("dur_ns", "Duration", "ns", kind="duration"))
_OVERALL = (
    ColumnSpec("category", "Category", width=320),
    ColumnSpec("total_ns", "Total Time", "µs", kind="duration", decimals=2),
    ColumnSpec("ratio", "Time Ratio", "%", kind="percent", decimals=2, bar=True, tooltip="Share of the E2E Time"),
    ColumnSpec("count", "Number", kind="count"),
    ColumnSpec("avg_ns", "Avg", "µs", kind="duration", decimals=2),
    ColumnSpec("min_ns", "Min", "µs", kind="duration", decimals=2),
    ColumnSpec("max_ns", "Max", "µs", kind="duration", decimals=2),
)
_TYPE, _CORE = ColumnSpec("type", "Type", width=160), ColumnSpec("core", "Accelerator Core", width=140)
_KERNEL = (
    ColumnSpec("name", "Name", width=240),
    _TYPE,
    _CORE,
    START,
    ColumnSpec("dur_ns", "Duration", "µs", kind="duration"),
    ColumnSpec("wait_ns", "Wait Time", "µs", kind="duration", tooltip="Gap after the previous task of the device"),
    ColumnSpec("task_id", "Task ID", kind="id"),
    ColumnSpec("block_num", "Block Num", kind="id"),
    ColumnSpec("input_shapes", "Input Shapes"),
    ColumnSpec("input_types", "Input Data Types"),
    ColumnSpec("input_formats", "Input Formats"),
    ColumnSpec("output_shapes", "Output Shapes"),
    ColumnSpec("output_types", "Output Data Types"),
    ColumnSpec("output_formats", "Output Formats"),
    GO_COLUMN,
)
_KERNEL_OF_TYPE = (_KERNEL[0], *(c for c in _KERNEL[1:-1] if c not in (_TYPE, _CORE)), _TYPE, _CORE, GO_COLUMN)
_TYPES = (
    ColumnSpec("type", "Type"),
    ColumnSpec("core", "Accelerator Core"),
    ColumnSpec("count", "Count", kind="count"),
    ColumnSpec("total_ns", "Total Time", "µs", kind="duration"),
    ColumnSpec("avg_ns", "Avg", "µs", kind="duration"),
    ColumnSpec("max_ns", "Max", "µs", kind="duration"),
    ColumnSpec("min_ns", "Min", "µs", kind="duration"),
)
_MEMCPY = (
    ColumnSpec("category", "Category", width=240),
    ColumnSpec("total_ns", "Total Time", "ns", kind="duration"),
    ColumnSpec("total_bytes", "Total Size", "B", kind="bytes", decimals=0),
    ColumnSpec("count", "Number", kind="count"),
    ColumnSpec("avg_ns", "Avg Time", "ns", kind="duration"),
    ColumnSpec("min_ns", "Min Time", "ns", kind="duration"),
    ColumnSpec("max_ns", "Max Time", "ns", kind="duration"),
    ColumnSpec("avg_bytes", "Avg Size", "B", kind="bytes", decimals=1),
    ColumnSpec("min_bytes", "Min Size", "B", kind="bytes", decimals=0),
    ColumnSpec("max_bytes", "Max Size", "B", kind="bytes", decimals=0),
)
_E2E = (
    ColumnSpec("name", "Operator", width=340),
    ColumnSpec("path", "Path", width=84),
    *(
        ColumnSpec(name, title, "µs", kind="duration", missing="--")
        for name, title in (
            ("prepare_ns", QT_TRANSLATE_NOOP("insight", "Prepare Time")),
            ("python_ns", QT_TRANSLATE_NOOP("insight", "Python API Time")),
            ("enqueue_ns", QT_TRANSLATE_NOOP("insight", "Enqueue Time")),
            ("queue_ns", QT_TRANSLATE_NOOP("insight", "Queue Time")),
            ("pipeline2_ns", QT_TRANSLATE_NOOP("insight", "Pipeline2 Time")),
            ("launch_ns", QT_TRANSLATE_NOOP("insight", "Launch Time")),
            ("e2e_ns", QT_TRANSLATE_NOOP("insight", "E2E Time")),
        )
    ),
    ColumnSpec("status", "Status", width=96),
    ColumnSpec("note", "Notes"),
)
_FTRACE = (
    ColumnSpec("cpu", "CPU", kind="id"),
    ColumnSpec("comm", "Comm"),
    ColumnSpec("pid", "PID/TID", width=90),
    ColumnSpec("runnable_ns", "Runnable", "ns", kind="duration"),
    ColumnSpec("running_ns", "Running", "ns", kind="duration"),
    ColumnSpec("sleeping_ns", "Sleeping", "ns", kind="duration"),
    ColumnSpec("context_switches", "Context Switch Count", kind="count"),
    ColumnSpec("involuntary_switches", "Involuntary Switch Count", kind="count"),
    ColumnSpec("soft_irqs", "Soft IRQ Count", kind="count"),
    ColumnSpec("soft_irq_ns", "Soft IRQ Duration", "ns", kind="duration"),
    ColumnSpec("hard_irqs", "Hard IRQ Count", kind="count"),
    ColumnSpec("hard_irq_ns", "Hard IRQ Duration", "ns", kind="duration"),
)
_EVENTS = (
    _NAME,
    ColumnSpec("start_ns", "Start", kind="time"),
    ColumnSpec("dur_ns", "Duration", "ns", kind="duration"),
    ColumnSpec("tid", "TID"),
    ColumnSpec("pid", "PID"),
    ColumnSpec("stream", "Stream Name"),
    ColumnSpec("group", "Group Name"),
    ColumnSpec("analysis_type", "Analysis Type"),
    ColumnSpec("rank", "Rank ID"),
    GO_COLUMN,
)
_STATUS_INK = {"normal": "ok", "fallback": "warning", "incomplete": "error"}
_NO_OVERLAP = Missing(
    QT_TRANSLATE_NOOP("insight", "This card has no overlap analysis"),
    QT_TRANSLATE_NOOP("insight", "Computing, communication and free time come from the process Overlap Analysis of trace_view.json or the table OVERLAP_ANALYSIS; the profiler writes them when device tasks were recorded and analysed."),
    ACTIVITIES,
)  # fmt: skip


def _longest(found: pa.Table, count: int) -> str:
    return tr("the longest of {n}").format(n=number_text.count(count)) if count > found.num_rows else ""


def _summary(layer: Layer) -> Any:
    def load(store: Store, asked: Question) -> Answer:
        return Answer(timeline.summary(store, view=layer, **asked.range()))

    return load


def _trace(layer: Layer) -> Any:
    def load(store: Store, asked: Question) -> Answer:
        found = timeline.trace(store, view=layer, limit=MOST_ROWS, **asked.range())
        count = found.num_rows
        if count == MOST_ROWS:
            count = timeline.trace_count(store, view=layer, **asked.range()).column("count")[0].as_py()
        return Answer(timed(store, asked.card, found), _longest(found, count))

    return load


def _overall(store: Store, asked: Question) -> Answer:
    found = timeline.overall_metrics(store, **asked.range())
    paths = found.column("path").to_pylist()
    has_kinds = any(parent == paths[0] for parent in found.column("parent").to_pylist()) if paths else True
    note = "" if has_kinds else tr("kinds of computing need hardware counters (aic_metrics=PipeUtilization)")
    return Answer(found, note)


def _overall_details(store: Store, asked: Question, row: dict[str, Any]) -> pa.Table:
    found = timeline.overall_details(store, path=row["path"], limit=MOST_ROWS, **asked.range())
    return timed(store, asked.card, found)


def _kernels(store: Store, asked: Question) -> Answer:
    found = timeline.kernel_details(store, limit=MOST_ROWS, **asked.range())
    count = found.num_rows
    if count == MOST_ROWS:
        count = timeline.kernel_count(store, **asked.range()).column("count")[0].as_py()
    return Answer(timed(store, asked.card, found), _longest(found, count))


def _types(store: Store, asked: Question) -> Answer:
    return Answer(timeline.operator_types(store, **asked.range()))


def _kernels_of_type(store: Store, asked: Question, row: dict[str, Any]) -> pa.Table:
    found = timeline.kernel_details(store, of_type=row["type"], of_core=row["core"], limit=MOST_ROWS, **asked.range())
    return timed(store, asked.card, found)


def _memcpy(store: Store, asked: Question) -> Answer:
    return Answer(timeline.memcpy(store, **asked.range()))


def _memcpy_details(store: Store, asked: Question, row: dict[str, Any]) -> pa.Table:
    found = timeline.memcpy_details(store, path=row["path"], limit=MOST_ROWS, **asked.range())
    return timed(store, asked.card, found)


def _e2e(store: Store, asked: Question) -> Answer:
    where: dict[str, Any] = {"card": asked.card, "from_ns": asked.from_ns, "to_ns": asked.to_ns}
    found = timeline.kernel_e2e(store, **where)
    rate = timeline.kernel_e2e_rate(store, **where).to_pylist()[0]
    note = ""
    if rate["match_percent"] is not None:
        note = tr("Match Rate {rate} %: {normal} of {rows} top rows are normal").format(
            rate=number_text.number(rate["match_percent"], 2), normal=number_text.count(rate["normal"]),
            rows=number_text.count(rate["rows"]),
        )  # fmt: skip
    return Answer(translated(found, "status", "note"), note)


def _e2e_details(store: Store, asked: Question, row: dict[str, Any]) -> pa.Table:
    found = timeline.kernel_e2e_details(store, id=row["id"], card=asked.card)
    found = found.rename_columns(["role", "id", "name", "ts_ns", "dur_ns", "missing"])
    return translated(timed(store, asked.card, found), "missing")


def _status_ink(column: str, value: Any) -> str | None:
    return {note_text(name): ink for name, ink in _STATUS_INK.items()}.get(value) if column == "status" else None


def _ftrace(store: Store, asked: Question) -> Answer:
    return Answer(timeline.ftrace_summary(store, **asked.range()))


def _events(store: Store, asked: Question) -> Answer:
    found = timeline.events(store, tracks=asked.tracks, limit=MOST_ROWS, **asked.range())
    count = found.num_rows
    if count == MOST_ROWS:
        count = timeline.events_count(store, tracks=asked.tracks, **asked.range()).column("count")[0].as_py()
    return Answer(timed(store, asked.card, found), _longest(found, count))


def _of_layer(name: str, title: str, layer: Layer, help_text: str, missing: Missing) -> Item:
    totals = {} if layer == "overlap" else {"total_ns": "sum", "count": "sum"}
    return Item(
        name, title, help_text, "stats", _SUMMARY, _summary(layer), missing, totals=totals,  # type: ignore[arg-type]
    )  # fmt: skip


def _trace_of(name: str, title: str, layer: Layer, missing: Missing) -> Item:
    return Item(
        name, title, QT_TRANSLATE_NOOP("insight", "Every slice of the layer, longest first."), "stats", _TRACE,
        _trace(layer), missing, sort="dur_ns", totals={"dur_ns": "sum"},
    )  # fmt: skip


_BY_NAME = QT_TRANSLATE_NOOP("insight", "Slices of the layer by name: share, number, average, shortest and longest.")
_NO_COMMUNICATION = Missing(
    QT_TRANSLATE_NOOP("insight", "This card has no communication operators"),
    QT_TRANSLATE_NOOP("insight", "They are recorded with profiler_level Level1 or Level2 when more than one card takes part."),
    LEVEL1,
)  # fmt: skip

STATS: tuple[Item, ...] = (
    Item(
        "overall", QT_TRANSLATE_NOOP("insight", "Overall Metrics"),
        QT_TRANSLATE_NOOP("insight", "Where the time of the card goes: computing by kind of kernel, communication by group into waiting and transmitting, free time."),
        "stats", _OVERALL, _overall, _NO_OVERLAP, tree=("path", "parent"),
        details=Details(QT_TRANSLATE_NOOP("insight", "Details"), _DETAIL, _overall_details, lambda row: bool(row["parent"])),
    ),
    _of_layer("python_api", QT_TRANSLATE_NOOP("insight", "Python API Summary"), "python_api", _BY_NAME, NO_HOST),
    _trace_of("python_trace", QT_TRANSLATE_NOOP("insight", "Python API Trace"), "python_api", NO_HOST),
    _of_layer("cann_api", QT_TRANSLATE_NOOP("insight", "CANN API Summary"), "cann_api", _BY_NAME, NO_HOST),
    _trace_of("cann_trace", QT_TRANSLATE_NOOP("insight", "CANN API Trace"), "cann_api", NO_HOST),
    _of_layer("hardware", QT_TRANSLATE_NOOP("insight", "Ascend HardWare Task Summary"), "ascend_hw", _BY_NAME, NO_DEVICE),
    _trace_of("hardware_trace", QT_TRANSLATE_NOOP("insight", "Ascend HardWare Task Trace"), "ascend_hw", NO_DEVICE),
    _of_layer("communication", QT_TRANSLATE_NOOP("insight", "Communication Summary"), "communication", _BY_NAME, _NO_COMMUNICATION),
    _trace_of("communication_trace", QT_TRANSLATE_NOOP("insight", "Communication Trace"), "communication", _NO_COMMUNICATION),
    _of_layer(
        "overlap", QT_TRANSLATE_NOOP("insight", "Overlap Analysis"), "overlap",
        QT_TRANSLATE_NOOP("insight", "Computing, communication and free time; shares are of Computing + Communication(Not Overlapped) + Free."),
        _NO_OVERLAP,
    ),
    Item(
        "kernel_e2e", QT_TRANSLATE_NOOP("insight", "Kernel E2E Time"),
        QT_TRANSLATE_NOOP("insight", "How long the host takes to bring an operator to the device: prepare, enqueue, queue, launch. Click a row to see its chain."),
        "stats", _E2E, _e2e,
        Missing(
            QT_TRANSLATE_NOOP("insight", "No dispatch of operators was found"),
            QT_TRANSLATE_NOOP("insight", "Chains need the Python and CANN lanes of the host and the tasks of the device, with the links between them: activities CPU and NPU, profiler_level Level1 or Level2."),
            LEVEL1,
        ),
        tree=("id", "parent"), open_levels=0, ink=_status_ink,
        details=Details(
            QT_TRANSLATE_NOOP("insight", "Chain"),
            (
                ColumnSpec("role", "Role", width=110), ColumnSpec("name", "Name", kind="link", width=200), START,
                ColumnSpec("dur_ns", "Duration", "µs", kind="duration"), ColumnSpec("missing", "Missing"),
            ),
            _e2e_details,
        ),
    ),
    Item(
        "kernels", QT_TRANSLATE_NOOP("insight", "Kernel Details"),
        QT_TRANSLATE_NOOP("insight", "Every kernel of the device with type, core, times, shapes and formats."),
        "stats", _KERNEL, _kernels, NO_KERNELS, sort="dur_ns", totals={"dur_ns": "sum", "wait_ns": "sum"},
    ),
    Item(
        "operators", QT_TRANSLATE_NOOP("insight", "Operator Details"),
        QT_TRANSLATE_NOOP("insight", "Kernels by type and core. Click a row to see its kernels."),
        "stats", _TYPES, _types, NO_KERNELS, sort="total_ns",
        totals={"count": "sum", "total_ns": "sum", "max_ns": "max", "min_ns": "min"},
        details=Details(QT_TRANSLATE_NOOP("insight", "Kernels"), _KERNEL_OF_TYPE, _kernels_of_type),
    ),
    Item(
        "memcpy", QT_TRANSLATE_NOOP("insight", "Memcpy Overall"),
        QT_TRANSLATE_NOOP("insight", "Copies by stream and kind with times and sizes. Click a row to see its copies."),
        "stats", _MEMCPY, _memcpy,
        Missing(
            QT_TRANSLATE_NOOP("insight", "This card has no details of copies"),
            QT_TRANSLATE_NOOP("insight", "Kind and size of a copy are recorded with profiler_level Level2; databases need the table MEMCPY_INFO."),
            LEVEL2,
        ),
        tree=("path", "parent"),
        details=Details(
            QT_TRANSLATE_NOOP("insight", "Copies"),
            (*_DETAIL, ColumnSpec("size_bytes", "Size", "B", kind="bytes", decimals=0)), _memcpy_details,
        ),
    ),
    Item(
        "ftrace", QT_TRANSLATE_NOOP("insight", "Ftrace Task Summary"),
        QT_TRANSLATE_NOOP("insight", "How long each task ran, waited for a CPU and slept, with its switches and interrupts."),
        "stats", _FTRACE, _ftrace,
        Missing(
            QT_TRANSLATE_NOOP("insight", "There are no scheduling lanes"),
            QT_TRANSLATE_NOOP("insight", "Record ftrace events of sched and irq beside the profiler, convert them and open them together with the profile."),
        ),
        sort="running_ns", ftrace=True,
        totals={
            "runnable_ns": "sum", "running_ns": "sum", "sleeping_ns": "sum", "context_switches": "sum", "soft_irqs": "sum",
            "soft_irq_ns": "sum", "hard_irqs": "sum", "hard_irq_ns": "sum",
        },
    ),
)  # fmt: skip

EVENTS = Item(
    "events", QT_TRANSLATE_NOOP("insight", "Events View"),
    QT_TRANSLATE_NOOP("insight", "Every slice of a lane and of what stands below it."),
    "events", _EVENTS, _events,
    Missing(
        QT_TRANSLATE_NOOP("insight", "No lane chosen"),
        QT_TRANSLATE_NOOP("insight", "Choose “Show in Events View” in the context menu of a process, thread or group."),
    ),
    sort="dur_ns", totals={"dur_ns": "sum"},
)  # fmt: skip


def is_ftrace(store: Store, card: str) -> bool:
    """Whether a card has scheduling lanes."""
    names = store.capture(card).tracks.column("process")
    return bool(pc.any(pc.is_in(names, value_set=pa.array(["CPU Scheduling", "Process Scheduling"]))).as_py())
