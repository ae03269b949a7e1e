"""The house keeps its shape: equal names on every side, rooms of a readable size, nothing missing."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

from insight_desktop.engine import queries
from insight_desktop.views.tabs import TABS

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "insight_desktop"
MODULES = sorted(p for p in SRC.rglob("*.py") if p.name != "__init__.py")


@pytest.mark.parametrize("tab", TABS, ids=lambda tab: tab.id)
def test_tab_has_its_files_on_every_side(tab: object) -> None:
    area, topic = tab.id.split(".")  # type: ignore[attr-defined]
    wanted = [
        SRC / "engine" / area / f"{topic}.py",
        SRC / "views" / area / f"{topic}.py",
        ROOT / "tests" / "engine" / area / f"test_{topic}.py",
        ROOT / "tests" / "views" / area / f"test_{topic}.py",
        ROOT / "docs" / "guide" / area / f"{topic}.md",
    ]
    assert [str(p.relative_to(ROOT)) for p in wanted if not p.exists()] == []


@pytest.mark.parametrize(
    "module", [p for p in (SRC / "ingest" / "formats").glob("*.py") if p.name != "__init__.py"], ids=lambda p: p.stem
)
def test_format_module_is_tested(module: Path) -> None:
    tests = ROOT / "tests" / "ingest" / "formats"
    own = tests / f"test_{module.stem}.py"
    used = any(
        f"formats.{module.stem}" in t.read_text(encoding="utf-8")
        or f"import {module.stem}" in t.read_text(encoding="utf-8")
        for t in tests.glob("test_*.py")
    )
    reader = module.stem.rsplit("_", 1)[0]
    assert own.exists() or used or any(tests.glob(f"test_{reader}*.py"))


def test_every_query_says_what_it_returns() -> None:
    assert [q.name for q in queries.all_queries() if len(q.doc.strip()) < 20] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_room_is_of_a_readable_size(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > 60
    ]
    assert (len(text.splitlines()) <= 600, long) == (True, [])


def test_no_path_of_a_machine_and_no_unfinished_word_is_in_the_project() -> None:
    files = (
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    )
    words = ("TO" + "DO", "FIX" + "ME", "/wo" + "rk/", "https://py" + "pi")
    found = []
    for name in files:
        path = ROOT / name
        if (
            path.suffix in (".py", ".md", ".toml", ".qss", ".ts", "")
            and path.is_file()
            and "cases" not in path.parts
            and name not in ("LICENSE",)
        ):
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{name}: {word}" for word in words if word in text]
    assert found == []
