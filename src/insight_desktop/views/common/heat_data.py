"""What a heat map shows: the matrix, the names around it, and how its values read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor

from insight_desktop.views.common import number_text
from insight_desktop.views.common.chart_readout import ReadoutLine

MOST_LABELS = 16  # columns with values written into their cells


@dataclass(frozen=True)
class Cells:
    """A matrix and its words.

    Attributes:
        values: rows × columns; NaN where there is nothing. With `classes`, the number of a class.
        row_names, column_names: as many as there are rows and columns.
        title: what the values are.
        unit, decimals, signed: how a value reads.
        row_title, column_title: of the axes.
        classes: name and colour of each class; none for numbers.
        texts: words of a cell in place of its number.
        tip: lines of the readout of a cell.
        row_lines: rows before which a line parts the groups.
        rows_up: the first row stands at the bottom.
        clamp: values outside the range get the colour of the nearer end instead of none.
        strong, centre: which of the cells that share a pixel is drawn: the highest, the lowest, or the farthest from a value.
        most_labels: columns up to which values are written into the cells.
    """

    values: npt.NDArray[np.float64]
    row_names: Sequence[str] = ()
    column_names: Sequence[str] = ()
    title: str = ""
    unit: str = ""
    decimals: int = 3
    signed: bool = False
    row_title: str = ""
    column_title: str = ""
    classes: Sequence[tuple[str, QColor]] = ()
    texts: Callable[[int, int], str] | None = None
    tip: Callable[[int, int], Sequence[ReadoutLine]] | None = None
    row_lines: Sequence[int] = field(default=())
    rows_up: bool = False
    clamp: bool = False
    strong: Literal["high", "low", "far"] = "high"
    centre: float = 0.0
    most_labels: int = MOST_LABELS

    def text_of(self, row: int, column: int) -> str:
        """A cell's value as it is written into the cell."""
        value = float(self.values[row, column])
        if self.texts is not None:
            return self.texts(row, column)
        if math.isnan(value):
            return ""
        if self.classes:
            return self.classes[int(value) % len(self.classes)][0]
        return number_text.signed(value, self.decimals) if self.signed else number_text.number(value, self.decimals)

    def extent(self) -> tuple[float, float]:
        """Smallest and largest finite value; zeros without any."""
        known = self.values[np.isfinite(self.values)]
        return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)


NO_CELLS = Cells(np.zeros((0, 0)))
