"""Colours of the block chart by a property, and the events of one block."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.memscope_files import access, free, malloc, write_db

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.memory import memscope
from insight_desktop.engine.memory.memscope_look import By, look
from insight_desktop.engine.store import Store, StoreCard


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Four blocks: 2 MiB of weights, 1 MiB of operators, 512 B without owner and never freed, 512 B of operators."""
    rows = [
        malloc(0, 0, 0x10, 2 << 20, allocation_id=1, owner="PTA@model@weight"), access(1, 600, 0x10, 1),
        access(2, 700, 0x10, 1), free(3, 20_000, 0x10), malloc(4, 100, 0x20, 1 << 20, owner="PTA@ops@aten"),
        free(5, 200, 0x20), malloc(6, 900, 0x30, 512), malloc(7, 950, 0x10, 512, kind="HAL"),
        malloc(8, 300, 0x20, 512, owner="PTA@ops@other"), free(9, 20_000_300, 0x20),
    ]  # fmt: skip
    _, items = import_paths([write_db(tmp_path / "memscope_dump_1.db", rows)], fresh=True)
    return Store([StoreCard.of_import(item) for item in items])


@pytest.mark.parametrize(
    ("by", "numbers", "legend"),
    [
        ("owner1", [0, 0, 0, 1], [("PTA", 0), ("(none)", 1)]),
        ("owner2", [0, 1, 1, 2], [("PTA@model", 0), ("PTA@ops", 1), ("(none)", 2)]),
        ("owner3", [0, 1, 2, 3], [("PTA@model@weight", 0), ("PTA@ops@aten", 1), ("PTA@ops@other", 2), ("(none)", 3)]),
        ("thread", [0, 0, 0, 0], [("7", 0)]),
        ("size", [3, 3, 0, 0], [("< 1 KiB", 0), ("< 16 MiB", 3)]),
        ("life", [1, 0, 3, 6], [("< 10 µs", 0), ("< 1 ms", 1), ("< 100 ms", 3), ("never freed", 6)]),
        ("tag", [0, 1, 1, 1], [("early-alloc", 0), ("(none)", 1)]),
    ],
)
def test_blocks_of_one_kind_have_one_number(
    store: Store, by: By, numbers: list[int], legend: list[tuple[str, int]]
) -> None:
    found = look(store, "memscope_dump_1", "0", "PTA", by=by, thresholds={"early_ns": 500})
    assert found.numbers.tolist() == numbers
    assert list(found.legend) == legend
    assert found.tagged.tolist() == [True, False, False, False]


@pytest.mark.row("memory", 11)
def test_addresses_have_the_colour_of_their_text(store: Store) -> None:
    found = look(store, "memscope_dump_1", "0", "PTA")

    def djb2(text: str) -> int:
        h = 5381
        for c in text:
            h = (h * 33 + ord(c)) % 2**32
        return h

    assert found.numbers.tolist() == [djb2(f"{n:016x}") for n in (0x10, 0x20, 0x20, 0x30)]
    assert found.legend == ()


def test_events_of_a_block_are_its_own(store: Store) -> None:
    assert memscope.block_events(store, block_id=0)["id"].to_pylist() == [0, 1, 2, 3]
    assert memscope.block_events(store, block_id=3)["event"].to_pylist() == ["MALLOC"]
