"""Where kernels are in the Timeline: slices of device lanes with the same name and the same start (within 2 ns)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.system.operator_rows import NO_TIME, Ints, Kernels

SCHEMA = pa.schema(
    [
        ("row", pa.int64()), ("slice_id", pa.int64()), ("card", pa.string()), ("process", pa.string()),
        ("lane", pa.string()), ("name", pa.string()), ("ts_ns", pa.int64()), ("dur_ns", pa.int64()),
    ]
)  # fmt: skip
NEAR_NS = 2
_ROLES = (schema.ROLE_STREAM, schema.ROLE_GROUP)  # a communication operator stands on the lane of its group


def find(capture: Capture, kernels: Kernels, positions: Ints) -> pa.Table:
    """The slices of kernels in the order of the positions, columns of SCHEMA; kernels without a slice are left out."""
    wanted = positions[kernels.start_ns[positions] != NO_TIME]
    ids = _name_ids(capture, kernels, wanted)
    found, track = places(capture, ids, kernels.start_ns[wanted])
    there = np.flatnonzero(found >= 0)
    return _table(capture, kernels, wanted[there], found[there], track[there])


def places(capture: Capture, names: Ints, starts: Ints) -> tuple[Ints, Ints]:
    """Slice and track of device slices by string id of the name (-1: unknown) and start; -1 where there is none."""
    found, track = np.full(len(starts), -1, np.int64), np.full(len(starts), -1, np.int64)
    for match in (_same_start, _near_start):
        for lane in _lanes(capture):
            left = np.flatnonzero((found < 0) & (names >= 0))
            begin, end = int(capture.lane_offset[lane]), int(capture.lane_offset[lane + 1])
            if len(left) and begin < end:
                hits = match(capture, begin, end, starts[left], names[left])
                found[left] = hits
                track[left[hits >= 0]] = capture.lane_track[lane]
    return found, track


def _same_start(capture: Capture, begin: int, end: int, starts: Ints, ids: Ints) -> Ints:
    """Slices [begin, end) of a lane with these starts and names, -1 for none."""
    at = begin + np.searchsorted(np.asarray(capture.slice_start[begin:end]), starts)
    out = np.full(len(starts), -1, np.int64)
    left = np.flatnonzero(at < end)
    # Slices without a duration may share a start: all of them are looked at.
    while len(left):
        left = left[np.asarray(capture.slice_start)[at[left]] == starts[left]]
        hit = np.asarray(capture.slice_name)[at[left]] == ids[left]
        out[left[hit]] = at[left[hit]]
        left = left[~hit]
        at[left] += 1
        left = left[at[left] < end]
    return out


def _near_start(capture: Capture, begin: int, end: int, starts: Ints, ids: Ints) -> Ints:
    """As `_same_start` for starts that are up to NEAR_NS apart: the files of a collector round differently."""
    line = np.asarray(capture.slice_start[begin:end])
    after = begin + np.searchsorted(line, starts)
    out = np.full(len(starts), -1, np.int64)
    for at in (after - 1, after):
        inside = (at >= begin) & (at < end)
        safe = np.clip(at, begin, end - 1)
        near = np.abs(np.asarray(capture.slice_start)[safe] - starts) <= NEAR_NS
        hit = inside & near & (np.asarray(capture.slice_name)[safe] == ids)
        out[hit] = at[hit]
    return out


def _lanes(capture: Capture) -> list[int]:
    roles = capture.tracks.column("role").to_pylist()
    return [lane for lane, track in enumerate(capture.lane_track) if roles[int(track)] in _ROLES]


def _name_ids(capture: Capture, kernels: Kernels, positions: Ints) -> Ints:
    """Id of each kernel's name among the strings of the capture, -1 where the trace does not have it."""
    names = kernels.text["name"]
    found = pc.index_in(pa.array(names.words, pa.large_string()), capture.strings)
    ids = np.asarray(pc.fill_null(found, -1), np.int64)
    return ids[names.codes[positions]]


def _table(capture: Capture, kernels: Kernels, positions: Ints, ids: Ints, track: Ints) -> pa.Table:
    starts, ends = np.asarray(capture.slice_start)[ids], np.asarray(capture.slice_end)[ids]
    tracks = pa.array(track)
    columns = {
        "row": pa.array(kernels.row[positions]),
        "slice_id": pa.array(ids),
        "card": pa.repeat(pa.scalar(kernels.card, pa.string()), len(ids)),
        "process": capture.tracks.column("process").combine_chunks().take(tracks),
        "lane": capture.tracks.column("lane").combine_chunks().take(tracks),
        "name": kernels.text["name"].at(positions),
        "ts_ns": pa.array(starts),
        "dur_ns": pa.array(ends - starts),
    }
    return pa.table([columns[f.name] for f in SCHEMA], schema=SCHEMA)
