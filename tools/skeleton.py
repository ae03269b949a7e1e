"""Starts a tab or a format: files of the right names with the right shape, ready to be filled."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "insight_desktop"

ENGINE = '''"""Named queries of the tab {title}."""

from __future__ import annotations

import pyarrow as pa

from insight_desktop.engine.store import Store


def overview(store: Store) -> pa.Table:
    """One row per card: card."""
    return pa.table({{"card": [card.name for card in store.cards]}})
'''

VIEW = '''"""The page {title}."""

from __future__ import annotations

import pyarrow as pa
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from insight_desktop.engine.{area}.{topic} import overview
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.page import Page, Tab


class {name}Page(Page):
    """Shows `{area}.{topic}.overview`."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.label = QLabel(self)
        QVBoxLayout(self).addWidget(self.label)

    def refresh(self) -> None:
        self.ask(overview, then=self.show_overview)

    def show_overview(self, cards: pa.Table) -> None:
        self.label.setText(self.tr("%n card(s)", "", cards.num_rows))


TAB = Tab("{area}.{topic}", "{title}", {name}Page)
'''

ENGINE_TEST = '''"""Queries of the tab {title} against values worked out by hand."""

from insight_desktop.engine.store import Store
from insight_desktop.engine.{area}.{topic} import overview


def test_no_card_gives_no_row() -> None:
    assert overview(Store()).to_pylist() == []
'''

VIEW_TEST = '''"""The page {title}."""

import pyarrow as pa
from pytestqt.qtbot import QtBot

from insight_desktop.engine.store import Store
from insight_desktop.views.common.context import Context
from insight_desktop.views.{area}.{topic} import {name}Page


def test_page_shows_how_many_cards_there_are(qtbot: QtBot) -> None:
    page = {name}Page(Context(Store()))
    qtbot.addWidget(page)
    page.show_overview(pa.table({{"card": ["0", "1"]}}))
    assert "2" in page.label.text()
'''

GUIDE = """# {title}

What this page answers.
"""

FORMAT = '''"""Reader of {name} files."""

from __future__ import annotations

from pathlib import Path

from insight_desktop.ingest.formats import Stream
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source


def sniff(path: Path, head: bytes) -> bool:
    """True for files named like {name}."""
    return path.stem.startswith("{name}") and bool(head)


def read(source: Source, report: Report, *, threads: int = 1) -> Stream:
    """Yield the stream tables of the source's files."""
    del threads
    for path in source.files:
        report.checkpoint(0, source.size_bytes, path.name)
    yield from ()
'''

FORMAT_TEST = '''"""Reader of {name} files."""

from pathlib import Path

from insight_desktop.ingest.formats import {name}


def test_other_names_are_not_taken() -> None:
    assert not {name}.sniff(Path("other.bin"), b"x")
'''


def main(arguments: list[str]) -> int:
    """`tab AREA.TOPIC` or `format NAME`."""
    if len(arguments) != 2 or arguments[0] not in ("tab", "format"):
        print("use: ./dev new-tab AREA.TOPIC, or ./dev new-format NAME", file=sys.stderr)
        return 2
    kind, name = arguments
    if not all(part.isidentifier() and part.islower() for part in name.split(".")) or (kind == "tab") != (
        name.count(".") == 1
    ):
        print(f"not a good name: {name}", file=sys.stderr)
        return 2
    files = tab_files(*name.split(".")) if kind == "tab" else format_files(name)
    taken = [path for path in files if path.exists()]
    if taken:
        print(f"already there: {', '.join(str(p.relative_to(ROOT)) for p in taken)}", file=sys.stderr)
        return 2
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        init = path.parent / "__init__.py"
        if SRC in path.parents and not init.exists():
            init.write_text(f'"""Area {path.parent.name}."""\n', encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
    where = "views/tabs.py and engine/scene.py" if kind == "tab" else "ingest/discover.py"
    print(f"Now add it to {where}.")
    return 0


def tab_files(area: str, topic: str) -> dict[Path, str]:
    """Path → text of a new tab's five files."""
    words = {
        "area": area,
        "topic": topic,
        "title": topic.replace("_", " ").capitalize(),
        "name": topic.title().replace("_", ""),
    }
    return {
        SRC / "engine" / area / f"{topic}.py": ENGINE.format(**words),
        SRC / "views" / area / f"{topic}.py": VIEW.format(**words),
        ROOT / "tests" / "engine" / area / f"test_{topic}.py": ENGINE_TEST.format(**words),
        ROOT / "tests" / "views" / area / f"test_{topic}.py": VIEW_TEST.format(**words),
        ROOT / "docs" / "guide" / area / f"{topic}.md": GUIDE.format(**words),
    }


def format_files(name: str) -> dict[Path, str]:
    """Path → text of a new format's two files."""
    return {
        SRC / "ingest" / "formats" / f"{name}.py": FORMAT.format(name=name),
        ROOT / "tests" / "ingest" / "formats" / f"test_{name}.py": FORMAT_TEST.format(name=name),
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
