"""Entries of the context menu that depend on the kind of data: groups of a job, ftrace, service, simulation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.engine.members import Member
from insight_desktop.engine.store import StoreCard
from insight_desktop.ingest.sources import Source
from insight_desktop.views.common.context import CommunicationPlace
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline import menu
from insight_desktop.views.timeline.verbs import SYNC_TERM

TP_GROUP, DP_GROUP = "10.0.0.1_60000_0_1", "10.0.0.1_60000_0_2"


def lane(group: str) -> dict[str, Any]:
    title = f"Group {group} Communication"
    return {"pid": 3, "process": "Communication", "sort": 2, "label": "NPU", "tid": title, "thread": title}


def collectives() -> list[dict[str, Any]]:
    """Two groups with an operator each, and a kernel."""
    return [
        tp.at(0, 1_000_000, "hcom_allReduce__001_0_1", lane(TP_GROUP)),
        tp.at(200_000, 400_000, "hcom_send__002_0_1", lane(DP_GROUP)),
        tp.at(500_000, 600_000, "Notify_Wait", lane(DP_GROUP)),
        tp.at(200_000, 400_000, "MatMul", tp.S2),
    ]


def source_of(folder: Path, rank: int) -> Source:
    """The files of one of 17 ranks: tensor groups of 4 neighbours, data groups of every fourth rank."""
    side = folder / f"profiler_metadata_{rank}.json"
    of_tp = [rank // 4 * 4 + k for k in range(4)]
    of_dp = [k for k in range(17) if k % 4 == rank % 4]
    groups = {
        TP_GROUP: {"group_name": "tp", "group_rank": 0, "global_ranks": of_tp},
        DP_GROUP: {"group_name": "dp", "group_rank": 0, "global_ranks": of_dp},
    }
    side.write_bytes(orjson.dumps({"parallel_group_info": groups}))
    return Source("trace_json", "text", (folder / f"{rank}.json",), (("profiler_metadata", side),))


@pytest.fixture
def job(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    """Cards 0 and 1 of 17 are read."""
    cards = []
    for rank in range(2):
        plain_build.build(tmp_path / f"c{rank}", slices=collectives())
        cards.append(tp.card(tmp_path / f"c{rank}", str(rank), source=source_of(tmp_path, rank)))
    page = tp.make(qtbot, cards)
    sources = [source_of(tmp_path, rank) for rank in range(17)]
    page.context.store.members = tuple(Member(str(n), str(n), "", s, tmp_path) for n, s in enumerate(sources))
    return page


def entry(page: TimelinePage, item: str) -> tuple[str, bool] | None:
    """Text of an entry and whether it can be chosen; None when it is not listed."""
    found = menu.build(page.body.verbs, page.body).findChild(QAction, item)
    return (found.text().split("\t")[0], found.isEnabled()) if isinstance(found, QAction) else None


def trigger(page: TimelinePage, item: str) -> None:
    found = menu.build(page.body.verbs, page.body).findChild(QAction, item)
    assert isinstance(found, QAction)
    found.trigger()


def select(page: TimelinePage, group: str) -> None:
    page.state.select_lanes([tp.unit(page, f"Group {group} Communication").key])


@pytest.mark.row("system-timeline", 16)
def test_members_of_the_group_that_are_not_read_are_read_and_no_others(job: TimelinePage) -> None:
    asked: list[list[str]] = []
    job.context.parse_requested.connect(asked.append)
    select(job, TP_GROUP)
    assert entry(job, "related") == ("Parse Cards of Related Group (2,3)", True)
    trigger(job, "related")
    select(job, DP_GROUP)
    assert entry(job, "related") == ("Parse Cards of Related Group (4,8,12,16)", True)
    trigger(job, "related")
    assert asked == [["2", "3"], ["4", "8", "12", "16"]]


@pytest.mark.row("system-timeline", 16)
def test_entry_is_grey_when_all_members_are_read(job: TimelinePage, tmp_path: Path) -> None:
    for rank in (2, 3):
        plain_build.build(tmp_path / f"c{rank}", slices=collectives())
        job.context.store.put(tp.card(tmp_path / f"c{rank}", str(rank), source=source_of(tmp_path, rank)))
    job.refresh()
    select(job, TP_GROUP)
    assert entry(job, "related") == ("Parsed All Cards of Related Group", False)
    select(job, DP_GROUP)
    assert entry(job, "related") == ("Parse Cards of Related Group (4,8,12,16)", True)
    job.state.select_lanes([tp.unit(job, "Stream 2").key])
    assert entry(job, "related") is None


@pytest.mark.row("system-timeline", 44)
def test_collective_on_its_group_lane_is_found_on_the_communication_page(job: TimelinePage) -> None:
    asked: list[CommunicationPlace] = []
    job.context.communication_wanted.connect(asked.append)
    unit = tp.unit(job, f"Group {DP_GROUP} Communication")
    slices = {job.state.slice("0", at).name: at for at in range(4)}  # type: ignore[union-attr]
    for name, listed in (("hcom_send__002_0_1", True), ("Notify_Wait", False)):
        job.state.select_lanes([unit.key])
        job.state.select(job.state.slice("0", slices[name]))
        assert (entry(job, "communication") is not None) == listed
    job.state.select_lanes([tp.unit(job, "Stream 2").key])
    job.state.select(job.state.slice("0", slices["hcom_send__002_0_1"]))
    assert entry(job, "communication") is None  # the selected lane is no group
    job.state.select_lanes([unit.key])
    trigger(job, "communication")
    assert asked == [CommunicationPlace(card="0", slice_id=slices["hcom_send__002_0_1"])]


@pytest.mark.row("system-timeline", 44)
def test_a_single_card_has_no_communication_page(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path, slices=collectives())
    select(page, TP_GROUP)
    page.state.select(page.state.slice("0", 0))
    assert entry(page, "communication") is None


@pytest.mark.row("system-timeline", 44)
@pytest.mark.parametrize(
    ("kind", "analysis", "align", "events"),
    [("text", True, True, True), ("ftrace", False, True, True), ("service", False, False, False)],
)
def test_kinds_of_data_have_the_entries_that_work_on_them(
    qtbot: QtBot, tmp_path: Path, kind: str, analysis: bool, align: bool, events: bool
) -> None:
    plain_build.build(tmp_path / "c0", slices=tp.basic())
    page = tp.make(qtbot, [StoreCard("0", "0", 0, "", kind, tmp_path / "c0")])
    tp.click(page.body.canvas, 300, tp.Y["Stream 2"])
    assert (entry(page, "analyse_slice") is not None) == analysis
    assert (entry(page, "align_left") is not None) == align
    assert (entry(page, "events") is not None) == events
    tp.drag(page.body.canvas, [(200, tp.Y["inner"]), (300, tp.Y["inner"]), (400, tp.Y["inner"])])
    assert (entry(page, "analyse") is not None) == analysis
    assert entry(page, "sync") is None


@pytest.mark.row("system-timeline", 44)
def test_waits_of_a_simulated_operator_are_hidden_and_come_back(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slices = [
        tp.at(0, 100_000, "MOV_OUT_TO_UB", tp.T11),
        tp.at(100_000, 110_000, "SET_FLAG", tp.T11),
        tp.at(0, 200_000, "WAIT_FLAG", tp.T12),
        tp.at(300_000, 400_000, "VADD", tp.T12),
    ]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    monkeypatch.setattr(menu, "_kind", lambda _verbs: "simulation")
    page.state.modes.set_flow_categories(["MTE2ToVECTOR"])
    assert entry(page, "sync") == ("Hide SET/WAIT events", True)
    page.filter_box.set_text("V")
    trigger(page, "sync")
    assert page.filter_box.field.text() == f"V {SYNC_TERM}"
    assert page.state.modes.flow_categories == []
    page.filter_box.set_text(SYNC_TERM)
    qtbot.waitUntil(lambda: page.state.filter.found is not None and page.state.filter.found.slices == 2)
    assert entry(page, "sync") == ("Show SET/WAIT events", True)
    trigger(page, "sync")
    assert page.filter_box.field.text() == ""
    assert not page.state.filter.is_on


@pytest.mark.row("system-timeline", 45)
def test_expand_and_collapse_all_change_every_lane_below_the_selected_one(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    python, thread = tp.unit(page, "python3 (1)"), tp.unit(page, "Thread 11")
    page.state.select_lanes([python.key])
    assert entry(page, "expand") is None  # everything below is open
    trigger(page, "collapse")
    assert [page.state.is_open(u) for u in (python, thread)] == [False, False]
    assert page.state.is_open(tp.unit(page, "Ascend Hardware (2)"))  # not below
    assert tp.row(page, "Thread 11") is None
    assert entry(page, "collapse") is None  # and nothing is open any more
    trigger(page, "expand")
    assert [page.state.is_open(u) for u in (python, thread)] == [True, True]
    row = tp.row(page, "Thread 11")
    assert row is not None
    assert (row.kind, row.height) == ("lane", 40)
    page.state.set_open([thread], False)
    page.state.select_lanes([python.key])
    assert entry(page, "expand") == ("Expand all", True)  # one lane would change either way
    assert entry(page, "collapse") == ("Collapse all", True)
    page.state.select_lanes([python.key, thread.key])
    assert (entry(page, "expand"), entry(page, "collapse")) == (None, None)  # exactly one lane
    page.state.select_lanes([tp.unit(page, "Thread 12").key])
    assert (entry(page, "expand"), entry(page, "collapse")) == (None, None)  # one row has nothing to open
