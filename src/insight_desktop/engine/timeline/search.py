"""Finding slices and instants by name: the names are matched once, then only ids are compared."""

from __future__ import annotations

import re
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument

Match = Literal["contains", "name", "word", "regex"]
MATCHES: tuple[Match, ...] = ("contains", "name", "word", "regex")


def name_mask(capture: Capture, text: str, match: Match = "contains", case: bool = False) -> Array:
    """One truth value per string id: does the name match.

    contains: the text occurs (`%` and `_` mean themselves); name: the whole name equals it; word: it occurs as whole
    word(s); regex: the expression is found. Raises BadArgument for an unknown mode or an expression that cannot be read.
    """
    if match not in MATCHES:
        raise BadArgument(f"There is no match mode {match!r}.", fix=f"Use one of {', '.join(MATCHES)}.")
    strings = capture.strings
    if match == "contains":
        found = pc.match_substring(strings, text, ignore_case=not case)
    elif match == "name" and case:
        found = pc.equal(strings, pa.scalar(text, strings.type))
    else:
        pattern = {"name": rf"\A(?:{re.escape(text)})\z", "word": _word(text), "regex": text}[match]
        return _by_regex(strings, pattern, text, match, case)
    return np.asarray(found.to_numpy(zero_copy_only=False), np.bool_)


def hits(capture: Capture, mask: Array) -> Array:
    """Ids of the slices and instants whose name is in the mask, by start, track, id.

    Ids from the number of slices on are instants: id − slices is the position in the instant columns.
    """
    slices = _where(capture.slice_name, mask)
    instants = _where(capture.instant_name, mask)
    starts = np.asarray(capture.slice_start)[slices]
    if not len(instants):
        # Ids go up with track and start, so a stable sort (which is quick on such runs) leaves track and id in order.
        return slices[np.argsort(starts, kind="stable")]
    starts = np.concatenate([starts, np.asarray(capture.instant_ts)[instants]])
    tracks = np.concatenate([tracks_of(capture, slices), _tracks_of_instants(capture, instants)])
    ids = np.concatenate([slices, instants + len(capture.slice_start)])
    return ids[np.lexsort((ids, tracks, starts))]


def find(
    store: Store,
    text: str,
    *,
    card: str | None = None,
    match: Match = "contains",
    case: bool = False,
    limit: int | None = None,
) -> pa.Table:
    """Slices and instants whose name matches, over one card or all, ordered by shown start, track, id.

    Columns: card, id, track, ts_ns (raw), dur_ns, name. The shown start is the raw one minus the card's offset.
    """
    parts = []
    for order, chosen in enumerate(store.chosen(card)):
        capture = store.capture(chosen.name)
        ids = hits(capture, name_mask(capture, text, match, case))
        if limit is not None:
            ids = ids[:limit]
        facts = rows(capture, ids)
        facts["card"] = pa.array(np.full(len(ids), order, np.int32))
        facts["shown"] = pa.array(facts["ts_ns"] - chosen.offset_ns)
        parts.append(
            pa.table(
                {
                    **facts,
                    "card": pa.DictionaryArray.from_arrays(
                        facts["card"], pa.array([c.name for c in store.chosen(card)])
                    ),
                }
            )
        )
    names = ["card", "id", "track", "ts_ns", "dur_ns", "name"]
    if not parts:
        return pa.table({n: pa.array([], t) for n, t in zip(names, _TYPES, strict=True)})
    whole = pa.concat_tables(parts)
    if len(parts) > 1:
        whole = whole.sort_by([("shown", "ascending")])  # stable within a card: the parts are sorted already
    whole = whole.select(names).cast(pa.schema(list(zip(names, _TYPES, strict=True))))
    return whole if limit is None else whole.slice(0, limit)


def rows(capture: Capture, ids: Array) -> dict[str, Any]:
    """Columns id, track, ts_ns, dur_ns, name of slices and instants, given by ids as `hits` makes them."""
    count = len(capture.slice_start)
    point = ids >= count
    slices, instants = ids[~point], ids[point] - count
    start, duration = np.empty(len(ids), np.int64), np.zeros(len(ids), np.int64)
    name, track = np.empty(len(ids), np.int32), np.empty(len(ids), np.int32)
    start[~point] = np.asarray(capture.slice_start)[slices]
    duration[~point] = np.asarray(capture.slice_end)[slices] - start[~point]
    start[point] = np.asarray(capture.instant_ts)[instants]
    name[~point], name[point] = np.asarray(capture.slice_name)[slices], np.asarray(capture.instant_name)[instants]
    track[~point], track[point] = tracks_of(capture, slices), _tracks_of_instants(capture, instants)
    texts = capture.strings.take(pa.array(name))
    return {"id": pa.array(ids), "track": pa.array(track), "ts_ns": start, "dur_ns": duration, "name": texts}


def lanes_of(capture: Capture, slices: Array) -> Array:
    """Lane of each slice."""
    return np.searchsorted(np.asarray(capture.lane_offset), slices, "right") - 1


def tracks_of(capture: Capture, slices: Array) -> Array:
    """Track of each slice."""
    return np.asarray(capture.lane_track)[lanes_of(capture, slices)]


def _tracks_of_instants(capture: Capture, instants: Array) -> Array:
    return np.searchsorted(np.asarray(capture.instant_offset), instants, "right") - 1


_TYPES = (pa.string(), pa.int64(), pa.int32(), pa.int64(), pa.int64(), pa.large_string())


def _word(text: str) -> str:
    """The text with no letter, digit or underscore right before or behind it (only where it begins or ends with one)."""
    before = r"(?:\A|[^\pL\pN_])" if re.match(r"\w", text) else ""
    after = r"(?:\z|[^\pL\pN_])" if re.search(r"\w\Z", text) else ""
    return f"{before}{re.escape(text)}{after}"


def _by_regex(strings: pa.Array, pattern: str, text: str, match: Match, case: bool) -> Array:
    flags = 0 if case else re.IGNORECASE
    try:
        compiled = re.compile(text if match == "regex" else re.escape(text), flags)
    except re.error as error:
        where = f" at position {error.pos}" if error.pos is not None else ""
        raise BadArgument(
            f"The expression {text!r} cannot be read: {error.msg}{where}.",
            fix="Escape special characters with a backslash.",
        ) from error
    try:
        found = pc.match_substring_regex(strings, pattern, ignore_case=not case)
        return np.asarray(found.to_numpy(zero_copy_only=False), np.bool_)
    except pa.ArrowInvalid:
        # Look-around and back references are known to Python only.
        return np.fromiter((compiled.search(s.as_py()) is not None for s in strings), np.bool_, len(strings))


def _where(names: Array, mask: Array) -> Array:
    """Positions of names in the mask, piece by piece so that memory stays small."""
    step = 1 << 22
    if not mask.any():
        return np.empty(0, np.int64)
    parts = [np.flatnonzero(mask[np.asarray(names[i : i + step])]) + i for i in range(0, len(names), step)]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)
