"""Idle gaps of lanes and devices, and the axis without them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.gaps import between, fold, gaps, idle_gaps, working_tracks
from insight_desktop.errors import NoData

S2 = {"pid": 9, "process": "Ascend Hardware", "tid": 2, "thread": "Stream 2", "role": schema.ROLE_STREAM}
S3 = {"pid": 9, "process": "Ascend Hardware", "tid": 3, "thread": "Stream 3", "role": schema.ROLE_STREAM}
FREE = {"pid": 10, "process": "Overlap Analysis", "tid": 3, "thread": "Free", "role": schema.ROLE_OVERLAP, "sort": 2}
HOST = {"pid": 11, "process": "Python", "tid": 4, "sort": 3}

Span = tuple[dict[str, Any], int, int]


def store_of(tmp_path: Path, *cards: tuple[Span, ...], offsets: tuple[int, ...] = (0, 0)) -> Store:
    made = []
    for rank, spans in enumerate(cards):
        slices = [{**lane, "name": "k", "start_ns": start, "end_ns": end} for lane, start, end in spans]
        folder = build(tmp_path / str(rank), slices=slices).folder
        made.append(StoreCard(str(rank), str(rank), rank, "", "text", folder, offset_ns=offsets[rank]))
    return Store(made)


# Ids: 0 1 2 on Stream 2, 3 4 on Stream 3, then Free, then the host.
CARD: tuple[Span, ...] = ((S2, 0, 100), (S2, 150, 200), (S2, 900, 1000), (S3, 90, 120), (S3, 400, 400), (FREE, 200, 900), (HOST, 0, 2000))  # fmt: skip


def rows(found: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in found.to_pylist()]


def test_gaps_of_a_lane_longest_first(tmp_path: Path) -> None:
    store = store_of(tmp_path, CARD)
    assert rows(gaps(store, card="0", tracks=[0])) == [(200, 900, 700, 1, 2), (100, 150, 50, 0, 1)]
    assert rows(gaps(store, card="0", tracks=[0], longer_than_ns=50)) == [(200, 900, 700, 1, 2)]
    assert rows(gaps(store, card="0", tracks=[0, 1])) == [(200, 900, 700, 1, 2), (120, 150, 30, 3, 1)]


def test_the_edges_of_a_range_make_gaps_too(tmp_path: Path) -> None:
    store = store_of(tmp_path, CARD)
    assert rows(gaps(store, card="0", tracks=[0], from_ns=110, to_ns=300)) == [
        (200, 300, 100, 1, None),
        (110, 150, 40, None, 1),
    ]
    assert rows(gaps(store, card="0", tracks=[0], from_ns=210, to_ns=300)) == [(210, 300, 90, None, None)]
    assert gaps(store, card="0", tracks=[]).num_rows == 0


def test_the_gap_between_two_slices_has_a_sign(tmp_path: Path) -> None:
    store = store_of(tmp_path, CARD, ((S2, 1000, 1300),), offsets=(0, 950))
    assert between(store, first=("0", 0), second=("0", 1)) == 50
    assert between(store, first=("0", 1), second=("0", 0)) == 50
    assert between(store, first=("0", 0), second=("0", 3)) == -10
    assert between(store, first=("0", 0), second=("1", 0)) == -50  # shown at 50 .. 350


def test_idle_gaps_of_all_devices_fold_out_of_the_axis(tmp_path: Path) -> None:
    # Card 1 is shown at 250 .. 300 and 2000 .. 2100; host and overlap lanes do not count.
    store = store_of(tmp_path, CARD, ((S2, 1250, 1300), (S2, 3000, 3100)), offsets=(0, 1000))
    assert working_tracks(store.capture("0")) == [0, 1]
    folded = fold(store, longer_than_ns=60, keep_ns=10)
    # Busy: 0-120, 150-200, 250-300, 400 (a point), 900-1000, 2000-2100.
    assert list(zip(folded.from_ns.tolist(), folded.to_ns.tolist(), strict=True)) == [
        (300, 400),
        (400, 900),
        (1000, 2000),
    ]
    assert folded.saved_ns == 90 + 490 + 990
    times = np.array([-5, 0, 300, 350, 400, 650, 900, 1000, 2000, 2100])
    places = [-5, 0, 300, 305, 310, 315, 320, 420, 430, 530]
    assert folded.to_axis(times).tolist() == places
    assert folded.to_time(np.array(places)).tolist() == times.tolist()


def test_without_long_gaps_the_axis_stays(tmp_path: Path) -> None:
    store = store_of(tmp_path, CARD)
    same = fold(store, cards=["0"], longer_than_ns=10_000)
    assert same.to_axis(np.array([1, 2])).tolist() == same.to_time(np.array([1, 2])).tolist() == [1, 2]
    assert fold(Store(), longer_than_ns=1).saved_ns == 0
    assert fold(store_of(tmp_path / "w", CARD), longer_than_ns=600).to_axis(np.array([900])).tolist() == [900]
    gone = fold(store_of(tmp_path / "z", ((S2, 0, 1), (S2, 1000, 1001))), longer_than_ns=600)
    assert gone.to_axis(np.array([0, 1, 500, 1000, 1001])).tolist() == [0, 1, 1, 1, 2]
    assert gone.to_time(np.array([0, 2])).tolist() == [0, 1001]


def test_idle_gaps_are_those_of_the_working_lanes_or_of_named_ones(tmp_path: Path) -> None:
    store = store_of(tmp_path, CARD)
    assert rows(idle_gaps(store, card="0", longer_than_ns=40)) == [(200, 900, 700, 1, 2)]
    assert rows(idle_gaps(store, card="0", lane="Stream 2", longer_than_ns=40)) == [
        (200, 900, 700, 1, 2),
        (100, 150, 50, 0, 1),
    ]
    with pytest.raises(NoData, match="no lane 'Stream 7'"):
        idle_gaps(store, card="0", lane="Stream 7")
