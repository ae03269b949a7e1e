"""Memory snapshots of PyTorch and torch_npu: .pickle, .pkl, their gzip, the same as .json, and the viewer's .pkl.db.

A pickle is a program. It is read by an opcode machine of our own that knows containers, numbers and texts and nothing
else, in a child process whose memory and time are capped; nothing inside a file is ever imported or called.
`parse` leaves plain columns in a folder: `event_*.bin` (EVENT_TYPES), `segments.npy`, `blocks.npy`, `texts.arrow`,
`frames.npy`, `stacks.npy`, `stack_frames.npy`, `pairs.npy`, `facts.json`.
"""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import threading
from pathlib import Path

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import Stream
from insight_desktop.ingest.formats.snapshot_child import MAX_FILE, allowed_bytes
from insight_desktop.ingest.formats.snapshot_database import is_database, read_database
from insight_desktop.ingest.open_files import stand_in
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

_NAME = re.compile(r".*\.(?:pkl|pickle)(?:\.gz)?|.*\.(?:pkl|pickle)\.db", re.IGNORECASE | re.DOTALL)
_JSON_KEYS = (b'"device_traces"', b'"segments"')
_LARGE = 2 << 30
_FIX = "Open the file that torch.cuda.memory._dump_snapshot or torch_npu.npu.memory._dump_snapshot wrote."
_BEATS = 0.2  # seconds between two looks at the child


def sniff(path: str, head: bytes) -> bool:
    """True for names of snapshots, and for JSON whose first bytes hold the keys of one."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if _NAME.fullmatch(name):
        return True
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return name.endswith(".json") and text[:1] in (b"{", b"[") and any(key in head for key in _JSON_KEYS)


def read(source: Source, report: Report, *, threads: int = 1) -> Stream:  # noqa: ARG001
    """Look at the first bytes; a snapshot has no timeline of its own, so nothing is yielded.

    Raises:
        BadFile: the file is empty, too large, or of another kind by its first bytes.
    """
    path = source.files[0]
    check(path, report)
    yield from ()


def check(path: Path, report: Report) -> None:
    """Refuse what the first bytes already tell.

    Raises:
        BadFile: with the reason.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(512)
    except OSError as error:
        raise BadFile(f"{path.name} cannot be read: {error.strerror}.", fix="Check the permissions.") from error
    if not size:
        raise BadFile(f"{path.name} is empty.", fix="Copy the file again, or record it anew.")
    if size > MAX_FILE:
        raise BadFile(
            f"{path.name} has {size / 2**30:.1f} GiB, more than 16.", fix="Record fewer events (max_entries)."
        )
    if size > _LARGE:
        report.issue(
            "snapshot_pickle.large",
            "info",
            path.name,
            f"{size / 2**30:.1f} GiB: reading takes a while; it can be stopped.",
        )
    what = _other_kind(head)
    if what:
        raise BadFile(f"{path.name}: {what}.", fix=_FIX if head.startswith(b"PK") else stand_in(head)[1] or _FIX)


def _other_kind(head: bytes) -> str:
    """What the first bytes are when they are no snapshot; empty when they may be one."""
    if head.startswith(b"PK\x03\x04"):
        return "a torch.save archive (zip), not a memory snapshot"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] == b"<":
        return "an HTML page, not a pickle; save the snapshot itself, not the page that shows it"
    if head.startswith((b"\x80", b"\x1f\x8b", b"SQLite format 3\0")) or text[:1] in (b"{", b"["):
        return ""
    if head[:3] in (b"(dp", b"(lp") or head[:1] in (b"(", b"}", b"]", b"c", b"i"):
        return "refused: pickle protocol 0 or 1 (text), only 2 to 5 are not executable by design"
    what, _ = stand_in(head)
    return f"not a pickle but {what}" if what else "not a pickle"


def parse(path: Path, folder: Path, report: Report) -> None:
    """Read a snapshot into plain columns in a folder.

    Raises:
        BadFile: refused, damaged, or no snapshot; the message says which byte.
        Cancelled: the user stopped it.
    """
    check(path, report)
    if is_database(path):
        read_database(path, folder, report)
        return
    request = json.dumps({"path": str(path.resolve()), "folder": str(folder)})
    root = str(Path(__file__).resolve().parents[3])
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH", ""))))}
    child = subprocess.Popen(
        [sys.executable, "-m", "insight_desktop.ingest.formats.snapshot_child", request],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
    )  # fmt: skip
    try:
        said = _listen(child, path, report)
    finally:
        child.kill()
        child.wait()
    if "refused" in said:
        raise BadFile(f"{path.name}: {said['refused']}", fix=str(said.get("fix", "")))


def _listen(child: subprocess.Popen[str], path: Path, report: Report) -> dict[str, object]:
    """Pass progress on until the child has said its last word."""
    size = path.stat().st_size
    lines: queue.Queue[str | None] = queue.Queue()
    errors: list[str] = []
    for stream, sink in ((child.stdout, lines.put), (child.stderr, errors.append)):
        threading.Thread(target=_pump, args=(stream, sink), daemon=True).start()
    done = 0
    while True:
        try:
            line = lines.get(timeout=_BEATS)
        except queue.Empty:
            line = ""
        if line is None:
            break
        said = json.loads(line) if line.startswith("{") else {}
        if "ok" in said or "refused" in said:
            return dict(said)
        done = int(size * int(said["done"]) / max(1, int(said["total"]))) if "done" in said else done
        report.checkpoint(done, size, path.name)
    code = child.wait()
    gib = allowed_bytes(size) / (1 << 30)
    if any("MemoryError" in text for text in errors) or code in (-9, -6, -11, 137):
        return {"refused": f"reading it needs more than the limit of {gib:.1f} GiB of memory; the reader was stopped.",
                "fix": "Record fewer events (max_entries)."}  # fmt: skip
    last = next((text.strip() for text in reversed(errors) if text.strip()), f"exit code {code}")
    return {"refused": f"the reader ended without an answer ({last}).", "fix": "Copy the file again."}


def _pump(stream, sink) -> None:  # type: ignore[no-untyped-def]
    """Hand every line of a pipe on; None at its end for a queue."""
    for line in stream:
        sink(line)
    if not isinstance(sink.__self__, list):
        sink(None)
