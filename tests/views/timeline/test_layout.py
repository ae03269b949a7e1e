from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from insight_desktop.views.common import fonts
from insight_desktop.views.timeline import layout
from insight_desktop.views.timeline.layout import Arrangement, Unit, lay_out, unit_tree


def node(key: str, *children: Any, track: int | None = None, rows: int = 0, series: tuple[int, ...] = ()) -> Any:
    return SimpleNamespace(
        key=key,
        title=key.rsplit("/", 1)[-1],
        kind="",
        label="",
        track=track,
        series=series,
        rows=rows,
        unit="",
        children=children,
    )


@pytest.fixture
def cards() -> list[Unit]:
    tree = node(
        "0",
        node("0/p", node("0/p/a", track=0, rows=3), node("0/p/b", track=1, rows=1), node("0/p/c", track=2, rows=9)),
        node("0/q", node("0/q/d", series=(0,))),
    )
    return [unit_tree("0", tree)]


def shown(cards: list[Unit], arrangement: Arrangement) -> list[tuple[str, str, int, int]]:
    return [(r.unit.key if r.unit else "", r.kind, r.y, r.height) for r in lay_out(cards, arrangement).rows]


def test_rows_have_the_heights_of_their_kinds(cards: list[Unit]) -> None:
    assert shown(cards, Arrangement()) == [
        ("0", "card", 0, 22), ("0/p", "group", 22, 22), ("0/p/a", "lane", 44, 60), ("0/p/b", "lane", 104, 20),
        ("0/p/c", "folded", 124, 25), ("0/q", "group", 149, 22), ("0/q/d", "counter", 171, 48),
    ]  # fmt: skip


def test_only_rows_of_the_window_are_found(cards: list[Unit]) -> None:
    rows = lay_out(cards, Arrangement())
    assert [r.unit.key for r in rows.window(103, 125) if r.unit] == ["0/p/a", "0/p/b", "0/p/c"]
    assert [r.unit.key for r in rows.window(104, 124) if r.unit] == ["0/p/b"]
    assert rows.window(219, 300) == []
    row = rows.at(148)
    assert row is not None
    assert row.unit is not None
    assert row.unit.key == "0/p/c"
    assert rows.at(219) is None


@pytest.mark.row("system-timeline", 46)
def test_hidden_siblings_leave_one_placeholder_with_their_number(cards: list[Unit]) -> None:
    arrangement = Arrangement()
    a, b, _ = cards[0].children[0].children
    arrangement.hide([a, b])
    rows = lay_out(cards, arrangement).rows
    assert [(r.kind, r.count) for r in rows if r.kind == "hidden"] == [("hidden", 2)]
    assert [r.unit.key for r in rows if r.unit and r.kind != "hidden"] == ["0", "0/p", "0/p/c", "0/q", "0/q/d"]


@pytest.mark.row("system-timeline", 46)
def test_show_all_at_the_parent_restores_what_was_hidden_below_a_hidden_one(cards: list[Unit]) -> None:
    arrangement = Arrangement()
    process = cards[0].children[0]
    arrangement.hide([process.children[0]])
    arrangement.hide([process])
    assert [(r.kind, r.count) for r in lay_out(cards, arrangement).rows if r.kind == "hidden"] == [("hidden", 1)]
    arrangement.show_all(cards[0], cards)
    assert arrangement.hidden == set()
    assert len(lay_out(cards, arrangement).rows) == 7


def test_hiding_takes_the_pin_away(cards: list[Unit]) -> None:
    arrangement = Arrangement(pinned=["0/p/a", "0/q/d"])
    arrangement.hide([cards[0].children[0]])
    assert arrangement.pinned == ["0/q/d"]


def test_many_rows_are_laid_out_once_and_looked_up_fast() -> None:
    lanes = [node(f"0/p/{i}", track=i, rows=1) for i in range(20_000)]
    rows = lay_out([unit_tree("0", node("0", node("0/p", *lanes)))], Arrangement())
    assert rows.height == 22 + 22 + 20_000 * 20
    assert len(rows.window(200_000, 200_800)) == 41


def test_rows_are_as_high_as_their_texts_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "scale", lambda: 150)
    found = layout.Heights()
    found.follow_text()
    assert (found.row, found.folded, found.group, found.counter) == (30, 38, 33, 48)
    monkeypatch.setattr(fonts, "scale", lambda: 90)
    found.follow_text()
    assert found.row == 20  # slices of less than 18 pixels are hard to hit
