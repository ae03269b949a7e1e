"""Tables of the Operator page as csv files with the heads that other viewers write."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.system.operator_groups import Group
from insight_desktop.errors import InsightError

LIMIT_BYTES = 1 << 30
_BATCH = 20_000
_RISKY = ("=", "+", "-", "@")
_TITLES: dict[Group, str] = {
    "type": "Operator_Type",
    "name": "Operator",
    "name_shape": "Input_Shape",
    "type_shape": "Operator_Type_and_Input_Shape",
    "communication": "Communication_Operator",
    "communication_type": "Communication_Operator_Type",
}
_FIGURES = {
    "count": "count", "sum_us": "totalTime", "avg_us": "avgTime", "max_us": "maxTime", "min_us": "minTime",
}  # fmt: skip
_NAMES_OF_GROUP = {"name": "opName", "type": "opType", "shape": "inputShape", "core": "accCore", **_FIGURES}
_NAMES_OF_ROW = {
    "name": "name", "type": "type", "core": "accCore", "start_ms": "startTime", "duration_us": "duration",
    "wait_us": "waitTime", "block_num": "blockDim", "input_shapes": "inputShape", "input_types": "inputType",
    "input_formats": "inputFormat", "output_shapes": "outputShape", "output_types": "outputType",
    "output_formats": "outputFormat",
}  # fmt: skip
_LEFT_OUT = ("row", "start_ns", "duration_ns", "wait_ns")
_EMPTY_COLUMNS = tuple(_NAMES_OF_ROW)[6:]
_TIMES = {"totalTime": 3, "avgTime": 3, "maxTime": 3, "minTime": 3, "duration": 3, "waitTime": 3, "startTime": 2}


def renamed(table: pa.Table, group: Group, *, single: bool) -> pa.Table:
    """The table with the column names of the file.

    Args:
        table: result of the queries `statistics`, `details` or the differences of `compare`.
        group: what it is grouped by.
        single: rows are single kernels. Computing ones always have all columns up to the formats of the output.
    """
    names = _NAMES_OF_ROW if single else _NAMES_OF_GROUP
    if single and group == "name":
        for column in _EMPTY_COLUMNS:
            if column not in table.column_names:
                table = table.append_column(column, pa.nulls(table.num_rows, pa.string()))
    kept = [c for c in table.column_names if c not in _LEFT_OUT]
    return table.select(kept).rename_columns([names.get(c, c) for c in kept])


def file_name(group: Group, rank: str, seconds: int | None = None) -> str:
    """`operator_detail_group_by_<group>_<rank>_<unix seconds>.csv`; characters that no file name may have become `_`."""
    safe = "".join(c if c.isalnum() or c in "-_." else "_" for c in rank)
    return f"operator_detail_group_by_{_TITLES[group]}_{safe}_{int(time.time()) if seconds is None else seconds}.csv"


def write_csv(
    table: pa.Table, path: Path, *, limit_bytes: int = LIMIT_BYTES, cancelled: Callable[[], bool] = lambda: False
) -> None:
    """Write what `renamed` gave: UTF-8, lines end with `\\n`, mode 0640; the file appears when it is whole.

    A text that begins with = + - or @ gets a backslash in front, so that no spreadsheet runs it. Texts with commas, quotes
    or line ends are quoted; shapes carry their own quotes.

    Raises InsightError when the file would be larger than the limit, or cannot be written; then none is left.
    """
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.tmp")
    done = 0
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        with os.fdopen(descriptor, "wb") as file:
            for piece in _pieces(table):
                data = piece.encode("utf-8", "backslashreplace")
                done += len(data)
                if done > limit_bytes:
                    raise InsightError(
                        f"The file exceeds the maximum limit of {limit_bytes:,} bytes; nothing was written.",
                        fix="Limit the rows with Top or a filter.",
                    )
                if cancelled():
                    return
                file.write(data)
        os.replace(temporary, path)  # noqa: PTH105 - its counterpart of pathlib is no clearer
    except OSError as error:
        raise InsightError(
            f"{path} cannot be written ({error.strerror or error}).", fix="Choose another folder."
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def _pieces(table: pa.Table) -> Iterator[str]:
    yield ",".join(_text(name) for name in table.column_names) + "\n"
    for start in range(0, table.num_rows, _BATCH):
        piece = table.slice(start, _BATCH)
        columns = [_cells(name, piece.column(name)) for name in piece.column_names]
        yield "".join(",".join(row) + "\n" for row in zip(*columns, strict=True))


def _cells(name: str, column: pa.ChunkedArray) -> list[str]:
    """The cells of a column as they are written."""
    missing = "NA" if name == "startTime" else ""
    encoded = pc.dictionary_encode(column.combine_chunks())  # each value is turned into text once
    digits = _TIMES.get(name)
    words = [_word(value, digits) for value in encoded.dictionary.to_pylist()]
    return [missing if i is None else words[i] for i in encoded.indices.to_pylist()]


def _word(value: object, digits: int | None) -> str:
    if isinstance(value, float):
        return repr(value) if digits is None else f"{value:.{digits}f}"
    return _text(value) if isinstance(value, str) else str(value)


def _text(text: str) -> str:
    if text.startswith(_RISKY):
        text = "\\" + text
    if text.startswith('"') and text.endswith('"') and len(text) > 1 and '"' not in text[1:-1]:
        return text  # a shape: quoted already
    if any(c in text for c in ',"\n\r'):
        doubled = text.replace('"', '""')
        return f'"{doubled}"'
    return text
