"""Saved analyses: `.insight` files. One small JSON file that brings a project back as it was, also after a move.

It holds paths, choices and view state, never ids of the cache, so it can be sent to a colleague.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from insight_desktop.engine import places
from insight_desktop.engine.load_options import saved_options
from insight_desktop.engine.project import Project, card_key, write_json
from insight_desktop.errors import BadFile
from insight_desktop.ingest.open_files import fingerprint
from insight_desktop.ingest.sources import Discovery

FORMAT = "insight-session"
VERSION = 1
SUFFIX = ".insight"
MAX_HASHED = 64  # cards beyond this many are recognised by size and time alone


@dataclass(frozen=True)
class SessionSource:
    """One path that the project opened.

    Attributes:
        path: absolute, as it was when saved.
        relative: the same from the folder of the session file; empty when there is no way (another drive).
        facts: size, mtime_ns and hash of a file; empty for a folder.
    """

    path: Path
    relative: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SessionCard:
    """One card of the project.

    Attributes:
        name: as in the tree.
        key: see `project.card_key`.
        kind: the kind that was open.
        file: first file of that kind.
        facts: size, mtime_ns and hash of it.
        options: how it was read, text by name: see `load_options`.
    """

    name: str
    key: str = ""
    kind: str = ""
    file: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    alias: str = ""
    device: int | None = None
    removed: bool = False
    options: dict[str, str] = field(default_factory=dict)


@dataclass
class Session:
    """A saved analysis.

    Attributes:
        name: of the project.
        baseline, comparison: what is compared, None for nothing; JSON values.
        views: tab id → what `Page.view_state` gave; any JSON value, brought back exactly.
        charts_theme: theme of charts in exports.
        rest: keys that this version does not know, kept as they are.
    """

    name: str
    sources: list[SessionSource] = field(default_factory=list)
    cards: list[SessionCard] = field(default_factory=list)
    baseline: dict[str, Any] | None = None
    comparison: dict[str, Any] | None = None
    views: dict[str, Any] = field(default_factory=dict)
    charts_theme: str = ""
    rest: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """A source that is there.

    Attributes:
        path: where it is now.
        moved: it is not at the saved absolute path.
        changed: it is another content than when saved; the view may not fit.
    """

    source: SessionSource
    path: Path
    moved: bool = False
    changed: bool = False


def from_project(project: Project, found: Discovery, views: dict[str, Any] | None = None) -> Session:
    """The session of an opened project: its paths, cards, kinds and fingerprints."""
    cards = []
    for i, card in enumerate(found.cards):
        choice = project.choices.get(card_key(card))
        source = card.source(choice.kind if choice and choice.kind else None)
        file = source.files[0] if source.files else None
        cards.append(
            SessionCard(
                name=card.name,
                key=card_key(card),
                kind=source.kind,
                file=str(file) if file else "",
                facts=_facts(file, hashed=i < MAX_HASHED) if file else {},
                alias=choice.alias if choice else "",
                device=choice.device if choice else None,
                removed=choice.removed if choice else False,
                options=dict(choice.options) if choice else {},
            )
        )
    sources = [SessionSource(path, facts=_facts(path)) for path in project.paths]
    return Session(project.name, sources, cards, views=dict(views or {}))


def save(path: Path, session: Session) -> None:
    """Write a session file, whole or not at all. Raises BadFile when it cannot be written."""
    base = path.absolute().parent
    content = {
        **session.rest,
        "format": FORMAT,
        "version": VERSION,
        "project": {
            "name": session.name,
            "sources": [
                {"path": str(s.path), "relative": _relative(s.path, base), "facts": s.facts} for s in session.sources
            ],
            "cards": [vars(card) for card in session.cards],
        },
        "baseline": session.baseline,
        "comparison": session.comparison,
        "views": session.views,
        "charts_theme": session.charts_theme,
    }
    write_json(path, content)


def load(path: Path) -> Session:
    """Read a session file. Raises BadFile when it is damaged, something else, or of a newer version."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadFile(f"{path.name} cannot be read: {error.strerror or error}.", fix="Check the path.") from error
    except (ValueError, RecursionError) as error:
        raise BadFile(
            f"{path.name} is damaged: {error}.", fix="Open the data themselves, or an older copy of the session."
        ) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadFile(f"{path.name} is not a saved session.", fix="Open the data themselves.")
    version = content.get("version")
    if not isinstance(version, int):
        raise BadFile(f"{path.name} is damaged: it has no version.", fix="Open the data themselves.")
    if version > VERSION:
        raise BadFile(
            f"{path.name} was saved by a newer Insight Desktop (session version {version}, this one knows {VERSION}).",
            fix="Update Insight Desktop, or open the data themselves.",
        )
    try:
        return _from_json(content)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadFile(
            f"{path.name} is damaged: {type(error).__name__} {error}.", fix="Open the data themselves."
        ) from error


def resolve(session: Session, session_path: Path) -> tuple[list[Found], list[SessionSource]]:
    """(sources that are there, missing ones): at the absolute path, else at the path relative to the session file."""
    base = session_path.absolute().parent
    found: list[Found] = []
    missing: list[SessionSource] = []
    for source in session.sources:
        places_to_look = [source.path, *([base / source.relative] if source.relative else [])]
        here = next((place for place in places_to_look if _exists(place)), None)
        if here is None:
            missing.append(source)
            continue
        path = Path(os.path.normpath(here))
        found.append(Found(source, path, moved=path != source.path, changed=_changed(path, source.facts)))
    return found, missing


def relink(session: Session, old_root: Path, new_root: Path) -> Session:
    """The session with everything below one folder moved to another (view state stays as it is)."""

    def move(path: Path) -> Path:
        return new_root / path.relative_to(old_root) if path.is_relative_to(old_root) else path

    sources = [replace(source, path=move(source.path), relative="") for source in session.sources]
    cards = []
    for card in session.cards:
        folder, mark, rank = card.key.rpartition("#")
        key = f"{move(Path(folder))}{mark}{rank}" if mark else card.key
        cards.append(replace(card, key=key, file=str(move(Path(card.file))) if card.file else ""))
    return replace(session, sources=sources, cards=cards)


def autosave_path(project: Project) -> Path:
    """Where the session of a project is kept between runs."""
    return places.autosave_dir() / f"{project.id}{SUFFIX}"


def _from_json(content: dict[str, Any]) -> Session:
    project = content["project"]
    known = {"format", "version", "project", "baseline", "comparison", "views", "charts_theme"}
    fields = SessionCard.__dataclass_fields__
    views = content.get("views") or {}
    if not isinstance(views, dict):
        raise TypeError("views are no object")
    return Session(
        name=str(project["name"]),
        sources=[
            SessionSource(Path(s["path"]), str(s.get("relative") or ""), dict(s.get("facts") or {}))
            for s in project["sources"]
        ],
        cards=[
            SessionCard(**{**{k: v for k, v in card.items() if k in fields}, "options": saved_options(card)})
            for card in project.get("cards", [])
        ],
        baseline=content.get("baseline"),
        comparison=content.get("comparison"),
        views=views,
        charts_theme=str(content.get("charts_theme") or ""),
        rest={key: value for key, value in content.items() if key not in known},
    )


def _facts(path: Path, *, hashed: bool = True) -> dict[str, Any]:
    try:
        if path.is_dir():
            return {}
        if not hashed:
            info = path.stat()
            return {"size": info.st_size, "mtime_ns": info.st_mtime_ns}
        return dict(fingerprint(path))
    except (OSError, BadFile):  # a file that cannot be read now is found again by its path alone
        return {}


def _changed(path: Path, facts: dict[str, Any]) -> bool:
    """True when the file is another one: its size or hash differs. A copy has another time and the same content."""
    now = _facts(path, hashed="hash" in facts)
    if not facts or not now:
        return False
    return now["size"] != facts.get("size") or ("hash" in facts and now.get("hash") != facts["hash"])


def _relative(path: Path, base: Path) -> str:
    try:
        return os.path.relpath(path, base)
    except ValueError:  # another drive
        return ""


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a folder on the way may be locked
        return False
