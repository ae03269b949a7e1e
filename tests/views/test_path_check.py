"""What is said about paths before an import."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from insight_desktop.views import path_check
from insight_desktop.views.path_check import clean_path


@pytest.mark.parametrize(
    ("typed", "path"),
    [
        ("/data/run", "/data/run"),
        ("  /data/run/  ", "/data/run"),
        ('"/data/my run"', "/data/my run"),
        ("'/data/my run/'", "/data/my run"),
        ("file:///data/my%20run", "/data/my run"),
        ("file://localhost/data/run", "/data/run"),
        ("/", "/"),
        ("", ""),
    ],
)
def test_typed_paths_are_cleaned(typed: str, path: str) -> None:
    assert clean_path(typed) == path


def test_home_is_expanded() -> None:
    assert clean_path("~/run") == str(Path.home() / "run")


@pytest.mark.row("system-timeline", 4)
def test_each_kind_of_problem_has_its_code(tmp_path: Path) -> None:
    large = tmp_path / "run" / "big.csv"
    large.parent.mkdir()
    with large.open("wb") as file:
        file.truncate(2 * 1024**3 + 1)  # a sparse file: no bytes on the disk
    (tmp_path / "run" / "fine.json").write_text("[]")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = path_check.check(
        [
            tmp_path / "run",
            tmp_path / "none",
            pipe,
            Path("/a\nb"),
            Path("/" + "x/" * 2100),
            tmp_path / "run" / "fine.json",
        ]
    )
    assert [(p.code, p.what, p.passable) for p in found] == [
        (3, "large", True),
        (6, "missing", False),
        (7, "not regular", False),
        (2, "odd character", False),
        (5, "too long", False),
    ]
    assert found[0].path == large
