"""Two pies: the time by item of the group, and by accelerator core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from insight_desktop.engine.system.operator_groups import Group, is_communication
from insight_desktop.engine.system.operator_shares import OTHERS
from insight_desktop.views.common import icons, number_text, parts
from insight_desktop.views.common.chart_pie import Piece, PieChart
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.system.operator_focus import Focus

_GROUPED_BY: dict[Group, str] = {
    "name": QT_TRANSLATE_NOOP("insight", "Operator"),
    "type": QT_TRANSLATE_NOOP("insight", "Operator Type"),
    "name_shape": QT_TRANSLATE_NOOP("insight", "Input Shape"),
    "communication": QT_TRANSLATE_NOOP("insight", "Communication Operator"),
    "communication_type": QT_TRANSLATE_NOOP("insight", "Communication Operator Type"),
}


class OperatorShares(QWidget):
    """Both pies; the one of cores is away for communication.

    Signals:
        item_clicked: place of an item in the main table; -1 for Others.
        core_clicked: name of a core.
        timeline_wanted: a Focus that the Timeline shall show.
        details_wanted: place of an item whose kernels shall be listed.
    """

    item_clicked = Signal(int)
    core_clicked = Signal(str)
    timeline_wanted = Signal(object)
    details_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items, self.cores = PieChart(), PieChart()
        self.group: Group = "type"
        self._rows: list[dict[str, Any]] = []
        row = parts.columns(self, gap=10)
        row.addWidget(self.items, 3)
        row.addWidget(self.cores, 2)
        self.items.clicked.connect(self._item_clicked)
        self.cores.clicked.connect(self.core_clicked)
        for pie, menu in ((self.items, self.item_menu), (self.cores, self.core_menu)):
            pie.area.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            pie.area.customContextMenuRequested.connect(lambda at, pie=pie, menu=menu: self._menu(pie, menu, at))
        self._titles()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._titles()
        super().changeEvent(event)

    def _titles(self) -> None:
        title = tr("Total Time (µs) Group by {0}")
        self.items.set_title(title.format(tr(_GROUPED_BY.get(self.group, "Operator Type"))))
        self.cores.set_title(title.format(tr("Accelerator Core")))
        listed = sum(row["items"] for row in self._rows)
        self.items.subtitle.set_text(tr("of the {0} listed").format(number_text.count(listed)) if listed else "")

    def show_shares(self, group: Group, table: pa.Table) -> None:
        """Rows of the query `share`."""
        self.group = group
        self._rows = [row for row in table.to_pylist() if row["pie"] == "items"]
        self._titles()
        pieces = [
            Piece(str(i), self._called(row), row["value_us"], self._colour(row)) for i, row in enumerate(self._rows)
        ]
        self.items.set_pieces(pieces, unit="µs", decimals=2)
        cores = [row for row in table.to_pylist() if row["pie"] == "cores"]
        self.cores.set_pieces([Piece(r["label"], r["label"], r["value_us"]) for r in cores], unit="µs", decimals=2)
        self.cores.setVisible(not is_communication(group))
        if not self._rows:
            for pie in (self.items, self.cores):
                pie.set_empty(tr("No operators in this group"), tr("Choose another group, or another card."))

    def _called(self, row: dict[str, Any]) -> str:
        if row["items"] > 1 and row["label"] == OTHERS:
            return tr("Others ({0})").format(number_text.count(row["items"]))
        return str(row["label"]) or "–"

    @staticmethod
    def _colour(row: dict[str, Any]) -> str:
        return "free" if row["items"] > 1 and row["label"] == OTHERS else ""

    def clear(self) -> None:
        """No data."""
        self._rows = []
        for pie in (self.items, self.cores):
            pie.set_pieces([])
            pie.set_empty(tr("Loading…"))

    def emphasise(self, place: int) -> None:
        """Lift the item that is current in the table."""
        self.items.area.set_current(str(place) if 0 <= place < len(self._rows) else "")

    def focus_of(self, key: str) -> Focus | None:
        """What a piece of the first pie stands for; None for Others."""
        row = self._rows[int(key)] if key.isdigit() and int(key) < len(self._rows) else None
        if row is None or self._called(row) != (str(row["label"]) or "–"):
            return None
        texts = {k: row[k] for k in ("name", "type", "core", "shape") if row[k] is not None}
        if is_communication(self.group):
            texts.pop("core", None)
        return Focus(**texts, row=row["row"], communication=is_communication(self.group))

    def _item_clicked(self, key: str) -> None:
        self.item_clicked.emit(int(key) if self.focus_of(key) is not None else -1)

    # ---- menus -------------------------------------------------------------------------------------------------------

    def _menu(self, pie: PieChart, build: Callable[[str], QMenu], at: QPoint) -> None:
        piece = pie.area.piece_at(QPointF(at))
        menu = build(piece.key) if piece is not None else pie.menu()
        menu.exec(pie.area.mapToGlobal(at))

    def item_menu(self, key: str) -> QMenu:
        """What can be done with a piece of the first pie."""
        focus = self.focus_of(key)
        menu = self.items.menu()
        if focus is not None:
            self._put(menu, "list-bullets", tr("Details"), lambda: self.details_wanted.emit(int(key)))
            self._put(menu, "crosshair-simple", tr("Show in Timeline"), lambda: self.timeline_wanted.emit(focus))
        return menu

    def core_menu(self, key: str) -> QMenu:
        """What can be done with a piece of the pie of cores."""
        menu = self.cores.menu()
        self._put(menu, "funnel-simple", tr("Filter the table by this"), lambda: self.core_clicked.emit(key))
        focus = Focus(core=key)
        self._put(menu, "crosshair-simple", tr("Show in Timeline"), lambda: self.timeline_wanted.emit(focus))
        return menu

    @staticmethod
    def _put(menu: QMenu, icon: str, text: str, do: Callable[[], None]) -> None:
        """First in the menu."""
        action = QAction(icons.icon(icon), text, menu)
        action.triggered.connect(lambda _checked=False: do())
        actions = menu.actions()
        menu.insertAction(actions[0] if actions else None, action)  # type: ignore[arg-type]

    # ---- state -------------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Hidden cores; items are hidden by their place, which is another one tomorrow."""
        return {"hidden_cores": sorted(self.cores.area.hidden)}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self.cores.area.hidden = frozenset(str(k) for k in state.get("hidden_cores") or ())
