"""Columns of a profiler database as Arrow arrays: texts by their ids, NULL as null."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.ingest.formats.profiler_db_ids import IdMap
from insight_desktop.ingest.formats.profiler_db_tables import NULL, Database, Ints
from insight_desktop.ingest.open_files import decode_text


class Texts:
    """STRING_IDS of a database."""

    def __init__(self, database: Database) -> None:
        ids, values = [np.empty(0, np.int64)], []
        for batch in database.texts():
            ids.append(np.asarray(batch.column(0)))
            values.append(_decoded(batch.column(1)))
        self._values = pa.concat_arrays(values) if values else pa.array([], pa.string())
        self._map = IdMap(np.concatenate(ids))

    def of(self, ids: Ints, *, null: str | None = "") -> pa.StringArray:
        """The text of each id: an unknown id gives its number, NULL gives `null`."""
        at = self._map.get(ids)
        out = self._values.take(pa.array(at, mask=at < 0))
        if (at < 0).any():
            numbers = pc.if_else(pa.array(ids == NULL), pa.scalar(null, pa.string()), pa.array(ids).cast(pa.string()))
            out = pc.if_else(pa.array(at < 0), numbers, out)
        return out


def _decoded(values: pa.Array) -> pa.StringArray:
    try:
        return values.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([None if v is None else decode_text(v) for v in values.to_pylist()], pa.string())


def whole(values: Ints, *, zero_is_null: bool = False) -> pa.Int64Array:
    """Integers with NULL as null."""
    missing = (values == NULL) | (values == 0) if zero_is_null else values == NULL
    return pa.array(values, mask=missing)


def reals(values: npt.NDArray[np.float64]) -> pa.DoubleArray:
    """Numbers with NaN as null."""
    return pa.array(values, mask=np.isnan(values))
