"""Named queries of the Service Overview: its figures at a glance, and which of its tabs have data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import kv, metrics, requests, scheduler
from insight_desktop.engine.service.model import NONE, Instance, opened
from insight_desktop.engine.service.recorded import views
from insight_desktop.engine.service.slow import duration_ns
from insight_desktop.engine.store import Store

_SHOWN = ("ttft", "tpot", "itl", "e2e", "queue")
_COUNTS = ("done", "running", "no_arrival", "no_token")
_KINDS: dict[str, pa.DataType] = {
    "card": pa.string(), **{name: pa.int64() for name in _COUNTS}, "recorded_only": pa.int64(), "first_ns": pa.int64(),
    "last_ns": pa.int64(), "duration_ns": pa.int64(), "requests_per_s": pa.float64(), "input_tokens": pa.int64(),
    "output_tokens": pa.int64(), "input_tokens_per_s": pa.float64(), "output_tokens_per_s": pa.float64(),
    "total_tokens_per_s": pa.float64(), "peak_output_tokens_per_s": pa.float64(), "peak_concurrency": pa.int64(),
    "mean_concurrency": pa.float64(), **{f"{m}_{p}_ns": pa.float64() for m in _SHOWN for p in ("p50", "p90", "p99")},
    **{f"{m}_mean_ns": pa.float64() for m in _SHOWN}, "kv_peak": pa.float64(), "kv_mean": pa.float64(),
    "kv_above_90": pa.float64(), "kv_estimated": pa.bool_(), "preemptions": pa.int64(), "preempted": pa.int64(),
    "stall_ns": pa.int64(), "recomputed_tokens": pa.int64(), "hit_rate": pa.float64(), "steps": pa.int64(),
    "mean_batch_size": pa.float64(), "busy": pa.float64(), "differs": pa.int64(), "clamped": pa.int64(),
    "cross_host": pa.int64(), "token_source": pa.string(), "generation": pa.string(), "message": pa.string(),
    "fix": pa.string(),
}  # fmt: skip


def kpis(store: Store, *, card: str | None = None, start_ns: int | None = None, end_ns: int | None = None) -> pa.Table:
    """The figures of a run, one row.

    Counts of requests by state (done, running, no_arrival, no_token), times of the run, throughput (per second between the
    first arrival and the last end), concurrency, percentiles of ttft, tpot, itl, e2e and queue, the cache, preemptions,
    steps; differs counts requests whose recorded values differ from the events, clamped those whose boundaries were out of
    order; token_source says which events tokens are read from. message and fix say why there are no statistics.
    """
    run = opened(store, card, start_ns=start_ns, end_ns=end_ns)
    row: dict[str, Any] = {"card": run.card, **_counts(run), **_throughput(run), **_latencies(run)}
    found = kv.figures(run)
    for name, key in (
        ("kv_peak", "peak"),
        ("kv_mean", "mean"),
        ("kv_above_90", "above_90"),
        ("kv_estimated", "estimated"),
    ):
        row[name] = found.get(key)
    row |= {n: found.get(n) for n in ("preemptions", "preempted", "stall_ns", "recomputed_tokens", "hit_rate")}
    steps = scheduler.summary(store, card=card, start_ns=start_ns, end_ns=end_ns).to_pylist()[0]
    row |= {name: steps[name] for name in ("steps", "mean_batch_size", "busy")}
    row |= _quality(run) | _why(run, row)
    return pa.Table.from_pylist([row], pa.schema([*_KINDS.items()]))


def _counts(run: Instance) -> dict[str, int]:
    arrive = np.where(run.request.arrive_ns == NONE, run.request.first_event_ns, run.request.arrive_ns)
    state = run.request.state[run.inside(arrive)] if run.window is not None else run.request.state
    return {name: int((state == name).sum()) for name in _COUNTS}


def _throughput(run: Instance) -> dict[str, Any]:
    r, keep = run.request, metrics.done(run)
    begin, end = run.window or (run.first_ns, run.last_ns)
    length = duration_ns(run)
    n_in, n_out = (int(values[keep & (values != NONE)].sum()) for values in (r.n_in, r.n_out))
    at, level = scheduler.concurrency_of(run)
    inside = run.inside(at) if run.window is not None else np.ones(len(at), bool)
    row = {
        "first_ns": begin, "last_ns": end, "duration_ns": length, "input_tokens": n_in, "output_tokens": n_out,
        "peak_concurrency": int(level[inside].max()) if inside.any() else 0,
    }  # fmt: skip
    if not length:
        return row
    seconds = length / 1e9
    e2e = metrics.latencies(run).e2e[keep]
    return row | {
        "requests_per_s": int(keep.sum()) / seconds, "input_tokens_per_s": n_in / seconds,
        "output_tokens_per_s": n_out / seconds, "total_tokens_per_s": (n_in + n_out) / seconds,
        "peak_output_tokens_per_s": _peak(run), "mean_concurrency": float(np.nansum(e2e)) / length,
    }  # fmt: skip


def _peak(run: Instance) -> float | None:
    """Most tokens that were put out within one of the seconds since the first arrival."""
    t = run.token
    keep = run.inside(t.ts_ns) if run.window is not None else np.ones(len(t), bool)
    if not keep.any():
        return None
    place = (t.ts_ns[keep] - int(t.ts_ns[keep].min())) // 1_000_000_000
    return float(np.bincount(place, t.tokens[keep]).max())


def _latencies(run: Instance) -> dict[str, float]:
    row: dict[str, float] = {}
    for metric in _SHOWN:
        ordered = metrics.sorted_samples(run, metric)
        if len(ordered):
            row |= {
                f"{metric}_{p}_ns": metrics.quantile(ordered, q) for p, q in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99))
            }
            row[f"{metric}_mean_ns"] = float(ordered.mean())
    return row


def _quality(run: Instance) -> dict[str, Any]:
    from insight_desktop import schema_service as schema

    differs = np.zeros(len(run.request), bool)
    for one in metrics.mismatches(run):
        differs |= one.differs
    keep = metrics.done(run)
    flags = run.request.flags
    return {
        "differs": int((differs & keep).sum()), "clamped": int((metrics.parts(run).clamped[keep] > 0).sum()),
        "cross_host": int((flags & schema.CROSS_HOST != 0).sum()),
        "recorded_only": int((flags & schema.RECORDED_ONLY != 0).sum()),
        "token_source": run.facts.get("token_source", ""), "generation": run.facts.get("generation", ""),
    }  # fmt: skip


def _why(run: Instance, row: dict[str, Any]) -> dict[str, str]:
    """Why there are no statistics; empty texts when there are some."""
    if row["done"]:
        return {"message": "", "fix": ""}
    if run.window is not None:
        return {"message": "No request arrived in the chosen time and ended.", "fix": "Choose a wider time."}
    if not len(run.request):
        return {
            "message": "No event of this run names a request.",
            "fix": "Collect with the request events (httpReq, httpRes) switched on.",
        }
    if row["no_arrival"] == len(run.request):
        text = f"All {row['no_arrival']:,} requests began before the collection: none has an httpReq event."
        return {"message": text, "fix": "Start the collection before the load."}
    text = f"None of the {len(run.request):,} requests ended within the collection (no httpRes, DecodeEnd or sendResponse)."
    return {"message": text, "fix": "Stop the collection after the load."}


def tabs(store: Store, *, card: str | None = None) -> pa.Table:
    """Tabs of the page: tab, available, missing (what the run lacks for it)."""
    run = opened(store, card)
    names = set()
    for one in run.cards:
        names |= {view.name for view in views(store, one) if not view.error and view.rows}
    drafts = bool((run.step_request.spec_tokens > 0).any()) if len(run.step_request) else False
    found = (
        ("latency", bool(len(run.request)), "requests"),
        ("scheduler", bool(len(run.step)), "batchFrameworkProcessing, BatchSchedule or modelExec events"),
        ("kv", bool(len(run.kv)), "the table kvcache or a KVCache counter"),
        ("interference", bool(len(metrics.gaps(run).request) and len(run.step)), "token events and steps"),
        ("forward", bool(len(run.forward)), "forward events"),
        ("pd", bool(len(run.pd) or len(run.pull) or names & {"coordinator", "coordinator_info"}), "pd_split_communication, pd_split_kvcache or coordinator"),
        ("spec", drafts or "spec_decode" in names, "num_spec_output_tokens in batches, or spec_decode"),
        ("moe", bool(names & {"ep_balance", "moe_analysis"}), "the tables ep_balance or moe_analysis"),
        ("compare", True, ""),
    )  # fmt: skip
    rows = [{"tab": tab, "available": there, "missing": "" if there else missing} for tab, there, missing in found]
    return pa.Table.from_pylist(
        rows, pa.schema([("tab", pa.string()), ("available", pa.bool_()), ("missing", pa.string())])
    )


def instances(store: Store) -> pa.Table:
    """The open serving runs: card, folder, generation, requests, done, first_ns, last_ns, processes (card count for rates)."""
    rows = []
    for one in store.cards_of("service"):
        run = opened(store, one.name)
        rows.append(
            {
                "card": one.name, "folder": str(one.source_folder or one.folder), "generation": run.facts.get("generation", ""),
                "requests": len(run.request), "done": requests.count_by_state(run)["done"], "first_ns": run.first_ns,
                "last_ns": run.last_ns, "processes": int((run.process.name == "forward").sum()),
            }
        )  # fmt: skip
    kinds = [("card", pa.string()), ("folder", pa.string()), ("generation", pa.string()), *((n, pa.int64()) for n in ("requests", "done", "first_ns", "last_ns", "processes"))]  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema(kinds))


def pareto(store: Store) -> pa.Table:
    """Open runs as points: card, tokens_per_s_per_user (1000 ÷ mean TPOT in ms), tokens_per_s_per_card (output tokens per
    second ÷ forward processes, 1 at least)."""
    rows = []
    for one in store.cards_of("service"):
        run = opened(store, one.name)
        tpot = metrics.samples(run, "tpot")
        rate = _throughput(run).get("output_tokens_per_s")
        cards = max(1, int((run.process.name == "forward").sum()))
        rows.append(
            {
                "card": one.name, "tokens_per_s_per_user": 1e9 / float(tpot.mean()) if len(tpot) and tpot.mean() else None,
                "tokens_per_s_per_card": None if rate is None else rate / cards,
            }
        )  # fmt: skip
    kinds = [("card", pa.string()), ("tokens_per_s_per_user", pa.float64()), ("tokens_per_s_per_card", pa.float64())]
    return pa.Table.from_pylist(rows, pa.schema(kinds))
