"""The compiled opcode machine of snapshot pickles: an allow-list, no Python objects, nothing from the file is ever run.

`run` goes on until the pickle ends, a table is full (the caller enlarges it and calls again), a chunk of events is
full (the caller writes it away), or an instruction is refused. All state is in arrays, so a call can stop anywhere
between two instructions. Every table grows by what the file really holds: a few bytes never ask for much memory.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from insight_desktop.ingest.formats.snapshot_layout import (
    BAD_MEMO,
    BAD_PROTOCOL,
    BAD_STACK,
    BAD_TEXT,
    BASE,
    BIG_NUMBER,
    CONTINUE,
    DICT,
    DONE,
    EARLY_END,
    EVENTS,
    FALSE,
    FLOAT,
    FLUSH,
    FRAMES,
    GROW_FRAMES,
    GROW_MEMO,
    GROW_NODES,
    GROW_POOL,
    GROW_SFRAMES,
    GROW_STACK,
    GROW_STACKS,
    GROW_STRS,
    INT,
    IS_DICT,
    IS_LIST,
    IS_TUPLE,
    K_FORWARD,
    K_FRAMES,
    LIST,
    MARKS,
    MAX_MARKS,
    MAX_TEXT,
    MEMO,
    N_COUNT,
    N_FIRST,
    N_KIND,
    N_LAST,
    NODES,
    NONE,
    OPS,
    POOL,
    POS,
    PROTOCOL,
    RESULT,
    RESULT_TAG,
    RUNS,
    S_SLOT,
    SFRAMES,
    SP,
    STACKS,
    STR,
    STRS,
    TOO_DEEP,
    TRUE,
    UINT,
    UNKNOWN,
)
from insight_desktop.ingest.formats.snapshot_values import add_items, intern_text, put_tuple, set_items

_TAG_SHIFT = 56
_VALUE = (1 << _TAG_SHIFT) - 1


@njit(nogil=True, cache=True)
def _little(b, at, length):  # type: ignore[no-untyped-def]
    """Unsigned little-endian number of up to 8 bytes."""
    value = np.uint64(0)
    for k in range(length - 1, -1, -1):
        value = (value << np.uint64(8)) | np.uint64(b[at + k])
    return value


@njit(nogil=True, cache=True)
def _push(tag, value, st, stack):  # type: ignore[no-untyped-def]
    stack[st[SP], 0] = tag
    stack[st[SP], 1] = value
    st[SP] += 1


@njit(nogil=True, cache=True)
def _new_node(kind, st, nodes):  # type: ignore[no-untyped-def]
    node = st[NODES]
    st[NODES] = node + 1
    nodes[node, N_KIND] = kind
    nodes[node, N_FIRST] = -1
    nodes[node, N_LAST] = -1
    nodes[node, N_COUNT] = 0
    return node


@njit(nogil=True, cache=True)
def _floor(st, marks):  # type: ignore[no-untyped-def]
    """Values below the last mark are out of reach."""
    return marks[st[MARKS] - 1] if st[MARKS] else 0


@njit(nogil=True, cache=True)
def _number(b, op, pos, n, st, stack):  # type: ignore[no-untyped-def]
    """BININT, BININT1, BININT2, LONG1, BINFLOAT; returns CONTINUE or why not."""
    at = pos + 1
    length = 4 if op == 0x4A else 1 if op == 0x4B else 2 if op == 0x4D else 8
    if op == 0x8A:
        if at >= n:
            return EARLY_END
        length = int(b[at])
        at += 1
    if at + length > n:
        return EARLY_END
    if length > 9 or (length == 9 and b[at + 8] != 0):
        return BIG_NUMBER
    if op == 0x47:  # big-endian
        bits = np.uint64(0)
        for k in range(8):
            bits = (bits << np.uint64(8)) | np.uint64(b[at + k])
        _push(FLOAT, np.int64(bits), st, stack)
    else:
        value = np.int64(_little(b, at, min(length, 8)))
        if op == 0x4A and value >= 1 << 31:
            value -= 1 << 32
        elif op == 0x8A and 0 < length < 8 and b[at + length - 1] >= 128:
            value -= np.int64(1) << (8 * length)
        _push(UINT if length == 9 and value < 0 else INT, value, st, stack)
    st[POS] = at + length
    return CONTINUE


@njit(nogil=True, cache=True)
def _text(b, op, pos, n, st, stack, strs, hstr, keys, key_ends):  # type: ignore[no-untyped-def]
    """SHORT_BINUNICODE, BINUNICODE, BINUNICODE8; returns CONTINUE or why not."""
    width = 1 if op == 0x8C else 4 if op == 0x58 else 8
    at = pos + 1 + width
    if at > n:
        return EARLY_END
    length = _little(b, pos + 1, width)
    if length > np.uint64(n - at):
        return EARLY_END
    if length > np.uint64(MAX_TEXT):
        return BAD_TEXT
    _push(STR, intern_text(b, at, np.int64(length), st, strs, hstr, keys, key_ends), st, stack)
    st[POS] = at + np.int64(length)
    return CONTINUE


@njit(nogil=True, cache=True)
def _memo(b, op, pos, n, st, stack, memo):  # type: ignore[no-untyped-def]
    """MEMOIZE, BINPUT, LONG_BINPUT, BINGET, LONG_BINGET; returns CONTINUE, GROW_MEMO or why not."""
    width = 0 if op == 0x94 else 1 if op == 0x71 or op == 0x68 else 4
    if pos + 1 + width > n:
        return EARLY_END
    put = op != 0x68 and op != 0x6A
    index = st[MEMO] if op == 0x94 else np.int64(_little(b, pos + 1, width))
    if put:
        if st[SP] == 0:
            return BAD_STACK
        if index > st[OPS]:  # a real pickler numbers its objects one after another
            return BAD_MEMO
        if index >= memo.size:
            return GROW_MEMO
        top = st[SP] - 1
        tag = stack[top, 0]
        if tag in (INT, UINT, FLOAT):
            return BAD_MEMO  # no pickler does that, and the entry has room for rows only
        if memo[index] == 0:
            st[MEMO] += 1
        memo[index] = ((tag + 1) << _TAG_SHIFT) | stack[top, 1]
    else:
        if index >= memo.size or memo[index] == 0:
            return BAD_MEMO
        _push((memo[index] >> _TAG_SHIFT) - 1, memo[index] & _VALUE, st, stack)
    st[POS] = pos + 1 + width
    return CONTINUE


@njit(nogil=True, cache=True)
def _frames_room(begin, end, st, stack, nodes, strs, frames, stacks, sframes, hframe, hstack):  # type: ignore[no-untyped-def]
    """Whether the call stacks among these pairs fit; CONTINUE or which table has to grow."""
    total = np.int64(1)
    for k in range(begin, end - 1, 2):
        if stack[k, 0] == STR and stack[k + 1, 0] == LIST and nodes[stack[k + 1, 1], N_KIND] == IS_LIST:
            slot = strs[stack[k, 1], S_SLOT]
            if slot in (K_FRAMES, K_FORWARD):
                total += nodes[stack[k + 1, 1], N_COUNT]
    if st[FRAMES] + total >= frames.shape[0] or 2 * (st[FRAMES] + total) >= hframe.size:
        return GROW_FRAMES
    if st[SFRAMES] + total >= sframes.size:
        return GROW_SFRAMES
    if st[STACKS] + end - begin >= stacks.shape[0] or 2 * (st[STACKS] + end - begin) >= hstack.size:
        return GROW_STACKS
    return CONTINUE


@njit(nogil=True, cache=True)
def _collect(op, pos, st, stack, marks, nodes, runs, pool, ev, strs, frames, stacks, sframes, hframe, hstack, pairs):  # type: ignore[no-untyped-def]
    """APPEND(S), SETITEM(S), LIST, DICT, TUPLE: values of the stack go into a container."""
    sp = st[SP]
    single = op == 0x61 or op == 0x73
    builds = op == 0x6C or op == 0x64 or op == 0x74
    if single:
        begin = sp - (1 if op == 0x61 else 2)
        if begin - 1 < _floor(st, marks):
            return BAD_STACK
    else:
        if st[MARKS] == 0:
            return BAD_STACK
        begin = marks[st[MARKS] - 1]
        # The container below the mark must itself lie above the mark before.
        if not builds and begin - 1 < (marks[st[MARKS] - 2] if st[MARKS] > 1 else 0):
            return BAD_STACK
    is_dict = op == 0x73 or op == 0x75 or op == 0x64
    if is_dict:
        if (sp - begin) & 1:
            return BAD_STACK
        room = _frames_room(begin, sp, st, stack, nodes, strs, frames, stacks, sframes, hframe, hstack)
        if room != CONTINUE:
            return room
    elif op != 0x74 and not builds and (stack[begin - 1, 0] != LIST or nodes[stack[begin - 1, 1], N_KIND] != IS_LIST):
        return BAD_STACK
    if is_dict and not builds and stack[begin - 1, 0] != DICT:
        return BAD_STACK
    result = CONTINUE
    if op == 0x74:
        node = _new_node(IS_TUPLE, st, nodes)
        st[SP] = put_tuple(begin, sp, node, st, stack, nodes, runs, pool, pairs)
    else:
        node = _new_node(IS_DICT if is_dict else IS_LIST, st, nodes) if builds else np.int64(stack[begin - 1, 1])
        if is_dict:
            result = set_items(
                node, begin, sp, st, stack, nodes, runs, pool, ev, strs, frames, stacks, sframes, hframe, hstack
            )
        else:
            add_items(node, begin, sp, st, stack, nodes, runs, pool)
        st[SP] = begin
        if builds:
            _push(DICT if is_dict else LIST, node, st, stack)
    if not single:
        st[MARKS] -= 1
    st[POS] = pos + 1
    return result


@njit(nogil=True, cache=True)
def _simple(b, op, pos, n, st, stack, marks, nodes, runs, pool, pairs):  # type: ignore[no-untyped-def]
    """Instructions without an argument, and the two that open a pickle or a frame."""
    st[POS] = pos + 1
    if op == 0x28:  # MARK
        if st[MARKS] >= MAX_MARKS:
            return TOO_DEEP
        marks[st[MARKS]] = st[SP]
        st[MARKS] += 1
    elif op == 0x7D:  # EMPTY_DICT
        _push(DICT, _new_node(IS_DICT, st, nodes), st, stack)
    elif op == 0x5D:  # EMPTY_LIST
        _push(LIST, _new_node(IS_LIST, st, nodes), st, stack)
    elif op == 0x4E:
        _push(NONE, 0, st, stack)
    elif op == 0x88:
        _push(TRUE, 0, st, stack)
    elif op == 0x89:
        _push(FALSE, 0, st, stack)
    elif op == 0x29 or 0x85 <= op <= 0x87:  # EMPTY_TUPLE, TUPLE1, TUPLE2, TUPLE3
        begin = st[SP] - (0 if op == 0x29 else op - 0x84)
        if begin < _floor(st, marks):
            return BAD_STACK
        st[SP] = put_tuple(begin, st[SP], _new_node(IS_TUPLE, st, nodes), st, stack, nodes, runs, pool, pairs)
    elif op == 0x80:  # PROTO
        if pos + 2 > n:
            return EARLY_END
        if b[pos + 1] < 2 or b[pos + 1] > 5:
            return BAD_PROTOCOL
        st[PROTOCOL] = b[pos + 1]
        st[POS] = pos + 2
    elif op == 0x95:  # FRAME: how many bytes belong together; a hint for streams
        if pos + 9 > n or _little(b, pos + 1, 8) > np.uint64(n - pos - 9):
            return EARLY_END
        st[POS] = pos + 9
    else:
        return UNKNOWN
    return CONTINUE


@njit(nogil=True, cache=True)
def _room(st, stack, marks, nodes, runs, pool, ev, strs, hstr):  # type: ignore[no-untyped-def]
    """CONTINUE when any one instruction fits, else which table has to grow."""
    if st[SP] + 2 >= stack.shape[0]:
        return GROW_STACK
    if st[NODES] + 2 >= nodes.shape[0] or st[RUNS] + 2 >= runs.shape[0]:
        return GROW_NODES
    if st[POOL] + st[SP] - _floor(st, marks) + 4 >= pool.shape[0]:
        return GROW_POOL
    if st[STRS] + 2 >= strs.shape[0] or 2 * (st[STRS] + 2) >= hstr.size:
        return GROW_STRS
    if st[EVENTS] - st[BASE] + 1 > ev.shape[0]:
        return FLUSH
    return CONTINUE


@njit(nogil=True, cache=True)
def run(b, limit, st, stack, marks, memo, nodes, runs, pool, ev, strs, frames, stacks, sframes, hstr, hframe, hstack, pairs, keys, key_ends):  # type: ignore[no-untyped-def]  # fmt: skip
    """Interpret up to byte `limit` at least; returns DONE, a FLUSH or GROW code, CONTINUE (limit reached) or why not."""
    n = b.size
    while True:
        pos = st[POS]
        if pos >= limit and pos < n:
            return CONTINUE
        if pos >= n:
            return EARLY_END
        result = _room(st, stack, marks, nodes, runs, pool, ev, strs, hstr)
        if result != CONTINUE:
            return result
        op = np.int64(b[pos])
        if op == 0x68 or op == 0x6A or op == 0x94 or op == 0x71 or op == 0x72:
            result = _memo(b, op, pos, n, st, stack, memo)
        elif op == 0x4A or op == 0x4B or op == 0x4D or op == 0x8A or op == 0x47:
            result = _number(b, op, pos, n, st, stack)
        elif op == 0x8C or op == 0x58 or op == 0x8D:
            result = _text(b, op, pos, n, st, stack, strs, hstr, keys, key_ends)
        elif op == 0x75 or op == 0x73 or op == 0x65 or op == 0x61 or op == 0x6C or op == 0x64 or op == 0x74:
            result = _collect(
                op, pos, st, stack, marks, nodes, runs, pool, ev, strs, frames, stacks, sframes, hframe, hstack, pairs
            )
        elif op == 0x2E:  # STOP
            if st[SP] != 1 or st[MARKS] != 0:
                return BAD_STACK
            st[RESULT_TAG] = stack[0, 0]
            st[RESULT] = stack[0, 1]
            st[POS] = pos + 1
            return DONE
        else:
            result = _simple(b, op, pos, n, st, stack, marks, nodes, runs, pool, pairs)
            if result != CONTINUE:
                st[POS] = pos
        if result != CONTINUE:
            return result
        st[OPS] += 1


@njit(nogil=True, cache=True)
def rehash(table, hashes, first):  # type: ignore[no-untyped-def]
    """Enter rows `first`, `first + 1`, … by their hashes into an empty table of 2^k places."""
    mask = table.size - 1
    for row in range(hashes.size):
        place = np.int64(np.uint64(hashes[row]) & np.uint64(mask))
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = row + first
