"""From the files of all ranks of a job to its tables: seconds, memory, and what the first questions cost."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from insight_desktop.engine import cluster, places, queries
from insight_desktop.engine.members import members
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import summary
from insight_desktop.errors import InsightError
from insight_desktop.ingest.discover import discover


@dataclass(frozen=True)
class Figures:
    """What was measured; memory is the peak of this process and of its largest worker."""

    ranks: int
    megabytes: float
    listed_s: float
    early_s: float
    made_s: float
    again_s: float
    own_mb: float
    worker_mb: float
    asked_ms: dict[str, float]


def run(folder: Path) -> Figures:
    """List the ranks of a folder and make their cluster in an empty cache."""
    began = time.perf_counter()
    found = discover([folder])
    listed = time.perf_counter() - began
    ranks = members(found.cards)
    size = sum(path.stat().st_size for m in ranks for _, path in m.source.extras)
    with tempfile.TemporaryDirectory() as cache:
        places.use_cache(cache)
        times = []
        for _ in range(2):
            store = Store()
            store.members = ranks
            began = time.perf_counter()
            job = cluster.opened(store)
            summary.overview(store)
            times.append(time.perf_counter() - began)
            _ = job.folder
            times.append(time.perf_counter() - began)
        asked = _questions(store)
        places.use_cache(None)
    own, workers = (
        resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return Figures(len(ranks), size / 1e6, listed, times[0], times[1], times[3], own, workers, asked)


def _questions(store: Store) -> dict[str, float]:
    """Milliseconds of every question about the job, the second time it is asked."""
    found = {}
    given = {"rank": "1", "dimension": "ep-dp-pp", "tp": "8"}
    for query in queries.all_queries():
        if not query.name.startswith(("system.summary.", "system.communication.", "system.diagnosis.")):
            continue
        needed = {a.name: given[a.name] for a in query.arguments if a.required and a.name in given}
        try:
            for _ in range(2):
                began = time.perf_counter()
                queries.run(store, query.name, needed)
                found[query.name] = round((time.perf_counter() - began) * 1000, 1)
        except InsightError:
            continue  # it asks for what this job does not have
    return found


if __name__ == "__main__":
    print(run(Path(sys.argv[1])))
