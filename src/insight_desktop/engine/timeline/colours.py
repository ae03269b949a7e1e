"""What slices can be coloured by beside their names: their type, or how long they are among those of their name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.layers import layer_name

MOST_GIVEN = 128  # colours of a trace that are told apart
BINS = 10  # tenths of the slices of a name, shortest first
_GIVEN = "slice_colours"  # fact of a capture: [colour, pid, tid, names] per colour and lane
_SAMPLE = 4_000_000  # slices that are looked at; of more every k-th


@dataclass(frozen=True, eq=False)
class Types:
    """Types of a card: `of_name` is a position in `labels` per string id (0 where no slice has the name)."""

    of_name: Array
    labels: tuple[str, ...]

    @property
    def nbytes(self) -> int:
        return int(self.of_name.nbytes)


@dataclass(frozen=True, eq=False)
class Given:
    """Colours that a trace gives its slices: positions in `labels` per string id, -1 where it gives none.

    `of_name` holds for lanes whose names have no other colour there than elsewhere, `of_track` has the other lanes.
    """

    labels: tuple[str, ...]
    of_name: Array
    of_track: dict[int, Array]

    @property
    def nbytes(self) -> int:
        return int(self.of_name.nbytes) * (1 + len(self.of_track))


def given(store: Store, *, card: str) -> Given:
    """Colour names (`cname`) that the trace of a card gives its slices, in the order of the file."""
    capture = store.capture(card)
    return kept(capture, "given colours", lambda: _given(capture), lambda found: found.nbytes)


def has_given(capture: Capture) -> bool:
    """Whether the trace of a capture gives colours."""
    return bool(capture.manifest.extra.get(_GIVEN))


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


def _given(capture: Capture) -> Given:
    rows = [row for row in capture.manifest.extra.get(_GIVEN) or [] if len(row) == 4]
    labels = tuple(dict.fromkeys(str(row[0]) for row in rows))[:MOST_GIVEN]
    place = {label: at for at, label in enumerate(labels)}
    pairs = zip(capture.tracks["pid"].to_pylist(), capture.tracks["tid"].to_pylist(), strict=True)
    track_of = {pair: track for track, pair in enumerate(pairs)}
    texts = sorted({str(name) for row in rows for name in row[3]})
    found = pc.index_in(pa.array(texts, pa.large_string()), capture.strings.cast(pa.large_string())).to_pylist()
    ids = dict(zip(texts, found, strict=True))
    base = np.full(max(len(capture.strings), 1), -1, np.int64)
    own: dict[int, dict[int, int]] = {}
    for colour, pid, tid, names in rows:
        track = track_of.get((pid, tid), -1)
        for name in names if track >= 0 and colour in place else ():
            number = ids.get(name)
            if number is not None:
                own.setdefault(track, {})[number] = place[colour]
                base[number] = place[colour] if base[number] < 0 else base[number]
    of_track = {}
    for track, colours in own.items():
        if any(base[number] != at for number, at in colours.items()):
            of_track[track] = base.copy()
            of_track[track][list(colours)] = list(colours.values())
    return Given(labels, base, of_track)


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
