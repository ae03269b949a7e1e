from __future__ import annotations

from pathlib import Path

import pytest

from insight_desktop.engine import places


def test_home_holds_everything(insight_home: Path) -> None:
    assert places.settings_file() == insight_home / "config" / "settings.ini"
    assert places.projects_file() == insight_home / "data" / "projects.json"
    assert places.autosave_dir() == insight_home / "data" / "autosave"
    assert places.captures_dir() == insight_home / "cache" / "captures"
    assert places.log_dir() == insight_home / "log"
    assert list(insight_home.iterdir()) == []


def test_cache_moves_alone(insight_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSIGHT_CACHE", "")
    places.use_cache(tmp_path / "c")
    assert places.captures_dir() == tmp_path / "c" / "captures"
    assert places.data_dir() == insight_home / "data"
    places.use_cache(None)
    assert places.cache_dir() == insight_home / "cache"


def test_without_home_the_usual_places_of_the_system_are_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("INSIGHT_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    found = {places.config_dir(), places.data_dir(), places.cache_dir(), places.log_dir()}
    assert len(found) == 4
    assert all("insight-desktop" in path.parts for path in found)
    assert list(tmp_path.iterdir()) == []


def test_relative_home_becomes_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSIGHT_HOME", "here")
    assert places.data_dir() == tmp_path / "here" / "data"
