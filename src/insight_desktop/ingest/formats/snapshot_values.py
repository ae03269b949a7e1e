"""Containers of the snapshot machine: interned texts, frames and stacks, lists, dictionaries, event rows.

Every function is compiled; callers have made sure that there is room.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from insight_desktop.ingest.formats.snapshot_layout import (
    BAD_FIELDS,
    BAD_FRAMES,
    BAD_KEY,
    BAD_TARGET,
    BASE,
    CONTINUE,
    DICT,
    E_ACTION,
    E_ADDRESS,
    E_CATEGORY,
    E_CONTEXT,
    E_FIELDS,
    E_FORWARD,
    E_METADATA,
    E_POOL,
    E_SIZE,
    E_STACK,
    E_STREAM,
    E_TIME,
    EVENTS,
    F_FILE,
    F_HASH,
    F_LINE,
    F_NAME,
    F_OP,
    FRAMES,
    INT,
    IS_DICT,
    IS_EVENT,
    IS_FRAME,
    IS_LIST,
    IS_STACK,
    K_ACTION,
    K_ADDR,
    K_AT,
    K_CATEGORY,
    K_CONTEXT,
    K_DEVICE_FREE,
    K_FILENAME,
    K_FORWARD,
    K_FRAMES,
    K_FX_OP,
    K_FX_TRACE,
    K_HASH,
    K_LEN,
    K_LINE,
    K_METADATA,
    K_NAME,
    K_POOL,
    K_SIZE,
    K_STREAM,
    K_TIME,
    LIST,
    N_COUNT,
    N_FIRST,
    N_KIND,
    N_LAST,
    NONE,
    PAIR,
    PAIRS,
    POOL,
    R_AT,
    R_LEN,
    R_NEXT,
    RUNS,
    S_AT,
    S_HASH,
    S_LEN,
    S_SLOT,
    SFRAMES,
    STACKS,
    STR,
    STRS,
    TUPLE,
    UINT,
)

_FNV = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x100000001B3)
_MIX = np.uint64(0xFF51AFD7ED558CCD)


@njit(nogil=True, cache=True, inline="never")
def _slot_of(b, at, length, keys, key_ends):  # type: ignore[no-untyped-def]
    """Place of a text among KEYS, -1 when it is another text."""
    begin = 0
    for slot in range(key_ends.size):
        end = key_ends[slot]
        if end - begin == length:
            same = True
            for k in range(length):
                if keys[begin + k] != b[at + k]:
                    same = False
                    break
            if same:
                return slot
        begin = end
    return -1


@njit(nogil=True, cache=True)
def intern_text(b, at, length, st, strs, hstr, keys, key_ends):  # type: ignore[no-untyped-def]
    """Row of `strs` that holds these bytes."""
    h = _FNV
    for k in range(at, at + length):
        h = (h ^ np.uint64(b[k])) * _PRIME
    h = h ^ (h >> np.uint64(29))
    mask = hstr.size - 1
    place = np.int64(h & np.uint64(mask))
    wanted = np.int64(h)
    while hstr[place] >= 0:
        row = hstr[place]
        if strs[row, S_HASH] == wanted and strs[row, S_LEN] == length:
            same = True
            other = strs[row, S_AT]
            for k in range(length):
                if b[other + k] != b[at + k]:
                    same = False
                    break
            if same:
                return np.int64(row)
        place = (place + 1) & mask
    row = st[STRS]
    strs[row, S_AT] = at
    strs[row, S_LEN] = length
    strs[row, S_HASH] = wanted
    strs[row, S_SLOT] = _slot_of(b, at, length, keys, key_ends)
    hstr[place] = row
    st[STRS] = row + 1
    return row


@njit(nogil=True, cache=True)
def intern_pair(first, second, st, pairs):  # type: ignore[no-untyped-def]
    """Row of `pairs`; there are as many as memory pools, so a scan is enough. -1 when the table is full."""
    for row in range(st[PAIRS]):
        if pairs[row, 0] == first and pairs[row, 1] == second:
            return row
    row = st[PAIRS]
    if row >= pairs.shape[0]:
        return -1
    pairs[row, 0] = first
    pairs[row, 1] = second
    st[PAIRS] = row + 1
    return row


@njit(nogil=True, cache=True)
def intern_frame(st, frames, hframe):  # type: ignore[no-untyped-def]
    """Row of the frame that was written behind the last one; equal frames share a row."""
    row = st[FRAMES]
    h = _FNV
    for k in range(F_HASH):
        h = (h ^ np.uint64(frames[row, k])) * _MIX
        h = h ^ (h >> np.uint64(31))
    wanted = np.int64(h)
    mask = hframe.size - 1
    place = np.int64(h & np.uint64(mask))
    while hframe[place] >= 0:
        other = hframe[place]
        if frames[other, F_HASH] == wanted:
            same = True
            for k in range(F_HASH):
                if frames[other, k] != frames[row, k]:
                    same = False
                    break
            if same:
                return np.int64(other)
        place = (place + 1) & mask
    frames[row, F_HASH] = wanted
    hframe[place] = row
    st[FRAMES] = row + 1
    return row


@njit(nogil=True, cache=True)
def clear_frame(st, frames):  # type: ignore[no-untyped-def]
    """An empty frame behind the last one, to be filled."""
    row = st[FRAMES]
    for k in range(F_HASH):
        frames[row, k] = -1
    frames[row, F_LINE] = 0


@njit(nogil=True, cache=True)
def set_frame_field(slot, tag, value, st, frames):  # type: ignore[no-untyped-def]
    """One key of the frame being filled."""
    row = st[FRAMES]
    if slot == K_FILENAME and tag == STR:
        frames[row, F_FILE] = value
    elif slot == K_NAME and tag == STR:
        frames[row, F_NAME] = value
    elif slot == K_LINE and (tag in (INT, UINT)):
        frames[row, F_LINE] = value
    elif K_FX_OP <= slot <= K_FX_TRACE and tag == STR:
        frames[row, F_OP + slot - K_FX_OP] = value
    elif slot >= 0 and tag != NONE:
        st[BAD_FIELDS] += 1


@njit(nogil=True, cache=True)
def _frame_of_dict(node, st, nodes, runs, pool, strs, frames, hframe):  # type: ignore[no-untyped-def]
    """A dictionary that was filled key by key becomes a frame; -1 when it is none."""
    clear_frame(st, frames)
    run = nodes[node, N_FIRST]
    found = False
    while run >= 0:
        at = runs[run, R_AT]
        for k in range(at, at + runs[run, R_LEN], 2):
            slot = strs[pool[k, 1], S_SLOT] if pool[k, 0] == STR else -1
            found = found or slot in (K_FILENAME, K_NAME)
            set_frame_field(slot, pool[k + 1, 0], pool[k + 1, 1], st, frames)
        run = runs[run, R_NEXT]
    return intern_frame(st, frames, hframe) if found else -1


@njit(nogil=True, cache=True)
def _frame_of(tag, value, st, nodes, runs, pool, strs, frames, hframe):  # type: ignore[no-untyped-def]
    """Frame of one item of a call stack, -1 when it is none."""
    if tag == STR:  # forward frames are texts
        clear_frame(st, frames)
        frames[st[FRAMES], F_NAME] = value
        return intern_frame(st, frames, hframe)
    if tag != DICT:
        return -1
    if nodes[value, N_KIND] == IS_FRAME:
        return np.int64(nodes[value, N_FIRST])
    if nodes[value, N_KIND] == IS_DICT:
        return _frame_of_dict(value, st, nodes, runs, pool, strs, frames, hframe)
    return -1


@njit(nogil=True, cache=True)
def _find_stack(first, count, st, stacks, sframes, hstack):  # type: ignore[no-untyped-def]
    """Row of the stack whose frames stand at `first`; they are given back when the stack is known."""
    h = _FNV
    for k in range(first, first + count):
        h = (h ^ np.uint64(sframes[k])) * _MIX
        h = h ^ (h >> np.uint64(31))
    wanted = np.int64(h)
    mask = hstack.size - 1
    place = np.int64(h & np.uint64(mask))
    while hstack[place] >= 0:
        other = hstack[place]
        if stacks[other, K_HASH] == wanted and stacks[other, K_LEN] == count:
            at = stacks[other, K_AT]
            same = True
            for k in range(count):
                if sframes[at + k] != sframes[first + k]:
                    same = False
                    break
            if same:
                return np.int64(other)
        place = (place + 1) & mask
    row = st[STACKS]
    stacks[row, K_AT] = first
    stacks[row, K_LEN] = count
    stacks[row, K_HASH] = wanted
    hstack[place] = row
    st[STACKS] = row + 1
    st[SFRAMES] = first + count
    return row


@njit(nogil=True, cache=True)
def intern_stack(node, st, nodes, runs, pool, strs, frames, stacks, sframes, hframe, hstack):  # type: ignore[no-untyped-def]
    """Turn a list of frames into a stack, and give its items back to the pool when they are the last ones there."""
    first = st[SFRAMES]
    count = 0
    run = nodes[node, N_FIRST]
    while run >= 0:
        at = runs[run, R_AT]
        if at >= 0:
            for k in range(at, at + runs[run, R_LEN]):
                row = _frame_of(pool[k, 0], pool[k, 1], st, nodes, runs, pool, strs, frames, hframe)
                if row >= 0:
                    sframes[first + count] = row
                    count += 1
                else:
                    st[BAD_FRAMES] += 1
        else:
            st[BAD_FRAMES] += runs[run, R_LEN]
        run = runs[run, R_NEXT]
    run = nodes[node, N_FIRST]
    if run >= 0 and run == st[RUNS] - 1 and runs[run, R_AT] >= 0 and runs[run, R_AT] + runs[run, R_LEN] == st[POOL]:
        st[RUNS] = run
        st[POOL] = runs[run, R_AT]
    nodes[node, N_KIND] = IS_STACK
    nodes[node, N_FIRST] = _find_stack(first, count, st, stacks, sframes, hstack) if count else 0


@njit(nogil=True, cache=True)
def add_run(node, at, count, items, st, nodes, runs):  # type: ignore[no-untyped-def]
    """Hang a run onto a node; a run of events that continues the last one lengthens it."""
    last = nodes[node, N_LAST]
    nodes[node, N_COUNT] += items
    if last >= 0 and at < 0 and runs[last, R_AT] < 0 and -1 - runs[last, R_AT] + runs[last, R_LEN] == -1 - at:
        runs[last, R_LEN] += count
        return
    run = st[RUNS]
    st[RUNS] = run + 1
    runs[run, R_AT] = at
    runs[run, R_LEN] = count
    runs[run, R_NEXT] = -1
    if last >= 0:
        runs[last, R_NEXT] = run
    else:
        nodes[node, N_FIRST] = run
    nodes[node, N_LAST] = run


@njit(nogil=True, cache=True)
def add_items(node, begin, end, st, stack, nodes, runs, pool):  # type: ignore[no-untyped-def]
    """Append the values of the stack to a list or tuple; consecutive events take no room."""
    count = end - begin
    if count == 0:
        return
    first = -1
    if stack[begin, 0] == DICT and nodes[stack[begin, 1], N_KIND] == IS_EVENT:
        first = nodes[stack[begin, 1], N_FIRST]
        for k in range(count):
            value = stack[begin + k, 1]
            if stack[begin + k, 0] != DICT or nodes[value, N_KIND] != IS_EVENT or nodes[value, N_FIRST] != first + k:
                first = -1
                break
    if first >= 0:
        add_run(node, -1 - first, count, count, st, nodes, runs)
        return
    at = st[POOL]
    for k in range(count):
        pool[at + k, 0] = stack[begin + k, 0]
        pool[at + k, 1] = stack[begin + k, 1]
    st[POOL] = at + count
    add_run(node, at, count, count, st, nodes, runs)


@njit(nogil=True, cache=True)
def _new_event(st, ev):  # type: ignore[no-untyped-def]
    row = st[EVENTS] - st[BASE]
    st[EVENTS] += 1
    for k in range(ev.shape[1]):
        ev[row, k] = -1
    ev[row, E_ADDRESS] = 0
    ev[row, E_SIZE] = 0
    ev[row, E_STREAM] = 0
    ev[row, E_STACK] = 0
    ev[row, E_TIME] = 0
    ev[row, E_FORWARD] = 0
    ev[row, E_FIELDS] = 0
    return row


@njit(nogil=True, cache=True)
def _set_event_field(row, slot, tag, value, st, ev, nodes):  # type: ignore[no-untyped-def]
    """One key of an event; a value of the wrong kind is counted and left out."""
    column = -1
    if slot in (K_ADDR, K_DEVICE_FREE, K_SIZE, K_STREAM, K_TIME):
        if tag == INT or (tag == UINT and slot != K_SIZE):
            if slot in (K_ADDR, K_DEVICE_FREE):
                column = E_ADDRESS
            elif slot == K_SIZE:
                column = E_SIZE
            elif slot == K_STREAM:
                column = E_STREAM
            else:
                column = E_TIME
    elif slot in (K_ACTION, K_CONTEXT, K_METADATA, K_CATEGORY):
        if tag == STR:
            if slot == K_ACTION:
                column = E_ACTION
            elif slot == K_CONTEXT:
                column = E_CONTEXT
            elif slot == K_METADATA:
                column = E_METADATA
            else:
                column = E_CATEGORY
    elif slot in (K_FRAMES, K_FORWARD):
        if tag == LIST and nodes[value, N_KIND] == IS_STACK:
            column = E_STACK if slot == K_FRAMES else E_FORWARD
            value = np.int64(nodes[value, N_FIRST])
    elif slot == K_POOL:
        if tag == PAIR:
            column = E_POOL
    else:
        return
    if column >= 0:
        ev[row, column] = value
        ev[row, E_FIELDS] |= np.int64(1) << slot
    elif tag != NONE:
        st[BAD_FIELDS] += 1


@njit(nogil=True, cache=True)
def _as_event(node, st, ev, nodes, runs, pool, strs):  # type: ignore[no-untyped-def]
    """A dictionary that has an action is an event; what it already holds moves into the row."""
    row = _new_event(st, ev)
    run = nodes[node, N_FIRST]
    while run >= 0:
        at = runs[run, R_AT]
        for k in range(at, at + runs[run, R_LEN], 2):
            slot = strs[pool[k, 1], S_SLOT] if pool[k, 0] == STR else -1
            _set_event_field(row, slot, pool[k + 1, 0], pool[k + 1, 1], st, ev, nodes)
        run = runs[run, R_NEXT]
    nodes[node, N_KIND] = IS_EVENT
    nodes[node, N_FIRST] = row + st[BASE]


@njit(nogil=True, cache=True)
def _what_is_it(begin, end, fresh, stack, strs):  # type: ignore[no-untyped-def]
    """Which kind of dictionary the keys between begin and end make; -1 when a key is of no use."""
    kind = IS_DICT
    for k in range(begin, end, 2):
        if stack[k, 0] == STR:
            slot = strs[stack[k, 1], S_SLOT]
            if slot == K_ACTION:
                return IS_EVENT
            if slot == K_FILENAME and fresh and end - begin >= 4:  # key by key it stays open
                kind = IS_FRAME
        elif stack[k, 0] != INT:
            return -1
    return kind


@njit(nogil=True, cache=True)
def set_items(node, begin, end, st, stack, nodes, runs, pool, ev, strs, frames, stacks, sframes, hframe, hstack):  # type: ignore[no-untyped-def]
    """Put key/value pairs of the stack into a dictionary; returns CONTINUE or why the file is refused."""
    for k in range(begin, end, 2):
        if stack[k, 0] == STR and stack[k + 1, 0] == LIST and nodes[stack[k + 1, 1], N_KIND] == IS_LIST:
            slot = strs[stack[k, 1], S_SLOT]
            if slot in (K_FRAMES, K_FORWARD):
                intern_stack(stack[k + 1, 1], st, nodes, runs, pool, strs, frames, stacks, sframes, hframe, hstack)
    kind = nodes[node, N_KIND]
    if kind == IS_DICT:
        wanted = _what_is_it(begin, end, nodes[node, N_COUNT] == 0, stack, strs)
        if wanted < 0:
            return BAD_KEY
        if wanted == IS_FRAME:
            clear_frame(st, frames)
            for k in range(begin, end, 2):
                slot = strs[stack[k, 1], S_SLOT] if stack[k, 0] == STR else -1
                set_frame_field(slot, stack[k + 1, 0], stack[k + 1, 1], st, frames)
            nodes[node, N_FIRST] = intern_frame(st, frames, hframe)
            nodes[node, N_KIND] = IS_FRAME
            return CONTINUE
        if wanted == IS_DICT:
            at = st[POOL]
            for k in range(begin, end):
                pool[at + k - begin, 0] = stack[k, 0]
                pool[at + k - begin, 1] = stack[k, 1]
            st[POOL] = at + end - begin
            add_run(node, at, end - begin, (end - begin) // 2, st, nodes, runs)
            return CONTINUE
        _as_event(node, st, ev, nodes, runs, pool, strs)
    elif kind != IS_EVENT:
        return BAD_TARGET
    row = nodes[node, N_FIRST] - st[BASE]
    if row < 0:
        return BAD_TARGET
    for k in range(begin, end, 2):
        slot = strs[stack[k, 1], S_SLOT] if stack[k, 0] == STR else -1
        _set_event_field(row, slot, stack[k + 1, 0], stack[k + 1, 1], st, ev, nodes)
    return CONTINUE


@njit(nogil=True, cache=True)
def put_tuple(begin, end, node, st, stack, nodes, runs, pool, pairs):  # type: ignore[no-untyped-def]
    """Replace the values above `begin` by a tuple; two small numbers are a pair. Returns the new top of the stack."""
    if end - begin == 2 and stack[begin, 0] == INT and stack[begin + 1, 0] == INT:
        row = intern_pair(stack[begin, 1], stack[begin + 1, 1], st, pairs)
        if row >= 0:
            stack[begin, 0] = PAIR
            stack[begin, 1] = row
            return begin + 1
    add_items(node, begin, end, st, stack, nodes, runs, pool)
    stack[begin, 0] = TUPLE
    stack[begin, 1] = node
    return begin + 1
