"""Writes the folders of a job with any number of ranks: tp 8, pp 8 and the rest dp, with communication of all four kinds of groups."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

START_US = 1_767_254_400_000_000.25
TP, PP = 8, 8
_HEAD = (
    "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble,"
    "Communication(Not Overlapped and Exclude Receive),Preparing\n"
)
_KINDS = ("allReduce", "allGather", "reduceScatter")
_TRANSPORTS = ("HCCS", "PCIE", "RDMA", "SDMA", "SIO")


def write(folder: Path, ranks: int = 1024, *, steps: int = 1, operators: int = 50) -> Path:
    """Make the folders of all ranks; those that are there stay.

    Args:
        folder: where the `rank_<n>_ascend_pt` folders go.
        ranks: a multiple of 64.
        steps: training steps.
        operators: operators of one group of a rank in one step.

    Returns:
        The folder.
    """
    dp = ranks // (TP * PP)
    sizes = {
        "tensor_model_parallel_size": TP, "pipeline_model_parallel_size": PP, "data_parallel_size": dp,
        "context_parallel_size": 1, "expert_model_parallel_size": 1, "sequence_parallel": True, "world_size": ranks,
    }  # fmt: skip
    for rank in range(ranks):
        card = folder / f"rank_{rank}_ascend_pt"
        if (card / "profiler_metadata.json").exists():
            continue
        output = card / "ASCEND_PROFILER_OUTPUT"
        output.mkdir(parents=True, exist_ok=True)
        groups = _groups(rank, ranks, dp)
        (card / f"profiler_info_{rank}.json").write_text("{}")
        draw = random.Random(rank)
        (output / "step_trace_time.csv").write_text(_HEAD + "".join(_step(rank, s, draw) for s in range(1, steps + 1)))
        whole = {f"step{s}": _operators(groups, operators, draw) for s in range(1, steps + 1)}
        (output / "communication.json").write_text(json.dumps(whole))
        links = {f"step{s}": _links(groups, rank, draw) for s in range(1, steps + 1)}
        (output / "communication_matrix.json").write_text(json.dumps(links))
        info = {
            key: {"group_name": name, "group_rank": members.index(rank), "global_ranks": members}
            for name, (key, members) in groups.items()
        }
        facts = {"distributed_args": {**sizes, "rank": rank}, "parallel_group_info": info}
        (card / "profiler_metadata.json").write_text(json.dumps(facts))
    return folder


def _groups(rank: int, ranks: int, dp: int) -> dict[str, tuple[str, list[int]]]:
    """Name → id and members of the groups of a rank; rank = tp + TP·dp + TP·dp·pp."""
    tp, block = rank % TP, TP * dp
    of_pp = [tp + TP * (rank % block // TP) + block * i for i in range(PP)]
    of_dp = [tp + TP * i + rank // block * block for i in range(dp)]
    of_tp = [rank - tp + i for i in range(TP)]
    found = {"default_group": list(range(ranks)), "tp": of_tp, "dp": of_dp, "pp": of_pp}
    return {name: (f"{name}_{members[0]}_{len(members)}", members) for name, members in found.items()}


def _hash(group_id: str) -> str:
    high = low = 0
    for char in group_id:
        high, low = (high * 29 + ord(char)) & 0xFFFFFFFF, (low * 131 + ord(char)) & 0xFFFFFFFF
    return str(high << 32 | low)


def _step(rank: int, step: int, draw: random.Random) -> str:
    computing, waiting, free = 400_000 + draw.random() * 20_000, draw.random() * 90_000, draw.random() * 30_000
    values = (computing, waiting, 5000.5, waiting + 5000.5, free, computing + waiting + free, 0, waiting, 210.25)
    return f"{rank % 8},{step}," + ",".join(map(str, values)) + "\n"


def _operators(groups: dict[str, tuple[str, list[int]]], count: int, draw: random.Random) -> dict[str, Any]:
    found: dict[str, dict[str, Any]] = {"p2p": {}, "collective": {}}
    for name, (group_id, _) in groups.items():
        kind = "p2p" if name == "pp" else "collective"
        for i in range(count if name != "default_group" else 4):
            operator = "hcom_send" if name == "pp" else f"hcom_{_KINDS[i % 3]}"
            found[kind][f"{operator}__{i % 997}_{i}_1@{_hash(group_id)}"] = _operator(i, draw)
    return found


def _operator(i: int, draw: random.Random) -> dict[str, Any]:
    transit, wait, size = draw.random() * 3, draw.random(), 8.388608 * (1 + i % 4)
    used = {"RDMA"} if i % 5 == 0 else {"HCCS", "SDMA"}
    return {
        "Communication Time Info": {
            "Start Timestamp(us)": START_US + i * 8000.5,
            "Elapse Time(ms)": transit + wait,
            "Transit Time(ms)": transit,
            "Wait Time(ms)": wait,
            "Synchronization Time(ms)": wait / 2,
            "Idle Time(ms)": 0.0,
            "Wait Time Ratio": round(wait / (wait + transit), 4),
            "Synchronization Time Ratio": 0.25,
        },
        "Communication Bandwidth Info": {
            t: {
                "Transit Size(MB)": size if t in used else 0,
                "Transit Time(ms)": transit if t in used else 0,
                "Bandwidth(GB/s)": round(size / transit, 4) if t in used else 0,
                "Large Packet Ratio": 0,
                "Size Distribution": {str(size): [1, transit]} if t in used and t != "SDMA" else {},
            }
            for t in _TRANSPORTS
        },
    }


def _links(groups: dict[str, tuple[str, list[int]]], rank: int, draw: random.Random) -> dict[str, Any]:
    found: dict[str, dict[str, Any]] = {"p2p": {}, "collective": {}}
    for name, (group_id, members) in groups.items():
        own = members.index(rank)
        ends = sorted({own, *((own + i) % len(members) for i in range(1, 16))})
        for kind in ("send",) if name == "pp" else ("allreduce", "allgather", "reduce"):
            for sort in ("top1", "middle", "bottom1", "bottom2", "bottom3", "total"):
                found["p2p" if name == "pp" else "collective"][f"{kind}-{sort}@{_hash(group_id)}"] = {
                    f"{own}-{end}": {
                        "Transport Type": "LOCAL" if end == own else "HCCS",
                        "Transit Size(MB)": 8.388608,
                        "Transit Time(ms)": (time := 0.4 + draw.random() / 100),
                        "Bandwidth(GB/s)": round(8.388608 / time, 4),
                        **({} if sort == "total" else {"Op Name": f"hcom_{kind}__1"}),
                    }
                    for end in ends
                }
    return found


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1024)
