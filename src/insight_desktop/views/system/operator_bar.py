"""Controls of the Operator page: card, Group By, Top, comparison and export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QSpinBox, QWidget

from insight_desktop.engine.store import StoreCard
from insight_desktop.engine.system.operator_groups import Group
from insight_desktop.views.common import parts
from insight_desktop.views.common.card_selector import CardSelector
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select

TITLES: dict[Group, str] = {
    "name": QT_TRANSLATE_NOOP("insight", "Computing Operator"),
    "type": QT_TRANSLATE_NOOP("insight", "Computing Operator Type"),
    "name_shape": QT_TRANSLATE_NOOP("insight", "Computing Operator Name and Input Shape"),
    "communication": QT_TRANSLATE_NOOP("insight", "Communication Operator"),
    "communication_type": QT_TRANSLATE_NOOP("insight", "Communication Operator Type"),
}
TOP, MOST = 15, 100_000_000
_FIXED, _ALL, _CUSTOM = "15", "all", "custom"


class OperatorBar(QWidget):
    """What the page shows.

    Signals:
        card_changed: name of the card that the user chose.
        changed: group, top or baseline are others.
        export_wanted: True for all rows, False for those that pass the filters.
    """

    card_changed = Signal(str)
    changed = Signal()
    export_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        parts.keep_height(self, 38)
        self.cards = CardSelector()
        self.group_box, self.top_box, self.base_box = Select(), Select(), Select()
        self.top_spin = QSpinBox()
        parts.pad(self.top_spin)
        self.top_spin.setRange(0, MOST)
        self.top_spin.setValue(TOP)
        self.top_spin.setKeyboardTracking(False)
        self.top_spin.setMinimumWidth(100)
        self.group_label, self.top_label, self.base_label = QLabel(), QLabel(), QLabel()
        self.export_button = parts.button("", "download-simple")
        self.export_menu = QMenu(self)
        self.shown_action = self.export_menu.addAction("")
        self.all_action = self.export_menu.addAction("")
        self.export_button.setMenu(self.export_menu)
        self._bases: list[tuple[str, str]] = []
        self._has_rows = True
        self._build()
        self.retranslate()
        self._connect()

    def _build(self) -> None:
        for box in (self.group_box, self.top_box, self.base_box):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(84)
        self.group_box.setMaximumWidth(290)
        row = parts.columns(self, margins=(12, 0, 12, 1), gap=6)
        row.addWidget(self.cards)
        for text, box in (
            (self.group_label, self.group_box),
            (self.top_label, self.top_box),
            (self.base_label, self.base_box),
        ):
            row.addSpacing(6)
            row.addWidget(text)
            row.addWidget(box)
            text.setBuddy(box)
            if box is self.top_box:
                row.addWidget(self.top_spin)
        row.addStretch(1)
        row.addWidget(self.export_button)

    def _connect(self) -> None:
        self.cards.card_changed.connect(self.card_changed)
        self.group_box.activated.connect(lambda _at: self.changed.emit())
        self.top_box.activated.connect(lambda _at: self._top_chosen())
        self.top_spin.valueChanged.connect(lambda _value: self.changed.emit())
        self.base_box.activated.connect(lambda _at: self._base_chosen())
        self.shown_action.triggered.connect(lambda _checked=False: self.export_wanted.emit(False))
        self.all_action.triggered.connect(lambda _checked=False: self.export_wanted.emit(True))

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.group_label.setText(tr("Group By"))
        self.top_label.setText(tr("Top"))
        self.base_label.setText(tr("Compare with"))
        self.export_button.setText(tr("Export"))
        self.shown_action.setText(tr("Export rows as shown…"))
        self.all_action.setText(tr("Export all rows…"))
        for box, name in (
            (self.group_box, tr("Group By")),
            (self.top_box, tr("Top")),
            (self.top_spin, tr("Number of rows")),
            (self.base_box, tr("Compare with")),
        ):
            box.setAccessibleName(name)
        self._fill_groups(self.group)
        self._fill_tops(self._top_mode)
        self._fill_bases(self.base)

    # ---- cards -------------------------------------------------------------------------------------------------------

    def set_cards(self, cards: Sequence[StoreCard], current: str | None) -> None:
        """The cards there are; card and baseline stay when they still are."""
        self.cards.set_cards(cards, current)
        self._bases = [(self.cards.label_of(c.name), c.name) for c in cards]
        self._fill_bases(self.base)

    def choose_card(self, name: str) -> bool:
        """Another card, e.g. by a click in the tree; a card is never compared with itself."""
        if not self.cards.choose(name):
            return False
        self._fill_bases(self.base)
        return True

    @property
    def card(self) -> str | None:
        """Name of the card."""
        return self.cards.card

    @property
    def base(self) -> str | None:
        """Name of the baseline card, None without comparison."""
        found = self.base_box.currentData()
        return str(found) if found else None

    def _fill_bases(self, current: str | None) -> None:
        with QSignalBlocker(self.base_box):
            self.base_box.clear()
            self.base_box.addItem(tr("No comparison"), "")
            for text, name in self._bases:
                if name != self.card:
                    shown = tr("Card {0}").format(text) if text.isdigit() else text
                    self.base_box.addItem(shown, name)
            self.base_box.setCurrentIndex(max(0, self.base_box.findData(current or "")))
        for widget in (self.base_label, self.base_box):
            widget.setVisible(len(self._bases) > 1)
        self._fill_groups(self.group)

    def set_base(self, name: str | None) -> None:
        """Compare with this card, or with none; says nothing."""
        self._fill_bases(name)

    def _base_chosen(self) -> None:
        self._fill_groups(self.group)
        self.changed.emit()

    # ---- group and top -----------------------------------------------------------------------------------------------

    @property
    def group(self) -> Group:
        """What the kernels are grouped by."""
        found: Group = self.group_box.currentData() or "type"
        return found

    def set_group(self, group: Group) -> None:
        """Group by this; says nothing."""
        self._fill_groups(group)

    def _fill_groups(self, current: Group) -> None:
        offered = [g for g in TITLES if not (self.base and g == "name")]  # single kernels of two runs have no partners
        if current not in offered:
            current = "type"
        with QSignalBlocker(self.group_box):
            self.group_box.clear()
            for group in offered:
                self.group_box.addItem(tr(TITLES[group]), group)
            self.group_box.setCurrentIndex(offered.index(current))

    @property
    def top(self) -> int:
        """How many rows at most, -1 for all."""
        return {_FIXED: TOP, _ALL: -1}.get(self._top_mode, self.top_spin.value())

    @property
    def _top_mode(self) -> str:
        return str(self.top_box.currentData() or _FIXED)

    def set_top(self, top: int) -> None:
        """That many rows, -1 for all; says nothing."""
        with QSignalBlocker(self.top_spin):
            self.top_spin.setValue(max(0, top) if top not in (-1, TOP) else TOP)
        self._fill_tops(_ALL if top == -1 else _FIXED if top == TOP else _CUSTOM)

    def set_has_rows(self, has_rows: bool) -> None:
        """A number of one's own is offered when there is at least one row."""
        if has_rows != self._has_rows:
            self._has_rows = has_rows
            self._fill_tops(self._top_mode)

    def _fill_tops(self, mode: str) -> None:
        offers = [(str(TOP), _FIXED), (tr("All"), _ALL)]
        if self._has_rows or mode == _CUSTOM:
            offers.append((tr("Custom"), _CUSTOM))
        with QSignalBlocker(self.top_box):
            self.top_box.clear()
            for text, key in offers:
                self.top_box.addItem(text, key)
            self.top_box.setCurrentIndex(max(0, self.top_box.findData(mode)))
        self.top_spin.setVisible(mode == _CUSTOM)

    def _top_chosen(self) -> None:
        self.top_spin.setVisible(self._top_mode == _CUSTOM)
        self.changed.emit()

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Card, group, top and baseline."""
        return {"card": self.card, "group": self.group, "top": self.top, "base": self.base}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; what is gone is left out. Says nothing."""
        if state.get("card"):
            self.choose_card(str(state["card"]))
        self.set_base(str(state["base"]) if state.get("base") else None)
        if state.get("group") in get_args(Group):
            self.set_group(state["group"])
        top = state.get("top")
        if isinstance(top, int) and -1 <= top <= MOST:
            self.set_top(top)
