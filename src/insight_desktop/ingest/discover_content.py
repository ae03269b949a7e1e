"""What the first bytes of a file say, whatever its name is."""

from __future__ import annotations

import json
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from insight_desktop.ingest.discover_db import look_at_db
from insight_desktop.ingest.formats import operator_blocks, operator_sniff
from insight_desktop.ingest.formats.trace_text import without_bom

HEAD = 64 * 1024
FTRACE_PROCESSES = ("CPU Scheduling", "Process Scheduling")

_PH = re.compile(r'"ph"\s*:')
_TRACE_OBJECT = re.compile(
    r'"(?:traceEvents|schemaVersion|deviceProperties|displayTimeUnit|distributedInfo|profilingType)"'
)
_RANK = re.compile(r'"distributedInfo"\s*:\s*\{[^{}]*?"rank"\s*:\s*"?(\d{1,9})')
_SNAPSHOT = re.compile(r'"(?:segments|device_traces)"\s*:\s*\[')
_SNAPSHOT_WORDS = (b"segments", b"device_traces", b"segment_type", b"total_size")
_ACLGRAPH = re.compile(r'^\s*\[\s*\{[^{}]*"pid"\s*:\s*"[^"]*aclGraph')
_CSV_HEADS = (
    (re.compile(r"Start Time\(us\).*(?:Duration\(us\)|Task Duration)|Task Start Time\(us\)"), "kernel_csv"),
    (re.compile(r"Allocation Time\(us\)"), "operator_memory"),
    (re.compile(r"^Component,.*Total Allocated"), "memory_record"),
    (re.compile(r"Communication\(Not Overlapped\)"), "step_trace_time"),
    (re.compile(r"^ID,Event,Event Type,"), "memscope_csv"),
    (
        re.compile(r"^,{2,3}Base,Compare\s*$|^(?:Event,)?Name,Device Id,.*Diff Memory\(byte\)", re.IGNORECASE),
        "memscope_compare",
    ),
)
_MAGIC = (
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstandard compressed; unpack it first"),
    (b"\xfd7zXZ", "xz compressed; unpack it first"),
    (b"BZh", "bzip2 compressed; unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive; unpack it first"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program or library"),
    (b"MZ", "a program or library"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
)
LFS = "a Git LFS pointer, not the data itself (neither JSON nor a database)"


@dataclass(frozen=True)
class Content:
    """What a file is.

    Attributes:
        kind: `trace`, `operator_trace`, `aclgraph`, `ftrace_json`, `profiler_db`, a role of a side file or project file, or empty when unknown.
        reason: for unknown content: what the file is, in a few words.
        rank: rank number that the head of the file tells.
        fix: what to do with it, for unknown content.
    """

    kind: str
    reason: str = ""
    rank: str | None = None
    fix: str = ""


def read_head(path: Path, size: int = HEAD) -> bytes:
    """First bytes of a file; of the unpacked content for gzip (as far as it is whole). Raises OSError."""
    with path.open("rb") as file:
        head = file.read(size)
    if head[:2] != b"\x1f\x8b":
        return head
    try:
        return zlib.decompressobj(31).decompress(head, size)
    except zlib.error:
        return _before_damage(head, size) or head


def _before_damage(head: bytes, size: int) -> bytes:
    """What can be unpacked before the first damaged byte."""
    unpacker, found = zlib.decompressobj(31), bytearray()
    with suppress(zlib.error):
        for at in range(len(head)):
            found += unpacker.decompress(head[at : at + 1], max(1, size - len(found)))
            if len(found) >= size:
                break
    return bytes(found)


def looks_like_snapshot(path: Path) -> bool:
    """True when the head of a pickle names the parts of a memory snapshot, or when it cannot be read now."""
    try:
        head = read_head(path)
    except OSError:
        return True
    if head.startswith(b"SQLite format 3\0"):
        return look_at_db(path).kind == "snapshot"
    return any(word in head for word in _SNAPSHOT_WORDS)


def look(path: Path, size: int) -> Content:
    """Tell what a file is from its head (64 KiB at most), for SQLite from its table names. Raises OSError."""
    head = read_head(path)
    if not head:
        return Content("", "empty: it has 0 bytes", fix="Collect or export the data again.")
    if head.startswith(b"SQLite format 3\0"):
        facts = look_at_db(path)
        if facts.kind:
            return Content(facts.kind, rank=facts.rank)
        what = f"a SQLite database with tables {', '.join(facts.tables[:4])}" if facts.tables else "a SQLite database"
        return Content("", f"{what}; not one of a profiler" if not facts.error else facts.error)
    if head.startswith(b"version https://git-lfs"):
        return Content("", LFS, fix="Run git lfs pull and open it again.")
    for magic, reason in _MAGIC:
        if head.startswith(magic):
            return Content("", reason)
    if head[0] == 0x80 and len(head) > 1 and head[1] <= 5:
        return Content("snapshot")
    if operator_blocks.is_head(head) or head[10:12] == b"ZZ":
        return Content("operator_bin")  # its reader says what is wrong with it
    if head.startswith(b"\x1f\x8b"):
        return Content("", "gzip compressed, and damaged at its beginning")
    return _look_at_text(head, size)


def _look_at_text(head: bytes, size: int) -> Content:
    text = _decode(head)
    if text is None:
        return Content("", "binary data of an unknown kind")
    start = text.lstrip()
    if start.startswith("["):
        if _ACLGRAPH.match(start):
            return Content("aclgraph")
        if _is_ftrace(start):
            return Content("ftrace_json")
        return Content("trace") if _PH.search(start) else Content("", "a JSON list without trace events")
    if start.startswith("{"):
        if _SNAPSHOT.search(start[:400]):
            return Content("snapshot")
        if start.startswith('{"Header"') and '"memory_info_array"' in start:
            return Content("on_chip_memory")
        if _TRACE_OBJECT.search(start) or _PH.search(start.split("\n", 1)[0]):
            if operator_sniff.is_operator_trace(start):
                return Content("operator_trace")
            rank = _RANK.search(start)
            return Content("trace", rank=rank[1] if rank else None)
        return Content("", "a JSON object without trace events")
    if start.startswith(("(dp0", "(lp0", "(dp1", "(lp1")):
        return Content("snapshot")
    first = start.split("\n", 1)[0]
    for pattern, role in _CSV_HEADS:
        if pattern.search(first):
            return Content(role)
    if start.lower().startswith(("<!doctype", "<html")):
        return Content("", "a web page")
    return Content("", f"text that is no profile ({size:,} bytes)")


def _is_ftrace(start: str) -> bool:
    """True when the first slice of a list of events was written for one of the two processes of an ftrace."""
    if not any(f'"{name}"' in start for name in FTRACE_PROCESSES):
        return False
    decoder, at = json.JSONDecoder(), start.index("[") + 1
    with suppress(ValueError, StopIteration):  # the head ends inside an event
        while at < len(start):
            at = next(i for i in range(at, len(start)) if start[i] not in " \r\n\t,")
            event, at = decoder.raw_decode(start, at)
            if isinstance(event, dict) and event.get("ph") == "X":
                return event.get("pid") in FTRACE_PROCESSES
    return False


def _decode(head: bytes) -> str | None:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return head.decode("utf-16", "replace")
    if b"\0" in head[:1024]:
        return None
    return without_bom(head).decode("utf-8", "replace")
