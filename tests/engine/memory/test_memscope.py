from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.memscope_files import COLUMNS, T0, access, free, malloc, row, write_db

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.memory import memscope
from insight_desktop.engine.memory.blocks import path_of
from insight_desktop.engine.memory.memscope_chart import chart_blocks
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, NoData

Real = Callable[[str], Path]


def opened(path: Path) -> Store:
    _, items = import_paths([path], fresh=True)
    assert [item.status for item in items] == ["ready"] * len(items), items[0].message
    return Store([StoreCard.of_import(item) for item in items])


def made(folder: Path, rows: list[Any], **more: Any) -> Store:
    return opened(write_db(folder / "memscope_dump_1.db", rows, **more))


def ask(store: Store, query: str, **arguments: Any) -> list[dict[str, Any]]:
    found = getattr(memscope, query)(store, **arguments)
    return found.to_pylist()


def pools(store: Store) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["device"], row["type"]): row for row in ask(store, "devices")}


@pytest.mark.row("memory", 8)
@pytest.mark.example("memory", "W1")
def test_curve_of_pinned_host_memory(real: Real) -> None:
    store = opened(real("upstream_unit/memscope/host_pinned"))
    (facts,) = ask(store, "facts")
    assert (facts["start_ns"], facts["span_ns"]) == (1779862930549834990, 2611081130)
    points = [(r["t_ns"], r["allocated_bytes"]) for r in ask(store, "curve", device="cpu", kind="HOST_PINNED")]
    assert points == [
        (0, 0), (1664793230, 6356992), (1678246710, 8323072), (1682315430, 11341824), (2286036940, 17698816),
        (2300646260, 19664896), (2304079160, 22683648), (2304104160, 19664896), (2611081130, 19664896),
    ]  # fmt: skip
    inside = ask(store, "curve", device="cpu", kind="HOST_PINNED", from_ns=50, to_ns=90)
    assert [(r["t_ns"], r["allocated_bytes"]) for r in inside] == [(50, 0), (90, 0)]
    pool = pools(store)["cpu", "HOST_PINNED"]
    assert (pool["peak_bytes"], pool["peak_ns"], pool["blocks"]) == (22683648, 2304079160, 6)
    assert (pool["never_freed"], pool["never_freed_bytes"]) == (5, 19664896)


@pytest.mark.row("memory", 23)
@pytest.mark.example("memory", "W1")
def test_blocks_of_pinned_host_memory(real: Real) -> None:
    store = opened(real("upstream_unit/memscope/host_pinned"))
    blocks = ask(store, "blocks", kind="HOST_PINNED")
    freed = [b for b in blocks if not b["never_freed"]]
    assert [(b["address"], b["size_bytes"], b["alloc_ns"], b["free_ns"], b["life_ns"]) for b in freed] == [
        (0x12C080800000, 3018752, 1682315430, 2304104160, 621788730)
    ]
    assert {(b["first_access_ns"], b["last_access_ns"], b["max_gap_ns"]) for b in blocks} == {(None, None, 0)}
    with pytest.raises(NoData, match="Pinned host memory has no owners"):
        ask(store, "breakdown", device="cpu", kind="HOST_PINNED")


@pytest.mark.row("memory", 6)
@pytest.mark.row("memory", 46)
@pytest.mark.example("memory", "W4b")
@pytest.mark.parametrize(("name", "events"), [("810", 330), ("811", 328)])
def test_csv_with_two_processes_and_rows_out_of_order(real: Real, name: str, events: int) -> None:
    store = opened(real(f"memscope_csv/memscope_dump_20250428113{name}.csv"))
    (facts,) = ask(store, "facts")
    assert (facts["events"], facts["span_ns"]) == (events, 10421813)
    found = pools(store)
    columns = ("points", "blocks", "peak_bytes", "peak_ns", "end_bytes", "never_freed")
    assert [found["0", "PTA"][c] for c in columns] == [233, 226, 3663360, 10418834, 3649536, 219]
    assert [found["1", "PTA"][c] for c in columns] == [18, 15, 123904, 10418860, 110080, 12]
    assert [found["0", "HAL"][c] for c in ("points", "blocks", "end_bytes", "never_freed")] == [36, 36, 60165612, 36]
    assert [found["1", "HAL"][c] for c in ("blocks", "end_bytes")] == [2, 18907136]
    assert {b["pid"] for b in ask(store, "blocks", device="0", kind="HAL")} == {2523738, 2523740}


@pytest.mark.row("memory", 47)
@pytest.mark.example("memory", "W4b")
def test_quality_of_the_csv_counts_every_kind(real: Real) -> None:
    store = opened(real("memscope_csv/memscope_dump_20250428113810.csv"))
    found = [(r["reason"], r["device"], r["type"], r["rows"], r["ignored"]) for r in ask(store, "quality")]
    assert found == [
        ("free_without_device", "", "HAL", 3, True),
        ("orphan_free", "1", "PTA", 4, True),
        ("used_differs", "0", "PTA", 22, False),
        ("used_differs", "1", "PTA", 18, False),
    ]
    assert [(r["rows"], r["of"]) for r in ask(store, "quality") if r["reason"] == "used_differs"] == [
        (22, 233),
        (18, 18),
    ]


@pytest.mark.row("memory", 6)
@pytest.mark.row("memory", 47)
@pytest.mark.example("memory", "W4c")
def test_pairing_of_the_synthetic_dump(real: Real) -> None:
    store = opened(real("memscope_synthetic"))
    (facts,) = ask(store, "facts")
    assert (facts["start_ns"], facts["span_ns"], facts["threads"]) == (1754448082000000000, 12188019, 1)
    found = pools(store)
    columns = ("points", "blocks", "peak_bytes", "peak_ns", "end_bytes", "never_freed")
    assert [found["0", "PTA"][c] for c in columns] == [75, 50, 39858176, 5940654, 34615296, 25]
    assert [found["1", "PTA"][c] for c in columns] == [73, 50, 55587328, 12076574, 55585792, 27]
    assert [found[d, "HAL"]["end_bytes"] for d in ("0", "1")] == [268435456, 268435456]
    assert [(r["reason"], r["rows"], r["ignored"]) for r in ask(store, "quality")] == [
        ("orphan_free", 1, True), ("orphan_free", 1, True), ("zero_size_malloc", 1, True), ("zero_size_malloc", 1, True),
    ]  # fmt: skip
    blocks = ask(store, "blocks", kind="PTA")
    assert sum(b["accesses"] == 1 for b in blocks) == 34
    (second,) = [b for b in blocks if b["allocation_id"] == 2]
    assert (second["alloc_ns"], second["first_access_ns"], second["max_gap_ns"]) == (188625, 330537, 0)


@pytest.mark.row("memory", 14)
@pytest.mark.example("memory", "W4c")
@pytest.mark.parametrize(
    ("device", "sizes"),
    [
        ("0", (39858176, 32515584, 16782848, 13635072, 2097664, 7342592)),
        ("1", (55587328, 43000832, 23071744, 12584448, 7344640, 12586496)),
    ],
)
def test_breakdown_at_the_peak(real: Real, device: str, sizes: tuple[int, ...]) -> None:
    found = {r["owner"]: r["size_bytes"] for r in ask(opened(real("memscope_synthetic")), "breakdown", device=device)}
    assert found["HAL"] == 268435456
    names = ("PTA", "PTA@model", "PTA@model@weight", "PTA@model@optimizer_state", "PTA@model@gradient", "PTA@ops@aten")
    assert tuple(found[name] for name in names) == sizes


@pytest.mark.row("memory", 14)
def test_owners_match_by_whole_levels_and_the_rest_is_named(tmp_path: Path) -> None:
    rows = [malloc(0, 1, 0x10, 1000, kind="HAL", owner="CANN@RUNTIME"), malloc(1, 2, 0x20, 300, owner="PTA@my_model")]
    rows += [malloc(2, 3, 0x30, 50, owner="PTA@myXmodel"), malloc(3, 4, 0x40, 20, owner="PTA@my_model@weight")]
    store = made(tmp_path, rows)
    found = {r["owner"]: (r["size_bytes"], r["name"]) for r in ask(store, "breakdown", device="0", at_ns=100)}
    assert found == {
        "HAL": (1000, "Process Total Memory Allocation"), "PTA": (370, "PTA Reserved"), "PTA@my_model": (320, "my_model"),
        "PTA@my_model@weight": (20, "Weight"), "PTA@myXmodel": (50, "myXmodel"), "unattributed": (630, "Unattributed"),
    }  # fmt: skip


@pytest.mark.row("memory", 15)
def test_breakdown_without_owners_says_what_to_collect(tmp_path: Path) -> None:
    with pytest.raises(NoData) as caught:
        ask(made(tmp_path, [malloc(0, 1, 0x10, 100)]), "breakdown", device="0")
    assert caught.value.fix == "Collect at least the events alloc and free with analysis=decompose."


@pytest.mark.row("memory", 7)
def test_processes_and_devices_never_pair_with_each_other(tmp_path: Path) -> None:
    rows = [malloc(0, 1, 0x10, 100, pid=1), malloc(1, 2, 0x10, 200, pid=2), free(2, 3, 0x10, pid=2), free(3, 4, 0x10, device="1", pid=1)]  # fmt: skip
    store = made(tmp_path, rows)
    assert [(b["pid"], b["size_bytes"], b["never_freed"]) for b in ask(store, "blocks")] == [
        (1, 100, True),
        (2, 200, False),
    ]
    assert [r["reason"] for r in ask(store, "quality")] == ["orphan_free"]


@pytest.mark.row("memory", 6)
def test_of_several_malloc_or_free_in_a_row_the_first_counts(tmp_path: Path) -> None:
    rows = [malloc(0, 1, 0x10, 100), malloc(1, 2, 0x10, 999), free(2, 5, 0x10, size=-100), free(3, 6, 0x10, size=100)]
    rows += [malloc(4, 7, 0x10, -40), malloc(5, 8, 0x20, 0)]
    store = made(tmp_path, rows)
    assert [(b["size_bytes"], b["alloc_ns"], b["free_ns"]) for b in ask(store, "blocks")] == [(100, 0, 4), (40, 6, 7)]
    assert [r["allocated_bytes"] for r in ask(store, "curve", device="0", kind="PTA")] == [100, 0, 40, 40]
    assert {r["reason"]: r["rows"] for r in ask(store, "quality")} == {
        "duplicate_malloc": 1, "orphan_free": 1, "zero_size_malloc": 1, "negative_malloc": 1,
    }  # fmt: skip


def test_addresses_above_the_signed_range_are_blocks_like_others(tmp_path: Path) -> None:
    rows = [row(0, "MALLOC", "PTA", 1, ptr="-4096", attr={"size": "8"}), free(1, 2, 2**64 - 4096)]
    (block,) = ask(made(tmp_path, rows), "blocks")
    assert (block["address"], block["never_freed"]) == (2**64 - 4096, False)


def test_a_free_without_a_device_takes_that_of_the_only_live_block(tmp_path: Path) -> None:
    rows = [malloc(0, 1, 0x10, 100, kind="HAL"), malloc(1, 2, 0x20, 50, kind="HAL"), malloc(2, 3, 0x20, 60, kind="HAL", device="1")]  # fmt: skip
    rows += [free(3, 4, 0x10, kind="HAL", device="N/A"), free(4, 5, 0x20, kind="HAL", device="N/A")]
    rows += [malloc(5, 6, 0x30, 70, kind="HAL", device="host"), free(6, 7, 0x30, kind="HAL", device="N/A")]
    store = made(tmp_path, rows)
    assert [(b["device"], b["size_bytes"], b["never_freed"]) for b in ask(store, "blocks")] == [
        ("0", 100, False), ("0", 50, True), ("1", 60, True),
    ]  # fmt: skip
    assert [(r["reason"], r["rows"]) for r in ask(store, "quality")] == [("free_without_device", 1)]


@pytest.mark.row("memory", 9)
def test_pools_tell_what_they_reserve_and_what_the_device_uses(tmp_path: Path) -> None:
    rows = [
        malloc(0, 1, 0x10, 100, total=268435456, used=100, device_used=900),
        free(1, 5, 0x10, total=268435456, used=0),
    ]
    points = ask(made(tmp_path, rows), "curve", device="0", kind="PTA")
    assert [(p["t_ns"], p["allocated_bytes"], p["reserved_bytes"], p["device_used_bytes"]) for p in points] == [
        (0, 100, 268435456, 900),
        (4, 0, 268435456, None),
    ]


# ---- accesses and tags


def block_with(accesses: list[int], folder: Path, *, never: bool = False) -> Store:
    """One block that lives from 0 to 1000."""
    rows = [malloc(0, 0, 0x10, 64, allocation_id=5)]
    rows += [access(i + 1, t, 0x10, 5) for i, t in enumerate(accesses)]
    rows += [row(90, "SYSTEM", "STOP_TRACE", 1000, device="N/A")] if never else [free(90, 1000, 0x10, allocation_id=5)]
    return made(folder, rows)


@pytest.mark.row("memory", 17)
@pytest.mark.example("memory", "W8b")
@pytest.mark.parametrize("never", [False, True])
def test_the_longest_gap_is_between_neighbouring_accesses(tmp_path: Path, never: bool) -> None:
    (block,) = ask(block_with([400, 450, 900], tmp_path, never=never), "blocks")
    assert (block["first_access_ns"], block["last_access_ns"], block["max_gap_ns"]) == (400, 900, 450)
    assert block["accesses"] == 3


@pytest.mark.row("memory", 16)
@pytest.mark.example("memory", "W8")
@pytest.mark.parametrize(
    ("accesses", "arguments", "tags"),
    [
        ([400, 700, 900], {"early_ns": 350}, "early-alloc"),
        ([400, 700, 900], {"early_percent": 40}, ""),
        ([400, 700, 900], {"early_percent": 39}, "early-alloc"),
        ([400, 500], {"late_percent": 49}, "late-free"),
        ([400, 700, 900], {"idle_ns": 299}, "idle"),
        ([400, 700, 900], {"idle_ns": 300}, ""),
        ([400, 700, 900], {"early_percent": 100, "late_percent": 100, "idle_percent": 100}, ""),
        ([400, 700, 900], {"early_ns": 1, "late_ns": 1, "idle_ns": 1}, "early-alloc,late-free,idle"),
    ],
)
def test_thresholds_tag_blocks(tmp_path: Path, accesses: list[int], arguments: dict[str, int], tags: str) -> None:
    store = block_with(accesses, tmp_path)
    assert [b["tags"] for b in ask(store, "blocks", **arguments)] == [tags]
    assert len(ask(store, "blocks", only_tagged=True, **arguments)) == (1 if tags else 0)


@pytest.mark.row("memory", 16)
def test_a_block_without_accesses_is_never_early_or_late(tmp_path: Path) -> None:
    assert [b["tags"] for b in ask(block_with([], tmp_path), "blocks", early_ns=1, late_ns=1, idle_ns=1)] == [""]
    with pytest.raises(BadArgument, match="101 %"):
        ask(block_with([], tmp_path / "b"), "blocks", early_percent=101)


@pytest.mark.row("memory", 18)
def test_tags_of_the_collector_stand_apart(tmp_path: Path) -> None:
    rows = [malloc(0, 1, 0x10, 8, inefficient_type="early_allocation,temporary_idleness")]
    (block,) = ask(made(tmp_path, rows), "blocks")
    assert (block["tags"], block["collector_tags"]) == ("", "early_allocation,temporary_idleness")


def test_accesses_outside_the_life_are_counted_not_used(tmp_path: Path) -> None:
    rows = [access(0, 1, 0x10, 5), malloc(1, 10, 0x10, 64, allocation_id=5), free(2, 20, 0x10), access(3, 30, 0x10, 5)]
    store = made(tmp_path, rows)
    assert [(b["accesses"], b["first_access_ns"]) for b in ask(store, "blocks")] == [(0, None)]
    assert [(r["reason"], r["rows"]) for r in ask(store, "quality")] == [("access_outside", 2)]


# ---- tables


@pytest.mark.row("memory", 21)
@pytest.mark.example("memory", "W5")
def test_tables_filter_by_range_size_and_pool(real: Real) -> None:
    store = opened(real("memscope_synthetic"))
    events = ask(store, "events")
    assert (len(events), events[1]["event"], events[1]["t_ns"]) == (258, "MALLOC", 109268)
    assert events[1]["call_stack_python"] == "/app/train.py(42): step\n/app/train.py(7): main\n"
    inside = ask(store, "events", from_ns=109268, to_ns=188625)
    assert [e["id"] for e in inside] == [1, 2]
    assert len(ask(store, "events", event="ACCESS")) == 34
    small = ask(store, "blocks", device="0", kind="PTA", max_bytes=1536)
    assert {b["size_bytes"] for b in small} == {512, 1536}
    alive = ask(store, "blocks", device="0", kind="PTA", from_ns=188625, to_ns=188625)
    assert [b["allocation_id"] for b in alive] == [2]
    lives = ask(store, "blocks", device="0", kind="PTA", from_ns=200000, to_ns=300000)
    assert [b["allocation_id"] for b in lives] == [2]
    assert ask(store, "blocks", device="0", kind="PTA", from_ns=200000, to_ns=300000, inside=True) == []


def test_names_of_markers_lose_their_quotes(tmp_path: Path) -> None:
    rows = [row(0, "MSTX", "Mark", 5, name='"step start"'), malloc(1, 6, 0x10, 8)]
    assert [(m["type"], m["name"], m["t_ns"]) for m in ask(made(tmp_path, rows), "markers")] == [
        ("Mark", "step start", 0)
    ]


# ---- leaks and stacks

STACK = "train.py(12): step\ntrain.py(3): main\n"


def test_a_block_that_outlives_the_next_step_is_a_suspect(tmp_path: Path) -> None:
    rows = [row(100 + k, "MSTX", "Range_start", 1000 * k, name='"step start"') for k in range(4)]
    rows += [row(200 + k, "MSTX", "Range_end", 1000 * k + 900) for k in range(4)]
    rows += [malloc(1, 100, 0x10, 8, py=STACK)]  # in the first step, which warms up
    rows += [malloc(2, 1100, 0x20, 64, py=STACK), malloc(3, 1200, 0x30, 32, py=STACK), free(4, 2500, 0x30)]
    found = [r for r in ask(made(tmp_path, rows), "leaks") if r["rule"] == "step"]
    assert [(r["group"], r["blocks"], r["size_bytes"]) for r in found] == [("train.py(12): step", 1, 64)]


def test_three_marks_find_driver_memory_that_stays(tmp_path: Path) -> None:
    rows = [row(100 + k, "MSTX", "Mark", 1000 * k, name="m") for k in range(3)]
    rows += [malloc(1, 500, 0x10, 8, kind="HAL"), malloc(2, 1500, 0x20, 8, kind="HAL"), malloc(3, 500, 0x30, 8, kind="HAL"), free(4, 1900, 0x30, kind="HAL")]  # fmt: skip
    found = [r for r in ask(made(tmp_path, rows), "leaks") if r["rule"] == "three marks"]
    assert [(r["blocks"], r["first_alloc_ns"]) for r in found] == [(1, 500)]


def test_growth_is_the_median_slope_of_the_ends_of_steps(tmp_path: Path) -> None:
    rows = [row(100 + k, "MSTX", "Range_start", 1000 * k, name='"step start"') for k in range(5)]
    rows += [row(200 + k, "MSTX", "Range_end", 1000 * k + 900) for k in range(5)]
    rows += [malloc(k, 1000 * k + 10, 0x10 * (k + 1), 100) for k in range(5)]
    found = [r for r in ask(made(tmp_path, rows), "leaks") if r["rule"] == "growth"]
    assert [(r["type"], r["size_bytes"]) for r in found] == [("PTA", 100)]


def test_unreleased_blocks_of_a_range_are_grouped_by_stack_or_owner(tmp_path: Path) -> None:
    rows = [malloc(1, 10, 0x10, 8, py=STACK, owner="PTA@a"), malloc(2, 20, 0x20, 16, py=STACK, owner="PTA@b"), malloc(3, 90, 0x30, 1)]  # fmt: skip
    store = made(tmp_path, rows)
    found = ask(store, "leaks", from_ns=0, to_ns=15)
    assert [(r["rule"], r["group"], r["blocks"], r["size_bytes"]) for r in found] == [
        ("unreleased", "train.py(12): step", 2, 24)
    ]
    assert [r["group"] for r in ask(store, "leaks", by="owner")] == ["PTA@b", "PTA@a", "(no owner)"]


@pytest.mark.row("memory", 20)
def test_a_call_tree_weighs_bytes(tmp_path: Path) -> None:
    other = "opt.py(5): update\ntrain.py(3): main\n"
    rows = [malloc(1, 10, 0x10, 60, py=STACK), malloc(2, 20, 0x20, 30, py=other), malloc(3, 30, 0x30, 10)]
    found = ask(made(tmp_path, rows), "stacks", device="0", kind="PTA")
    assert [(n["depth"], n["name"], n["size_bytes"], n["self_bytes"], n["blocks"]) for n in found] == [
        (0, "train.py(3): main", 90, 0, 2), (0, "(no stack)", 10, 10, 1), (1, "train.py(12): step", 60, 60, 1),
        (1, "opt.py(5): update", 30, 30, 1),
    ]  # fmt: skip
    assert [(round(n["x0"], 6), round(n["x1"], 6)) for n in found] == [(0, 0.9), (0.9, 1.0), (0, 0.6), (0.6, 0.9)]


def test_questions_that_fit_nothing_name_what_there_is(tmp_path: Path) -> None:
    store = made(tmp_path, [malloc(0, 1, 0x10, 100)])
    with pytest.raises(NoData) as caught:
        ask(store, "curve", device="0", kind="ATB")
    assert (caught.value.message, caught.value.fix) == (
        "Device 0 has no allocation of type ATB.", "There are: 0 PTA.",
    )  # fmt: skip
    with pytest.raises(BadArgument, match="ends"):
        ask(store, "curve", device="0", kind="PTA", from_ns=9, to_ns=3)
    with pytest.raises(NoData, match="No MemScope dump is open"):
        memscope.facts(Store())
    assert ask(store, "facts")[0]["start_ns"] - 1 == T0


# ---- Python functions


def calls_of(folder: Path, spans: list[tuple[int, Any]]) -> Store:
    rows = [
        (f"a.py({i}): f{i}", str(T0 + a), b if isinstance(b, str) else str(T0 + b), 7, 7)
        for i, (a, b) in enumerate(spans)
    ]
    return made(
        folder,
        [malloc(0, 0, 0x10, 8), row(9, "SYSTEM", "STOP_TRACE", 100, device="N/A")],
        traces={"python_trace_7": rows},
    )


@pytest.mark.row("memory", 19)
@pytest.mark.example("memory", "W15")
def test_siblings_that_touch_are_one_row(tmp_path: Path) -> None:
    store = calls_of(tmp_path, [(0, 100), (10, 20), (12, 15), (20, 30), (40, 50)])
    found = ask(store, "calls", px=1000)
    assert sorted((c["name"][-2:], c["depth"]) for c in found) == [
        ("f0", 0),
        ("f1", 1),
        ("f2", 2),
        ("f3", 1),
        ("f4", 1),
    ]
    assert [(c["start_ns"], c["end_ns"]) for c in found if c["name"].endswith("f4")] == [(40, 50)]
    assert ask(store, "threads") == [{"track": 0, "pid": "7", "tid": "7", "functions": 5, "depth": 3}]


@pytest.mark.row("memory", 19)
def test_a_function_without_an_end_reaches_to_the_end_and_is_marked(tmp_path: Path) -> None:
    store = calls_of(tmp_path, [(0, 100), (60, "N/A")])
    assert [(c["end_ns"], c["is_open"]) for c in ask(store, "calls", px=500)] == [(100, False), (100, True)]


@pytest.mark.row("memory", 19)
@pytest.mark.example("memory", "W4c")
def test_depths_of_the_synthetic_trace(real: Real) -> None:
    store = opened(real("memscope_synthetic"))
    found = ask(store, "functions")
    assert (found[0]["name"], found[0]["sum_ns"], sum(f["count"] for f in found)) == (
        "/app/train.py(7): main",
        12188019,
        202,
    )
    depths = [0, 0]
    for call in ask(store, "calls", px=2_000_000):
        depths[call["depth"]] += call["functions"]
    assert depths == [1, 201]


def test_short_functions_are_drawn_together(tmp_path: Path) -> None:
    store = calls_of(tmp_path, [(0, 100), *((i, i + 1) for i in range(10, 90))])
    found = [c for c in ask(store, "calls", px=10) if c["depth"] == 1]
    assert sum(c["functions"] for c in found) == 80
    assert len(found) < 10
    with pytest.raises(BadArgument, match="no thread 4"):
        ask(store, "calls", track=4)


# ---- what the block chart draws


@pytest.mark.row("memory", 10)
@pytest.mark.example("memory", "W2")
def test_blocks_lie_on_those_allocated_before_them(real: Real) -> None:
    store = opened(real("upstream_unit/memscope/host_pinned"))
    blocks, ids = chart_blocks(store, store.cards_of("memory")[0].name, "cpu", "HOST_PINNED")
    assert ids.tolist() == [0, 1, 2, 3, 4, 5]
    paths = [path_of(blocks, row) for row in range(6)]
    assert [(int(t[0]), int(y[0])) for t, y in paths] == [
        (1664793230, 0), (1678246710, 6356992), (1682315430, 8323072), (2286036940, 11341824), (2300646260, 17698816),
        (2304079160, 19664896),
    ]  # fmt: skip
    assert [y.tolist()[-1] for _, y in paths] == [0, 6356992, 8323072, 8323072, 14680064, 16646144]
    assert blocks.peak == (2304079160, 22683648)
    # Blocks that were never freed stay to the end without a slide.
    assert blocks.end.tolist() == [2611081131, 2611081131, 2304104160, 2611081131, 2611081131, 2611081131]
    assert blocks.last == 2611081130


@pytest.mark.row("memory", 11)
@pytest.mark.example("memory", "W7")
def test_colours_go_by_the_padded_address(real: Real) -> None:
    store = opened(real("upstream_unit/memscope/host_pinned"))
    blocks, _ = chart_blocks(store, store.cards_of("memory")[0].name, "cpu", "HOST_PINNED")
    assert int(blocks.hash[0]) == 99134083
    assert (blocks.hash % 10).tolist() == [3, 2, 7, 6, 9, 4]


@pytest.mark.row("memory", 49)
def test_a_dump_that_was_read_before_comes_from_the_cache(tmp_path: Path) -> None:
    path = write_db(tmp_path / "memscope_dump_1.db", [malloc(i, i + 1, 0x1000 * (i + 1), 512) for i in range(20_000)])
    _, (first,) = import_paths([path])
    _, (second,) = import_paths([path])
    assert (first.cached, second.cached, second.status) == (False, True, "ready")
    assert second.seconds < 1.0


# ---- two dumps


def test_two_dumps_differ_by_what_lives_at_the_end_or_at_the_peak(tmp_path: Path) -> None:
    one = [malloc(0, 1, 0x10, 100, owner="PTA@a"), malloc(1, 2, 0x20, 900, owner="PTA@b"), free(2, 3, 0x20)]
    two = [malloc(0, 1, 0x10, 100, owner="PTA@a"), malloc(1, 2, 0x20, 50, owner="PTA@a"), malloc(2, 3, 0x30, 7)]
    paths = [write_db(tmp_path / f"memscope_dump_{i}.db", rows) for i, rows in ((1, one), (2, two))]
    _, items = import_paths(paths, fresh=True)
    store = Store([StoreCard.of_import(item) for item in items])
    names = {"base": "memscope_dump_1", "card": "memscope_dump_2"}

    def told(**more: str) -> list[tuple[Any, ...]]:
        rows = ask(store, "compare", **names, **more)
        return [(r["group"], r["base_bytes"], r["size_bytes"], r["delta_bytes"], r["delta_blocks"]) for r in rows]

    assert told() == [("PTA@a", 100, 150, 50, 1), ("(no owner)", 0, 7, 7, 1)]
    assert told(rule="peak") == [("PTA@a", 100, 150, 50, 1), ("(no owner)", 0, 7, 7, 1), ("PTA@b", 900, 0, -900, -1)]
    assert told(by="type") == [("PTA", 100, 157, 57, 2)]
    with pytest.raises(BadArgument, match="no MemScope dump 'x'"):
        ask(store, "compare", base="x", card="memscope_dump_1")


def test_the_comparison_of_the_collector_is_a_table(tmp_path: Path) -> None:
    store = made(tmp_path / "alone", [malloc(0, 10, 0x100, 512)])
    with pytest.raises(NoData, match="No comparison by the collector"):
        memscope.compare_file(store)
    (tmp_path / "memory_compare_1.csv").write_text(
        ",,,Base,Compare\nEvent,Name,Device Id,Allocated Memory(byte),Allocated Memory(byte),Diff Memory(byte)\n"
        "OP_LAUNCH,add,0,512,N/A,-512\n"
    )
    assert ask(made(tmp_path, [malloc(0, 10, 0x100, 512)]), "compare_file") == [
        {
            "file": "memory_compare_1.csv", "event": "OP_LAUNCH", "name": "add", "device": "0", "base_bytes": 512,
            "compare_bytes": None, "allocated_bytes": None, "diff_bytes": -512,
        }
    ]  # fmt: skip


_FAR = 400 * 86_400 * 10**9


@pytest.mark.parametrize("far", [-T0 + 7, -_FAR, _FAR])
@pytest.mark.parametrize("ending", ["db", "csv"])
def test_one_absurd_time_stretches_no_axis_and_its_row_stays(tmp_path: Path, far: int, ending: str) -> None:
    rows = [
        malloc(0, 0, 0x10, 512), malloc(1, 100, 0x20, 1024), free(2, 400, 0x20), malloc(3, far, 0x30, 256),
        malloc(4, 900, 0x40, 128), row(5, "SYSTEM", "STOP_TRACE", 1000, device="N/A"),
    ]  # fmt: skip
    path = tmp_path / f"memscope_dump_1.{ending}"
    if ending == "db":
        write_db(path, rows)
    else:
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *rows])
    _, (item,) = import_paths([path], fresh=True)
    assert [(i["code"], i["count"]) for i in item.issues] == [("memscope.far_time", 1)]
    store = Store([StoreCard.of_import(item)])
    (facts,) = ask(store, "facts")
    assert (facts["start_ns"], facts["span_ns"], facts["events"]) == (T0, 1000, 6)
    assert {e["id"]: e["t_ns"] for e in ask(store, "events")} == {0: 0, 1: 100, 2: 400, 3: far, 4: 900, 5: 1000}
    points = ask(store, "curve", device="0", kind="PTA")
    before = 256 if far < 0 else 0
    assert [(p["t_ns"], p["allocated_bytes"] - before) for p in points] == [
        (0, 512), (100, 1536), (400, 512), (900, 640), (1000, 640),
    ]  # fmt: skip
    lives = {b["address"]: (b["alloc_ns"], b["free_ns"]) for b in ask(store, "blocks")}
    assert lives == {0x10: (0, 1000), 0x20: (100, 400), 0x30: (far, max(far, 1000)), 0x40: (900, 1000)}
    drawn, _ = chart_blocks(store, store.cards_of("memory")[0].name, "0", "PTA")
    assert (drawn.first, drawn.last) == (0, 1000)
