"""A Communication page over small, real or generated jobs, with answers awaited."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot

from insight_desktop.engine.members import members
from insight_desktop.engine.store import Store
from insight_desktop.ingest.discover import discover
from insight_desktop.views.common import theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.system.communication import CommunicationPage


def job_store(*paths: Path) -> Store:
    """The ranks of folders as discovery finds them, none of them read."""
    found = discover(list(paths))
    store = Store()
    store.members = members(found.cards)
    store.extras = tuple(found.extras)
    return store


class Driven:
    """A shown page and what it told."""

    def __init__(self, qtbot: QtBot, store: Store, *, colours: str = "dark") -> None:
        theme.set_theme("light" if colours == "light" else "dark", remember=False)
        self.qtbot = qtbot
        self.context = Context(store)
        self.jumps: list[object] = []
        self.messages: list[tuple[str, str, str]] = []
        self.status: list[list[str]] = []
        self.context.jump.connect(self.jumps.append)
        self.context.message.connect(lambda *m: self.messages.append(m))
        self.context.status.connect(self.status.append)
        self.page = CommunicationPage(self.context)
        qtbot.addWidget(self.page)
        self.page.resize(1300, 820)
        self.page.show()
        self.page.refresh()

    def until(self, done: Callable[[], bool], seconds: int = 60) -> None:
        """Wait until something holds."""
        self.qtbot.waitUntil(done, timeout=seconds * 1000)

    def loaded(self) -> Driven:
        """Wait until the panels of the choice answered."""
        page = self.page
        self.until(lambda: page.choice is not None and page.choice == page.thumbnails.choice)
        self.rest()
        return self

    def rest(self, seconds: float = 0.12) -> None:
        """Wait until no answer came for some time."""
        page = self.page
        heard = [time.monotonic()]
        signals = (
            page.matrix.shown, page.thumbnails.shown, page.durations.shown, page.slow.shown, page.links.shown,
            page.advice.bandwidths_shown, page.advice.small_shown,
        )  # fmt: skip

        def hear(*_: object) -> None:
            heard[0] = time.monotonic()

        for signal in signals:
            signal.connect(hear)
        self.until(lambda: time.monotonic() - heard[0] > seconds)
        for signal in signals:
            signal.disconnect(hear)

    def choose(self, *, group: str | None = None, step: str | None = None, op: str | None = None) -> Driven:
        """Choose as a user does, and wait."""
        bar = self.page.bar
        if group is not None or step is not None:
            bar.set_place(step=step, group=group)
            bar.place_changed.emit()
            self.until(lambda: self.page.choice is not None and group in (None, self.page.choice.group.label))
            self.rest()
        if op is not None:
            assert bar.set_op(op)
            bar.op_changed.emit()
            self.until(lambda: self.page.choice is not None and self.page.choice.op == op)
            self.rest()
        return self


def cells(view: object, rows: int | None = None, columns: int | None = None) -> list[list[str]]:
    """Texts of a table as they are on the screen."""
    model = view.model()  # type: ignore[attr-defined]
    height = model.rowCount() if rows is None else min(rows, model.rowCount())
    width = model.columnCount() if columns is None else columns
    return [[model.data(model.index(r, c)) for c in range(width)] for r in range(height)]
