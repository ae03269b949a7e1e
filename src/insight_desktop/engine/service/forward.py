"""Named queries of the cards' forward passes: bubbles between them, differences between data parallel ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service.model import NONE, Columns, Instance, opened
from insight_desktop.engine.store import Store


def _found(run: Instance) -> Columns:
    f = run.forward
    return f.take(run.inside(f.start_ns)) if run.window is not None else f


def _bubbles(f: Columns) -> Any:
    """From the end of each pass to the start of the next of its process; negative for overlaps, NONE for the last."""
    bubble = np.full(len(f), NONE)
    if len(f) > 1:
        same = f.pid[1:] == f.pid[:-1]
        bubble[:-1][same] = (f.start_ns[1:] - f.end_ns[:-1])[same]
    return bubble


def passes(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Forward passes by process and start: pid, host, dp, iteration, start_ns, end_ns, duration_ns, relative_ns (since the
    first of its host), bubble_ns (to the next of the process; overlaps are 0, the last is null), step, slice_id."""
    f = _found(opened(store, card, start_ns=start_ns, end_ns=end_ns))
    bubble = _bubbles(f)
    first = {host: int(f.start_ns[f.host == host].min()) for host in dict.fromkeys(f.host.tolist())}
    relative = f.start_ns - np.array([first[h] for h in f.host.tolist()] or [], np.int64)
    return pa.table(
        {
            "pid": pa.array(f.pid, pa.string()), "host": pa.array(f.host, pa.string()),
            "dp": pa.array(f.dp, pa.int64(), mask=f.dp == NONE), "iteration": f.iteration, "start_ns": f.start_ns,
            "end_ns": f.end_ns, "duration_ns": np.maximum(f.end_ns - f.start_ns, 0), "relative_ns": relative,
            "bubble_ns": pa.array(np.maximum(bubble, 0), mask=bubble == NONE), "step": pa.array(f.step, mask=f.step <= 0),
            "slice_id": f.slice_id,
        }
    )  # fmt: skip


def bubbles(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """One row per process: pid, host, dp, passes, forward_ns (sum), mean_ns, bubble_ns (sum), max_bubble_ns, bubble_share
    (1 − forward ÷ time from first start to last end), overlaps (passes that begin before the end of the one before)."""
    f = _found(opened(store, card, start_ns=start_ns, end_ns=end_ns))
    bubble = _bubbles(f)
    rows = []
    for pid in dict.fromkeys(f.pid.tolist()):
        mine = f.pid == pid
        length = np.maximum(f.end_ns - f.start_ns, 0)[mine]
        whole = int(f.end_ns[mine].max() - f.start_ns[mine].min())
        gap = bubble[mine & (bubble != NONE)]
        dp = int(f.dp[mine][0])
        rows.append(
            {
                "pid": pid, "host": str(f.host[mine][0]), "dp": None if dp == NONE else dp, "passes": int(mine.sum()),
                "forward_ns": int(length.sum()), "mean_ns": float(length.mean()), "bubble_ns": int(np.maximum(gap, 0).sum()),
                "max_bubble_ns": int(gap.max()) if len(gap) else None,
                "bubble_share": max(0.0, 1 - length.sum() / whole) if whole else None, "overlaps": int((gap < 0).sum()),
            }
        )  # fmt: skip
    kinds = [
        ("pid", pa.string()), ("host", pa.string()), ("dp", pa.int64()), ("passes", pa.int64()), ("forward_ns", pa.int64()),
        ("mean_ns", pa.float64()), ("bubble_ns", pa.int64()), ("max_bubble_ns", pa.int64()), ("bubble_share", pa.float64()),
        ("overlaps", pa.int64()),
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema(kinds))


def imbalance(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """How much the slowest of the processes of a step is above their mean, one row: steps (with several), mean, p99 (both
    ratios), slowest (process that is slowest most often), slowest_dp, slowest_steps."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    ratio, worst = _ratios(_found(run))
    row: dict[str, Any] = {"steps": len(ratio)}
    if len(ratio):
        names, count = np.unique(worst.astype(str), return_counts=True)
        top = str(names[int(np.argmax(count))])
        dp = run.forward.dp[run.forward.pid == top]
        row |= {
            "mean": float(ratio.mean()), "p99": float(np.quantile(ratio, 0.99)), "slowest": top,
            "slowest_dp": None if not len(dp) or dp[0] == NONE else int(dp[0]), "slowest_steps": int(count.max()),
        }  # fmt: skip
    kinds = [
        ("steps", pa.int64()), ("mean", pa.float64()), ("p99", pa.float64()), ("slowest", pa.string()),
        ("slowest_dp", pa.int64()), ("slowest_steps", pa.int64()),
    ]  # fmt: skip
    return pa.Table.from_pylist([row], pa.schema(kinds))


def _ratios(f: Columns) -> tuple[Any, Any]:
    """Per step with passes of several processes: largest ÷ mean of their times, and the process of the largest."""
    known = f.step > 0
    step, length, pid = f.step[known], np.maximum(f.end_ns - f.start_ns, 0)[known], f.pid[known]
    if not len(step):
        return np.empty(0), np.empty(0, object)
    codes = {p: i for i, p in enumerate(dict.fromkeys(pid.tolist()))}
    code = np.array([codes[p] for p in pid.tolist()])
    key, place = np.unique(step.astype(np.int64) * len(codes) + code, return_inverse=True)
    whole = np.bincount(place, length)
    of_step, of_code = key // len(codes), key % len(codes)
    order = np.lexsort((whole, of_step))
    of_step, of_code, whole = of_step[order], of_code[order], whole[order]
    last = np.r_[of_step[1:] != of_step[:-1], True]
    begin = np.flatnonzero(np.r_[True, of_step[1:] != of_step[:-1]])
    count = np.diff(np.r_[begin, len(of_step)])
    mean = np.add.reduceat(whole, begin) / count
    several = (count > 1) & (mean > 0)
    return whole[last][several] / mean[several], np.array(list(codes), object)[of_code[last][several]]
