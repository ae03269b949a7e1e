"""Results of SQL as jumps and as a lane."""

from __future__ import annotations

import datetime
from pathlib import Path

import pyarrow as pa
import pytest
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.debug_lane import Jump, can_jump, jump, sql_lane
from insight_desktop.errors import BadArgument

LANE = {"pid": 1, "tid": 1}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    slices = [
        {**LANE, "name": "a", "start_ns": 100, "end_ns": 200},
        {**LANE, "name": "b", "start_ns": 120, "end_ns": 150},
        {**LANE, "tid": 2, "name": "c", "start_ns": 150, "end_ns": 400},
    ]
    instants = [{**LANE, "tid": 2, "name": "mark", "ts_ns": 300}]
    folder = build(tmp_path / "c", slices=slices, instants=instants).folder
    return Store([StoreCard("0", "0", 0, "", "text", folder)])


@pytest.mark.row("system-timeline", 101)
def test_rows_of_a_query_lead_to_their_slices(store: Store) -> None:
    found = store.user_sql("SELECT card, id, name FROM slice ORDER BY ts_ns DESC")
    assert can_jump(found)
    assert [jump(store, found, row) for row in range(3)] == [
        Jump("0", 2, 1, 150, 400),
        Jump("0", 1, 0, 120, 150),
        Jump("0", 0, 0, 100, 200),
    ]
    points = store.user_sql("SELECT card, id FROM instant")
    assert jump(store, points, 0) == Jump("0", 3, 1, 300, 300)


def test_rows_with_a_time_lead_to_it(store: Store) -> None:
    found = pa.table({"ts_ns": [5, None, 7], "dur_ns": [10, 1, None], "end_ns": [99, 99, 9]})
    assert [jump(store, found, row) for row in range(3)] == [
        Jump("0", None, None, 5, 15),
        None,
        Jump("0", None, None, 7, 9),
    ]


def test_rows_that_name_nothing_lead_nowhere(store: Store) -> None:
    assert not can_jump(pa.table({"name": ["a"], "id": [1]}))
    assert jump(store, pa.table({"card": ["9"], "id": [1]}), 0) is None
    assert jump(store, pa.table({"card": ["0"], "id": [44]}), 0) is None
    assert jump(store, pa.table({"card": ["0"], "id": pa.array([None], pa.int64())}), 0) is None


@pytest.mark.row("system-timeline", 101)
def test_a_result_with_times_becomes_a_lane_with_depth_rows(store: Store) -> None:
    lane = sql_lane(store.user_sql("SELECT card, ts_ns, dur_ns, name FROM slice ORDER BY name DESC"))
    # Rows of the result: c 150-400, b 120-150, a 100-200. a is first; b and then c stand below it.
    assert lane.card == "0"
    assert lane.rows == 2
    assert lane.start.tolist() == [100, 120, 150]
    assert lane.end.tolist() == [200, 150, 400]
    assert lane.row_offset.tolist() == [0, 1, 3]
    assert lane.table_row.tolist() == [2, 1, 0]
    assert [lane.names[i].as_py() for i in lane.name] == ["a", "b", "c"]
    assert lane.skipped == 0
    own = store.capture("0")
    hashes = dict(zip(own.strings.to_pylist(), own.string_hash.tolist(), strict=True))
    assert lane.hashes().tolist() == [hashes[name] for name in lane.names.to_pylist()]


def test_ends_decimals_and_empty_cells(store: Store) -> None:
    found = store.user_sql("SELECT sum(ts_ns) AS ts_ns, sum(end_ns) AS end_ns FROM slice GROUP BY name ORDER BY name")
    assert sql_lane(found).end.tolist() == [200, 150, 400]
    lane = sql_lane(pa.table({"start_ns": [30.4, float("nan"), 9.0, 50.0], "dur_ns": [1, 2, None, -3]}))
    assert (lane.start.tolist(), lane.end.tolist(), lane.skipped) == ([30], [31], 3)
    assert [lane.names[i].as_py() for i in lane.name] == ["0"]
    assert sql_lane(pa.table({"ts_ns": [7, 3], "name": [None, "x"]})).end.tolist() == [3, 7]
    empty = sql_lane(pa.table({"ts_ns": pa.array([], pa.int64())}))
    assert (empty.rows, empty.row_offset.tolist()) == (0, [0])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"name": ["a"]}), "has no time"),
        (pa.table({"ts_ns": ["5"]}), "holds string"),
        (pa.table({"ts_ns": [datetime.datetime(2026, 1, 1)]}), "not times in ns"),
        (pa.table({"ts_ns": [1, 2], "card": ["0", "1"]}), "several cards"),
    ],
)
def test_what_cannot_be_a_lane_is_told(table: pa.Table, message: str) -> None:
    with pytest.raises(BadArgument, match=message):
        sql_lane(table)
