"""Links between slices of a profiler database, from equal connection numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.profiler_db_ids import IdMap, Names
from insight_desktop.ingest.formats.profiler_db_tables import NONE32, NULL, Ints
from insight_desktop.ingest.report import Report

_PIECE_ROWS = 512 * 1024


class Ends:
    """Slices that carry a connection number: (connection, serial, start), gathered batch by batch."""

    def __init__(self) -> None:
        self._parts: list[tuple[Ints, Ints, Ints]] = []

    def add(self, connection: Ints, serial: Ints, start: Ints | None = None) -> None:
        """Remember rows; those without a connection are left out. Targets need no start."""
        keep = is_connection(connection)
        if keep.any():
            stamps = np.empty(0, np.int64) if start is None else start[keep]
            self._parts.append((connection[keep], serial[keep], stamps))

    def columns(self) -> tuple[Ints, Ints, Ints]:
        """All rows gathered so far."""
        if len(self._parts) != 1:
            empty = np.empty(0, np.int64)
            a, b, c = (np.concatenate([empty, *(part[i] for part in self._parts)]) for i in range(3))
            self._parts = [(a, b, c)]
        return self._parts[0]


def is_connection(connection: Ints) -> npt.NDArray[np.bool_]:
    """Which values are connection numbers; 0 is one, the collectors' "none" is not."""
    return (connection != NULL) & (connection != NONE32) & (connection != -1)


@dataclass
class LinkEnds:
    """Everything that can be linked.

    Attributes:
        api: rows of CANN_API.
        python: rows of PYTORCH_API; the connection is an id of CONNECTION_IDS.
        python_enqueue: serials of those whose name begins with Enqueue.
        compute: computing tasks; operators: communication operators.
        mstx, mstx_tasks: marks of the host and their tasks on the device.
        connection_ids: (id, connection) of CONNECTION_IDS; None when there is no such table.
    """

    api: Ends = field(default_factory=Ends)
    python: Ends = field(default_factory=Ends)
    python_enqueue: list[Ints] = field(default_factory=list)
    compute: Ends = field(default_factory=Ends)
    operators: Ends = field(default_factory=Ends)
    mstx: Ends = field(default_factory=Ends)
    mstx_tasks: Ends = field(default_factory=Ends)
    connection_ids: tuple[Ints, Ints] | None = None

    def reaches_device(self) -> Callable[[Ints], npt.NDArray[np.bool_]]:
        """A test for connections: has the device side, which is read first, a target for them."""
        targets = IdMap(np.concatenate([self.operators.columns()[0], self.compute.columns()[0]]))
        return lambda connection: targets.get(connection) >= 0

    def batches(self, names: Names, report: Report) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The `link` table; counts `flow_starts` (distinct sources) and `flow_ends` (links)."""
        device = self._device()
        python = self._python()
        found = [("HostToDevice", *_join(self.api.columns(), device)), ("async_npu", *_join(python, device))]
        found += self._between_python(python)
        found.append(("MsTx", *_join(self.mstx.columns(), self.mstx_tasks.columns()[:2])))
        for category, source, target, connection in found:
            if not len(source):
                continue
            report.add("flow_starts", len(np.unique(source)))
            report.add("flow_ends", len(source))
            number = names.number(category)
            for at in range(0, len(source), _PIECE_ROWS):
                part = slice(at, at + _PIECE_ROWS)
                yield (
                    "link",
                    schema.batch(
                        "link",
                        category=np.full(len(source[part]), number, np.int32),
                        id=_link_ids(names, connection[part]),
                        from_serial=source[part],
                        to_serial=target[part],
                    ),
                )

    def _device(self) -> tuple[Ints, Ints]:
        """Targets on the device; a communication operator stands for all tasks of its connection."""
        operators, compute = self.operators.columns(), self.compute.columns()
        alone = IdMap(operators[0]).get(compute[0]) < 0
        return np.concatenate([operators[0], compute[0][alone]]), np.concatenate([operators[1], compute[1][alone]])

    def _python(self) -> tuple[Ints, Ints, Ints]:
        """Python rows by connection: each id of CONNECTION_IDS stands for one or more connections."""
        rows = self.python.columns()
        if self.connection_ids is None:
            return rows
        ids, connections = self.connection_ids
        order = np.argsort(ids, kind="stable")
        row, at = _matches(rows[0], ids[order])
        return connections[order][at], rows[1][row], rows[2][row]

    def _between_python(self, python: tuple[Ints, Ints, Ints]) -> list[tuple[str, Ints, Ints, Ints]]:
        """Enqueue to Dequeue, forward to backward: the two earliest rows of a connection."""
        connection, serial, start = python
        order = np.lexsort((serial, start, connection))
        connection, serial = connection[order], serial[order]
        first = np.ones(len(connection), bool)
        first[1:] = connection[1:] != connection[:-1]
        at = np.flatnonzero(first)
        at = at[(at + 1 < len(connection)) & ~np.append(first, True)[at + 1]]
        source, target = serial[at], serial[at + 1]
        enqueue = (
            np.isin(source, np.concatenate(self.python_enqueue)) if self.python_enqueue else np.zeros(len(at), bool)
        )
        return [
            ("async_task_queue", source[enqueue], target[enqueue], connection[at][enqueue]),
            ("fwdbwd", source[~enqueue], target[~enqueue], connection[at][~enqueue]),
        ]


def _link_ids(names: Names, connection: Ints) -> Ints:
    """Ids of links as schema `link` has them: negative numbers, which no collector writes, are texts there."""
    negative = connection < 0
    if not negative.any():
        return connection
    values, which = np.unique(connection[negative], return_inverse=True)
    ids = connection.copy()
    ids[negative] = np.array([-1 - names.number(str(value)) for value in values.tolist()], np.int64)[which]
    return ids


def _matches(keys: Ints, sorted_keys: Ints) -> tuple[Ints, Ints]:
    """All pairs (position in keys, position in sorted_keys) of equal values."""
    low, high = np.searchsorted(sorted_keys, keys, "left"), np.searchsorted(sorted_keys, keys, "right")
    count = high - low
    row = np.repeat(np.arange(len(keys)), count)
    at = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + low[row]
    return row, at


def _join(sources: tuple[Ints, Ints, Ints], targets: tuple[Ints, Ints]) -> tuple[Ints, Ints, Ints]:
    """From the earliest source of each connection to all its targets: (from, to, connection)."""
    order = np.lexsort((sources[1], sources[2], sources[0]))
    connection, serial = sources[0][order], sources[1][order]
    first = np.ones(len(connection), bool)
    first[1:] = connection[1:] != connection[:-1]
    row, at = _matches(targets[0], connection[first])
    return serial[first][at], targets[1][row], targets[0][row]
