"""Results of queries drawn as lanes: they stand right below their card, first of all, until they are taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.timeline.debug_lane import LaneCapture, sql_lane
from insight_desktop.engine.timeline.lanes import Node
from insight_desktop.errors import BadArgument
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.layout import Unit

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import Selected, TimelineState

MARK = "#query "  # in the key of a unit, so that it differs from all lanes of the data


class SqlLanes:
    """The lanes of one timeline, by key of their unit: what is drawn, the rows it came from, the title."""

    def __init__(self, state: TimelineState) -> None:
        self.state = state
        self.lanes: dict[str, tuple[LaneCapture, pa.Table, str]] = {}
        self._made = 0

    def add(self, table: pa.Table, title: str = "") -> Unit | None:
        """Draw the rows of a result as a lane; raises BadArgument when they have no time or several cards."""
        lane = sql_lane(table)
        card = lane.card if lane.card is not None else self.state.first_card
        capture = self.state.capture(card) if card is not None else None
        if capture is None or card is None:
            raise BadArgument(tr("The card of these rows is not open."), fix=tr("Add its data to the project."))
        if not len(lane.start):
            raise BadArgument(tr("No row of the result has a time."), fix=tr("Select ts_ns and dur_ns."))
        self._made += 1
        key = f"{card}/{MARK}{self._made}"
        title = title or tr("Query {0}").format(self._made)
        self.lanes[key] = LaneCapture(lane, title, capture), table, title
        self.state.replant()
        unit = self.state.unit(key)
        if unit is not None:
            self.state.reveal(unit)
            self.state.select_lanes([key])
        return unit

    def remove(self, keys: list[str] | None = None) -> None:
        """Take lanes away, all of them without keys."""
        for key in list(self.lanes) if keys is None else keys:
            self.lanes.pop(key, None)
        self.state.replant()

    def chosen(self) -> list[str]:
        """Keys of the selected lanes that are results of queries."""
        return [key for key in self.state.lanes if key in self.lanes and not key.endswith("requests")]

    def plant(self, root: Unit, capture: Capture | None) -> None:
        """Put the lanes of a card into its fresh tree."""
        mine = [key for key in self.lanes if key.startswith(f"{root.key}/{MARK}")]
        if capture is None:
            return
        for place, key in enumerate(mine):
            drawn, _, title = self.lanes[key]
            node = Node(key, title, "thread", rows=len(drawn.column("lane_row")))
            unit = Unit(key, root.card, node, root, 1, own=drawn)
            if key.endswith("requests"):  # below the lanes of the data, which they would push away
                root.children.append(unit)
            else:
                root.children.insert(place, unit)

    def selected(self, unit: Unit, slice_id: int) -> Selected | None:
        """The slice of the data that a slice of such a lane stands for; None when its row has no id."""
        found = self.lanes.get(unit.key)
        if found is None:
            return None
        drawn, table, _ = found
        if "id" not in table.column_names:
            return None
        number = table["id"][int(drawn.lane.table_row[slice_id])].as_py()
        return self.state.slice(unit.card, number) if isinstance(number, int) else None

    def has_requests(self, unit: Unit) -> bool:
        """Whether a lane shows the requests of a run."""
        return unit.key.endswith("requests") and unit.key in self.lanes

    def rid(self, unit: Unit, slice_id: int) -> str | None:
        """Name of the request that a slice of such a lane is of; None for other lanes."""
        found = self.lanes.get(unit.key)
        if found is None or "rid" not in found[1].column_names or not unit.key.endswith("requests"):
            return None
        return str(found[1]["rid"][int(found[0].lane.table_row[slice_id])].as_py())

    def facts(self, unit: Unit, slice_id: int) -> tuple[str, int, int]:
        """Name, start and end (recorded ns) of a slice of such a lane."""
        drawn = self.lanes[unit.key][0]
        start, end = int(drawn.slice_start[slice_id]), int(drawn.slice_end[slice_id])
        return drawn.text(int(drawn.slice_name[slice_id])), start, end
