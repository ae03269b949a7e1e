"""Which cards and lanes are shown at all: chosen by name in a popover, everything else is left out without a trace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QWidget

from insight_desktop.views.common import parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.timeline.layout import Unit

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import TimelineState

_MOST_TEXT = 200
_NUMBER = re.compile(r"\s*\(\d+\)$")


def plain_name(unit: Unit) -> str:
    """Title of a lane without the number of its process or thread behind it."""
    return _NUMBER.sub("", unit.title)


def lane_names(state: TimelineState) -> list[str]:
    """Names of the processes and threads of all cards."""
    units = (unit for opened in state.cards.values() for unit in opened.units.values())
    return sorted({plain_name(u) for u in units if u.node is not None and u.node.kind in ("process", "thread")})


def kept_keys(state: TimelineState, cards: set[str], names: set[str]) -> set[str] | None:
    """Keys of the units that are shown for chosen cards and names; None when nothing is chosen."""
    if not cards and not names:
        return None
    kept: set[str] = set()
    for opened in state.cards.values():
        if cards and opened.name not in cards:
            continue
        for unit in opened.units.values():
            if not names or plain_name(unit) in names:
                kept.update(u.key for u in unit.walk())
                kept.update(u.key for u in unit.ancestors())
    return kept


class LaneFilterMenu(QFrame):
    """Mode (cards or lanes), search box, check boxes, Clear. Both choices hold together."""

    def __init__(self, state: TimelineState, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.state = state
        self.mode = Select()
        self.mode.setAccessibleName(tr("What is filtered"))
        self.mode.addItems([tr("Card filter"), tr("Lane filter")])
        self.mode.currentIndexChanged.connect(lambda _at: self._fill())
        self.field = QLineEdit()
        self.field.setMaxLength(_MOST_TEXT)
        self.field.setPlaceholderText(tr("Search"))
        self.field.setAccessibleName(tr("Search"))
        self.field.textChanged.connect(self._keep)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Cards and lanes to show"))
        self.list.itemChanged.connect(lambda _item: self._apply())
        row = parts.columns()
        row.addWidget(self.mode, 1)
        row.addWidget(parts.button(tr("Clear"), click=self.clear))
        box = parts.rows(self, margins=(8, 8, 8, 8), gap=6)
        box.addLayout(row)
        box.addWidget(self.field)
        box.addWidget(self.list, 1)
        self.resize(300, 300)
        self._fill()

    def clear(self) -> None:
        """Show everything again."""
        self.state.filter_lanes(set(), set())
        self._fill()

    def _fill(self) -> None:
        by_card = self.mode.currentIndex() == 0
        chosen = self.state.shown_cards if by_card else self.state.shown_names
        entries = [(name, self.state.card_title(name)) for name in self.state.cards]
        if not by_card:
            entries = [(name, name) for name in lane_names(self.state)]
        self.list.blockSignals(True)
        self.list.clear()
        for key, text in entries:
            item = QListWidgetItem(text, self.list)
            item.setData(Qt.ItemDataRole.UserRole, key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if key in chosen else Qt.CheckState.Unchecked)
        self.list.blockSignals(False)
        self._keep(self.field.text())

    def _keep(self, text: str) -> None:
        for i in range(self.list.count()):
            item = self.list.item(i)
            item.setHidden(text.strip().lower() not in item.text().lower())

    def _apply(self) -> None:
        items = [self.list.item(i) for i in range(self.list.count())]
        chosen = {str(i.data(Qt.ItemDataRole.UserRole)) for i in items if i.checkState() == Qt.CheckState.Checked}
        if self.mode.currentIndex() == 0:
            self.state.filter_lanes(chosen, self.state.shown_names)
        else:
            self.state.filter_lanes(self.state.shown_cards, chosen)
