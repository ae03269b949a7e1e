"""The cluster side of a rank from the raw tables of its profiler database, for databases that were not analysed.

Gives what analysis.db would hold: times and bandwidths of communication operators from their tasks, links between the ranks of
a group, and the times of the steps from the tasks of the device.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.ingest.formats.profiler_db_identity import enumeration
from insight_desktop.ingest.formats.profiler_db_ids import IdMap
from insight_desktop.ingest.formats.profiler_db_overlap import Spans, overlap
from insight_desktop.ingest.formats.profiler_db_tables import NONE32, NULL, Columns, Database, Ints, open_database
from insight_desktop.ingest.formats.profiler_db_texts import Texts
from insight_desktop.ingest.open_files import open_sqlite
from insight_desktop.ingest.report import Report

Rows = dict[str, list[tuple[Any, ...]]]
_P2P = ("hcom_send", "hcom_receive", "hcom_batchsendrecv")
_RECEIVE = "hcom_receive"
_TRANSIT, _WAIT = ("Memcpy", "Reduce_Inline"), "Notify_Wait"
_PAYLOAD, _ON_CHIP = "RDMA_SEND_PAYLOAD", "ON_CHIP"
_LINKS = {"HCCS": "HCCS", "HCCS_SW": "HCCS", "PCIE": "PCIE", "SIO": "SIO"}
TRANSPORTS = ("RDMA", "HCCS", "PCIE", "SDMA", "SIO")
LARGE_MB = {"HCCS": 32.0, "PCIE": 32.0, "SIO": 32.0, "RDMA": 0.5}
_CLOSING, _CLOSING_P2P = 5, 3  # tasks that close a run of RDMA payloads
_TYPES = re.compile(
    "send|reduce|invalid|broadcast|allreduce|receive|allgather|reducescatter|scatter|alltoall|alltoallv|alltoallvc|batchsendrecv"
)
_COMPUTING = ("startNs", "endNs", "globalTaskId", "deviceId")
_TASK = (
    "globalTaskId", "taskType", "planeId", "rdmaType", "srcRank", "dstRank", "transportType", "linkType", "size", "opId",
)  # fmt: skip


def group_hash(group_id: str) -> str:
    """The hash under which the collector writes a group: two 32-bit polynomials (29 and 131) as one decimal number."""
    high = low = 0
    for char in group_id:
        high = (high * 29 + ord(char)) & 0xFFFFFFFF
        low = (low * 131 + ord(char)) & 0xFFFFFFFF
    return str(high << 32 | low)


def link_type(name: str) -> str:
    """What the matrix calls an operator: the first known word in it, `reduce` for reduceScatter included."""
    found = _TYPES.search(name.lower())
    return found[0] if found else name.partition("__")[0]


def read(path: Path, rank: int, rows: Rows, report: Report) -> None:
    """Add what a database tells of one rank to the rows of `schema.RANK_TABLES`.

    Raises BadFile when the database cannot be opened.
    """
    with open_sqlite(path, allow_truncated=True) as file, closing(open_database(file, report)) as base:
        operators = _operators(base)
        steps = _steps(base)
        is_framework = bool(re.match(r"ascend_pytorch", path.name))
        _add_step_times(base, operators, steps, rank, rows, is_framework=is_framework)
        if operators:
            _add_operators(base, operators, steps, rank, rows)


@dataclass
class _Operators:
    """COMMUNICATION_OP: names, groups, ids, starts and ends."""

    names: list[str]
    groups: list[str]
    ids: Ints
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.names)

    def kind(self, at: int) -> str:
        return "p2p" if self.names[at].lower().startswith(_P2P) else "collective"


def _operators(base: Database) -> _Operators:
    found = _columns(
        base, "COMMUNICATION_OP", ("opName", "groupName", "opId", "startNs", "endNs"), ("startNs", "endNs")
    )
    texts = Texts(base)
    names, groups = (texts.of(found[n]).to_pylist() for n in ("opName", "groupName"))
    hashes = {g: g if g.isdigit() and len(g) > 12 else group_hash(g) for g in set(groups)}
    ids = found["opId"]
    if not base.has("COMMUNICATION_OP", "opId"):  # the oldest files have the name instead
        ids = found["opName"]
    return _Operators(names, [hashes[g] for g in groups], ids, found["startNs"], found["endNs"])


def _columns(base: Database, table: str, ints: tuple[str, ...], times: tuple[str, ...] = ()) -> Columns:
    """All rows of a table; those without a start are left out, an end before the start becomes the start."""
    parts = list(base.batches(table, ints, times=times))
    found: Columns = {n: np.concatenate([p[n] for p in parts]) if parts else np.empty(0, np.int64) for n in ints}
    if times:
        keep = found["startNs"] != NULL
        found = {n: v[keep] for n, v in found.items()}
        found["endNs"] = np.maximum(found["endNs"], found["startNs"])
    return found


@dataclass(frozen=True)
class _Step:
    """A step with its span; the whole data when the file marks none."""

    name: str
    start: int
    end: int
    is_marked: bool = True


def _steps(base: Database) -> list[_Step]:
    found = [
        _Step(str(number), start, end)
        for number, start, end in base.rows("STEP_TIME", "id", "startNs", "endNs")
        if isinstance(start, int) and isinstance(end, int) and end > start
    ]
    return sorted(found, key=lambda s: s.start) or [_Step("0", -(2**62), 2**62, is_marked=False)]


def _add_step_times(
    base: Database, operators: _Operators, steps: list[_Step], rank: int, rows: Rows, *, is_framework: bool
) -> None:
    """Times of the steps from the tasks that compute and the operators that communicate, as the overlap analysis counts them."""
    info = _columns(base, "COMPUTE_TASK_INFO", ("globalTaskId",))
    tasks = _columns(base, "TASK", _COMPUTING, ("startNs", "endNs"))
    hit = (IdMap(info["globalTaskId"]).get(tasks["globalTaskId"]) >= 0) & (tasks["globalTaskId"] != NULL)
    computing = tasks["startNs"][hit], tasks["endNs"][hit]
    receives = np.array([name.lower().startswith(_RECEIVE) for name in operators.names], bool)
    parts = overlap(computing, (operators.start, operators.end))
    for step in steps:
        busy, talk, alone, free = (_clipped(p, step) for p in parts)
        bubble = _us(*_clipped((operators.start[receives], operators.end[receives]), step))
        first = min((int(s[0][0]) for s in (busy, talk) if len(s[0])), default=None)
        if first is None:
            continue
        values = [_us(*busy), _us(*alone), _us(*talk), _us(*free)]
        not_overlapped = values[1]
        stage = values[0] + not_overlapped + values[3] - bubble
        is_marked = step.is_marked and is_framework
        rows["step"].append(
            (
                step.name, rank, values[0], not_overlapped, _us(*talk) - not_overlapped, values[2], values[3], stage,
                bubble, max(not_overlapped - bubble, 0.0) if is_marked else not_overlapped - bubble,
                (first - step.start) / 1000 if is_marked else 0.0,
            )
        )  # fmt: skip


def _clipped(spans: Spans, step: _Step) -> Spans:
    start, end = np.maximum(spans[0], step.start), np.minimum(spans[1], step.end)
    keep = end > start
    return start[keep], end[keep]


def _us(start: Ints, end: Ints) -> float:
    return float((end - start).sum()) / 1000


@dataclass
class _Tasks:
    """Tasks of the operators by operator, then start; `op` is the place of the operator.

    `across` are transits that leave the card. Lists are of what is asked for task by task.
    """

    op: Ints
    plane: Ints
    start: Ints
    end: Ints
    size: Ints
    src: list[int]
    dst: list[int]
    transport: list[str]
    mb: list[float]
    ms: list[float]
    is_transit: npt.NDArray[np.bool_]
    across: npt.NDArray[np.bool_]
    is_wait: npt.NDArray[np.bool_]
    is_payload: npt.NDArray[np.bool_]


def _tasks(base: Database, operators: _Operators) -> _Tasks:
    info = _columns(base, "COMMUNICATION_TASK_INFO", (*_TASK, "name"))
    times = _columns(base, "TASK", ("globalTaskId", "startNs", "endNs"), ("startNs", "endNs"))
    key = info["opId"] if base.has("COMMUNICATION_OP", "opId") else info["name"]
    op, task = IdMap(operators.ids).get(key), IdMap(times["globalTaskId"]).get(info["globalTaskId"])
    keep = (op >= 0) & (task >= 0)
    info, op, task = {n: v[keep] for n, v in info.items()}, op[keep], task[keep]
    start, end = times["startNs"][task], times["endNs"][task]
    order = np.lexsort((start, op))
    names = np.array(Texts(base).of(info["taskType"]).to_pylist(), object)[order]
    links = enumeration(base, "ENUM_HCCL_LINK_TYPE")
    link = [links.get(number, "") for number in info["linkType"][order].tolist()]
    transport = ["LOCAL" if name == _ON_CHIP else _LINKS.get(name, "SDMA") for name in link]
    is_transit = np.isin(names, _TRANSIT)
    across = is_transit & np.array([name != _ON_CHIP for name in link], np.bool_)
    payload = _numbers_of(enumeration(base, "ENUM_HCCL_RDMA_TYPE"), _PAYLOAD)
    size = np.maximum(np.where(info["size"] == NULL, 0, info["size"]), 0)
    return _Tasks(
        np.asarray(op, np.int64)[order], info["planeId"][order], start[order], end[order], size[order],
        info["srcRank"][order].tolist(), info["dstRank"][order].tolist(), transport, (size[order] / 1e6).tolist(),
        ((end - start)[order] / 1e6).tolist(), is_transit, across, names == _WAIT,
        np.isin(info["rdmaType"], payload)[order],
    )  # fmt: skip


def _numbers_of(names: dict[int, str], wanted: str) -> list[int]:
    return [number for number, name in names.items() if name == wanted]


def _add_operators(base: Database, operators: _Operators, steps: list[_Step], rank: int, rows: Rows) -> None:
    tasks = _tasks(base, operators)
    edges = np.searchsorted(tasks.op, np.arange(len(operators) + 1))
    links: dict[tuple[str, str, str, str, int, int], list[tuple[float, str, float, float, str]]] = {}
    for at in range(len(operators)):
        step = next((s for s in steps if s.start <= operators.start[at] <= s.end), None)
        if step is None:
            continue
        head = (step.name, rank, operators.names[at])
        tail = (operators.kind(at), operators.groups[at])
        of = slice(int(edges[at]), int(edges[at + 1]))
        runs = _payload_runs(tasks, of, _CLOSING_P2P if tail[0] == "p2p" else _CLOSING)
        elapse = (int(operators.end[at]) - int(operators.start[at])) / 1e6
        transit, wait, sync = _times(tasks, of, runs)
        idle = max(elapse - transit - wait, 0.0)
        rows["time"].append((*head, int(operators.start[at]), elapse, transit, sync, wait, idle, *tail))
        _add_bandwidth(tasks, of, runs, head, tail, rows)
        for (src, dst), (size, time, transport) in _op_links(tasks, of, runs).items():
            key = (step.name, *tail, link_type(operators.names[at]), src, dst)
            speed = round(size / time, 4) if time else 0.0
            links.setdefault(key, []).append((speed, operators.names[at], size, time, transport))
    _add_matrix(links, rank, rows)


Runs = list[tuple[int, int, int]]  # first payload, last payload, last closing task: places in the tasks


def _payload_runs(tasks: _Tasks, of: slice, closing: int) -> Runs:
    """Consecutive RDMA payloads on one plane with the tasks that close them."""
    payload = np.flatnonzero(tasks.is_payload[of]) + of.start
    found: Runs = []
    for plane in np.unique(tasks.plane[payload]).tolist():
        mine = np.flatnonzero(tasks.plane[of] == plane) + of.start
        flags = tasks.is_payload[mine]
        i = 0
        while i < len(mine):
            if not flags[i]:
                i += 1
                continue
            j = i
            while j + 1 < len(mine) and flags[j + 1]:
                j += 1
            last = min(j + closing, len(mine) - 1)
            found.append((int(mine[i]), int(mine[j]), int(mine[last])))
            i = last + 1
    return found


def _times(tasks: _Tasks, of: slice, runs: Runs) -> tuple[float, float, float]:
    """Transit, wait and synchronization in ms, of the plane that leads: the lowest one that does more than copy inside the card."""
    plane = tasks.plane[of]
    if not len(plane):
        return 0.0, 0.0, 0.0
    across = tasks.across[of]
    beyond = across | tasks.is_wait[of] | tasks.is_payload[of]
    leading = int(plane[beyond].min()) if beyond.any() else int(plane.min())
    mine = plane == leading
    start, length = tasks.start[of], tasks.end[of] - tasks.start[of]
    transit = int(length[mine & across].sum())
    first = int(start[mine & across].min()) if (mine & across).any() else None
    waits = mine & tasks.is_wait[of]
    for begin, _, last in runs:
        if int(tasks.plane[begin]) == leading:
            span = int(tasks.start[begin]), int(tasks.end[last])
            transit += span[1] - span[0]
            first = span[0] if first is None else min(first, span[0])
            waits &= ~((start >= span[0]) & (start <= span[1]))
    wait = int(length[waits].sum())
    sync = wait if first is None else int(length[waits & (start < first)].sum())
    return transit / 1e6, wait / 1e6, sync / 1e6


def _add_bandwidth(
    tasks: _Tasks, of: slice, runs: Runs, head: tuple[Any, ...], tail: tuple[str, str], rows: Rows
) -> None:
    """Rows of the five transports and their packets; SDMA sums up all but RDMA."""
    sizes = dict.fromkeys(TRANSPORTS, 0.0)
    times = dict.fromkeys(TRANSPORTS, 0.0)
    packets: dict[str, dict[float, list[float]]] = {t: {} for t in TRANSPORTS}
    for transport, size, time in _transfers(tasks, of, runs):
        sizes[transport] += size
        times[transport] += time
        packet = packets[transport].setdefault(size, [0, 0.0])
        packet[0] += 1
        packet[1] += time
    for total in (sizes, times):
        total["SDMA"] += total["HCCS"] + total["PCIE"] + total["SIO"]
    for transport in TRANSPORTS:
        size, time = sizes[transport], times[transport]
        speed = round(size / time, 4) if time else 0.0
        count = sum(n for n, _ in packets[transport].values())
        large = sum(n for s, (n, _) in packets[transport].items() if s > LARGE_MB.get(transport, np.inf))
        rows["bandwidth"].append((*head, transport, size, time, speed, large / count if count else 0.0, *tail))
        if transport != "SDMA":
            rows["packet"] += [(*head, transport, s, int(n), t, *tail) for s, (n, t) in packets[transport].items()]


def _transfers(tasks: _Tasks, of: slice, runs: Runs) -> Iterator[tuple[str, float, float]]:
    """Transport, MB and ms of everything that leaves the card."""
    for i in (np.flatnonzero(tasks.across[of]) + of.start).tolist():
        yield tasks.transport[i], tasks.mb[i], tasks.ms[i]
    for begin, end, last in runs:
        plane = tasks.plane[begin : end + 1] == tasks.plane[begin]
        moved = int(tasks.size[begin : end + 1][plane & tasks.is_payload[begin : end + 1]].sum()) / 1e6
        yield "RDMA", moved, int(tasks.end[last] - tasks.start[begin]) / 1e6


def _op_links(tasks: _Tasks, of: slice, runs: Runs) -> dict[tuple[int, int], tuple[float, float, str]]:
    """MB, ms and transport of each link of an operator, by local numbers of sender and receiver."""
    found: dict[tuple[int, int], tuple[float, float, str]] = {}

    def add(at: int, size: float, time: float, transport: str) -> None:
        src, dst = tasks.src[at], tasks.dst[at]
        if not 0 <= src < NONE32:
            return
        dst = dst if 0 <= dst < NONE32 else src
        old = found.get((src, dst), (0.0, 0.0, transport))
        found[src, dst] = old[0] + size, old[1] + time, old[2]

    for i in (np.flatnonzero(tasks.is_transit[of]) + of.start).tolist():
        add(i, tasks.mb[i], tasks.ms[i], tasks.transport[i])
    for begin, end, last in runs:
        mine = (tasks.plane[begin : end + 1] == tasks.plane[begin]) & tasks.is_payload[begin : end + 1]
        moved = int(tasks.size[begin : end + 1][mine].sum()) / 1e6
        add(begin, moved, int(tasks.end[last] - tasks.start[begin]) / 1e6, "RDMA")
    return found


def _add_matrix(
    links: dict[tuple[str, str, str, str, int, int], list[tuple[float, str, float, float, str]]], rank: int, rows: Rows
) -> None:
    """The best, middle and worst operators of each link by bandwidth, and their sum."""
    for (step, kind, group, of_type, src, dst), operators in links.items():
        ordered = sorted(operators, key=lambda o: -o[0])
        chosen = {"top1": ordered[0], "middle": ordered[len(ordered) // 2], "bottom1": ordered[-1]}
        for back in (2, 3):
            if len(ordered) >= back:
                chosen[f"bottom{back}"] = ordered[-back]
        for sort, (_, name, size, time, transport) in chosen.items():
            rows["link"].append((step, rank, f"{of_type}-{sort}", src, dst, transport, name, size, time, kind, group))
        whole = (sum(o[2] for o in ordered), sum(o[3] for o in ordered))
        rows["link"].append((step, rank, f"{of_type}-total", src, dst, operators[0][4], "", *whole, kind, group))
