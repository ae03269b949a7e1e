"""Host Name and Rank ID: which card a page shows. Shared by the pages that show one card at a time."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QStyle, QStyleOptionFrame, QWidget

from insight_desktop.engine.store import StoreCard
from insight_desktop.views.common import parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select

_LEAST_WIDTH = 64
_CARET = 2  # pixels that Qt keeps free beside the text of a field


def label_of(card: StoreCard) -> str:
    """What a card is called in the select: the user's name, else its rank, else its device, else its name."""
    if card.alias:
        return card.alias
    if card.guest:  # its number would read as one of this project
        return card.name
    if card.rank:
        return card.rank
    return str(card.device) if card.device is not None else card.name


def fill_cards(box: QComboBox, cards: Sequence[StoreCard], wanted: str | None) -> None:
    """Offer cards in a plain select without a signal: `wanted` is chosen, else the first; one card alone needs no select."""
    with QSignalBlocker(box):
        box.clear()
        for card in cards:
            box.addItem(card.alias or card.name, card.name)
        box.setCurrentIndex(max(0, box.findData(wanted)))
    box.setVisible(len(cards) > 1)


class CutLine(QLineEdit):
    """A field whose long text ends in dots, not in half a letter, while nobody types in it."""

    def shown_text(self) -> str:
        """What is painted."""
        if self.hasFocus():
            return self.text()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self._room().width())

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return inside.adjusted(_CARET, 0, -_CARET, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown_text()
        if shown == self.text():
            super().paintEvent(event)
            return
        with QPainter(self) as painter:
            painter.setPen(self.palette().text().color())
            painter.drawText(self._room(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


class SearchBox(QComboBox):
    """A select in which one can type part of an entry."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        line = CutLine()
        line.setFrame(False)
        self.setLineEdit(line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumWidth(_LEAST_WIDTH)
        self.setMaximumWidth(280)
        completer = self.completer()
        if completer is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        line.editingFinished.connect(self._put_back)
        self.currentIndexChanged.connect(lambda _at: line.setCursorPosition(0))  # the beginning says more
        self.model().dataChanged.connect(lambda *_: line.setCursorPosition(0))  # an entry got another text

    def _put_back(self) -> None:
        """Half a name chooses nothing: the entry in force is written again."""
        if self.findText(self.currentText()) < 0:
            self.setEditText(self.itemText(self.currentIndex()))

    def fill(self, entries: Sequence[tuple[str, str]], current: str | None) -> None:
        """Entries as (text, key); the current one is chosen without a signal."""
        with QSignalBlocker(self):
            self.clear()
            for text, key in entries:
                self.addItem(text, key)
            keys = [key for _, key in entries]
            self.setCurrentIndex(keys.index(current) if current in keys else (0 if keys else -1))
        line = self.lineEdit()
        if line is not None:
            line.setCursorPosition(0)


class CardSelector(QWidget):
    """Selects of host and card.

    Signals:
        card_changed: name of the card that the user chose.
    """

    card_changed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: list[StoreCard] = []
        self.host_label, self.rank_label = parts.label(), parts.label()
        self.host_box, self.rank_box = Select(), SearchBox()
        self.host_box.setMinimumWidth(_LEAST_WIDTH)
        self.host_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        row = parts.columns(self, gap=6)
        for label, box in ((self.host_label, self.host_box), (self.rank_label, self.rank_box)):
            row.addWidget(label)
            row.addWidget(box)
            label.setBuddy(box)
        self.host_box.currentIndexChanged.connect(self._host_chosen)
        self.rank_box.currentIndexChanged.connect(self._rank_chosen)
        self.retranslate()
        self._show_host()

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.host_label.setText(tr("Host Name"))
        self.rank_label.setText(tr("Rank ID"))
        self.host_box.setAccessibleName(tr("Host Name"))
        self.rank_box.setAccessibleName(tr("Rank ID"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    def set_cards(self, cards: Sequence[StoreCard], current: str | None = None) -> None:
        """The cards there are, in their order; the chosen one stays when it is still there, else `current`, else the first."""
        names = [c.name for c in cards]
        wanted = next((n for n in (self.card, current) if n in names), names[0] if names else None)
        self._cards = list(cards)
        self._fill(wanted)

    @property
    def card(self) -> str | None:
        """Name of the chosen card, None without cards."""
        found = self.rank_box.currentData()
        return str(found) if found is not None else None

    def choose(self, name: str) -> bool:
        """Choose a card (a click in the tree); True when it is another one. Says nothing."""
        if name == self.card or all(c.name != name for c in self._cards):
            return False
        self._fill(name)
        return True

    def lock(self, locked: bool, why: str = "") -> None:
        """While two cards are compared the selects show the comparison and cannot be changed."""
        for box in (self.host_box, self.rank_box):
            box.setEnabled(not locked)
            box.setToolTip(why if locked else "")

    def label_of(self, name: str) -> str:
        """The text of a card in the select, with the host where that is not clear."""
        card = next((c for c in self._cards if c.name == name), None)
        if card is None:
            return name
        text = label_of(card)
        same = [c for c in self._cards if label_of(c) == text]
        return text if len(same) == 1 else f"{text} · {card.host or card.name}"

    def _fill(self, name: str | None) -> None:
        card = next((c for c in self._cards if c.name == name), None)
        hosts = list(dict.fromkeys(c.host for c in self._cards))
        with QSignalBlocker(self.host_box):
            self.host_box.clear()
            for host in hosts:
                self.host_box.addItem(host or tr("No host"), host)
            if card is not None:
                self.host_box.setCurrentIndex(hosts.index(card.host))
        self._show_host()
        shown = [c for c in self._cards if card is None or not self._has_hosts or c.host == card.host]
        texts = [label_of(c) for c in shown]
        entries = [(t if texts.count(t) == 1 else c.name, c.name) for t, c in zip(texts, shown, strict=True)]
        self.rank_box.fill(entries, name)

    @property
    def _has_hosts(self) -> bool:
        return any(c.host for c in self._cards)

    def _show_host(self) -> None:
        for widget in (self.host_label, self.host_box):
            widget.setVisible(self._has_hosts)

    def _host_chosen(self, _index: int) -> None:
        host = self.host_box.currentData()
        first = next((c.name for c in self._cards if c.host == host), None)
        if first is not None:
            self._fill(first)
            self.card_changed.emit(first)

    def _rank_chosen(self, _index: int) -> None:
        if self.card is not None:
            self.card_changed.emit(self.card)
