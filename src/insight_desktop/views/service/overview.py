"""The Service Overview: how the service did, for whom it was slow, and why."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QSplitter, QStackedWidget, QTabBar, QWidget

from insight_desktop.engine.service import overview as queries
from insight_desktop.engine.service import requests
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.context import Context, Jump, RequestPlace
from insight_desktop.views.common.empty_page import EmptyPage, FileLine, Offer
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.service.overview_bar import ALL, OverviewBar
from insight_desktop.views.service.overview_compare import Comparison
from insight_desktop.views.service.overview_distributions import Distributions
from insight_desktop.views.service.overview_forward import Forwards
from insight_desktop.views.service.overview_interference import Interference
from insight_desktop.views.service.overview_kpis import KpiStrip, kpis_of
from insight_desktop.views.service.overview_kv import Cache
from insight_desktop.views.service.overview_latency import LatencyCurves, percentile_words
from insight_desktop.views.service.overview_moe import Experts
from insight_desktop.views.service.overview_part import Part, Shown
from insight_desktop.views.service.overview_pd import Separation
from insight_desktop.views.service.overview_requests import Requests
from insight_desktop.views.service.overview_scheduler import Scheduler
from insight_desktop.views.service.overview_spec import Speculation

TABS = (
    ("latency", QT_TRANSLATE_NOOP("insight", "Latency and requests")),
    ("distributions", QT_TRANSLATE_NOOP("insight", "Distributions")),
    ("scheduler", QT_TRANSLATE_NOOP("insight", "Scheduler")),
    ("kv", QT_TRANSLATE_NOOP("insight", "KV cache")),
    ("interference", QT_TRANSLATE_NOOP("insight", "Interference")),
    ("forward", QT_TRANSLATE_NOOP("insight", "Forward / DP")),
    ("pd", "PD"),
    ("spec", QT_TRANSLATE_NOOP("insight", "Speculative decoding")),
    ("moe", "MoE"),
    ("compare", QT_TRANSLATE_NOOP("insight", "Compare")),
)
_PARTS: dict[str, type[Part]] = {
    "distributions": Distributions, "scheduler": Scheduler, "kv": Cache, "interference": Interference, "forward": Forwards,
    "pd": Separation, "spec": Speculation, "moe": Experts, "compare": Comparison,
}  # fmt: skip
_GOES_TO = {"requests": "latency", "throughput": "scheduler", "tokens": "scheduler", "goodput": "latency", "kv": "kv"}
_METRICS = ("ttft", "tpot", "e2e", "queue")


class OverviewPage(Page):
    """Figures, latencies, requests, and what lies behind them."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.work = Background(self)
        self.bar, self.kpis, self.empty = OverviewBar(), KpiStrip(), EmptyPage("gauge")
        self.tabs = QTabBar()
        self.tabs.setObjectName("panel")
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.curves, self.requests = LatencyCurves(context), Requests(context)
        self.parts: dict[str, Part] = {}  # made when they are seen first
        self.shown: Shown | None = None
        self.stretch: tuple[int, int] | None = None
        self.row: dict[str, Any] = {}
        self._goodput: list[dict[str, Any]] = []
        self._base_row: dict[str, Any] | None = None
        self._available: dict[str, str] = {}
        self._pending: dict[str, Any] | None = None
        self._status: list[str] = []
        self._pair: tuple[str, str] | None = None
        self._build()
        self._connect()
        self._show_tabs()

    def _build(self) -> None:
        box = QFrame()
        box.setObjectName("box")
        self.upper = QSplitter(Qt.Orientation.Vertical)
        self.upper.setObjectName("panels")
        self.upper.setHandleWidth(10)
        self.upper.setChildrenCollapsible(False)
        self.upper.addWidget(self.curves)
        self.upper.addWidget(self.requests)
        self.upper.setSizes([200, 420])
        self.pages = QStackedWidget()
        self.pages.addWidget(self.upper)
        inner = parts.rows(box, margins=(1, 1, 1, 1))
        inner.addWidget(self.tabs)
        inner.addWidget(parts.line())
        inner.addWidget(self.pages, 1)
        content = QWidget()
        content.setObjectName("frame")
        column = parts.rows(content, margins=(12, 10, 12, 10), gap=10)
        column.addWidget(self.kpis)
        column.addWidget(box, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(content)
        self.stack.addWidget(self.empty)
        whole = parts.rows(self)
        whole.addWidget(self.bar)
        whole.addWidget(self.stack, 1)

    def _connect(self) -> None:
        context, bar = self.context, self.bar
        context.store_changed.connect(self.refresh)
        context.card_selected.connect(self._card_clicked)
        context.compare_changed.connect(self._compared)
        context.request_wanted.connect(self.jump)
        bar.card_changed.connect(self._card_chosen)
        bar.limits_changed.connect(lambda _limits: self._changed())
        bar.base_changed.connect(lambda _base: self._changed())
        bar.window_dropped.connect(lambda: self.set_window(None))
        bar.differences_wanted.connect(self._show_differences)
        bar.own_limits_wanted.connect(self._own_limits)
        bar.export_wanted.connect(lambda every: self.requests.table.export_dialog(all_rows=every))
        self.tabs.currentChanged.connect(self._tab_chosen)
        self.kpis.clicked.connect(self._kpi_clicked)
        self.curves.percentile_wanted.connect(self.show_percentile)
        self.requests.told.connect(self._tell)
        self.requests.table.exported.connect(
            lambda path: context.message.emit("success", tr("Written: {0}").format(path), "")
        )
        self.requests.table.failed.connect(lambda e: context.message.emit("error", e.message, e.fix))
        for part in (self.curves, self.requests):
            self._connect_part(part)

    def _connect_part(self, part: Part) -> None:
        part.request_wanted.connect(self.show_request)
        part.window_wanted.connect(self.set_window)
        part.jump_wanted.connect(self._jump)
        if part is self.requests:
            part.jump_wanted.connect(lambda _to: self._follow())

    def part(self, key: str) -> QWidget:
        """What a tab shows."""
        if key not in _PARTS:
            return self.upper
        if key not in self.parts:
            made = self.parts[key] = _PARTS[key](self.context)
            self._connect_part(made)
            if isinstance(made, Distributions):
                made.percentile_wanted.connect(self.show_percentile)
            self.pages.addWidget(made)
            if self.shown is not None:
                made.show_run(self.shown)
        return self.parts[key]

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "stack"):
            self.bar.retranslate()
            self._show_tabs()
            self.refresh()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.context.status.emit(self._status)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.stretch is not None:
            self.set_window(None)
        else:
            super().keyPressEvent(event)

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """The runs or the selection changed."""
        cards = self.context.store.cards_of("service")
        self.bar.set_cards(cards, self.context.card)
        if self._pending is not None and cards:
            state, self._pending = self._pending, None
            self._apply(state)
        self._take_compared()
        if not cards:
            self._show_nothing()
            return
        self._changed()

    def _take_compared(self) -> bool:
        base, card = self.context.baseline, self.context.comparison
        names = {c.name for c in self.context.store.cards_of("service")}
        pair = (base, card) if base in names and card in names and base is not None and card is not None else None
        if pair == self._pair:
            return False
        self._pair = pair
        if pair is not None:
            self.bar.choose(pair[1])
            self.bar.set_base(pair[0])
        return True

    def _compared(self) -> None:
        if self._take_compared():
            self._changed()

    def _card_clicked(self, name: str) -> None:
        if self.bar.choose(name):
            self.stretch = None
            self._changed()

    def _card_chosen(self, name: str) -> None:
        self.stretch = None
        if name and name not in (ALL, self.context.card):
            self.context.card = name
            self.context.card_selected.emit(name)
        self._changed()

    def set_window(self, window: object) -> None:
        """Limit all statistics to a stretch of time, or to none."""
        found = (int(window[0]), int(window[1])) if isinstance(window, tuple) and window[1] > window[0] else None
        if found != self.stretch:
            self.stretch = found
            self._changed()

    def _changed(self) -> None:
        """Ask for the figures of what is chosen; the parts follow when they are there."""
        card = self.bar.card
        if card is None:
            return
        self.context.view_changed.emit()
        store, window = self.context.store, self.stretch
        start, end = window or (None, None)
        limits = {f"{metric}_ms": value for metric, value in self.bar.limits().items()}
        base = self.bar.base

        def figures() -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]], dict[str, Any]]:
            row = queries.kpis(store, card=card, start_ns=start, end_ns=end).to_pylist()[0]
            good = requests.goodput(store, card=card, start_ns=start, end_ns=end, **limits).to_pylist()
            tabs = queries.tabs(store, card=card).to_pylist()
            whole = row if window is None else queries.kpis(store, card=card).to_pylist()[0]
            return row, good, tabs, whole

        self.work.run("figures", figures, then=lambda found: self._arrived(card, base, found), failed=self._failed)

    def _failed(self, error: InsightError) -> None:
        self.stack.setCurrentWidget(self.empty)
        self.empty.show_content(
            say(error.message), say(error.fix), offers=[Offer(tr("Try again"), "arrow-clockwise", self._changed)]
        )

    def _arrived(self, card: str, base: str | None, found: tuple[Any, ...]) -> None:
        self.row, self._goodput, tabs, whole = found
        self._available = {one["tab"]: "" if one["available"] else one["missing"] for one in tabs}
        if self.row["message"] and self.stretch is None and not self._has_other():
            self._show_empty()
            return
        self.stack.setCurrentIndex(0)
        self.kpis.show_kpis(kpis_of(self.row, self._goodput))
        self.bar.show_differences(self.row["differs"])
        zero = whole["first_ns"]
        low, high = self.stretch or (whole["first_ns"], whole["last_ns"])
        words = tr("Window {0} – {1} s").format(f"{(low - zero) / 1e9:,.1f}", f"{(high - zero) / 1e9:,.1f}")
        self.bar.show_window(words, limited=self.stretch is not None)
        self._show_tabs()
        folders = tuple(str(c.folder) for c in self.context.store.cards_of("service") if card in (ALL, c.name))
        self.shown = shown = Shown(card, base, self.stretch, tuple(self.bar.limits().items()), zero, folders)
        for part in (self.curves, self.requests, *self.parts.values()):
            part.show_run(shown)
        if self.requests.current() is None:
            self._tell([])

    def _has_other(self) -> bool:
        """Something can be shown although no request ended: steps, cache, cards."""
        return any(not self._available.get(name, "x") for name in ("scheduler", "kv", "forward")) or bool(
            self.row["running"] + self.row["no_arrival"] + self.row["no_token"]
        )

    def _show_nothing(self) -> None:
        self._tell([])
        self.stack.setCurrentWidget(self.empty)
        gives = tr("requests, batches, cache, forward passes")
        names = ("profiler.db", "chrome_tracing.json", "ms_service_*.db", "request.csv, batch.csv, …")
        self.empty.show_content(
            tr("No serving run is open"),
            tr("This page shows how a service answered its requests: latencies, batches, the KV cache, and why requests were slow."),
            files=[FileLine(name, gives, "missing", tr("missing")) for name in names],
        )  # fmt: skip

    def _show_empty(self) -> None:
        self._tell([])
        self.stack.setCurrentWidget(self.empty)
        card = self.bar.card or ""
        self.empty.show_content(
            tr("{0} has no requests to measure").format(card), f"{say(self.row['message'])} {say(self.row['fix'])}",
            offers=[Offer(tr("Show the Timeline"), "chart-bar-horizontal", lambda: self._jump(Jump(card)))],
        )  # fmt: skip

    # ---- tabs --------------------------------------------------------------------------------------------------------

    def _show_tabs(self) -> None:
        current = self.tab
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for key, title in TABS:
            missing = self._available.get("latency" if key == "distributions" else key, "")
            if missing:
                continue
            at = self.tabs.addTab(tr(title))
            self.tabs.setTabData(at, key)
        hidden = [tr(title) for key, title in TABS if self._available.get(key)]
        self.tabs.setToolTip(tr("Without data: {0}").format(", ".join(hidden)) if hidden else "")
        self.tabs.blockSignals(False)
        self.show_tab(current or "latency")

    @property
    def tab(self) -> str:
        """Key of the tab in front."""
        at = self.tabs.currentIndex()
        return str(self.tabs.tabData(at)) if at >= 0 else ""

    def show_tab(self, key: str) -> None:
        """Bring a tab to the front; the first one when it is not there."""
        places = {str(self.tabs.tabData(i)): i for i in range(self.tabs.count())}
        self.tabs.setCurrentIndex(places.get(key, 0))
        self._tab_chosen(self.tabs.currentIndex())

    def _tab_chosen(self, _at: int) -> None:
        key = self.tab
        self.pages.setCurrentWidget(self.part(key))
        self.context.view_changed.emit()

    # ---- ways --------------------------------------------------------------------------------------------------------

    def _kpi_clicked(self, key: str) -> None:
        if key in _METRICS:
            self.show_percentile(key, 90.0)
            return
        self.show_tab(_GOES_TO.get(key, "latency"))

    def show_percentile(self, metric: Any, percentile: float) -> None:
        """Show the request nearest to a percentile of a metric."""
        store, card = self.context.store, self.bar.card
        start, end = self.stretch or (None, None)

        def nearest() -> pa.Table:
            return requests.nearest(store, metric=metric, percentile=percentile, card=card, start_ns=start, end_ns=end)

        def show(table: pa.Table) -> None:
            row = table.to_pylist()[0]
            self.show_request(row["rid"])
            rank = tr("{0} of {1}").format(number_text.count(row["rank"]), number_text.count(row["of"]))
            self._tell([row["rid"], percentile_words(metric, percentile), number_text.duration(row["value_ns"]), rank])

        failed = lambda e: self.context.message.emit("warning", say(e.message), say(e.fix))  # noqa: E731
        self.work.run("nearest", nearest, then=show, failed=failed)

    def show_request(self, rid: str) -> None:
        """Bring the table to the front with this request chosen."""
        self.show_tab("latency")
        self.requests.select(rid)

    def jump(self, to: RequestPlace) -> None:
        """Show a request of a run."""
        self._card_clicked(to.card)
        self.show_request(to.rid)

    def _show_differences(self) -> None:
        self.show_tab("latency")
        self.requests.show_differences()

    def _own_limits(self) -> None:
        found = {}
        for metric in ("ttft", "tpot"):
            value = self.row.get(f"{metric}_p90_ns")
            if value is not None:
                found[metric] = max(1.0, round(value / 1e6))
        if found:
            self.bar.set_limits(found, say=True)

    def _jump(self, jump: Jump) -> None:
        self.context.tab_wanted.emit("system.timeline")
        self.context.jump.emit(jump)

    def _follow(self) -> None:
        """Who goes from a request to the Timeline finds its events marked there."""
        rid, card = self.requests.current(), self.bar.card
        if rid is not None and card not in (None, ALL):
            self.context.request_chosen.emit(RequestPlace(str(card), rid))

    def _tell(self, texts: list[str]) -> None:
        if not texts and self.row:
            texts = [self.bar.card or "", tr("tokens from {0}").format(self.row["token_source"] or "–")]
            texts += [tr("Percentiles: linear interpolation")]
        self._status = texts
        if self.isVisible():
            self.context.status.emit(texts)

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Run, baseline, limits, window, tab, table."""
        return {
            "card": self.bar.card, "base": self.bar.base, "limits": self.bar.limits(), "tab": self.tab,
            "window": list(self.stretch) if self.stretch else None, "table": self.requests.table.view_state(),
            "request": self.requests.current(),
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave, now or when the runs are there."""
        cards = self.context.store.cards_of("service")
        if cards:
            self.bar.set_cards(cards, self.context.card)
            self._apply(state)
            self._changed()
        else:
            self._pending = dict(state)

    def _apply(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("limits"), dict):
            self.bar.set_limits({k: v for k, v in state["limits"].items() if isinstance(v, int | float)})
        if isinstance(state.get("card"), str):
            self.bar.choose(state["card"])
        self.bar.set_base(state["base"] if isinstance(state.get("base"), str) else None)
        window = state.get("window")
        if isinstance(window, list) and len(window) == 2 and all(isinstance(v, int) for v in window):
            self.stretch = (window[0], window[1]) if window[1] > window[0] else None
        if isinstance(state.get("tab"), str):
            self.show_tab(state["tab"])
        if isinstance(state.get("table"), dict):
            self.requests.table.restore_state(state["table"])


TAB = Tab("service.overview", QT_TRANSLATE_NOOP("insight", "Overview"), OverviewPage)
