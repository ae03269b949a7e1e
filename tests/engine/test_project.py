from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from insight_desktop.engine import places
from insight_desktop.engine.project import CardChoice, ProjectList, card_key, clock_issue
from insight_desktop.errors import BadArgument, BadFile
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.report import Report

SECOND = 1_000_000_000


def data(folder: Path, *ranks: int) -> Path:
    for rank in ranks:
        output = folder / f"r{rank}_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
        output.mkdir(parents=True)
        (output / "trace_view.json").write_text("[]")
        (output.parent / f"profiler_info_{rank}.json").write_text("{}")
    return folder


@pytest.mark.row("system-timeline", 8)
def test_projects_reappear_at_the_next_start(tmp_path: Path) -> None:
    first = ProjectList()
    one = first.add([data(tmp_path / "one", 0, 1)])
    first.add([tmp_path / "b"], name="two")
    found = discover(one.paths)
    choice = one.choice(found.cards[1])
    choice.alias, choice.kind, choice.device, choice.removed = "last", "text", 6, True
    one.rest["later"] = [1]
    first.opened(one, found)

    projects = ProjectList().recent()
    assert [project.name for project in projects] == ["one", "two"]
    again = projects[0]
    assert (again.id, again.paths) == (one.id, [tmp_path / "one"])
    assert again.choices == {card_key(found.cards[1]): CardChoice("last", "text", 6, True)}
    assert [card.name for card in again.cards(found)] == ["0"]
    assert again.facts == {"cards": 1, "kinds": ["text"], "size_bytes": 2}
    assert again.rest == {"later": [1]}
    assert projects[1].opened_at > 0


def test_names_are_unique_whatever_their_case() -> None:
    projects = ProjectList()
    one = projects.add(["/a/run"])
    two = projects.add(["/b/run"])
    assert (one.name, two.name) == ("run", "run (2)")
    for name in ("run", "RUN ", "", "  "):
        with pytest.raises(BadArgument):
            projects.rename(two.id, name)
    with pytest.raises(BadArgument, match="run already"):
        projects.add(["/c"], name="Run")
    assert projects.rename(two.id, " Run of today ").name == "Run of today"
    assert projects.rename(one.id, "RUN").name == "RUN"
    assert [p.name for p in ProjectList().recent()] == ["Run of today", "RUN"]


def test_removing_projects_leaves_the_data(tmp_path: Path) -> None:
    folder = data(tmp_path / "d", 0)
    before = sorted(tmp_path.rglob("*"))
    projects = ProjectList()
    ids = [projects.add([folder], name=name).id for name in ("a", "b", "c")]
    saved = places.autosave_dir() / f"{ids[0]}.insight"
    saved.parent.mkdir(parents=True)
    saved.write_text("{}")
    projects.remove(*ids[:2])
    assert [p.name for p in ProjectList().recent()] == ["c"]
    assert not saved.exists()
    assert sorted(tmp_path.rglob("*")) == before
    with pytest.raises(BadArgument):
        projects.get(ids[0])


def test_same_paths_are_the_same_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to("a")
    monkeypatch.chdir(tmp_path)
    projects = ProjectList()
    one = projects.add([tmp_path / "a", "/b"])
    assert projects.same_source(["/b", "link"]) is one
    assert projects.same_source(["a"]) is None
    assert projects.same_source([]) is None


def test_damaged_list_is_kept_aside() -> None:
    for content in (
        b"{",
        b"[]",
        b'{"version": 1, "projects": [{"name": 1}]}',
        b"\xff\xfe",
        b'{"projects": []}',
        b"[" * 100_000,
    ):
        file = places.projects_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        report = Report()
        projects = ProjectList(report=report)
        assert len(projects) == 0
        assert [issue.code for issue in report.issues] == ["project.damaged_list"]
        assert file.with_name("projects.json.bad").read_bytes() == content
        projects.add(["/x"])
        assert [p.name for p in ProjectList().recent()] == ["x"]


def test_one_damaged_entry_costs_itself_only() -> None:
    file = places.projects_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    content = (
        b'\xef\xbb\xbf{"version": 1, "projects": [{"id": "a", "name": "one", "paths": ["/a"], "opened_at": NaN}, 5,'
        b' {"id": "b", "name": "two", "paths": ["/b"], "opened_at": 7}, {"id": "b", "name": "again", "paths": ["/b"]}]}'
    )
    file.write_bytes(content)
    report = Report()
    projects = ProjectList(report=report)
    assert [(p.name, p.opened_at) for p in projects.recent()] == [("two", 7.0), ("one", 0.0)]
    assert [issue.code for issue in report.issues] == ["project.damaged_entry"]
    assert file.with_name("projects.json.bad").read_bytes() == content


def test_two_windows_keep_each_others_projects() -> None:
    one, two = ProjectList(), ProjectList()
    mine = one.add(["/a"])
    two.add(["/b"])
    mine.choices["card"] = CardChoice(alias="x")
    one.update(mine)
    assert sorted(p.name for p in ProjectList().recent()) == ["a", "b"]
    assert ProjectList().get(mine.id).choices == {"card": CardChoice(alias="x")}


def test_keys_of_a_newer_version_survive() -> None:
    file = places.projects_file()
    file.parent.mkdir(parents=True)
    entry = {"id": "i", "name": "n", "paths": ["/p"], "colour": "red"}
    file.write_text(json.dumps({"version": 2, "groups": {"g": [1]}, "projects": [entry]}))
    projects = ProjectList()
    projects.rename("i", "m")
    content = json.loads(file.read_text())
    assert (content["version"], content["groups"], content["projects"][0]["colour"]) == (2, {"g": [1]}, "red")


def test_list_that_cannot_be_written_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    projects = ProjectList(tmp_path / "file" / "projects.json")
    with pytest.raises(BadFile, match="cannot be written"):
        projects.add(["/a"])
    assert len(projects) == 0


def test_paths_that_are_not_utf8_come_back(tmp_path: Path) -> None:
    path = Path(os.fsdecode(b"/d/\xff\xfe"))
    ProjectList().add([path], name="odd")
    assert ProjectList().recent()[0].paths == [path]


def test_cards_that_share_no_moment_raise_the_clock_question() -> None:
    start = 1_761_000_000 * SECOND
    issue = clock_issue({"0": (start, start + 10_000), "1": (start + 180 * SECOND, start + 180 * SECOND + 10_000)})
    assert issue is not None
    assert (issue.code, issue.where) == ("project.clock_offset", "0, 1")
    assert "1 starts 180.000 s after 0" in issue.message
    assert all(word in f"{issue.message} {issue.fix}".lower() for word in ("clock", "offset", "align"))


@pytest.mark.parametrize(
    ("spans", "asked"),
    [
        ([(10, 20)], False),
        ([(10, 20), (15, 30)], False),
        ([(10, 20), (20, 30)], False),
        ([(10, 20), (21, 30)], True),
        ([(10, 15), (10, 40), (30, 50)], False),
        ([(1, 100 * SECOND), (2 * SECOND, 100 * SECOND)], False),
        ([(1, 10 * SECOND), (2 * SECOND, 10 * SECOND)], True),
        ([(1, 2 * SECOND), (SECOND, 2 * SECOND)], False),
        ([(0, 0), (10, 20)], False),
        ([], False),
    ],
)
def test_clock_question(spans: list[tuple[int, int]], asked: bool) -> None:
    assert (clock_issue({str(i): span for i, span in enumerate(spans)}) is not None) is asked
