"""Facts about the source and the process for a manifest."""

from __future__ import annotations

import json
import sys
from typing import Any

from insight_desktop.ingest.open_files import fingerprint
from insight_desktop.ingest.sources import Source


def describe(source: Source) -> dict[str, Any]:
    """The `source` of a manifest: format, kind, and size, time and fingerprint of each file."""
    files = []
    for path in source.files:
        if path.is_file():
            facts = fingerprint(path)
            files.append(
                {"path": str(path), "size": facts["size"], "mtime_ns": facts["mtime_ns"], "fingerprint": facts["hash"]}
            )
    return {"format": source.format, "kind": source.kind, "files": files}


def plain_facts(facts: dict[str, object]) -> dict[str, Any]:
    """The facts of a report that can be written as JSON."""
    out = {}
    for name, value in facts.items():
        try:
            out[name] = json.loads(json.dumps(value))
        except (TypeError, ValueError):
            out[name] = str(value)
    return out


def peak_rss_mb() -> float:
    """Largest resident memory of this process so far in MiB; 0 where the platform does not tell it."""
    try:
        import resource
    except ImportError:  # not on Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)
