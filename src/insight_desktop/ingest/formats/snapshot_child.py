"""The child process that reads a snapshot: its memory and time are capped, it writes plain columns and ends.

Called as `python -m insight_desktop.ingest.formats.snapshot_child REQUEST` with a JSON text: path, folder. It says
what happens as JSON lines: `{"done", "total"}`, at last `{"ok"}` or `{"refused", "fix"}`.
"""

from __future__ import annotations

import json
import mmap
import pickle
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from insight_desktop.errors import BadFile, InsightError
from insight_desktop.ingest.formats.snapshot_extract import extract
from insight_desktop.ingest.formats.snapshot_reader import Machine

MIB = 1 << 20
BASE_MEMORY = 512 * MIB  # beside what the interpreter itself takes
MEMORY_PER_BYTE = 64
MAX_FILE = 16 << 30
_MAX_RATIO = 200  # gzip of a snapshot is 10 to 40 times smaller; a bomb 1000 times
_FREE_RATIO = 64 * MIB  # whatever the ratio, this much may come out
_CHUNK = 1 << 20


def allowed_bytes(size: int) -> int:
    """Memory that reading a file of this size may take."""
    return BASE_MEMORY + MEMORY_PER_BYTE * size


def cap(size: int) -> None:
    """Bound memory and processor time of this process; without `resource` (Windows) the machine's own bounds hold."""
    try:
        import resource
    except ImportError:
        return
    held = 0
    try:
        held = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * mmap.PAGESIZE
    except (OSError, ValueError):
        held = 2 << 30
    seconds = 60 + size // MIB
    for what, limit in ((resource.RLIMIT_AS, held + allowed_bytes(size)), (resource.RLIMIT_CPU, seconds)):
        try:
            _soft, hard = resource.getrlimit(what)
            wanted = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(what, (wanted, hard))
        except (OSError, ValueError):  # a platform that cannot bound it
            continue


def unpacked(path: Path, folder: Path) -> Path:
    """The pickle inside a gzip as a scratch file; refuses what swells like a bomb."""
    out, total, packed = folder / "unpacked.bin", 0, path.stat().st_size
    stream = zlib.decompressobj(31)
    with path.open("rb") as source, out.open("wb") as sink:
        while chunk := source.read(_CHUNK // 4):
            while chunk:
                try:
                    data = stream.decompress(chunk, _CHUNK)
                except zlib.error as error:
                    raise BadFile(f"the gzip is damaged ({error}).", fix="Copy the file again.") from error
                total += len(data)
                if total > MAX_FILE or (total > _FREE_RATIO and total > _MAX_RATIO * packed):
                    raise BadFile("refused: the gzip swells beyond any real snapshot.", fix="Unpack it by hand first.")
                sink.write(data)
                chunk = stream.unconsumed_tail
                if stream.eof:
                    if not stream.unused_data:
                        break
                    chunk, stream = stream.unused_data, zlib.decompressobj(31)
    if not stream.eof:
        raise BadFile(f"the gzip ends early ({packed:,} bytes, {total:,} unpacked).", fix="Copy the file again.")
    return out


def from_json(data: bytes) -> bytes:
    """A snapshot saved as JSON, as the pickle of the same content: one machine reads both."""
    from insight_desktop.ingest.open_files import parse_json

    try:
        content = parse_json(data)
    except ValueError as error:
        raise BadFile(f"not readable as JSON: {error}.", fix="Copy the file again.") from error
    try:
        return pickle.dumps(content, protocol=4)
    except RecursionError as error:
        raise BadFile("refused: nested too deep.", fix="This is no memory snapshot.") from error


def read(path: Path, folder: Path, *, capped: bool = True) -> None:
    """Read a snapshot into plain column files.

    Raises:
        BadFile: refused, damaged or no snapshot.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(64)
    if capped:
        cap(size if not head.startswith(b"\x1f\x8b") else 40 * size)
    inner = unpacked(path, folder) if head.startswith(b"\x1f\x8b") else path
    if not inner.stat().st_size:
        raise BadFile("the file is empty.", fix="Copy the file again, or record it anew.")
    data: Any = np.memmap(inner, np.uint8, "r")
    first = bytes(data[:64]).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first in (b"{", b"["):
        data = np.frombuffer(from_json(bytes(data).removeprefix(b"\xef\xbb\xbf")), np.uint8)
    total = int(data.size)
    machine = Machine(data, folder, lambda done: _say(done=done, total=total))
    extract(machine, machine.load(), folder)
    if inner != path:
        inner.unlink()


def _say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


def main(request: str) -> int:
    """Do one request; returns the exit code."""
    asked = json.loads(request)
    path = Path(asked["path"])
    try:
        read(path, Path(asked["folder"]))
    except MemoryError:
        limit = allowed_bytes(path.stat().st_size) / (1 << 30)
        _say(refused=f"needs more than the {limit:.1f} GiB of memory that a file of this size may take.",
             fix="Record fewer events (max_entries), or open it on a machine with more memory.")  # fmt: skip
    except InsightError as error:
        _say(refused=error.message, fix=error.fix)
    except OSError as error:
        _say(refused=f"cannot be read: {error.strerror}.", fix="Check the permissions of the file.")
    else:
        _say(ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
