"""A large serving run: seconds of its import, and of what each page asks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sample_data import make_service
from sample_data.serve import Load, simulate

from insight_desktop.engine import queries
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.ingest.sources import Source

# One question per chart and table of the pages.
PAGES: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "latency": (
        ("service.overview.kpis", {}), ("service.requests.goodput", {"ttft_ms": 500.0}),
        ("service.requests.list", {"ttft_ms": 500.0}),
        *((("service.requests.cdf", {"metric": metric})) for metric in ("ttft", "tpot", "e2e", "queue")),
    ),
    "distributions": (
        ("service.requests.histogram", {"metric": "itl"}), ("service.requests.percentiles", {"metric": "itl"}),
        ("service.requests.heat", {"metric": "itl"}),
    ),
    "scheduler": (
        ("service.scheduler.steps", {}), ("service.scheduler.concurrency", {}), ("service.scheduler.queues", {}),
        ("service.scheduler.fit", {}),
    ),
    "cache": (("service.kv.usage", {}), ("service.kv.summary", {}), ("service.kv.preemptions", {})),
    "interference": (
        ("service.interference.summary", {}), ("service.interference.samples", {}), ("service.interference.worst_steps", {}),
    ),
    "forward": (("service.forward.passes", {}), ("service.forward.bubbles", {}), ("service.forward.imbalance", {})),
    "curve": (("service.curve.list", {}), ("service.curve.data", {"name": "Batch_Size_curve"})),
}  # fmt: skip


@dataclass(frozen=True)
class Figures:
    """What was measured.

    Attributes:
        events: slices and points of chains.
        import_s, peak_mb: reading into an empty cache.
        first_s: the figures at the top, the tables still on disk.
        pages_ms: what each page asks, the tables in memory.
        window_ms: the figures again for another stretch of time.
    """

    megabytes: float
    requests: int
    events: int
    import_s: float
    peak_mb: float
    first_s: float
    pages_ms: dict[str, float]
    window_ms: float


def write(path: Path, requests: int = 100_000) -> Path:
    """A database of so many requests; made once."""
    if not path.exists():
        load = Load(
            seed=9, requests=requests, rate=260, seats=64, budget=8192, prompt=(4.2, 0.6), answer=(1.7, 0.6),
            longest=(1024, 200), squeeze=0.9,
        )  # fmt: skip
        path.parent.mkdir(parents=True, exist_ok=True)
        make_service.write_db(path, simulate(load))
    return path


def run(path: Path) -> Figures:
    """Import a database into an empty cache and ask for all pages."""
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "insight_desktop", "import", "--fresh", str(path)]
        environment = {**os.environ, "INSIGHT_HOME": home}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        card = json.loads(done.stdout)["cards"][0]
        folder = next(p for p in (Path(home) / "cache").rglob("manifest.json")).parent
        source = Source("service_db", "service_db", (path,))
        store = Store([StoreCard("run", None, None, "", "service_db", folder, source=source)])
        queries.registry()
        first = _seconds(store, (("service.overview.kpis", {}),))
        for questions in PAGES.values():
            _seconds(store, questions)
        pages = {name: _seconds(store, questions) * 1000 for name, questions in PAGES.items()}
        middle = store.capture("run").manifest
        half = (middle.start_ns + middle.end_ns) // 2
        window = _seconds(store, (("service.overview.kpis", {"start_ns": middle.start_ns, "end_ns": half}),)) * 1000
        events = card["tables"].get("slice", 0) + card["tables"].get("flow", 0) + card["tables"].get("counter", 0)
        return Figures(
            path.stat().st_size / 1e6, card["tables"]["service_request"], events, card["seconds"], card["peak_rss_mb"], first,
            pages, window,
        )  # fmt: skip


def _seconds(store: Store, questions: tuple[tuple[str, dict[str, Any]], ...]) -> float:
    began = time.perf_counter()
    for name, arguments in questions:
        queries.run(store, name, arguments)
    return time.perf_counter() - began


if __name__ == "__main__":
    print(run(Path(sys.argv[1])))
