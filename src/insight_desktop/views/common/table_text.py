"""Tables as text for copying and as files: TSV, CSV, Markdown, Arrow and Parquet.

Numbers are written plainly, without grouping, with a hyphen for minus, in the unit of the heading and to the last
nanosecond. Texts that a spreadsheet would run as a formula get an apostrophe in front.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from insight_desktop.errors import BadArgument
from insight_desktop.views.common import number_text
from insight_desktop.views.common.table_columns import ColumnSpec

STYLES = ("tsv", "csv", "markdown")
SUFFIXES = {".tsv": "tsv", ".txt": "tsv", ".csv": "csv", ".md": "markdown"}
_ROWS_AT_ONCE = 65_536
# The wide forms are what programs with an East Asian language take for the same signs.
_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_FORMULA = r"^[=+\-@\t\r\n＝＋－＠]"


def as_text(table: pa.Table, specs: Sequence[ColumnSpec], style: str = "tsv") -> str:
    """The columns of `specs` as text with a heading line; `style` is tsv, csv or markdown."""
    return "".join(lines(table, specs, style))


def lines(table: pa.Table, specs: Sequence[ColumnSpec], style: str) -> Iterator[str]:
    """The text piece by piece, so that large tables are written without being held."""
    if style not in STYLES:
        raise BadArgument(f"There is no table style {style!r}.", fix=f"Use one of {', '.join(STYLES)}.")
    quote, between, start, end = _quoting(style)
    heads = [quote(pa.array([guarded(s.heading())])).to_pylist()[0] for s in specs]
    yield f"{start}{between.join(heads)}{end}"
    if style == "markdown":
        yield f"{start}{between.join('---' if s.is_text else '---:' for s in specs)}{end}"
    for at in range(0, table.num_rows, _ROWS_AT_ONCE):
        part = table.slice(at, _ROWS_AT_ONCE)
        cells = [quote(plain(part.column(s.name), s)) for s in specs]
        joined = pc.binary_join_element_wise(*cells, pa.scalar(between, pa.large_string()))
        yield "".join(f"{start}{line}{end}" for line in joined.to_pylist())


def plain(column: pa.ChunkedArray, spec: ColumnSpec) -> pa.Array:
    """A column as plain large_string texts, empty where a value is missing."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    kind = array.type
    if pa.types.is_integer(kind) and spec.kind in ("duration", "offset"):
        text = _decimal(array, spec.exact_decimals)
    elif spec.kind == "time":
        values = (None if v is None else number_text.ruler(int(v)) for v in array.to_pylist())
        text = pa.array([v and v.replace(number_text.MINUS, "-") for v in values], pa.large_string())
    elif pa.types.is_integer(kind) and spec.scale == 1:
        text = pc.cast(array, pa.large_string())
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        texts = [_float_text(v, spec) for v in array.to_pylist()]
        text = pa.array(texts, pa.large_string())
    else:
        text = pc.cast(array, pa.large_string())
        dangerous = pc.fill_null(pc.match_substring_regex(text, _FORMULA), False)
        # A plain negative number is data, whatever column it stands in.
        number = pc.fill_null(pc.match_substring_regex(text, r"^[+-]?[0-9]+(\.[0-9]+)?$"), False)
        text = pc.if_else(pc.and_not(dangerous, number), pc.binary_join_element_wise(_APOSTROPHE, text, _NOTHING), text)
    return pc.fill_null(text, spec.missing)


_APOSTROPHE, _NOTHING = pa.scalar("'", pa.large_string()), pa.scalar("", pa.large_string())


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_RISKY) else text


def _float_text(value: float | None, spec: ColumnSpec) -> str | None:
    if value is None or value != value:
        return None
    scaled = value / spec.scale if spec.kind != "percent" else value * 100
    return repr(scaled).removesuffix(".0") if isinstance(scaled, float) else str(scaled)


def _decimal(array: pa.Array, decimals: int) -> pa.Array:
    """Integers as decimal fractions of 10**decimals, exactly."""
    if not decimals:
        return pc.cast(array, pa.large_string())
    size, unit = pc.abs(array), 10**decimals
    whole = pc.divide(size, unit)
    rest = pc.subtract(size, pc.multiply(whole, unit))
    digits = pc.utf8_lpad(pc.cast(rest, pa.large_string()), decimals, "0")
    sign = pc.if_else(pc.less(array, 0), pa.scalar("-", pa.large_string()), _NOTHING)
    dot = pa.scalar(".", pa.large_string())
    return pc.binary_join_element_wise(sign, pc.cast(whole, pa.large_string()), dot, digits, _NOTHING)


def _quoting(style: str) -> tuple[Callable[[pa.Array], pa.Array], str, str, str]:
    if style == "markdown":
        return _markdown_cells, " | ", "| ", " |\n"
    between = "\t" if style == "tsv" else ","
    # TSV goes to the clipboard with plain line ends, CSV follows RFC 4180.
    return lambda cells: _quoted(cells, between), between, "", "\n" if style == "tsv" else "\r\n"


def _quoted(cells: pa.Array, between: str) -> pa.Array:
    cells = pc.cast(cells, pa.large_string())
    needs = pc.match_substring_regex(cells, f'[{between}"\n\r]')
    if not pc.any(needs).as_py():
        return cells
    doubled = pc.replace_substring(cells, '"', '""')
    mark = pa.scalar('"', pa.large_string())
    return pc.if_else(needs, pc.binary_join_element_wise(mark, doubled, mark, _NOTHING), cells)


def _markdown_cells(cells: pa.Array) -> pa.Array:
    cells = pc.cast(cells, pa.large_string())
    for found, instead in (("\\", "\\\\"), ("|", "\\|"), ("\r\n", "<br>"), ("\n", "<br>"), ("\r", "<br>")):
        cells = pc.replace_substring(cells, found, instead)
    return cells


def write_file(path: Path, table: pa.Table, specs: Sequence[ColumnSpec]) -> int:
    """Write a table; the suffix decides: .csv, .tsv, .md as text, .arrow and .parquet as raw columns (ns, bytes).

    The file appears only when it is whole. Returns the number of rows.

    Raises:
        BadArgument: the suffix is unknown, or the place cannot be written.
    """
    suffix = path.suffix.lower()
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if suffix in SUFFIXES:
            # A byte-order mark makes Excel read UTF-8; every CSV reader knows it.
            encoding = "utf-8-sig" if suffix == ".csv" else "utf-8"
            with part.open("w", encoding=encoding, newline="") as file:
                file.writelines(lines(table, specs, SUFFIXES[suffix]))
        elif suffix in (".arrow", ".parquet"):
            raw = table.select([s.name for s in specs])
            _write_binary(part, raw, suffix)
        else:
            raise BadArgument(f"{path.name}: unknown kind of file.", fix="Use .csv, .tsv, .md, .arrow or .parquet.")
        part.replace(path)
    except OSError as error:
        raise BadArgument(
            f"{path} cannot be written: {error.strerror}.", fix="Choose another folder or free some space."
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return int(table.num_rows)


def _write_binary(path: Path, table: pa.Table, suffix: str) -> None:
    if suffix == ".parquet":
        pq.write_table(table, path)
        return
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def key_values_text(pairs: Sequence[tuple[str, Any]]) -> str:
    """Pairs as lines of `key<tab>value`, several-line values indented below their key."""
    return "".join(
        f"{key}\t{str(value).replace(chr(13), '').replace(chr(10), chr(10) + chr(9))}\n" for key, value in pairs
    )
