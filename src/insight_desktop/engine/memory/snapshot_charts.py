"""What the block chart of a snapshot can show: active memory, memory by private pools, segments of the cache."""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.memory import snapshot_segments as sg
from insight_desktop.engine.memory.blocks import Blocks, address_hash, curve_of
from insight_desktop.engine.memory.snapshot_data import Device, SizeMode, Snapshot, of_card
from insight_desktop.engine.memory.snapshot_pools import Envelope, envelopes
from insight_desktop.engine.memory.snapshot_rows import block_categories
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData
from insight_desktop.schema_snapshot import SEGMENT_ALLOC, SEGMENT_FREE, SEGMENT_MAP

Array = npt.NDArray[Any]
Kind = Literal["active", "time", "pools", "segments"]
Colour = Literal["address", "stack", "category", "size", "stream"]
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Inset:
    """What is stacked inside one row of a chart: the blocks of a private pool inside its envelope."""

    row: int
    blocks: Blocks
    ids: Array
    pool: str
    stream: int


@dataclass(frozen=True)
class ChartData:
    """A chart and what its rows are.

    Attributes:
        kind: what it shows.
        blocks: rows of the chart.
        ids: block id per row, -1 for envelopes; of segments the event of their allocation, -1 from before.
        addresses: per row.
        insets: contents of envelopes.
        times: place of every event on the axis; empty when the axis counts events.
    """

    kind: Kind
    blocks: Blocks
    ids: Array
    addresses: Array
    insets: tuple[Inset, ...] = field(default=())
    times: Array = field(default_factory=lambda: np.empty(0, np.int64))

    def x_of(self, event: int) -> float:
        """Place of an event on the axis."""
        return float(self.times[min(max(event, 0), len(self.times) - 1)]) if len(self.times) else float(event)

    def event_at(self, x: float) -> int:
        """The event whose outcome holds at a place of the axis."""
        if not len(self.times):
            return max(round(x), 0)
        return max(int(np.searchsorted(self.times, np.int64(np.floor(x)), "right")) - 1, 0)

    def events_between(self, low: float, high: float) -> tuple[int, int]:
        """First and last event inside a stretch of the axis."""
        if not len(self.times):
            return max(0, int(np.ceil(low))), int(np.floor(high))
        return int(np.searchsorted(self.times, np.int64(np.ceil(low)))), int(
            np.searchsorted(self.times, np.int64(np.floor(high)), "right")
        ) - 1


def chart_of(project: Store, *, card: str | None, device: int | None, kind: Kind, mode: SizeMode) -> ChartData:
    """The chart of a device of a snapshot. Raises NoData when the trace has nothing of the kind."""
    snapshot = of_card(project, card)
    chosen = snapshot.device(device)
    if kind == "segments":
        return _segments(chosen)
    blocks = chosen.chart(mode)
    if kind == "active":
        return ChartData(kind, blocks, np.arange(len(blocks)), chosen.column("block_address"))
    if kind == "time":
        return _over_time(chosen, blocks)
    found = envelopes(snapshot, chosen)
    if not found:
        raise NoData("This snapshot has no private memory pools.", fix="They come with CUDA graphs and user pools.")
    return _pools(snapshot, chosen, blocks, found)


def _over_time(device: Device, blocks: Blocks) -> ChartData:
    """The chart of active memory over the times of the events, ns since the first one."""
    us = device.column("time")
    if not len(us) or int(us[-1]) <= int(us[0]):
        raise NoData("The events of this snapshot have no times.", fix="Newer versions of PyTorch record them.")
    times = np.maximum.accumulate(us - us[0]) * 1000
    last = int(times[-1])
    n = len(times)
    end = np.where(blocks.end < n, times[np.minimum(blocks.end, n - 1)], last + 1)
    start = times[np.minimum(blocks.start, n - 1)]
    found = replace(
        blocks, start=start, end=end, curve_t=times, reserved_t=times if len(blocks.reserved_t) else blocks.reserved_t, first=0, last=last,
    )  # fmt: skip
    return ChartData("time", found, np.arange(len(blocks)), device.column("block_address"), times=times)


def colours_of(device: Device, chart: ChartData, by: Colour) -> Array:
    """A number per row of a chart whose remainder is its colour: equal things have equal colours."""
    if by == "address" or chart.kind == "segments":
        return chart.blocks.hash
    names = {"stack": "block_stack", "stream": "block_stream", "size": "block_size"}
    if by == "category":
        values = block_categories(device, np.arange(device.blocks)) + 1
    else:
        values = device.column(names[by]).astype(np.int64)
    if by == "size":
        values = np.frexp(np.maximum(values, 1).astype(np.float64))[1].astype(np.int64)
    mixed = (values.view(np.uint64) if values.dtype == np.int64 else values.astype(np.uint64)) * _MIX
    hashes = (mixed >> np.uint64(33)).astype(np.uint32)
    ids = np.maximum(chart.ids, 0)
    return (
        np.where(chart.ids >= 0, hashes[ids], chart.blocks.hash).astype(np.uint32) if len(hashes) else chart.blocks.hash
    )


def _pools(snapshot: Snapshot, device: Device, blocks: Blocks, found: list[Envelope]) -> ChartData:
    """Blocks of private pools give way to one envelope per pool and stream; they are stacked inside it."""
    inside = np.concatenate([e.blocks for e in found])
    rest = np.setdiff1d(np.arange(len(blocks)), inside)
    count = len(found)
    start = np.concatenate([[e.start for e in found], blocks.start[rest]]).astype(np.int64)
    end = np.concatenate([[e.end for e in found], blocks.end[rest]]).astype(np.int64)
    size = np.concatenate([[e.height for e in found], blocks.size[rest]]).astype(np.int64)
    ids = np.concatenate([np.full(count, -1), rest])
    hashes = np.concatenate([np.zeros(count, np.uint32), blocks.hash[rest]])
    order = np.lexsort((np.arange(len(start)), start))
    t, v = curve_of(np.maximum(start, 0), end, size)
    keep = t <= blocks.last
    whole = Blocks(
        start[order], end[order], size[order], hashes[order].astype(np.uint32), t[keep], v[keep], blocks.first,
        blocks.last, blocks.reserved_t, blocks.reserved_v,
    )  # fmt: skip
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    insets = []
    for k, e in enumerate(found):
        b = e.blocks
        ct, cv = curve_of(blocks.start[b], blocks.end[b], blocks.size[b])
        inner = Blocks(
            blocks.start[b], blocks.end[b], blocks.size[b], blocks.hash[b], ct, cv, blocks.first, blocks.last
        )
        insets.append(Inset(int(place[k]), inner, b, snapshot.pool_text(e.pool), e.stream))
    address = device.column("block_address")
    where = np.where(ids[order] >= 0, address[np.maximum(ids[order], 0)], 0) if len(address) else np.zeros(len(order))
    return ChartData("pools", whole, ids[order], where.astype(np.uint64), tuple(insets))


@dataclass
class _Pieces:
    """Mapped ranges over the trace: a piece ends when any part of it goes, what is left begins anew."""

    open: dict[int, tuple[int, int, int]] = field(default_factory=dict)  # address → (size, start, event)
    order: list[int] = field(default_factory=list)
    done: list[tuple[int, int, int, int, int]] = field(default_factory=list)  # start, end, address, size, event

    def add(self, address: int, size: int, start: int, event: int) -> None:
        self.close(address, start)
        self.open[address] = (size, start, event)
        insort(self.order, address)

    def close(self, address: int, end: int) -> tuple[int, int, int] | None:
        held = self.open.pop(address, None)
        if held is not None:
            self.done.append((held[1], end, address, held[0], held[2]))
            self.order.remove(address)
        return held

    def cut(self, address: int, size: int, at: int) -> None:
        """Take a range out; it may span several pieces."""
        k = max(0, bisect_right(self.order, address) - 1)
        while k < len(self.order) and self.order[k] < address + size:
            first = self.order[k]
            length, _, event = self.open[first]
            if first + length <= address:
                k += 1
                continue
            self.close(first, at)
            if first < address:
                self.add(first, address - first, at, event)
            if first + length > address + size:
                self.add(address + size, first + length - address - size, at, event)
            k = max(0, bisect_right(self.order, address) - 1)
            if k < len(self.order) and self.order[k] + self.open[self.order[k]][0] <= address:
                k += 1


def _segments(device: Device) -> ChartData:
    """Segments as blocks: they live from their allocation or mapping to their free or unmapping."""
    pieces = _Pieces()
    for row in device.segments_at(-1).tolist():
        pieces.add(row[sg.ADDRESS], row[sg.SIZE], -1, -1)
    action, address, size = device.action, device.column("address").view(np.int64), device.column("size")
    for event in device.segment_events.tolist():
        at, length, code = int(address[event]), int(size[event]), int(action[event])
        if code in (SEGMENT_ALLOC, SEGMENT_MAP):
            pieces.add(at, length, event, event)
        elif code == SEGMENT_FREE:
            pieces.close(at, event)
        else:
            pieces.cut(at, length, event)
    last = max(device.events, 1)
    rows = sorted(
        [*pieces.done, *((s, last, a, z, e) for a, (z, s, e) in pieces.open.items())], key=lambda r: (r[0], r[2])
    )
    table = np.array([r for r in rows if r[1] > r[0]], np.int64).reshape(-1, 5)
    start, end, where, sizes = np.maximum(table[:, 0], 0), table[:, 1], table[:, 2].view(np.uint64), table[:, 3]
    if device.events:
        t, v = np.arange(device.events, dtype=np.int64), device.column("reserved")
    else:
        t, v = np.zeros(1, np.int64), np.array([device.facts["reserved"]], np.int64)
    blocks = Blocks(start, end, sizes, address_hash(where), t, v, 0, max(device.events - 1, 1))
    return ChartData("segments", blocks, table[:, 4], where)
