"""Where the squares of the parallel layout stand, which groups they belong to, and the ways of the lines between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF

from insight_desktop.views.system.summary_words import group_text

SIDE, GAP_X, GAP_Y, PADDING = 44.0, 20.0, 40.0, 40.0
_GAP_CP, _GAP_DP, _GAP_EP = 10.0, 20.0, 12.0
_LANE, _LANES = 4.0, 8  # distance and number of lines side by side between two rows of squares
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """A communication group of the view: its name and the positions of its members."""

    name: str
    members: tuple[int, ...]

    @property
    def text(self) -> str:
        """Name and members."""
        return f"{self.name} {group_text(self.members)}"


@dataclass(frozen=True)
class Frame:
    """A frame around elements that share an index: dimension, members, boxes (several when they do not stand together)."""

    kind: str
    members: tuple[int, ...]
    boxes: tuple[QRectF, ...]


@dataclass
class Graph:
    """The squares of a view. Positions are the indices of the elements."""

    names: list[str] = field(default_factory=list)
    ranks: list[str] = field(default_factory=list)
    at: dict[str, _Ints] = field(default_factory=dict)  # dimension → index of each element, -1 without
    columns: _Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    rows: _Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    left: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    top: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    groups: list[Group] = field(default_factory=list)
    of_element: dict[int, list[int]] = field(default_factory=dict)

    @classmethod
    def made(cls, elements: pa.Table, groups: pa.Table, cp: int) -> Graph:
        """From the rows of `parallel_layout` and `parallel_groups`; cp is the shown size of context parallelism."""
        columns = elements["x"].to_numpy().astype(np.int64)
        rows = elements["y"].to_numpy().astype(np.int64)
        at = {d: elements[d].fill_null(-1).to_numpy().astype(np.int64) for d in ("dp", "pp", "cp", "tp", "ep")}
        found = cls(elements["name"].to_pylist(), elements["ranks"].to_pylist(), at, columns, rows)
        experts = np.maximum(at["ep"], 0)
        is_ordered = bool(np.all(np.diff(experts[np.argsort(columns, kind="stable")]) >= 0))
        found.left = (
            PADDING
            + columns * (SIDE + GAP_X)
            + at["cp"] * _GAP_CP
            + at["dp"] * (_GAP_DP + _GAP_CP * (cp - 1))
            + (experts * _GAP_EP if is_ordered else 0.0)
        )
        found.top = PADDING + rows * (SIDE + GAP_Y)
        for name, members in zip(groups["dimension"].to_pylist(), groups["ranks"].to_pylist(), strict=True):
            for member in members:
                found.of_element.setdefault(member, []).append(len(found.groups))
            found.groups.append(Group(name, tuple(members)))
        return found

    def __len__(self) -> int:
        return len(self.names)

    @property
    def size(self) -> QSizeF:
        """Room for everything."""
        if not len(self):
            return QSizeF(0, 0)
        return QSizeF(float(self.left.max()) + SIDE + PADDING, float(self.top.max()) + SIDE + PADDING)

    def box(self, index: int) -> QRectF:
        """Square of an element."""
        return QRectF(float(self.left[index]), float(self.top[index]), SIDE, SIDE)

    def element_at(self, at: QPointF) -> int:
        """Element at a place, -1 for none."""
        inside = (
            (self.left <= at.x()) & (at.x() <= self.left + SIDE) & (self.top <= at.y()) & (at.y() <= self.top + SIDE)
        )
        found = np.flatnonzero(inside)
        return int(found[0]) if len(found) else -1

    def visible(self, area: QRectF) -> _Ints:
        """Elements whose square touches an area."""
        inside = (
            (self.left <= area.right())
            & (self.left + SIDE >= area.left())
            & (self.top <= area.bottom())
            & (self.top + SIDE >= area.top())
        )
        return np.flatnonzero(inside)

    def groups_of(self, index: int, hidden: Iterable[str] = ()) -> list[Group]:
        """Groups that hold an element."""
        found = [self.groups[i] for i in self.of_element.get(index, [])]
        return [g for g in found if g.name not in set(hidden)]

    def named(self, name: str) -> list[Group]:
        """All groups of a name."""
        return [g for g in self.groups if g.name == name]

    def frames(self, kind: str) -> list[Frame]:
        """Frames of dp, ep or cp: the elements with one index (one pair of dp and cp); none below two frames."""
        if not len(self):
            return []
        keys = self.at["dp"] * (int(self.at["cp"].max()) + 1) + self.at["cp"] if kind == "cp" else self.at[kind]
        if kind == "cp" and int(self.at["cp"].max()) == 0:
            return []
        distinct = np.unique(keys[keys >= 0])
        if len(distinct) < 2:
            return []
        room = {"dp": 12.0, "ep": 9.0, "cp": 5.0}.get(kind, 7.0)
        return [self._frame(kind, np.flatnonzero(keys == key), room) for key in distinct]

    def _frame(self, kind: str, members: _Ints, room: float) -> Frame:
        width = int(np.ptp(self.columns[members])) + 1
        height = int(np.ptp(self.rows[members])) + 1
        parts = [members] if width * height == len(members) else self._runs(members)
        boxes = []
        for part in parts:
            left, top = float(self.left[part].min()), float(self.top[part].min())
            right, bottom = float(self.left[part].max()) + SIDE, float(self.top[part].max()) + SIDE
            boxes.append(QRectF(QPointF(left, top), QPointF(right, bottom)).adjusted(-room, -room, room, room))
        return Frame(kind, tuple(int(m) for m in members), tuple(boxes))

    def _runs(self, members: _Ints) -> list[_Ints]:
        """Neighbours in a row."""
        order = members[np.lexsort((self.columns[members], self.rows[members]))]
        breaks = np.flatnonzero((np.diff(self.rows[order]) != 0) | (np.diff(self.columns[order]) != 1)) + 1
        return list(np.split(order, breaks))

    def direct(self, group: Group) -> list[QLineF]:
        """The line through the members of a group whose squares stand in one row or one column."""
        centres = [self.box(m).center() for m in group.members]
        return [QLineF(a, b) for a, b in pairwise(centres)]

    def route(self, group: Group, lane: int) -> list[QLineF]:
        """A line that passes below the squares, so that it meets its members only; lanes lie side by side."""
        offset = SIDE + 6 + _LANE * (lane % _LANES)
        lines: list[QLineF] = []
        trunk: list[QPointF] = []
        members = np.array(group.members)
        inset = 6 + _LANE * (lane % _LANES)
        for row in np.unique(self.rows[members]):
            own = members[self.rows[members] == row]
            y = float(self.top[own[0]]) + offset
            xs = np.sort(self.left[own]) + inset
            lines.append(QLineF(float(xs[0]), y, float(xs[-1]), y))
            lines += [QLineF(float(x), float(self.top[own[0]]) + SIDE, float(x), y) for x in xs]
            trunk.append(QPointF(float(xs[0]), y))
        # Between rows the line runs in the gap left of the first member.
        for upper, lower in pairwise(trunk):
            x = min(upper.x(), lower.x()) - inset - 4 - (lane % _LANES)
            lines += [QLineF(upper.x(), upper.y(), x, upper.y()), QLineF(x, upper.y(), x, lower.y()),
                      QLineF(x, lower.y(), lower.x(), lower.y())]  # fmt: skip
        return lines


def distance(line: QLineF, at: QPointF) -> float:
    """How far a place is from a line."""
    length = line.length()
    if not length:
        return float(QLineF(line.p1(), at).length())
    along = ((at.x() - line.x1()) * line.dx() + (at.y() - line.y1()) * line.dy()) / length**2
    return float(QLineF(line.pointAt(min(max(along, 0.0), 1.0)), at).length())
