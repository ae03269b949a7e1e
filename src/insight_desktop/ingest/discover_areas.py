"""Cards of the areas operator, memory and service: one per file that is opened on its own.

Their files are project files first (`Discovery.extras` keeps them by role); here each becomes a card, so that it is read
in a worker, shown in the tree, cached and reopened like a rank.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from insight_desktop.ingest import discover_names as names
from insight_desktop.ingest.discover_cards import Draft
from insight_desktop.ingest.sources import Source

Extras = tuple[tuple[str, Path], ...]

# role → (format, kind)
_READERS = {
    "operator_bin": ("operator_bin", "operator"),
    "on_chip_memory": ("on_chip_json", "on_chip"),
    "snapshot": ("snapshot_pickle", "snapshot"),
    "memscope_db": ("memscope", "memscope"),
    "memscope_csv": ("memscope", "memscope"),
}
_TRACE, _COMPARE = "memscope_python_trace", "memscope_compare"


def area_drafts(extras: Iterable[tuple[str, Path]], roots: Iterable[Path]) -> list[Draft]:
    """Cards of the files of these roles.

    Args:
        extras: project files by role.
        roots: the chosen folders; a file below one of them is named by it where names come twice.
    """
    files = list(dict.fromkeys(extras))
    chosen = list(roots)
    drafts = []
    for role, path in files:
        if role not in _READERS:
            continue
        reader, kind = _READERS[role]
        beside = tuple((other, file) for other, file in files if kind == "memscope" and _belongs(other, file, path))
        root = next((root for root in chosen if path.is_relative_to(root)), None)
        if root is None and kind == "memscope" and not beside:
            beside = _beside(path)
        drafts.append(Draft(path, root, _title(path, root), (Source(reader, kind, (path,), beside),), apart=True))
    return drafts


def _belongs(role: str, file: Path, dump: Path) -> bool:
    """True for a Python trace or comparison of a dump: in its folder, or in `compare` beside the folders of the dumps."""
    if role == _COMPARE and file.parent.name == "compare" and dump.is_relative_to(file.parent.parent):
        return True
    return role in (_TRACE, _COMPARE) and file.parent == dump.parent


def _beside(path: Path) -> Extras:
    """What belongs to a dump that was chosen alone: comparisons in its folder, and for a csv the Python traces."""
    try:
        entries = sorted(path.parent.iterdir())
    except OSError:  # the folder may be locked; the dump alone has to do
        return ()
    wanted = (_TRACE, _COMPARE) if path.suffix.lower() == ".csv" else (_COMPARE,)
    return tuple((role, entry) for entry in entries for role in wanted if names.project_role(entry.name) == role)


def run_name(folder: Path) -> str:
    """What a run is called: its folder, above the `simulator` that all runs of the simulator have."""
    return folder.parent.name if folder.name == "simulator" and folder.parent.name else folder.name


def _title(path: Path, root: Path | None) -> str:
    """The name of the file; of its folder where all files of a kind have one name."""
    if path.name in ("visualize_data.bin", "memory_info.json"):
        inside = root is None or path.parent != root.parent
        return run_name(path.parent) if inside and path.parent.name else names.stem(path.name)
    device = path.parent.parent.name if path.parent.name == "dump" else ""
    if device.startswith("device_"):  # the collector's folders: dumps of all devices have one name
        return f"{device} {names.stem(path.name)}"
    for ending in (".pickle", ".pkl"):
        if path.name.lower().removesuffix(".gz").endswith(ending):
            return path.name[: path.name.lower().rindex(ending)]
    return names.stem(path.name)
