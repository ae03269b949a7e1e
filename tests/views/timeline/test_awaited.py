"""A session whose cards are read one after the other: each brings back what was arranged on it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from tests.support import plain_build
from tests.support import timeline_page as tp

from insight_desktop.engine.store import StoreCard
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.viewport import View

pytestmark = pytest.mark.row("system-timeline", 62)


def late() -> list[dict[str, Any]]:
    """Card 1: MatMul 2,000–2,400 µs with id 0, Add 2,600–3,000 µs with id 1."""
    return [tp.at(2_000_000, 2_400_000, "MatMul", tp.S2), tp.at(2_600_000, 3_000_000, "Add", tp.S2)]


@pytest.fixture
def cards(tmp_path: Path) -> list[StoreCard]:
    plain_build.build(tmp_path / "c0", slices=tp.basic())
    plain_build.build(tmp_path / "c1", slices=late())
    return [tp.card(tmp_path / "c0"), tp.card(tmp_path / "c1", "1")]


def both(qtbot: QtBot, cards: list[StoreCard]) -> TimelinePage:
    page = tp.make(qtbot, [tp.card(card.folder, card.name) for card in cards])
    page.state.set_offset("1", 0)
    page.state.set_offset("1", 500)
    return page


def kept(page: TimelinePage) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(page.view_state()))
    return found


def come(page: TimelinePage, card: StoreCard) -> None:
    """A card is read."""
    page.context.store.put(tp.card(card.folder, card.name))
    page.context.store_changed.emit()


def test_mask_base_slice_and_selection_come_back_with_their_card(qtbot: QtBot, cards: list[StoreCard]) -> None:
    page = both(qtbot, cards)
    page.state.set_alias("1", "slow one")
    page.state.select(page.state.slice("1", 1))
    page.state.modes.toggle_mask()
    page.state.modes.set_lead(page.state.slice("1", 0))
    page.state.select_lanes([next(u.key for u in page.state.cards["1"].units.values() if u.title == "Stream 2")])
    page.panel.set_open(False)
    state = kept(page)

    again = tp.make(qtbot, [tp.card(cards[0].folder)])
    again.restore_state(state)
    modes = again.state.modes
    assert (modes.mask, modes.lead, again.state.selected, again.state.lanes) == (None, None, None, [])
    come(again, cards[1])
    assert again.context.store.card("1").offset_ns == 500
    assert again.state.alias("1") == "slow one"
    assert modes.mask_span() == (2_599_500, 2_999_500)
    assert modes.lead is not None
    assert (modes.lead.card, modes.lead.id, modes.lead.name) == ("1", 0, "MatMul")
    assert again.state.selected is not None
    assert (again.state.selected.card, again.state.selected.name) == ("1", "Add")
    assert [u.title for u in map(again.state.unit, again.state.lanes) if u is not None] == ["Stream 2"]
    assert not again.panel.is_open()


def reopened(qtbot: QtBot, cards: list[StoreCard]) -> TimelinePage:
    """A page whose session knows a mask, a base slice and a selection of card 1, which is not read."""
    page = both(qtbot, cards)
    page.state.select(page.state.slice("1", 1))
    page.state.modes.toggle_mask()
    page.state.modes.set_lead(page.state.slice("1", 0))
    state = kept(page)
    again = tp.make(qtbot, [tp.card(cards[0].folder)])
    again.restore_state(state)
    return again


def test_a_session_saved_before_the_card_came_still_knows_its_part(qtbot: QtBot, cards: list[StoreCard]) -> None:
    again = reopened(qtbot, cards)
    saved = kept(again)
    names = ("selection", "mask", "base_slice", "offsets", "placed", "lanes", "view")
    assert {name: saved[name] for name in names} == {
        "selection": {"card": "1", "kind": "slice", "id": 1, "track": 0},
        "mask": {"card": "1", "kind": "slice", "id": 1, "track": 0},
        "base_slice": {"card": "1", "kind": "slice", "id": 0, "track": 0},
        "offsets": {"1": 500},
        "placed": ["0", "1"],
        "lanes": [],
        "view": {"left_ns": 0, "left_part": 0.0, "span_ns": 2_999_500.0},
    }


def test_what_the_user_does_meanwhile_wins(qtbot: QtBot, cards: list[StoreCard]) -> None:
    again = reopened(qtbot, cards)
    again.state.select(again.state.slice("0", 4))
    again.state.modes.toggle_mask()
    again.state.modes.toggle_mask()  # and off again
    again.state.select(None)
    again.state.viewport.show(100_000, 200_000)
    come(again, cards[1])
    assert (again.state.modes.mask, again.state.selected) == (None, None)
    assert again.state.modes.lead is not None
    assert again.state.modes.lead.name == "MatMul"
    assert again.state.viewport.view == View(100_000, 0.0, 100_000.0)


def test_all_cards_at_recorded_time_end_the_wait_for_offsets_and_base(qtbot: QtBot, cards: list[StoreCard]) -> None:
    page = both(qtbot, cards)
    page.state.modes.set_lead(page.state.slice("1", 0))
    state = kept(page)
    again = tp.make(qtbot, [tp.card(cards[0].folder)])
    again.restore_state(state)
    again.body.verbs.alignment.recover()
    come(again, cards[1])
    assert again.state.modes.lead is None
    assert again.context.store.card("1").offset_ns == 0


def test_a_locked_range_and_the_view_come_back_with_their_card(qtbot: QtBot, cards: list[StoreCard]) -> None:
    page = both(qtbot, cards)
    key = next(u.key for u in page.state.cards["1"].units.values() if u.title == "Stream 2")
    page.state.select_span(2_100_000, 2_700_000, "1", (key,))
    page.state.modes.lock()
    page.state.viewport.show(1_500_000, 2_900_000)
    page.state.pin([page.state.cards["1"].units[key]], True)
    state = kept(page)
    again = tp.make(qtbot, [tp.card(cards[0].folder)])
    again.restore_state(state)
    again.state.replant()  # as lanes of requests do when they come
    come(again, cards[1])
    assert again.state.modes.locked is not None
    assert again.state.modes.locked == again.state.range
    assert (again.state.modes.locked.start_ns, again.state.modes.locked.end_ns) == (2_100_000, 2_700_000)
    assert again.state.viewport.view == View(1_500_000, 0.0, 1_400_000.0)
    assert [row.unit.key for row in again.state.pinned_rows.rows] == [key]


def test_axis_times_hold_when_the_first_card_is_missing(qtbot: QtBot, cards: list[StoreCard]) -> None:
    page = both(qtbot, cards)
    key = next(u.key for u in page.state.cards["1"].units.values() if u.title == "Stream 2")
    page.state.select_span(2_100_000, 2_700_000, "1", (key,))
    page.state.modes.analyse(page.state.range)
    state = kept(page)
    again = tp.make(qtbot, [])
    again.context.reading["0"] = SimpleNamespace(status="waiting", progress=None)
    again.restore_state(state)
    come(again, cards[1])  # its first event, 2,000 µs later, is the beginning of the axis now
    assert again.state.base_ns == tp.T0 + 2_000_000
    assert again.state.modes.mask_span() == (100_000, 700_000)
    assert kept(again)["range"]["start_ns"] == 100_000
