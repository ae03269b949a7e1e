"""Words of the Snapshot page: sizes, addresses, actions and their colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtGui import QColor

from insight_desktop.views.common import number_text, theme
from insight_desktop.views.common.chart_data import Band
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr

MODES = (
    ("estimate", QT_TRANSLATE_NOOP("insight", "Allocator estimate")),
    ("requested", QT_TRANSLATE_NOOP("insight", "Requested")),
    ("upstream", QT_TRANSLATE_NOOP("insight", "As upstream")),
)
CHARTS = (
    ("active", QT_TRANSLATE_NOOP("insight", "Active memory")),
    ("time", QT_TRANSLATE_NOOP("insight", "Active memory over time")),
    ("pools", QT_TRANSLATE_NOOP("insight", "With private pools")),
    ("segments", QT_TRANSLATE_NOOP("insight", "Cached segments")),
)
COLOURS = (
    ("address", QT_TRANSLATE_NOOP("insight", "Colour: address")),
    ("stack", QT_TRANSLATE_NOOP("insight", "Colour: call stack")),
    ("category", QT_TRANSLATE_NOOP("insight", "Colour: category")),
    ("size", QT_TRANSLATE_NOOP("insight", "Colour: size class")),
    ("stream", QT_TRANSLATE_NOOP("insight", "Colour: stream")),
)
_ANOMALIES = {
    "alloc_without_block": QT_TRANSLATE_NOOP("insight", "Allocated, never freed in the trace, gone at the dump: the free was lost"),
    "alloc_of_live_address": QT_TRANSLATE_NOOP("insight", "Allocation of an address that lives already: the free between was lost"),
    "free_of_unknown": QT_TRANSLATE_NOOP("insight", "Free of an address that does not live"),
    "double_free": QT_TRANSLATE_NOOP("insight", "Second free of a block"),
    "state_differs": QT_TRANSLATE_NOOP("insight", "State at the dump differs from the trace"),
    "survivors_unknown": QT_TRANSLATE_NOOP("insight", "Not freed, and the file tells nothing of the end: shown as a survivor"),
    "segment_missing": QT_TRANSLATE_NOOP("insight", "Segment of the trace that is not there at the dump"),
    "negative_total": QT_TRANSLATE_NOOP("insight", "Total would be negative"),
}  # fmt: skip
_COLOURS = {
    "alloc": "allocated", "free_requested": "bubble", "free_completed": "active", "free": "active",
    "segment_alloc": "reserved", "segment_map": "reserved", "segment_free": "preparing", "segment_unmap": "preparing",
    "oom": "oom",
}  # fmt: skip


def colour_of_action(action: str) -> QColor:
    """Colour of the square before an event."""
    name = _COLOURS.get(action)
    return theme.meaning(name) if name else theme.token("text3")


def size(value: int | None) -> str:
    """Bytes in their best unit, three decimals: `24.000 MiB`."""
    return number_text.bytes_text(value, decimals=3)


def exact(value: int | None) -> str:
    """Bytes in their best unit and exactly: `585.000 MiB (613,416,960 B)`."""
    if value is None or abs(value) < 1024:
        return size(value)
    return f"{size(value)} ({number_text.count(value)} B)"


def address(value: int | None) -> str:
    """An address, hexadecimal."""
    return number_text.MISSING if value is None else f"0x{value:x}"


def event(index: int | None) -> str:
    """An event index; before the first there is none."""
    if index is None:
        return number_text.MISSING
    return tr("before the first event") if index < 0 else number_text.count(index)


def kilobytes(value: float) -> str:
    """KB with three decimals, as the chips show it."""
    return f"{number_text.number(value, 3)} KB"


_WORDS = {
    word: word for word in (
        QT_TRANSLATE_NOOP("insight", "allocated"), QT_TRANSLATE_NOOP("insight", "pending"), QT_TRANSLATE_NOOP("insight", "freed"),
        QT_TRANSLATE_NOOP("insight", "small"), QT_TRANSLATE_NOOP("insight", "large"), QT_TRANSLATE_NOOP("insight", "low"),
        QT_TRANSLATE_NOOP("insight", "medium"), QT_TRANSLATE_NOOP("insight", "high"),
        QT_TRANSLATE_NOOP("insight", "true shortage"), QT_TRANSLATE_NOOP("insight", "fragmentation"),
        QT_TRANSLATE_NOOP("insight", "other pool or stream"), QT_TRANSLATE_NOOP("insight", "long life"),
        QT_TRANSLATE_NOOP("insight", "unused tail"), QT_TRANSLATE_NOOP("insight", "free segments"),
        QT_TRANSLATE_NOOP("insight", "both"), QT_TRANSLATE_NOOP("insight", "before"), QT_TRANSLATE_NOOP("insight", "after"),
        QT_TRANSLATE_NOOP("insight", "reserved"), QT_TRANSLATE_NOOP("insight", "active"), QT_TRANSLATE_NOOP("insight", "blocks"),
        QT_TRANSLATE_NOOP("insight", "segments"), QT_TRANSLATE_NOOP("insight", "gaps"),
        QT_TRANSLATE_NOOP("insight", "largest gap"), QT_TRANSLATE_NOOP("insight", "lost to rounding"),
        QT_TRANSLATE_NOOP("insight", "reclaimable"), QT_TRANSLATE_NOOP("insight", "unknown"),
        QT_TRANSLATE_NOOP("insight", "no stack"), QT_TRANSLATE_NOOP("insight", "annotation"),
        QT_TRANSLATE_NOOP("insight", "metadata"),
    )
}  # fmt: skip
_WORDED = ("state", "kind", "confidence", "verdict", "name", "where", "category")


def worded(table: pa.Table) -> pa.Table:
    """A table whose fixed words (states, verdicts, kinds) and reasons are in the current language."""
    for name in [n for n in table.column_names if n in _WORDED or n == "why"]:
        column = pc.dictionary_encode(table.column(name)).combine_chunks()
        said = [
            value if value is None else say(value) if name == "why" else tr(value) if value in _WORDS else value
            for value in column.dictionary.to_pylist()
        ]
        found = pa.DictionaryArray.from_arrays(column.indices, pa.array(said, pa.string())).cast(pa.string())
        table = table.set_column(table.column_names.index(name), name, found)
    return table


def anomaly(kind: str) -> str:
    """Words for a kind of inconsistency."""
    return tr(_ANOMALIES[kind]) if kind in _ANOMALIES else kind


def bands(stretches: Iterable[tuple[int, int, str]], x_of: Callable[[int], float]) -> list[Band]:
    """Annotated stretches as bands; equal names have equal colours."""
    colours = [colour.name() for colour in theme.series()]
    names: dict[str, str] = {}
    out = []
    for first, last, name in stretches:
        colour = names.setdefault(name, colours[len(names) % len(colours)])
        out.append(Band(x_of(first), x_of(last), name, colour))
    return out
