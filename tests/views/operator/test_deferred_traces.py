"""Large traces are read when the Timeline is seen, and shown like a card that is being read until then."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from tests.support import operator_bins as bins

from insight_desktop.ingest.formats import operator_bin
from insight_desktop.views.common.context import Context
from insight_desktop.views.operator.timeline import OperatorTimelinePage


def test_trace_comes_when_the_page_is_seen(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(operator_bin, "LATER_BYTES", 100)
    store = bins.opened(bins.write(tmp_path / "add", bins.sample()))
    page = OperatorTimelinePage(Context(store))
    qtbot.addWidget(page)
    page.refresh()
    assert page.inner.traces.reading == {}
    page.show()
    qtbot.waitUntil(lambda: page.state.first_card is not None, timeout=30_000)
    capture = page.state.capture("add")
    assert capture is not None
    assert len(capture.slice_start) == 4
    assert page.inner.reading == {}
    page.inner.traces.close()


def test_trace_that_cannot_be_read_stays_a_failed_card(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(operator_bin, "LATER_BYTES", 100)
    path = bins.write(tmp_path / "add", bins.sample())
    store = bins.opened(path)
    path.write_bytes(b"gone")
    page = OperatorTimelinePage(Context(store))
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: any(item.status == "failed" for item in page.inner.traces.reading.values()), timeout=30_000)
    qtbot.waitUntil(lambda: getattr(page.inner.reading.get("add"), "status", "") == "failed", timeout=10_000)
    page.inner.traces.close()
