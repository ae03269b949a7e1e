"""Charts as files and on the clipboard: PNG, SVG, and the numbers behind them as CSV."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from insight_desktop.errors import BadArgument
from insight_desktop.views.common import fonts, theme
from insight_desktop.views.common.chart_axis import Axis
from insight_desktop.views.common.chart_data import Series, bar_edges
from insight_desktop.views.common.chart_legend import Entry
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.table_text import write_file

KINDS = "PNG (*.png);;SVG (*.svg);;CSV (*.csv)"
_PNG_SCALE = 2
_MARGIN = 12

Paint = Callable[[QPainter, float, float], None]


def heading(painter: QPainter, width: float, title: str, entries: Sequence[Entry]) -> float:
    """Title and legend above a picture, wrapped to its width; returns their height."""
    bold, plain = fonts.ui(bold=True), fonts.ui(fonts.SMALL)
    y = float(_MARGIN)
    if title:
        metrics = QFontMetricsF(bold)
        painter.setFont(bold)
        painter.setPen(theme.token("text"))
        painter.drawText(QPointF(_MARGIN, y + metrics.ascent()), title)
        y += metrics.height() + 4
    metrics = QFontMetricsF(plain)
    painter.setFont(plain)
    x = float(_MARGIN)
    for entry in entries:
        text = " ".join(part for part in (entry.text, entry.value) if part)
        advance = metrics.horizontalAdvance(text) + 34
        if x > _MARGIN and x + advance > width - _MARGIN:
            x, y = float(_MARGIN), y + metrics.height() + 4
        middle = y + metrics.height() / 2
        pieces = ((0.0, 5.0), (8.0, 5.0)) if entry.dashed else ((0.0, 13.0),)
        for start, length in pieces:
            painter.fillRect(QRectF(x + start, middle - 1.5, length, 3), entry.colour)
        painter.setPen(theme.token("text"))
        painter.drawText(QPointF(x + 18, y + metrics.ascent()), text)
        x += advance
    return y + (metrics.height() + 6 if entries else 0)


def picture(painter: QPainter, size: QSize, title: str, entries: Sequence[Entry], paint: Paint) -> None:
    """Title, legend and chart on the ground of the theme."""
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), theme.token("canvas"))
    top = heading(painter, size.width(), title, entries)
    painter.save()
    painter.translate(0, top)
    paint(painter, size.width(), size.height() - top - _MARGIN / 2)
    painter.restore()


def image(size: QSize, title: str, entries: Sequence[Entry], paint: Paint) -> QImage:
    """The picture at twice the size of the screen, for slides."""
    result = QImage(size * _PNG_SCALE, QImage.Format.Format_RGB32)
    result.setDevicePixelRatio(_PNG_SCALE)
    with QPainter(result) as painter:
        picture(painter, size, title, entries, paint)
    return result


def write_picture(path: Path, size: QSize, title: str, entries: Sequence[Entry], paint: Paint) -> None:
    """Write a PNG or an SVG, by the suffix.

    Raises:
        BadArgument: another suffix, or the place cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise BadArgument(f"{path.name}: unknown kind of picture.", fix="Use .png, .svg or .csv.")
    part = path.with_name(f".{path.stem}.part{suffix}")  # the suffix tells Qt the format
    try:
        if suffix == ".png":
            written = image(size, title, entries, paint).save(str(part))
        else:
            written = _write_svg(part, size, title, entries, paint)
        if not written or not part.exists():
            raise BadArgument(f"{path} cannot be written.", fix="Choose another folder or free some space.")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write_svg(path: Path, size: QSize, title: str, entries: Sequence[Entry], paint: Paint) -> bool:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter()
    if not painter.begin(generator):
        return False
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing, True)
    picture(painter, size, title, entries, paint)
    return painter.end()


def table_of(series: Sequence[Series], axis: Axis, low: float, high: float) -> tuple[pa.Table, list[ColumnSpec]]:
    """The whole points from low to high: the place, then one column per series; empty where a series has none there.

    Points of one place become one row; a series with several points at a place takes as many rows.
    """
    parts = []
    for s in series:
        end = bar_edges(s)[1] if s.kind == "bars" else s.x
        keep = (s.x <= high) & (end >= low)
        parts.append((s.x[keep], s.y[keep]))
    keys = [_numbered(x) for x, _ in parts]
    merged = np.unique(np.concatenate(keys)) if keys else np.empty(0, _KEY)
    place = merged["x"]
    columns: dict[str, pa.Array] = {}
    specs = [ColumnSpec("x", axis.title, kind="text" if axis.kind == "category" else "number")]
    columns["x"] = pa.array([axis.label(v) for v in place]) if axis.kind == "category" else pa.array(place)
    for i, (s, key, (_, y)) in enumerate(zip(series, keys, parts, strict=True)):
        values = np.full(len(merged), np.nan)
        values[np.searchsorted(merged, key)] = y
        columns[f"y{i}"] = pa.array(values, from_pandas=True)
        specs.append(ColumnSpec(f"y{i}", s.name, unit=s.unit, kind="number"))
    return pa.table(columns), specs


_KEY = np.dtype([("x", np.float64), ("turn", np.int64)])


def _numbered(x: np.ndarray) -> np.ndarray:
    """Places with their running number among equal ones, as keys that sort."""
    keys = np.empty(len(x), _KEY)
    keys["x"] = x
    order = np.argsort(x, kind="stable")
    ranked = x[order]
    starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]]) if len(x) else np.empty(0, np.int64)
    turn = np.arange(len(x)) - np.repeat(starts, np.diff(np.r_[starts, len(x)]))
    keys["turn"][order] = turn
    return keys


def write_numbers(path: Path, series: Sequence[Series], axis: Axis, low: float, high: float) -> None:
    """Write the points from low to high as CSV; raises BadArgument where they cannot be written."""
    table, specs = table_of(series, axis, low, high)
    write_file(path, table, specs)


def named(path: str, kind: str) -> Path:
    """The path with the suffix of the chosen kind when it has none."""
    found = Path(path)
    return found if found.suffix else found.with_suffix(kind.rsplit("*", 1)[1].rstrip(")"))
