"""A large operator profile: seconds until its first page, memory, its trace and its instructions."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from insight_desktop.engine.operator import deferred, source
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.ingest.sources import Source
from insight_desktop.views.operator import details_load


@dataclass(frozen=True)
class Figures:
    """What was measured.

    Attributes:
        first_page_s: reading what is read at once, and every figure of Details.
        peak_mb: memory of the reading process.
        base_mb: memory of a process that reads nothing.
        trace_s: reading the trace when the Timeline asks.
        code_s: reading the instructions when the Source page asks.
        instructions: how many there are.
        core_ms: the instructions of another core.
        sort_filter_ms: 200,000 of them sorted by cycles and filtered by pipe.
    """

    megabytes: float
    first_page_s: float
    peak_mb: float
    base_mb: float
    trace_s: float
    code_s: float
    instructions: int
    core_ms: float
    sort_filter_ms: float


def run(path: Path) -> Figures:
    """Open a bin in an empty cache and ask for its pages."""
    with tempfile.TemporaryDirectory() as home:
        base = _import(path, home, only_version=True)
        report = _import(path, home)
        seconds = report["cards"][0]["seconds"]
        folder = next(p for p in (Path(home) / "cache").rglob("manifest.json")).parent
        card = StoreCard("k", None, None, "", "operator", folder, source=Source("operator_bin", "operator", (path,)))
        store = Store([card])
        began = time.perf_counter()
        details_load.load(store, card="k")
        first = seconds + time.perf_counter() - began
        began = time.perf_counter()
        deferred.read(card)
        trace = time.perf_counter() - began
        began = time.perf_counter()
        source.instructions(store, card="k")
        code = time.perf_counter() - began
        began = time.perf_counter()
        found = source.instructions(store, core="core3.veccore0", card="k")
        core = time.perf_counter() - began
        part = found.slice(0, 200_000)
        began = time.perf_counter()
        kept = part.filter(pc.equal(part["Pipe"], "VECTOR"))
        kept.take(pc.sort_indices(kept, [("Cycles", "descending")]))
        sorting = time.perf_counter() - began
    return Figures(
        path.stat().st_size / 1e6, first, report["peak_rss_mb"], base["peak_rss_mb"], trace, code, found.num_rows,
        1000 * core, 1000 * sorting,
    )  # fmt: skip


def _import(path: Path, home: str, *, only_version: bool = False) -> dict[str, Any]:
    if only_version:
        code = "import insight_desktop.engine.load, resource, json;print(json.dumps({'peak_rss_mb': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))"
        command = [sys.executable, "-c", code]
    else:
        command = [sys.executable, "-m", "insight_desktop", "import", "--fresh", str(path)]
    environment = {**os.environ, "INSIGHT_HOME": home}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    print(run(Path(sys.argv[1])), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
