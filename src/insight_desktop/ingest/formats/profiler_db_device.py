"""Device lanes of a profiler database: streams, communication groups and planes, CCU, Overlap Analysis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.profiler_db_ids import IdMap, Keys
from insight_desktop.ingest.formats.profiler_db_links import is_connection
from insight_desktop.ingest.formats.profiler_db_overlap import Spans, overlap
from insight_desktop.ingest.formats.profiler_db_rows import TIMES, Rows, devices_of
from insight_desktop.ingest.formats.profiler_db_tables import NONE32, NULL, Columns, Ints

Stream = Iterator[tuple[str, pa.RecordBatch]]

OVERLAP_LANES = ("Computing", "Communication", "Communication(Not Overlapped)", "Free")


@dataclass
class _Lookup:
    """A table keyed by one column, wholly in memory."""

    index: IdMap
    columns: Columns
    used: npt.NDArray[np.bool_]

    def take(self, column: str, at: npt.NDArray[Any]) -> Ints:
        """Values at the positions that `index` gave; NULL where the key is unknown."""
        values = self.columns[column]
        return np.where(at >= 0, values[at], NULL) if len(values) else np.full(len(at), NULL, np.int64)


def _lookup(rows: Rows, table: str, key: str, columns: tuple[str, ...]) -> _Lookup:
    """A table by a key that should not repeat; rows without a key are left out."""
    found = _columns(rows, table, key, columns, counted=True)
    keep = found[key] != NULL
    index = IdMap(found[key][keep])
    repeated = int(keep.sum()) - len(index)
    if repeated:
        rows.report.issue(
            "profiler_db.repeated_key", "info", f"{rows.database.file.path.name}, table {table}",
            f"Rows of {table} repeat a {key}; the first of each is used.", count=repeated,
        )  # fmt: skip
    return _Lookup(index, {name: found[name][keep] for name in columns}, np.zeros(int(keep.sum()), bool))


def _columns(rows: Rows, table: str, key: str, columns: tuple[str, ...], *, counted: bool) -> Columns:
    parts: list[Columns] = []
    if rows.database.has(table, key):
        ints = (key, *(column for column in columns if column != "at"))
        for batch in rows.database.batches(table, ints, counted=counted):
            parts.append({name: batch[name] for name in (key, *columns)})
    empty = np.empty(0, np.int64)
    return {name: np.concatenate([empty, *(part[name] for part in parts)]) for name in (key, *columns)}


class DeviceReader:
    """Reads the device side; call `read`, then `overlap`."""

    def __init__(self, rows: Rows, default_device: int) -> None:
        self._rows = rows
        self._default = default_device
        self._compute: dict[int, list[Spans]] = {}
        self._operators: dict[int, list[Spans]] = {}
        self._task_devices: list[int] = []
        self._elsewhere: list[tuple[Ints, Ints]] = []  # connections of tasks that are not on the first device
        overlap_table = rows.database.tables.get("OVERLAP_ANALYSIS")
        self._recorded = overlap_table is not None and bool(
            rows.database.first(f"SELECT 1 FROM {overlap_table.quoted} LIMIT 1")
        )
        self._streams = Keys(self._stream, 3)
        self._planes = Keys(self._plane, 3)
        self._groups = Keys(self._group, 2)

    def read(self) -> Stream:
        """Slices of TASK, COMMUNICATION_TASK_INFO, COMMUNICATION_OP and CCU."""
        yield from self._tasks()
        yield from self._communication_operators()
        yield from self._ccu()

    def _tasks(self) -> Stream:
        rows = self._rows
        if not rows.readable("TASK"):
            return
        compute = _lookup(rows, "COMPUTE_TASK_INFO", "globalTaskId", ("name",))
        schedule = _lookup(rows, "COMMUNICATION_SCHEDULE_TASK_INFO", "globalTaskId", ("name",))
        plane = _lookup(rows, "COMMUNICATION_TASK_INFO", "globalTaskId", ("at", "groupName", "planeId", "taskType"))
        marks = self._marks()
        columns = (*TIMES, "deviceId", "connectionId", "globalTaskId", "taskType", "streamId")
        for raw in rows.database.batches("TASK", columns, times=TIMES):
            found, flags = rows.clean("TASK", raw)
            device, connection, task = devices_of(found["deviceId"]), found["connectionId"], found["globalTaskId"]
            at = compute.index.get(task)
            name = compute.take("name", at)
            for other in (schedule.take("name", schedule.index.get(task)), found["taskType"]):
                name = np.where(name == NULL, other, name) if (name == NULL).any() else name
            mark = np.where(is_connection(connection), marks.index.get(connection), -1)
            marked = mark >= 0
            name = np.where(marked, marks.take("message", mark), name)
            domain = np.where(marked, marks.take("domainId", mark), -1)
            stream = np.where(found["streamId"] == NULL, NONE32, found["streamId"])
            track = self._streams.of(device, stream, domain)
            serial, batch = rows.slices("TASK", track, found, flags, rows.names.numbers(name))
            yield batch
            self._remember(found, device, serial, at >= 0, marked)
            yield from self._plane_slices(plane, found, flags, device)
        stray = int((~plane.used).sum())
        if stray:
            rows.report.issue(
                "profiler_db.no_task", "info", f"{rows.database.file.path.name}, table COMMUNICATION_TASK_INFO",
                "Rows of COMMUNICATION_TASK_INFO without a TASK have no time and are not drawn.", count=stray,
            )  # fmt: skip

    def _marks(self) -> _Lookup:
        """Marks by connection: tasks with such a connection go to lanes of their own."""
        found = _columns(self._rows, "MSTX_EVENTS", "connectionId", ("message", "domainId"), counted=False)
        keep = is_connection(found["connectionId"])
        domain = np.where(found["domainId"] == NULL, NONE32, found["domainId"])[keep]
        columns = {"message": found["message"][keep], "domainId": domain}
        return _Lookup(IdMap(found["connectionId"][keep]), columns, np.zeros(len(domain), bool))

    def _remember(
        self, found: Columns, device: Ints, serial: Ints, compute: npt.NDArray[np.bool_], marked: npt.NDArray[np.bool_]
    ) -> None:
        """Keep what links, overlap and devices of operators need."""
        rows, start, connection = self._rows, found["startNs"], found["connectionId"]
        rows.ends.compute.add(connection[compute], serial[compute])
        rows.ends.mstx_tasks.add(connection[marked], serial[marked])
        for number in np.unique(device).tolist():
            here = device == number
            if number not in self._task_devices:
                self._task_devices.append(number)
            if number != self._task_devices[0]:
                self._elsewhere.append((connection[here], device[here]))
            if self._recorded:
                continue
            long = here & compute & (found["endNs"] > start)
            self._compute.setdefault(number, []).append((start[long], found["endNs"][long]))

    def _plane_slices(self, plane: _Lookup, found: Columns, flags: npt.NDArray[np.uint8], device: Ints) -> Stream:
        if not len(plane.index):
            return
        at = plane.index.get(found["globalTaskId"])
        plane.used[at[at >= 0]] = True
        here = (at >= 0) & (plane.take("planeId", at) != NONE32)
        if not here.any():
            return
        at = at[here]
        columns = {name: found[name][here] for name in TIMES} | {"at": plane.columns["at"][at]}
        track = self._planes.of(device[here], plane.columns["groupName"][at], plane.columns["planeId"][at])
        name = self._rows.names.numbers(plane.columns["taskType"][at])
        yield self._rows.slices("COMMUNICATION_TASK_INFO", track, columns, flags[here], name)[1]

    def _communication_operators(self) -> Stream:
        rows = self._rows
        if not rows.readable("COMMUNICATION_OP"):
            return
        own = rows.database.has("COMMUNICATION_OP", "deviceId")
        empty = np.empty(0, np.int64)
        elsewhere = IdMap(np.concatenate([empty, *(part[0] for part in self._elsewhere)]))
        devices = np.concatenate([empty, *(part[1] for part in self._elsewhere)])
        first = self._task_devices[0] if self._task_devices else self._default
        columns = (*TIMES, "opName", "connectionId", "groupName", "deviceId")
        for raw in rows.database.batches("COMMUNICATION_OP", columns, times=TIMES):
            found, flags = rows.clean("COMMUNICATION_OP", raw)
            device = devices_of(found["deviceId"]) if own else np.full(len(flags), -1, np.int64)
            at = elsewhere.get(found["connectionId"])
            guess = np.where(at >= 0, devices[at], first) if len(devices) else np.full(len(at), first, np.int64)
            device = np.where(device < 0, guess, device)
            track = self._groups.of(device, found["groupName"])
            serial, batch = rows.slices("COMMUNICATION_OP", track, found, flags, rows.names.numbers(found["opName"]))
            yield batch
            rows.ends.operators.add(found["connectionId"], serial)
            for number in np.unique(device).tolist():
                here = (device == number) & (found["endNs"] > found["startNs"])
                self._operators.setdefault(number, []).append((found["startNs"][here], found["endNs"][here]))

    def _ccu(self) -> Stream:
        rows = self._rows
        if not rows.readable("CCU"):
            return
        keys = Keys(
            lambda device: rows.device_track(
                "CCU",
                device,
                (),
                thread="communication",
                lane="communication",
                tid="communication",
                role=schema.ROLE_OTHER,
            ),
            1,
        )
        for raw in rows.database.batches("CCU", (*TIMES, "deviceId", "name"), times=TIMES):
            found, flags = rows.clean("CCU", raw)
            track = keys.of(devices_of(found["deviceId"]))
            yield rows.slices("CCU", track, found, flags, rows.names.numbers(found["name"]))[1]

    def overlap(self) -> Stream:
        """Slices of Overlap Analysis: as recorded, else computed per device."""
        rows = self._rows
        rows.report.facts["overlap"] = "recorded"
        sent = 0
        if rows.readable("OVERLAP_ANALYSIS"):
            keys = Keys(self._overlap_track, 2)
            for raw in rows.database.batches("OVERLAP_ANALYSIS", (*TIMES, "deviceId", "type"), times=TIMES):
                known = (raw["type"] >= 0) & (raw["type"] < len(OVERLAP_LANES))
                found, flags = rows.clean("OVERLAP_ANALYSIS", {name: values[known] for name, values in raw.items()})
                sent += len(flags)
                titles = np.array([rows.names.number(title) for title in OVERLAP_LANES], np.int32)
                track = keys.of(devices_of(found["deviceId"]), found["type"])
                yield rows.slices("", track, found, flags, titles[found["type"]])[1]
        if not sent:
            rows.report.facts["overlap"] = "computed"
            yield from self._computed_overlap()

    def _computed_overlap(self) -> Stream:
        rows, derived = self._rows, 0
        for device in sorted(self._compute.keys() | self._operators.keys()):
            parts = overlap(_joined(self._compute.get(device, [])), _joined(self._operators.get(device, [])))
            for kind, (start, end) in enumerate(parts):
                if not len(start):
                    continue
                track = np.full(len(start), self._overlap_track(device, kind), np.int32)
                name = np.full(len(start), rows.names.number(OVERLAP_LANES[kind]), np.int32)
                derived += len(start)
                yield rows.slices("", track, {"startNs": start, "endNs": end}, np.zeros(len(start), np.uint8), name)[1]
        rows.report.facts["derived_slices"] = derived

    def _stream(self, device: int, stream: int, domain: int) -> int:
        title = "Stream (none)" if stream == NONE32 else f"Stream {stream}"
        tid, role = ("(none)" if stream == NONE32 else str(stream)), schema.ROLE_STREAM
        if domain != -1:
            title += " MSTX" if domain == NONE32 else f" MSTX domain {self._rows.names.label(domain)}"
            tid, role = f"{tid}_{domain}", schema.ROLE_MSTX
        # Marked tasks come before the plain lane of their stream.
        order = (stream, domain == -1, domain)
        return self._rows.device_track("Ascend Hardware", device, order, thread=title, lane=title, tid=tid, role=role)

    def _group(self, device: int, group: int) -> int:
        return self._rows.device_track(
            "Communication", device, (group, -1), thread="", lane="", tid=str(group), role=schema.ROLE_GROUP
        )

    def _plane(self, device: int, group: int, plane: int) -> int:
        title = "Plane (none)" if plane == NULL else f"Plane {plane}"
        return self._rows.device_track(
            "Communication",
            device,
            (group, max(plane, 0)),
            thread=title,
            lane=title,
            tid=f"{group}_{plane}",
            role=schema.ROLE_PLANE,
        )

    def _overlap_track(self, device: int, kind: int) -> int:
        title = OVERLAP_LANES[kind]
        return self._rows.device_track(
            "Overlap Analysis", device, (kind,), thread=title, lane=title, tid=str(kind), role=schema.ROLE_OVERLAP
        )


def _joined(parts: list[Spans]) -> Spans:
    empty = np.empty(0, np.int64)
    return np.concatenate([empty, *(p[0] for p in parts)]), np.concatenate([empty, *(p[1] for p in parts)])
