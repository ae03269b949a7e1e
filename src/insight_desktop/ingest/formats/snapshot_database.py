"""The viewer's converted snapshot (`<file>.pkl.db`): the same columns that a pickle gives.

Tables `trace_entry_<device>` and `block_<device>`; stacks are texts with the outermost frame first. Negative event ids
are segments that were there before recording, negative block ids blocks that were.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.errors import BadFile
from insight_desktop.ingest import open_files
from insight_desktop.ingest.formats import snapshot_layout as sl
from insight_desktop.ingest.formats.snapshot_extract import ALLOCATED, BLOCK_COLUMNS, PENDING, SEGMENT_COLUMNS
from insight_desktop.ingest.formats.snapshot_reader import EventFiles
from insight_desktop.ingest.report import Report

Array = npt.NDArray[Any]

_ACTIONS = {
    0: "segment_map", 1: "segment_unmap", 2: "segment_alloc", 3: "segment_free", 4: "alloc", 5: "free_requested",
    6: "free_completed", 7: "workspace_snapshot",
}  # fmt: skip
_LINE = re.compile(r"(.*):(-?\d+) (.*)", re.DOTALL)
_ROWS = 100_000
_NO = "no tables trace_entry_<device>: this is no converted memory snapshot."


def is_database(path: Path) -> bool:
    """True for SQLite files."""
    with path.open("rb") as file:
        return file.read(16) == open_files.SQLITE_MAGIC


class _Texts:
    """Interns texts, frames and stacks."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.frames: dict[tuple[int, int, int], int] = {}
        self.stacks: dict[str, int] = {"": 0}
        self.spans: list[tuple[int, int]] = [(0, 0)]
        self.items: list[int] = []

    def text(self, value: str) -> int:
        return self.texts.setdefault(value, len(self.texts))

    def stack(self, value: str | None) -> int:
        if not value:
            return 0
        known = self.stacks.get(value)
        if known is not None:
            return known
        at = len(self.items)
        for line in reversed([x for x in value.split("\n") if x.strip()]):
            found = _LINE.fullmatch(line)
            file, number, name = found.groups() if found else ("", "0", line)
            key = (self.text(file), int(number), self.text(name))
            self.items.append(self.frames.setdefault(key, len(self.frames)))
        self.spans.append((at, len(self.items) - at))
        self.stacks[value] = len(self.spans) - 1
        return len(self.spans) - 1

    def write(self, folder: Path) -> None:
        table = pa.table({"value": pa.array(list(self.texts), pa.large_string())})
        with pa.OSFile(str(folder / "texts.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        frames = np.full((len(self.frames), sl.F_HASH), -1, np.int64)
        if self.frames:
            frames[:, : sl.F_NAME + 1] = np.array(list(self.frames), np.int64)
        np.save(folder / "frames.npy", frames)
        np.save(folder / "stacks.npy", np.array(self.spans, np.int64))
        np.save(folder / "stack_frames.npy", np.array(self.items, np.int32))
        np.save(folder / "pairs.npy", np.zeros((1, 2), np.int64))


def read_database(path: Path, folder: Path, report: Report) -> None:
    """Read the database into the columns that `snapshot_pickle.parse` promises.

    Raises:
        BadFile: no such tables, or SQLite cannot read them.
    """
    with open_files.open_sqlite(path) as opened:
        db = opened.connect()
        try:
            names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            devices = sorted(int(n[12:]) for n in names if re.fullmatch(r"trace_entry_\d{1,4}", n))
            if not devices:
                raise BadFile(f"{path.name}: {_NO}", fix="Open the pickle that it was made from.")
            _read_devices(db, devices, names, folder, report, path)
        except open_files.SQLITE_ERRORS as error:
            raise open_files.explain_sqlite(error, path) from error
        finally:
            db.close()


def _read_devices(db: Any, devices: list[int], names: set[str], folder: Path, report: Report, path: Path) -> None:
    texts, events = _Texts(), EventFiles(folder)
    traces: list[list[tuple[int, int]]] = [[] for _ in range(max(devices) + 1)]
    segments: list[Array] = []
    blocks: list[Array] = []
    for device in devices:
        first = events.rows
        state: dict[int, tuple[int, int]] = {}
        for rows in _chunks(db, f"SELECT id, action, address, size, stream, callstack FROM trace_entry_{device} ORDER BY id"):  # fmt: skip
            report.checkpoint(events.rows, 0, path.name)
            chunk = np.zeros((len(rows), len(sl.EVENT_COLUMNS)), np.int64)
            keep = 0
            for event, action, address, size, stream, stack in rows:
                name = _ACTIONS.get(action, str(action))
                _replay(state, name, address, size, stream)
                if event < 0:
                    continue
                chunk[keep] = (
                    texts.text(name), address, size, stream, texts.stack(stack), 0, -1, -1, -1, 0, -1,
                    (1 << sl.K_ADDR) | (1 << sl.K_SIZE),
                )  # fmt: skip
                keep += 1
            events.write(chunk[:keep])
        traces[device] = [(first, events.rows - first)] if events.rows > first else []
        own = _segment_rows(state, device)
        at = sum(map(len, segments))
        if f"block_{device}" in names:
            blocks.append(_block_rows(db, device, own, at))
        segments.append(own)
    events.close()
    texts.write(folder)
    np.save(folder / "segments.npy", np.concatenate(segments) if segments else np.zeros((0, len(SEGMENT_COLUMNS)), np.int64))  # fmt: skip
    np.save(folder / "blocks.npy", np.concatenate(blocks) if blocks else np.zeros((0, len(BLOCK_COLUMNS)), np.int64))
    facts = {
        "devices": traces, "protocol": 0, "settings": None, "annotations": None, "other_keys": [], "bad_fields": 0,
        "bad_frames": 0, "bad_segments": 0, "bad_events": 0, "events": events.rows,
    }  # fmt: skip
    (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")


def _chunks(db: Any, sql: str) -> Iterator[list[tuple[Any, ...]]]:
    cursor = db.execute(sql)
    while rows := cursor.fetchmany(_ROWS):
        yield rows


def _replay(state: dict[int, tuple[int, int]], action: str, address: int, size: int, stream: int) -> None:
    """Segments after one event: address → (size, stream)."""
    if action in ("segment_alloc", "segment_map"):
        state[address] = (size, stream)
        if action == "segment_map":
            _merge(state, address)
    elif action == "segment_free":
        state.pop(address, None)
    elif action == "segment_unmap":
        for at, (length, owner) in list(state.items()):
            if at <= address < at + length:
                del state[at]
                if address > at:
                    state[at] = (address - at, owner)
                if address + size < at + length:
                    state[address + size] = (at + length - address - size, owner)
                return


def _merge(state: dict[int, tuple[int, int]], address: int) -> None:
    size, stream = state[address]
    after = state.get(address + size)
    if after is not None and after[1] == stream:
        del state[address + size]
        size += after[0]
        state[address] = (size, stream)
    for at, (length, owner) in state.items():
        if at + length == address and owner == stream:
            del state[address]
            state[at] = (length + size, stream)
            return


def _segment_rows(state: dict[int, tuple[int, int]], device: int) -> Array:
    rows = [(device, at, size, stream, int(size <= 2 << 20), 0, 0, 0, -1, -1, -1) for at, (size, stream) in sorted(state.items())]  # fmt: skip
    return np.array(rows, np.int64).reshape(-1, len(SEGMENT_COLUMNS))


def _block_rows(db: Any, device: int, segments: Array, first: int) -> Array:
    """Blocks that live at the dump, each with the segment that holds it."""
    found = db.execute(
        f"SELECT address, size, requestedSize, state FROM block_{device} WHERE freeEventId < 0 ORDER BY address"
    ).fetchall()
    rows = np.zeros((len(found), len(BLOCK_COLUMNS)), np.int64)
    for place, (address, size, requested, state) in enumerate(found):
        rows[place] = (0, address, size, requested, PENDING if state == 0 else ALLOCATED, 0)
    if len(rows) and len(segments):
        rows[:, 0] = first + np.clip(np.searchsorted(segments[:, 1], rows[:, 1], "right") - 1, 0, None)
    return rows
