"""Search: four ways to match, order of the hits, instants, several cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import search
from insight_desktop.errors import BadArgument

NAMES = ["aten::matmul", "MatMul", "matmul_bwd", "a%b", "a_b", "axb", "Größe", "grösse", "matmul"]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    rows = [{"pid": 1, "tid": 1, "name": n, "start_ns": 10 * i, "end_ns": 10 * i + 5} for i, n in enumerate(NAMES)]
    build(tmp_path / "0", slices=rows, instants=[{"pid": 1, "tid": 1, "name": "matmul mark", "ts_ns": 12}])
    return Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])


def names(store: Store, text: str, **options: object) -> list[str]:
    return search.find(store, text, **options)["name"].to_pylist()  # type: ignore[arg-type]


@pytest.mark.row("system-timeline", 90)
@pytest.mark.parametrize(
    ("text", "match", "case", "found"),
    [
        ("matmul", "contains", False, ["aten::matmul", "MatMul", "matmul mark", "matmul_bwd", "matmul"]),
        ("matmul", "contains", True, ["aten::matmul", "matmul mark", "matmul_bwd", "matmul"]),
        ("matmul", "name", False, ["MatMul", "matmul"]),
        ("matmul", "name", True, ["matmul"]),
        ("matmul", "word", False, ["aten::matmul", "MatMul", "matmul mark", "matmul"]),
        ("MatMul", "word", True, ["MatMul"]),
        ("%", "contains", False, ["a%b"]),
        ("_", "contains", False, ["matmul_bwd", "a_b"]),
        ("a.b", "contains", False, []),
        ("a.b", "name", False, []),
        ("^a.b$", "regex", False, ["a%b", "a_b", "axb"]),
        ("ma(?=tmul_)", "regex", False, ["matmul_bwd"]),
        ("M", "regex", True, ["MatMul"]),
        ("GRÖSSE", "contains", False, ["grösse"]),
        ("größe", "name", False, ["Größe"]),
    ],
)
def test_match_modes(store: Store, text: str, match: str, case: bool, found: list[str]) -> None:
    assert names(store, text, match=match, case=case) == found


@pytest.mark.row("system-timeline", 90)
def test_an_expression_that_cannot_be_read_is_told_with_its_position(store: Store) -> None:
    with pytest.raises(BadArgument, match="position 2"):
        search.find(store, "ab(", match="regex")
    with pytest.raises(BadArgument, match="contains, name, word, regex"):
        search.find(store, "x", match="fuzzy")  # type: ignore[arg-type]


@pytest.mark.row("system-timeline", 90)
def test_hits_go_by_shown_start_then_lane_then_id_over_all_cards(store: Store, tmp_path: Path) -> None:
    rows = [
        {"pid": 1, "tid": t, "name": "matmul", "start_ns": s, "end_ns": s + e}
        for t, s, e in ((2, 5, 1), (1, 5, 9), (1, 5, 1), (1, 500, 1))
    ]
    build(tmp_path / "1", slices=rows)
    store.put(StoreCard("1", "1", 1, "", "text", tmp_path / "1", offset_ns=5))
    found = search.find(store, "matmul", match="name", case=True)
    assert [(r["card"], r["ts_ns"], r["track"], r["id"]) for r in found.to_pylist()] == [
        ("1", 5, 0, 0),
        ("1", 5, 0, 2),
        ("1", 5, 1, 3),
        ("0", 80, 0, 8),
        ("1", 500, 0, 1),
    ]
    assert search.find(store, "matmul", card="1", limit=2).num_rows == 2


def test_instants_have_ids_behind_the_slices(store: Store) -> None:
    row = search.find(store, "mark").to_pylist()[0]
    assert (row["id"], row["ts_ns"], row["dur_ns"], row["track"]) == (len(NAMES), 12, 0, 0)


def test_no_card_and_no_hit_give_an_empty_table(store: Store) -> None:
    assert search.find(Store(), "x").num_rows == 0
    assert search.find(store, "nothing like it").column_names == ["card", "id", "track", "ts_ns", "dur_ns", "name"]
