"""What a column of a table is: its title, unit and kind, and how one value reads in a cell, a tooltip and a copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from insight_desktop.errors import BadArgument
from insight_desktop.views.common import number_text
from insight_desktop.views.common.language import tr

Kind = Literal[
    "text",  # names; left
    "link",  # names that lead somewhere; left, in the accent colour
    "number",  # grouped, `decimals` fixed
    "count",  # grouped integers
    "id",  # integers that are never grouped
    "address",  # whole numbers shown in hexadecimal; filters take hexadecimal (0x…) or decimal numbers
    "duration",  # int ns, shown in `unit`
    "offset",  # int ns with a sign, shown in `unit`
    "time",  # int ns on the axis, shown as ruler text
    "stamp",  # raw int ns, grouped
    "percent",  # ratio 0–1, shown times 100 below the unit %
    "bytes",  # bytes, shown in `unit` (B, KiB, MiB, GiB, or KB, MB, GB: all 1024-based)
]
_BYTES = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
_DECIMALS: dict[str, int | None] = {"duration": 3, "offset": 3, "percent": 1, "bytes": 1}
_LONGEST_CELL = 1_000  # characters; laying out more of them on every paint is slow, and no cell is that wide
_EXACT_DECIMALS = {"ns": 0, "µs": 3, "ms": 6, "s": 9}


@dataclass(frozen=True)
class ColumnSpec:
    """One column of an ArrowTable.

    Attributes:
        name: column of the Arrow table.
        title: English heading, translated by the table; the name when empty.
        unit: written behind the title in brackets; for durations and bytes also the unit of the cells.
        kind: how values read, sort, filter and align.
        decimals: fixed decimals; None for those of the kind.
        width: first width in pixels at 100 %; 0 to fit the content.
        tooltip: English explanation of the heading.
        missing: text of cells without a value; a dash (nothing for texts) when empty.
        missing_as: where rows without a value sort: last both ways, or as the highest or lowest value.
        bar: a small bar below the number shows it as a share of 1.
        filters: False for columns of buttons: they have no filter field.
    """

    name: str
    title: str = ""
    unit: str = ""
    kind: Kind = "text"
    decimals: int | None = None
    width: int = 0
    tooltip: str = ""
    missing: str = ""
    missing_as: Literal["last", "high", "low"] = "last"
    bar: bool = False
    filters: bool = True

    @property
    def is_text(self) -> bool:
        """Left-aligned, filtered by what it contains."""
        return self.kind in ("text", "link")

    @property
    def shown_unit(self) -> str:
        """The unit of the heading; durations are in ms and ratios in % unless told otherwise."""
        default = {"duration": "ms", "offset": "µs", "percent": "%", "bytes": "MiB", "stamp": "ns"}.get(self.kind, "")
        return self.unit or default

    @property
    def shown_decimals(self) -> int | None:
        """Decimals of a cell; None for as many as the number has."""
        if self.decimals is not None:
            return self.decimals
        return 0 if self.shown_unit == "ns" else _DECIMALS.get(self.kind)

    @property
    def exact_decimals(self) -> int:
        """Decimals that show a duration to the nanosecond."""
        return _EXACT_DECIMALS[self.shown_unit]

    @property
    def scale(self) -> float:
        """What one shown unit is in the values of the table."""
        if self.kind in ("duration", "offset"):
            return number_text.UNIT_NS[self.shown_unit]
        if self.kind == "bytes":
            return _BYTES[self.shown_unit]
        return 0.01 if self.kind == "percent" else 1

    def heading(self) -> str:
        """Title in the current language with the unit in brackets."""
        title = tr(self.title) if self.title else self.name
        return f"{title} ({self.shown_unit})" if self.shown_unit else title

    def help_text(self) -> str:
        """Explanation of the heading in the current language, or empty."""
        return tr(self.tooltip) if self.tooltip else ""

    def cell(self, value: Any) -> str:
        """The text of a cell."""
        if value is None or value != value:
            return self.missing or (number_text.MISSING if not self.is_text else "")
        if isinstance(value, str) or self.is_text:
            return one_line(str(value))
        kind, decimals = self.kind, self.shown_decimals
        if kind in ("duration", "offset"):
            text = number_text.in_unit(value, self.shown_unit, decimals or 0)
            return f"+{text}" if kind == "offset" and value > 0 else text
        if kind == "time":
            return number_text.ruler(value)
        if kind == "id":
            return str(value)
        if kind == "address":
            return f"0x{value:x}"
        if kind in ("bytes", "percent"):
            return number_text.number(value / self.scale, decimals)
        return number_text.number(value, decimals)

    def exact(self, value: Any) -> str:
        """The text of a tooltip: every digit, with its unit."""
        if isinstance(value, str):
            return value
        if value is None or value != value:
            return self.cell(value)
        if self.kind in ("duration", "offset", "stamp"):
            return number_text.duration_exact(value) if isinstance(value, int) else f"{number_text.number(value)} ns"
        if self.kind == "bytes":
            return f"{number_text.number(value)} B"
        if self.kind == "percent":
            return number_text.percent(value, 4)
        if self.kind == "number":
            return f"{number_text.number(value)} {self.shown_unit}".strip()
        return self.cell(value)

    def typed(self, text: str) -> float | int:
        """A number typed into the filter of this column, in the values of the table.

        Raises:
            BadArgument: it is not a number (or duration) of this column.
        """
        if self.kind in ("duration", "offset"):
            return number_text.parse_duration(text, self.shown_unit)
        if self.kind == "time":
            return number_text.parse_duration(text, "s")
        plain = text.strip().replace(",", "").replace(number_text.MINUS, "-").removesuffix(self.shown_unit).strip()
        try:
            if self.kind == "address":
                return int(plain, 16 if plain.lower().startswith("0x") else 10)
            if self.kind not in ("bytes", "percent"):
                return int(plain)
        except ValueError:
            pass  # not whole: read below as a decimal number
        try:
            return float(plain) * self.scale
        except ValueError as error:
            raise BadArgument(f"“{text.strip()}” is not a number.", fix="Write > 5, < 5, = 5 or 1..5.") from error


def one_line(text: str) -> str:
    """A text for a cell: line ends become a return sign, so that nothing is hidden."""
    if len(text) > _LONGEST_CELL:
        text = f"{text[:_LONGEST_CELL]}…"
    if "\n" not in text and "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", " ⏎ ")


def specs_of(names: list[str], numeric: set[str]) -> list[ColumnSpec]:
    """Plain columns for a table without any: units are taken from the names (`_ns`, `_bytes`, `_ratio`)."""
    found = []
    for name in names:
        if name.endswith("_ns") and name in numeric:
            found.append(ColumnSpec(name, name.removesuffix("_ns"), kind="duration"))
        elif name.endswith("_bytes") and name in numeric:
            found.append(ColumnSpec(name, name.removesuffix("_bytes"), kind="bytes"))
        elif name.endswith("_ratio") and name in numeric:
            found.append(ColumnSpec(name, name.removesuffix("_ratio"), kind="percent"))
        else:
            found.append(ColumnSpec(name, name, kind="number" if name in numeric else "text"))
    return found
