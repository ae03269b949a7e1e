"""./dev bench [--big] [--write] [NAME …]: runs the benchmarks and prints (or writes) their figures.

Names: import, raster, frame, busy, db, reopen, cluster, operator, service. `--big` adds the 1 GB trace. Generated inputs stay in benchmarks/data (or
INSIGHT_BENCH) and are used again.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("INSIGHT_BENCH", ROOT / "benchmarks" / "data"))
MARK = "<!-- figures -->"
Rows = list[tuple[str, str, str]]


def bench_import(big: bool) -> Rows:
    """Whole import against DuckDB's read_json."""
    from benchmarks import bench_import, make_trace

    rows = []
    for megabytes, target in ((200, "≥ 3x"), *(((1000, "≥ 4x"),) if big else ())):
        trace = make_trace.write(DATA / f"trace_{megabytes}.json", megabytes)
        f = bench_import.run(trace)
        what = f"{f.megabytes:.0f} MB trace JSON → whole capture"
        rows.append(
            (
                what,
                f"{f.ratio:.1f}x DuckDB read_json ({f.ours_s:.2f} s against {f.duckdb_s:.2f} s; whole process {f.whole_process_s:.2f} s)",
                target,
            )
        )
        rows.append(
            (
                f"{what}: peak RSS, size on disk",
                f"{f.peak_rss_mb:.0f} MB, {f.capture_ratio:.2f} of the JSON",
                "≤ 600 MB, ≤ 0.25",
            )
        )
    return rows


def bench_raster(big: bool) -> Rows:
    """Viewport raster."""
    del big
    from benchmarks import bench_raster

    rows = []
    for slices in (10_000_000, 50_000_000):
        f = bench_raster.run(DATA, slices)
        rows.append(
            (
                f"viewport raster, {slices // 1_000_000}M slices, 40 lanes",
                f"p50 {f['p50_ms']:.1f} ms, p99 {f['p99_ms']:.1f} ms",
                "p99 ≤ 8 ms",
            )
        )
    return rows


def bench_frame(big: bool) -> Rows:
    """Whole frame."""
    del big
    from benchmarks import bench_frame

    rows = []
    for slices in (10_000_000, 50_000_000):
        f = bench_frame.run(DATA, slices)
        rows.append(
            (
                f"whole frame 1600 × 900, {slices // 1_000_000}M slices",
                f"p50 {f['p50_ms']:.1f} ms, p99 {f['p99_ms']:.1f} ms",
                "p99 ≤ 16 ms",
            )
        )
    return rows


def bench_busy(big: bool) -> Rows:
    """Frames with everything on."""
    del big
    from benchmarks import bench_busy

    f = bench_busy.run(DATA)
    what = "100 lanes open, 50M slices, 50,000 links shown, filter on, 1600 × 900"
    return [
        (
            f"{what}: window's thread per frame",
            f"p50 {f['window_p50_ms']:.1f} ms, p99 {f['window_p99_ms']:.1f} ms of processor time",
            "p99 ≤ 16 ms",
        ),
        (
            f"{what}: picture, on a worker",
            f"p50 {f['picture_p50_ms']:.1f} ms, p99 {f['picture_p99_ms']:.1f} ms of processor time",
            "off the window's thread",
        ),
    ]


def bench_db(big: bool) -> Rows:
    """Profiler database import."""
    del big
    from benchmarks import make_db

    path = make_db.write(DATA / "ascend_pytorch_profiler_0.db", 300)
    seconds, slices, rss = [], 0, 0.0
    for _ in range(3):
        report = _import(path)
        card = report["cards"][0]
        seconds.append(float(card["seconds"]))
        slices, rss = int(card["slices"]), max(rss, float(report["peak_rss_mb"]))
    middle = sorted(seconds)[1]
    megabytes = path.stat().st_size / 1e6
    return [
        (
            f"{megabytes:.0f} MB profiler database → whole capture",
            f"{slices / middle / 1e6:.2f}M timeline rows/s ({slices:,} in {middle:.2f} s), peak RSS {rss:.0f} MB",
            "≥ 1M rows/s",
        )
    ]


def bench_snapshot(big: bool) -> Rows:
    """Memory snapshots: import, scrubbing, frames."""
    from benchmarks import bench_snapshot, make_snapshot

    rows = []
    for millions, target in ((1, "≤ 4 s, ≤ 1 GB"), *(((10, "≤ 60 s"),) if big else ())):
        f = bench_snapshot.run(make_snapshot.write(DATA / f"snapshot_{millions}m.pickle", millions * 1_000_000))
        rows += [
            (
                f"snapshot of {millions}M events → whole capture",
                f"{f.seconds:.1f} s, peak RSS {f.peak_rss_mb:.0f} MB",
                target,
            ),
            (f"allocator at any of {millions}M events", f"p50 {f.state_ms:.1f} ms of processor time", "≤ 50 ms"),
            (
                f"block chart of {millions}M events, 1500 × 530",
                f"whole {f.first_frame_ms:.0f} ms, pan {f.pan_ms:.1f} ms of processor time",
                "≤ 200 ms, ≤ 30 ms",
            ),
        ]
    return rows


def bench_reopen(big: bool) -> Rows:
    """The window: opening from the cache, and the event loop while an import runs."""
    del big
    from benchmarks import bench_reopen, make_trace

    f = bench_reopen.run(make_trace.write(DATA / "trace_200.json", 200))
    return [
        ("cached reopen, 200 MB trace: click to first lanes", f"{f.reopen_s:.2f} s", "≤ 0.5 s"),
        (
            "event loop while 200 MB are imported",
            f"longest gap {f.gap_max_ms:.0f} ms, p99 {f.gap_p99_ms:.0f} ms",
            "≤ 200 ms, p99 ≤ 50 ms",
        ),
    ]


def bench_cluster(big: bool) -> Rows:
    """All ranks of a job, from listing them to its tables."""
    del big
    from benchmarks import bench_cluster, make_cluster

    f = bench_cluster.run(make_cluster.write(DATA / "cluster_1024", 1024))
    slowest = max(f.asked_ms, key=lambda name: f.asked_ms[name])
    return [
        (f"{f.ranks} ranks listed", f"{f.listed_s:.1f} s", "≤ 5 s"),
        (
            f"{f.ranks} ranks, {f.megabytes:.0f} MB → tables of the job",
            f"step times after {f.early_s:.1f} s, all after {f.made_s:.1f} s, {f.own_mb:.0f} MB at most",
            "≤ 60 s",
        ),
        (
            f"{f.ranks} ranks: {len(f.asked_ms)} questions about the job, each the second time",
            f"median {statistics.median(f.asked_ms.values()):.0f} ms, slowest {slowest} {f.asked_ms[slowest]:.0f} ms",
            "≤ 200 ms",
        ),
    ]


def bench_service(big: bool) -> Rows:
    """A large serving run."""
    del big
    from benchmarks import bench_service

    f = bench_service.run(bench_service.write(DATA / "service" / "profiler.db"))
    what = f"{f.requests // 1000}k requests, {f.events / 1e6:.1f} M events"
    slowest = max(f.pages_ms, key=lambda name: f.pages_ms[name])
    return [
        (f"{what} → whole capture", f"{f.import_s:.1f} s, peak RSS {f.peak_mb:.0f} MB", "≤ 30 s"),
        (f"{what}: first figures", f"{f.first_s:.2f} s", "–"),
        (f"{what}: slowest page ({slowest})", f"{f.pages_ms[slowest]:.0f} ms", "≤ 300 ms"),
        (f"{what}: another window", f"{f.window_ms:.0f} ms", "≤ 300 ms"),
    ]


def bench_operator(big: bool) -> Rows:
    """A large operator profile."""
    del big
    from benchmarks import bench_operator, make_bin

    f = bench_operator.run(make_bin.write(DATA / "operator" / "visualize_data.bin", 260, 215))
    what = f"{f.megabytes:.0f} MB operator bin"
    return [
        (f"{what}: first page", f"{f.first_page_s:.2f} s, peak RSS {f.peak_mb:.0f} MB", "≤ 2 s"),
        (f"{what}: its trace, its {f.instructions:,} instructions of 24 cores when asked for", f"{f.trace_s:.1f} s, {f.code_s:.1f} s", "–"),
        ("200,000 instructions filtered and sorted", f"{f.sort_filter_ms:.0f} ms", "≤ 150 ms"),
    ]  # fmt: skip


BENCHES: dict[str, Callable[[bool], Rows]] = {
    "import": bench_import,
    "raster": bench_raster,
    "frame": bench_frame,
    "busy": bench_busy,
    "db": bench_db,
    "reopen": bench_reopen,
    "cluster": bench_cluster,
    "snapshot": bench_snapshot,
    "operator": bench_operator,
    "service": bench_service,
}


def _import(path: Path) -> dict[str, list[dict[str, float]]]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "insight_desktop", "--cache", folder, "import", str(path)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(arguments: list[str]) -> int:
    """Run the named benchmarks, all of them without a name, each in a process of its own."""
    names = [a for a in arguments if not a.startswith("--")] or list(BENCHES)
    unknown = [n for n in names if n not in BENCHES]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    big = "--big" in arguments
    if "--rows" in arguments:
        print(json.dumps(BENCHES[names[0]](big)))
        return 0
    rows: Rows = []
    for name in names:
        # Peak memory is inherited by child processes, so one benchmark must not start from another's.
        command = [sys.executable, "-m", "benchmarks", name, "--rows", *(["--big"] if big else [])]
        out = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        found = [(a, b, c) for a, b, c in json.loads(out.splitlines()[-1])]
        rows += found
        print("\n".join(f"{what}: {figure} (target {target})" for what, figure, target in found), flush=True)
    if "--write" in arguments:
        _write(rows)
    return 0


def _write(rows: Rows) -> None:
    """Put figures into the page: rows of what was measured are renewed or added, all other text stays."""
    page = ROOT / "docs" / "performance.md"
    head, _, rest = page.read_text(encoding="utf-8").partition(MARK)
    lines = rest.strip().splitlines()
    count = next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))
    table = {line.split("|")[1].strip(): line for line in lines[:count]}
    table = table or {"what": "| what | measured | target |", "---": "|---|---|---|"}
    table.update({a: f"| {a} | {b} | {c} |" for a, b, c in rows})
    after = "\n".join(lines[count:]).strip()
    text = f"{head}{MARK}\n\n" + "\n".join(table.values()) + (f"\n\n{after}" if after else "")
    page.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
