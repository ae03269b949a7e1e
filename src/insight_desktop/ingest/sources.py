"""What discovery finds: sources (files of one format), cards (one rank in one or more kinds), ignored files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from insight_desktop.ingest.report import Issue

# Which group of tabs shows data of a kind; all others are of the area system.
AREA_OF_KIND = {
    "operator": "operator",
    "on_chip": "operator",
    "simulation": "operator",
    "snapshot": "memory",
    "memscope": "memory",
    "service": "service",
    "service_db": "service",
    "service_csv": "service",
}


@dataclass(frozen=True)
class Source:
    """Files of one format that are read together into one capture.

    Attributes:
        format: module name in `ingest.formats`, e.g. `trace_json` or `profiler_db`.
        kind: what the card row shows: `text`, `db`, ...
        files: in reading order (slices of one export in their order).
        extras: side files by role, e.g. `profiler_info`, `profiler_metadata`, `kernel_csv`.
        options: how the user wants it read, by name, see `load_options`; other options are another capture.
    """

    format: str
    kind: str
    files: tuple[Path, ...]
    extras: tuple[tuple[str, Path], ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def area(self) -> str:
        """`system`, `operator`, `memory` or `service`."""
        return AREA_OF_KIND.get(self.kind, "system")

    @property
    def size_bytes(self) -> int:
        return sum(_size(path) for path in self.files)

    def extra(self, role: str) -> Path | None:
        return next((path for name, path in self.extras if name == role), None)

    def option(self, name: str) -> str:
        """Value of an option, empty when it is not set."""
        return next((value for known, value in self.options if known == name), "")


@dataclass(frozen=True)
class Card:
    """One rank (or one lone file) of a project.

    Attributes:
        name: label in the tree and the value of `--card`: the rank number, else the folder or file stem. Unique in a project.
        rank: rank number as text, None when nothing tells it.
        device: device number inside the host, None when unknown.
        host: host label, empty when the data do not tell it.
        cluster: name of the cluster level, empty when there is one only.
        folder: the `*_ascend_pt` (or equal) folder, or the lone file.
        sources: one per kind, the preferred one first.
        device_from: which file told the device.
    """

    name: str
    rank: str | None
    device: int | None
    host: str
    cluster: str
    folder: Path
    sources: tuple[Source, ...]
    device_from: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(source.kind for source in self.sources)

    @property
    def area(self) -> str:
        """`system`, `operator`, `memory` or `service`."""
        return self.sources[0].area if self.sources else "system"

    def source(self, kind: str | None = None) -> Source:
        """The source of that kind; the preferred one when kind is None or not there."""
        return next((s for s in self.sources if s.kind == kind), self.sources[0])


@dataclass(frozen=True)
class Ignored:
    """A file or folder that was left out, and why (for the import report)."""

    path: Path
    reason: str


@dataclass
class Discovery:
    """Result of looking at one or more paths; nothing was parsed.

    `extras` holds project-level files by role (`cluster_analysis_output`, `service_db`, `snapshot`, ...).
    """

    paths: tuple[Path, ...]
    name: str
    cards: list[Card] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    extras: list[tuple[str, Path]] = field(default_factory=list)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
