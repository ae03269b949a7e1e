"""Sentences of the Summary page: what stands out, from the rows of its queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from insight_desktop.views.common import number_text
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.system.summary_findings import Finding, Link
from insight_desktop.views.system.summary_load import Figures
from insight_desktop.views.system.summary_slow import label_of
from insight_desktop.views.system.summary_words import figure

_MOST_ISSUES = 12


@dataclass(frozen=True)
class Ways:
    """Where links lead: a figure, a rank or element, the Timeline of a rank."""

    figure: Callable[[str], None]
    element: Callable[[int], None]
    timeline: Callable[[int], None]


def advice_text(metric: str, difference_us: float) -> str:
    """`Computing: 170,227.980 µs`: all digits behind the rounded time of the headline."""
    return f"{figure(metric)}: {number_text.number(difference_us, 3)} µs"


def spreads(figures: Figures, ways: Ways, steps: int = 1) -> list[Finding]:
    """Figures that differ much between the ranks, per step of so many that are summed up; one that says so when none does."""
    if figures.pairs is not None or "rank" not in figures.found.column_names or figures.found.num_rows < 2:
        return []
    found = []
    ranks = figures.found["rank"].to_numpy()
    for row in figures.advice:
        values = figures.found[row["metric"]].to_numpy() / max(1, steps)
        most, least = int(ranks[int(np.argmax(values))]), int(ranks[int(np.argmin(values))])
        words = tr("{0} differs by {1} ms between the ranks, {2} of the mean step time.")
        if steps > 1:
            words = tr("{0} differs by {1} ms per step between the ranks, {2} of the mean step time.")
        text = words.format(
            figure(row["metric"]), number_text.number(row["difference_us"] / 1000 / max(1, steps), 3),
            number_text.percent(row["share"]),
        )  # fmt: skip
        why = tr("Longest on rank {0} ({1} ms), shortest on rank {2} ({3} ms). {4}").format(
            most, number_text.number(float(values.max()) / 1000, 3), least, number_text.number(float(values.min()) / 1000, 3),
            advice_text(row["metric"], row["difference_us"]),
        )  # fmt: skip
        links = (
            Link(tr("Order by it"), partial(ways.figure, row["metric"])),
            Link(tr("Rank {0}").format(most), partial(ways.element, most)),
            Link(tr("Rank {0}").format(least), partial(ways.element, least)),
        )
        found.append(Finding(text, why, "warn", links))
    if not found:
        found.append(
            Finding(
                tr("Computing, communication and free time show nothing unusual."),
                tr("No figure differs by more than 5 % of the mean step time between the ranks."), "ok",
            )
        )  # fmt: skip
    return found


def slow(rows: Sequence[dict[str, Any]], ways: Ways, *, is_full: bool) -> list[Finding]:
    """The element that the others wait for most."""
    if not rows:
        return [
            Finding(
                tr("There is no obviously slow card."), tr("Checked in the dp, cp and tp groups, threshold 5 %."), "ok"
            )
        ]
    first = rows[0]
    times = [
        tr("{0} ms in {1} groups").format(number_text.number(first[f"{name}_us"] / 1000, 3), name)
        for name in ("dp", "cp", "tp")
        if first.get(f"{name}_us")
    ]
    text = tr("The others wait for {0}: {1}.").format(label_of(first), ", ".join(times))
    why = tr("Its communication is the shortest of its groups: it comes last, and they wait.")
    if len(rows) > 1:
        why += " " + tr("Next: {0}.").format(", ".join(label_of(r) for r in rows[1:]))
    links = [Link(tr("Show in the layout"), lambda: ways.element(first["index"]))]
    if is_full:
        links.append(Link(tr("Show in Timeline"), lambda: ways.timeline(first["index"])))
    return [Finding(text, why, "wait", tuple(links))]


def issues(rows: Sequence[dict[str, Any]]) -> list[Finding]:
    """What was wrong with single ranks, worst first."""
    order = {"error": 0, "warning": 1, "info": 2}
    ranked = sorted(rows, key=lambda r: order.get(r["severity"], 3))
    found = [
        Finding(
            say(r["message"]), " · ".join(x for x in (r["where"], say(r["fix"] or "")) if x),
            "error" if r["severity"] == "error" else "warn" if r["severity"] == "warning" else "info",
        )
        for r in ranked[:_MOST_ISSUES]
    ]  # fmt: skip
    if len(ranked) > _MOST_ISSUES:
        found.append(
            Finding(tr("{0} more notes about single ranks.").format(number_text.count(len(ranked) - _MOST_ISSUES)))
        )
    return found


def rank_facts(row: dict[str, Any] | None, steps: int = 1) -> list[str]:
    """Facts of a rank for the status bar, per step of so many that are summed up."""
    if row is None:
        return [tr("no step times")]
    names = ("e2e_us", "computing_us", "communication_not_overlapped_us")
    ms = {n: number_text.number(row[n] / 1000 / max(1, steps), 3) for n in names}
    return [
        tr("step time {0} ms").format(ms["e2e_us"]),
        f"{figure('computing_us')} {ms['computing_us']} ms ({number_text.number(row['computing_ratio'], 1)} %)",
        f"{figure('communication_not_overlapped_us')} {ms['communication_not_overlapped_us']} ms",
    ]


def stragglers(rows: Sequence[dict[str, Any]], ways: Ways) -> list[Finding]:
    """The rank that costs the others most, with who waited, how often and how long."""
    if not rows:
        return [Finding(tr("No rank keeps the others waiting in collective operators."), "", "ok")]
    row = rows[0]
    rank = int(row["rank"])
    text = tr("Rank {0} makes the others wait {1} ms per step.").format(
        rank, number_text.number(row["cost_ms_per_step"], 3)
    )
    share = f" ({number_text.percent(row['share'])})" if row["share"] is not None else ""
    why = tr("It came last in {0} of {1} collective operators{2}; {3} ranks waited, rank {4} longest: {5} ms in {6}.").format(
        number_text.count(row["times"]), number_text.count(row["operators"]), share, number_text.count(row["waiters"]),
        row["worst_waiter"], number_text.number(row["worst_wait_ms"], 3), row["worst_op"],
    )  # fmt: skip
    if row["cause"]:
        why += " " + tr("It has {0} ms more {1} per step than those that waited.").format(
            number_text.number(row["cause_us"] / 1000, 3), figure(row["cause"])
        )
    elif row["skew_us"] is not None and abs(row["skew_us"]) > 1000 * row["cost_ms_per_step"]:
        why += " " + tr("Its clock differs by {0} ms: starts alone would mislead, these waits do not.").format(
            number_text.signed(row["skew_us"] / 1000, 3)
        )
    links = (
        Link(tr("Rank {0}").format(rank), lambda: ways.element(rank)),
        Link(tr("Show in Timeline"), lambda: ways.timeline(rank)),
    )
    return [Finding(text, why, "wait", links)]
