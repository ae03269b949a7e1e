"""Named queries of prefill and decode on different nodes: nodes, stages of requests, transfers, the coordinator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service import recorded
from insight_desktop.engine.service.model import NONE, opened
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData
from insight_desktop.ingest.formats.service_results import column
from insight_desktop.ingest.formats.service_values import datetime_ns, number

_STAGES = (
    ("send", "receive_ns", "send_ns"), ("transfer", "send_ns", "sent_ns"), ("prefill", "sent_ns", "prefill_ns"),
    ("decode", "prefill_ns", "decode_ns"),
)  # fmt: skip


def nodes(store: Store, *, card: str | None = None) -> pa.Table:
    """Processes with their roles: pid, name, host, dp, role (prefill, decode, mixed), steps, requests."""
    run = opened(store, card)
    p = run.process
    rows = []
    for i in range(len(p)):
        mine = run.step.pid == p.pid[i]
        members = np.isin(run.step_request.step, run.step.step[mine])
        rows.append(
            {
                "pid": p.pid[i], "name": p.name[i], "host": p.host[i], "dp": None if p.dp[i] == NONE else int(p.dp[i]),
                "role": p.role[i], "steps": int(mine.sum()), "requests": len(np.unique(run.step_request.request[members])),
            }
        )  # fmt: skip
    kinds = [
        ("pid", pa.string()), ("name", pa.string()), ("host", pa.string()), ("dp", pa.int64()), ("role", pa.string()),
        ("steps", pa.int64()), ("requests", pa.int64()),
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, pa.schema(kinds))


def stages(store: Store, *, card: str | None = None) -> pa.Table:
    """Requests between nodes: rid, receive_ns, send_ns, sent_ns, prefill_ns, decode_ns (times), and the lengths in between:
    send_wait_ns, transfer_wait_ns, prefill_wait_ns, decode_wait_ns (null where a time is missing), cross_host (they compare
    clocks of two hosts). Raises NoData when the run has no such events."""
    run = opened(store, card)
    p = run.pd
    if not len(p):
        raise NoData(
            "This run has no events between prefill and decode nodes.",
            fix="Collect both nodes of a run with prefill-decode separation.",
        )
    columns: dict[str, Any] = {"rid": pa.array(run.request.rid[p.request], pa.string())}
    for key in ("receive_ns", "send_ns", "sent_ns", "prefill_ns", "decode_ns"):
        columns[key] = pa.array(p.all[key], mask=p.all[key] == NONE)
    for stage, begin, end in _STAGES:
        known = (p.all[begin] != NONE) & (p.all[end] != NONE)
        length = np.maximum(np.where(known, p.all[end] - p.all[begin], 0), 0)
        columns[f"{stage}_wait_ns"] = pa.array(length, mask=~known)
    apart = run.request.prefill_host[p.request] != run.request.decode_host[p.request]
    columns["cross_host"] = pa.array(apart, pa.bool_())
    return pa.table(columns)


def pulls(store: Store, *, card: str | None = None) -> pa.Table:
    """Transfers of cache blocks: rid, rank, start_ns, end_ns, duration_ns, blocks (as written)."""
    run = opened(store, card)
    p = run.pull
    return pa.table(
        {
            "rid": pa.array(run.request.rid[p.request], pa.string()), "rank": pa.array(p.rank, pa.string()),
            "start_ns": p.start_ns, "end_ns": p.end_ns, "duration_ns": np.maximum(p.end_ns - p.start_ns, 0),
            "blocks": pa.array(p.blocks, pa.string()),
        }
    )  # fmt: skip


def coordinator(store: Store, *, card: str | None = None) -> pa.Table:
    """What the coordinator sent where, per bin of 5 s: time (as written), time_ns, address, node_type, add, end, running
    (recomputed: added so far − ended so far, 0 at least), recorded_running. Raises NoData without such a table."""
    table = recorded.table(store, card, "coordinator_info", "coordinator")
    if table is None:
        raise NoData("This run has no data of a coordinator.", fix="Collect the coordinator, or open coordinator.csv.")
    heads = ("time", "address", "node_type", "add_count", "end_count", "running_count")
    rows = list(zip(*(column(table, head) for head in heads), strict=True))
    return running(rows)


def running(rows: list[tuple[Any, ...]]) -> pa.Table:
    """Rows of the coordinator with the recomputed number of running requests, by node and time."""
    order = sorted(range(len(rows)), key=lambda i: (str(rows[i][1]), str(rows[i][2]), _moment(rows[i][0])))
    out, node, level = [], None, 0.0
    for i in order:
        time, address, kind, added, ended, recorded_running = rows[i]
        if (address, kind) != node:
            node, level = (address, kind), 0.0
        level = max(0.0, level + (number(added) or 0) - (number(ended) or 0))
        out.append(
            {
                "time": str(time), "time_ns": datetime_ns(time), "address": str(address), "node_type": str(kind),
                "add": int(number(added) or 0), "end": int(number(ended) or 0), "running": int(level),
                "recorded_running": None if (v := number(recorded_running)) is None else int(v),
            }
        )  # fmt: skip
    kinds = [
        ("time", pa.string()), ("time_ns", pa.int64()), ("address", pa.string()), ("node_type", pa.string()),
        ("add", pa.int64()), ("end", pa.int64()), ("running", pa.int64()), ("recorded_running", pa.int64()),
    ]  # fmt: skip
    return pa.Table.from_pylist(out, pa.schema(kinds))


def _moment(value: Any) -> tuple[float, str]:
    stamp = datetime_ns(value)
    found = number(value)
    return (stamp if stamp is not None else found if found is not None else 0.0, str(value))
