"""From folders to cards: which files belong to one rank, in which kinds, and whose rank and device it is."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from insight_desktop.ingest import discover_names as names
from insight_desktop.ingest.discover_content import Content, look, looks_like_snapshot, read_head
from insight_desktop.ingest.discover_db import DbFacts, look_at_db
from insight_desktop.ingest.discover_paths import shown
from insight_desktop.ingest.discover_walk import File, Folder, Walk, no_permission
from insight_desktop.ingest.formats import rank_info
from insight_desktop.ingest.formats.service_lanes import looks_like_service
from insight_desktop.ingest.open_files import csv_rows
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

MAX_SNIFFED = 20_000
_SNIFFED = (".json", ".gz", ".db", ".sqlite", ".sqlite3", ".pkl", ".pickle", ".bin", ".trace", ".csv")
_OUTPUTS = (names.OUTPUT, names.MSPROF_OUTPUT)
_READ_ALREADY = "link to a file that is read already"
_EMPTY_REASON = "empty: it has 0 bytes"

Extras = tuple[tuple[str, Path], ...]


@dataclass(frozen=True)
class Draft:
    """A card before it has its final name.

    Attributes:
        title: what it is called when no rank is known.
        root: the chosen folder it was found in; None for a lone file.
        apart: keep the title although a rank is known (service instances).
    """

    folder: Path
    root: Path | None
    title: str
    sources: tuple[Source, ...]
    rank: str | None = None
    device: int | None = None
    device_from: str = ""
    host: str = ""
    session: tuple[int, int] | None = None
    apart: bool = False


class Cards:
    """Collects drafts and project files from the folders of a walk and from lone files."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.drafts: list[Draft] = []
        self.extras: list[tuple[str, Path]] = []
        self.not_analysed: list[Path] = []
        self.walk: Walk | None = None
        self._done: set[Path] = set()
        self._claimed: set[object] = set()
        self._sniffed = 0

    # ---- folders

    def add_folders(self, walk: Walk) -> None:
        """Read the folders of a walk; folders that were taken before are passed over."""
        self.walk = walk
        self._settle_links(walk)
        for folder in walk.folders:
            if folder.path not in self._done and _is_unit(folder):
                self._unit(folder)
        for folder in walk.folders:
            if folder.path not in self._done and folder.name.startswith("PROF_"):
                self._prof(folder)
        for folder in walk.folders:
            if folder.path not in self._done:
                self._done.add(folder.path)
                self._loose(folder)

    def _settle_links(self, walk: Walk) -> None:
        """Of a file and a link to it only one stays: the link where it stands in an output folder, else the file."""
        files = {f.key: (folder, f) for folder in walk.folders for f in folder.files.values() if not f.is_link}
        for folder in walk.folders:
            for name, link in list(folder.files.items()):
                if not link.is_link or link.key not in files or names.card_role(name) is not None:
                    continue
                home, file = files[link.key]
                if folder.name not in _OUTPUTS:
                    del folder.files[name]
                    self._ignore(link.path, _READ_ALREADY)
                elif home.name not in _OUTPUTS and names.card_role(file.path.name) is None:
                    home.files.pop(file.path.name, None)

    def _unit(self, folder: Folder) -> None:
        """A folder of one rank: `*_ascend_pt`, `*_ascend_ms` or whatever holds an ASCEND_PROFILER_OUTPUT."""
        output = folder.folders.get(names.OUTPUT)
        profs = [f for n, f in folder.folders.items() if names.PROF_FOLDER.match(n)]
        prof_outputs = [f for p in profs for f in _prof_folders(p)]
        if folder.name in _OUTPUTS:  # the output folder itself was chosen
            output = None
        inside = [f for f in (folder, output, *profs, *prof_outputs) if f is not None]
        self._done.update(f.path for f in inside)
        self._done.update(f.path for p in profs for f in p.folders.values())
        places = [output] if output else []
        framework = [f for place in (*places, folder) for n, f in place.files.items() if names.FRAMEWORK_DB.match(n)]
        msprof_dbs = self._newest_dbs(profs) + [f for n, f in folder.files.items() if names.MSPROF_DB.match(n)]
        trace = _trace_view(*places, folder)
        trace = trace or self._msprof_json([*places, *prof_outputs, folder])
        extras = _unique(
            self._card_extras([*places, folder, *profs]) or [], self._card_extras(prof_outputs), only_new_roles=True
        )
        dbs = [(f, look_at_db(f.path)) for f in framework]
        prof_dbs = [] if dbs else [(f, look_at_db(f.path)) for f in msprof_dbs]
        self._project_files(folder, *places)
        title = folder.path.parent.name if folder.name in _OUTPUTS else folder.name
        self._cards_of(folder, title, trace, dbs, prof_dbs, extras, profs)
        if not self._last_is(folder):
            if folder.raw or profs:
                self._raw(folder.path)
            elif output:
                self._ignore(output.path, "it holds no file that can be opened; the analysis may have failed")

    def _prof(self, folder: Folder) -> None:
        """A `PROF_*` folder of the command line collector that belongs to no framework folder."""
        outputs = _prof_folders(folder)
        self._done.update(f.path for f in (folder, *outputs, *folder.folders.values()))
        trace = self._msprof_json([*outputs, folder])
        dbs = [(f, look_at_db(f.path)) for f in self._newest_dbs([folder])]
        self._cards_of(folder, folder.name, trace, dbs, [], _unique(self._card_extras([*outputs, folder])), [folder])
        if not self._last_is(folder):
            self._raw(folder.path)

    def _cards_of(
        self,
        folder: Folder,
        title: str,
        trace: list[File],
        dbs: list[tuple[File, DbFacts]],
        prof_dbs: list[tuple[File, DbFacts]],
        extras: Extras,
        profs: list[Folder],
    ) -> None:
        """One card, or one per database when several ranks share an output folder."""
        groups = dbs or prof_dbs[:1]
        for extra_db, _ in prof_dbs[1:]:
            self._ignore(extra_db.path, "another database of the same rank; the newest folder is used")
        if not groups:
            self._card(folder, title, trace, None, extras, profs, prefer_text=False)
        for i, (file, facts) in enumerate(groups):
            rank = (names.FRAMEWORK_DB.match(file.path.name) or [None, None])[1]
            own = trace if i == 0 else []
            label = title if len(groups) == 1 else names.stem(file.path.name)
            self._card(
                folder,
                label,
                own,
                (file, facts),
                extras,
                profs,
                prefer_text=not dbs,
                db_rank=rank,
                many=len(groups) > 1,
            )

    def _card(
        self,
        folder: Folder,
        title: str,
        trace: list[File],
        db: tuple[File, DbFacts] | None,
        extras: Extras,
        profs: list[Folder],
        *,
        prefer_text: bool,
        db_rank: str | None = None,
        many: bool = False,
    ) -> None:
        trace = [file for file in trace if self._readable(file)]
        if db is not None and not self._readable(db[0]):
            db = None
        sources = self._sources(trace, db, extras, prefer_text=prefer_text)
        if not sources:
            return
        facts = db[1] if db else DbFacts()
        known = facts.rank or db_rank
        rank = (known if many else None) or self._rank(folder, extras) or known or _rank_of_folders(folder)
        device, origin = _device(extras, facts, db[0].path.name if db else "", profs)
        draft = Draft(folder.path, folder.root, title, sources, rank, device, origin, facts.host, facts.session)
        self._claimed.update(file.key for file in trace)
        if db:
            self._claimed.add(db[0].key)
        self.drafts.append(draft)

    def _sources(
        self, trace: list[File], db: tuple[File, DbFacts] | None, extras: Extras, *, prefer_text: bool
    ) -> tuple[Source, ...]:
        text = Source("trace_json", "text", tuple(f.path for f in trace), extras) if trace else None
        side = tuple(path for role, path in extras if role in names.CARD_ROLES)
        if text is None and db is None:
            return (Source("rank_text", "text", side, extras),) if side else ()
        if db is None:
            return (text,) if text else ()
        file, facts = db
        data = Source("profiler_db", "db", (file.path,), extras)
        if text and facts.has_rows and not any(f.size for f in trace):
            self._ignore(text.files[0], _EMPTY_REASON)
            text = None
        if text is None:
            rows = facts.has_rows or facts.error
            if not rows and side:  # an empty database beside csv files: the csv pages still work
                self.report.issue(
                    "discover.empty_db", "warning", shown(file.path),
                    f"{shown(file.path.name)} holds no tasks and no framework calls; the timeline stays empty.",
                    fix="Collect or export the data again; pages of the files beside it work.",
                )  # fmt: skip
                return (Source("rank_text", "text", side, extras), data)
            if not rows and file.size == 0:
                self._ignore(file.path, _EMPTY_REASON)
                return ()
            return (data,)
        if facts.has_rows and not prefer_text:
            return (data, text)
        if not facts.has_rows:
            self.report.issue(
                "discover.empty_db",
                "info",
                shown(file.path),
                f"{shown(file.path.name)} holds no tasks and no framework calls"
                f"{f' ({facts.error})' if facts.error else ''}; the text files of this card are used.",
            )
            if file.size == 0 or facts.error:
                return (text,)
        return (text, data)

    def _loose(self, folder: Folder) -> None:
        """A folder without the structure of a collector: every recognised file, by name or content."""
        if _inside_unit(folder):
            return
        self._project_files(folder)
        if folder.name == names.CLUSTER_OUTPUT:
            self.extras.append(("cluster_analysis_output", folder.path))
            return
        dbs = [
            (f, look_at_db(f.path))
            for n, f in folder.files.items()
            if names.FRAMEWORK_DB.match(n) or names.MSPROF_DB.match(n)
        ]
        trace = _trace_view(folder) or self._msprof_json([folder])
        extras = _unique(self._card_extras([folder]))
        side = any(role in names.CARD_ROLES for role, _ in extras)
        if dbs or trace or side:
            title = folder.name or str(folder.path)
            self._cards_of(folder, title, trace, dbs, [], extras, [])
        taken = {f.path.name for f, _ in dbs} | {f.path.name for f in trace}
        for name, file in folder.files.items():
            if name not in taken and names.card_role(name) is None and names.project_role(name) is None:
                self._sniff(folder, file)
        self._service_card(folder)
        if folder.raw and not self._last_is(folder):
            self._raw(folder.path)

    def _service_card(self, folder: Folder) -> None:
        trace = folder.files.get("chrome_tracing.json")
        if trace is None or not self._readable(trace):
            return
        self._claimed.add(trace.key)
        extras = tuple(
            (role, path) for role, path in self.extras if role.startswith("service") and path.parent == folder.path
        )
        source = Source("trace_json", "service", (trace.path,), extras)
        self.drafts.append(Draft(folder.path, folder.root, folder.name, (source,), apart=True))

    def _sniff(self, folder: Folder, file: File) -> None:
        name = file.path.name
        reason = names.left_out(name)
        if reason is not None:
            if reason:
                self._ignore(file.path, reason)
            return
        if name == "chrome_tracing.json":
            return
        if file.key in self._claimed:
            self._ignore(file.path, _READ_ALREADY)
            return
        monitor = names.MSMONITOR_DB.match(name)
        if monitor:
            self.lone_database(file, folder, None if monitor[1] == "-1" else monitor[1])
            return
        if not name.lower().endswith(_SNIFFED) or self._sniffed >= MAX_SNIFFED:
            self._ignore(file.path, "no known kind of profiling file")
            return
        self._sniffed += 1
        try:
            content = look(file.path, file.size)
        except OSError as error:
            self._unreadable(file.path, error)
            return
        if not self._take(content, file, folder):
            self._ignore(file.path, content.reason)

    # ---- lone files

    def add_file(self, file: File) -> Content:
        """Take one chosen file of any name; returns what it is (kind empty: not taken). Raises OSError."""
        name = file.path.name
        with file.path.open("rb"):  # permission is checked before the name is believed
            pass
        content = look(file.path, file.size)
        if file.key in self._claimed:
            return Content("taken")
        named = names.card_role(name) or names.project_role(name)
        unseen = named == "memscope_db" and content.kind == "profiler_db"  # its tables still lie in the log
        if content.kind in ("trace", "operator_trace", "aclgraph", "ftrace_json", "profiler_db") and not unseen:
            named = None
        elif named and (content.reason != _EMPTY_REASON or name.endswith(".csv")):
            content = Content(named)
        elif names.FRAMEWORK_DB.match(name) or names.MSPROF_DB.match(name) or names.MSMONITOR_DB.match(name):
            if content.reason != _EMPTY_REASON:
                content = Content("profiler_db")
        elif not content.kind and _try_as_trace(name, content):
            content = Content("trace")  # the reader of traces names the byte where it breaks
        self._take(content, file, None)
        return content

    def lone_database(self, file: File, folder: Folder | None, rank: str | None) -> None:
        """A profiler database that is a card of its own."""
        self._claimed.add(file.key)
        facts = look_at_db(file.path)
        named = names.FRAMEWORK_DB.match(file.path.name) or names.MSMONITOR_DB.match(file.path.name)
        extras = _around(file.path)
        suffix = named[1] if named and named[1] != "-1" else None
        rank = rank or _rank_from_info(extras) or facts.rank or suffix
        device, origin = _device((), facts, file.path.name, [])
        source = Source("profiler_db", "db", (file.path,), extras)
        root = folder.root if folder else None
        title = names.stem(file.path.name)
        self.drafts.append(Draft(file.path, root, title, (source,), rank, device, origin, facts.host, facts.session))

    def _take(self, content: Content, file: File, folder: Folder | None) -> bool:
        """Make a card or a project file of a file of known content; False when its content is unknown."""
        kind, path, root = content.kind, file.path, folder.root if folder else None
        if not kind:
            return False
        self._claimed.add(file.key)
        if kind == "profiler_db":
            self.lone_database(file, folder, None)
        elif kind == "operator_trace":
            title = folder.name if folder is not None and path.name == "trace.json" else names.stem(path.name)
            if folder is not None and "visualize_data.bin" in folder.files:
                # The bin beside it has the name of the run.
                above = folder.path.parent.name if folder.name == "simulator" else ""
                title = f"{above or title} {names.stem(path.name)}"
            self.drafts.append(Draft(path, root, title, (Source(kind, "simulation", (path,)),), apart=True))
            self.extras.append((kind, path))
        elif kind in ("trace", "aclgraph", "ftrace_json", "ftrace_db"):
            extras = _around(path)
            rank = content.rank or _rank_from_info(extras)
            is_service = path.name == "chrome_tracing.json" or (kind == "trace" and looks_like_service(read_head(path)))
            shown_as = "service" if is_service else "text"
            if kind.startswith("ftrace"):
                shown_as, rank = "ftrace", None
            reader = {"ftrace_db": "ftrace_db", "aclgraph": "aclgraph_json"}.get(kind, "trace_json")
            source = Source(reader, shown_as, (path,), extras)
            alone = folder is not None and path.name == "trace.json"
            title = folder.name if folder is not None and alone else names.stem(path.name)
            self.drafts.append(Draft(path, root, title, (source,), rank))
            if kind in ("aclgraph", "ftrace_db"):
                self.extras.append((kind, path))
        elif kind in names.CARD_ROLES or kind in names.CSV_ROLES.values():
            self._warn_if_empty(file)
            extras = ((kind, path), *_around(path))
            device, origin = _device(extras, DbFacts(), "", [])
            source = Source("rank_text", "text", (path,), extras)
            self.drafts.append(
                Draft(path, root, names.stem(path.name), (source,), _rank_from_info(extras), device, origin)
            )
        else:
            self.extras.append((kind, path))
        return True

    # ---- parts

    def _project_files(self, *folders: Folder) -> None:
        for folder in folders:
            for name, file in folder.files.items():
                role = names.project_role(name)
                if role == "operator_bin" and _is_trace(file):
                    self._take(look(file.path, file.size), file, folder)
                elif role == "snapshot" and name.lower().endswith(".db") and name[:-3] in folder.files:
                    self._ignore(file.path, f"made from {name[:-3]}, which is read")
                elif role == "snapshot" and not looks_like_snapshot(file.path):
                    self._ignore(file.path, "a pickle that is no memory snapshot")
                elif role == "ftrace_db" and self._readable(file):
                    self._take(Content(role), file, folder)
                elif role and self._readable(file):
                    self.extras.append((role, file.path))

    def _card_extras(self, folders: Iterable[Folder]) -> list[tuple[str, Path]]:
        found: list[tuple[str, Path]] = []
        for folder in folders:
            by_role: dict[str, list[str]] = {}
            for name in folder.files:
                role = names.card_role(name)
                if role:
                    by_role.setdefault(role, []).append(name)
                    self._warn_if_empty(folder.files[name])
                elif folder.name in _OUTPUTS and names.left_out(name):
                    self._ignore(folder.files[name].path, names.left_out(name) or "")
            for role, group in by_role.items():
                found += [(role, file.path) for file in self._newest(folder, group)]
        return found

    def _newest(self, folder: Folder, group: list[str]) -> list[File]:
        newest, older = names.newest_export(group)
        for name in older:
            self._ignore(folder.files[name].path, "an older export; the newest is used")
        if gaps := names.missing_pieces(newest):
            text = f"Pieces of an export are missing: {', '.join(gaps)}. What they hold is not shown."
            where = shown(folder.path / newest[0])
            self.report.issue("discover.missing_piece", "warning", where, text, fix="Copy all pieces.")
        return [folder.files[name] for name in newest]

    def _warn_if_empty(self, file: File) -> None:
        if file.size == 0:
            text = f"{shown(file.path.name)} is empty (0 bytes). Pages that need it stay empty, the others work."
            self.report.issue("discover.empty", "warning", shown(file.path), text, fix="Export the data again.")

    def _msprof_json(self, folders: Iterable[Folder]) -> list[File]:
        files: list[File] = []
        for folder in folders:
            group = [n for n in folder.files if n.startswith("msprof_") and names.TRACE.match(n)]
            files += self._newest(folder, group)
        return files

    def _newest_dbs(self, profs: Iterable[Folder]) -> list[File]:
        files: list[File] = []
        for prof in profs:
            found = sorted((int(m[1]), n) for n in prof.files if (m := names.MSPROF_DB.match(n)))
            files += [prof.files[n] for _, n in found[-1:]]
            for _, name in found[:-1]:
                self._ignore(prof.files[name].path, "an older export; the newest is used")
        return files

    def _rank(self, folder: Folder, extras: Extras) -> str | None:
        rank = _rank_from_info(extras)
        if rank is None and folder.name in _OUTPUTS:
            rank = _rank_from_info(_around(folder.path / "x"))
        if rank is None and folder.name.startswith("PROF_"):
            rank = rank_info.msprof_rank(folder.path)
        return rank

    def _raw(self, path: Path) -> None:
        self.not_analysed.append(path)
        self._ignore(path, "collected but not analysed: raw data only")

    def _last_is(self, folder: Folder) -> bool:
        return any(draft.folder == folder.path for draft in self.drafts[-64:])

    def _ignore(self, path: Path, reason: str) -> None:
        if self.walk is not None:
            self.walk.ignore(path, reason)

    def _readable(self, file: File) -> bool:
        if os.access(file.path, os.R_OK):
            return True
        self._unreadable(file.path, PermissionError() if os.path.lexists(file.path) else FileNotFoundError())
        return False

    def _unreadable(self, path: Path, error: OSError) -> None:
        if isinstance(error, FileNotFoundError):
            self.report.issue(
                "discover.vanished", "warning", shown(path), f"{shown(path)} disappeared while it was looked at."
            )
        else:
            no_permission(self.report, path)


def _trace_view(*folders: Folder) -> list[File]:
    """The first trace_view.json of the folders, plain or packed."""
    found = [folder.files[n] for folder in folders for n in names.TRACE_VIEW if n in folder.files]
    return found[:1]


def _is_unit(folder: Folder) -> bool:
    if names.OUTPUT in folder.folders or folder.name == names.OUTPUT:
        return folder.parent is None or folder.name != names.OUTPUT
    if folder.name == names.MSPROF_OUTPUT:
        return folder.parent is None
    has_raw = "FRAMEWORK" in folder.raw or any(names.PROF_FOLDER.match(n) for n in folder.folders)
    return has_raw and bool(
        names.UNIT_FOLDER.search(folder.name) or any(names.PROFILER_INFO.match(n) for n in folder.files)
    )


def _inside_unit(folder: Folder) -> bool:
    above = folder.parent
    while above is not None:
        if names.OUTPUT in (above.name, *above.folders) or above.name.startswith("PROF_"):
            return folder.name != names.CLUSTER_OUTPUT
        above = above.parent
    return False


def _prof_folders(prof: Folder) -> list[Folder]:
    return [prof.folders[n] for n in (names.MSPROF_OUTPUT, "analyze") if n in prof.folders]


def _unique(
    first: list[tuple[str, Path]], then: Iterable[tuple[str, Path]] = (), *, only_new_roles: bool = False
) -> Extras:
    """Extras of several folders; a later folder adds the roles that the earlier ones do not have."""
    roles = {role for role, _ in first} if only_new_roles else set()
    return (*first, *(pair for pair in then if pair[0] not in roles))


def _try_as_trace(name: str, content: Content) -> bool:
    if content.reason == _EMPTY_REASON or content.fix:
        return False
    lower = name.lower()
    return lower.endswith((".json", ".json.gz", ".trace"))


def _is_trace(file: File) -> bool:
    try:
        return look(file.path, file.size).kind in ("trace", "operator_trace")
    except OSError:
        return False


def _around(path: Path) -> Extras:
    """The rank files that lie above a lone file of an output folder."""
    if path.parent.name not in _OUTPUTS:
        return ()
    try:
        entries = sorted(path.parent.parent.iterdir())
    except OSError:  # the folder above may be locked; then the file alone has to do
        return ()
    roles = ("profiler_info", "profiler_metadata")
    return tuple((role, entry) for entry in entries if (role := names.card_role(entry.name) or "") in roles)


def _rank_from_info(extras: Extras) -> str | None:
    infos = [path for role, path in extras if role == "profiler_info"]
    for path in infos:
        number = (names.PROFILER_INFO.match(path.name) or [None, None])[1]
        if number is not None:
            return str(int(number))
    for path in infos:
        rank = rank_info.rank_in_info(path)
        if rank is not None:
            return rank
    metadata = next((path for role, path in extras if role == "profiler_metadata"), None)
    return rank_info.rank_in_metadata(metadata) if metadata else None


def _rank_of_folders(folder: Folder) -> str | None:
    above: Folder | None = folder
    for _ in range(2):
        if above is None:
            return None
        match = names.RANK_FOLDER.match(above.name)
        if match:
            return str(int(match[1]))
        above = above.parent
    return None


def _device(extras: Extras, facts: DbFacts, db_name: str, profs: list[Folder]) -> tuple[int | None, str]:
    """(device, file that told it): database, kernels, steps, memory, then the raw folder's name."""
    if facts.device is not None:
        return facts.device, db_name
    for role in ("kernel_csv", "step_trace_time", "operator_memory", "memory_record"):
        path = next((p for r, p in extras if r == role), None)
        device = _device_in_csv(path) if path else None
        if path and device is not None:
            return device, path.name
    for prof in profs:
        for name in prof.raw:
            match = names.DEVICE_FOLDER.match(name)
            if match:
                return int(match[1]), f"{prof.name}/{name}"
    return None, ""


def _device_in_csv(path: Path) -> int | None:
    try:
        rows = csv_rows(path, most_bytes=16 * 1024)
    except (OSError, csv.Error):  # a locked csv only means that this file cannot tell the device
        return None
    if len(rows) < 2:
        return None
    row = {head.strip().casefold(): cell.strip() for head, cell in zip(rows[0], rows[1], strict=False)}
    text = row.get("device_id") or row.get("device id") or row.get("device type") or ""
    text = text.removeprefix("NPU:").strip()
    return int(text) if text.isascii() and text.isdigit() else None
