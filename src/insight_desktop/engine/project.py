"""The projects that the user opened: a list that survives restarts, and what was arranged per card.

A project names paths; the data are never touched by anything here. The list is one JSON file. Every change reads it
again first, so that two windows do not overwrite each other's projects.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from insight_desktop.engine import places
from insight_desktop.engine.load_options import saved_options
from insight_desktop.errors import BadArgument, BadFile, InsightError
from insight_desktop.ingest.report import Issue, Report
from insight_desktop.ingest.sources import Card, Discovery

_T = TypeVar("_T")

VERSION = 1
APART_NS = 1_000_000_000


@dataclass
class CardChoice:
    """What the user decided for one card.

    Attributes:
        alias: shown instead of the card's name, empty for none.
        kind: `text`, `db`; empty for the preferred one.
        device: device number that overrides the found one.
        removed: the card was taken out of the project.
        options: how it is read, text by name: see `load_options`.
    """

    alias: str = ""
    kind: str = ""
    device: int | None = None
    removed: bool = False
    options: dict[str, str] = field(default_factory=dict)


@dataclass
class Project:
    """A list of sources that are opened together.

    Attributes:
        id: never changes; names the autosave.
        paths: what was opened, absolute.
        choices: per card, by `card_key`.
        opened_at: seconds since 1970 of the last opening, 0 for never.
        facts: for the list of recent projects: `cards` (number), `kinds`, `size_bytes`, `scene`.
        rest: keys of a newer version, kept as they are.
    """

    id: str
    name: str
    paths: list[Path]
    choices: dict[str, CardChoice] = field(default_factory=dict)
    opened_at: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)
    rest: dict[str, Any] = field(default_factory=dict)

    def choice(self, card: Card) -> CardChoice:
        """What was decided for a card; a fresh entry when nothing was."""
        return self.choices.setdefault(card_key(card), CardChoice())

    def cards(self, found: Discovery) -> list[Card]:
        """The cards of a discovery that were not removed."""
        gone = {key for key, choice in self.choices.items() if choice.removed}
        return [card for card in found.cards if card_key(card) not in gone]

    def is_same_source(self, paths: Sequence[str | Path]) -> bool:
        """True when these paths are the project's paths, in any order and whatever links lead there."""
        return bool(paths) and _real(paths) == _real(self.paths)

    def summarise(self, found: Discovery) -> None:
        """Note what the list of recent projects shows."""
        cards = self.cards(found)
        self.facts["cards"] = len(cards)
        self.facts["kinds"] = sorted({kind for card in cards for kind in card.kinds})
        self.facts["size_bytes"] = sum(source.size_bytes for card in cards for source in card.sources)


def card_key(card: Card) -> str:
    """Key of a card that stays when other cards come or go (its name may get a prefix or suffix then)."""
    return f"{card.folder}#{card.rank if card.rank is not None else card.name}"


class ProjectList:
    """All projects, newest first; changes are saved at once.

    Raises BadFile when the list cannot be written (a change is then not made).
    """

    def __init__(self, file: Path | None = None, report: Report | None = None) -> None:
        self.file = file or places.projects_file()
        self.report = report or Report()
        self._projects: list[Project] = []
        self._rest: dict[str, Any] = {}
        self._stamp: tuple[int, int] | None = None
        self.reload()

    def reload(self) -> None:
        """Read the file if it changed; a damaged one is kept aside as `.bad` and the list begins empty."""
        stamp = _stamp(self.file)
        if stamp == self._stamp and stamp is not None:
            return
        self._stamp = stamp
        self._projects, self._rest = [], {}
        if stamp is None:
            return
        try:
            content = json.loads(self.file.read_text(encoding="utf-8-sig"))
            version = content["version"]
            if not isinstance(version, int):
                raise ValueError("no version")
            self._projects, damaged = _entries(content["projects"])
            self._rest = {k: v for k, v in content.items() if k not in ("version", "projects")}
            if version > VERSION:
                self._rest["version"] = version
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            self._put_aside(error)
            return
        if damaged:
            self._keep_a_copy(damaged)

    def __iter__(self) -> Iterator[Project]:
        return iter(self.recent())

    def __len__(self) -> int:
        return len(self._projects)

    def recent(self) -> list[Project]:
        """Projects by last opening, newest first."""
        return sorted(self._projects, key=lambda project: -project.opened_at)

    def get(self, project_id: str) -> Project:
        """The project of that id; raises BadArgument when it is not in the list."""
        for project in self._projects:
            if project.id == project_id:
                return project
        raise BadArgument("This project is not in the list any more.", fix="Open its data again.")

    def named(self, name: str) -> Project | None:
        """The project of that name (upper and lower case are equal), if any."""
        return next((p for p in self._projects if p.name.casefold() == name.strip().casefold()), None)

    def same_source(self, paths: Sequence[str | Path]) -> Project | None:
        """The project that was opened from just these paths, if any: switch to it instead of importing again."""
        return next((project for project in self._projects if project.is_same_source(paths)), None)

    def free_name(self, name: str) -> str:
        """The name itself, or with ` (2)`, ` (3)` … behind it, whichever is not taken."""
        name = name.strip() or "Project"
        free, k = name, 2
        while self.named(free) is not None:
            free, k = f"{name} ({k})", k + 1
        return free

    def add(self, paths: Sequence[str | Path], *, name: str | None = None) -> Project:
        """Add a project.

        Args:
            paths: what it opens.
            name: its name; when None, the name of the first path, made unique.

        Raises BadArgument when the name is empty or taken, or no path is given.
        """
        if not paths:
            raise BadArgument("A project needs at least one path.", fix="Choose a folder or a file.")
        absolute = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100 - links stay as the user named them

        def change() -> Project:
            if name is not None:
                self._check_name(name)
            title = name.strip() if name is not None else self.free_name(absolute[0].name or str(absolute[0]))
            project = Project(uuid.uuid4().hex, title, absolute, opened_at=time.time())
            self._projects.append(project)
            return project

        return self._change(change)

    def rename(self, project_id: str, name: str) -> Project:
        """Give a project another name; raises BadArgument when it is empty or taken."""

        def change() -> Project:
            project = self.get(project_id)
            self._check_name(name, besides=project)
            project.name = name.strip()
            return project

        return self._change(change)

    def update(self, project: Project) -> None:
        """Save what was changed in a project (choices, paths, facts, time of opening)."""

        def change() -> None:
            self._projects = [project if one.id == project.id else one for one in self._projects]
            if all(one.id != project.id for one in self._projects):
                self._projects.append(project)

        self._change(change)

    def opened(self, project: Project, found: Discovery | None = None) -> None:
        """Note that a project was opened now, with what was found."""
        project.opened_at = time.time()
        if found is not None:
            project.summarise(found)
        self.update(project)

    def remove(self, *project_ids: str) -> None:
        """Take projects out of the list, with their autosaves; the data stay."""

        def change() -> None:
            self._projects = [project for project in self._projects if project.id not in project_ids]

        self._change(change)
        for project_id in project_ids:
            (places.autosave_dir() / f"{project_id}.insight").unlink(missing_ok=True)

    def _check_name(self, name: str, besides: Project | None = None) -> None:
        if not name.strip():
            raise BadArgument("The name of a project cannot be empty.", fix="Type a name.")
        other = self.named(name)
        if other is not None and (besides is None or other.id != besides.id):
            raise BadArgument(f"There is a project named {other.name} already.", fix="Choose another name.")

    def _change(self, change: Callable[[], _T]) -> _T:
        self.reload()
        try:
            result = change()
            content = {"version": VERSION, **self._rest, "projects": [_to_json(p) for p in self._projects]}
            write_json(self.file, content)
        except InsightError:
            self._stamp = None  # what is on disk counts
            self.reload()
            raise
        self._stamp = _stamp(self.file)
        return result

    def _keep_a_copy(self, damaged: int) -> None:
        """Before the next change writes the list without the entries that cannot be read."""
        aside = self.file.with_name(self.file.name + ".bad")
        with contextlib.suppress(OSError):
            shutil.copyfile(self.file, aside)
        self.report.issue(
            "project.damaged_entry",
            "warning",
            str(self.file),
            f"{damaged} entries of the list of projects cannot be read and were left out; the list was kept as {aside.name}.",
            fix="Open the data again.",
        )

    def _put_aside(self, error: Exception) -> None:
        aside = self.file.with_name(self.file.name + ".bad")
        self._projects, self._rest = [], {}
        try:
            self.file.replace(aside)
            kept = f"It was kept as {aside.name}."
        except OSError as failure:
            kept = f"It could not be put aside ({failure.strerror or failure})."
        self._stamp = None
        self.report.issue(
            "project.damaged_list",
            "warning",
            str(self.file),
            f"The list of projects cannot be read ({error}). {kept} The list begins empty; the data are untouched.",
            fix="Open the data again.",
        )


def clock_issue(ranges: Mapping[str, tuple[int, int]]) -> Issue | None:
    """An issue when the clocks of cards seem to disagree, else None.

    Args:
        ranges: card name → (first, last) time in ns, as recorded.

    Cards disagree when one of them shares no moment with any other, or when their starts lie more than a second and
    more than a tenth of the longest recording apart.
    """
    known = {name: span for name, span in ranges.items() if span[1] >= span[0] > 0}
    if len(known) < 2:
        return None
    first = min(known, key=lambda name: known[name][0])
    last = max(known, key=lambda name: known[name][0])
    apart = known[last][0] - known[first][0]
    longest = max(end - start for start, end in known.values())
    if not _is_alone(known) and (apart <= APART_NS or apart * 10 <= longest):
        return None
    return Issue(
        "project.clock_offset",
        "info",
        f"{first}, {last}",
        f"The cards begin at different times: {last} starts {apart / 1e9:,.3f} s after {first}. "
        "Their clocks may differ, or they were recorded one after the other. The recorded times are kept.",
        fix="Align the cards with an offset per card (Align, or Set offset in the menu of a card).",
    )


def _is_alone(ranges: Mapping[str, tuple[int, int]]) -> bool:
    """True when sorted ranges leave a gap: some card shares no moment with the cards before it."""
    spans = sorted(ranges.values())
    reach = spans[0][1]
    for start, end in spans[1:]:
        if start > reach:
            return True
        reach = max(reach, end)
    return False


def write_json(file: Path, content: object) -> None:
    """Write a JSON file whole or not at all; raises BadFile when that fails."""
    text = json.dumps(content, indent=1)
    temporary = ""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        Path(temporary).replace(file)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise BadFile(
            f"{file} cannot be written: {error.strerror or error}.",
            fix="Check the free space and the rights of that folder, or save somewhere else.",
        ) from error


def _to_json(project: Project) -> dict[str, Any]:
    return {
        **project.rest,
        "id": project.id,
        "name": project.name,
        "paths": [str(path) for path in project.paths],
        "choices": {key: asdict(choice) for key, choice in project.choices.items() if choice != CardChoice()},
        "opened_at": project.opened_at,
        "facts": project.facts,
    }


def _entries(listed: list[Any]) -> tuple[list[Project], int]:
    """The projects that can be read, each id once, and how many cannot. Raises the last error when none can."""
    projects: dict[str, Project] = {}
    failures: list[Exception] = []
    for entry in listed:
        try:
            project = _from_json(entry)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            failures.append(error)
        else:
            projects.setdefault(project.id, project)
    if failures and not projects:
        raise failures[-1]
    return list(projects.values()), len(failures)


def _from_json(entry: dict[str, Any]) -> Project:
    known = {"id", "name", "paths", "choices", "opened_at", "facts"}
    return Project(
        id=str(entry["id"]),
        name=str(entry["name"]),
        paths=[Path(path) for path in entry["paths"]],
        choices={
            key: CardChoice(
                str(choice.get("alias") or ""),
                str(choice.get("kind") or ""),
                choice.get("device"),
                bool(choice.get("removed")),
                saved_options(choice),
            )
            for key, choice in entry.get("choices", {}).items()
        },
        opened_at=_finite(entry.get("opened_at", 0)),
        facts=dict(entry.get("facts", {})),
        rest={key: value for key, value in entry.items() if key not in known},
    )


def _finite(value: Any) -> float:
    number = float(value)
    return number if math.isfinite(number) else 0.0


def _real(paths: Iterable[str | Path]) -> set[str]:
    return {os.path.realpath(path) for path in paths}


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        info = file.stat()
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size
