import json
import shutil
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.support import csv_fixtures
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine import tables
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, InsightError
from insight_desktop.ingest.formats import rank_text

SPEC = "system-memory-operator-rl"


def opened(*paths):
    _, imports = import_paths(paths)
    return Store([StoreCard.of_import(item) for item in imports if item.status == "ready"])


@pytest.fixture
def store(tmp_path):
    csv_fixtures.write(tmp_path / "data")
    return opened(tmp_path / "data")


@pytest.fixture
def card(store):
    return store.cards[0].name


def test_card_of_csv_files_alone_is_a_card_like_any_other(store):
    assert [(c.kind, c.source.format) for c in store.cards] == [("text", "rank_text")]
    assert store.capture(store.cards[0].name).manifest.counts.get("slices", 0) == 0
    assert store.sql("SELECT count(*) AS n FROM slice").to_pylist() == [{"n": 0}]


def test_tables_appear_when_they_are_asked_for(store, card):
    folder = store.cards[0].folder
    assert list(folder.glob("*.parquet")) == []
    tables.ensure(store, ["memory_record", "kernel"])
    assert store.sql("SELECT count(*) AS n FROM memory_record").to_pylist() == [{"n": 10}]
    assert store.sql('SELECT card, "cube_utilization(%)" AS c FROM kernel WHERE row = 0').to_pylist() == [
        {"card": card, "c": 66.3}
    ]
    assert sorted(p.name for p in folder.glob("*.parquet")) == ["kernel.parquet", "memory_record.parquet"]
    assert list(folder.glob("*.tmp")) == []


def test_empty_tables_have_their_columns(store):
    tables.ensure(store, schema.TABLES)
    for name, table in schema.TABLES.items():
        found = store.sql(f"SELECT * FROM {name} LIMIT 0").schema.names
        assert found[1 : len(table.columns) + 1] == table.schema.names


def test_second_question_reads_nothing(store, monkeypatch):
    tables.ensure(store, "kernel")
    cursor = store._cursor()
    monkeypatch.setattr(rank_text, "read_table", None)
    tables.ensure(store, "kernel")
    assert store._cursor() is cursor
    assert store.sql("SELECT count(*) AS n FROM kernel").to_pylist() == [{"n": 7}]


def test_table_of_an_older_version_is_written_anew(store, monkeypatch):
    tables.ensure(store, "kernel")
    path = store.cards[0].folder / "kernel.parquet"
    monkeypatch.setattr(tables, "VERSION", tables.VERSION + 1)
    pq.write_table(pa.table({"row": [1]}), path)
    tables.ensure(store, "kernel")
    assert store.sql("SELECT count(*) AS n FROM kernel").to_pylist() == [{"n": 7}]


def test_issues_and_sources_are_kept_beside_the_table(store, card):
    assert [(i.code, i.count) for i in tables.issues(store, card, "kernel")] == [("csv.short_rows", 1)]
    found = tables.sources(store, card, "kernel")
    assert (found.read, found.rows, found.message) == (("kernel_details.csv",), 7, "")
    noted = json.loads((store.cards[0].folder / "kernel.issues.json").read_text())
    assert noted["source"]["rows"] == 7


def test_empty_page_learns_which_file_and_switch_are_missing(tmp_path):
    csv_fixtures.write(tmp_path / "data", "kernel_details.csv")
    store = opened(tmp_path / "data")
    found = tables.sources(store, store.cards[0].name, "operator_memory")
    assert (found.missing, found.rows) == (("operator_memory.csv",), 0)
    assert "has no operator_memory.csv" in found.message
    assert found.fix == "Collect with profile_memory=True."


@pytest.mark.row(SPEC, 6)
def test_empty_page_of_an_msprof_database_says_why(real):
    store = opened(real("upstream_unit/full_db/msprof_0.db"))
    found = tables.sources(store, store.cards[0].name, "memory_record")
    assert (found.rows, found.message[:50]) == (0, "The Memory page does not support msprof databases:")


def test_file_without_usable_rows_is_named(tmp_path):
    csv_fixtures.write(tmp_path / "data", "kernel_details.csv", memory_record="Component,x\n")
    store = opened(tmp_path / "data")
    found = tables.sources(store, store.cards[0].name, "memory_record")
    assert "memory_record.csv" in found.message
    assert "no rows that can be used" in found.message


def test_unknown_table_lists_the_known_ones(store):
    with pytest.raises(BadArgument, match="kernel"):
        tables.ensure(store, "nothing")
    with pytest.raises(BadArgument):
        tables.ensure(store, "kernel", ["no card"])


def test_card_of_unknown_origin_has_empty_tables_until_its_files_are_known(tmp_path):
    source = csv_fixtures.write(tmp_path / "data")
    capture = build(tmp_path / "capture", slices=[{"pid": 1, "tid": 1, "name": "a", "start_ns": 0, "end_ns": 5}])
    store = Store([StoreCard("0", "0", 0, "", "text", capture.folder)])
    tables.ensure(store, "kernel")
    assert store.sql("SELECT count(*) AS n FROM kernel").to_pylist() == [{"n": 0}]
    store.put(StoreCard("0", "0", 0, "", "text", capture.folder, source=source))
    tables.ensure(store, "kernel")
    assert store.sql("SELECT count(*) AS n FROM kernel").to_pylist() == [{"n": 7}]


def test_text_and_database_cards_share_a_table(real):
    store = opened(real("text_level1/rank0_ascend_pt"), real("db_level1/rank1_ascend_pt"))
    tables.ensure(store, "kernel")
    rows = store.sql(
        "SELECT card, count(*) AS n, count(wait_ns) AS waits FROM kernel GROUP BY card ORDER BY card"
    ).to_pylist()
    assert [(row["n"], row["waits"]) for row in rows] == [(191, 191), (191, 191)]


def test_slices_with_other_columns_are_joined_in_one_file(tmp_path):
    head = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim"
    csv_fixtures.write(
        tmp_path / "data",
        op_summary_slice_0_20260101=f"{head},aicore_time(us)\na,T,AI_CORE,1,2,0,1,1.5\n",
        op_summary_slice_1_20260101=f"{head},aiv_time(us)\nb,T,AI_CORE,3,2,0,1,2.5\n",
    )
    store = opened(tmp_path / "data")
    tables.ensure(store, "kernel")
    found = store.sql(
        'SELECT name, "aicore_time(us)" AS aic, "aiv_time(us)" AS aiv FROM kernel ORDER BY row'
    ).to_pylist()
    assert found == [{"name": "a", "aic": 1.5, "aiv": None}, {"name": "b", "aic": None, "aiv": 2.5}]


def test_threads_that_ask_together_get_the_same_rows(store):
    found = []

    def ask():
        tables.ensure(store, ["kernel", "operator_memory"])
        found.append(store.sql("SELECT count(*) AS n FROM kernel").to_pylist())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[{"n": 7}]] * 8


def test_damaged_database_is_an_issue_not_a_crash(real, tmp_path):
    whole = real("db_level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db")
    path = tmp_path / whole.name
    path.write_bytes(whole.read_bytes())
    store = opened(path)
    path.write_bytes(b"no database")
    name = store.cards[0].name
    assert [i.code for i in tables.issues(store, name, "kernel")] == ["tables.unreadable"]
    assert store.sql("SELECT count(*) AS n FROM kernel").to_pylist() == [{"n": 0}]


def test_capture_that_is_gone_is_told(store):
    shutil.rmtree(store.cards[0].folder)
    with pytest.raises(InsightError, match="cannot be kept"):
        tables.ensure(store, "kernel")


def test_full_disk_is_told_and_leaves_nothing(store, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tables._Writer, "write", full)
    with pytest.raises(InsightError, match="No space left"):
        tables.ensure(store, "kernel")
    assert [p.name for p in store.cards[0].folder.iterdir() if "kernel" in p.name] == []
