"""What the builder tells the user about the data as a whole."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from insight_desktop.engine.build_links import LinkCounts
from insight_desktop.engine.build_ranges import Range
from insight_desktop.engine.build_slices import Defect, Slices
from insight_desktop.ingest.report import Report

Rows = list[dict[str, Any]]


def report_defects(report: Report, where: str, slices: Slices, texts: pa.LargeStringArray, tracks: Rows) -> None:
    """Tell about slices that overlap partly and about durations that run over everything behind them."""
    overlaps, overruns = slices.overlaps, slices.overruns
    if overlaps.count:
        message = (
            f"{_many(overlaps.count, 'slice')} overlap another one of their thread only partly, first {_example(overlaps, texts, tracks)}. "
            "They are shown whole on rows of their own; busy time counts the overlap once."
        )
        report.issue("timeline.overlap", "info", where, message, count=overlaps.count)
    if overruns.count:
        message = (
            f"{_many(overruns.count, 'slice')} overrun all that follows by far, first {_example(overruns, texts, tracks)}. "
            "The recorded duration is kept; sums contain it, busy time counts the overlap once."
        )
        fix = "Read sums of this thread with care, or select a range without the slice."
        report.issue("timeline.overrun", "warning", where, message, count=overruns.count, fix=fix)


def report_outliers(report: Report, where: str, span: Range, texts: pa.LargeStringArray, series: Rows) -> None:
    """Tell about events that the first view leaves out."""
    if not span.outliers:
        return
    if span.outlier_name <= -2:
        name = str(series[-2 - span.outlier_name]["counter"])
    else:
        name = str(texts[span.outlier_name].as_py()) if 0 <= span.outlier_name < len(texts) else ""
    message = (
        f"{_many(span.outliers, 'event')} far outside the rest in time, first '{name}' at ts {_us(span.outlier_ns)} us. "
        "They are kept, but the first view does not show them."
    )
    report.issue(
        "timeline.outlier",
        "warning",
        where,
        message,
        count=span.outliers,
        fix="Search for the event by name to go to it.",
    )


def report_links(report: Report, where: str, links: LinkCounts) -> None:
    """Tell about ends of links that are not drawn."""
    if links.one_end:
        message = (
            f"{_many(links.one_end, 'unmatched end')} of links: no other end has the same category and id; not drawn."
        )
        report.issue("flows.one_end", "info", where, message, count=links.one_end)
    if links.no_slice:
        message = f"{_many(links.no_slice, 'link')} with an end where no slice is; not drawn."
        report.issue("flows.no_slice", "info", where, message, count=links.no_slice)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _example(defect: Defect, texts: pa.LargeStringArray, tracks: Rows) -> str:
    name = str(texts[defect.name].as_py()) if 0 <= defect.name < len(texts) else ""
    track = tracks[defect.track]
    return f"'{name}' at ts {_us(defect.start_ns)} us on {track['process']} / {track['thread']}"


def _us(ns: int) -> str:
    sign, rest = ("-", -ns) if ns < 0 else ("", ns)
    return f"{sign}{rest // 1000}.{rest % 1000:03d}"
