"""Which device a card's memory rows belong to, and which raw time is zero on the axis of its memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array
from insight_desktop.engine.rounding import ns_to_ms
from insight_desktop.engine.store import Store
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

    def rows(self, table: str) -> pa.Table:
        """Rows of a table of `schema.TABLES` that belong to the device."""
        return memory_tables.of_device(self.project, self.card, table, self.device)

    def project_rows(self, table: str) -> pa.Table:
        """Rows of a table of the card, whatever their device."""
        return memory_tables.whole(self.project, self.card, table)

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
    name = project.card(card).name
    device, device_from = _device(project, name)
    base, base_from = _base(project, name, device)
    return CardMemory(project, name, device, device_from, base, base_from)


def _device(project: Store, card: str) -> tuple[int | None, str]:
    known = project.card(card).device
    if known is not None:
        return known, "card"
    for table in _DEVICE_TABLES:
        device = memory_tables.first_device(memory_tables.whole(project, card, table))
        if device is not None:
            return device, table
    return None, ""


def _base(project: Store, card: str, device: int | None) -> tuple[int, str]:
    """The start of the card's memory, but never before the start of the project's timeline."""
    start, origin = _session(project, card) if project.card(card).kind == "db" else _first_record(project, card, device)
    timeline = project.base_ns
    if start is None:
        return timeline, "timeline"
    return (start, origin) if start >= timeline else (timeline, "timeline")


def _first_record(project: Store, card: str, device: int | None) -> tuple[int | None, str]:
    """Smallest time of the three files; tables without rows do not count, nor do times of 0."""
    found = []
    for table, column in _TIMES:
        stamps = memory_tables.of_device(project, card, table, device)[column]
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
