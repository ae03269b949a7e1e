"""Requests: when they came, waited, gave tokens and ended; how often they were thrown out of the batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop import schema_service as schema
from insight_desktop.engine.service.fill_events import (
    ARRIVAL,
    COMMUNICATION,
    EARLY,
    ENDS,
    NAMES,
    OUTPUT,
    QUEUES,
    REQUEST_STATES,
    Events,
    Run,
)  # fmt: skip
from insight_desktop.engine.service.fill_lookup import NONE, Timeline, at, earliest, either, latest
from insight_desktop.engine.service.fill_steps import Steps

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]
ENOUGH = 0.9  # of the requests with an end must have tokens of a source for it to be taken


@dataclass
class Waits:
    """Comings and goings at queues: request, process, time; one row per request and event."""

    request: Array
    process: Array
    time: I64
    enters: Array
    queue: Array


@dataclass
class Tokens:
    """Token events in order of request and time; step from 1, 0 none."""

    request: Array
    time: I64
    count: Array
    step: I64
    source: str


@dataclass
class Stalls:
    """Preemptions in order of request and time; end NONE when never resumed, recomputed -1 when not told."""

    request: Array
    start: I64
    end: I64
    recomputed: I64
    step: I64


@dataclass
class Found:
    """Requests by code, NONE where a time is not known; sizes -1, shares NaN."""

    arrive: I64
    enqueue: I64
    dequeue: I64
    scheduled: I64
    first_token: I64
    last_token: I64
    done: I64
    first_event: I64
    last_event: I64
    n_in: I64
    n_out: I64
    cache_hit: Array
    state: Array
    flags: Array
    tokens: Tokens
    stalls: Stalls
    waits: Waits


def requests(run: Run, steps: Steps) -> Found:
    """Requests of a run."""
    count = len(run.requests.names)
    first_event, last_event, seen = _extent(run, count)
    has_end, ended = _ends(run, count)
    tokens = _tokens(run, steps, has_end, count)
    first_token, last_token = earliest(tokens.request, tokens.time, count), latest(tokens.request, tokens.time, count)
    waits = _waits(run)
    arrive, flags = _arrivals(run, waits, count)
    enqueue, dequeue = _first_wait(waits, count)
    scheduled = earliest(steps.member_request, steps.start[steps.member_step], count)
    never_left = (dequeue == NONE) & (enqueue != NONE) & (scheduled != NONE)
    dequeue = np.where(never_left, np.maximum(scheduled, enqueue), dequeue)
    done = np.where(has_end, np.maximum(ended, last_token), NONE)
    state = np.full(count, "running", object)
    state[has_end] = "done"
    state[has_end & (first_token == NONE)] = "no_token"
    state[arrive == NONE] = "no_arrival"
    state[~seen] = ""
    stalls = _stalls(run, steps, waits, has_end)
    n_in, n_out, flags = _sizes(run, steps, tokens, flags, count)
    return Found(
        arrive, enqueue, dequeue, scheduled, first_token, last_token, done, first_event, last_event, n_in, n_out,
        _hits(run, count), state, flags, tokens, stalls, waits,
    )  # fmt: skip


def _extent(run: Run, count: int) -> tuple[I64, I64, Array]:
    every = [run.groups[name] for name in NAMES if name in run.groups]
    request = np.concatenate([e.item_request for e in every] or [np.empty(0, np.int32)])
    first = earliest(request, np.concatenate([e.item_start for e in every] or [np.empty(0, np.int64)]), count)
    last = latest(request, np.concatenate([e.item_end for e in every] or [np.empty(0, np.int64)]), count)
    return first, last, first != NONE


def _arrivals(run: Run, waits: Waits, count: int) -> tuple[I64, Array]:
    came = run.events(*ARRIVAL)
    arrive = earliest(came.item_request, came.item_start, count)
    early = run.events(*EARLY)
    waiting = waits.enters & (waits.queue == "WAITING")
    estimate = earliest(
        np.concatenate([early.item_request, waits.request[waiting]]),
        np.concatenate([early.item_start, waits.time[waiting]]),
        count,
    )
    flags = np.where((arrive == NONE) & (estimate != NONE), schema.ARRIVAL_ESTIMATED, 0)
    return either(arrive, estimate), flags


def _ends(run: Run, count: int) -> tuple[Array, I64]:
    """Which requests ended, and the latest of the events that say so.

    A response that is one of several (sendResponse with endFlag false, httpRes of a stream) says so only where nothing
    else does.
    """
    events = run.events(*ENDS)
    partial = (events.name == "sendResponse") & (events.texts["endFlag"] == "false")
    streamed = (events.name == "httpRes") & (events.texts["stream"] == "true")
    if "DecodeEnd" in run.groups or "PrefillEnd" in run.groups:
        partial = partial | streamed
    final = ~partial[events.item_event] if len(events) else np.empty(0, bool)
    has_end = np.zeros(count, bool)
    has_end[events.item_request[final]] = True
    return has_end, latest(events.item_request, events.item_end, count)


def _waits(run: Run) -> Waits:
    """Comings and goings at queues; where the run has none, from the states of requests."""
    events = run.events(*QUEUES[:2])
    row = events.item_event
    name = _queue_names(events)
    if len(row):
        return Waits(
            events.item_request, events.process[row], events.start[row], (events.name == "Enqueue")[row], name[row]
        )
    states = run.events(*REQUEST_STATES)
    row = states.item_event
    order = np.lexsort((states.start[row], states.item_request))
    row, request = row[order], states.item_request[order]
    name = states.name[row]
    was = np.r_[[""], name[:-1]] if len(name) else name
    was = np.where(np.r_[True, request[1:] != request[:-1]], "", was) if len(name) else name
    waiting = name == "WAITING"
    leaves = np.isin(name, ("RUNNING", "RUNNING2")) & np.isin(was, ("WAITING", "PENDING"))
    swapped = np.isin(name, ("SWAPPED", "RECOMPUTE")) & (was != name)
    keep = waiting | leaves | swapped
    queue = np.where(swapped, "SWAPPED", "WAITING").astype(object)
    return Waits(
        request[keep], states.process[row][keep], states.start[row][keep], (waiting | swapped)[keep], queue[keep]
    )


def _queue_names(events: Events) -> Array:
    scope, status = events.texts["scope#QueueName"], events.texts["status"]
    known: dict[Any, str] = {}
    out = np.empty(len(events), object)
    for i, (a, b) in enumerate(zip(scope.tolist(), status.tolist(), strict=True)):
        key = a if a is not None else b
        if key not in known:
            known[key] = str(key or "").strip().upper()
        out[i] = known[key]
    return out


def queue_names(events: Events) -> Array:
    """Names of the queues of events, upper case; empty where not told."""
    return _queue_names(events)


def _first_wait(waits: Waits, count: int) -> tuple[I64, I64]:
    mine = waits.queue == "WAITING"
    enters, leaves = mine & waits.enters, mine & ~waits.enters
    enqueue = earliest(waits.request[enters], waits.time[enters], count)
    if not leaves.any():
        return enqueue, np.full(count, NONE, np.int64)
    found = Timeline(waits.request[leaves], waits.time[leaves])
    row = found.first(np.arange(count), enqueue)
    return enqueue, at(waits.time[leaves], row)


# ---- tokens


def _tokens(run: Run, steps: Steps, has_end: Array, count: int) -> Tokens:
    """Token events from the first source that knows them for nearly all ended requests."""
    ended = max(1, int(has_end.sum()))
    best: tuple[str, Array, I64] = ("", np.empty(0, np.int32), np.empty(0, np.int64))
    for source, request, time in _sources(run, steps):
        with_tokens = np.zeros(count, bool)
        with_tokens[request] = True
        covered = int((with_tokens & has_end).sum()) if has_end.any() else int(with_tokens.sum())
        if not len(best[1]) and len(request):
            best = source, request, time  # better than nothing, when no source is nearly complete
        if len(request) and covered >= ENOUGH * ended:
            best = source, request, time
            break
    source, request, time = best
    order = np.lexsort((time, request))
    request, time = request[order], time[order]
    fresh = np.r_[True, (request[1:] != request[:-1]) | (time[1:] != time[:-1])] if len(request) else np.empty(0, bool)
    request, time = request[fresh], time[fresh]
    step, accepted = _producers(steps, request, time)
    return Tokens(request, time, 1 + np.maximum(accepted, 0), step, source)


def _sources(run: Run, steps: Steps) -> list[tuple[str, Array, I64]]:
    responses = run.events("sendResponse")
    output = run.events(*OUTPUT[:2])
    if len(output):  # inside the model, `decode` is a phase of its execution
        output = output.take(~np.isin(output.domain, ("Execute", "ModelExecute", "BatchSchedule", "Schedule")))
    synced = run.events(OUTPUT[2])
    streamed = run.events("httpRes")
    if len(streamed):
        streamed = streamed.take(streamed.texts["stream"] == "true")
    found = [
        ("sendResponse", responses.item_request, responses.item_end),
        ("detokenize", output.item_request, output.item_end),
        ("outputSync", synced.item_request, synced.item_end),
        ("httpRes", streamed.item_request, streamed.item_end),
    ]
    end = steps.execute_end[steps.member_step]
    scheduled, prompt, computed = (steps.members[k] for k in ("num_scheduled_tokens", "num_prompt_tokens", "num_computed_tokens"))  # fmt: skip
    counted = ~np.isnan(scheduled) & ~np.isnan(prompt) & ~np.isnan(computed)
    gives = np.where(counted, np.nan_to_num(computed) + np.nan_to_num(scheduled) >= np.nan_to_num(prompt), True)
    gives &= end != NONE
    found.append(("step", steps.member_request[gives], end[gives]))
    return found


def _producers(steps: Steps, request: Array, time: I64) -> tuple[I64, I64]:
    """Number of the step that gave each token (0 none), and how many drafted tokens it accepted (-1 not told)."""
    end = steps.execute_end[steps.member_step]
    known = np.flatnonzero(end != NONE)
    if not len(known) or not len(request):
        return np.zeros(len(request), np.int64), np.full(len(request), -1, np.int64)
    row = Timeline(steps.member_request[known], end[known]).last(request, time)
    member = known[np.maximum(row, 0)]
    accepted = steps.members["num_spec_accepted_tokens"][member]
    step = np.where(row >= 0, steps.member_step[member] + 1, 0)
    return step, np.where((row >= 0) & ~np.isnan(accepted), np.nan_to_num(accepted), -1).astype(np.int64)


# ---- preemptions


def _stalls(run: Run, steps: Steps, waits: Waits, has_end: Array) -> Stalls:
    """Preemptions: evidence of all kinds between two steps of a request on one process is one preemption."""
    if not len(steps.member_step):
        return Stalls(np.empty(0, np.int32), *(np.empty(0, np.int64) for _ in range(4)))
    processes = len(run.lanes.pids)
    group = steps.member_request.astype(np.int64) * processes + steps.process[steps.member_step]
    groups, dense = np.unique(group, return_inverse=True)
    timeline = Timeline(dense, steps.start[steps.member_step])
    total = np.bincount(dense, minlength=len(groups))
    where = _home(waits, steps, processes)
    place = np.searchsorted(groups, where)
    known = (place < len(groups)) & (groups[np.minimum(place, len(groups) - 1)] == where)
    place = np.minimum(place, len(groups) - 1)
    gap = np.where(known, timeline.count(place, waits.time), 0)
    evidence = _evidence(steps, waits, timeline, place, gap, total, has_end)
    rows = np.flatnonzero(evidence >= 0)
    fallen_group, fallen_gap = _falling(steps, dense, timeline, total)
    all_group = np.r_[place[rows], fallen_group]
    all_gap = np.r_[gap[rows], fallen_gap]
    order = np.r_[evidence[rows], np.full(len(fallen_group), 9)]
    last = steps.member_step[np.maximum(timeline.nth(fallen_group, fallen_gap - 1), 0)]
    time = np.r_[waits.time[rows], steps.end[last]]
    sort = np.lexsort((time, order, all_gap, all_group))
    all_group, all_gap, time = all_group[sort], all_gap[sort], time[sort]
    first = np.r_[True, (all_group[1:] != all_group[:-1]) | (all_gap[1:] != all_gap[:-1])] if len(sort) else np.empty(0, bool)  # fmt: skip
    return _resumed(steps, waits, timeline, groups, processes, all_group[first], all_gap[first], time[first])


def _home(waits: Waits, steps: Steps, processes: int) -> I64:
    """Group (request, process) of every coming and going; queues that live in a process without steps count for its only one."""
    schedulers = np.unique(steps.process)
    process = waits.process
    if len(schedulers) == 1:
        process = np.full(len(process), schedulers[0])
    return waits.request.astype(np.int64) * processes + process


def _evidence(
    steps: Steps, waits: Waits, timeline: Timeline, place: Array, gap: I64, total: I64, has_end: Array
) -> Array:
    """Rank of the time of each row as a preemption's start (smaller first), -1 for rows that are no evidence."""
    rank = np.full(len(waits.time), -1)
    scheduled = gap > 0
    again = scheduled & waits.enters & (waits.queue == "WAITING")
    swapped = scheduled & waits.enters & (waits.queue == "SWAPPED")
    leaves = scheduled & ~waits.enters & (waits.queue == "RUNNING")
    before = timeline.nth(place, gap - 1)
    end_of_plan = at(steps.schedule_end[steps.member_step], before)
    after = waits.time > end_of_plan  # else it came, or was put back, within the scheduling that lists it
    again, swapped, leaves = again & after, swapped & after, leaves & after
    leaves &= (gap < total[place]) | ~has_end[waits.request]
    rank[swapped], rank[leaves], rank[again] = 2, 1, 0
    return rank


def _falling(steps: Steps, dense: Array, timeline: Timeline, total: I64) -> tuple[Array, I64]:
    """(group, gap) where fewer tokens are computed than in the step before."""
    order = timeline.order
    computed, group = steps.members["num_computed_tokens"][order], dense[order]
    if len(order) < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    fewer = (group[1:] == group[:-1]) & (computed[1:] < computed[:-1])
    row = np.flatnonzero(fewer) + 1
    begin = (np.cumsum(total) - total)[group[row]]
    return group[row], row - begin


def _resumed(
    steps: Steps, waits: Waits, timeline: Timeline, groups: I64, processes: int, group: Array, gap: I64, time: I64
) -> Stalls:
    request = (groups[group] // processes).astype(np.int32)
    row = timeline.nth(group, gap)
    member = np.maximum(row, 0)
    next_step = steps.member_step[member]
    next_start = np.where(row >= 0, steps.start[next_step], NONE)
    next_plan_end = np.where(row >= 0, np.maximum(steps.schedule_end[next_step], steps.start[next_step]), NONE)
    leaves = (waits.queue == "WAITING") & ~waits.enters
    end = next_start
    if leaves.any():
        left = at(waits.time[leaves], Timeline(waits.request[leaves], waits.time[leaves]).first(request, time))
        fits = (left != NONE) & ((row < 0) | (left <= next_plan_end))
        end = np.where(fits, left, next_start)
    end = np.where(end == NONE, NONE, np.maximum(end, time))
    scheduled = steps.members["num_scheduled_tokens"][member]
    recomputed = np.where((row >= 0) & ~np.isnan(scheduled), np.nan_to_num(scheduled), -1).astype(np.int64)
    before = steps.member_step[np.maximum(timeline.nth(group, gap - 1), 0)] + 1
    order = np.lexsort((time, request))
    return Stalls(request[order], time[order], end[order], recomputed[order], before[order])


# ---- sizes


def _sizes(run: Run, steps: Steps, tokens: Tokens, flags: Array, count: int) -> tuple[I64, I64, Array]:
    told = run.events(*ARRIVAL, *EARLY, *ENDS)
    sizes = []
    for key in ("recvTokenSize=", "replyTokenSize="):
        value = np.nan_to_num(told.numbers[key], nan=-1).astype(np.int64)
        found = np.full(count, -1, np.int64)
        np.maximum.at(found, told.item_request, value[told.item_event])
        sizes.append(found)
    prompt = np.full(count, -1, np.int64)
    np.maximum.at(
        prompt, steps.member_request, np.nan_to_num(steps.members["num_prompt_tokens"], nan=-1).astype(np.int64)
    )
    n_in = np.where(sizes[0] >= 0, sizes[0], prompt)
    given = np.bincount(tokens.request, tokens.count, count).astype(np.int64)
    missing = (sizes[1] < 0) & (given > 0)
    n_out = np.where(missing, given, sizes[1])
    return n_in, n_out, np.where(missing, flags | schema.SIZE_ESTIMATED, flags)


def _hits(run: Run, count: int) -> Array:
    events = run.events("HitCache")
    out = np.full(count, np.nan)
    share = events.numbers["hitRate="]
    share = np.where(share > 1, share / 100, share)
    out[events.item_request] = share[events.item_event]
    return out


def communication(run: Run) -> dict[str, Events]:
    """Events between prefill and decode nodes, by name."""
    return {name: run.groups[name] for name in ("receiveReq", *COMMUNICATION) if name in run.groups}
