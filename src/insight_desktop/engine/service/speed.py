"""Named queries of the collector's generation speeds: requests of a batch per second, which it calls tokens per second."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from insight_desktop.engine.service.model import NONE, Instance, opened
from insight_desktop.engine.store import Store


def prefill(store: Store, *, card: str | None = None) -> pa.Table:
    """Batch requests per second of prefills: step, end_ns (of the execution), batch_size, per_s = batch size ÷ (end of the
    execution of a request's first iteration − start of its scheduling). One row per step that begins requests."""
    return _table(*prefill_of(opened(store, card)))


def decode(store: Store, *, card: str | None = None) -> pa.Table:
    """Batch requests per second of decodes: step, end_ns, batch_size, per_s = batch size ÷ (end − end of the same request's
    previous iteration). One row per request and iteration; iterations that do not follow each other give none."""
    return _table(*decode_of(opened(store, card)))


def _table(step: Any, end: Any, size: Any, length: Any) -> pa.Table:
    keep = length > 0
    return pa.table(
        {"step": step[keep], "end_ns": end[keep], "batch_size": size[keep], "per_s": size[keep] / length[keep] * 1e9}
    )


def prefill_of(run: Instance) -> tuple[Any, Any, Any, Any]:
    """(step, end, batch size, time) of steps in which a request has its first iteration."""
    first = np.unique(run.step_request.step[run.step_request.iteration == 0])
    s = run.step.take(first - 1)
    known = (s.schedule_start_ns != NONE) & (s.execute_end_ns != NONE)
    length = np.where(known, s.execute_end_ns - s.schedule_start_ns, 0)
    return first, s.execute_end_ns, s.batch_size, length


def decode_of(run: Instance) -> tuple[Any, Any, Any, Any]:
    """(step, end, batch size, time since the end of the request's previous iteration) of every iteration but the first."""
    m = run.step_request
    order = np.lexsort((m.iteration, m.request))
    request, iteration, step = m.request[order], m.iteration[order], m.step[order]
    follows = (request[1:] == request[:-1]) & (iteration[1:] == iteration[:-1] + 1) & (iteration[:-1] >= 0)
    end = run.step.execute_end_ns[step - 1] if len(step) else np.empty(0, np.int64)
    before, after = end[:-1][follows], end[1:][follows]
    known = (before != NONE) & (after != NONE)
    found = step[1:][follows]
    return found, after, run.step.batch_size[found - 1], np.where(known, after - before, 0)
