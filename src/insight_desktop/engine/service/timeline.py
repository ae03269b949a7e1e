"""Named queries of serving runs on the Timeline: the events of a request, requests as lanes, kernels below a step."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.service import curve_derived, metrics, pages, slow
from insight_desktop.engine.service.model import NONE, Instance, opened
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument
from insight_desktop.ingest.formats.service_rids import canonical

I64 = npt.NDArray[np.int64]
_SUFFIX = re.compile(r"-[0-9a-fA-F]{8}$")
COUNTERS = ("Concurrency", "Queues", "KV usage", "Batch tokens")
SORTS = ("arrival", "e2e", "ttft", "queue", "name")  # orders of the requests as lanes
MOST_LANES = 2000  # requests that are shown as lanes without being asked for


def name_of(run: Instance, rid: str) -> str:
    """The name under which a run knows a request: events may add a suffix of eight digits, or zeros in front.

    Raises:
        BadArgument: there is no such request.
    """
    known = set(run.request.rid.tolist())
    short = _SUFFIX.sub("", rid)
    found = next((name for name in (rid, canonical(rid), short, canonical(short)) if name in known), None)
    if found is None:
        run.number_of(rid)
    return found or rid


def events(store: Store, *, rid: str, card: str | None = None) -> pa.Table:
    """The events of a request in order of time, as its links join them: id, ts_ns, dur_ns, name, lane.

    Raises:
        BadArgument: there is no such request.
    """
    chosen = store.card(card, "service").name
    capture = store.capture(chosen)
    ids = _linked(capture, name_of(opened(store, chosen), rid))
    start, end = np.asarray(capture.slice_start)[ids], np.asarray(capture.slice_end)[ids]
    titles = capture.tracks["lane"].to_pylist()
    tracks = np.asarray(capture.lane_track)[np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1]
    names = [capture.text(int(n)) for n in np.asarray(capture.slice_name)[ids]]
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()), "ts_ns": pa.array(start, pa.int64()), "dur_ns": pa.array(end - start, pa.int64()),
            "name": pa.array(names, pa.string()), "lane": pa.array([titles[int(t)] for t in tracks], pa.string()),
        }
    )  # fmt: skip


def lanes(store: Store, *, card: str | None = None, limit: int | None = None, sort: str = "arrival") -> pa.Table:
    """Requests as lanes: rid, part (of its waterfall), ts_ns, dur_ns, row, id (the request's first event in it, else null).

    By arrival requests take the first row that is free. In any other order each has a row of its own: the longest one
    first, those without the figure last, names by their numbers. One that has not ended lasts until its last event.

    Args:
        limit: no rows when there are more requests.
        sort: arrival, e2e, ttft, queue or name.

    Raises:
        BadArgument: there is no such order.
    """
    if sort not in SORTS:
        raise BadArgument(f"Requests cannot be sorted by {sort!r}.", fix=f"Use one of {', '.join(SORTS)}.")
    chosen = store.card(card, "service").name
    run = opened(store, chosen)
    kinds = pa.schema(
        [("rid", pa.string()), ("part", pa.string()), ("ts_ns", pa.int64()), ("dur_ns", pa.int64()), ("row", pa.int32()),
         ("id", pa.int64())]
    )  # fmt: skip
    r = run.request
    if limit is not None and len(r) > limit:
        return kinds.empty_table()
    begin = np.where(r.arrive_ns == NONE, r.first_event_ns, r.arrive_ns)
    known = np.flatnonzero(begin != NONE)
    order = _sorted(run, known[np.argsort(begin[known], kind="stable")], sort)
    chains = _chains(store.capture(chosen), [str(name) for name in r.rid.tolist()])
    starts = np.asarray(store.capture(chosen).slice_start)
    free: list[int] = []
    rows: list[dict[str, Any]] = []
    for number in order.tolist():
        parts = _segments(run, number, int(begin[number]))
        fits = (i for i, until in enumerate(free) if until <= parts[0][1]) if sort == "arrival" else iter(())
        row = next(fits, len(free))
        free[row : row + 1] = [max(end for _, _, end in parts)]
        ids = chains.get(str(r.rid[number]), _NO_IDS)
        stamps = starts[ids]
        for part, start, end in parts:
            if end == start and len(parts) > 1:
                continue
            at = int(np.searchsorted(stamps, start, "left"))
            number_of = int(ids[min(at, len(ids) - 1)]) if len(ids) else None
            rows.append(
                {"rid": r.rid[number], "part": part, "ts_ns": start, "dur_ns": end - start, "row": row, "id": number_of}
            )
    return pa.Table.from_pylist(rows, kinds)


def _sorted(run: Instance, rows: I64, sort: str) -> I64:
    """Requests in an order of `lanes`; they come by arrival."""
    if sort == "name":
        names = [_by_number(str(name)) for name in run.request.rid[rows].tolist()]
        return rows[np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)]
    if sort == "arrival":
        return rows
    values = np.asarray(metrics.of_requests(run, sort), np.float64)[rows]
    return rows[np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable")]


def _by_number(name: str) -> list[tuple[bool, int, str]]:
    """Sorts `r2` before `r10`."""
    pieces = [piece for piece in re.split(r"(\d+)", name) if piece]
    return [(not piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in pieces]


def counters(store: Store, *, card: str | None = None) -> pa.Table:
    """Counters that the events of a run give: counter, line, ts_ns, value; in order of time by line. Those without samples are
    left out."""
    run = opened(store, store.card(card, "service").name)
    kinds = [("counter", pa.string()), ("line", pa.string()), ("ts_ns", pa.int64()), ("value", pa.float64())]
    parts = [pa.schema(kinds).empty_table()]
    for name in COUNTERS:
        found = curve_derived.curve(run, name)
        for line in found.column_names[1:] if found.num_rows else ():
            if line == "total":
                continue  # the sum of the others
            values = pages.numbers(found[line])
            known = ~np.isnan(values)
            stamps = np.asarray(found["time"].to_numpy(), np.int64)[known]
            order = np.argsort(stamps, kind="stable")
            columns = [
                pa.repeat(name, len(order)), pa.repeat(line, len(order)), pa.array(stamps[order]), pa.array(values[known][order])
            ]  # fmt: skip
            parts.append(pa.table(columns, schema=pa.schema(kinds)))
    return pa.concat_tables(parts)


def kernels(store: Store, *, slice: int, card: str | None = None) -> pa.Table:
    """Traces of devices that ran during a slice of a serving run: card, start_ns, end_ns (the slice, inside the trace),
    same_process (the trace holds the process of the slice). Those of the same process come first.

    Args:
        slice: id of a slice, such as a forward pass.
    """
    chosen = store.card(card, "service").name
    capture = store.capture(chosen)
    if not 0 <= slice < len(capture.slice_start):
        raise BadArgument(f"There is no slice {slice}.", fix="Select a slice of the Timeline.")
    start, end = int(capture.slice_start[slice]), int(capture.slice_end[slice])
    pid = str(capture.tracks["pid"][int(capture.lane_track[capture.lane_of(slice)])].as_py())
    rows = []
    for other in store.cards_of("system"):
        m = store.capture(other.name).manifest
        low, high = max(start, m.start_ns), min(end, m.end_ns)
        if high > low:
            same = pid in set(store.capture(other.name).tracks["pid"].to_pylist())
            rows.append({"card": other.name, "start_ns": low, "end_ns": high, "same_process": same})
    rows.sort(key=lambda row: not row["same_process"])
    kinds = [("card", pa.string()), ("start_ns", pa.int64()), ("end_ns", pa.int64()), ("same_process", pa.bool_())]
    return pa.Table.from_pylist(rows, pa.schema(kinds))


_NO_IDS = np.zeros(0, np.int64)


def _segments(run: Instance, number: int, begin: int) -> list[tuple[str, int, int]]:
    """Parts of a request; one whose parts are not known is as long as its events."""
    found = slow.segments(run, number)
    last = int(run.request.last_event_ns[number])
    if not found:
        return [("unfinished", begin, max(begin, last))]
    end = found[-1][2]
    if run.request.done_ns[number] == NONE and last > end:
        found.append(("unfinished", end, last))
    return found


def _linked(capture: Capture, rid: str) -> I64:
    """Slices that the links of a request join, in order of time."""
    number = pc.index(capture.strings, pa.scalar(rid, capture.strings.type)).as_py()
    if number < 0:
        return _NO_IDS
    rows = np.flatnonzero(np.asarray(capture.link_category) == number)
    return _by_time(capture, np.concatenate([np.asarray(capture.link_from)[rows], np.asarray(capture.link_to)[rows]]))


def _by_time(capture: Capture, ids: npt.NDArray[Any]) -> I64:
    ids = np.unique(ids).astype(np.int64)
    return ids[np.argsort(np.asarray(capture.slice_start)[ids], kind="stable")]


def _chains(capture: Capture, rids: list[str]) -> dict[str, I64]:
    """Slices of every request in order of time."""
    kinds = np.asarray(capture.link_category)
    if not len(kinds):
        return {}
    order = np.argsort(kinds, kind="stable")
    found, at = np.unique(kinds[order], return_index=True)
    wanted = set(rids)
    out = {}
    source, target = np.asarray(capture.link_from), np.asarray(capture.link_to)
    for number, rows in zip(found.tolist(), np.split(order, at[1:]), strict=True):
        name = capture.text(int(number))
        if name in wanted:
            out[name] = _by_time(capture, np.concatenate([source[rows], target[rows]]))
    return out
