"""The figures of a run at a glance: one box of cards; a click goes to the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from insight_desktop.views.common import fonts, number_text, parts
from insight_desktop.views.common.language import tr

SECONDS_FROM = 2e9  # ns: longer latencies are told in s
TARGET = 0.95  # share of requests that should meet the limits


@dataclass(frozen=True)
class Kpi:
    """One card: what a click asks for, its name, a chip with its kind, value, unit, one line of context."""

    key: str
    name: str
    value: str
    unit: str = ""
    context: str = ""
    chip: str = ""
    chip_kind: str = ""
    tip: str = ""


class KpiCard(QFrame):
    """Name and chip, value, context."""

    clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._key = ""
        self.name, self.unit, self.context = (
            parts.label(level=2),
            parts.label(level=2),
            parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight),
        )
        self.context.setProperty("level", "2")
        self.context.setProperty("role", "small")
        self.value = parts.label(role="start")
        self.chip = QLabel()
        parts.keep_least_height(self.name, 19)  # of a chip: cards with and without one stand in line
        column = parts.rows(self, margins=(12, 8, 10, 8), gap=2)
        top = parts.columns(gap=6)
        top.addWidget(self.name)
        top.addStretch(1)
        top.addWidget(self.chip)
        middle = parts.columns(gap=4)
        middle.addWidget(self.value)
        middle.addWidget(self.unit, 0, Qt.AlignmentFlag.AlignBottom)
        middle.addStretch(1)
        column.addLayout(top)
        column.addLayout(middle)
        column.addWidget(self.context)

    def show_kpi(self, kpi: Kpi) -> None:
        """Show a figure."""
        self._key = kpi.key
        self.name.setText(kpi.name)
        self.value.setText(kpi.value)
        self.unit.setText(kpi.unit)
        self.context.set_text(kpi.context)
        self.chip.setText(kpi.chip)
        self.chip.setVisible(bool(kpi.chip))
        parts.set_state(self.chip, chip=kpi.chip_kind or "plain")
        self.setToolTip(kpi.tip)
        self.setAccessibleName(f"{kpi.name}: {kpi.value} {kpi.unit}. {kpi.context} {kpi.chip}".strip())

    def wanted_width(self) -> int:
        """Width with all words of the context."""
        small = QFontMetrics(fonts.ui(fonts.SMALL)).horizontalAdvance(self.context.full_text())
        margins = self.contentsMargins() if (layout := self.layout()) is None else layout.contentsMargins()
        return max(small + margins.left() + margins.right() + 4, self.minimumSizeHint().width())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit(self._key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit(self._key)
        else:
            super().keyPressEvent(event)


class KpiStrip(QFrame):
    """Cards joined in one box.

    Signals:
        clicked: key of a card.
    """

    clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.setMinimumHeight(fonts.scaled(76))
        self._row = parts.columns(self, margins=(1, 1, 1, 1), gap=0)
        self.cards: list[KpiCard] = []

    def show_kpis(self, kpis: Sequence[Kpi]) -> None:
        """Show these figures in order."""
        while len(self.cards) < len(kpis):
            if self.cards:
                self._row.addWidget(parts.line(standing=True))
            card = KpiCard()
            card.clicked.connect(self.clicked)
            self.cards.append(card)
            self._row.addWidget(card, 1)
        for card, kpi in zip(self.cards, kpis, strict=False):
            card.show_kpi(kpi)
        for i, card in enumerate(self.cards):
            card.setVisible(i < len(kpis))
            self._row.setStretch(self._row.indexOf(card), card.wanted_width())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self.setMinimumHeight(fonts.scaled(76))
        super().changeEvent(event)


def latency_text(ns: float | None, decimals: int | None = None) -> tuple[str, str]:
    """A latency as (number, unit): ms, s from SECONDS_FROM on."""
    if ns is None or ns != ns:
        return number_text.MISSING, ""
    if ns >= SECONDS_FROM:
        return number_text.number(ns / 1e9, 2), "s"
    value = ns / 1e6
    digits = decimals if decimals is not None else 1 if value >= 100 else 2
    return number_text.number(value, digits), "ms"


def kpis_of(row: dict[str, Any], goodput: Sequence[dict[str, Any]]) -> list[Kpi]:
    """The cards of a run: figures of `service.overview.kpis` and `service.requests.goodput`."""
    met = {one["limit"]: one for one in goodput}
    every = met.get("all", {})
    found = [_requests(row), _throughput(row), _output(row)]
    has_limits = len(met) > 1
    share = every.get("share")
    good = number_text.number(every.get("per_second"), 2) if has_limits else number_text.MISSING
    context = tr("{0} meet all limits").format(number_text.percent(share)) if has_limits else tr("no limits set")
    kind = "" if not has_limits or share is None else "ok" if share >= TARGET else "warn"
    chip = tr("target {0}").format(number_text.percent(TARGET, 0)) if kind else ""
    found.append(Kpi("goodput", tr("Goodput"), good, tr("req/s") if has_limits else "", context, chip, kind,
                     tr("Ended requests that meet all limits, per second")))  # fmt: skip
    for metric, name in (("ttft", "TTFT P90"), ("tpot", "TPOT P90"), ("e2e", "E2E P90"), ("queue", tr("Queue P90"))):
        found.append(_latency(row, metric, name, met.get(metric)))
    found.append(_cache(row))
    return found


def _requests(row: dict[str, Any]) -> Kpi:
    cut = row["no_arrival"] + row["no_token"]
    text = tr("{0} unfinished · {1} truncated").format(number_text.count(row["running"]), number_text.count(cut))
    tip = tr("Truncated: without arrival {0}, without tokens {1}").format(row["no_arrival"], row["no_token"])
    return Kpi("requests", tr("Requests done"), number_text.count(row["done"]), "", text, tip=tip)


def _throughput(row: dict[str, Any]) -> Kpi:
    length = number_text.chip(row["duration_ns"])
    busy = tr("{0} busy").format(number_text.percent(row["busy"])) if row["busy"] is not None else ""
    return Kpi("throughput", tr("Throughput"), number_text.number(row["requests_per_s"], 2), tr("req/s"),
               " · ".join(x for x in (length, busy) if x))  # fmt: skip


def _output(row: dict[str, Any]) -> Kpi:
    rate = row["output_tokens_per_s"]
    text = tr("{0} tokens").format(number_text.count(row["output_tokens"]))
    total = row["total_tokens_per_s"]
    tip = tr("With prompts: {0} tok/s; best second: {1} tokens").format(
        number_text.number(total, 1), number_text.number(row["peak_output_tokens_per_s"], 0)
    )
    return Kpi("tokens", tr("Output tokens"), number_text.number(rate, 0), tr("tok/s"), text, tip=tip)


def _latency(row: dict[str, Any], metric: str, name: str, limit: dict[str, Any] | None) -> Kpi:
    value, unit = latency_text(row[f"{metric}_p90_ns"])
    p50, p99 = (row[f"{metric}_{p}_ns"] for p in ("p50", "p99"))
    in_seconds = unit == "s"
    shown = [
        number_text.number(None if v is None else v / (1e9 if in_seconds else 1e6), _decimals(v, in_seconds=in_seconds))
        for v in (p50, p99)
    ]
    chip = kind = ""
    if limit is not None and row[f"{metric}_p90_ns"] is not None:
        inside = row[f"{metric}_p90_ns"] <= limit["limit_ms"] * 1e6
        chip, kind = (tr("in SLO"), "ok") if inside else (tr("over SLO"), "error")
    return Kpi(metric, name, value, unit, f"P50 {shown[0]} · P99 {shown[1]}", chip, kind,
               tr("Click: the request nearest to P90"))  # fmt: skip


def _decimals(ns: float | None, *, in_seconds: bool) -> int:
    """Three or four digits."""
    return 2 if in_seconds else 0 if ns is not None and ns >= 1e9 else 1


def _cache(row: dict[str, Any]) -> Kpi:
    peak = row["kv_peak"]
    chip = tr("{0} preempted").format(number_text.count(row["preempted"])) if row["preempted"] else ""
    context = (
        tr("{0} of the time ≥ 90 %").format(number_text.percent(row["kv_above_90"]))
        if row["kv_above_90"] is not None
        else ""
    )
    if row["kv_estimated"]:
        context = tr("capacity estimated")
    value = number_text.number(None if peak is None else peak * 100, 1)
    return Kpi("kv", tr("KV peak"), value, "%" if peak is not None else "", context or tr("not recorded"), chip, "warn" if chip else "")  # fmt: skip
