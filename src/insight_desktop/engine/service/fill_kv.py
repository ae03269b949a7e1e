"""Samples of the cache: times from the counter, figures from the recorded table, each from the other where one is missing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.service.fill_events import Run
from insight_desktop.engine.service.fill_lookup import NONE, Timeline
from insight_desktop.engine.service.fill_steps import Steps
from insight_desktop.ingest.formats.service_results import Results, column
from insight_desktop.ingest.formats.service_values import data_parallel, ms_to_ns, number, rate

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]
_COUNTER = re.compile(r"(?:Schedule\.)?KVCache(?:-dp(\d{1,6}))?")


@dataclass
class Samples:
    """Samples in order of time; total and used in blocks, rate NaN when not recorded."""

    time: I64
    pid: list[str]
    dp: Array
    total: Array
    used: Array
    recorded: Array
    estimated: bool

    def __len__(self) -> int:
        return len(self.time)

    def take(self, keep: Array) -> Samples:
        rows = np.flatnonzero(keep).tolist()
        return Samples(
            self.time[keep], [self.pid[i] for i in rows], self.dp[keep], self.total[keep], self.used[keep],
            self.recorded[keep], self.estimated,
        )  # fmt: skip


@dataclass
class _Counter:
    """Samples of free blocks: values and where they come from."""

    time: I64
    value: Array
    pid: list[str]
    dp: Array


def samples(capture: Capture, steps: Steps, results: Results) -> Samples:
    """Samples of a run."""
    counter = _counter(capture, "Device Block")
    table = results.table("kvcache_usage", "kvcache")
    if table is not None and table.num_rows and table.num_rows == len(counter.time):
        found = _recorded(table, counter)
        if found is not None:
            return found
    totals = _counter(capture, "Total Blocks")
    if len(totals.time):
        return _paired(counter, totals)
    batch = results.table("batch_info", "batch")
    if batch is not None:
        found = _of_batches(batch)
        if len(found):
            return found
    free = _counter(capture, "Free Blocks")
    capacity = float(free.value.max()) if len(free.value) else None
    return _counted(counter, steps, capacity)


def _counter(capture: Capture, key: str) -> _Counter:
    time, value, pid, dp = [], [], [], []
    for number_, row in enumerate(capture.series.to_pylist()):
        found = _COUNTER.fullmatch(row["counter"])
        if found is None or row["series"] != key:
            continue
        a, b = int(capture.series_offset[number_]), int(capture.series_offset[number_ + 1])
        time.append(np.array(capture.counter_ts[a:b]))
        value.append(np.array(capture.counter_value[a:b]))
        pid += [row["pid"]] * (b - a)
        dp.append(np.full(b - a, -1 if found[1] is None else int(found[1]), np.int32))
    if not time:
        return _Counter(np.empty(0, np.int64), np.empty(0), [], np.empty(0, np.int32))
    times = np.concatenate(time)
    order = np.argsort(times, kind="stable")
    return _Counter(times[order], np.concatenate(value)[order], [pid[i] for i in order.tolist()], np.concatenate(dp)[order])  # fmt: skip


def _floats(values: list[Any]) -> Array:
    return np.array([np.nan if (v := number(x)) is None else v for x in values], np.float64)


def _recorded(table: Any, counter: _Counter) -> Samples | None:
    """The recorded rows at the times of the counter; None when they hold no figures."""
    rates = np.array([np.nan if (v := rate(x)) is None else v for x in column(table, "kvcache_usage_rate")], np.float64)
    total, free = _floats(column(table, "total_blocks")), _floats(column(table, "free_blocks"))
    used, left = _floats(column(table, "used_blocks")), _floats(column(table, "device_kvcache_left"))
    if (total > 0).any():
        keep = total > 0
        used = np.where(np.isnan(used), total - free, used)
        return Samples(counter.time, counter.pid, counter.dp, total, used, rates, False).take(keep)
    if not np.isnan(left).all():
        freed = np.array([name == "Free" for name in column(table, "name")], bool)
        capacity = np.nanmax(left[freed]) if freed.any() and not np.isnan(left[freed]).all() else np.nanmax(left)
        raw = np.array([np.nan if (v := number(x)) is None else v for x in column(table, "kvcache_usage_rate")])
        whole = Samples(
            counter.time, counter.pid, counter.dp, np.full(len(left), capacity), capacity - left, raw, False
        )
        return whole.take(~np.isnan(left))
    if (free > 0).any():
        capacity = np.nanmax(free)
        nothing = np.full(len(free), np.nan)
        whole = Samples(
            counter.time, counter.pid, counter.dp, np.full(len(free), capacity), capacity - free, nothing, True
        )
        return whole.take(~np.isnan(free))
    return None


def _paired(counter: _Counter, totals: _Counter) -> Samples:
    """Free blocks at the times at which the capacity is told too."""
    row = Timeline(np.zeros(len(counter.time), np.int64), counter.time).first(
        np.zeros(len(totals.time), np.int64), totals.time
    )
    keep = (row >= 0) & (counter.time[np.maximum(row, 0)] == totals.time) & (totals.value > 0)
    used = totals.value - counter.value[np.maximum(row, 0)]
    nothing = np.full(len(used), np.nan)
    return Samples(totals.time, totals.pid, totals.dp, totals.value, used, nothing, False).take(keep)


def _of_batches(table: Any) -> Samples:
    """The figures of scheduled batches, at the end of their scheduling."""
    total, used = _floats(column(table, "total_blocks")), _floats(column(table, "used_blocks"))
    rates = np.array([np.nan if (v := rate(x)) is None else v for x in column(table, "kvcache_usage_rate")], np.float64)
    ends = [ms_to_ns(v) for v in column(table, "end_time")]
    time = np.array([NONE if v is None else v for v in ends], np.int64)
    dp = np.array([-1 if (v := data_parallel(x)) is None else v for x in column(table, "dp_rank")], np.int32)
    pid = [str(v or "").rsplit("-", 1)[-1] for v in column(table, "prof_id")]
    whole = Samples(time, pid, dp, total, used, rates, False)
    found = whole.take((total > 0) & (time != NONE))
    order = np.argsort(found.time, kind="stable")
    return Samples(
        found.time[order], [found.pid[i] for i in order.tolist()], found.dp[order], found.total[order], found.used[order],
        found.recorded[order], False,
    )  # fmt: skip


def _counted(counter: _Counter, steps: Steps, capacity: float | None) -> Samples:
    """Free blocks alone: the capacity is the highest number seen; samples that carry no figure (zeros outside of any
    scheduling) are left out."""
    value = counter.value
    keep = ~np.isnan(value) & (value >= 0)
    planned = steps.schedule_start != NONE
    if len(value) and planned.any() and (value == 0).any():
        plans = Timeline(np.zeros(int(planned.sum()), np.int64), steps.schedule_start[planned])
        row = plans.last(np.zeros(len(value), np.int64), counter.time)
        inside = (row >= 0) & (counter.time <= steps.schedule_end[planned][np.maximum(row, 0)])
        keep &= (value > 0) | inside
    if not (value > 0).any():
        keep[:] = False
    if keep.any() and capacity is None:
        capacity = float(value[keep].max())
    limit = capacity or 0.0
    nothing = np.full(len(value), np.nan)
    return Samples(
        counter.time, counter.pid, counter.dp, np.full(len(value), limit), limit - value, nothing, True
    ).take(keep)


def of_steps(run: Run, steps: Steps, found: Samples) -> tuple[Array, Array]:
    """Capacity and used blocks of every step: the last sample of its process inside the scheduling, else the next, else the last before."""
    nothing = np.full(len(steps), np.nan)
    if not len(found) or not len(steps):
        return nothing, nothing.copy()
    known = {pid: i for i, pid in enumerate(run.lanes.pids)}
    process = np.array([known.get(pid, -1) for pid in found.pid])
    group = process if np.isin(process, steps.process).any() else np.zeros(len(process), np.int64)
    mine = steps.process if group is process else np.zeros(len(steps), np.int64)
    timeline = Timeline(np.maximum(group, 0), found.time)
    end = np.where(steps.schedule_end == NONE, steps.start, steps.schedule_end)
    inside = timeline.last(mine, end)
    inside = np.where((inside >= 0) & (found.time[np.maximum(inside, 0)] >= steps.start), inside, -1)
    later = timeline.first(mine, end)
    row = np.where(inside >= 0, inside, np.where(later >= 0, later, timeline.last(mine, end)))
    safe = np.maximum(row, 0)
    return np.where(row >= 0, found.total[safe], np.nan), np.where(row >= 0, found.used[safe], np.nan)
