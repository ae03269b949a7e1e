"""On-chip memory: the plan, the allocator, the banks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support import operator_bins as bins

from insight_desktop.engine.operator import banks, on_chip_memory
from insight_desktop.engine.operator.allocator import Allocator, replay
from insight_desktop.errors import BadArgument

SPEC = "operator"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSIGHT_HOME", str(tmp_path / "home"))


def info(**changes: Any) -> dict[str, Any]:
    return {
        "alloc_time_in_ir": 12, "buffer": "%5", "extent": 65536, "is_tmpbuf": False, "life_time_in_ir": [12, 40],
        "offset": [0, 8192], "source_location": "k.py:17",
    } | changes  # fmt: skip


@pytest.mark.row(SPEC, 56)
@pytest.mark.example(SPEC, 19)
def test_allocator_takes_the_first_piece_that_fits() -> None:
    memory = Allocator()
    assert [memory.alloc(100), memory.alloc(200)] == [0, 100]
    memory.free(0, 100)
    assert [memory.alloc(50), memory.alloc(50), memory.alloc(100)] == [0, 50, 300]


def test_freed_neighbours_join_and_the_top_sinks() -> None:
    memory = Allocator()
    a, b, c = memory.alloc(10), memory.alloc(20), memory.alloc(30)
    memory.free(a, 10)
    memory.free(c, 30)
    assert memory.top == 30
    memory.free(b, 20)
    assert memory.top == 0
    assert memory.alloc(0) == 0


@pytest.mark.row(SPEC, 56)
@pytest.mark.example(SPEC, 19)
def test_blocks_get_their_addresses_in_the_order_of_time() -> None:
    assert replay([(10, 20, 100), (15, 30, 200), (25, 40, 150)]) == [0, 100, 300]
    # Freed before the next is allocated at the same line; a block of one line leaves nothing behind.
    assert replay([(1, 5, 100), (5, 9, 100), (5, 5, 30), (6, 7, 10)]) == [0, 0, 100, 100]


@pytest.mark.row(SPEC, 57)
@pytest.mark.example(SPEC, 24)
def test_place_of_an_address_in_the_banks() -> None:
    assert banks.place(70_000) == (27, 8)
    assert banks.place(0) == (0, 0)
    assert banks.place(banks.BYTES - 1) == (47, 127)
    found = list(banks.cells(16, 64))
    assert [(c.bank, c.row, c.left, c.width) for c in found] == [(0, 0, 0.5, 0.5), (1, 0, 0.0, 1.0), (2, 0, 0.0, 0.5)]
    assert list(banks.cells(banks.BYTES, 64)) == []
    assert banks.BYTES == 192 * 1024


@pytest.mark.row(SPEC, 55, 58)
def test_plan_becomes_blocks_of_bytes(tmp_path: Path) -> None:
    plan = {
        "Header": {"KernelName": "k"},
        "Record": [
            {"scope": "UB", "status": "success", "memory_info_array": [info(), info(buffer="%6", life_time_in_ir=[3])]},
            {"scope": "L1", "status": "fail", "err_msg": "too large", "memory_info_array": []},
        ],
    }
    path = bins.write(tmp_path / "plan", json.dumps(plan).encode(), "memory_info.json")
    store = bins.opened(path)
    scopes = on_chip_memory.scopes(store).to_pylist()
    assert [(r["kernel"], r["scope"], r["status"], r["error"]) for r in scopes] == [
        ("k", "UB", "success", ""),
        ("k", "L1", "fail", "too large"),
    ]
    rows = on_chip_memory.blocks(store).to_pylist()
    assert [
        (r["id"], r["buffer"], r["address_bytes"], r["size_bytes"], r["start_line"], r["end_line"]) for r in rows
    ] == [
        ("012", "%5", 0, 8192, 12, 40),
        ("819212", "%5", 8192, 8192, 12, 40),
        ("00", "%6", 0, 8192, 0, 0),
        ("00", "%6", 0, 8192, 0, 0),
    ]
    assert on_chip_memory.blocks(store, scope="L1").num_rows == 0
    assert on_chip_memory.blocks(store, from_line=12, to_line=40).num_rows == 2
    assert on_chip_memory.blocks(store, from_line=12, to_line=41).num_rows == 0
    assert on_chip_memory.peak(store).to_pylist()[0] == {"line": 0, "used_bytes": 16384}
    with pytest.raises(BadArgument, match="Invalid range: start timestamp is greater than end time"):
        on_chip_memory.blocks(store, from_line=5, to_line=4)
    with pytest.raises(BadArgument, match="UB, L1"):
        on_chip_memory.blocks(store, scope="L0A")
