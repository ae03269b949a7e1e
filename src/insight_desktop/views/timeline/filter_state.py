"""The filter of a timeline: what the user wrote, and what of it the painters and the tables need."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import QObject, Signal

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import filter as filters
from insight_desktop.engine.timeline.filter import Filter
from insight_desktop.engine.timeline.filter_capture import FilteredCapture, filtered
from insight_desktop.errors import InsightError
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Light:
    """What passes on a card: by name alone (one truth value per string id), else as a capture of its own.

    Where nothing else is to be seen there are both.
    """

    names: Mask | None
    passing: FilteredCapture | None


@dataclass(frozen=True, eq=False)
class Found:
    """A filter made ready for all cards: what to draw, and how many slices of how many pass."""

    filter: Filter
    lights: dict[str, Light] = field(default_factory=dict)
    slices: int = 0
    all_slices: int = 0


def prepare(store: Store, *, asked: Filter, alone: bool = False) -> Found:
    """Make a filter ready for all cards; raises BadArgument for an expression that cannot be read.

    With `alone` what does not pass is not drawn at all.
    """
    lights, slices, every = {}, 0, 0
    for card in store.cards:
        found = filters.of_card(store, card.name, asked)
        capture = found.capture
        every += len(capture.slice_start)
        by_name = found.exact_spans and found.tracks is None and found.min_ns is None and found.max_ns is None
        if found.empty or by_name:
            count = len(capture.strings)
            names = np.zeros(count, np.bool_) if found.empty else found.names
            names = np.ones(count, np.bool_) if names is None else np.asarray(names, np.bool_)
            slices += int(np.count_nonzero(names[np.asarray(capture.slice_name)]))
            lights[card.name] = Light(names, filtered(found) if alone else None)
        else:
            passing = filtered(found)
            slices += len(passing.ids)
            lights[card.name] = Light(None, passing)
    return Found(asked, lights, slices, every)


class TimelineFilter(QObject):
    """The filter that holds for drawing and tables.

    Signals:
        changed: another filter holds, or none.
        failed: an InsightError; the filter that held before still does.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.text = ""
        self.found: Found | None = None
        self.vanishing = ""  # the filter whose rest vanishes from the chart; that of others is dimmed
        self._focus: dict[str, Light] = {}
        self._asker = Asker(context, self)
        context.store_changed.connect(self._again)

    @property
    def is_on(self) -> bool:
        """Whether a filter holds."""
        return self.found is not None

    @property
    def hides(self) -> bool:
        """Whether what does not pass is not drawn at all."""
        return self.found is not None and bool(self.vanishing) and self.text == self.vanishing

    def set_text(self, text: str) -> None:
        """Filter by a line of text; an empty one lets everything pass. Raises BadArgument when it cannot be read."""
        asked = filters.parse(text)
        self.text = text.strip()
        if asked.terms:
            alone = bool(self.vanishing) and self.text == self.vanishing
            self._asker.ask(prepare, asked=asked, alone=alone, then=self._take, failed=self.failed.emit)
            return
        self._asker.forget(prepare)
        if self.found is not None:
            self.found = None
            self.changed.emit()

    def light(self, card: str) -> Light | None:
        """What passes on a card; None while everything does."""
        return self.found.lights.get(card) if self.found is not None else self._focus.get(card)

    def set_focus(self, lights: dict[str, Light]) -> None:
        """While no filter holds only these slices are lit, by card; nothing dims cards without an entry."""
        if lights or self._focus:
            self._focus = dict(lights)
            self.changed.emit()

    def drawn_alone(self, card: str) -> FilteredCapture | None:
        """What is drawn in place of a card while the rest vanishes; None while all of it is drawn."""
        light = self.light(card) if self.hides else None
        return light.passing if light is not None else None

    def mask(self, table: pa.Table) -> Mask | None:
        """Rows of a table that pass by its own columns; None while everything does or the table has no such column."""
        if self.found is None:
            return None
        mask, unasked = filters.table_mask(self.found.filter, table)
        return None if len(unasked) == len(self.found.filter.terms) else np.asarray(mask, np.bool_)

    def _take(self, found: Found) -> None:
        self.found = found
        self.changed.emit()

    def _again(self) -> None:
        if self.text:
            try:
                self.set_text(self.text)
            except InsightError as error:
                self.failed.emit(error)
