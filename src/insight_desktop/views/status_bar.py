"""The status bar: what is selected and how much it is; at the right the cursor, notes, cache and language."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QStatusBar, QToolButton, QWidget

from insight_desktop.views.cards import FAILED
from insight_desktop.views.common import icons, language, number_text, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.data_facts import bytes_of, left_text
from insight_desktop.views.workspace import Workspace


class StatusBar(QStatusBar):
    """Signals: notes_wanted when the notes are clicked; language_wanted when the language is."""

    notes_wanted = Signal()
    language_wanted = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self._selection: list[str] = []
        self._cache_bytes: tuple[int, int] | None = None
        self.setSizeGripEnabled(False)
        parts.keep_height(self, 26)
        self.setContentsMargins(8, 0, 6, 0)
        self._facts = parts.ElidedLabel()
        inside = QWidget()
        row = parts.columns(inside, gap=14)
        self._lead = parts.YieldingLabel()
        self._lead.setProperty("level", "1")
        row.addWidget(self._lead)
        row.addWidget(self._facts, 1)
        self.addWidget(inside, 1)
        self._cursor = QLabel()
        self._errors = self._button("x-circle", "error")
        self._notes = self._button("warning", "warn")
        self._cache = QLabel()
        self._language = QToolButton()
        self._language.clicked.connect(self.language_wanted.emit)
        for widget in (self._cursor, self._errors, self._notes, self._cache, self._language):
            self.addPermanentWidget(widget)
        for empty in (self._cursor, self._cache):
            empty.hide()
        workspace.projects_changed.connect(self.refresh)
        workspace.card_changed.connect(self.refresh)
        workspace.import_ended.connect(self.refresh)
        workspace.context.status.connect(self.show_selection)
        workspace.context.cursor.connect(self._show_cursor)
        self.retranslate()

    def _button(self, icon: str, colour: str) -> QToolButton:
        button = QToolButton()
        icons.put(button, icon, colour)
        icons.fit(button, icons.ROW)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.clicked.connect(self.notes_wanted.emit)
        return button

    def retranslate(self) -> None:
        self._language.setText("中" if language.current() == "zh" else "EN")
        parts.set_tip(self._language, tr("Language"))
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def show_selection(self, texts: list[str]) -> None:
        """The first text bold, then its facts; an empty list goes back to what the window has to say."""
        self._selection = texts
        self.refresh()

    def set_cache(self, used_bytes: int, limit_bytes: int) -> None:
        self._cache_bytes = (used_bytes, limit_bytes)
        self.refresh()

    def texts(self) -> list[str]:
        """What is shown from left to right."""
        left = [self._lead.full_text(), self._facts.full_text(), self._cursor.text()]
        shown = [b.text() for b in (self._errors, self._notes) if not b.isHidden()]
        return [t for t in (*left, *shown, self._cache.text(), self._language.text()) if t]

    def _show_cursor(self, text: str) -> None:
        self._show(self._cursor, tr("Cursor {time}").format(time=text) if text else "")

    def _show(self, label: QLabel, text: str) -> None:
        """Set a text at the right; the bar makes room at once, else a cut letter stands there for a while."""
        wider = label.fontMetrics().horizontalAdvance(text) > label.width() or not label.isVisibleTo(self)
        label.setText(text)
        label.setVisible(bool(text))
        layout = self.layout()
        if wider and layout is not None:
            layout.activate()

    def refresh(self) -> None:
        project = self.workspace.current
        texts = self._selection
        if project is not None and project.busy:
            pace = self.workspace.pace()
            cards = tr("{done} of {total} cards").format(done=pace.cards_done, total=pace.cards)
            rate = f"{number_text.bytes_text(pace.bytes_per_second, decimals=0)}/s"
            texts = [t for t in (tr("Importing"), cards, bytes_of(pace), rate, left_text(pace)) if t]
        elif not texts and project is not None and project.cards is not None:
            size = sum(c.source.source(c.kind).size_bytes for c in project.cards)
            count = len(project.cards)
            cards = tr("1 card") if count == 1 else tr("{count} cards").format(count=number_text.count(count))
            texts = [project.name, cards, number_text.bytes_text(size)]
        elif not texts:
            texts = [tr("Ready")]
        self._lead.set_text(texts[0])
        self._facts.set_text("    ".join(texts[1:]))
        failed = sum(c.status == FAILED for c in (project.cards or [])) if project else 0
        notes = sum(len(c.notes) for c in (project.cards or []) if c.status != FAILED) if project else 0
        self._errors.setVisible(bool(failed))
        self._errors.setText(tr("{count} failed").format(count=failed))
        self._notes.setVisible(bool(notes))
        self._notes.setText(tr("1 note") if notes == 1 else tr("{count} notes").format(count=number_text.count(notes)))
        for button in (self._errors, self._notes):
            parts.set_tip(button, tr("Show the import report"))
        if self._cache_bytes is not None:
            used, limit = (decimal_bytes(v) for v in self._cache_bytes)
            self._show(self._cache, tr("Cache {used} of {limit}").format(used=used, limit=limit))


def decimal_bytes(value: int) -> str:
    """Sizes of the cache, in the units of its limit (1 GB = 10⁹ bytes): `0 B`, `256 KB`, `1.4 GB`, `50 GB`.

    >>> decimal_bytes(50_000_000_000)
    '50 GB'
    """
    size, at, units = float(value), 0, ("B", "KB", "MB", "GB", "TB")
    while size >= 1000 and at + 1 < len(units):
        size, at = size / 1000, at + 1
    decimals = 1 if at >= 3 and size != round(size) and size < 100 else 0
    return f"{number_text.number(size, decimals)} {units[at]}"
