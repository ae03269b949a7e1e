"""The head of the Summary page: the job and its baseline, what is known about it, and the step that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.job_selector import JobSelector
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select

_FACTS = {
    "devices": QT_TRANSLATE_NOOP("insight", "Device count"),
    "steps": QT_TRANSLATE_NOOP("insight", "Step count"),
    "duration": QT_TRANSLATE_NOOP("insight", "Profiling session duration"),
    "capture": QT_TRANSLATE_NOOP("insight", "Report capture time"),
    "size": QT_TRANSLATE_NOOP("insight", "Report size(MB)"),
    "folder": QT_TRANSLATE_NOOP("insight", "Report file"),
}
_TIMES = ("duration", "capture")
_SOURCES = {"ranks": QT_TRANSLATE_NOOP("insight", "cluster tables computed here from the ranks")}


class SummaryBar(QWidget):
    """Facts and filters of the whole page.

    Signals: step_changed when the step, or that of the baseline, is another one.
    """

    step_changed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        self.jobs = JobSelector(context)
        self.info: list[dict[str, Any]] = []  # of the job, and of the baseline
        self.has_cards = True
        row = parts.columns(self, margins=(12, 4, 12, 5), gap=10)
        row.addWidget(self.jobs)
        self.titles, self.values = {}, {}
        for name in _FACTS:
            cell = QWidget()
            column = parts.rows(cell)
            title = parts.label(level=2, role="small")
            value = (
                parts.ElidedLabel(mode=Qt.TextElideMode.ElideMiddle) if name == "folder" else parts.label(strong=True)
            )
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(title)
            column.addWidget(value)
            row.addWidget(cell, 1 if name == "folder" else 0)
            self.titles[name], self.values[name] = title, value
        self.step_label, self.base_label = parts.label(level=2), parts.label(level=2)
        self.step_box, self.base_box = Select(), Select()
        for label, box in ((self.step_label, self.step_box), (self.base_label, self.base_box)):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMinimumWidth(76)
            box.setMaxVisibleItems(24)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
            box.activated.connect(lambda _at: self.step_changed.emit())
        self.retranslate()
        self.set_steps([], None)

    def retranslate(self) -> None:
        """Texts in the current language."""
        for name, text in _FACTS.items():
            self.titles[name].setText(tr(text))
        self.step_label.setText(tr("Step||training"))
        self.base_label.setText(tr("Baseline Step"))
        self.step_box.setAccessibleName(tr("Step||training"))
        self.base_box.setAccessibleName(tr("Baseline Step"))
        for box in (self.step_box, self.base_box):
            if box.count():
                box.setItemText(0, tr("All"))
        self._show_info()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- facts -------------------------------------------------------------------------------------------------------

    def set_info(self, info: Sequence[dict[str, Any]], *, has_cards: bool) -> None:
        """Rows of `base_info`: of the job, then of the baseline; times need cards with a timeline."""
        self.info, self.has_cards = list(info), has_cards
        self._show_info()

    def _show_info(self) -> None:
        for name in _FACTS:
            lines = [_fact(name, row) for row in self.info]
            shown = any(lines) and (self.has_cards or name not in _TIMES)
            self.titles[name].setVisible(shown)
            self.values[name].setVisible(shown)
            text = "\n".join(lines)
            value = self.values[name]
            if isinstance(value, parts.ElidedLabel):
                value.set_text(lines[0] if lines else "")
                value.setToolTip("\n".join(f"{line}" for line in lines))
            else:
                value.setText(text)

    def texts(self) -> dict[str, str]:
        """What stands under each title that is shown."""
        return {
            n: v.full_text() if isinstance(v, parts.ElidedLabel) else v.text()
            for n, v in self.values.items()
            if v.isVisibleTo(self)
        }

    # ---- steps -------------------------------------------------------------------------------------------------------

    def set_steps(self, steps: Sequence[str], base_steps: Sequence[str] | None) -> None:
        """The steps there are, of the job and of the baseline (None without comparison); the chosen ones stay."""
        for box, names in ((self.step_box, steps), (self.base_box, base_steps or ())):
            chosen = box.currentData()
            with QSignalBlocker(box):
                box.clear()
                box.addItem(tr("All"), None)
                for name in names:
                    box.addItem(name, name)
                box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
        for widget in (self.base_label, self.base_box):
            widget.setVisible(base_steps is not None)

    @property
    def step(self) -> str | None:
        """The chosen step, None for all."""
        found = self.step_box.currentData()
        return None if found is None else str(found)

    @property
    def base_step(self) -> str | None:
        """The chosen step of the baseline, None for all."""
        found = self.base_box.currentData()
        return None if found is None else str(found)

    def choose_step(self, step: str | None) -> None:
        """Another step; says nothing."""
        at = self.step_box.findData(step) if step is not None else 0
        with QSignalBlocker(self.step_box):
            self.step_box.setCurrentIndex(max(0, at))


def _fact(name: str, row: dict[str, Any]) -> str:
    if name == "size":
        size = row["size_mb"]
        return f"{size:.2f}" if size > 0.01 else f"{size:.4f}"
    if name == "capture":
        return number_text.wall_clock(row["capture_ns"], decimals=0) if row["capture_ns"] is not None else ""
    if name == "folder":
        source = tr(_SOURCES[row["source"]]) if row["source"] in _SOURCES else row["source"]
        return f"{source} · {row['folder']}"
    value = row[name]
    return number_text.count(value) if isinstance(value, int) else str(value)
