"""The parallel layout: views by dimension, colours by a figure, legend, range, find, menus."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFileDialog,
    QFrame,
    QLineEdit,
    QMenu,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from insight_desktop.engine.system.summary_layout import CP_VIEW, DP_VIEW, FULL, MINDIE, PP_VIEW, VLLM, Strategy
from insight_desktop.errors import BadArgument
from insight_desktop.views.common import chart_export, fonts, icons, number_text, parts
from insight_desktop.views.common.chart_legend import Entry
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.heat_colours import HOT
from insight_desktop.views.common.heat_scale import ColourBar, RangeFields
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.system.summary_graph_area import GraphArea
from insight_desktop.views.system.summary_graph_layout import Graph, Group
from insight_desktop.views.system.summary_words import FIGURES, LEGEND, figure, group_figure

MOST_FULL = 64  # ranks up to which every rank is shown at first
_VIEWS = (PP_VIEW, CP_VIEW, FULL)
_AUTO = {PP_VIEW: "dp", CP_VIEW: "cp", FULL: "tp"}
_WIDEST_PICTURE = 12_000.0  # px; larger pictures need more memory than they are worth
_TIME = "time:"  # before the name of a group in the select of figures
_NOT_COLOURED = ("computing_ratio", "communication_ratio", "e2e_us")


class GraphPanel(QFrame):
    """Layout with its controls.

    Signals:
        dimension_changed: another view was chosen.
        element_clicked: index of an element; -1 for blank.
        group_clicked: name and members (indices of elements) of a line or frame.
        communication_wanted: name and members of a line whose durations are wanted.
        timeline_wanted: index of an element (full view).
        told: (level, message) for a banner.
    """

    dimension_changed = Signal(str)
    element_clicked = Signal(int)
    group_clicked = Signal(str, tuple)
    communication_wanted = Signal(str, tuple)
    timeline_wanted = Signal(int)
    told = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self.dimension: str = FULL
        self.strategy = Strategy()
        self.figures: dict[str, np.ndarray[Any, Any]] = {}  # key → value per element, NaN without
        self.base_figures: dict[str, np.ndarray[Any, Any]] | None = None
        self.range: tuple[float, float] | None = None  # typed; None for all values
        self.area = GraphArea()
        self.area.tip = self.tip
        self.empty = EmptyText()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.area)
        self.stack.addWidget(self.empty)
        self.view_group = QButtonGroup(self)
        self.view_buttons: dict[str, parts.Segment] = {}
        self.legend: dict[str, QPushButton] = {}
        self.metric_label, self.metric_box = parts.label(level=2), Select()
        self.metric_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.metric_box.setMinimumWidth(fonts.scaled(172))
        self.metric_box.setMaximumWidth(fonts.scaled(300))
        self.range_fields, self.bar = RangeFields(clamp=True), ColourBar()
        self.range_fields.title.hide()  # the bar beside it tells what the numbers are
        self.find_field = QLineEdit()
        self.find_field.setFixedWidth(fonts.scaled(104))
        self.find_button = parts.button("", click=self.find_typed)
        self.fit_button = parts.icon_button("corners-out", click=self.area.fit)
        self.picture_button = parts.icon_button("download-simple", click=self.picture_dialog)
        self._build()
        self._connect()
        self.retranslate()
        self.show_note(None)

    def _build(self) -> None:
        column = parts.rows(self, margins=(1, 1, 1, 1))
        for widgets in (self._first_row(), self._second_row()):
            head = QWidget()
            head.setObjectName("surface")
            row = parts.columns(head, margins=(10, 3, 6, 3), gap=6)
            for widget in widgets:
                if widget is None:
                    row.addStretch(1)
                else:
                    row.addWidget(widget)
            column.addWidget(head)
        column.addWidget(parts.line())
        column.addWidget(self.stack, 1)

    def _first_row(self) -> list[QWidget | None]:
        segments = QWidget()
        inner = parts.columns(segments, gap=0)
        for view in _VIEWS:
            button = parts.Segment()
            button.clicked.connect(lambda _on=False, view=view: self._choose_view(view))
            self.view_group.addButton(button)
            self.view_buttons[view] = button
            inner.addWidget(button)
        parts.join(self.view_buttons.values())
        found: list[QWidget | None] = [segments, self.find_field, self.find_button, None]
        for kind in LEGEND:
            entry = QPushButton()
            entry.setCheckable(True)
            entry.setChecked(kind == "dp")
            entry.setProperty("flat", "true")
            entry.toggled.connect(lambda _on: self._show_legend())
            self.legend[kind] = entry
            found.append(entry)
        return found

    def _second_row(self) -> list[QWidget | None]:
        return [
            self.metric_label,
            self.metric_box,
            self.range_fields,
            self.bar,
            None,
            self.fit_button,
            self.picture_button,
        ]

    def _connect(self) -> None:
        self.metric_box.activated.connect(lambda _at: self._metric_chosen())
        self.range_fields.range_changed.connect(self.set_range)
        self.range_fields.refused.connect(lambda text: self.told.emit("warning", text))
        self.bar.range_changed.connect(self.set_range)
        self.find_field.returnPressed.connect(self.find_typed)
        self.area.element_clicked.connect(self.element_clicked)
        self.area.group_clicked.connect(self.group_clicked)
        self.area.element_menu.connect(lambda index, at: self.element_menu(index).exec(at))
        self.area.group_menu.connect(lambda name, members, at: self.group_menu(name, members).exec(at))

    def retranslate(self) -> None:
        """Texts in the current language."""
        self.metric_label.setText(tr("Performance Metric"))
        self.metric_box.setAccessibleName(tr("Performance Metric"))
        self.find_field.setPlaceholderText(tr("Target Index"))
        self.find_field.setAccessibleName(tr("Target Index"))
        self.find_button.setText(tr("Find"))
        parts.set_tip(self.fit_button, tr("Fit the height"))
        parts.set_tip(self.picture_button, tr("Export picture…"))
        self.area.setAccessibleName(tr("Parallel layout"))
        for kind, (text, colour) in LEGEND.items():
            short = {"moe_tp": "MoE-TP"}.get(kind, kind.upper())
            self.legend[kind].setText(short)
            parts.set_tip(self.legend[kind], tr(text))
            icons.put(self.legend[kind], "square-fill", colour)
            icons.fit(self.legend[kind], icons.ROW)
        for field in (self.range_fields.low_field, self.range_fields.high_field):
            field.setToolTip(tr("Visible Range"))
        self._name_views()
        self._fill_metrics(self.metric_key)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- views -------------------------------------------------------------------------------------------------------

    def _name_views(self) -> None:
        has_cp = self.strategy.cp > 1
        texts = {PP_VIEW: "DP + PP", CP_VIEW: "DP + PP + CP", FULL: "DP + PP + CP + TP" if has_cp else "DP + PP + TP"}
        for view, button in self.view_buttons.items():
            button.setText(texts[view])
            button.setChecked(view == self.dimension)
        self.view_buttons[CP_VIEW].setVisible(has_cp)

    def views(self) -> list[str]:
        """Views that are offered."""
        return [v for v in _VIEWS if v != CP_VIEW or self.strategy.cp > 1]

    def set_view(self, strategy: Strategy, dimension: str) -> None:
        """Which strategy and view the next graph is of; says nothing."""
        self.strategy = strategy
        self.dimension = dimension if dimension in (*self.views(), DP_VIEW) else FULL
        self._name_views()
        self._show_legend()

    def _choose_view(self, view: str) -> None:
        if view != self.dimension:
            self.set_view(self.strategy, view)
            self.dimension_changed.emit(view)

    def step_view(self, by: int) -> None:
        """Expand (+1) or collapse (−1) a dimension."""
        views = self.views()
        at = min(max(views.index(self.dimension) + by, 0), len(views) - 1)
        self._choose_view(views[at])

    def show_graph(self, elements: pa.Table, groups: pa.Table) -> None:
        """Rows of `parallel_layout` and `parallel_groups` of the view."""
        cp = self.strategy.cp if self.dimension in (FULL, CP_VIEW) else 1
        graph = Graph.made(elements, groups, cp)
        keep = graph.names == self.area.graph.names
        self.figures, self.base_figures = {}, None
        self.area.without_lines = frozenset() if self.dimension == FULL else frozenset({"pp"})
        self.area.show_graph(graph, keep=keep)
        self.show_note(None)
        self._fill_metrics("")

    def show_note(self, title: str | None, text: str = "") -> None:
        """Words in place of the graph; None shows it."""
        if title is not None:
            self.empty.set_texts(title, text)
        self.stack.setCurrentWidget(self.area if title is None else self.empty)

    def _show_legend(self) -> None:
        folded = {
            FULL: (), CP_VIEW: ("tp",), PP_VIEW: ("tp", "cp"), DP_VIEW: ("tp", "cp", "pp"),
        }[self.dimension]  # fmt: skip
        s = self.strategy
        sizes = {"pp": s.pp, "tp": s.tp, "cp": s.cp, "dp": s.dp, "ep": s.ep, "moe_tp": s.moe_tp}
        for kind, entry in self.legend.items():
            entry.setVisible(sizes[kind] > 1)
            disabled = (
                kind in folded or kind == "moe_tp" or (kind == "ep" and s.algorithm in (MINDIE, VLLM) and bool(folded))
            )
            entry.setEnabled(not disabled)
        self.area.set_shown(
            frozenset(k for k, e in self.legend.items() if e.isChecked() and e.isEnabled() and sizes[k] > 1)
        )

    # ---- figures and colours -----------------------------------------------------------------------------------------

    def show_figures(
        self, found: pa.Table, times: pa.Table, base: pa.Table | None = None, base_times: pa.Table | None = None
    ) -> None:
        """Figures per element (`rank` or `index`), communication time by group; those of the baseline with a comparison."""
        self.figures = self._by_element(found, times)
        self.base_figures = self._by_element(base, base_times) if base is not None else None
        auto = _TIME + _AUTO.get(self.dimension, "")
        self._fill_metrics(auto if auto in self.figures else "")

    def _by_element(self, found: pa.Table, times: pa.Table | None) -> dict[str, np.ndarray[Any, Any]]:
        count = len(self.area.graph)
        made: dict[str, np.ndarray[Any, Any]] = {}
        key = "rank" if "rank" in found.column_names else "index"
        if found.num_rows:
            at = found[key].to_numpy()
            inside = (at >= 0) & (at < count)
            for name in found.column_names:
                if name not in (key, "name", "ranks"):
                    made[name] = np.full(count, np.nan)
                    made[name][at[inside]] = found[name].to_numpy()[inside]
        if times is not None:
            key = "rank" if "rank" in times.column_names else "index"
            rows = zip(*(times[n].to_pylist() for n in (key, "pg_name", "time_us")), strict=True)
            for index, name, value in rows:
                if 0 <= index < count:
                    made.setdefault(_TIME + name, np.full(count, np.nan))[index] = value
        return made

    @property
    def metric_key(self) -> str:
        """Key of the figure that gives the colours, empty for none."""
        return str(self.metric_box.currentData() or "")

    def title_of(self, key: str) -> str:
        """Words for a figure."""
        if key.startswith(_TIME):
            return group_figure(key.removeprefix(_TIME), folded=self.dimension != FULL)
        return figure(key)

    def _fill_metrics(self, current: str) -> None:
        with QSignalBlocker(self.metric_box):
            self.metric_box.clear()
            self.metric_box.addItem(tr("None"), "")
            order = [k for k in FIGURES if k in self.figures] + [k for k in self.figures if k not in FIGURES]
            for key in order:
                if key not in _NOT_COLOURED:
                    self.metric_box.addItem(self.title_of(key), key)
            self.metric_box.setCurrentIndex(max(0, self.metric_box.findData(current)))
        self.range = None
        self._show_colours()

    def choose_metric(self, key: str) -> None:
        """Colour by a figure."""
        self._fill_metrics(key)

    def _metric_chosen(self) -> None:
        self.range = None
        self._show_colours()

    def set_range(self, low: float, high: float) -> None:
        """Colour only values between two ends, kept inside the values there are."""
        first, last = self.extent()
        self.range = min(max(low, first), last), min(max(high, first), last)
        self._show_colours()

    def extent(self) -> tuple[float, float]:
        """Smallest and largest value of the figure in force."""
        values = self.figures.get(self.metric_key)
        known = values[~np.isnan(values)] if values is not None else np.empty(0)
        return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)

    def _show_colours(self) -> None:
        values = self.figures.get(self.metric_key)
        for widget in (self.range_fields, self.bar):
            widget.setVisible(values is not None)
        count = len(self.area.graph)
        if values is None:
            self.area.set_colours([None] * count)
            return
        low, high = self.extent()
        chosen = self.range or (low, high)
        self.range_fields.show_range(low, high, chosen, decimals=3)
        self.bar.show_range(HOT, low, high, chosen, unit="µs", decimals=3)
        self.area.set_colours([self._colour(float(v), *chosen) for v in values])

    @staticmethod
    def _colour(value: float, low: float, high: float) -> QColor | None:
        if math.isnan(value) or value == 0:
            return None
        return HOT.of_value(value, low, high)

    # ---- tooltip, menus, find ----------------------------------------------------------------------------------------

    def lines_of(self, index: int) -> list[tuple[str, str]]:
        """Attributes of an element as title and value."""
        graph = self.area.graph
        lines = [
            (tr("Index"), str(index)),
            (tr("Name"), graph.names[index] or "–"),
            (tr("Included Ranks"), graph.ranks[index]),
        ]
        for key, values in self.figures.items():
            value = float(values[index])
            unit = "%" if key.endswith("_ratio") else "µs"
            text = "–" if math.isnan(value) else f"{number_text.number(value, 3)} {unit}"
            if self.base_figures is not None:
                base = self.base_figures.get(key)
                other = 0.0 if base is None or math.isnan(base[index]) else float(base[index])
                now = 0.0 if math.isnan(value) else value
                text = f"{text} ({number_text.signed(round(now - other, 3), 3)})"
            lines.append((self.title_of(key), text))
        return lines

    def tip(self, index: int) -> list[ReadoutLine]:
        """The readout of an element."""
        return [ReadoutLine(None, title, value) for title, value in self.lines_of(index)]

    def element_menu(self, index: int) -> QMenu:
        """What can be done with an element."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        views = self.views()
        at = views.index(self.dimension) if self.dimension in views else 0
        value = float(self.figures[self.metric_key][index]) if self.metric_key in self.figures else math.nan
        low, high = self.range or self.extent()
        for text, enabled, do in (
            (tr("Expand"), at < len(views) - 1, lambda: self.step_view(1)),
            (tr("Collapse"), at > 0, lambda: self.step_view(-1)),
            (tr("Set as Lower Bound"), not math.isnan(value), lambda: self._bound(value, high, value > high)),
            (tr("Set as Upper Bound"), not math.isnan(value), lambda: self._bound(low, value, value < low)),
            (tr("Copy attributes"), True, lambda: self.copy(index)),
            (tr("Show in Timeline"), self.dimension == FULL, lambda: self.timeline_wanted.emit(index)),
        ):
            action = menu.addAction(text)
            action.setEnabled(enabled)
            action.triggered.connect(lambda _checked=False, do=do: do())
        return menu

    def _bound(self, low: float, high: float, crosses: bool) -> None:
        if crosses:
            self.told.emit("warning", tr("The lower bound is above the upper bound."))
        else:
            self.set_range(low, high)

    def copy(self, index: int) -> None:
        """Put the attributes of an element on the clipboard."""
        QGuiApplication.clipboard().setText("".join(f"{title}: {value}\n" for title, value in self.lines_of(index)))

    def group_menu(self, name: str, members: tuple[int, ...]) -> QMenu:
        """What can be done with a line or frame."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        action = menu.addAction(tr("View Communication Duration Analysis"))
        action.setEnabled(self.dimension == FULL)
        action.triggered.connect(lambda _checked=False: self.communication_wanted.emit(name, members))
        copied = menu.addAction(tr("Copy"))
        copied.triggered.connect(lambda _checked=False: QGuiApplication.clipboard().setText(Group(name, members).text))
        return menu

    def picture_dialog(self) -> None:
        """Ask for a file and write the layout to it."""
        name, kind = QFileDialog.getSaveFileName(self, tr("Export picture"), "", "PNG (*.png);;SVG (*.svg)")
        if name:
            self.export(chart_export.named(name, kind))

    def export(self, path: Path) -> None:
        """Write the whole layout to a .png or .svg."""
        whole = self.area.graph.size
        scale = min(1.0, _WIDEST_PICTURE / max(1.0, whole.width()))
        size = QSize(max(320, round(whole.width() * scale)), max(120, round(whole.height() * scale)) + 60)
        legend = [
            Entry(kind, tr(LEGEND[kind][0]), QColor(LEGEND[kind][1])) for kind in LEGEND if kind in self.area.shown
        ]
        title = (
            tr("Parallel layout")
            if not self.metric_key
            else f"{tr('Parallel layout')} · {self.title_of(self.metric_key)}"
        )
        try:
            chart_export.write_picture(path, size, title, legend, self.area.paint_whole)
        except BadArgument as error:
            self.told.emit("error", f"{error.message} {error.fix}".strip())

    def find_typed(self) -> None:
        """Show the element whose index was typed."""
        text = self.find_field.text().strip()
        if not text.isdigit() or not self.reveal(int(text)):
            self.told.emit("warning", tr("There is no element {0} in this view.").format(text or "–"))

    def reveal(self, index: int) -> bool:
        """Bring an element into view with its lines; False when there is none of that index."""
        return self.area.reveal(index)
