"""Curves that the events of a run give: the first column is the time in ns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import metrics
from insight_desktop.engine.service.model import NONE, Instance
from insight_desktop.engine.service.scheduler import concurrency_of
from insight_desktop.engine.service.speed import decode_of, prefill_of

TITLES = {
    "Queues": ("Requests in every queue, last known size", "各队列中的请求数（沿用最近一次的值）"),
    "Concurrency": ("Requests under way", "处理中的请求数"),
    "Batch size": ("Requests per step: prefill and decode", "每步的请求数：Prefill 与 Decode"),
    "Batch tokens": ("Scheduled tokens per step: prefill and decode", "每步调度的 token 数：Prefill 与 Decode"),
    "Step latency": ("Scheduling and execution of every step, ms", "每步的调度与执行时间（ms）"),
    "KV usage": ("Used share of the cache, %", "KV 缓存使用率（%）"),
    "Time to first token": ("TTFT of requests by arrival, ms", "按到达时间的 TTFT（ms）"),
    "Inter-token latency": ("Time between tokens, ms", "token 间隔（ms）"),
    "Prefill speed": ("Requests of a batch per second of prefill", "Prefill 批次每秒请求数"),
    "Decode speed": ("Requests of a batch per second of decode", "Decode 批次每秒请求数"),
}
_MAX_ITL = 200_000


def curve(run: Instance, name: str) -> pa.Table:
    """A derived curve; no rows when the run lacks what it takes."""
    return _MADE[name](run)


def _queues(run: Instance) -> pa.Table:
    q = run.queue
    names = list(dict.fromkeys(q.queue.tolist()))
    columns: dict[str, Any] = {"time": pa.array(q.ts_ns, pa.int64())}
    for name in names:
        mine = q.queue == name
        last = np.maximum.accumulate(np.where(mine, np.arange(len(q)), -1))
        columns[str(name).lower() or "queue"] = pa.array(q.size[np.maximum(last, 0)], mask=last < 0)
    return pa.table(columns)


def _concurrency(run: Instance) -> pa.Table:
    at, level = concurrency_of(run)
    return pa.table({"time": at, "requests": level})


def _start(run: Instance) -> Any:
    return np.where(run.step.schedule_start_ns == NONE, run.step.execute_start_ns, run.step.schedule_start_ns)


def _some(values: Any) -> pa.Array:
    return pa.array(values, pa.int64(), mask=values == NONE)


def _batch_size(run: Instance) -> pa.Table:
    s = run.step
    return pa.table({"time": _start(run), "total": s.batch_size, "prefill": s.prefill_size, "decode": s.decode_size})


def _batch_tokens(run: Instance) -> pa.Table:
    s = run.step
    known = (s.prefill_tokens != NONE) & (s.decode_tokens != NONE)
    if not known.any():
        return pa.table({"time": pa.array([], pa.int64()), "total": pa.array([], pa.int64())})
    total = np.where(known, s.prefill_tokens + s.decode_tokens, NONE)
    return pa.table({"time": _start(run), "total": _some(total), "prefill": _some(s.prefill_tokens), "decode": _some(s.decode_tokens)})  # fmt: skip


def _latency(run: Instance) -> pa.Table:
    s = run.step

    def ms(end: Any, start: Any) -> pa.Array:
        known = (end != NONE) & (start != NONE)
        return pa.array(np.where(known, end - start, 0) / 1e6, mask=~known)

    return pa.table(
        {
            "time": _start(run), "scheduling (ms)": ms(s.schedule_end_ns, s.schedule_start_ns),
            "execution (ms)": ms(s.execute_end_ns, s.execute_start_ns),
        }
    )  # fmt: skip


def _kv(run: Instance) -> pa.Table:
    k = run.kv
    ranks = [d for d in dict.fromkeys(k.dp.tolist()) if d != NONE]
    if len(ranks) < 2:
        return pa.table({"time": k.ts_ns, "usage (%)": k.rate * 100})
    columns: dict[str, Any] = {"time": k.ts_ns}
    for rank in ranks:
        columns[f"dp{rank} (%)"] = pa.array(k.rate * 100, mask=k.dp != rank)
    return pa.table(columns)


def _ttft(run: Instance) -> pa.Table:
    keep = np.flatnonzero(metrics.done(run))
    keep = keep[np.argsort(run.request.arrive_ns[keep], kind="stable")]
    values = metrics.latencies(run).ttft[keep] / 1e6
    return pa.table({"time": run.request.arrive_ns[keep], "TTFT (ms)": pa.array(values, from_pandas=True)})


def _itl(run: Instance) -> pa.Table:
    found = metrics.gaps(run)
    rows = np.argsort(found.end, kind="stable")
    if len(rows) > _MAX_ITL:
        rows = rows[np.linspace(0, len(rows) - 1, _MAX_ITL).astype(np.int64)]
    return pa.table({"time": found.end[rows], "ITL (ms)": found.length[rows] / 1e6})


def _speed(found: tuple[Any, Any, Any, Any]) -> pa.Table:
    _, end, size, length = found
    keep = length > 0
    rows = np.argsort(end[keep], kind="stable")
    return pa.table({"time": end[keep][rows], "requests per s": (size[keep] / length[keep] * 1e9)[rows]})


def _prefill(run: Instance) -> pa.Table:
    return _speed(prefill_of(run))


def _decode(run: Instance) -> pa.Table:
    return _speed(decode_of(run))


_MADE = {
    "Queues": _queues, "Concurrency": _concurrency, "Batch size": _batch_size, "Batch tokens": _batch_tokens,
    "Step latency": _latency, "KV usage": _kv, "Time to first token": _ttft, "Inter-token latency": _itl, "Prefill speed": _prefill,
    "Decode speed": _decode,
}  # fmt: skip
