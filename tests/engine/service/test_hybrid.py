"""Serving data beside training data: both open, each on its pages."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from insight_desktop.engine import scene
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.service import overview
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.ingest.discover import discover

SAMPLES = Path(__file__).resolve().parents[3] / "sample_data"


@pytest.mark.row("service", 5)
def test_folder_with_both_is_hybrid_and_every_page_finds_its_cards(tmp_path: Path, real: Callable[[str], Path]) -> None:
    shutil.copytree(SAMPLES / "train_text", tmp_path / "mixed" / "train")
    shutil.copytree(real("service/g1"), tmp_path / "mixed" / "serve")
    found = discover([tmp_path / "mixed"])
    assert scene.scene(found) == "hybrid"
    tabs = scene.tabs(found)
    assert {"system.timeline", "system.memory", "system.operator", "service.curve", "service.overview"} <= set(tabs)
    _, items = import_paths([tmp_path / "mixed"])
    store = Store([StoreCard.of_import(item) for item in items])
    assert [c.name for c in store.cards_of("service")] == ["serve_0"]
    assert [c.area for c in store.every_card].count("system") == 2
    assert overview.kpis(store).to_pylist()[0]["done"] == 3  # the only serving run needs no name


@pytest.mark.row("service", 4)
def test_service_trace_of_any_name_is_known_by_its_content(tmp_path: Path, real: Callable[[str], Path]) -> None:
    shutil.copy(real("service/vllm/chrome_tracing.json"), tmp_path / "my_service.json")
    card = discover([tmp_path / "my_service.json"]).cards[0]
    assert (card.kinds, card.area) == (("service",), "service")
    plain = next((SAMPLES / "train_text").rglob("trace_view.json"))
    shutil.copy(plain, tmp_path / "other.json")
    assert discover([tmp_path / "other.json"]).cards[0].area == "system"
