"""What the Snapshot page asks the engine, off the window's thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.memory import snapshot as queries
from insight_desktop.engine.memory.snapshot_charts import ChartData, Colour, Kind, chart_of, colours_of
from insight_desktop.engine.memory.snapshot_compare import UNKNOWN
from insight_desktop.engine.memory.snapshot_data import Device, SizeMode, Snapshot, of_card
from insight_desktop.engine.memory.snapshot_rows import block_categories
from insight_desktop.engine.memory.snapshot_state import Fragmentation, State, fragmentation_of, state_of
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.views.memory import snapshot_panels as tabs

_MOST_NAMES = 8
_MOST_BANDS, _MOST_FLAGS = 200, 500


@dataclass(frozen=True)
class Opened:
    """A device of a snapshot as the page shows it."""

    card: str
    snapshot: Snapshot
    device: Device
    chart: ChartData
    marks: list[dict[str, Any]]
    sizes: Any  # int64 bytes of blocks, largest first
    error: InsightError | None = None  # why another chart than the wanted one is shown
    hashes: Any = None  # colour number per row
    legend: tuple[tuple[str, int], ...] = ()  # words and colour numbers
    bands: tuple[tuple[int, int, str], ...] = ()  # first and last event of annotated stretches, their names

    @property
    def flags(self) -> list[dict[str, Any]]:
        """Markers to be drawn; annotations that are bands need none."""
        return [m for m in self.marks if not (self.bands and m["kind"] == "annotation")][:_MOST_FLAGS]


def opened(project: Store, *, card: str, device: int | None, kind: Kind, mode: SizeMode, colour: Colour = "address") -> Opened:  # fmt: skip
    """A device with its chart; the chart of active memory when the wanted one has no data."""
    snapshot = of_card(project, card)
    chosen = snapshot.device(device)
    error = None
    try:
        chart = chart_of(project, card=card, device=chosen.number, kind=kind, mode=mode)
    except InsightError as found:
        chart = chart_of(project, card=card, device=chosen.number, kind="active", mode=mode)
        error = found
    marks = queries.marks(project, card=card, device=chosen.number).to_pylist()
    sizes = np.sort(chart.blocks.size)[::-1].copy()
    hashes = colours_of(chosen, chart, colour)
    legend = _legend(snapshot, chosen, chart, colour, hashes)
    notes = queries.notes(project, card=card, device=chosen.number).to_pylist()
    return Opened(card, snapshot, chosen, chart, marks, sizes, error, hashes, legend, _bands(notes))


def _bands(notes: list[dict[str, Any]]) -> tuple[tuple[int, int, str], ...]:
    """Stretches between START and END of one name, the inner ones of equal names first."""
    begun: dict[str, list[int]] = {}
    out = []
    for note in notes:
        if note["event"] is None:
            continue
        if note["stage"] == "START":
            begun.setdefault(note["name"], []).append(note["event"])
        elif note["stage"] == "END" and begun.get(note["name"]):
            out.append((begun[note["name"]].pop(), note["event"], note["name"]))
    return tuple(out[:_MOST_BANDS])


def _legend(snapshot: Snapshot, device: Device, chart: ChartData, colour: Colour, hashes: Any) -> tuple[tuple[str, int], ...]:  # fmt: skip
    """Words for colours when they stand for a few named things: categories or streams, those with most bytes first."""
    if colour not in ("category", "stream") or chart.kind == "segments" or not len(hashes):
        return ()
    shown = chart.ids >= 0
    ids = chart.ids[shown]
    values = block_categories(device, ids) if colour == "category" else device.column("block_stream")[ids]
    distinct, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    weight = np.bincount(inverse, chart.blocks.size[shown].astype(np.float64))
    out = []
    for k in np.argsort(-weight)[:_MOST_NAMES].tolist():
        value = int(distinct[k])
        name = str(value) if colour == "stream" else snapshot.text(value) or UNKNOWN
        out.append((name, int(hashes[np.flatnonzero(shown)[first[k]]])))
    return tuple(out)


def moment(project: Store, *, card: str, device: int, event: int, mode: SizeMode) -> tuple[State, Fragmentation]:
    """The allocator after an event."""
    state = state_of(of_card(project, card).device(device), event, mode)
    return state, fragmentation_of(state)


@dataclass(frozen=True)
class Asked:
    """What a table is about."""

    card: str
    device: int
    mode: SizeMode
    event: int
    range: tuple[int, int] | None
    of: str = "peak"
    by: str = "stack"
    base: str | None = None
    base_event: int | None = None
    unreleased: bool = False


def table(project: Store, *, number: int, asked: Asked) -> tuple[int, pa.Table]:
    """The table of a tab."""
    a = asked
    common: dict[str, Any] = {"card": a.card, "device": a.device}
    sized = {**common, "mode": a.mode}
    bounds: dict[str, Any] = {} if a.range is None else {"first": a.range[0], "last": a.range[1]}
    makers: dict[int, Any] = {
        tabs.BLOCKS: lambda: queries.blocks(project, **sized, **bounds, unreleased=a.unreleased),
        tabs.EVENTS: lambda: queries.events(project, **common, **bounds),
        tabs.SEGMENTS: lambda: queries.segments(project, event=a.event, **sized),
        tabs.STACKS: lambda: queries.stacks(project, of=a.of, event=a.event, **sized, **bounds),  # type: ignore[arg-type]
        tabs.TREE: lambda: queries.stack_tree(project, of=a.of, event=a.event, **sized, **bounds),  # type: ignore[arg-type]
        tabs.LEAKS: lambda: queries.leaks(project, **sized, **bounds),
        tabs.SAVINGS: lambda: queries.savings(project, **sized),
        tabs.POOLS: lambda: queries.pools(project, event=a.event, **sized),
        tabs.WAITING: lambda: queries.waiting(project, **sized),
        tabs.OOM: lambda: queries.oom(project, **sized),
        tabs.COMPARE: lambda: queries.compare(
            project, base=a.base, event=a.event, base_event=a.base_event, by=a.by, **sized  # type: ignore[arg-type]
        ),
        tabs.MARKS: lambda: queries.marks(project, **common),
        tabs.SETTINGS: lambda: queries.settings(project, card=a.card),
        tabs.QUALITY: lambda: queries.anomalies(project, card=a.card),
    }  # fmt: skip
    return number, makers[number]()


def chips(project: Store, *, card: str, device: int, mode: SizeMode, range_: tuple[int, int] | None) -> dict[str, Any]:
    """Unreleased bytes of the visible range."""
    bounds = {} if range_ is None else {"first": range_[0], "last": range_[1]}
    row: dict[str, Any] = queries.unreleased(project, card=card, device=device, mode=mode, **bounds).to_pylist()[0]
    return row


def found(project: Store, *, card: str, device: int, text: str, action: str) -> Any:
    """Events that a search finds."""
    return queries.find(project, text=text, action=action, card=card, device=device)["event"].to_numpy()
