"""Everything about one slice or instant: times, self time, place among its namesakes, arguments decoded on demand."""

from __future__ import annotations

import json
import mmap
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import zstandard

from insight_desktop import schema
from insight_desktop.engine.capture import ARGS_BLOCK, Array, Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadFile, InsightError, NoData
from insight_desktop.ingest import open_files

Pairs = list[tuple[str, Any]]
_TOGETHER = 32  # rows that share the fate of a damaged page
_MAX_FAILURES = 256  # reads of a damaged table; then its other rows go without details


def slice_detail(store: Store, card: str, slice_id: int) -> dict[str, Any]:
    """Facts of a slice, or of an instant (ids from the number of slices on).

    Keys: kind (slice or instant), name, category, start_ns, end_ns (raw), duration_ns, self_ns (None without a child),
    track, row, path (titles of process, thread, group, lane; without repeats), pid, tid, unfinished, clamped,
    `rank` ({position, of, percentile}: the position-th longest of its name on the card; percentile = part of the others
    that are shorter, None when it is the only one), args (ordered (key, value) pairs) and args_note (why there are none).
    """
    chosen, capture = store.card(card), store.capture(card)
    count = len(capture.slice_start)
    if not 0 <= slice_id < count + len(capture.instant_ts):
        raise NoData(f"Card {card} has no slice {slice_id}.", fix="Search for its name.")
    facts = _of_slice(capture, slice_id) if slice_id < count else _of_instant(capture, slice_id - count)
    track = capture.tracks.slice(facts["track"], 1).to_pylist()[0]
    titles = [track["process"], track["thread"], track["group"], track["lane"]]
    facts["path"] = [t for i, t in enumerate(titles) if t and t not in titles[1:i]]
    facts["pid"], facts["tid"] = track["pid"], track["tid"]
    try:
        facts["args"], facts["args_note"] = args_pairs(chosen, capture, slice_id), ""
    except InsightError as error:
        facts["args"], facts["args_note"] = [], str(error)
    return facts


def args_pairs(card: StoreCard, capture: Capture, slice_id: int) -> Pairs:
    """Arguments of a slice or instant in their order; empty without any. Raises NoData when the source moved or changed."""
    text = args_text(card, capture, np.array([slice_id]))[0]
    if text is None:
        return []
    try:
        # Pairs keep the order of the source; the last of two equal keys wins.
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        try:
            found = json.loads(text, strict=False)
        except (ValueError, RecursionError):  # no JSON, or nested deeper than Python goes
            return [("args", text)]
    return list(found.items()) if isinstance(found, dict) else [("args", found)]


def args_text(card: StoreCard, capture: Capture, ids: Array) -> list[str | None]:
    """Arguments of many slices and instants as JSON text of the source; None where there are none.

    Raises NoData when the source is not there any more or is not what was read.
    """
    at, length = places(capture, np.asarray(ids, np.int64))
    mode = capture.manifest.args.get("mode")
    joined = (at < -1) & (mode == "file")
    length[(at < 0) & ~joined] = 0
    if not (length != 0).any():
        return [None] * len(at)
    if mode == "file":
        found = _from_files(sources(card, capture), at, length)
        for i in np.flatnonzero(joined).tolist():
            found[i] = _from_blocks(capture, int(-2 - at[i]), int(length[i]))
        return found
    if mode == "blocks":
        return [_from_blocks(capture, int(a), int(n)) if n else None for a, n in zip(at, length, strict=True)]
    if mode == "db":
        return _from_db(sources(card, capture), capture, at, length)
    return [None] * len(at)


def _of_slice(capture: Capture, at: int) -> dict[str, Any]:
    start, end = int(capture.slice_start[at]), int(capture.slice_end[at])
    name, flags = int(capture.slice_name[at]), int(capture.slice_flags[at]) if len(capture.slice_flags) else 0
    lane = capture.lane_of(at)
    return {
        "kind": "slice",
        "id": at,
        "name": capture.text(name),
        "category": capture.text(int(capture.slice_category[at])) if len(capture.slice_category) else "",
        "start_ns": start,
        "end_ns": end,
        "duration_ns": end - start,
        "self_ns": self_ns(capture, at),
        "track": int(capture.lane_track[lane]),
        "row": int(capture.lane_row[lane]),
        "unfinished": bool(flags & schema.UNFINISHED),
        "clamped": bool(flags & schema.CLAMPED),
        "rank": _rank(capture, name, end - start),
    }


def _of_instant(capture: Capture, at: int) -> dict[str, Any]:
    stamp = int(capture.instant_ts[at])
    return {
        "kind": "instant",
        "id": at + len(capture.slice_start),
        "name": capture.text(int(capture.instant_name[at])),
        "category": capture.text(int(capture.instant_category[at])),
        "start_ns": stamp,
        "end_ns": stamp,
        "duration_ns": 0,
        "self_ns": None,
        "track": int(np.searchsorted(capture.instant_offset, at, "right")) - 1,
        "row": 0,
        "unfinished": False,
        "clamped": False,
        "rank": None,
    }


def self_ns(capture: Capture, at: int) -> int | None:
    """Duration minus the durations of the slices one row deeper that lie completely inside; None without such a slice."""
    lane = capture.lane_of(at)
    if lane + 1 >= len(capture.lane_track) or capture.lane_track[lane + 1] != capture.lane_track[lane]:
        return None
    start, end = int(capture.slice_start[at]), int(capture.slice_end[at])
    low, high = int(capture.lane_offset[lane + 1]), int(capture.lane_offset[lane + 2])
    first = low + int(np.searchsorted(capture.slice_start[low:high], start))
    last = low + int(np.searchsorted(capture.slice_start[low:high], end, "right"))
    begins, ends = np.asarray(capture.slice_start[first:last]), np.asarray(capture.slice_end[first:last])
    inside = ends <= end
    if not inside.any():
        return None
    return end - start - int((ends[inside] - begins[inside]).sum())


def _rank(capture: Capture, name: int, duration: int) -> dict[str, Any]:
    same = np.flatnonzero(np.asarray(capture.slice_name) == name)
    lengths = np.asarray(capture.slice_end)[same] - np.asarray(capture.slice_start)[same]
    count = len(lengths)
    longer, shorter = int((lengths > duration).sum()), int((lengths < duration).sum())
    percentile = 100.0 * shorter / (count - 1) if count > 1 else None
    return {"position": longer + 1, "of": count, "percentile": percentile}


def places(capture: Capture, ids: Array) -> tuple[Array, Array]:
    """Where the arguments are: args_at and args_len of each id."""
    count = len(capture.slice_start)
    at, length = np.full(len(ids), -1, np.int64), np.zeros(len(ids), np.int64)
    point = ids >= count
    for chosen, shift, kind in ((~point, 0, "slice"), (point, count, "instant")):
        rows = ids[chosen] - shift
        stored = capture.column(f"{kind}_args_at")
        if len(stored):
            at[chosen] = np.asarray(stored)[rows]
            length[chosen] = np.asarray(capture.column(f"{kind}_args_len"))[rows]
    length[at == -1] = 0
    return at, length


def sources(card: StoreCard, capture: Capture) -> list[Path]:
    """The source files, found again and proved unchanged."""
    found = []
    for facts in capture.manifest.source.get("files", []):
        path = Path(facts["path"])
        if not path.exists() and card.source_folder is not None:
            path = next(card.source_folder.rglob(path.name), path)
        if not _unchanged(path, facts):
            raise NoData(
                f"Arguments are unavailable: {path.name} moved or changed since it was read.",
                fix="Relink the data, or read them again.",
            )
        found.append(path)
    return found


def _unchanged(path: Path, facts: dict[str, Any]) -> bool:
    try:
        stat = path.stat()
    except OSError:
        return False
    if stat.st_size != facts.get("size"):
        return False
    if stat.st_mtime_ns == facts.get("mtime_ns"):
        return True
    return _hash(path, stat.st_size, stat.st_mtime_ns) in (facts.get("fingerprint"), facts.get("hash"))


@lru_cache(maxsize=256)
def _hash(path: Path, size: int, mtime_ns: int) -> object:
    """Hash of a file's edges; size and mtime are part of the key only."""
    del size, mtime_ns
    return open_files.fingerprint(path)["hash"]


def _from_files(files: Sequence[Path], at: Array, length: Array) -> list[str | None]:
    out: list[str | None] = [None] * len(at)
    begin = 0
    for path in files:
        size = path.stat().st_size
        mine = np.flatnonzero((length > 0) & (at >= begin) & (at < begin + size))
        if len(mine):
            with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
                for i in mine:
                    place = int(at[i]) - begin
                    out[i] = held[place : place + int(length[i])].decode("utf-8", "replace")
        begin += size
    return out


def _from_blocks(capture: Capture, at: int, length: int) -> str:
    pieces = []
    while length > 0:
        block = _block(capture.folder, at // ARGS_BLOCK)
        piece = block[at % ARGS_BLOCK : at % ARGS_BLOCK + length]
        if not piece:
            raise BadFile("The arguments in the cache are damaged.", fix="Read the data again.")
        pieces.append(piece)
        at, length = at + len(piece), length - len(piece)
    return b"".join(pieces).decode("utf-8", "replace")


@lru_cache(maxsize=64)
def _block(folder: Path, number: int) -> bytes:
    offsets = np.fromfile(folder / "args_block.bin", "<i8")
    if number + 1 >= len(offsets):
        return b""
    with (folder / "args.zst").open("rb") as file:
        file.seek(int(offsets[number]))
        packed = file.read(int(offsets[number + 1] - offsets[number]))
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=ARGS_BLOCK)


def _from_db(files: Sequence[Path], capture: Capture, at: Array, length: Array) -> list[str | None]:
    from insight_desktop.ingest.formats import profiler_db_details

    tables = list(capture.manifest.args.get("tables", []))
    out: list[str | None] = [None] * len(at)
    failures = 0
    waiting = [(int(code), np.flatnonzero(length == code)) for code in np.unique(length[length < 0])]
    while waiting and failures < _MAX_FAILURES:
        code, mine = waiting.pop()
        rows = [int(row) for row in at[mine]]
        try:
            details = profiler_db_details.details_many(files, tables[-1 - code], rows)
        except InsightError:  # a damaged page costs the rows on it only
            if len(at) == 1:
                raise
            failures += 1
            if len(mine) > _TOGETHER:
                waiting += [(code, half) for half in np.array_split(mine, 2)]
            continue
        for i, found in zip(mine, details, strict=True):
            out[i] = orjson.dumps(found, default=str).decode() if found else None
    return out
