"""Named queries of the page Source: files, their lines with what they cost, and the instructions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from insight_desktop.engine.operator.code import Code, Spans, code_of
from insight_desktop.engine.operator.profiles import COLLECT, Profile, kernel
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats import operator_blocks as blocks

MAX_CHARACTERS, MAX_LINES, MAX_LINE = 1_000_000, 10_000, 10_000


def files(store: Store, *, card: str | None = None) -> pa.Table:
    """Sources whose text is in the file, by path: path, size_bytes, has_text; of two with one path the later."""
    rows = kernel(store, card).rows("operator_container")
    found = {row["path"]: row["size_bytes"] for row in rows if row["type"] == blocks.SOURCE}
    out = [{"path": path, "size_bytes": found[path], "has_text": found[path] > 0} for path in sorted(found)]
    return pa.Table.from_pylist(
        out, pa.schema([("path", pa.string()), ("size_bytes", pa.int64()), ("has_text", pa.bool_())])
    )


def cores(store: Store, *, card: str | None = None) -> pa.Table:
    """Cores that the instructions were counted on: core; the first one is the default."""
    return pa.table({"core": pa.array(code_of(kernel(store, card)).cores, pa.string())})


def text(store: Store, *, file: str, card: str | None = None) -> pa.Table:
    """Lines of a source text: line, text; a text that is too long ends with a note.

    At most 1,000,000 characters, 10,000 lines and 10,000 characters per line are given. An unknown path has no lines.
    """
    lines = cut_text(source_text(kernel(store, card), file))
    return pa.table({"line": pa.array(range(1, len(lines) + 1), pa.int64()), "text": pa.array(lines, pa.string())})


def lines(store: Store, *, core: str | None = None, file: str | None = None, card: str | None = None) -> pa.Table:
    """What the lines of a file cost on a core: line, ranges and the columns of the collector in display order.

    ranges are first and last addresses, one after the other. −1 means not available. Without core and file the first.
    """
    code = code_of(kernel(store, card))
    if code.lines is None:
        raise _no_lines(code.profile)
    path = _file(store, code, file)
    table = code.lines_of(path)
    place = code.core_index(_core(code, core))
    rows = table.shown(place)
    columns: dict[str, pa.Array] = {"line": pa.array(table.number[rows], pa.int64())}
    columns["ranges"] = table.table["\0ranges"].take(pa.array(rows)).combine_chunks()
    for name, _ in code.line_columns():
        columns[name] = table.values(name, place, rows)
    return pa.table(columns)


def instructions(
    store: Store, *, core: str | None = None, line: int | None = None, file: str | None = None, card: str | None = None
) -> pa.Table:
    """Instructions on a core by address: number (1 first), address_value and the columns of the collector in display order.

    With `line` only those that a line of `file` (the first one by default) was made into; numbers stay. −1 means not
    available.
    """
    code = code_of(kernel(store, card))
    if code.instructions is None:
        raise _no_instructions(code.profile)
    place = code.core_index(_core(code, core))
    columns: dict[str, pa.Array] = {
        "number": pa.array(np.arange(1, code.count + 1)),
        "address_value": pa.array(code.address, pa.uint64(), mask=~code.has_address),
    }
    for name, _ in code.instruction_columns():
        columns[name] = code.instruction_values(name, place)
    found = pa.table(columns)
    if line is None:
        return found
    spans = code.lines_of(_file(store, code, file)).spans(line, place)
    return found.filter(pa.array(code.related(spans)))


def in_ranges(store: Store, *, ranges: str, card: str | None = None) -> pa.Table:
    """Instructions in ranges of addresses (`0x10-0x20,0x40-0x40`, ends included): number, address_value."""
    flat: list[int] = []
    for part in ranges.split(","):
        first, _, last = part.strip().partition("-")
        try:
            flat += (int(first, 16), int(last or first, 16))
        except ValueError as error:
            raise BadArgument(f"{part!r} is no range of addresses.", fix="Write 0x10-0x20.") from error
    code = code_of(kernel(store, card))
    places = np.flatnonzero(code.related(Spans.of(flat)))
    return pa.table({"number": pa.array(places + 1), "address_value": pa.array(code.address[places])})


def source_text(profile: Profile, path: str, mapped: Path | None = None) -> str:
    """Text of a source as it lies in the bin, or of a local file that the user chose for it; empty when there is none."""
    if mapped is not None:
        try:
            return mapped.read_bytes()[: 4 * MAX_CHARACTERS].decode("utf-8", "replace")
        except OSError as error:
            raise NoData(
                f"{mapped} cannot be read: {error.strerror or error}.", fix="Choose another file or folder."
            ) from error
    rows = [r for r in profile.rows("operator_container") if r["type"] == blocks.SOURCE and r["path"] == path]
    if not rows or not rows[-1]["size_bytes"]:
        return ""
    row = rows[-1]
    file = profile.path
    if file is None or not file.exists():
        raise NoData(f"The text of {path} lies in {file}, which is not there any more.", fix="Relink the data.")
    with file.open("rb") as opened:
        opened.seek(row["at_bytes"])
        return opened.read(min(row["size_bytes"], 4 * MAX_CHARACTERS)).decode("utf-8", "replace")


def cut_text(whole: str) -> list[str]:
    """The lines of a text, cut where it is too long to be shown."""
    cut = len(whole) > MAX_CHARACTERS
    found = whole[:MAX_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if cut:
        found.append(f"----------【Characters Exceed {MAX_CHARACTERS} , Hide the rest content】----------")
    if len(found) > MAX_LINES:
        found = [*found[:MAX_LINES], f"----------【Exceed {MAX_LINES} lines , Hide the rest content】----------"]
    return [
        line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]} 【Exceed {MAX_LINE} , Hide the rest content】"
        for line in found
    ]


def _core(code: Code, core: str | None) -> str | None:
    return core if core is not None else (code.cores[0] if code.cores else None)


def _file(store: Store, code: Code, file: str | None) -> str:
    if file is not None:
        return file
    known = files(store, card=code.profile.name)["path"].to_pylist()
    if not known:
        raise NoData(
            f"{code.profile.name} holds no source text.", fix="Compile the kernel with -g and collect it again."
        )
    return str(known[0])


def _no_lines(profile: Profile) -> NoData:
    fix = "Compile the kernel with -g and collect with --aic-metrics=SourceCounters (or with the simulator)."
    return profile.nothing("figures of source lines", fix, blocks.LINES)


def _no_instructions(profile: Profile) -> NoData:
    fix = "Collect with --aic-metrics=SourceCounters (or with the simulator)." if profile.path else COLLECT
    return profile.nothing("instructions", fix, blocks.INSTRUCTIONS)
