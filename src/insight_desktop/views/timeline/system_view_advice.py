"""The items of the Expert System View: the advisors with their thresholds, and what they looked at."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import timeline
from insight_desktop.engine.timeline import advice_rules as rules
from insight_desktop.engine.timeline.advice import Kind
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.timeline.system_view_notes import translated
from insight_desktop.views.timeline.system_view_parts import (
    GO,
    GO_COLUMN,
    NO_DEVICE,
    NO_HOST,
    NO_KERNELS,
    START,
    Answer,
    Item,
    Missing,
    Question,
    axis_column,
)

_NAME = ColumnSpec("name", "Name")
_NOTE = ColumnSpec("note", "Notes", width=260)
_WHERE = (
    START,
    ColumnSpec("dur_ns", "Duration", "ns", kind="duration"),
    ColumnSpec("pid", "Process Id"),
    ColumnSpec("tid", "Thread Id"),
)
_FREQUENCY = (
    ColumnSpec("finding", "Finding", width=110),
    ColumnSpec("name", "Counter"),
    ColumnSpec("value", "Drop", "%", kind="number"),
    ColumnSpec("note", "Notes", width=420),
    GO_COLUMN,
)
_HOST_CALLS = QT_TRANSLATE_NOOP("insight", "host calls")
_KERNELS = QT_TRANSLATE_NOOP("insight", "kernels")
_TASKS = QT_TRANSLATE_NOOP("insight", "device tasks")
_COUNTERS = QT_TRANSLATE_NOOP("insight", "frequency counters")


def _load(kind: Kind, looked_at: Callable[[Store, Question], int], what: str) -> Callable[[Store, Question], Answer]:
    def load(store: Store, asked: Question) -> Answer:
        found = timeline.advice(store, card=asked.card, kind=kind, from_ns=asked.from_ns, to_ns=asked.to_ns)
        found = found.append_column("start_ns", axis_column(store, asked.card, found))
        known = pc.is_valid(found.column("ts_ns"))
        found = found.append_column(GO, pc.if_else(known, pa.scalar(tr("Click")), pa.scalar("")))
        words = pc.if_else(found.column("is_problem"), pa.scalar(tr("Problem")), pa.scalar(tr("No problem")))
        found = found.append_column("finding", words)
        return Answer(translated(found, "note"), checked=looked_at(store, asked), what=what)

    return load


def _host_calls(store: Store, asked: Question) -> int:
    return sum(_slices(store, asked, layer) for layer in ("python_api", "cann_api"))


def _operators(store: Store, asked: Question) -> int:
    return _slices(store, asked, "python_api")


def _tasks(store: Store, asked: Question) -> int:
    return _slices(store, asked, "ascend_hw")


def _slices(store: Store, asked: Question, layer: str) -> int:
    found = timeline.trace_count(store, view=layer, card=asked.card, from_ns=asked.from_ns, to_ns=asked.to_ns)  # type: ignore[arg-type]
    return int(found.column("count")[0].as_py())


def _kernels(store: Store, asked: Question) -> int:
    found = timeline.kernel_count(store, card=asked.card, from_ns=asked.from_ns, to_ns=asked.to_ns)
    return int(found.column("count")[0].as_py())


def _frequencies(store: Store, asked: Question) -> int:
    names = store.capture(asked.card).series.column("counter").to_pylist()
    return sum(name.startswith("AI Core Freq") for name in names)


def _rule_frequency() -> str:
    return tr("A frequency that drops by more than {n} % (whole percent of its maximum) is a problem. The time filter does not apply.").format(n=rules.FREQUENCY_DROP_PERCENT)  # fmt: skip


def _rule_affinity() -> str:
    return tr("Runs of framework operators of a thread, without those inside others, that one fused operator can do: {n} sequences are known.").format(n=len(rules.affinity()))  # fmt: skip


def _rule_optimizer() -> str:
    return tr("Steps of the optimizers SGD, Adadelta, Lamb, Adam, AdamW, AdamP, BertAdam, RMSprop and RMSpropTF, for which there is a fused one.")  # fmt: skip


def _rule_aicpu() -> str:
    return tr("Kernels on AI_CPU whose type has an equivalent ({types}), whose data types are not supported elsewhere, or that take {n} µs or more.").format(types=", ".join(sorted(rules.AICPU_AVOID)), n=rules.AICPU_NS // 1000)  # fmt: skip


def _rule_aclnn() -> str:
    return tr("Device tasks named aclnn… whose name occurs {n} times or oftener in the whole data.").format(n=rules.ACLNN_COUNT)  # fmt: skip


def _rule_fusion() -> str:
    return tr("Consecutive operators of one stream that one fused operator can do: {n} sequences are known.").format(n=len(rules.FUSIONS))  # fmt: skip


def _rule_dispatch() -> str:
    return tr("Host calls named …aclopCompileAndExecute, when there are {n} or more of them.").format(n=rules.DISPATCH_COUNT)  # fmt: skip


EXPERT: tuple[Item, ...] = (
    Item(
        "ai_core_frequency", QT_TRANSLATE_NOOP("insight", "Expert Analysis"),
        QT_TRANSLATE_NOOP("insight", "Whether the AI cores lost frequency. Click leads to the counter."),
        "expert", _FREQUENCY, _load("ai_core_frequency", _frequencies, _COUNTERS),
        Missing(
            QT_TRANSLATE_NOOP("insight", "This card has no AI Core frequency"),
            QT_TRANSLATE_NOOP("insight", "The counter AI Core Freq is written by devices and drivers that support it, with the activity NPU."),
        ),
        rule=_rule_frequency,
        ink=lambda column, value: {tr("Problem"): "error", tr("No problem"): "ok"}.get(value) if column == "finding" else None,
    ),
    Item(
        "affinity_api", QT_TRANSLATE_NOOP("insight", "Affinity API"),
        QT_TRANSLATE_NOOP("insight", "Operators that one call of the NPU library can replace."), "expert",
        (_NAME, ColumnSpec("origin", "Origin API"), ColumnSpec("replacement", "Replacement API", width=190), *_WHERE, _NOTE, GO_COLUMN),
        _load("affinity_api", _operators, _HOST_CALLS), NO_HOST, rule=_rule_affinity, sort="dur_ns",
    ),
    Item(
        "affinity_optimizer", QT_TRANSLATE_NOOP("insight", "Affinity Optimizer"),
        QT_TRANSLATE_NOOP("insight", "Optimizers with a fused version for the NPU."), "expert",
        (ColumnSpec("origin", "Origin Optimizer"), ColumnSpec("replacement", "Replacement Optimizer"), *_WHERE, GO_COLUMN),
        _load("affinity_optimizer", _host_calls, _HOST_CALLS), NO_HOST, rule=_rule_optimizer, sort="dur_ns",
    ),
    Item(
        "aicpu", QT_TRANSLATE_NOOP("insight", "AICPU Operators"),
        QT_TRANSLATE_NOOP("insight", "Operators that run on the slow AI CPU."), "expert",
        (_NAME, *_WHERE, _NOTE, GO_COLUMN),
        _load("aicpu", _kernels, _KERNELS), NO_KERNELS, rule=_rule_aicpu, sort="dur_ns",
    ),
    Item(
        "aclnn", QT_TRANSLATE_NOOP("insight", "ACLNN Operators"),
        QT_TRANSLATE_NOOP("insight", "Operators that are launched often one by one."), "expert",
        (_NAME, ColumnSpec("value", "Occurrences", kind="count"), *_WHERE, _NOTE, GO_COLUMN),
        _load("aclnn", _tasks, _TASKS), NO_DEVICE, rule=_rule_aclnn, sort="dur_ns",
    ),
    Item(
        "fusion", QT_TRANSLATE_NOOP("insight", "Operators Fusion"),
        QT_TRANSLATE_NOOP("insight", "Sequences of kernels with a fused operator."), "expert",
        (_NAME, ColumnSpec("origin", "Origin Operators"), ColumnSpec("replacement", "Fused Operator"), *_WHERE, _NOTE, GO_COLUMN),
        _load("fusion", _kernels, _KERNELS), NO_KERNELS, rule=_rule_fusion, sort="dur_ns",
    ),
    Item(
        "dispatch", QT_TRANSLATE_NOOP("insight", "Operators Dispatch"),
        QT_TRANSLATE_NOOP("insight", "Operators that are compiled while they run."), "expert",
        (_NAME, *_WHERE, _NOTE, GO_COLUMN),
        _load("dispatch", _host_calls, _HOST_CALLS), NO_HOST, rule=_rule_dispatch, sort="dur_ns",
    ),
)  # fmt: skip
