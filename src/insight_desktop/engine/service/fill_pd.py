"""Prefill and decode on different nodes: roles of processes, stages of requests, transfers of the cache."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.service.fill_events import SCHEDULING, Events, Run
from insight_desktop.engine.service.fill_lookup import NONE, earliest
from insight_desktop.ingest.formats.service_results import Results, column
from insight_desktop.ingest.formats.service_rids import canonical
from insight_desktop.ingest.formats.service_values import datetime_ns, number
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

Array = npt.NDArray[Any]
_RANK = re.compile(r"rank_(\d+)")
_STAGES = {
    "receive_ns": ("receiveReq", "http_req_time"),
    "send_ns": ("sendReqToD", "send_request_time"),
    "sent_ns": ("sendReqToDSucc", "send_request_succ_time"),
    "prefill_ns": ("prefillRes", "prefill_res_time"),
    "decode_ns": ("decodeRes", "request_end_time"),
}


@dataclass
class Hosts:
    """Hosts of every request; None where all is done on one."""

    several: Array
    prefill: list[str | None]
    decode: list[str | None]


def hosts_of_requests(run: Run, count: int) -> Hosts:
    """Which hosts scheduled every request: the first did its prefill, the last its decode."""
    several = np.zeros(count, bool)
    prefill: list[str | None] = [None] * count
    decode: list[str | None] = [None] * count
    if len(set(run.lanes.hosts)) < 2:
        return Hosts(several, prefill, decode)
    plans = run.events(*SCHEDULING)
    host = np.array(run.lanes.hosts, object)[plans.process[plans.item_event]]
    order = np.lexsort((plans.item_start, plans.item_request))
    for request, name in zip(plans.item_request[order].tolist(), host[order].tolist(), strict=True):
        prefill[request] = prefill[request] or name
        decode[request] = name
    for request in range(count):
        several[request] = prefill[request] != decode[request]
        if not several[request]:
            prefill[request] = decode[request] = None
    return Hosts(several, prefill, decode)


def write(folder: Path, run: Run, results: Results, source: Source, report: Report) -> None:
    """Write service_pd, service_pull and service_process."""
    from insight_desktop.engine.service.fill_service import times
    from insight_desktop.engine.service.fill_service import write as write_table

    names = {name: i for i, name in enumerate(run.requests.names)}
    stages = _stages(run, results, names)
    shown = np.flatnonzero(np.any([values != NONE for values in stages.values()], axis=0))
    write_table(folder, "service_pd", request=shown, **{key: times(values[shown]) for key, values in stages.items()})
    pulls = _pulls(run, results, names)
    keys = ("request", "rank", "start_ns", "end_ns", "blocks")
    write_table(folder, "service_pull", **{key: [row[i] for row in pulls] for i, key in enumerate(keys)})
    _write_processes(folder, run, results, source, report)


def _stages(run: Run, results: Results, names: dict[str, int]) -> dict[str, Array]:
    count = len(names)
    sent = run.events("sendReqToD", "prefillRes", "decodeRes")
    out = {}
    for key, (event, _) in _STAGES.items():
        events = run.events(event)
        known = earliest(events.item_request, events.item_start, count)
        out[key] = known if len(sent) else np.full(count, NONE)
    table = results.table("pd_communication_info", "pd_split_communication")
    if table is not None:
        place = [names.get(canonical(str(rid))) for rid in column(table, "rid")]
        for key, (_, head) in _STAGES.items():
            for row, value in zip(place, column(table, head), strict=True):
                stamp = datetime_ns(value)
                if row is not None and stamp is not None and out[key][row] == NONE:
                    out[key][row] = stamp
    return out


def _pulls(run: Run, results: Results, names: dict[str, int]) -> list[tuple[int, str, int, int, str]]:
    events = run.events("PullKVCache")
    found = []
    for row, request in zip(events.item_event.tolist(), events.item_request.tolist(), strict=True):
        named = _RANK.search(str(events.domain[row]))  # old data: lanes called `Decode Device rank_3`
        rank = events.texts["rank"][row] or (named[1] if named else run.lanes.pids[int(events.process[row])])
        blocks = events.texts["block_tables"][row] or ""
        found.append((request, str(rank), int(events.start[row]), int(events.end[row]), str(blocks)))
    table = results.table("pd_split_pull_kvcache", "pd_split_kvcache")
    if found or table is None:
        return found
    heads = ("rid", "rank", "start_time", "during_time", "block_tables", "start_datetime")
    for rid, rank, start, duration, blocks, other in zip(*(column(table, h) for h in heads), strict=True):
        began, length, request = (
            datetime_ns(start) or datetime_ns(other),
            number(duration),
            names.get(canonical(str(rid))),
        )
        if request is not None and began is not None and length is not None:
            found.append((request, str(rank), began, began + round(length * 1e6), str(blocks or "")))
    return found


def _write_processes(folder: Path, run: Run, results: Results, source: Source, report: Report) -> None:
    from insight_desktop.engine.service.fill_service import write as write_table

    lanes = run.lanes
    roles = roles_of(run)
    hosts: dict[str, set[str]] = {}
    for pid, host in zip(lanes.pids, lanes.hosts, strict=True):
        hosts.setdefault(pid.split("@")[0], set()).add(host)
    table = results.table("forward_info", "forward")
    if table is not None:
        for prof, host in zip(column(table, "prof_id"), column(table, "hostname"), strict=True):
            hosts.setdefault(str(prof).rsplit("-", 1)[-1], set()).add(str(host))
    merged = sorted(pid for pid, found in hosts.items() if len(found - {""}) > 1 and pid in lanes.pids)
    if merged:
        report.issue(
            "service.merged_pid", "warning", source.files[0].name,
            f"Process {', '.join(merged)} was seen on several hosts: the analyser knows processes by their number only, so "
            "their events are shown as one process.",
            fix="Open the raw ms_service_*.db files to tell them apart.", count=len(merged),
        )  # fmt: skip
    write_table(
        folder, "service_process", pid=lanes.pids, name=lanes.names, host=lanes.hosts, dp=lanes.dp, role=roles,
        hosts=[len(hosts.get(pid.split("@")[0], set()) - {""}) for pid in lanes.pids],
    )  # fmt: skip


def roles_of(run: Run) -> list[str]:
    """What each process does: prefill, decode or mixed."""
    answers = {name: _processes(run.events(name)) for name in ("prefillRes", "decodeRes")}
    roles = []
    for i in range(len(run.lanes.pids)):
        gives, decodes = i in answers["prefillRes"], i in answers["decodeRes"]
        roles.append("mixed" if gives == decodes else "prefill" if gives else "decode")
    return roles


def _processes(events: Events) -> set[int]:
    return set(np.unique(events.process).tolist())
