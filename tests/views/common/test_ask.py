"""Asking off the window's thread: newest wins, failures arrive, gone widgets are left alone."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QThread
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from insight_desktop.errors import InsightError, NoData
from insight_desktop.views.common import pools
from insight_desktop.views.common.ask import Background


def test_the_result_arrives_in_the_thread_of_the_window(qtbot: QtBot) -> None:
    background = Background()
    got: list[Any] = []
    here = QThread.currentThread()
    background.run("q", lambda: 7, then=lambda r: got.append((r, QThread.currentThread() is here)), failed=got.append)
    qtbot.waitUntil(lambda: bool(got))
    assert got == [(7, True)]


def test_only_the_newest_question_is_answered(qtbot: QtBot) -> None:
    background = Background()
    gate = threading.Event()
    got: list[int] = []
    background.run("q", lambda: gate.wait(5) and 1, then=got.append, failed=lambda e: got.append(-1))
    background.run("q", lambda: 2, then=got.append, failed=lambda e: got.append(-1))
    gate.set()
    qtbot.waitUntil(lambda: bool(got))
    qtbot.wait(30)
    assert got == [2]


def test_different_keys_do_not_disturb_each_other(qtbot: QtBot) -> None:
    background = Background()
    got: set[int] = set()
    background.run("a", lambda: 1, then=got.add, failed=lambda e: None)
    background.run("b", lambda: 2, then=got.add, failed=lambda e: None)
    qtbot.waitUntil(lambda: got == {1, 2})


@pytest.mark.parametrize(
    ("error", "message"), [(NoData("nothing", fix="collect"), "nothing"), (ValueError("odd"), "ValueError: odd")]
)
def test_every_failure_arrives_as_an_insight_error(qtbot: QtBot, error: Exception, message: str) -> None:
    def work() -> None:
        raise error

    background = Background()
    got: list[InsightError] = []
    background.run("q", work, then=lambda r: None, failed=got.append)
    qtbot.waitUntil(lambda: bool(got))
    assert got[0].message == message


def test_answers_to_a_deleted_widget_are_dropped(qtbot: QtBot) -> None:
    parent = QObject()
    background = Background(parent)
    gate = threading.Event()
    got: list[Any] = []
    background.run("q", lambda: gate.wait(5), then=got.append, failed=got.append)
    delete(parent)
    gate.set()
    qtbot.wait(50)
    assert got == []


def test_a_dropped_question_is_not_answered(qtbot: QtBot) -> None:
    background = Background()
    got: list[Any] = []
    background.run("q", lambda: 1, then=got.append, failed=got.append)
    background.drop("q")
    qtbot.wait(50)
    assert got == []


def test_widgets_that_go_while_their_threads_work_are_left_alone(qtbot: QtBot) -> None:
    """Deleted at every moment of the work: before, while and after its result is sent."""
    got: list[int] = []
    for number in range(300):
        parent = QObject()
        background = Background(parent)
        background.run("q", lambda number=number: number, then=got.append, failed=lambda e: None)
        while number % 3 == 1 and not pools.is_idle():
            time.sleep(0.001)  # the result is sent, not taken
        delete(parent)
    qtbot.waitUntil(pools.is_idle)
    QCoreApplication.sendPostedEvents()
    assert got == []
