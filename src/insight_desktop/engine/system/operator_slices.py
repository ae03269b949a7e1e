"""Where kernels are in the Timeline: slices of device lanes with the same name and the same start."""

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
_ROLES = (schema.ROLE_STREAM, schema.ROLE_GROUP)  # a communication operator stands on the lane of its group


def find(capture: Capture, kernels: Kernels, positions: Ints) -> pa.Table:
    """The slices of kernels in the order of the positions, columns of SCHEMA; kernels without a slice are left out."""
    wanted = positions[kernels.start_ns[positions] != NO_TIME]
    ids = _name_ids(capture, kernels, wanted)
    wanted, ids = wanted[ids >= 0], ids[ids >= 0]
    found = np.full(len(wanted), -1, np.int64)
    track = np.full(len(wanted), -1, np.int64)
    starts = kernels.start_ns[wanted]
    for lane in _lanes(capture):
        begin, end = int(capture.lane_offset[lane]), int(capture.lane_offset[lane + 1])
        line = np.asarray(capture.slice_start[begin:end])
        at = begin + np.searchsorted(line, starts)
        open_rows = np.flatnonzero((found < 0) & (at < end))
        # Slices without a duration may share a start: all of them are looked at.
        while len(open_rows):
            here = at[open_rows]
            same = np.asarray(capture.slice_start)[here] == starts[open_rows]
            open_rows, here = open_rows[same], here[same]
            hit = np.asarray(capture.slice_name)[here] == ids[open_rows]
            found[open_rows[hit]] = here[hit]
            track[open_rows[hit]] = capture.lane_track[lane]
            open_rows = open_rows[~hit]
            at[open_rows] += 1
            open_rows = open_rows[at[open_rows] < end]
    there = np.flatnonzero(found >= 0)
    return _table(capture, kernels, wanted[there], found[there], track[there])


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
