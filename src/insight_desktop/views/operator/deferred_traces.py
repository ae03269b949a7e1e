"""Reads the large traces of bins for the Timeline, in a worker process, with progress like any card."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from insight_desktop.engine.cache import Cache
from insight_desktop.engine.load import CardImport, Importer
from insight_desktop.engine.operator import deferred
from insight_desktop.engine.store import Store


class DeferredTraces(QObject):
    """Traces that are read now, or could not be read.

    Signals:
        changed: a trace has come, or failed.
        moved: one has come further.
    """

    changed = Signal()
    moved = Signal()
    _told = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reading: dict[str, CardImport] = {}
        self._importer: Importer | None = None
        self._told.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    def want(self, store: Store) -> None:
        """Read the traces of the kernels of a store that are not there yet; those that are being read go on."""
        names = set()
        for card in store.cards_of("operator"):
            if card.kind != "operator" or deferred.folder_of(card) is not None:
                continue
            names.add(card.name)
            found = deferred.trace_card(card)
            if found is None or card.name in self.reading:
                continue
            if self._importer is None:
                self._importer = Importer(Cache(card.folder.parent), on_change=self._told.emit)
            self.reading[card.name] = self._importer.start([found])[0]
        for name in [name for name in self.reading if name not in names]:
            del self.reading[name]

    def close(self) -> None:
        """Stop what is being read."""
        importer, self._importer = self._importer, None
        if importer is not None:
            importer.close()

    def _hear(self, item: Any) -> None:
        if item.is_done:
            if item.status == "ready":
                self.reading.pop(item.card.name, None)
            self.changed.emit()
        else:
            self.moved.emit()
