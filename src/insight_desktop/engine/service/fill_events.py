"""Events of a serving run by name, with what their details say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.service.fill_args import ITEM_NUMBERS, Attributes, Details, Requests, attributes
from insight_desktop.ingest.formats.service_lanes import domain_of, host_and_dp
from insight_desktop.ingest.formats.service_values import data_parallel
from insight_desktop.ingest.report import Report

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]

ARRIVAL = ("httpReq",)
EARLY = ("tokenize", "encode", "recvReq", "receiveReq")
QUEUES = ("Enqueue", "Dequeue", "Queue")
SCHEDULING = ("batchFrameworkProcessing", "BatchSchedule")
EXECUTION = ("modelExec", "Execute", "modelRunnerExec")
FORWARD = ("forward",)
ENDS = ("httpRes", "DecodeEnd", "PrefillEnd", "sendResponse")
OUTPUT = ("detokenize", "decode", "outputSync")
COMMUNICATION = ("sendReqToD", "sendReqToDSucc", "prefillRes", "decodeRes", "PullKVCache")
REQUEST_STATES = (
    "WAITING", "PENDING", "RUNNING", "RUNNING2", "SWAPPED", "RECOMPUTE", "SUSPENDED", "END", "STOP", "PREFILL_HOLD",
    "END_PRE", "STOP_PRE", "WAITING_PULL", "PULLING", "PULLED", "D2D_PULLING",
)  # fmt: skip
NAMES = (
    *ARRIVAL, *EARLY, *QUEUES, *SCHEDULING, *EXECUTION, *FORWARD, *ENDS, *OUTPUT, *COMMUNICATION, "HitCache", "specDecoding",
    *REQUEST_STATES,
)  # fmt: skip
FIRST_NAMES = ("httpReq", "tokenize")


@dataclass
class Lanes:
    """What a track is: by track id of the capture.

    Attributes:
        process: position in `pids`.
        domain: domain of the lane.
    """

    process: Array
    domain: list[str]
    pids: list[str]
    names: list[str]
    hosts: list[str]
    dp: list[int | None]


@dataclass
class Events:
    """All events of one name, or of several put together, in order of time.

    Attributes:
        id: ids of the slices.
        process: positions of the processes.
        start, end: ns.
        item_event, item_request: which event lists which request.
        items: numbers of the listed requests.
        texts, numbers: attributes.
        name: name of each event.
        domain: domain of the lane of each event.
    """

    id: I64
    process: Array
    start: I64
    end: I64
    name: Array
    domain: Array
    numbers: dict[str, Array]
    texts: dict[str, Array]
    item_event: I64
    item_request: Array
    items: dict[str, Array]

    def __len__(self) -> int:
        return len(self.id)

    @property
    def item_start(self) -> I64:
        return self.start[self.item_event]

    @property
    def item_end(self) -> I64:
        return self.end[self.item_event]

    @property
    def dp(self) -> Array:
        """Data parallel rank that the events tell; -1 none."""
        found = np.full(len(self), -1, np.int32)
        for key in ("dp_rank", "dp"):
            for i in np.flatnonzero(self.texts[key] != None).tolist():  # noqa: E711  (element by element)
                value = data_parallel(self.texts[key][i])
                if value is not None and found[i] < 0:
                    found[i] = value
        return found

    def take(self, keep: Array) -> Events:
        """Those of a mask."""
        place = np.full(len(self), -1, np.int64)
        place[np.flatnonzero(keep)] = np.arange(int(keep.sum()))
        kept = keep[self.item_event]
        return Events(
            self.id[keep], self.process[keep], self.start[keep], self.end[keep], self.name[keep], self.domain[keep],
            {k: v[keep] for k, v in self.numbers.items()}, {k: v[keep] for k, v in self.texts.items()},
            place[self.item_event[kept]], self.item_request[kept], {k: v[kept] for k, v in self.items.items()},
        )  # fmt: skip


@dataclass
class Run:
    """A serving run as its events tell it."""

    lanes: Lanes
    groups: dict[str, Events]
    requests: Requests
    last_slice_ns: int
    first_ns: int
    bad_details: int = 0
    _joined: dict[tuple[str, ...], Events] = field(default_factory=dict)

    def events(self, *names: str) -> Events:
        """Events of these names, in order of time."""
        if names not in self._joined:
            self._joined[names] = _together([self.groups[n] for n in names if n in self.groups])
        return self._joined[names]


def read_run(capture: Capture, report: Report, *, bulk: bool | None = None) -> Run:
    """Find the events that tell a serving run, and what their details say."""
    lanes = _lanes(capture)
    ids = _ids_of(capture.strings)
    requests, details = Requests(), Details(capture)
    start, end, flags = capture.slice_start, capture.slice_end, capture.slice_flags
    slice_name = np.asarray(capture.slice_name)
    track = np.repeat(np.asarray(capture.lane_track), np.diff(capture.lane_offset))
    groups = {}
    bad = 0
    for number, name in enumerate(NAMES):
        report.checkpoint(number, len(NAMES), f"events {name}")
        if name not in ids:
            continue
        found = np.flatnonzero((slice_name == ids[name]) & (flags & schema.CLAMPED == 0))
        if not len(found):
            continue
        found = found[np.argsort(start[found], kind="stable")]
        texts = details.texts(capture.slice_args_at[found], capture.slice_args_len[found])
        attrs = attributes(texts, requests, bulk=bulk)
        bad += attrs.bad
        groups[name] = _events(name, found, lanes, track, start, end, attrs)
    _join_names(groups, requests)
    last = int(end.max()) if len(end) else 0
    return Run(lanes, groups, requests, last, int(start.min()) if len(start) else 0, bad)


def _events(name: str, found: I64, lanes: Lanes, track: Array, start: I64, end: I64, attrs: Attributes) -> Events:
    domains = np.array(lanes.domain or [""], object)
    return Events(
        found, lanes.process[track[found]], np.array(start[found]), np.array(end[found]), np.full(len(found), name, object),
        domains[track[found]], attrs.numbers, attrs.texts, attrs.event, attrs.request, attrs.items,
    )  # fmt: skip


def _lanes(capture: Capture) -> Lanes:
    rows = capture.tracks.to_pylist()
    pids: dict[str, int] = {}
    process, names, hosts, ranks = [], [], [], []
    for row in rows:
        if row["pid"] not in pids:
            pids[row["pid"]] = len(pids)
            host, dp = host_and_dp(row["process_label"] or "")
            names.append(row["process"])
            hosts.append(host)
            ranks.append(dp)
        process.append(pids[row["pid"]])
    return Lanes(
        np.array(process, np.int32), [domain_of(row["thread"] or "") for row in rows], list(pids), names, hosts, ranks
    )


def _ids_of(strings: pa.Array) -> dict[str, int]:
    place = pc.index_in(pa.array(NAMES, strings.type), value_set=strings)
    return {name: i for name, i in zip(NAMES, place.to_pylist(), strict=True) if i is not None}


def _join_names(groups: dict[str, Events], requests: Requests) -> None:
    """Late names of requests count as the first ones."""
    first = np.unique(np.concatenate([groups[n].item_request for n in FIRST_NAMES if n in groups] or [np.empty(0, np.int32)]))  # fmt: skip
    to = requests.joined(first.tolist())
    if len(to) and (to != np.arange(len(to))).any():
        for group in groups.values():
            group.item_request = to[group.item_request]


def _together(groups: list[Events]) -> Events:
    if len(groups) == 1:
        return groups[0]
    if not groups:
        return _nothing()
    offsets = np.cumsum([0, *(len(g) for g in groups)])[:-1]
    order = np.argsort(np.concatenate([g.start for g in groups]), kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))

    def joined(values: list[Array]) -> Array:
        return np.concatenate(values)[order]

    return Events(
        joined([g.id for g in groups]), joined([g.process for g in groups]), joined([g.start for g in groups]),
        joined([g.end for g in groups]), joined([g.name for g in groups]), joined([g.domain for g in groups]),
        {k: joined([g.numbers[k] for g in groups]) for k in groups[0].numbers},
        {k: joined([g.texts[k] for g in groups]) for k in groups[0].texts},
        place[np.concatenate([g.item_event + o for g, o in zip(groups, offsets, strict=True)])],
        np.concatenate([g.item_request for g in groups]),
        {k: np.concatenate([g.items[k] for g in groups]) for k in groups[0].items},
    )  # fmt: skip


def _nothing() -> Events:
    none, no_text = np.empty(0, np.int64), np.empty(0, object)
    return Events(
        none, none.astype(np.int32), none, none, no_text, no_text, _Missing(np.empty(0)), _Missing(no_text),
        none, none.astype(np.int32), {key: np.empty(0) for key in ITEM_NUMBERS},
    )  # fmt: skip


class _Missing(dict[str, Array]):
    """Attributes of no events: every key is there and empty."""

    def __init__(self, empty: Array) -> None:
        super().__init__()
        self._empty = empty

    def __missing__(self, key: str) -> Array:
        return self._empty
