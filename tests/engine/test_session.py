from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from insight_desktop.engine import places, session
from insight_desktop.engine.project import ProjectList
from insight_desktop.engine.session import Session, SessionCard, SessionSource
from insight_desktop.errors import BadFile
from insight_desktop.ingest.discover import discover

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def example() -> Session:
    return Session(
        "run",
        [SessionSource(Path("/a/run"), "../run")],
        [
            SessionCard(
                "0", "/a/run/r0#0", "db", "/a/run/r0/x.db", {"size": 5, "mtime_ns": 2**62, "hash": "ab"}, "first", 3
            )
        ],
        baseline={"project": "p", "card": "0"},
        comparison=None,
        views={"system.timeline": {"range_ns": [1_761_000_000_000_000_001, 2**63 - 1], "pinned": [["a", 1]]}},
        charts_theme="light",
        rest={"from": {"tomorrow": [1, None]}},
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(state=st.dictionaries(st.text(), JSON, max_size=4))
def test_view_state_comes_back_exactly(tmp_path: Path, state: dict[str, Any]) -> None:
    session.save(tmp_path / "s.insight", Session("p", views={"system.timeline": state}))
    assert session.load(tmp_path / "s.insight").views == {"system.timeline": state}


def test_everything_comes_back(tmp_path: Path) -> None:
    saved = example()
    session.save(tmp_path / "s.insight", saved)
    again = session.load(tmp_path / "s.insight")
    saved.sources = [SessionSource(Path("/a/run"), os.path.relpath("/a/run", tmp_path))]
    assert again == saved
    session.save(tmp_path / "t.insight", again)
    assert (tmp_path / "t.insight").read_text() == (tmp_path / "s.insight").read_text()


def _trace(path: Path, text: str = "[]") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _opened(tmp_path: Path) -> tuple[Session, Path, Path]:
    trace = _trace(tmp_path / "work" / "data" / "t.json", "[ ]")
    project = ProjectList().add([trace])
    file = tmp_path / "work" / "saved" / "s.insight"
    session.save(file, session.from_project(project, discover([trace])))
    return session.load(file), file, trace


def test_session_of_a_project_knows_its_files(tmp_path: Path) -> None:
    loaded, file, trace = _opened(tmp_path)
    assert loaded.name == "t.json"
    assert loaded.sources[0].path == trace
    assert loaded.sources[0].relative == "../data/t.json"
    assert loaded.sources[0].facts["size"] == 3
    assert set(loaded.sources[0].facts) == {"size", "mtime_ns", "hash"}
    assert [(c.name, c.kind, c.file) for c in loaded.cards] == [("t", "text", str(trace))]
    assert str(places.cache_dir()) not in file.read_text()


def test_data_at_their_place_are_found(tmp_path: Path) -> None:
    loaded, file, trace = _opened(tmp_path)
    found, missing = session.resolve(loaded, file)
    assert [(f.path, f.moved, f.changed) for f in found] == [(trace, False, False)]
    assert missing == []


def test_data_that_moved_with_the_session_are_found(tmp_path: Path) -> None:
    loaded, _, _ = _opened(tmp_path)
    shutil.move(tmp_path / "work", tmp_path / "other")
    found, missing = session.resolve(loaded, tmp_path / "other" / "saved" / "s.insight")
    assert [(f.path, f.moved, f.changed) for f in found] == [(tmp_path / "other" / "data" / "t.json", True, False)]
    assert missing == []


def test_changed_data_are_noted_and_copies_are_not(tmp_path: Path) -> None:
    loaded, file, trace = _opened(tmp_path)
    os.utime(trace, (1, 1))
    assert [f.changed for f in session.resolve(loaded, file)[0]] == [False]
    trace.write_text("[1]")
    assert [f.changed for f in session.resolve(loaded, file)[0]] == [True]


def test_missing_data_can_be_relinked(tmp_path: Path) -> None:
    loaded, file, trace = _opened(tmp_path)
    shutil.move(trace.parent, tmp_path / "attic")
    found, missing = session.resolve(loaded, file)
    assert (found, [s.path for s in missing]) == ([], [trace])
    linked = session.relink(loaded, trace.parent, tmp_path / "attic")
    assert [(f.path, f.changed) for f in session.resolve(linked, file)[0]] == [(tmp_path / "attic" / "t.json", False)]
    assert linked.cards[0].key == f"{tmp_path / 'attic' / 't.json'}#t"
    assert linked.cards[0].file == str(tmp_path / "attic" / "t.json")
    assert loaded.sources[0].path == trace


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "damaged"),
        ("{", "damaged"),
        ("[" * 100_000, "damaged"),
        ("[]", "not a saved session"),
        ('{"traceEvents": []}', "not a saved session"),
        ('{"format": "insight-session", "version": 99, "project": {}}', "newer Insight Desktop"),
        ('{"format": "insight-session", "version": 1}', "damaged"),
        ('{"format": "insight-session", "project": {}}', "damaged: it has no version"),
        ('{"format": "insight-session", "version": 1, "project": {"name": "x", "sources": [5]}}', "damaged"),
    ],
)
def test_files_that_are_no_session_are_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "s.insight"
    path.write_text(content)
    with pytest.raises(BadFile, match=said) as caught:
        session.load(path)
    assert caught.value.fix


def test_missing_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile):
        session.load(tmp_path / "no.insight")


def test_failed_save_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "s.insight"
    session.save(path, example())
    before = path.read_bytes()
    broken = example()
    broken.views = {"t": {"x": object()}}
    with pytest.raises(TypeError):
        session.save(path, broken)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["s.insight"]


def test_each_project_has_its_autosave() -> None:
    project = ProjectList().add(["/a"])
    session.save(session.autosave_path(project), Session("a"))
    assert json.loads((places.autosave_dir() / f"{project.id}.insight").read_text())["project"]["name"] == "a"
