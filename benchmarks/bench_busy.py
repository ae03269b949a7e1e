"""Time of what the window's thread does per frame, and of the picture, with everything on: 100 lanes open, links of a
category, a filter."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pyarrow as pa
from PySide6.QtWidgets import QApplication

from benchmarks import bench_raster, make_capture
from insight_desktop.engine.capture import Capture, write_column, write_ipc
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.system.timeline import TimelinePage

SIZE, LINKS, FRAMES = (1600, 900), 50_000, 300
CATEGORY, FILTER = "async_npu", "kernel_1"
WARM = 20


def linked(folder: Path, slices: int) -> Capture:
    """100 lanes with 50,000 links between host and device; written once."""
    capture = make_capture.write(folder / f"capture_{slices}_100", slices, host_threads=10, streams=40)
    if len(capture.link_from) == LINKS:
        return capture
    rnd = np.random.default_rng(5)
    host = int(capture.lane_offset[int(capture.track_lane[10])])
    source = np.sort(rnd.integers(0, host, LINKS))
    begin = np.asarray(capture.slice_end)[source]
    lane = rnd.integers(int(capture.track_lane[10]), len(capture.lane_offset) - 1, LINKS)
    target = np.empty(LINKS, np.int64)
    for at, one in enumerate(lane.tolist()):
        a, b = int(capture.lane_offset[one]), int(capture.lane_offset[one + 1])
        target[at] = min(a + int(np.searchsorted(np.asarray(capture.slice_start[a:b]), begin[at])), b - 1)
    strings = capture.strings.to_pylist()
    made = capture.folder
    names = pa.array([*strings, CATEGORY], pa.large_string())
    columns = {
        "string_hash": np.append(np.array(capture.string_hash), np.uint64(7)),
        "link_from": source,
        "link_to": target,
        "link_category": np.full(LINKS, len(strings)),
        "link_id": np.arange(LINKS),
        "link_by_to": np.argsort(target, kind="stable"),
    }
    del capture  # its files are written anew
    (made / "strings.arrow").unlink()
    write_ipc(made, "strings", pa.table({"value": names}))
    for name, values in columns.items():
        (made / f"{name}.bin").unlink(missing_ok=True)
        write_column(made, name, values)
    return Capture(made)


def run(folder: Path, slices: int = 50_000_000) -> dict[str, float]:
    """p50 and p99 in ms of processor time: `window` is what the window's thread does in one go for a frame (wish and paint, or
    taking the picture and painting it, whichever is longer), `picture` the raster of a worker."""
    app = QApplication.instance() or QApplication([])
    theme.set_theme("dark", remember=False)
    capture = linked(folder, slices)
    page = TimelinePage(Context(Store([StoreCard("0", "0", 0, "", "text", capture.folder)])))
    page.resize(*SIZE)
    page.refresh()
    page.body.verbs.open_everything(True)
    page.show()
    state, canvas, viewport = page.state, page.body.canvas, page.state.viewport
    state.modes.set_flow_categories([CATEGORY])
    state.filter.set_text(FILTER)
    until = time.monotonic() + 120
    while state.filter.found is None and time.monotonic() < until:
        app.processEvents()
        time.sleep(0.01)
    assert state.filter.found is not None
    base = state.base_ns
    heights = [0, max(0, page.body.area.max_scroll // 2), page.body.area.max_scroll]
    window: list[float] = []
    picture: list[float] = []
    paint = canvas.maker._paint

    def timed(request: object) -> object:
        began = time.thread_time()
        made = paint(request)  # type: ignore[arg-type]
        picture.append(1e3 * (time.thread_time() - began))
        return made

    canvas.maker._paint = timed  # type: ignore[assignment]
    for at, (t0, t1) in enumerate(bench_raster.windows(capture, FRAMES + WARM)):
        page.body.area.set_scroll(heights[at % 3])
        served = canvas.maker.served
        began = time.thread_time()
        viewport.show(t0 - base, t1 - base)  # asks for frame and links, on other threads
        canvas.repaint()
        spent = time.thread_time() - began
        until = time.monotonic() + 1
        while canvas.maker.served == served and time.monotonic() < until:
            time.sleep(0.001)
        began = time.thread_time()
        app.processEvents()  # takes the picture, paints chart and tree
        spent = max(spent, time.thread_time() - began)
        if at >= WARM:
            window.append(1e3 * spent)
    page.close()
    out = {"slices": float(capture.manifest.counts["slices"]), "lanes": float(len(capture.lane_offset) - 1)}
    for name, times in (("window", window), ("picture", picture[WARM:])):
        times = sorted(times)
        out[f"{name}_p50_ms"] = statistics.median(times)
        out[f"{name}_p99_ms"] = times[int(len(times) * 0.99)]
    return out


if __name__ == "__main__":
    import sys

    print(
        run(Path(sys.argv[1] if len(sys.argv) > 1 else "/tmp"), int(sys.argv[2]) if len(sys.argv) > 2 else 50_000_000)
    )
