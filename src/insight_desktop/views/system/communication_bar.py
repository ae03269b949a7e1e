"""Controls of the Communication page: job, comparison, step, group and operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from insight_desktop.ingest.formats.cluster_rank import TOTAL
from insight_desktop.views.common import fonts, parts
from insight_desktop.views.common.card_selector import SearchBox
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.job_selector import JobSelector
from insight_desktop.views.common.language import tr
from insight_desktop.views.system.communication_choice import Choice, Group, Offers

_WIDEST = {"group": 300, "op": 260}


class CommunicationBar(QWidget):
    """What the page shows. All selectors but the steps can be searched by typing.

    Signals:
        place_changed: another step or group; the operators are others too.
        op_changed: another operator.
    """

    place_changed = Signal()
    op_changed = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setProperty("edge", "bottom")
        parts.keep_height(self, 38)
        self.jobs = JobSelector(context)
        self.step_box, self.base_step_box = SearchBox(), SearchBox()
        self.group_box, self.op_box = SearchBox(), SearchBox()
        self.labels = {box: parts.label() for box in (self.step_box, self.base_step_box, self.group_box, self.op_box)}
        self.help = parts.icon_button("info")
        self.groups: dict[str, Group] = {}
        self._offers: Offers | None = None
        row = parts.columns(self, margins=(12, 0, 12, 1), gap=6)
        row.addWidget(self.jobs)
        for box, words in self.labels.items():
            row.addWidget(words)
            row.addWidget(box)
            words.setBuddy(box)
            row.addSpacing(4)
        row.addStretch(1)
        row.addWidget(self.help)
        for box, width in ((self.group_box, _WIDEST["group"]), (self.op_box, _WIDEST["op"])):
            box.setMaximumWidth(fonts.scaled(width))
            box.setMinimumWidth(110)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(18)
        for box in (self.step_box, self.base_step_box, self.group_box):
            box.activated.connect(lambda _at: self.place_changed.emit())
        self.op_box.activated.connect(lambda _at: self.op_changed.emit())
        self.retranslate()
        self._show_jobs()

    def retranslate(self) -> None:
        """Texts in the current language."""
        texts = (tr("Step||training"), tr("Baseline Step"), tr("Communication Group"), tr("Operator Name"))
        for (box, words), text in zip(self.labels.items(), texts, strict=True):
            words.setText(text)
            box.setAccessibleName(text)
        parts.set_tip(
            self.help,
            tr(
                "A finished cluster_analysis_output is read as it is. Delete it and read the ranks again when it is out of date."
            ),
        )

    # ---- offers ------------------------------------------------------------------------------------------------------

    def set_offers(
        self, offers: Offers, step: str | None = None, base_step: str | None = None, group: str | None = None
    ) -> None:
        """Fill the selectors of job, steps and group; wanted or chosen entries stay when they are still there."""
        self._offers = offers
        self._fill(self.step_box, [(s, s) for s in offers.steps], step or self.step)
        self._fill(self.base_step_box, [(s, s) for s in offers.base_steps], base_step or self.base_step)
        self.groups = {g.label: g for g in offers.groups}
        found = group if group in self.groups else self.group_label if self.group_label in self.groups else None
        self.group_box.fill([(g.short, g.label) for g in offers.groups], found or offers.groups[0].label)
        for at, group_ in enumerate(offers.groups):
            if group_.short != group_.label:
                self.group_box.setItemData(at, _wrapped(group_.label), Qt.ItemDataRole.ToolTipRole)
        self._show_jobs()

    def _fill(self, box: SearchBox, entries: Sequence[tuple[str, str]], wanted: str | None) -> None:
        keys = [key for _, key in entries]
        box.fill(entries, wanted if wanted in keys else (keys[0] if keys else None))

    def set_operators(self, names: Sequence[str], wanted: str | None = None) -> None:
        """Names of the operators; the wanted or chosen one stays when it is still there, else the sum."""
        chosen = next((n for n in (wanted, self.op) if n in names), TOTAL)
        self.op_box.fill([(n, n) for n in names], chosen)
        compared = self._offers is not None and self._offers.base is not None
        if compared and TOTAL in names:
            self.op_box.fill([(n, n) for n in names], TOTAL)
        self.op_box.setEnabled(not compared)
        self.op_box.setToolTip(tr("Jobs are compared by the sum of their operators.") if compared else "")

    def _show_jobs(self) -> None:
        compared = self._offers is not None and self._offers.base is not None
        for widget in (self.base_step_box, self.labels[self.base_step_box]):
            widget.setVisible(compared)

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    @property
    def step(self) -> str | None:
        return _data(self.step_box)

    @property
    def base_step(self) -> str | None:
        return _data(self.base_step_box)

    @property
    def group_label(self) -> str | None:
        return _data(self.group_box)

    @property
    def op(self) -> str | None:
        return _data(self.op_box)

    def set_place(self, *, step: str | None = None, group: str | None = None) -> None:
        """Choose a step and a group by its label; says nothing. What is not offered stays as it was."""
        for box, wanted in ((self.step_box, step), (self.group_box, group)):
            at = box.findData(wanted) if wanted is not None else -1
            if at >= 0:
                box.setCurrentIndex(at)

    def set_op(self, name: str) -> bool:
        """Choose an operator; False when the group has no such operator. Says nothing."""
        at = self.op_box.findData(name)
        if at >= 0:
            self.op_box.setCurrentIndex(at)
        return at >= 0

    def choice(self) -> Choice | None:
        """What is chosen; None before the offers are there."""
        group = self.groups.get(self.group_label or "")
        if self._offers is None or self.step is None or group is None:
            return None
        compared = self._offers.base is not None
        return Choice(
            self._offers.cluster, self.step, group, TOTAL if compared else self.op or TOTAL, self._offers.base,
            self.base_step if compared else None,
        )  # fmt: skip

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Everything that is chosen."""
        return {
            "step": self.step, "base_step": self.base_step,
            "group": self.group_label, "op": self.op,
        }  # fmt: skip


def _data(box: QComboBox) -> str | None:
    found = box.currentData()
    return None if found is None else str(found)


def _wrapped(label: str, width: int = 90) -> str:
    """A long label on several lines, for a tooltip."""
    lines, line = [], ""
    for word in label.split(" "):
        if len(line) + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line][:12])
