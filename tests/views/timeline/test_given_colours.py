"""Colours that a trace gives its slices: reserved names, other names, lanes that differ, what has none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from tests.support import operator_bins as bins

from insight_desktop.engine.store import Store
from insight_desktop.views.common import theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.operator.timeline import OperatorTimelinePage
from insight_desktop.views.timeline import given_colours
from insight_desktop.views.timeline.colouring import ColourMenu

pytestmark = pytest.mark.row("operator", 48)


def _event(name: str, tid: str, at: int, **more: Any) -> dict[str, Any]:
    return {"ph": "X", "name": name, "pid": "c0", "tid": tid, "ts": float(at), "dur": 1.0} | more


EVENTS = [
    _event("MOV", "MTE2", 0, cname="rail_response"),
    _event("BAR", "MTE2", 2, cname="rail_response"),
    _event("BAR", "SCALAR", 4, cname="good"),
    _event("ADD", "SCALAR", 6),
    _event("NEW", "SCALAR", 8, cname="colour_of_tomorrow"),
]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))
    text = json.dumps({"profilingType": "op", "traceEvents": EVENTS})
    return bins.opened(bins.write(tmp_path / "kernel", text.encode(), "trace.json"))


@pytest.fixture
def page(qtbot: QtBot, store: Store) -> OperatorTimelinePage:
    theme.set_theme("dark", remember=False)
    page = OperatorTimelinePage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1300, 800)
    page.show()
    qtbot.waitUntil(lambda: page.state.colouring.found is not None)
    return page


def colours(page: OperatorTimelinePage) -> dict[str, str]:
    """Colour of every slice as it is drawn, by lane and name."""
    (card,) = page.state.cards
    found = {}
    for at in range(5):
        chosen = page.state.slice(card, at)
        assert chosen is not None
        unit = page.state.unit_of_track(card, chosen.track)
        assert unit is not None
        found[f"{unit.title} {chosen.name}"] = page.body.colour_of(chosen).name()
    return found


def test_slices_have_the_colours_that_the_trace_gives(page: OperatorTimelinePage) -> None:
    drawn = colours(page)
    # rail_response has nearly full saturation: toned down to 52 %; `good` (120°, lightness 25 %) is lifted to 38 %.
    assert drawn["MTE2 MOV"] == drawn["MTE2 BAR"] == "#6f93d1"
    assert drawn["SCALAR BAR"] == "#2f932f"
    palette = {f"#{int(fill) & 0xFFFFFF:06x}" for fill in theme.slices()}
    assert drawn["SCALAR ADD"] in palette
    assert drawn["SCALAR NEW"] in palette


def test_lanes_are_painted_in_their_own_colours(page: OperatorTimelinePage) -> None:
    page.body.verbs.open_everything(True)
    for canvas in page.body.canvases.values():
        canvas.synchronous = True
    image = page.body.canvas.render_now()
    seen = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert {"#6f93d1", "#2f932f"} <= seen


def test_colours_of_names_are_one_choice_away_and_come_back(page: OperatorTimelinePage) -> None:
    menu = ColourMenu(page.state.colouring, page)
    assert menu.buttons["given"].isVisibleTo(menu)
    assert menu.buttons["given"].isChecked()
    assert [menu.list.item(i).text() for i in range(menu.list.count())] == [
        "rail_response",
        "good",
        "colour_of_tomorrow",
    ]
    menu.buttons["name"].setChecked(True)
    palette = {f"#{int(fill) & 0xFFFFFF:06x}" for fill in theme.slices()}
    assert set(colours(page).values()) <= palette
    kept = page.view_state()
    assert kept["colour_by"] == "name"


def test_black_and_white_can_be_seen_in_both_themes() -> None:
    theme.set_theme("light", remember=False)
    light = [given_colours.colour(name).name() for name in ("black", "white", "yellow")]
    theme.set_theme("dark", remember=False)
    dark = [given_colours.colour(name).name() for name in ("black", "white", "yellow")]
    assert (light, dark) == (["#575757", "#a3a3a3", "#cccc33"], ["#616161", "#b3b3b3", "#c2c23d"])


def test_tables_show_the_same_colours(page: OperatorTimelinePage) -> None:
    (card,) = page.state.cards
    asked = page.panel.slices.colour_of
    assert asked is not None
    found = [asked(card, name) for name in ("MOV", "BAR", "nothing")]
    assert [colour.name() if colour is not None else None for colour in found] == ["#6f93d1", "#6f93d1", None]
    page.state.colouring.set_mode("name")
    assert asked(card, "MOV") is None
