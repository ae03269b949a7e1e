"""How the user wants a source to be read: today the range of events of a memory snapshot."""

from __future__ import annotations

from dataclasses import dataclass, replace

from insight_desktop.errors import BadArgument
from insight_desktop.ingest.sources import Card, Source

OPTION = "events"  # of a Source
FORMAT = "snapshot_pickle"
_FIX = "Write first:last, e.g. 1000:2000, 1000: or :2000; events count from 0, the last one is included."


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
            raise BadArgument(f"{text!r} is no range of events.", fix=_FIX)
        found = cls(int(first or 0), int(last) if last else None)
        if found.last is not None and found.last < found.first:
            raise BadArgument(f"The range of events {text} ends before it begins.", fix=_FIX)
        return found

    @classmethod
    def of(cls, source: Source) -> EventRange | None:
        """The part of a source that is to be read; None for the whole."""
        text = source.option(OPTION)
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


def with_events(card: Card, text: str) -> Card:
    """A card whose snapshots are read in a range only; empty for the whole. Other data are not touched.

    Raises:
        BadArgument: the text is no range.
    """
    text = EventRange.parse(text).text if text else ""
    return replace(card, sources=tuple(_limited(source, text) for source in card.sources))


def _limited(source: Source, text: str) -> Source:
    if source.format != FORMAT:
        return source
    others = tuple(option for option in source.options if option[0] != OPTION)
    return replace(source, options=(*others, (OPTION, text)) if text else others)
