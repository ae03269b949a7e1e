"""Two cards side by side: sums per name, and slices matched one by one."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import compare as tables
from insight_desktop.engine.capture import Array, Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.lane_kinds import named, title, track_of
from insight_desktop.engine.timeline.names import name_totals
from insight_desktop.engine.timeline.search import tracks_of

_ADDRESS, _FOLDED = r"0x[0-9A-Fa-f]{4,}", "0x…"  # of Python objects; no two runs have the same
_NUMBERS = re.compile(r"\d{3,}")  # of processes and threads; streams and groups have shorter ones


def compare(
    store: Store, *, base: str, card: str, from_ns: int | None = None, to_ns: int | None = None, whole: bool = False
) -> pa.Table:
    """Slices of two cards added up by name: name, base_count, count, base_sum_ns, sum_ns, delta_ns (card − base).

    Largest difference first, whatever its sign; addresses in names are folded to `0x…`. from_ns and to_ns are raw times
    of `card`; the base is asked for the same stretch of the axis. Sums use the part inside the range, with `whole` raw
    durations.
    """
    shift = store.card(base).offset_ns - store.card(card).offset_ns
    low, high = (None if edge is None else edge + shift for edge in (from_ns, to_ns))
    mine = _folded_totals(name_totals(store.capture(card), None, from_ns, to_ns, whole))
    theirs = _folded_totals(name_totals(store.capture(base), None, low, high, whole))
    found = tables.keyed(mine, theirs, ["name"], ["count", "sum_ns"])
    delta = found["sum_ns"].to_numpy()
    out = pa.table(
        {
            "name": found["name"],
            "base_count": pc.fill_null(found["count_baseline"], 0),
            "count": pc.fill_null(found["count_comparison"], 0),
            "base_sum_ns": pc.fill_null(found["sum_ns_baseline"], 0),
            "sum_ns": pc.fill_null(found["sum_ns_comparison"], 0),
            "delta_ns": found["sum_ns"],
        }
    )
    return out.take(pa.array(np.argsort(-np.abs(delta), kind="stable")))


def matched_slices(store: Store, *, base: str, card: str, name: str) -> pa.Table:
    """Slices of a name on two cards, the k-th on a lane beside the k-th on the lane of the same title.

    Lanes whose titles differ in the numbers of processes and threads alone match in their order; names that differ in
    addresses alone are the same name.
    Columns lane, ordinal (from 1 within the lane), base_id, id, base_dur_ns, dur_ns, delta_ns (null where one side has
    no slice); by lane in the order of `card`, surplus slices of the base last.
    """
    captures = store.capture(card), store.capture(base)
    mine, theirs = (_by_lane(*each, name) for each in zip(captures, _matched_titles(*captures), strict=True))
    found = tables.keyed(mine, theirs, ["lane", "ordinal"], ["dur_ns"], carry=["id"], sort=False)
    both = pc.and_(found["in_comparison"], found["in_baseline"])
    return pa.table(
        {
            "lane": found["lane"],
            "ordinal": found["ordinal"],
            "base_id": found["id_baseline"],
            "id": found["id_comparison"],
            "base_dur_ns": found["dur_ns_baseline"],
            "dur_ns": found["dur_ns_comparison"],
            "delta_ns": pc.if_else(both, found["dur_ns"], pa.scalar(None, pa.int64())),
        }
    )


def partner(store: Store, *, card: str, slice_id: int, other: str) -> int | None:
    """The slice of another card that matches: the k-th of its name on the lane of the same title; None without one."""
    ours, theirs = store.capture(card), store.capture(other)
    name = ours.text(int(ours.slice_name[slice_id]))
    titles, their_titles = _matched_titles(ours, theirs)
    lane = titles[track_of(ours, slice_id)]
    mine = _of_lane(ours, titles, _named(ours, name), lane)
    found = _of_lane(theirs, their_titles, _named(theirs, name), lane)
    at = int(np.flatnonzero(mine == slice_id)[0])
    return int(found[at]) if at < len(found) else None


def _folded(names: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Names without their addresses."""
    return pc.replace_substring_regex(names, _ADDRESS, _FOLDED)


def _folded_totals(totals: pa.Table) -> pa.Table:
    """The rows of `name_totals` by name without addresses, each where the first of its names was."""
    if not pc.any(pc.match_substring_regex(totals["name"], _ADDRESS)).as_py():
        return totals
    folded = totals.set_column(0, "name", _folded(totals["name"]))
    added = folded.group_by("name", use_threads=False).aggregate([("count", "sum"), ("sum_ns", "sum")])
    return pa.table({"name": added["name"], "count": added["count_sum"], "sum_ns": added["sum_ns_sum"]})


def _named(capture: Capture, name: str) -> Array:
    """Ids of the slices whose name is that one but for addresses, by start, then id."""
    wanted = re.sub(_ADDRESS, _FOLDED, name)
    if _FOLDED not in wanted:
        return named(capture, name)
    same = pc.equal(_folded(capture.strings), wanted).to_numpy(zero_copy_only=False)
    ids = np.flatnonzero(same[np.asarray(capture.slice_name)])
    return ids[np.argsort(np.asarray(capture.slice_start)[ids], kind="stable")]


def _matched_titles(ours: Capture, theirs: Capture) -> tuple[list[str], list[str]]:
    """Titles of the lanes of two captures, those of the second as the lane of the first that each of them matches.

    Numbers of processes and threads differ from run to run and from rank to rank; the k-th such lane matches the k-th.
    """
    mine, other = _titles(ours), _titles(theirs)
    others, waiting = set(other), dict[str, list[str]]()
    for text in dict.fromkeys(text for text in mine if text not in others):
        waiting.setdefault(_NUMBERS.sub("#", text), []).append(text)
    known, meant = set(mine), {}
    for text in dict.fromkeys(text for text in other if text not in known):
        same = waiting.get(_NUMBERS.sub("#", text))
        if same:
            meant[text] = same.pop(0)
    return mine, [meant.get(text, text) for text in other]


def _by_lane(capture: Capture, titles: list[str], name: str) -> pa.Table:
    ids = _named(capture, name)
    distinct = {text: i for i, text in enumerate(dict.fromkeys(titles))}
    lanes = np.array([distinct[text] for text in titles], np.int64)[tracks_of(capture, ids)] if len(ids) else ids
    order = np.argsort(lanes, kind="stable")
    ids, lanes = ids[order], lanes[order]
    first = np.searchsorted(lanes, lanes)
    return pa.table(
        {
            "lane": pa.array(list(distinct), pa.string()).take(pa.array(lanes)),
            "ordinal": np.arange(1, len(ids) + 1) - first,
            "id": ids,
            "dur_ns": np.asarray(capture.slice_end)[ids] - np.asarray(capture.slice_start)[ids],
        }
    )


def _titles(capture: Capture) -> list[str]:
    return [title(row) for row in capture.tracks.select(["process", "thread", "group", "lane"]).to_pylist()]


def _of_lane(capture: Capture, titles: list[str], ids: Array, lane: str) -> Array:
    wanted = np.array([text == lane for text in titles], np.bool_)
    return ids[wanted[tracks_of(capture, ids)]] if len(ids) else ids
