"""A capture with only the slices that pass a filter, in memory: painters draw it as they draw the whole one.

Masking names is enough as long as a filter asks for names only. Durations cannot be judged on merged runs, and categories,
lanes and arguments not at all, so the slices that pass get a level of detail of their own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.timeline import mipmap
from insight_desktop.engine.timeline.filter import CardFilter
from insight_desktop.engine.timeline.kept import kept

_BYTES = 20  # start, end and name of a slice


class FilteredCapture(Capture):
    """The slices of `whole` that pass; lanes and depth rows stay where they are.

    Attributes:
        whole: the capture with all slices.
        ids: for each slice here its id in `whole`.

    Strings, tracks, instants and counters are those of the whole capture; links are not there.
    """

    def __init__(self, whole: Capture, mask: Array) -> None:
        self.folder = whole.folder
        self.whole = whole
        self.ids = np.flatnonzero(mask)
        offset = np.searchsorted(self.ids, np.asarray(whole.lane_offset)).astype(np.int64)
        self._columns = {"lane_offset": offset}
        start, end, name = (np.asarray(whole.column(f"slice_{c}"))[self.ids] for c in ("start", "end", "name"))
        self._columns.update(slice_start=start, slice_end=end, slice_name=name)
        shifts = []
        for level in mipmap.levels(start, end, name, offset):
            shifts.append(level.shift)
            parts = {"start": level.start, "end": level.end, "name": level.name, "offset": level.offset}
            self._columns.update({f"mip_{level.shift}_{part}": values for part, values in parts.items()})
        self.manifest = replace(whole.manifest, mip_shifts=shifts)

    def column(self, name: str) -> Array:
        """A column; those of slices hold only what passes."""
        found = self._columns.get(name)
        if found is None:
            if name.startswith(("link_", "mip_")):
                return np.empty(0, self.whole.column(name).dtype)
            found = self.whole.column(name)
            if name.startswith("slice_") and len(found):
                found = self._columns[name] = np.asarray(found)[self.ids]
        return found

    @property
    def strings(self) -> pa.LargeStringArray:
        """All names of the whole capture."""
        return self.whole.strings

    @property
    def tracks(self) -> pa.Table:
        """Tracks of the whole capture, with its totals."""
        return self.whole.tracks

    @property
    def series(self) -> pa.Table:
        """Counter series of the whole capture."""
        return self.whole.series


def filtered(found: CardFilter) -> FilteredCapture:
    """The capture of a card with only the slices that pass; made once as long as it is in use."""
    return kept(
        found.capture,
        ("filtered", found.filter.text, found.card.name, found.card.rank),
        lambda: FilteredCapture(found.capture, found.slice_mask()),
        lambda made: 2 * _BYTES * len(made.ids),
    )
