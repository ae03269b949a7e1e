"""Large traces wait until the Timeline asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import operator_bins as bins

from insight_desktop.engine.load_worker import Board
from insight_desktop.engine.operator import deferred, details, timeline
from insight_desktop.errors import InsightError
from insight_desktop.ingest.formats import operator_bin


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))


def test_large_trace_is_read_when_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_bin, "LATER_BYTES", 100)
    store = bins.opened(bins.write(tmp_path / "add", bins.sample()))
    card = store.every_card[0]
    assert deferred.is_deferred(card)
    assert [issue["code"] for issue in store.capture("add").manifest.issues] == ["operator_bin.trace_later"]
    assert deferred.folder_of(card) is None
    assert details.base_info(store)["value"][0].as_py() == "add_custom"
    assert [row["name"] for row in timeline.slices(store).to_pylist()] == [
        "MOV_OUT_TO_UB",
        "WAIT_FLAG",
        "SET_FLAG",
        "VADD",
    ]
    found = deferred.folder_of(card)
    assert found is not None
    assert found != card.folder
    assert deferred.read(card) == found


def test_small_trace_is_there_at_once(tmp_path: Path) -> None:
    store = bins.opened(bins.write(tmp_path / "add", bins.sample()))
    card = store.every_card[0]
    assert not deferred.is_deferred(card)
    assert deferred.folder_of(card) == deferred.read(card) == card.folder
    assert deferred.trace_card(card) is None


def test_reading_a_trace_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_bin, "LATER_BYTES", 100)
    store = bins.opened(bins.write(tmp_path / "add", bins.sample()))
    board = Board(1)
    board.cancel(0)
    with pytest.raises(InsightError, match="stopped"):
        deferred.read(store.every_card[0], board)
    assert deferred.folder_of(store.every_card[0]) is None
