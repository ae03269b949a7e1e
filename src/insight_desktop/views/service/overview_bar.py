"""Controls of the Service Overview: run, limits, window, comparison, export."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLabel, QMenu, QSizePolicy, QWidget

from insight_desktop.engine.store import StoreCard
from insight_desktop.views.common import fonts, parts
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select

ALL = "*"
_WIDE, _RARE = 1420, ("e2e", "itl")
LIMITS = ("ttft", "tpot", "e2e", "itl", "queue")
_TITLES = {"ttft": "TTFT", "tpot": "TPOT", "e2e": "E2E", "itl": "ITL", "queue": QT_TRANSLATE_NOOP("insight", "Queue")}
DEFAULTS = {"ttft": 500.0, "tpot": 50.0}
PRESETS: tuple[tuple[str, dict[str, float]], ...] = (
    (QT_TRANSLATE_NOOP("insight", "Chat: TTFT 500 ms, TPOT 50 ms"), {"ttft": 500.0, "tpot": 50.0}),
    (QT_TRANSLATE_NOOP("insight", "Code completion: TTFT 200 ms, TPOT 30 ms"), {"ttft": 200.0, "tpot": 30.0}),
    (QT_TRANSLATE_NOOP("insight", "Summaries: TTFT 2,000 ms, TPOT 100 ms"), {"ttft": 2000.0, "tpot": 100.0}),
    (QT_TRANSLATE_NOOP("insight", "Agents: TTFT 1,000 ms, E2E 10,000 ms"), {"ttft": 1000.0, "e2e": 10000.0}),
    (QT_TRANSLATE_NOOP("insight", "No limits"), {}),
)


class ClickChip(QLabel):
    """A coloured label that can be clicked.

    Signals:
        clicked: with the mouse, Enter or Space.
    """

    clicked = Signal()

    def __init__(self, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("chip", kind)
        self._active = True
        self.set_active(True)

    def set_active(self, active: bool) -> None:
        """Whether a click does something."""
        self._active = active
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if active else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if active else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._active and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._active and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class OverviewBar(QWidget):
    """What the page shows.

    Signals:
        card_changed: name of the run, `*` for all.
        limits_changed: limits in ms by metric.
        base_changed: the run to compare with, empty for none.
        window_dropped: statistics are of the whole run again.
        differences_wanted: recorded values that differ.
        own_limits_wanted: limits from the P90 of this run.
        export_wanted: True for all rows.
    """

    card_changed = Signal(str)
    limits_changed = Signal(object)
    base_changed = Signal(str)
    window_dropped = Signal()
    differences_wanted = Signal()
    own_limits_wanted = Signal()
    export_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        parts.keep_height(self, 38)
        self.card_box, self.base_box = Select(), Select()
        self.card_label, self.base_label, self.limit_label = QLabel(), QLabel(), parts.label(level=2)
        self.fields: dict[str, QDoubleSpinBox] = {}
        self.field_labels: dict[str, QLabel] = {}
        self.presets_button = parts.button("", "sliders-horizontal", flat=True)
        self.presets_menu = QMenu(self)
        self.presets_button.setMenu(self.presets_menu)
        self.window_chip, self.differ_chip = ClickChip("info"), ClickChip("warn")
        self.export_button = parts.button("", "download-simple")
        self.export_menu = QMenu(self)
        self.export_button.setMenu(self.export_menu)
        self._cards: list[tuple[str, str]] = []
        self._base: str | None = None
        self._build()
        self.retranslate()
        self._connect()
        self.show_window("")
        self.show_differences(0)

    def _build(self) -> None:
        for box in (self.card_box, self.base_box):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(110)
            box.setMaximumWidth(220)
        row = parts.columns(self, margins=(12, 0, 12, 1), gap=6)
        row.addWidget(self.card_label)
        row.addWidget(self.card_box)
        row.addSpacing(4)
        row.addWidget(parts.line(standing=True))
        row.addSpacing(2)
        row.addWidget(self.limit_label)
        for metric in LIMITS:
            label, field = QLabel(), QDoubleSpinBox()
            field.setRange(0, 10_000_000)
            field.setDecimals(0)
            parts.pad(field, plain=True)
            field.setSuffix(" ms")
            field.setSpecialValueText("–")
            field.setKeyboardTracking(False)
            field.setFixedWidth(72)
            field.setValue(DEFAULTS.get(metric, 0.0))
            label.setBuddy(field)
            self.fields[metric], self.field_labels[metric] = field, label
            row.addWidget(label)
            row.addWidget(field)
        row.addWidget(self.presets_button)
        row.addStretch(1)
        for chip in (self.window_chip, self.differ_chip):
            chip.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            row.addWidget(chip, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.base_label)
        row.addWidget(self.base_box)
        row.addWidget(self.export_button)

    def _connect(self) -> None:
        self.card_box.activated.connect(lambda _at: self.card_changed.emit(self.card or ""))
        self.base_box.activated.connect(lambda _at: self._base_chosen())
        for field in self.fields.values():
            field.valueChanged.connect(lambda _value: self.limits_changed.emit(self.limits()))
        self.window_chip.clicked.connect(self.window_dropped)
        self.differ_chip.clicked.connect(self.differences_wanted)

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.card_label.setText(tr("Instance"))
        self.base_label.setText(tr("Compare with"))
        self.limit_label.setText("SLO")
        for metric, label in self.field_labels.items():
            label.setText(tr(_TITLES[metric]))
            self.fields[metric].setAccessibleName(tr("Limit of {0} in ms").format(tr(_TITLES[metric])))
            parts.set_tip(self.fields[metric], tr("Limit of {0} in ms; 0 for none").format(tr(_TITLES[metric])))
        self.presets_button.setText(tr("Presets"))
        self.export_button.setText(tr("Export"))
        self.card_box.setAccessibleName(tr("Instance"))
        self.base_box.setAccessibleName(tr("Compare with"))
        self._fill_presets()
        self.export_menu.clear()
        for text, every in ((tr("Export requests as shown…"), False), (tr("Export all requests…"), True)):
            action = QAction(text, self.export_menu)
            action.triggered.connect(lambda _checked=False, every=every: self.export_wanted.emit(every))
            self.export_menu.addAction(action)
        self._fill()

    def _fill_presets(self) -> None:
        self.presets_menu.clear()
        for text, limits in PRESETS:
            action = QAction(tr(text), self.presets_menu)
            action.triggered.connect(lambda _checked=False, limits=limits: self.set_limits(limits, say=True))
            self.presets_menu.addAction(action)
        self.presets_menu.addSeparator()
        own = QAction(tr("P90 of this run"), self.presets_menu)
        own.triggered.connect(lambda _checked=False: self.own_limits_wanted.emit())
        self.presets_menu.addAction(own)

    # ---- runs --------------------------------------------------------------------------------------------------------

    def set_cards(self, cards: Sequence[StoreCard], current: str | None) -> None:
        """The runs there are; the chosen one stays when it still is."""
        self._cards = [(c.alias or c.name, c.name) for c in cards]
        names = [name for _, name in self._cards]
        wanted = next((n for n in (self.card, current) if n in (*names, ALL)), names[0] if names else None)
        if self._base not in names:
            self._base = None
        self._fill(wanted)
        for i, card in enumerate(cards):
            self.card_box.setItemData(i, str(card.source_folder or ""), 3)  # tooltip: the directory

    def _fill(self, current: str | None = None) -> None:
        wanted = current or self.card
        with QSignalBlocker(self.card_box), QSignalBlocker(self.base_box):
            self.card_box.clear()
            for text, name in self._cards:
                self.card_box.addItem(text, name)
            if len(self._cards) > 1:
                self.card_box.addItem(tr("All runs together"), ALL)
            self.card_box.setCurrentIndex(max(0, self.card_box.findData(wanted)))
            self.base_box.clear()
            self.base_box.addItem(tr("No comparison"), "")
            for text, name in self._cards:
                if name != self.card:
                    self.base_box.addItem(text, name)
            self.base_box.setCurrentIndex(max(0, self.base_box.findData(self._base or "")))
        for widget in (self.base_label, self.base_box):
            widget.setVisible(len(self._cards) > 1)

    @property
    def card(self) -> str | None:
        """Name of the run, `*` for all, None without runs."""
        found = self.card_box.currentData()
        return str(found) if found is not None else None

    def choose(self, name: str) -> bool:
        """Another run; True when it is another one. Says nothing."""
        if name == self.card or self.card_box.findData(name) < 0:
            return False
        self._fill(name)
        return True

    @property
    def base(self) -> str | None:
        """The run to compare with, None for none."""
        return self._base if self._base != self.card else None

    def set_base(self, name: str | None) -> None:
        """Compare with this run; says nothing."""
        self._base = name
        self._fill()

    def _base_chosen(self) -> None:
        self._base = str(self.base_box.currentData() or "") or None
        self.base_changed.emit(self._base or "")

    # ---- limits and chips --------------------------------------------------------------------------------------------

    def limits(self) -> dict[str, float]:
        """Active limits in ms."""
        return {metric: field.value() for metric, field in self.fields.items() if field.value() > 0}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Limits that are rarely used give way while they are not set and there is little room."""
        is_wide = self.width() >= fonts.scaled(_WIDE)
        for metric in _RARE:
            shown = is_wide or self.fields[metric].value() > 0
            self.fields[metric].setVisible(shown)
            self.field_labels[metric].setVisible(shown)

    def set_limits(self, limits: dict[str, Any], *, say: bool = False) -> None:
        """Set all limits; those that are missing are none."""
        for metric, field in self.fields.items():
            with QSignalBlocker(field):
                field.setValue(float(limits.get(metric, 0.0) or 0.0))
        self._fit()
        if say:
            self.limits_changed.emit(self.limits())

    def show_window(self, text: str, *, limited: bool = False) -> None:
        """Say which stretch of time counts; a click drops it when it is not the whole run."""
        self.window_chip.setVisible(bool(text))
        self.window_chip.setText(f"{text}  ✕" if limited else text)
        self.window_chip.set_active(limited)
        parts.set_tip(self.window_chip, tr("Whole run again") if limited else "", "Esc" if limited else "")

    def show_differences(self, count: int) -> None:
        """Say how many requests have recorded values that differ."""
        self.differ_chip.setVisible(count > 0)
        text = tr("1 recorded value differs") if count == 1 else tr("{0} recorded values differ").format(f"{count:,}")
        self.differ_chip.setText(f"⚠ {text}")
        parts.set_tip(self.differ_chip, tr("Shows these requests, with both values"))


__all__ = ["ALL", "LIMITS", "OverviewBar"]
