"""The Cache page: both maps, their scale and readouts, the way to the Source page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from tests.support import operator_bins as bins

from insight_desktop.engine import scene
from insight_desktop.engine.store import Store
from insight_desktop.views.common import theme
from insight_desktop.views.common.context import Context, SourcePlace
from insight_desktop.views.operator import cache_maps
from insight_desktop.views.operator.cache import TAB, CachePage

SPEC = "operator"


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row(SPEC, *numbers)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))
    return tmp_path


def open_page(qtbot: QtBot, store: Store) -> CachePage:
    page = CachePage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1300, 800)
    page.show()
    return page


def opened(qtbot: QtBot, folder: Path, data: bytes) -> CachePage:
    page = open_page(qtbot, bins.opened(bins.write(folder / "add", data)))
    qtbot.waitUntil(lambda: page.loaded is not None, timeout=20_000)
    return page


def test_tab_has_its_id() -> None:
    assert (TAB.id, TAB.title) == ("operator.cache", "Cache")


@row(6)
def test_only_kernels_with_cache_records_call_for_the_tab(home: Path) -> None:
    store = bins.opened(bins.write(home / "add", bins.sample()))
    assert scene.told([store.capture("add")]) == {"operator.cache"}
    without = bins.opened(bins.write(home / "no" / "add", bins.sample(cache=None)))
    assert scene.told([without.capture("add")]) == set()


@row(46)
@pytest.mark.example(SPEC, 20)
def test_cells_stand_in_rows_of_128_from_the_bottom(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.sample())
    loaded = page.loaded
    assert loaded is not None
    hit = page.maps["hit"].cells
    assert hit.values.shape == (2, 128)
    assert hit.rows_up
    assert float(hit.values[1, 2]) == 51.0  # record 130: [130, 0.5098]
    assert page.maps["hit"].range == (0.0, 100.0)
    assert [(line.name, line.value) for line in cache_maps.tip(loaded, "hit", 1, 2)] == [
        ("Cacheline ID", "130"),
        ("Number of events", "130"),
        ("Proportion of events", "51 %"),
    ]
    assert [line.value for line in cache_maps.tip(loaded, "miss", 1, 2)] == ["130", "125", "49 %"]
    assert page.summary.full_text() == "256 cache lines · 32,640 hit events · 32,640 miss events · hit rate 50.0 %"


@row(46)
def test_the_scale_runs_over_grey_green_yellow_red() -> None:
    colours = cache_maps.colours()
    assert [colours.at(place / 3).name() for place in (1, 2, 3)] == ["#90ee90", "#ffff00", "#ff0000"]
    assert colours.at(0.0) == theme.token("hover")


@row(46)
def test_a_record_without_a_value_leaves_a_hole_in_its_map(qtbot: QtBot, home: Path) -> None:
    records = bins.cache()
    records["Cacheline Records"] = records["Cacheline Records"][:130]
    records["Cacheline Records"][3]["Hit"] = {"Value": [1]}
    page = opened(qtbot, home, bins.sample(cache=records))
    assert page.loaded is not None
    hit, miss = (page.maps[kind].cells.values for kind in cache_maps.KINDS)
    assert np.isnan(hit[0, 3])
    assert not np.isnan(miss[0, 3])
    assert np.isnan(hit[1, 2:]).all()  # 130 records: the second line of cells has two
    assert cache_maps.tip(page.loaded, "hit", 1, 2) == ()


@row(47)
def test_a_cell_leads_to_its_instructions(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.sample())
    wanted: list[SourcePlace] = []
    page.context.source_wanted.connect(wanted.append)
    menu = page.menu("miss", 1, 2)
    assert [(a.text(), a.isEnabled()) for a in menu.actions()] == [("Show Instructions In Source", False)]
    menu = page.menu("hit", 1, 2)
    assert menu.actions()[0].isEnabled()
    menu.actions()[0].trigger()
    assert wanted == [SourcePlace("add", (0x1134E000, 0x1134E000), 130)]
    assert not page.source_button.isEnabled()
    page.select(1, 2)
    assert page.table.current_row() == 130
    page.source_button.click()
    assert len(wanted) == 2


@row(47)
def test_without_cores_there_is_no_way_to_the_source(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.sample(instructions=None))
    assert not page.menu("hit", 1, 2).actions()[0].isEnabled()


def test_a_map_is_enlarged_and_made_small_again(qtbot: QtBot, home: Path) -> None:
    page = opened(qtbot, home, bins.sample())
    page.buttons["miss"].click()
    assert (page.maps["hit"].isVisible(), page.maps["miss"].isVisible(), page.table.isVisible()) == (False, True, False)
    state = page.view_state()
    other = open_page(qtbot, page.context.store)
    other.restore_state(state)
    qtbot.waitUntil(lambda: other.loaded is not None and other.enlarged == "miss", timeout=20_000)
    page.buttons["miss"].click()
    assert page.maps["hit"].isVisible()
    assert page.table.isVisible()


def test_a_kernel_without_records_says_so(qtbot: QtBot, home: Path) -> None:
    page = open_page(qtbot, bins.opened(bins.write(home / "add", bins.sample(cache=None))))
    qtbot.waitUntil(lambda: page.stack.currentIndex() == 1, timeout=20_000)
    assert page.empty.title.text() == "add holds no cache records."
