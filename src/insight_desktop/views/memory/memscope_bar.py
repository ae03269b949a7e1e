"""Above the block chart of the MemScope page: what colours mean, which sizes are shown, steps through a block's events."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from insight_desktop.engine.memory.memscope_look import NEVER, NONE, OTHER, SEVERAL
from insight_desktop.engine.memory.memscope_tags import EARLY, IDLE, LATE
from insight_desktop.views.common import parts
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select

_COLOURS = {
    "address": QT_TRANSLATE_NOOP("insight", "Address"),
    "owner1": QT_TRANSLATE_NOOP("insight", "Owner, first level"),
    "owner2": QT_TRANSLATE_NOOP("insight", "Owner, two levels"),
    "owner3": QT_TRANSLATE_NOOP("insight", "Owner, three levels"),
    "thread": QT_TRANSLATE_NOOP("insight", "Thread"),
    "size": QT_TRANSLATE_NOOP("insight", "Size"),
    "life": QT_TRANSLATE_NOOP("insight", "Life"),
    "tag": QT_TRANSLATE_NOOP("insight", "Tag"),
}
_WORDS = {
    NONE: QT_TRANSLATE_NOOP("insight", "none"),
    OTHER: QT_TRANSLATE_NOOP("insight", "other"),
    NEVER: QT_TRANSLATE_NOOP("insight", "never freed"),
    SEVERAL: QT_TRANSLATE_NOOP("insight", "several tags"),
    EARLY: QT_TRANSLATE_NOOP("insight", "early-alloc"),
    LATE: QT_TRANSLATE_NOOP("insight", "late-free"),
    IDLE: QT_TRANSLATE_NOOP("insight", "idle"),
}
_SIZE = re.compile(r"(\d+(?:[.,]\d+)?)\s*([KMGT]?)(?:I?B)?", re.IGNORECASE)
_POWERS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
MOST_BYTES = 1 << 50


class MemscopeBar(QWidget):
    """Choices of the block chart.

    Signals:
        changed: colours, sizes or what is shown.
        stepped: -1 or 1, the event of the chosen block before or after the marked time.
    """

    changed = Signal()
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colour_label, self.size_label, self.dash = (
            parts.label(level=2),
            parts.label(level=2),
            parts.label("–", level=2),
        )
        self.colour_box = Select()
        for key in _COLOURS:
            self.colour_box.addItem(key, key)
        self.colour_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.least_field, self.most_field = QLineEdit(), QLineEdit()
        self.only_box = QCheckBox()
        self.before_button = parts.icon_button("caret-left", click=lambda: self.stepped.emit(-1))
        self.after_button = parts.icon_button("caret-right", click=lambda: self.stepped.emit(1))
        row = parts.columns(self, margins=(8, 2, 8, 2), gap=6)
        row.addStretch(1)
        row.addWidget(self.colour_label)
        row.addWidget(self.colour_box)
        row.addSpacing(8)
        row.addWidget(self.size_label)
        for widget in (self.least_field, self.dash, self.most_field):
            row.addWidget(widget)
        row.addSpacing(8)
        row.addWidget(self.only_box)
        row.addWidget(self.before_button)
        row.addWidget(self.after_button)
        self.colour_box.currentIndexChanged.connect(lambda _i: self.changed.emit())
        self.only_box.toggled.connect(lambda _on: self.changed.emit())
        for field in (self.least_field, self.most_field):
            field.setFixedWidth(84)
            field.editingFinished.connect(self._sizes_typed)
        self._sizes: tuple[int | None, int | None] = (None, None)
        self.retranslate()
        self.show_chosen(chosen=False)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.colour_label.setText(tr("Colours"))
        self.size_label.setText(tr("Size"))
        self.colour_box.setAccessibleName(tr("Colours"))
        for at, text in enumerate(_COLOURS.values()):
            self.colour_box.setItemText(at, tr(text))
        for field, name in ((self.least_field, tr("Smallest size")), (self.most_field, tr("Largest size"))):
            field.setAccessibleName(name)
            parts.set_tip(field, tr("{0}, such as 512 KB or 1.5 MB").format(name))
        self.least_field.setPlaceholderText(tr("min"))
        self.most_field.setPlaceholderText(tr("max"))
        self.only_box.setText(tr("Only Show Inefficient Blocks"))
        for button, name in (
            (self.before_button, tr("Previous event of this block")),
            (self.after_button, tr("Next event of this block")),
        ):
            button.setAccessibleName(name)
            parts.set_tip(button, name)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_sizes"):
            self.retranslate()
        super().changeEvent(event)

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    @property
    def colour(self) -> str:
        """What has one colour."""
        return str(self.colour_box.currentData())

    @property
    def sizes(self) -> tuple[int | None, int | None]:
        """Smallest and largest size in bytes; None is unbounded."""
        return self._sizes

    @property
    def only_tagged(self) -> bool:
        """Show only blocks with a tag."""
        return self.only_box.isChecked()

    def choose(self, *, colour: str | None = None, sizes: tuple[int | None, int | None] | None = None) -> None:
        """Take choices of a session."""
        if colour is not None:
            self.colour_box.setCurrentIndex(max(0, self.colour_box.findData(colour)))
        if sizes is not None:
            for field, size in zip((self.least_field, self.most_field), sizes, strict=True):
                field.setText("" if size is None else f"{size} B")
            self._sizes_typed()

    def show_only_tagged(self, *, only: bool, possible: bool) -> None:
        """What the thresholds say; without any there is nothing to show alone."""
        self.only_box.blockSignals(True)
        self.only_box.setChecked(only and possible)
        self.only_box.blockSignals(False)
        self.only_box.setEnabled(possible)
        parts.set_tip(self.only_box, "" if possible else tr("Set thresholds under Inefficient blocks… first"))

    def show_chosen(self, *, chosen: bool) -> None:
        """A block is chosen: its events can be stepped through."""
        for button in (self.before_button, self.after_button):
            button.setEnabled(chosen)

    def _sizes_typed(self) -> None:
        read = tuple(size_of(field.text()) for field in (self.least_field, self.most_field))
        for field, size in zip((self.least_field, self.most_field), read, strict=True):
            parts.set_state(field, state="error" if size is None and field.text().strip() else "")
        if (read[0], read[1]) != self._sizes:
            self._sizes = read[0], read[1]
            self.changed.emit()


def size_of(text: str) -> int | None:
    """Bytes of a typed size (1024 steps); None for nothing and for what is no size.

    >>> size_of("1.5 MB")
    1572864
    """
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        return None
    return min(int(float(found[1].replace(",", ".")) * (1 << _POWERS[found[2].upper()])), MOST_BYTES)


def word_of(name: str) -> str:
    """Words of a class of blocks."""
    return tr(_WORDS[name]) if name in _WORDS else name
