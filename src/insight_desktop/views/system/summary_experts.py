"""MoE Expert Load Balancing Analysis: the form, the import of dumps, and the heat map of layers and experts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import summary as queries
from insight_desktop.errors import InsightError, NoData
from insight_desktop.views.common import fonts, heat_colours, number_text, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.heat_map import HeatMap
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select

PROFILING = "profiling"
VERSIONS = {
    PROFILING: QT_TRANSLATE_NOOP("insight", "Profiling"),
    "unbalanced": QT_TRANSLATE_NOOP("insight", "Dump unbalanced"),
    "balanced": QT_TRANSLATE_NOOP("insight", "Dump balanced"),
}
STAGES = ("decode", "prefill")
_MOST_LABELS = 31  # columns with values in their cells


def model_and_grid(
    store: Store, *, layers: int | None, dense: str, experts: int | None, **where: Any
) -> tuple[dict[str, Any], pa.Table]:
    """What the data tell of the model, and its grid."""
    told = queries.expert_model(store, **where).to_pylist()[0]
    return told, queries.expert_load(store, layers=layers, dense=dense, experts=experts, **where)


class ExpertPanel(QWidget):
    """Form and heat map.

    Signals: told with (level, message, what to do) for a banner.
    """

    told = Signal(str, str, str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asker = Asker(context, self)
        self.job: str | None = None
        self.paths: dict[str, str] = {}  # version → imported folder
        self.grid: pa.Table | None = None
        self._shape = (0, 0)
        self.layers_label, self.layers_field = parts.label(level=2), QLineEdit()
        self.dense_label, self.dense_field = parts.label(level=2), QLineEdit()
        self.experts_label, self.experts_field = parts.label(level=2), QLineEdit()
        self.stage_label, self.stage_box = parts.label(level=2), Select()
        self.version_label, self.version_box = parts.label(level=2), Select()
        self.import_button = parts.button("", "folder-open", click=self.import_dialog)
        self.search_button = parts.button("", click=self.search)
        self.map = HeatMap()
        self.map.title_label.hide()
        self._build()
        self._connect()
        self.retranslate()
        self.show_nothing()

    def _build(self) -> None:
        for field, width in ((self.layers_field, 52), (self.dense_field, 84), (self.experts_field, 52)):
            field.setFixedWidth(fonts.scaled(width))
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
        first, second = parts.columns(gap=6), parts.columns(gap=6)
        for row, pairs in (
            (first, ((self.version_label, self.version_box), (self.stage_label, self.stage_box))),
            (second, ((self.layers_label, self.layers_field), (self.dense_label, self.dense_field),
                      (self.experts_label, self.experts_field))),
        ):  # fmt: skip
            for label, widget in pairs:
                label.setBuddy(widget)
                row.addWidget(label)
                row.addWidget(widget)
        first.addWidget(self.import_button)
        second.addWidget(self.search_button)
        first.addStretch(1)
        second.addStretch(1)
        column = parts.rows(self, margins=(0, 4, 0, 0), gap=4)
        column.addLayout(first)
        column.addLayout(second)
        column.addWidget(self.map, 1)

    def _connect(self) -> None:
        self.version_box.activated.connect(lambda _at: self._source_changed())
        self.stage_box.activated.connect(lambda _at: self._source_changed())
        for field in (self.layers_field, self.dense_field, self.experts_field):
            field.returnPressed.connect(self.search)

    def retranslate(self) -> None:
        """Texts in the current language."""
        for label, widget, text in (
            (self.layers_label, self.layers_field, tr("Model Layer Num")),
            (self.dense_label, self.dense_field, tr("Dense Layer List")),
            (self.experts_label, self.experts_field, tr("Expert Num")),
            (self.stage_label, self.stage_box, tr("Model Stage")),
            (self.version_label, self.version_box, tr("Data Version")),
        ):
            label.setText(text)
            widget.setAccessibleName(text)
        self.dense_field.setPlaceholderText("0-2")
        parts.set_tip(self.dense_field, tr("Layers without experts: 0,1,2 or 0-2"))
        self.import_button.setText(tr("Import…"))
        self.search_button.setText(tr("Search"))
        version, stage = self.version, self.stage
        with QSignalBlocker(self.version_box), QSignalBlocker(self.stage_box):
            self.version_box.clear()
            for key, text in VERSIONS.items():
                self.version_box.addItem(tr(text), key)
            self.version_box.setCurrentIndex(max(0, self.version_box.findData(version)))
            self.stage_box.clear()
            for key in STAGES:
                self.stage_box.addItem(key, key)
            self.stage_box.setCurrentIndex(max(0, self.stage_box.findData(stage)))
        self.import_button.setVisible(self.version != PROFILING)
        self.map.set_title(tr("MoE Expert Load Balancing Analysis"), "")
        if self.grid is not None:
            self._show(self.grid)
        elif self.map.is_empty:
            self.show_nothing()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- what is asked -----------------------------------------------------------------------------------------------

    @property
    def version(self) -> str:
        """`profiling`, `unbalanced` or `balanced`."""
        return str(self.version_box.currentData() or PROFILING)

    @property
    def stage(self) -> str:
        """`decode` or `prefill`."""
        return str(self.stage_box.currentData() or STAGES[0])

    def choose(self, version: str, stage: str) -> None:
        """Another version and stage, asked at once."""
        self.version_box.setCurrentIndex(max(0, self.version_box.findData(version)))
        self.stage_box.setCurrentIndex(max(0, self.stage_box.findData(stage)))
        self._source_changed()

    def show_job(self, job: str | None) -> None:
        """Another job: what was imported for the one before is not its."""
        self.job = job
        self.grid = None
        self.ask()

    def _source_changed(self) -> None:
        """The sizes belong to the data: they are taken from those that come."""
        self.import_button.setVisible(self.version != PROFILING)
        for field in (self.layers_field, self.dense_field, self.experts_field):
            field.clear()
        self.ask()

    def import_dialog(self) -> None:
        """Ask for a folder and take its dump."""
        name = QFileDialog.getExistingDirectory(self, tr("Folder with expert hotspots or deployments"))
        if name:
            self.take_folder(Path(name))

    def take_folder(self, folder: Path) -> None:
        """Take the dump of a folder for the version in force; it replaces the one before."""
        self.paths[self.version] = str(folder)
        for field in (self.layers_field, self.dense_field, self.experts_field):
            field.clear()
        self.ask(told=True)

    def search(self) -> None:
        """Ask with the sizes that were typed."""
        self.ask(told=True)

    def _typed(self, field: QLineEdit, title: str) -> int | None:
        text = field.text().strip()
        if not text:
            return None
        if not text.isdigit():
            raise InsightError(tr("{0} is {1}.").format(title, text), fix=tr("Use a whole number from 1 to 500."))
        return int(text)

    def ask(self, *, told: bool = False) -> None:
        """Ask for the grid; `told` says with a banner what was wrong with what the user gave."""
        try:
            layers = self._typed(self.layers_field, tr("Model Layer Num"))
            experts = self._typed(self.experts_field, tr("Expert Num"))
        except InsightError as error:
            self.told.emit("error", error.message, error.fix)
            return
        where: dict[str, Any] = {"stage": self.stage, "version": self.version, "cluster": self.job}
        if self.version != PROFILING:
            if self.version not in self.paths:
                self._asker.forget(model_and_grid)
                self.grid = None
                self.show_nothing()
                return
            where["path"] = self.paths[self.version]
        self._asker.ask(
            model_and_grid, then=self._take, failed=lambda error: self._failed(error, told), layers=layers,
            dense=self.dense_field.text().strip(), experts=experts, **where,
        )  # fmt: skip

    def _failed(self, error: InsightError, told: bool) -> None:
        if told:
            self.told.emit("error", say(error.message), say(error.fix))
        if isinstance(error, NoData) or self.grid is None:
            self.grid = None
            self.map.set_empty(say(error.message), say(error.fix))

    def show_nothing(self) -> None:
        """No data yet: say what can be imported."""
        self.map.set_empty(
            tr("No expert data are imported"),
            tr(
                "Import a folder with decode_<rank>.csv or prefill_<rank>.csv and model_gen_config.json, "
                "or with <stage>_global_deployment.json."
            ),
        )

    # ---- what is shown -----------------------------------------------------------------------------------------------

    def _take(self, found: tuple[dict[str, Any], pa.Table]) -> None:
        model, grid = found
        if not self.layers_field.text().strip():
            self.layers_field.setText(str(len(set(grid["layer"].to_pylist()))))
        if not self.dense_field.text().strip() and model["dense"]:
            self.dense_field.setText(",".join(map(str, model["dense"])))
        if not self.experts_field.text().strip() and model["experts"]:
            self.experts_field.setText(str(model["experts"]))
        self._show(grid)

    def _show(self, grid: pa.Table) -> None:
        self.grid = grid
        if not grid.num_rows:
            self.map.set_empty(tr("The grid has no cells"), tr("Check the number of layers and experts."))
            return
        rows = int(grid["layer"].to_numpy().max()) + 1
        columns = int(grid["expert_index"].to_numpy().max()) + 1
        self._shape = rows, columns
        values = grid["visits"].to_numpy().astype(np.float64).reshape(rows, columns)
        cells = Cells(
            values, [str(i) for i in range(rows)], [str(i) for i in range(columns)], self._visits(), self._unit(), 0,
            row_title=tr("Layer Depth"), column_title=tr("Expert Index"), tip=self.tip, most_labels=_MOST_LABELS,
        )  # fmt: skip
        self.map.set_cells(cells, colours=heat_colours.sequential)
        self.map.set_title(
            tr("MoE Expert Load Balancing Analysis"),
            tr("{0} layers, {1} experts").format(number_text.count(rows), number_text.count(columns)),
        )

    def _unit(self) -> str:
        return "ns" if self.version == PROFILING else ""

    def _visits(self) -> str:
        return tr("Time in GroupedMatmul") if self.version == PROFILING else tr("Visits")

    def tip(self, row: int, column: int) -> list[ReadoutLine]:
        """The readout of a cell."""
        assert self.grid is not None
        cell = self.grid.slice(row * self._shape[1] + column, 1).to_pylist()[0]
        visits = f"{number_text.count(cell['visits'])} {self._unit()}".strip()
        return [
            ReadoutLine(None, tr("Expert Index"), str(cell["expert_index"])),
            ReadoutLine(None, tr("Expert Id"), str(cell["expert_id"])),
            ReadoutLine(None, tr("Layer Depth"), str(cell["layer"])),
            ReadoutLine(self.map.area.colour_of(row, column), self._visits(), visits),
            ReadoutLine(None, tr("Rank ID"), str(cell["rank"])),
        ]

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Version, stage, sizes and imported folders."""
        return {
            "version": self.version, "stage": self.stage, "layers": self.layers_field.text(),
            "dense": self.dense_field.text(), "experts": self.experts_field.text(), "paths": dict(self.paths),
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; the next `show_job` asks."""
        paths = state.get("paths")
        self.paths = {str(k): str(v) for k, v in paths.items()} if isinstance(paths, dict) else {}
        for box, key in ((self.version_box, "version"), (self.stage_box, "stage")):
            at = box.findData(state.get(key))
            box.setCurrentIndex(max(0, at))
        for field, key in (
            (self.layers_field, "layers"), (self.dense_field, "dense"), (self.experts_field, "experts"),
        ):  # fmt: skip
            field.setText(str(state.get(key) or ""))
        self.import_button.setVisible(self.version != PROFILING)
