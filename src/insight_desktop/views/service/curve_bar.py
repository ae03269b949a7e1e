"""Controls of the Curve page: run, curve, comparison, axis, options, export; and the line that describes the curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QWidget

from insight_desktop.engine.store import StoreCard
from insight_desktop.views.common import icons, parts
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.service.curve_series import MODES, Mode, title_of

SECTIONS = {
    "recorded": QT_TRANSLATE_NOOP("insight", "Recorded"),
    "derived": QT_TRANSLATE_NOOP("insight", "Derived from events"),
    "generated": QT_TRANSLATE_NOOP("insight", "Generated from slices"),
}
OPTIONS = (
    ("zeros", QT_TRANSLATE_NOOP("insight", "Missing values as zero")),
    ("log", QT_TRANSLATE_NOOP("insight", "Logarithmic values")),
    ("sync", QT_TRANSLATE_NOOP("insight", "Same stretch of time as the Timeline")),
)


@dataclass(frozen=True)
class Entry:
    """One curve of the select: name, section, why it cannot be read (empty when it can), rows."""

    name: str
    section: str
    error: str = ""
    rows: int = 1

    @property
    def text(self) -> str:
        """What the select shows."""
        return title_of(self.name)


class CurveBar(QWidget):
    """What the page shows.

    Signals:
        card_changed: name of the run.
        curve_changed: name of the curve.
        base_changed: the run to compare with, empty for none.
        mode_changed: the axis of x.
        options_changed: missing as zero, logarithmic, in step with the Timeline.
        remove_wanted: name of a generated curve.
        right_changed: (line, whether it stands at the right).
    """

    card_changed = Signal(str)
    curve_changed = Signal(str)
    base_changed = Signal(str)
    mode_changed = Signal(str)
    options_changed = Signal()
    remove_wanted = Signal(str)
    right_changed = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(self, 38)
        self.card_box, self.curve_box, self.base_box, self.mode_box = (Select() for _ in range(4))
        self.card_label, self.curve_label, self.base_label, self.mode_label = (QLabel() for _ in range(4))
        self.options_button = parts.button("", "sliders-horizontal", flat=True)
        self.options_menu = QMenu(self)
        self.options_button.setMenu(self.options_menu)
        self.export_button = parts.button("", "download-simple")
        self.options: dict[str, QAction] = {}
        self._remove = QAction(self)
        self._cards: list[tuple[str, str]] = []
        self._entries: list[Entry] = []
        self._base = ""
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        row = parts.columns(self, margins=(12, 0, 12, 1), gap=6)
        pairs = (
            (self.card_label, self.card_box, 150), (self.curve_label, self.curve_box, 270),
            (self.base_label, self.base_box, 150), (self.mode_label, self.mode_box, 130),
        )  # fmt: skip
        for label, box, width in pairs:
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(72)
            box.setMaximumWidth(width)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box, 1)
            row.addSpacing(2)
        self.curve_box.setMaxVisibleItems(24)
        self.curve_box.setModel(QStandardItemModel(self.curve_box))
        for mode, _ in MODES:
            self.mode_box.addItem(mode, mode)
        for key, _ in OPTIONS:
            action = QAction(self)
            action.setCheckable(True)
            action.toggled.connect(lambda _on: self.options_changed.emit())
            self.options[key] = action
            self.options_menu.addAction(action)
        self.right_menu = self.options_menu.addMenu("")
        self.right_menu.menuAction().setVisible(False)
        self.options_menu.addSeparator()
        self.options_menu.addAction(self._remove)
        row.addStretch(1)
        row.addWidget(self.options_button)
        row.addWidget(self.export_button)

    def _connect(self) -> None:
        self.card_box.currentIndexChanged.connect(lambda _at: self.card_changed.emit(self.card or ""))
        self.curve_box.currentIndexChanged.connect(lambda _at: self.curve_changed.emit(self.curve))
        self.base_box.currentIndexChanged.connect(self._base_chosen)
        self.mode_box.currentIndexChanged.connect(lambda _at: self.mode_changed.emit(self.mode))
        self._remove.triggered.connect(lambda _on: self.remove_wanted.emit(self.curve))

    def retranslate(self) -> None:
        """Texts in the current language."""
        for label, box, text in (
            (self.card_label, self.card_box, tr("Rank ID")),
            (self.curve_label, self.curve_box, tr("Group By")),
            (self.base_label, self.base_box, tr("Compare with")),
            (self.mode_label, self.mode_box, tr("X axis")),
        ):
            label.setText(text)
            box.setAccessibleName(text)
        with QSignalBlocker(self.mode_box):
            for i, (_, text) in enumerate(MODES):
                self.mode_box.setItemText(i, tr(text))
        for key, text in OPTIONS:
            self.options[key].setText(tr(text))
        self._remove.setText(tr("Remove this generated curve"))
        self.right_menu.setTitle(tr("Axis at the right"))
        self.options_button.setText(tr("Options"))
        self.export_button.setText(tr("Export…"))
        self._fill_curves(self.curve)
        self._fill_cards(self.card)

    def set_lines(self, lines: Sequence[tuple[str, str]], right: Sequence[str]) -> None:
        """The lines (name, title) of the curve, and those that stand at the right; one stays at the left."""
        self.right_menu.clear()
        for line, title in lines:
            action = self.right_menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(line in right)
            action.setEnabled(line in right or len(right) < len(lines) - 1)
            action.toggled.connect(lambda on, line=line: self.right_changed.emit(line, on))
        self.right_menu.menuAction().setVisible(len(lines) > 1)

    # ---- runs --------------------------------------------------------------------------------------------------------

    def set_cards(self, cards: Sequence[StoreCard], current: str | None) -> None:
        """The runs there are; the chosen one stays when it still is."""
        self._cards = [(c.alias or c.name, c.name) for c in cards]
        names = [name for _, name in self._cards]
        self._fill_cards(next((n for n in (self.card, current) if n in names), names[0] if names else None))
        for i, card in enumerate(cards):
            self.card_box.setItemData(i, str(card.source_folder or ""), Qt.ItemDataRole.ToolTipRole)

    def _fill_cards(self, wanted: str | None) -> None:
        with QSignalBlocker(self.card_box), QSignalBlocker(self.base_box):
            self.card_box.clear()
            for text, name in self._cards:
                self.card_box.addItem(text, name)
            self.card_box.setCurrentIndex(self.card_box.findData(wanted))
            self.base_box.clear()
            self.base_box.addItem(tr("No comparison"), "")
            for text, name in self._cards:
                if name != wanted:
                    self.base_box.addItem(text, name)
            self.base_box.setCurrentIndex(max(0, self.base_box.findData(self._base)))
        for widget in (self.base_label, self.base_box):
            widget.setVisible(len(self._cards) > 1)

    @property
    def card(self) -> str | None:
        """Name of the run; None without runs."""
        found = self.card_box.currentData()
        return str(found) if found is not None else None

    def choose(self, name: str) -> bool:
        """Another run; True when it is another one. Says nothing."""
        if name == self.card or self.card_box.findData(name) < 0:
            return False
        self._fill_cards(name)
        return True

    @property
    def base(self) -> str | None:
        """The run to compare with."""
        return (
            self._base if self._base and self._base != self.card and self.base_box.findData(self._base) >= 0 else None
        )

    def set_base(self, name: str | None) -> None:
        """Compare with this run; says nothing."""
        self._base = name or ""
        self._fill_cards(self.card)

    def _base_chosen(self, _at: int) -> None:
        self._base = str(self.base_box.currentData() or "")
        self.base_changed.emit(self._base)

    # ---- curves ------------------------------------------------------------------------------------------------------

    def set_curves(self, entries: Sequence[Entry], wanted: str) -> None:
        """The curves there are, and the one that is chosen. Says nothing."""
        self._entries = list(entries)
        self._fill_curves(wanted)

    def _fill_curves(self, wanted: str) -> None:
        with QSignalBlocker(self.curve_box):
            self.curve_box.clear()
            model = cast(QStandardItemModel, self.curve_box.model())
            for section, title in SECTIONS.items():
                mine = [entry for entry in self._entries if entry.section == section]
                if not mine:
                    continue
                head = QStandardItem(tr(title))
                head.setFlags(Qt.ItemFlag.NoItemFlags)
                model.appendRow(head)
                for entry in mine:
                    model.appendRow(_item(entry))
            self.curve_box.setCurrentIndex(self.curve_box.findData(wanted))
        self._tell_remove()

    @property
    def curve(self) -> str:
        """Name of the chosen curve; empty for none."""
        return str(self.curve_box.currentData() or "")

    @property
    def entry(self) -> Entry | None:
        """The chosen curve."""
        name = self.curve
        return next((entry for entry in self._entries if entry.name == name), None)

    @property
    def entries(self) -> Sequence[Entry]:
        """All curves."""
        return self._entries

    def choose_curve(self, name: str) -> None:
        """Choose a curve. Says nothing."""
        with QSignalBlocker(self.curve_box):
            self.curve_box.setCurrentIndex(self.curve_box.findData(name))
        self._tell_remove()

    def _tell_remove(self) -> None:
        entry = self.entry
        self._remove.setEnabled(entry is not None and entry.section == "generated")

    # ---- axis and options --------------------------------------------------------------------------------------------

    @property
    def mode(self) -> Mode:
        """The chosen axis of x."""
        return cast(Mode, self.mode_box.currentData())

    def set_mode(self, mode: str, possible: Sequence[str], why: str = "") -> None:
        """Show the axis in use; others than the possible ones cannot be chosen. Says nothing."""
        model = cast(QStandardItemModel, self.mode_box.model())
        with QSignalBlocker(self.mode_box):
            self.mode_box.setCurrentIndex(max(0, self.mode_box.findData(mode)))
            for i, (key, _) in enumerate(MODES):
                item = model.item(i)
                item.setEnabled(key in possible)
                item.setToolTip("" if key in possible else why)

    def is_on(self, option: str) -> bool:
        """Whether an option is on."""
        return self.options[option].isChecked()

    def set_options(self, on: Sequence[Any]) -> None:
        """Switch exactly these options on. Says nothing."""
        for key, action in self.options.items():
            with QSignalBlocker(action):
                action.setChecked(key in on)


def _item(entry: Entry) -> QStandardItem:
    item = QStandardItem(entry.text)
    item.setData(entry.name, Qt.ItemDataRole.UserRole)
    if entry.error:
        item.setIcon(icons.icon("warning", "warn"))
        item.setToolTip(tr("Cannot be read: {0}").format(entry.error))
    elif not entry.rows:
        item.setText(f"{entry.text} ({tr('no rows')})")
    return item
