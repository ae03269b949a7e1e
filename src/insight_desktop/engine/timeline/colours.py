"""What slices can be coloured by beside their names: their type, or how long they are among those of their name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.layers import layer_name

BINS = 10  # tenths of the slices of a name, shortest first
_SAMPLE = 4_000_000  # slices that are looked at; of more every k-th


@dataclass(frozen=True, eq=False)
class Types:
    """Types of a card: `of_name` is a position in `labels` per string id (0 where no slice has the name)."""

    of_name: Array
    labels: tuple[str, ...]

    @property
    def nbytes(self) -> int:
        return int(self.of_name.nbytes)


def types(store: Store, *, card: str) -> Types:
    """The type of every name: the category of its slices, else the process of their lanes.

    Where slices of one name have several types, the first one counts. Labels are in alphabetical order.
    """
    capture = store.capture(card)
    return kept(capture, "types", lambda: _types(capture), lambda found: found.nbytes)


def limits(store: Store, *, card: str) -> Array:
    """Durations in ns that part the slices of each name into tenths, int64 of shape (names, 9); a slice belongs to the
    tenth whose number is the count of limits below its duration."""
    capture = store.capture(card)
    return kept(capture, "duration limits", lambda: _limits(capture), lambda found: int(found.nbytes))


def _types(capture: Capture) -> Types:
    names = np.asarray(capture.slice_name)
    step = max(1, -(-len(names) // _SAMPLE))
    ids = np.arange(0, len(names), step)
    kinds = np.asarray(capture.slice_category)
    kinds = kinds[ids] if len(kinds) else np.full(len(ids), -1)
    processes = [layer_name(str(p or "")) for p in capture.tracks.column("process").to_pylist()]
    lanes = np.searchsorted(np.asarray(capture.lane_offset), ids, "right") - 1
    tracks = np.asarray(capture.lane_track)[lanes]
    texts = {int(k): capture.text(int(k)).strip() for k in np.unique(kinds) if k >= 0}
    labels = tuple(sorted({t for t in texts.values() if t} | set(processes)))
    place = {label: at for at, label in enumerate(labels)}
    of_track = np.array([place[p] for p in processes], np.int64) if processes else np.zeros(1, np.int64)
    own = of_track[tracks] if len(tracks) else np.zeros(0, np.int64)
    for kind, text in texts.items():
        if text:
            own[kinds == kind] = place[text]
    found = np.zeros(max(len(capture.strings), 1), np.int64)
    found[names[ids][::-1]] = own[::-1]  # the first slice of a name is written last
    return Types(found, labels)


def _limits(capture: Capture) -> Array:
    start, end = np.asarray(capture.slice_start), np.asarray(capture.slice_end)
    step = max(1, -(-len(start) // _SAMPLE))
    names, lengths = np.asarray(capture.slice_name)[::step], (end[::step] - start[::step]).astype(np.int64)
    out = np.full((max(len(capture.strings), 1), BINS - 1), np.iinfo(np.int64).max, np.int64)
    if not len(names):
        return out
    order = np.lexsort((lengths, names))
    names, lengths = names[order], lengths[order]
    first = np.flatnonzero(np.diff(names, prepend=names[0] - 1))
    count = np.diff(np.append(first, len(names)))
    for k in range(1, BINS):
        out[names[first], k - 1] = lengths[first + np.maximum(count * k // BINS - 1, 0)]
    return out
