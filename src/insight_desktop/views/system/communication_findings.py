"""The answers of the Communication page in sentences: who is waited for, which link is slow, what the bandwidths say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from insight_desktop.ingest.report import Issue
from insight_desktop.views.common import number_text
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.system.communication_choice import Choice
from insight_desktop.views.system.communication_slow import Slow
from insight_desktop.views.system.operator_findings import Finding

ORDER = ("slow", "link", "bandwidth", "packets", "note")


def slow_rank(slow: Slow | None, choice: Choice) -> Finding | None:
    """The rank that is waited for longest."""
    if slow is None:
        return None
    if not slow.ranks:
        return Finding(
            tr("The ranks of {0} are balanced.").format(choice.group.short),
            tr("None is at least 10 % shorter than the one that waits longest."), "ok",
        )  # fmt: skip
    first = slow.ranks[0]
    text = tr("Rank {0} arrives last: rank {1} waits {2} ms longer in step {3}.").format(
        first["rank"], first["fastest_rank"], number_text.number(first["difference_ms"], 3), choice.step
    )
    operators = slow.operators.get(first["rank"], [])
    why = ""
    if operators:
        worst = operators[0]
        why = tr("Most of it in {0}: {1} ms.").format(worst["name"], number_text.number(worst["difference_ms"], 3))
    return Finding(text, why, "warn")


def slow_link(rows: Sequence[dict[str, Any]], slow: int, links: int) -> Finding | None:
    """The slowest link of the step."""
    if not links:
        return None
    if not rows:
        return Finding(
            tr("No link is slower than its peers."), tr("Checked {0} links.").format(number_text.count(links)), "ok"
        )
    worst = rows[0]
    text = tr("Link {0} -> {1} is slow: {2} GB/s, the median of {3} is {4} GB/s.").format(
        worst["src"], worst["dst"], number_text.number(worst["bandwidth_gbs"], 2), worst["transport"],
        number_text.number(worst["median_gbs"], 2),
    )  # fmt: skip
    why = tr("{0} of the speed of links that do the same; {1} of {2} links are slow.").format(
        number_text.percent(worst["peer_ratio"], 1), number_text.count(slow), number_text.count(links)
    )
    return Finding(text, why, "warn")


def bandwidth(rows: Sequence[dict[str, Any]]) -> Finding | None:
    """What the bandwidths of the transport with most time say."""
    main = next((row for row in rows if row["is_main"]), None)
    if main is None:
        return None
    average, most = (number_text.number(main[key], 2) for key in ("avg_gbs", "max_gbs"))
    if main["is_efficient"]:
        text = tr("{0}: bandwidth is the bottleneck.").format(main["transport"])
    else:
        text = tr("{0}: communication efficiency is low.").format(main["transport"])
    why = tr("Average {0} GB/s, best rank {1} GB/s.").format(average, most)
    return Finding(text, why, "info")


def small_packets(rows: Sequence[dict[str, Any]]) -> Finding | None:
    """Operators that move little, where they are too many."""
    worst = max((row for row in rows if row["is_issue"]), key=lambda row: row["small_ms"], default=None)
    if worst is None:
        return None
    text = tr("{0} of the operators over {1} move less than {2} MB.").format(
        number_text.percent(worst["share"], 1), worst["category"], number_text.number(worst["standard_mb"], 0)
    )
    why = tr("{0} of {1} operators of the whole job, {2} ms.").format(
        number_text.count(worst["small"]), number_text.count(worst["operators"]),
        number_text.number(worst["small_ms"], 3),
    )  # fmt: skip
    return Finding(text, why, "warn")


def notes(issues: Sequence[Issue]) -> Finding | None:
    """What was wrong with the data of the job."""
    if not issues:
        return None
    first = issues[0]
    text = say(first.message)
    why = say(first.fix) if first.fix else ""
    if len(issues) > 1:
        more = tr("and {0} more").format(number_text.count(len(issues) - 1))
        why = f"{why} {more}".strip()
    return Finding(text, why, "warn" if any(i.severity != "info" for i in issues) else "info")
