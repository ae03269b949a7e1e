"""Links of a capture: ends of text traces bound and paired, links of databases renumbered, both sorted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.build_slices import Slices, ThreadFlows
from insight_desktop.engine.build_spool import Spool
from insight_desktop.engine.capture import write_column
from insight_desktop.engine.timeline import flows

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


class Ends:
    """The ends of links of a text trace, by the thread they were written on.

    Args:
        spool: the flow table.
        tracks: rows of the track table by id.
        rank: display place of each track id; -1 for those that hold nothing.
    """

    def __init__(self, spool: Spool, tracks: list[dict[str, Any]], rank: I64) -> None:
        names = ("ts_ns", "phase", "category", "id", "enclosing")
        self.ts, self.phase, self.category, self.id, self.enclosing = (np.array(spool.column(n)) for n in names)
        self._lanes: dict[tuple[str, str], list[int]] = {}
        self._order: dict[tuple[str, str], I64] = {}
        if not len(self.ts):
            return
        written_on = spool.column("track")
        key_of = [(str(t["pid"]), str(t["tid"])) for t in tracks]
        threads = {key: i for i, key in enumerate(dict.fromkeys(key_of))}
        thread = np.array([threads[key] for key in key_of], np.int64)[written_on]
        by_thread = np.lexsort((self.ts, thread))
        cuts = np.searchsorted(thread[by_thread], np.arange(len(threads) + 1))
        for key, i in threads.items():
            if cuts[i + 1] > cuts[i]:
                self._order[key] = by_thread[cuts[i] : cuts[i + 1]]
        # The lane that the ends were written on is asked first, then the others of the thread in display order.
        main = set(np.unique(written_on).tolist())
        for t in sorted(range(len(tracks)), key=lambda t: (t not in main, rank[t])):
            if key_of[t] in self._order and rank[t] >= 0:
                self._lanes.setdefault(key_of[t], []).append(int(rank[t]))

    def by_track(self) -> dict[int, ThreadFlows]:
        """The ends that each track has to be asked for."""
        found = {}
        for key, order in self._order.items():
            ends = ThreadFlows(self.ts[order], self.phase[order], self.enclosing[order])
            found.update(dict.fromkeys(self._lanes.get(key, []), ends))  # a thread may have no slices at all
        return found

    def bound(self, hits: dict[int, I64]) -> I64:
        """Slice id per end: the first lane of its thread that has one; -1 where none has."""
        out = np.full(len(self.ts), -1, np.int64)
        for key, order in self._order.items():
            slice_id = np.full(len(order), -1, np.int64)
            for track in self._lanes.get(key, []):
                if track in hits:
                    slice_id = np.where(slice_id < 0, hits[track], slice_id)
            out[order] = slice_id
        return out


@dataclass(frozen=True)
class LinkCounts:
    """Links written, ends without a partner, pairs whose slice is missing."""

    count: int
    one_end: int = 0
    no_slice: int = 0


def write_links(folder: Path, ends: Ends, slices: Slices, spool: Spool) -> LinkCounts:
    """Write the link_* files: sorted by source slice, with a permutation that sorts them by target."""
    source, target, one_end = flows.pair(ends.category, ends.id, ends.ts, ends.phase)
    slice_of = ends.bound(slices.hits)
    origin, goal = slice_of[source], slice_of[target]
    whole = (origin >= 0) & (goal >= 0)
    category, number = ends.category[source], ends.id[source]
    columns = [origin[whole], goal[whole], category[whole], number[whole]]
    missing = int((~whole).sum())
    if spool.rows:
        count = len(slices.row_to_id)
        a, b = spool.column("from_serial"), spool.column("to_serial")
        known = (a >= 0) & (a < count) & (b >= 0) & (b < count)
        missing += int((~known).sum())
        more = [
            slices.row_to_id[a[known]],
            slices.row_to_id[b[known]],
            spool.column("category")[known],
            spool.column("id")[known],
        ]
        columns = [np.concatenate(pair) for pair in zip(columns, more, strict=True)]
    order = np.lexsort((columns[1], columns[0]))
    columns = [values[order] for values in columns]
    for name, values in zip(("link_from", "link_to", "link_category", "link_id"), columns, strict=True):
        write_column(folder, name, values)
    write_column(folder, "link_by_to", np.argsort(columns[1], kind="stable"))
    return LinkCounts(len(order), one_end, missing)
