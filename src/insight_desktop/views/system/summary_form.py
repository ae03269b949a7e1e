"""The parallel strategy: algorithm and sizes, checked when they are generated, remembered per job."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QMessageBox, QWidget

from insight_desktop.engine.system import summary_layout as layout
from insight_desktop.engine.system.summary_layout import Strategy
from insight_desktop.errors import BadArgument
from insight_desktop.views.common import fonts, number_text, parts, settings
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.system.summary_words import ALGORITHMS

CONFIGURED, COLLECTED, UNDEFINED = "configured", "collected", "undefined"
FIELDS = ("pp", "tp", "moe_tp", "cp", "dp", "ep")
_TITLES = {"pp": "PP", "tp": "TP", "moe_tp": "MoE-TP", "cp": "CP", "dp": "DP", "ep": "EP"}
_SETTING, _KEPT = "summary_strategies", 64
_WITHOUT_CP = (layout.MINDIE, layout.VLLM)


class StrategyForm(QWidget):
    """Fields for algorithm and sizes.

    Signals:
        generated: a Strategy that passed all rules and is to be used.
        refused: (message, what to do) of the first rule that was broken.
    """

    generated = Signal(object)
    refused = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        parts.keep_height(self, 38)
        self.key = ""  # what the sizes are remembered under
        self.devices = 0
        self.origin = UNDEFINED
        self.collected = Strategy()
        self.strategy = Strategy()  # in force
        self.title = parts.YieldingLabel(mode=Qt.TextElideMode.ElideRight)
        self.title.setProperty("strong", "true")
        self.algorithm_box = Select()
        self.algorithm_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.algorithm_box.setMinimumWidth(110)  # with large texts it yields, so that the window need not grow
        self.labels = {name: QLabel() for name in FIELDS}
        self.fields = {name: QLineEdit() for name in FIELDS}
        self.chip = QLabel()
        parts.keep_height(self.chip, 22)
        self.origin_label = parts.YieldingLabel(mode=Qt.TextElideMode.ElideRight)
        self.origin_label.setProperty("level", "2")
        self.generate_button = parts.button("", click=self.generate)
        self.reset_button = parts.button("", flat=True, click=self.reset)
        row = parts.columns(self, margins=(12, 0, 12, 1), gap=6)
        row.addWidget(self.title)
        row.addWidget(self.algorithm_box)
        for name in FIELDS:
            field = self.fields[name]
            field.setFixedWidth(fonts.scaled(46))
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            field.textChanged.connect(lambda _text: self._show_product())
            field.returnPressed.connect(self.generate)
            self.labels[name].setBuddy(field)
            row.addWidget(self.labels[name])
            row.addWidget(field)
        row.addWidget(self.chip)
        row.addWidget(self.generate_button)
        row.addWidget(self.reset_button)
        row.addWidget(self.origin_label)
        row.addStretch(1)
        for algorithm, text in ALGORITHMS.items():
            self.algorithm_box.addItem(text, algorithm)
        self.algorithm_box.currentIndexChanged.connect(lambda _at: self._algorithm_changed())
        self.retranslate()
        self.show_strategy(Strategy())

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.title.set_text(tr("Parallel Strategy Analysis"))
        self.algorithm_box.setAccessibleName(tr("Algorithm"))
        self.algorithm_box.setToolTip(tr("Algorithm"))
        for name in FIELDS:
            self.labels[name].setText(_TITLES[name])
            self.fields[name].setAccessibleName(tr("{0} Size").format(_TITLES[name]))
            self.fields[name].setToolTip(tr("{0} Size").format(_TITLES[name]))
        self.generate_button.setText(tr("Generate"))
        self.reset_button.setText(tr("Reset"))
        parts.set_tip(self.reset_button, tr("Back to the sizes of the data"))
        self._show_origin()
        self._show_product()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- what the data say -------------------------------------------------------------------------------------------

    def show_collected(self, key: str, collected: Strategy, origin: str, devices: int) -> None:
        """The sizes that the data tell, unless the user saved others for this job."""
        self.key, self.collected, self.devices = key, collected, devices
        saved = remembered(key)
        self.origin = CONFIGURED if saved is not None else origin
        self.show_strategy(saved or collected)

    def show_strategy(self, strategy: Strategy) -> None:
        """Put a strategy in force; says nothing."""
        self.strategy = strategy
        with QSignalBlocker(self.algorithm_box):
            self.algorithm_box.setCurrentIndex(self.algorithm_box.findData(strategy.algorithm))
        for name in FIELDS:
            self.fields[name].setText(str(strategy.size(name)))
        self._algorithm_changed()
        self._show_origin()

    @property
    def is_set(self) -> bool:
        """Some size is above 1, or the user said that all are 1."""
        return self.origin == CONFIGURED or any(self.strategy.size(n) > 1 for n in FIELDS)

    @property
    def algorithm(self) -> str:
        """The chosen algorithm."""
        return str(self.algorithm_box.currentData())

    def _algorithm_changed(self) -> None:
        hidden = {"moe_tp"} if self.algorithm != layout.MINDIE else set()
        if self.algorithm in _WITHOUT_CP:
            hidden.add("cp")
        for name in FIELDS:
            self.labels[name].setVisible(name not in hidden)
            self.fields[name].setVisible(name not in hidden)
        self._show_product()

    def _show_origin(self) -> None:
        text = {CONFIGURED: tr("set by you"), COLLECTED: tr("from the data"), UNDEFINED: tr("not in the data")}[
            self.origin
        ]
        self.origin_label.set_text(text)

    def _typed(self) -> dict[str, int]:
        found = {}
        for name in FIELDS:
            if not self.fields[name].isVisibleTo(self):
                found[name] = 1
                continue
            text = self.fields[name].text().strip().replace(",", "")
            if not text.lstrip("-").isdigit():
                raise BadArgument(
                    tr("{0} size is {1}.").format(_TITLES[name], text or "–"),
                    fix=tr("Use whole numbers from 1 to 10,000."),
                )
            found[name] = int(text)
        return found

    def _show_product(self) -> None:
        try:
            sizes = self._typed()
        except BadArgument:
            self.chip.setText("–")
            parts.set_state(self.chip, chip="warn")
            return
        factors = [sizes[n] for n in ("pp", "tp", "cp", "dp") if sizes[n] != 1]
        whole = sizes["pp"] * sizes["tp"] * sizes["cp"] * sizes["dp"]
        product = " × ".join(map(str, factors))
        fits = whole >= self.devices
        text = f"{product} = {number_text.count(whole)}" if len(factors) > 1 else number_text.count(whole)
        self.chip.setText(f"{text} {'✓' if fits else '<'}{'' if fits else f' {number_text.count(self.devices)}'}")
        parts.set_state(self.chip, chip="ok" if fits else "warn")
        parts.set_tip(self.chip, tr("PP · TP · CP · DP against {0} devices").format(number_text.count(self.devices)))

    # ---- generate and reset ------------------------------------------------------------------------------------------

    def typed(self) -> Strategy:
        """What the fields say, checked. Raises BadArgument for the first rule that is broken."""
        sizes = self._typed()
        whole = sizes["pp"] * sizes["tp"] * sizes["cp"] * sizes["dp"]
        if whole < self.devices:
            raise BadArgument(
                tr("PP · TP · CP · DP is {0}, fewer than the {1} devices.").format(
                    number_text.count(whole), number_text.count(self.devices)
                ),
                fix=tr("Enlarge one of the sizes."),
            )
        given: dict[str, Any] = dict(sizes)
        return Strategy(self.algorithm, **given).checked()

    def generate(self) -> None:
        """Take what is typed, when it keeps all rules and the user agrees to leave the sizes of the data."""
        try:
            wanted = self.typed()
        except BadArgument as error:
            self.refused.emit(say(error.message), say(error.fix))
            return
        if self.origin == COLLECTED and wanted != self.strategy and not self.confirm(wanted):
            return
        self.origin = CONFIGURED
        remember(self.key, wanted)
        self.show_strategy(wanted)
        self.generated.emit(wanted)

    def confirm(self, wanted: Strategy) -> bool:
        """Ask whether sizes other than the collected ones are meant."""
        del wanted
        box = QMessageBox(self)
        box.setWindowTitle(tr("Use other sizes than those of the data?"))
        box.setText(
            tr("The sizes of the parallel dimensions were collected with the data. Others may not match its groups.")
        )
        yes = box.addButton(tr("Use these sizes"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(tr("Keep those of the data"), QMessageBox.ButtonRole.RejectRole)
        box.exec()
        return box.clickedButton() is yes

    def reset(self) -> None:
        """Back to what the data tell."""
        remember(self.key, None)
        self.origin = COLLECTED if self.collected != Strategy() else UNDEFINED
        self.show_strategy(self.collected)
        self.generated.emit(self.collected)


def remembered(key: str) -> Strategy | None:
    """The strategy that the user saved for a job."""
    found = _saved().get(key)
    try:
        return Strategy(**found).checked() if isinstance(found, dict) else None
    except (BadArgument, TypeError):
        return None


def remember(key: str, strategy: Strategy | None) -> None:
    """Save a strategy for a job; None forgets it."""
    known = _saved()
    known.pop(key, None)
    if strategy is not None and key:
        known[key] = asdict(strategy)
    settings.write(_SETTING, json.dumps(dict(list(known.items())[-_KEPT:])))


def _saved() -> dict[str, Any]:
    try:
        found = json.loads(settings.read(_SETTING, "{}"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
