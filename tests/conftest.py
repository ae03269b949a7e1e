"""Fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("INSIGHT_SHARED", ROOT.parent / "shared"))


@pytest.fixture(autouse=True)
def insight_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, projects and captures of a test live in a folder of its own."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("INSIGHT_HOME", str(home))
    return home


@pytest.fixture
def real() -> Callable[[str], Path]:
    """Path of a real file or folder below the shared data; skips where these are not there."""

    def find(name: str) -> Path:
        path = SHARED / "data" / name
        if not path.exists():
            pytest.skip(f"needs real profiling data: {name}")
        return path

    return find
