"""Which device a card's memory rows belong to, and which raw time is zero on the axis of its memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array
from insight_desktop.engine.rounding import ns_to_ms
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import memory_tables
from insight_desktop.schema import ROLE_THREAD

_TIMES = (("operator_memory", "alloc_ns"), ("memory_record", "ts_ns"), ("module_memory", "ts_ns"))
_DEVICE_TABLES = ("operator_memory", "memory_record", "module_memory", "app_memory", "kernel")


@dataclass(frozen=True)
class CardMemory:
    """What every question about a card's memory needs.

    Attributes:
        project: the opened cards.
        card: name of the card.
        device: device whose rows count; None when neither the card nor its files tell one, then all rows count.
        device_from: what told the device.
        base_ns: raw time of zero on the axis.
        base_from: what told the base.
    """

    project: Store
    card: str
    device: int | None
    device_from: str
    base_ns: int
    base_from: str

    def rows(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Rows of a table of `schema.TABLES` that belong to the device, read anew: keep what is made of them."""
        return memory_tables.read(self.project, self.card, table, self.device, columns)

    def rows_of_all_devices(self, table: str) -> pa.Table:
        """Rows of a table of the card, whatever their device."""
        return memory_tables.read(self.project, self.card, table)

    def key(self, *names: str) -> tuple[object, ...]:
        """Key of what is computed from tables of this card."""
        stamps = [memory_tables.stamp(self.project, self.card, name) for name in names]
        return (self.device, self.base_ns, *stamps)

    def ms(self, stamps: pa.ChunkedArray | Array) -> Array:
        """Times of the axis in ms, three decimals; NaN for null."""
        if isinstance(stamps, pa.ChunkedArray | pa.Array):
            return ns_to_ms(pc.subtract(stamps, self.base_ns))
        return ns_to_ms(np.asarray(stamps) - self.base_ns)


def of_card(project: Store, card: str | None) -> CardMemory:
    """Device and time base of a card; without a name of the only card. Raises as `Store.card`."""
    chosen = project.card(card)
    stamps = [memory_tables.stamp(project, chosen.name, name) for name in _DEVICE_TABLES[:-1]]
    key = ("start", chosen.kind, str(chosen.folder), chosen.device, *stamps)
    device, device_from, start, origin = memory_tables.kept.get(key, lambda: _start(project, chosen), lambda _: 0)
    timeline = project.base_ns
    if start is None or start < timeline:  # the axis never begins before that of the project
        start, origin = timeline, "timeline"
    return CardMemory(project, chosen.name, device, device_from, start, origin)


def _start(project: Store, card: StoreCard) -> tuple[int | None, str, int | None, str]:
    device, device_from = _device(project, card)
    start, origin = _session(project, card.name) if card.kind == "db" else _first_record(project, card.name, device)
    return device, device_from, start, origin


def _device(project: Store, card: StoreCard) -> tuple[int | None, str]:
    if card.device is not None:
        return card.device, "card"
    for table in _DEVICE_TABLES:
        device = memory_tables.first_device(project, card.name, table)
        if device is not None:
            return device, table
    return None, ""


def _first_record(project: Store, card: str, device: int | None) -> tuple[int | None, str]:
    """Smallest time of the three files; tables without rows do not count, nor do times of 0."""
    found = []
    for table, column in _TIMES:
        stamps = memory_tables.read(project, card, table, device, [column])[column]
        first = pc.min(stamps.filter(pc.greater(stamps, 0))).as_py()
        if first is not None:
            found.append((int(first), table))
    return min(found, default=(None, ""))


def _session(project: Store, card: str) -> tuple[int | None, str]:
    """Start of the profiler session of a database, else of its first host call."""
    capture = project.capture(card)
    start = capture.manifest.extra.get("session_start_ns")
    if isinstance(start, int):
        return start, "session"
    tracks = capture.tracks.select(["role", "device", "first_ns"]).to_pylist()
    host = [t["first_ns"] for t in tracks if t["role"] == ROLE_THREAD and t["device"] < 0 and t["first_ns"] is not None]
    return (int(min(host)), "first host call") if host else (None, "")
