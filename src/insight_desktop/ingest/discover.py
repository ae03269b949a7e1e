"""Look at files and folders and say what can be opened: cards, their kinds, project files, what was left out.

Nothing is parsed: names, sizes and the first bytes decide, and a few rows of small identity tables.

Precedence of a card's kinds: its framework database when that has rows, then text, then the command line collector's
database. All of them stay on the card, the preferred one first.
"""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

from insight_desktop.errors import BadFile, InsightError, NoData
from insight_desktop.ingest import discover_names as names
from insight_desktop.ingest.discover_areas import area_drafts
from insight_desktop.ingest.discover_cards import Cards
from insight_desktop.ingest.discover_naming import name_cards
from insight_desktop.ingest.discover_paths import clean_path, shown
from insight_desktop.ingest.discover_service import with_service_cards
from insight_desktop.ingest.discover_walk import MAX_DEPTH, File, Walk
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Discovery, Ignored

ACCEPTED = (
    "Accepted are: folders of the Ascend PyTorch Profiler (*_ascend_pt) and MindSpore (*_ascend_ms), msprof output (PROF_*), "
    "cluster_analysis_output, Chrome trace JSON (.json, .json.gz), profiler databases (.db), kernel and memory csv, "
    "service data (profiler.db, ms_service_*.db, chrome_tracing.json), memory snapshots (.pickle), MemScope dumps, "
    "operator data (visualize_data.bin)."
)
ANALYSE = (
    "Run the offline analysis first: in Python "
    "from torch_npu.profiler.profiler import analyse; analyse('<folder>'), for msprof data "
    "msprof --export=on --output=<PROF folder>. Then open the folder again."
)


def discover(paths: Sequence[str | Path], *, name: str | None = None) -> Discovery:
    """Find what one or more files and folders hold.

    Args:
        paths: files and folders; blanks or quotes around a path, `file://` addresses, `~` and relative paths are fine.
        name: name of the project; the name of the first path when None.

    Returns:
        Cards in display order (cluster, host, rank by number), project files in `extras`, and what was left out.

    Raises:
        BadArgument: no path was given.
        BadFile: a path does not exist, cannot be read, or is a file that cannot be used.
        NoData: nothing that can be opened was found; the message says what was seen instead.
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    cleaned = list(dict.fromkeys(clean_path(path) for path in given or [""]))
    report = Report()
    cards = Cards(report)
    folders = [path for path in cleaned if path.is_dir()]
    files = [path for path in cleaned if path not in folders]
    walk = Walk(report, folders)
    cards.add_folders(walk)
    if walk.too_deep:
        _too_deep(walk, cards, report)
    for path in files:
        _lone_file(path, cards, walk, alone=len(cleaned) == 1)
    if not cards.drafts and not cards.extras:
        raise _nothing(cleaned, walk, cards, report)
    cards.drafts += area_drafts(cards.extras, folders)
    cards.drafts = with_service_cards(cards.drafts, cards.extras, folders, walk.ignore)
    if cards.not_analysed:
        _mention_raw(cards, report)
    _mention_unfinished(walk, cards, report)
    if walk.more_ignored:
        walk.ignored.append(Ignored(cleaned[0], f"and {walk.more_ignored:,} more files or folders"))
    return Discovery(
        paths=tuple(cleaned),
        name=name or _project_name(cleaned[0]),
        cards=name_cards(cards.drafts),
        ignored=walk.ignored,
        issues=report.issues,
        extras=list(dict.fromkeys(cards.extras)),
    )


def _project_name(path: Path) -> str:
    """The folder's or file's name; the rank folder's where only its output folder or a file of it was chosen."""
    while path.name in (names.OUTPUT, names.MSPROF_OUTPUT) or path.parent.name in (names.OUTPUT, names.MSPROF_OUTPUT):
        path = path.parent
    return shown(path.name) or shown(path)


def _too_deep(walk: Walk, cards: Cards, report: Report) -> None:
    first = walk.too_deep[0].path
    where = shown(first)
    if not cards.drafts and not cards.extras:
        walk.go_deeper()
        cards.add_folders(walk)
        report.issue(
            "discover.deep",
            "info",
            where,
            f"The data lie more than {MAX_DEPTH} folders deep. They were found because nothing else is there.",
            fix="Open a folder closer to the data.",
        )
        return
    report.issue(
        "discover.too_deep",
        "warning",
        where,
        f"Folders nested more than {MAX_DEPTH} levels deep were not searched, the first is {where}.",
        fix="Open that folder, or a folder closer to the data.",
    )


def _lone_file(path: Path, cards: Cards, walk: Walk, *, alone: bool) -> None:
    """Take a chosen file; alone, an unusable file is an error, among others it is left out with a reason."""
    try:
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):
            raise BadFile(f"{shown(path)} is a pipe, socket or device.", fix="Open a file or a folder.")
        content = cards.add_file(File(path, info.st_size, (info.st_dev, info.st_ino)))
        if content.kind:
            return
        raise _unusable(path, content.reason, content.fix)
    except PermissionError:
        error: InsightError = BadFile(
            f"No permission to read {shown(path)}: access denied.", fix="Ask the owner for read permission."
        )
    except OSError as failure:
        error = BadFile(f"{shown(path)} cannot be read: {failure.strerror or failure}.")
    except BadFile as failure:
        error = failure
    if alone:
        raise error
    walk.ignore(path, error.message)
    cards.report.issue("discover.unusable", "warning", shown(path), error.message, fix=error.fix)


def _unusable(path: Path, reason: str, fix: str) -> BadFile:
    stale = names.left_out(path.name)
    reason = stale or reason or "of an unknown kind"
    text = reason if reason.startswith("empty") else f"no file that can be opened: {reason}"
    return BadFile(f"{shown(path.name)} is {text}.", fix=fix or ACCEPTED)


def _mention_raw(cards: Cards, report: Report) -> None:
    for path in cards.not_analysed:
        report.issue(
            "discover.not_analysed",
            "warning",
            shown(path),
            f"{shown(path.name)} was collected but not analysed: it holds raw data only and was left out.",
            fix=ANALYSE,
        )


def _mention_unfinished(walk: Walk, cards: Cards, report: Report) -> None:
    """Folders of ranks that gave nothing, and of which nothing else was told."""
    used = [file for draft in cards.drafts for source in draft.sources for file in source.files]
    used += [path for draft in cards.drafts if (path := draft.folder)] + [path for _, path in cards.extras]
    used += [Path(issue.where) for issue in report.issues]
    spoken_for = {folder for path in used for folder in (path, *path.parents)}
    for folder in walk.folders:
        if names.UNIT_FOLDER.search(folder.name) and folder.path not in spoken_for:
            report.issue(
                "discover.no_output", "warning", shown(folder.path),
                f"{shown(folder.name)} holds no profile: its recording or analysis did not finish. It was left out.",
                fix=ANALYSE,
            )  # fmt: skip


def _nothing(paths: list[Path], walk: Walk, cards: Cards, report: Report) -> InsightError:
    """The error for a choice without anything to open, with the most helpful reason first."""
    where = ", ".join(shown(path) for path in paths[:3]) + (" and others" if len(paths) > 3 else "")
    raw = cards.not_analysed or [folder.path / folder.raw[0] for folder in walk.folders if folder.raw]
    raw += [path for path in paths if path.name == "FRAMEWORK" or names.DEVICE_FOLDER.match(path.name)]
    if raw:
        return NoData(
            f"The data in {where} were collected but not analysed: {shown(raw[0].name)} holds raw data only, and no "
            "ASCEND_PROFILER_OUTPUT or mindstudio_profiler_output is there.",
            fix=ANALYSE,
        )
    denied = [issue for issue in report.issues if issue.code in ("discover.no_permission", "discover.unreadable")]
    if denied:
        return BadFile(f"No profiling data could be read in {where}. {denied[0].message}", fix=denied[0].fix)
    outside = [one for one in walk.ignored if one.reason.startswith("symbolic link that leaves")]
    seen = sum(len(folder.files) for folder in walk.folders)
    if outside and not seen:
        return NoData(
            f"No profiling data found in {where}: {shown(outside[0].path)} is a symbolic link that leaves the folder; "
            "such links are not followed.",
            fix="Open the target of the link itself.",
        )
    if len(paths) == 1 and not seen and not walk.too_deep:
        return NoData(f"No profiling data found in {where}: there are no files in it.", fix=ACCEPTED)
    links = " Links that leave the folder were not followed." if outside else ""
    listed = "; ".join(f"{shown(one.path.name)}: {one.reason}" for one in walk.ignored[:5])
    deep = " Folders are nested too deep to be searched; open a folder closer to the data." if walk.too_deep else ""
    return NoData(
        f"No profiling data found in {where}: {seen:,} files were seen, none of a known kind"
        f"{f' ({listed})' if listed else ''}.{deep}{links}",
        fix=ACCEPTED,
    )
