"""Fills a capture of a serving run with its canonical tables (`schema_service`) and its recorded results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop import schema_service as schema
from insight_desktop.engine.capture import Capture, write_ipc
from insight_desktop.engine.service import fill_kv, fill_pd, fill_recorded
from insight_desktop.engine.service.fill_events import QUEUES, Run, read_run
from insight_desktop.engine.service.fill_kv import Samples
from insight_desktop.engine.service.fill_lookup import NONE
from insight_desktop.engine.service.fill_requests import Found, queue_names, requests
from insight_desktop.engine.service.fill_steps import Forwards, Steps, forwards, steps
from insight_desktop.ingest.formats.service_results import Results, results_of_csv, results_of_db
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

Array = npt.NDArray[Any]


def fill(folder: Path, source: Source, report: Report) -> None:
    """Write the tables of `schema_service` and the recorded views into a capture."""
    capture = Capture(folder)
    results = _results(source, report)
    _write_results(folder, results)
    run = read_run(capture, report)
    if run.bad_details:
        report.issue(
            "service.bad_details", "warning", source.files[0].name,
            "Details of events that are no JSON were left out; the events are kept.", count=run.bad_details,
        )  # fmt: skip
    report.checkpoint(0, 1, "requests")
    found_steps = steps(run)
    found = requests(run, found_steps)
    kv = fill_kv.samples(capture, found_steps, results)
    rids = run.requests.names
    recorded = fill_recorded.requests_of(results, rids)
    _write_requests(folder, run, found, recorded)
    _write_steps(folder, run, found_steps, kv)
    _write_kv(folder, kv)
    _write_queues(folder, run, results)
    _write_forwards(folder, run, forwards(run, found_steps))
    fill_pd.write(folder, run, results, source, report)
    facts = fill_recorded.facts(results, run, found, kv)
    write(folder, "service_fact", name=list(facts), value=list(facts.values()))
    report.add("table.service_request", len(recorded.names))
    report.add("table.service_step", len(found_steps))


def write(folder: Path, table: str, **columns: Any) -> None:
    """Write a table in its declared types."""
    declared = schema.TABLES[table].schema
    arrays = [
        c.cast(f.type) if isinstance(c := columns[f.name], pa.Array) else pa.array(c, type=f.type) for f in declared
    ]
    pq.write_table(pa.table(arrays, schema=declared), folder / f"{table}.parquet", compression="zstd")


def times(values: Array) -> pa.Array:
    """Times with nulls for NONE."""
    return pa.array(values, pa.int64(), mask=np.asarray(values) == NONE)


def sizes(values: Array, kind: pa.DataType | None = None) -> pa.Array:
    """Numbers with nulls for negative ones."""
    return pa.array(values, kind or pa.int64(), mask=np.asarray(values) < 0)


def shares(values: Array) -> pa.Array:
    """Numbers with nulls for NaN."""
    return pa.array(values, pa.float64(), from_pandas=True)


def _results(source: Source, report: Report) -> Results:
    path = source.extra("service_db")
    found = Results([])
    if source.format == "service_db":
        for file in source.files:
            found.add(results_of_db(file, report))
    elif path is not None:
        found.add(results_of_db(path, report))
    csv = [p for role, p in source.extras if role == "service_csv"]
    csv += list(source.files) if source.format == "service_csv" else []
    found.add(results_of_csv(csv, report))
    return found


def _write_results(folder: Path, results: Results) -> None:
    for number, view in enumerate(results.views):
        if view.table is not None:
            write_ipc(folder, f"service_view_{number}", view.table)
    views = results.views
    write(
        folder, "service_view", number=list(range(len(views))), name=[v.name for v in views], kind=[v.kind for v in views],
        rows=[v.table.num_rows if v.table is not None else 0 for v in views], columns=[v.columns for v in views],
        error=[v.error for v in views], description_en=[v.en for v in views], description_zh=[v.zh for v in views],
    )  # fmt: skip


def _write_requests(folder: Path, run: Run, found: Found, recorded: fill_recorded.Recorded) -> None:
    """Requests of the events, then those that are only recorded; running numbers are their codes."""
    shown = recorded.shown(found)
    stalls, tokens = found.stalls, found.tokens
    count = len(shown.names)
    whole = stalls.end != NONE
    length = np.where(whole, stalls.end - stalls.start, 0)
    again = np.where(stalls.recomputed >= 0, stalls.recomputed, 0)
    number = np.arange(count)
    hosts = fill_pd.hosts_of_requests(run, count)
    write(
        folder, "service_request", request=number, rid=shown.names, arrive_ns=times(shown.arrive),
        enqueue_ns=times(shown.enqueue), dequeue_ns=times(shown.dequeue),
        scheduled_ns=times(shown.grow(found.scheduled)), first_token_ns=times(shown.first_token),
        last_token_ns=times(shown.grow(found.last_token)), done_ns=times(shown.done),
        first_event_ns=times(shown.first_event), last_event_ns=times(shown.last_event), n_in=sizes(shown.n_in),
        n_out=sizes(shown.n_out), cache_hit=shares(shown.cache_hit),
        preemptions=np.bincount(stalls.request, minlength=count), stall_ns=_sums(stalls.request, length, count),
        recomputed=_sums(stalls.request, again, count), state=list(shown.state),
        flags=shown.flags | np.where(hosts.several, schema.CROSS_HOST, 0), recorded_ttft_ns=times(shown.ttft),
        recorded_e2e_ns=times(shown.e2e), recorded_queue_ns=times(shown.queue), prefill_host=hosts.prefill,
        decode_host=hosts.decode,
    )  # fmt: skip
    write(folder, "service_token", request=tokens.request, ts_ns=tokens.time, tokens=tokens.count, step=tokens.step)
    write(
        folder, "service_stall", request=stalls.request, start_ns=stalls.start, end_ns=times(stalls.end),
        recomputed=sizes(stalls.recomputed), step=stalls.step,
    )  # fmt: skip


def _sums(group: Array, values: Array, count: int) -> Array:
    out = np.zeros(count, np.int64)
    np.add.at(out, group, values)
    return out


def _write_steps(folder: Path, run: Run, found: Steps, kv: Samples) -> None:
    count = len(found)
    prefill = found.is_prefill()
    member, scheduled = found.member_step, found.members["num_scheduled_tokens"]
    sums = {}
    for name, chosen in (("prefill", prefill == 1), ("decode", prefill == 0)):
        sums[f"{name}_size"] = np.bincount(member[chosen], minlength=count)
        sums[f"{name}_tokens"] = np.bincount(member[chosen], np.nan_to_num(scheduled[chosen]), count)
    counted = np.zeros(count, bool)
    counted[member[~np.isnan(scheduled)]] = True
    kinds = found.kind.copy()
    unknown = kinds == ""
    both = (sums["prefill_size"] > 0) & (sums["decode_size"] > 0)
    guess = np.where(both, "mixed", np.where(sums["prefill_size"] > 0, "prefill", np.where(sums["decode_size"] > 0, "decode", "other")))  # fmt: skip
    kinds[unknown] = guess[unknown]
    roles = np.array(fill_pd.roles_of(run) or ["mixed"], object)[found.process]
    kinds = np.where(roles == "mixed", kinds, roles)  # nodes that only decode record other types at times
    total, used = fill_kv.of_steps(run, found, kv)

    def counts(key: str) -> pa.Array:
        values = found.members[key]
        known = np.zeros(count, bool)
        known[member[~np.isnan(values)]] = True
        return pa.array(np.bincount(member, np.nan_to_num(values), count), pa.float64(), mask=~known).cast(pa.int64())

    tokens = {
        k: pa.array(v, pa.float64(), mask=~counted).cast(pa.int64()) for k, v in sums.items() if k.endswith("tokens")
    }
    write(
        folder, "service_step", step=np.arange(1, count + 1), pid=[run.lanes.pids[p] for p in found.process.tolist()],
        dp=sizes(found.dp, pa.int32()), schedule_start_ns=times(found.schedule_start),
        schedule_end_ns=times(found.schedule_end), execute_start_ns=times(found.execute_start),
        execute_end_ns=times(found.execute_end), batch_size=found.size(), prefill_size=sums["prefill_size"],
        decode_size=sums["decode_size"], **tokens, context_tokens=counts("num_computed_tokens"), type=list(kinds),
        kv_total=shares(total), kv_used=shares(used), spec_tokens=counts("num_spec_output_tokens"),
        accepted_tokens=counts("num_spec_accepted_tokens"), schedule_id=found.schedule_id, execute_id=found.execute_id,
    )  # fmt: skip
    order = np.lexsort((member, found.member_request))
    whole = {k: np.nan_to_num(found.members[k][order], nan=-1).astype(np.int64) for k in found.members}
    write(
        folder, "service_step_request", request=found.member_request[order], step=member[order] + 1,
        iteration=whole["iter"], kind=np.where(prefill[order] < 0, -1, 1 - prefill[order]),
        tokens=whole["num_scheduled_tokens"], computed=whole["num_computed_tokens"],
        spec_tokens=whole["num_spec_output_tokens"], accepted_tokens=whole["num_spec_accepted_tokens"],
    )  # fmt: skip


def _write_kv(folder: Path, kv: Samples) -> None:
    share = np.divide(kv.used, kv.total, out=np.zeros(len(kv)), where=kv.total > 0)
    write(
        folder, "service_kv", ts_ns=kv.time, pid=kv.pid, dp=sizes(kv.dp, pa.int32()), total=kv.total, used=kv.used,
        rate=np.clip(share, 0, 1), raw_rate=shares(kv.recorded), estimated=[kv.estimated] * len(kv),
    )  # fmt: skip


def _write_queues(folder: Path, run: Run, results: Results) -> None:
    events = run.events(*QUEUES)
    size = events.numbers["QueueSize="]
    keep = ~np.isnan(size)
    names = queue_names(events)[keep]
    if not keep.any():
        rows = fill_recorded.queue_rows(results)
        write(
            folder, "service_queue", ts_ns=[r[0] for r in rows], pid=[r[1] for r in rows], queue=[r[2] for r in rows],
            size=[r[3] for r in rows],
        )  # fmt: skip
        return
    write(
        folder, "service_queue", ts_ns=events.start[keep], pid=[run.lanes.pids[p] for p in events.process[keep].tolist()],
        queue=list(names), size=size[keep],
    )  # fmt: skip


def _write_forwards(folder: Path, run: Run, found: Forwards) -> None:
    lanes = run.lanes
    processes = found.process.tolist()
    write(
        folder, "service_forward", pid=[lanes.pids[p] for p in processes], host=[lanes.hosts[p] for p in processes],
        dp=sizes(found.dp, pa.int32()), start_ns=found.start, end_ns=found.end, iteration=found.iteration, step=found.step,
        slice_id=found.id,
    )  # fmt: skip
