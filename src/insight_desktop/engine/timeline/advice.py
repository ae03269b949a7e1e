"""The advisors of the Expert System View: what in a card's data could be done better. Thresholds: `advice_rules`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine import tables
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import operator_slices
from insight_desktop.engine.timeline import advice_rules as rules
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.search import tracks_of
from insight_desktop.errors import BadArgument

Kind = Literal[
    "ai_core_frequency", "affinity_api", "affinity_optimizer", "aicpu", "aclnn", "fusion", "dispatch"
]  # fmt: skip
Ints = npt.NDArray[np.int64]

NO_COMPILE = "Set torch_npu.npu.set_compile_mode(jit_compile=False), so that operators are not compiled while they run."
AVOID_TYPE = "This operator runs on AICPU: use an equivalent operator without it."
AVOID_AICPU = f"It takes {rules.AICPU_NS // 1000} µs or more on AICPU: avoid AICPU operators."

_FAR = (1 << 63) - 1
_SCHEMA = pa.schema(
    [
        ("kind", pa.string()), ("name", pa.large_string()), ("origin", pa.large_string()), ("replacement", pa.string()),
        ("note", pa.string()), ("ts_ns", pa.int64()), ("dur_ns", pa.int64()), ("pid", pa.string()), ("tid", pa.string()),
        ("slice_id", pa.int64()), ("value", pa.int64()), ("is_problem", pa.bool_()),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What an advisor looks at."""

    store: Store
    card: StoreCard
    capture: Capture


@dataclass
class Rows:
    """Rows of one advisor: slices by id, or kernels with their own times."""

    ids: Ints
    origin: list[str] | None = None
    replacement: list[str] | None = None
    note: list[str] | None = None
    value: Ints | None = None
    times: tuple[Ints, Ints] | None = None
    names: pa.Array | None = None


def advice(
    store: Store,
    *,
    card: str | None = None,
    kind: Kind | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
) -> pa.Table:
    """What the advisors found: kind, name, origin, replacement, note, ts_ns, dur_ns, pid, tid, slice_id, value, is_problem.

    Advisors in the order ai_core_frequency, affinity_api, affinity_optimizer, aicpu, aclnn, fusion, dispatch; rows of one
    by duration, longest first. origin is the sequence of operators that was met, replacement what does their work. value is
    the drop in percent (frequency) or how often the name occurs (aclnn, dispatch). is_problem is false only for a
    frequency that does not drop by more than the threshold. A range keeps the rows that overlap it; the frequency and the
    count of aclnn operators regard the whole data.
    """
    chosen = store.card(card)
    if kind is not None and kind not in _ADVISORS:
        raise BadArgument(f"There is no advisor {kind!r}.", fix=f"Use one of {', '.join(_ADVISORS)}.")
    if from_ns is not None and to_ns is not None and from_ns > to_ns:
        raise BadArgument("The range ends before it begins.", fix="Give from_ns at or before to_ns.")
    asked = Asked(store, chosen, store.capture(chosen.name))
    parts = [_in_range(_whole(asked, name), name, from_ns, to_ns) for name in ([kind] if kind else _ADVISORS)]
    return pa.concat_tables(parts)


def _whole(asked: Asked, kind: str) -> pa.Table:
    """What an advisor finds in the whole data; kept with the capture."""
    return kept(asked.capture, ("advice", kind), lambda: _ADVISORS[kind](asked), lambda found: int(found.nbytes))


def _in_range(found: pa.Table, kind: str, from_ns: int | None, to_ns: int | None) -> pa.Table:
    """The rows that overlap the range; compilations count inside it."""
    if kind != "ai_core_frequency" and (from_ns is not None or to_ns is not None):
        start = found.column("ts_ns").to_numpy()
        end = start + found.column("dur_ns").to_numpy()
        low, high = (-_FAR if from_ns is None else from_ns), (_FAR if to_ns is None else to_ns)
        found = found.take(pa.array(np.flatnonzero((end >= low) & (start <= high))))
    if kind == "dispatch":
        count = found.num_rows
        if count < rules.DISPATCH_COUNT:
            return found.slice(0, 0)
        found = found.set_column(
            _SCHEMA.get_field_index("value"), "value", pa.repeat(pa.scalar(count, pa.int64()), count)
        )
    return found


def _frequency(asked: Asked) -> pa.Table:
    rows = []
    for line in asked.capture.series.to_pylist():
        if not line["counter"].startswith("AI Core Freq") or not line["max"] or not 0 < line["max"] < math.inf:
            continue
        drop = int((line["max"] - line["min"]) * 100 // line["max"])
        problem = drop > rules.FREQUENCY_DROP_PERCENT
        range_text = f"between {line['max']:g} and {line['min']:g} MHz"
        note = (
            f"The AI Core frequency drops by {drop} % ({range_text}): look at power and temperature of the device."
            if problem
            else f"The AI Core frequency is steady: it drops by {drop} % ({range_text})."
        )
        rows.append(
            {
                "kind": "ai_core_frequency", "name": line["counter"], "note": note, "ts_ns": line["first_ns"],
                "pid": line["pid"], "value": drop, "is_problem": problem,
            }
        )  # fmt: skip
    return pa.Table.from_pylist(rows, _SCHEMA)


def _affinity_api(asked: Asked) -> pa.Table:
    capture = asked.capture
    ids, thread = top_operators(asked.card, capture)
    names = np.asarray(capture.slice_name)[ids]
    met: dict[tuple[int, int, str], tuple[str, str]] = {}
    known = {step: _string_ids(capture, step) for rule in rules.affinity() for step in rule.steps}
    begins = {rule.steps[0]: np.flatnonzero(np.isin(names, known[rule.steps[0]])) for rule in rules.affinity()}
    for rule in rules.affinity():
        codes = [known[step] for step in rule.steps]
        if not all(len(code) for code in codes):
            continue
        at = begins[rule.steps[0]]
        at = at[at + len(codes) <= len(names)]
        at = at[thread[at] == thread[at + len(codes) - 1]]
        for k, code in enumerate(codes[1:], 1):
            at = at[np.isin(names[at + k], code)]
        for i in at.tolist():
            origin = ", ".join(capture.text(int(n)) for n in names[i : i + len(codes)])
            met.setdefault((i, len(codes), rule.replacement), (origin, rule.note))
    keys = sorted(met)
    first = ids[np.array([key[0] for key in keys], np.int64)]
    rows = Rows(
        first, [met[key][0] for key in keys], [key[2] for key in keys], [met[key][1] for key in keys]
    )  # fmt: skip
    return _table(asked, "affinity_api", rows)


def top_operators(card: StoreCard, capture: Capture) -> tuple[Ints, Ints]:
    """Operators aten:: and npu:: that lie in no earlier one of this list: ids and thread numbers, by thread and time."""
    tracks = capture.tracks.select(["pid", "tid", "role"]).to_pylist()
    ids = _slices(capture, _begins(capture, "aten::", "npu::"), [t["role"] == schema.ROLE_THREAD for t in tracks])
    if card.kind != "db":
        ids = ids[np.isin(np.asarray(capture.slice_category)[ids], _string_ids(capture, ["cpu_op"]))]
    numbers = {key: n for n, key in enumerate(dict.fromkeys((t["pid"], t["tid"]) for t in tracks))}
    threads = np.array([numbers[t["pid"], t["tid"]] for t in tracks], np.int64)[tracks_of(capture, ids)]
    start, end = np.asarray(capture.slice_start)[ids], np.asarray(capture.slice_end)[ids]
    order = np.lexsort((ids, -end, start, threads))
    ids, end, threads = ids[order], end[order], threads[order]
    keep = np.ones(len(ids), np.bool_)
    for low, high in _runs(threads):
        keep[low + 1 : high] = np.maximum.accumulate(end[low:high])[:-1] < end[low + 1 : high]
    return ids[keep], threads[keep]


def _optimizer(asked: Asked) -> pa.Table:
    capture = asked.capture
    near = np.flatnonzero(_begins(capture, "Optimizer.step#"))
    found = {int(n): m[1] for n in near if (m := rules.OPTIMIZER.fullmatch(capture.text(int(n))))}
    mask = np.zeros(len(capture.strings), np.bool_)
    mask[list(found)] = True
    ids = _slices(capture, mask)
    which = [found[int(n)] for n in np.asarray(capture.slice_name)[ids]]
    origin = [capture.text(int(n)) for n in np.asarray(capture.slice_name)[ids]]
    rows = Rows(ids, origin, [f"{rules.FUSED_OPTIMIZER}{name}" for name in which])
    return _table(asked, "affinity_optimizer", rows)


def _aicpu(asked: Asked) -> pa.Table:
    found = _kernels(asked, "core = 'AI_CPU'", "start_ns, row")
    notes = [
        aicpu_note(*row)
        for row in zip(
            *(found.column(c).to_pylist() for c in ("type", "input_types", "output_types", "duration_ns")), strict=True
        )
    ]
    keep = np.flatnonzero([bool(note) for note in notes])
    rows = _kernel_rows(asked, found.take(pa.array(keep)))
    rows.note = [notes[i] for i in keep]
    return _table(asked, "aicpu", rows)


def aicpu_note(op_type: str | None, inputs: str | None, outputs: str | None, duration_ns: int | None) -> str:
    """What is wrong with an operator on AICPU; empty for nothing. Lists of data types are separated by ;."""
    kind = (op_type or "").strip().lower()
    if kind in rules.AICPU_AVOID:
        return AVOID_TYPE
    allowed = rules.AICPU_TYPES.get(kind, rules.AICPU_TYPES["others"])
    if any(t not in good for text, good in zip((inputs, outputs), allowed, strict=True) for t in _types(text)):
        return f"Its data types call for AICPU. Types that do not: input {', '.join(allowed[0])}; output {', '.join(allowed[1])}."
    return AVOID_AICPU if (duration_ns or 0) >= rules.AICPU_NS else ""


def _types(text: str | None) -> list[str]:
    parts = (part.strip().strip('"').lower() for part in (text or "").split(";"))
    return [part for part in parts if part not in rules.NO_TYPES]


def _aclnn(asked: Asked) -> pa.Table:
    capture = asked.capture
    mask = np.asarray(pc.starts_with(capture.strings, "aclnn", ignore_case=True).to_numpy(zero_copy_only=False), bool)
    ids = _slices(capture, mask, [role == schema.ROLE_STREAM for role in capture.tracks.column("role").to_pylist()])
    names, at, count = np.unique(np.asarray(capture.slice_name)[ids], return_inverse=True, return_counts=True)
    count = count[at] if len(names) else np.empty(0, np.int64)
    often = count >= rules.ACLNN_COUNT
    return _table(asked, "aclnn", Rows(ids[often], value=count[often]))


def _fusion(asked: Asked) -> pa.Table:
    found = _kernels(
        asked, "NOT is_communication AND core NOT IN ('HCCL', 'COMMUNICATION')", "device, stream_id, start_ns, row"
    )
    types = found.column("type").combine_chunks().dictionary_encode()
    words = {word: n for n, word in enumerate(types.dictionary.to_pylist())}
    codes = np.asarray(types.indices.fill_null(-1), np.int64)
    stream = np.asarray(found.column("stream").combine_chunks(), np.int64)
    rule_at = np.full(len(codes), -1, np.int64)
    for number, (sequence, _) in enumerate(rules.FUSIONS):
        if not all(word in words for word in sequence):
            continue
        at = np.flatnonzero((codes == words[sequence[0]]) & (rule_at < 0))
        at = at[at + len(sequence) <= len(codes)]
        at = at[stream[at] == stream[at + len(sequence) - 1]]
        for k, word in enumerate(sequence[1:], 1):
            at = at[codes[at + k] == words[word]]
        rule_at[at] = number
    keep = np.flatnonzero(rule_at >= 0)
    rows = _kernel_rows(asked, found.take(pa.array(keep)))
    rows.origin = [", ".join(rules.FUSIONS[n][0]) for n in rule_at[keep]]
    rows.replacement = [rules.FUSIONS[n][1] for n in rule_at[keep]]
    return _table(asked, "fusion", rows)


def _dispatch(asked: Asked) -> pa.Table:
    capture = asked.capture
    mask = np.asarray(pc.ends_with(capture.strings, "aclopCompileAndExecute").to_numpy(zero_copy_only=False), bool)
    host = [role == schema.ROLE_THREAD for role in capture.tracks.column("role").to_pylist()]
    ids = _slices(capture, mask, host)
    return _table(asked, "dispatch", Rows(ids, note=[NO_COMPILE] * len(ids)))


_ADVISORS: dict[str, Callable[[Asked], pa.Table]] = {
    "ai_core_frequency": _frequency,
    "affinity_api": _affinity_api,
    "affinity_optimizer": _optimizer,
    "aicpu": _aicpu,
    "aclnn": _aclnn,
    "fusion": _fusion,
    "dispatch": _dispatch,
}


def _begins(capture: Capture, *texts: str) -> Array:
    found = [np.asarray(pc.starts_with(capture.strings, t).to_numpy(zero_copy_only=False), np.bool_) for t in texts]
    return np.asarray(np.logical_or.reduce(found))


def _string_ids(capture: Capture, words: Iterable[str]) -> Ints:
    """Ids of the words that the capture knows."""
    found = pc.index_in(pa.array(sorted(words), pa.large_string()), capture.strings)
    return np.asarray(found.drop_null(), np.int64)


def _slices(capture: Capture, mask: Array, tracks: list[bool] | None = None) -> Ints:
    """Ids of slices whose name is in the mask, on the wanted tracks."""
    if not mask.any():
        return np.empty(0, np.int64)
    ids = np.flatnonzero(mask[np.asarray(capture.slice_name)])
    return ids if tracks is None else ids[np.array(tracks, np.bool_)[tracks_of(capture, ids)]]


def _runs(values: Ints) -> list[tuple[int, int]]:
    """Bounds of the runs of equal values."""
    cuts = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
    return [(a, b) for a, b in pairwise(cuts) if b > a]


def _kernels(asked: Asked, where: str, order: str) -> pa.Table:
    """Kernels of the card with a number per stream of a device."""
    tables.ensure(asked.store, "kernel", [asked.card.name])
    return asked.store.sql(
        f"""SELECT name, type, input_types, output_types, start_ns, duration_ns,
                   dense_rank() OVER (ORDER BY device, stream_id) AS stream
            FROM kernel WHERE card = $card AND start_ns IS NOT NULL AND {where} ORDER BY {order}""",
        card=asked.card.name,
    )


def _kernel_rows(asked: Asked, kernels: pa.Table) -> Rows:
    names = kernels.column("name").combine_chunks()
    starts = np.asarray(kernels.column("start_ns").combine_chunks(), np.int64)
    lengths = np.asarray(kernels.column("duration_ns").combine_chunks().fill_null(0), np.int64)
    known = pc.index_in(names.cast(pa.large_string()), asked.capture.strings)
    ids, _ = operator_slices.places(asked.capture, np.asarray(pc.fill_null(known, -1), np.int64), starts)
    return Rows(ids, times=(starts, lengths), names=names)


def _table(asked: Asked, kind: str, rows: Rows) -> pa.Table:
    """The rows of an advisor, longest first."""
    capture, ids = asked.capture, rows.ids
    safe, there = np.maximum(ids, 0), ids >= 0
    if rows.times is None:
        starts = np.asarray(capture.slice_start)[ids]
        lengths = np.asarray(capture.slice_end)[ids] - starts
        names = capture.strings.take(pa.array(np.asarray(capture.slice_name)[ids]))
    else:
        starts, lengths = rows.times
        names = rows.names
    order = np.lexsort((starts, -lengths))
    track = pa.array(tracks_of(capture, safe) if len(capture.slice_start) else safe, mask=~there)
    columns: dict[str, Any] = {
        "kind": pa.repeat(pa.scalar(kind), len(ids)),
        "name": names,
        "origin": _texts(rows.origin, len(ids)),
        "replacement": _texts(rows.replacement, len(ids)),
        "note": _texts(rows.note, len(ids)),
        "ts_ns": pa.array(starts),
        "dur_ns": pa.array(lengths),
        "pid": capture.tracks.column("pid").combine_chunks().take(track),
        "tid": capture.tracks.column("tid").combine_chunks().take(track),
        "slice_id": pa.array(ids, mask=~there),
        "value": pa.array(rows.value) if rows.value is not None else pa.nulls(len(ids)),
        "is_problem": pa.repeat(pa.scalar(True), len(ids)),
    }
    whole = pa.table([columns[f.name].cast(f.type) for f in _SCHEMA], schema=_SCHEMA)
    return whole.take(pa.array(order))


def _texts(values: list[str] | None, count: int) -> pa.Array:
    return pa.array(values, pa.string()) if values is not None else pa.nulls(count, pa.string())
