"""A table of differences between two cards: every row can show the baseline and the comparison below itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from insight_desktop.engine import compare
from insight_desktop.views.common import number_text, theme
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.table_rows import sorted_rows

SOURCE, DETAILS = "source", "details"


class CompareTable(ArrowTable):
    """Shows what `engine.compare.keyed` gave: `Source` behind the first column, `Details` at the end.

    Rows are differences (comparison − baseline); `See More` in Details opens two rows below: baseline, then comparison.
    Sorting is by the differences. There is no filter row.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._pairs = 0
        self._open: set[int] = set()
        self._signed: frozenset[str] = frozenset()
        self._times: frozenset[str] = frozenset()
        self._there: tuple[np.ndarray[Any, Any], ...] = ()
        super().__init__(filter_row=False, parent=parent)
        self._model.words = self._words
        self._model.ink = self._ink
        self.row_activated.connect(self.toggle)

    def show_pairs(self, found: pa.Table, columns: Sequence[ColumnSpec], *, times: Collection[str] = ()) -> None:
        """Show other pairs.

        Args:
            found: differences under the plain names, sides under `_comparison` and `_baseline`, `in_comparison`, `in_baseline`.
            columns: key first, then the values.
            times: columns where a side without a row reads NA; the numbers of such a side read 0.
        """
        self._pairs, self._open = found.num_rows, set()
        self._signed = frozenset(c.name for c in columns if not c.is_text and c.kind != "id")
        self._times = frozenset(times)
        self._there = tuple(np.asarray(found[f"in_{side}"]).astype(bool) for side in ("baseline", "comparison"))
        names = [c.name for c in columns]
        sides = [compare.side(found, which).select(names) for which in ("difference", "baseline", "comparison")]
        whole = pa.concat_tables(sides, promote_options="permissive")
        sources = pa.array(np.repeat(np.arange(3, dtype=np.int8), self._pairs))
        texts = pa.array([tr("Difference"), tr("Baseline"), tr("Comparison")])
        whole = whole.add_column(1, SOURCE, pa.DictionaryArray.from_arrays(sources, texts).cast(pa.string()))
        whole = whole.append_column(DETAILS, pa.array([""] * whole.num_rows, pa.string()))
        head, *rest = columns
        source = ColumnSpec(SOURCE, QT_TRANSLATE_NOOP("insight", "Source"), width=104)
        details = ColumnSpec(DETAILS, QT_TRANSLATE_NOOP("insight", "Details"), kind="link", width=84)
        self.set_columns((head, source, *rest, details), whole)

    @property
    def pairs(self) -> int:
        """Number of differences."""
        return self._pairs

    def toggle(self, row: int) -> None:
        """Open or close the two sides below a difference."""
        if row < self._pairs:
            self._open ^= {row}
            self._arrange()

    def is_open(self, row: int) -> bool:
        """The sides of a difference are shown."""
        return row in self._open

    def _arrange(self) -> None:
        table, count = self._model.table, self._pairs
        if table.num_rows != 3 * count:
            super()._arrange()
            return
        order = np.arange(count, dtype=np.int64)
        if self._sort is not None and self._sort.column not in (SOURCE, DETAILS):
            order = sorted_rows(table.column(self._sort.column).slice(0, count), descending=self._sort.descending)
        if self._open:
            is_open = np.isin(order, list(self._open))
            repeated = np.repeat(order, np.where(is_open, 3, 1))
            first = np.cumsum(np.where(is_open, 3, 1)) - np.where(is_open, 3, 1)
            repeated[first[is_open] + 1] += count
            repeated[first[is_open] + 2] += 2 * count
            order = repeated
        self._show_rows(table, order)

    def _side(self, row: int) -> tuple[int, int]:
        """0, 1, 2 for difference, baseline, comparison; and the number of the pair."""
        return (row // self._pairs, row % self._pairs) if self._pairs else (0, 0)

    def _words(self, column: str, row: int, value: Any) -> str | None:
        side, pair = self._side(row)
        if column == DETAILS:
            return (tr("See Less") if pair in self._open else tr("See More")) if side == 0 else ""
        if column not in self._signed:
            return None
        if side == 0:
            return None if value is None else number_text.signed(value)
        if not self._there[side - 1][pair]:
            return number_text.IMPOSSIBLE if column in self._times else "0"
        return None

    def _ink(self, column: str, row: int, value: Any) -> QColor | None:
        side, _pair = self._side(row)
        if side or column not in self._signed or not value:
            return theme.token("text2") if side else None
        return theme.token("ok" if value > 0 else "error")
