"""The charts of the Memory page: points of the queries as series, asked again on every zoom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from insight_desktop.engine.system import memory
from insight_desktop.views.common.chart import Axis, Sample, Series
from insight_desktop.views.common.chart_data import Array
from insight_desktop.views.common.language import tr
from insight_desktop.views.system.memory_texts import clock, colour_of

POINTS = 1000  # windows with more records are thinned out to their peaks
_MARGIN = 0.02  # of a window: asked for beyond its edges, so that lines go on
COMPARISON, BASELINE = " in Comparison", " in Baseline"


def time_axis() -> Axis:
    """The axis of the curves, in the current language."""
    return Axis(tr("Time (ms)"), exact=clock, name=tr("Time"), least=0.002)


def value_axis() -> Axis:
    """The axis of memory."""
    return Axis(tr("Memory Usage (MB)"))


def node_axis() -> Axis:
    """The axis of static graphs."""
    return Axis(tr("Node Index"), name=tr("Node Index"), least=1.0)


def series_of(points: pa.Table) -> list[Series]:
    """Curves of a table of `system.memory.curve` (or two cards compared), in the order of its legends."""
    legends = memory.notes(points).legends
    column = points["series"]
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks else pa.array([], pa.string())
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    names = column.dictionary.to_pylist()
    codes = np.asarray(column.indices)
    t_ms, values = np.asarray(points["t_ms"], np.float64), np.asarray(points["value_mb"], np.float64)
    found = []
    for legend in legends:
        mine = codes == names.index(legend) if legend in names else np.zeros(len(codes), np.bool_)
        found.append(_line(legend, t_ms[mine], values[mine]))
    return _coloured(found)


def _line(legend: str, x: Array, y: Array) -> Series:
    is_base = legend.endswith(BASELINE)
    return Series(legend, legend, x, y, unit="MB", decimals=2, dashed=is_base, row=int(is_base))


def _coloured(series: Sequence[Series]) -> list[Series]:
    """Both cards of a comparison show one curve in one colour; the baseline is dashed."""
    plain = [s.key.removesuffix(COMPARISON).removesuffix(BASELINE) for s in series]
    order = list(dict.fromkeys(plain))
    spare = ("overlapped", "bubble", "stalled", "frontend", "computing", "communication", "decode", "preparing")
    found = []
    for s, name in zip(series, plain, strict=True):
        compared = s.key != name
        colour = colour_of(name) or (spare[order.index(name) % len(spare)] if compared else "")
        found.append(replace(s, colour=colour))
    return found


def sample_of(points: pa.Table, whole: Sequence[Series], low: float, high: float) -> Sample:
    """What is drawn of a window; the last known point outside joins where the window has none at an edge."""
    notes = memory.notes(points)
    known = {s.key: s for s in whole}
    joined = []
    for s in series_of(points):
        outer = known.get(s.key)
        joined.append(_joined(s, outer, low, high) if outer is not None else s)
    return Sample(tuple(joined), notes.rows, notes.shown)


def _joined(inner: Series, outer: Series, low: float, high: float) -> Series:
    x, y = inner.x, inner.y
    if not len(x) or x[0] > low:
        at = int(np.searchsorted(outer.x, x[0] if len(x) else low, "left")) - 1
        if at >= 0:
            x, y = np.r_[outer.x[at], x], np.r_[outer.y[at], y]
    if not len(inner.x) or inner.x[-1] < high:
        at = int(np.searchsorted(outer.x, inner.x[-1] if len(inner.x) else high, "right"))
        if at < len(outer.x):
            x, y = np.r_[x, outer.x[at]], np.r_[y, outer.y[at]]
    return replace(inner, x=x, y=y)


def window_ms(low: float, high: float) -> tuple[float, float]:
    """What is asked for a visible stretch: a little more on both sides."""
    air = (high - low) * _MARGIN
    return low - air, high + air


def to_ns(base_ns: int, ms: float, *, up: bool) -> int:
    """Raw time of a place of the axis; outwards, so that what is shown at the edge is inside."""
    return base_ns + (math.ceil if up else math.floor)(ms * 1e6)


def static_series(found: pa.Table) -> list[Series]:
    """Curves of `system.memory.static_graph`, or of both cards compared."""
    columns = (
        ("size_mb", tr("Size"), "allocated", False),
        ("total_mb", tr("Total Size"), "reserved", False),
        ("size_mb_comparison", tr("Size in Comparison"), "allocated", False),
        ("total_mb_comparison", tr("Total Size in Comparison"), "reserved", False),
        ("size_mb_baseline", tr("Size in Baseline"), "allocated", True),
        ("total_mb_baseline", tr("Total Size in Baseline"), "reserved", True),
    )
    node = found["node"].to_numpy().astype(np.float64)
    return [
        Series(
            name, title, node, np.asarray(found[name].to_numpy(), np.float64), "step",
            colour, "MB", 2, dashed, int(dashed),
        )
        for name, title, colour, dashed in columns
        if name in found.column_names
    ]  # fmt: skip
