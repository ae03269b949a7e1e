"""Columns that wait on disk while a stream runs, and the kernels that bring them into order afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from numba import njit

from insight_desktop import schema

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]


class Spool:
    """The columns of one stream table, appended batch by batch to temporary files.

    Memory stays small whatever the stream's length; `column` maps a file, so give the array up soon.
    """

    def __init__(self, folder: Path, table: str) -> None:
        self.rows = 0
        fields = schema.STREAM[table].schema
        self._dtypes = {
            f.name: np.dtype("bool" if pa.types.is_boolean(f.type) else f.type.to_pandas_dtype()) for f in fields
        }
        self._paths = {name: folder / f"spool_{table}_{name}.tmp" for name in self._dtypes}
        self._files: dict[str, BinaryIO] = {}

    def append(self, batch: pa.RecordBatch) -> None:
        """Add a batch; its columns are taken by name."""
        if not self._files:
            self._files = {name: path.open("wb", buffering=1 << 20) for name, path in self._paths.items()}
        for name, file in self._files.items():
            values = batch.column(name).to_numpy(zero_copy_only=False)
            file.write(np.ascontiguousarray(values, self._dtypes[name]).data)
        self.rows += batch.num_rows

    def close(self) -> None:
        """Finish writing."""
        for file in self._files.values():
            file.close()

    def column(self, name: str) -> Array:
        """A column as a private map of its file (writable in memory, so that kernels see one array type)."""
        if not self.rows:
            return np.empty(0, self._dtypes[name])
        return np.asarray(np.memmap(self._paths[name], self._dtypes[name], "c"))

    def delete(self, *names: str) -> None:
        """Remove files that are no longer needed; all of them when no name is given."""
        self.close()
        for name in names or tuple(self._paths):
            self._paths[name].unlink(missing_ok=True)


@njit(cache=True, nogil=True)
def order_by_key(key: Array, rank: I64, offset: I64, out: Array) -> None:
    """Stable counting sort: rows in order of rank[key].

    Args:
        key: key per row.
        rank: place of each key.
        offset: zeros, [places + 1]; filled: rows of place p are out[offset[p]:offset[p+1]].
        out: filled with row numbers.
    """
    for i in range(len(key)):
        offset[rank[key[i]] + 1] += 1
    for p in range(len(offset) - 1):
        offset[p + 1] += offset[p]
    at = offset[:-1].copy()
    for i in range(len(key)):
        p = rank[key[i]]
        out[at[p]] = i
        at[p] += 1


@njit(cache=True, nogil=True)
def gather(values: Array, rows: Array, out: Array) -> None:
    """out[i] = values[rows[i]], without a check per value."""
    for i in range(len(rows)):
        out[i] = values[rows[i]]


@njit(cache=True, nogil=True)
def scatter(values: Array, place: I64, out: Array) -> None:
    """out[place[i]] = values[i]."""
    for i in range(len(place)):
        out[place[i]] = values[i]


def create(folder: Path, name: str, dtype: str, length: int) -> None:
    """Make a column file of its final size, so that workers can write their parts in any order."""
    with (folder / f"{name}.bin").open("wb") as file:
        file.truncate(length * np.dtype(dtype).itemsize)


def write_at(folder: Path, name: str, row: int, values: Array) -> None:
    """Write values into a column file from `row` on."""
    with (folder / f"{name}.bin").open("r+b") as file:
        file.seek(row * values.itemsize)
        file.write(np.ascontiguousarray(values).data)


def groups_of(offset: I64, limit: int) -> list[tuple[int, int]]:
    """Cut consecutive keys into groups of at most `limit` rows; a bigger key is a group of its own."""
    groups = []
    low, keys = 0, len(offset) - 1
    while low < keys:
        high = int(np.searchsorted(offset, offset[low] + limit, "right")) - 1
        high = min(max(high, low + 1), keys)
        groups.append((low, high))
        low = high
    return groups
