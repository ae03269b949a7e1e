"""Slice Detail: the facts of one slice, its args, and the slices it is linked with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from insight_desktop.errors import InsightError
from insight_desktop.views.common import theme
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context, Jump, RequestPlace
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.key_values import KeyValues
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_text import as_text
from insight_desktop.views.timeline import args_values
from insight_desktop.views.timeline.args_view import ArgsView
from insight_desktop.views.timeline.request_box import RequestBox
from insight_desktop.views.timeline.slice_facts import LINK_SCHEMA, detail, facts_of, instant_detail, linked_slices

_LINK_COLUMNS = (
    ColumnSpec("direction", "Link", width=66),
    ColumnSpec("name", "Linked slice", kind="link"),
    ColumnSpec("category", "Category", width=110),
    ColumnSpec("lane", "Lane", width=140),
    ColumnSpec(
        "distance_ns", "Distance", "µs", kind="offset", tooltip="Start of the linked slice minus start of this one"
    ),
)


class SliceDetailPanel(QWidget):
    """Three columns: facts, args, linked slices. A click or Enter on a linked slice jumps there."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.shown: tuple[str, int] | None = None  # card and id of the slice; instants behind the slices
        self._found: dict[str, Any] | None = None
        self._error: InsightError | None = None
        self._links = LINK_SCHEMA.empty_table()
        self._hashes: dict[str, int] = {}
        self.colour_of: Callable[[str, str], QColor | None] | None = None  # card and name
        self._asker = Asker(context, self)
        self.facts = KeyValues()
        self.args = ArgsView()
        self.links = ArrowTable(columns=_LINK_COLUMNS, filter_row=False)
        self.links.setProperty("edge", "none")
        self.links.set_swatch(self._swatch)
        self.links.row_activated.connect(self._jump)
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._columns.setChildrenCollapsible(False)
        self._columns.setHandleWidth(1)
        self.request = RequestBox(context)
        self.right = QStackedWidget()
        self.right.addWidget(self.links)
        self.right.addWidget(self.request)
        self.args.rid_chosen.connect(self.choose_request)
        self.request.closed.connect(lambda: self.right.setCurrentWidget(self.links))
        for widget, share in ((self.facts, 3), (self.args, 3), (self.right, 4)):
            self._columns.addWidget(widget)
            widget.setMinimumWidth(160)
            self._columns.setStretchFactor(self._columns.count() - 1, share)
        self._columns.setSizes([340, 340, 520])
        self._empty = EmptyText()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._columns)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        context.store_changed.connect(self._store_changed)
        self._translate()

    def show_slice(self, card: str, slice_id: int) -> None:
        """Show a slice; an answer to an older question never comes later."""
        if (card, slice_id) != self.shown:
            self.right.setCurrentWidget(self.links)
        self.shown = (card, slice_id)
        self._asker.forget(instant_detail)
        self._asker.ask(detail, card=card, slice_id=slice_id, then=self._show, failed=self._show_error)
        self._asker.ask(linked_slices, card=card, slice_id=slice_id, then=self._show_links, failed=self._no_links)

    def show_instant(self, card: str, index: int) -> None:
        """Show the index-th instant of a card."""
        self._forget()
        self._show_links(LINK_SCHEMA.empty_table())
        self._asker.ask(instant_detail, card=card, index=index, then=self._show_point, failed=self._show_error)

    def choose_request(self, rid: str) -> None:
        """Show a request that the slice lists, and follow it through the chart."""
        if self.shown is not None:
            place = RequestPlace(self.shown[0], rid)
            self.request.show_request(place)
            self.right.setCurrentWidget(self.request)
            self.context.request_chosen.emit(place)

    def clear(self) -> None:
        """Nothing is selected."""
        self._forget()
        self.shown, self._found, self._error = None, None, None
        self._translate()
        self._stack.setCurrentWidget(self._empty)

    def refresh(self) -> None:
        """Offsets or data changed: ask again."""
        if self.shown is not None:
            self.show_slice(*self.shown)

    def copy(self) -> None:
        """Put facts, args and linked slices on the clipboard as text."""
        if self._found is None:
            return
        text = self.facts.as_text()
        if self.args.pairs:
            text += f"\n{tr('Args')}\t{args_values.pairs_as_json(self.args.pairs)}\n"
        if self._links.num_rows:
            text += f"\n{as_text(self.links.shown_table(), self.links.shown_columns())}"
        QGuiApplication.clipboard().setText(text)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _show(self, found: dict[str, Any]) -> None:
        self._found, self._error = found, None
        self._draw()

    def _show_point(self, found: dict[str, Any]) -> None:
        self.shown = (found["card"], found["id"])
        self._show(found)

    def _draw(self) -> None:
        found = self._found
        if found is None:
            return
        self.facts.set_facts(facts_of(found))
        self.args.lists_requests = self.context.store.card(found["card"]).area == "service"
        if found["args"]:
            self.args.show_pairs(found["args"])
        elif found.get("args_note"):
            self.args.show_message(
                f"{found['args_note']}\n\n{tr('Everything else on this page comes from the cache.')}"
            )
        else:
            self.args.show_message(tr("The source has no args for it."))
        self._stack.setCurrentWidget(self._columns)

    def _show_links(self, found: pa.Table) -> None:
        self._links = found
        self._hashes = dict(zip(found.column("name").to_pylist(), found.column("hash").to_pylist(), strict=True))
        words = pc.if_else(pc.equal(found.column("direction"), "from"), tr("← from"), tr("→ to"))
        self.links.show_table(found.set_column(0, "direction", words))

    def _show_error(self, error: InsightError) -> None:
        self._found, self._error = None, error
        self._translate()
        self._stack.setCurrentWidget(self._empty)

    def _no_links(self, error: InsightError) -> None:
        self._show_links(LINK_SCHEMA.empty_table())
        self.context.message.emit("error", error.message, error.fix)

    def _forget(self) -> None:
        for query in (detail, instant_detail, linked_slices):
            self._asker.forget(query)

    def _jump(self, row: int) -> None:
        if self.shown is not None:
            self.context.jump.emit(Jump(self.shown[0], slice_id=self._links.column("slice_id")[row].as_py()))

    def _swatch(self, column: str, value: Any) -> QColor | None:
        if column != "name":
            return None
        own = self.colour_of(self.shown[0], value) if self.colour_of is not None and self.shown is not None else None
        return own or QColor.fromRgba(int(theme.slices()[self._hashes.get(value, 0) % 24]))

    def _store_changed(self) -> None:
        if self.shown is None:
            return
        if any(card.name == self.shown[0] for card in self.context.store.cards):
            self.refresh()
        else:
            self.clear()

    def _translate(self) -> None:
        self.facts.setAccessibleName(tr("Facts of the slice"))
        self.links.setAccessibleName(tr("Linked slices"))
        self.links.set_empty_text(tr("No links of it were recorded."))
        if self._error is not None:
            self._empty.set_texts(self._error.message, self._error.fix)
        else:
            self._empty.set_texts(
                tr("No slice selected"),
                tr("Click a slice in the timeline: its times, args and linked slices are shown here."),
            )
        if self._found is not None:
            self._draw()
            self._show_links(self._links)
