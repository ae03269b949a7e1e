"""What the import report says about a trace."""

from __future__ import annotations

from pathlib import Path

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import trace_layout as ts
from insight_desktop.ingest.formats.trace_bytes import Array
from insight_desktop.ingest.formats.trace_chunks import Facts
from insight_desktop.ingest.formats.trace_names import Metadata
from insight_desktop.ingest.formats.trace_pairs import Pairs
from insight_desktop.ingest.formats.trace_text import fix_for, quote_head
from insight_desktop.ingest.report import Report

_FORMS = "A trace is an array of events, an object with traceEvents, or one event per line."
_AGAIN = "Copy or export the file again if the missing part matters."
_EPOCH_NS = 10**17  # later stamps are calendar times
# Phases that become rows; the others are counted by letter.
_SHOWN = frozenset("XCMstfBEbenSTpFiI")


def no_trace(path: Path, head: bytes, what: str, facts: Facts | None = None, problem: str = "") -> BadFile:
    """The error for a file without a single trace event."""
    name = path.name
    if what:
        return BadFile(f"{name} is {what} (first bytes {quote_head(head)}).", fix=fix_for(what))
    if problem:
        return BadFile(f"{name} cannot be read: {problem}; no trace events found.", fix=_AGAIN)
    if not head:
        return BadFile(f"{name} is empty (0 bytes).", fix="Export or copy the trace again.")
    if facts is not None and facts.blank:
        return BadFile(f"{name} is empty: it holds blanks only.", fix="Export or copy the trace again.")
    shown = quote_head(head)
    if facts is None or facts.bad_head or facts.bad_root >= 0:
        return BadFile(f"{name} is not JSON: it begins with {shown}; no trace events found.", fix=_FORMS)
    if facts.stats[ts.EVENTS] or facts.stats[ts.NOT_OBJECT]:
        return BadFile(
            f"{name} is JSON, but no trace events were found in its elements: no element has a phase (ph).", fix=_FORMS
        )
    if facts.stats[ts.TRUNCATED]:
        return BadFile(
            f"{name} ends inside its first event (truncated at byte {facts.total}): no trace events found.", fix=_AGAIN
        )
    if facts.stats[ts.DAMAGED]:
        return BadFile(
            f"{name} is not valid JSON at byte {facts.damage_at} and behind: no trace events found (first bytes {shown}).",
            fix=_FORMS,
        )
    where = f" It breaks near byte {facts.damage_at}." if facts.damage_at >= 0 else ""
    return BadFile(
        f"{name} holds no trace events: no trace events found in an array or under traceEvents, "
        f"which is empty or missing (first bytes {shown}).{where}",
        fix=_FORMS,
    )


def file_issues(report: Report, path: Path, facts: Facts, problem: str, base: int, *, salvage: bool) -> None:
    """Damage of one file: where, how much was skipped, what is kept."""
    name, stats = path.name, facts.stats
    kept = int(stats[ts.EVENTS])
    if problem:
        report.issue("trace_json.cut", "warning", name, f"{name}: {problem}; {kept} whole events are kept.", fix=_AGAIN)
    damaged, cut = int(stats[ts.DAMAGED]) + int(facts.bad_root >= 0), int(stats[ts.TRUNCATED])
    if cut:
        report.issue(
            "trace_json.truncated", "warning", name,
            f"{name} ends inside an event (truncated at byte {facts.total}); the {kept} whole events before are kept.",
            fix=_AGAIN,
        )  # fmt: skip
    if damaged - cut > 0:
        at = facts.bad_root if facts.bad_root >= 0 else facts.damage_at
        report.issue(
            "trace_json.damaged", "warning", f"{name} byte {at - base}",
            f"{name} is not valid JSON at byte {at - base}: damaged events were skipped there "
            f"({int(stats[ts.SKIPPED])} bytes in all); {kept} whole events before and behind are kept.",
            count=damaged - cut, fix=_AGAIN,
        )  # fmt: skip
    if facts.bad_head or salvage:
        report.issue(
            "trace_json.bad_head", "warning", name,
            f"{name} does not begin like a trace (first bytes {quote_head(facts.head)}); "
            f"{kept} whole events were found in it.",
            fix=_FORMS,
        )  # fmt: skip
    if facts.unclosed and not cut:
        report.issue(
            "trace_json.unclosed", "warning", name,
            f"{name}: the closing bracket is missing at byte {facts.total}; the file may be truncated, "
            f"{kept} events are kept.",
            fix=_AGAIN,
        )  # fmt: skip
    if facts.trailing >= 0:
        report.issue(
            "trace_json.trailing", "warning", name,
            f"{name}: data follow the end of the JSON at byte {facts.trailing - base}; events in it are read too.",
        )  # fmt: skip


def nothing_to_show(report: Report, events: int, where: str) -> None:
    """A trace of metadata, flows and unknown events only."""
    report.issue(
        "trace_json.nothing_to_show", "warning", where,
        f"{where} holds {events} events, but no slices, instants or counter values among them: the timeline is empty.",
        fix="Collect again with activities switched on, or open another file of the run.",
    )  # fmt: skip


def pair_issues(report: Report, pairs: Pairs, where: str) -> None:
    """Begins without an end and ends without a begin."""
    if pairs.unfinished:
        report.issue(
            "trace_json.unfinished", "warning", where, count=pairs.unfinished,
            message="Slices begin but never end (ph B, b or S); they are drawn as unfinished.",
        )  # fmt: skip
    if pairs.lonely_ends:
        report.issue(
            "trace_json.unmatched_end", "warning", where, count=pairs.lonely_ends,
            message="Ends without a begin (ph E, e or F) were ignored.",
        )  # fmt: skip


def count_events(report: Report, stats: Array, meta: Metadata, last_ns: int, where: str) -> None:
    """Counts by phase, and one issue per kind of defect in the values."""
    others: dict[str, int] = {}
    for code in range(256):
        count = int(stats[ts.PHASES + code])
        if count:
            letter = chr(code) if 32 < code < 127 else "?"
            report.add(f"phase.{letter}", count)
            if letter not in _SHOWN:
                others[letter] = others.get(letter, 0) + count
    report.add("flow_starts", int(stats[ts.PHASES + ord("s")]))
    report.add("flow_ends", int(stats[ts.PHASES + ord("f")]))
    report.add("counters", int(stats[ts.C_KEPT]))
    if others:
        listed = ", ".join(f"{letter} {count}" for letter, count in sorted(others.items()))
        report.issue(
            "trace_json.other_phases", "info", where, f"Events of phases that are not shown: {listed}.",
            count=sum(others.values()),
        )  # fmt: skip
    for index, defect, severity, message in _VALUE_ISSUES:
        if stats[index]:
            report.issue(f"trace_json.{defect}", severity, where, message, count=int(stats[index]))  # type: ignore[arg-type]
    if stats[ts.TS_ZERO] and last_ns > _EPOCH_NS:
        report.issue(
            "trace_json.zero_ts", "warning", where, count=int(stats[ts.TS_ZERO]),
            message="Events at time 0 stand among events with calendar times; they are kept, "
            "the first view leaves them out.",
        )  # fmt: skip
    if meta.unreadable:
        report.issue(
            "trace_json.bad_metadata", "info", where, "Metadata events without a usable value were ignored.",
            count=meta.unreadable,
        )  # fmt: skip


_VALUE_ISSUES = (
    (ts.NOT_OBJECT, "not_object", "warning", "Elements that are no objects were skipped."),
    (ts.NO_PHASE, "no_phase", "warning", "Objects without a phase (ph) are no events and were skipped."),
    (ts.BAD_TS, "bad_ts", "warning", "Events whose ts is missing, negative or no number stand at time 0."),
    (ts.BAD_DUR, "bad_dur", "warning", "Slices whose dur is missing, negative or no number have zero length."),
    (ts.NO_ID, "flow_without_id", "warning", "Ends of flows without an id cannot be linked and were left out."),
    (ts.C_ZERO, "counter_at_zero", "warning", "Counter events at time 0 were left out."),
    (ts.C_EMPTY, "counter_without_values", "warning", "Counter events without a number were left out."),
    (ts.C_TEXT, "counter_text", "info", "Counter values that are no numbers were left out."),
)
