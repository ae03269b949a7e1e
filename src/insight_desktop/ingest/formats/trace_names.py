"""Names of lanes and counters: metadata events, roles by name, device numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats import trace_layout as ts
from insight_desktop.ingest.formats.trace_text import parse

# Processes that the CANN collectors write with packed ids: (host pid << 10) | (order << 5) | device, device 31 = host.
_PACKED = frozenset(
    """CANN|DPU|OS Runtime API|Ascend Hardware|AI Core Freq|Communication|HCCL|NPU MEM|DDR|Acc PMU|HCCS|NIC|RoCE|PCIe|HBM|
Stars Soc Info|Stars Chip Trans|LLC|SIO|QoS|CCU|Overlap Analysis|Biu Perf|Ub|UB|Block Detail|Fusion Task|Step Trace|
CPU Usage|Memory Usage|Network Usage|Disk Usage""".replace("\n", "").split("|")
)
_NPU_WORDS = ("npu", "hbm", "llc", "ai core", "acc_pmu", "stars", "qos", "ddr", "pcie", "nic", "hccs", "sample_pmu")
_CPU_WORDS = ("disk usage", "memory usage", "mem usage", "network usage")
_STREAM = re.compile(r"stream\s*\d+", re.IGNORECASE)
_PLANE = re.compile(r"Plane\s+\d+")
_GROUP = re.compile(r"(?:Group (?P<key>.+) )?Communication")
_UNIT = re.compile(r"\(([^()]+)\)\s*$")
_LABEL_DEVICE = re.compile(r"(?:NPU|GPU)\s+(\d{1,5})\b")


@dataclass
class Metadata:
    """What metadata events said; the last one wins. Keys are pid, or (pid, tid), as text."""

    process_name: dict[str, str] = field(default_factory=dict)
    process_labels: dict[str, str] = field(default_factory=dict)
    process_sort: dict[str, float | None] = field(default_factory=dict)
    thread_name: dict[tuple[str, str], str] = field(default_factory=dict)
    thread_sort: dict[tuple[str, str], float | None] = field(default_factory=dict)
    unknown: int = 0
    unreadable: int = 0

    def add(self, name: str, pid: str, tid: str, args: bytes) -> None:
        """Take one metadata event."""
        key = {
            "process_name": "name",
            "thread_name": "name",
            "process_labels": "labels",
            "process_sort_index": "sort_index",
            "thread_sort_index": "sort_index",
        }.get(name)
        if key is None:
            self.unknown += 1
            return
        found = parse(args) if args else None
        value = found.get(key) if isinstance(found, dict) else None
        if value is None:
            self.unreadable += 1
        elif name == "process_name":
            self.process_name[pid] = _text(value)
        elif name == "thread_name":
            self.thread_name[pid, tid] = _text(value)
        elif name == "process_labels":
            self.process_labels[pid] = _text(value)
        elif name == "process_sort_index":
            self.process_sort[pid] = _order(value)
        else:
            self.thread_sort[pid, tid] = _order(value)

    def process(self, pid: str) -> str:
        return _first_shown(self.process_name.get(pid, ""), pid, "(no process)")

    def thread(self, pid: str, tid: str) -> str:
        return _first_shown(self.thread_name.get((pid, tid), ""), tid, "(no thread)")

    def device(self, pid: str) -> int:
        """Device number of a process, -1 when unknown or host."""
        label = self.process_labels.get(pid, "")
        if pid.isascii() and pid.isdigit() and self.process_name.get(pid) in _PACKED and (int(pid) >> 10) > 0:
            device = int(pid) & 31
            return -1 if device == 31 else device
        found = _LABEL_DEVICE.search(label)
        return int(found[1]) if found else -1


def _first_shown(*titles: str) -> str:
    """The first title that is more than blanks."""
    return next(title for title in titles if title.strip())


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return str(value)


def _order(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if abs(number) < float("inf") else None


def group_names(path: Path | None) -> dict[str, str]:
    """Names of communication groups by group id, from profiler_metadata.json; empty when it does not tell."""
    if path is None:
        return {}
    try:
        found = parse(path.read_bytes())
    except OSError:
        return {}
    groups = found.get("parallel_group_info") if isinstance(found, dict) else None
    if not isinstance(groups, dict):
        return {}
    return {
        key: value["group_name"]
        for key, value in groups.items()
        if isinstance(value, dict) and isinstance(value.get("group_name"), str) and value["group_name"]
    }


def group_title(title: str, names: dict[str, str]) -> str:
    """Title of a communication lane, with the name of its group in front when that is known."""
    found = _GROUP.fullmatch(title)
    key = (found["key"] or "") if found else ""
    name = names.get(key.removesuffix("Aicpu").rstrip()) or names.get(key)
    return f"{name}:{title}" if name else title


def role_of(process: str, title: str) -> str:
    """Role of a thread lane by the names of process and thread."""
    if process == "Overlap Analysis":
        return schema.ROLE_OVERLAP
    if process in ("Communication", "HCCL"):
        if _PLANE.fullmatch(title):
            return schema.ROLE_PLANE
        return schema.ROLE_GROUP if _GROUP.fullmatch(title) else schema.ROLE_OTHER
    if _STREAM.match(title):
        return schema.ROLE_STREAM
    return schema.ROLE_OTHER if process == "Ascend Hardware" else schema.ROLE_THREAD


def track_batch(lanes: Iterable[tuple[int, str, str, str]], meta: Metadata, groups: dict[str, str]) -> pa.RecordBatch:
    """The track table. lanes: (trace_layout.THREAD or ASYNC, pid, tid, category or "1" for the Python stack)."""
    columns: dict[str, list[object]] = {column.name: [] for column in schema.STREAM["track"].columns}
    async_order: dict[tuple[str, str], int] = {}
    for kind, pid, tid, extra in lanes:
        process, thread = meta.process(pid), meta.thread(pid, tid)
        role = role_of(process, thread)
        if role == schema.ROLE_GROUP:
            thread = group_title(thread, groups)
        lane, order = thread, 0
        if kind == ts.ASYNC:
            order = async_order.get((pid, tid), 1) + 1
            async_order[pid, tid] = order
            lane, role = extra or "async", schema.ROLE_ASYNC
        elif extra == "1":
            lane, order, role = f"Python Stack {tid}", 1, schema.ROLE_PYTHON_STACK
        row = (
            pid, process, meta.process_labels.get(pid, ""), meta.process_sort.get(pid), tid, thread,
            meta.thread_sort.get((pid, tid)), "", lane, order, role, meta.device(pid),
        )  # fmt: skip
        for values, value in zip(columns.values(), row, strict=True):
            values.append(value)
    return schema.batch("track", **columns)


def metrics_of(label: str, counter: str) -> str:
    """`CPU Metrics` or `NPU Metrics`: by the label of the process, else by the counter's name."""
    kind, name = label.lower(), counter.lower()
    if kind.startswith(("cpu", "host")):
        return "CPU Metrics"
    if kind.startswith("npu") or any(word in name for word in _NPU_WORDS):
        return "NPU Metrics"
    if (name.startswith("cpu") and "usage" in name) or any(word in name for word in _CPU_WORDS):
        return "CPU Metrics"
    return "NPU Metrics"


def series_batch(series: list[tuple[str, str, str, str]], meta: Metadata) -> pa.RecordBatch:
    """The series table. series: (pid, counter, text that splits the lane or "", key), in order of their ids."""
    columns: dict[str, list[object]] = {column.name: [] for column in schema.STREAM["series"].columns}
    lanes: dict[str, dict[tuple[str, str], int]] = {}
    for pid, counter, split, _ in series:
        lanes.setdefault(pid, {}).setdefault((counter, split), 0)
    for of_process in lanes.values():
        for order, lane in enumerate(of_process):
            of_process[lane] = order
    for pid, counter, split, key in series:
        label = meta.process_labels.get(pid, "")
        unit = _UNIT.search(key)
        row = (
            pid, meta.process(pid), label, meta.process_sort.get(pid), metrics_of(label, counter),
            f"{counter}[{split}]" if split else counter, key, unit[1] if unit else "",
            lanes[pid][counter, split], meta.device(pid),
        )  # fmt: skip
        for values, value in zip(columns.values(), row, strict=True):
            values.append(value)
    return schema.batch("series", **columns)
