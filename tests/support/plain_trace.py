"""A trace JSON reader without any cleverness: json + Decimal. The oracle of the fast scanner, for well-formed files."""

from __future__ import annotations

import gzip
import json
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any


def events(path: Path) -> list[dict[str, Any]]:
    """All events of a trace file, numbers as their text."""
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    root = json.loads(raw.decode("utf-8", "replace"), parse_int=str, parse_float=str)
    return [e for e in (root["traceEvents"] if isinstance(root, dict) else root) if isinstance(e, dict)]


def ns(text: str) -> int:
    """Microseconds as decimal text → nanoseconds, half up."""
    return int((Decimal(text) * 1000).quantize(Decimal(1), ROUND_HALF_UP))


def slices(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """X events in file order: pid, tid, name, start_ns, end_ns, cat, args."""
    return [
        {
            "pid": str(e["pid"]),
            "tid": str(e["tid"]),
            "name": e["name"],
            "start_ns": ns(e["ts"]),
            "end_ns": ns(e["ts"]) + ns(str(e.get("dur", "0"))),
            "cat": e.get("cat", ""),
            "args": e.get("args"),
        }
        for e in found
        if e.get("ph") == "X"
    ]
