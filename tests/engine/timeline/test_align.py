"""Alignments on captures whose offsets can be worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.plain_build import build

from insight_desktop import schema
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.align import Move, alignment, benchmark, by_slice
from insight_desktop.engine.timeline.align_collectives import same_collective
from insight_desktop.errors import BadArgument

HOST = {"pid": 5, "process": "Python", "tid": 51, "thread": "Thread 51"}
STREAM = {"pid": 9, "process": "Ascend Hardware", "tid": 2, "thread": "Stream 2", "role": schema.ROLE_STREAM, "sort": 1}
FREE = {"pid": 10, "process": "Overlap Analysis", "tid": 3, "thread": "Free", "role": schema.ROLE_OVERLAP, "sort": 2}
GROUP = {"pid": 11, "process": "Communication", "tid": 0, "thread": "Group dp Communication", "role": schema.ROLE_GROUP}

Rows = list[dict[str, Any]]


def rows(lane: dict[str, Any], *spans: tuple[str, int, int]) -> Rows:
    return [{**lane, "name": name, "start_ns": start, "end_ns": end} for name, start, end in spans]


def store_of(tmp_path: Path, *cards: Rows, offsets: tuple[int, ...] = ()) -> Store:
    made = []
    for rank, slices in enumerate(cards):
        folder = build(tmp_path / str(rank), slices=slices).folder
        offset = offsets[rank] if rank < len(offsets) else 0
        made.append(StoreCard(str(rank), str(rank), rank, "", "text", folder, offset_ns=offset))
    return Store(made)


# Ids: Python 0 .. 1, Stream 2 from 2 on, Free behind.
CARD = [*rows(HOST, ("op", 100, 200), ("op", 400, 450)), *rows(STREAM, ("k", 500, 600), ("k", 700, 850)), *rows(FREE, ("Free", 600, 700))]  # fmt: skip


@pytest.mark.row("system-timeline", 54)
def test_starts_or_ends_meet_below_the_base_slice(tmp_path: Path) -> None:
    late = [*rows(HOST, ("op", 1000, 1100)), *rows(STREAM, ("k", 1500, 1800)), *rows(FREE, ("Free", 1800, 1900))]
    store = store_of(tmp_path, CARD, late, offsets=(30,))
    device = (1, 2)  # tracks: Python, Stream 2, Free
    assert benchmark(store, base=("0", 2), target=("1", 1)) == Move("1", "moved", 1030, device, 1, 1)
    assert benchmark(store, base=("0", 2), target=("1", 1), edge="end") == Move("1", "moved", 1230, device, 1, 1)
    host = benchmark(store, base=("0", 2), target=("1", 0), base_offset_ns=0)
    assert (host.offset_ns, host.tracks) == (500, (0,))


@pytest.mark.row("system-timeline", 55)
def test_the_kth_slice_of_the_name_is_aligned_on_every_card_and_failures_are_told(tmp_path: Path) -> None:
    second = [*rows(HOST, ("k", 0, 5)), *rows(STREAM, ("k", 1500, 1600), ("x", 1600, 1650), ("k", 1690, 1800))]
    few = rows(STREAM, ("k", 2000, 2100))
    without = rows(STREAM, ("other", 2000, 2100))
    store = store_of(tmp_path, CARD, second, few, without, offsets=(-7,))
    found = by_slice(store, card="0", slice_id=3)
    assert (found.name, found.ordinal, found.kind) == ("k", 2, "device")
    assert found.moves == (
        Move("0", "base", -7, (1, 2), 3, 2),
        Move("1", "moved", 983, (1,), 3, 2),  # 1690 - 700 - 7; the host's k is of another kind
        Move("2", "too_few", None, (), None, 1),
        Move("3", "missing", None, (), None, 0),
    )
    assert [move.card for move in found.unmoved] == ["2", "3"]
    ends = by_slice(store, card="0", slice_id=3, edge="end", base_offset_ns=0)
    assert ends.moves[1].offset_ns == 950  # 1800 - 850


def test_a_host_slice_moves_host_lanes(tmp_path: Path) -> None:
    store = store_of(tmp_path, CARD, [*rows(HOST, ("op", 0, 1), ("op", 900, 901)), *rows(STREAM, ("op", 100, 101))])
    move = by_slice(store, card="0", slice_id=1).moves[1]
    assert (move.offset_ns, move.tracks, move.slice_id) == (500, (0,), 1)


def test_an_instant_cannot_be_aligned(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match="no slice 5"):
        by_slice(store_of(tmp_path, CARD), card="0", slice_id=5)


@pytest.mark.row("system-timeline", 53)
def test_default_and_raw_alignment(tmp_path: Path) -> None:
    store = store_of(tmp_path, CARD, rows(HOST, ("op", 5000, 5100)), offsets=(0, 77))
    found = alignment(store, method="default").to_pylist()
    assert [(r["card"], r["offset_ns"], r["residual_ns"], r["matches"]) for r in found] == [
        ("0", 0, None, None),
        ("1", 4900, None, None),
    ]
    assert alignment(store, method="raw").column("offset_ns").to_pylist() == [0, 0]


def ops(shift: int, noise: tuple[int, ...], names: tuple[str, ...] = ("a_0", "a_1", "a_2", "a_3", "a_4")) -> Rows:
    """Collectives that end at 100, 200, … on the common clock, seen by a clock that is `shift` ahead."""
    spans = [(name, 100 * i + 40 + shift, 100 * (i + 1) + shift + n) for i, (name, n) in enumerate(zip(names, noise, strict=True))]  # fmt: skip
    return rows(GROUP, *spans)


def test_cards_are_aligned_by_the_ends_of_their_collectives(tmp_path: Path) -> None:
    store = store_of(tmp_path, ops(0, (0, 0, 0, 0, 0)), ops(10_000, (0, 3, -2, 9, 1)), ops(-500, (0, 0, 0, 0, -30)))
    # Differences of card 1: 10000, 10003, 9998, 10009, 10001: median 10001, distances 1, 2, 3, 8, 0.
    # Card 2: one operator is 30 off; the median does not mind.
    assert alignment(store, method="collectives").to_pylist() == [
        {"card": "0", "offset_ns": 0, "residual_ns": 0, "matches": None, "reason": "base"},
        {"card": "1", "offset_ns": 10_001, "residual_ns": 2, "matches": 5, "reason": "ends of collectives shared with 0"},
        {"card": "2", "offset_ns": -500, "residual_ns": 0, "matches": 5, "reason": "ends of collectives shared with 0"},
    ]  # fmt: skip
    moved = alignment(store, method="collectives", base="1").column("offset_ns").to_pylist()
    assert moved == [-10_001, 0, -10_503]  # card 2: -10500, -10503, -10498, -10509, -10531


def test_a_card_that_began_to_record_later_matches_the_right_calls(tmp_path: Path) -> None:
    names = ("sum", "gather", "sum", "sum", "gather", "sum")
    whole = ops(0, (0,) * 6, names)
    later = [{**row, "start_ns": row["start_ns"] + 7000, "end_ns": row["end_ns"] + 7000} for row in whole[2:]]
    found = alignment(store_of(tmp_path, whole, later)).to_pylist()[1]
    assert (found["offset_ns"], found["residual_ns"], found["matches"]) == (7000, 0, 4)


def test_cards_are_chained_over_groups_and_the_rest_falls_back_with_a_reason(tmp_path: Path) -> None:
    other = {**GROUP, "thread": "Group pp Communication", "tid": 1}
    base = rows(GROUP, ("d_0", 0, 100))
    middle = [*rows(GROUP, ("d_0", 0, 130)), *rows(other, ("p_0", 200, 300))]
    far = rows(other, ("p_0", 200, 305))
    alone = rows(HOST, ("op", 0, 10))
    foreign = rows({**GROUP, "thread": "Group x Communication"}, ("hcom_send_0", 0, 10), ("x_1", 0, 0), ("x_2", 5, 9))
    found = alignment(store_of(tmp_path, base, middle, far, alone, foreign), method="collectives").to_pylist()
    assert [(r["card"], r["offset_ns"], r["matches"], r["reason"]) for r in found] == [
        ("0", 0, None, "base"),
        ("1", 30, 1, "ends of collectives shared with 0"),
        ("2", 35, 1, "ends of collectives shared with 1"),
        ("3", 0, 0, "no collective recorded: default offset"),
        ("4", 0, 0, "no collective in common with another card: default offset"),
    ]


def test_a_collective_is_found_on_the_first_card_that_recorded_it_too(tmp_path: Path) -> None:
    other = {**GROUP, "tid": 1, "thread": "Group tp Communication"}
    base = [
        *rows(GROUP, ("allreduce", 0, 10), ("allreduce", 20, 30), ("allgather", 40, 50), ("allreduce", 60, 70)),
        *rows(STREAM, ("k", 0, 5)),
    ]
    alone = rows(other, ("allreduce", 0, 10))
    late = rows(GROUP, ("allreduce", 120, 130), ("allgather", 140, 150), ("allreduce", 160, 170))
    store = store_of(tmp_path, base, alone, late)
    capture = store.capture("0")
    ids = {int(capture.slice_start[i]): i for i in range(len(capture.slice_start)) if capture.lane_of(i) == 0}
    found = {
        start: same_collective(store, card="0", slice_id=ids[start], others=["1", "2"]) for start in (0, 20, 40, 60)
    }
    assert found == {0: None, 20: ("2", 0), 40: ("2", 1), 60: ("2", 2)}  # card 2 began to record one operator later
    assert same_collective(store, card="2", slice_id=1, others=["1", "0"]) == ("0", ids[40])
    stream = next(i for i in range(len(capture.slice_start)) if i not in ids.values())
    assert same_collective(store, card="0", slice_id=stream, others=["2"]) is None
    assert same_collective(store, card="0", slice_id=ids[20], others=[]) is None


def test_two_real_cards_are_aligned_by_their_four_collectives(real: Callable[[str], Path]) -> None:
    _, imports = import_paths([real("db_level1")], kinds={"0": "db", "1": "db"})
    store = Store([StoreCard.of_import(item) for item in imports if item.capture is not None])
    # Ends of the four operators in COMMUNICATION_OP differ by 15476, 14275, 9615 and 14756 ns: the median is 14515, the
    # distances from it are 961, 240, 4900 and 241.
    found = alignment(store).to_pylist()[1]
    assert (found["card"], found["offset_ns"], found["residual_ns"], found["matches"]) == ("1", 14_515, 601, 4)
