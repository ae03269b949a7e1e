"""Draws the window without a display: one tab of some data into a PNG, or every tab.

`python -m insight_desktop.views.shots OUT PATH…` draws every tab of the paths into the folder OUT.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEventLoop, QSize
from PySide6.QtWidgets import QApplication

from insight_desktop.engine import places
from insight_desktop.errors import BadArgument, InsightError
from insight_desktop.views import tabs
from insight_desktop.views.app import make_app, make_window
from insight_desktop.views.cards import IDLE, MANY_CARDS, USABLE
from insight_desktop.views.common import language, pools
from insight_desktop.views.common import theme as look
from insight_desktop.views.common.page import Tab
from insight_desktop.views.dialogs import reason
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.workspace import Checked

SIZE = "1600x900"
SETTLE_TURNS = 12
SETTLE_S = 0.4  # pages answer in the background; the picture waits until all threads were idle for this long
ANSWER_S = 300.0
IMPORT_S = 3600.0
AREAS = ("system", "service", "operator", "memory")
JOB_TABS = ("system.summary", "system.communication", "system.diagnosis")


def render(
    path: Path | list[Path],
    tab: str,
    out: Path,
    size: str | tuple[int, int] = SIZE,
    theme: str = "dark",
    lang: str = "en",
) -> None:
    """Draw one tab of some data.

    Args:
        path: what to open.
        tab: id such as `system.timeline`.
        out: the PNG.
        size: `1600x900`, or width and height.
        theme: `dark` or `light`.
        lang: `en` or `zh`.

    Raises:
        BadArgument: there is no such tab, or the data do not call for it, or a bad size, theme or language.
        InsightError: nothing could be opened.
    """
    with apart():
        window = prepare(size, theme, lang)
        try:
            open_in(window, path if isinstance(path, list) else [path], tab)
            shown = [t.id for t in _shown(window)]
            if tab not in shown:
                raise BadArgument(f"There is no tab {tab} for these data.", fix=f"Tabs: {', '.join(shown) or 'none'}.")
            _draw(window, tab, out)
        finally:
            window.close()


def render_all(
    paths: list[Path], out: Path, size: str | tuple[int, int] = SIZE, theme: str = "dark", lang: str = "en"
) -> list[Path]:
    """Draw every tab of some data into a folder, and the import report; returns the files."""
    drawn = []
    with apart():
        window = prepare(size, theme, lang)
        try:
            open_in(window, paths)
            for each in _shown(window):
                target = out / f"{each.id}.png"
                _draw(window, each.id, target)
                drawn.append(target)
            window.show_report(True)
            target = out / "import_report.png"
            settle()
            save(window, target)
            drawn.append(target)
        finally:
            window.close()
    return drawn


@contextmanager
def apart() -> Iterator[None]:
    """Pictures use the user's captures, but leave his projects, sessions and settings alone."""
    kept = {name: os.environ.get(name) for name in ("INSIGHT_HOME", "INSIGHT_CACHE")}
    os.environ["INSIGHT_CACHE"] = str(places.cache_dir())
    with tempfile.TemporaryDirectory(prefix="insight-shots-") as home:
        os.environ["INSIGHT_HOME"] = home
        try:
            yield
        finally:
            for name, value in kept.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def prepare(size: str | tuple[int, int], theme: str, lang: str) -> MainWindow:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    width, height = _size(size)
    if theme not in ("dark", "light"):
        raise BadArgument(f"There is no theme {theme}.", fix="Themes: dark, light.")
    if lang not in ("en", "zh"):
        raise BadArgument(f"There is no language {lang}.", fix="Languages: en, zh.")
    make_app()
    look.set_theme("light" if theme == "light" else "dark", remember=False)
    language.set_language("zh" if lang == "zh" else "en", remember=False)
    window = make_window()
    window.resize(QSize(width, height))
    window.show()
    return window


def _size(size: str | tuple[int, int]) -> tuple[int, int]:
    if not isinstance(size, str):
        return size
    width, _, height = size.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and int(width) >= 320 and int(height) >= 240):
        raise BadArgument(f"{size} is no size.", fix="Write width and height in pixels, such as 1600x900.")
    return int(width), int(height)


def open_in(window: MainWindow, paths: list[Path], tab: str | None = None) -> None:
    """Open paths and read their cards: all of few, of many the first ones of each area that `tab` (any tab: None) shows."""
    errors: list[InsightError] = []
    window.context.message.connect(
        lambda level, text, fix: errors.append(InsightError(text, fix=fix)) if level == "error" else None
    )
    window.workspace.problems.disconnect(window.opening.show_problems)

    def go_on(checked: Checked) -> None:
        errors.extend(InsightError(f"{p.path} {reason(p)}.") for p in checked.problems if not p.passable)
        window.workspace.go_on(checked)

    window.workspace.problems.connect(go_on)
    window.opening.open_paths(paths)
    workspace = window.workspace
    wait(lambda: workspace.current is not None or bool(errors), IMPORT_S)
    if workspace.current is None:
        raise errors[0] if errors else InsightError("Nothing was opened.")
    _read_some(window, tab)
    wait(lambda: workspace.current is None or not workspace.current.busy, IMPORT_S)
    cards = (workspace.current.cards or []) if workspace.current else []
    if not any(card.status in USABLE for card in cards) and errors:
        raise errors[0]
    window.banners.clear()


def _read_some(window: MainWindow, tab: str | None) -> None:
    """Ask for cards that wait because there are many; pages of whole jobs need none of them."""
    project = window.workspace.current
    idle = [row for row in (project.cards or [] if project is not None else []) if row.status == IDLE]
    area = tab.split(".")[0] if tab is not None else ""
    shown = AREAS if tab is None else () if tab in JOB_TABS else ("system", "service") if area == "system" else (area,)
    wanted: dict[str, list[str]] = {}
    for row in idle:
        if row.source.area in shown:
            wanted.setdefault(row.source.area, []).append(row.name)
    names = [name for found in wanted.values() for name in found[:MANY_CARDS]]
    if names:
        window.workspace.read(names)


def _shown(window: MainWindow) -> list[Tab]:
    project = window.workspace.current
    if project is None or project.found is None:
        return []
    return tabs.tabs_for(project.found, window.context.store)


def _draw(window: MainWindow, tab: str, out: Path) -> None:
    window.tab_row.choose(tab)
    settle()
    save(window, out)


def save(window: MainWindow, out: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    if not window.grab().save(str(out)):
        raise InsightError(f"{out} could not be written.", fix="Choose another folder.")


def settle() -> None:
    """Let every question be answered and painted: answers ask further questions, so quiet has to last."""
    quiet_since = [time.monotonic()]
    turns = [0]  # of the event loop: one long paint is no quiet time, answers may wait behind it

    def is_quiet() -> bool:
        turns[0] += 1
        if not pools.is_idle():
            quiet_since[0], turns[0] = time.monotonic(), 0
        return time.monotonic() - quiet_since[0] > SETTLE_S and turns[0] >= SETTLE_TURNS

    wait(is_quiet, ANSWER_S)


def wait(done: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not done():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        time.sleep(0.005)


def main(arguments: list[str]) -> int:
    """Draw every tab; returns the exit code."""
    if len(arguments) < 2:
        print("usage: python -m insight_desktop.views.shots OUT PATH…", file=sys.stderr)
        return 2
    try:
        for path in render_all([Path(p) for p in arguments[1:]], Path(arguments[0])):
            print(path)
    except InsightError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
