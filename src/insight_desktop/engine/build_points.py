"""Instants and counter values of a capture: sorted inside their track or series, with totals and peaks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.build_ranges import Bursts, bursts_of
from insight_desktop.engine.build_spool import Spool, create, gather, groups_of, order_by_key, write_at
from insight_desktop.engine.capture import DTYPES, PEAK_BLOCKS, write_column
from insight_desktop.engine.timeline import mipmap

I64 = npt.NDArray[np.int64]
Array = npt.NDArray[Any]

GROUP_ROWS = 1_000_000
_INSTANT = {"ts_ns": "instant_ts", "name": "instant_name", "category": "instant_category", "args_at": "instant_args_at", "args_len": "instant_args_len"}  # fmt: skip
_COUNTER = {"ts_ns": "counter_ts", "value": "counter_value"}


@dataclass
class Points:
    """Offsets per key, first and last time per key, and bursts; min and max of values where there are any."""

    offset: I64
    first_ns: I64
    last_ns: I64
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    bursts: list[Bursts]


def write_instants(folder: Path, spool: Spool, rank: I64, threads: int) -> Points:
    """Write the instant_* files; `rank` is the display place of each track id."""
    result = _Points(folder, spool, "track", rank, _INSTANT).write(threads)
    write_column(folder, "instant_offset", result.offset)
    return result


def write_counters(folder: Path, spool: Spool, rank: I64, threads: int) -> Points:
    """Write the counter_*, series_offset and peak_* files; `rank` is the display place of each series id."""
    for block in PEAK_BLOCKS:
        for side in ("min", "max"):
            (folder / f"peak_{block}_{side}.bin").touch()
    points = _Points(folder, spool, "series", rank, _COUNTER)
    result = points.write(threads)
    write_column(folder, "series_offset", result.offset)
    for block, to in points.peak_offsets.items():
        write_column(folder, f"peak_{block}_offset", to)
    return result


class _Points:
    """Sorts rows with a time by (key, time), stable, and writes their columns."""

    def __init__(self, folder: Path, spool: Spool, key: str, rank: I64, files: dict[str, str]) -> None:
        self._folder, self._spool, self._files = folder, spool, files
        keys = int(rank.max(initial=-1)) + 1
        self.offset = np.zeros(keys + 1, np.int64)
        self._order = np.empty(spool.rows, np.uint32 if spool.rows < 2**32 else np.int64)
        order_by_key(spool.column(key), rank, self.offset, self._order)
        self._first, self._last = np.zeros(keys, np.int64), np.zeros(keys, np.int64)
        self._low, self._high = np.full(keys, np.nan), np.full(keys, np.nan)
        self.peak_offsets = {b: _blocks(self.offset, b) for b in PEAK_BLOCKS} if "value" in files else {}

    def write(self, threads: int) -> Points:
        for file in self._files.values():
            create(self._folder, file, DTYPES[file], self._spool.rows)
        for block, to in self.peak_offsets.items():
            for side in ("min", "max"):
                create(self._folder, f"peak_{block}_{side}", "<f8", int(to[-1]))
        groups = groups_of(self.offset, GROUP_ROWS)
        parts: list[Bursts] = []
        with ThreadPoolExecutor(max(1, threads)) as pool:
            # One column at a time, mapped once: a map made anew would meet every page of the file again.
            for name in self._files:
                source = self._spool.column(name)
                if name == "ts_ns":
                    parts = list(pool.map(lambda group, s=source: self._sort(group, s), groups))
                else:
                    list(pool.map(lambda group, s=source, n=name: self._copy(group, n, s), groups))
        if "name" in self._files and parts:
            names = self._spool.column("name")
            for part in parts:
                part.name = names[part.name].astype(np.int64)
        return Points(self.offset, self._first, self._last, self._low, self._high, parts)

    def _sort(self, group: tuple[int, int], source: I64) -> Bursts:
        """Sort the rows of some keys by time, write the times, and sum them up."""
        low, high = group
        base = int(self.offset[low])
        offset = self.offset[low : high + 1] - base
        index = self._order[base : int(self.offset[high])]
        ts = np.empty(len(index), np.int64)
        gather(source, index, ts)
        for k in range(high - low):
            a, b = int(offset[k]), int(offset[k + 1])
            part = ts[a:b]
            if (part[1:] < part[:-1]).any():
                order = np.argsort(part, kind="stable")
                index[a:b], ts[a:b] = index[a:b][order], part[order]
            if b > a:
                self._first[low + k], self._last[low + k] = ts[a], ts[b - 1]
        write_at(self._folder, self._files["ts_ns"], base, ts)
        # A burst of instants is named after its first (its row for now), one of values after its series.
        label = index if "name" in self._files else -2 - np.repeat(np.arange(low, high), np.diff(offset))
        return bursts_of(ts, ts, offset, label)

    def _copy(self, group: tuple[int, int], name: str, source: Array) -> None:
        """Bring another column of some keys into order."""
        low, high = group
        base = int(self.offset[low])
        index = self._order[base : int(self.offset[high])]
        values = np.empty(len(index), source.dtype)
        gather(source, index, values)
        write_at(self._folder, self._files[name], base, values)
        if name == "value":
            self._peaks(low, high, self.offset[low : high + 1] - base, values)

    def _peaks(self, low: int, high: int, offset: I64, values: npt.NDArray[np.float64]) -> None:
        """Peaks of one group of series, and extremes of each whole series."""
        whole = 1 << 62
        for block, all_to in (*self.peak_offsets.items(), (whole, np.arange(len(self.offset)))):
            to = all_to[low : high + 1] - all_to[low]
            least, most = np.full(int(to[-1]), np.nan), np.full(int(to[-1]), np.nan)
            if block == whole:
                filled = np.flatnonzero(np.diff(offset))  # series without values have no extremes
                part = np.append(offset[filled], offset[-1:])
                mipmap.peaks(values, part, whole, filled, least, most)
                self._low[low:high], self._high[low:high] = least, most
            else:
                mipmap.peaks(values, offset, block, to, least, most)
                write_at(self._folder, f"peak_{block}_min", int(all_to[low]), least)
                write_at(self._folder, f"peak_{block}_max", int(all_to[low]), most)


def _blocks(offset: I64, block: int) -> I64:
    """First block of each series, and their number."""
    return np.concatenate(([0], np.cumsum(-(-np.diff(offset) // block)))).astype(np.int64)
