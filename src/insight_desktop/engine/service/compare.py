"""Named queries that compare two serving runs: figures, and the spans of their events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.rounding import half_away
from insight_desktop.engine.service import overview
from insight_desktop.engine.store import Store

# Figures in the order of the table: name, unit, divisor, which way is better (1 more, -1 less, 0 neither).
_FIGURES = (
    ("done", "", 1, 1), ("running", "", 1, 0), ("duration_ns", "s", 1e9, 0), ("requests_per_s", "/s", 1, 1),
    ("output_tokens_per_s", "tok/s", 1, 1), ("total_tokens_per_s", "tok/s", 1, 1), ("peak_output_tokens_per_s", "tok/s", 1, 1),
    ("peak_concurrency", "", 1, 0), ("mean_concurrency", "", 1, 0),
    *((f"{m}_{p}_ns", "ms", 1e6, -1) for m in ("ttft", "tpot", "itl", "e2e", "queue") for p in ("mean", "p50", "p90", "p99")),
    ("kv_peak", "%", 0.01, 0), ("kv_mean", "%", 0.01, 0), ("kv_above_90", "%", 0.01, -1), ("preemptions", "", 1, -1),
    ("stall_ns", "ms", 1e6, -1), ("mean_batch_size", "", 1, 0), ("busy", "%", 0.01, 1), ("hit_rate", "%", 0.01, 1),
)  # fmt: skip


def rows(store: Store, *, base: str, card: str | None = None) -> pa.Table:
    """Figures of a run against those of another: figure, unit, comparison, baseline, difference, ratio_percent (difference ÷
    baseline), better (1 the run is better, -1 worse, 0 neither or equal)."""
    ours, theirs = (overview.kpis(store, card=c).to_pylist()[0] for c in (card, base))
    out = []
    for name, unit, divisor, way in _FIGURES:
        a, b = ours[name], theirs[name]
        a, b = (None if v is None else v / divisor for v in (a, b))
        difference = None if a is None or b is None else a - b
        out.append(
            {
                "figure": name.removesuffix("_ns"), "unit": unit, "comparison": a, "baseline": b, "difference": difference,
                "ratio_percent": None if difference is None or not b else difference / b * 100,
                "better": 0 if not difference else way if difference > 0 else -way,
            }
        )  # fmt: skip
    kinds = [("figure", pa.string()), ("unit", pa.string()), *((n, pa.float64()) for n in ("comparison", "baseline", "difference", "ratio_percent")), ("better", pa.int64())]  # fmt: skip
    return pa.Table.from_pylist(out, pa.schema(kinds))


_STATISTICS = ("avg", "p50", "p90")


def spans(store: Store, *, base: str, card: str | None = None) -> pa.Table:
    """Durations of events by name against another run, ms with 2 decimals: name, golden_avg, golden_p50, golden_p90 (the
    baseline), input_…, diff_… (input − golden), rdiff_…_percent (null when golden is 0), count, golden_count. Names that
    last nowhere are left out."""
    ours = _spans(store.capture(store.card(card, "service").name))
    theirs = _spans(store.capture(store.card(base, "service").name))
    out = []
    for name in sorted({*ours, *theirs}):
        a, b = ours.get(name, {}), theirs.get(name, {})
        if not any(v for side in (a, b) for k, v in side.items() if k != "count"):
            continue
        row: dict[str, Any] = {"name": name, "count": a.get("count", 0), "golden_count": b.get("count", 0)}
        for key in _STATISTICS:
            golden, given = b.get(key), a.get(key)
            difference = (given or 0.0) - (golden or 0.0)
            row |= {
                f"golden_{key}": _rounded(golden),
                f"input_{key}": _rounded(given),
                f"diff_{key}": _rounded(difference),
            }
            row[f"rdiff_{key}_percent"] = _rounded(difference / golden * 100) if golden else None
        out.append(row)
    kinds = [("name", pa.string()), *((f"{side}_{key}", pa.float64()) for side in ("golden", "input", "diff") for key in _STATISTICS)]  # fmt: skip
    kinds += [(f"rdiff_{key}_percent", pa.float64()) for key in _STATISTICS]
    return pa.Table.from_pylist(out, pa.schema([*kinds, ("count", pa.int64()), ("golden_count", pa.int64())]))


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(half_away(np.array([value]), 2)[0])


def _spans(capture: Capture) -> dict[str, dict[str, float]]:
    """Mean, P50 and P90 in ms of the events of each name."""
    length = (capture.slice_end - capture.slice_start) / 1e6
    order = np.argsort(capture.slice_name, kind="stable")
    names, begin = np.unique(capture.slice_name[order], return_index=True)
    out = {}
    for name, part in zip(names.tolist(), np.split(length[order], begin[1:]), strict=True):
        p50, p90 = np.quantile(part, (0.5, 0.9))
        out[capture.text(name)] = {"avg": float(part.mean()), "p50": float(p50), "p90": float(p90), "count": len(part)}
    return out
