"""Record batches of `schema.TABLES` from columns of whatever source."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from insight_desktop import schema


def make(table: str, columns: Mapping[str, pa.Array], rows: int, first_row: int) -> pa.RecordBatch:
    """A batch of a table in the declared types.

    Args:
        table: name in `schema.TABLES`.
        columns: those that the source has; declared ones that are missing are null, others follow behind.
        rows: number of rows.
        first_row: number of the first row.
    """
    declared = schema.TABLES[table].schema
    arrays, fields = [], []
    for f in declared:
        fields.append(f)
        if f.name == "row":
            arrays.append(pa.array(np.arange(first_row, first_row + rows, dtype=np.int64)))
        elif f.name in columns:
            column = columns[f.name]
            arrays.append(column if column.type == f.type else column.cast(f.type))
        else:
            arrays.append(pa.nulls(rows, f.type))
    for name, column in columns.items():
        if name not in declared.names:
            arrays.append(column)
            fields.append(pa.field(name, column.type))
    return pa.record_batch(arrays, schema=pa.schema(fields))


def empty_text(rows: int) -> pa.Array:
    """A column of empty texts."""
    return pa.repeat(pa.scalar("", pa.string()), rows)
