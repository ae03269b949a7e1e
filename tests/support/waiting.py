"""Waiting for conditions instead of times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import pools

LEAST_MS = 60_000  # a condition that holds ends the wait at once; only a failure waits so long


class PatientBot(QtBot):
    """Waits for conditions, however busy the machine is."""

    def waitUntil(self, callback: Callable[[], Any], *, timeout: int = LEAST_MS) -> None:
        """Wait until `callback()` is true or passes its assertions."""
        super().waitUntil(callback, timeout=max(timeout, LEAST_MS))

    def waitSignal(self, signal: Any, *, timeout: int = LEAST_MS, **more: Any) -> Any:
        """Wait for a signal; one that may stay out (`raising=False`) is waited for as long as told."""
        least = LEAST_MS if more.get("raising", True) else 0
        return super().waitSignal(signal, timeout=max(timeout, least), **more)


def settle(qtbot: QtBot) -> None:
    """Wait until nothing that was asked in the background is open, and take the answers."""
    for _ in range(3):  # an answer may ask the next question
        qtbot.waitUntil(pools.is_idle)
        QApplication.sendPostedEvents()
        QApplication.processEvents()
