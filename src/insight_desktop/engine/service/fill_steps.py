"""Steps: what the scheduler put together, paired with its execution; forward passes of the cards that belong to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.service.fill_events import EXECUTION, FORWARD, SCHEDULING, Events, Run
from insight_desktop.engine.service.fill_lookup import NONE, Timeline
from insight_desktop.ingest.formats.service_values import batch_type

Array = npt.NDArray[Any]
I64 = npt.NDArray[np.int64]


@dataclass
class Steps:
    """Steps in order of start; times are NONE and ids -1 where a side is missing.

    Attributes:
        process: position of the scheduling process.
        dp: data parallel rank, -1 none.
        member_step, member_request: which step lists which request (rows of all members).
        members: numbers per member, NaN where not told.
        kind: type of the batch, empty when not told.
    """

    process: Array
    dp: Array
    schedule_start: I64
    schedule_end: I64
    execute_start: I64
    execute_end: I64
    schedule_id: I64
    execute_id: I64
    kind: Array
    member_step: I64
    member_request: Array
    members: dict[str, Array]

    def __len__(self) -> int:
        return len(self.process)

    @property
    def start(self) -> I64:
        """Start of scheduling, else of execution."""
        return np.where(self.schedule_start == NONE, self.execute_start, self.schedule_start)

    @property
    def end(self) -> I64:
        """End of execution, else of scheduling."""
        return np.where(self.execute_end == NONE, self.schedule_end, self.execute_end)

    def size(self) -> I64:
        """Requests in every step."""
        return np.bincount(self.member_step, minlength=len(self))

    def is_prefill(self) -> Array:
        """Per member: 1 prefill, 0 decode, -1 not told; by its own type, its iteration, else the type of the batch."""
        kind, iteration = self.members["type"], self.members["iter"]
        of_batch = self.kind[self.member_step]
        out = np.where(np.isin(of_batch, ["prefill", "extend"]), 1, np.where(of_batch == "decode", 0, -1))
        out = np.where(np.isnan(iteration), out, (iteration == 0).astype(int))
        return np.where(np.isnan(kind), out, (kind == 0).astype(int)).astype(np.int8)


def steps(run: Run) -> Steps:
    """Steps of a run."""
    plans = run.events(*SCHEDULING)
    runs = _executions(run, set(np.unique(plans.process).tolist()))
    if not len(plans):
        return _made(run, plans, runs, np.full(len(runs), -1), np.arange(len(runs)))
    partner = _partners(plans, runs)
    if not (partner >= 0).any():
        partner = _elsewhere(plans, run)
        runs = run.events(*EXECUTION)
    return _made(run, plans, runs, np.arange(len(plans)), partner)


def _executions(run: Run, schedulers: set[int]) -> Events:
    """Executions as the scheduling processes see them: of each process those of the first name that it has."""
    found = run.events(*EXECUTION)
    keep = np.zeros(len(found), bool)
    with_items = np.zeros(len(found), bool)
    with_items[found.item_event] = True
    for process in np.unique(found.process).tolist():
        if schedulers and process not in schedulers:
            continue
        mine = found.process == process
        name = next(name for name in EXECUTION if (found.name[mine] == name).any())
        keep |= mine & (found.name == name)
    return found.take(keep if schedulers else keep & with_items)


def signature(events: Events) -> Array:
    """A number per event that is equal for equal sets of (request, iteration)."""
    iteration = np.nan_to_num(events.items["iter"], nan=-1).astype(np.int64).astype(np.uint64)
    mixed = (events.item_request.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= (iteration + np.uint64(7)) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= mixed >> np.uint64(29)
    out = np.zeros(len(events), np.uint64)
    np.add.at(out, events.item_event, mixed * np.uint64(0x165667B19E3779F9))
    return out


def _partners(plans: Events, runs: Events) -> I64:
    """Execution of every scheduling, -1 for none: the first before the next scheduling of the process, of the same set."""
    partner = np.full(len(plans), -1, np.int64)
    if not len(plans) or not len(runs):
        return partner
    plan_set, run_set = signature(plans), signature(runs)
    plan = Timeline(plans.process, plans.start).last(runs.process, runs.start)
    row = np.flatnonzero(plan >= 0)
    equal = plan_set[plan[row]] == run_set[row]
    order = np.lexsort((runs.start[row], ~equal, plan[row]))
    chosen = row[order]
    first = np.r_[True, plan[chosen][1:] != plan[chosen][:-1]] if len(chosen) else np.empty(0, bool)
    partner[plan[chosen[first]]] = chosen[first]
    _out_of_order(plans, runs, plan_set, run_set, partner)
    return partner


def _out_of_order(plans: Events, runs: Events, plan_set: Array, run_set: Array, partner: I64) -> None:
    """A scheduler that plans ahead starts the next batch before the execution of the last: sets tell who belongs together."""
    paired = partner >= 0
    wrong = paired & (plan_set != run_set[np.maximum(partner, 0)]) & np.isin(plan_set, run_set)
    partner[wrong] = -1
    lonely = np.flatnonzero(partner < 0)
    free = np.setdiff1d(np.arange(len(runs)), partner[partner >= 0])
    waiting: dict[tuple[int, int], list[int]] = {}
    for j in free.tolist():
        waiting.setdefault((int(runs.process[j]), int(run_set[j])), []).append(j)
    for i in lonely.tolist():
        queue = waiting.get((int(plans.process[i]), int(plan_set[i])), [])
        while queue:
            j = queue.pop(0)
            if runs.start[j] >= plans.start[i]:
                partner[i] = j
                break


def _elsewhere(plans: Events, run: Run) -> I64:
    """Executions in other processes: the first of the same set after each scheduling."""
    runs = run.events(*EXECUTION)
    partner = np.full(len(plans), -1, np.int64)
    if not len(runs):
        return partner
    _, number = np.unique(np.concatenate([signature(plans), signature(runs)]), return_inverse=True)
    return Timeline(number[len(plans) :], runs.start).first(number[: len(plans)], plans.start)


def _made(run: Run, plans: Events, runs: Events, plan: I64, partner: I64) -> Steps:
    def of(values: Array, rows: I64, missing: int = NONE) -> Array:
        if not len(values):
            return np.full(len(rows), missing, np.int64)
        return np.where(rows >= 0, values[np.maximum(rows, 0)], missing)

    process = of(plans.process, plan, -1)
    process = np.where(process < 0, of(runs.process, partner, 0), process)
    start = of(plans.start, plan)
    order = np.argsort(np.where(start == NONE, of(runs.start, partner), start), kind="stable")
    plan, partner, process = plan[order], partner[order], process[order]
    ranks = np.array([-1 if dp is None else dp for dp in run.lanes.dp] or [-1])
    told = of(plans.dp.astype(np.int64), plan, -1)
    kinds = np.array([_kind(plans, p, runs, r) for p, r in zip(plan.tolist(), partner.tolist(), strict=True)], object)
    step, request, members = _members(plans, plan, runs, partner)
    return Steps(
        process, np.where(told >= 0, told, ranks[process]),
        of(plans.start, plan), of(plans.end, plan), of(runs.start, partner), of(runs.end, partner),
        of(plans.id, plan, -1), of(runs.id, partner, -1), kinds, step, request, members,
    )  # fmt: skip


def _kind(plans: Events, plan: int, runs: Events, partner: int) -> str:
    for events, row in ((plans, plan), (runs, partner)):
        if row >= 0:
            for key in ("batch_type", "batchType"):
                found = batch_type(events.texts[key][row])
                if found:
                    return found
    return ""


def _members(plans: Events, plan: I64, runs: Events, partner: I64) -> tuple[I64, Array, dict[str, Array]]:
    """The requests of every step: those that its scheduling lists, else those of its execution."""
    step_of_plan = np.full(len(plans), -1, np.int64)
    step_of_plan[plan[plan >= 0]] = np.flatnonzero(plan >= 0)
    listed = np.zeros(len(plan), bool)
    if len(plans):
        listed[step_of_plan[plans.item_event]] = True
    step_of_run = np.full(len(runs), -1, np.int64)
    alone = (partner >= 0) & ~listed
    step_of_run[partner[alone]] = np.flatnonzero(alone)
    from_run = step_of_run[runs.item_event] >= 0 if len(runs) else np.empty(0, bool)
    from_plan = step_of_plan[plans.item_event] >= 0 if len(plans) else np.empty(0, bool)
    step = np.concatenate([
        step_of_plan[plans.item_event][from_plan] if len(plans) else np.empty(0, np.int64),
        step_of_run[runs.item_event][from_run] if len(runs) else np.empty(0, np.int64),
    ])  # fmt: skip
    request = np.concatenate([plans.item_request[from_plan], runs.item_request[from_run]])
    members = {k: np.concatenate([plans.items[k][from_plan], runs.items[k][from_run]]) for k in plans.items}
    key = request.astype(np.int64) * (len(plan) + 1) + step  # a request listed twice in one event is one member
    _, first = np.unique(key, return_index=True)
    first = np.sort(first)
    return step[first], request[first].astype(np.int32), {k: v[first] for k, v in members.items()}


@dataclass
class Forwards:
    """Forward passes in order of process and start; step from 1, 0 none; iteration from 1."""

    process: Array
    dp: Array
    start: I64
    end: I64
    iteration: Array
    step: Array
    id: I64


def forwards(run: Run, found: Steps) -> Forwards:
    """Forward passes of a run with the steps they belong to."""
    events = run.events(*FORWARD)
    order = np.lexsort((events.start, events.process))
    events_dp = events.dp
    ranks = np.array([-1 if dp is None else dp for dp in run.lanes.dp] or [-1])
    process, start, end = events.process[order], events.start[order], events.end[order]
    dp = np.where(events_dp[order] >= 0, events_dp[order], ranks[process])
    step = _steps_of(events, found)[order]
    iteration = np.ones(len(order), np.int64)
    if len(order):
        fresh = np.r_[True, process[1:] != process[:-1]]
        iteration = np.arange(len(order)) - np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0)) + 1
    return Forwards(process, dp, start, end, iteration, step, events.id[order])


def _steps_of(events: Events, found: Steps) -> I64:
    """Number of the step of each forward pass: the last that lists its first request and began before, else the last of all."""
    out = np.zeros(len(events), np.int64)
    began = np.where(found.execute_start == NONE, found.start, found.execute_start)
    if not len(found) or not len(events):
        return out
    by_request = Timeline(found.member_request, began[found.member_step])
    item, first = np.unique(events.item_event, return_index=True)
    row = by_request.last(events.item_request[first], events.start[item])
    row = np.where(row >= 0, row, by_request.first(events.item_request[first], events.start[item]))
    out[item] = np.where(row >= 0, found.member_step[np.maximum(row, 0)] + 1, 0)
    rest = np.flatnonzero(out == 0)
    last = Timeline(np.zeros(len(found), np.int64), began).last(np.zeros(len(rest), np.int64), events.start[rest])
    inside = (last >= 0) & (events.start[rest] <= found.end[np.maximum(last, 0)])
    out[rest] = np.where(inside, last + 1, 0)
    return out
