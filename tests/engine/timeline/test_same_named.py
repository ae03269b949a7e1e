"""Lanes of the same name on all cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.same_named import same_named


def lane(tid: int, title: str, role: str, **more: Any) -> dict[str, Any]:
    return {"pid": 1, "tid": tid, "lane": title, "role": role, "name": "x", "start_ns": 0, "end_ns": 5, **more}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    cards = []
    for rank in range(16):
        prefix = "dp:" if rank == 3 else ""  # one card knows the name of the group
        lanes = [lane(n, f"Stream {n}", "stream") for n in range(7)]
        lanes += [lane(10, f"{prefix}Group 7788 Communication", "group"), lane(11, "Group 99 Communication", "group")]
        lanes += [lane(20, "Stream 1", "mstx"), lane(21, "acl", "thread", group="CANN"), lane(22, "acl", "thread")]
        build(tmp_path / str(rank), slices=lanes)
        cards.append(StoreCard(str(rank), str(rank), rank, "", "text", tmp_path / str(rank)))
    return Store(cards)


def at(store: Store, card: str, title: str, role: str) -> int:
    rows = store.capture(card).tracks.to_pylist()
    return next(n for n, row in enumerate(rows) if (row["lane"], row["role"]) == (title, role))


@pytest.mark.row("system-timeline", 48)
def test_streams_match_by_kind_and_title(store: Store) -> None:
    found, total = same_named(store, card="5", track=at(store, "5", "Stream 1", "stream"))
    assert total == 16
    assert [card for card, _ in found] == ["5", *(str(r) for r in range(16) if r != 5)]
    roles = {store.capture(card).tracks.column("role")[track].as_py() for card, track in found}
    assert roles == {"stream"}


@pytest.mark.row("system-timeline", 48)
def test_groups_match_by_their_id(store: Store) -> None:
    found, total = same_named(store, card="0", track=at(store, "0", "Group 7788 Communication", "group"))
    assert total == 16
    titles = {store.capture(card).tracks.column("lane")[track].as_py() for card, track in found}
    assert titles == {"Group 7788 Communication", "dp:Group 7788 Communication"}


@pytest.mark.row("system-timeline", 48)
def test_a_label_keeps_lanes_of_one_title_apart(store: Store) -> None:
    rows = store.capture("0").tracks.to_pylist()
    labelled = next(n for n, row in enumerate(rows) if row["group"] == "CANN")
    found, total = same_named(store, card="0", track=labelled)
    assert (total, len(found)) == (16, 16)


@pytest.mark.row("system-timeline", 48)
def test_a_hundred_lanes_are_given_at_most(tmp_path: Path) -> None:
    build(tmp_path, slices=[lane(n, "Plane 0", "plane") for n in range(130)])
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path)])
    found, total = same_named(store, card="0", track=129)
    assert (found[0], len(found), total) == (("0", 129), 100, 130)
