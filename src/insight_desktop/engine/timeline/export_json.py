"""Events of the Chrome trace format as text. Times are µs with three decimals, written from whole ns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

import numpy as np

from insight_desktop import schema
from insight_desktop.engine.capture import Array, Capture

_PYTHON = "python_function"  # the category that readers take for a frame of a Python stack


class Names:
    """Process and thread ids of the lanes in the file: as in the source, apart where lanes would fall together."""

    def __init__(self, tracks: list[dict[str, Any]], used: list[int]) -> None:
        self._tracks = tracks
        self.pid: dict[int, str] = {}
        self.tid: dict[int, str] = {}
        self._metadata: list[dict[str, Any]] = []
        self._named: set[tuple[str, str]] = set()
        processes: dict[tuple[str, str], str] = {}
        owner: dict[tuple[str, str], int] = {}
        for track in used:
            row = tracks[track]
            pid = self._process(row, processes)
            tid, title = row["tid"], row["thread"]
            if row["role"] not in (schema.ROLE_PYTHON_STACK, schema.ROLE_ASYNC):
                if (pid, tid) in owner:
                    tid = title = _apart(f"{tid} {row['lane']}", {t for p, t in owner if p == pid})
                owner[pid, tid] = track
            self.pid[track], self.tid[track] = number(pid), number(tid)
            if title != row["tid"] and (pid, tid) not in self._named:
                self._named.add((pid, tid))
                self._meta("thread_name", pid, tid, {"name": title})
                if row["thread_sort"] is not None:
                    self._meta("thread_sort_index", pid, tid, {"sort_index": row["thread_sort"]})

    def role(self, track: int) -> str:
        """Role of a lane."""
        return str(self._tracks[track]["role"])

    def metadata(self) -> Iterator[str]:
        """Events that name processes and threads."""
        for event in self._metadata:
            yield json.dumps(event, ensure_ascii=False)

    def _process(self, row: dict[str, Any], known: dict[tuple[str, str], str]) -> str:
        key = row["pid"], row["process"]
        if key in known:
            return known[key]
        pid = row["pid"] if row["pid"] not in known.values() else _apart(f"{key[0]} {key[1]}", set(known.values()))
        known[key] = pid
        if row["process"] != row["pid"]:
            self._meta("process_name", pid, "0", {"name": row["process"]})
        if row["process_label"]:
            self._meta("process_labels", pid, "0", {"labels": row["process_label"]})
        if row["process_sort"] is not None:
            self._meta("process_sort_index", pid, "0", {"sort_index": row["process_sort"]})
        return pid

    def _meta(self, name: str, pid: str, tid: str, args: dict[str, Any]) -> None:
        args = {k: int(v) if isinstance(v, float) and v.is_integer() else v for k, v in args.items()}
        event = {"ph": "M", "name": name, "pid": json.loads(number(pid)), "tid": json.loads(number(tid)), "args": args}
        self._metadata.append(event)


class Pieces:
    """Writes events with commas between them, many at a time."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._separator = "\n"

    def write(self, events: Iterable[str]) -> None:
        """Write events."""
        found = iter(events)
        while some := list(islice(found, 10_000)):
            text = self._separator + ",\n".join(some)
            self._out.write(text.encode("utf-8", "surrogatepass"))
            self._separator = ",\n"


def head(facts: dict[str, Any]) -> bytes:
    """Beginning of the file, up to the first event."""
    told = json.dumps(facts, ensure_ascii=False)
    return f'{{"displayTimeUnit": "ns", "otherData": {told}, "traceEvents": ['.encode()


def events(
    names: Names, capture: Capture, track: Array, ids: Array, start: Array, end: Array, name: Array, category: Array,
    flags: Array, args: list[str | None], slices: int,
) -> Iterator[str]:  # fmt: skip
    """Slices (the first `slices` rows) and instants; asynchronous ones as pairs of begin and end."""
    texts = {int(i): json.dumps(capture.text(int(i)), ensure_ascii=False) for i in np.unique(np.append(name, category))}
    columns = zip(
        track.tolist(), ids.tolist(), start.tolist(), end.tolist(), name.tolist(), category.tolist(), flags.tolist(), args,
        strict=True,
    )  # fmt: skip
    for row, (lane, slice_id, begin, stop, title, kind, flag, details) in enumerate(columns):
        cat = f',"cat":{texts[kind]}' if kind >= 0 else ""
        if names.role(lane) == schema.ROLE_PYTHON_STACK and texts[kind] != f'"{_PYTHON}"':
            cat = f',"cat":"{_PYTHON}"'
        place = f'"name":{texts[title]},"pid":{names.pid[lane]},"tid":{names.tid[lane]}{cat},"ts":{us(begin)}'
        more = f',"args":{details}' if details else ""
        if row >= slices:
            yield f'{{"ph":"i","s":"t",{place}{more}}}'
        elif flag & schema.ASYNC:
            yield f'{{"ph":"b","id":{slice_id},{place}{more}}}'
            closing = place.removesuffix(us(begin)) + us(stop)
            yield f'{{"ph":"e","id":{slice_id},{closing}}}'
        else:
            yield f'{{"ph":"X",{place},"dur":{us(stop - begin)}{more}}}'


def flows(names: Names, capture: Capture, track: Array, ids: Array, start: Array) -> tuple[int, Iterator[str]]:
    """Links whose both ends are written, and how many: one start per source, one end per target.

    A link is left out where a reader would bind it to another slice: when an end is not the first of the slices of its
    thread that begin at that time.
    """
    sources, targets = np.asarray(capture.link_from), np.asarray(capture.link_to)
    order = np.argsort(ids)
    place = np.full(len(capture.slice_start), -1, np.int64)
    place[ids] = np.arange(len(ids))
    first = _first_at_their_time(names, track, ids, start, order)
    ends = place[sources], place[targets]
    held = np.flatnonzero((ends[0] >= 0) & (ends[1] >= 0))
    held = held[first[ends[0][held]] & first[ends[1][held]]]
    return len(held), _flow_texts(names, capture, held, (ends[0][held], ends[1][held]), track, start)


def counters(line: dict[str, Any], stamps: list[int], values: list[float]) -> Iterator[str]:
    """Values of one counter series."""
    name = json.dumps(line["counter"], ensure_ascii=False)
    series = json.dumps(line["series"], ensure_ascii=False)
    pid = number(line["pid"])
    for stamp, value in zip(stamps, values, strict=True):
        shown = repr(int(value)) if value.is_integer() else repr(value)
        yield f'{{"ph":"C","name":{name},"pid":{pid},"tid":0,"ts":{us(stamp)},"args":{{{series}:{shown}}}}}'


def us(ns: int) -> str:
    """ns as µs with three decimals."""
    whole, rest = divmod(abs(ns), 1000)
    return f"{'-' if ns < 0 else ''}{whole}.{rest:03d}"


def number(text: str) -> str:
    """An id as JSON: a number where the text is one, otherwise a text."""
    return text if re.fullmatch(r"0|-?[1-9]\d{0,18}", text) else json.dumps(text, ensure_ascii=False)


def _apart(text: str, taken: set[str]) -> str:
    count, found = 1, text
    while found in taken:
        count += 1
        found = f"{text} #{count}"
    return found


def _first_at_their_time(names: Names, track: Array, ids: Array, start: Array, order: Array) -> Array:
    """Which slices come first in the file among those of their thread that begin at one time."""
    threads: dict[tuple[str, str], int] = {}
    most = int(track.max()) + 1 if len(track) else 0
    of_track = np.full(most, -1, np.int64)
    for one in np.unique(track).tolist():
        if names.role(one) not in (schema.ROLE_PYTHON_STACK, schema.ROLE_ASYNC):
            of_track[one] = threads.setdefault((names.pid[one], names.tid[one]), len(threads))
    thread = of_track[track]
    begins = start[: len(ids)]
    sorted_rows = order[np.lexsort((begins[order], thread[order]))]
    new = np.ones(len(ids), np.bool_)
    a, b = sorted_rows[1:], sorted_rows[:-1]
    new[1:] = (thread[a] != thread[b]) | (begins[a] != begins[b])
    out = np.zeros(len(ids), np.bool_)
    out[sorted_rows] = new
    return out & (thread >= 0)


def _flow_texts(
    names: Names, capture: Capture, held: Array, ends: tuple[Array, Array], track: Array, start: Array
) -> Iterator[str]:
    begun: set[tuple[int, int, int]] = set()
    kinds, numbers = np.asarray(capture.link_category)[held], np.asarray(capture.link_id)[held]
    for kind, own, source, target in zip(kinds.tolist(), numbers.tolist(), *(e.tolist() for e in ends), strict=True):
        cat = json.dumps(capture.text(kind), ensure_ascii=False)
        link = own if own >= 0 else json.dumps(capture.link_text(own), ensure_ascii=False)
        for phase, at in (("s", source), ("f", target)):
            if phase == "s" and (kind, own, at) in begun:
                continue
            begun.add((kind, own, source))
            lane = int(track[at])
            enclosing = ',"bp":"e"' if phase == "f" else ""
            yield (
                f'{{"ph":"{phase}","id":{link},"name":{cat},"cat":{cat},"pid":{names.pid[lane]},'
                f'"tid":{names.tid[lane]},"ts":{us(int(start[at]))}{enclosing}}}'
            )
