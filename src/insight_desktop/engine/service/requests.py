"""Named queries of requests: their list, latencies, waterfall, goodput, and why one of them was slow.

Times `*_ns` are raw; durations `*_ns` are lengths. Only requests that arrived and ended (state done) enter statistics;
percentiles interpolate linearly. `start_ns` and `end_ns` limit the statistics to requests that arrive in between.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema_service as schema
from insight_desktop.engine.service import metrics, slow
from insight_desktop.engine.service.metrics import METRICS, QUANTILES, Metric
from insight_desktop.engine.service.model import NONE, Instance, opened
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData

_FLAGS = {
    schema.ARRIVAL_ESTIMATED: "arrival_estimated", schema.CLAMPED: "clamped", schema.CROSS_HOST: "cross_host",
    schema.RECORDED_ONLY: "recorded_only", schema.SIZE_ESTIMATED: "size_estimated",
}  # fmt: skip
_QUANTILE_NAMES = ("p25_ns", "p50_ns", "p75_ns", "p90_ns", "p95_ns", "p99_ns", "p999_ns")


def list(
    store: Store,
    *,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
    rid: str | None = None,
    state: str | None = None,
    ttft_ms: float | None = None,
    tpot_ms: float | None = None,
    e2e_ms: float | None = None,
    itl_ms: float | None = None,
    queue_ms: float | None = None,
    sort: str = "arrive_ns",
    descending: bool = False,
    offset: int = 0,
    limit: int | None = None,
) -> pa.Table:
    """Requests, one row each: times, latencies, sizes, parts, what was recorded.

    Columns: rid, card, arrive_ns, first_token_ns, done_ns, queue_ns, ttft_ns, tpot_ns, e2e_ns, n_in, n_out, preemptions,
    flags (texts), state, normalized_ns, itl_p99_ns, itl_max_ns, stall_ns, recomputed, cache_hit, missed (limits that are
    not met), recorded_ttft_ns, recorded_e2e_ns, recorded_queue_ns, differs (figures whose record differs), one `part_<name>_ns`
    per part of the waterfall, prefill_host, decode_host, start_ns (where the waterfall begins).
    """
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    limits = _limits(ttft_ms, tpot_ms, e2e_ms, itl_ms, queue_ms)
    keep = run.inside(np.where(run.request.arrive_ns == NONE, run.request.first_event_ns, run.request.arrive_ns))
    if run.window is None:
        keep = np.ones(len(run.request), bool)
    if rid:
        needle = rid.casefold()
        keep &= np.array([needle in name.casefold() for name in run.request.rid.tolist()], bool)
    if state:
        keep &= run.request.state == state
    order = _order(run, np.flatnonzero(keep), sort, descending)
    rows = order[offset : None if limit is None else offset + limit]
    return _listed(run, rows, limits)


def _order(run: Instance, rows: Any, sort: str, descending: bool) -> Any:
    values = _sort_values(run, sort)[rows]
    if values.dtype == object:
        place = np.argsort(values.astype(str), kind="stable")
        return rows[place[::-1] if descending else place]
    values = values.astype(np.float64)
    missing = np.isnan(values)
    place = np.lexsort((np.where(missing, 0, -values if descending else values), missing))
    return rows[place]


def _sort_values(run: Instance, name: str) -> Any:
    key = name.removesuffix("_ns")
    if key in ("ttft", "tpot", "e2e", "queue", "normalized", "prefill", "decode", "stall"):
        return metrics.of_requests(run, key)
    if key in ("itl_p99", "itl_max"):
        return metrics.widest_gaps(run)[key == "itl_max"]
    if key.removeprefix("part_") in schema.PARTS:
        return metrics.parts(run).total[key.removeprefix("part_")].astype(np.float64)
    found = run.request.all.get(name)
    if found is None:
        raise BadArgument(f"Requests cannot be sorted by {name!r}.", fix="Use a column of the list, e.g. ttft_ns.")
    if found.dtype == np.int64:
        return np.where(found == NONE, np.nan, found)
    return found


def _listed(run: Instance, rows: Any, limits: dict[str, float]) -> pa.Table:
    r = run.request.take(rows)
    latency = metrics.latencies(run)
    p99, longest = metrics.widest_gaps(run)
    of_parts = metrics.parts(run)
    begin = np.where(r.arrive_ns == NONE, r.first_event_ns, r.arrive_ns)
    flags = r.flags | np.where(of_parts.clamped[rows] > 0, schema.CLAMPED, 0)
    cards = np.array(run.cards, object)[run.request_run[rows]] if len(rows) else np.empty(0, object)
    columns: dict[str, Any] = {
        "rid": pa.array(r.rid, pa.string()), "card": pa.array(cards, pa.string()),
        "arrive_ns": times(r.arrive_ns), "first_token_ns": times(r.first_token_ns), "done_ns": times(r.done_ns),
        "queue_ns": lengths(latency.queue[rows]), "ttft_ns": lengths(latency.ttft[rows]),
        "tpot_ns": shares(latency.tpot[rows]), "e2e_ns": lengths(latency.e2e[rows]),
        "n_in": times(r.n_in), "n_out": times(r.n_out), "preemptions": pa.array(r.preemptions, pa.int32()),
        "flags": pa.array(_texts(flags, _FLAGS), pa.list_(pa.string())), "state": pa.array(r.state, pa.string()),
        "normalized_ns": shares(latency.normalized[rows]), "itl_p99_ns": shares(p99[rows]),
        "itl_max_ns": lengths(longest[rows]), "stall_ns": pa.array(of_parts.total["stalled"][rows], pa.int64()),
        "recomputed": pa.array(r.recomputed, pa.int64()), "cache_hit": shares(r.cache_hit),
        "missed": pa.array(_missed(run, rows, limits), pa.list_(pa.string())),
        "recorded_ttft_ns": times(r.recorded_ttft_ns), "recorded_e2e_ns": times(r.recorded_e2e_ns),
        "recorded_queue_ns": times(r.recorded_queue_ns), "differs": pa.array(_differs(run, rows), pa.list_(pa.string())),
        **{f"part_{part}_ns": pa.array(of_parts.total[part][rows], pa.int64()) for part in schema.PARTS},
        "prefill_host": pa.array(r.prefill_host, pa.string()), "decode_host": pa.array(r.decode_host, pa.string()),
        "start_ns": times(begin),
    }  # fmt: skip
    return pa.table(columns)


def times(values: Any) -> pa.Array:
    """int64 with nulls for unknown."""
    return pa.array(values, pa.int64(), mask=np.asarray(values) == NONE)


def lengths(values: Any) -> pa.Array:
    """int64 ns from floats, null for NaN."""
    missing = np.isnan(values)
    return pa.array(np.where(missing, 0, np.round(values)).astype(np.int64), mask=missing)


def shares(values: Any) -> pa.Array:
    """float64 with null for NaN."""
    return pa.array(np.asarray(values, np.float64), from_pandas=True)


def _texts(bits: Any, names: dict[int, str]) -> Any:
    known: dict[int, Any] = {}
    return [known.setdefault(b, [text for bit, text in names.items() if b & bit]) for b in bits.tolist()]


def _limits(
    ttft_ms: float | None, tpot_ms: float | None, e2e_ms: float | None, itl_ms: float | None, queue_ms: float | None
) -> dict[str, float]:
    """Active limits in ns by metric."""
    given = {"ttft": ttft_ms, "tpot": tpot_ms, "e2e": e2e_ms, "itl": itl_ms, "queue": queue_ms}
    return {name: value * 1e6 for name, value in given.items() if value is not None}


def _over(run: Instance, limits: dict[str, float]) -> dict[str, Any]:
    """Per limit, which requests do not meet it; an undefined TPOT or gap counts as 0."""
    over = {}
    for name, limit in limits.items():
        values = metrics.widest_gaps(run)[1] if name == "itl" else metrics.of_requests(run, name)
        over[name] = np.nan_to_num(values, nan=0.0) > limit
    return over


def _missed(run: Instance, rows: Any, limits: dict[str, float]) -> Any:
    over = _over(run, limits)
    bits = np.zeros(len(rows), np.int64)
    for i, values in enumerate(over.values()):
        bits |= np.where(values[rows] & (run.request.state[rows] == "done"), 1 << i, 0)
    return _texts(bits, {1 << i: name for i, name in enumerate(over)})


def _differs(run: Instance, rows: Any) -> Any:
    bits = np.zeros(len(rows), np.int64)
    found = metrics.mismatches(run)
    for i, one in enumerate(found):
        bits |= np.where(one.differs[rows], 1 << i, 0)
    return _texts(bits, {1 << i: one.figure for i, one in enumerate(found)})


def percentiles(
    store: Store,
    *,
    metric: Metric | None = None,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
) -> pa.Table:
    """Statistics of a metric, or of all: metric, count, mean_ns, std_ns (population), min_ns, p25_ns, p50_ns, p75_ns,
    p90_ns, p95_ns, p99_ns, p999_ns, max_ns; null without samples."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    rows = []
    for name in METRICS if metric is None else (metric,):
        ordered = metrics.sorted_samples(run, name)
        row: dict[str, Any] = {"metric": name, "count": len(ordered)}
        if len(ordered):
            row |= {"mean_ns": float(ordered.mean()), "std_ns": float(ordered.std())}
            row |= {"min_ns": float(ordered[0]), "max_ns": float(ordered[-1])}
            row |= {n: metrics.quantile(ordered, q) for n, q in zip(_QUANTILE_NAMES, QUANTILES, strict=True)}
        rows.append(row)
    kinds = {"metric": pa.string(), "count": pa.int64()}
    figures = ("mean_ns", "std_ns", "min_ns", *_QUANTILE_NAMES, "max_ns")
    return pa.Table.from_pylist(rows, pa.schema([*kinds.items(), *((name, pa.float64()) for name in figures)]))


def cdf(
    store: Store,
    *,
    metric: Metric,
    points: int = 400,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
) -> pa.Table:
    """Share of samples up to a value: value_ns ascending, share from 0 to 1; at most `points` rows, both ends kept."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    ordered = metrics.sorted_samples(run, metric)
    if not len(ordered):
        return pa.table({"value_ns": pa.array([], pa.float64()), "share": pa.array([], pa.float64())})
    place = np.unique(np.linspace(0, len(ordered) - 1, max(2, min(points, len(ordered)))).round().astype(np.int64))
    return pa.table({"value_ns": ordered[place], "share": (place + 1) / len(ordered)})


def histogram(
    store: Store,
    *,
    metric: Metric,
    bins: int = 60,
    log: bool = False,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
) -> pa.Table:
    """Samples per bin of equal width (or equal ratio, with log): from_ns, to_ns, count."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    ordered = metrics.sorted_samples(run, metric)
    kinds = pa.schema([("from_ns", pa.float64()), ("to_ns", pa.float64()), ("count", pa.int64())])
    if not len(ordered):
        return kinds.empty_table()
    low, high = float(ordered[0]), float(ordered[-1])
    if log and high > 0:
        edges = np.geomspace(max(low, 1.0), max(high, max(low, 1.0) * 1.000001), bins + 1)
    else:
        edges = np.linspace(low, high if high > low else low + 1, bins + 1)
    count, _ = np.histogram(np.clip(ordered, edges[0], edges[-1]), edges)
    return pa.table({"from_ns": edges[:-1], "to_ns": edges[1:], "count": count}, schema=kinds)


def nearest(
    store: Store,
    *,
    metric: Metric,
    percentile: float,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
) -> pa.Table:
    """The request whose value is nearest to a percentile (0 to 100): rid, value_ns, percentile_ns, rank (from 1), of.

    For itl it is the request of the nearest gap, and at_ns is the end of that gap.
    """
    if not 0 <= percentile <= 100:
        raise BadArgument(f"A percentile lies between 0 and 100, not at {percentile}.")
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    ordered = metrics.sorted_samples(run, metric)
    if not len(ordered):
        raise NoData(f"No request has a value of {metric}.", fix="Choose another metric or a wider window.")
    wanted = metrics.quantile(ordered, percentile / 100)
    keep = metrics.done(run)
    at = None
    if metric == "itl":
        found = metrics.gaps(run)
        mine = np.flatnonzero(keep[found.request])
        best = mine[int(np.argmin(np.abs(found.length[mine] - wanted)))]
        number, value, at = int(found.request[best]), float(found.length[best]), int(found.end[best])
    else:
        values = np.where(keep, metrics.of_requests(run, metric), np.nan)
        number = int(np.nanargmin(np.abs(values - wanted)))
        value = float(values[number])
    rank = int(np.searchsorted(ordered, value, "left")) + 1
    return pa.table(
        {
            "rid": [str(run.request.rid[number])], "card": [run.cards[int(run.request_run[number])]], "value_ns": [value],
            "percentile_ns": [wanted], "rank": [rank], "of": [len(ordered)], "at_ns": pa.array([at], pa.int64()),
        }
    )  # fmt: skip


def waterfall(store: Store, *, rid: str, card: str | None = None) -> pa.Table:
    """The parts of one request's time in order: part, start_ns, dur_ns, end_ns. They add up to its whole time; prefill and
    decode may come several times, with stalled between."""
    run = opened(store, card)
    rows = slow.segments(run, run.number_of(rid))
    kinds = pa.schema([("part", pa.string()), ("start_ns", pa.int64()), ("dur_ns", pa.int64()), ("end_ns", pa.int64())])
    found = [{"part": part, "start_ns": a, "dur_ns": b - a, "end_ns": b} for part, a, b in rows]
    return pa.Table.from_pylist(found, kinds)


def goodput(
    store: Store,
    *,
    ttft_ms: float | None = None,
    tpot_ms: float | None = None,
    e2e_ms: float | None = None,
    itl_ms: float | None = None,
    queue_ms: float | None = None,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
) -> pa.Table:
    """Ended requests that meet all limits: first row `all`, then one row per limit alone.

    Columns: limit, limit_ms, met, done, share (0 to 1), per_second (met ÷ duration of the run).
    """
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    limits = _limits(ttft_ms, tpot_ms, e2e_ms, itl_ms, queue_ms)
    keep = metrics.done(run)
    over = _over(run, limits)
    seconds = slow.duration_ns(run) / 1e9
    total = int(keep.sum())
    any_over = np.zeros(len(keep), bool)
    for values in over.values():
        any_over |= values
    rows = []
    for name, values in (("all", any_over), *over.items()):
        met = int((keep & ~values).sum())
        rows.append(
            {
                "limit": name, "limit_ms": limits[name] / 1e6 if name in limits else None, "met": met, "done": total,
                "share": met / total if total else None, "per_second": met / seconds if seconds else None,
            }
        )  # fmt: skip
    kinds = [("limit", pa.string()), ("limit_ms", pa.float64()), ("met", pa.int64()), ("done", pa.int64())]
    return pa.Table.from_pylist(rows, pa.schema([*kinds, ("share", pa.float64()), ("per_second", pa.float64())]))


def reasons(store: Store, *, rid: str, card: str | None = None) -> pa.Table:
    """Why a request took as long as it did: cause, ms, share (of its time), typical_ms (median of ended requests where it is
    known), detail. The causes add up to its time."""
    run = opened(store, card)
    rows = slow.causes(run, run.number_of(rid))
    kinds = [("cause", pa.string()), ("ms", pa.float64()), ("share", pa.float64()), ("typical_ms", pa.float64())]
    return pa.Table.from_pylist(rows, pa.schema([*kinds, ("detail", pa.string())]))


def batches(store: Store, *, rid: str, card: str | None = None) -> pa.Table:
    """The steps that list a request: step, iteration, kind (prefill, decode), tokens, computed, schedule_start_ns,
    execute_start_ns, execute_end_ns, execute_ns, batch_size, prefill_tokens, type, execute_id (slice)."""
    run = opened(store, card)
    return slow.batches_of(run, run.number_of(rid))


def tokens(store: Store, *, rid: str, card: str | None = None) -> pa.Table:
    """Token events of a request: seq from 1, ts_ns, gap_ns (to the one before), tokens, step."""
    run = opened(store, card)
    mine = run.token.take(run.token.request == run.number_of(rid))
    gap = np.diff(mine.ts_ns, prepend=mine.ts_ns[:1])
    first = pa.array(gap, mask=np.arange(len(gap)) == 0)
    return pa.table({"seq": np.arange(1, len(gap) + 1), "ts_ns": mine.ts_ns, "gap_ns": first, "tokens": mine.tokens, "step": mine.step})  # fmt: skip


def differences(store: Store, *, card: str | None = None) -> pa.Table:
    """Recorded values that differ from those of the events: rid, figure, recorded_ns, derived_ns, why."""
    run = opened(store, card)
    parts = []
    for one in metrics.mismatches(run):
        rows = np.flatnonzero(one.differs)
        parts.append(
            pa.table(
                {
                    "rid": pa.array(run.request.rid[rows], pa.string()), "figure": pa.repeat(one.figure, len(rows)),
                    "recorded_ns": lengths(one.recorded[rows]), "derived_ns": lengths(one.derived[rows]),
                    "why": pa.repeat(one.why, len(rows)),
                }
            )
        )  # fmt: skip
    return pa.concat_tables(parts)


def scatter(
    store: Store,
    *,
    metric: Metric,
    against: str = "n_in",
    most: int = 5000,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
) -> pa.Table:
    """Points of ended requests: rid, x (n_in or n_out), value_ns; at most `most`, evenly picked, extremes kept."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    if against not in ("n_in", "n_out"):
        raise BadArgument(f"Requests cannot be shown against {against!r}.", fix="Use n_in or n_out.")
    values, x = metrics.of_requests(run, metric), run.request.all[against]
    rows = np.flatnonzero(metrics.done(run) & ~np.isnan(values) & (x != NONE))
    if len(rows) > most:
        order = rows[np.argsort(values[rows], kind="stable")]
        rows = np.sort(order[np.unique(np.linspace(0, len(order) - 1, most).astype(np.int64))])
    return pa.table({"rid": pa.array(run.request.rid[rows], pa.string()), "x": x[rows], "value_ns": values[rows]})


def heat(
    store: Store,
    *,
    metric: Metric = "ttft",
    columns: int = 60,
    rows: int = 24,
    card: str | None = None,
    start_ns: int | None = None,
    end_ns: int | None = None,
) -> pa.Table:
    """How often a latency was met over time: time_ns (left edge), from_ns, to_ns (equal ratios), count; empty cells left out."""
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    keep = metrics.done(run)
    if metric == "itl":
        found = metrics.gaps(run)
        mine = keep[found.request]
        at, values = found.end[mine], found.length[mine].astype(np.float64)
    else:
        values = metrics.of_requests(run, metric)
        mine = keep & ~np.isnan(values)
        at, values = run.request.arrive_ns[mine], values[mine]
    kinds = pa.schema(
        [("time_ns", pa.int64()), ("from_ns", pa.float64()), ("to_ns", pa.float64()), ("count", pa.int64())]
    )
    if not len(values):
        return kinds.empty_table()
    values = np.maximum(values, 1.0)
    times_ = np.linspace(at.min(), max(at.max(), at.min() + 1), columns + 1)
    edges = np.geomspace(values.min(), max(values.max(), values.min() * 1.0001), rows + 1)
    count, _, _ = np.histogram2d(at, np.clip(values, edges[0], edges[-1]), (times_, edges))
    x, y = np.nonzero(count)
    return pa.table(
        {"time_ns": times_[x].astype(np.int64), "from_ns": edges[y], "to_ns": edges[y + 1], "count": count[x, y].astype(np.int64)},
        schema=kinds,
    )  # fmt: skip


def names(store: Store, *, text: str = "", limit: int = 200, card: str | None = None) -> pa.Table:
    """Requests whose name contains a text, in order of arrival: rid, arrive_ns, e2e_ns, state."""
    found = list(store, card=card, rid=text or None, limit=limit)
    return found.select(["rid", "arrive_ns", "e2e_ns", "state"])


def count_by_state(run: Instance) -> dict[str, int]:
    """How many requests are in each state."""
    counted = pc.value_counts(pa.array(run.request.state, pa.string())).to_pylist()
    return {state: next((c["counts"] for c in counted if c["values"] == state), 0) for state in schema.STATES}
