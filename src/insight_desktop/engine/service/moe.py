"""Named queries of expert parallel runs: load of the layers per process, spread of dispatch and combine."""

from __future__ import annotations

import pyarrow as pa

from insight_desktop.engine.service import recorded
from insight_desktop.engine.store import Store
from insight_desktop.errors import NoData
from insight_desktop.ingest.formats.service_results import column
from insight_desktop.ingest.formats.service_values import number


def balance(store: Store, *, card: str | None = None) -> pa.Table:
    """Time of GroupedMatmul per process and decoder layer: process, layer from 0, time_ns, over_mean (÷ mean of the layer).
    Raises NoData without the table ep_balance."""
    table = recorded.table(store, card, "ep_balance")
    if table is None or not table.num_rows:
        raise NoData(
            "This run has no table ep_balance.",
            fix="Collect a mixture of experts with kernels, and open its db or csv.",
        )
    heads = [name for name in table.column_names if name.lower() not in ("index", "layer", "unnamed: 0", "")]
    values = {head: [number(v) for v in table[head].to_pylist()] for head in heads}
    rows = []
    for layer in range(table.num_rows):
        known = [v for head in heads if (v := values[head][layer]) is not None]
        mean = sum(known) / len(known) if known else 0.0
        for head in heads:
            time = values[head][layer]
            ratio = time / mean if time is not None and mean else None
            rows.append({"process": head, "layer": layer, "time_ns": time, "over_mean": ratio})
    kinds = [("process", pa.string()), ("layer", pa.int64()), ("time_ns", pa.float64()), ("over_mean", pa.float64())]
    return pa.Table.from_pylist(rows, pa.schema(kinds))


def spread(store: Store, *, card: str | None = None) -> pa.Table:
    """Durations of MoeDistributeDispatch and Combine per process: process, mean_ns, low_ns, high_ns (95 % interval of the
    mean). Raises NoData without the table moe_analysis."""
    table = recorded.table(store, card, "moe_analysis")
    if table is None or not table.num_rows:
        raise NoData(
            "This run has no table moe_analysis.",
            fix="Collect a mixture of experts with kernels, and open its db or csv.",
        )
    heads = ("Dataset", "Mean", "CI_Lower", "CI_Upper")
    found = zip(*(column(table, head) for head in heads), strict=True)
    rows = [
        {"process": str(p), "mean_ns": number(m), "low_ns": number(a), "high_ns": number(b)} for p, m, a, b in found
    ]
    kinds = [("process", pa.string()), *((n, pa.float64()) for n in ("mean_ns", "low_ns", "high_ns"))]
    return pa.Table.from_pylist(rows, pa.schema(kinds))
