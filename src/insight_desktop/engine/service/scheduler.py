"""Named queries of the scheduler: steps, queues, concurrency, throughput, the fitted model of a step, what-if.

A step is one iteration of a scheduler. Times `*_ns` are raw, durations in ns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import metrics, whatif
from insight_desktop.engine.service.model import NONE, Columns, Instance, opened
from insight_desktop.engine.service.slow import duration_ns
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData

LEAST_STEPS = 8  # fewer do not make a fit


def _steps(run: Instance) -> Columns:
    s = run.step
    start = np.where(s.schedule_start_ns == NONE, s.execute_start_ns, s.schedule_start_ns)
    return s.take(run.inside(start)) if run.window is not None else s


def _length(end: Any, start: Any) -> Any:
    known = (end != NONE) & (start != NONE)
    return np.where(known, np.maximum(end - start, 0), NONE)


def _some(values: Any) -> pa.Array:
    return pa.array(values, pa.int64(), mask=values == NONE)


def steps(
    store: Store,
    *,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Steps in order of start: step, pid, dp, type, batch_size, prefill_size, decode_size, prefill_tokens, decode_tokens,
    schedule_start_ns, schedule_ns, execute_start_ns, execute_end_ns, execute_ns, gap_ns (to the next execution of the
    process), kv_used, kv_total, context_tokens, spec_tokens, accepted_tokens, schedule_id, execute_id (slices)."""
    found = _steps(opened(store, card, start_ns=start_ns, end_ns=end_ns))
    gap = _gaps(found)
    rows = slice(offset, None if limit is None else offset + limit)
    table = {
        "step": pa.array(found.step, pa.int64()), "pid": pa.array(found.pid, pa.string()), "dp": _some(found.dp),
        "type": pa.array(found.type, pa.string()), "batch_size": _some(found.batch_size),
        "prefill_size": _some(found.prefill_size), "decode_size": _some(found.decode_size),
        "prefill_tokens": _some(found.prefill_tokens), "decode_tokens": _some(found.decode_tokens),
        "schedule_start_ns": _some(found.schedule_start_ns),
        "schedule_ns": _some(_length(found.schedule_end_ns, found.schedule_start_ns)),
        "execute_start_ns": _some(found.execute_start_ns), "execute_end_ns": _some(found.execute_end_ns),
        "execute_ns": _some(_length(found.execute_end_ns, found.execute_start_ns)), "gap_ns": _some(gap),
        "kv_used": pa.array(found.kv_used, from_pandas=True), "kv_total": pa.array(found.kv_total, from_pandas=True),
        "context_tokens": _some(found.context_tokens), "spec_tokens": _some(found.spec_tokens),
        "accepted_tokens": _some(found.accepted_tokens),
        "schedule_id": pa.array(found.schedule_id, pa.int64(), mask=found.schedule_id < 0),
        "execute_id": pa.array(found.execute_id, pa.int64(), mask=found.execute_id < 0),
    }  # fmt: skip
    return pa.table(table).slice(rows.start, None if rows.stop is None else rows.stop - rows.start)


def _gaps(found: Columns) -> Any:
    """From the end of each execution to the start of the next one of its process; overlaps count as 0."""
    gap = np.full(len(found), NONE)
    for pid in dict.fromkeys(found.pid.tolist()):
        mine = np.flatnonzero((found.pid == pid) & (found.execute_start_ns != NONE))
        mine = mine[np.argsort(found.execute_start_ns[mine], kind="stable")]
        gap[mine[:-1]] = np.maximum(found.execute_start_ns[mine[1:]] - found.execute_end_ns[mine[:-1]], 0)
    return gap


def summary(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Figures of all steps, one row: steps, mean_batch_size, weighted_batch_size (by execution time), mean_execute_ns,
    mean_schedule_ns, mean_gap_ns, busy (share of the time between first and last execution, of all processes),
    prefill_tokens_per_s, decode_tokens_per_s."""
    found = _steps(opened(store, card, start_ns=start_ns, end_ns=end_ns))
    length = _length(found.execute_end_ns, found.execute_start_ns)
    ran = length != NONE
    gap = _gaps(found)
    plan = _length(found.schedule_end_ns, found.schedule_start_ns)
    row = {
        "steps": len(found), "mean_batch_size": _mean(found.batch_size),
        "weighted_batch_size": _weighted(found.batch_size[ran], length[ran]), "mean_execute_ns": _mean(length),
        "mean_schedule_ns": _mean(plan), "mean_gap_ns": _mean(gap), "busy": _busy(found, length),
        "prefill_tokens_per_s": _rate(found.prefill_tokens, length), "decode_tokens_per_s": _rate(found.decode_tokens, length),
    }  # fmt: skip
    kinds = [("steps", pa.int64()), *((name, pa.float64()) for name in list(row)[1:])]
    return pa.Table.from_pylist([row], pa.schema(kinds))


def _mean(values: Any) -> float | None:
    known = values[values != NONE]
    return float(known.mean()) if len(known) else None


def _weighted(values: Any, weights: Any) -> float | None:
    return float((values * weights).sum() / weights.sum()) if weights.sum() else None


def _rate(tokens: Any, length: Any) -> float | None:
    chosen = (tokens != NONE) & (tokens > 0) & (length != NONE)
    time = length[chosen].sum()
    return float(tokens[chosen].sum() / time * 1e9) if time else None


def _busy(found: Columns, length: Any) -> float | None:
    ran = length != NONE
    busy = whole = 0
    for pid in dict.fromkeys(found.pid[ran].tolist()):
        mine = ran & (found.pid == pid)
        busy += int(length[mine].sum())
        whole += int(found.execute_end_ns[mine].max() - found.execute_start_ns[mine].min())
    return busy / whole if whole else None


def fit(store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None) -> pa.Table:
    """Least squares model of a step, one row: base_ns, per_prefill_token_ns, per_decode_ns, r2, steps.

    execution = base + per_prefill_token · prefill tokens + per_decode · decoding requests. Needs 8 steps with token counts;
    raises NoData otherwise.
    """
    row = whatif.fitted(_steps(opened(store, card, start_ns=start_ns, end_ns=end_ns)))
    if row is None:
        raise NoData(
            f"A model of a step needs {LEAST_STEPS} executed steps with token counts; there are fewer.",
            fix="Record a longer run, or use a collector that writes num_scheduled_tokens.",
        )
    return pa.Table.from_pylist([vars(row)])


def queues(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Samples of queue sizes in order of time: ts_ns, queue, size, pid, relative_ns (since the first sample of the process)."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    q = run.queue.take(run.inside(run.queue.ts_ns)) if run.window is not None else run.queue
    first: dict[str, int] = {}
    for pid, ts in zip(q.pid.tolist(), q.ts_ns.tolist(), strict=True):
        first.setdefault(pid, ts)
    relative = q.ts_ns - np.array([first[pid] for pid in q.pid.tolist()] or [], np.int64)
    return pa.table(
        {
            "ts_ns": q.ts_ns, "queue": pa.array(q.queue, pa.string()), "size": q.size, "pid": pa.array(q.pid, pa.string()),
            "relative_ns": relative,
        }
    )  # fmt: skip


def concurrency(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Requests that are under way, one row per change: ts_ns, requests. Departures come before arrivals at one time."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    at, level = concurrency_of(run)
    keep = run.inside(at) if run.window is not None else np.ones(len(at), bool)
    return pa.table({"ts_ns": at[keep], "requests": level[keep]})


def concurrency_of(run: Instance) -> tuple[Any, Any]:
    """(times, requests under way from then on); requests without an end stay, those without an arrival count from their
    first event."""
    r = run.request
    begin = np.where(r.arrive_ns == NONE, r.first_event_ns, r.arrive_ns)
    begin, end = begin[begin != NONE], r.done_ns[(r.done_ns != NONE) & (begin != NONE)]
    stamps = np.concatenate([begin, end])
    change = np.concatenate([np.ones(len(begin), np.int64), -np.ones(len(end), np.int64)])
    order = np.lexsort((change, stamps))
    stamps, level = stamps[order], np.cumsum(change[order])
    last = np.r_[stamps[1:] != stamps[:-1], True] if len(stamps) else np.empty(0, bool)
    return stamps[last], level[last]


def throughput(
    store: Store,
    *,
    card: str | None = None,
    bin_ms: float | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
) -> pa.Table:
    """Figures per bin of time: ts_ns (left edge), output_tokens_per_s, input_tokens_per_s (prompts of arrivals),
    arrivals_per_s, done_per_s. Bins are 1/200 of the run, 100 ms at least, unless bin_ms says otherwise."""
    if bin_ms is not None and bin_ms <= 0:
        raise BadArgument(f"A bin of {bin_ms} ms is not possible.", fix="Use a positive number of ms.")
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    low, high = run.window or (run.first_ns, run.last_ns + 1)
    width = int(bin_ms * 1e6) if bin_ms else max(100_000_000, (high - low) // 200)
    count = max(1, -(-(high - low) // width))
    seconds = width / 1e9
    t, r = run.token, run.request

    def binned(at: Any, weights: Any | None = None) -> Any:
        inside = (at != NONE) & (at >= low) & (at < high)
        place = (at[inside] - low) // width
        return np.bincount(place, None if weights is None else weights[inside], count) / seconds

    prompt = np.where(r.n_in == NONE, 0, r.n_in)
    return pa.table(
        {
            "ts_ns": low + np.arange(count) * width, "output_tokens_per_s": binned(t.ts_ns, t.tokens),
            "input_tokens_per_s": binned(r.arrive_ns, prompt), "arrivals_per_s": binned(r.arrive_ns),
            "done_per_s": binned(r.done_ns),
        }
    )  # fmt: skip


def by_batch_size(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Steps by batch size: batch_size, steps, p50_ns (execution), tokens_per_s (requests ÷ median execution)."""
    found = _steps(opened(store, card, start_ns=start_ns, end_ns=end_ns))
    length = _length(found.execute_end_ns, found.execute_start_ns)
    rows = []
    for size in np.unique(found.batch_size[(length != NONE) & (found.batch_size > 0)]).tolist():
        mine = length[(found.batch_size == size) & (length != NONE)]
        middle = float(np.median(mine))
        rows.append({"batch_size": size, "steps": len(mine), "p50_ns": middle, "tokens_per_s": size / middle * 1e9 if middle else None})  # fmt: skip
    kinds = [
        ("batch_size", pa.int64()),
        ("steps", pa.int64()),
        ("p50_ns", pa.float64()),
        ("tokens_per_s", pa.float64()),
    ]
    return pa.Table.from_pylist(rows, pa.schema(kinds))


def advice(store: Store, *, card: str | None = None) -> pa.Table:
    """Findings about the batch size: finding, detail; empty with fewer than two sizes."""
    sizes = by_batch_size(store, card=card).to_pylist()
    if len(sizes) < 2:
        return pa.table({"finding": pa.array([], pa.string()), "detail": pa.array([], pa.string())})
    best = max(sizes, key=lambda row: row["tokens_per_s"] or 0)
    largest = sizes[-1]
    seen = f"{len(sizes)} sizes from {sizes[0]['batch_size']} to {largest['batch_size']} in {sum(r['steps'] for r in sizes):,} steps"
    rate = f"{best['tokens_per_s']:,.1f} requests per second of execution at size {best['batch_size']} ({best['steps']:,} steps)"
    if best["batch_size"] == largest["batch_size"]:
        text = "Throughput grows up to the largest batch size seen: a larger max batch size may give more."
    else:
        text = f"Throughput is best at batch size {best['batch_size']}; larger batches gave less."
    return pa.table({"finding": [text], "detail": [f"{rate}; {seen}."]})


def what_if(
    store: Store,
    *,
    card: str | None = None,
    ttft_ms: float | None = None,
    tpot_ms: float | None = None,
    e2e_ms: float | None = None,
    most: int = 2000,
) -> pa.Table:
    """Goodput against the max batch size, by replaying the arrivals with the fitted model of a step.

    Columns: max_batch_size, goodput_per_s, share (of requests that meet the limits), ttft_p90_ns, tpot_p90_ns,
    tokens_per_s, requests (replayed; the first `most`), current (the largest size seen).
    """
    run = opened(store, card)
    model = whatif.fitted(run.step)
    if model is None:
        raise NoData("There are too few steps with token counts for a model.", fix="Record a longer run.")
    return whatif.sweep(run, model, {"ttft": ttft_ms, "tpot": tpot_ms, "e2e": e2e_ms}, most)


def seconds(run: Instance) -> float:
    """Duration of the ended requests in s."""
    return duration_ns(run) / 1e9 if metrics.done(run).any() else 0.0
