"""The matrix of the links between the ranks of a group: one metric as colours, all of them in the readout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PySide6.QtCore import Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QWidget

from insight_desktop.engine.system import communication as queries
from insight_desktop.errors import InsightError
from insight_desktop.ingest.formats.cluster_rank import TOTAL
from insight_desktop.views.common import fonts, number_text, parts, theme
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.card_selector import SearchBox
from insight_desktop.views.common.chart_readout import ReadoutLine
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.heat_colours import COLD, HOT
from insight_desktop.views.common.heat_data import Cells
from insight_desktop.views.common.heat_map import HeatMap
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.system import communication_compare
from insight_desktop.views.system.communication_choice import Choice

Metric = Literal["bandwidth_gbs", "size_mb", "transit_ms", "transport"]
METRICS: dict[Metric, tuple[str, str]] = {  # title, unit
    "bandwidth_gbs": (QT_TRANSLATE_NOOP("insight", "Bandwidth"), "GB/s"),
    "size_mb": (QT_TRANSLATE_NOOP("insight", "Transit Size"), "MB"),
    "transit_ms": (QT_TRANSLATE_NOOP("insight", "Transit Time"), "ms"),
    "transport": (QT_TRANSLATE_NOOP("insight", "Transport Type"), ""),
}
TRANSPORTS = {"HCCS": "#f82d18", "PCIE": "#eac299", "RDMA": "#c7eef5", "LOCAL": "#0177ff", "SIO": "#48AA82"}
SAME, DIFFERENT = ("#48AA82", "#f82d18")
_NUMBERS: tuple[Metric, ...] = ("bandwidth_gbs", "size_mb", "transit_ms")
_DIGITS = 4


class Links:
    """The links of a group, found by source and destination; `ranks` are those of the group, else those of the links."""

    def __init__(self, table: pa.Table, ranks: tuple[int, ...]) -> None:
        self.table = table
        self._src = np.asarray(table["src"].to_numpy(), np.int64)
        self._dst = np.asarray(table["dst"].to_numpy(), np.int64)
        known = np.union1d(self._src, self._dst)
        self.ranks = tuple(sorted(ranks)) or tuple(int(r) for r in known)
        self._factor = int(known.max()) + 1 if len(known) else 1
        keys = self._src * self._factor + self._dst
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    @property
    def is_inner_only(self) -> bool:
        """No link leads to another rank."""
        return bool((self._src == self._dst).all())

    def rows_of(self, src: int, dst: int) -> npt.NDArray[np.int64]:
        """Rows of the table with the links from a rank to a rank, in their order."""
        if dst >= self._factor:
            return np.empty(0, np.int64)
        key = src * self._factor + dst
        first, last = np.searchsorted(self._keys, [key, key + 1])
        return np.asarray(self._order[first:last], np.int64)

    def of(self, src: int, dst: int) -> list[dict[str, Any]]:
        """All links from a rank to a rank, in their order."""
        return list(self.table.take(pa.array(self.rows_of(src, dst))).to_pylist())

    def matrix(self, column: npt.NDArray[np.float64], *, inner: bool) -> npt.NDArray[np.float64]:
        """A value of every link at row destination, column source; the first of several links counts, NaN without one."""
        size = len(self.ranks)
        values: npt.NDArray[np.float64] = np.full((size, size), math.nan)
        if not size:
            return values
        ranks = np.array(self.ranks, np.int64)
        x, y = np.searchsorted(ranks, self._src), np.searchsorted(ranks, self._dst)
        kept = (x < size) & (y < size)
        kept &= ranks[np.minimum(x, size - 1)] == self._src
        kept &= ranks[np.minimum(y, size - 1)] == self._dst
        if not inner:
            kept &= self._src != self._dst
        at = np.flatnonzero(kept)[::-1]  # the first one is written last
        values[y[at], x[at]] = column[at]
        return values


def no_links() -> Links:
    """No links of no ranks."""
    return Links(pa.table({"src": pa.array([], pa.int32()), "dst": pa.array([], pa.int32())}), ())


class MatrixPanel(QWidget):
    """Controls and heat map of the links.

    Signals:
        link_chosen: source and destination that were clicked.
        changed: metric, operator or switch are others.
        shown: other links are there.
    """

    link_chosen = Signal(int, int)
    changed = Signal()
    shown = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._asker = Asker(context, self)
        self.choice: Choice | None = None
        self.links = no_links()
        self.heat = HeatMap(fields=True, wheel_zooms=False)
        self.op_box = SearchBox()
        self.op_box.setMaximumWidth(220)
        self.op_box.setMinimumWidth(130)
        self.range_button = parts.icon_button("sliders-horizontal")
        self.range_button.setCheckable(True)
        self.inner_box = QCheckBox()
        self.metric_buttons: dict[Metric, Any] = {}
        self._group = QButtonGroup(self)
        self._build()
        self.retranslate()

    def _build(self) -> None:
        self.controls = QWidget()
        self.controls.setObjectName("surface")
        parts.keep_height(self.controls, 34)
        row = parts.columns(self.controls, margins=(10, 2, 10, 2), gap=6)
        segments = parts.columns(gap=0)
        for metric in METRICS:
            button = parts.Segment()
            self.metric_buttons[metric] = button
            self._group.addButton(button)
            segments.addWidget(button)
            button.clicked.connect(lambda _checked=False: self._metric_chosen())
        parts.join(self.metric_buttons.values())
        self.metric_buttons["bandwidth_gbs"].setChecked(True)
        row.addLayout(segments)
        row.addStretch(1)
        second = QWidget()
        second.setObjectName("surface")
        parts.keep_height(second, 34)
        below = parts.columns(second, margins=(10, 2, 10, 2), gap=6)
        below.addWidget(self.op_box)
        self.op_hint = parts.icon_button("info")
        below.addWidget(self.op_hint)
        below.addWidget(self.inner_box)
        below.addStretch(1)
        below.addWidget(self.range_button)
        third = QWidget()
        third.setObjectName("surface")
        parts.keep_height(third, 34)
        last = parts.columns(third, margins=(10, 2, 10, 2), gap=6)
        last.addStretch(1)
        last.addWidget(self.heat.fields)
        third.hide()
        column = self.heat.layout()
        assert column is not None
        column.insertWidget(2, self.controls)  # type: ignore[attr-defined]
        column.insertWidget(3, second)  # type: ignore[attr-defined]
        column.insertWidget(4, third)  # type: ignore[attr-defined]
        self.range_button.toggled.connect(third.setVisible)
        parts.rows(self).addWidget(self.heat)
        self.op_box.activated.connect(lambda _at: self._op_chosen())
        self.inner_box.toggled.connect(lambda _on: self._inner_changed())
        self.heat.cell_clicked.connect(self._cell_clicked)
        self.heat.refused.connect(lambda text: self.context.message.emit("warning", text, ""))
        self.heat.exported.connect(
            lambda path: self.context.message.emit("success", tr("Exported: {0}").format(path), "")
        )
        self.heat.failed.connect(lambda error: self.context.message.emit("error", error.message, error.fix))
        theme.notifier.changed.connect(self._theme_changed)

    def retranslate(self) -> None:
        """Texts in the current language."""
        for metric, button in self.metric_buttons.items():
            button.setText(tr(METRICS[metric][0]))
        self.inner_box.setText(tr("Show Inner Communication"))
        parts.set_tip(self.range_button, tr("Visible Range"))
        self.op_box.setAccessibleName(tr("Operator Name"))
        parts.set_tip(
            self.op_hint,
            tr(
                "total: all operators of the type. top1, middle, bottom1 to bottom3: one operator per link, by its place "
                "in the order of bandwidth, the fastest first."
            ),
        )
        self._titles()

    def _titles(self) -> None:
        about = self.choice.group.short if self.choice is not None else ""
        self.heat.set_title(tr("Communication Matrix"), about)

    # ---- what is chosen ----------------------------------------------------------------------------------------------

    @property
    def shown_metric(self) -> Metric:
        """What the colours show."""
        return next(m for m, b in self.metric_buttons.items() if b.isChecked())

    def set_metric(self, metric: Metric) -> None:
        """Show another metric."""
        self.metric_buttons[metric].setChecked(True)
        self._show_cells()

    @property
    def op(self) -> str:
        """The operator of the links, `<type>-<sort>` or the sum."""
        found = self.op_box.currentData()
        return str(found) if found else TOTAL

    def set_operators(self, names: Sequence[str], wanted: str | None = None) -> None:
        """The operators there are."""
        chosen = next((n for n in (wanted, self.op) if n in names), None) or (TOTAL if TOTAL in names else None)
        self.op_box.fill([(n, n) for n in names], chosen or (names[0] if names else None))

    def view_state(self) -> dict[str, Any]:
        """Metric, operator and switch."""
        return {"metric": self.shown_metric, "op": self.op, "inner": self.inner_box.isChecked()}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; the operator comes with its names."""
        if state.get("metric") in get_args(Metric):
            self.metric_buttons[state["metric"]].setChecked(True)
        self.inner_box.setChecked(bool(state.get("inner")))

    def _metric_chosen(self) -> None:
        self._show_cells()
        self.changed.emit()

    def _inner_changed(self) -> None:
        self._show_cells()
        self.changed.emit()

    def _op_chosen(self) -> None:
        if self.choice is not None:
            self.show_choice(self.choice)
        self.changed.emit()

    # ---- asking ------------------------------------------------------------------------------------------------------

    def show_choice(self, choice: Choice) -> None:
        """Ask for the links of a choice."""
        self.choice = choice
        self.op_box.setEnabled(not choice.is_compared)
        self._titles()
        if choice.is_compared:
            self._asker.forget(queries.matrix)
            self._asker.ask(communication_compare.matrix, then=self._show, failed=self._failed, choice=choice)
        else:
            self._asker.forget(communication_compare.matrix)
            self._asker.ask(queries.matrix, then=self._show, failed=self._failed, op=self.op, **choice.arguments())

    def _failed(self, error: InsightError) -> None:
        self.links = Links(self.links.table.slice(0, 0), ())
        self.heat.set_empty(say(error.message), say(error.fix))
        self.shown.emit()

    def _show(self, table: pa.Table) -> None:
        self.links = Links(table, self.choice.group.ranks if self.choice is not None else ())
        self._show_cells()
        self.shown.emit()

    # ---- cells -------------------------------------------------------------------------------------------------------

    def _show_cells(self) -> None:
        choice = self.choice
        if choice is None:
            return
        if not self.links.table.num_rows:
            self.heat.set_empty(
                tr("No links in step {0}").format(choice.step),
                tr(
                    "communication_matrix.json of the ranks has no links of this group, or the ranks do not have the file."
                ),
            )
            return
        if self.links.is_inner_only and not self.inner_box.isChecked():
            self.heat.set_empty(
                tr("The ranks of this group have no links to other ranks"),
                tr("Switch on Show Inner Communication to see what each rank moves by itself."),
            )
            return
        cells = self.cells()
        self.heat.set_cells(cells, colours=self.colours(), keep_window=True)

    def colours(self) -> Any:
        """Bad ends are red: low bandwidth and size, long times."""
        return HOT if self.shown_metric == "transit_ms" else COLD

    def cells(self) -> Cells:
        """The matrix of the current metric: columns are sources, rows destinations, ascending upwards."""
        metric = self.shown_metric
        compared = self.choice is not None and self.choice.is_compared
        column = self._values(metric, compared)
        values = self.links.matrix(column, inner=self.inner_box.isChecked())
        names = [str(rank) for rank in self.links.ranks]
        title, unit = METRICS[metric]
        classes: list[tuple[str, QColor]] = []
        if metric == "transport":
            classes = (
                [(tr("Same"), QColor(SAME)), (tr("Different"), QColor(DIFFERENT))]
                if compared
                else [(name, QColor(colour)) for name, colour in TRANSPORTS.items()]
            )
        return Cells(
            values, names, names, tr(title), unit, _DIGITS, compared and metric != "transport", tr("Dst Rank Id"),
            tr("Src Rank Id"), classes=classes, texts=self._text, tip=self._tip, rows_up=True,
            strong="high" if metric == "transit_ms" else "low",
        )  # fmt: skip

    def _values(self, metric: Metric, compared: bool) -> npt.NDArray[np.float64]:
        """One number per link: the metric, or the number of its class."""
        table = self.links.table
        if metric != "transport":
            return np.asarray(table[metric].cast(pa.float64()).to_numpy(), np.float64)
        if compared:
            return np.where(np.asarray(table["is_same_transport"]), 0.0, 1.0)
        kinds = {name: float(i) for i, name in enumerate(TRANSPORTS)}
        found = table["transport"].combine_chunks().dictionary_encode()
        known = np.array([*(kinds.get(name, math.nan) for name in found.dictionary.to_pylist()), math.nan])
        return known[np.asarray(found.indices.fill_null(-1))]

    def _pair(self, row: int, column: int) -> tuple[int, int]:
        return self.links.ranks[column], self.links.ranks[row]

    def _rows(self, row: int, column: int) -> list[dict[str, Any]]:
        src, dst = self._pair(row, column)
        return self.links.of(src, dst) if src != dst or self.inner_box.isChecked() else []

    def _text(self, row: int, column: int) -> str:
        """A cell's words: two decimals, several links of one pair in brackets with the last one first."""
        rows = self._rows(row, column)
        compared = self.choice is not None and self.choice.is_compared
        if self.shown_metric == "transport" and compared:
            texts = [transports_text(r) for r in rows]
        elif self.shown_metric == "transport":
            texts = [str(r["transport"]) for r in rows]
        else:
            say_ = number_text.signed if compared else number_text.number
            wide = len(self.links.ranks) > 4
            texts = [say_(r[self.shown_metric], 2 if wide else _DIGITS) for r in rows]
        return texts[0] if len(texts) == 1 else f"[{','.join(reversed(texts))}]" if texts else ""

    def _tip(self, row: int, column: int) -> list[ReadoutLine]:
        src, dst = self._pair(row, column)
        rows = self._rows(row, column)
        lines = [ReadoutLine(self.heat.area.colour_of(row, column), f"{src} -> {dst}", "")]
        if not rows:
            return [*lines, ReadoutLine(None, tr("no link"), "")]
        for link in rows:
            if link.get("op_name"):
                lines.append(ReadoutLine(None, tr("Operator Name"), link["op_name"]))
            for metric in METRICS:
                lines += self._metric_lines(metric, link)
        return lines

    def _metric_lines(self, metric: Metric, link: dict[str, Any]) -> list[ReadoutLine]:
        title, unit = METRICS[metric]
        compared = "in_baseline" in link
        if metric == "transport":
            text = transports_text(link) if compared else str(link["transport"])
            return [ReadoutLine(None, tr(title), text)]
        if not compared:
            return [ReadoutLine(None, tr(title), f"{number_text.number(link[metric], _DIGITS)} {unit}")]
        value = link[metric]
        colour = theme.token("ok" if (value or 0) >= 0 else "error")
        sides = " / ".join(number_text.number(link[f"{metric}_{side}"], _DIGITS) for side in ("comparison", "baseline"))
        return [ReadoutLine(colour, tr(title), f"{number_text.signed(value, _DIGITS)} {unit} ({sides})")]

    def _cell_clicked(self, row: int, column: int) -> None:
        self.link_chosen.emit(*self._pair(row, column))

    def select_link(self, src: int, dst: int) -> bool:
        """Frame a link; False when it is not in the matrix."""
        ranks = self.links.ranks
        if src not in ranks or dst not in ranks:
            return False
        self.heat.select(ranks.index(dst), ranks.index(src))
        return True

    def facts(self, src: int, dst: int) -> list[str]:
        """A link in words, for the status bar."""
        found = self.links.of(src, dst)
        if not found:
            return []
        link = found[0]
        texts = [tr("Link {0} -> {1}").format(src, dst)]
        if "in_baseline" in link:
            texts.append(transports_text(link))
        else:
            texts.append(str(link["transport"]))
        for metric in _NUMBERS:
            texts.append(f"{number_text.number(link[metric], _DIGITS)} {METRICS[metric][1]}")
        return texts

    def _theme_changed(self) -> None:
        self.op_box.setMaximumWidth(fonts.scaled(220))


def transports_text(link: dict[str, Any]) -> str:
    """Transports of a compared link, the baseline first: `RDMA->HCCS`."""
    now, then = link.get("transport_comparison") or "–", link.get("transport_baseline") or "–"
    return now if now == then else f"{then}->{now}"
