"""What the parts of the Service Overview share: what is shown, how they ask, and small helpers for charts and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common import parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.chart import Axis, Chart
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Shown:
    """What the page shows.

    Attributes:
        card: the run; `*` for all together.
        base: the run it is compared with.
        window: (start, end) in raw ns that statistics are limited to.
        limits: limits in ms by metric; only active ones.
        zero_ns: raw time at the left end of charts over time.
        stamp: changes when the data behind the same names are others.
    """

    card: str
    base: str | None = None
    window: tuple[int, int] | None = None
    limits: tuple[tuple[str, float], ...] = ()
    zero_ns: int = 0
    stamp: Any = field(default=None)

    def arguments(self) -> dict[str, Any]:
        """Card and window as arguments of a query."""
        start, end = self.window or (None, None)
        return {"card": self.card, "start_ns": start, "end_ns": end}

    def limit_arguments(self) -> dict[str, Any]:
        """Limits as arguments of a query."""
        return {f"{metric}_ms": value for metric, value in self.limits}


class Part(QWidget):
    """One tab of the page. It asks when it is seen, and again when something else is shown.

    Signals:
        request_wanted: name of a request that is to be shown.
        window_wanted: (start, end) in raw ns, or None.
        jump_wanted: a Jump.
    """

    request_wanted = Signal(str)
    window_wanted = Signal(object)
    jump_wanted = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.context = context
        self.work = Background(self)
        self.shown: Shown | None = None
        self._loaded: Shown | None = None

    def show_run(self, shown: Shown) -> None:
        """Show another run, window or limit; asks at once only when it can be seen."""
        self.shown = shown
        self._load_if_seen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._load_if_seen()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self._loaded = None
            self._load_if_seen()
        super().changeEvent(event)

    def _load_if_seen(self) -> None:
        if self.shown is not None and self.shown != self._loaded and self.isVisible():
            self._loaded = self.shown
            self.load(self.shown)

    def retranslate(self) -> None:
        """Texts in the current language."""

    def load(self, shown: Shown) -> None:
        """Ask for what is shown."""
        raise NotImplementedError

    def ask(
        self,
        query: Callable[..., Any],
        then: Callable[[Any], None],
        *,
        key: str = "",
        failed: Callable[[InsightError], None] | None = None,
        **arguments: Any,
    ) -> None:
        """Run a query off the window's thread; questions with another key do not supersede each other."""
        store = self.context.store
        self.work.run(
            f"{query.__module__}.{query.__name__}.{key}", lambda: query(store, **arguments), then=then,
            failed=failed or self._show_error,
        )  # fmt: skip

    def _show_error(self, error: InsightError) -> None:
        self.context.message.emit("error", error.message, error.fix)

    def empties(self, *charts: Any) -> Callable[[InsightError], None]:
        """What to do when the data lack something: the charts say so."""

        def show(error: InsightError) -> None:
            for chart in charts:
                chart.set_empty(say(error.message), say(error.fix))

        return show

    def seconds(self, stamps: Any) -> Floats:
        """Raw times in s since the left end of charts; NaN for none."""
        zero = self.shown.zero_ns if self.shown is not None else 0
        return numbers(stamps, offset=zero) / 1e9

    def stamp(self, second: float) -> int:
        """Raw time of a place on a chart."""
        zero = self.shown.zero_ns if self.shown is not None else 0
        return zero + round(second * 1e9)

    def jump_to(self, slice_id: int | None, start_ns: int | None = None, end_ns: int | None = None) -> None:
        """Go to a slice or a stretch of the Timeline."""
        card = self.shown.card if self.shown is not None else ""
        if card and card != "*":
            self.jump_wanted.emit(Jump(card, slice_id=slice_id, start_ns=start_ns, end_ns=end_ns))


def numbers(column: Any, *, offset: int = 0) -> Floats:
    """A column as floats, NaN for null; `offset` is taken off whole numbers before they become doubles."""
    if isinstance(column, pa.ChunkedArray | pa.Array):
        if offset and pa.types.is_integer(column.type):
            column = pa.compute.subtract(column, offset)
        return np.asarray(
            column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy(), np.float64
        )
    values = np.asarray(column)
    return (values - offset).astype(np.float64) if offset else values.astype(np.float64)


def time_axis() -> Axis:
    """The axis of charts over time."""
    return Axis(tr("Time (s)"), name=tr("Time"))


def value_axis(title: str, *, from_zero: bool = True) -> Axis:
    """An axis of values."""
    return Axis(title, from_zero=from_zero)


def chart(title: str = "", *, brush: bool = False, overview: bool = False, least: int = 170) -> Chart:
    """A chart of the page."""
    found = Chart(title, x=Axis(), y=Axis(from_zero=True), brush=brush, overview=overview)
    found.setMinimumHeight(least)
    found.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    return found


def grid(owner: QWidget, rows: Sequence[Sequence[QWidget]], *, margin: int = 10) -> QGridLayout:
    """Widgets in rows of equal columns."""
    layout = QGridLayout(owner)
    layout.setContentsMargins(margin, margin, margin, margin)
    layout.setSpacing(10)
    wide = max(len(row) for row in rows)
    for y, row in enumerate(rows):
        layout.setRowStretch(y, 1)
        span = wide // len(row)
        for x, widget in enumerate(row):
            layout.addWidget(widget, y, x * span, 1, span if x + 1 < len(row) else wide - x * span)
    for x in range(wide):
        layout.setColumnStretch(x, 1)
        layout.setColumnMinimumWidth(x, 60)
    for row in rows:
        for widget in row:  # equal columns whatever the widgets would like
            policy = widget.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            widget.setSizePolicy(policy)
    return layout


class TablePanel(QFrame):
    """A table with a head of title and quiet words.

    Signals:
        activated: row that was double-clicked or entered.
        chosen: row that became current, -1 for none.
    """

    activated = Signal(int)
    chosen = Signal(int)

    def __init__(
        self, columns: Sequence[ColumnSpec], *, filter_row: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.title = parts.label(strong=True)
        self.words = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.words.setProperty("level", "2")
        self.table = ArrowTable(columns=columns, filter_row=filter_row)
        self.table.setProperty("edge", "none")
        self.table.setMinimumHeight(96)
        head = QWidget()
        parts.keep_height(head, 30)
        self.head = parts.columns(head, margins=(10, 0, 6, 0))
        self.head.addWidget(self.title)
        self.head.addWidget(self.words, 1)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(head)
        column.addWidget(parts.line())
        column.addWidget(self.table, 1)
        self.table.row_activated.connect(self.activated)
        self.table.current_row_changed.connect(self.chosen)

    def set_title(self, title: str, words: str = "") -> None:
        """Title and quiet words, in the current language."""
        self.title.setText(title)
        self.words.set_text(words)

    def show_table(self, table: pa.Table, empty: str = "") -> None:
        """Show rows; `empty` stands where there are none."""
        self.table.set_empty_text(empty)
        self.table.show_table(table)

    def row(self, at: int) -> dict[str, Any]:
        """A row as values."""
        return self.table.row(at)


def without_frame(found: Chart) -> Chart:
    """A chart without head and frame, for several side by side in one panel."""
    found.head.hide()
    found.setObjectName("surface")
    layout = found.layout()
    item = layout.itemAt(1) if layout is not None else None
    line = item.widget() if item is not None else None
    if line is not None:
        line.hide()
    return found
