"""Where the time of one request went: its segments, its batches, and the causes in ms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import metrics
from insight_desktop.engine.service.model import NONE, Instance

_PARTS = ("frontend", "queue", "prefill", "decode", "tail")


def duration_ns(run: Instance) -> int:
    """From the first arrival to the last end of ended requests; the window where there is one."""
    if run.window is not None:
        return run.window[1] - run.window[0]
    keep = metrics.done(run)
    if not keep.any():
        return 0
    return int(run.request.done_ns[keep].max() - run.request.arrive_ns[keep].min())


def segments(run: Instance, number: int) -> list[tuple[str, int, int]]:
    """(part, start, end) of one request in order; parts without a boundary are left out."""
    found = metrics.parts(run)
    stalls = stalls_of(run, number, int(found.end["tail"][number]))
    out: list[tuple[str, int, int]] = []
    for part in _PARTS:
        if not found.known[part][number]:
            continue
        start, end = int(found.start[part][number]), int(found.end[part][number])
        if part not in ("prefill", "decode"):
            out.append((part, start, end))
            continue
        cursor = start
        for a, b in stalls:
            low, high = max(a, cursor), min(b, end)
            if high > low:
                if low > cursor:
                    out.append((part, cursor, low))
                out.append(("stalled", low, high))
                cursor = high
        if end > cursor or cursor == start:
            out.append((part, cursor, end))
    return out


def stalls_of(run: Instance, number: int, until: int) -> list[tuple[int, int]]:
    """(start, end) of a request's preemptions; open ones last until a time."""
    mine = run.stall.take(run.stall.request == number)
    return [
        (int(a), int(b) if b != NONE else max(int(a), until))
        for a, b in zip(mine.start_ns.tolist(), mine.end_ns.tolist(), strict=True)
    ]


def batches_of(run: Instance, number: int) -> pa.Table:
    """The steps that list a request."""
    members = run.step_request.take(run.step_request.request == number)
    rows = members.step - 1
    step = run.step.take(rows)
    known = (step.execute_start_ns != NONE) & (step.execute_end_ns != NONE)
    length = np.where(known, step.execute_end_ns - step.execute_start_ns, NONE)
    kind = np.array(["prefill", "decode", None], object)[np.where(members.kind < 0, 2, members.kind)]

    def some(values: Any, missing: int = -1) -> pa.Array:
        return pa.array(values, pa.int64(), mask=(values == missing) | (values == NONE))

    return pa.table(
        {
            "step": members.step, "iteration": some(members.iteration), "kind": pa.array(kind, pa.string()),
            "tokens": some(members.tokens), "computed": some(members.computed),
            "schedule_start_ns": some(step.schedule_start_ns, NONE), "execute_start_ns": some(step.execute_start_ns, NONE),
            "execute_end_ns": some(step.execute_end_ns, NONE), "execute_ns": some(length, NONE),
            "batch_size": some(step.batch_size), "prefill_tokens": some(step.prefill_tokens),
            "type": pa.array(step.type, pa.string()), "execute_id": some(step.execute_id),
        }
    )  # fmt: skip


def pure_median(run: Instance) -> float:
    """Median inter-token latency of steps without prefill in ns; NaN without any."""
    return float(run.held.setdefault("pure_median", _pure_median(run)))


def _pure_median(run: Instance) -> float:
    mixed = mixed_gaps(run)
    found = metrics.gaps(run)
    keep = metrics.done(run)[found.request] & (mixed == 0)
    return float(np.median(found.length[keep])) if keep.any() else float("nan")


def mixed_gaps(run: Instance) -> Any:
    """Per inter-token latency: 1 its step also does prefill, 0 it does not, -1 its step is not known."""
    found = metrics.gaps(run)
    if not len(run.step):
        return np.full(len(found.step), -1)
    s = run.step
    mixed = np.where(s.prefill_tokens == NONE, np.isin(s.type, ("mixed", "prefill")), s.prefill_tokens > 0)
    return np.where(found.step > 0, mixed[np.maximum(found.step, 1) - 1].astype(int), -1)


def causes(run: Instance, number: int) -> list[dict[str, Any]]:
    """Causes of one request's time in ms; they add up to it."""
    total = {part: int(values[number]) for part, values in metrics.parts(run).total.items()}
    whole = sum(total.values())
    computing, others, tokens = _prefill_split(run, number, total["prefill"])
    excess, mixed = _interference(run, number, total["decode"])
    pull = min(_pulled(run, number), max(0, total["prefill"] + total["decode"] - computing - others - excess))
    rest_prefill = max(0, total["prefill"] - computing - others)
    pull_prefill = min(pull, rest_prefill)
    stalls = run.stall.take(run.stall.request == number)
    ahead, again = _ahead(run, number), int(run.request.recomputed[number])
    rows = (
        ("frontend", total["frontend"], "before it entered the queue"),
        ("queue", total["queue"], f"waited behind {ahead:,} requests" if ahead else "waited for the next batch"),
        ("prefill", computing, f"{tokens:,} tokens of its own" if tokens else "its own"),
        ("prefill_of_others", others, "share of other requests in the batches of its prefill"),
        ("scheduling", rest_prefill - pull_prefill, "between the batches of its prefill"),
        ("kv_transfer", pull, "cache blocks pulled from the prefill node"),
        ("preemption", total["stalled"], f"{len(stalls)} times, {again:,} tokens computed again"),
        ("decode_interference", excess, f"{mixed:,} tokens came from batches with prefill"),
        ("decode", total["decode"] - excess - (pull - pull_prefill), "its own tokens"),
        ("tail", total["tail"], "after the last token"),
    )
    typical = _typical(run)
    return [
        {
            "cause": cause, "ms": ns / 1e6, "share": ns / whole if whole else None, "typical_ms": typical.get(cause),
            "detail": detail if ns else "",
        }
        for cause, ns, detail in rows
    ]  # fmt: skip


def _typical(run: Instance) -> dict[str, float]:
    """Medians of ended requests in ms, for causes that are parts."""
    if "typical" not in run.held:
        keep = metrics.done(run)
        names = {"frontend": "frontend", "queue": "queue", "preemption": "stalled", "tail": "tail"}
        total = metrics.parts(run).total
        run.held["typical"] = {
            cause: float(np.median(total[part][keep])) / 1e6 for cause, part in names.items() if keep.any()
        }
    found: dict[str, float] = run.held["typical"]
    return found


def _prefill_split(run: Instance, number: int, limit: int) -> tuple[int, int, int]:
    """(execution for its own prefill tokens, for those of others, its tokens) within its prefill, ns."""
    members = run.step_request.take(run.step_request.request == number)
    first = int(run.request.first_token_ns[number])
    rows = members.step - 1
    start, end = run.step.execute_start_ns[rows], run.step.execute_end_ns[rows]
    chosen = (start != NONE) & (end != NONE) & (end <= first if first != NONE else True)
    prefill = run.step.prefill_tokens[rows]
    decode = run.step.decode_tokens[rows]
    own = others = tokens = 0
    for i in np.flatnonzero(chosen).tolist():
        length = int(end[i] - start[i])
        counted = prefill[i] != NONE and members.tokens[i] >= 0
        everything = int(prefill[i]) + max(0, int(decode[i])) if counted else 0
        share = int(members.tokens[i]) / everything if everything else 1.0
        own += round(length * share)
        others += length - round(length * share)
        tokens += max(0, int(members.tokens[i]))
    scale = min(1.0, limit / (own + others)) if own + others else 1.0
    return int(own * scale), int(others * scale), tokens


def _interference(run: Instance, number: int, limit: int) -> tuple[int, int]:
    """(time above the usual distance between tokens where batches also did prefill, ns; how many such tokens)."""
    found = metrics.gaps(run)
    low, high = np.searchsorted(found.request, [number, number + 1])
    usual = pure_median(run)
    if low == high or np.isnan(usual):
        return 0, 0
    mixed = mixed_gaps(run)[low:high] == 1
    length, end = found.length[low:high], found.end[low:high]
    until = int(run.request.done_ns[number]) if run.request.done_ns[number] != NONE else int(end.max())
    for a, b in stalls_of(run, number, until):
        length = length - np.maximum(0, np.minimum(end, b) - np.maximum(end - length, a))
    excess = np.maximum(length[mixed] - usual, 0).sum()
    return int(min(excess, limit)), int(mixed.sum())


def _pulled(run: Instance, number: int) -> int:
    mine = run.pull.take(run.pull.request == number)
    return int((mine.end_ns - mine.start_ns).max()) if len(mine) else 0


def _ahead(run: Instance, number: int) -> int:
    """Requests that waited when it entered the queue and left before it."""
    r = run.request
    mine, left = r.enqueue_ns[number], r.dequeue_ns[number]
    if mine == NONE or left == NONE:
        return 0
    known = (r.enqueue_ns != NONE) & (r.dequeue_ns != NONE)
    return int((known & (r.enqueue_ns < mine) & (r.dequeue_ns > mine) & (r.dequeue_ns <= left)).sum())
