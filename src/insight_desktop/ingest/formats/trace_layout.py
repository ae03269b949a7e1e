"""Shared layout of the trace scanner: why a scan stops, its counters, its columns of rows, its arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from insight_desktop.ingest.formats.trace_bytes import Array

# Why a scan stopped.
DONE, INCOMPLETE, ARRAY_END, GROW, LOST = 0, 1, 2, 3, 4

# Kinds of interned keys: (THREAD, pid, tid, 1 for the Python stack, 0), (ASYNC, pid, tid, category, 0),
# (SERIES, pid, counter, text that splits the lane or -1, series).
THREAD, ASYNC, SERIES = 0, 1, 2

# How the id of a mark was given.
ID_NONE, ID_PLAIN, ID_LOCAL, ID_GLOBAL = 0, 1, 2, 3

# The first texts of every table: what stands for a missing name and a missing id.
TEXT_NO_NAME, TEXT_EMPTY = 0, 1

# Counters of `stats`; from PHASES on one cell per phase byte.
(N_SLICE, N_INSTANT, N_FLOW, N_MARK, N_META, N_VALUE, N_SLOW, EVENTS, NOT_OBJECT, NO_PHASE, BAD_TS, BAD_DUR, NO_ID) = (
    range(13)
)
(DAMAGED, DAMAGE_AT, SKIPPED, WASTE, C_KEPT, C_ZERO, C_EMPTY, C_TEXT, TRUNCATED, TS_ZERO, WIDE_NUMBER, STOP) = range(
    13, 25
)
ROOM = 25  # rows that fit into `rows`; no counter
PHASES = 32
STATS = PHASES + 256

(F_PH, F_TS, F_DUR, F_PID, F_TID, F_NAME, F_CAT, F_ID, F_ARGS, F_BP, F_GROUP, F_ID2, F_CNAME) = range(13)
F_SCOPE, F_BIND, F_FLOW_IN, F_FLOW_OUT = range(13, 17)
FIELDS = 17
SUM_FIRST = 3 * (FIELDS + 1)  # cell of `Scratch.fields`: 1 when ts + dur is rounded, not each of them


# Columns of `rows`, a table of int64[COLUMNS, capacity]; each group has its own count of rows.
# Slices: as schema `slice`, ids local to the worker.
S_TRACK, S_START, S_END, S_NAME, S_CATEGORY, S_FLAGS, S_ARGS_AT, S_ARGS_LEN, S_GROUP = range(9)
# Instants: as schema `instant`.
I_TRACK, I_TS, I_NAME, I_CATEGORY, I_ARGS_AT, I_ARGS_LEN = range(9, 15)
# Flows: as schema `flow`; id -1 - text id when it is no plain number.
W_TRACK, W_TS, W_PHASE, W_CATEGORY, W_ID, W_ENCLOSING = range(15, 21)
# Marks: begins, ends and points that are paired at the end of the data (B E b n e S T p F); name -1 for none.
M_PHASE, M_TS, M_TRACK, M_PID, M_NAME, M_CATEGORY, M_ID, M_ID_KIND, M_ARGS_AT, M_ARGS_LEN = range(21, 31)
# Metadata: args as a range of the buffer.
D_PID, D_TID, D_NAME, D_ARGS_AT, D_ARGS_LEN = range(31, 36)
# Counter values; V_FIRST marks the first of an event, V_VALUE holds a double (the `floats` view of the table).
V_SERIES, V_TS, V_FIRST, V_VALUE = range(36, 40)
# Numbers that need an exact parser: row of the value, first byte, end.
X_ROW, X_AT, X_END = range(40, 43)
# Colour of a slice or mark, local text id, -1 none; only where ts + dur is rounded (SUM_FIRST), else it is not filled.
S_CNAME, M_CNAME = 43, 44
# Scope of the id of a mark, local text id, -1 none.
M_SCOPE = 45
COLUMNS = 46


class Out(NamedTuple):
    """Everything one scan fills."""

    rows: Array  # int64[COLUMNS, capacity]
    floats: Array  # the same memory as float64
    stats: Array  # int64[STATS]


class Scratch(NamedTuple):
    """Small arrays that live as long as a worker."""

    fields: Array  # int64[3 * (FIELDS + 1) + 1]: first byte, end, how written; the last for all other keys; SUM_FIRST
    nesting: Array  # uint8
    seen: Array  # int64 by key id: row of the value, to let the last of equal keys win
    tens: Array  # float64: powers of ten


def new_out(capacity: int, old: Out | None = None) -> Out:
    """Room for that many events and counter values, with what `old` holds."""
    rows = np.empty((COLUMNS, capacity), np.int64)
    stats = np.zeros(STATS, np.int64)
    if old is not None:
        rows[:, : old.rows.shape[1]] = old.rows
        stats = old.stats
    return Out(rows, rows.view(np.float64), stats)
