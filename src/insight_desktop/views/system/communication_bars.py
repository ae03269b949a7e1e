"""The bars of the thumbnails as arrays: which rank, which operator, from when to when; one side or two sides compared."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.store import Store
from insight_desktop.engine.system.communication_rows import overlap_shifts
from insight_desktop.views.system import communication_compare
from insight_desktop.views.system.communication_choice import Choice

MOST_ROWS = 516  # ranks in view at first
MOST_BARS = 10_000  # bars in view at first
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OperatorBars:
    """Bars by rank, then start. Times in ns; `start_ns` counts from the start of the trace and has the shifts inside.

    Attributes:
        ranks: rows from the top.
        names: operators in order of their first appearance.
        row, side, name, start_ns, length_ns, shift_ns, raw_ns: one value per bar; side 1 is the baseline; raw_ns is the
            recorded start.
        sides: 1, or 2 with a baseline.
        align: the operator that all ranks end together; None for none.
    """

    ranks: tuple[int, ...]
    names: tuple[str, ...]
    row: _Ints
    side: _Ints
    name: _Ints
    start_ns: _Ints
    length_ns: _Ints
    shift_ns: _Ints
    raw_ns: _Ints
    sides: int = 1
    align: str | None = None

    @property
    def count(self) -> int:
        return len(self.row)

    @property
    def span(self) -> tuple[int, int]:
        """First start and last end; at least a nanosecond long."""
        if not self.count:
            return 0, 1
        first = int(self.start_ns.min())
        return first, max(first + 1, int((self.start_ns + self.length_ns).max()))

    def first_window(self) -> tuple[int, int]:
        """The part of the time that is shown at first: all of it, less with very many bars."""
        first, last = self.span
        if self.count <= MOST_BARS:
            return first, last
        percent = math.ceil(MOST_BARS / self.count * 100)
        return first, first + max(1, (last - first) * percent // 100)

    def find(self, rank: int, name: str, side: int = 0) -> int:
        """The first bar of an operator on a rank; -1 for none."""
        if rank not in self.ranks or name not in self.names:
            return -1
        at = np.flatnonzero(
            (self.row == self.ranks.index(rank)) & (self.name == self.names.index(name)) & (self.side == side)
        )
        return int(at[0]) if len(at) else -1

    def rank_of(self, bar: int) -> int:
        return self.ranks[int(self.row[bar])]

    def name_of(self, bar: int) -> str:
        return self.names[int(self.name[bar])]

    def longest_of(self, name: str, side: int = 0) -> int:
        """The longest bar of an operator over all ranks; -1 for none."""
        at = np.flatnonzero((self.name == self.names.index(name)) & (self.side == side))
        return int(at[np.argmax(self.length_ns[at])]) if len(at) else -1


def no_bars() -> OperatorBars:
    """Nothing."""
    none = np.empty(0, np.int64)
    return OperatorBars((), (), none, none, none, none, none, none, none)


def load(store: Store, *, choice: Choice, align: str | None = None) -> OperatorBars:
    """The bars of a choice, those of its baseline below them when two jobs are compared."""
    tables = communication_compare.thumbnails(store, choice=choice)
    bars = joined(tables, align)
    known = [c for c in store.cards if c.rank is not None]
    base = store.base_ns if known else 0
    first = int(bars.raw_ns.min()) if bars.count else 0
    origin = min(first, base) if base else first
    return OperatorBars(
        bars.ranks, bars.names, bars.row, bars.side, bars.name, bars.start_ns - origin, bars.length_ns, bars.shift_ns,
        bars.raw_ns, bars.sides, bars.align,
    )  # fmt: skip


def joined(tables: list[pa.Table], align: str | None = None) -> OperatorBars:
    """One or two tables of `system.communication.thumbnails` as bars.

    Data recorded at different times are moved together: of both sides at once, so that they meet on one screen. `align` then
    moves every rank that has the operator, so that its first one ends everywhere with the latest.
    """
    sides = np.concatenate([np.full(t.num_rows, i, np.int64) for i, t in enumerate(tables)])
    whole = pa.concat_tables(tables)
    rank = whole["rank"].to_numpy().astype(np.int64)
    length = whole["duration_ns"].to_numpy().astype(np.int64)
    raw = (whole["start_ns"].to_numpy() - whole["shift_ns"].to_numpy()).astype(np.int64)
    texts = whole["name"].to_pylist()
    places = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    name = np.array([places[text] for text in texts], np.int64)
    owner = rank * 2 + sides
    ends = raw + length
    owners, place = np.unique(owner, return_inverse=True)
    first, last = np.full(len(owners), np.iinfo(np.int64).max), np.full(len(owners), np.iinfo(np.int64).min)
    np.minimum.at(first, place, raw)
    np.maximum.at(last, place, ends)
    spans = {int(o): (int(a), int(b)) for o, a, b in zip(owners, first, last, strict=True)}
    shifts = overlap_shifts(spans)
    shift = np.array([shifts[int(o)] for o in owners], np.int64)[place]
    if align is not None and align in places:
        shift += _aligned(owner, name == places[align], raw + shift, length)
    ranks = tuple(int(r) for r in np.unique(rank))
    order = np.lexsort((raw, sides, rank))
    row = np.searchsorted(np.array(ranks, np.int64), rank)
    return OperatorBars(
        ranks, tuple(places), row[order], sides[order], name[order], (raw + shift)[order], length[order], shift[order],
        raw[order], len(tables), align if align in places else None,
    )  # fmt: skip


def _aligned(owner: _Ints, wanted: npt.NDArray[np.bool_], start: _Ints, length: _Ints) -> _Ints:
    first: dict[int, int] = {}
    for at in np.flatnonzero(wanted):
        key = int(owner[at])
        if key not in first or start[at] < start[first[key]]:
            first[key] = int(at)
    ends = {key: int(start[at] + length[at]) for key, at in first.items()}
    last = max(ends.values(), default=0)
    moves = {key: last - end for key, end in ends.items()}
    return np.array([moves.get(key, 0) for key in owner.tolist()], np.int64)


def ms_text(ns: float) -> str:
    """Milliseconds with at most six decimals, without zeros at the end."""
    text = f"{ns / 1e6:,.6f}".rstrip("0").rstrip(".")
    return text or "0"
