"""The strip at the top of a kernel's pages: its figures side by side, quiet names above them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from insight_desktop.views.common import fonts, parts

_LONG = 50  # characters from which a tooltip shows the whole
_LONGEST = 10_000


class FactsStrip(QWidget):
    """Name above value, separated by lines; where there is no room the least important facts go."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = parts.columns(self, gap=0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.facts: list[tuple[str, str, str]] = []
        self._shown: list[tuple[QWidget | None, _Fact]] = []
        self._important: list[int] = []

    def show_facts(self, facts: Sequence[tuple[str, str, str]], important: Sequence[int] = ()) -> None:
        """Show (name, value, value of the baseline or empty); texts in the current language.

        Args:
            facts: in order.
            important: places of the facts that go last, the most important one first.
        """
        if list(facts) == self.facts:
            return
        self.facts, self._important = list(facts), list(important)
        parts.clear(self._row)
        self._shown = []
        for i, (name, value, baseline) in enumerate(facts):
            line = parts.line(standing=True) if i else None
            if line is not None:
                self._row.addWidget(line)
            fact = _Fact(name, value, baseline, strong=i == 0)
            self._row.addWidget(fact)
            self._shown.append((line, fact))
        self._row.addStretch(1)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out facts until the others fit."""
        widths = [fact.sizeHint().width() + 1 for _, fact in self._shown]
        rest = [i for i in range(len(widths)) if i not in self._important]
        kept = set(range(len(widths)))
        for i in (*reversed(rest), *reversed(self._important)):
            if sum(widths[k] for k in kept) <= self.width() or len(kept) == 1:
                break
            kept.discard(i)
        for i, (line, fact) in enumerate(self._shown):
            fact.setVisible(i in kept)
            if line is not None:
                line.setVisible(i in kept)


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
        self.setMinimumWidth(QFontMetrics(self.name.font()).horizontalAdvance(name) + 26)
        self.setAccessibleName(tip[:200])
