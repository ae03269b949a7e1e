"""Overlap Analysis of a device, computed from its tasks: computing, communication, what is not overlapped, free."""

from __future__ import annotations

import numpy as np

from insight_desktop.ingest.formats.profiler_db_tables import Ints

Spans = tuple[Ints, Ints]  # starts and ends


def union(spans: Spans) -> Spans:
    """Disjoint segments in time order that cover the same time; touching ones are one segment."""
    start, end = spans
    if not len(start):
        return spans
    order = np.argsort(start, kind="stable")
    start, end = start[order], np.maximum.accumulate(end[order])
    first = np.ones(len(start), bool)
    first[1:] = start[1:] > end[:-1]
    last = np.append(np.flatnonzero(first)[1:] - 1, len(start) - 1)
    return start[first], end[last]


def minus(spans: Spans, taken: Spans) -> Spans:
    """The parts of disjoint sorted `spans` that lie outside disjoint sorted `taken`."""
    if not len(spans[0]) or not len(taken[0]):
        return spans
    # The time outside `taken`, then its intersection with the spans.
    outside = np.append(spans[0][0], taken[1]), np.append(taken[0], max(spans[1][-1], taken[1][-1]))
    low = np.searchsorted(outside[1], spans[0], "right")
    high = np.searchsorted(outside[0], spans[1], "left")
    count = np.maximum(high - low, 0)
    span = np.repeat(np.arange(len(count)), count)
    other = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + low[span]
    start = np.maximum(spans[0][span], outside[0][other])
    end = np.minimum(spans[1][span], outside[1][other])
    keep = end > start
    return start[keep], end[keep]


def gaps(spans: Spans) -> Spans:
    """What lies between disjoint sorted spans."""
    return spans[1][:-1], spans[0][1:]


def overlap(compute: Spans, communication: Spans) -> tuple[Spans, Spans, Spans, Spans]:
    """Computing, Communication, Communication(Not Overlapped), Free; free time is the gaps between all work."""
    busy, talk = union(compute), union(communication)
    both = union((np.concatenate([busy[0], talk[0]]), np.concatenate([busy[1], talk[1]])))
    return busy, talk, minus(talk, busy), gaps(both)
