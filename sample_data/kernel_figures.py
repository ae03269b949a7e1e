"""The pages of a simulated kernel's profile: sums over what ran, in the JSON of the collector."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from sample_data.simulate_kernel import MHZ, Kernel, Part

GB = 1 << 30
TITLES = {"cube": "Cube0", "vector": "Vector"}
# bytes of one request of a transfer
REQUEST_BYTES = {0: 128, 1: 128, 2: 256, 3: 128, 4: 256, 5: 256, 6: 512, 7: 512, 8: 1024, 10: 128, 12: 128, 13: 128, 14: 256, 15: 256, 16: 128, 17: 128, 18: 256, 19: 256}  # fmt: skip
PEAK_GBPS = {2: 110.0, 10: 95.0, 12: 72.0, 13: 72.0, 16: 72.0, 17: 72.0}
COLOURS = {
    "SCALAR": "startup", "VECTOR": "cq_build_failed", "CUBE": "background_memory_dump", "MTE1": "thread_state_running",
    "MTE2": "thread_state_iowait", "MTE3": "rail_response", "FIXP": "thread_state_unknown",
}  # fmt: skip


def _parts(kernel: Kernel, block: int) -> list[Part]:
    return [part for part in kernel.parts if part.core == block]


def _label(kernel: Kernel, part: Part) -> str:
    return f"{part.kind}{part.number}" if kernel.op_type == "mix" else part.kind


def _busy(kernel: Kernel, part: Part, pipe: str) -> int:
    runs = [r for r in part.runs if kernel.program[r.address].pipe == pipe and not r.flag]
    return sum(r.end - r.begin for r in runs)


def _waits(kernel: Kernel, part: Part, pipe: str) -> int:
    runs = [r for r in part.runs if kernel.program[r.address].pipe == pipe and kernel.program[r.address].waits]
    return sum(r.end - r.begin for r in runs)


def _count(kernel: Kernel, part: Part, pipe: str) -> int:
    return sum(kernel.program[r.address].pipe == pipe for r in part.runs)


def _moved(kernel: Kernel, part: Part, pipes: Iterable[str], word: str = "") -> int:
    chosen = [kernel.program[r.address] for r in part.runs]
    return sum(i.bytes for i in chosen if i.pipe in pipes and word in i.text)


def _text(value: float) -> str:
    return f"{value:.6f}"


def base_info(kernel: Kernel) -> dict[str, Any]:
    """Type 5."""
    if kernel.op_type == "mix":
        heads = ["Block ID", "Cube0 Duration (μs)", "Vector0 Duration (μs)", "Vector1 Duration (μs)"]
        rows = [[str(b), *(_text(p.cycles / MHZ) for p in _parts(kernel, b))] for b in range(kernel.blocks)]
    else:
        heads = ["Block ID", "Core Type", "Duration (μs)"]
        rows = [[str(p.core), p.kind, _text(p.cycles / MHZ)] for p in kernel.parts]
    detail = {"head_name": heads, "row": [{"value": row} for row in rows], "size": [len(rows) + 1, len(heads)]}
    return {
        "name": kernel.name,
        "soc": "Ascend910B4",
        "op_type": kernel.op_type,
        "block_dim": str(kernel.blocks),
        "mix_block_dim": str(2 * kernel.blocks if kernel.op_type == "mix" else 0),
        "duration": kernel.duration_us,
        "device_id": "0",
        "pid": "4242",
        "cur_freq": "1650",
        "rated_freq": "1650",
        "advice": [],
        "mix_block_detail" if kernel.op_type == "mix" else "block_detail": detail,
    }


def _units(part: Part) -> list[tuple[str, str]]:
    if part.kind == "cube":
        return [("Cube All Active", "CUBE"), ("Cube FP", "CUBE"), ("Cube INT", ""), ("Cube Wait", "wait")]
    return [("Vector All Active", "VECTOR")]


def load_graph(kernel: Kernel) -> dict[str, Any]:
    """Type 6."""
    rows = []
    for part in kernel.parts:
        for name, pipe in _units(part):
            cycles = _waits(kernel, part, "CUBE") if pipe == "wait" else _busy(kernel, part, pipe)
            suffix = str(part.number) if kernel.op_type == "mix" and part.kind == "vector" else ""
            rows.append(
                {
                    "block_id": str(part.core),
                    "block_type": _label(kernel, part),
                    "name": name + suffix,
                    "unit": 3,
                    "value": round(100 * cycles / part.cycles, 2),
                    "origin_value": float(cycles),
                }
            )
    return {"advice": [], "subblock_detail": rows}


def load_table(kernel: Kernel) -> dict[str, Any]:
    """Type 7."""
    rows = []
    for part in kernel.parts:
        pipe = "CUBE" if part.kind == "cube" else "VECTOR"
        count, wait = _count(kernel, part, pipe), _waits(kernel, part, pipe) / MHZ
        size = _moved(kernel, part, ("MTE1",)) if part.kind == "cube" else _moved(kernel, part, ("VECTOR",))
        if part.kind == "cube":
            entries: list[tuple[str, int, float]] = [
                ("Cube All Active", 1, count),
                ("Cube FP", 1, count),
                ("Cube INT", 1, 0),
            ]
            entries.append(("Cube Compute Data Size", 2, size))
        else:
            half = kernel.op_type == "vector"
            entries = [
                ("Vector All Active", 1, count), ("Vector FP32", 1, 0 if half else count), ("Vector FP16", 1, count if half else 0),
                ("Vector Bank Conflict Block", 1, count // 16), ("Vector Compute Data Size", 2, size),
            ]  # fmt: skip
        entries.append((f"{part.kind.capitalize()} Wait", 0, round(wait, 2)))
        head = {"block_id": str(part.core), "block_type": _label(kernel, part)}
        rows += [{**head, "name": name, "unit": unit, "value": str(value)} for name, unit, value in entries]
    return {"advice": [], "subblock_detail": rows}


def _transfers(kernel: Kernel, block: int) -> dict[int, int]:
    """Bytes by number of the transfer."""
    found: dict[int, int] = {}
    for part in _parts(kernel, block):
        one = 4 * part.number if part.kind == "vector" else 0
        if part.kind == "cube":
            loaded, stored = _moved(kernel, part, ("MTE2",)), _moved(kernel, part, ("FIXP",))
            a, b = _moved(kernel, part, ("MTE1",), "L0A"), _moved(kernel, part, ("MTE1",), "L0B")
            found |= {2: loaded, 3: 0, 4: a, 5: b, 6: a, 7: b, 8: 2 * stored, 9: 0, 10: stored, 11: stored}
        else:
            loaded, stored = _moved(kernel, part, ("MTE2",)), _moved(kernel, part, ("MTE3",))
            used = _moved(kernel, part, ("VECTOR",))
            found |= {12 + one: loaded, 13 + one: stored, 14 + one: 2 * used // 3, 15 + one: used // 3}
    read = sum(found.get(p, 0) for p in (2, 12, 16))
    found[0], found[1] = read // 3, sum(found.get(p, 0) for p in (10, 13, 17)) // 2
    return dict(sorted(found.items()))


def _cache(kernel: Kernel, block: int) -> tuple[int, int]:
    moved = _transfers(kernel, block)
    total = sum(moved.get(p, 0) for p in (2, 10, 12, 13, 16, 17)) // 128
    miss = (moved[0] + moved[1]) // 128 // 2
    return total - miss, miss


def memory_graph(kernel: Kernel) -> dict[str, Any]:
    """Type 8."""
    entries = []
    seconds = kernel.duration_us / 1e6
    for block in range(kernel.blocks):
        hit, miss = _cache(kernel, block)
        units = []
        for path, size in _transfers(kernel, block).items():
            rate = size / GB / seconds
            peak = f"{100 * rate / PEAK_GBPS[path]:.6f}" if path in PEAK_GBPS else "NA"
            count = size // REQUEST_BYTES.get(path, 128)
            units.append({"memory_path": path, "request": str(count), "bandwidth": _text(rate), "peak_ratio": peak, "display": 1})  # fmt: skip
        entry: dict[str, Any] = {
            "core_no": str(block), "op_type": kernel.op_type, "soc": "910B", "memory_unit": units,
            "L2cache": {"hit": str(hit), "miss": str(miss), "total_request": str(hit + miss), "hit_ratio": _text(100 * hit / (hit + miss))},
            "advice": [],
        }  # fmt: skip
        for part in _parts(kernel, block):
            name = "Cube" if part.kind == "cube" else "Vector1" if part.number else "Vector"
            busy = _busy(kernel, part, "CUBE" if part.kind == "cube" else "VECTOR")
            entry[name] = {"cycle": busy, "total_cycles": part.cycles, "ratio": 100 * busy / part.cycles}
            if busy < 0.2 * part.cycles:
                entry["advice"].append(
                    f"{'aicore' if part.kind == 'cube' else 'aivector'} compute usage lower than 20%"
                )
        entries.append(entry)
    return {"core_memory_map": entries}


def memory_table(kernel: Kernel) -> dict[str, Any]:
    """Type 9."""
    blocks = []
    seconds = kernel.duration_us / 1e6
    for block in range(kernel.blocks):
        hit, miss = _cache(kernel, block)
        moved = _transfers(kernel, block)

        def rate(path: int, moved: dict[int, int] = moved) -> list[str]:
            return [str(moved[path] // REQUEST_BYTES.get(path, 128)), _text(moved[path] / GB / seconds)]

        tables: list[tuple[str, list[str], list[tuple[str, list[str]]]]] = [
            ("Cache", ["hit", "miss", "total", "hit rate(%)"],
             [("L2 Cache Total", [str(hit), str(miss), str(hit + miss), _text(100 * hit / (hit + miss))])]),
            ("GM", ["requests", "throughput(GB/s)"], [("Read Main Memory", rate(0)), ("Write Main Memory", rate(1))]),
        ]  # fmt: skip
        advice = []
        for part in _parts(kernel, block):
            suffix = (
                {"cube": " Cube", "vector": f" Vector Core{part.number}"}[part.kind] if kernel.op_type == "mix" else ""
            )
            pipes = ("MTE1", "MTE2", "FIXP", "CUBE") if part.kind == "cube" else ("MTE2", "MTE3", "VECTOR")
            rows = []
            for pipe in pipes:
                busy = _busy(kernel, part, pipe)
                values = [_count(kernel, part, pipe), busy, _waits(kernel, part, pipe)]
                rows.append((pipe, [*map(str, values), _text(100 * busy / part.cycles)]))
                if pipe == "MTE2" and busy > 0.5 * part.cycles:
                    unit = "aicore" if part.kind == "cube" else "aivector"
                    advice.append(f"{unit} MTE2 bandwidth utilization lower than 80% when active")
            tables.append((f"Pipe{suffix}", ["instructions", "cycle", "wait cycles", "active rate(%)"], rows))
            if part.kind == "vector":
                first = 12 + 4 * part.number
                name = f"UB Core{part.number}" if kernel.op_type == "mix" else "UB"
                peaks = [_text(100 * moved[p] / GB / seconds / PEAK_GBPS[p]) for p in (first, first + 1)]
                tables.append((name, ["requests", "throughput(GB/s)", "peak(%)"],
                               [("UB Read from L2", [*rate(first), peaks[0]]), ("UB Write to L2", [*rate(first + 1), peaks[1]])]))  # fmt: skip
            else:
                tables.append(
                    ("L0A", ["requests", "throughput(GB/s)"], [("L0A Read L1", rate(4)), ("L0A Write Cube", rate(6))])
                )
                tables.append(
                    ("L0B", ["requests", "throughput(GB/s)"], [("L0B Read L1", rate(5)), ("L0B Write Cube", rate(7))])
                )
        detail = [
            {"table_name": name, "header_name": ["", *heads], "size": [len(rows), len(heads)],
             "row": [{"name": row, "value": values} for row, values in rows]}
            for name, heads, rows in tables
        ]  # fmt: skip
        blocks.append(
            {"block_id": str(block), "table_op_type": kernel.op_type, "advice": advice, "table_detail": detail}
        )
    return {"table_per_block": blocks}


def core_load(kernel: Kernel) -> dict[str, Any]:
    """Type 12, with the collector's rule for its advice."""
    detail = []
    lines = []
    for core in range(kernel.blocks):
        hit, miss = _cache(kernel, core)
        parts = []
        for part in _parts(kernel, core):
            moved = _moved(kernel, part, ("MTE2", "MTE3", "FIXP"))
            rate = 100 * hit / (hit + miss) - part.number
            parts.append(
                {"subcore_id": str(part.number), "subcore_type": part.kind, "cycles": str(part.cycles),
                 "throughput": str(moved), "L2cache_hit_rate": _text(rate)}
            )  # fmt: skip
        detail.append({"core_id": core, "core_detail": parts})
    for kind in ("cube", "vector"):
        cycles = [part.cycles for part in kernel.parts if part.kind == kind]
        if not cycles:
            continue
        mean = sum(cycles) / len(cycles)
        spread = math.sqrt(sum((c - mean) ** 2 for c in cycles) / len(cycles))
        slow = [
            p
            for p in kernel.parts
            if p.kind == kind and spread and 1 / (1 + math.exp((mean - p.cycles) / spread)) >= 0.85
        ]
        lines += [f"{kind}{p.number} of core[{p.core}] take more time than other {kind} cores." for p in slow]
    advice = "".join(f"\t{i}) {line}\n" for i, line in enumerate(lines, 1))
    return {"soc": "Ascend910B4", "op_type": kernel.op_type, "advice": advice, "op_detail": detail}


def roofline(kernel: Kernel) -> dict[str, Any]:
    """Type 13."""
    seconds = kernel.duration_us / 1e6
    moved = {p: sum(_transfers(kernel, b).get(p, 0) for b in range(kernel.blocks)) for p in range(20)}
    if kernel.op_type == "mix":
        runs = sum(kernel.program[r.address].text.startswith("MMAD") for part in kernel.parts for r in part.runs)
        peak, unit, operations = 60.0, "Cube_FP(100%)", runs * 2 * 128 * 128 * 128
    else:
        peak, unit, operations = 4.224, "Vec_FP16_128(100.000000%)", moved[15] // 2
    reached = operations / seconds / 1e12

    def entry(name: str, bandwidth: float, size: int) -> dict[str, Any]:
        x = operations / size
        ratio = f"{reached / min(x * bandwidth, peak):.6f}" if reached <= min(x * bandwidth, peak) else "NA"
        return {"bw_name": name, "bw": bandwidth, "computility_name": unit, "computility": peak,
                "point": [round(x, 6), round(reached, 6)], "ratio": ratio}  # fmt: skip

    to_l2 = sum(moved[p] for p in (2, 10, 12, 13, 16, 17))
    charts = [("GM/L2", [entry("GM Read + Write", 0.8, moved[0] + moved[1]), entry("L2 Read + Write", 4.0, to_l2)])]
    if kernel.op_type == "mix":
        charts.append(
            ("Memory Unit(Cube)", [entry("Write to L0A", 5.2, moved[4]), entry("Write to L0B", 2.6, moved[5])])
        )
        charts.append(("Pipeline(Cube)", [entry("MTE1", 5.2, moved[4] + moved[5]), entry("MTE2", 2.1, moved[2])]))
    else:
        charts.append(
            ("Memory Transfer(Vector)", [entry("GM to UB", 1.5, moved[12]), entry("UB to GM", 1.5, moved[13])])
        )
        charts.append(("Pipeline(Vector)", [entry("MTE2", 1.5, moved[12]), entry("MTE3", 1.5, moved[13])]))
    return {
        "advice": "latency bound:memory caused",
        "multiple_rooflines": [{"title": t, "rooflines": r} for t, r in charts],
    }


def stalls(kernel: Kernel) -> dict[str, Any]:
    """Type 15."""
    waits = sum(bool(kernel.program[r.address].waits) for part in kernel.parts for r in part.runs)
    names = ("IBuf_Empty", "Nop_Cycles", "Scoreboard_Not_Ready", "Register_bank_conflict", "Resource_conflict", "Warp_Level_Sync", "Divergence_Stack_Spill", "Others")  # fmt: skip
    counts = (waits // 4, 0, waits, waits // 12, waits // 9, waits // 3, 0, waits // 20)
    return {"top_stall_reason_table": dict(zip(names, counts, strict=True))}


def _sums(kernel: Kernel) -> dict[int, tuple[list[int], list[int]]]:
    """Cycles and executions of each address per part."""
    places = {part.name: i for i, part in enumerate(kernel.parts)}
    found = {a: ([0] * len(places), [0] * len(places)) for a in kernel.program}
    for part in kernel.parts:
        i = places[part.name]
        for run in part.runs:
            found[run.address][0][i] += run.end - run.begin
            found[run.address][1][i] += 1
    return found


def lines(kernel: Kernel) -> dict[str, Any]:
    """Type 3."""
    sums = _sums(kernel)
    files = []
    for path in kernel.sources:
        by_line: dict[int, list[int]] = {}
        for address, found in kernel.program.items():
            if found.path == path:
                by_line.setdefault(kernel.line(address), []).append(address)
        rows = []
        for line, addresses in sorted(by_line.items()):
            cycles = [sum(column) for column in zip(*(sums[a][0] for a in addresses), strict=True)]
            counts = [sum(column) for column in zip(*(sums[a][1] for a in addresses), strict=True)]
            moved = sum(kernel.program[a].bytes * max(sums[a][1]) for a in addresses)
            spans = [[f"0x{a:x}", f"0x{a:x}"] for a in addresses]
            rows.append({"Line": line, "Address Range": spans, "Cycles": cycles, "Instructions Executed": counts, "Process Bytes": [moved or -1]})  # fmt: skip
        files.append({"Source": path, "Lines": rows})
    codes = {"Address Range": 0, "Cycles": 1, "Instructions Executed": 1, "Line": 1, "Process Bytes": 1}
    return {"Cores": [part.name for part in kernel.parts], "Files Dtype": {"Lines": codes}, "Files": files}


def instructions(kernel: Kernel) -> dict[str, Any]:
    """Type 4."""
    sums = _sums(kernel)
    rows = []
    for address, found in kernel.program.items():
        cycles, counts = sums[address]
        used = [100.0 * c / max(counts) if found.pipe == "VECTOR" and found.bytes else -1.0 for c in counts]
        rows.append(
            {
                "Address": f"0x{address:x}",
                "AscendC Inner Code": f"{found.path}:{kernel.line(address)}",
                "Cycles": cycles,
                "Instructions Executed": counts,
                "Pipe": found.pipe,
                "Process Bytes": [found.bytes * c or -1 for c in counts],
                "Source": found.text,
                "UB Read Conflict": [c // 4 if found.pipe == "VECTOR" and found.bytes else 0 for c in counts],
                "Vector Utilization Percentage": used,
            }
        )
    codes = {"Address": 3, "AscendC Inner Code": 3, "Cycles": 1, "Instructions Executed": 1, "Pipe": 3, "Process Bytes": 1, "Source": 3, "UB Read Conflict": 1, "Vector Utilization Percentage": 4}  # fmt: skip
    return {
        "Cores": [part.name for part in kernel.parts],
        "Instructions Dtype": {"Instructions": codes},
        "Instructions": rows,
    }


def _us(cycles: int) -> float:
    return round(cycles / MHZ, 6)


def trace(kernel: Kernel) -> dict[str, Any]:
    """Type 2: two cores, with flags and their links."""
    events: list[dict[str, Any]] = []
    for part in (p for p in kernel.parts if p.core < 2):
        order = part.core * 3 + (1 if part.kind == "cube" else 2 + part.number)
        events.append({"ph": "M", "name": "process_name", "pid": part.name, "args": {"name": part.name}})
        events.append({"ph": "M", "name": "process_sort_index", "pid": part.name, "args": {"sort_index": order}})
        ends = {run.flag: run.end for run in part.runs if run.flag and kernel.program[run.address].sets}
        for run in part.runs:
            found = kernel.program[run.address]
            args = {
                "code": f"{found.path}:{kernel.line(run.address)}",
                "detail": found.text,
                "pc_addr": f"0x{run.address:x}",
            }
            home = {"pid": part.name, "tid": found.pipe}
            name = found.text.split(" ", 1)[0]
            flag = found.sets or found.waits
            if flag is None:
                if found.bytes:
                    args["process_bytes"] = str(found.bytes)
                events.append({"ph": "X", "name": name, "cname": COLOURS[found.pipe], "ts": _us(run.begin), "dur": round(_us(run.end) - _us(run.begin), 6), "args": args, **home})  # fmt: skip
                continue
            mark = {"name": name, "id": run.flag, **home}
            events.append(
                {"ph": "B", "ts": _us(run.begin), "cname": "black" if found.sets else "yellow", "args": args, **mark}
            )
            events.append({"ph": "E", "ts": _us(run.end), **mark})
            pair = (found.pipe, flag[1]) if found.sets else (flag[1], found.pipe)
            if run.flag in ends:
                events.append({"ph": "s" if found.sets else "t", "name": "flow", "cat": f"{pair[0]}To{pair[1]}", "id": run.flag, "ts": _us(run.end), **home})  # fmt: skip
    window = max(part.cycles for part in kernel.parts) // 40
    for step in range(1, 41):
        moved = sum(
            kernel.program[r.address].bytes for p in kernel.parts for r in p.runs
            if kernel.program[r.address].pipe == "MTE2" and (step - 1) * window <= r.begin < step * window
        )  # fmt: skip
        rate = round(moved / (window / MHZ), 3)
        events.append({"ph": "C", "name": "GM_TO_TOTAL", "pid": "MTE Throughput", "ts": _us(step * window), "args": {"throughput(MB/s)": rate}})  # fmt: skip
    return {"displayTimeUnit": "ns", "profilingType": "op", "schemaVersion": 1, "traceEvents": events}


def cache_lines(kernel: Kernel) -> dict[str, Any]:
    """Type 14: a streaming pattern with a hot region that the tiles share."""
    loads = [f"0x{a:x}" for a in kernel.of("MTE2") if kernel.program[a].bytes]
    records = []
    for line in range(1024):
        hot = 384 <= line < 512
        hits = 40 + line % 7 if hot else (line * 5) % 12
        misses = line % 3 if hot else 8 + line % 5
        total = hits + misses
        spans = [[address, address] for address in loads]
        records.append(
            {"Cacheline Id": line, "Hit": {"Value": [hits, round(hits / total, 4)], "Address Range": spans if hits else []},
             "Miss": {"Value": [misses, round(misses / total, 4)], "Address Range": spans if misses else []}}
        )  # fmt: skip
    return {"Cacheline Records": records}
