"""Merged lanes of a timeline: which streams are drawn as one, where their slices are, and how it is undone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.timeline.filter_capture import FilteredCapture
from insight_desktop.engine.timeline.lanes import Node
from insight_desktop.engine.timeline.merge import MergedLanes, merged
from insight_desktop.errors import BadArgument
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.layout import Unit

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import Selected, TimelineState


class Merges:
    """Groups of merged lanes, by keys of their units, so that they survive a re-read.

    Attributes:
        groups: per merged lane the keys of its members.
        lanes: key of the merged unit → what it draws.
        of_graphs: groups that were merged by themselves, because their streams run one captured graph.
    """

    def __init__(self, state: TimelineState) -> None:
        self.state = state
        self.groups: list[tuple[str, ...]] = []
        self.lanes: dict[str, MergedLanes] = {}
        self._passing: dict[str, tuple[FilteredCapture, FilteredCapture]] = {}
        self.of_graphs: set[tuple[str, ...]] = set()

    def of(self, unit: Unit | None) -> MergedLanes | None:
        """What a merged unit draws; None for any other unit."""
        return self.lanes.get(unit.key) if unit is not None and unit.members else None

    def merge(self, units: Iterable[Unit]) -> None:
        """Merge streams of one card, merged ones among them; raises BadArgument for other lanes."""
        chosen = [m for unit in units for m in (unit.members or (unit,))]
        if len({unit.card for unit in chosen}) > 1:
            raise BadArgument(tr("Lanes of different cards cannot be merged."), fix=tr("Select streams of one card."))
        if any(unit.track is None for unit in chosen):
            raise BadArgument(tr("Only streams can be merged."), fix=tr("Select stream lanes only."))
        capture = self.state.capture(chosen[0].card) if chosen else None
        if capture is None:
            return
        tracks = sorted({unit.track for unit in chosen if unit.track is not None})
        merged(capture, tracks)  # refuses what cannot be merged before anything changes
        keys = {unit.key for unit in chosen}
        self.groups = [group for group in self.groups if not keys & set(group)]
        self.groups.append(tuple(unit.key for unit in sorted(chosen, key=lambda u: u.track or 0)))

    def unmerge(self, units: Iterable[Unit]) -> None:
        """Show the members of merged lanes again."""
        keys = {member.key for unit in units for member in unit.members}
        self.groups = [group for group in self.groups if not keys & set(group)]

    def plant(self, root: Unit, capture: Capture | None) -> None:
        """Put the merged lanes into the fresh tree of a card, in place of their members."""
        known = {unit.key: unit for unit in root.walk()}
        for group in self.groups:
            members = tuple(known[key] for key in group if key in known)
            if capture is None or len(members) < 2 or len(members) < len(group):
                continue
            first, parent = members[0], members[0].parent
            if parent is None:
                continue
            key = f"{first.key}+{len(members)}"
            made = self.lanes.get(key)
            tracks = tuple(sorted(u.track for u in members if u.track is not None))
            if made is None or made.base is not capture or made.tracks_of_base != tracks:
                made = self.lanes[key] = merged(capture, tracks)
            label = tr("one graph") if group in self.of_graphs else ""
            node = Node(key, made.title, "thread", label, rows=len(made.column("lane_row")))
            unit = Unit(key, first.card, node, parent, first.level, members=members)
            at = parent.children.index(first)
            for member in members:
                if member.parent is not None:
                    member.parent.children.remove(member)
            parent.children.insert(at, unit)

    def drawn(self, unit: Unit | None) -> Capture | None:
        """What a unit draws instead of a track of its card: its merged lanes, or a capture of its own."""
        found = self.of(unit)
        return found if found is not None or unit is None else unit.own

    def passing(self, unit: Unit, passing: FilteredCapture) -> FilteredCapture | None:
        """The slices of a merged lane that pass the filter of its card."""
        found = self.of(unit)
        if found is None:
            return None
        known = self._passing.get(unit.key)
        if known is None or known[0] is not passing or known[1].whole is not found:
            made = FilteredCapture(found, np.isin(found.ids, passing.ids, assume_unique=True))
            known = self._passing[unit.key] = passing, made
        return known[1]

    # ---- where slices are --------------------------------------------------------------------------------------------

    def row_of(self, unit: Unit | None, chosen: Selected) -> int:
        """Depth row on which a slice is drawn."""
        found = self.of(unit)
        if found is None:
            return chosen.lane
        if chosen.kind != "slice":
            return 0
        at = int(found.from_base([chosen.id])[0])
        return int(found.lane_row[found.lane_of(at)]) if at >= 0 else 0

    def neighbour(self, unit: Unit | None, capture: Capture, slice_id: int, by: int) -> int | None:
        """The slice before or behind another one in its depth row."""
        found = self.of(unit)
        drawn, at = (found, int(found.from_base([slice_id])[0])) if found is not None else (capture, slice_id)
        lane = drawn.lane_of(at)
        if not int(drawn.lane_offset[lane]) <= at + by < int(drawn.lane_offset[lane + 1]):
            return None
        return int(found.to_base([at + by])[0]) if found is not None else at + by


def lanes_of_merged(found: Capture) -> Array:
    """All depth rows of a merged lane."""
    return np.arange(len(found.column("lane_row")), dtype=np.int32)
