"""Memory of two cards side by side: the unit values of the examples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.support import memory_files
from tests.support.memory_files import FILES, STATIC_FILES, open_store

from insight_desktop.engine.system import memory, memory_compare, memory_operators, memory_static
from insight_desktop.errors import BadArgument, NoData

SPEC = "system-memory-operator-rl"
pytestmark = pytest.mark.row(SPEC, 28)


def example(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.example(SPEC, *names)


def allocations(*rows: dict[str, Any]) -> pa.Table:
    """Allocations with 0 where nothing is given."""
    kinds = [("row", pa.int64()), ("name", pa.string()), *((n, pa.float64()) for n in memory_operators.NUMBERS)]
    made = [{**dict.fromkeys(memory_operators.NUMBERS, 0.0), "row": i, **r} for i, r in enumerate(rows)]
    return pa.Table.from_pylist(made, pa.schema([*kinds, ("stream", pa.string())]))


def allocation(name: str, size: float, alloc: float, release: float, duration: float = 0.0) -> dict[str, Any]:
    return {"name": name, "size_kb": size, "alloc_ms": alloc, "release_ms": release, "duration_ms": duration}


def filtered(pairs: pa.Table, **filters: Any) -> pa.Table:
    rows = memory_compare.chosen(pairs, **filters)
    return pairs if rows is None else pairs.take(rows)


def static_filtered(pairs: pa.Table, **filters: Any) -> pa.Table:
    rows = memory_compare.static_chosen(pairs, **filters)
    return pairs if rows is None else pairs.take(rows)


@example("M22")
def test_differences_are_comparison_minus_baseline() -> None:
    ours = allocations(allocation("aten::empty_strided", 100, 19.235, 21.478, 2))
    base = allocations(allocation("aten::empty_strided", 173, 33.980, 49.211, 16))
    found = memory_compare.operators(ours, base).to_pylist()
    assert [found[0][c] for c in ("size_kb", "alloc_ms", "release_ms", "duration_ms")] == [-73, -14.745, -27.733, -14]


@example("M23")
def test_a_side_that_is_not_there_counts_as_zero() -> None:
    base = allocations(allocation("a", 100, 0.0, 0.0))
    found = memory_compare.operators(allocations(), base).to_pylist()
    assert [found[0][c] for c in ("size_kb", "alloc_ms", "release_ms")] == [-100, 0.0, 0.0]
    assert (found[0]["alloc_ms_comparison"], found[0]["in_comparison"]) == (None, False)
    assert found[0]["stream"] == ""


def three_pairs(base_ge: tuple[float, float] = (186.235, 215.478)) -> pa.Table:
    ours = allocations(
        allocation("ge", 0, 190.235, 211.478),
        allocation("matmul", 100, 25.230, 120.233),
        allocation("matmulv3", 36.4, 133.100, 145.257),
    )
    base = allocations(
        allocation("ge", 100, *base_ge),
        allocation("matmul", 0, 17.650, 95.23),
        allocation("matmulv3", 0, 13.100, 148.257),
    )
    return memory_compare.operators(ours, base)


@example("M24")
def test_name_and_size_of_the_difference_filter() -> None:
    found = filtered(three_pairs(), name="matmul", min_size=-75, max_size=99)
    assert found["name"].to_pylist() == ["matmulv3"]
    assert found["size_kb"].to_pylist() == [36.4]
    assert filtered(three_pairs(), name="MatMul")["name"].to_pylist() == ["matmul", "matmulv3"]


@example("M25")
def test_both_sides_have_to_be_alive_in_the_interval() -> None:
    found = filtered(three_pairs(), interval_ms=(140.012, 216.054))
    assert found["name"].to_pylist() == ["ge", "matmulv3"]


@example("M26")
def test_both_sides_have_to_begin_or_end_in_the_interval() -> None:
    pairs = three_pairs(base_ge=(136.235, 216.478))
    found = filtered(pairs, interval_ms=(140.012, 216.054), only_inside=True)
    assert found["name"].to_pylist() == ["matmulv3"]


def test_a_missing_side_is_alive_throughout_but_never_begins() -> None:
    pairs = memory_compare.operators(allocations(allocation("a", 1, 5.0, 6.0)), allocations())
    assert filtered(pairs, interval_ms=(1.0, 7.0)).num_rows == 1
    assert filtered(pairs, interval_ms=(1.0, 7.0), only_inside=True).num_rows == 0
    assert filtered(pairs, interval_ms=(0.0, 7.0), only_inside=True).num_rows == 1
    with pytest.raises(BadArgument, match="minimum value cannot exceed"):
        filtered(pairs, interval_ms=(7.0, 1.0))


@example("M27")
def test_components_compare_peak_and_time() -> None:
    def peak(t_ms: float, peak_mb: float) -> pa.Table:
        return pa.table({"component": ["SLOG"], "peak_mb": [peak_mb], "t_ms": [t_ms]})

    found = memory_compare.components(peak(196.327, 259.36), peak(25.397, 1285.27)).to_pylist()[0]
    assert (found["t_ms"], found["peak_mb"]) == (170.930, -1025.91)


@example("M28")
def test_bounds_of_differences() -> None:
    low, high = memory_compare.bounds((120.14, 259.99), (12.30, 558.97))
    assert (round(low, 6), round(high, 6)) == (-438.83, 247.69)
    assert memory_compare.bounds(None, (1.0, 5.0)) == (-5.0, -1.0)


def static_rows(*rows: tuple[str, int, int, float]) -> pa.Table:
    columns = list(zip(*rows, strict=True))
    named = dict(zip(("name", "start_node", "end_node", "size_mb"), columns, strict=True))
    return pa.table({**{k: list(v) for k, v in named.items()}, "device": ["host"] * len(rows)})


@example("M29")
def test_static_operators_compare_nodes_and_sizes() -> None:
    ours = static_rows(
        ("RmsNorm-op8", 198, 328, 16.031), ("ReduceMax-op6", 1270, 1271, 24.095), ("OneHot-op8", 1608, 1685, 27.044)
    )
    base = static_rows(
        ("RmsNorm-op8", 105, 300, 15.000), ("ReduceMax-op6", 1277, 1278, 15.092), ("OneHot-op8", 1601, 1700, 28.049)
    )
    found = memory_compare.static_operators(ours, base)
    rows = {r["name"]: (r["start_node"], r["end_node"], r["size_mb"]) for r in found.to_pylist()}
    assert rows == {
        "RmsNorm-op8": (93, 28, 1.031), "ReduceMax-op6": (-7, -7, 9.003), "OneHot-op8": (7, -15, -1.005),
    }  # fmt: skip
    named = static_filtered(found, name="op8", min_size=-1, max_size=2)
    assert named["name"].to_pylist() == ["RmsNorm-op8"]
    assert static_filtered(found, nodes=(1200, 1300))["name"].to_pylist() == ["ReduceMax-op6"]
    by_start = memory_operators.ordered(found, "start_node", descending=False)
    assert by_start["name"].to_pylist() == ["ReduceMax-op6", "OneHot-op8", "RmsNorm-op8"]


@example("M30")
def test_static_curve_of_one_side_leaves_the_other_null() -> None:
    rows = [{"node": n, "size_mb": s, "total_mb": 10.0} for n, s in ((0, 2.0), (3, 0.0))]
    ours = pa.Table.from_pylist(rows, memory_static.CURVE)
    for found, absent in (
        (memory_compare.static_curve(ours, None), "baseline"),
        (memory_compare.static_curve(None, ours), "comparison"),
    ):
        assert found["node"].to_pylist() == [0, 3]
        assert found[f"size_mb_{absent}"].to_pylist() == [None, None]
        assert found[f"total_mb_{absent}"].to_pylist() == [None, None]
    assert memory_compare.static_curve(ours, None)["size_mb_comparison"].to_pylist() == [2.0, 0.0]


def test_a_card_compared_with_one_that_has_less(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = memory_files.write(folder / "a_ascend_pt", STATIC_FILES)
    second = memory_files.write(folder / "b_ascend_pt", {"memory_record.csv": FILES["memory_record.csv"]})
    store = open_store(first, second)
    ours, base = (
        next(c.name for c in store.cards if c.name and str(p) in str(c.source_folder)) for p in (first, second)
    )

    pairs = memory.compare(store, card=ours, base=base)
    assert pairs["name"].to_pylist() == ["Unknown", "aten::empty", "aten::mm", "aten::mm", "cann::ReduceSum7"]
    assert pairs["size_kb"].to_pylist() == [0.5, 512.5, 2048.0, 1024.0, 64.0]
    assert pairs["release_ms"].to_pylist() == [0.24, 0.12, 0.0, 0.21, 0.16]
    turned = memory.compare(store, card=base, base=ours, sort="size_kb", descending=True)
    assert turned["size_kb"].to_pylist() == [-0.5, -64.0, -512.5, -1024.0, -2048.0]

    part = memory.compare(store, card=ours, base=base, sort="size_kb", limit=2, offset=1, name="a")
    assert (part["size_kb"].to_pylist(), memory.total(part)) == ([512.5, 1024.0], 4)

    peaks = memory.compare(store, card=ours, base=base, what="components")
    assert peaks.select(["component", "peak_mb"]).to_pylist() == [
        {"component": "APP", "peak_mb": 100.0},
        {"component": "HCCL", "peak_mb": 300.0},
    ]
    nodes = memory.compare(store, card=ours, base=base, what="static_graph", graph_id="7")
    assert nodes["size_mb_comparison"].to_pylist() == [2.0, 3.0, 2.5, 2.0, 2.25, 2.0, 0.0]
    assert nodes["size_mb_baseline"].null_count == 7
    static = memory.compare(store, card=base, base=ours, what="static", graph_id="7")
    assert dict(zip(static["name"].to_pylist(), static["size_mb"].to_pylist(), strict=True))["weight"] == -2.0
    with pytest.raises(NoData, match="Neither card"):
        memory.compare(store, card=ours, base=base, what="static", graph_id="9")


def test_curves_compare_on_axes_that_begin_at_their_own_zero(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    later = {name: text.replace(",1000", ",2000").replace("\n1000", "\n2000") for name, text in FILES.items()}
    first = memory_files.write(folder / "a_ascend_pt", FILES)
    second = memory_files.write(folder / "b_ascend_pt", later)
    store = open_store(first, second)
    ours, base = (next(c.name for c in store.cards if str(p) in str(c.source_folder)) for p in (first, second))
    found = memory.compare(store, card=ours, base=base, what="curve")
    legends = memory.notes(found).legends
    assert legends[0] == "Operators Allocated in Comparison"
    assert legends[6] == "Operators Allocated in Baseline"
    assert len(legends) == 12
    lines: dict[str, list[tuple[float, float]]] = {}
    for p in found.to_pylist():
        lines.setdefault(p["series"], []).append((p["t_ms"], p["value_mb"]))
    assert lines["App Reserved in Comparison"] == lines["App Reserved in Baseline"] == [(0.0, 2000.0), (0.25, 2100.0)]
    part = memory.compare(store, card=ours, base=base, what="curve", start=0.14, stop=0.17)
    assert set(part["t_ms"].to_pylist()) == {0.15, 0.16}
    with pytest.raises(BadArgument, match="Streams of two cards"):
        memory.compare(store, card=ours, base=base, what="curve", group="stream")
