"""A model of a step, fitted to the steps seen, and a replay of the arrivals with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import metrics
from insight_desktop.engine.service.model import NONE, Columns, Instance

LEAST_STEPS = 8
_SIZES = (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256)


@dataclass(frozen=True)
class Model:
    """execution = base + per_prefill_token · prefill tokens + per_decode · decoding requests, ns."""

    base_ns: float
    per_prefill_token_ns: float
    per_decode_ns: float
    r2: float
    steps: int


def fitted(found: Columns) -> Model | None:
    """The model of these steps; None with fewer than LEAST_STEPS that were executed and counted."""
    keep = (found.execute_start_ns != NONE) & (found.execute_end_ns != NONE) & (found.prefill_tokens != NONE)
    if int(keep.sum()) < LEAST_STEPS:
        return None
    y = (found.execute_end_ns - found.execute_start_ns)[keep].astype(np.float64)
    x = np.column_stack([np.ones(len(y)), found.prefill_tokens[keep], found.decode_size[keep]]).astype(np.float64)
    (a, b, c), *_ = np.linalg.lstsq(x, y, rcond=None)
    spread = ((y - y.mean()) ** 2).sum()
    r2 = 1 - ((y - x @ np.array([a, b, c])) ** 2).sum() / spread if spread else 1.0
    return Model(float(a), float(b), float(c), float(r2), len(y))


def sweep(run: Instance, model: Model, limits: dict[str, float | None], most: int) -> pa.Table:
    """Replay the first `most` requests with several max batch sizes."""
    r = run.request
    rows = np.flatnonzero(metrics.done(run) & (r.n_in > 0) & (r.n_out > 0))
    rows = rows[np.argsort(r.arrive_ns[rows], kind="stable")][:most]
    arrive = (r.arrive_ns[rows] - r.arrive_ns[rows[:1]].sum()).astype(np.float64) if len(rows) else np.empty(0)
    sizes, outs = r.n_in[rows].astype(np.int64), r.n_out[rows].astype(np.int64)
    seen = int(run.step.batch_size.max()) if len(run.step) else 1
    budget = max(int(run.step.prefill_tokens.max()) if len(run.step) else 1, 1)
    gap = _gap(run)
    tried = sorted({*(s for s in _SIZES if s <= max(8, seen * 4)), seen})
    found = [
        _row(replay(arrive, sizes, outs, model, size, budget, gap), arrive, outs, limits, size, seen) for size in tried
    ]
    kinds = [("max_batch_size", pa.int64()), *((n, pa.float64()) for n in ("goodput_per_s", "share", "ttft_p90_ns", "tpot_p90_ns", "tokens_per_s")), ("requests", pa.int64()), ("current", pa.bool_())]  # fmt: skip
    return pa.Table.from_pylist(found if len(rows) else [], pa.schema(kinds))


def _gap(run: Instance) -> float:
    """Usual time between two executions in ns."""
    s = run.step
    begin, end = s.execute_start_ns[1:], s.execute_end_ns[:-1]
    known = (begin != NONE) & (end != NONE) & (begin >= end)
    return float(np.median(begin[known] - end[known])) if known.any() else 0.0


def _row(
    result: tuple[Any, Any], arrive: Any, outs: Any, limits: dict[str, float | None], size: int, seen: int
) -> dict[str, Any]:
    first, last = result
    ttft, e2e = first - arrive, last - arrive
    tpot = np.where(outs > 1, (e2e - ttft) / np.maximum(outs - 1, 1), 0.0)
    met = np.ones(len(arrive), bool)
    for name, values in (("ttft", ttft), ("tpot", tpot), ("e2e", e2e)):
        limit = limits.get(name)
        if limit is not None:
            met &= values <= limit * 1e6
    seconds = float(last.max()) / 1e9 if len(last) else 0.0
    return {
        "max_batch_size": size, "goodput_per_s": met.sum() / seconds if seconds else None,
        "share": float(met.mean()) if len(met) else None, "ttft_p90_ns": metrics.quantile(np.sort(ttft), 0.9),
        "tpot_p90_ns": metrics.quantile(np.sort(tpot[outs > 1]), 0.9) if (outs > 1).any() else None,
        "tokens_per_s": outs.sum() / seconds if seconds else None, "requests": len(arrive), "current": size == seen,
    }  # fmt: skip


def replay(
    arrive: Any, prompts: Any, outs: Any, model: Model, max_size: int, budget: int, gap: float
) -> tuple[Any, Any]:
    """(time of the first, of the last token) of each request in ns, for continuous batching with chunked prefill.

    Steps in which nobody comes or ends are taken together, so the work grows with the requests, not with their tokens.
    """
    count = len(arrive)
    first, last = np.zeros(count), np.zeros(count)
    now, coming = 0.0, 0
    prefill: list[list[float]] = []  # [request, tokens left]
    decode: list[list[float]] = []  # [request, tokens left]
    while coming < count or prefill or decode:
        if not prefill and not decode and coming < count:
            now = max(now, float(arrive[coming]))
        while coming < count and arrive[coming] <= now and len(prefill) + len(decode) < max_size:
            prefill.append([coming, float(prompts[coming])])
            coming += 1
        left, done = float(budget), []
        for entry in prefill:
            taken = min(entry[1], left)
            entry[1] -= taken
            left -= taken
            if entry[1] <= 0:
                done.append(entry)
            if left <= 0:
                break
        base = max(0.0, model.base_ns + model.per_decode_ns * len(decode)) + gap
        steps = 1.0
        if left == budget and decode:  # pure decoding: until the next one ends or may come
            steps = min(entry[1] for entry in decode)
            if coming < count and len(decode) < max_size and base > 0:
                steps = max(1.0, min(steps, np.ceil((float(arrive[coming]) - now) / base)))
        now += steps * base + max(0.0, model.per_prefill_token_ns) * (budget - left)
        for entry in decode:
            entry[1] -= steps
            if entry[1] <= 0:
                last[int(entry[0])] = now
        decode = [entry for entry in decode if entry[1] > 0]
        for entry in done:
            prefill.remove(entry)
            i = int(entry[0])
            first[i] = last[i] = now
            if outs[i] > 1:
                decode.append([float(i), float(outs[i] - 1)])
    return first, last
