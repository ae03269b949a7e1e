"""Time to paint a chart, to move its crosshair and to zoom into three million points, beside a scene of pyqtgraph."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

import numpy as np

SIZE, ROUNDS = (1300, 400), 5


def timed(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Median in ms."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return round(statistics.median(times), 1)


def run() -> dict[str, float]:
    """ms: paint, move and zoom of ours; repaint of a pyqtgraph scene with the same four curves of 2,000 noisy points."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    import pyqtgraph

    from insight_desktop.views.app import make_app
    from insight_desktop.views.common.chart import Axis, Chart, Series
    from insight_desktop.views.common.chart_data import sample

    app = make_app()
    rnd = np.random.default_rng(1)
    x = np.arange(2000.0)
    curves = [rnd.random(2000) + i for i in range(4)]
    chart = Chart("Noise", x=Axis("Time (ms)"), y=Axis("MB"))
    chart.resize(*SIZE)
    chart.set_series([Series(str(i), str(i), x, y) for i, y in enumerate(curves)])
    scene = pyqtgraph.PlotWidget()
    scene.resize(*SIZE)
    for y in curves:
        scene.plot(x, y, pen=pyqtgraph.mkPen("b", width=1.5), antialias=True)
    chart.show()
    scene.show()
    app.processEvents()
    places = iter(np.linspace(100, 1900, 100).tolist())

    def paint() -> None:
        chart.plot.renew()
        chart.plot.grab()

    def move() -> None:
        chart.plot.move_cursor(next(places))
        chart.plot.grab()

    many = np.arange(3e6)
    big = [Series("big", "big", many, np.sin(many / 1e4))]
    return {
        "paint": timed(paint),
        "move": timed(move),
        "points_of_3m": timed(lambda: sample(big, 0, 3e6)),
        "points_of_a_zoom": timed(lambda: sample(big, 1e6, 1.1e6)),
        "pyqtgraph_repaint": timed(scene.grab, 3),
    }


if __name__ == "__main__":
    for name, ms in run().items():
        print(f"{name:18} {ms:8.1f} ms")
