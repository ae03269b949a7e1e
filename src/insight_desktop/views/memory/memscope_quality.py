"""What was wrong with the rows of a MemScope dump, in words, and which rows without a partner count all the same."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from insight_desktop.engine.load_options import Pairing
from insight_desktop.views.common import parts
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr

_REASONS = {
    "orphan_free": QT_TRANSLATE_NOOP("insight", "FREE without a MALLOC"),
    "duplicate_malloc": QT_TRANSLATE_NOOP("insight", "MALLOC of a block that lives already"),
    "block_before_tracing": QT_TRANSLATE_NOOP("insight", "FREE of a block from before tracing"),
    "implicit_free": QT_TRANSLATE_NOOP("insight", "MALLOC that ends the block on its address"),
    "zero_size_malloc": QT_TRANSLATE_NOOP("insight", "MALLOC without a size"),
    "negative_malloc": QT_TRANSLATE_NOOP("insight", "MALLOC with a negative size"),
    "free_without_device": QT_TRANSLATE_NOOP("insight", "FREE without a device"),
    "malloc_without_device": QT_TRANSLATE_NOOP("insight", "MALLOC without a device"),
    "invalid_time": QT_TRANSLATE_NOOP("insight", "Row without a valid time"),
    "used_differs": QT_TRANSLATE_NOOP("insight", "Pool size differs from the running sum"),
    "access_outside": QT_TRANSLATE_NOOP("insight", "Access outside the life of its block"),
    "owner_too_deep": QT_TRANSLATE_NOOP("insight", "Owner with more than 20 levels"),
}
_EFFECTS = {
    "block_before_tracing": QT_TRANSLATE_NOOP("insight", "the block lives from the start of the data"),
    "implicit_free": QT_TRANSLATE_NOOP("insight", "one block ends, another one begins"),
}


def in_words(found: pa.Table) -> pa.Table:
    """Rows of `memory.memscope.quality` with their text and effect."""
    texts, effects = [], []
    for reason, ignored in zip(found["reason"].to_pylist(), found["ignored"].to_pylist(), strict=True):
        texts.append(tr(_REASONS.get(reason, reason)))
        effects.append(tr("left out of blocks and curves") if ignored else tr(_EFFECTS.get(reason, "kept")))
    return found.append_column("text", pa.array(texts, pa.string())).append_column(
        "effect", pa.array(effects, pa.string())
    )


def badge(found: pa.Table) -> str:
    """How many rows are ignored; empty when there is nothing to say."""
    ignored = sum(row["rows"] for row in found.to_pylist() if row["ignored"])
    if not found.num_rows:
        return ""
    return tr("{count} rows ignored").format(count=f"{ignored:,}") if ignored else tr("Notes on the data")


class PairingBoxes(QWidget):
    """Which rows without a partner count.

    Signals:
        wanted: text of a `Pairing` with which the dump is to be read; the boxes wait until it is there.
    """

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = parts.label(level=2)
        self.before, self.implicit = QCheckBox(), QCheckBox()
        row = parts.columns(self, margins=(8, 4, 8, 4), gap=12)
        for widget in (self.title, self.before, self.implicit):
            row.addWidget(widget)
        row.addStretch(1)
        for box in (self.before, self.implicit):
            box.clicked.connect(lambda _on: self._clicked())
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        again = tr("The dump is read again, and the project keeps the choice.")
        self.title.setText(tr("Rows without a partner"))
        self.before.setText(tr("Blocks from before tracing"))
        self.implicit.setText(tr("Implicit free"))
        for box, tip in (
            (self.before, tr("A FREE on an address that no row used before ends a block that lived since the start of the data, with the size that the FREE tells. Otherwise it is ignored.")),
            (self.implicit, tr("A MALLOC of a block that lives already ends this block and begins a new one. Otherwise it is ignored.")),
        ):  # fmt: skip
            parts.set_tip(box, f"{tip} {again}")

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "implicit"):
            self.retranslate()
        super().changeEvent(event)

    @property
    def pairing(self) -> Pairing:
        """What is ticked."""
        return Pairing(self.before.isChecked(), self.implicit.isChecked())

    def show_pairing(self, pairing: Pairing, *, possible: bool) -> None:
        """How the dump was read; where it cannot be read again there is nothing to choose."""
        self.before.setChecked(pairing.before_tracing)  # `clicked` comes from the user only
        self.implicit.setChecked(pairing.implicit_free)
        self._enable(possible)

    def _clicked(self) -> None:
        self._enable(False)
        self.wanted.emit(self.pairing.text)

    def _enable(self, on: Any) -> None:
        for box in (self.before, self.implicit):
            box.setEnabled(bool(on))
