"""The named queries of memory on real profiling data; every figure is that of the examples."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.support.memory_files import open_store

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import memory, timeline

SPEC = "system-memory-operator-rl"
Real = Callable[[str], Path]
Row = dict[str, Any]


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row(SPEC, *numbers)


def example(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.example(SPEC, *names)


@pytest.fixture
def u0(real: Real) -> Store:
    return open_store(real("upstream_unit/test_rank_0"))


@pytest.fixture
def u1(real: Real) -> Store:
    return open_store(real("upstream_unit/test_rank_1"))


@pytest.fixture
def t1r0(real: Real) -> Store:
    return open_store(real("text_level1/rank0_ascend_pt"))


@pytest.fixture
def t1r1(real: Real) -> Store:
    return open_store(real("text_level1/rank1_ascend_pt"))


@pytest.fixture
def b1r0(real: Real) -> Store:
    return open_store(real("db_level1/rank0_ascend_pt"))


def records(store: Store, **arguments: Any) -> list[tuple[float, Row]]:
    """Points as the chart has them: per record its time and the lines that it is on, in time order."""
    out: list[tuple[int, float, Row]] = []
    at: dict[tuple[int, str], int] = {}
    for p in memory.curve(store, **arguments).to_pylist():
        # Lines of one kind have the same records in the same order, so the n-th point of a time is the n-th record of its kind.
        kind = "App" if p["series"].startswith("App") else p["series"].split(" ")[0]
        n = at[p["ts_ns"], p["series"]] = at.get((p["ts_ns"], p["series"]), 0) + 1
        mine = [r for r in out if r[0] == p["ts_ns"] and next(iter(r[2])).split(" ")[0] == kind]
        if len(mine) < n:
            out.append((p["ts_ns"], p["t_ms"], {p["series"]: p["value_mb"]}))
        else:
            mine[n - 1][2][p["series"]] = p["value_mb"]
    return [(t, values) for _, t, values in sorted(out, key=lambda r: r[0])]


def values(found: Row, *columns: str) -> list[Any]:
    return [found[c] for c in columns]


@row(8)
@example("MD1")
def test_a_module_file_of_another_year_does_not_move_the_base(u0: Store) -> None:
    facts = memory.facts(u0).to_pylist()[0]
    assert (facts["base_ns"], facts["device"]) == (1695115378653323500, 0)


@row(10)
@example("MD2")
def test_old_files_have_no_activated_line(u0: Store) -> None:
    assert records(u0) == [
        (0.0, {"App Reserved": 11224.38}),
        (19.984, {"App Reserved": 11224.38}),
        (61.299, {"Operators Allocated": 4599.74, "Operators Reserved": 8664.0}),
        (68.027, {"Operators Allocated": 4599.74, "Operators Reserved": 8664.0}),
        (68.557, {"Operators Allocated": 4599.87, "Operators Reserved": 8664.0}),
    ]
    assert memory.notes(memory.curve(u0)).legends == ("Operators Allocated", "Operators Reserved", "App Reserved")
    assert memory.curve(u0, group="stream").num_rows == 0


@row(18)
@example("MD3")
def test_operators_of_old_files(u0: Store) -> None:
    found = memory.operators(u0).to_pylist()
    assert len(found) == 28
    columns = ("name", "size_kb", "alloc_ms", "release_ms", "duration_ms")
    assert values(found[0], *columns) == ["cann::Graph_70", 192.0, 70.579, 70.616, 0.037]
    totals = ("alloc_allocated_mb", "alloc_reserved_mb", "release_allocated_mb", "release_reserved_mb")
    assert values(found[0], *totals) == [0.25, 242.0, 0.06, 242.0]
    assert values(found[1], *columns) == ["cann::Graph_89", 64.0, 75.506, 75.528, 0.022]
    assert values(found[2], *columns) == ["cann::Graph_22", 1344.0, 76.291, 76.545, 0.254]


@row(20, 21)
@example("MD4")
def test_filters_of_old_files(u0: Store) -> None:
    sizes = memory.sizes(u0).to_pylist()[0]
    assert (sizes["min_kb"], sizes["max_kb"]) == (64.0, 81984.0)
    assert memory.operators(u0, name="cann::Graph_", min_kb=10, max_kb=1000).num_rows == 15
    at = 1695115378729750000
    assert memory.operators(u0, from_ns=at, to_ns=at)["name"].to_pylist() == ["cann::Graph_22"]
    assert memory.operators(u0, from_ns=at, to_ns=at, only_inside=True).num_rows == 0


@row(27)
@example("MD5")
def test_components_of_another_time(u0: Store) -> None:
    found = {c["component"]: c for c in memory.components(u0).to_pylist()}
    assert found["HCCL"]["peak_mb"] == 816.12
    assert values(found["APP"], "peak_mb", "ts_ns") == [25750.0, 1724670453385978290]


@row(26)
@example("MD6")
def test_static_graphs(u1: Store) -> None:
    assert memory.facts(u1)["memory_type"].to_pylist() == ["static"]
    assert memory.static_graphs(u1).select(["graph_id", "operators"]).to_pylist() == [
        {"graph_id": "0", "operators": 27},
        {"graph_id": "1", "operators": 27},
    ]
    assert memory.static_operators(u1, graph_id="0").slice(20, 10).num_rows == 7
    assert memory.static_operators(u1, graph_id="0", from_node=0, to_node=10).num_rows == 16
    assert memory.static_operators(u1, graph_id="0", min_kb=800, max_kb=3000).num_rows == 4
    sizes = memory.sizes(u1, what="static").to_pylist()[0]
    assert (round(sizes["min_kb"], 4), round(sizes["max_kb"], 2)) == (0.2119, 2343.78)
    assert (sizes["prefill_min"], sizes["prefill_max"]) == (0, 2344)


@row(26)
@example("MD7")
def test_static_operators_by_name(u1: Store) -> None:
    found = memory.static_operators(u1, graph_id="1", name="re", min_kb=600, max_kb=3000, sort="name")
    assert found["name"].to_pylist() == ["reducemax_03", "reducemean_01", "reducemin_02", "relu_01"]
    assert round(found["size_kb"][0].as_py(), 2) == 781.28


def nodes(store: Store, graph_id: str) -> list[tuple[int, float]]:
    found = memory.static_graph(store, graph_id=graph_id)
    return list(zip(found["node"].to_pylist(), found["size_mb"].to_pylist(), strict=True))


@row(26)
@example("MD8")
def test_static_curve_of_the_first_graph(u1: Store) -> None:
    assert nodes(u1, "0") == [
        (0, 0.46), (1, 3.28), (3, 3.29), (4, 4.05), (5, 4.81), (6, 4.35), (7, 4.35), (8, 4.35), (9, 4.35), (13, 4.42),
        (16, 4.89), (17, 5.37), (18, 5.15), (20, 5.15), (21, 4.20), (22, 3.72), (25, 3.72), (26, 3.72), (27, 5.25),
        (28, 4.48), (29, 3.72), (31, 3.72), (32, 3.72), (33, 0.0),
    ]  # fmt: skip
    assert set(memory.static_graph(u1, graph_id="0")["total_mb"].to_pylist()) == {16.81}


@row(26)
@example("MD9")
def test_static_curve_of_the_second_graph(u1: Store) -> None:
    found = nodes(u1, "1")
    assert len(found) == 26
    assert found[19] == (28, 4.48)
    assert found[-5:] == [(31, 6.01), (32, 8.30), (34, 6.01), (35, 3.72), (36, 0.0)]
    assert set(memory.static_graph(u1, graph_id="1")["total_mb"].to_pylist()) == {19.44}


@row(26)
@example("MD10")
def test_first_static_operators(u1: Store) -> None:
    found = memory.static_operators(u1, graph_id="0").to_pylist()[:4]
    assert [values(r, "name", "start_node", "end_node", "size_mb") for r in found] == [
        ["sqrt_01", 31, 32, 2.29],
        ["trans_TransData_0", 1, 6, 1.22],
        ["reducemin_02", 8, 26, 0.76],
        ["trans_TransData_9", 13, 18, 0.22],
    ]


@row(8, 10)
@example("MD11")
def test_a_whole_run_begins_with_the_process(t1r0: Store) -> None:
    assert memory.facts(t1r0)["base_ns"].to_pylist() == [1736408883573957920]
    counts = t1r0.sql("SELECT component, count(*) AS n FROM memory_record GROUP BY 1")
    assert dict(zip(counts["component"].to_pylist(), counts["n"].to_pylist(), strict=True)) == {
        "APP": 14, "GE": 114, "PTA": 381, "PTA+GE": 495,
    }  # fmt: skip
    curve = records(t1r0)
    assert len(curve) == 509
    assert curve[:2] == [(0.0, {"App Reserved": 2109.6}), (19.976, {"App Reserved": 2109.6})]
    first = next(r for r in curve if "Operators Allocated" in r[1])
    assert first == (
        120.28,
        {"Operators Allocated": 936.0, "Operators Activated": 936.0, "Operators Reserved": 1452.0},
    )


TITLE = (
    "Peak Memory Usage: Operator Allocated: 1261.04MB | Operator Activated: 1187.98MB"
    " | Operator Reserved: 1526.75MB | APP Reserved: 2113.73MB"
)


@row(11)
@example("MD12")
def test_peaks_of_a_whole_run(t1r0: Store) -> None:
    peaks = memory.peaks(t1r0)
    assert peaks["peak_mb"].to_pylist() == [1261.04, 1187.98, 1526.75, 2113.73]
    assert peaks["t_ms"][0].as_py() == 169.439
    assert memory.peak_title(peaks, "overall") == TITLE


@row(10)
@example("MD13")
def test_streams_of_a_whole_run(t1r0: Store) -> None:
    counts: dict[str, int] = {}
    for series in memory.curve(t1r0, group="stream")["series"].to_pylist():
        counts[series] = counts.get(series, 0) + 1
    assert counts == {
        f"{word} of {stream}": n
        for stream, n in (("897357296", 483), ("904703504", 12))
        for word in ("Allocated", "Activated", "Reserved")
    }


@row(10, 27)
@example("MD14")
def test_components_of_a_whole_run(t1r0: Store) -> None:
    curve = memory.curve(t1r0, group="component")
    assert memory.notes(curve).rows == 509
    peaks = memory.peaks(t1r0, group="component")
    assert dict(zip(peaks["series"].to_pylist(), peaks["peak_mb"].to_pylist(), strict=True)) == {
        "PTA Allocated": 1187.98, "PTA Activated": 1187.98, "PTA Reserved": 1452.0, "GE Allocated": 73.06,
        "GE Activated": 0.0, "GE Reserved": 74.75, "App Reserved": 2113.73,
    }  # fmt: skip
    assert memory.components(t1r0).select(["component", "peak_mb", "t_ms"]).to_pylist() == [
        {"component": "APP", "peak_mb": 1452.0, "t_ms": 83.128},
        {"component": "HCCL", "peak_mb": 404.06, "t_ms": 83.128},
    ]


SHOWN = (
    "name", "size_kb", "alloc_ms", "release_ms", "active_release_ms", "duration_ms", "active_duration_ms",
    "alloc_allocated_mb", "alloc_reserved_mb", "alloc_active_mb", "release_allocated_mb", "release_reserved_mb",
    "release_active_mb",
)  # fmt: skip


@row(18)
@example("MD15")
def test_operators_of_a_whole_run(t1r0: Store) -> None:
    found = memory.operators(t1r0).to_pylist()
    assert len(found) == 184
    sizes = memory.sizes(t1r0).to_pylist()[0]
    assert (sizes["min_kb"], sizes["max_kb"]) == (0.5, 147456.5)
    assert sum(r["release_ms"] is None for r in found) == 24
    assert sum(r["stream"] == "" for r in found) == 57
    assert memory.operators(t1r0, group="stream").num_rows == 127
    assert values(found[0], *SHOWN, "stream") == [
        "aten::empty_strided", 18816.5, 120.667, None, None, 0.0, 0.0, 954.37, 1452.0, 954.37, 0.0, 0.0, 0.0, "897357296",
    ]  # fmt: skip
    assert values(found[2], *SHOWN) == [
        "aten::_convolution", 25009.5, 128.778, 162.836, 162.836, 34.058, 34.058, 978.79, 1452.0, 978.79, 977.61, 1452.0,
        977.61,
    ]  # fmt: skip


@row(20, 21)
@example("MD16")
def test_filters_of_a_whole_run(t1r0: Store) -> None:
    base = memory.facts(t1r0)["base_ns"][0].as_py()

    def count(start: int, stop: int, only_inside: bool) -> int:
        window = {"from_ns": base + start * 1_000_000, "to_ns": base + stop * 1_000_000}
        return memory.operators(t1r0, **window, only_inside=only_inside).num_rows

    assert memory.operators(t1r0, name="conv").num_rows == 33
    assert memory.operators(t1r0, min_kb=100, max_kb=1000).num_rows == 14
    assert (count(125, 130, False), count(125, 130, True)) == (3, 2)
    assert (count(130, 140, False), count(130, 140, True)) == (34, 31)


@row(19)
@example("MD17")
def test_order_of_a_whole_run(t1r0: Store) -> None:
    by_release = memory.operators(t1r0, sort="release_ms").to_pylist()
    assert values(by_release[0], "size_kb", "release_ms") == [36864.0, 130.624]
    assert by_release[0]["name"].endswith("max_pool2d_with_indices")
    assert values(by_release[1], "name", "size_kb", "release_ms") == ["cann::trans_TransData_0", 50240.0, 130.763]
    by_size = memory.operators(t1r0, sort="size_kb", descending=True).to_pylist()
    assert [values(r, "name", "size_kb") for r in by_size[:3]] == [
        ["aten::mm", 147456.5],
        ["aten::_foreach_add", 147456.5],
        ["aten::mm", 65536.5],
    ]


@row(7, 8)
@example("MD18")
def test_the_other_rank_has_its_own_device_and_base(t1r1: Store) -> None:
    facts = memory.facts(t1r1).to_pylist()[0]
    assert (facts["base_ns"], facts["device"]) == (1736408883576247350, 1)
    assert memory.peak_title(memory.peaks(t1r1), "overall") == TITLE
    assert {c["component"]: c["t_ms"] for c in memory.components(t1r1).to_pylist()} == {"APP": 79.74, "HCCL": 79.74}


@row(28)
@example("MD19")
def test_both_ranks_compared(real: Real) -> None:
    store = open_store(real("text_level1/rank0_ascend_pt"), real("text_level1/rank1_ascend_pt"))
    assert [c.name for c in store.cards] == ["0", "1"]
    pairs = memory.compare(store, card="1", base="0").to_pylist()
    assert len(pairs) == 184
    assert all(p["in_comparison"] and p["in_baseline"] for p in pairs)
    columns = ("size_kb", "alloc_ms", "release_ms", "duration_ms")
    assert values(pairs[0], "name", "size_kb_comparison", "alloc_ms_comparison", "alloc_ms_baseline") == [
        "aten::_adaptive_avg_pool2d", 1352.0, 141.593, 138.801,
    ]  # fmt: skip
    assert values(pairs[0], *columns) == [0.0, 2.792, 2.966, 0.174]
    assert pairs[1]["size_kb_comparison"] == 18765.0
    assert values(pairs[1], *columns) == [0.0, 2.798, 2.801, 0.004]
    sizes = memory.sizes(store, card="1", base="0").to_pylist()[0]
    assert (sizes["prefill_min"], sizes["prefill_max"]) == (-147456, 147456)
    times: dict[str, set[float]] = {"Comparison": set(), "Baseline": set()}
    for p in memory.compare(store, card="1", base="0", what="curve").to_pylist():
        times[p["series"].rsplit(" ", 1)[1]].add(p["t_ms"])
    assert (len(times["Comparison"]), len(times["Baseline"])) == (443, 456)
    assert len(times["Comparison"] & times["Baseline"]) == 7
    assert len(times["Comparison"] | times["Baseline"]) == 892


@row(5, 8, 10)
@example("MD20")
def test_a_database_gives_the_same_page(b1r0: Store) -> None:
    facts = memory.facts(b1r0).to_pylist()[0]
    assert (facts["base_ns"], facts["base_from"]) == (1736410576284680000, "session")
    curve = records(b1r0)
    operators = [r for r in curve if "Operators Allocated" in r[1]]
    assert (len(operators), operators[0][0], operators[-1][0]) == (495, 109.903, 167.959)
    peaks = memory.peaks(b1r0)
    assert peaks["peak_mb"].to_pylist()[:3] == [1204.73, 1187.98, 1526.75]
    app = [r for r in curve if "App Reserved" in r[1]]
    assert len(app) == 14
    assert app[0] == (1.557, {"App Reserved": 2109.6})
    assert app[-1] == (249.460, {"App Reserved": 2113.73})
    parts = memory.peaks(b1r0, group="component")
    ge = [p["peak_mb"] for p in parts.to_pylist() if p["series"].startswith("GE")]
    assert ge == [73.06, 0.0, 74.75]
    found = memory.operators(b1r0).to_pylist()
    assert len(found) == 184
    assert sum(r["release_ms"] is None for r in found) == 24
    assert sum(r["stream"] != "" for r in found) == 127
    assert values(found[0], "name", "size_kb", "alloc_ms") == ["aten::empty_strided", 18816.5, 110.331]
    assert memory.components(b1r0).select(["component", "peak_mb"]).to_pylist() == [
        {"component": "APP", "peak_mb": 1452.0},
        {"component": "HCCL", "peak_mb": 404.06},
    ]
    assert memory.components(b1r0)["t_ms"][0].as_py() == 73.299
    graph = next(r for r in found if r["name"] == "ReduceSum7")
    assert values(graph, "size_kb", "alloc_ms", "release_ms") == [64.0, 159.468, 159.491]


@row(23)
def test_an_allocation_leads_to_its_slice_in_text_and_database(t1r0: Store, b1r0: Store) -> None:
    for store in (t1r0, b1r0):
        found = memory.find_slice(store, row=2).to_pylist()[0]
        operator = memory.operators(store).to_pylist()[2]
        assert found["name"] == operator["name"] == "aten::_convolution"
        assert found["ts_ns"] <= operator["alloc_ns"] <= found["ts_ns"] + found["dur_ns"]
        lane = timeline.lanes(store).to_pylist()
        assert any((x["process"], x["tid"]) == (found["process"], found["tid"]) for x in lane)


@row(5)
def test_a_database_without_its_memory_tables_gives_empty_parts(real: Real, tmp_path: Path) -> None:
    copy = tmp_path / "rank0_ascend_pt"
    shutil.copytree(real("db_level1/rank0_ascend_pt"), copy)
    (path,) = copy.rglob("ascend_pytorch_profiler_0.db")
    path.chmod(0o644)
    with closing(sqlite3.connect(path)) as db:
        for table in ("OP_MEMORY", "NPU_MODULE_MEM", "NPU_MEM"):
            db.execute(f"DROP TABLE {table}")
        db.commit()
    store = open_store(copy)
    assert memory.operators(store).num_rows == memory.components(store).num_rows == 0
    assert memory.notes(memory.curve(store)).legends == (
        "Operators Allocated",
        "Operators Activated",
        "Operators Reserved",
    )
    missing = {s["table"]: s["message"] for s in memory.sources(store).to_pylist() if not s["rows"]}
    assert "OP_MEMORY" in missing["operator_memory"]
    assert memory.facts(store)["message"].to_pylist() == [""]


@row(6)
def test_a_database_of_the_command_line_collector_says_that_it_has_no_memory(real: Real) -> None:
    store = open_store(real("upstream_unit/full_db/msprof_0.db"))
    card = store.cards[0].name
    facts = memory.facts(store, card=card).to_pylist()[0]
    assert "msprof" in facts["message"]
    assert memory.curve(store, card=card).num_rows == memory.operators(store, card=card).num_rows == 0
