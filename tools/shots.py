"""Draws the pictures of the README into docs/images from the sample runs: `python -m tools.shots [NAME…]`."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QImageWriter

from insight_desktop.engine.timeline import links
from insight_desktop.errors import InsightError
from insight_desktop.views import shots
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.samples import sample_folder
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.state import TimeRange

OUT = Path(__file__).resolve().parent.parent / "docs" / "images"
SIZE = (1600, 900)
_KERNEL = "FlashAttentionScore"


def start(work: Path) -> QImage:
    """The start page with two projects in its list."""
    with _window("dark", "en") as window:
        for name in ("train_db", "train_text"):
            _open(window, _staged(work, name))
        window.workspace.close_project()
        shots.settle()
        return _grab(window)


def zoomed_out(work: Path) -> QImage:
    """Two cards from end to end."""
    with _window("dark", "en") as window:
        _timeline(window, _staged(work, "train_text"))
        return _grab(window)


def zoomed_in(work: Path) -> QImage:
    """A kernel with its links and its details."""
    with _window("dark", "en") as window:
        page = _timeline(window, _staged(work, "train_text"))
        state = page.state
        capture = state.capture("0")
        assert capture is not None
        named = [i for i in range(len(capture.slice_start)) if _KERNEL in capture.text(int(capture.slice_name[i]))]
        chosen = next(i for i in named if len(links.of_slice(capture, i)) >= 2)
        slice_ = state.slice("0", chosen)
        assert slice_ is not None
        page.go_to(slice_)
        shift = state.shift_ns("0")
        first = min(int(capture.slice_start[link.from_id]) for link in links.of_slice(capture, chosen)) - shift
        last = slice_.end_ns - shift
        room = (last - first) // 5
        state.viewport.show(first - room, last + room)
        page.splitter.setSizes([520, 250])
        page.body.area.set_scroll(page.body.area.scroll + 60)
        shots.settle()
        return _grab(window)


def report(work: Path) -> QImage:
    """A card that could not be read: the banner, the row, and what to do."""
    folder = work / "llm_tp4"
    for rank in range(4):
        _card(folder, rank, broken=rank == 2)
    with _window("dark", "en") as window:
        _open(window, folder)
        window.show_report(True)
        shots.settle()
        return _grab(window)


def light_chinese(work: Path) -> QImage:
    """The light theme in Chinese, with a range and its figures."""
    with _window("light", "zh") as window:
        page = _timeline(window, _staged(work, "train_db"))
        state = page.state
        units = [u for u in state.cards["0"].unit.walk() if u.title in ("Computing", "Communication", "Free")]
        lanes = [u for u in units if u.is_lane]
        total = state.viewport.total_ns
        state.viewport.show(total // 4, total * 4 // 5)
        state.set_range(TimeRange(total * 2 // 5, total * 3 // 5, "0", tuple(u.key for u in lanes)))
        state.select_lanes([u.key for u in lanes])
        page.splitter.setSizes([520, 230])
        row = state.rows.of(lanes[0].key)
        if row is not None:
            page.body.area.bring_in(row.y, row.height, centre=True)
        shots.settle()
        return _grab(window)


def tab(sample: str, tab_id: str, theme: str) -> Callable[[Path], QImage]:
    """A tab of a sample as it opens."""

    def draw(work: Path) -> QImage:
        with _window(theme, "en") as window:
            _open(window, _staged(work, sample))
            window.tab_row.choose(tab_id)
            shots.settle()
            return _grab(window)

    return draw


PICTURES: dict[str, Callable[[Path], QImage]] = {
    "start-dark": start,
    "timeline-dark": zoomed_out,
    "timeline-slice-dark": zoomed_in,
    "import-report-dark": report,
    "timeline-light-zh": light_chinese,
    "diagnosis-light": tab("train_text", "system.diagnosis", "light"),
    "operator-details-dark": tab("kernels", "operator.details", "dark"),
    "service-overview-light": tab("serving", "service.overview", "light"),
    "memory-snapshot-dark": tab("memory", "memory.snapshot", "dark"),
}


@contextmanager
def _window(theme: str, lang: str) -> Iterator[MainWindow]:
    with shots.apart():
        window = shots.prepare(SIZE, theme, lang)
        try:
            yield window
        finally:
            window.close()


def _open(window: MainWindow, folder: Path) -> None:
    """Open a folder and wait until all of it is read."""
    workspace = window.workspace
    window.opening.open_paths([folder])
    shots.wait(lambda: workspace.current is not None and workspace.current.name == folder.name, 30)
    shots.wait(lambda: workspace.current is not None and bool(workspace.current.cards), 30)
    shots.wait(lambda: workspace.current is not None and not workspace.current.busy, 60)


def _timeline(window: MainWindow, folder: Path) -> TimelinePage:
    _open(window, folder)
    window.tab_row.choose("system.timeline")
    shots.settle()
    page = window.pages["system.timeline"]
    assert isinstance(page, TimelinePage)
    return page


def _staged(work: Path, name: str) -> Path:
    """A sample below a neutral path, because paths are in the pictures."""
    target = work / name
    if not target.exists():
        shutil.copytree(sample_folder() / name, target)
    return target


def _card(folder: Path, rank: int, *, broken: bool) -> None:
    """One more rank made of the first of the text sample; a broken one is a database of zeros."""
    output = folder / f"rank{rank}_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True, exist_ok=True)
    (output.parent / f"profiler_info_{rank}.json").write_text(f'{{"rank_id": {rank}}}')
    if broken:
        (output / f"ascend_pytorch_profiler_{rank}.db").write_bytes(bytes(1 << 20))
    else:
        source = next((sample_folder() / "train_text").glob("*/ASCEND_PROFILER_OUTPUT/trace_view.json"))
        shutil.copy(source, output / "trace_view.json")


def _grab(window: MainWindow) -> QImage:
    window.cursor().setPos(QPoint(0, 0))
    return window.grab().toImage()


def _write(image: QImage, target: Path) -> None:
    """A PNG without an alpha channel, packed as far as it goes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    writer = QImageWriter(str(target), b"png")
    writer.setCompression(100)
    if not writer.write(image.convertToFormat(QImage.Format.Format_RGB888)):
        raise InsightError(f"{target} could not be written.", fix=writer.errorString())


def main(names: list[str]) -> int:
    """Draw these pictures, or all; 2 when there is no such picture."""
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"no picture {', '.join(unknown)}; there are {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    work = Path(tempfile.gettempdir()) / "profiles"
    shutil.rmtree(work, ignore_errors=True)
    try:
        for name in names or PICTURES:
            target = OUT / f"{name}.png"
            _write(PICTURES[name](work), target)
            print(f"{target.name} {target.stat().st_size / 1024:.0f} KiB")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
