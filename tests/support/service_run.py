"""Serving runs opened for tests: read, built and filled as an import does it, kept for the whole test run."""

from __future__ import annotations

import importlib
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from insight_desktop.engine import fillers
from insight_desktop.engine.build import build_capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.report import Report

T0 = 1_754_914_572_000_000_000  # the zero of the worked examples, ns


@cache
def run_of(path: Path, kind: str | None = None) -> Store:
    """A store with the serving runs of a path; its reports are in `store.reports`."""
    store, reports = Store(), []
    for card in discover([path]).cards:
        source = card.source(kind)
        folder = Path(tempfile.mkdtemp(prefix="service-run-"))
        report = Report()
        reader = importlib.import_module(f"insight_desktop.ingest.formats.{source.format}")
        build_capture(folder, reader.read(source, report), source, report)
        fillers.fill(folder, source, report)
        store.put(StoreCard(card.name, None, None, "", source.kind, folder, source_folder=card.folder, source=source))
        reports.append(report)
    store.reports = reports  # type: ignore[attr-defined]
    return store


def trace(folder: Path, events: list[dict[str, Any]], name: str = "run") -> Path:
    """A folder with a chrome_tracing.json of these events; times in ms after T0."""
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    (place / "chrome_tracing.json").write_text(json.dumps(events), encoding="utf-8")
    return place


def event(
    name: str, at: float, lane: str = "Engine(1)", pid: Any = 1, until: float | None = None, **args: Any
) -> dict[str, Any]:
    """An event of a trace: times in ms after T0."""
    start = T0 // 1000 + at * 1000
    found: dict[str, Any] = {"name": name, "pid": pid, "tid": lane, "ts": start, "args": args}
    return {**found, "ph": "X", "dur": (until - at) * 1000} if until is not None else {**found, "ph": "I", "dur": 0.0}
