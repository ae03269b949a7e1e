"""The strip at the top of a kernel's pages: its figures side by side, quiet names above them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import fonts, parts

_LONG = 50  # characters from which a tooltip shows the whole
_LONGEST = 10_000


class FactsStrip(QWidget):
    """Name above value, separated by lines; what does not fit is cut at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = parts.columns(self, gap=0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.facts: list[tuple[str, str, str]] = []

    def show_facts(self, facts: Sequence[tuple[str, str, str]]) -> None:
        """Show (name, value, value of the baseline or empty); texts in the current language."""
        if list(facts) == self.facts:
            return
        self.facts = list(facts)
        parts.clear(self._row)
        for i, (name, value, baseline) in enumerate(facts):
            if i:
                self._row.addWidget(parts.line(standing=True))
            self._row.addWidget(_Fact(name, value, baseline, strong=i == 0))
        self._row.addStretch(1)


class _Fact(QWidget):
    def __init__(self, name: str, value: str, baseline: str, *, strong: bool) -> None:
        super().__init__()
        column = parts.rows(self, margins=(12, 4, 12, 4), gap=0)
        shown = value if len(value) <= _LONGEST else f"{value[:_LONGEST]} … ({len(value):,} characters)"
        self.name = parts.label(name, level=2, role="small")
        self.value = parts.YieldingLabel(shown or "–", Qt.TextElideMode.ElideMiddle)
        self.value.setProperty("strong", "true")
        self.value.setMaximumWidth(fonts.scaled(300 if strong else 200))
        column.addWidget(self.name)
        column.addWidget(self.value)
        if baseline:
            other = parts.YieldingLabel(baseline, Qt.TextElideMode.ElideMiddle)
            other.setProperty("level", "3")
            other.setMaximumWidth(fonts.scaled(300 if strong else 200))
            column.addWidget(other)
        tip = f"{name}: {shown}" + (f"\n{baseline}" if baseline else "")
        self.setToolTip(tip[:4000] if len(value) > _LONG or baseline else "")
        self.setMinimumWidth(min(fonts.scaled(60), QFontMetrics(self.name.font()).horizontalAdvance(name) + 24))
        self.setAccessibleName(tip[:200])
