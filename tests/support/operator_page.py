"""An Operator page over small or real data, with answers awaited."""

from __future__ import annotations

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from insight_desktop.engine.store import Store
from insight_desktop.views.common import theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.system.operator import OperatorPage


class Driven:
    """A shown page and what it told."""

    def __init__(self, qtbot: QtBot, store: Store, card: str | None = None) -> None:
        theme.set_theme("dark", remember=False)
        self.qtbot = qtbot
        self.context = Context(store)
        self.context.card = card or (store.cards[0].name if store.cards else None)
        self.jumps: list[object] = []
        self.messages: list[tuple[str, str, str]] = []
        self.status: list[list[str]] = []
        self.context.jump.connect(self.jumps.append)
        self.context.message.connect(lambda *m: self.messages.append(m))
        self.context.status.connect(self.status.append)
        self.page = OperatorPage(self.context)
        qtbot.addWidget(self.page)
        self.page.resize(1200, 800)
        self.page.show()
        self.page.refresh()

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until something holds."""
        self.qtbot.waitUntil(done, timeout=10_000)

    def loaded(self) -> Driven:
        """Wait until the main table has rows and a current one, and the first findings are there."""
        self.until(lambda: self.page.tables.main.table.table.num_rows > 0 and bool(self.page.findings.texts()))
        self.until(lambda: self.page.tables.focus is not None)
        return self

    def choose(self, group: str | None = None, top: int | None = None, base: str | None = None) -> Driven:
        """Set the controls as a user does, and wait for the rows."""
        bar, told = self.page.bar, []
        self.page.tables.rows_changed.connect(told.append)
        if base is not None:
            bar.base_box.setCurrentIndex(bar.base_box.findData(base))
            bar.base_box.activated.emit(bar.base_box.currentIndex())
        if group is not None:
            bar.group_box.setCurrentIndex(bar.group_box.findData(group))
            bar.group_box.activated.emit(bar.group_box.currentIndex())
        if top is not None:
            bar.set_top(top)
            bar.changed.emit()
        tables = self.page.tables
        # The total of the rows before may still arrive and show them again.
        self.until(
            lambda: (
                (tables.group, tables.top, tables.base) == (bar.group, bar.top, bar.base)
                and not tables._is_waiting
                and bool(told)
            )
        )
        self.page.tables.rows_changed.disconnect(told.append)
        return self

    def cells(self, rows: int | None = None, columns: int | None = None) -> list[list[str]]:
        """Texts of the main table as they are on the screen."""
        return cells(self.page.tables.main.table, rows, columns)

    def heads(self) -> list[str]:
        """Headings of the main table."""
        return [c.heading() for c in self.page.tables.main.table.columns]


def cells(view: object, rows: int | None = None, columns: int | None = None) -> list[list[str]]:
    """Texts of a table as they are on the screen."""
    model = view.model()  # type: ignore[attr-defined]
    height = model.rowCount() if rows is None else min(rows, model.rowCount())
    width = model.columnCount() if columns is None else columns
    return [[model.data(model.index(r, c)) for c in range(width)] for r in range(height)]
