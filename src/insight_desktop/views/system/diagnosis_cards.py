"""Findings as readable boxes: what it costs at the left, the sentence with proof, advice and ways at the right."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from insight_desktop.views.common import fonts, number_text, parts, theme
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr

SEVERITIES = {"high": ("error", "error"), "medium": ("warn", "warn"), "low": ("info", "accent")}
_COST_WIDTH = 176


def severity_text(severity: str) -> str:
    """What a severity is called."""
    return {"high": tr("High"), "medium": tr("Medium"), "low": tr("Low")}.get(severity, severity)


def cost_text(cost_ms: float | None) -> str:
    """A cost with three figures and its unit."""
    if cost_ms is None:
        return "–"
    if cost_ms >= 1000:
        return f"{cost_ms / 1000:,.3g} s" if cost_ms < 1e6 else f"{cost_ms / 1000:,.0f} s"
    return f"{cost_ms:.3g} ms" if cost_ms >= 0.001 else f"{cost_ms * 1000:.3g} µs"


class CostBar(QWidget):
    """A bar as long as a cost beside a whole step."""

    def __init__(self, share: float | None, severity: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share, self.severity = share, severity
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(tr("Part of a step"))
        parts.keep_height(self, 6)
        parts.repaint_on_theme(self)

    def sizeHint(self) -> QSize:
        return QSize(fonts.scaled(_COST_WIDTH), fonts.scaled(6))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        radius = whole.height() / 2
        painter.setBrush(theme.token("hover"))
        painter.drawRoundedRect(whole, radius, radius)
        if self.share:
            painter.setBrush(theme.token(SEVERITIES[self.severity][1]))
            whole.setWidth(max(whole.width() * min(self.share, 1.0), whole.height()))
            painter.drawRoundedRect(whole, radius, radius)
        painter.end()


class FindingCard(QFrame):
    """One finding.

    Args:
        row: a row of `system.diagnosis.findings`.
        ways: words and what they do, shown as links.
    """

    def __init__(
        self, row: Mapping[str, Any], ways: list[tuple[str, Callable[[], None]]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.row = dict(row)
        self.setObjectName("box")
        self.setAccessibleName(say(str(row["text"])))
        line = parts.columns(self, margins=(14, 12, 14, 12), gap=18)
        line.addWidget(self._cost())
        line.addWidget(parts.line(standing=True))
        column = parts.rows(gap=6)
        column.addLayout(self._sentence())
        column.addWidget(_wrapped(say(str(row["evidence"])), level=2))
        column.addLayout(_advice(say(str(row["advice"]))))
        if ways:
            links = parts.columns(gap=16)
            for text, do in ways:
                links.addWidget(parts.button(text, link=True, click=do))
            links.addStretch(1)
            column.addLayout(links)
        column.addStretch(1)
        line.addLayout(column, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        layout = self.layout()
        if layout is not None and layout.hasHeightForWidth():  # a scrolled page would squeeze wrapped lines
            self.setMinimumHeight(layout.totalHeightForWidth(self.width()))

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of the query that gives the figures."""
        found = json.loads(self.row["arguments"])
        return found if isinstance(found, dict) else {}

    def _cost(self) -> QWidget:
        box = QWidget()
        box.setFixedWidth(fonts.scaled(_COST_WIDTH))
        column = parts.rows(box, gap=6)
        cost, share = self.row["cost_ms_per_step"], self.row["share"]
        column.addWidget(parts.label(cost_text(cost), strong=True, role="title"))
        if cost is None:
            column.addWidget(_wrapped(tr("no time of its own"), level=2))
        else:
            column.addWidget(CostBar(share, self.row["severity"]))
            text = tr("per step")
            column.addWidget(
                parts.label(text if share is None else f"{text} · {number_text.percent(share, 1)}", level=2)
            )
        column.addStretch(1)
        return box

    def _sentence(self) -> Any:
        row = parts.columns(gap=8)
        chip = QLabel(severity_text(self.row["severity"]))
        chip.setProperty("chip", SEVERITIES[self.row["severity"]][0])
        row.addWidget(chip, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(_wrapped(say(str(self.row["text"])), strong=True), 1)
        return row


def _advice(text: str) -> Any:
    row = parts.columns(gap=8)
    row.addWidget(parts.IconLabel("lightbulb", "accent"), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(_wrapped(text), 1)
    return row


def _wrapped(text: str, *, level: int = 1, strong: bool = False) -> QLabel:
    label = parts.label(text, level=level, strong=strong)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
