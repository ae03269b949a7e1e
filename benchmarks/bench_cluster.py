"""From the files of all ranks of a job to its tables: seconds, memory, and what the first questions cost."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from insight_desktop.engine import cluster, places
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.ingest.discover import discover


@dataclass(frozen=True)
class Figures:
    """What was measured; memory is the peak of this process and of its largest worker."""

    ranks: int
    megabytes: float
    listed_s: float
    made_s: float
    again_s: float
    own_mb: float
    worker_mb: float


def run(folder: Path) -> Figures:
    """List the ranks of a folder and make their cluster in an empty cache."""
    began = time.perf_counter()
    found = discover([folder])
    listed = time.perf_counter() - began
    cards = [
        StoreCard(
            c.name, c.rank, c.device, c.host, c.sources[0].kind, folder, source_folder=c.folder, source=c.source()
        )
        for c in found.cards
    ]
    size = sum(path.stat().st_size for c in cards if c.source is not None for _, path in c.source.extras)
    with tempfile.TemporaryDirectory() as cache:
        places.use_cache(cache)
        times = []
        for _ in range(2):
            began = time.perf_counter()
            cluster.opened(Store(cards))
            times.append(time.perf_counter() - began)
        places.use_cache(None)
    own, workers = (
        resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return Figures(len(cards), size / 1e6, listed, times[0], times[1], own, workers)


if __name__ == "__main__":
    print(run(Path(sys.argv[1])))
