"""Named queries of interference: what prefill does to the tokens of requests that decode in the same batch."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import metrics, slow
from insight_desktop.engine.service.model import NONE, opened
from insight_desktop.engine.store import Store


def summary(
    store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """One row: mixed, pure, unknown (inter-token latencies by their step), mixed_p50_ns, pure_p50_ns, ratio (of the medians),
    share (of mixed among known), excess_ns (of all mixed above the median of the pure ones)."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    found, kind = metrics.gaps(run), slow.mixed_gaps(run)
    keep = metrics.done(run)[found.request]
    mixed, pure = (found.length[keep & (kind == k)].astype(np.float64) for k in (1, 0))
    a = float(np.median(mixed)) if len(mixed) else None
    b = float(np.median(pure)) if len(pure) else None
    row = {
        "mixed": len(mixed), "pure": len(pure), "unknown": int((keep & (kind < 0)).sum()), "mixed_p50_ns": a,
        "pure_p50_ns": b, "ratio": a / b if a is not None and b else None,
        "share": len(mixed) / (len(mixed) + len(pure)) if len(mixed) + len(pure) else None,
        "excess_ns": float((mixed - b).sum()) if b is not None else None,
    }  # fmt: skip
    kinds = [(n, pa.int64() if n in ("mixed", "pure", "unknown") else pa.float64()) for n in row]
    return pa.Table.from_pylist([row], pa.schema(kinds))


def distributions(
    store: Store, *, card: str | None = None, bins: int = 60, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Inter-token latencies per bin of equal width up to P99.9: from_ns, to_ns, pure, mixed."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    found, kind = metrics.gaps(run), slow.mixed_gaps(run)
    keep = metrics.done(run)[found.request] & (kind >= 0)
    schema = pa.schema(
        [("from_ns", pa.float64()), ("to_ns", pa.float64()), ("pure", pa.int64()), ("mixed", pa.int64())]
    )
    if not keep.any():
        return schema.empty_table()
    values = found.length[keep]
    high = max(float(np.quantile(values, 0.999)), 1.0)
    edges = np.linspace(min(float(values.min()), high - 1e-9), high, bins + 1)
    counts = [np.histogram(np.clip(values[kind[keep] == k], edges[0], edges[-1]), edges)[0] for k in (0, 1)]
    return pa.table({"from_ns": edges[:-1], "to_ns": edges[1:], "pure": counts[0], "mixed": counts[1]}, schema=schema)


def samples(
    store: Store, *, card: str | None = None, most: int = 5000, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Inter-token latencies over time: ts_ns, itl_ns, mixed (null when the step is not known), rid, step; at most `most`, the
    longest kept."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    found, kind = metrics.gaps(run), slow.mixed_gaps(run)
    rows = np.flatnonzero(metrics.done(run)[found.request])
    if len(rows) > most:
        longest = rows[np.argpartition(found.length[rows], -most // 2)[-most // 2 :]]
        even = rows[np.linspace(0, len(rows) - 1, most // 2).astype(np.int64)]
        rows = np.union1d(longest, even)
    rows = rows[np.argsort(found.end[rows], kind="stable")]
    return pa.table(
        {
            "ts_ns": found.end[rows], "itl_ns": found.length[rows],
            "mixed": pa.array(kind[rows] == 1, mask=kind[rows] < 0),
            "rid": pa.array(run.request.rid[found.request[rows]], pa.string()), "step": found.step[rows],
        }
    )  # fmt: skip


def worst_steps(
    store: Store, *, card: str | None = None, top: int = 50, start_ns: int | None = None, end_ns: int | None = None
) -> pa.Table:
    """Steps by how much they delayed tokens, largest first: step, type, execute_start_ns, execute_ns, batch_size,
    prefill_tokens, delayed (requests), excess_ns (above the median of pure steps), execute_id (slice)."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    found, kind = metrics.gaps(run), slow.mixed_gaps(run)
    usual = slow.pure_median(run)
    keep = metrics.done(run)[found.request] & (kind == 1)
    usual = 0.0 if np.isnan(usual) else usual
    step = found.step[keep]
    excess = np.bincount(step, np.maximum(found.length[keep] - usual, 0), len(run.step) + 1)
    delayed = np.bincount(step, minlength=len(run.step) + 1)
    order = np.argsort(-excess, kind="stable")
    order = order[(order > 0) & (excess[order] > 0)][:top]
    s = run.step.take(order - 1)
    known = (s.execute_start_ns != NONE) & (s.execute_end_ns != NONE)
    return pa.table(
        {
            "step": order, "type": pa.array(s.type, pa.string()), "execute_start_ns": pa.array(s.execute_start_ns, mask=~known),
            "execute_ns": pa.array(np.where(known, s.execute_end_ns - s.execute_start_ns, 0), mask=~known),
            "batch_size": s.batch_size, "prefill_tokens": pa.array(s.prefill_tokens, mask=s.prefill_tokens == NONE),
            "delayed": delayed[order], "excess_ns": excess[order], "execute_id": pa.array(s.execute_id, mask=s.execute_id < 0),
        }
    )  # fmt: skip
