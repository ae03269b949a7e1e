"""What a timeline remembers over restarts: JSON values for the session file, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from insight_desktop.views.timeline.layout import Arrangement
from insight_desktop.views.timeline.modes import range_dict

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import Selected, TimelineState, TimeRange


def as_dict(state: TimelineState) -> dict[str, Any]:
    """JSON values for the session file."""
    cards = [state.context.store.card(n) for n, o in state.cards.items() if o.capture is not None]
    values = {
        "view": state.viewport.state(),
        "opened": sorted(state.arrangement.opened),
        "closed": sorted(state.arrangement.closed),
        "hidden": sorted(state.arrangement.hidden),
        "pinned": list(state.arrangement.pinned),
        "lanes": list(state.lanes),
        "filter": state.filter.text,
        "offsets": {c.name: c.offset_ns for c in cards if c.offset_ns},
        "lane_offsets": dict(state.lane_offsets),
        "placed": sorted(c.name for c in cards),
        "raw_time": state.placing.raw_time,
        "flags": state.flags.as_dict(),
        "shown": {"cards": sorted(state.shown_cards), "names": sorted(state.shown_names)},
        "merged": [list(group) for group in state.merges.groups],
        "auto_fit": state.modes.auto_fit,
        "flow_categories": list(state.modes.flow_categories),
        "analysis": range_dict(state.modes.analysis),
        "locked": state.modes.locked is not None,
        "base_ns": state.base_ns if cards else None,
        "aliases": {c.name: c.alias for c in cards if c.alias},
        "selection": _slice_dict(state.selected),
        "mask": _slice_dict(state.modes.mask),
        "base_slice": _slice_dict(state.modes.lead),
        "slice_mode": state.modes.depth_mode,
        "pan_mode": state.pan_mode,
        "range": range_dict(state.range),
        "colour_by": state.colouring.mode,
        "fold": state.folding.longer_than_ns,
        "queries": state.sql_lanes.as_list(),
        "request_sort": state.request_lanes.sort,
    }  # fmt: skip
    return state.awaited.completed(values)


def restore(state: TimelineState, given: dict[str, Any]) -> None:
    """Bring back what `as_dict` gave; cards that are not open take their part when they come."""
    state.lane_offsets = {str(key): int(offset) for key, offset in given.get("lane_offsets", {}).items()}
    state.placing.raw_time = bool(given.get("raw_time", False))
    _restore_cards(state, given)
    state.awaited.keep(given)
    state.arrangement = Arrangement(
        set(given.get("opened", ())),
        set(given.get("closed", ())),
        set(given.get("hidden", ())),
        list(given.get("pinned", ())),
    )
    state.modes.auto_fit = bool(given.get("auto_fit", False))
    shown = given.get("shown", {})
    state.shown_cards, state.shown_names = set(shown.get("cards", ())), set(shown.get("names", ()))
    state.merges.groups = [tuple(group) for group in given.get("merged", ())]
    if state.merges.groups:
        state.replant()
    state.viewport.set_total(state.placing.total_ns(), keep=True)
    state.lay_out()
    if given.get("view"):
        state.viewport.restore(state.awaited.view_of(given["view"]))
        state.awaited.shown()
    state.select_lanes(key for key in given.get("lanes", ()) if state.unit(key) is not None)
    state.flags.restore(given.get("flags", {}))
    state.modes.set_flow_categories([str(name) for name in given.get("flow_categories", ())])
    state.colouring.set_mode(str(given.get("colour_by", "name")))
    fold = given.get("fold")
    state.folding.set(int(fold) if fold is not None else None)
    state.modes.unlock()
    state.set_range(kept_range(state, given.get("range")))
    if given.get("locked"):
        state.modes.lock()
    state.modes.restore(kept_slice(state, given.get("mask")), kept_slice(state, given.get("base_slice")))
    state.modes.analyse(kept_range(state, given.get("analysis")))
    state.modes.set_depth_mode(bool(given.get("slice_mode", False)))
    state.set_pan_mode(bool(given.get("pan_mode", False)))
    state.request_lanes.set_sort(str(given.get("request_sort", "arrival")))
    state.sql_lanes.restore(given.get("queries", ()))
    if given.get("selection"):
        state.select(kept_slice(state, given["selection"]))


def _slice_dict(chosen: Selected | None) -> dict[str, Any] | None:
    """JSON values of a slice or instant."""
    if chosen is None:
        return None
    return {"card": chosen.card, "kind": chosen.kind, "id": chosen.id, "track": chosen.track}


def kept_slice(state: TimelineState, kept: dict[str, Any] | None) -> Selected | None:
    """A slice or instant of the session file; None when there is none or its card is not open."""
    if not kept:
        return None
    if kept["kind"] == "slice":
        return state.slice(kept["card"], int(kept["id"]))
    return state.instant(kept["card"], int(kept["id"]), int(kept["track"]))


def kept_range(state: TimelineState, kept: dict[str, Any] | None) -> TimeRange | None:
    """A range of the session file; None when there is none or its card is not open."""
    if not kept or state.capture(kept["card"]) is None:
        return None
    from insight_desktop.views.timeline.state import TimeRange

    rows = kept.get("rows")
    by_ns = state.awaited.by_ns()
    keys, ends = tuple(kept["keys"]), (int(kept["start_ns"]) + by_ns, int(kept["end_ns"]) + by_ns)
    return TimeRange(*ends, kept["card"], keys, None if rows is None else (int(rows[0]), int(rows[1])))


def _restore_cards(state: TimelineState, given: dict[str, Any]) -> None:
    """Bring back offsets and aliases of the cards that are open."""
    store, offsets = state.context.store, given.get("offsets", {})
    for name in (*offsets, *given.get("placed", ())):
        state.placing.placed.add(name)
        offset = offsets.get(name, 0)
        if state.capture(name) is not None and store.card(name).offset_ns != int(offset):
            store.set_offset(name, int(offset))
    for name, alias in given.get("aliases", {}).items():
        if state.capture(name) is not None:
            store.card(name).alias = str(alias)
