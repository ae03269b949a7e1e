"""The named queries of the timeline on a small run with known rows, and on real data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support import plain_trace
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import timeline
from insight_desktop.errors import BadArgument


@pytest.fixture
def store(tmp_path: Path) -> Store:
    build(
        tmp_path / "0",
        slices=[
            {
                "pid": 5,
                "process": "Python",
                "tid": 51,
                "thread": "Thread 51",
                "name": "a",
                "start_ns": 0,
                "end_ns": 100,
            },
            {
                "pid": 5,
                "process": "Python",
                "tid": 51,
                "thread": "Thread 51",
                "name": "b",
                "start_ns": 10,
                "end_ns": 60,
                "flags": schema.UNFINISHED,
            },
            {
                "pid": 5,
                "process": "Python",
                "tid": 51,
                "thread": "Thread 51",
                "name": "b",
                "start_ns": 70,
                "end_ns": 70,
            },
            {
                "pid": 9,
                "process": "Ascend Hardware",
                "tid": 2,
                "thread": "Stream 2",
                "sort": 1,
                "name": "a",
                "start_ns": 200,
                "end_ns": 230,
            },
        ],
        instants=[{"pid": 5, "process": "Python", "tid": 51, "thread": "Thread 51", "name": "mark", "ts_ns": 65}],
        counters=[
            {"process": "HBM", "counter": "HBM 0/Read", "series": "MB/s", "ts_ns": 5, "value": 1.0},
            {"process": "HBM", "counter": "HBM 0/Read", "series": "MB/s", "ts_ns": 6, "value": None},
            {"process": "HBM", "counter": "HBM 0/Read", "series": "MB/s", "ts_ns": 7, "value": 2.0},
            {
                "process": "CPU Usage",
                "counter": "CPU Avg",
                "series": "Usage(%)",
                "ts_ns": 5,
                "value": 9.0,
                "metrics": "CPU Metrics",
            },
        ],
        links=[(1, 3, "async_npu"), (0, 3, "HostToDevice")],
    )
    return Store([StoreCard("0", "0", 3, "host", "text", tmp_path / "0")])


def test_cards(store: Store) -> None:
    assert timeline.cards(store).to_pylist() == [
        {
            "card": "0",
            "rank": "0",
            "device": 3,
            "host": "host",
            "kind": "text",
            "first_ns": 0,
            "last_ns": 230,
            "slices": 4,
            "instants": 1,
            "counters": 4,
            "links": 2,
        }
    ]


def test_lanes_give_sums_of_raw_durations_and_busy_time(store: Store) -> None:
    rows = [tuple(row.values()) for row in timeline.lanes(store).to_pylist()]
    assert rows == [
        ("0", "Python", "5", "Thread 51", "51", "Thread 51", "slice", 2, 3, 150, 100, 0, 100),
        ("0", "Ascend Hardware", "9", "Stream 2", "2", "Stream 2", "slice", 1, 1, 30, 30, 200, 230),
        ("0", "NPU Metrics", "HBM", "HBM", "", "HBM 0/Read", "counter", 0, 0, 0, 0, 5, 7),
        ("0", "CPU Metrics", "CPU Usage", "CPU Usage", "", "CPU Avg", "counter", 0, 0, 0, 0, 5, 5),
    ]


def test_slices_and_instants_come_by_start(store: Store) -> None:
    rows = timeline.slices(store).to_pylist()
    assert [(r["id"], r["name"], r["ts_ns"], r["dur_ns"], r["row"], r["unfinished"]) for r in rows] == [
        (0, "a", 0, 100, 0, False),
        (1, "b", 10, 50, 1, True),
        (4, "mark", 65, 0, 0, False),
        (2, "b", 70, 0, 1, False),
        (3, "a", 200, 30, 0, False),
    ]
    assert (rows[0]["process"], rows[0]["pid"], rows[0]["thread"], rows[0]["tid"], rows[0]["args"]) == (
        "Python",
        "5",
        "Thread 51",
        "51",
        None,
    )


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({"process": "Python"}, [0, 1, 4, 2]),
        ({"process": "5"}, [0, 1, 4, 2]),
        ({"process": "Python (5)", "thread": "51"}, [0, 1, 4, 2]),
        ({"thread": "Stream 2"}, [3]),
        ({"name": "b"}, [1, 2]),
        ({"name": "B"}, []),
        ({"from_ns": 61, "to_ns": 66}, [0, 4]),
        ({"from_ns": 100}, [0, 3]),
        ({"to_ns": 10}, [0, 1]),
        ({"limit": 2}, [0, 1]),
        ({"limit": 0}, []),
        ({"process": "nobody"}, []),
    ],
)
def test_filters_of_slices(store: Store, filters: dict[str, object], ids: list[int]) -> None:
    assert timeline.slices(store, **filters)["id"].to_pylist() == ids  # type: ignore[arg-type]


def test_counters_leave_gaps_out(store: Store) -> None:
    rows = [tuple(row.values()) for row in timeline.counters(store).to_pylist()]
    assert rows == [
        ("0", "HBM", "HBM 0/Read", "MB/s", 5, 1.0),
        ("0", "HBM", "HBM 0/Read", "MB/s", 7, 2.0),
        ("0", "CPU Usage", "CPU Avg", "Usage(%)", 5, 9.0),
    ]
    assert timeline.counters(store, name="CPU Avg/Usage(%)").num_rows == 1


def test_flows(store: Store) -> None:
    rows = [tuple(row.values()) for row in timeline.flows(store).to_pylist()]
    assert [(r[0], *r[2:]) for r in rows] == [("HostToDevice", "a", 0, "a", 200), ("async_npu", "b", 10, "a", 200)]
    assert timeline.flows(store, category="async_npu").num_rows == 1
    assert timeline.flows(store, category="none").num_rows == 0


@pytest.mark.row("system-timeline", 86)
def test_search_gives_rows_like_slices(store: Store) -> None:
    found = timeline.search(store, text="B", match="name")
    assert found.column_names == timeline.slices(store).column_names
    assert found["id"].to_pylist() == [1, 2]
    assert timeline.search(store, text="mark")["id"].to_pylist() == [4]


@pytest.mark.row("system-timeline", 94)
def test_viewport_gives_the_spans_of_a_frame(store: Store) -> None:
    rows = timeline.viewport(store, from_ns=0, to_ns=1000, px=10).to_pylist()
    assert [(r["lane"], r["row"], r["name"], round(r["x0"], 9), round(r["x1"], 9), r["slices"]) for r in rows] == [
        ("Thread 51", 0, "a", 0.0, 1.0, 1),
        ("Thread 51", 1, "b", 0.1, 0.7, 2),
        ("Stream 2", 0, "a", 2.0, 2.3, 1),
    ]


def test_unknown_card_is_refused(store: Store) -> None:
    for query in (timeline.lanes, timeline.slices, timeline.counters, timeline.flows):
        with pytest.raises(BadArgument):
            query(store, card="7")


def test_no_card_gives_empty_tables() -> None:
    empty = Store()
    tables = [
        timeline.cards(empty),
        timeline.lanes(empty),
        timeline.slices(empty),
        timeline.counters(empty),
        timeline.flows(empty),
        timeline.search(empty, text="a"),
        timeline.viewport(empty, from_ns=0, to_ns=1),
    ]
    assert [t.num_rows for t in tables] == [0] * 7
    assert all(t.num_columns > 5 for t in tables)


@pytest.mark.row("system-timeline", 63)
def test_real_slices_equal_a_plain_reading_of_the_file(real: Callable[[str], Path]) -> None:
    path = next(real("text_level2").rglob("trace_view.json"))
    events = plain_trace.slices(plain_trace.events(path))
    _, imports = import_paths([real("text_level2")])
    found = timeline.slices(Store([StoreCard.of_import(item) for item in imports])).to_pylist()
    wanted = Counter((e["pid"], e["tid"], e["name"], e["start_ns"], e["end_ns"] - e["start_ns"]) for e in events)
    assert Counter((r["pid"], r["tid"], r["name"], r["ts_ns"], r["dur_ns"]) for r in found) == wanted
    by_place = {(e["pid"], e["tid"], e["name"], e["start_ns"]): e["args"] for e in events}
    same = [
        r
        for r in found
        if r["args"] is not None
        and list(json.loads(r["args"])) == list(by_place[r["pid"], r["tid"], r["name"], r["ts_ns"]])
    ]
    assert len(same) == sum(r["args"] is not None for r in found) > 4000


def test_links_without_a_category_have_an_empty_one(tmp_path: Path) -> None:
    events = [
        *({"ph": "X", "name": n, "pid": 1, "tid": t, "ts": ts, "dur": 5} for n, t, ts in (("a", 1, 0), ("b", 2, 20))),
        *({"ph": p, "name": "n", "id": 7, "pid": 1, "tid": t, "ts": ts} for p, t, ts in (("s", 1, 2), ("f", 2, 20))),
    ]
    (tmp_path / "trace_view.json").write_text(json.dumps(events))
    _, imports = import_paths([tmp_path])
    found = timeline.flows(Store([StoreCard.of_import(item) for item in imports])).to_pylist()
    assert [(row["category"], row["id"], row["from_name"], row["to_name"]) for row in found] == [("", "7", "a", "b")]


@pytest.mark.parametrize(("from_ns", "to_ns", "px"), [(10, 5, 100), (5, 5, 100), (0, 10, 0), (0, 10, 2**40)])
def test_a_window_that_cannot_be_drawn_is_refused(tmp_path: Path, from_ns: int, to_ns: int, px: int) -> None:
    with pytest.raises(BadArgument, match="cannot be drawn"):
        timeline.viewport(Store(), from_ns=from_ns, to_ns=to_ns, px=px)


def test_a_negative_limit_is_refused() -> None:
    with pytest.raises(BadArgument, match="limit"):
        timeline.slices(Store(), limit=-1)


def test_links_written_on_threads_without_slices_are_counted_and_the_rest_is_kept(tmp_path: Path) -> None:
    ends = [{"ph": p, "name": "n", "cat": "c", "id": 1, "pid": 1, "tid": t, "ts": 5} for p, t in (("s", 7), ("f", 8))]
    event = {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 9}
    for number, events in enumerate((ends, [event, *ends], [event, {**ends[0], "tid": 1}, ends[1]])):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(events))
        _, imports = import_paths([path])
        assert [(item.status, item.counts["links"]) for item in imports] == [("ready", 0)]
        assert [i["count"] for i in imports[0].issues if i["code"] == "flows.no_slice"] == [1]
