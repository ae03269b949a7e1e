"""Cells of the cache maps."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import operator_bins as bins

from insight_desktop.engine import scene
from insight_desktop.engine.operator import cache, cache_files
from insight_desktop.errors import NoData

SPEC = "operator"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))


@pytest.mark.row(SPEC, 46)
@pytest.mark.example(SPEC, 20)
def test_cell_of_the_small_kernel(tmp_path: Path) -> None:
    store = bins.opened(bins.write(tmp_path, bins.sample()))
    hit = cache.cells(store).to_pylist()
    assert len(hit) == 256
    assert hit[130] == {"x": 2, "y": 1, "id": 130, "count": 130, "percent": 51.0, "ranges": [0x1134E000, 0x1134E000]}
    miss = cache.cells(store, kind="miss").to_pylist()
    assert (miss[130]["count"], miss[130]["percent"], miss[130]["ranges"]) == (125, 49.0, [])


def test_record_without_two_numbers_leaves_a_hole(tmp_path: Path) -> None:
    records = [{"Cacheline Id": 7, "Hit": {"Value": [1]}, "Miss": {"Value": [3, 0.5], "Address Range": [["0x1", "z"]]}}]
    store = bins.opened(bins.write(tmp_path, bins.sample(cache={"Cacheline Records": records})))
    assert cache.cells(store).to_pylist() == [{"x": 0, "y": 0, "id": 7, "count": None, "percent": None, "ranges": []}]
    assert cache.cells(store, kind="miss").to_pylist()[0]["percent"] == 50.0


@pytest.mark.row(SPEC, 6)
def test_page_is_there_only_with_cache_records(tmp_path: Path) -> None:
    with_cache = bins.opened(bins.write(tmp_path / "a", bins.sample()))
    without = bins.opened(bins.write(tmp_path / "b", bins.sample(cache=None)))
    for store, wanted in ((with_cache, {"operator.cache"}), (without, set())):
        assert scene.told([store.capture(card.name) for card in store.every_card]) == wanted
    with pytest.raises(NoData, match="cache records"):
        cache.cells(without)


def test_many_records_are_read_when_the_page_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cache.cells(bins.opened(bins.write(tmp_path / "a", bins.sample()))).to_pylist()
    monkeypatch.setattr(cache_files, "EAGER_BYTES", 100)
    store = bins.opened(bins.write(tmp_path / "b", bins.sample()))
    target = store.every_card[0].folder / "operator_cache.parquet"
    assert not target.exists()
    assert scene.told([store.capture(card.name) for card in store.every_card]) == {"operator.cache"}
    assert cache.cells(store).to_pylist() == whole
    assert target.exists()
