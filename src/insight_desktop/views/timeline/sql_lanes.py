"""Results of queries drawn as lanes: they stand right below their card, first of all, until they are taken away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.debug_lane import LaneCapture, sql_lane
from insight_desktop.engine.timeline.lanes import Node
from insight_desktop.errors import BadArgument, InsightError
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.layout import Unit

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import Selected, TimelineState

MARK = "#query "  # in the key of a unit, so that it differs from all lanes of the data


def rows_of(store: Store, *, texts: Sequence[str]) -> list[pa.Table | InsightError]:
    """The rows of every query as its lane shows them, or why there are none now."""
    from insight_desktop.views.timeline import sql_panel  # which needs the state of the timeline

    found: list[pa.Table | InsightError] = []
    for text in texts:
        try:
            found.append(sql_panel.run(store, text=text)[0].slice(0, sql_panel.MOST_ROWS))
        except InsightError as error:
            found.append(error)
    return found


class SqlLanes:
    """The lanes of one timeline, by key of their unit: what is drawn, the rows it came from, the title."""

    def __init__(self, state: TimelineState) -> None:
        self.state = state
        self.lanes: dict[str, tuple[LaneCapture, pa.Table, str]] = {}
        self.texts: dict[str, str] = {}  # the query of every lane that can be asked for again
        self._made = 0
        self._awaited: list[dict[str, str]] = []  # lanes of the session whose rows are being asked for
        self._asker = Asker(state.context, state)

    def add(self, table: pa.Table, title: str = "", text: str = "") -> Unit | None:
        """Draw the rows of a result as a lane; raises BadArgument when they have no time or several cards."""
        key = self._put(table, title, text)
        self.state.replant()
        unit = self.state.unit(key)
        if unit is not None:
            self.state.reveal(unit)
            self.state.select_lanes([key])
        return unit

    def as_list(self) -> list[dict[str, str]]:
        """Titles, queries and keys for the session file."""
        made = [
            {"title": self.lanes[k][2], "text": text, "key": k} for k, text in self.texts.items() if k in self.lanes
        ]
        return self._awaited or made

    def is_awaited(self, key: str) -> bool:
        """Whether a lane of this key comes as soon as its query is answered."""
        return any(one["key"] == key for one in self._awaited)

    def restore(self, given: Sequence[dict[str, Any]]) -> None:
        """Ask the queries of `as_list` again and draw their rows where they stood."""
        wanted = [{name: str(one.get(name, "")) for name in ("title", "text", "key")} for one in given]
        self._awaited = wanted
        if wanted:
            texts = [one["text"] for one in wanted]
            self._asker.ask(rows_of, texts=texts, then=lambda found: self._bring_back(wanted, found))

    def _bring_back(self, wanted: list[dict[str, str]], found: list[pa.Table | InsightError]) -> None:
        self._awaited = []
        for key in list(self.texts):  # of what was shown before
            self.lanes.pop(key, None)
        self.texts.clear()
        for one, rows in zip(wanted, found, strict=True):
            try:
                if isinstance(rows, InsightError):
                    raise rows
                self._put(rows, one["title"], one["text"], one["key"])
            except InsightError as error:
                self.state.context.message.emit("warning", f"{one['title']}: {error.message}", error.fix)
        self.state.replant()

    def _put(self, table: pa.Table, title: str, text: str, kept_key: str = "") -> str:
        lane = sql_lane(table)
        card = lane.card if lane.card is not None else self.state.first_card
        capture = self.state.capture(card) if card is not None else None
        if capture is None or card is None:
            raise BadArgument(tr("The card of these rows is not open."), fix=tr("Add its data to the project."))
        if not len(lane.start):
            raise BadArgument(tr("No row of the result has a time."), fix=tr("Select ts_ns and dur_ns."))
        head, number = f"{card}/{MARK}", kept_key.rpartition(MARK)[2]
        if kept_key == head + number and number.isdecimal() and kept_key not in self.lanes:
            key = kept_key  # pins and what else was arranged go by it
            self._made = max(self._made, int(number))
        else:
            self._made += 1
            key = f"{head}{self._made}"
        title = title or tr("Query {0}").format(self._made)
        self.lanes[key] = LaneCapture(lane, title, capture), table, title
        if text:
            self.texts[key] = text
        return key

    def remove(self, keys: list[str] | None = None) -> None:
        """Take lanes away, all of them without keys."""
        for key in list(self.lanes) if keys is None else keys:
            self.lanes.pop(key, None)
            self.texts.pop(key, None)
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
