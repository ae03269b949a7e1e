"""Which blocks count as inefficient: three thresholds, each in ns or in per cent of the life."""

from __future__ import annotations

from PySide6.QtGui import QIntValidator, QRegularExpressionValidator
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from insight_desktop.engine.memory.memscope_tags import EARLY, IDLE, LATE, MOST_NS
from insight_desktop.views.common import parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.dialogs import Dialog

_TAGS = (EARLY, LATE, IDLE)
ARGUMENTS = {EARLY: ("early_ns", "early_percent"), LATE: ("late_ns", "late_percent"), IDLE: ("idle_ns", "idle_percent")}


class ThresholdDialog(Dialog):
    """Fields for the thresholds; `values` gives the arguments of `memory.memscope.blocks`."""

    def __init__(self, values: dict[str, int | bool], parent: QWidget | None = None) -> None:
        super().__init__(tr("Filter Inefficient Memory Blocks"), parent, width=520)
        self.fields: dict[str, QLineEdit] = {}
        titles = {
            EARLY: tr("Lazy Used Threshold"), LATE: tr("Delayed Free Threshold"), IDLE: tr("Long Idle Threshold"),
        }  # fmt: skip
        tips = {
            EARLY: tr("Time from the malloc to the first access"), LATE: tr("Time from the last access to the free"),
            IDLE: tr("Longest time between two accesses"),
        }  # fmt: skip
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        for row, tag in enumerate(_TAGS):
            label = parts.label(titles[tag])
            label.setToolTip(tips[tag])
            grid.addWidget(label, row, 0)
            for column, (name, most, unit) in enumerate(
                zip(ARGUMENTS[tag], (MOST_NS, 100), (tr("ns or"), "%"), strict=True)
            ):
                field = QLineEdit(str(values.get(name) or ""))
                field.setValidator(_numbers(most, field))
                field.setPlaceholderText(f"0 – {most:,}" if most <= 100 else "0 – 10¹²")
                field.setAccessibleName(f"{titles[tag]} ({unit.split()[0]})")
                field.setMaximumWidth(160 if column == 0 else 90)
                self.fields[name] = field
                grid.addWidget(field, row, 1 + 2 * column)
                grid.addWidget(parts.label(unit, level=2), row, 2 + 2 * column)
        grid.setColumnStretch(5, 1)
        self.only = QCheckBox(tr("Only Show Inefficient Blocks"))
        self.only.setChecked(bool(values.get("only_tagged")))
        hint = parts.label(
            tr("Empty or 0 switches a threshold off; 100 % too. A block is tagged when either is exceeded."), level=2
        )
        hint.setWordWrap(True)
        self.content.addLayout(grid)
        self.content.addWidget(self.only)
        self.content.addWidget(hint)
        self.add_verb(tr("Cancel"), self.reject)
        self.add_verb(tr("OK"), self.accept, default=True)

    @property
    def values(self) -> dict[str, int | bool]:
        """Thresholds that are on, and whether other blocks are hidden."""
        found: dict[str, int | bool] = {}
        for name, field in self.fields.items():
            number = int(field.text() or 0)
            most = 100 if name.endswith("percent") else MOST_NS
            if number > 0:
                found[name] = min(number, most)
        if self.only.isChecked():
            found["only_tagged"] = True
        return found


def _numbers(most: int, parent: QWidget) -> QIntValidator | QRegularExpressionValidator:
    return QIntValidator(0, most, parent) if most <= 100 else QRegularExpressionValidator(r"\d{0,13}", parent)
