from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support import plain_build
from tests.support.service_run import T0, event, run_of, trace

from insight_desktop.engine.service import timeline
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument


@pytest.fixture
def g1(real: Callable[[str], Path]) -> Store:
    return run_of(real("service/g1"))


@pytest.mark.row("service", 8)
def test_the_events_of_a_request_come_by_time(g1: Store) -> None:
    counts = {rid: timeline.events(g1, rid=rid).num_rows for rid in "ABC"}
    assert counts == {"A": 17, "B": 16, "C": 9}
    rows = timeline.events(g1, rid="C").to_pylist()
    assert [r["name"] for r in rows][:3] == ["httpReq", "Enqueue", "batchFrameworkProcessing"]
    assert [r["ts_ns"] for r in rows] == sorted(r["ts_ns"] for r in rows)
    with pytest.raises(BadArgument, match="no request 'X'"):
        timeline.events(g1, rid="X")


@pytest.mark.row("service", 24)
def test_requests_take_the_first_free_lane(tmp_path: Path) -> None:
    events = []
    for rid, start, end in (("a", 1.0, 5.0), ("b", 2.0, 3.0), ("c", 3.5, 6.0), ("d", 5.5, 7.0)):
        events += [event("httpReq", start, res_list=rid), event("httpRes", end, res_list=rid)]
    store = run_of(trace(tmp_path, events))
    rows = [(r["rid"], r["row"], (r["ts_ns"] - T0) // 1_000_000) for r in timeline.lanes(store).to_pylist()]
    assert rows == [("a", 0, 1), ("b", 1, 2), ("c", 1, 3), ("d", 0, 5)]
    assert timeline.lanes(store, limit=3).num_rows == 0


@pytest.mark.row("service", 24)
def test_requests_come_in_the_asked_order_each_on_its_row(g1: Store) -> None:
    def rows(sort: str) -> dict[str, int]:
        return {r["rid"]: r["row"] for r in timeline.lanes(g1, sort=sort).to_pylist()}

    # TTFT: A 11.5, B 37.5, C 27.5 ms; all 46.5, 48.5, 27.5 ms; queue 0.67, 2.67, 8.67 ms.
    assert rows("ttft") == {"B": 0, "C": 1, "A": 2}
    assert rows("e2e") == {"B": 0, "A": 1, "C": 2}
    assert rows("queue") == {"C": 0, "B": 1, "A": 2}
    assert rows("name") == {"A": 0, "B": 1, "C": 2}
    with pytest.raises(BadArgument, match="cannot be sorted by 'size'"):
        timeline.lanes(g1, sort="size")


@pytest.mark.row("service", 24)
def test_names_sort_by_their_numbers_and_requests_without_a_figure_come_last(tmp_path: Path) -> None:
    events = []
    for rid, start, end in (("r10", 1.0, 2.0), ("r9", 3.0, 6.0), ("r2", 4.0, None)):
        events.append(event("httpReq", start, res_list=rid))
        if end is not None:
            events.append(event("httpRes", end, res_list=rid))
    store = run_of(trace(tmp_path, events))
    assert [r["rid"] for r in timeline.lanes(store, sort="name").to_pylist()] == ["r2", "r9", "r10"]
    assert [r["rid"] for r in timeline.lanes(store, sort="e2e").to_pylist()] == ["r9", "r10", "r2"]
    assert [r["row"] for r in timeline.lanes(store, sort="arrival").to_pylist()] == [0, 0, 1]


@pytest.mark.row("service", 36)
def test_device_traces_of_the_time_of_a_slice_are_found_that_of_its_process_first(tmp_path: Path, g1: Store) -> None:
    def device(name: str, pid: int, start: int, end: int) -> StoreCard:
        lane = {"pid": pid, "process": "python", "tid": 1, "thread": "Stream 1"}
        folder = tmp_path / name
        plain_build.build(folder, slices=[{**lane, "name": "MatMul", "start_ns": T0 + start, "end_ns": T0 + end}])
        return StoreCard(name, name, 0, "", "text", folder)

    cards = [
        device("0", 7, 0, 60_000_000), device("1", 1002, 5_000_000, 60_000_000), device("2", 1002, 90_000_000, 99_000_000),
    ]  # fmt: skip
    store = Store([*g1.cards_of("service"), *cards])
    capture = store.capture("g1_0")
    forward = next(i for i in range(len(capture.slice_start)) if capture.text(int(capture.slice_name[i])) == "forward")
    rows = timeline.kernels(store, slice=forward, card="g1_0").to_pylist()
    assert [(r["card"], r["same_process"]) for r in rows] == [("1", True), ("0", False)]
    assert rows[0]["start_ns"] == pytest.approx(T0 + 5_000_000, abs=1000)
    assert rows[1]["start_ns"] == pytest.approx(T0 + 3_300_000, abs=1000)
    with pytest.raises(BadArgument):
        timeline.kernels(store, slice=10_000, card="g1_0")
