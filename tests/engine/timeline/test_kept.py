"""Results that stay with their capture."""

from __future__ import annotations

import gc
from collections import OrderedDict
from pathlib import Path

import pytest
from tests.support.plain_build import build

from insight_desktop.engine.timeline import kept as module
from insight_desktop.engine.timeline.kept import kept


def ask(calls: list[str], name: str) -> str:
    calls.append(name)
    return name


def test_a_result_is_made_once_per_key_and_capture(tmp_path: Path) -> None:
    one, other = (build(tmp_path / name, slices=[]) for name in "ab")
    calls: list[str] = []
    for capture in (one, one, other):
        assert kept(capture, "k", lambda: ask(calls, "k"), len) == "k"
    assert kept(one, "l", lambda: ask(calls, "l"), len) == "l"
    assert calls == ["k", "k", "l"]


def test_the_least_recently_used_goes_first_and_large_ones_never_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIMIT_BYTES", 8)
    monkeypatch.setattr(module, "_held", OrderedDict())
    capture = build(tmp_path / "a", slices=[])
    calls: list[str] = []
    for name in ("aa", "bb", "cc", "dd", "aa", "ee", "aa", "bb", "large", "large"):
        kept(capture, name, lambda name=name: ask(calls, name), len)  # type: ignore[misc]
    assert calls == ["aa", "bb", "cc", "dd", "ee", "bb", "large", "large"]


def test_results_go_with_their_capture(tmp_path: Path) -> None:
    capture = build(tmp_path / "a", slices=[])
    owner = id(capture)
    kept(capture, "k", lambda: "k", len)
    assert (owner, "k") in module._held
    del capture
    gc.collect()
    kept(build(tmp_path / "b", slices=[]), "other", lambda: "other", len)
    assert (owner, "k") not in module._held
