"""Advice of the Communication page: bandwidths of the choice (part A), and what the whole job suffers from (part B)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.system import communication as queries
from insight_desktop.engine.system import communication_advice as rules
from insight_desktop.engine.system import communication_tasks as tasks
from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system import communication_columns as columns
from insight_desktop.views.system.communication_choice import Choice
from insight_desktop.views.system.communication_table import TableBox

_HEIGHTS = (150, 320)  # of a table with its head: least, most
_ROW = 24
_NEED_CARDS = ("contention", "alignment")  # kernels and tasks are in the timelines


@dataclass(frozen=True)
class Rule:
    """One analysis of the whole job: its title, its rule with its threshold, what to do, its columns and its query."""

    key: str
    title: str
    rule: str
    hints: tuple[str, ...]
    columns: Sequence[ColumnSpec]
    query: Callable[..., pa.Table]
    nothing: str


RULES: tuple[Rule, ...] = (
    Rule(
        "contention",
        QT_TRANSLATE_NOOP("insight", "Bandwidth Contention Analysis"),
        QT_TRANSLATE_NOOP(
            "insight", "Operators below {contention} GB/s over SDMA while a matrix multiplication runs on the same rank."
        ),
        (
            QT_TRANSLATE_NOOP(
                "insight", "Run once with the fusion of communication and multiplication off, and compare both."
            ),
        ),
        columns.CONTENTIONS,
        queries.contentions,
        QT_TRANSLATE_NOOP("insight", "No operator shares its bandwidth with a matrix multiplication."),
    ),
    Rule(
        "alignment",
        QT_TRANSLATE_NOOP("insight", "Byte Alignment Analysis"),
        QT_TRANSLATE_NOOP(
            "insight",
            "Operators that move more than {alignment} bytes over SDMA in a size that is no multiple of {alignment} bytes.",
        ),
        (QT_TRANSLATE_NOOP("insight", "Choose data sizes that are multiples of {alignment} bytes."),),
        columns.ALIGNMENTS,
        queries.alignments,
        QT_TRANSLATE_NOOP("insight", "Every operator moves multiples of {alignment} bytes."),
    ),
    Rule(
        "retransmission",
        QT_TRANSLATE_NOOP("insight", "Communication Retransmission Analysis"),
        QT_TRANSLATE_NOOP(
            "insight",
            "Operators that take at least {retransmission} ms on every rank and more than {retransmission} ms over RDMA on one.",
        ),
        (
            QT_TRANSLATE_NOOP("insight", "Check the time-out and retry settings of RDMA on the hosts."),
            QT_TRANSLATE_NOOP("insight", "Check the network between the hosts: lost packets, flow control, optical modules."),
        ),
        columns.RETRANSMISSIONS,
        queries.retransmissions,
        QT_TRANSLATE_NOOP("insight", "No operator took so long that packets were sent again."),
    ),
    Rule(
        "packet",
        QT_TRANSLATE_NOOP("insight", "Packet Analysis"),
        QT_TRANSLATE_NOOP(
            "insight",
            "Operators below {sdma} MB over SDMA or {rdma} MB over RDMA are small; more than {share} of them is an issue.",
        ),
        (
            QT_TRANSLATE_NOOP(
                "insight", "Between data parallel ranks: raise the batch size or accumulate gradients, so that fewer and larger packets go."
            ),
            QT_TRANSLATE_NOOP("insight", "Prefer ZeRO1 or ZeRO2 to ZeRO3 when the memory allows it."),
            QT_TRANSLATE_NOOP("insight", "Use fused optimizers and fused operators."),
        ),
        columns.SMALL_PACKETS,
        queries.small_packets,
        QT_TRANSLATE_NOOP("insight", "No operator moved anything over SDMA or RDMA."),
    ),
)  # fmt: skip


class AdvicePanel(QWidget):
    """Both parts of the advice below each other.

    Signals:
        bandwidths_shown: rows of part A.
        small_shown: rows of the packet analysis.
    """

    bandwidths_shown = Signal(object)
    small_shown = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self._asker = Asker(context, self)
        self.choice: Choice | None = None
        self._asked: dict[str, tuple[Any, ...]] = {}  # what each rule of part B was asked for
        self.bandwidths: list[dict[str, Any]] = []
        inside = QWidget()
        column = parts.rows(inside, margins=(0, 0, 6, 0), gap=10)
        self.table = ArrowTable(columns=columns.BANDWIDTHS)
        self.box = TableBox(context, self.table)
        self.overall = _words()
        _put_words(self.box, self.overall)
        column.addWidget(self.box)
        self.boxes: dict[str, TableBox] = {}
        self.rule_words: dict[str, Any] = {}
        for rule in RULES:
            table = ArrowTable(columns=rule.columns)
            box = TableBox(context, table)
            words = _words()
            _put_words(box, words)
            self.boxes[rule.key], self.rule_words[rule.key] = box, words
            column.addWidget(box)
        column.addStretch(1)
        for box in (self.box, *self.boxes.values()):
            box.setMinimumHeight(fonts.scaled(_HEIGHTS[0]))
            box.table.rows_changed.connect(lambda _shown, every, box=box: _fit(box, every))
        parts.rows(self).addWidget(parts.scrolling(inside))
        self.retranslate()

    def retranslate(self) -> None:
        """Texts in the current language."""
        about = self.choice.text if self.choice is not None else ""
        self.box.set_title(tr("Bandwidths of the ranks"), about)
        for rule in RULES:
            self.boxes[rule.key].set_title(tr(rule.title), self._scope(rule))
            hints = "\n".join(f"• {tr(hint)}" for hint in rule.hints)
            self.rule_words[rule.key].setText(f"{tr(rule.rule)}\n{hints}".format(**limits()))
        self._show_overall()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "rule_words"):
            self.retranslate()
            self._asked.clear()
            if self.choice is not None:
                self.show_choice(self.choice)
        super().changeEvent(event)

    # ---- part A ------------------------------------------------------------------------------------------------------

    def show_choice(self, choice: Choice) -> None:
        """Ask for both parts; part B once per job."""
        self.choice = choice
        self.box.set_title(tr("Bandwidths of the ranks"), choice.text)
        self.box.wait()
        self._asker.ask(
            queries.advice, then=self._show_bandwidths, failed=self._no_bandwidths, op=choice.op, **choice.arguments()
        )
        self.cards_changed()

    def cards_changed(self) -> None:
        """Ask part B for what it was not asked for yet; kernels and tasks are read when the panel is looked at."""
        if self.choice is None:
            return
        store = self.context.store
        job = (self.choice.cluster, str(store.extras), len(store.members))
        cards = (*job, tuple(c.name for c in store.cards_of("system")))
        for rule in RULES:
            wanted = cards if rule.key in _NEED_CARDS else job
            if self._asked.get(rule.key) == wanted or (rule.key in _NEED_CARDS and not self.isVisible()):
                continue
            self._asked[rule.key] = wanted
            box = self.boxes[rule.key]
            box.wait()
            self._asker.ask(
                rule.query,
                then=partial(self._show_rule, rule),
                failed=box.show_error,
                cluster=self.choice.cluster,
            )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.cards_changed()

    def _no_bandwidths(self, error: InsightError) -> None:
        self.bandwidths = []
        self.box.show_error(error)
        self._show_overall()
        self.bandwidths_shown.emit([])

    def _show_bandwidths(self, table: pa.Table) -> None:
        self.bandwidths = table.to_pylist()
        words = [conclusion(row) for row in self.bandwidths]
        table = table.append_column("conclusion", pa.array(words, pa.string()))
        self.box.show_table(table, empty=tr("Nothing went over SDMA or RDMA, so there is no bandwidth to judge."))
        self._show_overall()
        self.bandwidths_shown.emit(self.bandwidths)

    def _show_overall(self) -> None:
        limit = number_text.percent(rules.EFFICIENT, 0)
        lines = [
            tr(
                "An average of at least {0} of the best rank means that the links are the limit; less means that they are not "
                "used well. Bandwidth Analysis of a rank shows its packets."
            ).format(limit)
        ]
        if self.bandwidths:
            lines.insert(0, overall(self.bandwidths))
        self.overall.setText("\n".join(lines))

    # ---- part B ------------------------------------------------------------------------------------------------------

    def _show_rule(self, rule: Rule, table: pa.Table) -> None:
        if rule.key == "packet":
            words = [tr("Yes") if issue else tr("No") for issue in table["is_issue"].to_pylist()]
            self.small_shown.emit(table.to_pylist())
            table = table.append_column("issue", pa.array(words, pa.string()))
        box = self.boxes[rule.key]
        box.set_title(tr(rule.title), self._scope(rule))
        nothing = tr(rule.nothing).format(**limits())
        if rule.key in _NEED_CARDS and not self.context.store.cards_of("system"):
            nothing = tr("The timelines of the ranks are not open: read the cards, then they are looked at.")
        box.show_table(table, empty=nothing)

    def _scope(self, rule: Rule) -> str:
        """What an analysis looks at; some need more than the small files of a rank."""
        whole = tr("whole job, all steps and groups")
        if rule.key not in _NEED_CARDS or self.choice is None:
            return whole
        ranks = {c.rank for c in self.context.store.cards_of("system") if c.cluster == self.choice.cluster}
        every = {m.rank for m in self.context.store.members if m.cluster == self.choice.cluster} | ranks
        return tr("{0} of {1} ranks are open; only they are looked at").format(len(ranks - {None}), len(every - {None}))

    def found(self) -> dict[str, int]:
        """Rows of every analysis of part B that has an issue, by key."""
        return {key: _issues(box.table.table) for key, box in self.boxes.items() if _issues(box.table.table)}


def limits() -> dict[str, str]:
    """The thresholds of all rules as texts."""
    return {
        "contention": number_text.number(rules.CONTENTION_GBS),
        "retransmission": number_text.number(rules.RETRANSMISSION_MS, 0),
        "alignment": number_text.number(tasks.ALIGNED_BYTES),
        "sdma": number_text.number(rules.SMALL_MB["SDMA"], 0),
        "rdma": number_text.number(rules.SMALL_MB["RDMA"], 0),
        "share": number_text.percent(rules.SMALL_SHARE, 0),
    }


def _issues(table: pa.Table) -> int:
    if "is_issue" in table.column_names:
        return int(pc.sum(table["is_issue"]).as_py() or 0) if table.num_rows else 0
    return int(table.num_rows)


def overall(rows: Sequence[dict[str, Any]]) -> str:
    """Total time of every transport and, with two of them, which one to begin with."""
    times = ", ".join(f"{r['transport']} {number_text.number(r['time_ms'], 4)} ms" for r in rows)
    text = tr("Total time of the transports: {0}.").format(times)
    if len(rows) > 1:
        main = next(r["transport"] for r in rows if r["is_main"])
        text += " " + tr("Begin with {0}: most time goes there.").format(main)
    return text


def conclusion(row: dict[str, Any]) -> str:
    """What the average of a transport says, with both sides of its threshold."""
    limit = number_text.number(rules.EFFICIENT * row["max_gbs"], 4)
    average = number_text.number(row["avg_gbs"], 4)
    if row["is_efficient"]:
        return tr("Bandwidth is the bottleneck: {0} ≥ {1} GB/s").format(average, limit)
    return tr("Communication efficiency is low: {0} < {1} GB/s").format(average, limit)


def _words() -> Any:
    words = parts.label(level=2)
    words.setWordWrap(True)
    words.setContentsMargins(10, 4, 10, 6)
    return words


def _put_words(box: TableBox, words: QWidget) -> None:
    column = box.layout()
    assert column is not None
    column.insertWidget(2, words)  # type: ignore[attr-defined]


def _fit(box: TableBox, rows: int) -> None:
    """As high as its rows need, within limits."""
    needed = fonts.scaled(_HEIGHTS[0] + max(1, min(rows, 7)) * _ROW)
    box.setFixedHeight(min(needed, fonts.scaled(_HEIGHTS[1])))
