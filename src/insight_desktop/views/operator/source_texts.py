"""Words of the Source page: names in the selects, what is missing, the head over the table, the status bar, totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.operator.code import CYCLES, EXECUTED
from insight_desktop.views.common import number_text
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.operator.source_load import Loaded

Mask = npt.NDArray[np.bool_]


def short_names(paths: Sequence[str]) -> dict[str, str]:
    """What each path is called: its last part, with as many folders as tell it from the others."""
    parts = {path: path.replace("\\", "/").split("/") for path in paths}
    out = {}
    for path, own in parts.items():
        depth = 1
        while depth < len(own) and sum(other[-depth:] == own[-depth:] for other in parts.values()) > 1:
            depth += 1
        out[path] = "/".join(own[-depth:])
    return out


def no_code(loaded: Loaded) -> tuple[str, str, str]:
    """Title, reason and remedy when there is no code to show; an empty title when there is."""
    if loaded.lines:
        return "", "", ""
    if "text" in loaded.problems:
        error = loaded.problems["text"]
        return tr("The source cannot be shown"), say(error.message), say(error.fix)
    if loaded.file is not None:
        text = tr("The profile names {0}, but its text is not in it.").format(loaded.file)
        fix = tr("Choose a folder with the sources, or compile the kernel with -g where the sources are.")
        return tr("No text of this source"), text, fix
    if loaded.missing:
        names = ", ".join(short_names(loaded.missing).values())
        text = tr("The profile has figures for {0}, but not their text.").format(names)
        return tr("No source text"), text, tr("Choose a folder with the sources.")
    text = tr("The kernel was compiled without debug information, or collected without its sources.")
    return tr("No source text"), text, tr("Compile the kernel with -g and collect it again.")


def addresses(instructions: pa.Table, related: Mask) -> str:
    """First and last address of the related instructions."""
    found = instructions["address_value"].filter(pa.array(related))
    low, high = pc.min(found).as_py(), pc.max(found).as_py()
    if low is None:
        return ""
    return f"  ·  0x{low:x}" if low == high else f"  ·  0x{low:x} – 0x{high:x}"


def status(loaded: Loaded, line: int, related: Mask | None, cache_line: int | None) -> list[str]:
    """What is selected and how much it is."""
    if line > 0:
        words = [tr("Line {0}").format(line)]
    elif cache_line is not None:
        words = [tr("Cacheline {0}").format(cache_line)]
    else:
        words = [loaded.card]
        if loaded.instructions is not None:
            words.append(tr("{0} instructions").format(number_text.count(loaded.instructions.num_rows)))
        if loaded.core:
            words.append(loaded.core)
        return words
    if related is None or loaded.instructions is None:
        return words
    words.append(tr("{0} instructions").format(number_text.count(int(np.count_nonzero(related)))))
    return words + _amounts(loaded.instructions, related)


def _amounts(table: pa.Table, related: Mask) -> list[str]:
    words = []
    mask = pa.array(related)
    if EXECUTED in table.column_names:
        executed = sum_of(table[EXECUTED].filter(mask))
        words.append(tr("{0} executions").format(number_text.count(int(executed))))
    if CYCLES in table.column_names:
        cycles, whole = sum_of(table[CYCLES].filter(mask)), sum_of(table[CYCLES])
        share = number_text.percent(cycles / whole if whole else 0.0)
        words.append(tr("{0} cycles ({1} of the core)").format(number_text.count(int(cycles)), share))
    return words


def sum_of(column: pa.ChunkedArray) -> float:
    """Sum of what is available: values below 0 are not."""
    return float(pc.sum(pc.max_element_wise(column, pa.scalar(0, column.type))).as_py() or 0)


def instruction_status(loaded: Loaded, place: int, code: str) -> list[str]:
    """The instruction that was clicked: number, text, where it says it comes from, its cycles."""
    table = loaded.instructions
    assert table is not None
    words = [tr("Instruction {0}").format(place + 1)]
    for name in ("Source", "Pipe"):
        if name in table.column_names and table[name][place].as_py():
            words.append(str(table[name][place].as_py())[:120])
    if code:
        words.append(code)
    if CYCLES in table.column_names:
        own, whole = table[CYCLES][place].as_py() or 0, sum_of(table[CYCLES])
        share = number_text.percent(max(own, 0) / whole if whole else 0.0)
        words.append(tr("{0} cycles ({1} of the core)").format(number_text.count(max(own, 0)), share))
    return words


def totals(loaded: Loaded, related: Mask | None, rows: npt.NDArray[Any] | None) -> tuple[str, dict[str, float]]:
    """Words and sums of the row below the table: of the related instructions that are shown, else of all that are."""
    table = loaded.instructions
    assert table is not None
    count = table.num_rows if rows is None else len(rows)
    everything = rows is None or len(rows) == table.num_rows
    places = np.arange(table.num_rows) if everything or rows is None else rows
    is_related = related is not None and len(related) == table.num_rows and bool(related.any())
    if is_related:
        assert related is not None
        places = places[related[places]]
        words = tr("{0} related of {1} instructions")
        words = words.format(number_text.count(len(places)), number_text.count(count))
    elif count == table.num_rows:
        words = tr("{0} instructions").format(number_text.count(count))
    else:
        words = tr("{0} of {1} instructions").format(number_text.count(count), number_text.count(table.num_rows))
    known = [n for n in (EXECUTED, CYCLES) if n in table.column_names]
    if everything and not is_related:
        sums = {n: sum_of(table[n]) for n in known}
    else:
        taken = pa.array(places)
        sums = {n: sum_of(table[n].take(taken)) for n in known}
    return words, {n: int(v) for n, v in sums.items()}
