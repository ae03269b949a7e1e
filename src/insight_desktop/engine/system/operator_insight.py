"""What the durations of kernels tell: shares, spread, outliers, cost per element, the pipe that bounds an operator."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.system import operator_order
from insight_desktop.engine.system.operator_groups import Groups
from insight_desktop.engine.system.operator_rows import NO_TIME, Ints, Kernels

Floats = npt.NDArray[np.float64]

A_SHARE, B_SHARE = 0.80, 0.95
LEAST_COUNT = 8  # below that a median says too little
MAD_TO_SIGMA = 1.4826
LEAST_FACTOR = 1.5
_PIPE = re.compile(r"^(?:(aic|aiv)_)?(mac|cube|vec|scalar|mte1|mte2|mte3|fixpipe)(?:_exe)?_ratio$", re.IGNORECASE)
_KIND = {
    "mac": "compute", "cube": "compute", "vec": "compute", "scalar": "scalar", "mte1": "memory", "mte2": "memory",
    "mte3": "memory", "fixpipe": "memory",
}  # fmt: skip


def classes(sums: Ints) -> tuple[Floats, Floats, pa.Array]:
    """Share, cumulative share (0–1) and class of sums in falling order.

    A are those needed to reach 80 %, B the next ones needed to reach 95 %, C the rest: the one that crosses a limit belongs
    to the better class, so a single big operator is A.
    """
    total = int(sums.sum())
    if total <= 0:
        return np.zeros(len(sums)), np.zeros(len(sums)), pa.array(["C"] * len(sums), pa.string())
    cumulative = np.cumsum(sums)
    before = (cumulative - sums) / total
    number = (before >= A_SHARE).astype(np.int8) + (before >= B_SHARE)
    return sums / total, cumulative / total, pa.array(["A", "B", "C"]).take(pa.array(number))


def thinned(duration_ns: Ints, limit: int) -> Ints:
    """Positions of at most about `limit` values, in order, that keep the extremes of every stretch."""
    count = len(duration_ns)
    if count <= limit or limit < 2:
        return np.arange(count)
    buckets = max(limit // 2, 1)
    edges = (np.arange(buckets + 1) * count) // buckets
    number = np.repeat(np.arange(buckets), np.diff(edges))
    by_length = operator_order.ascending(duration_ns)
    order = by_length[operator_order.ascending(number[by_length])]
    return np.unique(np.concatenate((order[edges[:-1]], order[edges[1:] - 1])))


def bins(duration_ns: Ints, count: int, logarithmic: bool) -> tuple[Floats, Ints]:
    """Edges in µs (one more than bins) and how many durations are in each bin; the last bin includes its end."""
    if not len(duration_ns):
        return np.zeros(0), np.zeros(0, np.int64)
    values = duration_ns / 1000.0
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.array([low, high]), np.array([len(values)], np.int64)
    if logarithmic and low > 0:
        edges = np.geomspace(low, high, count + 1)
        edges[0], edges[-1] = low, high  # the powers may miss them by a rounding
    else:
        edges = np.linspace(low, high, count + 1)
    return edges, np.histogram(values, edges)[0].astype(np.int64)


@dataclass(frozen=True)
class Outliers:
    """Kernels that took far longer than their group: positions, group numbers, medians and limits in ns."""

    position: Ints
    group: Ints
    median_ns: Floats
    limit_ns: Floats


def outliers(kernels: Kernels, groups: Groups) -> Outliers:
    """Durations above median + 3 · 1.4826 · MAD and at least 1.5 times the median, in groups of 8 or more."""
    name = ("outliers", groups.keys)
    if name not in kernels.made:
        kernels.made[name] = _outliers(kernels, groups)
    found: Outliers = kernels.made[name]
    return found


def _outliers(kernels: Kernels, groups: Groups) -> Outliers:
    number = np.repeat(np.arange(len(groups)), groups.count)
    duration = kernels.duration_ns[groups.members].astype(np.float64)
    median = _medians(duration, groups)
    distance = np.abs(duration - median[number])
    order = np.lexsort((distance, number))  # made once
    spread = _medians(distance[order], groups)
    limit = np.maximum(median + 3 * MAD_TO_SIGMA * spread, LEAST_FACTOR * median)
    far = (
        (groups.count[number] >= LEAST_COUNT)
        & (duration > (median + 3 * MAD_TO_SIGMA * spread)[number])
        & (duration >= LEAST_FACTOR * median[number])
        & (duration > 0)
    )
    at = np.flatnonzero(far)
    at = at[np.argsort(-(duration - median[number])[at], kind="stable")]
    return Outliers(groups.members[at], number[at], median[number[at]], limit[number[at]])


def _medians(by_group: Floats, groups: Groups) -> Floats:
    """Median of each group; values are sorted inside their group."""
    start = groups.offset[:-1]
    low, high = start + (groups.count - 1) // 2, start + groups.count // 2
    return (by_group[low] + by_group[high]) / 2 if len(groups) else np.zeros(0)


def elements(shapes: str) -> int | None:
    """Elements of all tensors of a shape text such as `"32,3,224,224;64"`; None when it tells no sizes."""
    total = 0
    for tensor in shapes.strip().strip('"').split(";"):
        if not tensor.strip():
            continue
        sizes = [part.strip() for part in tensor.strip("[]() ").split(",") if part.strip()]
        if not all(size.isascii() and size.isdigit() for size in sizes):
            return None
        total += math.prod(int(size) for size in sizes)
    return total if 0 < total < 1 << 62 else None


def pipes(kernels: Kernels) -> dict[str, str]:
    """Columns of the ratios of pipes → the pipe, e.g. `aic_mac_ratio` → `mac`."""
    found = {name: _PIPE.match(name) for name in kernels.pmu}
    return {name: match.group(2).lower() for name, match in found.items() if match}


@dataclass(frozen=True)
class PipeShares:
    """Mean busy share (0–1) of each pipe column per group, weighted by duration; NaN where no kernel tells it."""

    columns: tuple[str, ...]
    ratio: dict[str, Floats]
    bound_by: tuple[str | None, ...]
    bound_kind: tuple[str | None, ...]
    bound_ratio: Floats


def pipe_shares(kernels: Kernels, groups: Groups) -> PipeShares:
    """The shares of the pipes for every group, and the busiest one."""
    name = ("pipes", groups.keys)
    if name not in kernels.made:
        kernels.made[name] = _pipe_shares(kernels, groups)
    found: PipeShares = kernels.made[name]
    return found


def _pipe_shares(kernels: Kernels, groups: Groups) -> PipeShares:
    pipe_of = pipes(kernels)
    ratio: dict[str, Floats] = {}
    mine = groups.members
    number = groups.number[mine]
    for name in pipe_of:
        column = kernels.column(name).cast(pa.float64())
        values = np.asarray(pc.fill_null(column, np.nan), np.float64)[mine]
        known = ~np.isnan(values)
        weight = np.where(known, np.maximum(kernels.duration_ns[mine], 1), 0).astype(np.float64)
        total = np.bincount(number, weight, len(groups))
        summed = np.bincount(number, weight * np.where(known, values, 0.0), len(groups))
        with np.errstate(invalid="ignore"):
            ratio[name] = np.where(total > 0, summed / np.where(total > 0, total, 1), np.nan)
    names = tuple(ratio)
    if not names or not len(groups):
        return PipeShares(names, ratio, (None,) * len(groups), (None,) * len(groups), np.full(len(groups), np.nan))
    stacked = np.vstack([np.nan_to_num(ratio[n], nan=-1.0) for n in names])
    best = stacked.argmax(axis=0)
    highest = stacked.max(axis=0)
    bound = tuple(names[b] if h > 0 else None for b, h in zip(best, highest, strict=True))
    kinds = tuple(_KIND[pipe_of[b]] if b is not None else None for b in bound)
    return PipeShares(names, ratio, bound, kinds, np.where(highest > 0, highest, np.nan))


def by_start(kernels: Kernels, positions: Ints) -> Ints:
    """Those of the positions that have a start, in its order; quick when they come nearly so."""
    known = positions[kernels.start_ns[positions] != NO_TIME]
    return known[np.argsort(kernels.start_ns[known], kind="stable")]
