"""Tables as text and files, read back by other readers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from insight_desktop.errors import BadArgument
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.table_text import as_text, guarded, write_file

SPECS = [
    ColumnSpec("name", "Name"),
    ColumnSpec("dur_ns", "Duration", kind="duration"),
    ColumnSpec("off_ns", "Distance", "µs", kind="offset"),
    ColumnSpec("share", "Share", kind="percent"),
    ColumnSpec("ts_ns", "Start", kind="time"),
]
TABLE = pa.table(
    {
        "name": ['a "b"\tc', "=SUM(A1)", "x,\ny", None],
        "dur_ns": pa.array([1_199_286, 9, None, 7_582_000_000], pa.int64()),
        "off_ns": pa.array([-221_032, 39_682, 0, None], pa.int64()),
        "share": [0.5, 0.953, None, 1.0],
        "ts_ns": pa.array([866_881_032, 0, -1_500_000, None], pa.int64()),
    }
)


@pytest.mark.row("system-timeline", 67)
def test_tsv_has_a_header_exact_numbers_and_quotes_where_needed() -> None:
    assert as_text(TABLE, SPECS) == (
        "Name\tDuration (ms)\tDistance (µs)\tShare (%)\tStart\n"
        '"a ""b""\tc"\t1.199286\t-221.032\t50\t00:00.866.881.032\n'
        "'=SUM(A1)\t0.000009\t39.682\t95.3\t00:00.000.000.000\n"
        '"x,\ny"\t\t0.000\t\t-00:00.001.500.000\n'
        "\t7582.000000\t\t100\t\n"
    )


def test_csv_is_read_back_by_the_standard_reader() -> None:
    rows = list(csv.reader(io.StringIO(as_text(TABLE, SPECS, "csv"), newline="")))
    assert rows[0] == ["Name", "Duration (ms)", "Distance (µs)", "Share (%)", "Start"]
    assert [r[0] for r in rows[1:]] == ['a "b"\tc', "'=SUM(A1)", "x,\ny", ""]
    assert [r[1] for r in rows[1:]] == ["1.199286", "0.000009", "", "7582.000000"]


def test_markdown_escapes_bars_and_aligns_numbers() -> None:
    table = pa.table({"name": ["a|b\nc"], "dur_ns": pa.array([1_000_000], pa.int64())})
    assert as_text(table, SPECS[:2], "markdown") == (
        "| Name | Duration (ms) |\n| --- | ---: |\n| a\\|b<br>c | 1.000000 |\n"
    )


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-cmd", "@x", "\tx", "\n=1", "\uff1d1", "\uff20x"])
def test_formulas_are_defused_and_negative_numbers_left_alone(text: str) -> None:
    specs = [ColumnSpec("t", "T")]
    assert as_text(pa.table({"t": [text]}), specs, "csv").split("\r\n")[1].strip('"') == f"'{text}"
    assert guarded(text) == f"'{text}"
    assert as_text(pa.table({"t": ["-12.5"]}), specs, "csv") == "T\r\n-12.5\r\n"


@pytest.mark.row("system-timeline", 103)
def test_arrow_and_parquet_keep_the_raw_columns(tmp_path: Path) -> None:
    for suffix in ("arrow", "parquet"):
        path = tmp_path / f"t.{suffix}"
        assert write_file(path, TABLE, SPECS[:2]) == 4
        if suffix == "parquet":
            back = pq.read_table(path)
        else:
            back = pa.ipc.open_file(path.read_bytes()).read_all()
        assert back.column_names == ["name", "dur_ns"]
        assert back.column("dur_ns").to_pylist() == [1_199_286, 9, None, 7_582_000_000]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.arrow", "t.parquet"]


@pytest.mark.row("system-timeline", 103)
def test_a_csv_file_is_utf8_with_mark_and_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_file(path, TABLE, SPECS)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [r["Distance (µs)"] for r in rows] == ["-221.032", "39.682", "0.000", ""]
    assert path.read_bytes()[:3] == b"\xef\xbb\xbf"


def test_an_unknown_suffix_or_place_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="unknown kind of file"):
        write_file(tmp_path / "t.xlsx", TABLE, SPECS)
    with pytest.raises(BadArgument, match="cannot be written"):
        write_file(tmp_path / "none" / "t.csv", TABLE, SPECS)
