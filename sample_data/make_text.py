"""Writes the simulated job as the text output of the Ascend PyTorch profiler."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from sample_data.simulate import GROUP, Rank, Span, overlap

Event = dict[str, Any]


def us(ns: int) -> str:
    """Microseconds with three decimals, as text."""
    return f"{ns // 1000}.{ns % 1000:03d}"


def write(root: Path, ranks: list[Rank]) -> None:
    """One `*_ascend_pt` folder per rank."""
    for rank in ranks:
        folder = root / f"node-1_{rank.pid}_20260101080000{rank.rank:03d}_ascend_pt"
        output = folder / "ASCEND_PROFILER_OUTPUT"
        output.mkdir(parents=True, exist_ok=True)
        events = trace(rank)
        lines = ", ".join(json.dumps(e) for e in events)
        (output / "trace_view.json").write_text(f"[{lines}]", encoding="utf-8")
        kernels(rank, output / "kernel_details.csv")
        info(rank, folder, "text")


def info(rank: Rank, folder: Path, export: str) -> None:
    """profiler_info and profiler_metadata beside the output."""
    facts = {
        "config": {
            "common_config": {"activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"], "record_shapes": True, "with_stack": True, "with_modules": False, "profile_memory": False, "schedule": {"wait": 0, "active": 3, "warmup": 1, "repeat": 1, "skip_first": 19}},
            "experimental_config": {"_profiler_level": "Level1", "_export_type": export, "_aic_metrics": "ACL_AICORE_NONE"},
        },
        "rank_id": rank.rank,
        "torch_npu_version": "2.6.0",
        "cann_version": "8.2.RC1",
    }  # fmt: skip
    groups = {GROUP: {"group_name": "dp", "group_rank": rank.rank, "global_ranks": [0, 1]}}
    (folder / f"profiler_info_{rank.rank}.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
    (folder / "profiler_metadata.json").write_text(
        json.dumps({"parallel_group_info": groups}, indent=1), encoding="utf-8"
    )


def trace(rank: Rank) -> list[Event]:
    """All events: metadata, slices, flows, counters."""
    pids = {
        name: rank.pid << 10 | sort << 5
        for name, sort in (
            ("CANN", 7),
            ("Ascend Hardware", 14),
            ("AI Core Freq", 15),
            ("Communication", 16),
            ("NPU MEM", 17),
            ("HBM", 24),
            ("Overlap Analysis", 31),
            ("CPU Usage", 9),
        )
    }
    pids["Python"] = rank.pid
    events: list[Event] = []
    for order, (name, pid) in enumerate([("Python", rank.pid), *((n, p) for n, p in pids.items() if n != "Python")]):
        host = name in ("Python", "CANN", "CPU Usage")
        for kind, key, value in (
            ("process_name", "name", name),
            ("process_labels", "labels", "CPU" if host else "NPU"),
            ("process_sort_index", "sort_index", order),
        ):
            events.append({"ph": "M", "name": kind, "pid": pid, "tid": 0, "args": {key: value}})
    host_threads = [
        (rank.pid, "Python"),
        (rank.backward_tid, "Python"),
        (rank.queue_tid, "Python"),
        (rank.queue_tid, "CANN"),
    ]
    threads = [(pids[p], tid, f"Thread {tid}", i) for i, (tid, p) in enumerate(host_threads)]
    threads += [(pids["Ascend Hardware"], s, f"Stream {s}", s) for s in (2, 5)]
    threads += [(pids["Communication"], 0, f"Group {GROUP} Communication", 0)] + [
        (pids["Communication"], 1 + p, f"Plane {p}", 1 + p) for p in (0, 1)
    ]
    threads += [(pids["Overlap Analysis"], i, name, i) for i, name in enumerate(overlap(rank))]
    for pid, tid, title, sort in threads:
        events.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": title}})
        events.append({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid, "args": {"sort_index": sort}})
    events += host_events(rank, pids) + device_events(rank, pids) + flow_events(rank, pids)
    for process, counter, series, at, value in rank.counters:
        events.append(
            {"ph": "C", "name": counter, "pid": pids[process], "tid": 0, "ts": us(at), "args": {series: value}}
        )
    return events


def x(span: Span, pid: int, tid: int, category: str = "", args: Event | None = None) -> Event:
    """One complete event."""
    event: Event = {
        "ph": "X",
        "name": span.name,
        "pid": pid,
        "tid": tid,
        "ts": us(span.start),
        "dur": (span.end - span.start) / 1000,
    }
    if category:
        event["cat"] = category
    if args is not None:
        event["args"] = args
    return event


def host_events(rank: Rank, pids: dict[str, int]) -> list[Event]:
    """Framework operators, queue events, python functions and CANN calls."""
    events = []
    for op in rank.ops:
        if op.kind == "op":
            args: Event = {"Sequence number": op.sequence, "Fwd thread id": 0}
            if op.shapes:
                args["Input Dims"] = op.shapes.replace(";", ";\r\n")
                args["Input type"] = ";\r\n".join("c10::BFloat16" for _ in op.shapes.split(";"))
            if op.stack:
                args["Call stack"] = ";\r\n".join(op.stack)
            events.append(x(op, rank.pid, op.tid, "cpu_op", args))
        else:
            events.append(x(op, rank.pid, op.tid, op.kind, {"correlation_id": op.connection}))
    for i, frame in enumerate(rank.frames):
        events.append(x(frame, rank.pid, frame.tid, "python_function", {"Python id": i + 1, "Python parent id": 0}))
    for call in rank.api:
        args = {
            "Thread Id": call.tid,
            "Mode": "launch",
            "level": call.kind,
            "id": call.name.split("@")[1],
            "item_id": "0",
            "connection_id": call.connection,
        }
        events.append(x(call, pids["CANN"], call.tid, "", args))
    return events


def device_events(rank: Rank, pids: dict[str, int]) -> list[Event]:
    """Streams, communication and overlap lanes."""
    events = []
    for number, task in enumerate([*rank.tasks, *rank.comm_tasks]):
        args: Event = {
            "Model Id": 4294967295,
            "Task Type": task.kind,
            "Physic Stream Id": task.tid,
            "Task Id": number,
            "Batch Id": 0,
            "Subtask Id": 4294967295,
            "connection_id": task.connection,
        }
        shown = task if task.tid == 2 else Span(task.kind, task.start, task.end)
        if task.extra.get("plane", 0) == 0:
            events.append(x(shown, pids["Ascend Hardware"], task.tid, "", args))
        if task.tid == 5:
            plane = int(str(task.extra["plane"]))
            args = {
                "notify_id": "18446744073709551615",
                "stream id": 5,
                "task id": number,
                "task type": task.name,
                "src rank": rank.rank,
                "dst rank": 1 - rank.rank,
                "transport type": "SDMA",
                "size(Byte)": 8_388_608,
                "data type": "FP32",
                "link type": "HCCS",
                "bandwidth(GB/s)": round(8_388_608 / (task.end - task.start), 3),
            }
            events.append(x(task, pids["Communication"], 1 + plane, "", args))
    for op in rank.comm:
        args = {
            "connection_id": op.connection,
            "model id": 4294967295,
            "data_type": "FP32",
            "alg_type": "MESH-RING",
            "count": 4_194_304,
            "rank_size": 2,
            "relay": "no",
            "retry": "no",
        }
        events.append(x(op, pids["Communication"], 0, "", args))
    for tid, (name, spans) in enumerate(overlap(rank).items()):
        events += [x(Span(name, a, b), pids["Overlap Analysis"], tid) for a, b in spans]
    return events


def flow_events(rank: Rank, pids: dict[str, int]) -> list[Event]:
    """HostToDevice, async_npu, async_task_queue and fwdbwd links."""
    events: list[Event] = []

    def link(
        category: str, name: str, number: object, source: tuple[Span, int, int], target: tuple[Span, int, int]
    ) -> None:
        for ph, (span, pid, tid) in (("s", source), ("f", target)):
            event: Event = {
                "ph": ph,
                "name": name,
                "id": number,
                "cat": category,
                "pid": pid,
                "tid": tid,
                "ts": us(span.start),
            }
            if ph == "f":
                event["bp"] = "e"
            events.append(event)

    calls = {c.connection: c for c in rank.api if c.kind != "acl"}
    operators = {o.connection: o for o in rank.ops if o.kind == "op" and o.connection is not None}
    queue = {(o.kind, o.connection): o for o in rank.ops}
    targets = [(t, pids["Ascend Hardware"], 2) for t in rank.tasks] + [(c, pids["Communication"], 0) for c in rank.comm]
    for target in targets:
        connection = target[0].connection
        call, operator = calls[connection], operators[connection]
        link("HostToDevice", f"HostToDevice{connection}", str(connection), (call, pids["CANN"], call.tid), target)
        link("async_npu", "torch_to_npu", target[0].start, (operator, rank.pid, operator.tid), target)
    for (kind, connection), enqueue in queue.items():
        if kind == "enqueue":
            dequeue = queue["dequeue", connection]
            link(
                "async_task_queue",
                "enqueue_to_dequeue",
                connection,
                (enqueue, rank.pid, enqueue.tid),
                (dequeue, rank.pid, dequeue.tid),
            )
    for number, (forward, backward) in enumerate(rank.forward_backward):
        link("fwdbwd", "fwdbwd", number, (forward, rank.pid, forward.tid), (backward, rank.pid, backward.tid))
    return events


def kernels(rank: Rank, path: Path) -> None:
    """kernel_details.csv of the compute kernels and collectives."""
    head = [
        "Step Id",
        "Device_id",
        "Model ID",
        "Task ID",
        "Stream ID",
        "Name",
        "Type",
        "OP State",
        "Accelerator Core",
        "Start Time(us)",
        "Duration(us)",
        "Wait Time(us)",
        "Block Num",
        "Mix Block Num",
        "HF32 Eligible",
        "Input Shapes",
    ]
    rows: list[list[object]] = []
    last = None
    spans = sorted(
        [(t.start, t, "task") for t in rank.tasks] + [(c.start, c, "comm") for c in rank.comm], key=lambda r: r[0]
    )
    for number, (start, span, kind) in enumerate(spans):
        step = next((s for s, a, b in rank.steps if a <= start < b), "")
        wait = 0 if last is None else max(0, start - last)
        core = span.kind if kind == "task" else "COMMUNICATION"
        rows.append(
            [
                step,
                rank.rank,
                4294967295,
                number,
                2 if kind == "task" else "N/A",
                span.name,
                span.extra.get("type", "hcom_allReduce_"),
                "dynamic",
                core,
                us(start) + "\t",
                (span.end - span.start) / 1000,
                wait / 1000,
                24,
                0,
                "NO",
                f'"{span.shapes}"' if span.shapes else "N/A",
            ]
        )
        last = span.end
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])
