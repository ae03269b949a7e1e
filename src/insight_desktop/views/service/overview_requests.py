"""Requests with their latencies and waterfall; the chosen one in depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QSplitter, QWidget

from insight_desktop.engine.service import kv, requests
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.context import RequestPlace
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.totals_row import TotalsRow
from insight_desktop.views.service.overview_detail import RequestDetail
from insight_desktop.views.service.overview_part import Part, Shown
from insight_desktop.views.service.overview_waterfall import ChipDelegate, PartLegend, WaterfallDelegate

_STATES = {
    "done": QT_TRANSLATE_NOOP("insight", "done"), "running": QT_TRANSLATE_NOOP("insight", "unfinished"),
    "no_arrival": QT_TRANSLATE_NOOP("insight", "no arrival"), "no_token": QT_TRANSLATE_NOOP("insight", "no token"),
}  # fmt: skip
_METRIC_NAMES = {
    "ttft": "TTFT",
    "tpot": "TPOT",
    "e2e": "E2E",
    "itl": "ITL",
    "queue": QT_TRANSLATE_NOOP("insight", "Queue"),
}
HIDDEN = ("card", "state", "cache_hit", "itl_p99_ns", "itl_max_ns", "normalized_ns", "preemptions", "recorded_ttft_ns",
          "recorded_e2e_ns", "recorded_queue_ns", "differs", "flags")  # fmt: skip


def columns_of(*, in_seconds: bool) -> tuple[ColumnSpec, ...]:
    """Columns of the table; E2E in s where requests take long."""
    e2e = "s" if in_seconds else "ms"
    return (
        ColumnSpec("rid", QT_TRANSLATE_NOOP("insight", "Request"), width=120),
        ColumnSpec("card", QT_TRANSLATE_NOOP("insight", "Instance"), width=110),
        ColumnSpec("arrival", QT_TRANSLATE_NOOP("insight", "Arrival"), unit="s", kind="duration"),
        ColumnSpec("n_in", QT_TRANSLATE_NOOP("insight", "In"), kind="count", tooltip=QT_TRANSLATE_NOOP("insight", "Tokens of the prompt")),
        ColumnSpec("n_out", QT_TRANSLATE_NOOP("insight", "Out"), kind="count", tooltip=QT_TRANSLATE_NOOP("insight", "Tokens of the answer")),
        ColumnSpec("queue_ns", QT_TRANSLATE_NOOP("insight", "Queue"), unit="ms", kind="duration"),
        ColumnSpec("ttft_ns", "TTFT", unit="ms", kind="duration"),
        ColumnSpec("tpot_ns", "TPOT", unit="ms", kind="duration"),
        ColumnSpec("e2e_ns", "E2E", unit=e2e, kind="duration"),
        ColumnSpec("stall_ns", QT_TRANSLATE_NOOP("insight", "Stall"), unit="ms", kind="duration"),
        ColumnSpec("preemptions", QT_TRANSLATE_NOOP("insight", "Preemptions"), kind="count"),
        ColumnSpec("itl_p99_ns", "ITL P99", unit="ms", kind="duration"),
        ColumnSpec("itl_max_ns", QT_TRANSLATE_NOOP("insight", "ITL max"), unit="ms", kind="duration"),
        ColumnSpec("normalized_ns", QT_TRANSLATE_NOOP("insight", "E2E ÷ tokens"), unit="ms", kind="duration"),
        ColumnSpec("cache_hit", QT_TRANSLATE_NOOP("insight", "Cache hit"), kind="percent"),
        ColumnSpec("recorded_ttft_ns", QT_TRANSLATE_NOOP("insight", "TTFT recorded"), unit="ms", kind="duration"),
        ColumnSpec("recorded_e2e_ns", QT_TRANSLATE_NOOP("insight", "E2E recorded"), unit="ms", kind="duration"),
        ColumnSpec("recorded_queue_ns", QT_TRANSLATE_NOOP("insight", "Queue recorded"), unit="ms", kind="duration"),
        ColumnSpec("differs", QT_TRANSLATE_NOOP("insight", "Differs"), width=90),
        ColumnSpec("state", QT_TRANSLATE_NOOP("insight", "State"), width=80),
        ColumnSpec("flags", QT_TRANSLATE_NOOP("insight", "Notes"), width=110),
        ColumnSpec("slo", "SLO", width=116, tooltip=QT_TRANSLATE_NOOP("insight", "Limits that are not met")),
        ColumnSpec("waterfall", QT_TRANSLATE_NOOP("insight", "Waterfall"), filters=False),
    )  # fmt: skip


class Requests(Part):
    """The table and the chosen request.

    Signals:
        told: texts for the status bar.
    """

    told = Signal(list)

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.title, self.words = parts.label(strong=True), parts.label(level=2)
        self.legend = PartLegend()
        self.table = ArrowTable(columns=columns_of(in_seconds=False))
        self.table.setProperty("edge", "none")
        self.delegate = WaterfallDelegate(self.table)
        self.chips = ChipDelegate(self.table)
        self.totals = TotalsRow(self.table, {})
        self.detail = RequestDetail(context)
        self.detail.hide()
        self._wanted: str | None = None
        self._filter_wanted: dict[str, str] | None = None
        self._in_seconds: bool | None = None
        self._build()
        self.table.current_row_changed.connect(self._chosen)
        self.table.row_activated.connect(self._activated)
        self.detail.closed.connect(lambda: self.detail.hide())
        self.detail.jump_wanted.connect(self.jump_wanted)
        self.table.sort_by("ttft_ns", descending=True)
        self._hide_columns(set(HIDDEN))

    def _build(self) -> None:
        box = QFrame()
        box.setObjectName("box")
        head = QWidget()
        parts.keep_height(head, 30)
        row = parts.columns(head, margins=(10, 0, 10, 0))
        row.addWidget(self.title)
        row.addWidget(self.words)
        row.addStretch(1)
        row.addWidget(self.legend)
        column = parts.rows(box, margins=(1, 1, 1, 1))
        column.addWidget(head)
        column.addWidget(parts.line())
        column.addWidget(self.table, 1)
        column.addWidget(self.totals)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("panels")
        self.splitter.setHandleWidth(10)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(box)
        self.splitter.addWidget(self.detail)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes([780, 470])
        parts.rows(self).addWidget(self.splitter)

    def retranslate(self) -> None:
        if hasattr(self, "title"):
            self._say_title()

    def load(self, shown: Shown) -> None:
        self.table.set_passing(None)
        self.title.setText(tr("Requests"))
        self.ask(requests.list, self._arrived, **shown.arguments(), **shown.limit_arguments())
        self.ask(kv.preemptions, self._stalls, card=shown.card)

    def _stalls(self, table: pa.Table) -> None:
        found: dict[str, list[tuple[int, int]]] = {}
        for row in table.select(["rid", "start_ns", "end_ns"]).to_pylist():
            if row["end_ns"] is not None:
                found.setdefault(row["rid"], []).append((row["start_ns"], row["end_ns"]))
        self.delegate.stalls = found
        self.delegate._table = None
        self.table.viewport().update()

    def _arrived(self, table: pa.Table) -> None:
        zero = self.shown.zero_ns if self.shown is not None else 0
        found = shown_table(table, zero)
        longest = pc.max(table["e2e_ns"]).as_py() or 1
        self.delegate.longest_ns = max(1, longest)
        in_seconds = longest >= 10_000_000_000
        sort, hidden = self.table.sort, self._hidden()
        if in_seconds != self._in_seconds:
            self._in_seconds = in_seconds
            self.table.set_columns(columns_of(in_seconds=in_seconds), found)
            if sort is not None:
                self.table.sort_by(sort.column, descending=sort.descending)
            self._hide_columns(hidden)
        else:
            self.table.show_table(found)
        names = [c.name for c in self.table.columns]
        self.table.setItemDelegateForColumn(names.index("waterfall"), self.delegate)
        self.table.setItemDelegateForColumn(names.index("slo"), self.chips)
        several = len(pc.unique(table["card"])) > 1
        self._hide_columns((self._hidden() - {"card"}) if several else self._hidden() | {"card"})
        self._means(table)
        self._say_title()
        self.table.set_empty_text(tr("No request arrived in this time."))
        if self._filter_wanted is not None:
            wanted, self._filter_wanted = self._filter_wanted, None
            self.table.set_filters(wanted)
        if self._wanted is not None:
            self.select(self._wanted)
        elif self.table.model().rowCount():
            self.table.scrollToTop()
        self.table.horizontalHeader().setStretchLastSection(True)

    def _means(self, table: pa.Table) -> None:
        done = table.filter(pc.equal(table["state"], "done"))
        names = (
            "n_in",
            "n_out",
            "queue_ns",
            "ttft_ns",
            "tpot_ns",
            "e2e_ns",
            "stall_ns",
            "itl_p99_ns",
            "itl_max_ns",
            "cache_hit",
        )
        values = {}
        for name in names:
            mean = pc.mean(done[name]).as_py() if done.num_rows else None
            if mean is not None:
                values[name] = round(mean) if name in ("n_in", "n_out") else mean
        self.totals.set_values(values, tr("Mean of {0}").format(number_text.count(done.num_rows)))

    def _say_title(self) -> None:
        self.title.setText(tr("Requests"))
        sort = self.table.sort
        spec = next((c for c in self.table.columns if sort is not None and c.name == sort.column), None)
        if sort is None or spec is None:
            self.words.setText(tr("in order of arrival"))
        else:
            title = tr(spec.title)
            self.words.setText(
                tr("largest {0} first").format(title) if sort.descending else tr("smallest {0} first").format(title)
            )

    # ---- columns -----------------------------------------------------------------------------------------------------

    def _hidden(self) -> set[str]:
        found: list[str] = self.table.view_state()["hidden"]
        return set(found)

    def _hide_columns(self, names: set[str]) -> None:
        for i, spec in enumerate(self.table.columns):
            self.table.setColumnHidden(i, spec.name in names)

    def show_differences(self) -> None:
        """Only requests whose recorded values differ, with both values."""
        self._hide_columns(self._hidden() - {"differs", "recorded_ttft_ns", "recorded_queue_ns", "recorded_e2e_ns"})
        self.table.set_passing(lambda table: np.array([bool(v) for v in table["differs"].to_pylist()], bool))

    # ---- the chosen one ----------------------------------------------------------------------------------------------

    def select(self, rid: str) -> None:
        """Show a request: its row, its causes, its batches."""
        table = self.table.table
        if "rid" not in table.column_names or not table.num_rows:
            self._wanted = rid
            return
        at = pc.index(table["rid"], pa.scalar(rid)).as_py()
        self._wanted = None
        if at is None or at < 0:
            return
        self.table.set_passing(None)
        if self.table.filters():
            self.table.set_filters({})
        self.table.select_row(at)
        self._activated(at)

    def current(self) -> str | None:
        """Name of the chosen request."""
        at = self.table.current_row()
        return str(self.table.row(at)["rid"]) if at >= 0 else None

    def _chosen(self, at: int) -> None:
        self._say_title()
        if at < 0 or self.shown is None:
            self.told.emit([])
            return
        row = self.table.row(at)
        texts = [row["rid"]]
        if row["queue_ns"] is not None and row["ttft_ns"]:
            share = number_text.percent(row["queue_ns"] / row["ttft_ns"])
            texts.append(tr("queue {0} ({1} of TTFT)").format(number_text.duration(row["queue_ns"]), share))
        if row["preemptions"]:
            texts.append(
                tr("preempted {0} times, {1}").format(row["preemptions"], number_text.duration(row["stall_ns"]))
            )
        if row["e2e_ns"] is not None:
            texts.append(f"E2E {number_text.duration(row['e2e_ns'])}")
        self.told.emit(texts)
        if not self.detail.isHidden():
            self.detail.show_request(self.shown, row, self.delegate.stalls.get(row["rid"], []))

    def _activated(self, at: int) -> None:
        if self.shown is None or at < 0:
            return
        row = self.table.row(at)
        self.context.request_chosen.emit(RequestPlace(row["card"], row["rid"]))  # the Timeline marks its events
        self.detail.show()
        self.detail.show_request(self.shown, row, self.delegate.stalls.get(row["rid"], []))


def shown_table(table: pa.Table, zero_ns: int) -> pa.Table:
    """Rows of `service.requests.list` as the table shows them: arrival since the start, lists as words."""
    states = {state: tr(text) for state, text in _STATES.items()}
    found = table.append_column("arrival", pc.subtract(table["arrive_ns"], zero_ns))
    found = found.append_column("slo", pa.array(_words(table["missed"].to_pylist()), pa.string()))
    found = found.append_column("waterfall", pa.nulls(table.num_rows, pa.string()))
    for name, values in (
        ("differs", _words(table["differs"].to_pylist())),
        ("flags", [", ".join(v).replace("_", " ") for v in table["flags"].to_pylist()]),
        ("state", [states.get(s, s) for s in table["state"].to_pylist()]),
    ):
        found = found.set_column(found.column_names.index(name), name, pa.array(values, pa.string()))
    return found


def _words(lists: Sequence[list[str]]) -> list[str]:
    known: dict[tuple[str, ...], str] = {}
    out = []
    for names in lists:
        key = tuple(names)
        if key not in known:
            known[key] = " ".join(tr(_METRIC_NAMES[name]) for name in names)
        out.append(known[key])
    return out
