"""Requests of serving runs as lanes: one bar per request, packed by time, in the colours of the parts of its time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QObject

from insight_desktop.engine.capture import Array, Capture, dtype_of
from insight_desktop.engine.service import timeline as queries
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.debug_lane import DebugLane, LaneCapture
from insight_desktop.engine.timeline.filter_capture import FilteredCapture
from insight_desktop.engine.timeline.lanes import Node
from insight_desktop.errors import InsightError
from insight_desktop.schema_service import PARTS
from insight_desktop.views.common import theme
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.timeline.colouring import Colours
from insight_desktop.views.timeline.layout import Unit
from insight_desktop.views.timeline.sql_lanes import MARK

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState

NAMES = (*PARTS, "unfinished")
SORTS: tuple[tuple[str, str], ...] = (
    ("arrival", QT_TRANSLATE_NOOP("insight", "Arrival")),
    ("e2e", QT_TRANSLATE_NOOP("insight", "Duration")),
    ("ttft", QT_TRANSLATE_NOOP("insight", "TTFT")),
    ("queue", QT_TRANSLATE_NOOP("insight", "Waiting time")),
    ("name", QT_TRANSLATE_NOOP("insight", "Name")),
)
_MEANINGS = ("frontend", "queue", "prefill", "decode", "stalled", "tail", "free")


class RequestCapture(LaneCapture):
    """The lane of the requests: its names are parts, whose colours have a meaning."""

    @property
    def colours(self) -> Colours:
        """Colours of the parts in the current theme."""
        palette = np.array([theme.meaning(name).rgb() for name in _MEANINGS], np.uint32)
        inks = np.array([theme.ink_for(theme.meaning(name)).rgb() for name in _MEANINGS], np.uint32)
        return Colours(np.arange(len(NAMES), dtype=np.uint8), None, palette, inks)


def lane_of(table: pa.Table, card: str) -> DebugLane:
    """The rows of `service.timeline.lanes` as a lane; `name` counts NAMES."""
    row, start = table["row"].to_numpy(), table["ts_ns"].to_numpy()
    order = np.lexsort((start, row))
    start = np.ascontiguousarray(start[order])
    end = start + table["dur_ns"].to_numpy()[order]
    places = {name: i for i, name in enumerate(NAMES)}
    names = np.array([places[part] for part in table["part"].to_pylist()], np.int32)[order]
    count = int(row.max()) + 1 if len(row) else 0
    offset = np.searchsorted(row[order], np.arange(count + 1))
    return DebugLane(card, start, end, names, pa.array(NAMES, pa.large_string()), offset, order, 0)


class CounterCapture(Capture):
    """Counters that the events of a run give, as a capture in memory without slices."""

    def __init__(self, table: pa.Table, base: Capture) -> None:
        self.folder = base.folder
        self.manifest = replace(base.manifest, mip_shifts=[])
        keys = pc.binary_join_element_wise(table["counter"], table["line"], "\0").combine_chunks()
        ends = np.flatnonzero(pc.not_equal(keys[1:], keys[:-1]).to_numpy(zero_copy_only=False)) + 1
        offset = np.concatenate([[0], ends, [table.num_rows]]).astype(np.int64)
        values = table["value"].to_numpy()
        self._columns = {
            "counter_ts": table["ts_ns"].to_numpy(), "counter_value": values, "series_offset": offset,
            "string_hash": np.asarray(base.string_hash),
        }  # fmt: skip
        rows = []
        for first, last in pairwise(offset.tolist()):
            line = {"counter": table["counter"][first].as_py(), "series": table["line"][first].as_py()}
            rows.append({**dict.fromkeys(base.series.column_names), **line, "max": float(values[first:last].max())})
        self.__dict__["series"] = pa.Table.from_pylist(rows, base.series.schema)
        self.__dict__["strings"] = base.strings
        self.__dict__["tracks"] = base.tracks.slice(0, 0)

    def column(self, name: str) -> Array:
        """A column as of `Capture.column`; what it does not have is empty."""
        if name not in self._columns:
            self._columns[name] = np.empty(0, dtype_of(name))
        return self._columns[name]

    def of(self, counter: str) -> tuple[int, ...]:
        """Series of a counter."""
        return tuple(i for i, name in enumerate(self.series["counter"].to_pylist()) if name == counter)


class RequestLanes(QObject):
    """Makes the lanes of the runs of one timeline; runs with many requests have theirs only on demand."""

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        self.off: set[str] = set()  # runs whose lane the user took away
        self.sort = "arrival"  # of `engine.service.timeline.SORTS`; for all runs, so that they compare
        self._known: dict[str, object] = {}  # run → capture whose lane was made or asked for
        self.figures: dict[str, CounterCapture] = {}  # counters by run
        self._passing: tuple[tuple[int, str], FilteredCapture] | None = None
        self._work = Background(self)
        state.context.store_changed.connect(self.look)
        state.context.language_changed.connect(self._retitle)

    def key(self, card: str) -> str:
        """Key of the unit of a run's requests."""
        return f"{card}/{MARK}requests"

    def is_shown(self, card: str) -> bool:
        """Whether the requests of a run are shown as lanes."""
        return self.key(card) in self.state.sql_lanes.lanes

    def is_awaited(self, key: str) -> bool:
        """Whether a lane of this key may come as soon as its rows are known."""
        return any(
            key == self.key(card) or key.startswith(f"{card}/#figures") for card in self._known if card not in self.off
        )

    def look(self) -> None:
        """New runs get their lanes, those that are gone lose theirs."""
        store = self.state.context.store
        runs = {card.name for card in store.cards_of("service")}
        for name in [n for n in self._known if n not in runs]:
            del self._known[name]
            self.state.sql_lanes.lanes.pop(self.key(name), None)
            self.figures.pop(name, None)
        for name in sorted(runs - self.off):
            if self._known.get(name) is not store.capture(name):
                self._ask(store, name, queries.MOST_LANES)

    def show(self, card: str, shown: bool) -> None:
        """Show the requests of a run as lanes whatever their number, or take them away."""
        if shown:
            self.off.discard(card)
            self._ask(self.state.context.store, card, None)
        else:
            self.off.add(card)
            self.state.sql_lanes.remove([self.key(card)])
        self.state.context.view_changed.emit()

    def set_sort(self, sort: str) -> None:
        """Show the requests in another order; unknown ones change nothing."""
        if sort == self.sort or sort not in dict(SORTS):
            return
        self.sort = sort
        for card in list(self._known):
            if card not in self.off:
                self._ask_lanes(self.state.context.store, card, None if self.is_shown(card) else queries.MOST_LANES)
        self.state.context.view_changed.emit()

    def title(self) -> str:
        """Title of the lane: the order of its requests."""
        if self.sort == "arrival":
            return tr("Requests by time")
        return tr("Requests: {0}").format(tr(dict(SORTS)[self.sort]))

    def passing(self, card: str) -> FilteredCapture | None:
        """Of the lane of a run the bars of the followed request; None while none of it is followed."""
        place = self.state.trail.place
        found = self.state.sql_lanes.lanes.get(self.key(card))
        if place is None or place.card != card or found is None:
            return None
        drawn, table, _ = found
        if self._passing is None or self._passing[0] != (id(drawn), place.rid):
            mine = pc.equal(table["rid"], place.rid).to_numpy()[drawn.lane.table_row]
            self._passing = (id(drawn), place.rid), FilteredCapture(drawn, mine)
        return self._passing[1]

    def _retitle(self) -> None:
        lanes = self.state.sql_lanes.lanes
        mine = [key for key in lanes if key.endswith("requests")]
        for key in mine:
            lanes[key] = (*lanes[key][:2], self.title())
        if mine or self.figures or self.state.merges.groups:  # their names are translated; new trees cost time
            self.state.replant()

    def _ask(self, store: Store, card: str, limit: int | None) -> None:
        self._known[card] = store.capture(card)
        self._work.run(
            f"counters of {card}", partial(queries.counters, store, card=card), then=partial(self._take_counters, card),
            failed=self._failed,
        )  # fmt: skip
        self._ask_lanes(store, card, limit)

    def _ask_lanes(self, store: Store, card: str, limit: int | None) -> None:
        self._work.run(
            card,
            partial(queries.lanes, store, card=card, limit=limit, sort=self.sort),
            then=partial(self._take, card),
            failed=self._failed,
        )

    def _take_counters(self, card: str, table: pa.Table) -> None:
        capture = self.state.capture(card)
        if capture is not None and table.num_rows:
            self.figures[card] = CounterCapture(table, capture)
            self.state.replant()

    def plant(self, root: Unit) -> None:
        """Put the counters of a run into its fresh tree, below the lanes of the data."""
        found = self.figures.get(root.card)
        if found is None:
            return
        key = f"{root.card}/#figures"
        group = Unit(key, root.card, Node(key, tr("Derived from events"), "group"), root, 1)
        for name in dict.fromkeys(found.series["counter"].to_pylist()):
            node = Node(f"{key}/{name}", tr(name), "counter")
            group.children.append(Unit(node.key, root.card, node, group, 2, own=found, figures=found.of(name)))
        at = next((i for i, u in enumerate(root.children) if u.own is not None and u.key.endswith("requests")), None)
        root.children.insert(len(root.children) if at is None else at, group)

    def _take(self, card: str, table: pa.Table) -> None:
        capture = self.state.capture(card)
        if capture is None or card in self.off:
            return
        if not table.num_rows:
            self.state.sql_lanes.lanes.pop(self.key(card), None)
            return
        drawn = RequestCapture(lane_of(table, card), self.title(), capture)
        named = table.rename_columns(["name" if name == "part" else name for name in table.column_names])
        self.state.sql_lanes.lanes[self.key(card)] = drawn, named, self.title()
        self.state.replant()

    def _failed(self, error: InsightError) -> None:
        self.state.context.message.emit("warning", say(error.message), say(error.fix))
