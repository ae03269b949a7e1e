from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest
from tests.support.memscope_files import COLUMNS, T0, free, malloc, row, write_db

from insight_desktop.engine.load import import_paths
from insight_desktop.errors import BadFile
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.formats import memscope
from insight_desktop.ingest.formats.memscope_attr import address, attributes, nanoseconds, whole
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

TWO = [malloc(0, 10, 0x100, 512), free(1, 20, 0x100, size=512)]


def source(path: Path) -> Source:
    return Source("memscope", "memscope", (path,))


@pytest.mark.row("memory", 5)
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{"size":"16","addr":"0x10"}', {"size": "16", "addr": "0x10"}),
        ('{"size":16,"pinned":true,"owner":null}', {"size": "16", "pinned": "true", "owner": ""}),
        ("{shape:[4,8],size:16}", {"shape": "[4,8]", "size": "16"}),
        (
            "{addr:0x000012c041400000,size:-512,owner:,total:1}",
            {"addr": "0x000012c041400000", "size": "-512", "owner": "", "total": "1"},
        ),
        ("{path:a:b,size:3}", {"path": "a:b", "size": "3"}),
        ("{size:3", {"size": "3"}),
        ("null", {}),
        ("", {}),
        ("nonsense", {}),
        ("[1,2]", {}),
    ],
)
def test_attributes_are_read_in_both_spellings(text: str, wanted: dict[str, str]) -> None:
    assert attributes(text) == wanted


@pytest.mark.row("memory", 5)
def test_numbers_and_addresses_come_as_texts_and_integers() -> None:
    assert [whole(v) for v in (5, "5", "0x10", "-512", 5.0, 5.5, "N/A", None, True)] == [5, 5, 16, -512, 5, None, None, None, None]  # fmt: skip
    assert [address(v) for v in ("0x000012c041400000", "20616935636992", -1, "0xffffffffffffffff", "N/A", 2**64)] == [
        20616937734144, 20616935636992, 2**64 - 1, 2**64 - 1, None, None,
    ]  # fmt: skip
    assert [nanoseconds(v) for v in ("7", 0, -3, 2**63 - 1, "N/A")] == [7, None, None, None, None]


def cells(path: Path) -> list[tuple[object, ...]]:
    batches = [
        [memscope._listed(values) for values in batch.values()]
        for found in memscope.events(source(path), Report())
        for batch in found.batches
    ]
    return [tuple(v or "" for v in line) for columns in batches for line in zip(*columns, strict=True)]


@pytest.mark.parametrize("odd", ["", "seven", 5.5, b"\xc4\xe3"])
def test_typed_columns_are_read_at_once_until_a_cell_of_another_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: object
) -> None:
    monkeypatch.setattr(memscope, "_BATCH", 2)
    rows = [malloc(i, i, 0x100 * i, 512, py="中" if i == 4 else "") for i in range(7)]
    rows[5] = (*rows[5][:5], odd or 7, *rows[5][6:9], None, odd if isinstance(odd, bytes) else "", None)
    plain, typed = write_db(tmp_path / "a" / "memscope_dump_1.db", rows), tmp_path / "memscope_dump_2.db"
    whole_numbers = ("ID", "Timestamp(ns)", "Process Id", "Thread Id")
    declared = ", ".join(f'"{name}" {"INTEGER" if name in whole_numbers else "TEXT"}' for name in COLUMNS)
    with sqlite3.connect(typed) as base:
        base.execute(f"CREATE TABLE memscope_dump ({declared})")
        base.executemany(f"INSERT INTO memscope_dump VALUES ({', '.join('?' * len(COLUMNS))})", rows)
    kinds = [type(b["id"]).__name__ for found in memscope.events(source(typed), Report()) for b in found.batches]
    assert kinds[:2] == ["Int64Array", "Int64Array"]
    assert (kinds[2:] == ["Int64Array", "Int64Array"]) == (odd == "")
    assert cells(typed) == cells(plain)


@pytest.mark.row("memory", 1)
def test_names_are_matched_whole_and_a_folder_lists_its_dumps(tmp_path: Path) -> None:
    for name in ("memscope_dump_1.db", "xmemscope_dump_1.db", "leaks_dump_2.db"):
        write_db(tmp_path / "dump" / name, TWO, table="leaks_dump" if name.startswith("leaks") else "memscope_dump")
    found = discover([tmp_path])
    by_name = {card.name: card.kinds for card in found.cards}
    assert by_name["memscope_dump_1"] == ("memscope",)
    assert by_name["leaks_dump_2"] == ("memscope",)
    assert memscope.NAME.match("xmemscope_dump_1.db") is None
    assert memscope.NAME.match("MEMSCOPE_dump_1.db") is None


@pytest.mark.row("memory", 2)
def test_the_new_table_is_preferred(tmp_path: Path) -> None:
    path = write_db(tmp_path / "memscope_dump_1.db", TWO)
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE leaks_dump AS SELECT * FROM memscope_dump LIMIT 0")
    db.close()
    _, (item,) = import_paths([path], fresh=True)
    assert (item.status, item.tables["memscope_event"]) == ("ready", 2)


@pytest.mark.row("memory", 3)
def test_columns_are_found_by_name_in_any_order_without_stacks(tmp_path: Path) -> None:
    shuffled = [*reversed(COLUMNS[:10]), "Something New"]
    path = write_db(tmp_path / "memscope_dump_1.db", TWO, columns=shuffled)
    _, (item,) = import_paths([path], fresh=True)
    assert (item.status, item.tables["memscope_block"]) == ("ready", 1)


@pytest.mark.row("memory", 4)
def test_nothing_is_written_beside_the_data(tmp_path: Path) -> None:
    path = write_db(tmp_path / "in" / "memscope_dump_1.db", TWO)
    path.chmod(0o444)
    before = hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns
    import_paths([path], fresh=True)
    assert (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns) == before
    assert [p.name for p in path.parent.iterdir()] == ["memscope_dump_1.db"]


@pytest.mark.row("memory", 4)
def test_rows_that_still_lie_in_the_log_of_the_database_are_read(tmp_path: Path) -> None:
    path = tmp_path / "memscope_dump_1.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA wal_autocheckpoint=0")
    names = ", ".join(f'"{name}"' for name in COLUMNS)
    db.execute(f"CREATE TABLE memscope_dump ({names})")
    db.executemany(f"INSERT INTO memscope_dump VALUES ({', '.join('?' * 12)})", TWO)
    db.commit()
    _, (item,) = import_paths([path], fresh=True)
    db.close()
    assert (item.status, item.tables["memscope_block"]) == ("ready", 1)


@pytest.mark.row("memory", 48)
def test_missing_columns_are_listed(tmp_path: Path) -> None:
    path = write_db(tmp_path / "memscope_dump_1.db", TWO, columns=[c for c in COLUMNS if c not in ("Attr", "Ptr")])
    _, (item,) = import_paths([path], fresh=True)
    assert item.status == "failed"
    assert "it has no column Ptr, Attr." in item.message


@pytest.mark.row("memory", 48)
def test_a_database_without_an_event_table_is_refused(tmp_path: Path) -> None:
    path = write_db(tmp_path / "memscope_dump_1.db", TWO, table="other")
    with pytest.raises(BadFile, match=r"has no event table \(memscope_dump or leaks_dump\)"):
        list(memscope.events(source(path), Report()))


@pytest.mark.row("memory", 48)
def test_a_file_that_is_no_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "memscope_dump_1.db"
    path.write_text("this is text, not a database " * 10)
    with pytest.raises(BadFile, match="is not an SQLite database"):
        list(memscope.events(source(path), Report()))


@pytest.mark.row("memory", 48)
def test_the_rows_before_a_damaged_page_are_kept(tmp_path: Path) -> None:
    rows = [malloc(i, 10 * i, 0x1000 * (i + 1), 512, owner="PTA@" + "x" * 200) for i in range(120_000)]
    path = write_db(tmp_path / "memscope_dump_1.db", rows)
    raw = bytearray(path.read_bytes())
    at = len(raw) * 9 // 10
    raw[at : at + 40_000] = b"\xff" * 40_000
    path.write_bytes(raw)
    _, (item,) = import_paths([path], fresh=True)
    assert item.status == "ready"
    assert 50_000 <= item.tables["memscope_block"] < 120_000
    assert [i["code"] for i in item.issues if i["severity"] == "error"] == ["memscope.damaged"]


@pytest.mark.row("memory", 48)
def test_only_system_rows_open_with_empty_charts_and_a_reason(tmp_path: Path) -> None:
    path = write_db(tmp_path / "memscope_dump_1.db", [row(0, "SYSTEM", "START_TRACE", 0, device="N/A")])
    _, (item,) = import_paths([path], fresh=True)
    assert item.status == "ready"
    assert [i["message"] for i in item.issues] == [
        "memscope_dump_1.db has no allocation events; its charts stay empty."
    ]


def test_rows_without_a_valid_time_are_counted_and_a_file_of_them_is_refused(tmp_path: Path) -> None:
    bad = [(*malloc(0, 0, 1, 512)[:4], value, *malloc(0, 0, 1, 512)[5:]) for value in (0, -4, "N/A", 2**63 - 1)]
    _, (item,) = import_paths([write_db(tmp_path / "memscope_dump_1.db", [*bad, *TWO])], fresh=True)
    assert [(i["code"], i["count"]) for i in item.issues] == [("memscope.invalid_time", 4)]
    _, (item,) = import_paths([write_db(tmp_path / "memscope_dump_2.db", bad)], fresh=True)
    assert (item.status, item.message) == ("failed", "No row of memscope_dump_2.db has a valid time.")


def test_one_distinct_time_opens(tmp_path: Path) -> None:
    _, (item,) = import_paths([write_db(tmp_path / "memscope_dump_1.db", [malloc(0, 5, 1, 512)])], fresh=True)
    assert (item.status, item.tables["memscope_block"]) == ("ready", 1)


@pytest.mark.row("memory", 19)
def test_python_traces_become_lanes_and_open_functions_reach_to_the_end(tmp_path: Path) -> None:
    calls = [
        ("a.py(1): main", str(T0), str(T0 + 100), 7, 7),
        ("a.py(2): still open", str(T0 + 50), "N/A", 7, 7),
        ("a.py(3): before", "N/A", str(T0 + 5), 8, 7),
        ("a.py(4): never", "N/A", "N/A", 8, 7),
        ("a.py(5): backwards", str(T0 + 9), str(T0 + 3), 8, 7),
    ]
    path = write_db(tmp_path / "memscope_dump_1.db", [malloc(0, 300, 1, 512)], traces={"python_trace_7": calls})
    report = Report()
    stream = dict(memscope.read(source(path), report))
    names = stream["string"]["value"].to_pylist()
    found = [
        (names[n], s - T0, e - T0, f)
        for n, s, e, f in zip(
            *(stream["slice"][c].to_pylist() for c in ("name", "start_ns", "end_ns", "flags")), strict=True
        )
    ]
    assert found == [
        ("a.py(1): main", 0, 100, 0), ("a.py(2): still open", 50, 300, 1), ("a.py(3): before", 0, 5, 1),
    ]  # fmt: skip
    assert stream["track"]["tid"].to_pylist() == ["7", "8"]
    assert {i.code: i.count for i in report.issues} == {"memscope.trace_times": 1, "memscope.trace_order": 1}


@pytest.mark.row("memory", 46)
def test_a_csv_takes_the_python_traces_of_its_folder(tmp_path: Path) -> None:
    head = ",".join(COLUMNS)
    (tmp_path / "memscope_dump_1.csv").write_text(f'{head}\n1,MALLOC,PTA,N/A,{T0},7,7,0,4096,"{{size:512}}",,\n')
    (tmp_path / "python_trace_7_1.csv").write_text(
        f"FuncInfo,StartTime(ns),EndTime(ns),Thread Id,Process Id\na.py(1): main,{T0},{T0 + 9},7,7\n"
    )
    for path in (tmp_path, tmp_path / "memscope_dump_1.csv"):
        _, (item,) = import_paths([path], fresh=True)
        assert (item.status, item.counts["slices"], item.tables["memscope_block"]) == ("ready", 1, 1)


def test_a_view_that_never_ends_is_no_event_table(tmp_path: Path) -> None:
    path = tmp_path / "memscope_dump_1.db"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE VIEW memscope_dump AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n AS ID FROM r"
        )
    with pytest.raises(BadFile, match="no event table"):
        list(memscope.events(source(path), Report()))
    assert memscope.time_range(source(path), Report()).first is None
