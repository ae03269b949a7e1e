"""What the window knows of projects and cards: plain rows that tree, report and status bar show."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from insight_desktop.engine import scene
from insight_desktop.engine.load import CardImport
from insight_desktop.engine.load_options import with_options
from insight_desktop.engine.project import Project
from insight_desktop.errors import InsightError
from insight_desktop.ingest.report import Issue
from insight_desktop.ingest.sources import Card, Discovery, Ignored
from insight_desktop.views.common.language import tr

IDLE = "idle"  # waits until the user asks (more than 16 cards)
WAITING = "waiting"
READING = "reading"
READY = "ready"
NOTES = "with notes"
FAILED = "failed"
SKIPPED = "skipped"  # its files have no timeline

BUSY = (WAITING, READING)
USABLE = (READY, NOTES)

MANY_CARDS = 17  # from here on nothing is read until it is asked for


@dataclass
class CardRow:
    """One card of the current project as the window shows it.

    Attributes:
        name: unique in the project.
        source: what discovery found.
        kind: the kind in use, one of `source.kinds`.
        status: one of the states above.
        done_bytes, total_bytes, what: progress while reading.
        message, fix: why it failed, or the first note, and what helps.
        seconds: time of reading.
        counts: `slices`, `links`, `counters`, … of the finished capture.
        issues: what the report says.
        capture: folder of the finished capture.
        item: the newest import of this card.
        guest: the card of another project, shown beside these to be compared with.
    """

    name: str
    source: Card
    kind: str
    status: str = WAITING
    done_bytes: int = 0
    total_bytes: int = 0
    what: str = ""
    message: str = ""
    fix: str = ""
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    capture: Path | None = None
    item: CardImport | None = None
    guest: bool = False

    def read_as(self, entry: Project, option: str, text: str) -> None:
        """Read it with an option from now on, as by default when empty; the project keeps it."""
        self.source = with_options(self.source, {option: text})
        choice = entry.choice(self.source)
        choice.options = {name: kept for name, kept in {**choice.options, option: text}.items() if kept}
        self.capture = None

    @property
    def path(self) -> Path:
        """First file that is read."""
        return self.source.source(self.kind).files[0]

    @property
    def other_kinds(self) -> tuple[str, ...]:
        return tuple(kind for kind in self.source.kinds if kind != self.kind)

    @property
    def percent(self) -> int:
        return min(100, self.done_bytes * 100 // self.total_bytes) if self.total_bytes else 0

    @property
    def notes(self) -> list[Issue]:
        """Issues that the user should look at."""
        return [issue for issue in self.issues if issue.severity != "info"]


def kind_text(kind: str) -> str:
    """What a kind of data is called in the window: in areas that have one kind per format, its format."""
    texts = {
        "service_db": "db", "service": "json", "operator": "bin", "on_chip": "json", "simulation": tr("simulation"),
        "snapshot": tr("snapshot"), "memscope": "MemScope",
    }  # fmt: skip
    return texts.get(kind, kind)


@dataclass
class ProjectRow:
    """One project of the list; its cards are known once it was opened in this run.

    Attributes:
        entry: what the project list keeps of it.
        cards: None until its paths were looked at.
        found: what discovery said last.
    """

    entry: Project
    cards: list[CardRow] | None = None
    found: Discovery | None = None

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def paths(self) -> list[Path]:
        return self.entry.paths

    @property
    def ignored(self) -> list[Ignored]:
        return self.found.ignored if self.found else []

    @property
    def issues(self) -> list[Issue]:
        """Issues of the project as a whole."""
        return self.found.issues if self.found else []

    @property
    def scene(self) -> str:
        return scene.scene(self.found) if self.found else ""

    def card(self, name: str) -> CardRow | None:
        return next((c for c in self.cards or [] if c.name == name), None)

    @property
    def done(self) -> int:
        return sum(c.status in USABLE for c in self.cards or [])

    @property
    def busy(self) -> bool:
        return any(c.status in BUSY for c in self.cards or [])


def row_of(name: str, card: Card, entry: Project) -> CardRow:
    """A card of a project as it was chosen to be read: its kind, its options."""
    choice = entry.choice(card)
    row = CardRow(name, card, choice.kind if choice.kind in card.kinds else card.kinds[0], status=IDLE)
    with suppress(InsightError):  # the list of projects may have been written by hand
        row.source = with_options(card, choice.options)
    return row


def rank_order(card: CardRow) -> tuple[int, int, str]:
    """Sort key: plain numbers first and by value, then the rest by length and text."""
    text = card.source.rank if card.source.rank is not None else card.name
    if re.fullmatch(r"\d{1,18}", text):
        return (0, int(text), card.name)
    return (1, len(text), text)


def card_title(card: CardRow) -> str:
    """`Card 7` for a rank, else the name itself."""
    return f"Card {card.name}" if re.fullmatch(r"\d+", card.name) else card.name


STATE_ICONS = {
    IDLE: ("play", "accent"),
    WAITING: ("clock", "text2"),
    READING: ("spinner", "accent"),
    READY: ("check-circle", "ok"),
    NOTES: ("warning", "warn"),
    FAILED: ("x-circle", "error"),
    SKIPPED: ("minus-circle", "text2"),
}

WORST_FIRST = {FAILED: 0, NOTES: 1, READING: 2, WAITING: 3, IDLE: 4, SKIPPED: 5, READY: 6}
