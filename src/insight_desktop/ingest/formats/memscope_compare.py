"""Comparisons of two dumps that MemScope itself wrote: `memory_compare_<time>.csv`, one row per operator or kernel.

The collector writes two header lines: `,,,Base,Compare` above two columns `Allocated Memory(byte)`. Files with one line, where
Base and Compare are columns of their own, are read too. Older files have no column Event.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from insight_desktop.ingest.formats.csv_text import clean
from insight_desktop.ingest.formats.memscope_attr import whole
from insight_desktop.ingest.report import Report

_DIFF, _ALLOCATED = "diff memory(byte)", "allocated memory(byte)"
_HEADER_LINES = 5
_BATCH = 50_000
_BIGGEST = 2**63 - 1

Row = dict[str, Any]


def read_rows(path: Path, report: Report) -> list[Row]:
    """Rows of a comparison: file, event, name, device, base_bytes, compare_bytes, allocated_bytes, diff_bytes.

    A number is None where the file has none (`N/A`: the kernel was not called there). What cannot be read is reported and
    left out; a damaged comparison costs no dump.
    """
    rows: list[Row] = []
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            for row in _rows(csv.reader(file), path.name, report):
                rows.append(row)
                if len(rows) % _BATCH == 0:
                    report.checkpoint(0, 1, path.name)
    except (OSError, csv.Error) as error:
        report.issue(
            "memscope.compare_damaged", "warning", path.name,
            f"{path.name} cannot be read to its end ({error}); the {len(rows):,} rows before are kept.",
            fix="Copy the file again from where it was recorded.",
        )  # fmt: skip
    return rows


def _rows(lines: Iterator[list[str]], name: str, report: Report) -> Iterator[Row]:
    places = _header(lines)
    if places is None:
        report.issue(
            "memscope.compare_columns", "warning", name, f"{name} is no comparison by MemScope and was left out.",
            fix="Its header needs the columns Name, Device Id and Diff Memory(byte).",
        )  # fmt: skip
        return
    short = 0
    for cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) <= max(places.values()):
            short += 1
            continue
        found = {key: cells[at].strip() for key, at in places.items()}
        yield {
            "file": name, "event": found.get("event", ""), "name": found["name"], "device": found["device"],
            **{f"{key}_bytes": _number(found.get(key)) for key in ("base", "compare", "allocated", "diff")},
        }  # fmt: skip
    if short:
        report.issue("memscope.compare_rows", "warning", name, "Rows with too few cells were left out.", count=short)


def _header(lines: Iterator[list[str]]) -> dict[str, int] | None:
    """Places of the columns; None when no header is among the first lines."""
    for _ in range(_HEADER_LINES):
        titles = [clean(cell) for cell in next(lines, [])]
        if _DIFF not in titles or "name" not in titles or "device id" not in titles:
            continue
        places = {"name": titles.index("name"), "device": titles.index("device id"), "diff": titles.index(_DIFF)}
        if "event" in titles:
            places["event"] = titles.index("event")
        amounts = [at for at, title in enumerate(titles) if title == _ALLOCATED]
        if len(amounts) >= 2:
            places["base"], places["compare"] = amounts[:2]
            return places
        places.update({key: titles.index(key) for key in ("base", "compare") if key in titles})
        if amounts:
            places["allocated"] = amounts[0]
        return places
    return None


def _number(text: str | None) -> int | None:
    found = whole(text)
    return found if found is not None and abs(found) <= _BIGGEST else None
