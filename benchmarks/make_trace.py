"""Writes a trace_view.json of any size with the mix of a real one: slices, links, counters, stacks, nasty strings."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

START_NS = 1_767_254_400_000_000_000
HOST, CANN, DEVICE, COMM, OVERLAP, PMU, HBM = (
    52_000,
    53_248_224,
    53_248_448,
    53_248_512,
    53_248_992,
    53_248_640,
    53_248_768,
)
THREADS = (52_000, 52_044, 52_391)
STREAMS = (2, 4, 5, 6, 9, 11)
PLANES = tuple(range(1, 9))
OPERATORS = [
    f"aten::{n}"
    for n in [
        "add",
        "addmm",
        "bmm",
        "cat",
        "clone",
        "copy_",
        "div",
        "embedding",
        "empty",
        "expand",
        "gelu",
        "index_select",
        "layer_norm",
        "linear",
        "matmul",
        "mean",
        "mul",
        "native_dropout",
        "permute",
        "pow",
        "reshape",
        "rsqrt",
        "select",
        "silu",
        "slice",
        "softmax",
        "split",
        "stack",
        "sub",
        "sum",
        "t",
        "to",
        "transpose",
        "view",
        "where",
        "zeros",
    ]
]
KERNELS = [
    f"aclnn{a}_{b}_{i}"
    for a in (
        "Add",
        "Cast",
        "Matmul",
        "Mul",
        "RmsNorm",
        "Softmax",
        "SwiGlu",
        "FlashAttentionScore",
        "InplaceCopy",
        "ReduceSum",
    )
    for b in ("Add", "Cast", "MatMulV2", "Mul", "TensorMove", "SoftmaxV2")
    for i in range(20)
]
FILES = [
    f"/usr/lib/python3/site-packages/{p}({n}): {f}"
    for p in (
        "torch/nn/modules/module.py",
        "model/block.py",
        "model/attention.py",
        "train/loop.py",
        "torch/autograd/function.py",
    )
    for n in range(20, 420, 40)
    for f in ("forward", "_call_impl", "backward", "step")
]
NASTY = ['quote \\" brace }, {', "backslash \\\\", "[{]}", "\\u901a\\u4fe1 通信"]


def us(ns: int) -> str:
    """Microseconds with three decimals."""
    return f"{ns // 1000}.{ns % 1000:03d}"


def metadata() -> Iterator[str]:
    """Names of processes and threads."""
    processes = (
        (HOST, "Python", "CPU"),
        (CANN, "CANN", "CPU"),
        (DEVICE, "Ascend Hardware", "NPU"),
        (COMM, "Communication", "NPU"),
        (OVERLAP, "Overlap Analysis", "NPU"),
        (PMU, "Acc PMU", "NPU"),
        (HBM, "HBM", "NPU"),
    )
    for order, (pid, name, label) in enumerate(processes):
        for kind, key, value in (
            ("process_name", "name", name),
            ("process_labels", "labels", label),
            ("process_sort_index", "sort_index", order),
        ):
            yield json.dumps({"ph": "M", "name": kind, "pid": pid, "tid": 0, "args": {key: value}})
    threads = [(HOST, t, f"Thread {t}") for t in THREADS] + [(DEVICE, s, f"Stream {s}") for s in STREAMS]
    threads += [(COMM, 0, "Group group_name_0 Communication"), *((COMM, p, f"Plane {p - 1}") for p in PLANES)]
    for pid, tid, name in threads:
        yield json.dumps({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}})


class Generator:
    """Step after step of a training job; each list of `step` is one section, as collectors write them."""

    def __init__(self, seed: int) -> None:
        self.rnd = random.Random(seed)
        self.now = START_NS
        self.connection = 900
        self.number = 0
        rnd = self.rnd
        self.dims = [
            ";\\r\\n".join(
                ",".join(str(rnd.choice((1, 4, 32, 512, 4096, 8192))) for _ in range(rnd.randint(0, 4)))
                for _ in range(rnd.randint(2, 5))
            )
            for _ in range(2_000)
        ]
        self.stacks = [";\\r\\n".join(rnd.choice(FILES) for _ in range(rnd.randint(5, 20))) for _ in range(3_000)]

    def step(self) -> Iterator[str]:
        """Events of one step of 40 to 90 ms."""
        start, length = self.now, self.rnd.randint(40_000_000, 90_000_000)
        launches: list[int] = []
        for tid in THREADS[:2]:
            for i in range(24):
                yield from self._call(tid, start + length * i // 24, length // 25, 0, launches)
        yield from self._device(start, launches)
        yield from self._communication(start, length)
        yield from self._counters(start, length, len(launches) * 5)
        self.now = start + length + self.rnd.randint(100_000, 3_000_000)

    def _call(self, tid: int, at: int, duration: int, depth: int, launches: list[int]) -> Iterator[str]:
        rnd = self.rnd
        self.number += 1
        if rnd.random() < 0.72 and depth < 14:
            name = rnd.choice(FILES)
            yield f'{{"ph": "X", "name": "{name}", "pid": {HOST}, "tid": {tid}, "ts": "{us(at)}", "dur": {duration / 1000!r}, "cat": "python_function", "args": {{"Python id": {self.number}, "Python parent id": {max(0, self.number - 3)}}}}}'
            if duration < 2_000:
                return
            children = rnd.randint(1, 4)
            width = duration * 9 // 10 // children
            for i in range(children):
                inner = int(width * (0.5 + rnd.random() * 0.45))
                if inner > 200:
                    yield from self._call(tid, at + duration // 20 + i * width, inner, depth + 1, launches)
            return
        more = ""
        if rnd.random() < 0.55:
            more = f', "Input Dims": "{rnd.choice(self.dims)}"'
        if rnd.random() < 0.30:
            more += f', "Call stack": "{rnd.choice(self.stacks)}"'
        if rnd.random() < 0.001:
            more += f', "note": "{rnd.choice(NASTY)}"'
        yield f'{{"ph": "X", "name": "{rnd.choice(OPERATORS)}", "pid": {HOST}, "tid": {tid}, "ts": "{us(at)}", "dur": {duration / 1000!r}, "cat": "cpu_op", "args": {{"Sequence number": {self.number}, "Fwd thread id": 0{more}}}}}'
        if rnd.random() < 0.35:
            self.connection += 1
            launches.append(at)
            for ph, thread, when in (("s", tid, at), ("f", THREADS[2], at + 30_000)):
                yield f'{{"ph": "{ph}", "bp": "e", "name": "enqueue_to_dequeue", "id": {self.connection}, "pid": {HOST}, "tid": {thread}, "ts": "{us(when)}", "cat": "async_task_queue"}}'
            yield f'{{"ph": "X", "name": "Dequeue@launch", "pid": {HOST}, "tid": {THREADS[2]}, "ts": "{us(at + 30_000)}", "dur": 5.5, "cat": "dequeue", "args": {{"correlation_id": {self.connection}}}}}'

    def _device(self, start: int, launches: list[int]) -> Iterator[str]:
        rnd = self.rnd
        free = dict.fromkeys(STREAMS, start + 100_000)
        first = self.connection - len(launches)
        for i, at in enumerate(launches):
            number, call = first + i, at + 40_000
            duration = rnd.randint(2_000, 60_000)
            yield f'{{"name": "Node@launch", "pid": {CANN}, "tid": {THREADS[2]}, "ts": "{us(call)}", "dur": {duration / 1000!r}, "args": {{"Thread Id": {THREADS[2]}, "Mode": "launch", "level": "node", "id": "{rnd.choice(KERNELS)}", "item_id": "0", "connection_id": {number}}}, "ph": "X"}}'
            yield f'{{"name": "HostToDevice{number}", "ph": "s", "cat": "HostToDevice", "id": "{number}", "pid": {CANN}, "tid": {THREADS[2]}, "ts": "{us(call)}"}}'
            stream = 2 if rnd.random() < 0.7 else rnd.choice(STREAMS)
            begin = max(free[stream] + rnd.randint(20, 900), call + 20_000)
            run = int(rnd.expovariate(1 / 22_000)) + 500
            free[stream] = begin + run
            yield f'{{"name": "{rnd.choice(KERNELS)}", "pid": {DEVICE}, "tid": {stream}, "ts": "{us(begin)}", "dur": {run / 1000!r}, "args": {{"Model Id": 4294967295, "Task Type": "AI_CORE", "Physic Stream Id": {stream}, "Task Id": {number % 65536}, "Batch Id": 0, "Subtask Id": 4294967295, "connection_id": {number}}}, "ph": "X"}}'
            yield f'{{"name": "HostToDevice{number}", "ph": "f", "id": "{number}", "ts": "{us(begin)}", "cat": "HostToDevice", "pid": {DEVICE}, "tid": {stream}, "bp": "e"}}'
            if i % 2 == 0:
                kind = rnd.randint(0, 2)
                yield f'{{"name": "{("Computing", "Communication(Not Overlapped)", "Free")[kind]}", "pid": {OVERLAP}, "tid": {kind}, "ts": "{us(begin)}", "dur": {run / 1000!r}, "ph": "X"}}'

    def _communication(self, start: int, length: int) -> Iterator[str]:
        rnd = self.rnd
        at = start + 300_000
        while at < start + length:
            duration = rnd.randint(300_000, 2_000_000)
            yield f'{{"name": "hcom_allReduce__586_{self.number}_1", "pid": {COMM}, "tid": 0, "ts": "{us(at)}", "dur": {duration / 1000!r}, "args": {{"connection_id": {self.number}, "data_type": "FP32", "alg_type": "MESH-RING", "count": 4097000}}, "ph": "X"}}'
            for plane in PLANES:
                for part in range(5):
                    name = rnd.choice(("Notify_Wait", "Memcpy", "Reduce_Inline", "RDMASend"))
                    yield f'{{"name": "{name}", "pid": {COMM}, "tid": {plane}, "ts": "{us(at + part * (duration // 6 + 50))}", "dur": {duration // 6 / 1000!r}, "args": {{"notify_id": "{rnd.getrandbits(40)}", "stream id": {plane}, "task type": "{name}", "src rank": 0, "dst rank": {plane}, "transport type": "SDMA", "size(Byte)": 1048576, "link type": "HCCS", "bandwidth(GB/s)": {rnd.random() * 30!r}}}, "ph": "X"}}'
            at += duration + rnd.randint(10_000, 1_500_000)

    def _counters(self, start: int, length: int, count: int) -> Iterator[str]:
        rnd = self.rnd
        for i in range(count):
            at = start + length * i // max(1, count)
            if i % 3:
                yield f'{{"name": "{("read_bandwidth", "write_bandwidth")[i & 1]}", "ts": "{us(at)}", "pid": {PMU}, "tid": 0, "args": {{"value": {rnd.randint(0, 200)}, "acc_id": {i % 4}}}, "ph": "C"}}'
            else:
                yield f'{{"name": "HBM 0/Read", "ts": "{us(at)}", "pid": {HBM}, "tid": 0, "args": {{"Read(MB/s)": {rnd.random() * 1e5!r}}}, "ph": "C"}}'


def write(path: Path, megabytes: float, seed: int = 1) -> Path:
    """Write (once) a trace of about that size; returns the path."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    generator, written = Generator(seed), 1
    with part.open("w", encoding="utf-8", buffering=1 << 22) as file:
        file.write("[" + ", ".join(metadata()))
        while written < megabytes * 1e6:
            text = ", ".join(generator.step())
            file.write(", " + text)
            written += len(text) + 2
        file.write("]")
    part.rename(path)
    return path
