"""The way of results from worker threads to the window's thread, where whoever asked may be gone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from shiboken6 import isValid


class _Mailbox(QObject):
    """Lives as long as the program: a thread that emits on an object that the window deletes meanwhile ends both."""

    _posted = Signal(object, object, object)

    def __init__(self) -> None:
        super().__init__()
        self._posted.connect(self._open, Qt.ConnectionType.QueuedConnection)
        app = QCoreApplication.instance()
        if app is not None:
            self.moveToThread(app.thread())

    def _open(self, owner: QObject, function: Callable[..., None], values: tuple[Any, ...]) -> None:
        if isValid(owner):
            function(*values)


@cache
def open_mailbox() -> _Mailbox:
    """Make the mailbox; whoever lets threads work does so in the window's thread before."""
    return _Mailbox()


def post(owner: QObject, function: Callable[..., None], *values: Any) -> None:
    """From any thread: call `function(*values)` in the window's thread, unless `owner` was deleted by then."""
    open_mailbox()._posted.emit(owner, function, values)
