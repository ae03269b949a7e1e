"""The answer first: what takes the time, what sticks out, what bounds it; each with the way to its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from insight_desktop.engine.system.operator_groups import KEYS, Group, is_communication
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.system.operator_focus import Focus


@dataclass(frozen=True)
class Link:
    """Words that lead somewhere."""

    text: str
    do: Callable[[], None]


@dataclass(frozen=True)
class Finding:
    """One sentence, why we say so, and links; `level` is `info`, `warn` or `ok`."""

    text: str
    why: str = ""
    level: str = "info"
    links: tuple[Link, ...] = ()


ORDER = ("difference", "largest", "unusual", "bound", "note")
_ICONS = {"info": ("info", "accent"), "warn": ("warning", "warn"), "ok": ("check-circle", "ok")}


def largest(table: pa.Table, group: Group) -> Finding | None:
    """What takes most of the time, from the rows of `pareto`."""
    if not table.num_rows:
        return None
    first = table.slice(0, 1).to_pylist()[0]
    label = Focus.of_row({**first, "row": None}, group).label
    whole = tr("communication time") if is_communication(group) else tr("computing time")
    calls = tr("1 call") if first["count"] == 1 else tr("{0} calls").format(number_text.count(first["count"]))
    text = tr("{0}: {1} of {2}, {3}.").format(label, number_text.percent(first["share_ratio"]), whole, calls)
    needed = table.filter(pc.equal(table["class"], "A"))
    why = tr("{0} of {1} groups make {2} of {3} µs (class A).").format(
        number_text.count(needed.num_rows), number_text.count(table.num_rows),
        number_text.percent(needed["cumulative_ratio"][-1].as_py() if needed.num_rows else None),
        number_text.number(total_us(table), 2),
    )  # fmt: skip
    return Finding(text, why)


def total_us(table: pa.Table) -> float:
    """Sum of a column of µs with two decimals, without the errors of adding doubles."""
    return float(round(sum(round(value * 100) for value in table["sum_us"].to_pylist())) / 100)


def difference(table: pa.Table, group: Group) -> Finding | None:
    """What became longer and shorter, from all rows of `compare`."""
    lead = "duration_us" if group == "communication" else "sum_us"
    if not table.num_rows:
        return None
    change, base = pc.sum(table[lead]).as_py(), pc.sum(table[f"{lead}_baseline"]).as_py()
    whole = tr("Communication time") if is_communication(group) else tr("Computing time")
    text = tr("{0} against the baseline: {1} µs ({2}).").format(
        whole, number_text.signed(change, 3), number_text.percent(change / base if base else None, 2)
    )
    ends = []
    for place in dict.fromkeys((0, table.num_rows - 1)):  # the largest difference is first
        row = table.slice(place, 1).to_pylist()[0]
        if (place == 0 and row[lead] > 0) or (place > 0 and row[lead] < 0) or (table.num_rows == 1 and row[lead]):
            label = Focus.of_row({**row, "row": None}, group).label
            ends.append(f"{label} {number_text.signed(row[lead], 3)} µs")
    ours = pc.sum(pc.invert(table["in_baseline"])).as_py()
    other = pc.sum(pc.invert(table["in_comparison"])).as_py()
    why = tr("Largest: {0}.").format(", ".join(ends)) if ends else tr("Every group takes the same time.")
    if ours or other:
        why += " " + tr("Only in comparison: {0}, only in baseline: {1}.").format(
            number_text.count(ours), number_text.count(other)
        )
    return Finding(text, why)


def unusual(rows: Sequence[dict[str, Any]]) -> Finding:
    """Kernels that took far longer than their like, from the rows of `outliers`."""
    if not rows:
        return Finding(
            tr("No kernel takes far longer than its like."), tr("Checked in groups of 8 or more calls."), "ok"
        )
    cost = number_text.number(sum(row["cost_us"] for row in rows), 3)
    if len(rows) == 1:
        text = tr("1 kernel takes far longer than its like and costs {0} µs.").format(cost)
    else:
        text = tr("{0} kernels take far longer than their like and cost {1} µs.").format(
            number_text.count(len(rows)), cost
        )
    worst = rows[0]
    why = tr("Worst: {0}, {1} µs against a median of {2} µs of {3} calls.").format(
        worst["name"], number_text.number(worst["duration_us"], 3), number_text.number(worst["median_us"], 3),
        number_text.count(worst["count"]),
    )  # fmt: skip
    return Finding(text, why, "warn")


def bound(rows: Sequence[dict[str, Any]], group: Group) -> Finding | None:
    """What bounds the largest group, from the rows of `pipe_ratios`."""
    row = next((r for r in rows if r["bound_by"]), None)
    if row is None:
        return None
    kinds = {"memory": tr("memory access"), "compute": tr("computing"), "scalar": tr("scalar instructions")}
    label = " · ".join(str(row[key]) for key in KEYS[group] if row.get(key))
    text = tr("{0} is bound by {1}: {2} busy for {3} of its time.").format(
        label, kinds.get(row["bound_kind"], row["bound_kind"]), row["bound_by"].removesuffix("_ratio"),
        number_text.percent(row["bound_ratio"]),
    )  # fmt: skip
    memory = sum(r["sum_us"] for r in rows if r["bound_kind"] == "memory")
    total = sum(r["sum_us"] for r in rows)
    why = tr("Groups bound by memory access take {0} of the time listed.").format(
        number_text.percent(memory / total if total else None)
    )
    return Finding(text, why)


class Findings(QFrame):
    """Lines of findings in a box, in the order of their keys; hidden without any."""

    def __init__(self, order: Sequence[str] = ORDER, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._order = tuple(order)
        self.setObjectName("box")
        self._rows: dict[str, Finding] = {}
        self._column = parts.rows(self, margins=(10, 3, 10, 3))
        self.hide()

    def put(self, key: str, finding: Finding | None, links: tuple[Link, ...] = ()) -> None:
        """Set the finding of a key (kept in the order of the first setting); None takes it away."""
        if finding is None:
            self._rows.pop(key, None)
        else:
            self._rows[key] = Finding(finding.text, finding.why, finding.level, links or finding.links)
        self._show()

    def clear(self) -> None:
        """No findings."""
        self._rows.clear()
        self._show()

    def texts(self) -> list[str]:
        """The sentences."""
        return [f.text for f in self._sorted()]

    def _sorted(self) -> list[Finding]:
        return [self._rows[key] for key in self._order if key in self._rows]

    def _show(self) -> None:
        parts.clear(self._column)
        for finding in self._sorted():
            self._column.addWidget(self._line(finding))
        self.setVisible(bool(self._rows))

    def _line(self, finding: Finding) -> QWidget:
        line = QWidget()
        line.setMinimumHeight(26)
        row = parts.columns(line, gap=8)
        row.addWidget(parts.IconLabel(*_ICONS[finding.level]))
        text = parts.YieldingLabel(finding.text)
        text.setProperty("strong", "true")
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row.addWidget(text)
        why = parts.ElidedLabel(finding.why, Qt.TextElideMode.ElideRight)
        why.setProperty("level", "2")
        row.addWidget(why, 1)
        for link in finding.links:
            row.addWidget(parts.button(link.text, link=True, click=link.do))
        return line
