"""The window as the user feels it: time from a click to the first lanes of a cached capture, and gaps of the event loop.

Everything runs in the real window, offscreen, with settings and cache in a temporary folder.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from insight_desktop.views.app import make_app, make_window
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.system.timeline import TimelinePage


@dataclass
class WindowFigures:
    """First open with the import, the event loop meanwhile, and opening again from the cache."""

    import_s: float
    reopen_s: float
    gap_p99_ms: float
    gap_max_ms: float


def run(trace: Path) -> WindowFigures:
    """Open `trace` in a running window, let it be read, leave it and open it again."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["INSIGHT_HOME"] = home
        app = make_app()
        window = make_window()
        window.resize(1600, 900)
        window.show()
        _spin(app, lambda: False, 1.5)  # a running window: preloading is over
        gaps = _Gaps()
        began = time.perf_counter()
        window.opening.open_paths([trace])
        _spin(app, lambda: _drawn(window), 300)
        first = time.perf_counter() - began
        p99, most = gaps.figures()
        window.workspace.close_project() if hasattr(window.workspace, "close_project") else None
        other = make_window()
        other.resize(1600, 900)
        other.show()
        _spin(app, lambda: False, 1.0)
        began = time.perf_counter()
        other.opening.open_paths([trace])
        _spin(app, lambda: _drawn(other), 60)
        return WindowFigures(first, time.perf_counter() - began, 1e3 * p99, 1e3 * most)


class _Gaps:
    """How long the event loop was away, asked every 5 ms."""

    def __init__(self) -> None:
        self.found: list[float] = []
        self._last = time.perf_counter()
        self._beat = QTimer()
        self._beat.timeout.connect(self._tick)
        self._beat.start(5)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.found.append(now - self._last)
        self._last = now

    def figures(self) -> tuple[float, float]:
        self._beat.stop()
        gaps = sorted(self.found)
        return gaps[int(len(gaps) * 0.99)], gaps[-1]


def _drawn(window: MainWindow) -> bool:
    page = next((p for p in window.findChildren(TimelinePage) if p.state.cards), None)
    return page is not None and bool(window.context.store.cards) and page.body.canvas.maker.frame is not None


def _spin(app: QApplication, done: Callable[[], bool], seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end and not done():
        app.processEvents()
        time.sleep(0.001)


if __name__ == "__main__":
    import sys

    print(run(Path(sys.argv[1])))
