"""The window with the real importer: small traces, one of them damaged."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot
from tests.support.cluster_files import operator, write_rank
from tests.support.memscope_files import free, malloc, write_db

from insight_desktop.engine.load_options import Pairing
from insight_desktop.engine.system import communication, summary
from insight_desktop.views.app import make_window
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.memory.memscope import MemscopePage


def write_trace(folder: Path, rank: int, *, damaged: bool = False) -> None:
    output = folder / f"host_{rank}_20260101000000000_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True)
    (output.parent / f"profiler_info_{rank}.json").write_text(json.dumps({"rank_id": rank}))
    events = [
        {"ph": "X", "name": f"op{i}", "pid": 1, "tid": 1, "ts": str(1000 + 10 * i), "dur": 5, "args": {}}
        for i in range(100)
    ]
    text = json.dumps(events)
    (output / "trace_view.json").write_bytes(b"\0" * 5000 if damaged else text.encode())


@pytest.mark.row("system-timeline", 14)
def test_one_damaged_card_of_four_leaves_three_usable(qtbot: QtBot, look: None, tmp_path: Path) -> None:
    run = tmp_path / "run"
    for rank in range(4):
        write_trace(run, rank, damaged=rank == 2)
    before = sorted(str(p) for p in run.rglob("*"))
    window = make_window()
    window.resize(1280, 720)
    window.show()
    gaps: list[float] = []
    last = [time.thread_time()]  # processor time of the window's thread: a busy machine does not count
    beat = QTimer()

    def tick() -> None:
        now = time.thread_time()
        gaps.append(now - last[0])
        last[0] = now

    beat.timeout.connect(tick)
    beat.start(5)
    window.opening.open_paths([run])
    qtbot.waitUntil(lambda: window.workspace.current is not None and not window.workspace.current.busy, timeout=60_000)
    beat.stop()
    cards = window.workspace.current.cards or []  # type: ignore[union-attr]
    usable = [c.name for c in cards if c.status in ("ready", "with notes")]
    assert usable == ["0", "1", "3"]
    assert [c.name for c in window.context.store.cards] == ["0", "1", "3"]
    assert [c.counts["slices"] for c in cards if c.name in usable] == [100, 100, 100]
    assert sorted(str(p) for p in run.rglob("*")) == before
    assert max(gaps) < 0.2
    window.close()
    window.deleteLater()


@pytest.mark.row("system-timeline", 62)
def test_view_of_the_timeline_comes_back_after_a_restart(qtbot: QtBot, look: None, tmp_path: Path) -> None:
    run = tmp_path / "run"
    for rank in range(2):
        write_trace(run, rank)
    states = []
    for attempt in range(2):
        window = make_window()
        window.resize(1600, 900)
        window.show()
        if attempt == 0:
            window.opening.open_paths([run])
        else:
            window.opening.open_recent(window.opening.recent()[0])
        qtbot.waitUntil(lambda window=window: window.sessions._of is not None, timeout=60_000)  # type: ignore[misc]
        if attempt == 0:
            page = window.pages["system.timeline"]
            page.state.viewport.show(100_000, 300_000)  # type: ignore[attr-defined]
            window.workspace.select_card("1")
            window.show_report(True)
        qtbot.wait(300)  # splitters take their sizes when the window was laid out
        state = window.view_state()
        state["window"].pop("geometry")  # the offscreen screen moves windows by the width of their frame
        states.append(state)
        window.close()
        window.deleteLater()
    assert states[0]["window"]["card"] == "1"
    assert states[1] == states[0]


@pytest.mark.row("system-summary-communication", 37)
def test_pages_of_a_job_need_no_card_that_is_read(qtbot: QtBot, look: None, tmp_path: Path) -> None:
    run = tmp_path / "run"
    for rank in range(20):
        write_rank(run, rank, steps=[("1", *range(9))], collective={"hcom_a@7": operator(elapse=1.0)})
    window = make_window()
    window.opening.open_paths([run])
    qtbot.waitUntil(lambda: window.workspace.current is not None, timeout=60_000)
    store = window.context.store
    assert store.cards == []
    assert [t.id for t in window.tab_row._tabs][-3:] == ["system.summary", "system.communication", "system.diagnosis"]
    assert summary.overview(store)["rank"].to_pylist() == list(range(20))
    assert communication.durations(store).num_rows == 20
    window.workspace.delete_card("3")
    assert summary.overview(store)["rank"].to_pylist() == [r for r in range(20) if r != 3]
    window.workspace.close_project()
    assert store.members == ()
    window.close()
    window.deleteLater()


@pytest.mark.row("system-summary-communication", 37)
def test_finished_analysis_opens_without_any_card(qtbot: QtBot, look: None, real: Callable[[str], Path]) -> None:
    window = make_window()
    window.opening.open_paths([real("upstream_unit/cluster_analysis_output")])
    qtbot.waitUntil(lambda: window.workspace.current is not None, timeout=60_000)
    assert [t.id for t in window.tab_row._tabs] == ["system.summary", "system.communication", "system.diagnosis"]
    assert summary.overview(window.context.store).num_rows == 16
    window.close()
    window.deleteLater()


def dump_page(window: MainWindow) -> MemscopePage | None:
    found = window.pages.get("memory.memscope")
    return found if isinstance(found, MemscopePage) and found.dump and found.panels.blocks.table.num_rows else None


def test_how_a_dump_pairs_its_rows_is_chosen_in_its_page_and_stays(qtbot: QtBot, look: None, tmp_path: Path) -> None:
    path = write_db(
        tmp_path / "memscope_dump_1.db", [malloc(0, 0, 0x10, 8), free(1, 40, 0x20, size=32), free(2, 90, 0x10)]
    )
    session = tmp_path / "saved.insight"
    for attempt in range(3):
        window = make_window()
        window.resize(1600, 900)
        window.show()
        if attempt == 0:
            window.opening.open_paths([path])
        elif attempt == 1:
            window.opening.open_recent(window.opening.recent()[0])
        else:  # what a colleague does who has no such project
            window.workspace.delete_projects([p.name for p in window.workspace.projects])
            assert window.sessions.open(session)
        qtbot.waitUntil(lambda window=window: dump_page(window) is not None, timeout=60_000)  # type: ignore[misc]
        page = dump_page(window)
        assert page is not None
        if attempt == 0:
            assert page.panels.blocks.table["size_bytes"].to_pylist() == [8]
            page.panels.pairing.before.click()
        qtbot.waitUntil(lambda page=page: page.panels.blocks.table.num_rows == 2, timeout=60_000)  # type: ignore[misc]
        assert page.dump["pairing"] == Pairing(before_tracing=True)
        qtbot.waitUntil(lambda page=page: page.panels.pairing.before.isEnabled())  # type: ignore[misc]
        assert page.panels.pairing.before.isChecked()
        assert page.panels.blocks.table["size_bytes"].to_pylist() == [32, 8]
        assert window.sessions.save(session)
        window.close()
        window.deleteLater()
