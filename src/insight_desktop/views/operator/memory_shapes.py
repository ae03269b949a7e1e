"""Where the boxes and arrows of each memory diagram stand, in canvas pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

Kind = Literal["memory", "cube", "vector", "group"]
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """One box.

    Attributes:
        kind: memory (GM, L2), cube side, vector side, or group (the frame around several).
        text: name; `\n` begins another line.
        unit: whose rate stands in it: L2, Cube, Vector, Vector1, or empty.
    """

    x: float
    y: float
    width: float
    height: float
    kind: Kind
    text: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Arrow:
    """One transfer.

    Attributes:
        path: its number; −1 for a plain connector.
        points: corners; the head stands at the last one.
        label: middle of its label; None for no label.
        has_head: False for lines that end in another arrow.
    """

    path: int
    points: tuple[Point, ...]
    label: Point | None
    has_head: bool = True


@dataclass(frozen=True)
class Shape:
    """One diagram."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    @property
    def paths(self) -> frozenset[int]:
        """Numbers of the transfers that it can show."""
        return frozenset(arrow.path for arrow in self.arrows if arrow.path >= 0)


@dataclass
class _Sheet:
    boxes: list[Box] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)

    def box(self, kind: Kind, x: float, y: float, width: float, height: float, text: str = "", unit: str = "") -> None:
        self.boxes.append(Box(x, y, width, height, kind, text, unit))

    def arrow(
        self,
        path: int,
        *points: Point,
        side: str = "",
        label: Point | None = None,
        named: bool = True,
        head: bool = True,
    ) -> None:
        place = label or _beside(points, side)
        self.arrows.append(Arrow(path, points, place if named else None, head))


_AWAY, _BESIDE = 13, 10


def _beside(points: tuple[Point, ...], side: str) -> Point:
    """Middle of the label of a straight arrow: above, below (b), left (l) or right (r)."""
    (x0, y0), (x1, y1) = points[0], points[-1]
    middle = (x0 + x1) / 2, (y0 + y1) / 2
    if side in ("l", "r"):
        return middle[0] + (_BESIDE + 16) * (1 if side == "r" else -1), middle[1]
    return middle[0], middle[1] + _AWAY * (1 if side == "b" else -1)


def _left(sheet: _Sheet, frame: float, height: float) -> None:
    sheet.box("group", 1, 1, 315, frame)
    sheet.box("memory", 11, 16, 70, height, "GM")
    sheet.box("memory", 221, 16, 70, height, "L2 Cache", "L2")
    y = 16 + math.floor(0.46 * height) - 10
    sheet.arrow(0, (81, y), (218, y))
    sheet.arrow(1, (220, y + 20), (83, y + 20), side="b")


def _cube_side(sheet: _Sheet, *, newer: bool) -> None:
    sheet.box("group", 426, 1, 610, 330)
    sheet.box("cube", 441, 126, 80, 170, "L1")
    sheet.box("cube", 621, 146, 100, 50, "L0A")
    sheet.box("cube", 621, 236, 100, 50, "L0B")
    sheet.box("cube", 821, 156, 150, 120, "Cube", "Cube")
    sheet.box("cube", 846, 46, 100, 50, "L0C")
    sheet.arrow(2, (291, 176), (439, 176))
    sheet.arrow(3, (441, 201), (293, 201), side="b")
    if newer:
        sheet.arrow(35, (291, 101), (671, 101), (671, 144), label=(571, 116))
        sheet.arrow(36, (291, 311), (671, 311), (671, 288), label=(571, 301))
        sheet.arrow(37, (521, 171), (619, 171), label=(566, 186))
        sheet.arrow(38, (521, 261), (619, 261), label=(566, 249))
    else:
        sheet.arrow(4, (301, 101), (551, 101), (551, 171), (521, 171), (619, 171), label=(566, 186))
        sheet.arrow(5, (301, 311), (551, 311), (551, 261), (521, 261), (619, 261), label=(566, 249))
    sheet.arrow(6, (721, 171), (818, 171), side="b")
    sheet.arrow(7, (721, 261), (818, 261))
    sheet.arrow(8, (891, 156), (891, 98), side="l")
    sheet.arrow(11, (911, 96), (911, 154), side="r")
    sheet.arrow(9, (846, 86), (481, 86), (481, 123), label=(511, 71))
    sheet.arrow(10, (901, 46), (901, 31), (292, 31), label=(361, 46))


def _vector_core(sheet: _Sheet, y: float, first: int, unit: str, *, left: float, right: float) -> None:
    """UB and vector unit of a 910 chip; y of its frame, numbers from `first` on."""
    sheet.box("group", left, y, 610, 150)
    sheet.box("vector", left + 15, y + 20, 150, 110, "UB")
    sheet.box("vector", right, y + 20, 200, 110, "Vector", unit)
    begin, edge = 301 if left == 426 else 291, left + 165
    sheet.arrow(first, (begin, y + 60), (left + 13, y + 60))
    sheet.arrow(first + 1, (left + 15, y + 80), (begin + 2, y + 80), side="b")
    sheet.arrow(first + 2, (edge, y + 60), (right - 2, y + 60))
    sheet.arrow(first + 3, (right, y + 80), (edge + 2, y + 80), side="b")


def _cube(sheet: _Sheet, *, newer: bool) -> None:
    _left(sheet, 330, 300)
    _cube_side(sheet, newer=newer)


def _vector(sheet: _Sheet, *, newer: bool) -> None:
    del newer
    _left(sheet, 150, 120)
    _vector_core(sheet, 1, 12, "Vector", left=426, right=711)


def _mix(sheet: _Sheet, *, newer: bool) -> None:
    _left(sheet, 665, 635)
    _cube_side(sheet, newer=newer)
    for y, first, unit in ((345, 12, "Vector"), (510, 16, "Vector1")):
        _vector_core(sheet, y, first, unit, left=416, right=701)


def _mix310(sheet: _Sheet, *, newer: bool) -> None:
    del newer
    _left(sheet, 380, 350)
    down = 12  # the upper edge of L1 lies above the canvas otherwise

    def box(kind: Kind, x: float, y: float, width: float, height: float, text: str, unit: str = "") -> None:
        sheet.box(kind, x, y + down, width, height, text, unit)

    def arrow(path: int, *points: Point, side: str = "", named: bool = True) -> None:
        sheet.arrow(path, *((x, y + down) for x, y in points), side=side, named=named)

    box("cube", 401, -9, 80, 170, "L1")
    box("cube", 581, 11, 100, 50, "L0A")
    box("cube", 581, 101, 100, 50, "L0B")
    box("cube", 781, 21, 150, 120, "Cube", "Cube")
    box("cube", 1031, 36, 100, 50, "L0C")
    box("vector", 781, 156, 150, 50, "Vector", "Vector")
    box("vector", 482, 277, 650, 100, "UB")
    arrow(20, (301, 76), (400, 76))
    arrow(20, (501, 276), (501, 221), (351, 221), (351, 76), (400, 76), named=False)
    arrow(25, (301, 301), (480, 301), side="b")
    arrow(25, (441, 161), (441, 301), (481, 301), named=False)
    arrow(13, (480, 351), (301, 351), side="b")
    arrow(21, (481, 36), (580, 36))
    arrow(22, (481, 126), (580, 126))
    arrow(22, (301, 201), (501, 201), (501, 126), (580, 126), named=False)
    arrow(6, (681, 36), (780, 36))
    arrow(7, (681, 126), (780, 126))
    arrow(8, (931, 61), (1030, 61))
    arrow(24, (1091, 86), (1091, 275), side="r")
    arrow(23, (1071, 276), (1071, 87), side="l")
    arrow(15, (871, 206), (871, 275), side="r")
    arrow(14, (841, 276), (841, 207), side="l")


def _cube_side_a5(sheet: _Sheet) -> None:
    sheet.box("group", 416, 1, 850, 330)
    sheet.box("cube", 431, 46, 170, 170, "L1")
    sheet.box("cube", 701, 66, 100, 50, "L0A")
    sheet.box("cube", 701, 156, 100, 50, "L0B")
    sheet.box("cube", 901, 76, 150, 120, "Cube", "Cube")
    sheet.box("cube", 1151, 46, 80, 180, "L0C")
    sheet.box("cube", 431, 276, 800, 40, "FIXP")
    sheet.arrow(2, (291, 96), (429, 96))
    sheet.arrow(37, (601, 91), (699, 91), label=(646, 106))
    sheet.arrow(38, (601, 181), (699, 181), label=(646, 169))
    sheet.arrow(6, (801, 91), (898, 91), side="b")
    sheet.arrow(7, (801, 181), (898, 181))
    sheet.arrow(8, (1051, 141), (1148, 141))
    sheet.arrow(39, (1191, 226), (1191, 273), side="l")
    sheet.arrow(41, (501, 276), (501, 219), side="l")
    sheet.arrow(40, (431, 296), (293, 296))


def _vector_core_a5(sheet: _Sheet, y: float, second: bool, *, newer: bool) -> None:
    into, out, read, written = (16, 17, 18, 19) if second else (12, 13, 14, 15)
    cached, back, stored, loaded = (49, 51, 53, 55) if second else (48, 50, 52, 54)
    sheet.box("group", 416, y, 850, 160)
    sheet.box("vector", 431, y + 20, 320, 50, "UB")
    sheet.box("vector", 431, y + 90, 320, 50, "Dcache(SIMT)")
    sheet.box("vector", 871, y + 20, 320, 125, "Vector", "Vector1" if second else "Vector")
    sheet.arrow(into, (291, y + 37), (429, y + 37))
    sheet.arrow(cached, (291, y + 112), (429, y + 112))
    sheet.arrow(read, (751, y + 37), (869, y + 37))
    sheet.arrow(written, (871, y + 57), (753, y + 57), side="b")
    sheet.arrow(loaded, (751, y + 112), (869, y + 112))
    sheet.arrow(stored, (871, y + 132), (753, y + 132), side="b")
    if newer:
        sheet.arrow(out, (431, y + 57), (293, y + 57), side="b")
        sheet.arrow(back, (431, y + 132), (293, y + 132), side="b")
    else:
        sheet.arrow(out, (417, y + 75), (293, y + 75))


def _cube_a5(sheet: _Sheet, *, newer: bool) -> None:
    del newer
    _left(sheet, 380, 350)
    _cube_side_a5(sheet)


def _vector_a5(sheet: _Sheet, *, newer: bool) -> None:
    _left(sheet, 380, 350)
    _vector_core_a5(sheet, 100, False, newer=newer)


def _mix_a5(sheet: _Sheet, *, newer: bool) -> None:
    _left(sheet, 665, 635)
    _cube_side_a5(sheet)
    _vector_core_a5(sheet, 345, False, newer=newer)
    _vector_core_a5(sheet, 510, True, newer=newer)
    sheet.arrow(44, (541, 217), (541, 362), label=(551 + 16, 244))
    sheet.arrow(42, (641, 317), (641, 362), side="l")
    sheet.arrow(43, (691, 317), (691, 527), label=(724, 507))
    sheet.arrow(47, (471, 530), (471, 219), label=(438, 507), named=newer)
    if newer:
        sheet.arrow(45, (581, 217), (581, 527), label=(614, 507))
        sheet.arrow(46, (441, 365), (441, 219), label=(441, 263))
    else:
        sheet.arrow(45, (581, 260), (581, 527), named=False)
        sheet.arrow(46, (441, 365), (441, 261), (471, 261), label=(457, 245), head=False)
        sheet.arrow(-1, (541, 260), (581, 260), named=False, head=False)


_DRAW = {
    "cube": (_cube, 1048, 340), "vector": (_vector, 1048, 160), "mix": (_mix, 1038, 670), "mix310": (_mix310, 1144, 396),
    "cubeA5": (_cube_a5, 1278, 390), "vectorA5": (_vector_a5, 1278, 390), "mixA5": (_mix_a5, 1278, 680),
}  # fmt: skip
NAMES = (*_DRAW, "cube-V2", "mix-V2", "vectorA5-V2", "mixA5-V2")


@cache
def shape(name: str) -> Shape:
    """The diagram of that name (see `engine.operator.memory_diagram.diagram`)."""
    plain = name.removesuffix("-V2")
    draw, width, height = _DRAW[plain]
    sheet = _Sheet()
    draw(sheet, newer=name != plain)
    groups = [box for box in sheet.boxes if box.kind == "group"]
    rest = [box for box in sheet.boxes if box.kind != "group"]
    return Shape(width, height, (*groups, *rest), tuple(sheet.arrows))
