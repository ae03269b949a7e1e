"""Which links between ranks are slower than the others of their kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.rounding import half_away
from insight_desktop.errors import NoData
from insight_desktop.ingest.formats.cluster_rank import TOTAL

SLOW = 0.8  # of what its peers need
LEAST_MB = 1.0  # less is over before the bandwidth can be told
_DIGITS = 4
_I32, _F64 = pa.int32(), pa.float64()
HEALTH = pa.schema(
    [
        ("src", _I32), ("dst", _I32), ("transport", pa.string()), ("size_mb", _F64), ("transit_ms", _F64),
        ("bandwidth_gbs", _F64), ("median_gbs", _F64), ("ratio", _F64), ("peer_ratio", _F64), ("is_slow", pa.bool_()),
    ]
)  # fmt: skip
_Numbers = npt.NDArray[np.float64]
_Whole = npt.NDArray[np.int64]


def health(job: Cluster, step: str | None, group: int | None) -> pa.Table:
    """Links with their bandwidth, that of their transport, and whether they are slow; slowest first.

    A link carries traffic of several groups with packets of other sizes, so it is measured by the time that links of the same transport need
    for the same bytes in groups of the same name.
    """
    columns = ("group_no", "src", "dst", "transport", "size_mb", "time_ms")
    rows = job.table("cluster_matrix", columns=columns, step=step, group_no=group, name=TOTAL)
    rows = rows.filter(pc.and_(pc.not_equal(rows["src"], rows["dst"]), pc.greater(rows["time_ms"], 0.0)))
    if not rows.num_rows:
        raise NoData("No link between ranks has traffic.", fix="Collect at profiler_level Level1 or above.")
    size, time = (np.asarray(pc.fill_null(rows[n], 0.0).to_numpy(), np.float64) for n in ("size_mb", "time_ms"))
    transport = _numbered(rows["transport"])
    name = _names(job, rows["group_no"])
    _, kind = _unique(transport, name)
    expected = size / np.maximum(_medians(kind, size / time)[kind], 1e-12)

    keys, link = _unique(rows["src"].to_numpy(), rows["dst"].to_numpy(), transport)
    size, time, expected = (np.asarray(np.bincount(link, v), np.float64) for v in (size, time, expected))
    speed = size / time
    middle = _medians(keys[2], speed)[keys[2]]
    peers = expected / time
    ratio = np.divide(speed, middle, out=np.ones_like(speed), where=middle > 0)
    labels = pc.unique(rows["transport"]).to_pylist()
    slow = (peers < SLOW) & (size >= LEAST_MB)
    order = np.lexsort((keys[1], keys[0], peers))
    figures = [half_away(values, _DIGITS)[order] for values in (size, time, speed, middle, ratio, peers)]
    texts = [labels[k] for k in keys[2][order].tolist()]
    return pa.table([keys[0][order], keys[1][order], pa.array(texts), *figures, slow[order]], schema=HEALTH)


def _names(job: Cluster, numbers: pa.ChunkedArray) -> _Whole:
    """Number of the name of each row's group; groups without a name stand for themselves."""
    known = {g["group_no"]: g["pg_name"] or f"#{g['group_no']}" for g in job.table("cluster_group").to_pylist()}
    places = {name: i for i, name in enumerate(dict.fromkeys(known.values()))}
    largest = max(known, default=0)
    table = np.zeros(largest + 1, np.int64)
    for number, name in known.items():
        table[number] = places[name]
    return table[numbers.to_numpy()]


def _numbered(texts: pa.ChunkedArray) -> _Whole:
    """Place of each text among the distinct ones, in order of first appearance."""
    return np.asarray(pc.index_in(texts, pc.unique(texts)).to_numpy(), np.int64)


def _unique(*columns: npt.NDArray[Any]) -> tuple[Sequence[_Whole], _Whole]:
    """Distinct combinations, a column each, and the number of each row's combination."""
    codes = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        codes = codes * (int(column.max(initial=0)) + 1) + column
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    return [np.asarray(column, np.int64)[first] for column in columns], place.reshape(-1)


def _medians(kind: _Whole, values: _Numbers) -> _Numbers:
    """Median of the values of each kind, by its number."""
    out = np.zeros(int(kind.max(initial=0)) + 1)
    order = np.argsort(kind, kind="stable")
    edges = np.searchsorted(kind[order], np.arange(len(out) + 1))
    for k in range(len(out)):
        own = values[order[edges[k] : edges[k + 1]]]
        out[k] = np.median(own) if len(own) else 0.0
    return out
