"""A serving run in memory: the columns of its canonical tables, kept while its capture is open."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop import schema_service as schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.errors import BadArgument, BadFile, NoData

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]
NONE = np.iinfo(np.int64).min  # no time, no number
ALL = "*"  # all instances together

_NEXT = "Collect the run with httpReq and httpRes events, or open the folder that holds them."


class Columns:
    """Columns of one table as attributes: int64 (NONE for null), float64 (NaN for null) or object arrays."""

    def __init__(self, columns: dict[str, Array]) -> None:
        self._columns = columns

    def __getattr__(self, name: str) -> Array:
        try:
            return self.__dict__["_columns"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0

    @property
    def all(self) -> dict[str, Array]:
        """All columns by name."""
        return self._columns

    def take(self, rows: Array) -> Columns:
        """Those rows (a mask or positions)."""
        return Columns({name: values[rows] for name, values in self._columns.items()})

    @property
    def size_bytes(self) -> int:
        return sum(values.nbytes for values in self._columns.values())


_TABLES = ("request", "token", "step", "step_request", "stall", "kv", "queue", "forward", "pd", "pull", "process")
_NUMBERS = {"service_token": ("request", "step"), "service_step_request": ("request", "step"), "service_step": ("step",),
            "service_stall": ("request", "step"), "service_forward": ("step",), "service_pd": ("request",),
            "service_pull": ("request",), "service_request": ("request",)}  # fmt: skip


@dataclass
class Instance:
    """One serving run, or several put together.

    Attributes:
        card: name of its card, ALL for several.
        cards: name of the card of each request's run, by `run`.
        facts: facts about the run.
        request_run: which of `cards` each request is of.
        folders: captures, in the order of `cards`.
        window: (start, end) in ns that statistics are limited to; None for all.
    """

    card: str
    cards: list[str]
    facts: dict[str, str]
    request: Columns
    token: Columns
    step: Columns
    step_request: Columns
    stall: Columns
    kv: Columns
    queue: Columns
    forward: Columns
    pd: Columns
    pull: Columns
    process: Columns
    request_run: Array
    folders: list[Path]
    first_ns: int
    last_ns: int
    window: tuple[int, int] | None = None
    held: dict[Any, Any] = field(default_factory=dict)

    @property
    def size_bytes(self) -> int:
        return sum(getattr(self, name).size_bytes for name in _TABLES)

    def number_of(self, rid: str) -> int:
        """Number of a request; raises BadArgument that names some when it is not there."""
        index = self.held.get("rids")
        if index is None:
            index = self.held["rids"] = {r: i for i, r in reversed(list(enumerate(self.request.rid.tolist())))}
        found = index.get(rid)
        if found is None:
            some = ", ".join(self.request.rid[:5].tolist())
            raise BadArgument(f"There is no request {rid!r}.", fix=f"Requests begin with: {some}.")
        return int(found)

    def inside(self, time: I64) -> Array:
        """True for times inside the window."""
        if self.window is None:
            return time != NONE
        return (time != NONE) & (time >= self.window[0]) & (time < self.window[1])


def opened(
    project: Store, card: str | None = None, *, start_ns: int | None = None, end_ns: int | None = None
) -> Instance:
    """The serving run of a card.

    Args:
        project: the opened cards.
        card: its name; ALL for all runs together, None for the only one.
        start_ns, end_ns: statistics are limited to what begins in between.

    Raises:
        BadArgument: several runs are open and none is named, or there is none of that name.
        NoData: no serving run is open.
    """
    if card == ALL:
        names = [c.name for c in project.cards_of("service")]
        if not names:
            raise NoData("No serving run is open.", fix="Open profiler.db, chrome_tracing.json or ms_service_*.db.")
        found = _merged([_instance(project.capture(name), name) for name in names])
    else:
        name = project.card(card, "service").name
        found = _instance(project.capture(name), name)
    if start_ns is None and end_ns is None:
        return found
    low = found.first_ns if start_ns is None else start_ns
    high = found.last_ns + 1 if end_ns is None else end_ns
    return _limited(found, low, high)


def _instance(capture: Capture, card: str) -> Instance:
    return kept(capture, ("service.instance", card), lambda: _read(capture, card), lambda i: i.size_bytes)


def _read(capture: Capture, card: str) -> Instance:
    tables: dict[str, Any] = {
        name: _columns(capture.folder / f"service_{name}.parquet", f"service_{name}") for name in _TABLES
    }
    facts_path = capture.folder / "service_fact.parquet"
    facts = pq.read_table(facts_path).to_pydict() if facts_path.exists() else {"name": [], "value": []}
    request = tables["request"]
    first = request.first_event_ns[request.first_event_ns != NONE]
    last = request.last_event_ns[request.last_event_ns != NONE]
    starts = [int(first.min())] if len(first) else []
    ends = [int(last.max())] if len(last) else []
    m = capture.manifest
    return Instance(
        card, [card], dict(zip(facts["name"], facts["value"], strict=True)), **tables,
        request_run=np.zeros(len(request), np.int32), folders=[capture.folder],
        first_ns=starts[0] if starts else m.start_ns, last_ns=max(ends[0] if ends else 0, m.end_ns),
    )  # fmt: skip


def _columns(path: Path, table: str) -> Columns:
    declared = schema.TABLES[table].schema
    if not path.exists():
        raise BadFile(f"The capture lacks {table}.", fix="Read the data again.")
    found = pq.read_table(path)
    return Columns({f.name: column_of(found[f.name], f.type) for f in declared})


def column_of(column: pa.ChunkedArray, kind: pa.DataType) -> Array:
    """An array of a column: NONE and NaN for nulls."""
    if pa.types.is_integer(kind):
        return np.asarray(column.cast(pa.int64()).fill_null(NONE).to_numpy(), np.int64)
    if pa.types.is_floating(kind):
        return np.asarray(column.to_numpy(), np.float64)
    coded = column.combine_chunks().dictionary_encode() if not pa.types.is_boolean(kind) else None
    if coded is None:
        return np.array(column.to_pylist(), object) if column.length() else np.empty(0, object)
    words = np.array([*coded.dictionary.to_pylist(), None], object)  # each different text is made once
    return np.asarray(words[coded.indices.fill_null(len(words) - 1).to_numpy(zero_copy_only=False)], object)


def _merged(parts: list[Instance]) -> Instance:
    if len(parts) == 1:
        return parts[0]
    requests = np.cumsum([0, *(len(p.request) for p in parts)])
    steps = np.cumsum([0, *(len(p.step) for p in parts)])
    tables: dict[str, Any] = {}
    for name in _TABLES:
        moved = _NUMBERS.get(f"service_{name}", ())
        columns = {}
        for key in schema.TABLES[f"service_{name}"].schema.names:
            values = []
            for i, part in enumerate(parts):
                column = getattr(part, name).all[key]
                if key in moved:
                    offset = requests[i] if key == "request" else steps[i]
                    column = np.where(column > 0, column + offset, column) if key == "step" else column + offset
                values.append(column)
            columns[key] = np.concatenate(values)
        tables[name] = Columns(columns)
    return Instance(
        ALL, [p.card for p in parts], {}, **tables,
        request_run=np.repeat(np.arange(len(parts), dtype=np.int32), np.diff(requests)),
        folders=[p.folders[0] for p in parts], first_ns=min(p.first_ns for p in parts), last_ns=max(p.last_ns for p in parts),
    )  # fmt: skip


def _limited(whole: Instance, low: int, high: int) -> Instance:
    """The same run with a window: its tables stay whole, statistics look at what begins inside."""
    limited = Instance(**{**vars(whole), "window": (low, high), "held": {}})
    limited.held.update({k: v for k, v in whole.held.items() if k == "rids"})
    return limited
