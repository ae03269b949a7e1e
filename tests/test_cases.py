"""Every case of `tests/cases` (or of the folder in INSIGHT_CASES): one test each."""

from __future__ import annotations

import codecs
import importlib
import importlib.util
import json
import multiprocessing
import os
import pkgutil
import shutil
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.support import case_checks

from insight_desktop import engine, ingest
from insight_desktop.engine.load import warm_kernels

CASES = Path(os.environ.get("INSIGHT_CASES") or Path(__file__).parent / "cases").absolute()
LATER: set[str] = set()  # formats whose readers are not part of the timeline
NOBODY = 65534


def _stager() -> ModuleType:
    own = Path(__file__).parent / "cases" / "stage.py"
    given = CASES / "stage.py"  # another folder may know more steps
    spec = importlib.util.spec_from_file_location("insight_cases_stage", given if given.exists() else own)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _expected(case: str) -> dict[str, Any]:
    return json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))


def _is_later(case: str) -> bool:
    expected = _expected(case)
    return expected["format"] in LATER


def _needs_nobody(expected: dict[str, Any]) -> bool:
    return any(step["op"].startswith("chmod") for step in expected.get("setup", []))


ALL = sorted(p.parent.name for p in CASES.glob("*/expected.json"))
PARAMS = [
    pytest.param(case, marks=pytest.mark.xfail(strict=False, reason="reader belongs to a later issue"))
    if _is_later(case)
    else case
    for case in ALL
]


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Compiling is no part of what a case measures, and another user may not be able to read the program's files."""
    warm_kernels()
    for package in (engine, ingest):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    for name in ("utf-16", "utf-8-sig", "gb18030", "idna"):
        codecs.lookup(name)


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder that other users may enter (that of pytest is closed to them)."""
    folder = Path(tempfile.mkdtemp(prefix="insight-case-"))
    folder.chmod(0o777)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o777)
    shutil.rmtree(folder, ignore_errors=True)


def check(case: str, scratch: Path) -> list[str]:
    """Import the staged case and compare; returns what of `should` does not hold, raises AssertionError for `must`."""
    stage, expected, dest = _stager(), _expected(case), scratch / "case"
    must = expected["must"]
    names = must.get("open_each") if "open" not in expected else None
    paths = [dest / name for name in names] if names else [dest / expected["open"]]
    before = case_checks.listing(dest)
    with stage.hold(str(dest), expected), case_checks.recorded_reads() as reads:
        opened = case_checks.open_paths(paths)
        wrong = case_checks.failures(opened, must, dest)
    after = case_checks.listing(dest)
    if must.get("source_unchanged", True) and before != after:
        wrong.append(f"source_unchanged: {set(before.items()) ^ set(after.items())}")
    if "fs_reads_outside" in must:
        found = case_checks.reads_outside(reads, must["fs_reads_outside"], dest, scratch / "home")
        wrong += [f"fs_reads_outside: {path}" for path in found]
    assert wrong == []
    should = dict(expected.get("should", {}))
    if "ts_tolerance_ns" in should:
        should.setdefault("slice", must.get("slice", {}))
    return case_checks.failures(opened, should, dest) if should else []


def _as_nobody(case: str, scratch: Path, pipe: Connection) -> None:
    try:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        pipe.send((check(case, scratch), None))
    except BaseException:
        pipe.send(([], traceback.format_exc()))


def _in_child(case: str, scratch: Path) -> list[str]:
    """As a user without privileges; forked, so that compiled kernels are there already."""
    for path in [scratch, *scratch.rglob("*")]:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    context = multiprocessing.get_context("fork")
    mine, its = context.Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = context.Process(target=_as_nobody, args=(case, scratch, its))
        child.start()
    its.close()
    try:
        hints, trouble = mine.recv() if mine.poll(120) else ([], "the child did not answer in 120 s")
    except EOFError:
        hints, trouble = [], "the child ended without an answer"
    if child.is_alive() and trouble:
        child.kill()
    child.join()
    assert trouble is None, trouble
    return hints


@pytest.mark.parametrize("case", PARAMS)
def test_case_holds(case: str, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSIGHT_HOME", str(scratch / "home"))
    (scratch / "cwd").mkdir()
    monkeypatch.chdir(scratch / "cwd")
    _stager().stage(case, str(scratch / "case"), str(CASES))
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    hints = _in_child(case, scratch) if is_root and _needs_nobody(_expected(case)) else check(case, scratch)
    for hint in hints:
        warnings.warn(f"{case}: should {hint}", stacklevel=1)


def test_there_are_cases() -> None:
    assert len(ALL) > 0
