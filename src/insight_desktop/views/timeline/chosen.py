"""What is selected, in recorded time and lanes of the capture: the range, else the slice, else the lanes of the tree."""

from __future__ import annotations

from dataclasses import dataclass

from insight_desktop.views.common import number_text
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline import times
from insight_desktop.views.timeline.layout import Unit
from insight_desktop.views.timeline.state import TimelineState


@dataclass(frozen=True)
class Chosen:
    """A part of one card.

    Attributes:
        card: name of the card.
        tracks: its lanes, as track numbers.
        series: its counter series.
        from_ns, to_ns: raw ns; None for all of the data.
        rows: first and last depth row that count; None for all.
    """

    card: str
    tracks: tuple[int, ...]
    series: tuple[int, ...] = ()
    from_ns: int | None = None
    to_ns: int | None = None
    rows: tuple[int, int] | None = None
    left_out: int = 0  # lanes of the range that have another offset


def chosen(state: TimelineState) -> Chosen | None:
    """The selection as it is now; None without any."""
    if state.range is not None:
        part = times.part_of(state, state.range)
        return Chosen(part.card, part.tracks, part.series, part.from_ns, part.to_ns, part.rows, part.left_out)
    slice_ = state.selected
    if slice_ is not None and slice_.end_ns > slice_.start_ns:
        return Chosen(slice_.card, (slice_.track,), (), slice_.start_ns, slice_.end_ns)
    units = [u for u in (state.unit(key) for key in state.lanes) if u is not None]
    units = [u for u in units if u.card == units[0].card]
    tracks, series = _lanes(units)
    return Chosen(units[0].card, tracks, series) if tracks or series else None


def title(state: TimelineState, part: Chosen) -> str:
    """The part in words: time, card, number of lanes."""
    lanes = tr("1 lane") if len(part.tracks) == 1 else tr("{n} lanes").format(n=number_text.count(len(part.tracks)))
    if part.from_ns is None or part.to_ns is None:
        return f"{tr('Whole data')} · {state.card_title(part.card)} · {lanes}"
    unit = state.unit_of_track(part.card, part.tracks[0]) if part.tracks else None
    shift = state.shift_ns(part.card, unit)
    start, end = (number_text.ruler(ns - shift) for ns in (part.from_ns, part.to_ns))
    if part.left_out:
        lanes += " · " + tr("{0} with another offset left out").format(number_text.count(part.left_out))
    return f"{start} – {end} · {state.card_title(part.card)} · {lanes}"


def _lanes(units: list[Unit]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    below = list({u.key: u for unit in units for u in unit.walk()}.values())
    tracks = tuple(dict.fromkeys(track for u in below for track in u.tracks))
    return tracks, tuple(series for u in below for series in u.series)
