"""Raw databases of a serving run, one per process: what the probes wrote, before any analysis.

New layout: a table slice whose `cat` is the domain and whose `args` are the attributes as JSON. Old layout: a table Mstx
whose messages are JSON with `^` for `"`. Processes are told apart by host and pid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import orjson
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.profiler_db_tables import NULL, Database
from insight_desktop.ingest.formats.service_json import object_of
from insight_desktop.ingest.formats.service_lanes import EXECUTE_DOMAINS, KV_DOMAINS, REQUEST_DOMAINS, lane_of
from insight_desktop.ingest.formats.service_rids import RequestNames, rids_of
from insight_desktop.ingest.formats.service_stream import Process, ServiceStream
from insight_desktop.ingest.open_files import decode_text
from insight_desktop.ingest.report import Report

Stream = Iterator[tuple[str, pa.RecordBatch]]
Event = tuple[int, int, str, str, dict[str, Any]]  # start, end, name, domain, attributes

_SLICE_ROWS = 100_000
_LATEST = 1 << 62  # ns; later times are damage
_FILE = re.compile(r"(?:ms_service|ascend_service_profiler)_(.+)-(\d+)\.db")
_KV_FREE = ("FreeBlocks=", "deviceBlock=")


def read(databases: list[Database], to: ServiceStream, report: Report) -> Stream:
    """Yield slices and counters of raw databases; lanes and chains go to `to`."""
    facts = [_Facts(database) for database in databases]
    hosts: dict[str, set[str]] = {}
    for fact in facts:
        hosts.setdefault(fact.pid, set()).add(fact.host)
    names = RequestNames()
    renames: dict[str, str] = {}
    used: dict[str, Counter[str]] = {}
    for fact in facts:
        pid = fact.pid if len(hosts[fact.pid]) < 2 else f"{fact.pid}@{fact.host}"
        label = fact.host + (f",dp{fact.dp}" if fact.dp else "")
        to.processes.setdefault(pid, Process("", label))
        reading = _Reading(fact.database, pid, fact.dp, to, report, names, renames)
        yield from reading.run()
        used.setdefault(pid, Counter()).update(reading.domains)
    _roles(to, used)
    _join_names(to, names, renames)


class _Facts:
    """Who wrote a raw database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        meta = {str(name): str(value) for name, value in database.rows("META", "name", "value") if value is not None}
        named = _FILE.fullmatch(database.file.path.name)
        self.host = meta.get("hostname") or (named[1] if named else "")
        self.pid = named[2] if named else str((database.first("SELECT pid FROM slice LIMIT 1") or ("0",))[0])
        dp = meta.get("dpRankId", "")
        self.dp = dp if dp.isdigit() else ""


class _Reading:
    """One raw database."""

    def __init__(
        self, database: Database, pid: str, dp: str, to: ServiceStream, report: Report,
        names: RequestNames, renames: dict[str, str],
    ) -> None:  # fmt: skip
        self._database, self._pid, self._dp, self._to, self._report = database, pid, dp, to, report
        self._names, self._renames = names, renames
        self.domains: Counter[str] = Counter()
        self._counter: tuple[list[int], list[int], list[float]] = ([], [], [])
        self._bad = self._untimed = 0

    def run(self) -> Stream:
        for events in self._blocks():
            timed = [event for event in events if all(abs(stamp) < _LATEST for stamp in event[0][:2])]
            self._untimed += len(events) - len(timed)
            yield from self._slices(timed)
        series, times, values = self._counter
        if series:
            self._report.add("counters", len(series))
            yield "counter", schema.batch("counter", series=series, ts_ns=times, value=values)
        if self._bad:
            self._report.issue(
                "service_raw.bad_attributes", "warning", self._database.file.path.name,
                "Attributes of events that are no JSON were left out; the events are kept.", count=self._bad,
            )  # fmt: skip
        if self._untimed:
            self._report.issue(
                "service_raw.bad_times", "warning", self._database.file.path.name,
                "Events whose times are beyond any clock were left out.", count=self._untimed,
            )  # fmt: skip

    def _blocks(self) -> Iterator[list[tuple[Event, str]]]:
        if self._database.has("MSTX", "message"):
            yield from self._old()
            return
        for batch in self._database.records(
            "SLICE", ("timestamp", "duration", "end_time"), ("name", "cat", "tid", "args")
        ):
            rows = zip(*(batch.column(i).to_pylist() for i in range(7)), strict=True)
            out = []
            for start, duration, end, name, domain, tid, text in rows:
                if start == NULL:
                    continue
                stop = start + duration if duration != NULL else (end if end != NULL else start)
                event = start, stop, decode_text(name), decode_text(domain), self._attributes(text)
                out.append((event, decode_text(tid)))
            for i in range(0, len(out), _SLICE_ROWS):
                yield out[i : i + _SLICE_ROWS]
        yield from self._device_tables()

    def _attributes(self, text: bytes) -> dict[str, Any]:
        if not text:
            return {}
        found = object_of(text)
        self._bad += found is None
        return found or {}

    def _old(self) -> Iterator[list[tuple[Event, str]]]:
        columns = ("message", "timestamp", "endTimestamp", "tid", "markId", "flag")
        out: list[tuple[Event, str]] = []
        open_at: dict[Any, tuple[int, str]] = {}
        for message, start, end, tid, mark, _ in self._database.rows("MSTX", *columns):
            text = str(message or "").replace("^", '"').strip().rstrip(",")
            if text and not text.startswith("{"):
                text = "{" + text
            if text and not text.endswith("}"):
                text += "}"
            found = self._attributes(text.encode("utf-8", "surrogatepass"))
            if not found or not isinstance(start, int):
                continue
            open_at.pop(mark, None)
            stop = end if isinstance(end, int) and end > 0 else start
            name, domain = str(found.pop("name", "")), str(found.pop("domain", ""))
            out.append(((start, stop, name, domain, found), str(tid)))
        yield out

    def _device_tables(self) -> Iterator[list[tuple[Event, str]]]:
        """Host calls and device kernels that the same process recorded."""
        for table, domain in (("API", "Api"), ("KERNEL", "Kernel")):
            info = self._database.tables.get(table)
            if info is None:
                continue
            start = next((c for c in ("start", "startns", "timestamp") if c in info.columns), "")
            end = next((c for c in ("end", "endns", "endtimestamp") if c in info.columns), "")
            thread = next((c for c in ("threadid", "tid", "streamid") if c in info.columns), "")
            if not start or not end:
                continue
            rows = self._database.rows(table, start, end, "name", thread or "tid")
            yield [
                ((a, b, str(name or "(no name)"), domain, {}), str(tid or 0))
                for a, b, name, tid in rows
                if isinstance(a, int) and isinstance(b, int)
            ]

    def _slices(self, events: list[tuple[Event, str]]) -> Stream:
        track, starts, ends, name_ids, texts = [], [], [], [], []
        on, at, requests = [], [], []
        for (start, end, name, domain, attributes), tid in events:
            if "from" in attributes and "to" in attributes:
                self._renames[str(attributes["from"])] = str(attributes["to"])
                continue
            if domain in KV_DOMAINS:
                self._sample(start, name, domain, attributes)
                continue
            lane = lane_of(domain, tid)
            if lane is None:
                continue
            self.domains[domain] += 1
            if "QueueSize=" in attributes and name == "Queue":
                scope = str(attributes.get("scope#QueueName") or attributes.get("status") or "")
                self._value(
                    start, f"{scope.capitalize()}Queue" if scope else "Queue", "Queue Size", attributes["QueueSize="]
                )
            if name == "npu" and "usage=" in attributes:
                self._value(start, "NPU Usage", "Usage", attributes["usage="], "1")
            number = self._to.track(self._pid, lane)
            rids = rids_of(attributes.get("rid"))
            self._names.see(name, rids)
            if rids:
                on += [number] * len(rids)
                at += [start] * len(rids)
                requests += [self._to.string(rid) for rid in rids]
            track.append(number)
            starts.append(start)
            ends.append(end)
            name_ids.append(self._to.string(name or "(no name)"))
            texts.append(orjson.dumps(attributes) if attributes else b"")
        if requests:
            self._to.chains.add_points(np.array(on), np.array(at), np.array(requests))
        yield from self._to.slices(
            np.array(track, np.int32), np.array(starts, np.int64), np.array(ends, np.int64), np.array(name_ids, np.int32),
            pa.array(texts, pa.binary()),
        )  # fmt: skip

    def _sample(self, ts: int, name: str, domain: str, attributes: dict[str, Any]) -> None:
        dp = str(attributes.get("scope#dp", self._dp))
        counter = domain + (f"-dp{dp}" if dp.isdigit() else "")
        free = next((attributes[key] for key in _KV_FREE if key in attributes), 0)
        total = attributes.get("TotalBlocks=")
        if total is None and "FreeBlocks=" not in attributes and domain == "Schedule.KVCache":
            free = 0  # a number of blocks that were returned, not of those that are free
        self._value(ts, counter, "Device Block", free)
        if total is not None:
            self._value(ts, counter, "Total Blocks", total)
        elif name == "Free" and domain == "KVCache":
            self._value(ts, counter, "Free Blocks", free)  # its highest value is the capacity

    def _value(self, ts: int, counter: str, key: str, value: Any, pid: str | None = None) -> None:
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            return
        series, times, values = self._counter
        series.append(self._to.series(pid or self._pid, counter, key))
        times.append(ts)
        values.append(number)


def _roles(to: ServiceStream, used: dict[str, Counter[str]]) -> None:
    """Names and order of the processes by what they did."""
    order = []
    for pid, domains in used.items():
        process = to.processes[pid]
        if not process.name:
            serves = any(domain in domains for domain in (*REQUEST_DOMAINS, "Schedule", "BatchSchedule"))
            runs = any(domain in domains for domain in EXECUTE_DOMAINS)
            process.name = "schedule" if serves else "forward" if runs else pid
        first = 0 if "Coordinator" in domains else 1 if process.name == "schedule" else 2
        order.append((first, process.label, pid))
    for number, (_, _, pid) in enumerate(sorted(order)):
        if to.processes[pid].sort is None:
            to.processes[pid].sort = float(number)


def _join_names(to: ServiceStream, names: RequestNames, renames: dict[str, str]) -> None:
    """Late names of requests lead to the same chain as the first ones."""
    texts = list(to.strings)
    shown = [names.canonical(_final(text, renames)) if names.knows(text) else text for text in texts]
    to.chains.rename(np.array([to.string(text) for text in shown] or [0], np.int32))


def _final(text: str, renames: dict[str, str]) -> str:
    seen: Iterable[str] = ()
    while text in renames and text not in seen:
        seen, text = (*seen, text), renames[text]
    return text
