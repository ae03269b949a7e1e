"""What the Curve page asks off the window's thread: the curves of a run, the rows of one or two of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from insight_desktop.engine.service import curve as queries
from insight_desktop.engine.service import curve_rows
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.views.common import language
from insight_desktop.views.service.curve_bar import Entry
from insight_desktop.views.service.curve_series import Curve


@dataclass(frozen=True)
class Listed:
    """The curves of a run: entries of the select, texts by name, the one that opens (empty for none)."""

    card: str
    entries: tuple[Entry, ...]
    english: dict[str, str]
    chinese: dict[str, str]
    first: str

    def description(self, name: str) -> str:
        """What a curve shows, in the current language; empty when nobody wrote it."""
        chosen = self.chinese if language.current() == "zh" else self.english
        return chosen.get(name) or self.english.get(name) or ""

    def section(self, name: str) -> str:
        """Section of a curve."""
        if curve_rows.is_generated(name):
            return "generated"
        return next((entry.section for entry in self.entries if entry.name == name), "recorded")


def listed(store: Store, card: str) -> Listed:
    """The recorded and derived curves of a run."""
    rows = queries.list(store, card=card).to_pylist()
    entries = tuple(Entry(r["name"], r["section"], r["error"], r["rows"] if len(r["columns"]) > 1 else 0) for r in rows)
    first = next((r["name"] for r in rows if r["first"]), rows[0]["name"] if rows else "")
    return Listed(
        card, entries, {r["name"]: r["description_en"] for r in rows}, {r["name"]: r["description_zh"] for r in rows}, first
    )  # fmt: skip


@dataclass(frozen=True)
class Loaded:
    """A curve, the same one of the baseline, and why that one is not there."""

    curve: Curve
    base: Curve | None = None
    missing: InsightError | None = None


def loaded(store: Store, card: str, name: str, section: str, base: str | None) -> Loaded:
    """The rows of a curve, and of the baseline's curve of that name.

    Raises:
        InsightError: the curve cannot be read; a baseline without it is told in the answer.
    """
    found = _curve(store, card, name, section)
    if base is None:
        return Loaded(found)
    try:
        return Loaded(found, _curve(store, base, name, section))
    except InsightError as error:
        return Loaded(found, missing=error)


def _curve(store: Store, card: str, name: str, section: str) -> Curve:
    table = queries.whole(store, name=name, card=card)
    return Curve(card, name, section, table, store.base_ns + store.card(card).offset_ns)


def generated_entries(names: Sequence[str]) -> tuple[Entry, ...]:
    """Entries of curves that were generated from slices."""
    return tuple(Entry(name, "generated") for name in names)


def place(store: Store, card: str, name: str, row: int) -> dict[str, Any]:
    """Slice and times of a row."""
    return dict(queries.place(store, name=name, row=row, card=card).to_pylist()[0])
