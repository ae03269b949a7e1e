"""Named queries of speculative decoding: how many drafted tokens were accepted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service.model import NONE, Instance, opened
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData


def _drafts(run: Instance) -> tuple[Any, Any, Any, Any]:
    """(request, step, drafted, accepted) of every request and step with drafted tokens. Raises NoData without any."""
    m = run.step_request
    known = (m.spec_tokens > 0) & (m.accepted_tokens >= 0)
    if not known.any():
        raise NoData(
            "This run has no speculative decoding.",
            fix="Collect a run with a draft model; the batches then list num_spec_output_tokens.",
        )
    return m.request[known], m.step[known], m.spec_tokens[known], m.accepted_tokens[known]


def ratios(drafted: Any, accepted: Any) -> tuple[float, list[float]]:
    """Share of accepted drafts, and for each position p the share of drafts longer than p that were accepted beyond p."""
    whole = float(np.sum(accepted)) / float(np.sum(drafted)) if np.sum(drafted) else 0.0
    depth = int(np.max(drafted)) if len(drafted) else 0
    places = [float((accepted >= p + 1).sum() / (drafted >= p + 1).sum()) for p in range(depth)]
    return whole, places


def summary(store: Store, *, card: str | None = None) -> pa.Table:
    """One row: steps (request and step), drafted, accepted (tokens), ratio, mean_accepted_length (tokens per step, the
    sampled one included)."""
    _, _, drafted, accepted = _drafts(opened(store, card))
    ratio, _ = ratios(drafted, accepted)
    return pa.table(
        {
            "steps": [len(drafted)], "drafted": [int(drafted.sum())], "accepted": [int(accepted.sum())], "ratio": [ratio],
            "mean_accepted_length": [float((accepted + 1).sum() / len(accepted))],
        }
    )  # fmt: skip


def positions(store: Store, *, card: str | None = None) -> pa.Table:
    """By position in the draft from 0: position, ratio (4 digits), drafted (drafts that long)."""
    _, _, drafted, accepted = _drafts(opened(store, card))
    _, places = ratios(drafted, accepted)
    count = [int((drafted >= p + 1).sum()) for p in range(len(places))]
    return pa.table({"position": list(range(len(places))), "ratio": [round(p, 4) for p in places], "drafted": count})


def by_request(store: Store, *, card: str | None = None) -> pa.Table:
    """By request: rid, steps, drafted, accepted, ratio, mean_accepted_length."""
    run = opened(store, card)
    request, _, drafted, accepted = _drafts(run)
    count = len(run.request)
    steps = np.bincount(request, minlength=count)
    a, b = np.bincount(request, drafted, count), np.bincount(request, accepted, count)
    rows = np.flatnonzero(steps)
    return pa.table(
        {
            "rid": pa.array(run.request.rid[rows], pa.string()), "steps": steps[rows], "drafted": a[rows].astype(np.int64),
            "accepted": b[rows].astype(np.int64), "ratio": b[rows] / a[rows], "mean_accepted_length": b[rows] / steps[rows] + 1,
        }
    )  # fmt: skip


def over_time(store: Store, *, card: str | None = None) -> pa.Table:
    """By step: step, execute_start_ns, drafted, accepted, ratio."""
    run = opened(store, card)
    _, step, drafted, accepted = _drafts(run)
    count = len(run.step) + 1
    a, b = np.bincount(step, drafted, count), np.bincount(step, accepted, count)
    rows = np.flatnonzero(a)
    start = run.step.execute_start_ns[rows - 1]
    return pa.table({"step": rows, "execute_start_ns": pa.array(start, mask=start == NONE), "drafted": a[rows], "accepted": b[rows], "ratio": b[rows] / a[rows]})  # fmt: skip
