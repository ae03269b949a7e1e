"""The toolbar of the Snapshot page: what is shown, how sizes count, what stays unreleased, and what can be done."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QPushButton, QSizePolicy, QSlider, QWidget

from insight_desktop.engine.memory.snapshot_data import Device
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.memory import snapshot_part
from insight_desktop.views.memory import snapshot_texts as texts

STEPS = 100  # of the detail slider


class SnapshotBar(QWidget):
    """Choices left, view right. What does not fit gives way: the smallest chip first, words of buttons last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        parts.keep_height(self, 38)
        self.card_box, self.device_box, self.chart_box, self.mode_box = (Select() for _ in range(4))
        self.boxes = (self.card_box, self.device_box, self.chart_box, self.mode_box)
        self.labels = {box: parts.label(level=2) for box in self.boxes}
        for key, name in texts.CHARTS:
            self.chart_box.addItem(name, key)
        for key, name in texts.MODES:
            self.mode_box.addItem(name, key)
        self.chips = [parts.label(level=2) for _ in range(3)]
        for chip in self.chips:
            chip.setProperty("chip", "plain")
            parts.keep_height(chip, 22)
        self.detail_label, self.detail_text = parts.label(level=2), parts.label(level=2)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(1, STEPS)
        self.slider.setValue(STEPS)
        self.slider.setFixedWidth(90)
        self.part = parts.button("", "funnel-simple", flat=True)
        self.quality = parts.button("", "warning", flat=True)
        self.peak = parts.button("", "chart-line-up", flat=True)
        self.compare = parts.button("", "git-diff", flat=True)
        self.reset = parts.button("", "arrows-in", flat=True)
        self.export = parts.button("", "download-simple")
        self._words: dict[QPushButton, str] = {}
        self._is_part = False  # then its words matter more than those of other buttons
        self._lay_out()

    def _lay_out(self) -> None:
        row = parts.columns(self, margins=(12, 0, 12, 0), gap=6)
        for box, label in self.labels.items():
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMaximumWidth(200)
            box.setMinimumWidth(48)
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
        row.addSpacing(4)
        for chip in self.chips:
            row.addWidget(chip)
        for widget in (self.detail_label, self.slider, self.detail_text):
            row.addWidget(widget)
        row.addStretch(1)
        for button in (self.part, self.quality, self.peak, self.compare, self.reset, self.export):
            row.addWidget(button)

    def retranslate(self) -> None:
        """Texts in the current language."""
        titles = (tr("Snapshot"), tr("Device"), tr("Chart"), tr("Block size"))
        for box, text in zip(self.boxes, titles, strict=True):
            self.labels[box].setText(text)
            box.setAccessibleName(text)
        for box, entries in ((self.chart_box, texts.CHARTS), (self.mode_box, texts.MODES)):
            for k, (_, name) in enumerate(entries):
                box.setItemText(k, tr(name))
        self.detail_label.setText(tr("Detail"))
        self.slider.setAccessibleName(tr("Detail: how many of the largest blocks are drawn in colour"))
        self._words |= {
            self.peak: tr("Go to peak"), self.compare: tr("Compare…"), self.reset: tr("Reset view"), self.export: tr("Export…"),
        }  # fmt: skip
        for button, text in self._words.items():
            if button is self.part:
                continue
            button.setAccessibleName(text)
            parts.set_tip(button, text, "R" if button is self.reset else "")
        parts.set_tip(self.compare, tr("Take the shown event as the base and compare other events with it"))
        self.fit()

    def show_cards(self, several: bool) -> None:
        """The choice of the snapshot, when there is one to make."""
        for widget in (self.labels[self.card_box], self.card_box):
            widget.setVisible(several)
        self.fit()

    def show_chips(self, row: dict[str, Any]) -> None:
        """What stays unreleased in the visible range."""
        names = ((tr("Unreleased"), "total_kb"), (tr("Largest"), "max_kb"), (tr("Smallest"), "min_kb"))
        blocks = number_text.count(row["blocks"])
        for chip, (name, key) in zip(self.chips, names, strict=True):
            chip.setText(f"{name} {texts.kilobytes(row[key])}")
            chip.setToolTip(tr("{0} blocks allocated in the visible range and not freed at its end").format(blocks))
        self.fit()

    def show_part(self, device: Device) -> None:
        """Which events were read, when it is not all of them."""
        self._words[self.part] = snapshot_part.said(device)
        self._is_part = device.events != snapshot_part.whole(device)
        tip = tr("Choose the events that are read") if not self._is_part else tr("Only a part of the trace was read; press to choose another one or to read everything")  # fmt: skip
        parts.set_tip(self.part, tip)
        self.fit()

    def show_quality(self, count: int) -> None:
        """How much was repaired; nothing is said about nothing."""
        self.quality.setVisible(count > 0)
        self.quality.setText(tr("{0} inconsistencies repaired").format(number_text.count(count)))
        self.fit()

    def fit(self) -> None:
        """Show as much as there is room for."""
        steps: tuple[tuple[QWidget, ...], ...] = (
            (self.chips[2],), (self.labels[self.chart_box], self.labels[self.mode_box]), (self.detail_label,),
            (self.chips[1],), (self.detail_text, self.slider), (self.chips[0],),
        )  # fmt: skip
        for step in steps:
            for widget in step:
                widget.show()
        for button, text in self._words.items():
            button.setText(text)
        for number, step in enumerate(steps):
            if self._need() <= self.width():
                return
            if number == len(steps) - 2:  # what is left matters more than words on buttons
                for button in self._words:
                    if button is self.part and self._is_part:
                        continue
                    button.setText("")
                    if self._need() <= self.width():
                        return
            for widget in step:
                widget.hide()

    def _need(self) -> int:
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        return layout.sizeHint().width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def minimumSizeHint(self) -> Any:
        found = super().minimumSizeHint()
        found.setWidth(320)
        return found


def fill(box: QComboBox, entries: list[tuple[str, Any]], wanted: Any) -> None:
    """Other entries without telling it; the wanted one is chosen when it is there."""
    box.blockSignals(True)
    box.clear()
    for text, data in entries:
        box.addItem(text, data)
    choose(box, wanted)
    box.blockSignals(False)


def choose(box: QComboBox, data: Any) -> None:
    """Choose the entry with these data without telling it; the first one when there is none."""
    held = box.blockSignals(True)
    at = box.findData(data)
    box.setCurrentIndex(at if at >= 0 else (0 if box.count() else -1))
    box.blockSignals(held)
