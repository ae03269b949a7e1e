"""What the collector recorded about requests, beside what the events tell; facts about the run as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop import schema_service as schema
from insight_desktop.engine.service.fill_events import REQUEST_STATES, Run
from insight_desktop.engine.service.fill_kv import Samples
from insight_desktop.engine.service.fill_lookup import NONE
from insight_desktop.engine.service.fill_requests import Found
from insight_desktop.ingest.formats.service_results import Results, column
from insight_desktop.ingest.formats.service_rids import canonical
from insight_desktop.ingest.formats.service_values import datetime_ns, ms_to_ns, number, rate

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]
_LATENCY_TABLES = ("first_token_latency", "req_latency", "prefill_gen_speed", "decode_gen_speed")
_MOST = 2**31
_MOST_NS = 1e18  # longer than any run: damage
_QUARTER_NS = 15 * 60 * 1_000_000_000


@dataclass
class Shown:
    """Requests of events and of records together; arrays by number of the request."""

    names: list[str]
    arrive: I64
    enqueue: I64
    dequeue: I64
    first_token: I64
    done: I64
    first_event: I64
    last_event: I64
    n_in: I64
    n_out: I64
    cache_hit: Array
    state: Array
    flags: Array
    ttft: I64
    e2e: I64
    queue: I64

    def grow(self, values: I64) -> I64:
        """Times of events, NONE for requests that are only recorded."""
        return np.r_[values, np.full(len(self.names) - len(values), NONE)]


@dataclass
class Recorded:
    """The recorded rows by number of the request; NONE, -1 and NaN where nothing is recorded."""

    names: list[str]
    known: Array
    start: I64
    n_in: I64
    n_out: I64
    ttft: I64
    e2e: I64
    queue: I64
    cache_hit: Array

    def shown(self, found: Found) -> Shown:
        """Requests of the events, filled up from the records where the events say nothing."""
        count, held = len(self.names), len(found.arrive)

        def grow(values: Array, missing: Any) -> Array:
            return np.r_[values, np.full(count - held, missing, values.dtype)]

        arrive, done = grow(found.arrive, NONE), grow(found.done, NONE)
        state, flags = grow(found.state, ""), grow(found.flags, 0)
        first, first_event = grow(found.first_token, NONE), grow(found.first_event, NONE)
        last_event = grow(found.last_event, NONE)
        n_in, n_out = grow(found.n_in, -1), grow(found.n_out, -1)
        only = self.known & (state == "") & (self.start != NONE)
        if not (found.arrive != NONE).any():  # result tables alone: batches name requests, but not when they came
            only |= self.known & (self.start != NONE)
        end = np.where(self.e2e == NONE, NONE, self.start + np.where(self.e2e == NONE, 0, self.e2e))
        arrive = np.where(only, self.start, arrive)
        done = np.where(only, end, done)
        given = np.where(self.ttft == NONE, NONE, self.start + np.where(self.ttft == NONE, 0, self.ttft))
        first = np.where(only & (first == NONE), given, first)
        ended = only & (done != NONE)
        state = np.where(only, np.where(ended, np.where(first == NONE, "no_token", "done"), "running"), state).astype(
            object
        )
        flags = np.where(only, flags | schema.RECORDED_ONLY, flags)
        # Records tell how long a request waited, not when: the wait is put behind its arrival.
        waited = only & (self.queue != NONE)
        enqueue = np.where(waited, arrive, grow(found.enqueue, NONE))
        dequeue = np.where(waited, arrive + np.where(waited, self.queue, 0), grow(found.dequeue, NONE))
        first_event = np.where(first_event == NONE, arrive, first_event)
        earlier = (arrive != NONE) & (arrive < first_event)
        first_event = np.where(earlier, arrive, first_event)
        last_event = np.where(last_event == NONE, np.where(done == NONE, arrive, done), last_event)
        hit = grow(found.cache_hit, np.nan)
        state[state == ""] = "no_arrival"
        return Shown(
            self.names, arrive, enqueue, dequeue, first, done, first_event, last_event, np.where(n_in < 0, self.n_in, n_in),
            np.where(n_out < 0, self.n_out, n_out), np.where(np.isnan(hit), self.cache_hit, hit), state, flags,
            self.ttft, self.e2e, self.queue,
        )  # fmt: skip


def requests_of(results: Results, names: list[str]) -> Recorded:
    """The recorded requests; names that the events do not know come behind the others."""
    table = results.table("request_data", "request")
    rids = [] if table is None else [canonical(str(v)) for v in column(table, "http_rid")]
    codes = {name: i for i, name in enumerate(names)}
    all_names = list(names)
    for rid in rids:
        if rid not in codes:
            codes[rid] = len(all_names)
            all_names.append(rid)
    count = len(all_names)
    out = Recorded(
        all_names, np.zeros(count, bool), np.full(count, NONE), np.full(count, -1), np.full(count, -1), np.full(count, NONE),
        np.full(count, NONE), np.full(count, NONE), np.full(count, np.nan),
    )  # fmt: skip
    if table is None:
        return out
    place = np.array([codes[rid] for rid in rids], np.int64)
    out.known[place] = True
    starts = zip(column(table, "start_datetime"), column(table, "start_time"), strict=True)
    out.start[place] = [_first(datetime_ns(text), ms_to_ns(ms)) for text, ms in starts]
    for values, name in ((out.n_in, "recv_token_size"), (out.n_out, "reply_token_size")):
        values[place] = [-1 if (v := number(x)) is None or abs(v) > _MOST else round(v) for x in column(table, name)]
    out.e2e[place] = [_ms(v, zero_is_unknown=False) for v in column(table, "execution_time")]
    out.ttft[place] = [_ms(v, zero_is_unknown=True) for v in column(table, "first_token_latency")]
    out.queue[place] = [_ms(v, zero_is_unknown=True) for v in column(table, "queue_wait_time")]
    out.cache_hit[place] = [np.nan if (v := rate(x)) is None else v for x in column(table, "cache_hit_rate")]
    return out


def _first(*values: int | None) -> int:
    return next((v for v in values if v is not None), NONE)


def _ms(value: Any, *, zero_is_unknown: bool) -> int:
    found = number(value)
    if found is None or (zero_is_unknown and found == 0):
        return NONE
    ns = found * 1_000_000
    return round(ns) if abs(ns) < _MOST_NS else NONE


def queue_rows(results: Results) -> list[tuple[int, str, str, float]]:
    """Sizes of queues as recorded (time, process, queue, size), whatever shape the table has; in order of time.

    Known are: one row per sample with its status, and one column per state.
    """
    table = results.table("request_status")
    if table is None:
        return []
    heads = table.column_names
    stamps = [
        datetime_ns(v)
        for v in table[next((h for h in ("timestamp", "start_datetime") if h in heads), heads[0])].to_pylist()
    ]
    pids = [str(v or "") for v in column(table, "pid")]
    found = []
    if "status" in heads:
        rows = zip(stamps, pids, column(table, "status"), column(table, "QueueSize="), strict=True)
        found = [(t, pid, str(status or "").upper(), size) for t, pid, status, size in rows]
    else:
        for head in (h for h in heads if h.upper() in REQUEST_STATES):
            found += [
                (t, pid, head.upper(), size) for t, pid, size in zip(stamps, pids, table[head].to_pylist(), strict=True)
            ]
    told = [
        (t, pid, queue, value) for t, pid, queue, size in found if t is not None and (value := number(size)) is not None
    ]
    return sorted(told, key=lambda row: row[0])


def facts(results: Results, run: Run, found: Found, kv: Samples) -> dict[str, str]:
    """Facts about the run: generation, source of the tokens, shifts of time zones."""
    out = {
        "generation": _generation(run),
        "token_source": found.tokens.source,
        "kv_estimated": str(bool(len(kv) and kv.estimated)).lower(),
        "last_slice_ns": str(run.last_slice_ns),
    }
    arrivals = found.arrive[found.arrive != NONE]
    for name in _LATENCY_TABLES:
        table = results.table(name)
        if table is None or not len(arrivals):
            continue
        stamps = [s for v in column(table, "timestamp") if (s := datetime_ns(v)) is not None]
        if stamps:
            shift = round((min(stamps) - int(arrivals.min())) / _QUARTER_NS)
            if shift:
                out[f"shift_ns.{name}"] = str(shift * _QUARTER_NS)
    return out


def _generation(run: Run) -> str:
    """Which collector wrote the run: mindie_old, mindie, vllm_v0, vllm_v1, sglang, or nothing when unclear."""
    groups = run.groups
    if "sendResponse" in groups or "BatchSchedule" in groups:
        domains = {str(d) for name in ("BatchSchedule", "modelExec") if name in groups for d in groups[name].domain[:1]}
        old = "BatchSchedule" in domains or (set(groups) & {"WAITING", "PENDING", "RUNNING"})
        return "mindie_old" if old else "mindie"
    plans = groups.get("batchFrameworkProcessing")
    if plans is None or not len(plans.item_event):
        return ""
    if not np.isnan(plans.items["num_scheduled_tokens"]).all():
        return "vllm_v1"
    return "sglang" if np.isnan(plans.items["iter"]).all() else "vllm_v0"
