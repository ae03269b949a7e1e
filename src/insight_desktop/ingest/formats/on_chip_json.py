"""Plans of on-chip memory that the Triton compiler writes: `memory_info.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from insight_desktop import schema
from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import Stream
from insight_desktop.ingest.formats.trace_text import without_bom
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

MAX_BYTES = 512 << 20
MAX_BLOCKS = 500_000
_FIX = "Compile the kernel again with the memory plan switched on, or copy the file again."


@dataclass(frozen=True)
class Buffer:
    """One block of memory of a buffer; a buffer with two offsets has two.

    Attributes:
        size_bytes: its size.
        start, end: first and last line of the intermediate representation that need it.
        alloc: line of the allocation.
        offset: as written.
    """

    name: str
    size_bytes: int
    start: int
    end: int
    alloc: int
    is_tmpbuf: bool
    offset: int
    source_location: str


@dataclass(frozen=True)
class Scope:
    """One memory, e.g. UB: what the compiler said of it and the blocks in it."""

    name: str
    status: str
    error: str
    buffers: list[Buffer]


def sniff(path: str, head: bytes) -> bool:
    """True for the file's name, or for an object that begins with the header of a plan."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    text = without_bom(head).lstrip()
    return "memory_info.json" in name or (text.startswith(b'{"Header"') and b'"memory_info_array"' in text)


def read(source: Source, report: Report, *, threads: int = 1) -> Iterator[tuple[str, Any]]:
    """Check the plan; it has no timeline.

    Raises:
        BadFile: the file is no plan.
    """
    del threads
    path = source.files[0]
    report.checkpoint(0, source.size_bytes, path.name)
    _, scopes = read_plan(path)
    report.facts["on_chip"] = {"scopes": len(scopes)}
    yield from _nothing()


def _nothing() -> Stream:
    for table in ("track", "series", "string"):
        fields = schema.STREAM[table].schema
        yield table, schema.batch(table, **{f.name: [] for f in fields})


def read_plan(path: Path) -> tuple[str, list[Scope]]:
    """Name of the kernel, and its memories in the order of the file; of two with one name the last.

    Raises:
        BadFile: the file cannot be read, is no JSON, or a member is missing or of another type; the message says where.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadFile(f"{path.name} is larger than {MAX_BYTES >> 20} MiB; that is no plan of on-chip memory.")
        raw = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path.name} cannot be read: {error.strerror or error}.") from error
    found = _json(path, raw)
    check = _Check(path.name)
    header = check.member(found, "Header", dict, "the file")
    kernel = check.member(header, "KernelName", str, "Header")
    scopes: dict[str, Scope] = {}
    count = 0
    for i, record in enumerate(check.member(found, "Record", list, "the file")):
        scope = _scope(check, record, f"Record {i}")
        count += len(scope.buffers)
        if count > MAX_BLOCKS:
            raise BadFile(f"{path.name} holds more than {MAX_BLOCKS:,} blocks.", fix=_FIX)
        scopes[scope.name] = scope
    return str(kernel), list(scopes.values())


def _json(path: Path, raw: bytes) -> Any:
    if not raw.strip():
        raise BadFile(f"{path.name} is empty.", fix=_FIX)
    try:
        return orjson.loads(without_bom(raw))
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(without_bom(raw).decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path.name} is no valid JSON: {error}.", fix=_FIX) from error


def _scope(check: _Check, record: Any, where: str) -> Scope:
    name = check.member(record, "scope", str, where)
    status = check.member(record, "status", str, where)
    error = record.get("err_msg")
    buffers: list[Buffer] = []
    for i, info in enumerate(check.member(record, "memory_info_array", list, where)):
        buffers += _buffers(check, info, f"{where}, memory_info_array {i}")
    return Scope(check.text(name), check.text(status), check.text(error) if isinstance(error, str) else "", buffers)


def _buffers(check: _Check, info: Any, where: str) -> list[Buffer]:
    life = check.member(info, "life_time_in_ir", list, where)
    lines = [line if check.is_whole(line) else check.wrong("life_time_in_ir", "whole numbers", where) for line in life]
    start, end = (lines[0], lines[1]) if len(lines) >= 2 else (0, 0)
    name = check.text(check.member(info, "buffer", str, where))
    extent = check.member(info, "extent", int, where)
    alloc = check.member(info, "alloc_time_in_ir", int, where)
    is_tmpbuf = check.member(info, "is_tmpbuf", bool, where)
    place = check.text(check.member(info, "source_location", str, where))
    offsets = check.member(info, "offset", list, where)
    return [
        Buffer(
            name,
            max(0, extent) // 8,
            start,
            max(start, end),
            alloc,
            is_tmpbuf,
            offset if check.is_whole(offset) else check.wrong("offset", "whole numbers", where),
            place,
        )
        for offset in offsets
    ]


class _Check:
    """Members that must be there; one violation rejects the file."""

    def __init__(self, name: str) -> None:
        self._name = name

    def member(self, given: Any, name: str, kind: type, where: str) -> Any:
        """A member of a type."""
        if not isinstance(given, dict):
            raise BadFile(f"{self._name}: {where} is no object.", fix=_FIX)
        if name not in given:
            raise BadFile(f"{self._name}: {where} has no {name}.", fix=_FIX)
        value = given[name]
        fits = self.is_whole(value) if kind is int else isinstance(value, kind)
        return value if fits else self.wrong(name, _KINDS[kind], where)

    def wrong(self, name: str, wanted: str, where: str) -> Any:
        """Reject the file."""
        raise BadFile(f"{self._name}: {name} in {where} is not {wanted}.", fix=_FIX)

    @staticmethod
    def is_whole(value: Any) -> bool:
        """True for whole numbers of 64 bits."""
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 62

    @staticmethod
    def text(value: str) -> str:
        """Text that can be stored."""
        return value.encode("utf-8", "replace").decode("utf-8")


_KINDS = {int: "a whole number", str: "a text", list: "an array", dict: "an object", bool: "true or false"}
