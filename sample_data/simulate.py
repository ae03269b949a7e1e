"""A tiny data-parallel training job, simulated: what both sample runs (text and db) are written from.

Two ranks train a transformer of a few layers. Rank 1 computes slower in its second step, so rank 0 waits for it in the
all-reduce of that step: something to find. Times are ns, ids are running numbers, everything follows from the seed.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

EPOCH_NS = 1_767_254_400_123_456_780  # a morning in January 2026
STEPS = (20, 21, 22)
LAYERS = 3
SLOW_RANK, SLOW_STEP, SLOW_FACTOR = 1, 21, 1.6
GROUP = "10.20.0.7%eth0_60000_0_1767254300000000"

MODULES = (
    ("attention", ("aten::linear", "aten::view", "npu::npu_fusion_attention", "aten::linear", "aten::add")),
    ("mlp", ("aten::rms_norm", "aten::linear", "npu::npu_swiglu", "aten::linear", "aten::add")),
)
KERNELS = {
    "aten::linear": ("aclnnMatmul_MatMulCommon_MatMulV2", "MatMulV2", "AI_CORE", 41_000),
    "aten::add": ("aclnnAdd_AddAiCore_Add", "Add", "AI_VECTOR_CORE", 6_200),
    "aten::rms_norm": ("aclnnRmsNorm_RmsNorm_RmsNorm", "RmsNorm", "AI_VECTOR_CORE", 8_700),
    "npu::npu_fusion_attention": (
        "aclnnFlashAttentionScore_FlashAttentionScore",
        "FlashAttentionScore",
        "MIX_AIC",
        66_000,
    ),
    "npu::npu_swiglu": ("aclnnSwiGlu_SwiGlu_SwiGlu", "SwiGlu", "AI_VECTOR_CORE", 9_900),
}
SHAPES = {"aten::linear": "4,512,1024;1024,1024", "aten::add": "4,512,1024;4,512,1024"}


@dataclass
class Span:
    """One interval: name, start and end in ns, and what only some kinds have."""

    name: str
    start: int
    end: int
    tid: int = 0
    kind: str = ""
    connection: int | None = None
    stack: tuple[str, ...] = ()
    shapes: str = ""
    sequence: int = -1
    extra: dict[str, object] = field(default_factory=dict)


@dataclass
class Rank:
    """Everything one rank recorded."""

    rank: int
    pid: int
    ops: list[Span] = field(default_factory=list)  # framework operators, enqueue and dequeue
    frames: list[Span] = field(default_factory=list)  # python functions
    api: list[Span] = field(default_factory=list)  # CANN calls
    tasks: list[Span] = field(default_factory=list)  # compute kernels, Stream 2
    comm: list[Span] = field(default_factory=list)  # collective operators
    comm_tasks: list[Span] = field(default_factory=list)  # their tasks on planes, Stream 5
    forward_backward: list[tuple[Span, Span]] = field(default_factory=list)
    steps: list[tuple[int, int, int]] = field(default_factory=list)
    counters: list[tuple[str, str, str, int, float]] = field(
        default_factory=list
    )  # process, counter, series, ns, value

    @property
    def queue_tid(self) -> int:
        return self.pid + 412

    @property
    def backward_tid(self) -> int:
        return self.pid + 77


def simulate(seed: int = 7) -> list[Rank]:
    """The two ranks of the job."""
    ranks = [_Worker(rank, random.Random(f"{seed}-{rank}")) for rank in (0, 1)]
    for step in STEPS:
        ready = [worker.compute(step) for worker in ranks]
        for layer in range(LAYERS):
            start_all = max(times[layer] for times in ready)
            for worker, times in zip(ranks, ready, strict=True):
                worker.all_reduce(step, layer, times[layer], start_all)
        for worker in ranks:
            worker.finish_step(step)
    for worker in ranks:
        worker.add_counters()
    return [worker.out for worker in ranks]


class _Worker:
    """Walks one rank through time: a host clock, a queue clock and a device clock."""

    def __init__(self, rank: int, rnd: random.Random) -> None:
        self.out = Rank(rank, pid=41_200 + 9 * rank)
        self.rnd = rnd
        self.host = EPOCH_NS + rank * 18_370
        self.queue = self.host
        self.device = self.host
        self.comm_end = self.host
        self.connection = 100
        self.sequence = 0
        self.slow = 1.0
        self.step_start = self.host

    def compute(self, step: int) -> list[int]:
        """Forward and backward of one step; returns when each layer's gradients are ready."""
        self.slow = SLOW_FACTOR if (self.out.rank, step) == (SLOW_RANK, SLOW_STEP) else 1.0
        self.step_start = self.host
        self.host += 20_000
        forward = [self._layer(layer, self.out.pid, "forward") for layer in range(LAYERS)]
        ready = []
        for layer in reversed(range(LAYERS)):
            start = len(self.out.ops)
            self._layer(layer, self.out.backward_tid, "backward")
            heads = [s for s in self.out.ops[start:] if s.kind == "op" and s.name != "aten::view"]
            self.out.forward_backward += list(zip(forward[layer], heads, strict=False))[:2]
            ready.append(self.device)
        return ready

    def _layer(self, layer: int, tid: int, phase: str) -> list[Span]:
        begin = self.host
        top = (f"train.py({88 if phase == 'forward' else 96}): train_step", f"model/layer.py(41): {phase}")
        heads: list[Span] = []
        for module, operators in MODULES:
            opened = self.host
            stack = (*top, f"model/{module}.py(27): {phase}")
            for operator in operators:
                heads.append(self._operator(operator, tid, stack))
            self.out.frames.append(Span(f"model/{module}.py(27): {phase}", opened - 900, self.host + 400, tid))
        self.out.frames.append(Span(f"nn.Module: TransformerLayer_{layer}", begin - 2_000, self.host + 900, tid))
        self.host += 4_000
        return heads

    def _operator(self, name: str, tid: int, stack: tuple[str, ...]) -> Span:
        start = self.host
        self.sequence += 1
        op = Span(name, start, start, tid, "op", stack=stack, shapes=SHAPES.get(name, ""), sequence=self.sequence)
        self.out.ops.append(op)
        self.host += self.rnd.randint(2_000, 3_500)
        if name in KERNELS:
            self._launch(name, tid, op)
        self.host += self.rnd.randint(1_500, 4_000)
        op.end = self.host
        self.host += self.rnd.randint(500, 1_200)
        return op

    def _launch(self, name: str, tid: int, op: Span) -> None:
        kernel, kind, core, typical = KERNELS[name]
        self.connection += 1
        enqueue = Span("Enqueue", self.host, self.host + 900, tid, "enqueue", self.connection)
        self.host += 1_000
        self.queue = max(self.queue + 600, enqueue.end + self.rnd.randint(3_000, 9_000))
        api = kernel.split("_")[0]
        call = Span(f"AscendCL@{api}", self.queue + 700, self.queue + 8_200, self.out.queue_tid, "acl", self.connection)
        node = Span("Node@launch", call.start + 2_500, call.end - 900, self.out.queue_tid, "node", self.connection)
        dequeue = Span(f"Dequeue@{api}", self.queue, call.end + 500, self.out.queue_tid, "dequeue", self.connection)
        self.queue = dequeue.end
        self.out.ops += [enqueue, dequeue]
        self.out.api += [call, node]
        op.connection = self.connection
        duration = int(typical * self.slow * self.rnd.uniform(0.93, 1.07))
        begin = max(self.device + self.rnd.randint(300, 1_500), node.end + 2_000)
        task = Span(kernel, begin, begin + duration, 2, core, self.connection, shapes=SHAPES.get(name, ""))
        task.extra["type"] = kind
        self.out.tasks.append(task)
        self.device = task.end

    def all_reduce(self, step: int, layer: int, own: int, everyone: int) -> None:
        """A collective: it starts when this rank is ready and ends after the last rank came."""
        self.connection += 1
        start = max(own, self.comm_end) + 1_200
        meet = max(everyone, self.comm_end) + 1_200
        transfer = 92_000 + self.rnd.randint(0, 6_000)
        end = max(start, meet) + transfer
        name = f"hcom_allReduce__{700 + layer}_{step - STEPS[0]}_1"
        self.out.comm.append(Span(name, start, end, connection=self.connection))
        call = Span(
            "Hccl@hcom_allReduce_",
            self.queue + 300,
            self.queue + 9_000,
            self.out.queue_tid,
            "communication",
            self.connection,
        )
        self.queue = call.end
        self.out.api.append(call)
        op = Span(
            "c10d::allreduce_", call.start - 9_000, call.start - 500, self.out.backward_tid, "op", self.connection
        )
        self.out.ops.append(op)
        for plane in range(2):
            wait = Span("Notify_Wait", start + 300, max(start, meet) + 700, 5, "Notify Wait", self.connection)
            copy = Span("Memcpy", wait.end + 200, wait.end + transfer // 2, 5, "SDMA", self.connection)
            reduce = Span("Reduce_Inline", copy.end + 200, end - 300, 5, "SDMA", self.connection)
            for task in (wait, copy, reduce):
                task.extra |= {"plane": plane, "op": name}
                self.out.comm_tasks.append(task)
        self.comm_end = end

    def finish_step(self, step: int) -> None:
        """The optimizer waits for the last collective; the step ends on the host."""
        self.device = max(self.device, self.comm_end)
        self.host = max(self.host, self.comm_end - 40_000)
        self._operator("aten::add", self.out.pid, ("train.py(103): train_step", "optimizer.py(55): step"))
        self.host = max(self.host, self.device) + 8_000
        self.out.ops.append(Span(f"ProfilerStep#{step}", self.step_start, self.host, self.out.pid, "op"))
        self.out.frames.append(Span("train.py(80): train_step", self.step_start + 500, self.host - 500, self.out.pid))
        self.out.steps.append((step, self.step_start, self.host))
        self.host += 30_000

    def add_counters(self) -> None:
        """Clock, memory and bandwidth over the whole run."""
        out, rnd = self.out, self.rnd
        start, end = out.steps[0][1], out.steps[-1][2]
        memory = 18_000_000
        for i, at in enumerate(range(start, end, 20_000)):
            busy = any(t.start <= at < t.end for t in out.tasks)
            out.counters.append(
                (
                    "HBM",
                    "HBM 0/Read",
                    "Read(MB/s)",
                    at,
                    round(rnd.uniform(700, 1_100) if busy else rnd.uniform(5, 40), 3),
                )
            )
            out.counters.append(
                (
                    "HBM",
                    "HBM 0/Write",
                    "Write(MB/s)",
                    at,
                    round(rnd.uniform(250, 480) if busy else rnd.uniform(1, 9), 3),
                )
            )
            if i % 5 == 0:
                memory += rnd.randint(-40_000, 90_000)
                out.counters.append(("NPU MEM", "APP/HBM", "KB", at, float(memory)))
                out.counters.append(("CPU Usage", "CPU 0", "Usage(%)", at, round(rnd.uniform(35, 99), 2)))
        slow = next(s for s in out.steps if s[0] == SLOW_STEP)
        for at, frequency in ((start, 1800.0), (slow[1], 1800.0 / self._slowdown()), (slow[2], 1800.0)):
            out.counters.append(("AI Core Freq", "AI Core Freq", "MHz", at, round(frequency)))

    def _slowdown(self) -> float:
        return SLOW_FACTOR if self.out.rank == SLOW_RANK else 1.0


def union(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merged intervals, in order."""
    merged: list[list[int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return [(a, b) for a, b in merged]


def minus(spans: list[tuple[int, int]], holes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What is left of merged intervals outside merged holes."""
    left = []
    for start, end in spans:
        for low, high in holes:
            if high <= start or low >= end:
                continue
            if low > start:
                left.append((start, low))
            start = max(start, high)
        if start < end:
            left.append((start, end))
    return left


def overlap(rank: Rank) -> dict[str, list[tuple[int, int]]]:
    """Computing, Communication, what of it is not overlapped, and Free: the gaps between first and last of both."""
    computing = union([(t.start, t.end) for t in rank.tasks])
    communication = union([(c.start, c.end) for c in rank.comm])
    both = union(computing + communication)
    free = [(a[1], b[0]) for a, b in itertools.pairwise(both)]
    return {
        "Computing": computing,
        "Communication": communication,
        "Communication(Not Overlapped)": minus(communication, computing),
        "Free": free,
    }
