from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.common import theme
from insight_desktop.views.timeline.system_view import ITEMS
from insight_desktop.views.timeline.system_view_parts import Question
from insight_desktop.views.timeline.system_view_table import DetailsPane


def test_slices_of_a_chosen_chain_are_framed_and_joined(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    page.body.verbs.open_everything(True)
    page.state.viewport.show(0, 1_000_000)
    canvas = page.body.canvas
    before = canvas.render_now()
    page.context.chain_shown.emit("0", [1, 4])  # inner at 100–300 µs, MatMul at 200–400 µs
    assert [one.name for one in page.body.chain.slices()] == ["inner", "MatMul"]
    after = canvas.render_now()
    accent = theme.token("accent")
    row = tp.row(page, "Stream 2")
    assert row is not None
    assert QColor(after.pixel(300, row.y + 1)) == QColor(accent.rgb())
    assert QColor(before.pixel(300, row.y + 1)) != QColor(accent.rgb())
    page.body.tap("Esc")
    assert page.body.chain.slices() == []
    assert canvas.render_now() == before


def test_the_pane_of_a_chain_tells_its_slices(qtbot: QtBot, tmp_path: Path) -> None:
    page = tp.basic_page(qtbot, tmp_path)
    told: list[tuple[str, list[int]]] = []
    page.context.chain_shown.connect(lambda card, ids: told.append((card, ids)))

    pane = DetailsPane(page.context, ITEMS["kernel_e2e"])
    qtbot.addWidget(pane)
    pane.asked = Question("0")

    found = pa.table({"role": ["PythonOp", "Launch"], "id": pa.array([0, None], pa.int64()), "name": ["outer", None]})
    pane._show(found)
    pane.clear()
    assert told == [("0", [0]), ("", [])]


def test_of_hundreds_of_slices_those_in_sight_are_drawn_two_pixels_apart(qtbot: QtBot, tmp_path: Path) -> None:
    slices = [tp.at(i * 1_000, i * 1_000 + 500, "step", tp.T11) for i in range(1_000)]
    page = tp.basic_page(qtbot, tmp_path, slices=slices)
    page.state.viewport.show(0, 1_000_000)
    page.context.chain_shown.emit("0", list(range(1_000)))
    chain = page.body.chain
    seen = chain.seen(tp.CHART)
    assert len(seen) == 500
    page.state.viewport.show(0, 100_000)
    assert len(chain.seen(tp.CHART)) == 102  # one on the edge and one behind it, so that the curve to it is drawn
    page.body.canvas.render_now()
    kept = chain.pictures[False]
    page.body.canvas.render_now()
    assert chain.pictures[False] is kept
