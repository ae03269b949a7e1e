"""Strings of a capture: the table, the colour hash of every name, and the order in which people expect names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from numba import njit, uint64

from insight_desktop.engine.capture import write_column, write_ipc

Array = npt.NDArray[Any]

_FNV_START = 14695981039346656037
_FNV_PRIME = 1099511628211


@njit(cache=True, nogil=True)
def _hashes(data: Array, offset: Array, out: Array) -> None:
    for row in range(len(offset) - 1):
        h = uint64(_FNV_START)
        digits = False
        for i in range(offset[row], offset[row + 1]):
            byte = data[i]
            if 48 <= byte <= 57:
                if digits:
                    continue
                digits = True
                byte = np.uint8(35)
            else:
                digits = False
            h = (h ^ uint64(byte)) * uint64(_FNV_PRIME)
        h = (h ^ uint64(0xC2)) * uint64(_FNV_PRIME)
        h = (h ^ uint64(0xB7)) * uint64(_FNV_PRIME)
        out[row] = h ^ (h >> uint64(29))


def string_hashes(texts: pa.LargeStringArray) -> npt.NDArray[np.uint64]:
    """Colour hash per text: FNV-1a 64 of the text with digit runs as `#` and a middle dot behind, folded by 29 bits.

    Names of one family (`matmul_12`, `matmul_7`) share it, so that they share a colour.
    """
    out = np.empty(len(texts), np.uint64)
    if len(texts):
        _, offsets, data = texts.buffers()
        offset = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1].copy()
        raw = np.frombuffer(data, np.uint8).copy() if data is not None and data.size else np.empty(0, np.uint8)
        _hashes(raw, offset, out)
    return out


def write_strings(folder: Path, batches: list[pa.RecordBatch]) -> pa.LargeStringArray:
    """Write strings.arrow and string_hash; returns all texts."""
    chunks = [batch.column(0) for batch in batches]
    texts = pa.concat_arrays(chunks) if chunks else pa.array([], pa.large_string())
    write_ipc(folder, "strings", pa.table({"value": texts}))
    write_column(folder, "string_hash", string_hashes(texts))
    return texts


_DIGITS = re.compile(r"(\d+)")


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that compares runs of digits by value: Stream 2 before Stream 10."""
    parts = _DIGITS.split(text)
    return tuple((0, int(p), "") if i % 2 else (1, 0, p) for i, p in enumerate(parts) if p)


def number_or_text(text: str) -> tuple[int, int, str]:
    """Sort key of an id: numbers by value and before other texts."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit():
        return (0, int(text), "")
    return (1, 0, text)


def sort_index(value: float | None) -> tuple[bool, float]:
    """Sort key of a sort index: a missing one comes last."""
    missing = value is None or value != value
    return (missing, 0.0 if missing or value is None else float(value))


def track_key(track: dict[str, Any]) -> tuple[Any, ...]:
    """Display order of tracks: process (index, name, pid), thread (index, title, tid), lane."""
    return (
        *process_key(track),
        sort_index(track["thread_sort"]),
        natural(track["thread"] or ""),
        number_or_text(track["tid"] or ""),
        track["lane_sort"] or 0,
        natural(track["lane"] or ""),
    )


def process_key(row: dict[str, Any]) -> tuple[Any, ...]:
    """Display order of processes: sort index, name, pid."""
    return (sort_index(row["process_sort"]), natural(row["process"] or ""), number_or_text(row["pid"] or ""))


def series_key(series: dict[str, Any]) -> tuple[Any, ...]:
    """Display order of counter lines: top row, process, lane."""
    return (series["metrics"] or "", *process_key(series), series["order"] or 0)


def process_names(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Names of the processes in display order, one per (name, pid)."""
    seen = {(row["process"], row["pid"]): row for row in rows}
    return [row["process"] for row in sorted(seen.values(), key=process_key)]
