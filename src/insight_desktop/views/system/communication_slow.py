"""Ranks that the others waited for, and the operators where they did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import communication as queries
from insight_desktop.engine.system import communication_advice as rules
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.tree_table import TreeTable
from insight_desktop.views.system import communication_columns as columns
from insight_desktop.views.system.communication_choice import Choice
from insight_desktop.views.system.communication_table import TableBox


@dataclass(frozen=True)
class Slow:
    """The slow ranks of a group, each with its operators; the shortest time first."""

    ranks: list[dict[str, Any]]
    operators: dict[int, list[dict[str, Any]]]


def load(store: Store, *, choice: Choice) -> Slow:
    """Slow ranks and their operators. Raises NoData where ranks are not compared."""
    ranks = queries.slow_ranks(store, **choice.arguments()).to_pylist()
    operators = {
        row["rank"]: queries.slow_operators(store, rank=row["rank"], **choice.arguments()).to_pylist() for row in ranks
    }
    return Slow(ranks, operators)


class SlowTable(TreeTable):
    """Ranks with their operators below them.

    Signals: highlight_wanted with the row whose link was clicked.
    """

    highlight_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(columns.SLOW, open_levels=1, parent=parent)
        self.setProperty("edge", "none")

    def _words(self, column: str, row: int, value: Any) -> str | None:
        if column == "action":
            return tr("highlight link") if value else ""
        return super()._words(column, row, value)

    def _clicked(self, index: QModelIndex) -> None:
        row = self._model.source_row(index.row())
        if self._model.specs[index.column()].kind == "link" and self._model.table["action"][row].as_py():
            self.highlight_wanted.emit(row)

    def shown_columns(self) -> list[Any]:
        return [s for s in super().shown_columns() if s.kind != "link"]


class SlowPanel(TableBox):
    """The list of slow ranks.

    Signals:
        highlight_wanted: rank, operator, fastest rank: the thumbnails shall show where the rank was waited for.
        shown: another list is there (a Slow, or None when ranks are not compared).
    """

    highlight_wanted = Signal(int, str, int)
    shown = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        self.slow_table = SlowTable()
        self.choice: Choice | None = None
        self.slow: Slow | None = None
        super().__init__(context, self.slow_table, parent=parent)
        self._asker = Asker(context, self)
        self.rule = parts.label(level=2)
        self.rule.setWordWrap(True)
        self.rule.setContentsMargins(10, 4, 10, 6)
        column = self.layout()
        assert column is not None
        column.insertWidget(2, self.rule)  # type: ignore[attr-defined]
        self.slow_table.highlight_wanted.connect(self._highlight)
        self.slow_table.row_activated.connect(self._highlight)
        self._texts()

    def _texts(self) -> None:
        fastest = ""
        if self.slow is not None and self.slow.ranks:
            first = self.slow.ranks[0]
            fastest = tr("Fastest rank: {0}, {1} ms").format(
                first["fastest_rank"], number_text.number(first["fastest_ms"], 6)
            )
        self.set_title(tr("Slow Rank List"), fastest)
        self.rule.setText(
            tr(
                "The rank with the longest time arrived first and waited for the others. Listed are up to {0} ranks that are "
                "at least {1} shorter, each with the {2} operators where the difference is largest."
            ).format(rules.SLOW_RANKS, number_text.percent(rules.SLOW_SHARE, 0), rules.SLOW_OPERATORS)
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "rule"):
            self._texts()
            if self.choice is not None:
                self.show_choice(self.choice)
        super().changeEvent(event)

    def show_choice(self, choice: Choice) -> None:
        """Ask for the slow ranks of a choice."""
        self.choice = choice
        self._asker.forget(load)
        if choice.is_compared or not choice.is_total:
            why = (
                tr("Slow ranks are told of one job; end the comparison to see them.")
                if choice.is_compared
                else tr("Slow ranks are told of all operators together; choose Total Op Info.")
            )
            self._show_none(why)
            return
        self.wait()
        self._asker.ask(load, then=self._show, failed=self._failed, choice=choice)

    def _show_none(self, why: str) -> None:
        self.slow = None
        self.slow_table.set_empty_text(why)
        self.slow_table.show_tree(_table([]), "key", "parent")
        self._texts()
        self.shown.emit(None)

    def _failed(self, error: InsightError) -> None:
        self._show_none(f"{say(error.message)} {say(error.fix)}".strip())

    def _show(self, slow: Slow) -> None:
        self.slow = slow
        rows = []
        for rank in slow.ranks:
            key = str(rank["rank"])
            rows.append({**rank, "key": key, "parent": "", "text": key, "name": "", "action": ""})
            for operator in slow.operators[rank["rank"]]:
                name = operator["name"]
                rows.append(
                    {
                        **operator, "rank": rank["rank"], "fastest_rank": rank["fastest_rank"], "key": f"{key} {name}",
                        "parent": key, "text": f"Top {operator['index']} · {name}", "name": name, "action": "x",
                    }
                )  # fmt: skip
        balanced = tr("The ranks of this group are balanced: none is at least {0} shorter than the fastest.").format(
            number_text.percent(rules.SLOW_SHARE, 0)
        )
        self.slow_table.set_empty_text(balanced)
        self.slow_table.show_tree(_table(rows), "key", "parent")
        self._texts()
        self.shown.emit(slow)

    def _highlight(self, row: int) -> None:
        found = self.slow_table.row(row)
        if found["name"]:
            self.highlight_wanted.emit(found["rank"], found["name"], found["fastest_rank"])
        elif self.slow is not None and self.slow.operators.get(found["rank"]):
            name = self.slow.operators[found["rank"]][0]["name"]
            self.highlight_wanted.emit(found["rank"], name, found["fastest_rank"])


_SCHEMA = pa.schema(
    [
        ("key", pa.string()), ("parent", pa.string()), ("text", pa.string()), ("name", pa.string()),
        ("rank", pa.int32()), ("fastest_rank", pa.int32()), ("difference_ms", pa.float64()),
        ("elapse_ms", pa.float64()), ("fastest_ms", pa.float64()), ("action", pa.string()),
    ]
)  # fmt: skip


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, _SCHEMA)
