"""Fakes of the window tests: cards without data, a reader that does what it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from tests.support.waiting import PatientBot

from insight_desktop.engine.capture import Manifest
from insight_desktop.engine.load import CardImport
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData
from insight_desktop.ingest.report import Issue, Progress
from insight_desktop.ingest.sources import Card, Discovery, Ignored, Source
from insight_desktop.views.cards import CardRow, ProjectRow
from insight_desktop.views.common import language, theme
from insight_desktop.views.reading import Update, update_of


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """A patient one in place of that of pytest-qt."""
    return PatientBot(request)


@pytest.fixture(autouse=True)
def _widgets_go_with_their_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test of a page showed is deleted now: a change of theme or language would visit the widgets of all tests before.

    Whole windows (tests beside this file) are left to Qt: threads of their imports may still tell them something.
    """
    yield
    if QApplication.instance() is not None and request.path.parent != Path(__file__).parent:
        for widget in QApplication.topLevelWidgets():
            if widget.parent() is None:
                widget.close()
                widget.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class FakeReader:
    """Cards stay waiting until the test says how they go on."""

    cache = None

    def __init__(self) -> None:
        self.started: list[str] = []
        self.fresh: list[str] = []
        self.cancelled: list[str | None] = []
        self._tell: dict[str, Callable[[CardRow, Update], None]] = {}
        self._rows: dict[str, CardRow] = {}

    def start(self, rows: list[CardRow], tell: Callable[[CardRow, Update], None], *, fresh: bool = False) -> None:
        for row in rows:
            row.item = CardImport(row.source, row.kind)
            self.started.append(f"{row.name}:{row.kind}")
            self._tell[row.name], self._rows[row.name] = tell, row
            if fresh:
                self.fresh.append(row.name)

    def reading(self, name: str, done: int, total: int) -> None:
        item = self._item(name)
        item.status, item.progress = "reading", Progress(done, total, "TASK")
        self._told(name)

    def ready(self, name: str, slices: int = 10, issues: tuple[Issue, ...] = ()) -> None:
        item = self._item(name)
        item.status, item.seconds = "ready", 1.5
        item.manifest = Manifest(counts={"slices": slices, "links": 3}, issues=[issue.as_dict() for issue in issues])
        self._told(name)

    def fail(self, name: str, message: str, fix: str) -> None:
        item = self._item(name)
        item.status, item.message, item.fix = "failed", message, fix
        self._told(name)

    def cancel(self, row: CardRow | None = None) -> None:
        self.cancelled.append(row.name if row is not None else None)

    def open(self, store: Store, row: CardRow, project: ProjectRow) -> None:
        return

    def release(self, name: str | None = None) -> None:
        return

    def close(self) -> None:
        return

    def _item(self, name: str) -> CardImport:
        item = self._rows[name].item
        assert item is not None
        return item

    def _told(self, name: str) -> None:
        self._tell[name](self._rows[name], update_of(self._item(name)))


def make_card(folder: Path, rank: int, kinds: tuple[str, ...] = ("db",), host: str = "") -> Card:
    """A card whose files are small and meaningless."""
    place = folder / f"rank_{rank}_ascend_pt"
    place.mkdir(parents=True, exist_ok=True)
    sources = []
    for kind in kinds:
        file = place / ("trace_view.json" if kind == "text" else f"ascend_pytorch_profiler_{rank}.db")
        file.write_bytes(b"x" * 1000)
        sources.append(Source("trace_json" if kind == "text" else "profiler_db", kind, (file,)))
    return Card(str(rank), str(rank), rank, host, "", place, tuple(sources))


class FakeFinder:
    """Discovery of the folders that a test made: `found[folder]` are its cards."""

    def __init__(self) -> None:
        self.found: dict[Path, list[Card]] = {}
        self.ignored: list[Ignored] = []

    def __call__(self, paths: list[Path]) -> Discovery:
        cards = [card for path in paths for card in self.found.get(path, [])]
        if not cards:
            raise NoData("Nothing here can be opened.", fix="Choose a profiler output folder.")
        return Discovery(tuple(paths), paths[0].name, cards, list(self.ignored))


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def finder() -> FakeFinder:
    return FakeFinder()


@pytest.fixture
def look(qapp: QApplication) -> Iterator[None]:
    """Theme and language of the program; the next test begins with dark and English again."""
    from insight_desktop.views.app import make_app

    make_app()
    yield
    theme.set_theme("dark", remember=False)
    language.set_language("en", remember=False)
