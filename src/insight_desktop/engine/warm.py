"""Runs every kernel once on a few rows, so that the first real file does not wait for the compiler."""

from __future__ import annotations

import importlib
import json
import logging
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine.build import build_capture
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

_PACKAGES = (
    "insight_desktop.ingest.formats",
    "insight_desktop.engine.timeline",
    "insight_desktop.engine.system",
    "insight_desktop.engine.memory",
)
logger = logging.getLogger(__name__)


def warm_reading(folder: Path) -> None:
    """Warm what an import needs: the builder and the trace reader; `folder` is for scratch files."""
    build_capture(folder / "capture", _stream(), Source("warm", "text", ()), Report())
    _read_trace(folder)


def warm_modules(folder: Path) -> None:
    """Warm reading and every module that offers `warm()`; `folder` is for scratch files."""
    warm_reading(folder)
    for package in _PACKAGES:
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
            try:
                warm = getattr(importlib.import_module(f"{package}.{module.name}"), "warm", None)
                if callable(warm):
                    warm()
            except Exception:  # warming is a convenience: the kernels compile at first use otherwise
                logger.warning("kernels of %s.%s were not warmed", package, module.name, exc_info=True)


def _read_trace(folder: Path) -> None:
    path = folder / "warm.json"
    path.write_text(json.dumps([{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": "1.5", "dur": 2, "args": {"n": 1}}, {"ph": "C", "name": "c", "pid": 1, "ts": 2, "args": {"v": 1}}]))  # fmt: skip
    try:
        reader = importlib.import_module("insight_desktop.ingest.formats.trace_json")
        for threads in (1, 2):
            for _ in reader.read(Source("trace_json", "text", (path,)), Report(), threads=threads):
                pass
    except Exception:
        logger.warning("the trace reader was not warmed", exc_info=True)


def _stream() -> Iterator[tuple[str, pa.RecordBatch]]:
    """A small stream that reaches every branch with a kernel: nesting, overlap, disorder, groups, links, counters."""
    n = 6000
    at = np.arange(n, dtype=np.int64) * 100
    none = np.full(n, -1)
    group = none.copy()
    group[-20:] = 0
    yield "slice", schema.batch("slice", track=at % 3, start_ns=at[::-1], end_ns=at[::-1] + 350, name=none + 1, category=none, flags=none * 0, args_at=none, args_len=none, group=group)  # fmt: skip
    yield "instant", schema.batch("instant", track=[0], ts_ns=[5], name=[0], category=[-1], args_at=[-1], args_len=[0])
    yield "counter", schema.batch("counter", series=[0, 0], ts_ns=[2, 1], value=[1.0, float("nan")])
    yield "flow", schema.batch("flow", track=[0, 0], ts_ns=[100, 400], phase=[ord("s"), ord("f")], category=[0, 0], id=[1, 1], enclosing=[False, True])  # fmt: skip
    yield "link", schema.batch("link", category=[0], id=[1], from_serial=[0], to_serial=[1])
    yield "string", schema.batch("string", value=["warm 1"])
    text = {f.name: ["1"] * 3 for f in schema.STREAM["track"].schema if f.type == pa.string()}
    yield (
        "track",
        schema.batch(
            "track", **text, process_sort=[0.0] * 3, thread_sort=[0.0] * 3, lane_sort=[0] * 3, device=[-1] * 3
        ),
    )
    text = {f.name: ["1"] for f in schema.STREAM["series"].schema if f.type == pa.string()}
    yield "series", schema.batch("series", **text, process_sort=[0.0], order=[0], device=[-1])
