"""One finding of the diagnosis, and how its figures are written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from insight_desktop.errors import NoData

HIGH, MEDIUM, LOW = "high", "medium", "low"
_SHARES = ((0.10, HIGH), (0.03, MEDIUM))  # of a step
FINDINGS = pa.schema(
    [
        ("severity", pa.string()), ("text", pa.string()), ("cost_ms_per_step", pa.float64()), ("share", pa.float64()),
        ("evidence", pa.string()), ("advice", pa.string()), ("tab", pa.string()), ("query", pa.string()),
        ("arguments", pa.string()), ("code", pa.string()),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One sentence about what costs time.

    Attributes:
        code: stable name of the rule.
        text: the sentence, with its figures.
        evidence: what proves it, with figures.
        advice: what to try.
        tab: where its figures are shown.
        query: the named query that gives them.
        arguments: its arguments.
        cost_ms: per step; None where no time can be told.
        least: the lowest severity that it can have.
    """

    code: str
    text: str
    evidence: str
    advice: str
    tab: str
    query: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    cost_ms: float | None = None
    least: str = LOW


Rule = Callable[[], Iterable[Finding]]


def table(rules: Iterable[Rule], step_ms: float, least_share: float) -> pa.Table:
    """Findings of all rules that apply, the costliest first.

    Args:
        rules: each gives findings, or raises NoData when the data do not have what it looks at.
        step_ms: length of a step, for the shares.
        least_share: findings below this share of a step are left out; those without a cost stay.
    """
    found = [f for rule in rules for f in _guarded(rule) if f.cost_ms is None or f.cost_ms >= least_share * step_ms]
    found.sort(key=lambda f: (f.cost_ms is None, -(f.cost_ms or 0.0), _RANKS[f.least], f.code))
    rows = []
    for f in found:
        share = f.cost_ms / step_ms if f.cost_ms is not None and step_ms > 0 else None
        rows.append(
            {
                "severity": _severity(share, f.least), "text": f.text, "cost_ms_per_step": f.cost_ms, "share": share,
                "evidence": f.evidence, "advice": f.advice, "tab": f.tab, "query": f.query,
                "arguments": json.dumps(f.arguments, ensure_ascii=False), "code": f.code,
            }
        )  # fmt: skip
    return pa.Table.from_pylist(rows, FINDINGS)


def ms(value: float) -> str:
    """A time in ms with three figures: `105 ms`, `23.4 ms`, `0.82 ms`."""
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2 if value >= 0.0995 else 4
    return f"{value:,.{digits}f} ms"


def percent(share: float) -> str:
    """A share of 0 to 1 as percent: `30 %`, `0.4 %`."""
    value = share * 100
    return f"{value:.0f} %" if value >= 9.95 else f"{value:.1f} %"


def count(number: int, noun: str) -> str:
    """`1 rank`, `3 ranks`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


_RANKS = {HIGH: 0, MEDIUM: 1, LOW: 2}


def _severity(share: float | None, least: str) -> str:
    own = next((name for limit, name in _SHARES if share is not None and share >= limit), LOW)
    return min(own, least, key=lambda name: _RANKS[name])


def _guarded(rule: Rule) -> Iterator[Finding]:
    try:
        yield from rule()
    except NoData:
        return  # the data do not have what the rule looks at
