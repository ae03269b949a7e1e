"""What the Source page shows of a kernel, asked at once off the window's thread."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.operator import instruction_slices, source
from insight_desktop.engine.operator.code import ALL_SAMPLES, CYCLES, EXECUTED, NOT_ISSUED, Code, code_of
from insight_desktop.engine.operator.profiles import kernel
from insight_desktop.engine.store import Store
from insight_desktop.errors import InsightError, NoData
from insight_desktop.ingest.formats import operator_instructions as layout

_TAB = 4
_MOST_FILES = 20_000  # of a chosen folder that are looked through
_HEAT = (CYCLES, ALL_SAMPLES, NOT_ISSUED, EXECUTED)


@dataclass
class Loaded:
    """Everything of one core and one source file.

    Attributes:
        card: the kernel.
        code: lines, instructions and how they belong together.
        cores, files: entries of the selects; files without text are in `missing`.
        core, file: what is shown.
        lines: the code, tabs as blanks.
        figures: records of the lines that are shown, by line (1 first): row of `line_table`.
        line_table, instructions: the tables of the queries; None without their block.
        problems: why a part is missing: `lines`, `instructions`, `text`.
        missing: paths whose text is not in the file.
        heat: part of the largest value of each line, by line from 0; its column is `heat_name`.
        shares: part of the sum over all lines.
    """

    card: str
    code: Code
    cores: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    core: str | None = None
    file: str | None = None
    lines: list[str] = field(default_factory=list)
    figures: dict[int, int] = field(default_factory=dict)
    line_table: pa.Table | None = None
    instructions: pa.Table | None = None
    problems: dict[str, InsightError] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    heat: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    shares: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    heat_name: str = ""
    is_cut: bool = False
    has_lanes: bool = False  # there are instructions over time


def load(
    store: Store,
    *,
    card: str,
    core: str | None = None,
    file: str | None = None,
    mapped: Mapping[str, Path] | None = None,
) -> Loaded:
    """A kernel's source page.

    Args:
        store: the opened project.
        card: name of the kernel.
        core, file: what to show; the first ones when None or unknown.
        mapped: local files that the user chose for paths whose text is not in the profile.
    """
    local = mapped or {}
    code = code_of(kernel(store, card))
    known = source.files(store, card=card).to_pylist()
    with_text = [row["path"] for row in known if row["has_text"]]
    named = {row["path"] for row in known if not row["has_text"]} | set(_named_files(code))
    out = Loaded(card, code, cores=code.cores)
    out.has_lanes = instruction_slices.has_lanes(store, code.profile.card)
    out.missing = sorted(path for path in named if path not in with_text and path not in local)
    out.files = sorted({row["path"] for row in known} | {path for path in local if path in named})
    out.core = core if core in out.cores else next(iter(out.cores), None)
    out.file = file if file in out.files else _first(out.files, with_text, local)
    _read_text(out, local)
    _read_figures(store, out)
    try:
        out.instructions = source.instructions(store, core=out.core, card=card)
        out.is_cut = code.instructions is not None and code.instructions.is_cut
    except NoData as error:
        out.problems["instructions"] = error
    return out


def _first(files: Sequence[str], with_text: Sequence[str], local: Mapping[str, Path]) -> str | None:
    return next((f for f in files if f in with_text or f in local), next(iter(files), None))


def _named_files(code: Code) -> list[str]:
    """Paths that the figures of lines name."""
    if code.lines is None:
        return []
    return [str(path) for path in code.lines.table[layout.FILE].unique().to_pylist() if path]


def _read_text(out: Loaded, local: Mapping[str, Path]) -> None:
    if out.file is None:
        return
    try:
        whole = source.source_text(out.code.profile, out.file, local.get(out.file))
    except InsightError as error:
        out.problems["text"] = error
        return
    out.lines = [line.expandtabs(_TAB) for line in source.cut_text(whole)] if whole else []
    if out.lines and out.lines[-1] == "":
        out.lines.pop()  # the last line end does not begin another line


def _read_figures(store: Store, out: Loaded) -> None:
    out.heat = out.shares = np.zeros(len(out.lines))
    if out.file is None:
        return
    try:
        table = source.lines(store, core=out.core, file=out.file, card=out.card)
    except NoData as error:
        out.problems["lines"] = error
        return
    numbers = table["line"].to_numpy()
    out.line_table = table
    out.figures = {int(n): row for row, n in enumerate(numbers)}
    out.heat_name = next((name for name in _HEAT if name in table.column_names), "")
    if out.heat_name and len(out.lines):
        values = weights(table[out.heat_name])
        inside = (numbers >= 1) & (numbers <= len(out.lines))
        heat = np.zeros(len(out.lines))
        heat[numbers[inside] - 1] = values[inside]
        top, total = float(heat.max()), float(values.sum())
        out.heat = heat / top if top > 0 else heat
        out.shares = heat / total if total > 0 else heat


def weights(column: pa.ChunkedArray) -> npt.NDArray[np.float64]:
    """Values of a column as numbers: those of stall samples are their percents; none and NA count as 0."""
    if pa.types.is_null(column.type):
        return np.zeros(len(column))
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return np.array([max(stall(text)[0], 0.0) for text in column.to_pylist()])
    values = np.asarray(column.fill_null(0).to_numpy(), np.float64)
    return np.maximum(np.nan_to_num(values), 0.0)


def stall(text: str | None) -> tuple[float, list[tuple[str, int]]]:
    """Part of the samples (0 to 1; −1 for none) and the count of each reason of a stall cell, in their order."""
    try:
        found: Any = json.loads(text) if text else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        return -1.0, []
    percent, details = found.get("Percent"), found.get("Details")
    known = -1.0
    if isinstance(percent, int | float) and not isinstance(percent, bool) and math.isfinite(percent):
        known = float(percent)
    counts = details.items() if isinstance(details, dict) else ()
    return known, [(str(k), v) for k, v in counts if isinstance(v, int) and not isinstance(v, bool)]


def match_folder(_store: Store, *, folder: Path, missing: Sequence[str]) -> dict[str, Path]:
    """Files of a chosen folder for paths of the profile: those that share most of the path from its end.

    Nothing outside the folder is looked at; of two files that fit equally well neither is taken.
    """
    wanted: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for path in missing:
        parts = tuple(reversed((PureWindowsPath(path) if "\\" in path else PurePosixPath(path)).parts))
        if parts:
            wanted.setdefault(parts[0].lower(), []).append((path, parts))
    best: dict[str, tuple[int, Path | None]] = {}
    for count, file in enumerate(folder.rglob("*")):
        if count >= _MOST_FILES:
            break
        for path, parts in wanted.get(file.name.lower(), ()):
            if not file.is_file():
                continue
            own = tuple(reversed(file.relative_to(folder.parent).parts))
            same = next(
                (i for i, (a, b) in enumerate(zip(own, parts, strict=False)) if a != b), min(len(own), len(parts))
            )
            known = best.get(path, (0, None))
            if same > known[0]:
                best[path] = same, file
            elif same == known[0]:
                best[path] = same, None
    return {path: file for path, (_, file) in best.items() if file is not None}
