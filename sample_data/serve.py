"""A small serving engine, simulated: Poisson arrivals, continuous batching with chunked prefill, a cache that runs short.

Each step gives every running request its tokens, throws out the last one when no block is left, and admits waiting ones
while seats, tokens and blocks last. Everything follows from the seed; what happened to each request is kept as `Truth`.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

EPOCH_NS = 1_767_254_400_000_000_000  # a morning in January 2026
MS = 1_000_000


@dataclass(frozen=True)
class Load:
    """What is simulated.

    Attributes:
        requests, rate: how many, and how many arrive per second.
        seats, budget: requests and tokens of a step at most.
        block: tokens of a cache block.
        squeeze: blocks as a share of what the load would like to have.
        cards: forward processes.
        stragglers: share of steps that take four times as long.
        prompt, answer: mean of the logarithm and spread of the lengths in tokens.
    """

    seed: int = 11
    requests: int = 44
    rate: float = 30.0
    seats: int = 10
    budget: int = 512
    block: int = 16
    squeeze: float = 0.55
    cards: int = 1
    prompt: tuple[float, float] = (5.0, 0.7)
    answer: tuple[float, float] = (2.6, 0.6)
    longest: tuple[int, int] = (4096, 1024)
    stragglers: float = 0.01


@dataclass
class Truth:
    """What happened to one request, ns."""

    rid: str
    arrive: int
    n_in: int
    n_out: int
    enqueue: int = 0
    dequeue: int = 0
    first: int = 0
    last: int = 0
    done: int = 0
    preemptions: int = 0
    stall: int = 0


@dataclass
class Event:
    """One event of the run; `requests` is what it lists, None for nothing."""

    start: int
    end: int
    name: str
    pid: int
    lane: str
    attributes: dict[str, Any]
    requests: Any = None

    @property
    def rids(self) -> list[str]:
        if self.requests is None:
            return []
        listed = self.requests if isinstance(self.requests, list) else [self.requests]
        return [one["rid"] if isinstance(one, dict) else one for one in listed]


@dataclass
class Run:
    """Events in order of time, samples of the cache, requests."""

    events: list[Event]
    kv: list[dict[str, Any]]
    truth: list[Truth]
    steps: int = 0


@dataclass
class _Live:
    """A request in the engine."""

    truth: Truth
    computed: int = 0
    given: int = 0
    iteration: int = 0
    blocks: int = 0
    preempted_at: int = 0

    @property
    def wanted(self) -> int:
        """Tokens that have to be computed before the next one comes."""
        return self.truth.n_in + self.given


SCHEDULER, FIRST_CARD = 4001, 4010


def simulate(load: Load | None = None) -> Run:
    """Run the engine over the whole load."""
    return _Engine(load or Load()).run()


@dataclass
class _Engine:
    load: Load
    events: list[Event] = field(default_factory=list)
    kv: list[dict[str, Any]] = field(default_factory=list)
    waiting: list[_Live] = field(default_factory=list)
    running: list[_Live] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.load.seed)
        self.requests = self._arrivals()
        self.total = self._blocks()
        self.free = self.total

    def _arrivals(self) -> list[Truth]:
        rnd, load, at = self.random, self.load, EPOCH_NS
        found = []
        for i in range(load.requests):
            at += int(rnd.expovariate(load.rate) * 1e9)
            n_in = min(load.longest[0], max(16, int(rnd.lognormvariate(*load.prompt))))
            n_out = min(load.longest[1], max(1, int(rnd.lognormvariate(*load.answer))))
            found.append(Truth(f"req-{i:05d}", at // 1000 * 1000, n_in, n_out))
        return found

    def _blocks(self) -> int:
        """Blocks that are a little fewer than full seats of usual requests want."""
        sizes = sorted(math.ceil((t.n_in + t.n_out) / self.load.block) for t in self.requests)
        usual = sum(sizes) / len(sizes)
        return max(sizes[-1] + 2, int(usual * self.load.seats * self.load.squeeze))

    def run(self) -> Run:
        coming = 0
        now = self.requests[0].arrive
        while coming < len(self.requests) or self.waiting or self.running:
            if not self.waiting and not self.running:
                now = max(now, self.requests[coming].arrive + int(0.5 * MS))
            while coming < len(self.requests) and self.requests[coming].arrive + int(0.5 * MS) <= now:
                self._arrive(self.requests[coming])
                coming += 1
            now = self._step(now)
        self.events.sort(key=lambda e: e.start)
        return Run(self.events, self.kv, self.requests, self.steps)

    def _put(
        self, start: int, end: int, name: str, lane: str, requests: Any = None, pid: int = SCHEDULER, **more: Any
    ) -> None:
        self.events.append(
            Event(start, end, name, pid, lane, {k.replace("__", "#"): v for k, v in more.items()}, requests)
        )

    def _queue(self, at: int, name: str, queue: str, size: int, rid: Any) -> None:
        more: dict[str, Any] = {"QueueSize=": size, "scope__QueueName": queue}
        self._put(at, at, name, "Schedule(12)", rid, **more)

    def _arrive(self, truth: Truth) -> None:
        self._put(truth.arrive, truth.arrive, "httpReq", "Engine(11)", truth.rid)
        truth.enqueue = truth.arrive + int(self.random.uniform(0.3, 0.49) * MS) // 1000 * 1000
        self.waiting.append(_Live(truth))
        self._queue(truth.enqueue, "Enqueue", "WAITING", len(self.waiting), truth.rid)

    def _step(self, now: int) -> int:
        """One iteration; returns the time at which the next may begin."""
        length = int(self.random.uniform(0.15, 0.4) * MS) // 1000 * 1000
        planned, is_short = self._give(now, length)
        if not is_short:
            self._admit(now, length, planned)
        if not planned:
            return now + MS
        self.steps += 1
        end = now + length
        items = [self._item(live, tokens) for live, tokens in planned]
        kinds = {item["type"] for item in items}
        kind = "Prefill,Decode" if len(kinds) > 1 else ("Decode" if 1 in kinds else "Prefill")
        used = self.total - self.free
        self.kv.append({"at": end - 10_000, "total": self.total, "used": used, "name": "KVCacheStatus"})
        self._put(now, end, "batchFrameworkProcessing", "Schedule(12)", items, batch_type=kind)
        begin = end + 50_000
        finish = begin + self._length(items)
        self._put(begin, finish, "modelExec", "Execute(13)", items, batch_type=kind)
        self._cards(begin, finish, items)
        self._output(finish, planned)
        return finish + int(self.random.uniform(0.2, 0.6) * MS) // 1000 * 1000

    def _give(self, now: int, length: int) -> tuple[list[tuple[_Live, int]], bool]:
        """Tokens for the running requests; whether someone had to go."""
        left, is_short = self.load.budget, False
        planned: list[tuple[_Live, int]] = []
        for live in list(self.running):
            if live not in self.running:
                continue
            tokens = min(left, live.wanted - live.computed)
            if tokens <= 0:
                continue
            while not self._grow(live, tokens):
                is_short = True
                last = self.running[-1]
                self._preempt(last, now + length - 40_000)
                planned = [(one, count) for one, count in planned if one is not last]
                if last is live:
                    break
            if live in self.running:
                planned.append((live, tokens))
                left -= tokens
        return planned, is_short

    def _grow(self, live: _Live, tokens: int) -> bool:
        more = math.ceil((live.computed + tokens) / self.load.block) - live.blocks
        if more > self.free:
            return False
        self.free -= max(0, more)
        live.blocks += max(0, more)
        return True

    def _preempt(self, live: _Live, at: int) -> None:
        self.running.remove(live)
        self.free += live.blocks
        live.blocks = live.computed = 0
        live.truth.preemptions += 1
        live.preempted_at = at + 10_000
        self.waiting.insert(0, live)
        self._queue(at, "Dequeue", "RUNNING", len(self.running), [live.truth.rid])
        self._queue(at + 10_000, "Enqueue", "WAITING", len(self.waiting), live.truth.rid)

    def _admit(self, now: int, length: int, planned: list[tuple[_Live, int]]) -> None:
        left = self.load.budget - sum(tokens for _, tokens in planned)
        came = []
        while self.waiting and len(self.running) < self.load.seats and left > 0:
            live = self.waiting[0]
            if live.truth.enqueue > now + length - 40_000:
                break
            tokens = min(left, live.wanted)
            if not self._grow(live, tokens):
                break
            self.waiting.pop(0)
            self.running.append(live)
            planned.append((live, tokens))
            left -= tokens
            came.append(live)
        if came:
            at = now + length - 30_000
            rids = [live.truth.rid for live in came]
            self._queue(at - 10_000, "Enqueue", "RUNNING", len(self.running), rids)
            self._queue(at, "Dequeue", "WAITING", len(self.waiting), rids)
            for live in came:
                live.truth.dequeue = live.truth.dequeue or at
                if live.preempted_at:
                    live.truth.stall += at - live.preempted_at
                    live.preempted_at = 0

    def _item(self, live: _Live, tokens: int) -> dict[str, Any]:
        item = {
            "rid": live.truth.rid, "iter": live.iteration, "type": int(live.computed >= live.truth.n_in),
            "num_scheduled_tokens": tokens, "num_prompt_tokens": live.truth.n_in, "num_computed_tokens": live.computed,
        }  # fmt: skip
        live.iteration += 1
        return item

    def _length(self, items: list[dict[str, Any]]) -> int:
        prefill = sum(i["num_scheduled_tokens"] for i in items if not i["type"])
        decode = sum(1 for i in items if i["type"])
        context = sum(i["num_computed_tokens"] for i in items)
        ms = 9 + 0.045 * prefill + 0.25 * decode + 0.0015 * context / 1000
        ms *= 1 + self.random.gauss(0, 0.03)
        if self.random.random() < self.load.stragglers:
            ms *= 4
        return int(ms * 1000) * 1000

    def _cards(self, begin: int, finish: int, items: list[dict[str, Any]]) -> None:
        rids = [item["rid"] for item in items]
        for card in range(self.load.cards):
            pid, late = FIRST_CARD + card, card * 20_000
            self._put(begin + 200_000 + late, finish - 100_000, "modelRunnerExec", "Execute(21)", rids, pid)
            self._put(begin + 300_000 + late, begin + 900_000, "prepare input", "Execute(21)", None, pid)
            self._put(begin + 900_000 + late, finish - 1_500_000, "forward", "Execute(21)", rids, pid)
            self._put(finish - 1_400_000, finish - 600_000, "sample", "Execute(21)", None, pid)

    def _output(self, finish: int, planned: list[tuple[_Live, int]]) -> None:
        at = finish + 100_000 + int(self.random.uniform(0, 0.1) * MS) // 1000 * 1000
        with_token, ended = [], []
        for live, tokens in planned:
            live.computed += tokens
            if live.computed < live.wanted:
                continue
            live.given += 1
            with_token.append(live.truth.rid)
            live.truth.first = live.truth.first or at
            live.truth.last = at
            if live.given >= live.truth.n_out:
                ended.append(live)
        for i, live in enumerate(ended):
            live.truth.done = at
            sizes = {"recvTokenSize=": live.truth.n_in, "replyTokenSize=": live.truth.n_out}
            self._put(at - 50_000 + i * 1000, at - 50_000 + i * 1000, "httpRes", "Engine(11)", live.truth.rid, **sizes)
            self.running.remove(live)
            self.free += live.blocks
            share = (self.total - self.free) / self.total
            self.kv.append(
                {"at": at + 50_000 + i * 1000, "total": 0, "used": 0, "name": "Free", "rate": round(share, 6)}
            )
        if with_token:
            self._put(at, at, "detokenize", "Engine(11)", with_token)
