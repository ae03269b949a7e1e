"""Named queries of the KV cache: usage over time, its figures, preemptions, hit rate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import metrics
from insight_desktop.engine.service.model import NONE, Instance, opened
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData

_FULL = 0.9


def usage(store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None) -> pa.Table:
    """Samples in order of time: ts_ns, pid, dp, total, used, free (blocks), rate (0 to 1), raw_rate (as recorded),
    change (blocks since the sample before of the same process and dp), estimated (capacity is the highest number of free
    blocks seen)."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    k = run.kv.take(run.inside(run.kv.ts_ns)) if run.window is not None else run.kv
    change = np.zeros(len(k))
    for rows in _lines(k):
        change[rows[1:]] = np.diff(k.used[rows])
    return pa.table(
        {
            "ts_ns": k.ts_ns, "pid": pa.array(k.pid, pa.string()), "dp": pa.array(k.dp, pa.int64(), mask=k.dp == NONE),
            "total": k.total, "used": k.used, "free": k.total - k.used, "rate": k.rate,
            "raw_rate": pa.array(k.raw_rate, from_pandas=True), "change": change, "estimated": pa.array(k.estimated, pa.bool_()),
        }
    )  # fmt: skip


def _lines(k: Any) -> list[Any]:
    """Rows of each process and dp."""
    keys = list(zip(k.pid.tolist(), k.dp.tolist(), strict=True))
    codes = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    code = np.array([codes[key] for key in keys], np.int64)
    return [np.flatnonzero(code == i) for i in range(len(codes))]


def summary(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Figures of the cache, one row: peak (0 to 1), peak_ns, mean (weighted by time, to the end of the last slice), above_90
    (share of the time at 90 % and more), total_blocks, estimated, hit_rate (mean of requests), weighted_hit_rate (by prompt
    tokens), computed_hit_rate (1 − prefill tokens computed ÷ prompt tokens; null after preemptions), preemptions,
    preempted (requests), stall_ns, recomputed_tokens."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    row = figures(run)
    kinds = {
        "peak": pa.float64(), "peak_ns": pa.int64(), "mean": pa.float64(), "above_90": pa.float64(),
        "total_blocks": pa.float64(), "estimated": pa.bool_(), "hit_rate": pa.float64(), "weighted_hit_rate": pa.float64(),
        "computed_hit_rate": pa.float64(), "preemptions": pa.int64(), "preempted": pa.int64(), "stall_ns": pa.int64(),
        "recomputed_tokens": pa.int64(),
    }  # fmt: skip
    return pa.Table.from_pylist([row], pa.schema(list(kinds.items())))


def figures(run: Instance) -> dict[str, Any]:
    """As `summary`, as a dict."""
    k = run.kv.take(run.inside(run.kv.ts_ns)) if run.window is not None else run.kv
    stalls = run.stall.take(run.inside(run.stall.start_ns)) if run.window is not None else run.stall
    length = np.where(stalls.end_ns == NONE, 0, stalls.end_ns - stalls.start_ns)
    row: dict[str, Any] = {
        "preemptions": len(stalls), "preempted": len(np.unique(stalls.request)), "stall_ns": int(length.sum()),
        "recomputed_tokens": int(np.where(stalls.recomputed == NONE, 0, stalls.recomputed).sum()), **_hits(run),
    }  # fmt: skip
    if not len(k):
        return row
    top = int(np.argmax(k.rate))
    end = int(run.facts.get("last_slice_ns", run.last_ns)) if run.window is None else run.window[1]
    share = weight = full = 0.0
    for rows in _lines(k):
        lasts = np.diff(np.r_[k.ts_ns[rows], max(end, int(k.ts_ns[rows[-1]]))]).astype(np.float64)
        share += float((k.rate[rows] * lasts).sum())
        full += float(lasts[k.rate[rows] >= _FULL].sum())
        weight += float(lasts.sum())
    return row | {
        "peak": float(k.rate[top]), "peak_ns": int(k.ts_ns[top]), "mean": share / weight if weight else float(k.rate.mean()),
        "above_90": full / weight if weight else None, "total_blocks": float(k.total.max()),
        "estimated": bool(k.estimated.any()),
    }  # fmt: skip


def _hits(run: Instance) -> dict[str, float | None]:
    r = run.request
    keep = metrics.done(run)
    known = keep & ~np.isnan(r.cache_hit)
    sized = known & (r.n_in != NONE)
    tokens = r.n_in[sized].sum()
    out: dict[str, float | None] = {
        "hit_rate": float(r.cache_hit[known].mean()) if known.any() else None,
        "weighted_hit_rate": float((r.cache_hit[sized] * r.n_in[sized]).sum() / tokens) if tokens else None,
        "computed_hit_rate": None,
    }
    s = run.step
    counted = s.prefill_tokens[s.prefill_tokens != NONE]
    whole = r.n_in[r.n_in != NONE].sum()
    if len(counted) and whole and not len(run.stall) and run.window is None and (r.state == "done").all():
        out["computed_hit_rate"] = float(1 - counted.sum() / whole)
    return out


def preemptions(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Preemptions in order of time: rid, start_ns, end_ns (null when never resumed), stall_ns, recomputed, step (the last
    before)."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    s = run.stall.take(run.inside(run.stall.start_ns)) if run.window is not None else run.stall
    s = s.take(np.argsort(s.start_ns, kind="stable"))
    missing = s.end_ns == NONE
    return pa.table(
        {
            "rid": pa.array(run.request.rid[s.request], pa.string()), "start_ns": s.start_ns,
            "end_ns": pa.array(s.end_ns, mask=missing), "stall_ns": pa.array(np.where(missing, 0, s.end_ns - s.start_ns), mask=missing),
            "recomputed": pa.array(s.recomputed, mask=s.recomputed == NONE), "step": s.step,
        }
    )  # fmt: skip


def hit_rates(store: Store, *, card: str | None = None, bins: int = 20) -> pa.Table:
    """Requests by their share of cached prompt: from, to, count. Raises NoData when no request tells it."""
    run = opened(store, card)
    found = run.request.cache_hit[~np.isnan(run.request.cache_hit)]
    if not len(found):
        raise NoData(
            "No request tells how much of its prompt was cached.", fix="Switch the collection of cache hits on."
        )
    count, edges = np.histogram(np.clip(found, 0, 1), np.linspace(0, 1, bins + 1))
    return pa.table({"from": edges[:-1], "to": edges[1:], "count": count})


def against_waiting(store: Store, *, card: str | None = None, most: int = 3000) -> pa.Table:
    """Usage beside the size of the waiting queue at the same time: ts_ns, rate, waiting."""
    run = opened(store, card)
    waiting = run.queue.take(run.queue.queue == "WAITING")
    place = np.searchsorted(waiting.ts_ns, run.kv.ts_ns, "right") - 1
    rows = np.flatnonzero(place >= 0)
    if len(rows) > most:
        rows = rows[np.linspace(0, len(rows) - 1, most).astype(np.int64)]
    return pa.table({"ts_ns": run.kv.ts_ns[rows], "rate": run.kv.rate[rows], "waiting": waiting.size[place[rows]]})
