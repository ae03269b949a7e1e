"""From the rows of a curve to what is drawn and listed: places on the axis, lines, columns, figures."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.service import curve_rows, pages
from insight_desktop.views.common.chart import Axis, Series
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec

# Names of derived curves, listed so that the catalogue knows them.
DERIVED = (
    QT_TRANSLATE_NOOP("insight", "Queues"),
    QT_TRANSLATE_NOOP("insight", "Concurrency"),
    QT_TRANSLATE_NOOP("insight", "Batch size"),
    QT_TRANSLATE_NOOP("insight", "Batch tokens"),
    QT_TRANSLATE_NOOP("insight", "Step latency"),
    QT_TRANSLATE_NOOP("insight", "KV usage"),
    QT_TRANSLATE_NOOP("insight", "Time to first token"),
    QT_TRANSLATE_NOOP("insight", "Inter-token latency"),
    QT_TRANSLATE_NOOP("insight", "Prefill speed"),
    QT_TRANSLATE_NOOP("insight", "Decode speed"),
)
Mode = Literal["recorded", "time", "index"]
Floats = npt.NDArray[np.float64]
MODES: tuple[tuple[Mode, str], ...] = (
    ("recorded", QT_TRANSLATE_NOOP("insight", "As recorded")),
    ("time", QT_TRANSLATE_NOOP("insight", "Real time")),
    ("index", QT_TRANSLATE_NOOP("insight", "Row number")),
)
X_NS, REPEATS, ROW = "#x_ns", "#repeats", "#row"
_ALONE = 0.5  # lines most of whose points have no neighbour are joined over what is missing


@dataclass(eq=False)
class Curve:
    """One curve of one run, whole, in the order of its x.

    Attributes:
        card: the run.
        name: the curve; generated ones with their prefix.
        section: recorded, derived or generated.
        table: as `service.curve.whole` gives it.
        zero_ns: raw time at the left end of the axis of the Timeline.
    """

    card: str
    name: str
    section: str
    table: pa.Table
    zero_ns: int

    @property
    def title(self) -> str:
        """The name as users see it."""
        return title_of(self.name)

    @cached_property
    def columns(self) -> list[str]:
        """Its own columns, x first."""
        return [name for name in self.table.column_names if not name.startswith("#")]

    @cached_property
    def lines(self) -> list[str]:
        """Columns that are drawn: all but x."""
        return self.columns[1:]

    @cached_property
    def x_texts(self) -> list[str]:
        """x as text, row by row."""
        texts = self.table[self.columns[0]].cast(pa.string()).fill_null("")
        return [str(text) for text in texts.to_pylist()]

    @property
    def first_ns(self) -> int:
        """Raw time at which the run starts."""
        return int((self.table.schema.metadata or {}).get(b"first_ns", 0))

    @property
    def shift_hours(self) -> float:
        """How many hours the recorded times of x were ahead of the events."""
        return int((self.table.schema.metadata or {}).get(b"shift_ns", 0)) / 3.6e12

    @cached_property
    def has_time(self) -> bool:
        """Every row has a time."""
        return self.table.num_rows > 0 and self.table[X_NS].null_count == 0

    @property
    def modes(self) -> list[Mode]:
        """Axes of x that make sense: times of derived curves as text would only be long numbers."""
        return ["recorded", "time", "index"] if self.section == "recorded" else ["time", "index"]

    def mode(self, wanted: Mode) -> Mode:
        """The axis that is used: rows in their order where there is no time."""
        found = wanted if wanted in self.modes else self.modes[0]
        return "index" if found == "time" and not self.has_time else found

    def places(self, mode: Mode, zero_ns: int | None = None) -> Floats:
        """Place of every row on the axis; ascending.

        Args:
            mode: the axis.
            zero_ns: raw time of place 0 of an axis of time; that of the Timeline when None.
        """
        if mode == "time":
            stamps = self.table[X_NS].to_numpy() - (self.zero_ns if zero_ns is None else zero_ns)
            return np.maximum.accumulate(stamps).astype(np.float64)
        if mode == "index":
            return np.arange(self.table.num_rows, dtype=np.float64)
        return np.cumsum(self._begins).astype(np.float64) - 1

    @cached_property
    def _begins(self) -> npt.NDArray[np.bool_]:
        """True for rows whose x is another one than that of the row before."""
        if not self.table.num_rows:
            return np.zeros(0, np.bool_)
        x = self.table[self.columns[0]].combine_chunks()
        same = pc.fill_null(pc.equal(x[1:], x[:-1]), False).to_numpy(zero_copy_only=False)
        return np.concatenate([np.ones(1, np.bool_), ~same])

    @property
    def labels(self) -> list[str]:
        """Texts of the axis as recorded."""
        return [self.x_texts[i] for i in np.flatnonzero(self._begins).tolist()]

    @property
    def has_doubles(self) -> bool:
        """Some x come several times."""
        return not bool(self._begins.all())

    def values(self, line: str, *, missing_as_zero: bool = False) -> Floats:
        """Values of a line; NaN for missing ones. Durations of generated curves are in ms."""
        column = self.table[line]
        if pa.types.is_string(column.type):
            found = pages.numbers(column)
        else:
            found = np.asarray(column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False), np.float64)
        if self.section == "generated":
            found = found / 1e6
        return np.nan_to_num(found) if missing_as_zero else found

    def line_title(self, line: str) -> str:
        """Name of a line with its unit."""
        return f"{line} (ms)" if self.section == "generated" else line

    def rows_between(self, places: Floats, low: float, high: float) -> slice:
        """Rows whose place lies in a stretch of the axis."""
        return slice(int(np.searchsorted(places, low, "left")), int(np.searchsorted(places, high, "right")))


def title_of(name: str) -> str:
    """A curve's name as users see it: derived ones in the current language, the others as they are called."""
    return tr(name) if name in DERIVED else name.removeprefix(curve_rows.GENERATED)


def x_axis(curve: Curve, mode: Mode, other: Curve | None = None) -> Axis:
    """The axis of x."""
    if mode == "time":
        since = tr("Time since the start of the run") if other is not None else tr("Time")
        return Axis(since, kind="ruler", name=tr("Time"), least=10.0)
    name = curve.columns[0] if curve.columns else "x"
    if mode == "index":
        return Axis(tr("Row"), name=tr("Row"), least=1.0)
    labels = curve.labels
    if other is not None and len(other.labels) > len(labels):
        labels = [*labels, *other.labels[len(labels) :]]
    return Axis(name, kind="category", labels=labels, name=name, least=1.0)


def unit_of(title: str) -> str:
    """The unit in the name of a line: what stands in brackets at its end."""
    return title[title.rfind("(") + 1 : -1] if title.endswith(")") else ""


def right_lines(curve: Curve) -> list[str]:
    """Lines that stand at the right by themselves: those of the second unit, where there are several units."""
    units = {line: unit_of(curve.line_title(line)) for line in curve.lines}
    kinds = list(dict.fromkeys(units.values()))
    return [line for line, unit in units.items() if unit == kinds[1]] if len(kinds) > 1 else []


def y_axis(curve: Curve, lines: Sequence[str], *, log: bool = False) -> Axis:
    """An axis of values: with the unit that its lines share."""
    units = {unit_of(curve.line_title(line)) for line in lines}
    return Axis(units.pop() if len(units) == 1 else "", kind="log" if log else "number")


def series_of(
    curve: Curve,
    mode: Mode,
    *,
    zero_ns: int | None = None,
    missing_as_zero: bool = False,
    log: bool = False,
    base: bool = False,
    right: Collection[str] = (),
) -> list[Series]:
    """Lines of a curve, those in `right` for the axis at the right. Rows that equal the one before are left out; values of a log axis are logarithms."""
    keep = ~curve.table[REPEATS].to_numpy(zero_copy_only=False) if curve.table.num_rows else np.zeros(0, np.bool_)
    x = curve.places(mode, zero_ns)[keep]
    found = []
    for number, line in enumerate(curve.lines):
        y = curve.values(line, missing_as_zero=missing_as_zero)[keep]
        if log:
            y = np.log10(y, out=np.full(len(y), np.nan), where=y > 0)
        title = curve.line_title(line)
        key = f"base:{line}" if base else line
        name = f"{title} · {tr('baseline')}" if base else title
        gaps = curve.section == "recorded" and _breaks(y)
        kind: Literal["line", "step"] = "step" if curve.section == "derived" and curve.name in _STEPS else "line"
        found.append(Series(key, name, x, y, kind, f"series:{number}", dashed=base, gaps=gaps, right=line in right))
    return found


_STEPS = ("Queues", "Concurrency", "KV usage")


def _breaks(y: Floats) -> bool:
    """A line breaks where values are missing, unless most of its points would stand alone."""
    known = ~np.isnan(y)
    if known.all() or known.sum() < 2:
        return False
    alone = known.copy()
    alone[1:] &= ~known[:-1]
    alone[:-1] &= ~known[1:]
    return bool(alone.sum() <= _ALONE * known.sum())


def details_of(
    curve: Curve, *, zero_ns: int | None = None, missing_as_zero: bool = False
) -> tuple[pa.Table, list[ColumnSpec]]:
    """The rows as a table: the columns as written, times of derived and generated curves on the axis of the Timeline."""
    columns: dict[str, object] = {}
    specs: list[ColumnSpec] = []
    for place, name in enumerate(curve.columns):
        column = curve.table[name]
        numeric = not pa.types.is_string(column.type)
        kind = "number" if numeric else "text"
        if place == 0 and curve.section != "recorded":
            zero = curve.zero_ns if zero_ns is None else zero_ns
            column, kind = pc.subtract(curve.table[X_NS], zero), "time"
        elif curve.section == "generated":
            kind = "duration"
            column = pc.round(column).cast(pa.int64())
        elif missing_as_zero and place:
            column = column.fill_null(0 if numeric else "0")
        columns[name] = column
        short = curve.section == "derived" and pa.types.is_floating(column.type)
        specs.append(ColumnSpec(name, kind=kind, decimals=3 if short else None, width=190 if place == 0 else 0))  # type: ignore[arg-type]
    return pa.table(columns), specs


def figures(curve: Curve, rows: slice, *, missing_as_zero: bool = False) -> pa.Table:
    """By line: line, count, min, mean, p50, p90, p99, max of the rows."""
    return curve_rows.figures({n: curve.values(n, missing_as_zero=missing_as_zero)[rows] for n in curve.lines})
