"""Named queries of the operator's Timeline: the same as those of the system's, over the cards of kernels."""

from __future__ import annotations

import threading
import weakref
from dataclasses import replace

import pyarrow as pa

from insight_desktop.engine.operator import critical_path as critical
from insight_desktop.engine.operator import deferred
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import timeline

_KINDS = ("operator", "simulation")
_lock = threading.Lock()
_kept: weakref.WeakKeyDictionary[Store, tuple[tuple[object, ...], Store]] = weakref.WeakKeyDictionary()


class KernelStore(Store):
    """A store whose Timeline shows every card that it holds."""

    @property
    def cards(self) -> list[StoreCard]:
        """All cards, in their order."""
        return self.every_card


def lanes(store: Store, *, card: str | None = None) -> pa.Table:
    """Lanes in display order: card, process, pid, thread, tid, lane, kind, rows, slices, sum_ns, busy_ns, first_ns, last_ns.

    Processes are parts of cores, threads are pipes; kind is slice or counter.
    """
    return timeline.lanes(of_kernels(store), card=card)


def slices(
    store: Store,
    *,
    card: str | None = None,
    process: str | None = None,
    thread: str | None = None,
    name: str | None = None,
    from_ns: int | None = None,
    to_ns: int | None = None,
    limit: int | None = None,
) -> pa.Table:
    """Instructions by start: id, card, process, pid, thread, tid, lane, name, ts_ns, dur_ns, row, unfinished, args.

    Filters and columns are those of `system.timeline.slices`.
    """
    return timeline.slices(
        of_kernels(store), card=card, process=process, thread=thread, name=name, from_ns=from_ns, to_ns=to_ns, limit=limit
    )  # fmt: skip


def counters(store: Store, *, card: str | None = None, name: str | None = None) -> pa.Table:
    """Values of the transfer counters in time order: card, process, counter, series, ts_ns, value (MB/s)."""
    return timeline.counters(of_kernels(store), card=card, name=name)


def flows(store: Store, *, card: str | None = None, category: str | None = None) -> pa.Table:
    """Links from SET to WAIT: category, id, from_name, from_ts_ns, to_name, to_ts_ns; by source time, then target time."""
    return timeline.flows(of_kernels(store), card=card, category=category)


def critical_path(store: Store, *, card: str | None = None) -> pa.Table:
    """The chain of instructions that the end of a kernel waited for: order, card, process, thread, name, ts_ns, dur_ns,
    own_ns, gap_ns, via, id.

    Instructions follow each other on their pipe (`via` lane) or are released by the SET of their WAIT (link). own_ns is
    the part of an instruction after the one before it had ended, gap_ns the time between both: together they are the
    time from the first start to the last end.
    """
    opened = of_kernels(store)
    chosen = opened.card(card)
    return critical.table(opened.capture(chosen.name), chosen.name)


def of_kernels(given: Store, *, wait: bool = True) -> Store:
    """A store whose timeline cards are the kernels of a project; made anew when their captures change.

    Args:
        given: the project.
        wait: read large traces that were left out when the project was opened; else their kernels are missing until
            somebody has read them (see `deferred`).
    """
    cards = []
    for card in given.cards_of("operator"):
        if card.kind in _KINDS:
            folder = deferred.read(card) if wait else deferred.folder_of(card)
            if folder is not None:
                cards.append(replace(card, folder=folder))
    key = tuple((card.name, card.folder, card.offset_ns, card.alias) for card in cards)
    with _lock:
        held = _kept.get(given)
        if held is None or held[0] != key:
            held = key, KernelStore([replace(card, kind="simulation") for card in cards])
            _kept[given] = held
        return held[1]
