"""Prefill and decode on different nodes: roles, stages of requests, transfers of the cache, the coordinator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.service import pd
from insight_desktop.views.common import parts
from insight_desktop.views.common.arrow_table import ColumnSpec
from insight_desktop.views.common.chart import Axis, Series
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.service.overview_part import Part, Shown, TablePanel, chart, grid, numbers, time_axis

_NODES = (
    ColumnSpec("pid", QT_TRANSLATE_NOOP("insight", "Process"), width=90),
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name"), width=100),
    ColumnSpec("host", QT_TRANSLATE_NOOP("insight", "Host"), width=120),
    ColumnSpec("role", QT_TRANSLATE_NOOP("insight", "Role"), width=80),
    ColumnSpec("steps", QT_TRANSLATE_NOOP("insight", "Steps"), kind="count"),
    ColumnSpec("requests", QT_TRANSLATE_NOOP("insight", "Requests"), kind="count"),
)
_STAGES = (
    ColumnSpec("rid", QT_TRANSLATE_NOOP("insight", "Request"), kind="link", width=110),
    ColumnSpec("send_wait_ns", QT_TRANSLATE_NOOP("insight", "Until sent"), unit="ms", kind="duration"),
    ColumnSpec("transfer_wait_ns", QT_TRANSLATE_NOOP("insight", "Sending"), unit="ms", kind="duration"),
    ColumnSpec("prefill_wait_ns", QT_TRANSLATE_NOOP("insight", "Prefill"), unit="ms", kind="duration"),
    ColumnSpec("decode_wait_ns", QT_TRANSLATE_NOOP("insight", "Decode"), unit="ms", kind="duration"),
    ColumnSpec("hosts", QT_TRANSLATE_NOOP("insight", "Hosts"), width=100),
)
_ROLES = {"prefill": QT_TRANSLATE_NOOP("insight", "prefill"), "decode": QT_TRANSLATE_NOOP("insight", "decode"),
          "mixed": QT_TRANSLATE_NOOP("insight", "mixed")}  # fmt: skip


class Separation(Part):
    """Nodes, stages, transfers."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.nodes, self.stages = TablePanel(_NODES), TablePanel(_STAGES)
        self.pulls, self.running = chart(), chart()
        self._rids: list[str] = []
        inside = QWidget()
        grid(inside, [[self.nodes, self.running], [self.stages, self.pulls]])
        inside.setMinimumHeight(400)
        parts.rows(self).addWidget(parts.scrolling(inside))
        self.stages.activated.connect(lambda at: self.request_wanted.emit(self.stages.row(at)["rid"]))
        self.pulls.point_clicked.connect(self._point)
        self.retranslate()

    def retranslate(self) -> None:
        if not hasattr(self, "nodes"):
            return
        self.nodes.set_title(tr("Nodes"))
        self.stages.set_title(tr("Stages of requests"), tr("between the events of both nodes"))
        self.pulls.set_title(tr("Transfers of the cache"))
        self.running.set_title(tr("Running requests per node"), tr("recomputed from what was added and ended"))

    def load(self, shown: Shown) -> None:
        self.ask(pd.nodes, self._nodes, card=shown.card)
        self.ask(pd.stages, self._stages, card=shown.card, failed=lambda _e: self._stages(pa.table({})))
        self.ask(pd.pulls, self._pulls, card=shown.card)
        self.ask(pd.coordinator, self._coordinator, card=shown.card, failed=self.empties(self.running))

    def _nodes(self, table: pa.Table) -> None:
        roles = [tr(_ROLES[r]) for r in table["role"].to_pylist()]
        self.nodes.show_table(table.set_column(table.column_names.index("role"), "role", pa.array(roles, pa.string())))

    def _stages(self, table: pa.Table) -> None:
        if not table.num_rows:
            kinds = [
                ("rid", pa.string()),
                *((f"{s}_wait_ns", pa.int64()) for s in ("send", "transfer", "prefill", "decode")),
                ("hosts", pa.string()),
            ]
            self.stages.show_table(pa.schema(kinds).empty_table(), tr("This run has no events between nodes."))
            return
        words = [tr("cross-host") if c else "" for c in table["cross_host"].to_pylist()]
        self.stages.show_table(table.append_column("hosts", pa.array(words, pa.string())))

    def _pulls(self, table: pa.Table) -> None:
        if not table.num_rows:
            self.pulls.set_empty(tr("No transfers"), tr("The run has no PullKVCache events."))
            return
        self._rids = table["rid"].to_pylist()
        series = []
        for rank in dict.fromkeys(table["rank"].to_pylist()):
            mine = table.filter(pc.equal(table["rank"], rank))
            series.append(Series(str(rank), tr("rank {0}").format(rank), self.seconds(mine["start_ns"]), numbers(mine["duration_ns"]) / 1e6,
                                 kind="scatter", unit="ms", decimals=3, labels=mine["rid"].to_pylist()))  # fmt: skip
        self.pulls.set_axes(time_axis(), Axis(tr("Duration (ms)"), from_zero=True))
        self.pulls.set_series(series)

    def _coordinator(self, table: pa.Table) -> None:
        series = []
        for address, kind in dict.fromkeys(
            zip(table["address"].to_pylist(), table["node_type"].to_pylist(), strict=True)
        ):
            mine = table.filter(pc.and_(pc.equal(table["address"], address), pc.equal(table["node_type"], kind)))
            times = self.seconds(mine["time_ns"])
            x = times if not np.isnan(times).any() else np.arange(mine.num_rows) * 5.0
            series.append(
                Series(f"{address}.{kind}", f"{kind} {address}", x, numbers(mine["running"]), kind="step", decimals=0)
            )
        self.running.set_axes(time_axis(), Axis(tr("Requests"), from_zero=True, whole=True))
        self.running.set_series(series)

    def _point(self, key: str, at: int) -> None:
        found = next((s for s in self.pulls.series if s.key == key), None)
        if found is not None and found.labels is not None and 0 <= at < len(found.labels):
            self.request_wanted.emit(found.labels[at])
