"""The Service Overview, offscreen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication
from tests.support.service_run import T0, run_of

from insight_desktop.engine.store import Store
from insight_desktop.views.app import make_app
from insight_desktop.views.common import language, pools
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.service.overview import OverviewPage
from insight_desktop.views.service.overview_kpis import latency_text
from insight_desktop.views.service.overview_waterfall import segments_of


def settle() -> None:
    quiet = time.monotonic()
    end = quiet + 20
    while time.monotonic() < end and time.monotonic() - quiet < 0.15:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        if not pools.is_idle():
            quiet = time.monotonic()


@pytest.fixture
def both(real: Callable[[str], Path]) -> Store:
    store = Store()
    for name in ("g1", "g2"):
        for card in run_of(real(f"service/{name}")).every_card:
            store.put(card)
    return store


@pytest.fixture
def page(both: Store) -> Iterator[OverviewPage]:
    make_app()
    language.set_language("en", remember=False)
    context = Context(both)
    shown = OverviewPage(context)
    shown.resize(1400, 800)
    shown.show()
    shown.refresh()
    settle()
    yield shown
    shown.close()
    settle()


def kpi(page: OverviewPage, name: str) -> tuple[str, str, str, str]:
    card = next(c for c in page.kpis.cards if c.name.text() == name)
    return card.value.text(), card.unit.text(), card.context.full_text(), card.chip.text()


@pytest.mark.row("service", 23)
def test_figures_at_the_top(page: OverviewPage) -> None:
    assert kpi(page, "Requests done")[0] == "3"
    assert kpi(page, "Throughput")[:2] == ("52.17", "req/s")
    assert kpi(page, "TTFT P90") == ("35.50", "ms", "P50 27.5 · P99 37.3", "in SLO")
    page.bar.set_limits({"ttft": 30.0, "tpot": 20.0}, say=True)
    settle()
    assert kpi(page, "Goodput") == ("34.78", "req/s", "66.7 % meet all limits", "target 95 %")
    assert kpi(page, "TTFT P90")[3] == "over SLO"


@pytest.mark.row("service", 36)
def test_percentile_leads_to_its_request_and_the_batches_that_held_it(page: OverviewPage) -> None:
    page.show_percentile("ttft", 99.0)
    settle()
    assert page.requests.current() == "B"
    detail = page.requests.detail
    assert detail.rid == "B"
    assert detail.batches.table.table["step"].to_pylist() == [2, 3, 4]
    marked: list[Any] = []
    page.context.request_chosen.connect(marked.append)
    page.requests.select("B")
    assert [(m.card, m.rid) for m in marked] == [("g1_0", "B")]
    jumps: list[Jump] = []
    page.context.jump.connect(jumps.append)
    detail.batches.activated.emit(0)
    assert [(j.card, j.slice_id) for j in jumps] == [("g1_0", detail.batches.row(0)["execute_id"])]
    detail.timeline_button.click()
    assert (jumps[1].start_ns, jumps[1].end_ns) == (T0 + 9_999_800, T0 + 58_500_000)


@pytest.mark.row("service", 24)
def test_rows_show_what_the_waterfall_adds_up_to(page: OverviewPage) -> None:
    table = page.requests.table.table
    row = next(r for r in table.to_pylist() if r["rid"] == "A")
    segments = segments_of(row, [])
    assert [(p, round((b - a) / 1e6, 2)) for p, a, b in segments] == [("frontend", 0.5), ("queue", 0.67), ("prefill", 10.33), ("decode", 35.0)]  # fmt: skip
    assert page.requests.totals.texts()["rid"] == "Mean of 3"


@pytest.mark.row("service", 26)
def test_stall_is_drawn_inside_decode(page: OverviewPage) -> None:
    page.bar.choose("g2_0")
    page._changed()
    settle()
    row = next(r for r in page.requests.table.table.to_pylist() if r["rid"] == "E")
    stalls = page.requests.delegate.stalls["E"]
    assert [((a - T0) / 1e6, (b - T0) / 1e6) for a, b in stalls] == [(23.17, 45.17)]
    assert ("stalled", pytest.approx(22_070_000, abs=1000), pytest.approx(44_070_000, abs=1000)) in segments_of(
        row, stalls
    )


@pytest.mark.row("service", 36)
def test_range_on_a_chart_limits_the_whole_page_until_esc(page: OverviewPage) -> None:
    page.set_window((T0 + 5_000_000, T0 + 25_000_000))
    settle()
    assert kpi(page, "Requests done")[0] == "2"
    assert page.requests.table.table["rid"].to_pylist() == ["B", "C"]
    assert not page.bar.window_chip.isHidden()
    page.bar.window_dropped.emit()
    settle()
    assert kpi(page, "Requests done")[0] == "3"


@pytest.mark.row("service", 22)
def test_recorded_values_that_differ_are_one_click_away(page: OverviewPage) -> None:
    assert page.bar.differ_chip.text() == "⚠ 1 recorded value differs"
    page.bar.differences_wanted.emit()
    settle()
    assert page.requests.table.shown_table()["rid"].to_pylist() == ["B"]
    assert "recorded_ttft_ns" in [c.name for c in page.requests.table.shown_columns()]


def test_every_tab_answers(page: OverviewPage) -> None:
    messages: list[Any] = []
    page.context.message.connect(lambda *texts: messages.append(texts))
    page.bar.set_base("g2_0")
    page._changed()
    for tab in ("distributions", "scheduler", "kv", "interference", "forward", "compare"):
        page.show_tab(tab)
        settle()
        assert (page.tab, messages) == (tab, [])


def test_map_over_time_keeps_the_empty_stretches(page: OverviewPage) -> None:
    page.show_tab("distributions")
    settle()
    cells = page.parts["distributions"].heat.area.cells  # type: ignore[attr-defined]
    assert cells.values.shape == (24, 60)
    assert np.nansum(cells.values) == 3
    requests_at = np.flatnonzero(~np.isnan(cells.values).all(axis=0)).tolist()
    assert requests_at == [0, 28, 59]  # A at 1, B at 10, C at 20 ms: 9 of 19 ms are 28.4 of 60 columns


def test_tabs_without_data_are_left_out(page: OverviewPage) -> None:
    shown = [page.tabs.tabText(i) for i in range(page.tabs.count())]
    assert shown == [
        "Latency and requests",
        "Distributions",
        "Scheduler",
        "KV cache",
        "Interference",
        "Forward / DP",
        "Compare",
    ]
    assert "MoE" in page.tabs.toolTip()


@pytest.mark.row("service", 31)
def test_comparison_tells_better_and_worse(page: OverviewPage) -> None:
    page.bar.set_base("g2_0")
    page._changed()
    page.show_tab("compare")
    settle()
    rows = {r["name"]: r for r in page.parts["compare"].figures.table.table.to_pylist()}  # type: ignore[attr-defined]
    assert rows["E2E Mean"]["verdict"] == "better ▲"
    assert rows["Requests done"]["difference"] == 1.0


def test_all_runs_together(page: OverviewPage) -> None:
    page.bar.choose("*")
    page._changed()
    settle()
    assert kpi(page, "Requests done")[0] == "5"
    assert "card" in [c.name for c in page.requests.table.shown_columns()]


def test_state_comes_back(page: OverviewPage, both: Store) -> None:
    page.bar.choose("g2_0")
    page.bar.set_limits({"ttft": 33.0})
    page._changed()
    page.show_tab("kv")
    settle()
    state = page.view_state()
    other = OverviewPage(Context(both))
    other.restore_state(state)
    other.refresh()
    settle()
    assert (other.bar.card, other.bar.limits(), other.tab) == ("g2_0", {"ttft": 33.0}, "kv")
    other.close()


def test_nothing_open_says_what_the_page_reads() -> None:
    make_app()
    page = OverviewPage(Context(Store()))
    page.refresh()
    assert page.stack.currentWidget() is page.empty
    assert page.empty.title.text() == "No serving run is open"
    page.close()


def test_latencies_are_told_in_seconds_when_they_are_long() -> None:
    assert latency_text(81_290_000) == ("81.29", "ms")
    assert latency_text(441_700_000) == ("441.7", "ms")
    assert latency_text(8_960_000_000) == ("8.96", "s")
    assert latency_text(None) == ("–", "")
