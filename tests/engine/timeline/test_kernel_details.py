"""Kernel Details and Operator Details: columns, filters, waits, jumps, and groups against SQL over the same table."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.engine.timeline.test_overall import KERNELS, write_run
from tests.support.memory_files import open_store
from tests.support.operator_files import fixture_store

from insight_desktop.engine import tables
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import timeline
from insight_desktop.errors import BadArgument


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row("system-timeline", *numbers)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return fixture_store(tmp_path / "run")


def names(store: Store, **arguments: Any) -> list[str]:
    return [str(name) for name in timeline.kernel_details(store, **arguments).column("name").to_pylist()]


@row(73)
def test_kernels_longest_first_with_their_columns(store: Store) -> None:
    found = timeline.kernel_details(store)
    assert found.column_names == [
        "id", "name", "type", "core", "ts_ns", "dur_ns", "whole_ns", "wait_ns", "block_num", "input_shapes", "input_types",
        "input_formats", "output_shapes", "output_types", "output_formats",
    ]  # fmt: skip
    assert found.column("name").to_pylist() == [
        "hcom_allReduce__1_0", "hcom_allReduce__1_1", "cast_c", "mm_b", "mm_a", "cast_a", "cast_a",
    ]  # fmt: skip
    assert found.slice(3, 1).to_pylist() == [
        {
            "id": None, "name": "mm_b", "type": "MatMul", "core": "AI_CORE", "ts_ns": 2_011_000, "dur_ns": 20_003,
            "whole_ns": 20_003, "wait_ns": 872, "block_num": 24, "input_shapes": '"16,16;16,16"',
            "input_types": "FLOAT16;FLOAT16", "input_formats": "ND;ND", "output_shapes": '"16,16"',
            "output_types": "FLOAT16", "output_formats": "ND",
        }
    ]  # fmt: skip


@row(73)
def test_filters_contain_the_text_and_sorting_takes_any_column(store: Store) -> None:
    assert names(store, name="MM_") == ["mm_b", "mm_a"]
    assert names(store, type="cast", core="cpu") == ["cast_c"]
    assert names(store, input_shapes="16,16") == ["mm_b", "mm_a"]
    assert names(store, output_types="float16", input_types="float;") == []
    assert names(store, output_formats="nd", input_types="float16;", sort="ts_ns", descending=False) == ["mm_a", "mm_b"]
    assert names(store, sort="wait_ns", limit=2) == ["cast_a", "cast_c"]
    assert names(store, sort="name", descending=False, offset=2, limit=2) == ["cast_c", "hcom_allReduce__1_0"]
    assert timeline.kernel_count(store, type="cast").to_pylist() == [{"count": 3, "sum_ns": 54_953}]
    assert timeline.kernel_count(store, output_types="float16").to_pylist() == [{"count": 5, "sum_ns": 84_962}]
    with pytest.raises(BadArgument, match="no column 'x'"):
        timeline.kernel_details(store, sort="x")


@row(73, 56)
def test_a_range_cuts_kernels(store: Store) -> None:
    found = timeline.kernel_details(store, from_ns=2_020_000, to_ns=2_041_000).to_pylist()
    assert [(r["name"], r["ts_ns"], r["dur_ns"], r["whole_ns"]) for r in found] == [
        ("mm_b", 2_011_000, 11_003, 20_003), ("cast_a", 2_040_000, 1_000, 3_336),
    ]  # fmt: skip
    found = timeline.kernel_details(store, from_ns=2_020_000, to_ns=2_041_000, whole=True).to_pylist()
    assert [r["dur_ns"] for r in found] == [20_003, 3_336]


@row(73)
def test_task_ids_sort_as_numbers_and_missing_ones_are_last(tmp_path: Path) -> None:
    out = write_run(tmp_path / "run") / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv"
    lines = out.read_text(encoding="utf-8").splitlines()
    ids = ["", "10", "9", *(str(100 + i) for i in range(len(lines) - 4))]
    out.write_text(
        "\n".join([f"Task ID,{lines[0]}", *(f"{i},{x}" for i, x in zip(ids, lines[1:], strict=True))]), "utf-8"
    )
    store = open_store(tmp_path / "run")
    found = timeline.kernel_details(store, sort="task_id", descending=False).column("task_id").to_pylist()
    assert (found[:3], found[-1]) == (["9", "10", "100"], None)
    assert names(store, task_id="10", sort="task_id", descending=False)[:2] == [KERNELS[1][0], KERNELS[3][0]]


@row(73)
def test_kernels_jump_to_the_slice_of_their_name_and_start(tmp_path: Path) -> None:
    store = open_store(write_run(tmp_path / "run"))
    shown = {r["id"]: (r["name"], r["ts_ns"]) for r in timeline.slices(store, process="Ascend Hardware").to_pylist()}
    found = timeline.kernel_details(store).to_pylist()
    assert len(found) == len(KERNELS)
    assert all(shown[r["id"]] == (r["name"], r["ts_ns"]) for r in found)


@row(74)
def test_types_and_cores_make_groups_whose_kernels_can_be_listed(store: Store) -> None:
    found = timeline.operator_types(store).to_pylist()
    assert [tuple(r.values()) for r in found] == [
        ("hcom_allReduce_", "HCCL", 2, 200_000, 100_000.0, 100_250, 99_750),
        ("Cast", "AI_CPU", 1, 50_500, 50_500.0, 50_500, 50_500),
        ("MatMul", "AI_CORE", 2, 30_009, 15_004.5, 20_003, 10_006),
        ("Cast", "AI_VECTOR_CORE", 2, 4_453, 2_226.5, 3_336, 1_117),
    ]  # fmt: skip
    assert names(store, of_type="Cast", of_core="AI_VECTOR_CORE") == ["cast_a", "cast_a"]
    assert timeline.operator_types(store, type="cast", core="vector").column("count").to_pylist() == [2]
    assert timeline.operator_types(store, sort="count", descending=False).column("count").to_pylist() == [1, 2, 2, 2]
    cut = timeline.operator_types(store, from_ns=2_020_000, to_ns=2_041_000).to_pylist()
    assert [(r["type"], r["total_ns"]) for r in cut] == [("MatMul", 11_003), ("Cast", 1_000)]


@row(73)
def test_real_kernels_of_a_text_export_are_those_of_its_file(real: Callable[[str], Path]) -> None:
    folder = real("text_level2/rank0_ascend_pt")
    store = open_store(folder)
    with next(folder.rglob("kernel_details.csv")).open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    found = timeline.kernel_details(store, sort="ts_ns", descending=False).to_pylist()
    assert len(found) == len(lines) == 191
    expected = sorted((round(float(x["Duration(us)"]) * 1000), x["Name"], x["Task ID"]) for x in lines)
    assert sorted((r["dur_ns"], r["name"], r["task_id"] or "N/A") for r in found) == expected
    assert all(r["id"] is not None for r in found)


@row(73, 74)
@pytest.mark.parametrize("card", ["text_level2/rank0_ascend_pt", "db_level2/rank0_ascend_pt"])
def test_real_types_agree_with_sql(real: Callable[[str], Path], card: str) -> None:
    store = open_store(real(card))
    tables.ensure(store, "kernel")
    expected = store.sql(
        "SELECT type, core, count(*) AS count, sum(duration_ns)::BIGINT AS total_ns, max(duration_ns) AS max_ns,"
        " min(duration_ns) AS min_ns FROM kernel GROUP BY type, core ORDER BY total_ns DESC"
    ).to_pylist()
    found = timeline.operator_types(store).drop_columns(["avg_ns"]).to_pylist()
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert [r["total_ns"] for r in found] == [r["total_ns"] for r in expected]
