"""The rows of the lane tree: which units are open, hidden or pinned, and where each row lies.

A unit is one node of a card's tree. The layout is made anew only when the tree, the open state, the hidden or the
pinned lanes change; painting asks for the rows of a window and gets them by bisection.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from insight_desktop.views.common import fonts

OPEN_BY_DEFAULT = 8  # threads with at most so many depth rows start open
INDENT = 12


@dataclass
class Heights:
    """Heights of rows in pixels; those of rows with a text follow the text size.

    Attributes:
        row: one depth row; its slice is two pixels lower.
        folded: a closed thread, all depth rows squeezed.
        group: cards and groups, with their preview when closed.
        counter: the curves of a counter.
    """

    row: int = 20
    folded: int = 25
    group: int = 22
    counter: int = 48

    def follow_text(self) -> None:
        """Take the text size of now; lay the rows out anew afterwards."""
        self.row, self.folded, self.group = (max(least, fonts.scaled(least)) for least in (20, 25, 22))


heights = Heights()  # of all timelines: there is one text size


@dataclass(eq=False, slots=True)
class Unit:
    """One node of the tree of a card.

    Attributes:
        key: key of the node (it begins with the name of the card): unique and stable over restarts.
        node: `engine.timeline.lanes.Node` or None for a card that is still being read.
        members: the lanes that a merged lane draws as one; it has no track of its own.
        own: a capture in memory that only this unit draws, such as the result of a query.
        figures: counter series of `own` that the row draws.
    """

    key: str
    card: str
    node: Any
    parent: Unit | None
    level: int
    children: list[Unit] = field(default_factory=list)
    members: tuple[Unit, ...] = ()
    own: Any = None
    figures: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        return str(self.node.title) if self.node is not None else self.card

    @property
    def track(self) -> int | None:
        return self.node.track if self.node is not None else None

    @property
    def tracks(self) -> tuple[int, ...]:
        """The tracks that the row draws: its own, or those of the merged lanes."""
        if self.members:
            return tuple(t for member in self.members for t in member.tracks)
        return (self.track,) if self.track is not None else ()

    @property
    def series(self) -> tuple[int, ...]:
        return tuple(self.node.series or ()) if self.node is not None else ()

    @property
    def depth_rows(self) -> int:
        return int(self.node.rows or 0) if self.node is not None else 0

    @property
    def is_card(self) -> bool:
        return self.parent is None

    @property
    def is_lane(self) -> bool:
        """True for slice lanes and counters, the things a range can hold."""
        return self.track is not None or bool(self.series) or bool(self.members) or self.own is not None

    @property
    def can_open(self) -> bool:
        return not self.members and self.own is None and (bool(self.children) or self.depth_rows > 1)

    @property
    def second_key(self) -> str:
        """Key of the lane right below the card that holds this unit; the card's own for a card."""
        at = self
        while at.parent is not None and at.parent.parent is not None:
            at = at.parent
        return at.key

    def walk(self) -> Iterator[Unit]:
        """This unit and everything below it, top down."""
        yield self
        for child in self.children:
            yield from child.walk()

    def ancestors(self) -> Iterator[Unit]:
        """The parent, its parent, and so on."""
        at = self.parent
        while at is not None:
            yield at
            at = at.parent


def unit_tree(card: str, node: Any) -> Unit:
    """The units of one card from the tree of `engine.timeline.lanes.card_tree`."""

    def make(at: Any, parent: Unit | None, level: int) -> Unit:
        unit = Unit(at.key if parent is not None else card, card, at, parent, level)
        unit.children = [make(child, unit, level + 1) for child in at.children]
        return unit

    return make(node, None, 0)


@dataclass(eq=False, slots=True)
class Row:
    """One row of the tree with its place.

    Attributes:
        kind: `card`, `group`, `lane`, `folded`, `counter`, `hidden` (placeholder) or `reading`.
        count: number of hidden units of a placeholder; its `unit` is the parent (None for cards).
        copy: True in the pinned area.
        level: indent steps.
    """

    unit: Unit | None
    kind: str
    y: int
    height: int
    level: int
    count: int = 0
    copy: bool = False
    pin_root: bool = False


def row_height(unit: Unit, is_open: bool, used: int | None = None) -> tuple[str, int]:
    """Kind and height of the row of a unit; `used` depth rows of an open lane are shown, all without it."""
    if unit.node is None:
        return "reading", heights.group
    if unit.series or unit.figures:
        return "counter", heights.counter
    if unit.members or unit.own is not None:
        return "lane", heights.row * (max(1, unit.depth_rows) if used is None else used)
    if unit.track is None:
        return ("card" if unit.is_card else "group"), heights.group
    if unit.depth_rows <= 1:
        return "lane", heights.row
    return (
        ("lane", heights.row * (unit.depth_rows if used is None else used)) if is_open else ("folded", heights.folded)
    )


@dataclass
class Arrangement:
    """What the user did to the tree; keys of units, in no tree of their own, so that they survive a re-read.

    `opened` and `closed` hold only what differs from the default, which depends on the data.
    """

    opened: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    pinned: list[str] = field(default_factory=list)
    used: dict[str, int] = field(default_factory=dict)  # depth rows in use, of the lanes that are cut to them

    kept: set[str] | None = None  # keys of the only units that are shown; None for all

    def is_open(self, unit: Unit, first_card: str | None) -> bool:
        """Whether the rows or children of a unit are shown."""
        if unit.key in self.opened:
            return True
        if unit.key in self.closed:
            return False
        if unit.is_card:
            return unit.card == first_card
        return unit.depth_rows <= OPEN_BY_DEFAULT

    def set_open(self, unit: Unit, is_open: bool) -> None:
        (self.closed if is_open else self.opened).discard(unit.key)
        (self.opened if is_open else self.closed).add(unit.key)

    def hide(self, units: Iterable[Unit]) -> None:
        """Hide units with their children; hidden lanes are no longer pinned."""
        for unit in units:
            self.hidden.add(unit.key)
            below = {u.key for u in unit.walk()}
            self.pinned = [key for key in self.pinned if key not in below]

    def show_all(self, parent: Unit | None, cards: Iterable[Unit]) -> None:
        """Show everything that is hidden below a parent, at any depth; None stands for the list of cards."""
        for top in parent.children if parent is not None else cards:
            self.hidden.difference_update(u.key for u in top.walk())


class Rows:
    """Rows from top to bottom with their places; `height` is that of all together."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._tops: list[int] = []
        self._by_key: dict[str, Row] = {}
        self.height = 0

    def add(self, unit: Unit | None, kind: str, height: int, level: int, **more: Any) -> None:
        row = Row(unit, kind, self.height, height, level, **more)
        self.rows.append(row)
        self._tops.append(self.height)
        if unit is not None and kind != "hidden":
            self._by_key.setdefault(unit.key, row)
        self.height += height

    def at(self, y: int) -> Row | None:
        """The row at a height; None above the first and below the last."""
        if not 0 <= y < self.height:
            return None
        return self.rows[bisect_right(self._tops, y) - 1]

    def window(self, top: int, bottom: int) -> list[Row]:
        """The rows that lie at least partly in [top, bottom)."""
        if bottom <= 0 or top >= self.height:
            return []
        first = max(0, bisect_right(self._tops, max(top, 0)) - 1)
        return self.rows[first : bisect_right(self._tops, bottom - 1)]

    def of(self, key: str) -> Row | None:
        """The row of a unit; None when it is not shown."""
        return self._by_key.get(key)

    def card_above(self, y: int) -> Row | None:
        """The card row that a row at y belongs to: what sticks to the top while its lanes scroll."""
        row = self.at(y)
        if row is None or row.unit is None:
            return None
        return self._by_key.get(row.unit.card)


def lay_out(cards: list[Unit], arrangement: Arrangement) -> Rows:
    """The rows of the main area."""
    rows = Rows()
    first = next((unit.card for unit in cards if unit.node is not None), None)
    _children(rows, None, cards, 0, arrangement, first)
    return rows


def lay_out_pinned(units: list[Unit], arrangement: Arrangement, first: str | None) -> Rows:
    """The rows of the pinned area: a copy of every pinned unit with what is open below it."""
    rows = Rows()
    for unit in units:
        _unit(rows, unit, 0, arrangement, first, copy=True, pin_root=True)
    return rows


def _children(
    rows: Rows,
    parent: Unit | None,
    units: list[Unit],
    level: int,
    state: Arrangement,
    first: str | None,
    copy: bool = False,
) -> None:
    if state.kept is not None:
        units = [unit for unit in units if unit.key in state.kept]
    hidden = sum(unit.key in state.hidden for unit in units)
    told = False
    for unit in units:
        if unit.key not in state.hidden:
            _unit(rows, unit, level, state, first, copy=copy)
        elif not told:
            told = True
            rows.add(parent, "hidden", heights.row, level, count=hidden, copy=copy)


def _unit(
    rows: Rows, unit: Unit, level: int, state: Arrangement, first: str | None, *, copy: bool, pin_root: bool = False
) -> None:
    is_open = state.is_open(unit, first)
    kind, height = row_height(unit, is_open, state.used.get(unit.key))
    rows.add(unit, kind, height, level, copy=copy, pin_root=pin_root)
    if is_open and unit.children:
        _children(rows, unit, unit.children, level + 1, state, first, copy)
