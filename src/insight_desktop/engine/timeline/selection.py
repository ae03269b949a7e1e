"""Figures of the selected slice: where it stands among the slices of its name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insight_desktop.engine.store import Store


@dataclass(frozen=True)
class SliceFacts:
    """A slice among the slices of its name on its card.

    Attributes:
        same: how many slices have the name, this one included.
        same_ns: their durations added up.
        shorter: part (0–1) of the others that are shorter; None when there are no others.
        gap_ns: time since the slice before it on its depth row ended; None for the first one.
    """

    same: int
    same_ns: int
    shorter: float | None
    gap_ns: int | None


def slice_facts(store: Store, *, card: str, slice_id: int) -> SliceFacts:
    """Facts of a slice (not of an instant)."""
    capture = store.capture(card)
    same = np.flatnonzero(np.asarray(capture.slice_name) == capture.slice_name[slice_id])
    lengths = np.asarray(capture.slice_end)[same] - np.asarray(capture.slice_start)[same]
    own = int(capture.slice_end[slice_id]) - int(capture.slice_start[slice_id])
    shorter = int((lengths < own).sum()) / (len(same) - 1) if len(same) > 1 else None
    lane = capture.lane_of(slice_id)
    is_first = slice_id == int(capture.lane_offset[lane])
    gap = None if is_first else int(capture.slice_start[slice_id]) - int(capture.slice_end[slice_id - 1])
    return SliceFacts(len(same), int(lengths.sum()), shorter, gap)
