"""Writes a simulated serving run as the analyser of serving data does: `chrome_tracing.json` and `profiler.db`.

The databases and traces of the collector have their quirks, which are kept: times on a grid of 250 ns, µs in columns called
ms, seconds only in the table of the cache, 0 for unknown, one curve that cannot be read, lanes without a name.
"""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from sample_data.serve import FIRST_CARD, SCHEDULER, Event, Run, simulate

_ZONE = timezone(timedelta(hours=8))
_KV = "Schedule.KVCache-dp0"
_HOST = "node-a"


def write(folder: Path, run: Run | None = None) -> None:
    """Write both files into a folder."""
    found = run or simulate()
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "chrome_tracing.json", found)
    write_db(folder / "profiler.db", found)


def _us(ns: int) -> float:
    return ns / 1000


def _text(ns: int) -> str:
    at = datetime.fromtimestamp(ns // 1_000_000_000, _ZONE)
    return f"{at:%Y-%m-%d %H:%M:%S}:{ns % 1_000_000_000 // 1000:06d}"


def _grid(ns: int) -> int:
    """A time as a double of µs holds it."""
    return round(float(_us(ns)) * 4) * 250


def _args(event: Event) -> dict[str, Any]:
    size = len(event.requests) if isinstance(event.requests, list) else 0
    args = {
        **event.attributes, "start_datetime": _text(event.start), "end_datetime": _text(event.end),
        "tid": int(event.lane.split("(")[1][:-1]), "batch_size": str(size),
    }  # fmt: skip
    if event.requests is not None:
        args["res_list"] = event.requests
    return args


# ---- JSON


def write_json(path: Path, run: Run) -> None:
    """One array on one line; lanes first, then chains."""
    rows: list[dict[str, Any]] = [
        {"name": _KV, "ph": "C", "ts": _us(k["at"]), "pid": SCHEDULER, "tid": "Schedule.KVCache",
         "args": {"Device Block": float(k["total"] - k["used"])}}
        for k in run.kv
    ]  # fmt: skip
    for event in run.events:
        row: dict[str, Any] = {
            "name": event.name,
            "ph": "X" if event.end > event.start else "I",
            "ts": _us(event.start),
        }
        rows.append(
            {**row, "dur": _us(event.end - event.start), "pid": event.pid, "tid": event.lane, "args": _args(event)}
        )
    for rid, start, pid, lane, mark in _chains(run):
        rows.append(
            {"name": f"flow_{rid}", "ph": mark, "ts": _us(start), "id": rid, "cat": rid, "pid": pid, "tid": lane}
        )
    for i, lane in enumerate(
        ("Execute", "Schedule", "Communication", "KVCache", "Schedule.KVCache", "Engine", "Api", "Kernel")
    ):
        rows.append({"name": "thread_sort_index", "ph": "M", "pid": SCHEDULER, "tid": lane, "args": {"sort_index": i}})
    for order, (pid, name, label) in enumerate(_processes(run)):
        for key, value in (
            ("process_sort_index", {"sort_index": order}),
            ("process_name", {"name": name}),
            ("process_labels", {"labels": label}),
        ):
            rows.append({"name": key, "ph": "M", "pid": pid, "args": value})
    path.write_text(json.dumps(rows, separators=(",", ":")), encoding="utf-8")


def _processes(run: Run) -> list[tuple[int, str, str]]:
    pids = sorted({event.pid for event in run.events})
    return [(pid, "schedule" if pid == SCHEDULER else "forward", f"{_HOST},dp0") for pid in pids]


def _chains(run: Run) -> list[tuple[str, int, int, str, str]]:
    """Points of all requests: rid, time, pid, lane, mark; the mark for the end is set per event, as the analyser does."""
    points: dict[str, list[int]] = {}
    for i, event in enumerate(run.events):
        for rid in event.rids:
            points.setdefault(rid, []).append(i)
    last = {found[-1] for found in points.values()}
    out = []
    for rid, found in points.items():
        for i in found:
            event = run.events[i]
            mark = "s" if i == found[0] else "f" if i in last else "t"
            out.append((rid, event.start, event.pid, event.lane, mark))
    return out


# ---- database

_SCHEMA = """
CREATE TABLE slice (id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp INTEGER, duration INTEGER, name TEXT, depth INTEGER, track_id INTEGER, cat TEXT, args TEXT, cname TEXT, end_time INTEGER, flag_id TEXT);
CREATE TABLE thread (track_id INTEGER PRIMARY KEY, tid TEXT, pid TEXT, thread_name TEXT, thread_sort_index INTEGER);
CREATE TABLE process (pid TEXT PRIMARY KEY, process_name TEXT, label TEXT, process_sort_index INTEGER);
CREATE TABLE counter (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, pid TEXT, timestamp INTEGER, cat TEXT, args TEXT);
CREATE TABLE flow (id INTEGER PRIMARY KEY AUTOINCREMENT, flow_id TEXT, name TEXT, cat TEXT, track_id INTEGER, timestamp INTEGER, type TEXT);
CREATE TABLE data_table (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, view_name TEXT);
CREATE TABLE translate (key TEXT NOT NULL PRIMARY KEY, value_en TEXT, value_zh TEXT);
CREATE TABLE data_link (source_name TEXT, target_table TEXT, target_name TEXT);
CREATE TABLE request (http_rid TEXT, start_datetime TEXT, recv_token_size REAL, reply_token_size REAL, execution_time REAL, queue_wait_time REAL, first_token_latency REAL, cache_hit_rate TEXT, "start_time(ms)" REAL);
CREATE TABLE batch (name TEXT, res_list TEXT, start_datetime TEXT, end_datetime TEXT, during_time REAL, batch_type TEXT, prof_id TEXT, batch_size REAL, prefill_batch_size INTEGER, decode_batch_size INTEGER, prefill_scheduled_tokens INTEGER, decode_scheduled_tokens INTEGER, total_scheduled_tokens INTEGER, dp_rank TEXT, "start_time(ms)" REAL, "end_time(ms)" REAL);
CREATE TABLE kvcache (name TEXT, start_datetime TEXT, total_blocks REAL, used_blocks REAL, free_blocks REAL, blocks_allocated REAL, blocks_freed REAL, kvcache_usage_rate REAL);
CREATE TABLE forward (name TEXT, relative_start_time REAL, start_datetime TEXT, end_datetime TEXT, during_time REAL, bubble_time REAL, batch_size TEXT, batch_type TEXT, forward_iter INTEGER, dp_rank TEXT, prof_id TEXT, hostname TEXT, start_time REAL, end_time REAL);
CREATE TABLE request_status (timestamp TEXT, WAITING REAL, RUNNING REAL, PENDING INTEGER);
CREATE VIEW Request_Status_curve AS SELECT timestamp AS time, status FROM request_status;
CREATE VIEW request_data AS SELECT http_rid, start_datetime, recv_token_size, reply_token_size, execution_time AS "execution_time(ms)", queue_wait_time AS "queue_wait_time(ms)", first_token_latency AS "first_token_latency(ms)", cache_hit_rate, "start_time(ms)" FROM request;
CREATE VIEW batch_info AS SELECT name, res_list, start_datetime, end_datetime, during_time AS "during_time(ms)", batch_type, prof_id, batch_size, prefill_batch_size, decode_batch_size, prefill_scheduled_tokens, decode_scheduled_tokens, total_scheduled_tokens, dp_rank, "start_time(ms)", "end_time(ms)" FROM batch;
CREATE VIEW kvcache_usage AS SELECT name, start_datetime AS start_time, total_blocks, used_blocks, free_blocks, blocks_allocated, blocks_freed, kvcache_usage_rate FROM kvcache;
CREATE VIEW forward_info AS SELECT name, relative_start_time AS "relative_start_time(ms)", start_datetime, end_datetime, during_time AS "during_time(ms)", bubble_time AS "bubble_time(ms)", batch_size, batch_type, forward_iter, dp_rank, prof_id, hostname, start_time AS "start_time(ms)", end_time AS "end_time(ms)" FROM forward;
CREATE VIEW Batch_Size_curve AS SELECT row_number() OVER (ORDER BY start_datetime) - 1 AS batch_id, batch_size AS total_batch_size, prefill_batch_size, decode_batch_size FROM batch WHERE name = 'batchFrameworkProcessing' ORDER BY batch_id;
CREATE VIEW Batch_Token_curve AS SELECT row_number() OVER (ORDER BY start_datetime) - 1 AS batch_id, total_scheduled_tokens, prefill_scheduled_tokens, decode_scheduled_tokens FROM batch WHERE name = 'batchFrameworkProcessing' ORDER BY batch_id;
CREATE VIEW Kvcache_Usage_Percent_curve AS SELECT start_datetime AS datetime, kvcache_usage_rate * 100 AS kvcache_usage_percent FROM kvcache ORDER BY datetime;
INSERT INTO data_table (name, view_name) VALUES ('request_data', 'request_data'), ('batch_info', 'batch_info'), ('kvcache_usage', 'kvcache_usage'), ('forward_info', 'forward_info');
INSERT INTO data_link VALUES ('rid', 'request', 'http_rid');
INSERT INTO translate VALUES ('Batch_Size_curve', 'Requests per batch: prefill and decode', '每个 batch 的请求数：prefill 与 decode'), ('Batch_Token_curve', 'Scheduled tokens per batch', '每个 batch 调度的 token 数'), ('Kvcache_Usage_Percent_curve', 'Usage of the KV cache over time', 'KV 缓存使用率随时间的变化'), ('request_data', 'One row per request', '每行一个请求'), ('batch_info', 'One row per batch', '每行一个 batch'), ('kvcache_usage', 'Samples of the KV cache', 'KV 缓存的采样'), ('forward_info', 'One row per forward pass', '每行一次前向');
"""


def write_db(path: Path, run: Run) -> None:
    """The database of the analyser, with its tables and views."""
    path.unlink(missing_ok=True)
    db = sqlite3.connect(path)
    db.executescript(_SCHEMA)
    lanes = {lane: i + 9 for i, lane in enumerate(sorted({(e.pid, e.lane) for e in run.events}))}
    db.executemany("INSERT INTO thread VALUES (?, NULL, NULL, NULL, ?)", [(i + 1, i) for i in range(8)])
    db.executemany(
        "INSERT INTO thread VALUES (?, ?, ?, ?, 0)", [(t, lane, str(pid), lane) for (pid, lane), t in lanes.items()]
    )
    db.execute("INSERT INTO thread VALUES (?, ?, ?, ?, 0)", (len(lanes) + 9, _KV, str(SCHEDULER), _KV))
    db.executemany("INSERT INTO process VALUES (?, ?, ?, ?)", [(str(p), n, label, i) for i, (p, n, label) in enumerate(_processes(run))])  # fmt: skip
    db.executemany(
        "INSERT INTO slice (timestamp, duration, name, track_id, args, end_time) VALUES (?, ?, ?, ?, ?, ?)",
        ((_grid(e.start), _grid(e.end) - _grid(e.start), e.name, lanes[e.pid, e.lane], json.dumps(_args(e)), _grid(e.end)) for e in run.events),
    )  # fmt: skip
    db.executemany(
        "INSERT INTO counter (name, pid, timestamp, args) VALUES (?, ?, ?, ?)",
        ((_KV, str(SCHEDULER), _grid(k["at"]), json.dumps({"Device Block": float(k["total"] - k["used"])})) for k in run.kv),
    )  # fmt: skip
    db.executemany(
        "INSERT INTO flow (flow_id, name, cat, track_id, timestamp, type) VALUES (?, ?, ?, ?, ?, ?)",
        (
            (rid, f"flow_{rid}", rid, lanes[pid, lane], _grid(start), mark)
            for rid, start, pid, lane, mark in _chains(run)
        ),
    )
    _tables(db, run)
    db.commit()
    db.execute("VACUUM")
    db.close()


def _tables(db: sqlite3.Connection, run: Run) -> None:
    first, waits = _as_recorded(run)
    for t in run.truth:
        execution = t.done // 1_000_000 - t.arrive // 1_000_000
        ttft = (first.get(t.rid, t.arrive) - t.arrive) / 1e6
        request = (
            t.rid,
            _text(t.arrive),
            t.n_in,
            t.n_out,
            execution,
            waits[t.rid],
            ttft,
            "None",
            float(t.arrive // 1_000_000),
        )
        db.execute("INSERT INTO request VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", request)
    for event in run.events:
        if event.name in ("batchFrameworkProcessing", "modelExec"):
            db.execute(f"INSERT INTO batch VALUES ({', '.join('?' * 16)})", _batch(event))
        if event.name in ("Enqueue", "Dequeue"):
            size, queue = event.attributes["QueueSize="], event.attributes["scope#QueueName"]
            waiting, running = (size, None) if queue == "WAITING" else (None, size)
            db.execute("INSERT INTO request_status VALUES (?, ?, ?, 0)", (_text(event.start), waiting, running))
    used = 0
    for k in run.kv:
        share = k["used"] / k["total"] if k["total"] else k["rate"]
        change = k["used"] - used if k["total"] else 0
        used = k["used"] if k["total"] else used
        free = k["total"] - k["used"]
        row = (
            k["name"],
            _text(k["at"])[:19],
            k["total"],
            k["used"],
            free,
            max(change, 0),
            max(-change, 0),
            round(share, 6),
        )
        db.execute("INSERT INTO kvcache VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    for pid in sorted({e.pid for e in run.events if e.pid >= FIRST_CARD}):
        _forwards(db, [e for e in run.events if e.pid == pid and e.name == "forward"], pid)


def _as_recorded(run: Run) -> tuple[dict[str, int], dict[str, float]]:
    """First tokens and queue times with the errors of the analyser.

    It takes the end of the first part of a prompt for its end, sees only token events that list one request, and lets the
    queue last from the first Enqueue of any queue to the last Dequeue.
    """
    first: dict[str, int] = {}
    lone: set[str] = set()
    enter: dict[str, int] = {}
    leave: dict[str, int] = {}
    for event in run.events:
        if event.name in ("batchFrameworkProcessing", "modelExec"):
            for item in event.requests:
                if item["iter"] == 0:
                    first[item["rid"]] = max(first.get(item["rid"], 0), event.end)
        elif event.name == "detokenize" and len(event.rids) == 1 and event.rids[0] not in lone:
            lone.add(event.rids[0])
            first[event.rids[0]] = max(first.get(event.rids[0], 0), event.end)
        for rid in event.rids:
            if event.name == "Enqueue":
                enter.setdefault(rid, event.start)
            elif event.name == "Dequeue":
                leave[rid] = event.end
    return first, {rid: (leave.get(rid, at) - at) / 1e6 for rid, at in enter.items()}


def _batch(event: Event) -> tuple[Any, ...]:
    items = event.requests
    prefill = [i for i in items if not i["type"]]
    tokens = sum(i["num_scheduled_tokens"] for i in prefill)
    every = sum(i["num_scheduled_tokens"] for i in items)
    return (
        event.name, str(items), _text(event.start), _text(event.end), (event.end - event.start) / 1e6,
        event.attributes["batch_type"], f"ms_service_{_HOST}-{event.pid}", len(items), len(prefill), len(items) - len(prefill),
        tokens, every - tokens, every, "0", _us(event.start), _us(event.end),
    )  # fmt: skip


def _forwards(db: sqlite3.Connection, passes: list[Event], pid: int) -> None:
    for i, event in enumerate(passes):
        bubble = round((passes[i + 1].start - event.end) / 1e6, 2) if i + 1 < len(passes) else None
        row = (
            "forward", (event.start - passes[0].start) / 1e6, _text(event.start), _text(event.end), (event.end - event.start) / 1e6,
            bubble, str(len(event.rids)), "", i + 1, "None", f"ms_service_{_HOST}-{pid}", _HOST, event.start / 1e6, event.end / 1e6,
        )  # fmt: skip
        db.execute(f"INSERT INTO forward VALUES ({', '.join('?' * 14)})", row)
