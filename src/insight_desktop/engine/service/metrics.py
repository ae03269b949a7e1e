"""What is measured of requests: latencies, parts of their time, and statistics of them. Arrays, no tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from insight_desktop import schema_service as schema
from insight_desktop.engine.service.model import NONE, Instance
from insight_desktop.errors import BadArgument

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]
Metric = Literal[
    "ttft",
    "tpot",
    "itl",
    "e2e",
    "queue",
    "normalized",
    "prefill",
    "decode",
    "stall",
    "recorded_ttft",
    "recorded_e2e",
    "recorded_queue",
]
METRICS: tuple[Metric, ...] = ("ttft", "tpot", "itl", "e2e", "queue", "normalized", "prefill", "decode", "stall")
RECORDED: tuple[Metric, ...] = ("recorded_ttft", "recorded_e2e", "recorded_queue")
QUANTILES = (0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999)


def done(run: Instance) -> Array:
    """Mask of the requests that statistics are made of: arrived and ended, and arrived inside the window."""
    return (run.request.state == "done") & run.inside(run.request.arrive_ns)


@dataclass
class Latencies:
    """Per request, ns as float64, NaN where not defined."""

    ttft: Array
    e2e: Array
    queue: Array
    tpot: Array
    normalized: Array


def _difference(later: I64, earlier: I64) -> Array:
    known = (later != NONE) & (earlier != NONE)
    # Clocks of several processes may disagree a little: such differences count as none.
    return np.where(known, np.maximum(np.where(known, later, 0) - np.where(known, earlier, 0), 0), np.nan)


def latencies(run: Instance) -> Latencies:
    """Latencies of all requests."""

    def make() -> Latencies:
        r = run.request
        ttft = _difference(r.first_token_ns, r.arrive_ns)
        e2e = _difference(r.done_ns, r.arrive_ns)
        queue = _difference(r.dequeue_ns, r.enqueue_ns)
        several = r.n_out > 1
        tpot = np.where(several, (e2e - ttft) / np.where(several, r.n_out - 1, 1), np.nan)
        given = r.n_out > 0
        return Latencies(ttft, e2e, queue, tpot, np.where(given, e2e / np.where(given, r.n_out, 1), np.nan))

    return _held(run, "latencies", make)


@dataclass
class Gaps:
    """Times between token events of one request: the request, when the later one came, the length in ns, its step."""

    request: Array
    end: I64
    length: I64
    step: Array


def gaps(run: Instance) -> Gaps:
    """All inter-token latencies, in order of request and time."""

    def make() -> Gaps:
        t = run.token
        same = t.request[1:] == t.request[:-1]
        return Gaps(t.request[1:][same], t.ts_ns[1:][same], (t.ts_ns[1:] - t.ts_ns[:-1])[same], t.step[1:][same])

    return _held(run, "gaps", make)


@dataclass
class Parts:
    """Boundaries of the parts of each request's time, in ns; a part that is missing has no length.

    Attributes:
        start, end: by part without `stalled`.
        known: whether the request has the part.
        total: length by part, stalls cut out of prefill and decode, [requests].
        clamped: boundaries of each request that were out of order.
    """

    start: dict[str, I64]
    end: dict[str, I64]
    known: dict[str, Array]
    total: dict[str, I64]
    clamped: Array


_BOUNDS = (
    ("frontend", "enqueue_ns"), ("queue", "dequeue_ns"), ("prefill", "first_token_ns"), ("decode", "last_token_ns"),
    ("tail", "done_ns"),
)  # fmt: skip


def parts(run: Instance) -> Parts:
    """The parts of all requests' time; they add up to the time from arrival to end."""

    def make() -> Parts:
        r = run.request
        cursor = np.where(r.arrive_ns == NONE, r.first_event_ns, r.arrive_ns)
        start, end, known, total = {}, {}, {}, {}
        clamped = np.zeros(len(r), np.int64)
        for part, key in _BOUNDS:
            bound = r.all[key]
            there = (bound != NONE) & (cursor != NONE)
            clamped += there & (bound < cursor)
            start[part] = cursor
            end[part] = np.where(there, np.maximum(bound, cursor), cursor)
            known[part] = there
            total[part] = end[part] - start[part]
            cursor = end[part]
        stalled = np.zeros(len(r), np.int64)
        for part in ("prefill", "decode"):
            length = _overlap(run, start[part], end[part])
            total[part] = total[part] - length
            stalled += length
        total["stalled"] = stalled
        known["stalled"] = stalled > 0
        return Parts(start, end, known, total, clamped)

    return _held(run, "parts", make)


def _overlap(run: Instance, start: I64, end: I64) -> I64:
    """How much of each request's interval it was thrown out of the batch."""
    s = run.stall
    out = np.zeros(len(run.request), np.int64)
    stop = np.where(s.end_ns == NONE, np.maximum(s.start_ns, end[s.request]), s.end_ns)
    length = np.minimum(stop, end[s.request]) - np.maximum(s.start_ns, start[s.request])
    np.add.at(out, s.request, np.maximum(length, 0))
    return out


def samples(run: Instance, metric: str) -> Array:
    """Values of a metric in ns, one per ended request, or per token for itl; unsorted, without undefined ones.

    Raises BadArgument for an unknown metric.
    """
    keep = done(run)
    if metric == "itl":
        found = gaps(run)
        return found.length[keep[found.request]].astype(np.float64)
    values = of_requests(run, metric)[keep]
    return values[~np.isnan(values)]


def of_requests(run: Instance, metric: str) -> Array:
    """Values of a metric per request in ns, NaN where undefined. Raises BadArgument for an unknown metric, or itl."""
    if metric in ("prefill", "decode", "stall"):
        of_parts = parts(run)
        part = "stalled" if metric == "stall" else metric
        return np.where(of_parts.known[part] | (part == "stalled"), of_parts.total[part], np.nan).astype(np.float64)
    if metric in RECORDED:
        told = run.request.all[f"{metric}_ns"]
        return np.where(told == NONE, np.nan, told).astype(np.float64)
    found = vars(latencies(run)).get(metric)
    if found is None:
        raise BadArgument(f"There is no metric {metric!r} of requests.", fix=f"Use one of {', '.join(METRICS)}.")
    return np.asarray(found, np.float64)


def sorted_samples(run: Instance, metric: str) -> Array:
    """As `samples`, in ascending order; kept."""
    return _held(run, f"sorted.{metric}", lambda: np.sort(samples(run, metric)))


def quantile(ordered: Array, q: float) -> float:
    """Linear interpolation at position (n − 1)·q of ascending values; NaN without values."""
    if not len(ordered):
        return float("nan")
    place = (len(ordered) - 1) * q
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (ordered[high] - ordered[low]) * (place - low))


def widest_gaps(run: Instance) -> tuple[Array, Array]:
    """P99 and maximum of every request's inter-token latencies in ns, NaN without any."""

    def make() -> tuple[Array, Array]:
        found = gaps(run)
        count = len(run.request)
        p99, longest = np.full(count, np.nan), np.full(count, np.nan)
        if not len(found.request):
            return p99, longest
        order = np.lexsort((found.length, found.request))
        request, length = found.request[order], found.length[order].astype(np.float64)
        begin = np.flatnonzero(np.r_[True, request[1:] != request[:-1]])
        end = np.r_[begin[1:], len(request)]
        place = (end - begin - 1) * 0.99
        low = place.astype(np.int64)
        high = np.minimum(low + 1, end - begin - 1)
        a, b = length[begin + low], length[begin + high]
        p99[request[begin]] = a + (b - a) * (place - low)
        longest[request[begin]] = length[end - 1]
        return p99, longest

    return _held(run, "widest_gaps", make)


def _held(run: Instance, key: str, make: Callable[[], Any]) -> Any:
    if key not in run.held:
        run.held[key] = make()
    return run.held[key]


@dataclass(frozen=True)
class Mismatch:
    """Recorded and derived value of one figure of all requests, NaN where one is missing."""

    figure: str
    recorded: Array
    derived: Array
    differs: Array
    why: str


_RESOLUTION_NS = {"ttft": 1_000, "e2e": 1_000_000, "queue": 1_000}
_WHY = {
    "ttft": "recorded value spans all events of iteration 0 and single-request token events",
    "e2e": "recorded value spans whole milliseconds from arrival to the last response",
    "queue": "recorded value spans from the first Enqueue to the last Dequeue",
}


def mismatches(run: Instance) -> list[Mismatch]:
    """Recorded beside derived values: they differ when by more than 1 % and more than the resolution of the record."""

    def make() -> list[Mismatch]:
        found = []
        derived = latencies(run)
        only = run.request.flags & schema.RECORDED_ONLY != 0
        for figure in ("ttft", "e2e", "queue"):
            told = run.request.all[f"recorded_{figure}_ns"]
            recorded = np.where(told == NONE, np.nan, told).astype(np.float64)
            ours = getattr(derived, figure)
            apart = np.abs(recorded - ours)
            differs = (apart > 0.01 * ours) & (apart > _RESOLUTION_NS[figure]) & ~only & (run.request.state == "done")
            found.append(Mismatch(figure, recorded, ours, differs, _WHY[figure]))
        return found

    return _held(run, "mismatches", make)
