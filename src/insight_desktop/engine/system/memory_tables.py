"""The memory tables of a card, restricted to its device, and a place for what is dear to make of them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from insight_desktop.engine import tables
from insight_desktop.engine.store import Store

_LIMIT_BYTES = 1 << 30
_OF_DEVICES = ("memory_record", "operator_memory", "module_memory", "app_memory")
_TEXTS = ["component", "name", "stream", "model", "graph_id", "device"]
T = TypeVar("T")


class Kept:
    """Results that are dear to make; the least recently used go first when they grow beyond `limit_bytes`."""

    def __init__(self, limit_bytes: int = _LIMIT_BYTES) -> None:
        self._limit = limit_bytes
        self._held: OrderedDict[tuple[Any, ...], tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[Any, ...], make: Callable[[], T], size: Callable[[T], int]) -> T:
        """The result of that key; made outside the lock, so two threads may make it at the same time."""
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                found: T = self._held[key][0]
                return found
        made = make()
        with self._lock:
            self._held[key] = made, size(made)
            while len(self._held) > 1 and sum(bytes_ for _, bytes_ in self._held.values()) > self._limit:
                self._held.popitem(last=False)
        return made


kept = Kept()


def stamp(project: Store, card: str, table: str) -> tuple[Any, ...]:
    """What changes when a table of a card is written anew; the table is made when it is not there."""
    tables.ensure(project, table, [card])
    path = project.card(card).folder / f"{table}.parquet"
    facts = path.stat()
    return table, str(path), facts.st_mtime_ns, facts.st_size


def read(
    project: Store, card: str, table: str, device: int | None = None, columns: Sequence[str] | None = None
) -> pa.Table:
    """Rows of a table of a card, read from its file; texts are dictionary columns.

    Args:
        project: the opened cards.
        card: name of the card.
        table: name in `schema.TABLES`.
        device: only its rows, see `counted`; rows whose file does not tell the device belong to it. None for all rows.
        columns: which columns; all when None.
    """
    path = stamp(project, card, table)[1]
    device = counted(project, card, table, device)
    names = pq.read_schema(path).names
    chosen = names if columns is None else list(columns)
    needed = chosen if device is None or "device" in chosen else ["device", *chosen]
    found = pq.read_table(path, columns=needed, read_dictionary=[name for name in needed if name in _TEXTS])
    if device is not None and found.num_rows:
        mine = pc.fill_null(pc.equal(found["device"], device), True)
        found = found if pc.all(mine).as_py() else found.filter(mine)
    return found.select(chosen)


def counted(project: Store, card: str, table: str, device: int | None) -> int | None:
    """The device whose rows of a table are those of the card; None for all rows.

    Some collectors write 0 or the rank into the memory files instead of the device. So where no memory file of the card tells
    two devices, a table that has no row of the card's device is the card's as a whole.
    """
    if device is None or table not in _OF_DEVICES or device in (told := devices(project, card, table)):
        return device
    wrong = bool(told) and all(len(devices(project, card, name)) <= 1 for name in _OF_DEVICES)
    return None if wrong else device


def devices(project: Store, card: str, table: str) -> frozenset[int]:
    """Devices that the rows of a table tell."""
    key = ("devices", *stamp(project, card, table))
    return kept.get(key, lambda: _devices(key[2]), lambda _: 0)


def _devices(path: Any) -> frozenset[int]:
    return frozenset(pc.unique(pq.read_table(path, columns=["device"])["device"]).drop_null().to_pylist())


def first_device(project: Store, card: str, table: str) -> int | None:
    """Device of the first row that tells one."""
    known = read(project, card, table, columns=["device"])["device"].drop_null().slice(0, 1).to_pylist()
    return int(known[0]) if known else None
