"""The named queries of memory on the small run, through the path that the window takes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.support import memory_files
from tests.support.memory_files import FILES, MODULE, OPERATOR, RECORD, STATIC_FILES, open_store
from tests.support.plain_build import build

from insight_desktop.engine import tables
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import memory
from insight_desktop.errors import BadArgument, NoData

SPEC = "system-memory-operator-rl"
BASE = 1000000000


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row(SPEC, *numbers)


def example(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.example(SPEC, *names)


def ns(ms: float) -> int:
    return BASE + round(ms * 1e6)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(memory_files.write(tmp_path / "a_ascend_pt", FILES))


@pytest.fixture
def static(tmp_path: Path) -> Store:
    return open_store(memory_files.write(tmp_path / "s_ascend_pt", STATIC_FILES))


def by_time(points: pa.Table) -> dict[float, dict[str, float]]:
    """What each time holds; lines without a value there are left out."""
    out: dict[float, dict[str, float]] = {}
    for p in points.to_pylist():
        out.setdefault(p["t_ms"], {})[p["series"]] = p["value_mb"]
    return dict(sorted(out.items()))


@row(1)
@example("M1")
def test_short_rows_are_left_out_and_counted(store: Store) -> None:
    card = store.card(None).name
    assert tables.sources(store, card, "memory_record").rows == 10
    assert sum(issue.count for issue in tables.issues(store, card, "memory_record")) == 1
    assert memory.facts(store)["records"].to_pylist() == [9]


@row(7, 8)
@example("M2")
def test_the_base_is_the_first_time_of_the_files_of_the_device(store: Store) -> None:
    facts = memory.facts(store).to_pylist()[0]
    assert facts["base_ns"] == 1000000000
    assert facts["base_from"] == "memory_record"
    assert facts["device"] == 0
    assert (facts["first_ns"], facts["last_ns"]) == (1000000000, 1000250000)
    assert facts["memory_type"] == "dynamic"
    assert facts["resource_type"] == "Pytorch"
    assert facts["groups"] == ["overall", "stream", "component"]
    assert facts["message"] == ""


@row(9)
def test_a_missing_module_file_does_not_change_the_base(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != "npu_module_mem.csv"}
    store = open_store(memory_files.write(tmp_path / "b_ascend_pt", files))
    assert memory.facts(store)["base_ns"].to_pylist() == [1000000000]
    assert memory.components(store).num_rows == 0
    missing = {s["table"]: s["missing"] for s in memory.sources(store).to_pylist()}
    assert missing["module_memory"] == ["npu_module_mem.csv"]


@row(10)
@example("M3")
def test_overall_curve_has_a_point_per_record_of_its_components(store: Store) -> None:
    curve = memory.curve(store, group="overall")
    notes = memory.notes(curve)
    assert notes.legends == (
        "Operators Allocated",
        "Operators Activated",
        "Operators Reserved",
        "App Reserved",
        "WORKSPACE Allocated",
        "WORKSPACE Reserved",
    )
    assert (notes.rows, notes.shown, notes.is_sampled) == (6, 6, False)
    assert by_time(curve) == {
        0.0: {"App Reserved": 2000.0},
        0.101: {"Operators Allocated": 10.0, "Operators Activated": 10.0, "Operators Reserved": 20.0},
        0.15: {"Operators Allocated": 11.26, "Operators Activated": 10.0, "Operators Reserved": 22.0},
        0.16: {"WORKSPACE Allocated": 3.0, "WORKSPACE Reserved": 4.0},
        0.2: {"Operators Allocated": 31.26, "Operators Activated": 35.5, "Operators Reserved": 42.0},
        0.25: {"App Reserved": 2100.0},
    }
    assert curve["ts_ns"].to_pylist()[:3] == [1000100700, 1000150000, 1000200250]


@row(11)
@example("M4")
def test_title_of_overall_lists_the_peaks(store: Store) -> None:
    title = memory.peak_title(memory.peaks(store, group="overall"), "overall")
    assert title == (
        "Peak Memory Usage: Operator Allocated: 31.26MB | Operator Activated: 35.50MB | Operator Reserved: 42.00MB"
        " | APP Reserved: 2100.00MB | WORKSPACE Allocated: 3.00MB | WORKSPACE Reserved: 4.00MB"
    )


@row(10)
def test_a_cell_without_a_value_is_a_gap_and_records_are_put_in_order(tmp_path: Path) -> None:
    record = (
        "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n"
        "PTA,1300\t,64.25,128,NPU:0\n"
        "PTA,1200\t,,256,NPU:0\n"
        "PTA,1100\t,32,128,NPU:0\n"
    )
    store = open_store(memory_files.write(tmp_path / "h_ascend_pt", {"memory_record.csv": record}))
    assert by_time(memory.curve(store, group="component")) == {
        0.0: {"PTA Allocated": 32.0, "PTA Reserved": 128.0},
        0.1: {"PTA Reserved": 256.0},
        0.2: {"PTA Allocated": 64.25, "PTA Reserved": 128.0},
    }


@row(11)
def test_a_title_without_operators_has_no_separator_in_front(tmp_path: Path) -> None:
    lines = RECORD.splitlines(keepends=True)
    files = {"memory_record.csv": "".join([lines[0], *(x for x in lines if x.startswith("APP"))])}
    store = open_store(memory_files.write(tmp_path / "c_ascend_pt", files))
    for group in ("overall", "component"):
        title = memory.peak_title(memory.peaks(store, group=group), group)  # type: ignore[arg-type]
        assert title == "Peak Memory Usage: APP Reserved: 2100.00MB"


@row(10)
@example("M5")
def test_stream_curve_takes_combined_records_with_a_stream(store: Store) -> None:
    curve = memory.curve(store, group="stream")
    notes = memory.notes(curve)
    words = ("Allocated", "Activated", "Reserved")
    assert notes.legends == (*(f"{w} of 777" for w in words), *(f"{w} of 888" for w in words))
    assert notes.rows == 2
    assert by_time(curve) == {
        0.101: {"Allocated of 777": 10.0, "Activated of 777": 10.0, "Reserved of 777": 20.0},
        0.2: {"Allocated of 888": 31.26, "Activated of 888": 35.5, "Reserved of 888": 42.0},
    }
    assert memory.peak_title(memory.peaks(store, group="stream"), "stream") == ""


@row(10, 11)
@example("M6")
def test_component_curve_takes_single_components(store: Store) -> None:
    curve = memory.curve(store, group="component")
    assert memory.notes(curve).rows == 5
    assert by_time(curve) == {
        0.0: {"App Reserved": 2000.0},
        0.101: {"PTA Allocated": 10.0, "PTA Activated": 10.0, "PTA Reserved": 20.0},
        0.15: {"GE Allocated": 1.26, "GE Activated": 0.0, "GE Reserved": 2.0},
        0.2: {"PTA Allocated": 30.0, "PTA Activated": 35.5, "PTA Reserved": 40.0},
        0.25: {"App Reserved": 2100.0},
    }
    assert memory.peak_title(memory.peaks(store, group="component"), "component") == (
        "Peak Memory Usage: PTA Allocated: 30.00MB | PTA Activated: 35.50MB | PTA Reserved: 40.00MB"
        " | GE Allocated: 1.26MB | GE Activated: 0.00MB | GE Reserved: 2.00MB | APP Reserved: 2100.00MB"
    )


@row(12)
@pytest.mark.parametrize(("components", "legends"), [("GE,GE", 2), ("GE,APP", 1), ("GE,PTA", 0)])
def test_graph_engine_stands_for_operators_only_when_it_is_alone(tmp_path: Path, components: str, legends: int) -> None:
    head = "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n"
    rows = [f"0,{c},{1000 + i},{1536},{3072},NPU:0\n" for i, c in enumerate(components.split(","))]
    store = open_store(memory_files.write(tmp_path / "g_ascend_pt", {"memory_record.csv": head + "".join(rows)}))
    curve = memory.curve(store)
    assert len(memory.notes(curve).legends) == legends
    if components == "GE,GE":
        assert by_time(curve)[0.001] == {"Operators Allocated": 1.5, "Operators Reserved": 3.0}


@row(10, 12)
def test_newer_name_of_the_allocator_gives_the_same_curves(tmp_path: Path) -> None:
    files = {**FILES, "memory_record.csv": RECORD.replace("PTA", "TorchNPU")}
    store = open_store(memory_files.write(tmp_path / "n_ascend_pt", files))
    assert memory.peak_title(memory.peaks(store), "overall") == (
        "Peak Memory Usage: Operator Allocated: 31.26MB | Operator Activated: 35.50MB | Operator Reserved: 42.00MB"
        " | APP Reserved: 2100.00MB | WORKSPACE Allocated: 3.00MB | WORKSPACE Reserved: 4.00MB"
    )
    assert by_time(memory.curve(store, group="component"))[0.2] == {
        "TorchNPU Allocated": 30.0, "TorchNPU Activated": 35.5, "TorchNPU Reserved": 40.0,
    }  # fmt: skip


@row(7, 18)
@example("M7")
def test_operators_show_their_values_rounded(store: Store) -> None:
    found = memory.operators(store).to_pylist()
    shown = [
        "name", "size_kb", "alloc_ms", "release_ms", "active_release_ms", "duration_ms", "active_duration_ms",
        "alloc_allocated_mb", "alloc_reserved_mb", "alloc_active_mb", "release_allocated_mb", "release_reserved_mb",
        "release_active_mb", "stream",
    ]  # fmt: skip
    assert len(found) == 5
    assert [found[0][c] for c in shown] == [
        "aten::empty", 512.5, 0.02, 0.12, 0.121, 0.1, 0.101, 10.5, 20.0, 10.5, 10.0, 20.0, 10.0, "777",
    ]  # fmt: skip
    assert [found[1][c] for c in shown] == [
        "aten::mm", 2048.0, 0.101, None, None, 0.0, 0.0, 12.0, 20.0, 12.0, 0.0, 0.0, 0.0, "777",
    ]  # fmt: skip
    assert (found[2]["alloc_allocated_mb"], found[2]["active_duration_ms"]) == (31.26, 0.015)
    assert (found[3]["active_release_ms"], found[3]["stream"]) == (None, "")
    assert found[4]["name"] == "Unknown"
    assert [found[1][c] for c in ("row", "alloc_ns", "release_ns")] == [1, 1000100700, None]


@row(19)
@example("M8")
def test_unreleased_sorts_as_infinitely_late(store: Store) -> None:
    up = memory.operators(store, sort="release_ms")["release_ms"].to_pylist()
    assert up == [0.12, 0.16, 0.21, 0.24, None]
    down = memory.operators(store, sort="release_ms", descending=True)["release_ms"].to_pylist()
    assert down == [None, 0.24, 0.21, 0.16, 0.12]


@row(19)
def test_a_page_tells_how_many_rows_there_are(store: Store) -> None:
    page = memory.operators(store, sort="release_ms", limit=2, offset=1)
    assert (page["release_ms"].to_pylist(), memory.total(page)) == ([0.16, 0.21], 5)
    filtered = memory.operators(store, sort="release_ms", descending=True, name="aten", limit=2)
    assert (rows_of(filtered), memory.total(filtered)) == ([2, 3], 3)
    beyond = memory.operators(store, limit=10, offset=20)
    assert (beyond.num_rows, memory.total(beyond)) == (0, 5)
    assert memory.total(memory.operators(store)) == 5
    with pytest.raises(BadArgument, match="cannot be negative"):
        memory.operators(store, limit=-1)


@row(19)
def test_equal_values_keep_the_order_of_the_file(store: Store) -> None:
    for descending in (False, True):
        rows = memory.operators(store, sort="name", descending=descending).select(["name", "row"]).to_pylist()
        assert [r["row"] for r in rows if r["name"] == "aten::mm"] == [1, 2]
        late = memory.operators(store, sort="active_release_ms", descending=descending).to_pylist()
        assert [r["row"] for r in late if r["active_release_ms"] is None] == [1, 3]
    with pytest.raises(BadArgument, match="no column 'colour'"):
        memory.operators(store, sort="colour")


def rows_of(found: pa.Table) -> list[int]:
    """Rows as the examples count them, from 1."""
    return [r + 1 for r in found["row"].to_pylist()]


@row(20)
@pytest.mark.parametrize(
    ("start", "stop", "alive", "inside"),
    [
        pytest.param(0.1, 0.13, [1, 2], [1, 2], marks=example("M9")),
        pytest.param(0.17, 0.19, [2], [], marks=example("M10")),
        pytest.param(0.205, 0.22, [2, 3], [3], marks=example("M11")),
    ],
)
def test_both_interval_rules(store: Store, start: float, stop: float, alive: list[int], inside: list[int]) -> None:
    window = {"from_ns": ns(start), "to_ns": ns(stop)}
    assert rows_of(memory.operators(store, **window)) == alive
    assert rows_of(memory.operators(store, **window, only_inside=True)) == inside


@row(21)
@example("M12")
def test_filters_of_name_size_and_stream(store: Store) -> None:
    assert rows_of(memory.operators(store, name="MM")) == [2, 3]
    assert rows_of(memory.operators(store, name="  mm ")) == [2, 3]
    assert rows_of(memory.operators(store, min_kb=0.5, max_kb=64)) == [4, 5]
    assert rows_of(memory.operators(store, group="stream")) == [1, 2, 3, 5]
    assert rows_of(memory.operators(store, name="%")) == []
    assert rows_of(memory.operators(store, name="_")) == []


@row(21)
def test_ranges_of_several_columns_hold_together(store: Store) -> None:
    assert rows_of(memory.operators(store, ranges="release_ms=0..9007199254740991")) == [1, 3, 4, 5]
    assert rows_of(memory.operators(store, ranges="duration_ms=0.01..0.1; alloc_allocated_mb=..10.5")) == [1, 4, 5]
    assert rows_of(memory.operators(store, ranges="duration_ms=0.01..; size_kb=512.5..1024")) == [1, 3]
    assert rows_of(memory.operators(store, ranges="alloc_allocated_mb=31.26..31.26")) == [3]
    with pytest.raises(BadArgument, match="The minimum value cannot exceed the maximum value"):
        memory.operators(store, min_kb=2, max_kb=1)
    with pytest.raises(BadArgument, match="minimum value"):
        memory.operators(store, ranges="duration_ms=2..1")
    with pytest.raises(BadArgument, match="is no range"):
        memory.operators(store, ranges="duration_ms>2")
    with pytest.raises(BadArgument, match="has no range"):
        memory.operators(store, ranges="name=1..2")


@example("M13")
def test_bounds_of_sizes(store: Store) -> None:
    assert memory.sizes(store).to_pylist() == [{"min_kb": 0.5, "max_kb": 2048.0, "prefill_min": 0, "prefill_max": 2048}]


@row(27)
@example("M14")
def test_components_of_100_mb_and_more_with_the_first_time_of_their_peak(store: Store) -> None:
    found = memory.components(store)
    assert found.select(["component", "peak_mb", "t_ms"]).to_pylist() == [
        {"component": "APP", "peak_mb": 100.0, "t_ms": 0.015},
        {"component": "HCCL", "peak_mb": 300.0, "t_ms": 0.02},
    ]


@row(27)
def test_peaks_of_another_device_do_not_count(tmp_path: Path) -> None:
    module = MODULE + "HCCL,1000040.000\t,999999.0,NPU:1\n"
    store = open_store(memory_files.write(tmp_path / "d_ascend_pt", {**FILES, "npu_module_mem.csv": module}))
    assert memory.components(store)["peak_mb"].to_pylist() == [100.0, 300.0]


@row(26)
@example("M15")
def test_static_curve_adds_up_what_the_nodes_need(static: Store) -> None:
    found = memory.static_graph(static, graph_id="7")
    assert list(zip(found["node"].to_pylist(), found["size_mb"].to_pylist(), strict=True)) == [
        (0, 2.0), (1, 3.0), (3, 2.5), (5, 2.0), (6, 2.25), (9, 2.0), (10, 0.0),
    ]  # fmt: skip
    assert set(found["total_mb"].to_pylist()) == {10.0}
    assert memory.static_graph(static).equals(found)
    assert memory.facts(static)["memory_type"].to_pylist() == ["static"]
    assert memory.static_graphs(static).to_pylist() == [
        {"graph_id": "7", "model": "0", "operators": 5, "total_mb": 10.0},
        {"graph_id": "8", "model": "0", "operators": 1, "total_mb": None},
    ]


@row(26)
@example("M16")
def test_static_operators_and_their_filters(static: Store) -> None:
    def names(**filters: Any) -> list[str]:
        return memory.static_operators(static, graph_id="7", **filters)["name"].to_pylist()

    every = memory.static_operators(static, graph_id="7")
    assert dict(zip(every["name"].to_pylist(), every["size_mb"].to_pylist(), strict=True)) == {
        "weight": 2.0, "matmul_1": 1.0, "relu_2": 0.5, "empty_3": 0.0, "Matmul_4": 0.25,
    }  # fmt: skip
    assert every["end_node"].to_pylist()[0] == 4294967295
    assert names(name="MATMUL") == ["matmul_1", "Matmul_4"]
    assert names(min_kb=300, max_kb=1500) == ["matmul_1", "relu_2"]
    assert names(from_node=3, to_node=5) == ["matmul_1", "relu_2", "empty_3"]
    assert names(sort="size_mb") == ["empty_3", "Matmul_4", "relu_2", "matmul_1", "weight"]
    sizes = memory.sizes(static, what="static", graph_id="7").to_pylist()[0]
    assert (sizes["prefill_min"], sizes["prefill_max"]) == (0, 2048)
    with pytest.raises(BadArgument, match="maximum size cannot be smaller"):
        names(min_kb=2, max_kb=1)


@row(26)
@example("M17")
def test_a_graph_without_total_has_a_table_but_no_curve(static: Store) -> None:
    with pytest.raises(NoData, match=r"Graph 8 .* has no TOTAL row"):
        memory.static_graph(static, graph_id="8")
    assert memory.static_operators(static, graph_id="8").num_rows == 1
    with pytest.raises(BadArgument, match="no graph '9'"):
        memory.static_graph(static, graph_id="9")


@row(13)
def test_a_window_holds_what_is_inside_it(store: Store) -> None:
    window = memory.curve(store, from_ns=1000150000, to_ns=1000200250)
    assert list(by_time(window)) == [0.15, 0.16, 0.2]
    assert memory.notes(window).rows == 3
    assert len(memory.notes(window).legends) == 6
    few = memory.curve(store, points=1)  # one bucket: the smallest and the largest value of every line
    assert (memory.notes(few).rows, memory.notes(few).shown, memory.notes(few).is_sampled) == (6, 5, True)
    assert list(by_time(few)) == [0.0, 0.101, 0.16, 0.2, 0.25]


@row(2, 3)
def test_files_of_the_command_line_collector_are_in_kb_and_tell_the_duration_only(tmp_path: Path) -> None:
    operator = (
        "Device_id,Name,Size(KB),Allocation Time(us),Duration(us),Allocation Total Allocated(KB),"
        "Allocation Total Reserved(KB),Release Total Allocated(KB),Release Total Reserved(KB),Device\n"
        "0,MatMul,4.0,2000.5,10.25,1536,3072,512,3072,NPU:0\n"
    )
    record = (
        "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n0,GE,2000.0,2560,4096,NPU:0\n"
    )
    files = {"memory_record.csv": record, "operator_memory.csv": operator}
    store = open_store(memory_files.write(tmp_path / "k_ascend_pt", files))
    found = memory.operators(store).to_pylist()[0]
    assert (found["alloc_ns"], found["release_ns"], found["release_ms"]) == (2000500, 2010750, 0.011)
    assert (found["alloc_allocated_mb"], found["release_allocated_mb"], found["size_kb"]) == (1.5, 0.5, 4.0)
    assert by_time(memory.curve(store)) == {0.0: {"Operators Allocated": 2.5, "Operators Reserved": 4.0}}


def test_allocations_before_the_collection_live_from_the_start(tmp_path: Path) -> None:
    lines = OPERATOR.splitlines(keepends=True)
    early = "aten::old,4.0,,1000110.000\t,1000110.000\t,,,1,2,1,1,2,1,777,NPU:0\n"
    files = {**FILES, "operator_memory.csv": "".join([lines[0], lines[1], early])}
    store = open_store(memory_files.write(tmp_path / "e_ascend_pt", files))
    found = memory.operators(store, sort="alloc_ms").to_pylist()
    assert [(r["name"], r["alloc_ms"]) for r in found] == [("aten::old", None), ("aten::empty", 0.02)]
    assert rows_of(memory.operators(store, from_ns=ns(0.0), to_ns=ns(0.01))) == [2]
    assert rows_of(memory.operators(store, from_ns=ns(0.115), to_ns=ns(0.2))) == [1]
    assert rows_of(memory.operators(store, from_ns=ns(0.105), to_ns=ns(0.115), only_inside=True)) == [2]


@row(26)
def test_models_that_use_the_same_graph_id_are_not_added_up(tmp_path: Path) -> None:
    text = (
        "Device_id,Op Name,Model Name,Graph ID,Node Index Start,Node Index End,Size(KB)\n"
        "0,a,m1,1,0,3,1024\n0,TOTAL,m1,1,0,4294967295,8192\n0,a,m2,1,0,1,512\n0,TOTAL,m2,1,0,4294967295,1024\n"
        "0,b,m3,2,1,2,256\n0,TOTAL,0,2,0,4294967295,N/A\n"
    )
    store = open_store(memory_files.write(tmp_path / "m_ascend_pt", {**FILES, "static_op_mem.csv": text}))
    assert memory.static_graphs(store).to_pylist() == [
        {"graph_id": "1", "model": "m1", "operators": 1, "total_mb": 8.0},
        {"graph_id": "1 (m2)", "model": "m2", "operators": 1, "total_mb": 1.0},
        {"graph_id": "2", "model": "m3", "operators": 1, "total_mb": None},
    ]
    assert memory.static_graph(store, graph_id="1")["size_mb"].to_pylist() == [1.0, 0.0]
    assert memory.static_graph(store, graph_id="1 (m2)")["size_mb"].to_pylist() == [0.5, 0.0]
    assert memory.static_operators(store, graph_id="1 (m2)")["size_kb"].to_pylist() == [512.0]


@row(7)
def test_the_device_of_the_card_can_be_chosen(store: Store) -> None:
    card = store.card(None)
    store.put(StoreCard(**{**vars(card), "device": 1}))
    assert memory.facts(store)["device_from"].to_pylist() == ["card"]
    assert memory.operators(store)["name"].to_pylist() == ["aten::other"]
    assert memory.facts(store)["base_ns"].to_pylist() == [1000300000]
    store.put(StoreCard(**{**vars(card), "device": None}))
    facts = memory.facts(store).to_pylist()[0]
    assert (facts["device"], facts["device_from"]) == (0, "operator_memory")


@row(7)
def test_a_memory_file_with_a_wrong_device_belongs_to_the_card(tmp_path: Path) -> None:
    one_device = {
        name: "".join(line for line in text.splitlines(True) if "NPU:1" not in line) for name, text in FILES.items()
    }
    record = one_device["memory_record.csv"].replace("NPU:0", "NPU:4")
    store = open_store(memory_files.write(tmp_path / "w_ascend_pt", {**one_device, "memory_record.csv": record}))
    assert store.card(None).device == 0  # operator_memory comes before memory_record
    facts = memory.facts(store).to_pylist()[0]
    assert (facts["records"], facts["operators"], facts["device_from"]) == (9, 5, "card; memory_record tells 4")
    assert memory.peaks(store)["peak_mb"].to_pylist() == [31.26, 35.5, 42.0, 2100.0, 3.0, 4.0]


@row(7)
def test_with_two_devices_in_the_files_no_row_of_another_device_counts(store: Store) -> None:
    store.put(StoreCard(**{**vars(store.card(None)), "device": 7}))
    facts = memory.facts(store).to_pylist()[0]
    assert (facts["records"], facts["operators"], facts["device_from"]) == (0, 0, "card")


@row(23)
def test_an_allocation_leads_to_the_innermost_host_slice(tmp_path: Path) -> None:
    folder = tmp_path / "0"

    def thread(name: str, start: int, end: int, **more: Any) -> dict[str, Any]:
        return {"pid": 5, "process": "Python", "tid": 51, "name": name, "start_ns": start, "end_ns": end, **more}

    slices = [
        thread("aten::mm", 1000090000, 1000110000),
        thread("aten::mm", 1000100000, 1000105000),
        thread("aten::mm", 1000100600, 1000100650),
        {**thread("aten::mm", 1000100700, 1000101000), "tid": 9, "process": "Ascend Hardware", "role": "stream"},
    ]
    build(folder, slices=slices)
    store = Store([StoreCard("0", "0", 0, "", "text", folder)])
    tables.ensure(store, "operator_memory")
    kept = tables.schema.TABLES["operator_memory"].schema
    rows = [
        {"row": 0, "device": 0, "name": "aten::mm", "size_kb": 1.0, "alloc_ns": 1000100700, "stream": ""},
        {"row": 1, "device": 0, "name": "cann::ReduceSum7", "size_kb": 1.0, "alloc_ns": 1000100700, "stream": ""},
    ]
    metadata = pa.parquet.read_schema(folder / "operator_memory.parquet").metadata
    table = pa.Table.from_pylist(rows, kept).replace_schema_metadata(metadata)
    pa.parquet.write_table(table, folder / "operator_memory.parquet")
    found = memory.find_slice(store, row=0).to_pylist()
    assert [(s["name"], s["ts_ns"], s["dur_ns"], s["row"], s["process"]) for s in found] == [
        ("aten::mm", 1000100000, 5000, 1, "Python")
    ]
    with pytest.raises(NoData, match="No slice 'cann::ReduceSum7'"):
        memory.find_slice(store, row=1)
    with pytest.raises(NoData, match="no allocation 7"):
        memory.find_slice(store, row=7)


@row(47)
def test_a_card_without_memory_says_what_is_missing(tmp_path: Path) -> None:
    build(tmp_path / "0", slices=[{"pid": 1, "tid": 1, "name": "a", "start_ns": 0, "end_ns": 5}])
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])
    facts = memory.facts(store).to_pylist()[0]
    assert facts["groups"] == []
    assert facts["message"] != ""
    assert facts["fix"] != ""
    assert memory.curve(store).num_rows == memory.operators(store).num_rows == memory.components(store).num_rows == 0
    assert memory.notes(memory.curve(store)).legends == ()
    assert memory.peak_title(memory.peaks(store), "overall") == ""
    assert memory.sizes(store).to_pylist()[0]["prefill_min"] is None
    assert memory.static_graphs(store).num_rows == 0
    with pytest.raises(NoData, match="no static graph"):
        memory.static_graph(store)


@row(47)
def test_a_text_card_without_memory_files_names_the_switch(tmp_path: Path) -> None:
    kernel = "Name,Type,Accelerator Core,Start Time(us),Duration(us)\na,MatMul,AI_CORE,1,2\n"
    store = open_store(memory_files.write(tmp_path / "n_ascend_pt", {"kernel_details.csv": kernel}))
    facts = memory.facts(store).to_pylist()[0]
    assert "memory_record.csv" in facts["message"]
    assert "profile_memory=True" in facts["fix"]


@row(4)
def test_slices_of_a_file_are_one_file(tmp_path: Path) -> None:
    head, *lines = OPERATOR.splitlines(keepends=True)
    files = {
        "memory_record.csv": RECORD,
        "operator_memory_slice_0_20240101010101.csv": head + "".join(lines[:2]),
        "operator_memory_slice_1_20240101010101.csv": head + "".join(lines[2:]),
    }
    whole = open_store(memory_files.write(tmp_path / "w_ascend_pt", {**FILES, "operator_memory.csv": OPERATOR}))
    parts = open_store(memory_files.write(tmp_path / "p_ascend_pt", files))
    assert memory.operators(parts).to_pylist() == memory.operators(whole).to_pylist()


@row(18, 20, 21)
@pytest.mark.parametrize("seed", range(5))
def test_random_allocations_pass_the_filters_as_plain_rules_say(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    lines, rows = [OPERATOR.splitlines()[0]], []
    for number in range(60):
        alloc = random.choice([None, random.randrange(1, 400)])
        release = random.choice([None, (alloc or 1) + random.randrange(0, 200)])
        size, name = random.choice([-512.0, 0.5, 8.0, 64.25]), random.choice(["aten::mm", "cann::A_1", "x%y", ""])
        stream = random.choice(["", "7"])
        times = [("" if t is None else str(1000 + t)) for t in (alloc, release)]
        lines.append(f"{name},{size},{times[0]},{times[1]},,,,1,2,1,1,2,1,{stream},NPU:0")
        rows.append((number, name or "Unknown", size, alloc, release, stream))
    files = {
        "memory_record.csv": RECORD.splitlines()[0] + "\nAPP,1000,0,1,0,,NPU:0\n",
        "operator_memory.csv": "\n".join(lines) + "\n",
    }
    store = open_store(memory_files.write(tmp_path / "r_ascend_pt", files))
    start, stop = sorted(random.randrange(0, 600) for _ in range(2))
    window = {"from_ns": 1000000 + start * 1000, "to_ns": 1000000 + stop * 1000}

    def numbers(**arguments: Any) -> list[int]:
        return memory.operators(store, **arguments)["row"].to_pylist()

    assert numbers(**window) == [
        n for n, _, _, a, r, _ in rows if (r is None or r >= start) and (a is None or a <= stop)
    ]
    assert numbers(**window, only_inside=True) == [
        n for n, _, _, a, r, _ in rows if any(t is not None and start <= t <= stop for t in (a, r))
    ]
    assert numbers(name="A", min_kb=0) == [n for n, name, s, *_ in rows if "a" in name.lower() and s >= 0]
    assert numbers(name="%") == [n for n, name, *_ in rows if "%" in name]
    assert numbers(group="stream", ranges="size_kb=..8") == [n for n, _, s, _, _, t in rows if t and s <= 8]
    late, early = float("inf"), -float("inf")
    assert numbers(sort="release_ms") == [n for n, *_ in sorted(rows, key=lambda x: late if x[4] is None else x[4])]
    by_alloc = sorted(rows, key=lambda x: early if x[3] is None else x[3], reverse=True)
    assert numbers(sort="alloc_ms", descending=True) == [n for n, *_ in by_alloc]
    assert numbers(sort="name") == [n for n, *_ in sorted(rows, key=lambda x: x[1])]


@row(8)
def test_the_axis_never_begins_before_the_timeline(tmp_path: Path) -> None:
    store = open_store(memory_files.write(tmp_path / "run" / "a_ascend_pt", FILES))
    later = {"pid": 1, "tid": 1, "name": "a", "start_ns": BASE + 110_000, "end_ns": BASE + 120_000}
    for start, base, origin in ((-5, BASE, "memory_record"), (110_000, BASE + 110_000, "timeline")):
        build(tmp_path / str(start), slices=[{**later, "start_ns": BASE + start}])
        card = store.card(None)
        for path in card.folder.glob("*.parquet"):
            path.unlink()
        store.put(StoreCard(**{**vars(card), "folder": tmp_path / str(start)}))
        facts = memory.facts(store).to_pylist()[0]
        assert (facts["base_ns"], facts["base_from"]) == (base, origin)
    found = memory.operators(store).to_pylist()
    assert [r["alloc_ms"] for r in found] == [None, None, 0.09, 0.04, 0.12]  # those before the axis are as unknown
    assert [r["release_ms"] for r in found] == [0.01, None, 0.1, 0.05, 0.13]
    assert memory.curve(store)["t_ms"].to_pylist()[0] == -0.009
