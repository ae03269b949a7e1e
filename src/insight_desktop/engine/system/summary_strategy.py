"""The parallel strategy that the data of a job tell."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pyarrow as pa

from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.system.summary_layout import MEGATRON, MEGATRON_PP, Strategy
from insight_desktop.errors import BadArgument

COLLECTED, UNDEFINED = "collected", "undefined"
_ARGS = {
    "tp": "tensor_model_parallel_size", "pp": "pipeline_model_parallel_size", "dp": "data_parallel_size",
    "cp": "context_parallel_size", "ep": "expert_model_parallel_size",
}  # fmt: skip


def collected(cluster: Cluster) -> tuple[Strategy, str]:
    """Sizes and algorithm, and where they come from: `collected` (metadata, else the indices of the step table) or `undefined`.

    Values that break a rule count as undefined: all sizes 1.
    """
    facts = {row["key"]: json.loads(row["value"]) for row in cluster.table("cluster_info").to_pylist()}
    sizes = facts.get("distributed_args")
    found = _of_arguments(sizes) if isinstance(sizes, dict) and sizes else None
    if found is None:
        columns = ("rank", "dp", "pp", "tp")
        found = of_indices(cluster.table("cluster_step", columns=columns, kind="rank"))
    if found is None:
        return Strategy(), UNDEFINED
    try:
        return found.checked(), COLLECTED
    except BadArgument:
        return Strategy(), UNDEFINED


def of_indices(rows: pa.Table) -> Strategy | None:
    """Sizes from the parallel indices of the ranks (rank, dp, pp, tp); None without an index above 0.

    The algorithm is the one whose dimension rises first when the ranks are walked upwards; both at once counts as dp.
    """
    places = {r["rank"]: (r["dp"], r["pp"], r["tp"]) for r in rows.to_pylist() if r["dp"] is not None}
    peaks = [max((p[i] or 0 for p in places.values()), default=0) for i in range(3)]
    if not any(peaks):
        return None
    algorithm = MEGATRON
    ordered = [places[rank] for rank in sorted(places)]
    for before, after in itertools.pairwise(ordered):
        if after[0] > before[0]:
            break
        if after[1] > before[1]:
            algorithm = MEGATRON_PP
            break
    return Strategy(algorithm, dp=peaks[0] + 1, pp=peaks[1] + 1, tp=peaks[2] + 1)


def _of_arguments(sizes: dict[str, Any]) -> Strategy | None:
    values = {name: sizes.get(key, 1) for name, key in _ARGS.items()}
    if not all(isinstance(v, int) and not isinstance(v, bool) for v in values.values()):
        return None
    return Strategy(**{name: max(value, 1) for name, value in values.items()})
