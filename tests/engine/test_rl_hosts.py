"""Hosts of cards: what the data say, the worker of a folder's name, the folder above the ranks."""

from __future__ import annotations

from pathlib import Path

import pytest

from insight_desktop.engine.rl_hosts import hosts
from insight_desktop.engine.store import StoreCard

pytestmark = pytest.mark.row("system-memory-operator-rl", 42)
STAMP = "1234_20260101080000000_ascend_pt"


def card(name: str, folder: str, *, rank: str, host: str = "") -> StoreCard:
    return StoreCard(name, rank, None, host, "text", Path("/cache"), source_folder=Path(folder))


def told(*cards: StoreCard) -> list[str]:
    found = hosts(cards)
    return [found[one.name] for one in cards]


def test_the_host_of_the_data_counts_first() -> None:
    assert told(card("a", "/d/x", rank="0", host="uboot1_2"), card("b", "/d/y", rank="1", host="uboot2")) == [
        "uboot1",
        "uboot2",
    ]


def test_the_worker_in_the_name_of_the_folder_is_the_host() -> None:
    found = told(
        card("0", f"/run/node-a_{STAMP}/ASCEND_PROFILER_OUTPUT", rank="0"), card("1", f"/run/node-b_{STAMP}", rank="1")
    )
    assert found == ["node-a", "node-b"]


def test_equal_workers_leave_it_to_the_folders_above_the_ranks() -> None:
    found = told(
        card("a", f"/run/host1/localhost_{STAMP}", rank="0"),
        card("b", f"/run/host1/localhost_{STAMP}", rank="1"),
        card("c", f"/run/host2/rank_2/localhost_{STAMP}", rank="2"),
    )
    assert found == ["host1", "host1", "host2"]


def test_one_folder_for_all_is_one_host() -> None:
    assert told(card("a", "/run/rank_0_ascend_pt", rank="0"), card("b", "/run/rank_1_ascend_pt", rank="1")) == ["", ""]
    same = (card("a", f"/run/me_{STAMP}", rank="0"), card("b", f"/run/me_{STAMP}", rank="1"))
    assert told(*same) == ["me", "me"]


def test_names_that_repeat_the_rank_tell_no_host() -> None:
    assert told(card("a", f"/run/rank0_{STAMP}", rank="0"), card("b", f"/run/rank1_{STAMP}", rank="1")) == ["", ""]
    assert told(card("a", "/run/card_00/x_ascend_pt", rank="0"), card("b", "/run/card_01/x_ascend_pt", rank="1")) == [
        "",
        "",
    ]
