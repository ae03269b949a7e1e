"""Import of a trace against DuckDB's read_json, alternating in one run; whole processes, warm page cache."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PEER = """
import duckdb, sys, time
db = duckdb.connect(sys.argv[2])
db.execute("set threads = 2")
start = time.perf_counter()
db.execute('''create table ev as select * from read_json(?, format = 'array', maximum_object_size = 16777216,
    columns = {ph: 'VARCHAR', name: 'VARCHAR', pid: 'BIGINT', tid: 'BIGINT', ts: 'VARCHAR', dur: 'DOUBLE', cat: 'VARCHAR',
    id: 'VARCHAR', args: 'JSON'})''', [sys.argv[1]])
db.execute("checkpoint")
print(time.perf_counter() - start)
"""


@dataclass
class ImportFigures:
    """Medians of one comparison: seconds of both, their ratio, our peak memory and capture size."""

    megabytes: float
    ours_s: float
    whole_process_s: float
    duckdb_s: float
    peak_rss_mb: float
    capture_ratio: float

    @property
    def ratio(self) -> float:
        return self.duckdb_s / self.ours_s


def _warm(trace: Path) -> None:
    # In small pieces: the peak memory of a process is inherited by the ones it starts.
    with trace.open("rb") as file:
        while file.read(1 << 20):
            pass


def run(trace: Path, runs: int = 3) -> ImportFigures:
    """Import `trace` and read it with DuckDB, in turn."""
    _warm(trace)
    ours, whole, peer, rss, size = [], [], [], [], 0.0
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            out = subprocess.run(
                [sys.executable, "-m", "insight_desktop", "--cache", folder, "import", str(trace)],
                check=True,
                capture_output=True,
                text=True,
            )
            whole.append(time.perf_counter() - began)
            report = json.loads(out.stdout)
            ours.append(float(report["cards"][0].get("seconds", report["seconds"])))
            rss.append(float(report["peak_rss_mb"]))
            size = sum(p.stat().st_size for p in Path(folder).rglob("*") if p.is_file())
        with tempfile.TemporaryDirectory() as folder:
            out = subprocess.run(
                [sys.executable, "-c", PEER, str(trace), f"{folder}/peer.db"],
                check=True,
                capture_output=True,
                text=True,
            )
            peer.append(float(out.stdout.split()[-1]))
    bytes_ = trace.stat().st_size
    median = statistics.median
    return ImportFigures(bytes_ / 1e6, median(ours), median(whole), median(peer), max(rss), size / bytes_)
