"""Who waited for whom in a job's collective operators, and how far the ranks' clocks are apart.

A collective operator ends on all its ranks at about the same time, so the rank with the shortest time arrived last and the others
waited for it: that needs no common clock. For the same reason the recorded ends tell how far the clocks are apart.
"""

from __future__ import annotations

import itertools

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.engine import places
from insight_desktop.ingest.formats.cluster_rank import TOTAL

WAITED_SHARE = 0.1  # of the longest time: shorter waits are noise
_SWEEPS, _CLOSE_NS = 60, 100.0
_OF_A_GROUP = 64  # operators of a step and group that tell the clocks
_Numbers = npt.NDArray[np.float64]


def waits(time: pa.Table) -> dict[str, pa.Table]:
    """The tables `cluster_arrival` and `cluster_wait` from `cluster_time`."""
    wanted = ("cluster_arrival", "cluster_wait")
    config = {
        "python_enable_replacements": False, "memory_limit": "1GB", "temp_directory": str(places.spill_dir()),
    }  # fmt: skip
    with duckdb.connect(":memory:", config=config) as database:
        database.register("time_rows", time)
        database.execute(_MET)
        clocks = _clocks(database.sql(_ENDS).to_arrow_table())
        database.register("clock_rows", clocks)
        return {
            name: database.sql(text).to_arrow_table().cast(schema.CLUSTER[name].schema)
            for name, text in zip(wanted, (_ARRIVAL, _WAIT), strict=True)
        }


def _clocks(ends: pa.Table) -> pa.Table:
    """Offset of every rank's clock per step: step_no, rank, skew_us, skew_error_us.

    Least squares over all operators: an end is the operator's own time plus the offset of the rank's clock, and the median of the offsets
    of a step is 0. Ranks that share no operator with others keep 0.
    """
    step, rank, operator = (ends[name].to_numpy() for name in ("step_no", "rank", "operator"))
    cells, cell = np.unique(np.stack([step, rank]), axis=1, return_inverse=True)
    cell = cell.reshape(-1)
    end = ends["end_ns"].to_numpy()
    if not len(end):
        empty = pa.array([], pa.float64())
        none = pa.array([], pa.int64())
        return pa.table({"step_no": none, "rank": none, "skew_us": empty, "skew_error_us": empty})
    # Ends of one operator beside its first: differences stay small enough for doubles.
    first = np.full(int(operator.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, operator, end)
    late = (end - first[operator]).astype(np.float64)
    of_operator, of_cell = np.bincount(operator), np.bincount(cell)
    offset = np.zeros(cells.shape[1])
    rest = late
    for _ in range(_SWEEPS):
        centre = np.bincount(operator, late - offset[cell]) / np.maximum(of_operator, 1)
        rest = late - offset[cell] - centre[operator]
        change = np.bincount(cell, rest) / of_cell
        offset += change
        if np.abs(change).max() < _CLOSE_NS:
            break
    error = np.bincount(cell, np.abs(rest)) / of_cell
    skew = offset - _medians(cells[0], offset)
    return pa.table({"step_no": cells[0], "rank": cells[1], "skew_us": skew / 1000, "skew_error_us": error / 1000})


def _medians(group: npt.NDArray[np.int64], values: _Numbers) -> _Numbers:
    """Median of each value's group; groups are ascending."""
    out = np.empty_like(values)
    edges = [0, *(np.flatnonzero(np.diff(group)) + 1).tolist(), len(group)]
    for begin, end in itertools.pairwise(edges):
        out[begin:end] = np.median(values[begin:end])
    return out


# One row per operator and rank that took part in it together with others. Only operators after which all ranks go on together are
# looked at; those that end with a `v` move other amounts on every rank.
_MET = f"""CREATE TEMP TABLE met AS
    WITH own AS (
        SELECT step, group_no, name, rank, start_ns, elapse_ms FROM time_rows
        WHERE name != '{TOTAL}' AND elapse_ms IS NOT NULL),
    named AS (
        SELECT DISTINCT name FROM own
        WHERE regexp_matches(lower(name), '(allreduce|allgather|reducescatter|alltoall|barrier)')
          AND NOT regexp_matches(lower(name), '(alltoallv|all2allv)')),
    operator AS (
        SELECT step, group_no, name, max(elapse_ms) AS longest, min(elapse_ms) AS shortest,
               arg_min(rank, (elapse_ms, rank)) AS late, row_number() OVER (PARTITION BY step, group_no) AS nth,
               row_number() OVER () - 1 AS operator
        FROM own SEMI JOIN named USING (name) GROUP BY step, group_no, name HAVING count(DISTINCT rank) > 1)
    SELECT o.step, dense_rank() OVER (ORDER BY o.step) - 1 AS step_no, o.group_no, o.name, o.rank, o.start_ns, o.elapse_ms,
           longest, shortest, late, nth, operator, longest - shortest >= {WAITED_SHARE} * longest AND longest > shortest AS waited
    FROM own o JOIN operator p ON p.step = o.step AND p.group_no = o.group_no AND p.name = o.name"""
_ENDS = f"""SELECT step_no::BIGINT AS step_no, rank::BIGINT AS rank, operator::BIGINT AS operator,
           start_ns + round(elapse_ms * 1000000)::BIGINT AS end_ns
    FROM met WHERE start_ns IS NOT NULL AND nth <= {_OF_A_GROUP} ORDER BY operator, rank"""
_ARRIVAL = """WITH caused AS (
        SELECT step_no, late AS rank, sum(elapse_ms - shortest) AS caused_ms FROM met WHERE waited GROUP BY ALL)
    SELECT m.step, m.rank, count(*)::INTEGER AS operators,
           count(*) FILTER (waited AND m.rank = late)::INTEGER AS times_last,
           coalesce(any_value(c.caused_ms), 0.0) AS caused_ms,
           coalesce(sum(longest - shortest) FILTER (waited AND m.rank = late), 0.0) AS held_up_ms,
           sum(longest - elapse_ms) AS late_ms, sum(elapse_ms - shortest) AS waited_ms,
           any_value(k.skew_us) AS skew_us, any_value(k.skew_error_us) AS skew_error_us
    FROM met m LEFT JOIN caused c ON c.step_no = m.step_no AND c.rank = m.rank
    LEFT JOIN clock_rows k ON k.step_no = m.step_no AND k.rank = m.rank
    GROUP BY m.step, m.rank ORDER BY m.step, m.rank"""
_WAIT = """SELECT step, group_no, late AS rank, rank AS waiter, count(*)::INTEGER AS times, sum(elapse_ms - shortest) AS wait_ms,
           max(elapse_ms - shortest) AS longest_ms, arg_max(name, (elapse_ms - shortest, name)) AS name
    FROM met WHERE waited AND rank != late AND elapse_ms > shortest
    GROUP BY step, group_no, late, rank ORDER BY step, late, waiter, group_no"""
