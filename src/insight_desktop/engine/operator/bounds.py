"""What bounds a kernel: roofline, pipes, balance of the cores, stalls and bank conflicts, with the figures behind each sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.operator import numbers
from insight_desktop.engine.operator.profiles import Profile, Row, kernel
from insight_desktop.engine.store import Store

NEAR_ROOF = 0.8  # of a roof: what counts as bound by it
ACTIVE = 80.0  # percent of the cycles: a pipe that is busy all the time
UNEVEN = 1.05  # slowest part against the mean
CONFLICTS = 0.02  # of the instructions
LOW_HITS = 80.0  # percent of the L2 requests


@dataclass(frozen=True)
class Finding:
    """One sentence with the figure that it rests on.

    Attributes:
        kind: verdict, pipe, balance, stall, conflict or cache.
        severity: warning when something can be gained there, else info.
        text: the sentence.
        value: figure behind it.
        unit: of the figure.
        section: part of the page where the figure stands.
    """

    kind: str
    severity: Literal["info", "warning"]
    text: str
    value: float
    unit: str
    section: str


def bounds(store: Store, *, card: str | None = None) -> pa.Table:
    """What bounds the kernel: kind, severity, text, value, unit, section; the verdict first, then what to look at.

    The verdict comes from the roofline: 80 % of a roof or more is memory or compute bound, less is latency bound.
    """
    found = list(findings(kernel(store, card)))
    texts = ("kind", "severity", "text", "unit", "section")
    columns = [(name, pa.float64() if name not in texts else pa.string()) for name in Finding.__dataclass_fields__]
    return pa.Table.from_pylist([asdict(one) for one in found], pa.schema(columns))


def findings(main: Profile) -> Iterator[Finding]:
    """The sentences about a kernel; none for figures that were not collected."""
    pipes = _pipes(main)
    yield from _verdict(main, pipes)
    yield from _pipe(pipes)
    yield from _balance(main)
    yield from _conflicts(main)
    yield from _stalls(main)
    yield from _cache(main)


def best_roof(main: Profile) -> Row | None:
    """The entry of the roofline that comes closest to its roof; None without a ratio."""
    rows = [row for row in main.rows("operator_roofline") if row["row"] >= 0 and row["ratio"] is not None]
    return max(rows, key=lambda row: row["ratio"], default=None)


def verdict(main: Profile) -> str:
    """`memory`, `compute`, `latency`, or empty when the roofline was not collected."""
    row = best_roof(main)
    if row is None or not row["bw_tbps"] or row["intensity"] is None:
        return ""
    if row["ratio"] <= NEAR_ROOF:
        return "latency"
    return "memory" if row["intensity"] <= (row["computility_tops"] or 0) / row["bw_tbps"] else "compute"


def _verdict(main: Profile, pipes: list[Row]) -> Iterator[Finding]:
    row, kind = best_roof(main), verdict(main)
    if row is None or not kind:
        if pipes:
            rate = pipes[0]["rate"]
            text = "Bound by one pipe" if rate >= ACTIVE else "Latency bound: no pipe works all the time"
            yield Finding(
                "verdict", "info" if rate >= ACTIVE else "warning",
                f"{text}; {pipes[0]['pipe']} is active for {rate:.1f} % of the cycles. The roofline was not collected.",
                rate, "%", "memory_table",
            )  # fmt: skip
        return
    percent = 100 * row["ratio"]
    turning = (row["computility_tops"] or 0) / row["bw_tbps"]
    where = (
        f"{numbers.decimal_text(row['intensity'], 3)} operations per byte, the roof turns at "
        f"{numbers.decimal_text(turning, 3)}"
    )
    if kind == "memory":
        text = f"Memory bound: {percent:.1f} % of the roof of {row['bw_name']} is reached ({where})."
    elif kind == "compute":
        text = f"Compute bound: {percent:.1f} % of {row['computility_name']} is reached ({where})."
    else:
        text = f"Latency bound: no more than {percent:.1f} % of a roof is reached, that of {row['bw_name']} ({where})."
    yield Finding("verdict", "warning" if kind == "latency" else "info", text, percent, "%", "roofline")


def _pipes(main: Profile) -> list[Row]:
    """Mean active rate of each pipe over the blocks, the busiest first: table, pipe, rate, wait (share of the cycles)."""
    sums: dict[tuple[str, str], list[tuple[float, float]]] = {}
    tables = main.table("operator_memory_table")
    for row in tables.filter(pc.starts_with(tables["table"], "Pipe")).to_pylist():
        if row["name"] is None:
            continue
        values = dict(zip(row["heads"], row["values"], strict=False))
        rate = numbers.to_number(values.get("active rate(%)"))
        if rate is None:
            continue
        cycle, wait = (numbers.to_number(values.get(name)) or 0.0 for name in ("cycle", "wait cycles"))
        total = 100 * cycle / rate if rate > 0 else 0.0
        sums.setdefault((row["table"], row["name"]), []).append((rate, 100 * wait / total if total else 0.0))
    found: list[Row] = [
        {
            "table": table,
            "pipe": pipe,
            "rate": sum(r for r, _ in each) / len(each),
            "wait": sum(w for _, w in each) / len(each),
        }
        for (table, pipe), each in sums.items()
    ]
    return sorted(found, key=lambda row: -row["rate"])


def _pipe(pipes: list[Row]) -> Iterator[Finding]:
    if not pipes:
        return
    first = pipes[0]
    second = next((row for row in pipes if row["pipe"] != first["pipe"]), None)
    rest = f", {second['pipe']} for {second['rate']:.1f} %" if second is not None else ""
    yield Finding(
        "pipe", "info",
        f"The busiest pipe is {first['pipe']} ({first['table']}): active for {first['rate']:.1f} % of the cycles{rest}.",
        first["rate"], "%", "memory_table",
    )  # fmt: skip
    waiting = max(pipes, key=lambda row: row["wait"])
    if waiting["wait"] >= 20:
        yield Finding(
            "pipe", "warning",
            f"{waiting['pipe']} ({waiting['table']}) waits for {waiting['wait']:.1f} % of the cycles.",
            waiting["wait"], "%", "memory_table",
        )  # fmt: skip


def _balance(main: Profile) -> Iterator[Finding]:
    rows = [row for row in main.rows("operator_core") if row["row"] >= 0 and row["cycles"]]
    for kind in dict.fromkeys(row["type"] for row in rows):
        same = [row for row in rows if row["type"] == kind]
        if len(same) < 2:
            continue
        mean = sum(row["cycles"] for row in same) / len(same)
        slow = max(same, key=lambda row: row["cycles"])
        more = 100 * (slow["cycles"] / mean - 1)
        what = f"{kind}{slow['sub_core']} of core {slow['core']}"
        figures = f"{slow['cycles']:,} cycles, {round(mean):,} on average"
        if slow["cycles"] >= UNEVEN * mean:
            text = f"{what} takes {more:.1f} % more than the {kind} parts on average ({figures})."
            yield Finding("balance", "warning", text, more, "%", "core_load")
        else:
            text = f"The {kind} parts are balanced: the slowest, {what}, takes {more:.1f} % more than the average ({figures})."
            yield Finding("balance", "info", text, more, "%", "core_load")


def _conflicts(main: Profile) -> Iterator[Finding]:
    totals: dict[str, float] = {}
    every = 0.0
    every_row = main.table("operator_compute")
    chosen = pc.or_(
        pc.starts_with(every_row["name"], "Vector All Active"), pc.match_substring(every_row["name"], "Conflict")
    )
    for row in every_row.filter(chosen).to_pylist():
        count = numbers.to_number(row["value"])
        if row["kind"] != "table" or row["unit"] != 1 or count is None:
            continue
        if row["name"].startswith("Vector All Active"):
            every += count
        elif "Conflict" in row["name"]:
            totals[row["name"]] = totals.get(row["name"], 0.0) + count
    name = max(totals, key=lambda n: totals[n], default="")
    if not name or not every or not totals[name]:
        return
    part = totals[name] / every
    yield Finding(
        "conflict", "warning" if part >= CONFLICTS else "info",
        f"{name}: {int(totals[name]):,} of {int(every):,} vector instructions ({100 * part:.1f} %) were blocked.",
        100 * part, "%", "compute",
    )  # fmt: skip


def _stalls(main: Profile) -> Iterator[Finding]:
    rows = [row for row in main.rows("operator_stall") if row["count"] > 0]
    total = sum(row["count"] for row in rows)
    if not total:
        return
    first = max(rows, key=lambda row: row["count"])
    part = 100 * first["count"] / total
    text = f"Warps wait most for {first['reason']}: {first['count']:,} of {total:,} samples ({part:.1f} %)."
    yield Finding("stall", "warning" if part >= 50 else "info", text, part, "%", "stalls")


def _cache(main: Profile) -> Iterator[Finding]:
    rows = main.rows("operator_memory_block")
    hit = sum(numbers.to_number(row["l2_hit"]) or 0 for row in rows)
    total = sum(numbers.to_number(row["l2_total"]) or 0 for row in rows)
    if not total:
        return
    rate = 100 * hit / total
    text = f"{rate:.1f} % of the L2 requests are hits ({int(hit):,} of {int(total):,})."
    yield Finding("cache", "warning" if rate < LOW_HITS else "info", text, rate, "%", "memory_graph")
