"""Fixtures of all tests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
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
    """Path of a real file or folder below the shared data; skips where these are not there.

    With INSIGHT_REQUIRE_REAL_DATA (set in continuous integration where the data are) it fails instead.
    """

    def find(name: str) -> Path:
        path = SHARED / "data" / name
        if not path.exists():
            if os.environ.get("INSIGHT_REQUIRE_REAL_DATA"):
                pytest.fail(f"real profiling data are missing: {name}")
            pytest.skip(f"needs real profiling data that are not part of the project: {name}")
        return path

    return find


# Which checklist rows and worked examples are proved: a row counts when all tests that carry its mark passed.

_OUTCOMES: dict[str, dict[str, dict[str, bool]]] = {"rows": {}, "examples": {}}
_KINDS = {"row": "rows", "example": "examples"}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Remember the outcome of every marked test."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    if report.when != "call" and not (report.when == "setup" and not report.passed):
        return
    for mark in item.iter_markers():
        if mark.name in _KINDS:
            spec, names = str(mark.args[0]), [str(n) for n in mark.args[1:]]
            rows = _OUTCOMES[_KINDS[mark.name]].setdefault(spec, {})
            for name in names:
                rows[name] = rows.get(name, True) and report.passed


class _AtOnce:
    """Tells what failed when it fails: a run that is stopped from outside would take it along."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self.terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.terminal.write_sep("-", f"{report.when}: {report.nodeid}")
            self.terminal.write_line(report.longreprtext)


def pytest_sessionstart(session: pytest.Session) -> None:
    """The terminal is there now."""
    plugins = session.config.pluginmanager
    terminal = plugins.get_plugin("terminalreporter")
    if isinstance(terminal, pytest.TerminalReporter):
        plugins.register(_AtOnce(terminal))


def pytest_sessionfinish() -> None:
    """Leave the outcomes where `./dev rows` finds them."""
    if any(_OUTCOMES.values()):
        out = ROOT / "out"
        out.mkdir(exist_ok=True)
        (out / "rows.json").write_text(json.dumps(_OUTCOMES, indent=1), encoding="utf-8")
