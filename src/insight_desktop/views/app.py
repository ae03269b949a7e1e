"""Starts the window: application, look, language, log, and what happens when something goes wrong."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from insight_desktop.engine import places
from insight_desktop.engine.store import Store
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.sources import Discovery
from insight_desktop.views.common import icons, language, settings, theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import tr
from insight_desktop.views.main_window import MainWindow
from insight_desktop.views.reading import CardReader
from insight_desktop.views.workspace import Reader, Workspace

LOG_BYTES = 10 * 1024 * 1024
LOG_FILES = 10

logger = logging.getLogger(__name__)


def make_app() -> QApplication:
    """The application with fonts, theme and language; the running one if there is one."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        qInstallMessageHandler(lambda _kind, _where, text: logger.info("Qt: %s", text))  # not into the user's terminal
        app = QApplication(sys.argv[:1])
    app.setApplicationName("insight-desktop")
    app.setApplicationDisplayName("")
    app.setDesktopFileName("insight-desktop")
    theme.start(app)
    language.start()
    app.setWindowIcon(icons.icon("chart-bar-horizontal", "accent"))
    return app


def make_window(
    *,
    reader: Reader | None = None,
    find: Callable[[list[Path]], Discovery] | None = None,
) -> MainWindow:
    """A window with a workspace of its own; tests pass their own reader and discovery."""
    context = Context(Store())
    workspace = Workspace(context, reader or CardReader(), find or (lambda paths: discover(paths)))
    return MainWindow(workspace)


def run(paths: Sequence[str | Path]) -> int:
    """Open the window on these paths; returns the exit code."""
    start_log()
    app = make_app()
    window = make_window()
    catch_errors(window)
    window.show()
    threading.Thread(target=_warm, name="warm kernels", daemon=True).start()
    if paths:
        window.opening.open_paths([Path(path) for path in paths])
    elif settings.read_flag("reopen_last", default=False):
        reopen_last(window)
    return app.exec()


def _warm() -> None:
    """Compile what painting needs while the user is still choosing, so that the first frames do not wait for it."""
    from insight_desktop.engine.load import warm_kernels

    try:
        logger.info("kernels were ready after %.1f s", warm_kernels())
    except Exception:  # they compile at first use otherwise
        logger.warning("kernels were not warmed", exc_info=True)


def reopen_last(window: MainWindow) -> None:
    """Open the project that was open when the window was closed last."""
    last = settings.read("last_project")
    found = next((p for p in window.workspace.projects if p.entry.id == last), None)
    if found is not None:
        window.workspace.switch(found.name)


def start_log() -> Path | None:
    """Write the log to rotating files: ten of 10 MB. Returns the file, None where it cannot be written."""
    folder = places.log_dir()
    file = folder / "insight-desktop.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(file, maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, encoding="utf-8", delay=True)
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    return file


def catch_errors(window: MainWindow) -> None:
    """Errors that nobody handled go to the log and into a banner; the window stays usable."""

    def tell(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        logger.error("unhandled", exc_info=(kind, error, trace) if error is not None else None)
        text = tr("Something went wrong inside the program: {kind}: {error}").format(kind=kind.__name__, error=error)
        window.context.message.emit(
            "error", text, tr("The window stays usable. The log has the details (Help, Open log folder).")
        )

    def tell_thread(args: Any) -> None:
        tell(args.exc_type, args.exc_value, args.exc_traceback)

    sys.excepthook = tell
    threading.excepthook = tell_thread


def is_offscreen() -> bool:
    """True when Qt draws without a display."""
    return os.environ.get("QT_QPA_PLATFORM", "") == "offscreen"
