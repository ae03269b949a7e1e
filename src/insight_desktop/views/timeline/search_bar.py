"""The search of the timeline: card, match mode, text, place among the hits, previous and next."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, icons, number_text
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.timeline.find_panel import jump_to
from insight_desktop.views.timeline.search_results import MATCHES, MAX_LENGTH, Answer, Match, Question, Within, answer
from insight_desktop.views.timeline.state import card_text

TYPING_MS = 250


class SearchBar(QWidget):
    """Type to dim what does not match, Enter to go to the first hit and on, Shift+Enter to go back.

    Signals:
        matches_changed: `{card: {string ids}}` of the matching names, None without a search; dims the rest.
        answer_changed: the Answer, or None.
        hit_selected: a Jump to the hit that became current.
        cleared: there is no search any more.
        find_wanted: the Answer is to be shown as a table ("Open in Find").
        left: Escape in an empty field; the focus belongs to the timeline.
    """

    matches_changed = Signal(object)
    answer_changed = Signal(object)
    hit_selected = Signal(object)
    cleared = Signal()
    find_wanted = Signal(object)
    left = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.answer: Answer | None = None
        self._within: Within | None = None
        self.at = -1  # current hit, -1 before the first
        self._go_first = False
        self._by_hand = False  # a card was chosen here; until then the current one is searched
        self._asked: Question | None = None
        self._error: InsightError | None = None
        self._asker = Asker(context, self)
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(lambda: self._ask(go=False))
        self._build()
        context.store_changed.connect(self._store_changed)
        context.card_selected.connect(self._fill_cards)
        self._fill_cards()
        self._translate()
        self._show_place()

    def _build(self) -> None:
        self.cards, self.modes, self.field = Select(), Select(), _Field()
        self.field.setMaxLength(MAX_LENGTH)
        self.field.setClearButtonEnabled(True)
        self.setFocusProxy(self.field)
        self.field.setMinimumWidth(96)
        self.field.setMaximumWidth(420)
        self.field.textEdited.connect(self._edited)
        self.field.textChanged.connect(lambda text: None if text else self.clear())
        self.case = _tool("text-aa", checkable=True)
        self.place, self.total, self.note = QLineEdit(), QLabel(), QLabel()
        self.place.setProperty("inplace", True)
        self.place.setFixedWidth(fonts.scaled(64))
        self.place.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.place.setValidator(QIntValidator(1, 2_147_483_647, self.place))
        self.place.returnPressed.connect(lambda: self.go_to(int(self.place.text() or "1") - 1))
        self.total.setProperty("level", "2")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.previous, self.next = _tool("caret-up"), _tool("caret-down")
        self.open_in_find = _tool("list-dashes")
        self.previous.clicked.connect(lambda: self.go_to(self.at - 1))
        self.next.clicked.connect(lambda: self.go_to(self.at + 1))
        self.open_in_find.clicked.connect(self._open_in_find)
        self.case.toggled.connect(lambda _on: self._ask(go=False))
        self.modes.activated.connect(lambda _i: self._ask(go=False))
        self.cards.activated.connect(self._card_chosen)
        self.cards.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 5, 10, 5)
        layout.setSpacing(6)
        parts = (self.cards, self.modes, self.field, self.case, self.place, self.total, self.previous, self.next)
        before: QWidget | None = None
        for widget in (*parts, self.open_in_find, self.note):
            layout.addWidget(widget, 3 if widget is self.field else 2 if widget is self.note else 0)
            if before is not None and widget is not self.note:
                self.setTabOrder(before, widget)
            before = widget
        for watched in (self.field, self.place):
            watched.installEventFilter(self)

    # ---- verbs -------------------------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Put the cursor into the field, its text selected."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def question(self) -> Question | None:
        """What is asked for now; None without a text."""
        text = self.field.text().strip()
        mode: Match = MATCHES[max(self.modes.currentIndex(), 0)]
        return Question(text, self.cards.currentData(), mode, self.case.isChecked(), self._within) if text else None

    def set_within(self, within: Within | None) -> None:
        """Find only what lies inside a locked selection; a running search is asked again."""
        if within != self._within:
            self._within = within
            if self.answer is not None:
                self._ask(go=False)

    def search(self, text: str, *, match: Match = "contains", case: bool = False, card: str | None = None) -> None:
        """Search for a text as if it were typed and entered; card None searches all."""
        self.field.setText(text[:MAX_LENGTH])
        self.modes.setCurrentIndex(MATCHES.index(match))
        self.case.blockSignals(True)
        self.case.setChecked(case)
        self.case.blockSignals(False)
        self.cards.setCurrentIndex(max(self.cards.findData(card), 0) if card else self.cards.count() - 1)
        self._by_hand = True
        self._ask(go=True)

    def clear(self) -> None:
        """No search: nothing is dimmed."""
        self._typing.stop()
        self._asker.forget(answer)
        had, self._asked, self._error, self.answer, self.at = self.answer, None, None, None, -1
        if self.field.text():
            self.field.clear()
        self._show_place()
        if had is not None:
            self.matches_changed.emit(None)
            self.answer_changed.emit(None)
            self.cleared.emit()

    def enter(self) -> None:
        """Start the search, or go on to the next hit of the one that is shown."""
        if self.answer is not None and self.answer.question == self.question():
            self.go_to(self.at + 1)
        else:
            self._ask(go=True)

    def go_to(self, hit: int) -> None:
        """Jump to a hit, counted from 0; beyond the ends nothing happens."""
        if self.answer is None or not 0 <= hit < self.answer.table.num_rows:
            self._show_place()
            return
        self.at = hit
        self._show_place()
        self.hit_selected.emit(jump_to(self.answer, hit))

    def set_place(self, hit: int) -> None:
        """A hit was reached by other means; only the number changes."""
        self.at = hit
        self._show_place()

    def view_state(self) -> dict[str, Any]:
        """Text, mode and case for the session file."""
        return {"text": self.field.text(), "match": MATCHES[self.modes.currentIndex()], "case": self.case.isChecked()}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave and dim at once, without a jump; unknown values are ignored."""
        if state.get("match") in MATCHES:
            self.modes.setCurrentIndex(MATCHES.index(state["match"]))
        self.case.setChecked(bool(state.get("case", False)))
        self.field.setText(str(state.get("text", ""))[:MAX_LENGTH])
        self._ask(go=False)

    # ---- events ------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and watched is self.field:
                if back:
                    self.go_to(self.at - 1)
                else:
                    self.enter()
                return True
            if event.key() == Qt.Key.Key_Escape:
                if self.field.text():
                    self.clear()
                else:
                    self.left.emit()
                return True
        return False

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            self._fill_cards()
            self._show_place()
        super().changeEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), fonts.scaled(38))

    def _edited(self, text: str) -> None:
        if text.strip():
            self._typing.start()

    def _ask(self, *, go: bool) -> None:
        self._typing.stop()
        question = self.question()
        if question is None:
            return
        self._asked, self._go_first = question, go
        self._asker.ask(answer, question=question, then=self._show_answer, failed=self._show_error)

    def _show_answer(self, found: Answer) -> None:
        self.answer, self._error, self.at = found, None, -1
        self._show_place()
        self.matches_changed.emit(found.matches)
        self.answer_changed.emit(found)
        if self._go_first:
            self.go_to(0)

    def _show_error(self, error: InsightError) -> None:
        self.answer, self._error, self.at = None, error, -1
        self._show_place()
        self.matches_changed.emit(None)
        self.answer_changed.emit(None)

    def _show_place(self) -> None:
        hits = self.answer.table.num_rows if self.answer is not None else 0
        self.place.setText(str(self.at + 1) if self.at >= 0 else "")
        self.place.setEnabled(hits > 0)
        self.total.setText(f"/ {number_text.count(hits)}" if self.answer is not None else "")
        for widget in (self.place, self.total, self.previous, self.next, self.open_in_find):
            widget.setVisible(hits > 0)  # without hits there is nothing to go through
        self.previous.setEnabled(self.at > 0)
        self.next.setEnabled(self.at + 1 < hits)
        self.open_in_find.setEnabled(self.answer is not None)
        nothing = self.answer is not None and not hits
        self.note.setText(self._error.message if self._error else tr("Nothing found") if nothing else "")
        self.note.setToolTip(str(self._error) if self._error else "")
        _state(self.note, "error" if self._error else "warning" if nothing else "")
        _state(self.field, "error" if self._error else "")

    def _card_chosen(self, _index: int) -> None:
        self._by_hand = True
        self._ask(go=False)

    def _open_in_find(self) -> None:
        if self.answer is not None:
            self.find_wanted.emit(self.answer)

    def _store_changed(self) -> None:
        self._fill_cards()
        if self._asked is not None and self.question() is not None:
            self._ask(go=False)

    def _fill_cards(self) -> None:
        """The current card first, the others in their order, ALL last; what was chosen by hand stays where it can."""
        had_cards = self.cards.count() > 1
        by_hand = self._by_hand and had_cards
        kept = self.cards.currentData() if by_hand else self.context.card
        had_all = by_hand and kept is None
        cards = sorted(self.context.store.cards, key=lambda c: c.name != self.context.card)
        self.cards.clear()
        for card in cards:
            self.cards.addItem(card_text(card.name, card.alias), card.name)
        self.cards.addItem(tr("ALL"), None)
        at = self.cards.findData(kept) if kept is not None else -1
        self.cards.setCurrentIndex(self.cards.count() - 1 if had_all and cards else max(at, 0))

    def _translate(self) -> None:
        self.setAccessibleName(tr("Search"))
        mode = max(self.modes.currentIndex(), 0)
        self.modes.clear()
        self.modes.addItems([tr("contains"), tr("whole name"), tr("word"), tr("regex")])
        self.modes.setCurrentIndex(mode)
        self.field.setPlaceholderText(tr("Search names"))
        for widget, text, key in (
            (self.cards, tr("Card to search"), ""),
            (self.modes, tr("How names match"), ""),
            (self.field, tr("Search text"), "Enter"),
            (self.case, tr("Match case"), ""),
            (self.place, tr("Number of the hit"), "Enter"),
            (self.previous, tr("Previous hit"), "Shift+Enter"),
            (self.next, tr("Next hit"), "Enter"),
            (self.open_in_find, tr("Open in Find"), ""),
        ):
            widget.setAccessibleName(text)
            widget.setToolTip(f"{text} ({key})" if key else text)


class _Field(QLineEdit):
    """The text that is searched for; while it is empty a chip names the key that leads here."""

    def __init__(self) -> None:
        super().__init__()
        glass = self.addAction(icons.icon("magnifying-glass"), QLineEdit.ActionPosition.LeadingPosition)
        icons.put(glass, "magnifying-glass")
        self._chip = QLabel("Ctrl F", self)
        self._chip.setProperty("key", "true")
        self._chip.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textChanged.connect(lambda _text: self._show_chip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._chip.setFont(fonts.ui(fonts.SMALL))
        self._chip.adjustSize()
        size = self._chip.size()
        self._chip.move(self.width() - size.width() - 5, (self.height() - size.height()) // 2)
        self._show_chip()

    def _show_chip(self) -> None:
        """The chip is there while the field is empty and has room for it beside the words."""
        words = self.fontMetrics().horizontalAdvance(self.placeholderText())
        room = self.width() - self._chip.width() - words - fonts.scaled(44)
        self._chip.setVisible(not self.text() and room >= 0)


def _tool(icon: str, *, checkable: bool = False) -> QToolButton:
    button = QToolButton()
    icons.put(button, icon)
    icons.fit(button, icons.BUTTON, 26)
    button.setCheckable(checkable)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _state(widget: QWidget, state: str) -> None:
    if widget.property("state") != state:
        widget.setProperty("state", state)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
