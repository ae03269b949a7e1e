"""The store: order and place of cards, the tables that SQL sees, what the user's SQL may do."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, NoData

E = 1_761_000_000_000_000_000


def card(folder: Path, name: str, start: int, end: int, rank: str | None = None) -> StoreCard:
    build(folder / name, slices=[{"pid": 1, "tid": 1, "name": "op", "start_ns": start, "end_ns": end}])
    return StoreCard(name, name if rank is None else rank, None, "", "text", folder / name)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    capture = build(
        tmp_path / "c",
        slices=[
            {"pid": 7, "tid": 1, "name": "a", "cat": "op", "start_ns": E, "end_ns": E + 50},
            {"pid": 7, "tid": 1, "name": "b", "start_ns": E + 10, "end_ns": E + 20},
            {"pid": 7, "tid": 2, "name": "a", "start_ns": E + 100, "end_ns": E + 130},
        ],
        instants=[{"pid": 7, "tid": 1, "name": "mark", "ts_ns": E + 5}],
        counters=[
            {"process": "HBM", "counter": "Read", "series": "MB/s", "ts_ns": E, "value": 2.5},
            {"process": "HBM", "counter": "Read", "series": "MB/s", "ts_ns": E + 9, "value": None},
        ],
        links=[(0, 2, "fwdbwd")],
    )
    pq.write_table(pa.table({"op": ["x"], "us": [1.5]}), capture.folder / "kernel.parquet")
    return Store([StoreCard("0", "0", 0, "host", "text", capture.folder)])


@pytest.mark.row("system-timeline", 6)
def test_ranks_stand_in_numeric_order_and_cards_without_rank_behind(tmp_path: Path) -> None:
    names = ["10", "2", "0", "1", "11"]
    store = Store([card(tmp_path, "lone", 0, 1, "x"), *(card(tmp_path, name, 0, 1) for name in names)])
    assert [c.name for c in store.cards] == ["0", "1", "2", "10", "11", "lone"]


@pytest.mark.row("system-timeline", 53)
def test_cards_that_do_not_overlap_begin_together_and_overlapping_ones_keep_their_distance(tmp_path: Path) -> None:
    spans = {"0": (1000, 2000), "1": (1500, 3000), "2": (9000, 9500), "3": (9400, 9900)}
    store = Store([card(tmp_path, name, *span) for name, span in spans.items()])
    assert store.default_offsets() == {"0": 0, "1": 0, "2": 8000, "3": 8000}
    assert (store.base_ns, store.range()) == (1000, (1000, 9900))
    for name, offset in store.default_offsets().items():
        store.set_offset(name, offset)
    assert store.range() == (1000, 3000)


def test_empty_store_has_no_range() -> None:
    store = Store()
    assert (store.base_ns, store.range(), store.full_range(), store.default_offsets()) == (0, (0, 0), (0, 0), {})
    with pytest.raises(NoData):
        store.card(None)


def test_outliers_do_not_widen_the_range(tmp_path: Path) -> None:
    folder = card(tmp_path, "0", E, E + 50).folder
    manifest = (folder / "manifest.json").read_text()
    (folder / "manifest.json").write_text(manifest.replace(f'"start_ns": {E}, "end_ns"', '"start_ns": 0, "end_ns"', 1))
    store = Store([StoreCard("0", "0", None, "", "text", folder)])
    assert (store.range(), store.full_range()) == ((E, E + 50), (0, E + 50))


def test_tables_hold_what_the_capture_holds(store: Store) -> None:
    slices = store.sql(
        "SELECT id, card, track, row, name::VARCHAR AS name, category::VARCHAR AS category, ts_ns, dur_ns FROM slice ORDER BY id"
    )
    assert [tuple(row.values()) for row in slices.to_pylist()] == [
        (0, "0", 0, 0, "a", "op", E, 50),
        (1, "0", 0, 1, "b", None, E + 10, 10),
        (2, "0", 1, 0, "a", None, E + 100, 30),
    ]
    assert store.sql("SELECT id, name::VARCHAR AS n, ts_ns FROM instant").to_pylist() == [
        {"id": 3, "n": "mark", "ts_ns": E + 5}
    ]
    assert store.sql("SELECT sum(value) AS v FROM counter WHERE NOT isnan(value)").to_pylist() == [{"v": 2.5}]
    assert store.sql("SELECT from_id, to_id, category::VARCHAR AS c FROM link").to_pylist() == [
        {"from_id": 0, "to_id": 2, "c": "fwdbwd"}
    ]
    assert store.sql("SELECT card, host FROM card").to_pylist() == [{"card": "0", "host": "host"}]


@pytest.mark.row("system-timeline", 101)
def test_a_select_of_the_user_joins_lanes_and_parquet_tables(store: Store) -> None:
    lanes = "SELECT l.tid, count(*) AS n FROM slice s JOIN lane l USING (card, track) GROUP BY ALL ORDER BY ALL"
    assert store.user_sql(lanes).to_pylist() == [{"tid": "1", "n": 2}, {"tid": "2", "n": 1}]
    assert store.user_sql("SELECT card, op, us FROM kernel").to_pylist() == [{"card": "0", "op": "x", "us": 1.5}]


def test_parquet_tables_of_several_cards_are_one_table(store: Store, tmp_path: Path) -> None:
    second = card(tmp_path, "1", E, E + 1)
    pq.write_table(pa.table({"us": [2.0], "extra": [7]}), second.folder / "kernel.parquet")
    store.put(second)
    rows = store.sql("SELECT card, op, us, extra FROM kernel ORDER BY card").to_pylist()
    assert rows == [
        {"card": "0", "op": "x", "us": 1.5, "extra": None},
        {"card": "1", "op": None, "us": 2.0, "extra": 7},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1; SELECT 2",
        "COPY (SELECT 1) TO 'out.csv'",
        "SET memory_limit = '1GB'",
        "ATTACH 'other.db'",
        "CREATE TABLE t AS SELECT 1",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM '/etc/hostname'",
        "SELECT * FROM read_parquet('/etc/*.parquet')",
        "SELECT nothing FROM nowhere",
        "SELECT",
        "",
    ],
)
def test_anything_but_one_select_over_the_project_is_refused(
    store: Store, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(BadArgument):
        store.user_sql(text)
    assert sorted(tmp_path.rglob("*")) == before


def test_variables_of_the_program_are_no_tables(store: Store) -> None:
    secret = pa.table({"x": [1]})
    with pytest.raises(BadArgument):
        store.user_sql("SELECT * FROM secret")
    assert secret.num_rows == 1


def test_parameters_are_values_not_text(store: Store) -> None:
    assert store.sql(
        "SELECT count(*) AS n FROM slice WHERE name::VARCHAR = $name", name="a' OR 1=1 --"
    ).to_pylist() == [{"n": 0}]


def test_cards_change_while_other_threads_ask(store: Store, tmp_path: Path) -> None:
    others = [card(tmp_path, str(n), E, E + n) for n in range(1, 4)]
    trouble: list[Exception] = []

    def ask() -> None:
        try:
            for _ in range(20):
                assert store.sql("SELECT count(*) AS n FROM slice WHERE card = '0'").to_pylist() == [{"n": 3}]
        except Exception as error:
            trouble.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        for other in others:
            store.put(other)
            store.remove(other.name)
    for thread in threads:
        thread.join()
    assert trouble == []


def test_card_names_that_are_wrong_are_told_with_the_right_ones(store: Store) -> None:
    with pytest.raises(BadArgument, match=r"Cards: 0\."):
        store.capture("5")


def test_real_captures_sum_up(real: Callable[[str], Path]) -> None:
    from insight_desktop.engine.load import import_paths

    _, imports = import_paths([real("text_level2")])
    store = Store([StoreCard.of_import(item) for item in imports])
    text = "SELECT s.name::VARCHAR AS name, sum(dur_ns)::BIGINT AS ns, count(*) AS n FROM slice s JOIN lane l USING (card, track) WHERE l.process = 'Overlap Analysis' GROUP BY 1 ORDER BY 1"
    found = {row["name"]: (row["ns"], row["n"]) for row in store.user_sql(text).to_pylist()}
    assert found == {
        "Communication": (99_973_278, 4),
        "Communication(Not Overlapped)": (95_962_016, 101),
        "Computing": (8_868_240, 187),
        "Free": (25_032_619, 90),
    }


def test_a_change_of_a_card_keeps_its_capture_open_and_a_new_capture_in_its_place_is_opened(tmp_path: Path) -> None:
    held = card(tmp_path, "0", 0, 10)
    store = Store([held])
    first = store.capture("0")
    store.put(StoreCard("0", "0", None, "", "text", held.folder, alias="left"))
    store.set_offset("0", 5)
    assert store.capture("0") is first
    (held.folder / "manifest.json").write_text((held.folder / "manifest.json").read_text())
    shutil.move(held.folder, tmp_path / "old")
    card(tmp_path, "0", 0, 99)
    store.put(StoreCard("0", "0", None, "", "text", held.folder))
    assert store.capture("0").manifest.end_ns == 99
