"""Cards of serving runs: all that one folder holds of a run is one card, whatever kinds of files tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from insight_desktop.ingest import discover_names as names
from insight_desktop.ingest.discover_cards import Draft
from insight_desktop.ingest.discover_paths import natural_key
from insight_desktop.ingest.sources import Source

Extras = Iterable[tuple[str, Path]]
_ROLES = ("service_db", "service_raw_db", "service_csv")
_TRACE = "chrome_tracing.json"


def with_service_cards(
    drafts: list[Draft], extras: Extras, roots: Iterable[Path], ignore: Callable[[Path, str], None]
) -> list[Draft]:
    """The drafts, with those of serving runs put together.

    A folder's `profiler.db` goes before `ms_service_parsed.db` (with the databases of its processes), and that before raw
    databases; the JSON trace is a second kind of the same card; csv files accompany them, or are a card where nothing
    else is. Raw databases below a folder that was analysed are left out.

    Args:
        drafts: cards found so far; JSON traces of services are among them.
        extras: project files by role.
        roots: the chosen folders.
        ignore: is told what is left out, and why.
    """
    files: dict[Path, dict[str, list[Path]]] = {}
    for role, path in dict.fromkeys(extras):
        if role in _ROLES:
            files.setdefault(path.parent, {}).setdefault(role, []).append(path)
    traces: dict[Path, list[Draft]] = {}
    for draft in drafts:
        if draft.sources[0].kind == "service":
            traces.setdefault(draft.sources[0].files[0].parent, []).append(draft)
    analysed = {folder for folder, found in files.items() if "service_db" in found} | set(traces)
    chosen = list(roots)
    made = []
    for folder in dict.fromkeys([*files, *traces]):
        found = files.get(folder, {})
        if set(found) == {"service_raw_db"} and any(above in analysed for above in folder.parents):
            for path in found["service_raw_db"]:
                ignore(path, "raw data of a run that is there analysed")
            continue
        if folder.name == "span_info" and folder.parent in files:
            continue
        made += _drafts(folder, found, traces.get(folder, []), chosen, ignore)
    taken = {id(draft) for group in traces.values() for draft in group}
    return [draft for draft in drafts if id(draft) not in taken] + made


def _drafts(
    folder: Path,
    found: dict[str, list[Path]],
    traces: list[Draft],
    roots: list[Path],
    ignore: Callable[[Path, str], None],
) -> list[Draft]:
    extras = tuple(("service_csv", path) for path in _csv_files(folder, found.get("service_csv", [])))
    sources = []
    database = _database(found, ignore)
    if database:
        sources.append(Source("service_db", "service_db", database, extras))
    main = [d for d in traces if d.sources[0].files[0].name == _TRACE]
    others = [d for d in traces if d not in main]
    if main:
        beside = (("service_db", database[0]),) if "service_db" in found else ()
        sources.append(replace(main[0].sources[0], extras=(*beside, *extras)))
    if not sources and not others and found.get("service_csv"):
        csv = tuple(path for _, path in extras)
        sources.append(Source("service_csv", "service_csv", csv))
    root = next((root for root in roots if folder.is_relative_to(root)), None)
    made = [replace(d, apart=True) for d in others]
    if sources:
        lone = main[0].folder if main and not database else folder
        made.insert(
            0, Draft(lone, root, folder.name or names.stem(sources[0].files[0].name), tuple(sources), apart=True)
        )
    return made


def _database(found: dict[str, list[Path]], ignore: Callable[[Path, str], None]) -> tuple[Path, ...]:
    """The databases that are read together, the main one first."""
    parsed = sorted(
        found.get("service_db", []), key=lambda p: (p.name != "profiler.db", p.name != "ms_service_parsed.db")
    )
    raw = sorted(found.get("service_raw_db", []), key=lambda p: natural_key(p.name))
    if not parsed:
        return tuple(raw)
    for path in parsed[1:]:
        ignore(path, f"{parsed[0].name} of the same folder is used")
    if parsed[0].name == "ms_service_parsed.db":
        return (parsed[0], *raw)
    for path in raw:
        ignore(path, f"raw data; {parsed[0].name} of the same folder is used")
    return (parsed[0],)


def _csv_files(folder: Path, listed: list[Path]) -> list[Path]:
    """The result files of a folder with those of `span_info` below it; of a lone file, those beside it."""
    found = set(listed)
    for place, all_names in ((folder, False), (folder / "span_info", True)):
        try:
            beside = [p for p in place.iterdir() if p.suffix == ".csv" and p.is_file()]
        except OSError:  # nothing beside the file, or a folder that may not be listed: what was chosen has to do
            continue
        found.update(p for p in beside if all_names or names.project_role(p.name) == "service_csv")
    return sorted(found, key=lambda p: natural_key(p.name))
