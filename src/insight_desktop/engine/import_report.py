"""The import report: what was read from which card, what was wrong, what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from insight_desktop.engine import scene
from insight_desktop.engine.build_source import peak_rss_mb
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.load import CardImport
from insight_desktop.engine.load_worker import find_reader
from insight_desktop.ingest.sources import Discovery, Source

_LATER = {
    "memscope_db": "a MemScope database",
    "memscope_csv": "a MemScope table",
    "memscope_python_trace": "a MemScope Python trace",
    "memscope_compare": "a comparison by MemScope without a dump in the same folder",
    "snapshot": "a PyTorch memory snapshot",
    "operator_bin": "operator tuning data",
    "on_chip_memory": "an on-chip memory plan",
    "service_db": "a serving profile",
    "service_raw_db": "a raw serving profile",
    "service_csv": "a table of a serving profile",
}
_COUNTS = ("slices", "instants", "counters", "flow_starts", "flow_ends", "links")


def import_report(discovery: Discovery, cards: Sequence[CardImport], seconds: float) -> dict[str, Any]:
    """Everything about an import as plain JSON values.

    Args:
        discovery: what was found.
        cards: one import per card.
        seconds: how long it took in all.

    Returns:
        Keys project, scene, tabs, cards, issues, ignored, seconds, cached, peak_rss_mb (largest single process).
    """
    read = [item for item in cards if item.status == "ready"]
    return {
        "project": discovery.name,
        "scene": scene.scene(discovery),
        "tabs": scene.tabs(discovery, scene.told(Capture(item.capture) for item in read if item.capture is not None)),
        "cards": [_card(item) for item in cards],
        "issues": [*(issue.as_dict() for issue in discovery.issues), *_issues(cards), *_clock_issues(read)],
        "ignored": [{"path": str(item.path), "reason": item.reason} for item in discovery.ignored] + _later(discovery),
        "seconds": round(seconds, 3),
        "cached": bool(read) and all(item.cached for item in read),
        "peak_rss_mb": max([peak_rss_mb(), *(item.peak_rss_mb for item in cards)]),
    }


def _later(discovery: Discovery) -> list[dict[str, Any]]:
    """Files that are recognised, but no page of this version reads them."""
    reason = "recognised as {}, which this version cannot show yet"
    read = {
        path
        for card in discovery.cards
        for source in card.sources
        if find_reader(source.format)
        for path in _paths(source)
    } | {item.path for item in discovery.ignored}
    return [
        {"path": str(path), "reason": reason.format(_LATER[role])}
        for role, path in discovery.extras
        if role in _LATER and path not in read
    ]


def _paths(source: Source) -> tuple[Path, ...]:
    return (*source.files, *(path for _, path in source.extras))


def _card(item: CardImport) -> dict[str, Any]:
    card, manifest = item.card, item.manifest
    row: dict[str, Any] = {
        "name": card.name, "rank": card.rank, "device": card.device, "host": card.host, "kind": item.kind,
        "kinds": list(card.kinds), "path": str(card.folder), "status": item.status, "message": item.message, "fix": item.fix,
    }  # fmt: skip
    row.update({name: item.counts.get(name, 0) for name in _COUNTS})
    row["derived_slices"] = item.counts.get("derived_slices", 0)  # computed lanes, no data of the source
    row["tables"] = dict(item.tables)
    row["processes"] = list(manifest.processes) if manifest else []
    for name in ("start_ns", "end_ns", "view_start_ns", "view_span_ns"):
        row[name] = getattr(manifest, name) if manifest else None
    row["seconds"], row["cached"], row["peak_rss_mb"] = item.seconds, item.cached, item.peak_rss_mb
    return row


def _issues(cards: Sequence[CardImport]) -> list[dict[str, Any]]:
    """Issues of all cards, each with the name of its card; a card that failed is one itself."""
    out: list[dict[str, Any]] = []
    for item in cards:
        if item.status == "failed":
            where = str(item.card.folder)
            out.append({"code": "import.failed", "severity": "error", "where": where, "count": 1, "message": item.message, "fix": item.fix, "card": item.card.name})  # fmt: skip
        out += [{**issue, "card": item.card.name} for issue in item.issues]
    return out


def _clock_issues(read: Sequence[CardImport]) -> list[dict[str, Any]]:
    """A note when cards do not overlap in time: their clocks differ or they were recorded apart."""
    spans = sorted(
        (m.view_start_ns, m.view_start_ns + m.view_span_ns, item.card.name)
        for item in read
        if (m := item.manifest) is not None
        and (m.counts.get("slices") or m.counts.get("instants") or m.counts.get("counters"))
    )
    if len(spans) < 2:
        return []
    reach, apart = spans[0][1], []
    for start, end, name in spans[1:]:
        if start > reach:
            apart.append((start - reach, name))
        reach = max(reach, end)
    if not apart:
        return []
    gap, name = max(apart)
    message = (
        f"The cards do not overlap in time: card {name} begins {gap / 1e9:.3f} s after the ones before it end. "
        "Their clocks may have an offset; recorded times are kept."
    )
    fix = "Align the cards with an offset per card in the Timeline if they were recorded together."
    return [
        {
            "code": "import.clock",
            "severity": "info",
            "where": "project",
            "count": len(apart),
            "message": message,
            "fix": fix,
        }
    ]
