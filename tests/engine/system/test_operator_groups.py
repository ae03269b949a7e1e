"""Groups of random kernels against a plain grouping in Decimal; rounding; text in PMU columns."""

from __future__ import annotations

import random
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pyarrow as pa
import pytest
from tests.support.operator_files import kernel_store, line

from insight_desktop.engine.system import operator, operator_details, operator_groups

SPEC = "system-memory-operator-rl"
KEYS = {
    "type": ("type", "core"), "name": ("name", "type", "core"), "name_shape": ("name", "shape", "core"),
    "type_shape": ("type", "shape", "core"), "communication": ("name", "type"), "communication_type": ("type",),
}  # fmt: skip


def cents(value):
    return float(value.quantize(Decimal("0.01"), ROUND_HALF_UP))


def plain(kernels, group):
    """Rows of a group table from dicts with name, type, core, shape, us."""
    communication = group.startswith("communication")
    found = defaultdict(list)
    for kernel in kernels:
        if (kernel["core"] in ("HCCL", "COMMUNICATION")) == communication:
            found[tuple(kernel[k] for k in KEYS[group])].append(Decimal(kernel["us"]))
    ranked = sorted(found.items(), key=lambda item: -sum(item[1]))
    return [(*key, len(d), cents(sum(d)), cents(sum(d) / len(d)), cents(max(d)), cents(min(d))) for key, d in ranked]


@pytest.mark.row(SPEC, 30, 31)
@pytest.mark.parametrize("digits", [3, 4])
def test_groups_agree_with_a_plain_grouping(tmp_path, digits):
    random.seed(digits)
    kernels = [
        {
            "name": f"n{random.randrange(5)}", "type": random.choice(["", "A", "B"]), "shape": random.choice(['"1"', '"2,2"']),
            "core": random.choice(["AI_CORE", "AI_CPU", "HCCL"]), "us": f"{random.uniform(0, 5):.{digits}f}",
        }
        for _ in range(300)
    ]  # fmt: skip
    for kernel in kernels:
        if kernel["core"] == "HCCL" and not kernel["type"]:
            kernel["type"] = "A"
    rows = [line(k["name"], k["type"], k["core"], duration=k["us"], shape=k["shape"].strip('"')) for k in kernels]
    store = kernel_store(tmp_path, rows)
    for group in KEYS:
        table = operator.statistics(store, group_by=group, top=-1)
        assert [tuple(row.values()) for row in table.to_pylist()] == plain(kernels, group)


def test_communication_without_a_type_takes_it_from_its_name(tmp_path):
    store = kernel_store(tmp_path, [line("hcom_allGather__12_3", "", "HCCL"), line("", "", "AI_CORE")])
    assert operator.statistics(store, group_by="communication_type")["type"].to_pylist() == ["hcom_allGather"]
    assert operator.statistics(store, group_by="name")["name"].to_pylist() == [""]


@pytest.mark.parametrize(
    ("ns", "expected"), [(5, 1), (4, 0), (-5, -1), (14, 1), (15, 2), (0, 0), (10**18 + 5, 10**17 + 1)]
)
def test_half_goes_away_from_zero(ns, expected):
    assert operator_groups.hundredths(np.array([ns]), 1000).tolist() == [expected]


def test_cells_of_pmu_columns_that_hold_text_are_shown_as_they_are():
    table = pa.table({"r(us)": [1.5, None, None], "pmu:r(us)": pa.array([None, "high", None], pa.string())})
    assert operator_details._with_texts(table, "r(us)").to_pylist() == ["1.5", "high", None]


@pytest.mark.row(SPEC, 30)
def test_filters_take_every_character_literally(tmp_path):
    store = kernel_store(tmp_path, [line("a_b"), line("axb"), line("50%"), line("(x)")])
    for text, names in (("a_b", ["a_b"]), ("%", ["50%"]), ("(X", ["(x)"]), ("", ["50%", "(x)", "a_b", "axb"])):
        assert sorted(operator.details(store, name=text)["name"].to_pylist(), key=str) == sorted(names, key=str)
