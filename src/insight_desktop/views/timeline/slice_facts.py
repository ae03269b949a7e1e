"""What Slice Detail says about a slice: its facts in words, and the slices it is linked with as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import details, links
from insight_desktop.views.common import number_text
from insight_desktop.views.common.key_values import Fact
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline import args_values
from insight_desktop.views.timeline.state import card_text

# Details of kernels that deserve a line among the facts, by their names in the different sources.
_KERNEL_FACTS = {
    "inputshapes": "Input Shapes",
    "inputdims": "Input Shapes",
    "inputdatatypes": "Input Data Types",
    "inputtypes": "Input Data Types",
    "inputdtypes": "Input Data Types",
    "inputformats": "Input Formats",
    "outputshapes": "Output Shapes",
    "outputdatatypes": "Output Data Types",
    "outputtypes": "Output Data Types",
    "outputformats": "Output Formats",
    "attrinfo": "Attr Info",
}

LINK_SCHEMA = pa.schema(
    [
        ("direction", pa.string()),  # from | to
        ("name", pa.string()),
        ("category", pa.string()),
        ("lane", pa.string()),
        ("distance_ns", pa.int64()),
        ("slice_id", pa.int64()),
        ("hash", pa.uint64()),
    ]
)


def detail(store: Store, *, card: str, slice_id: int) -> dict[str, Any]:
    """Details of a slice or instant, with the card and `shift_ns` (raw time minus axis time)."""
    found = details.slice_detail(store, card, slice_id)
    chosen = store.card(card)
    if chosen.area == "operator":  # instructions overlap on a pipe; what one has for itself says nothing
        found = {**found, "self_ns": None}
    return {
        **found,
        "card": card,
        "card_title": card_text(card, chosen.alias),
        "shift_ns": store.shift_ns(card, _track_of(store.capture(card), slice_id)),
    }


def _track_of(capture: Capture, number: int) -> int:
    """Track of a slice, or of an instant behind the slices."""
    at = number - len(capture.slice_start)
    if at >= 0:
        return int(np.searchsorted(capture.instant_offset, at, "right")) - 1
    return int(capture.lane_track[capture.lane_of(number)])


def instant_detail(store: Store, *, card: str, index: int) -> dict[str, Any]:
    """Details of the index-th instant of a card; its id stands behind those of the slices."""
    return detail(store, card=card, slice_id=len(store.capture(card).slice_start) + index)


def linked_slices(store: Store, *, card: str, slice_id: int) -> pa.Table:
    """The other ends of all links of a slice, by start: columns of LINK_SCHEMA.

    distance_ns is the start of the other slice minus the start of this one.
    """
    capture = store.capture(card)
    if slice_id >= len(capture.slice_start):
        return LINK_SCHEMA.empty_table()
    start = int(capture.slice_start[slice_id])
    rows = []
    for link in links.of_slice(capture, slice_id):
        direction, other = ("to", link.to_id) if link.from_id == slice_id else ("from", link.from_id)
        name = int(capture.slice_name[other])
        rows.append(
            {
                "direction": direction,
                "name": capture.text(name),
                "category": link.category,
                "lane": lane_text(capture, other),
                "distance_ns": int(capture.slice_start[other]) - start,
                "slice_id": other,
                "hash": int(np.asarray(capture.string_hash)[name]) if len(capture.string_hash) else 0,
            }
        )
    rows.sort(key=lambda r: (r["distance_ns"], r["direction"]))
    return pa.Table.from_pylist(rows, LINK_SCHEMA)


def lane_text(capture: Capture, slice_id: int) -> str:
    """Thread, label and lane of a slice without repeats: `Thread 41227 › PyTorch`."""
    track = int(capture.lane_track[capture.lane_of(slice_id)])
    row = capture.tracks.slice(track, 1).to_pylist()[0]
    return path_text([row["thread"], row["group"], row["lane"]])


def path_text(titles: Iterable[str]) -> str:
    """Titles from outside to inside, without empty and repeated ones."""
    return " › ".join(dict.fromkeys(t for t in titles if t))


def facts_of(found: dict[str, Any]) -> list[Fact]:
    """The lines of Slice Detail in their order."""
    facts = [Fact("Name", found["name"] or number_text.MISSING, strong=True), *_state(found), *_times(found)]
    lane = f"{path_text(found['path'])} · {found['card_title']}"
    facts.append(Fact("Lane", lane))
    if found.get("category"):
        facts.append(Fact("Category", found["category"]))
    rank = found.get("rank")
    if rank:
        facts.append(_rank(rank))
    facts += kernel_facts(found.get("args") or [])
    return facts


def kernel_facts(pairs: Iterable[tuple[str, Any]]) -> list[Fact]:
    """Shapes, data types, formats and attributes that stand among the args."""
    out: dict[str, Fact] = {}
    for key, value in pairs:
        title = _KERNEL_FACTS.get(re.sub(r"[^a-z]", "", key.lower()))
        if title and title not in out:
            text = args_values.flat(value) if isinstance(value, str) else args_values.shown(value)
            out[title] = Fact(title, text.strip() or number_text.NOT_COLLECTED)
    order = list(dict.fromkeys(_KERNEL_FACTS.values()))
    return sorted(out.values(), key=lambda f: order.index(f.title))


def _state(found: dict[str, Any]) -> list[Fact]:
    if found.get("unfinished"):
        text = tr("Never ended: the data stop before its end. It is drawn to the end of the data.")
        return [Fact("State", text, state="warn")]
    if found.get("clamped"):
        text = tr("Repaired: the source gives no end, or one before the start. It is shown with zero length.")
        return [Fact("State", text, state="warn")]
    return []


def _times(found: dict[str, Any]) -> list[Fact]:
    start, end, shift = found["start_ns"], found["end_ns"], found["shift_ns"]
    facts = [Fact("Start", number_text.ruler(start - shift))]
    if found["kind"] == "slice":
        facts += [Fact("End", number_text.ruler(end - shift)), _duration("Wall Duration", found["duration_ns"])]
        if found.get("self_ns") is not None:
            facts.append(_duration("Self Time", found["self_ns"]))
    facts.append(_raw("Start (Raw Timestamp)", start))
    if found["kind"] == "slice":
        facts.append(_raw("End (Raw Timestamp)", end))
    return facts


def _duration(title: str, ns: int) -> Fact:
    exact = number_text.duration_exact(ns)
    shown = number_text.duration(ns)
    return Fact(title, shown, "" if shown == exact else exact, copied=f"{ns} ns")


def _raw(title: str, ns: int) -> Fact:
    return Fact(title, number_text.timestamp(ns), number_text.wall_clock(ns), copied=f"{ns} ns")


def _rank(rank: dict[str, Any]) -> Fact:
    if rank["of"] == 1:
        return Fact("Same name", tr("the only one of this name on the card"))
    place = tr("{position} of {count}, longest first").format(
        position=number_text.count(rank["position"]), count=number_text.count(rank["of"])
    )
    share = number_text.percent(rank["percentile"] / 100, 0)
    return Fact("Same name", place, tr("longer than {share} of the others").format(share=share))
