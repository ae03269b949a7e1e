"""Rows of a MemScope dump without a partner that count when the user wants it: blocks from before tracing, implicit frees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.memscope_files import access, free, malloc, row, write_db

from insight_desktop.engine.load import CardImport, import_paths
from insight_desktop.engine.memory import memscope, memscope_look
from insight_desktop.engine.memory.memscope_chart import chart_blocks
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import NoData

Real = Callable[[str], Path]

BEFORE, IMPLICIT = "before-tracing", "implicit-free"
# 0x20 and 0x50 were there before; the other FREE rows cannot be of such blocks.
FREES = [
    row(0, "SYSTEM", "START_TRACE", 0, device="N/A"),
    malloc(1, 100, 0x10, 100, owner="PTA@model", py="train.py(1): main\n"),
    access(2, 150, 0x20, 9), free(3, 200, 0x20, size=-300, allocation_id=9, total=4096, used=100),
    free(4, 300, 0x10), free(5, 400, 0x10, size=100),  # a second FREE
    free(6, 500, 0x30),  # no size
    malloc(7, 600, 0x40, 0), free(8, 700, 0x40, size=64),  # its MALLOC is there
    free(9, 800, 0x50, size=40, kind="HAL"),
    malloc(10, 900, 0x20, 50), row(11, "SYSTEM", "STOP_TRACE", 1000, device="N/A"),
]  # fmt: skip
MALLOCS = [
    malloc(0, 0, 0x10, 100, allocation_id=1, py="first\n"), access(1, 5, 0x10, 1),
    malloc(2, 10, 0x10, 200, allocation_id=2, py="second\n"), access(3, 15, 0x10, 2),
    malloc(4, 18, 0x10, 0),  # no block, so it ends none
    free(5, 20, 0x10), free(6, 25, 0x10, size=200),
    malloc(7, 30, 0x20, 8), malloc(8, 40, 0x20, 16), row(9, "SYSTEM", "STOP_TRACE", 100, device="N/A"),
]  # fmt: skip


def read(path: Path, pairing: str = "") -> tuple[Store, CardImport]:
    _, (item,) = import_paths([path], fresh=True, options={"pairing": pairing} if pairing else None)
    assert item.status == "ready", item.message
    return Store([StoreCard.of_import(item)]), item


def made(folder: Path, rows: list[Any], pairing: str = "") -> Store:
    return read(write_db(folder / "memscope_dump_1.db", rows), pairing)[0]


def ask(store: Store, query: str, **arguments: Any) -> list[dict[str, Any]]:
    found = getattr(memscope, query)(store, **arguments)
    return list(found.to_pylist())


def curve(store: Store, kind: str = "PTA", device: str = "0") -> list[tuple[int, int]]:
    return [(r["t_ns"], r["allocated_bytes"]) for r in ask(store, "curve", device=device, kind=kind)]


def lives(store: Store, **arguments: Any) -> list[tuple[int, int, int, bool]]:
    blocks = ask(store, "blocks", **arguments)
    return [(b["size_bytes"], b["alloc_ns"], b["free_ns"], b["never_freed"]) for b in blocks]


def quality(store: Store) -> dict[tuple[str, str], tuple[int, bool]]:
    return {(r["reason"], r["type"]): (r["rows"], r["ignored"]) for r in ask(store, "quality")}


@pytest.mark.row("memory", 6)
def test_by_default_rows_without_a_partner_change_nothing(tmp_path: Path) -> None:
    store = made(tmp_path / "a", FREES)
    assert lives(store) == [(100, 100, 300, False), (50, 900, 1000, True)]
    assert curve(store) == [(0, 0), (100, 100), (300, 0), (900, 50), (1000, 50)]
    assert quality(store) == {
        ("access_outside", "READ"): (1, False), ("orphan_free", "HAL"): (1, True), ("orphan_free", "PTA"): (4, True),
        ("zero_size_malloc", "PTA"): (1, True),
    }  # fmt: skip
    store = made(tmp_path / "b", MALLOCS)
    assert lives(store) == [(100, 0, 20, False), (8, 30, 100, True)]
    assert curve(store) == [(0, 100), (20, 0), (30, 8), (100, 8)]


@pytest.mark.row("memory", 6)
@pytest.mark.row("memory", 47)
def test_a_free_on_an_unused_address_ends_a_block_that_lived_since_the_start(tmp_path: Path) -> None:
    store, item = read(write_db(tmp_path / "memscope_dump_1.db", FREES), BEFORE)
    assert lives(store) == [(300, 0, 200, False), (40, 0, 800, False), (100, 100, 300, False), (50, 900, 1000, True)]
    assert curve(store) == [(0, 300), (100, 400), (200, 100), (300, 0), (900, 50), (1000, 50)]
    assert curve(store, "HAL") == [(0, 40), (800, 0), (1000, 0)]
    pools = {r["type"]: r for r in ask(store, "devices")}
    columns = ("blocks", "points", "peak_bytes", "peak_ns", "end_bytes", "never_freed", "never_freed_bytes")
    assert [pools["PTA"][c] for c in columns] == [3, 5, 400, 100, 50, 1, 50]
    assert [pools["HAL"][c] for c in columns] == [1, 2, 40, 0, 0, 0, 0]
    assert quality(store) == {
        ("block_before_tracing", "HAL"): (1, False), ("block_before_tracing", "PTA"): (1, False),
        ("orphan_free", "PTA"): (3, True), ("zero_size_malloc", "PTA"): (1, True),
    }  # fmt: skip
    told = {i["code"]: (i["severity"], i["count"], i["message"]) for i in item.issues}
    assert told["memscope.block_before_tracing"] == (
        "info", 2, "FREE rows without a MALLOC before count as ends of blocks from before tracing, as you chose.",
    )  # fmt: skip
    assert told["memscope.orphan_free"][:2] == ("warning", 3)


def test_a_block_from_before_tracing_has_what_its_free_tells_and_no_malloc(tmp_path: Path) -> None:
    store = made(tmp_path, FREES, BEFORE)
    block, *_ = ask(store, "blocks")
    assert (block["address"], block["device"], block["type"], block["pid"], block["tid"]) == (0x20, "0", "PTA", 7, 7)
    assert (block["allocation_id"], block["owner"], block["collector_tags"]) == (9, "", "")
    assert (block["alloc_event"], block["free_event"], block["stack_py"], block["stack_c"]) == (-1, 3, -1, -1)
    assert (block["accesses"], block["first_access_ns"], block["last_access_ns"]) == (1, 150, 150)
    assert [(e["event"], e["t_ns"]) for e in ask(store, "block_events", block_id=0)] == [("ACCESS", 150), ("FREE", 200)]
    assert set(ask(store, "block_stacks", block_id=0)[0].values()) == {""}
    reserved = ask(store, "curve", device="0", kind="PTA")
    assert [r["reserved_bytes"] for r in reserved[:3]] == [None, None, 4096]


def test_a_free_without_an_id_takes_the_accesses_of_its_address(tmp_path: Path) -> None:
    rows = [access(0, 10, 0x20, 9), access(1, 30, 0x20, 9), free(2, 40, 0x20, size=8), access(3, 50, 0x20, 9)]
    rows += [access(4, 20, 0x10, 5), malloc(5, 0, 0x10, 8, allocation_id=5)]
    store = made(tmp_path, rows, BEFORE)
    blocks = {b["address"]: b for b in ask(store, "blocks")}
    columns = ("accesses", "first_access_ns", "last_access_ns", "max_gap_ns")
    assert [blocks[0x20][c] for c in columns] == [2, 10, 30, 20]
    assert [blocks[0x10][c] for c in columns] == [1, 20, 20, 0]
    assert quality(store)["access_outside", "READ"] == (1, False)


def test_what_was_there_before_was_not_allocated_in_a_range_and_is_no_leak(tmp_path: Path) -> None:
    store = made(tmp_path, FREES, BEFORE)
    (suspect,) = ask(store, "leaks", kind="PTA", from_ns=0, to_ns=100)
    assert (suspect["rule"], suspect["blocks"], suspect["size_bytes"]) == ("unreleased", 1, 100)
    assert ask(store, "leaks", kind="HAL", from_ns=0, to_ns=100) == []
    asked = {"device": "0", "kind": "PTA", "from_ns": 50, "to_ns": 150}
    sizes = {
        rule: [(r["name"], r["size_bytes"]) for r in ask(store, "stacks", rule=rule, **asked)]
        for rule in ("peak", "alive", "allocated", "unreleased")
    }
    assert sizes == {
        "peak": [("(no stack)", 300), ("train.py(1): main", 100)], "alive": [("(no stack)", 300)],
        "allocated": [("train.py(1): main", 100)], "unreleased": [("train.py(1): main", 100)],
    }  # fmt: skip
    assert lives(store, kind="PTA", from_ns=0, to_ns=100, inside=True) == [(100, 100, 300, False)]
    assert lives(store, kind="PTA", from_ns=0, to_ns=50) == [(300, 0, 200, False)]


def test_breakdown_chart_colours_and_tags_know_blocks_from_before_tracing(tmp_path: Path) -> None:
    store = made(tmp_path, FREES, BEFORE)
    card = store.every_card[0].name
    found = {r["owner"]: (r["size_bytes"], r["blocks"]) for r in ask(store, "breakdown", device="0", at_ns=150)}
    assert found == {"HAL": (40, 3), "PTA": (100, 1), "PTA@model": (100, 1)}
    with pytest.raises(NoData, match="no owner"):
        ask(store, "breakdown", device="0", at_ns=50)
    blocks, ids = chart_blocks(store, card, "0", "PTA")
    assert ids.tolist() == [0, 2, 3]
    assert (blocks.start.tolist(), blocks.end.tolist()) == ([0, 100, 900], [200, 300, 1001])
    assert blocks.peak == (100, 400)
    # The first access may have been before tracing; the last one is known.
    thresholds = {"early_ns": 10, "late_ns": 40}
    assert [b["tags"] for b in ask(store, "blocks", kind="PTA", **thresholds)] == ["late-free", "", ""]
    assert memscope_look.look(store, card, "0", "PTA", thresholds={"early_ns": 10}).tagged.tolist() == [False] * 3
    assert memscope_look.look(store, card, "0", "PTA", thresholds={"late_ns": 40}).tagged.tolist() == [
        True,
        False,
        False,
    ]


@pytest.mark.row("memory", 6)
@pytest.mark.row("memory", 47)
def test_a_malloc_of_a_block_that_lives_ends_it_and_begins_another(tmp_path: Path) -> None:
    store, item = read(write_db(tmp_path / "memscope_dump_1.db", MALLOCS), IMPLICIT)
    assert lives(store) == [(100, 0, 10, False), (200, 10, 20, False), (8, 30, 40, False), (16, 40, 100, True)]
    assert curve(store) == [(0, 100), (10, 200), (20, 0), (30, 8), (40, 16), (100, 16)]
    (pool,) = ask(store, "devices")
    assert [pool[c] for c in ("points", "peak_bytes", "end_bytes", "never_freed")] == [5, 200, 16, 1]
    assert [(b["alloc_event"], b["free_event"]) for b in ask(store, "blocks")] == [(0, -1), (2, 5), (7, -1), (8, -1)]
    assert [(b["accesses"], b["first_access_ns"]) for b in ask(store, "blocks")][:2] == [(1, 5), (1, 15)]
    assert quality(store) == {
        ("implicit_free", "PTA"): (2, False), ("orphan_free", "PTA"): (1, True), ("zero_size_malloc", "PTA"): (1, True),
    }  # fmt: skip
    told = {i["code"]: (i["severity"], i["count"], i["message"]) for i in item.issues}
    assert told["memscope.implicit_free"] == (
        "info", 2, "MALLOC rows of blocks that live already end these blocks and begin new ones, as you chose.",
    )  # fmt: skip


def test_a_block_that_a_malloc_ended_has_no_free(tmp_path: Path) -> None:
    store = made(tmp_path, MALLOCS, IMPLICIT)
    assert [(e["event"], e["t_ns"]) for e in ask(store, "block_events", block_id=0)] == [("MALLOC", 0), ("ACCESS", 5)]
    (stacks,) = ask(store, "block_stacks", block_id=0)
    assert (stacks["malloc_python"], stacks["free_python"]) == ("first\n", "")
    suspects = [(r["rule"], r["blocks"], r["size_bytes"]) for r in ask(store, "leaks")]
    assert suspects == [("unreleased", 1, 16)]
    blocks, _ = chart_blocks(store, store.every_card[0].name, "0", "PTA")
    assert blocks.peak == (10, 200)  # never both at once


def test_both_options_keep_their_rows_apart(tmp_path: Path) -> None:
    rows = [malloc(0, 0, 0x10, 1, pid=1), free(1, 5, 0x20, size=64), malloc(2, 10, 0x20, 8), malloc(3, 20, 0x20, 16)]
    rows += [free(4, 30, 0x20), free(5, 40, 0x20, size=16), free(6, 50, 0x20, size=4, pid=1)]
    store = made(tmp_path, rows, f"{IMPLICIT},{BEFORE}")
    assert lives(store) == [
        (64, 0, 5, False),
        (4, 0, 50, False),
        (1, 0, 50, True),
        (8, 10, 20, False),
        (16, 20, 30, False),
    ]
    assert curve(store) == [(0, 68), (0, 69), (5, 5), (10, 13), (20, 21), (30, 5), (50, 1)]
    assert quality(store) == {
        ("block_before_tracing", "PTA"): (2, False), ("implicit_free", "PTA"): (1, False), ("orphan_free", "PTA"): (1, True),
    }  # fmt: skip


def test_blocks_on_hidden_or_unknown_devices_stay_out(tmp_path: Path) -> None:
    rows = [malloc(0, 0, 0x10, 1), free(1, 5, 0x20, size=64, device="host"), free(2, 6, 0x30, size=64, device="N/A")]
    store = made(tmp_path, rows, BEFORE)
    assert lives(store) == [(1, 0, 6, True)]
    assert quality(store) == {("free_without_device", "PTA"): (1, True)}


@pytest.mark.example("memory", "W4c")
def test_the_synthetic_dump_begins_with_its_two_frees_without_a_malloc(real: Real) -> None:
    store, _ = read(real("memscope_synthetic"), BEFORE)
    pools = {(r["device"], r["type"]): r for r in ask(store, "devices")}
    columns = ("points", "blocks", "peak_bytes", "peak_ns", "end_bytes", "never_freed")
    assert [pools["0", "PTA"][c] for c in columns] == [77, 51, 39858240, 5940654, 34615296, 25]
    assert [pools["1", "PTA"][c] for c in columns] == [75, 51, 55587392, 12076574, 55585792, 27]
    before = [b for b in ask(store, "blocks") if b["alloc_event"] < 0]
    columns = ("device", "address", "size_bytes", "alloc_ns", "free_ns", "free_event", "allocation_id", "pid")
    assert [[b[c] for c in columns] for b in before] == [
        ["0", 0xDEAD000, 64, 0, 6251162, 128, 999, 4242], ["1", 0xDEAD000, 64, 0, 12114747, 255, 999, 4242],
    ]  # fmt: skip
    assert curve(store)[:2] == [(0, 64), (188625, 1600)]
    # The pool sizes that the file tells do not know the two blocks.
    found = {(r["reason"], r["device"]): (r["rows"], r["ignored"]) for r in ask(store, "quality")}
    assert found == {
        ("block_before_tracing", "0"): (1, False), ("block_before_tracing", "1"): (1, False), ("used_differs", "0"): (75, False),
        ("used_differs", "1"): (73, False), ("zero_size_malloc", "0"): (1, True), ("zero_size_malloc", "1"): (1, True),
    }  # fmt: skip
    assert [r["of"] for r in ask(store, "quality") if r["reason"] == "used_differs"] == [76, 74]  # not of 77 points
    sizes = {r["owner"]: r["size_bytes"] for r in ask(store, "breakdown", device="0")}
    assert (sizes["HAL"], sizes["PTA"]) == (268435456, 39858176)  # nothing tells who owned the block from before


@pytest.mark.example("memory", "W4b")
def test_four_blocks_of_the_csv_lived_before_it_began(real: Real) -> None:
    store, _ = read(real("memscope_csv/memscope_dump_20250428113810.csv"), f"{BEFORE},{IMPLICIT}")
    pools = {(r["device"], r["type"]): r for r in ask(store, "devices")}
    columns = ("points", "blocks", "peak_bytes", "peak_ns", "end_bytes", "never_freed")
    assert [pools["0", "PTA"][c] for c in columns] == [233, 226, 3663360, 10418834, 3649536, 219]
    assert [pools["1", "PTA"][c] for c in columns] == [23, 19, 123904, 10418860, 110080, 12]
    assert curve(store, device="1")[:1] == [(0, 2048)]
    found = {(r["reason"], r["device"]): (r["rows"], r["of"]) for r in ask(store, "quality")}
    assert found["used_differs", "1"] == (22, 22)
    assert found["free_without_device", ""][0] == 3
    ends = [b["free_ns"] for b in ask(store, "blocks") if b["alloc_event"] < 0]
    assert ends == [10020041, 10020127, 10020204, 10020279]
