"""Flame Graph: where the time of the selection goes, merged by the names above each slice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLabel, QLineEdit, QMenu, QScrollArea, QStackedWidget, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.flame import flame
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart_export import write_picture
from insight_desktop.views.common.context import Jump
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.chosen import Chosen, chosen, title
from insight_desktop.views.timeline.flame_chart import FlameChart
from insight_desktop.views.timeline.state import TimelineState

_PICTURE_WIDTH = 1400


def coloured_flame(store: Store, *, part: Chosen, python: bool) -> tuple[pa.Table, npt.NDArray[Any]]:
    """The tree of a selection, and the colour hash of the name of every node."""
    found = flame(
        store, card=part.card, tracks=part.tracks, from_ns=part.from_ns, to_ns=part.to_ns, python=python, rows=part.rows
    )  # fmt: skip
    capture = store.capture(part.card)
    names = np.asarray(capture.slice_name)[found["longest_id"].to_numpy()]
    return found, np.asarray(capture.string_hash)[names]


class FlamePanel(QWidget):
    """Follows the selection while it is on screen."""

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.part: Chosen | None = None
        self._stale = True
        self._asker = Asker(state.context, self)
        self.title, self.found = QLabel(), QLabel()
        self.title.setProperty("strong", "true")
        self.found.setProperty("level", "2")
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(220)
        self.search.textChanged.connect(lambda _text: self._light())
        self.python = QCheckBox()
        self.python.toggled.connect(lambda _on: self.refresh())
        self.whole = parts.icon_button("crosshair-simple", click=lambda: self.chart.zoom(-1))
        self.save = parts.icon_button("download-simple", click=self.ask_export)
        self.chart = FlameChart()
        self.chart.slice_wanted.connect(self._jump)
        self.chart.menu_wanted.connect(lambda node, at: self.menu(node).popup(at))
        self.chart.zoomed.connect(lambda node: self.whole.setEnabled(node >= 0))
        self._empty = EmptyText()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(self.chart)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(area)
        head = parts.columns(margins=(12, 4, 8, 4), gap=8)
        head.addWidget(self.title)
        head.addWidget(self.found, 1)
        for widget in (self.python, self.search, self.whole, self.save):
            head.addWidget(widget)
        box = parts.rows(self)
        box.addLayout(head)
        box.addWidget(self._stack, 1)
        for signal in (state.selection_changed, state.range_changed, state.lanes_changed):
            signal.connect(self._changed)
        state.context.store_changed.connect(self._changed)
        state.filter_changed.connect(self._light)
        self._translate()

    def refresh(self) -> None:
        """Ask for the tree of what is selected now."""
        self._stale = False
        part = chosen(self.state)
        self.part = part if part is not None and part.tracks else None
        if self.part is None:
            self._asker.forget(coloured_flame)
            self._show_empty(
                tr("Nothing selected"), tr("Select a range, a slice or lanes: where their time goes is drawn here.")
            )
            return
        self._asker.ask(
            coloured_flame, part=self.part, python=self.python.isChecked(), then=self._show, failed=self._failed
        )

    def copy(self) -> None:
        """Put the tree on the clipboard as folded stacks, which other flame graph tools read."""
        QGuiApplication.clipboard().setText(self.chart.folded())

    def export(self, path: Path) -> None:
        """Write the picture as PNG or SVG, or the folded stacks as text. Raises BadArgument when that cannot be."""
        if path.suffix.lower() in (".txt", ".folded"):
            path.write_text(self.chart.folded(), encoding="utf-8")
            return
        size = QSize(_PICTURE_WIDTH, self.chart.sizeHint().height() + 60)
        write_picture(path, size, self.title.text(), (), self.chart.paint)

    def ask_export(self) -> None:
        """Ask for a file and write it."""
        kinds = f"PNG (*.png);;SVG (*.svg);;{tr('Folded stacks')} (*.folded *.txt)"
        name, _ = QFileDialog.getSaveFileName(self, tr("Export flame graph"), "flame.png", kinds)
        if name:
            try:
                self.export(Path(name))
            except (InsightError, OSError) as error:
                fix = error.fix if isinstance(error, InsightError) else ""
                self.state.context.message.emit("error", str(error).split("\n")[0], fix)

    def menu(self, node: int) -> QMenu:
        """What can be done with a node."""
        menu = QMenu(self)
        name = self.chart.table["name"][node].as_py()
        menu.addAction(tr("Zoom in")).triggered.connect(lambda: self.chart.zoom(node))
        menu.addAction(tr("Go to the longest slice")).triggered.connect(lambda: self._jump(node))
        menu.addSeparator()
        clipboard = QGuiApplication.clipboard()
        menu.addAction(tr("Copy name")).triggered.connect(lambda: clipboard.setText(name))
        menu.addAction(tr("Copy stack")).triggered.connect(lambda: clipboard.setText(self.chart.stack(node)))
        menu.addAction(tr("Copy all as folded stacks")).triggered.connect(self.copy)
        return menu

    def view_state(self) -> dict[str, Any]:
        """The switch and the search, for the session file."""
        return {"python": self.python.isChecked(), "search": self.search.text()}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self.python.setChecked(bool(state.get("python", False)))
        self.search.setText(str(state.get("search", "")))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._asker.forget(coloured_flame)
        self._stale = True
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self.refresh()

    def _show(self, found: tuple[pa.Table, npt.NDArray[Any]]) -> None:
        table, hashes = found
        if self.part is None or not table.num_rows:
            self._show_empty(tr("No slices"), tr("The selection holds no slices."))
            return
        self.chart.show_table(table, hashes)
        self.whole.setEnabled(False)
        self.title.setText(title(self.state, self.part))
        self._stack.setCurrentIndex(1)
        self._light()

    def _light(self) -> None:
        """What is searched for and what the filter lets pass is shown in full."""
        table, wanted = self.chart.table, self.search.text().strip()
        mask = self.state.filter.mask(table)
        if wanted:
            names = np.asarray(pc.match_substring(table["name"], wanted, ignore_case=True).to_numpy(), np.bool_)
            mask = names if mask is None else mask & names
        self.chart.set_light(mask)
        self.found.setText("")
        if mask is not None and table.num_rows:
            share = _share(table, mask)
            text = tr("{n} boxes, {share} of the time")
            self.found.setText(text.format(n=number_text.count(int(mask.sum())), share=number_text.percent(share)))

    def _jump(self, node: int) -> None:
        if self.part is not None:
            self.state.context.jump.emit(
                Jump(self.part.card, slice_id=int(self.chart.table["longest_id"][node].as_py()))
            )

    def _show_empty(self, head: str, text: str) -> None:
        self.title.setText("")
        self.found.setText("")
        self._empty.set_texts(head, text)
        self._stack.setCurrentIndex(0)

    def _failed(self, error: InsightError) -> None:
        self._show_empty(error.message, error.fix)

    def _translate(self) -> None:
        self.search.setPlaceholderText(tr("Search names"))
        self.search.setAccessibleName(tr("Search names"))
        self.python.setText(tr("Python stacks"))
        parts.set_tip(self.whole, tr("Zoom out"))
        parts.set_tip(self.save, tr("Export flame graph"))
        if self.part is not None:
            self.title.setText(title(self.state, self.part))
        else:
            self._changed()


def _share(table: pa.Table, mask: npt.NDArray[np.bool_]) -> float:
    """Part of all top slices that matching nodes cover; a node below a matching one counts once."""
    parent, x0, x1 = (table[c].to_numpy() for c in ("parent", "x0", "x1"))
    below = np.zeros(len(parent), np.bool_)
    for node in range(len(parent)):  # parents come before their children
        above = parent[node]
        below[node] = above >= 0 and (mask[above] or below[above])
    top = mask & ~below
    return float((x1 - x0)[top].sum())
