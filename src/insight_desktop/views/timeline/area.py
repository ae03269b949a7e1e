"""One scrolling half of the timeline: the pinned lanes on top or the tree below, seen by its names and by its chart."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Signal

from insight_desktop.views.timeline.layout import Row, Rows, heights
from insight_desktop.views.timeline.state import TimelineState, TimeRange


class Area(QObject):
    """Rows, their vertical scroll position and what lies at a height of the widget.

    Signals:
        scrolled: the scroll position or its limit changed.
    """

    scrolled = Signal()

    def __init__(self, state: TimelineState, *, pinned: bool) -> None:
        super().__init__(state)
        self.state = state
        self.pinned = pinned
        self.scroll = 0
        self.height = 0
        self.range_known: tuple[Rows, TimeRange, tuple[int, int] | None] | None = None  # top and bottom of a range

    @property
    def rows(self) -> Rows:
        return self.state.pinned_rows if self.pinned else self.state.rows

    @property
    def max_scroll(self) -> int:
        return max(0, self.rows.height - self.height)

    def set_height(self, height: int) -> None:
        """The widgets of the area have another height."""
        self.height = height
        self.set_scroll(self.scroll, force=True)

    def set_scroll(self, value: int, *, force: bool = False) -> None:
        """Scroll to a height of the rows, within their limits."""
        value = max(0, min(value, self.max_scroll))
        if force or value != self.scroll:
            self.scroll = value
            self.scrolled.emit()

    def visible(self) -> list[Row]:
        """The rows on screen."""
        return self.rows.window(self.scroll, self.scroll + self.height)

    def sticky(self) -> Row | None:
        """The card row that is shown at the top although it has been scrolled out."""
        if self.pinned:
            return None
        row = self.rows.card_above(self.scroll)
        return row if row is not None and row.y < self.scroll else None

    def row_at(self, y: float) -> Row | None:
        """The row below a pixel of the widget."""
        sticky = self.sticky()
        if sticky is not None and 0 <= y < heights.group:
            return sticky
        return self.rows.at(int(y) + self.scroll) if 0 <= y < self.height else None

    def top_of(self, row: Row) -> int:
        """Where a row begins in the widget."""
        return 0 if row is self.sticky() else row.y - self.scroll

    def menu_place(self, width: int) -> QPoint:
        """Where a menu that is asked for with a key opens: on the row that was selected last, if it is on screen."""
        row = self.rows.of(self.state.focus_lane) if self.state.focus_lane is not None else None
        y = self.top_of(row) + row.height // 2 if row is not None else -1
        return QPoint(width // 3, y if 0 <= y < self.height else self.height // 3)

    def bring_in(self, top: int, height: int, *, centre: bool = False) -> None:
        """Scroll as little as needed, or to the middle, to show [top, top + height) below the sticky card row."""
        head = 0 if self.pinned else heights.group
        if centre and not self.scroll + head <= top <= self.scroll + self.height - height:
            self.set_scroll(top - (self.height - height) // 2)
        elif top - head < self.scroll:
            self.set_scroll(top - head)
        elif top + height > self.scroll + self.height:
            self.set_scroll(top + height - self.height)
