"""The flame graph of call stacks weighted by memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tests.support import snapshot_files as sf

from insight_desktop.engine.memory import snapshot
from insight_desktop.views.memory.stack_flame import StackFlame


def _frame(name: str) -> dict[str, object]:
    return {"filename": f"/app/{name}.py", "line": 3, "name": name}


@pytest.fixture
def flame(qtbot: QtBot, tmp_path: Path) -> StackFlame:
    inner = [_frame("matmul"), _frame("step")], [_frame("adam"), _frame("step")]
    trace = [sf.event("alloc", 0, 3072, frames=inner[0]), sf.event("alloc", 4096, 1024, frames=inner[1])]
    held = sf.opened(sf.written(tmp_path, {"segments": [], "device_traces": [trace]}), tmp_path / "capture")
    widget = StackFlame()
    qtbot.addWidget(widget)
    widget.resize(800, 200)
    widget.show()
    widget.show_tree(snapshot.stack_tree(held, of="peak"))
    return widget


@pytest.mark.row("memory", 20)
def test_widths_are_shares_of_the_bytes(flame: StackFlame) -> None:
    assert flame.count == 4  # all, step, matmul, adam
    whole = flame.viewport().width()
    assert [round(flame.box_of(k).width() / whole, 3) for k in range(4)] == [1.0, 1.0, 0.75, 0.25]
    assert flame.words(2).splitlines() == ["matmul", "matmul.py:3", "3.000 KiB · 75.0 %", "1 blocks"]


def test_a_click_fills_the_width_and_escape_shows_all(flame: StackFlame) -> None:
    at = flame.box_of(3).center()
    assert flame.node_at(at) == 3
    QTest.mouseClick(flame.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert flame.root == 3
    assert flame.box_of(3).width() == flame.viewport().width()
    assert flame.node_at(QPointF(10, flame.box_of(2).center().y())) == 3
    QTest.keyClick(flame, Qt.Key.Key_Escape)
    assert flame.root == 0
