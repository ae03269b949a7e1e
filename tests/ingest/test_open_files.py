from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from insight_desktop.errors import BadFile
from insight_desktop.ingest.open_files import csv_rows, decode_text, fingerprint, open_sqlite, parse_json


def make(path: Path, *rows: int, wal: bool = False) -> Path:
    db = sqlite3.connect(path)
    if wal:
        db.execute("PRAGMA journal_mode=wal")
    db.execute("CREATE TABLE t (x INTEGER)")
    db.executemany("INSERT INTO t VALUES (?)", [(row,) for row in rows])
    db.commit()
    db.close()
    return path


def rows_of(path: Path, scratch: Path | None = None, **options: bool) -> list[int]:
    with open_sqlite(path, scratch, **options) as file, closing(file.connect()) as db:
        return [row[0] for row in db.execute("SELECT x FROM t ORDER BY x")]


def test_a_database_in_wal_mode_opens_and_nothing_appears_beside_it(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", 1, 2, wal=True)
    assert path.read_bytes()[18:20] == b"\x02\x02"
    assert rows_of(path) == [1, 2]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.db"]


def test_side_files_that_are_no_files_are_left_alone(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", 1, 2)
    (tmp_path / "a.db-wal").mkdir()
    os.mkfifo(tmp_path / "a.db-journal")
    assert rows_of(path) == [1, 2]


def with_pending_wal(folder: Path, scratch: Path) -> Path:
    """A database whose row 2 lives only in the -wal."""
    path = make(scratch / "a.db", 1, wal=True)
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_autocheckpoint=0")
    db.execute("INSERT INTO t VALUES (2)")
    db.commit()
    for name in ("a.db", "a.db-wal"):
        shutil.copy(scratch / name, folder / name)
    db.close()
    return folder / "a.db"


def test_rows_that_live_only_in_the_wal_are_read_from_a_copy_that_is_removed(tmp_path: Path) -> None:
    data, other, scratch = (tmp_path / n for n in ("data", "other", "scratch"))
    data.mkdir()
    other.mkdir()
    path = with_pending_wal(data, other)
    before = [(p.name, p.read_bytes()) for p in sorted(data.iterdir())]
    assert rows_of(path, scratch) == [1, 2]
    assert [(p.name, p.read_bytes()) for p in sorted(data.iterdir())] == before
    assert list(scratch.iterdir()) == []


def test_a_link_to_a_database_finds_the_wal_beside_its_target(tmp_path: Path) -> None:
    data, other = tmp_path / "data", tmp_path / "other"
    data.mkdir()
    other.mkdir()
    link = tmp_path / "link.db"
    link.symlink_to(with_pending_wal(data, other))
    assert rows_of(link) == [1, 2]


def test_an_empty_wal_is_no_reason_to_copy(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", 1)
    (tmp_path / "a.db-wal").touch()
    with open_sqlite(path) as file:
        assert not file.copied
    assert rows_of(path) == [1]


def test_a_database_under_an_exclusive_lock_opens(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        assert rows_of(path) == [1]
        holder.execute("ROLLBACK")


def test_a_hot_journal_is_rolled_back_in_a_copy(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", *range(2000))
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA cache_size=1")
        writer.execute("BEGIN")
        writer.execute("UPDATE t SET x = x + 100000")
        for name in ("a.db", "a.db-journal"):
            shutil.copy(tmp_path / name, crashed / name)
        writer.execute("ROLLBACK")
    before = [(p.name, p.read_bytes()) for p in sorted(crashed.iterdir())]
    assert rows_of(crashed / "a.db", tmp_path / "scratch")[-1] == 1999
    assert [(p.name, p.read_bytes()) for p in sorted(crashed.iterdir())] == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty (0 bytes)"),
        (bytes(4096), "begins with zero bytes only"),
        (b"PK\x03\x04" + bytes(200), "50 4b 03 04"),
        (b'[{"ph":"X","ts":1,"dur":2}]' * 10, '[{"ph":"X","ts":'),
        (b"SQLite for", "truncated: it has 10 bytes only"),
    ],
)
def test_what_is_no_database_is_named_by_its_first_bytes(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(content)
    with pytest.raises(BadFile) as caught, open_sqlite(path):
        pass
    assert words in str(caught.value)


def test_a_file_shorter_than_its_header_says_is_truncated_by_that_many_bytes(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", *range(5000))
    whole = path.stat().st_size
    os.truncate(path, 8192)
    with pytest.raises(BadFile) as caught, open_sqlite(path):
        pass
    assert f"truncated: its last {whole - 8192:,} bytes are missing" in caught.value.message
    with open_sqlite(path, allow_truncated=True) as file, closing(file.connect()) as db:
        assert file.missing_bytes == whole - 8192
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("t",)]


def test_a_page_of_nonsense_behind_a_good_header_is_damage(tmp_path: Path) -> None:
    path = make(tmp_path / "a.db", 1)
    raw = bytearray(path.read_bytes())
    raw[100:4096] = b"\xff" * 3996
    path.write_bytes(raw)
    with pytest.raises(BadFile) as caught, open_sqlite(path) as file:
        file.connect()
    assert "damaged" in caught.value.message


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="does not exist"), open_sqlite(tmp_path / "none.db"):
        pass


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_or_a_folder_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.db")
    for path in (tmp_path / "a.db", tmp_path):
        with pytest.raises(BadFile, match="not a regular file"), open_sqlite(path):
            pass


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="needs user ids")
def test_a_file_without_read_permission_says_so() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o755)
        path = make(folder / "a.db", 1)
        path.chmod(0o000)
        source = Path(__file__).resolve().parents[2] / "src"
        code = (
            "import os, sys; from pathlib import Path; from insight_desktop.ingest.open_files import open_sqlite, BadFile\n"
            "os.getuid() == 0 and os.setuid(65534)\n"
            "try:\n    open_sqlite(Path(sys.argv[1])).__enter__()\nexcept BadFile as error:\n    print(error)"
        )
        out = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(source)},
            check=True,
        )
        assert "No permission to read" in out.stdout
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["a b.db", "100%.db", "what?.db", "a#b.db", "数据.db", "it's.db"])
def test_any_file_name_opens(tmp_path: Path, name: str) -> None:
    assert rows_of(make(tmp_path / name, 7)) == [7]


def test_a_fingerprint_changes_with_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a" * 200_000)
    first = fingerprint(path)
    assert first["size"] == 200_000
    path.write_bytes(b"a" * 199_999 + b"b")
    assert fingerprint(path)["hash"] != first["hash"]


@pytest.mark.parametrize(
    ("raw", "text"),
    [("算子".encode(), "算子"), ("算子".encode("gb18030"), "算子"), (b"\xffop\xfe", "�op�"), (b"", "")],
)
def test_text_is_utf8_else_gb18030_else_replaced(raw: bytes, text: str) -> None:
    assert decode_text(raw) == text


JSON_TEXT = '{"a": [1, "é"], "b": 0.5}'


@pytest.mark.parametrize(
    "raw",
    [JSON_TEXT.encode(), b"\xef\xbb\xbf" + JSON_TEXT.encode(), JSON_TEXT.encode("utf-16"), JSON_TEXT.encode("gb18030")],
)
def test_json_is_read_whatever_tool_saved_it(raw: bytes) -> None:
    assert parse_json(raw) == {"a": [1, "é"], "b": 0.5}


def test_json_with_words_that_are_none_and_halves_of_characters_is_read() -> None:
    found = parse_json(b'\xef\xbb\xbf{"n": NaN, "i": -Infinity, "s": "x\\ud800y"}')
    assert found["n"] != found["n"]
    assert (found["i"], found["s"]) == (float("-inf"), "x?y")


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000])
def test_what_is_no_json_is_a_value_error(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_json(raw)


@pytest.mark.parametrize(
    "raw",
    [
        b"Device_id,Name\n3,a\n", b"\xef\xbb\xbfDevice_id,Name\r\n3,a\r\n", b"Device_id;Name\n3;a", b"Device_id\tName\n3\ta\n",
        b"Device_id,Name\r3,a\r", "Device_id,Name\n3,a\n".encode("utf-16"), b'\n"Device_id","Name"\n"3","a"\n',
    ],
)  # fmt: skip
def test_rows_of_a_csv_are_the_same_whatever_tool_saved_it(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(raw)
    assert csv_rows(path) == [["Device_id", "Name"], ["3", "a"]]
    assert csv_rows(path, most_bytes=1 << 14) == [["Device_id", "Name"], ["3", "a"]]
