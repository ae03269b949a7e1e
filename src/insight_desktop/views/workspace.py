"""The one owner of what is open: projects, the cards of the current project, the store, the running import.

Panels listen to its signals and call its methods; only this module and `reading` talk to the engine about imports.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from insight_desktop.engine import cluster, scene
from insight_desktop.engine.load_options import EVENTS
from insight_desktop.engine.members import member
from insight_desktop.engine.project import ProjectList, card_key, clock_issue
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError
from insight_desktop.ingest.sources import Discovery
from insight_desktop.views import path_check
from insight_desktop.views.cards import (
    BUSY,
    FAILED,
    IDLE,
    MANY_CARDS,
    READING,
    USABLE,
    WAITING,
    CardRow,
    ProjectRow,
    rank_order,
    row_of,
)
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.worker import Door
from insight_desktop.views.comparing import Comparing
from insight_desktop.views.comparing_jobs import ComparingJobs
from insight_desktop.views.reading import Update
from insight_desktop.views.table_issues import TableIssues

Options = dict[str, dict[str, str]]  # of cards by name: text by name of the option
MOST_STAMPS = 16  # files per project that the list of recent projects looks at


class Reader(Protocol):
    """Reads cards in the background: `reading.CardReader`, or something simpler in tests."""

    def start(self, rows: list[CardRow], tell: Callable[[CardRow, Update], None], *, fresh: bool = False) -> None: ...

    def cancel(self, row: CardRow | None = None) -> None: ...

    def open(self, store: Store, row: CardRow, project: ProjectRow) -> None: ...

    def release(self, name: str | None = None) -> None: ...

    def close(self) -> None: ...


@dataclass
class Checked:
    """Answer of looking at paths: what is wrong, and what was found."""

    paths: list[Path]
    problems: list[path_check.Problem]
    discovery: Discovery | None


@dataclass
class Pace:
    """How the running import goes on: bytes done and in all, rate, seconds left (None while unknown)."""

    done_bytes: int
    total_bytes: int
    cards_done: int
    cards: int
    bytes_per_second: float
    seconds_left: float | None


class Workspace(QObject):
    """What is open.

    Signals:
        projects_changed: the list of projects or the cards of the current one changed.
        project_opened: another project became current (its name, or "" for none).
        card_changed: name of a card of the current project whose state or progress changed.
        problems: a `Checked` whose problems the user has to look at; `go_on(checked)` continues.
        leaving: the current project is about to be left.
        import_ended: all asked cards are ready or failed.
        busy: True while paths are being looked at.
    """

    projects_changed = Signal()
    project_opened = Signal(str)
    card_changed = Signal(str)
    problems = Signal(object)
    leaving = Signal()
    import_ended = Signal()
    busy = Signal(bool)

    def __init__(
        self,
        context: Context,
        reader: Reader,
        discover: Callable[[list[Path]], Discovery],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.context = context
        self.reader = reader
        self.list = ProjectList()
        self.projects: list[ProjectRow] = [ProjectRow(entry) for entry in self.list.recent()]
        self.current: ProjectRow | None = None
        self._discover = discover
        self._door = Door(self)
        self._add_to: str | None = None
        self._first: str | None = None  # the current card, if nobody has chosen it
        self._started = 0.0
        self._base_bytes = 0
        self._was_busy = False
        self._moved: set[str] = set()
        self._pulse = QTimer(self)  # progress is shown ten times a second, however often it comes
        self._pulse.setSingleShot(True)
        self._pulse.setInterval(100)
        self._pulse.timeout.connect(self._tell_progress)
        self.comparing = Comparing(self)
        self.comparing_jobs = ComparingJobs(self)
        self.table_issues = TableIssues(self)

    # ---- opening -----------------------------------------------------------------------------------------------------

    def open_paths(self, paths: list[Path], *, add_to: str | None = None, kinds: dict[str, str] | None = None, options: Options | None = None) -> None:  # fmt: skip
        """Look at paths and read what they hold: as a new project, or into the project named `add_to`."""
        paths = [_absolute(path) for path in paths]
        if not paths:
            return
        if add_to is None:
            known = self._known(paths)
            if known is not None:
                self.switch(known.name)
                return
        self.busy.emit(True)

        project = self.project(add_to) if add_to is not None else None

        def together(good: list[Path]) -> list[Path]:
            return list(dict.fromkeys([*project.paths, *good])) if project is not None else good

        def look() -> Checked:
            problems = path_check.check(paths)
            blocked = {p.path for p in problems if not p.passable}
            good = [path for path in paths if path not in blocked]
            return Checked(paths, problems, self._discover(together(good)) if good else None)

        def looked(checked: Checked) -> None:
            self.busy.emit(False)
            if checked.problems:
                self._add_to = add_to
                self.problems.emit(checked)
            else:
                self._take(checked, add_to, kinds or {}, options or {})

        self._door.run(look, looked, self._failed)

    def go_on(self, checked: Checked) -> None:
        """Continue an import whose problems the user accepted."""
        if checked.discovery is not None:
            self._take(checked, self._add_to, {}, {})

    def switch(self, name: str) -> None:
        """Make a project the current one; looks at its paths again when it was not opened in this run."""
        project = self.project(name)
        if project is None or project is self.current:
            return
        if project.cards is None:
            self.busy.emit(True)

            def looked(discovery: Discovery) -> None:
                self.busy.emit(False)
                self._fill(project, discovery)
                self._make_current(project)
                self._read_new(project)

            missing = [path for path in project.paths if not path.exists()]
            if missing:
                self.busy.emit(False)
                self.context.message.emit(
                    "error",
                    tr("{project}: {path} is not there any more.").format(project=project.name, path=missing[0]),
                    tr("Relink the project to the place where the data lie now."),
                )
                return
            self._door.run(lambda: self._discover(list(project.paths)), looked, self._failed)
            return
        self._make_current(project)
        self._read_new(project)

    def list_cards(self, name: str) -> None:
        """Look what a project holds without opening it, so that one of its cards can be the baseline."""
        project = self.project(name)
        if project is None or project.cards is not None:
            return
        self.busy.emit(True)

        def looked(discovery: Discovery) -> None:
            self.busy.emit(False)
            self._fill(project, discovery)
            self.projects_changed.emit()

        self._door.run(lambda: self._discover(list(project.paths)), looked, self._failed)

    def read(self, names: list[str] | None = None) -> None:
        """Read the given cards of the current project, or all that were not read yet."""
        if self.current is None:
            return
        rows = [
            row
            for row in self.current.cards or []
            if (row.name in names if names is not None else row.status in (IDLE, FAILED)) and row.status not in BUSY
        ]
        self._start(rows)

    def cancel(self) -> None:
        """Stop the running import; finished cards stay, the others can be asked for again."""
        self.reader.cancel()
        for row in (self.current.cards or []) if self.current else []:
            if row.status in BUSY:
                row.status, row.done_bytes = IDLE, 0
                self.card_changed.emit(row.name)
        self._check_end()

    def set_kind(self, name: str, kind: str) -> None:
        """Use another kind of a card's data (text or db) and read it."""
        row = self.current.card(name) if self.current else None
        if row is None or kind == row.kind or kind not in row.source.kinds:
            return
        row.kind = kind
        assert self.current is not None
        self.current.entry.choice(row.source).kind = kind
        self.tell_store()
        self._save(self.current)
        self._start([row])

    def read_as(self, name: str, option: str, text: str) -> None:
        """Read a card with an option, as by default when empty: see `load_options`."""
        row = self.current.card(name) if self.current else None
        if self.current is not None and row is not None and row.status not in BUSY:
            row.read_as(self.current.entry, option, text)
            self._save(self.current)
            self._start([row])

    def reread(self, name: str) -> None:
        """Read a card again from its files."""
        row = self.current.card(name) if self.current else None
        if self.current is not None and row is not None and row.status not in BUSY:
            if row.status == FAILED:  # a part that is not there shall not stand in the way
                row.read_as(self.current.entry, EVENTS, "")
            row.capture = None
            self._start([row], fresh=True)

    # ---- the list ----------------------------------------------------------------------------------------------------

    def project(self, name: str) -> ProjectRow | None:
        return next((p for p in self.projects if p.name == name), None)

    def rename(self, old: str, new: str) -> str:
        """Rename a project; returns why not, or an empty text."""
        new = new.strip()
        project = self.project(old)
        if project is None or new == old:
            return ""
        if self.comparing.holds(project):
            return tr("{name} is being compared.").format(name=old)
        if not new:
            return tr("A project needs a name.")
        if self.project(new) is not None:
            return tr("There is already a project named {name}.").format(name=new)
        try:
            project.entry = self.list.rename(project.entry.id, new)
        except InsightError as error:
            return say(error.message)
        self.projects_changed.emit()
        return ""

    def delete_projects(self, names: list[str]) -> None:
        """Forget projects; the raw files stay untouched. Those that are being compared stay."""
        gone = [p for p in self.projects if p.name in names and not self.comparing.keeps(p.name, p)]
        self.list.remove(*(p.entry.id for p in gone))
        self.projects = [p for p in self.projects if p not in gone]
        if self.current in gone:
            self.reader.cancel()
            self._leave()
        self.projects_changed.emit()

    def delete_card(self, name: str) -> None:
        """Take a card out of the current project; the raw files stay untouched."""
        if self.current is None:
            return
        row = self.current.card(name)
        if row is None or self.comparing.keeps(name, self.current, row):
            return
        if row.status in BUSY:
            self.reader.cancel(row)
        self.current.cards = [c for c in self.current.cards or [] if c is not row]
        self.current.entry.choice(row.source).removed = True
        self.context.store.remove(name)
        self.tell_store()
        self.reader.release(name)
        self.context.reading.pop(name, None)
        if self.context.card == name:
            self.select_card(next((c.name for c in self.current.cards if c.status in USABLE), None))
        self._save(self.current)
        self.context.store_changed.emit()

    def relink(self, name: str, paths: list[Path]) -> None:
        """Point a project to the place where its data lie now."""
        project = self.project(name)
        if project is None:
            return
        project.entry.paths = [_absolute(path) for path in paths]
        self.comparing.clear()
        project.cards, project.found = None, None
        self._save(project)
        if self.current is project:
            self._leave()
        self.switch(name)

    def close_project(self) -> None:
        """Leave the current project; it stays in the list."""
        self.leaving.emit()
        self.reader.cancel()
        self._leave()
        self.projects_changed.emit()

    def select_card(self, name: str | None) -> None:
        """Make a card the current one of all pages."""
        self.context.card = name
        if name is not None:
            self.context.card_selected.emit(name)

    def pace(self) -> Pace:
        """How far the running import is."""
        rows = [r for r in (self.current.cards or []) if r.status != IDLE] if self.current else []
        total = sum(r.total_bytes or r.source.source(r.kind).size_bytes for r in rows)
        done = sum(
            (r.total_bytes or r.source.source(r.kind).size_bytes) if r.status in (*USABLE, FAILED) else r.done_bytes
            for r in rows
        )
        seconds = max(time.monotonic() - self._started, 0.001)
        rate = max(done - self._base_bytes, 0) / seconds
        left = (total - done) / rate if rate > 0 and seconds > 0.5 else None
        return Pace(done, total, sum(r.status in USABLE for r in rows), len(rows), rate, left)

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _known(self, paths: list[Path]) -> ProjectRow | None:
        entry = self.list.same_source(paths)
        return next((p for p in self.projects if entry is not None and p.entry.id == entry.id), None)

    def _take(self, checked: Checked, add_to: str | None, kinds: dict[str, str], options: Options) -> None:
        discovery = checked.discovery
        if discovery is None or not (discovery.cards or "cluster" in scene.scenes(discovery)):
            self._nothing_found(checked)
            return
        project = self.project(add_to) if add_to else None
        if project is None:
            project = ProjectRow(self.list.add(discovery.paths, name=self.list.free_name(discovery.name)))
            self.projects.insert(0, project)
        else:
            project.entry.paths = list(discovery.paths)
        for card in discovery.cards:
            if card.name in kinds:
                project.entry.choice(card).kind = kinds[card.name]
            if card.name in options:
                project.entry.choice(card).options = dict(options[card.name])
        self._fill(project, discovery)
        self._save(project)
        self._make_current(project)
        self._read_new(project)

    def _nothing_found(self, checked: Checked) -> None:
        where = ", ".join(path.name or str(path) for path in checked.paths[:3])
        issues = checked.discovery.issues if checked.discovery else []
        if issues:
            self.context.message.emit("error", issues[0].message, issues[0].fix)
            return
        self.context.message.emit(
            "error",
            tr("Nothing in {where} can be opened.").format(where=where),
            tr("Choose a profiler output folder, a trace json, a profiler db, or a saved session."),
        )

    def _fill(self, project: ProjectRow, discovery: Discovery) -> None:
        """Rows for what was found; cards that are there already keep their name and state."""
        known = {card_key(row.source): row for row in project.cards or []}
        names = {row.name for row in known.values()}
        rows = []
        for card in project.entry.cards(discovery):
            row = known.get(card_key(card))
            if row is None:
                name = _unique(card.name, names)
                names.add(name)
                row = row_of(name, card, project.entry)
            rows.append(row)
        project.cards = sorted(rows, key=rank_order)
        project.found = discovery
        if project is self.current:
            self.tell_store()
        self.list.opened(project.entry, discovery)

    def _read_new(self, project: ProjectRow) -> None:
        new = [row for row in project.cards or [] if row.status == IDLE]
        # kernels are quick to read, and compared with one another
        kernels = sum(row.source.area == "operator" for row in project.cards or [])
        if len(project.cards or []) - kernels < MANY_CARDS:
            self._start(new)
        else:
            self.projects_changed.emit()

    def _start(self, rows: list[CardRow], *, fresh: bool = False) -> None:
        if not rows:
            return
        for row in rows:
            row.status, row.done_bytes, row.total_bytes, row.what = WAITING, 0, 0, ""
            row.message, row.fix, row.issues = "", "", []
        if not self._was_busy:
            self._started = time.monotonic()
            self._base_bytes = self.pace().done_bytes
        self._was_busy = True
        self.reader.start(rows, lambda row, update: self._door.call(self._told, row, update), fresh=fresh)
        for row in rows:
            if row.item is not None:
                self.context.reading[row.name] = row.item
        self.projects_changed.emit()

    def _told(self, row: CardRow, update: Update) -> None:
        """News of a card, in the window's thread; news of an import that was replaced are dropped."""
        if self.current is None or self.current.card(row.name) is not row or update.item is not row.item:
            return
        if update.is_progress and row.status == READING:
            update.apply(row)
            self._moved.add(row.name)
            if not self._pulse.isActive():
                self._pulse.start()
            return
        update.apply(row)
        if row.status in USABLE:
            self._open(row, self.current)
        self.card_changed.emit(row.name)
        if row.status not in BUSY:
            if row.status in USABLE:
                self.context.reading.pop(row.name, None)
                self._choose_first()
            self.context.store_changed.emit()
            self._check_end()

    def _choose_first(self) -> None:
        """While nobody has chosen a card, the first one that can be used is the current one."""
        first = next((c.name for c in (self.current.cards or []) if c.status in USABLE), None) if self.current else None
        if first is not None and self.context.card in (None, self._first) and first != self.context.card:
            self.select_card(first)
        self._first = first if self.context.card == first else None

    def _open(self, row: CardRow, project: ProjectRow) -> None:
        try:
            self.reader.open(self.context.store, row, project)
        except InsightError as error:
            row.status, row.message, row.fix = FAILED, error.message, error.fix

    def _tell_progress(self) -> None:
        moved, self._moved = self._moved, set()
        for name in moved:
            self.card_changed.emit(name)

    def _check_end(self) -> None:
        busy = self.current is not None and self.current.busy
        if self._was_busy and not busy:
            self._was_busy = False
            self._compare_clocks()
            self._note_files()
            self._note_speed()
            self.import_ended.emit()

    def _note_files(self) -> None:
        """What the files were when they were read, so that the list of recent projects can tell that they changed."""
        project = self.current
        if project is not None and project.cards:
            noted = file_stamps([row.path for row in project.cards[:MOST_STAMPS]])
            if project.entry.facts.get("files") != noted:
                project.entry.facts["files"] = noted
                self._save(project)

    def _note_speed(self) -> None:
        """How long opening takes when nothing has to be read, for the list of recent projects."""
        project = self.current
        rows = (project.cards or []) if project is not None else []
        if project is not None and rows and all(r.item is not None and r.item.cached for r in rows):
            project.entry.facts["open_seconds"] = round(time.monotonic() - self._started, 2)
            self._save(project)

    def _compare_clocks(self) -> None:
        """A note on the project when the clocks of its cards seem to disagree."""
        if self.current is None or self.current.found is None:
            return
        ranges = {}
        for card in (c for c in self.context.store.cards if not c.guest):
            manifest = self.context.store.capture(card.name).manifest
            ranges[card.name] = (manifest.view_start_ns, manifest.view_start_ns + manifest.view_span_ns)
        issue = clock_issue(ranges)
        others = [i for i in self.current.found.issues if i.code != "project.clock_offset"]
        self.current.found.issues[:] = [*others, issue] if issue is not None else others

    def _make_current(self, project: ProjectRow) -> None:
        if self.current is not project:
            if self.current is not None:
                self.leaving.emit()
            self.reader.cancel()
            self._empty_store()
            self.current = project
            self.tell_store()
            for row in project.cards or []:
                if row.status in USABLE:
                    self._open(row, project)
                elif row.status in BUSY:
                    row.status = IDLE
            self.select_card(next((c.name for c in project.cards or [] if c.status in USABLE), None))
            self.project_opened.emit(project.name)  # first: pages of the last project must not be built anew
            self.projects_changed.emit()
            self.context.store_changed.emit()
        else:
            self.projects_changed.emit()

    def _leave(self) -> None:
        self.current = None
        self._empty_store()
        self.context.card = self._first = None
        self.project_opened.emit("")
        self.context.store_changed.emit()

    def tell_store(self) -> None:
        """Files and ranks of the current project, read or not: the pages of whole jobs are made of them."""
        store, project = self.context.store, self.current
        rows = (project.cards or []) if project is not None else []
        store.extras = tuple(project.found.extras) if project is not None and project.found is not None else ()
        store.members = tuple(
            member(row.source, name=row.name, kind=row.kind) for row in rows if row.source.area == "system"
        )
        store.members += self.comparing_jobs.guests()

    def _empty_store(self) -> None:
        for card in self.context.store.every_card:
            self.context.store.remove(card.name)
        cluster.cancel(self.context.store)
        self.context.store.extras, self.context.store.members = (), ()
        self.reader.release()
        self.context.reading.clear()

    def _save(self, project: ProjectRow) -> None:
        try:
            self.list.update(project.entry)
        except InsightError as error:
            self.context.message.emit("warning", error.message, error.fix)
        self.projects_changed.emit()

    def _failed(self, error: InsightError) -> None:
        self.busy.emit(False)
        self.context.message.emit("error", error.message, error.fix)


def file_stamps(paths: list[Path]) -> list[list[Any]]:
    """[path, size, time] of files; those that are gone have neither."""
    found: list[list[Any]] = []
    for path in paths:
        try:
            info = path.stat()
            found.append([str(path), info.st_size, info.st_mtime_ns])
        except OSError:
            found.append([str(path), None, None])
    return found


def _absolute(path: Path) -> Path:
    return Path(path).expanduser().absolute()


def _unique(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
