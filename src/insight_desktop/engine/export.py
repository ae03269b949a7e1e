"""Tables as text or files: aligned columns, CSV, JSON, Parquet."""

from __future__ import annotations

import csv
import datetime
import decimal
import io
import json
import math
from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from insight_desktop.errors import BadArgument

FORMATS = ("table", "csv", "json", "parquet")
_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_BATCH = 20_000  # rows turned into text at a time


def write(table: pa.Table, kind: str, out: BinaryIO) -> None:
    """Write a table as `table`, `csv`, `json` (an array of objects) or `parquet`; text is UTF-8."""
    if kind == "parquet":
        pq.write_table(plain(table), out)
        return
    pieces = {"table": _aligned, "csv": _csv, "json": _json}.get(kind)
    if pieces is None:
        raise BadArgument(f"There is no format {kind!r}.", fix=f"Use one of {', '.join(FORMATS)}.")
    for piece in pieces(table):
        out.write(piece.encode("utf-8", "backslashreplace"))


def guarded(text: str) -> str:
    """A text cell that a spreadsheet will not run as a formula: an apostrophe goes in front of = + - @ TAB CR LF."""
    return f"'{text}" if text.startswith(_RISKY) else text


def value(cell: Any) -> Any:
    """A cell as JSON can hold it: NaN and infinities are null, exact decimals whole numbers, the rest text."""
    if cell is None or isinstance(cell, bool | int | str):
        return cell
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else None
    if isinstance(cell, decimal.Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    if isinstance(cell, bytes):
        return cell.hex()
    if isinstance(cell, datetime.date | datetime.datetime | datetime.time | datetime.timedelta):
        return str(cell)
    if isinstance(cell, dict):
        return {str(k): value(v) for k, v in cell.items()}
    if isinstance(cell, list | tuple):
        return [value(v) for v in cell]
    return str(cell)


def plain(table: pa.Table) -> pa.Table:
    """The table without run-end encoded columns, which many readers of Parquet do not know."""
    for i, field in enumerate(table.schema):
        if pa.types.is_run_end_encoded(field.type):
            chunks = [pc.run_end_decode(chunk) for chunk in table.column(i).chunks]
            table = table.set_column(i, field.name, pa.chunked_array(chunks, field.type.value_type))
    return table


def _rows(table: pa.Table) -> Iterator[list[Any]]:
    """Rows as lists in the order of the columns (names may repeat)."""
    table = plain(table)
    for start in range(0, table.num_rows, _BATCH):
        piece = table.slice(start, _BATCH)
        yield from map(list, zip(*(column.to_pylist() for column in piece.columns), strict=True))


def _json(table: pa.Table) -> Iterator[str]:
    yield "["
    separator = "\n"
    for row in _rows(table):
        cells = {name: value(cell) for name, cell in zip(table.column_names, row, strict=True)}
        yield separator + json.dumps(cells, ensure_ascii=False)
        separator = ",\n"
    yield "\n]\n"


def _csv(table: pa.Table) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer)  # ends lines with CR LF: only then a lone CR inside a cell is quoted
    writer.writerow([guarded(name) for name in table.column_names])
    for row in _rows(table):
        writer.writerow([_cell(cell) for cell in row])
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _cell(cell: Any) -> Any:
    shown = value(cell)
    if isinstance(shown, str):
        return guarded(shown)
    if isinstance(shown, bool):
        return "true" if shown else "false"
    return json.dumps(shown, ensure_ascii=False) if isinstance(shown, dict | list) else shown


def _aligned(table: pa.Table) -> Iterator[str]:
    """Columns of equal width, numbers at the right; control characters are shown as escapes."""
    numeric = [_is_number(field.type) for field in table.schema]
    rows = [[_shown(cell) for cell in row] for row in _rows(table)]
    widths = [max([len(name), *(len(row[i]) for row in rows)]) for i, name in enumerate(table.column_names)]
    for row in [list(table.column_names), ["-" * width for width in widths], *rows]:
        cells = [t.rjust(w) if n else t.ljust(w) for t, w, n in zip(row, widths, numeric, strict=True)]
        yield "  ".join(cells).rstrip() + "\n"


def _is_number(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


def _shown(cell: Any) -> str:
    shown = value(cell)
    if shown is None:
        return ""
    text = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
