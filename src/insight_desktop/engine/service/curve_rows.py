"""Rows of curves: order, ranges, thinning, times of x, curves of slices."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.service import pages
from insight_desktop.engine.service.model import NONE, Instance
from insight_desktop.errors import BadArgument
from insight_desktop.ingest.formats.service_values import MISSING, datetime_ns

GENERATED = "generated:"  # before the names of curves that slices give
_GENERATED = re.compile(r"generated:(.+)_(\d+)_curve", re.DOTALL)
_BUBBLE = "_bubble"
_HEAD = 100
_EPOCH_NS = 10**17  # whole numbers above are ns since 1970
_TABLE_OF = {
    "First_Token_Latency_curve": "first_token_latency", "Request_Latency_curve": "req_latency",
    "Prefill_Generate_Speed_Latency_curve": "prefill_gen_speed", "Decode_Generate_Speed_Latency_curve": "decode_gen_speed",
    "firstTokenLatency_by_ts_curve": "first_token_latency",
}  # fmt: skip


def kind_of_x(columns: tuple[str, ...] | list[str]) -> str:
    """What the x of a recorded curve is by its name: time, batch_id or index."""
    head = columns[0].lower() if columns else ""
    if "batch_id" in head:
        return "batch_id"
    return "time" if any(word in head for word in ("time", "date")) else "index"


def in_order(table: pa.Table) -> pa.Table:
    """Rows in the order of their first column (texts as text), with their place as column #row in front."""
    first = table.column_names[0]
    found = table.take(pc.sort_indices(pa.table({"v": table[first]}), sort_keys=[("v", "ascending")]))
    return found.add_column(0, "#row", pa.array(np.arange(found.num_rows)))


def distinct(table: pa.Table) -> pa.Table:
    """Without rows that equal the one before in every column."""
    return table.filter(pc.invert(repeats(table)))


def repeats(table: pa.Table) -> pa.Array:
    """True for rows that equal the one before in every column."""
    same = np.ones(max(0, table.num_rows - 1), bool)
    for name in table.column_names[1:]:
        codes = table[name].combine_chunks().dictionary_encode("encode").indices.to_numpy(zero_copy_only=False)
        same &= codes[1:] == codes[:-1]
    return pa.array(np.r_[False, same][: table.num_rows], pa.bool_())


def typed(column: pa.ChunkedArray) -> pa.ChunkedArray | pa.Array:
    """Numbers (whole ones as such) where a column holds only such, else texts."""
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return column
    head = column.slice(0, _HEAD)  # columns of texts show it at once
    some = pc.any(
        pc.invert(pc.is_in(pc.utf8_lower(pc.fill_null(head.cast(pa.string()), "")), pa.array(sorted(MISSING))))
    ).as_py()
    if (some and not pages.is_numeric(head)) or not pages.is_numeric(column):
        return column.cast(pa.string())
    values = pages.numbers(column)
    known = values[~np.isnan(values)]
    if (np.abs(known) < 2**53).all() and (known == np.round(known)).all():
        return pa.array(np.nan_to_num(values).astype(np.int64), mask=np.isnan(values))
    return pa.array(values, from_pandas=True)


def figures(lines: dict[str, np.ndarray[Any, Any]]) -> pa.Table:
    """By line: line, count, min, mean, p50, p90, p99, max of its values without missing ones."""
    out: Any = []
    for line, every in lines.items():
        values = every[~np.isnan(every)]
        row: dict[str, Any] = {"line": line, "count": len(values)}
        if len(values):
            p50, p90, p99 = np.quantile(values, (0.5, 0.9, 0.99)).tolist()
            row |= {"min": values.min(), "mean": values.mean(), "p50": p50, "p90": p90, "p99": p99, "max": values.max()}
        out.append(row)
    kinds = [(n, pa.float64()) for n in ("min", "mean", "p50", "p90", "p99", "max")]
    return pa.Table.from_pylist(out, pa.schema([("line", pa.string()), ("count", pa.int64()), *kinds]))


def between(table: pa.Table, start: str, end: str) -> pa.Table:
    """Rows whose x lies from start to end, as numbers where x holds numbers, else as text; an empty bound is open."""
    x = table[table.column_names[1]]
    for text, keep in ((start, pc.greater_equal), (end, pc.less_equal)):
        if not text:
            continue
        if pages.is_numeric(x):
            mask = keep(pa.array(pages.numbers(x)), float(text))
        else:
            mask = keep(x.cast(pa.string()), text)
        table = table.filter(pc.fill_null(mask, False))
        x = table[table.column_names[1]]
    return table


def thinned(table: pa.Table, most: int) -> pa.Table:
    """At most `most` buckets of neighbouring rows, of each the rows of the lowest and highest value of every line."""
    count = table.num_rows
    if count <= most or most < 1:
        return table
    width = -(-count // most)
    bucket = np.arange(count) // width
    keep = np.zeros(count, bool)
    for name in table.column_names[2:]:
        values = pages.numbers(table[name])
        known = np.flatnonzero(~np.isnan(values))
        if not len(known):
            continue
        order = known[np.lexsort((values[known], bucket[known]))]
        of = bucket[order]
        first = np.r_[True, of[1:] != of[:-1]]
        keep[order[first]] = True
        keep[order[np.r_[first[1:], True]]] = True
    return table.filter(pa.array(keep))


def shift_of(name: str, facts: dict[str, str]) -> int:
    """How much later than the events the times of a curve are, in ns (another time zone of the analysing machine)."""
    return int(facts.get(f"shift_ns.{_TABLE_OF.get(name, '')}", 0))


def x_times(x: pa.ChunkedArray, run: Instance, shift: int) -> pa.Array:
    """Times of x in ns: date texts, ns since 1970, or numbers of batches; null for everything else.

    Texts that stand for whole seconds come several times; such times would pile up, so they are null as well.
    """
    if pa.types.is_string(x.type):
        coded = x.combine_chunks().dictionary_encode()
        stamps = [datetime_ns(v) for v in coded.dictionary.to_pylist()]
        known = np.array([NONE if s is None else s - shift for s in stamps] or [NONE], np.int64)
        found = known[pc.fill_null(coded.indices, 0).to_numpy(zero_copy_only=False)]
        if len(found) > 1 and (found[found != NONE] % 1_000_000_000 == 0).all() and len(np.unique(found)) < len(found):
            found = np.full(len(found), NONE)
        return pa.array(found, pa.int64(), mask=found == NONE)
    values = pages.numbers(x)
    if len(values) and np.nanmin(values) > _EPOCH_NS:
        return x.cast(pa.int64()).combine_chunks()
    starts = np.where(run.step.schedule_start_ns == NONE, run.step.execute_start_ns, run.step.schedule_start_ns)
    whole = ~np.isnan(values) & (values >= 0) & (values < len(starts)) & (values == np.round(values))
    if not len(starts) or not whole.all():
        return pa.nulls(len(values), pa.int64())
    found = starts[values.astype(np.int64)]
    return pa.array(found, pa.int64(), mask=found == NONE)


def is_generated(name: str) -> bool:
    """True for names of curves that slices give."""
    return name.startswith(GENERATED)


def generated_name(capture: Capture, slice_id: int, kind: str) -> str:
    """Name of the curve that the slices of a name on a lane give; kind is duration or bubble."""
    track = int(capture.lane_track[capture.lane_of(slice_id)])
    middle = _BUBBLE if kind == "bubble" else ""
    return f"{GENERATED}{capture.text(int(capture.slice_name[slice_id]))}{middle}_{track}_curve"


def generated_from(capture: Capture, name: str) -> tuple[int, str]:
    """A slice that a generated curve is made of, and its kind; raises BadArgument when the lane has no such slice."""
    found = _GENERATED.fullmatch(name)
    tracks = len(capture.track_lane) - 1
    if found is not None and int(found[2]) < tracks:
        text, track = found[1], int(found[2])
        number = _first_slice(capture, track, text)
        if number is not None:
            return number, "duration"
        number = _first_slice(capture, track, text.removesuffix(_BUBBLE)) if text.endswith(_BUBBLE) else None
        if number is not None:
            return number, "bubble"
    raise BadArgument(
        f"There is no curve {name.removeprefix(GENERATED)!r}.", fix="Generate it again from a slice of the Timeline."
    )


def _first_slice(capture: Capture, track: int, text: str) -> int | None:
    low, high = (int(capture.lane_offset[int(capture.track_lane[t])]) for t in (track, track + 1))
    number = pc.index(capture.strings, pa.scalar(text, capture.strings.type)).as_py()
    if number < 0:
        return None
    rows = np.flatnonzero(capture.slice_name[low:high] == number)
    return low + int(rows[0]) if len(rows) else None


def slice_of_step(run: Instance, at_ns: int) -> int | None:
    """Slice of the step that begins nearest to a time: its execution, else its scheduling; None without steps."""
    s = run.step
    begin = np.where(s.schedule_start_ns == NONE, s.execute_start_ns, s.schedule_start_ns)
    number = np.where(s.execute_id >= 0, s.execute_id, s.schedule_id)
    known = np.flatnonzero((begin != NONE) & (number >= 0))
    if not len(known):
        return None
    return int(number[known[np.argmin(np.abs(begin[known] - at_ns))]])


def generated(capture: Capture, slice_id: int, kind: str, zero_ns: int) -> pa.Table:
    """Durations of the slices of one name on the track of a slice, or the gaps between them."""
    track = int(capture.lane_track[capture.lane_of(slice_id)])
    low, high = (int(capture.lane_offset[int(capture.track_lane[t])]) for t in (track, track + 1))
    rows = low + np.flatnonzero(capture.slice_name[low:high] == capture.slice_name[slice_id])
    rows = rows[np.argsort(capture.slice_start[rows], kind="stable")]
    start, end = capture.slice_start[rows], capture.slice_end[rows]
    if kind == "duration":
        return _generated(start - zero_ns, end - start, rows)
    gap = start[1:] - end[:-1]
    keep = gap > 0
    return _generated(end[:-1][keep] - zero_ns, gap[keep], rows[1:][keep])


def _generated(start: Any, length: Any, rows: Any) -> pa.Table:
    mean = float(length.mean()) if len(length) else 0.0
    return pa.table(
        {
            "startTime": pa.array(start, pa.int64()), "avg_duration": np.full(len(length), mean),
            "duration": pa.array(length, pa.int64()), "slice_id": pa.array(rows, pa.int64()),
        }
    )  # fmt: skip
