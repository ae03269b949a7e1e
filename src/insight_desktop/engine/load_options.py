"""How the user wants a source to be read: a part of a memory snapshot's events, how a MemScope dump pairs its rows.

An option is a text by name. It is part of the source, and so of the capture; it stays with the project and with saved sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from insight_desktop.errors import BadArgument
from insight_desktop.ingest.sources import Card, Source

EVENTS, PAIRING = "events", "pairing"  # names of options
BEFORE_TRACING, IMPLICIT_FREE = "before-tracing", "implicit-free"
_RANGE_FIX = "Write first:last, e.g. 1000:2000, 1000: or :2000; events count from 0, the last one is included."


@dataclass(frozen=True)
class EventRange:
    """Events first … last of every device; `last` is None for the end of the trace."""

    first: int = 0
    last: int | None = None

    @classmethod
    def parse(cls, text: str) -> EventRange:
        """From `first:last`, either of which may be left out; raises BadArgument."""
        first, colon, last = (part.strip() for part in text.partition(":"))
        if not colon or any(part and not (part.isascii() and part.isdecimal() and len(part) < 16) for part in (first, last)):  # fmt: skip
            raise BadArgument(f"{text!r} is no range of events.", fix=_RANGE_FIX)
        found = cls(int(first or 0), int(last) if last else None)
        if found.last is not None and found.last < found.first:
            raise BadArgument(f"The range of events {text} ends before it begins.", fix=_RANGE_FIX)
        return found

    @classmethod
    def of(cls, source: Source) -> EventRange | None:
        """The part of a source that is to be read; None for the whole."""
        text = source.option(EVENTS)
        found = cls.parse(text) if text else cls()
        return None if found == cls() else found

    @property
    def text(self) -> str:
        """As `parse` reads it; empty for the whole."""
        return "" if self == EventRange() else f"{self.first}:{'' if self.last is None else self.last}"

    def within(self, events: int) -> tuple[int, int]:
        """Half-open part of a trace of so many events."""
        first = min(self.first, events)
        return first, events if self.last is None else max(first, min(self.last + 1, events))


@dataclass(frozen=True)
class Pairing:
    """What becomes of the MALLOC and FREE rows of a MemScope dump that have no partner; both are left out by default.

    Attributes:
        before_tracing: a FREE on an address that no row used before ends a block that lived since the start of the data.
        implicit_free: a MALLOC of a block that lives already ends it and begins another one.
    """

    before_tracing: bool = False
    implicit_free: bool = False

    @classmethod
    def parse(cls, text: str) -> Pairing:
        """From `before-tracing`, `implicit-free`, or both with a comma between; raises BadArgument."""
        words = {word.strip() for word in text.split(",")}
        if not words <= {BEFORE_TRACING, IMPLICIT_FREE}:
            raise BadArgument(
                f"{text!r} is no way to pair rows.",
                fix="Write before-tracing, implicit-free, or both with a comma between.",
            )
        return cls(BEFORE_TRACING in words, IMPLICIT_FREE in words)

    @classmethod
    def of(cls, source: Source) -> Pairing:
        """How rows of a source are to be paired."""
        text = source.option(PAIRING)
        return cls.parse(text) if text else cls()

    @property
    def text(self) -> str:
        """As `parse` reads it; empty for the default."""
        wanted = ((BEFORE_TRACING, self.before_tracing), (IMPLICIT_FREE, self.implicit_free))
        return ",".join(word for word, is_on in wanted if is_on)


@dataclass(frozen=True)
class LoadOption:
    """One option.

    Attributes:
        name: of the option of a source, and on the command line.
        format: which sources have it.
        value, about: its value and what it does, for the help of the command line.
        checked: a text as it is kept, empty for the default; raises BadArgument.
    """

    name: str
    format: str
    value: str
    about: str
    checked: Callable[[str], str]


OPTIONS = (
    LoadOption(
        EVENTS, "snapshot_pickle", "A:B", "memory snapshots: read only the events A to B",
        lambda text: EventRange.parse(text).text,
    ),
    LoadOption(
        PAIRING, "memscope", "WORDS",
        f"MemScope dumps: {BEFORE_TRACING} (a FREE without a MALLOC ends a block from before tracing), "
        f"{IMPLICIT_FREE} (a MALLOC of a block that lives ends it), or both with a comma between",
        lambda text: Pairing.parse(text).text,
    ),
)  # fmt: skip


def checked(wanted: Mapping[str, str]) -> dict[str, str]:
    """Options as they are kept: text by name, empty for the default; raises BadArgument for what one does not understand."""
    given = [(option, wanted[option.name]) for option in OPTIONS if option.name in wanted]
    return {option.name: option.checked(text) if text else "" for option, text in given}


def with_options(card: Card, wanted: Mapping[str, str]) -> Card:
    """A card whose sources are read as wanted: option → text, empty for the default.

    Options that are not named stay as they are, and sources without such an option are not touched.

    Raises:
        BadArgument: a text that its option does not understand.
    """
    texts = checked(wanted)
    for option in OPTIONS:
        if option.name in texts:
            card = replace(card, sources=tuple(_with(source, option, texts[option.name]) for source in card.sources))
    return card


def saved_options(entry: Mapping[str, Any]) -> dict[str, str]:
    """The options of a card in a list of projects or in a session: text by name."""
    kept = entry.get("options")
    found = {str(name): str(text) for name, text in kept.items() if text} if isinstance(kept, Mapping) else {}
    if entry.get(EVENTS):  # as it was written when there was one option only
        found.setdefault(EVENTS, str(entry[EVENTS]))
    return found


def _with(source: Source, option: LoadOption, text: str) -> Source:
    if source.format != option.format:
        return source
    others = tuple(known for known in source.options if known[0] != option.name)
    return replace(source, options=(*others, (option.name, text)) if text else others)
