"""Chains of requests: the points that a request leaves on its way become links between the slices they belong to.

The collector writes one point per request at the start of every event that lists it. Its marks for begin and end are
wrong for requests that share their last batch, so the order in time decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop import schema

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


class Chains:
    """Collects slices and points while a source is read; `links` joins them at the end."""

    def __init__(self) -> None:
        self._slices: list[tuple[Array, Array]] = []
        self._points: list[tuple[Array, Array, Array]] = []

    def add_slices(self, track: Array, start: Array) -> None:
        """Slices in the order of their serials: track ids and starts in ns."""
        self._slices.append((np.asarray(track, np.int32), np.asarray(start, np.int64)))

    def add_points(self, track: Array, ts: Array, request: Array) -> None:
        """Points: track ids, times in ns, string ids of the requests."""
        self._points.append((np.asarray(track, np.int32), np.asarray(ts, np.int64), np.asarray(request, np.int32)))

    def rename(self, to: Array) -> None:
        """Give every request another string id: to[old] is the new one."""
        self._points = [(track, ts, to[request]) for track, ts, request in self._points]

    def links(self) -> pa.RecordBatch | None:
        """Links between consecutive slices of each request; None when there are none."""
        if not self._points or not self._slices:
            return None
        track, start = (np.concatenate(part) for part in zip(*self._slices, strict=True))
        on, ts, request = (np.concatenate(part) for part in zip(*self._points, strict=True))
        serial = _slices_at(track, start, on, ts, request)
        whole = serial >= 0
        serial, ts, request = serial[whole], ts[whole], request[whole]
        order = np.lexsort((serial, ts, request))
        serial, request = serial[order], request[order]
        same = request[1:] == request[:-1]
        if not same.any():
            return None
        of = request[:-1][same]
        return schema.batch(
            "link",
            category=of,
            id=-1 - of.astype(np.int64),
            from_serial=serial[:-1][same],
            to_serial=serial[1:][same],
        )


def _slices_at(track: Array, start: Array, on: Array, ts: Array, request: Array) -> I64:
    """Serial of the slice that begins at each point, -1 where none does.

    Where several begin at one place and time, as many points as slices share them in their order; else the n-th point
    of a request gets the n-th slice.
    """
    times = np.unique(start)
    width = len(times) + 1
    key = track.astype(np.int64) * width + np.searchsorted(times, start)
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]
    at = np.searchsorted(times, ts)
    known = (at < len(times)) & (times[np.minimum(at, len(times) - 1)] == ts)
    wanted = np.where(known, on.astype(np.int64) * width + at, -1)
    low = np.searchsorted(sorted_key, wanted, "left")
    count = np.searchsorted(sorted_key, wanted, "right") - low
    place = low.copy()
    several = np.flatnonzero(count > 1)
    if len(several):
        by_place = _nth(wanted[several], np.zeros(len(several), np.int64))
        by_request = _nth(wanted[several], request[several].astype(np.int64))
        points = np.bincount(np.unique(wanted[several], return_inverse=True)[1])
        shared = points[np.unique(wanted[several], return_inverse=True)[1]] == count[several]
        number = np.where(shared, by_place, by_request)
        place[several] += np.minimum(number, count[several] - 1)
    out = np.full(len(ts), -1, np.int64)
    found = count > 0
    out[found] = order[place[found]]
    return out


def _nth(a: Array, b: Array) -> I64:
    """Running number of every row among those with equal (a, b), in their order."""
    order = np.lexsort((b, a))
    first = np.r_[True, (a[order][1:] != a[order][:-1]) | (b[order][1:] != b[order][:-1])]
    begin = np.maximum.accumulate(np.where(first, np.arange(len(a)), 0))
    out = np.empty(len(a), np.int64)
    out[order] = np.arange(len(a)) - begin
    return out


def as_service(stream: Iterator[tuple[str, pa.RecordBatch]]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """A JSON trace as the database of the same run shows it.

    Instants become slices without length, so that chains can lead to them; what is left of chains with one point
    (events called `flow_…` without details) is dropped; the points of the chains become links.
    """
    chains = Chains()
    strings: list[str] = []
    flows: list[pa.RecordBatch] = []
    held: list[tuple[str, pa.RecordBatch]] = []  # slices whose names are not known yet
    for table, batch in stream:
        if table == "instant":
            table, batch = "slice", _as_slices(batch)
        if table == "flow":
            flows.append(batch)
        elif table == "slice":
            bare = np.asarray(batch.column("args_len")) == 0
            if bare.any():
                held.append((table, batch.filter(pa.array(bare))))
                batch = batch.filter(pa.array(~bare))
            if batch.num_rows:
                chains.add_slices(batch.column("track").to_numpy(), batch.column("start_ns").to_numpy())
                yield table, batch
        elif table in ("string", "track", "series"):
            if table == "string":
                strings += batch.column(0).to_pylist()
            held.append((table, batch))
        else:
            yield table, batch
    leftover = np.array([s.startswith("flow_") for s in strings], bool)
    for table, batch in held:
        if table == "slice":
            names = batch.column("name").to_numpy()
            batch = batch.filter(pa.array(~leftover[names] if len(leftover) else np.ones(len(names), bool)))
            chains.add_slices(batch.column("track").to_numpy(), batch.column("start_ns").to_numpy())
            yield table, batch
    for batch in flows:
        rest = _points(batch, chains, strings)
        if rest is not None and rest.num_rows:
            yield "flow", rest
    links = chains.links()
    if links is not None:
        yield "link", links
    yield from ((table, batch) for table, batch in held if table != "slice")


def _points(batch: pa.RecordBatch, chains: Chains, strings: list[str]) -> pa.RecordBatch | None:
    """Take the points of requests (id and category are one text); returns the ordinary ends of links."""
    category, number = batch.column("category").to_numpy(), batch.column("id").to_numpy()
    texts = {int(c): strings[c] if 0 <= c < len(strings) else "" for c in np.unique(category)}
    plain = {c: int(t) if t.isascii() and t.isdigit() and len(t) < 19 and str(int(t)) == t else None for c, t in texts.items()}  # fmt: skip
    as_number = np.array([-1 - c if plain[c] is None else plain[c] for c in category.tolist()], np.int64)
    mine = as_number == number
    chosen = batch.filter(pa.array(mine))
    chains.add_points(
        chosen.column("track").to_numpy(), chosen.column("ts_ns").to_numpy(), chosen.column("category").to_numpy()
    )
    return batch.filter(pa.array(~mine))


def _as_slices(batch: pa.RecordBatch) -> pa.RecordBatch:
    ts = batch.column("ts_ns")
    return schema.batch(
        "slice",
        track=batch.column("track"),
        start_ns=ts,
        end_ns=ts,
        name=batch.column("name"),
        category=batch.column("category"),
        flags=np.zeros(batch.num_rows, np.uint8),
        args_at=batch.column("args_at"),
        args_len=batch.column("args_len"),
        group=np.full(batch.num_rows, -1, np.int32),
    )
