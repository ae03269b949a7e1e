"""Databases with faults: what is kept, what is counted, what is refused."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.ingest.formats.profiler_db_maker import COLUMNS, T0, TID, Got, make_db, task
from tests.support.case_checks import open_paths

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import profiler_db
from insight_desktop.schema import CLAMPED


@pytest.mark.row("system-timeline", 98)
def test_text_in_number_columns_counts_by_its_digits(tmp_path: Path) -> None:
    rows = [
        task(0, 5, 1),
        ("", "", 0, 0, 2, 77, 1, 0, 2, 2, 0),
        ("abc", "x", 0, 0, 3, 77, 1, 0, 2, 3, 0),
        (str(T0 + 9), f"{T0 + 10}", 0, 0, 4, 77, 1, 0, 2, 4, 0),
    ]
    got = Got(make_db(tmp_path / "a.db", TASK=rows))
    assert got.named("Stream 2") == [("AI_CORE", 0, 5), ("AI_CORE", 9, 1)]
    assert [(issue.code, issue.count) for issue in got.report.issues] == [("profiler_db.not_a_number", 2)]


@pytest.mark.row("system-timeline", 98)
def test_text_in_python_times_is_left_out_and_counted(tmp_path: Path) -> None:
    rows = [
        (str(T0), str(T0 + 4), TID, None, 3, *[None] * 5, 50001),
        ("abc", "def", TID, None, 4, *[None] * 5, 50001),
        ("", None, TID, None, 4, *[None] * 5, 50001),
    ]
    got = Got(make_db(tmp_path / "a.db", PYTORCH_API=rows))
    assert got.named("PyTorch") == [("opA", 0, 4)]
    assert [(issue.code, issue.count) for issue in got.report.issues] == [("profiler_db.not_a_number", 2)]


@pytest.mark.row("system-timeline", 98)
def test_nulls_do_not_lose_a_row(tmp_path: Path) -> None:
    rows = [task(0, 5, 1), task(7, None, 2), (T0 + 12, T0 + 13, 0, None, 3, *[None] * 6)]
    got = Got(make_db(tmp_path / "a.db", TASK=rows, COMPUTE_TASK_INFO=[(None, 3, 8, 0, 1, None)]))
    assert got.named("Stream 2") == [("AI_CORE", 0, 5), ("AI_CORE", 7, 0)]
    assert got.named("Stream (none)") == [("(no name)", 12, 1)]
    assert [row["flags"] for row in got.lane("Stream 2")] == [0, CLAMPED]
    assert [(issue.code, issue.count) for issue in got.report.issues] == [("profiler_db.no_end", 1)]


@pytest.mark.row("system-timeline", 98)
def test_an_end_before_the_start_is_clamped_and_counted(tmp_path: Path) -> None:
    got = Got(make_db(tmp_path / "a.db", TASK=[task(0, 5, 1), task(9, 7, 2)]))
    assert got.named("Stream 2") == [("AI_CORE", 0, 5), ("AI_CORE", 9, 0)]
    assert [row["flags"] for row in got.lane("Stream 2")] == [0, CLAMPED]
    assert [(issue.code, issue.count) for issue in got.report.issues] == [("profiler_db.end_before_start", 1)]


@pytest.mark.row("system-timeline", 98)
def test_times_at_the_limits_of_int64_are_kept(tmp_path: Path) -> None:
    top = 2**63 - 1
    rows = [
        (T0, top, 0, 0, 1, 77, 1, 0, 2, 1, 0),
        (-50, -40, 0, 0, 2, 77, 1, 0, 2, 2, 0),
        (0, 7, 0, 0, 3, 77, 1, 0, 2, 3, 0),
        (-(2**62), 2**62 + 9, 0, 0, 4, 77, 1, 0, 2, 4, 0),
    ]
    got = Got(make_db(tmp_path / "a.db", TASK=rows))
    assert [(row["start_ns"], row["end_ns"], row["flags"]) for row in got.slices] == [
        (T0, T0, CLAMPED), (-50, -40, 0), (0, 7, 0), (-(2**62), -(2**62), CLAMPED),
    ]  # fmt: skip


def test_real_times_are_rounded_towards_zero(tmp_path: Path) -> None:
    columns = {"TASK": "startNs REAL, endNs REAL, streamId INTEGER"}
    got = Got(make_db(tmp_path / "a.db", columns=columns, TASK=[(1000.75, 2000.25, 2)]))
    assert [(row["start_ns"], row["end_ns"]) for row in got.slices] == [(1000, 2000)]


def test_an_unknown_string_id_is_shown_as_a_number(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db",
            TASK=[task(0, 5, 1), task(6, 7, 2, kind=2**40)],
            COMPUTE_TASK_INFO=[(999, 1, 8, 0, 1, 999)],
        )
    )
    assert [row["text"] for row in got.lane("Stream 2")] == ["999", str(2**40)]


def test_names_that_are_no_text_are_repaired(tmp_path: Path) -> None:
    strings = [
        (1, sqlite3.Binary(b"\xffop\xfe")),
        (2, "算子"),
        (3, sqlite3.Binary("算子".encode("gb18030"))),
        (4, None),
        (5, 12),
    ]
    got = Got(make_db(tmp_path / "a.db", STRING_IDS=strings, TASK=[task(n, n + 1, n, kind=n) for n in range(1, 6)]))
    assert [row["text"] for row in got.lane("Stream 2")] == ["�op�", "算子", "算子", "4", "12"]


def test_a_database_without_names_shows_numbers(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", TASK=[task(0, 5, 1)])
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE STRING_IDS")
    db.close()
    assert Got(path).named("Stream 2") == [("1", 0, 5)]


def test_a_database_without_tasks_shows_the_rest(tmp_path: Path) -> None:
    got = Got(
        make_db(tmp_path / "a.db", CANN_API=[(T0, T0 + 5, 20000, TID, 1, 3)], COMPUTE_TASK_INFO=[(3, 1, 8, 0, 1, 3)])
    )
    assert got.named("acl") == [("opA", 0, 5)]


def test_columns_may_be_missing_extra_reordered_or_in_other_case(tmp_path: Path) -> None:
    columns = {"task": "extra TEXT, ENDNS INTEGER, startns INTEGER, STREAMID INTEGER, tasktype INTEGER"}
    got = Got(make_db(tmp_path / "a.db", columns=columns, task=[("x", T0 + 5, T0, 4, 1)]))
    assert got.named("Stream 4") == [("AI_CORE", 0, 5)]
    assert got.report.counts["table.TASK"] == 1


def test_a_table_without_start_is_named(tmp_path: Path) -> None:
    columns = {"TASK": "endNs INTEGER"}
    got = Got(make_db(tmp_path / "a.db", columns=columns, TASK=[(1,)], CANN_API=[(T0, T0 + 5, 20000, TID, 1, 3)]))
    assert got.codes == ["profiler_db.no_start_column"]
    assert len(got.slices) == 1


def test_tables_without_rowid_and_views_are_read_with_details(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", TASK=[])
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE TASK")
        db.execute(f"CREATE TABLE raw ({COLUMNS['TASK']})")
        db.executemany(
            f"INSERT INTO raw VALUES ({','.join('?' * 11)})",
            [task(0, 5, 1), task(6, 8, 2), ("abc", 1, *task(6, 8, 3)[2:]), task(9, 10, 4)],
        )
        db.execute("CREATE VIEW TASK AS SELECT * FROM raw")
        db.execute(
            "CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, globalTid INTEGER, type INTEGER, connectionId INTEGER PRIMARY KEY, name INTEGER) WITHOUT ROWID"
        )
        db.executemany(
            "INSERT INTO CANN_API VALUES (?, ?, ?, ?, ?, ?)",
            [(T0 + 4, T0 + 5, TID, 20000, 9, 4), (T0, T0 + 1, TID, 20000, 3, 3)],
        )
    db.close()
    got = Got(path)
    assert got.named("Stream 2") == [("AI_CORE", 0, 5), ("AI_CORE", 6, 2), ("AI_CORE", 9, 1)]
    last = got.lane("Stream 2")[-1]
    assert profiler_db.details([path], last["args_at"], last["args_len"])["taskId"] == 4
    for row in got.lane("acl"):
        assert profiler_db.details([path], row["args_at"], row["args_len"])["name"] == row["text"]


def test_repeated_rows_are_all_shown(tmp_path: Path) -> None:
    got = Got(make_db(tmp_path / "a.db", TASK=[task(0, 5, 1), task(0, 5, 1)]))
    assert got.named("Stream 2") == [("AI_CORE", 0, 5), ("AI_CORE", 0, 5)]


def test_huge_ids_have_lanes_and_links(tmp_path: Path) -> None:
    big = 2**62 + 7
    got = Got(
        make_db(
            tmp_path / "a.db", TASK=[task(5, 9, big, stream=big, connection=big, device=2**40)], COMPUTE_TASK_INFO=[(3, big, 8, 0, 1, 3)],
            CANN_API=[(T0, T0 + 1, 20000, TID, big, 4)],
        )
    )  # fmt: skip
    assert got.named(f"Stream {big}") == [("opA", 5, 4)]
    assert got.links("HostToDevice") == [("opB", "opA", big)]


def test_a_wrongly_shared_connection_does_not_explode(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db", columns={"CANN_API": "startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER"},
            CANN_API=[(T0 + n, T0 + n + 1, 20000, TID, 0, 3) for n in range(300)],
            TASK=[task(1000 + n, 1001 + n, n, connection=0) for n in range(300)], COMPUTE_TASK_INFO=[(4, n, 8, 0, 1, 3) for n in range(300)],
        )
    )  # fmt: skip
    assert len(got.links("HostToDevice")) == 300


def damaged(path: Path, table: str, tmp_path: Path, *, keep_pages: int = 1) -> Path:
    """A copy of a database with the pages of a table overwritten, all but its first ones."""
    copy = Path(shutil.copy(path, tmp_path / "damaged.db"))
    with sqlite3.connect(copy) as db:
        db.execute("PRAGMA journal_mode=delete")
        size = db.execute("PRAGMA page_size").fetchone()[0]
        root = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    db.close()
    raw = bytearray(copy.read_bytes())
    raw[(root - 1) * size : root * size] = b"\x99" * size
    copy.write_bytes(raw)
    return copy


def test_a_damaged_table_does_not_lose_the_others(real: Callable[[str], Path], tmp_path: Path) -> None:
    path = real("db_level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_1.db")
    got = Got(damaged(path, "CANN_API", tmp_path))
    assert [(issue.code, issue.severity) for issue in got.report.issues] == [("profiler_db.damaged_table", "error")]
    assert "CANN_API" in got.report.issues[0].message
    assert len([row for row in got.slices if row["role"] == "stream"]) == 552
    assert len(got.lane("PyTorch")) == 1178
    assert profiler_db.details([tmp_path / "damaged.db"], 1, -1)["streamId"] >= 0


@pytest.mark.parametrize(
    "table", ["STRING_IDS", "TASK", "COMPUTE_TASK_INFO", "CONNECTION_IDS", "META_DATA", "ACC_PMU", "PYTORCH_API"]
)
def test_any_damaged_table_is_named(real: Callable[[str], Path], tmp_path: Path, table: str) -> None:
    path = real("db_level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_1.db")
    got = Got(damaged(path, table, tmp_path))
    assert any(table in issue.where for issue in got.report.issues)
    assert len(got.slices) > 1000


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_a_truncated_database_keeps_whole_pages_or_says_truncated(
    real: Callable[[str], Path], tmp_path: Path, share: float
) -> None:
    path = Path(
        shutil.copy(
            real("db_level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_1.db"), tmp_path / "a.db"
        )
    )
    os.truncate(path, int(path.stat().st_size * share))
    refused, got = "", None
    try:
        got = Got(path)
    except BadFile as error:
        refused = error.message
    if got is None:
        assert "truncated" in refused
    else:
        assert got.codes[0] == "profiler_db.truncated"
        assert got.slices


@pytest.mark.parametrize("content", [b"", bytes(5000), b"not a database at all" * 50])
def test_what_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ascend_pytorch_profiler_0.db"
    path.write_bytes(content)
    with pytest.raises(BadFile):
        Got(path)


def test_a_database_without_rows_is_no_error(tmp_path: Path) -> None:
    got = Got(make_db(tmp_path / "a.db", TASK=[], PYTORCH_API=[]))
    assert got.slices == []
    assert got.tracks == []
    assert got.codes == ["profiler_db.nothing_to_show"]


def test_a_view_on_something_that_is_gone_is_told(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", CANN_API=[(T0, T0 + 5, 20000, TID, 1, 3)])
    db = sqlite3.connect(path)
    db.execute("CREATE VIEW TASK AS SELECT nope FROM nowhere")
    db.execute("CREATE VIEW of_no_interest AS SELECT nope FROM nowhere")
    db.commit()
    db.close()
    got = Got(path)
    assert len(got.slices) == 1
    assert [(i.code, i.message.split(";")[0]) for i in got.report.issues] == [
        ("profiler_db.damaged_table", "Table TASK is damaged (no such table: main.nowhere)")
    ]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 5\n", "a Git LFS pointer"),
        (b"\x1f\x8b\x08\x00" + bytes(40), "gzip data"),
        (b"\n<!DOCTYPE html><html>404</html>", "an HTML page"),
    ],
)
def test_what_stands_in_for_a_database_is_named(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "ascend_pytorch_profiler_0.db"
    path.write_bytes(content)
    with pytest.raises(BadFile) as refusal:
        Got(path)
    assert f"is not an SQLite database but {what}" in refusal.value.message
    assert refusal.value.fix


def test_flipped_bytes_never_crash(tmp_path: Path) -> None:
    import random

    whole = make_db(
        tmp_path / "a.db", TASK=[task(n, n + 5, n) for n in range(400)], COMPUTE_TASK_INFO=[(3, n, 8, 0, 1, 3) for n in range(400)],
        CANN_API=[(T0 + n, T0 + n + 1, 20000, TID, n, 3) for n in range(400)],
    ).read_bytes()  # fmt: skip
    chance = random.Random(7)
    path = tmp_path / "b.db"
    for _ in range(int(os.environ.get("INSIGHT_FUZZ", "60"))):
        raw = bytearray(whole)
        for _ in range(chance.choice((1, 20, 300))):
            raw[chance.randrange(16, len(raw))] = chance.randrange(256)
        path.write_bytes(raw)
        try:
            Got(path)
        except BadFile:
            continue


def test_reading_ahead_yields_the_same_and_can_be_stopped(real: Callable[[str], Path]) -> None:
    from insight_desktop.ingest.report import Report
    from insight_desktop.ingest.sources import Source

    path = real("db_level1/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_1.db")
    source = Source("profiler_db", "db", (path,))
    one = list(profiler_db.read(source, Report()))
    two = list(profiler_db.read(source, Report(), threads=2))
    assert [name for name, _ in one] == [name for name, _ in two]
    assert all(a.equals(b) for (_, a), (_, b) in zip(one, two, strict=True))
    stream = profiler_db.read(source, Report(), threads=2)
    next(stream)
    stream.close()


def test_names_of_a_utf16_database_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA encoding='UTF-16le'")
        db.execute("CREATE TABLE x (y)")
    db.close()
    got = Got(make_db(path, STRING_IDS=[(1, "算子")], TASK=[task(0, 5, 1)]))
    assert got.named("Stream 2") == [("算子", 0, 5)]
    assert profiler_db.details([path], 1, -1)["taskType"] == "算子"


def test_computed_columns_are_no_obstacle(tmp_path: Path) -> None:
    columns = {
        "TASK": "startNs INTEGER, span INTEGER, endNs INTEGER AS (startNs + span), streamId INTEGER, taskType INTEGER"
    }
    path = make_db(tmp_path / "a.db", TASK=[], columns=columns)
    with sqlite3.connect(path) as db:
        db.execute("INSERT INTO TASK (startNs, span, streamId, taskType) VALUES (?, 5, 2, 3)", (T0,))
    db.close()
    got = Got(path)
    assert got.named("Stream 2") == [("opA", 0, 5)]
    assert profiler_db.details([path], 1, -1)["streamId"] == 2


def test_text_in_id_columns_is_no_id_zero(tmp_path: Path) -> None:
    rows = [
        task(0, 5, 1, stream="abc", kind="x"),
        task(6, 7, 2, stream="2", kind="1"),
        task(8, 9, 3, stream="", device="n"),
    ]
    got = Got(make_db(tmp_path / "a.db", STRING_IDS=[(0, "zero"), (1, "AI_CORE")], TASK=rows))
    assert got.named("Stream (none)") == [("(no name)", 0, 5), ("AI_CORE", 8, 1)]
    assert got.named("Stream 2") == [("AI_CORE", 6, 1)]
    assert {row["device"] for row in got.slices} == {0, -1}


def test_a_damaged_page_costs_its_own_rows_only(tmp_path: Path) -> None:
    """Rows before and behind the page are kept; about 50 of them fit on one."""
    path = make_db(tmp_path / "a.db", TASK=[task(i * 10, i * 10 + 5, i) for i in range(5000)])
    content = bytearray(path.read_bytes())
    page = len(content) // 4096 // 2 * 4096
    content[page : page + 4096] = bytes([0xFF]) * 4096
    path.write_bytes(content)
    got = Got(path)
    starts = [start for _, start, _ in got.named("Stream 2")]
    assert 4800 < len(starts) < 5000
    assert len(set(starts)) == len(starts)
    assert {0, 49990} <= set(starts)
    assert got.codes == ["profiler_db.damaged_table"]


def test_a_view_without_an_end_is_given_up(tmp_path: Path) -> None:
    path = make_db(tmp_path / "a.db", TASK=[task(0, 5, 1)])
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE VIEW CANN_API AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
            "SELECT n AS startNs, n + 1 AS endNs, 1 AS type, 1 AS globalTid, n AS connectionId, 3 AS name FROM r"
        )
    db.close()
    got = Got(path)
    assert got.named("Stream 2") == [("AI_CORE", 0, 5)]
    assert got.codes == ["profiler_db.damaged_table"]
    assert "view of more than" in got.report.issues[0].message


def test_negative_connections_keep_their_links_and_ids(tmp_path: Path) -> None:
    path = make_db(
        tmp_path / "a.db", TASK=[task(5, 9, 1, connection=-7), task(15, 19, 2, connection=-(10**18))],
        COMPUTE_TASK_INFO=[(3, 1, 8, 0, 1, 3), (3, 2, 8, 0, 1, 3)],
        CANN_API=[(T0, T0 + 1, 20000, TID, -7, 4), (T0 + 2, T0 + 3, 20000, TID, -(10**18), 4)],
    )  # fmt: skip
    flows = open_paths([path]).rows("flows")
    assert [(row["id"], row["from_ts_ns"] - T0, row["to_ts_ns"] - T0) for row in flows] == [
        ("-7", 0, 5),
        ("-1000000000000000000", 2, 15),
    ]
