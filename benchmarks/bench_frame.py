"""Time of one whole timeline frame (raster, image, labels, overlays) at random zooms and places of a big capture."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from benchmarks import bench_raster, make_capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.system.timeline import TimelinePage

SIZE = (1600, 900)


def run(folder: Path, slices: int, frames: int = bench_raster.FRAMES) -> dict[str, float]:
    """p50 and p99 (median of three rounds) in ms at 1600 × 900 with all 40 depth rows open."""
    app = QApplication.instance() or QApplication([])
    theme.set_theme("dark", remember=False)
    capture = make_capture.write(folder / f"capture_{slices}", slices)
    page = TimelinePage(Context(Store([StoreCard("0", "0", 0, "", "text", capture.folder)])))
    page.resize(*SIZE)
    page.refresh()
    page.body.verbs.open_everything(True)
    page.show()
    app.processEvents()
    canvas, viewport = page.body.canvas, page.state.viewport
    for other in page.body.canvases.values():
        viewport.changed.disconnect(other.renew)  # only the frames that are timed here
    canvas.render_now()
    halves, tails = [], []
    base = page.state.base_ns
    for _ in range(3):
        times = []
        for t0, t1 in bench_raster.windows(capture, frames):
            viewport.show(t0 - base, t1 - base)
            began = time.perf_counter()
            canvas.render_now()
            times.append(1e3 * (time.perf_counter() - began))
        times.sort()
        halves.append(times[len(times) // 2])
        tails.append(times[int(len(times) * 0.99)])
    return {
        "slices": capture.manifest.counts["slices"],
        "rows": len(page.body.area.visible()),
        "p50_ms": statistics.median(halves),
        "p99_ms": statistics.median(tails),
    }


if __name__ == "__main__":
    import sys

    print(
        run(Path(sys.argv[1] if len(sys.argv) > 1 else "/tmp"), int(sys.argv[2]) if len(sys.argv) > 2 else 50_000_000)
    )
