"""Every cause of an idle device on its own, and a gap that has several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.why_free import why_free
from insight_desktop.errors import BadArgument

HOST = {"pid": 1, "process": "Python", "tid": 1, "thread": "Thread 1"}
OTHER = {"pid": 1, "process": "Python", "tid": 2, "thread": "Thread 2"}
CANN = {"pid": 2, "process": "CANN", "tid": 1, "thread": "Thread 1", "sort": 1}
STREAM = {"pid": 9, "process": "Ascend Hardware", "tid": 2, "thread": "Stream 2", "role": schema.ROLE_STREAM, "sort": 2}
GROUP = {"pid": 10, "process": "Communication", "tid": 0, "thread": "Group dp Communication", "role": schema.ROLE_GROUP, "sort": 3}  # fmt: skip

Row = dict[str, Any]


def span(lane: Row, name: str, start: int, end: int) -> Row:
    return {**lane, "name": name, "start_ns": start, "end_ns": end}


# A device that is idle from 100 to 200.
BEFORE, AFTER = span(STREAM, "k1", 0, 100), span(STREAM, "k2", 200, 300)
LINK = [(0, 1, "HostToDevice")]


def store_of(tmp_path: Path, *cards: list[Row], links: Any = (), offsets: tuple[int, ...] = (0, 0, 0)) -> Store:
    made = []
    for rank, slices in enumerate(cards):
        folder = build(tmp_path / str(rank), slices=slices, links=list(links) if rank == 0 else []).folder
        made.append(StoreCard(f"card{rank}", str(rank), rank, "", "text", folder, offset_ns=offsets[rank]))
    return Store(made)


def causes(store: Store, low: int = 100, high: int = 200) -> list[tuple[Any, ...]]:
    found = why_free(store, card="card0", from_ns=low, to_ns=high).to_pylist()
    assert sum(row["share_ns"] for row in found) == high - low
    assert [row["share_ratio"] for row in found] == [row["share_ns"] / (high - low) for row in found]
    return [(row["cause"], row["rank"], row["share_ns"], row["names"]) for row in found]


def test_host_busy(tmp_path: Path) -> None:
    # The launch ends at 190: until then the thread works; the last 10 ns the task is on its way.
    slices = [
        span(CANN, "launch", 170, 190),
        AFTER,
        BEFORE,
        span(CANN, "tiling", 90, 170),
        span(CANN, "inner", 120, 130),
    ]
    assert causes(store_of(tmp_path, slices, links=LINK)) == [
        ("host busy", None, 90, ["tiling", "launch", "inner"]),
        ("dispatch", None, 10, ["k2"]),
    ]


def test_host_busy_on_the_thread_that_feeds_the_submitting_one(tmp_path: Path) -> None:
    slices = [
        span(CANN, "launch", 190, 200), AFTER, span(HOST, "Enqueue", 170, 180), span(HOST, "python op", 110, 168),
        span(OTHER, "noise", 0, 300), span(HOST, "ProfilerStep#3", 0, 300),
    ]  # fmt: skip
    store = store_of(tmp_path, slices, links=[*LINK, (2, 0, "async_task_queue")])
    assert causes(store) == [
        ("host busy", None, 78, ["python op", "Enqueue", "launch"]),
        ("queue empty", None, 22, ["launch"]),
    ]


def test_queue_empty(tmp_path: Path) -> None:
    slices = [span(CANN, "launch", 180, 200), AFTER, BEFORE]
    assert causes(store_of(tmp_path, slices, links=LINK)) == [
        ("queue empty", None, 80, ["launch"]),
        ("host busy", None, 20, ["launch"]),
    ]


def test_dispatch(tmp_path: Path) -> None:
    assert causes(store_of(tmp_path, [span(CANN, "launch", 50, 90), AFTER, BEFORE], links=LINK)) == [
        ("dispatch", None, 100, ["k2"])
    ]


def test_a_call_that_returns_after_its_task_began(tmp_path: Path) -> None:
    store = store_of(tmp_path, [span(CANN, "launch", 150, 230), AFTER, BEFORE], links=LINK)
    assert causes(store) == [("host busy", None, 50, ["launch"]), ("queue empty", None, 50, ["launch"])]


def test_waiting_for_the_rank_that_joins_a_collective_last(tmp_path: Path) -> None:
    # Shown times: card 0 begins at 110, card 1 at 150, card 2 at 170 (recorded at 1170); the operator ends at 190.
    own = [BEFORE, AFTER, span(GROUP, "allReduce", 110, 190), span(GROUP, "allReduce", 210, 220)]
    peer = [span(GROUP, "allReduce", 150, 190), span(GROUP, "allReduce", 500, 510)]
    last = [span(GROUP, "allReduce", 1170, 1190)]
    store = store_of(tmp_path, own, peer, last, offsets=(0, 0, 1000))
    found = why_free(store, card="card0", from_ns=100, to_ns=200).to_pylist()
    assert [(r["cause"], r["rank"], r["share_ns"], r["card"], r["ids"]) for r in found] == [
        ("waiting for rank", "2", 60, "card2", [0]),
        ("communication", None, 20, "card0", [2]),
        ("unknown", None, 20, "card0", []),
    ]


def test_communication_without_other_ranks(tmp_path: Path) -> None:
    transport = span({**STREAM, "tid": 3, "thread": "Stream 3"}, "Notify_Wait", 100, 200)
    slices = [BEFORE, AFTER, transport, span(GROUP, "allReduce", 90, 210)]
    assert causes(store_of(tmp_path, slices)) == [("communication", None, 100, ["allReduce"])]


@pytest.mark.parametrize("name", ["aclrtSynchronizeStream", "aten::item", "EventWait", "cudaDeviceSynchronize"])
def test_synchronisation(tmp_path: Path, name: str) -> None:
    slices = [BEFORE, AFTER, span(HOST, name, 120, 160)]
    assert causes(store_of(tmp_path, slices)) == [("unknown", None, 60, []), ("synchronisation", None, 40, [name])]


def test_the_device_waits_for_an_event(tmp_path: Path) -> None:
    slices = [BEFORE, AFTER, span({**STREAM, "tid": 3, "thread": "Stream 3"}, "EVENT_WAIT", 100, 200)]
    assert causes(store_of(tmp_path, slices)) == [("synchronisation", None, 100, ["EVENT_WAIT"])]


@pytest.mark.parametrize("name", ["GC", "gc collect", "garbage_collection"])
def test_gc(tmp_path: Path, name: str) -> None:
    assert causes(store_of(tmp_path, [BEFORE, AFTER, span(HOST, name, 0, 300)])) == [("gc", None, 100, [name])]


def test_memcpy_on_the_host_and_on_the_device(tmp_path: Path) -> None:
    copy = span({**STREAM, "tid": 3, "thread": "Stream 3"}, "MEMCPY_ASYNC", 150, 200)
    slices = [BEFORE, AFTER, span(CANN, "aclrtMemcpy", 100, 160), copy]
    assert causes(store_of(tmp_path, slices)) == [("memcpy", None, 100, ["aclrtMemcpy", "MEMCPY_ASYNC"])]


def test_a_range_that_is_no_gap_is_busy(tmp_path: Path) -> None:
    store = store_of(tmp_path, [BEFORE, AFTER])
    assert causes(store, 50, 250) == [("device busy", None, 100, ["k1", "k2"]), ("unknown", None, 100, [])]


def test_the_lane_of_computing_tells_when_the_device_computes(tmp_path: Path) -> None:
    lane = {
        "pid": 12,
        "process": "Overlap Analysis",
        "tid": 0,
        "thread": "Computing",
        "role": schema.ROLE_OVERLAP,
        "sort": 4,
    }
    reduction = span({**STREAM, "tid": 3, "thread": "Stream 3"}, "AI_CORE", 100, 190)  # of a collective
    slices = [BEFORE, AFTER, reduction, span(lane, "Computing", 0, 100), span(lane, "Computing", 200, 300)]
    slices.append(span(GROUP, "allReduce", 100, 190))
    store = store_of(tmp_path, slices)
    assert causes(store) == [("communication", None, 90, ["allReduce"]), ("unknown", None, 10, [])]
    assert causes(store, 60, 200)[1] == ("device busy", None, 40, ["k1"])


def test_a_gap_with_several_causes_is_divided_without_overlap(tmp_path: Path) -> None:
    slices = [
        span(CANN, "launch", 185, 195), AFTER, BEFORE, span(HOST, "GC", 100, 130), span(HOST, "aclrtSynchronizeStream", 120, 150),
        span(CANN, "tiling", 140, 170),
    ]  # fmt: skip
    assert causes(store_of(tmp_path, slices, links=LINK)) == [
        ("gc", None, 30, ["GC"]),
        ("host busy", None, 30, ["tiling", "launch"]),
        ("synchronisation", None, 20, ["aclrtSynchronizeStream"]),
        ("queue empty", None, 15, ["launch"]),
        ("dispatch", None, 5, ["k2"]),
    ]


def test_a_range_without_length_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="has no length"):
        why_free(store_of(tmp_path, [BEFORE]), card="card0", from_ns=5, to_ns=5)


def test_a_real_rank_waits_for_the_one_that_joins_late(real: Callable[[str], Path]) -> None:
    _, imports = import_paths([real("db_level1")], kinds={"0": "db", "1": "db"})
    store = Store([StoreCard.of_import(item) for item in imports if item.capture is not None])
    # The first allReduce begins at 431631806 on rank 0 and at 435164432 on rank 1 (ns behind 1736410576 s).
    low, high = 1_736_410_576_431_631_806, 1_736_410_576_435_164_432
    found = {r["cause"]: r for r in why_free(store, card="0", from_ns=low, to_ns=high).to_pylist()}
    waiting = found["waiting for rank"]
    busy = found["device busy"]["share_ns"] if "device busy" in found else 0
    assert (waiting["rank"], waiting["card"], waiting["names"]) == ("1", "1", ["hcom_allReduce__210_0_1"])
    assert waiting["share_ns"] == high - low - busy  # whatever is not computed is waited for
    assert set(found) <= {"waiting for rank", "device busy"}
