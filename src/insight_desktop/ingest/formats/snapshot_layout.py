"""Numbers shared by the parts of the snapshot reader: tags, tables and their columns, opcodes, results.

The machine that reads a pickle keeps no Python objects. A value is a pair (tag, payload); lists and dictionaries are
rows of `nodes`, their contents runs in `pool`; texts, frames and call stacks are interned; an event is a row of `ev`.
"""

from __future__ import annotations

from typing import Final

# Tags of a value. Payload: the number itself, the bits of a float, or the row of a table.
NONE, FALSE, TRUE, INT, UINT, FLOAT, STR, LIST, DICT, TUPLE, PAIR = range(11)

# Kinds of a node; columns of `nodes`: kind, first run (or row of ev, frames, stacks), last run, items.
IS_LIST, IS_DICT, IS_TUPLE, IS_EVENT, IS_FRAME, IS_STACK = range(6)
N_KIND, N_FIRST, N_LAST, N_COUNT = range(4)
# Columns of `runs`: where in pool (or -1 - first row of ev), how many, next run.
R_AT, R_LEN, R_NEXT = range(3)
# Columns of `strs`, `frames`, `stacks`.
S_AT, S_LEN, S_HASH, S_SLOT = range(4)
F_FILE, F_LINE, F_NAME, F_OP, F_NODE, F_TARGET, F_TRACE, F_HASH = range(8)
K_AT, K_LEN, K_HASH = range(3)

# Columns of `ev`, one row per event.
(
    E_ACTION,
    E_ADDRESS,
    E_SIZE,
    E_STREAM,
    E_STACK,
    E_TIME,
    E_CONTEXT,
    E_METADATA,
    E_CATEGORY,
    E_FORWARD,
    E_POOL,
    E_FIELDS,
) = range(12)
EVENT_COLUMNS: Final = (
    "action", "address", "size", "stream", "stack", "time", "context", "metadata", "category", "forward", "pool", "fields",
)  # fmt: skip

# Keys that mean something; the slot of a text is its place here, -1 for any other text.
KEYS: Final = (
    "action", "addr", "size", "stream", "frames", "time_us", "compile_context", "user_metadata", "category",
    "forward_frames", "pool_id", "device_free", "filename", "line", "name", "fx_node_op", "fx_node_name",
    "fx_node_target", "fx_original_trace", "segments", "device_traces", "device", "address", "total_size",
    "allocated_size", "active_size", "requested_size", "segment_type", "segment_pool_id", "is_expandable", "blocks",
    "state", "history", "real_size",
)  # fmt: skip
SLOT: Final = {key: slot for slot, key in enumerate(KEYS)}
(
    K_ACTION, K_ADDR, K_SIZE, K_STREAM, K_FRAMES, K_TIME, K_CONTEXT, K_METADATA, K_CATEGORY, K_FORWARD, K_POOL,
    K_DEVICE_FREE, K_FILENAME, K_LINE, K_NAME, K_FX_OP, K_FX_NAME, K_FX_TARGET, K_FX_TRACE,
) = range(19)  # fmt: skip

# State of the machine (`st`).
(
    POS, SP, MARKS, OPS, MEMO, NODES, RUNS, POOL, EVENTS, BASE, STRS, FRAMES, STACKS, SFRAMES, PAIRS, PROTOCOL,
    BAD_FIELDS, BAD_FRAMES, ERROR_AT, ERROR_OP, RESULT_TAG, RESULT, STATE_LENGTH,
) = range(23)  # fmt: skip

# What a call of the machine ends with.
(
    DONE, FLUSH, GROW_STACK, GROW_MEMO, GROW_NODES, GROW_POOL, GROW_STRS, GROW_FRAMES, GROW_STACKS, GROW_SFRAMES, GROW_PAIRS,
) = range(11)  # fmt: skip
(
    EARLY_END,
    FORBIDDEN,
    UNKNOWN,
    BAD_PROTOCOL,
    BAD_MEMO,
    BAD_STACK,
    TOO_DEEP,
    BAD_TEXT,
    BIG_NUMBER,
    BAD_KEY,
    BAD_TARGET,
) = range(100, 111)
CONTINUE: Final = -1

MAX_MARKS: Final = 64
MAX_TEXT: Final = 1 << 20
EVENT_ROOM: Final = 1 << 18  # events per chunk that goes to the disk

# Opcodes that are refused, by name; everything that is neither here nor known to the machine is refused as unknown.
FORBIDDEN_NAMES: Final = {
    0x63: "GLOBAL", 0x93: "STACK_GLOBAL", 0x69: "INST", 0x6F: "OBJ", 0x81: "NEWOBJ", 0x92: "NEWOBJ_EX", 0x52: "REDUCE",
    0x62: "BUILD", 0x50: "PERSID", 0x51: "BINPERSID", 0x82: "EXT1", 0x83: "EXT2", 0x84: "EXT4", 0x97: "NEXT_BUFFER",
    0x96: "BYTEARRAY8", 0x98: "READONLY_BUFFER", 0x43: "SHORT_BINBYTES", 0x42: "BINBYTES", 0x8E: "BINBYTES8",
    0x53: "STRING", 0x54: "BINSTRING", 0x55: "SHORT_BINSTRING", 0x56: "UNICODE", 0x91: "FROZENSET", 0x8F: "EMPTY_SET",
    0x90: "ADDITEMS", 0x4C: "LONG", 0x8B: "LONG4", 0x49: "INT", 0x46: "FLOAT", 0x67: "GET", 0x70: "PUT", 0x30: "POP",
    0x31: "POP_MARK", 0x32: "DUP",
}  # fmt: skip
