"""Tables as text and files."""

from __future__ import annotations

import csv
import decimal
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from insight_desktop.engine import export
from insight_desktop.errors import BadArgument


def written(table: pa.Table, kind: str) -> bytes:
    out = io.BytesIO()
    export.write(table, kind, out)
    return out.getvalue()


TABLE = pa.table({"name": ['a,"b"\nc', None], "n": [-3, 2**62], "v": [1.5, float("nan")], "ok": [True, False]})


@pytest.mark.row("system-timeline", 103)
def test_csv_can_be_read_back() -> None:
    rows = list(csv.reader(io.StringIO(written(TABLE, "csv").decode(), newline="")))
    assert rows == [["name", "n", "v", "ok"], ['a,"b"\nc', "-3", "1.5", "true"], ["", str(2**62), "", "false"]]


@pytest.mark.row("system-timeline", 103)
def test_json_keeps_whole_numbers_and_writes_nan_as_null() -> None:
    assert json.loads(written(TABLE, "json")) == [
        {"name": 'a,"b"\nc', "n": -3, "v": 1.5, "ok": True},
        {"name": None, "n": 4611686018427387904, "v": None, "ok": False},
    ]
    assert json.loads(written(TABLE.slice(0, 0), "json")) == []


@pytest.mark.row("system-timeline", 103)
def test_parquet_can_be_read_back() -> None:
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array(["0"]))
    found = pq.read_table(io.BytesIO(written(TABLE.append_column("card", runs), "parquet")))
    assert found["n"].to_pylist() == [-3, 2**62]
    assert found["card"].to_pylist() == ["0", "0"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_cells_that_a_spreadsheet_would_run_get_an_apostrophe(text: str) -> None:
    rows = list(csv.reader(io.StringIO(written(pa.table({"n": [text]}), "csv").decode(), newline="")))
    assert rows[1] == ["'" + text]


def test_columns_are_aligned_and_control_characters_shown() -> None:
    table = pa.table({"name": ["a\x1b[31m", "bcd"], "n": [5, 12345]})
    assert written(table, "table").decode().splitlines() == [
        "name           n",
        "---------  -----",
        "a\\x1b[31m      5",
        "bcd        12345",
    ]


def test_other_values_become_plain() -> None:
    assert export.value(decimal.Decimal("12")) == 12
    assert export.value({"a": [float("inf"), b"\x01"]}) == {"a": [None, "01"]}


def test_unknown_format_is_refused() -> None:
    with pytest.raises(BadArgument):
        written(TABLE, "xml")
