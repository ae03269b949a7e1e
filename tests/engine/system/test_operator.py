"""The named queries of the Operator page on the printed fixture and on real data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.operator_files import fixture_store, kernel_store, line, open_store

from insight_desktop.engine import queries
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import operator
from insight_desktop.errors import BadArgument

SPEC = "system-memory-operator-rl"
U0 = "upstream_unit/test_rank_0"
T1R0 = "text_level1/rank0_ascend_pt"
B1R0 = "db_level1/rank0_ascend_pt"
FIGURES = ("count", "sum_us", "avg_us", "max_us", "min_us")


@pytest.fixture(scope="module")
def opened():
    """Real data by folder, imported once."""
    stores = {}

    def store(path: Path):
        if path not in stores:
            stores[path] = open_store(path)
        return stores[path]

    return store


@pytest.fixture
def fixture(tmp_path):
    return fixture_store(tmp_path)


def rows(table, *columns):
    return [tuple(row[c] for c in columns) for row in table.to_pylist()]


def pie(store, which="items", columns=("label", "value_us"), **arguments):
    return [tuple(r[c] for c in columns) for r in operator.share(store, **arguments).to_pylist() if r["pie"] == which]


def figures(table, *keys):
    return rows(table, *keys, *FIGURES)


# ---- the printed fixture


@pytest.mark.example(SPEC, "O1")
@pytest.mark.row(SPEC, 1, 34)
def test_fixture_has_seven_kernels_and_one_skipped_row(fixture):
    facts = operator.facts(fixture).to_pylist()[0]
    assert (facts["computing"], facts["communication"], facts["skipped_rows"], facts["level"]) == (5, 2, 1, "l1")
    assert facts["pmu_columns"] == ["aic_mac_ratio", "aicore_time(us)", "cube_utilization(%)"]
    first = operator.details(fixture, name="mm_a").to_pylist()[0]
    assert (first["start_ns"], first["duration_us"], first["wait_us"]) == (2000123, 10.006, 0.0)


@pytest.mark.example(SPEC, "O2")
@pytest.mark.row(SPEC, 30, 31)
def test_operator_types_are_summed_and_rounded_to_hundredths(fixture):
    table = operator.statistics(fixture)
    assert table.column_names == ["type", "core", *FIGURES]
    assert figures(table, "type", "core") == [
        ("Cast", "AI_CPU", 1, 50.5, 50.5, 50.5, 50.5),
        ("MatMul", "AI_CORE", 2, 30.01, 15.0, 20.0, 10.01),
        ("Cast", "AI_VECTOR_CORE", 2, 4.45, 2.23, 3.34, 1.12),
    ]


@pytest.mark.example(SPEC, "O3")
@pytest.mark.row(SPEC, 32)
def test_core_pie_adds_up_the_limited_types(fixture):
    assert pie(fixture, "cores", top=-1) == [("AI_CPU", 50.5), ("AI_CORE", 30.01), ("AI_VECTOR_CORE", 4.45)]
    assert pie(fixture, "cores", top=1) == [("AI_CPU", 50.5)]


@pytest.mark.example(SPEC, "O4")
@pytest.mark.row(SPEC, 30, 32)
def test_shapes_keep_their_quotes_and_the_core_pie_adds_rounded_values(fixture):
    table = operator.statistics(fixture, group_by="name_shape", top=-1)
    assert rows(table, "name", "shape", "core", "sum_us") == [
        ("cast_c", '"16"', "AI_CPU", 50.5),
        ("mm_b", '"16,16;16,16"', "AI_CORE", 20.0),
        ("mm_a", '"16,16;16,16"', "AI_CORE", 10.01),
        ("cast_a", '""', "AI_VECTOR_CORE", 3.34),
        ("cast_a", '"16"', "AI_VECTOR_CORE", 1.12),
    ]
    assert pie(fixture, group_by="name_shape")[0] == ('cast_c["16"]', 50.5)
    assert pie(fixture, "cores", group_by="name_shape")[-1] == ("AI_VECTOR_CORE", 4.46)


@pytest.mark.example(SPEC, "O5")
@pytest.mark.row(SPEC, 30, 32)
def test_operator_pie_has_single_kernels(fixture):
    items = [("cast_c", 50.5), ("mm_b", 20.0), ("mm_a", 10.01), ("cast_a", 3.34), ("cast_a", 1.12)]
    assert pie(fixture, group_by="name", top=-1) == items
    assert [value for _, value in pie(fixture, "cores", group_by="name", top=-1)] == [50.5, 30.01, 4.46]
    assert pie(fixture, "cores", group_by="name", top=2) == [("AI_CPU", 50.5), ("AI_CORE", 20.0)]
    assert operator.details(fixture, top=2).num_rows == 2
    assert operator.count(fixture, top=2).to_pylist() == [{"count": 2, "sum_us": 70.5}]


@pytest.mark.example(SPEC, "O6")
@pytest.mark.row(SPEC, 30)
def test_communication_is_a_part_of_its_own(fixture):
    table = operator.statistics(fixture, group_by="communication_type")
    assert figures(table, "type") == [("hcom_allReduce_", 2, 200.0, 100.0, 100.25, 99.75)]
    details = operator.details(fixture, group_by="communication")
    assert rows(details, "name", "duration_us") == [("hcom_allReduce__1_0", 100.25), ("hcom_allReduce__1_1", 99.75)]
    assert "core" not in details.column_names
    assert pie(fixture, "cores", group_by="communication_type") == []


@pytest.mark.example(SPEC, "O7")
@pytest.mark.row(SPEC, 33)
def test_details_of_a_group_are_not_limited_by_top(fixture):
    table = operator.details(fixture, of_type="Cast", of_core="AI_VECTOR_CORE", top=1)
    assert rows(table, "duration_us", "input_shapes") == [(3.336, '""'), (1.117, '"16"')]
    assert operator.details(fixture, of_type="Cast", of_core="AI_VECTOR_CORE", top=1, offset=1).num_rows == 1


@pytest.mark.example(SPEC, "O8")
@pytest.mark.row(SPEC, 30)
def test_filter_acts_after_top(fixture):
    assert rows(operator.statistics(fixture, type=" CAST ", top=2), "type", "core") == [("Cast", "AI_CPU")]
    assert operator.statistics(fixture, type="%", top=-1).num_rows == 0


@pytest.mark.example(SPEC, "O10")
@pytest.mark.row(SPEC, 31)
def test_default_order_is_numeric(tmp_path):
    store = kernel_store(tmp_path, [line(type=t, duration=d) for t, d in (("a", 99.5), ("b", 1000), ("c", 200))])
    assert rows(operator.statistics(store), "sum_us") == [(1000.0,), (200.0,), (99.5,)]
    assert rows(operator.statistics(store, sort="sum_us", descending=False), "type") == [("a",), ("c",), ("b",)]
    assert rows(operator.statistics(store, sort="type", descending=True, offset=1, limit=1), "type") == [("b",)]


@pytest.mark.example(SPEC, "O11")
@pytest.mark.row(SPEC, 32)
def test_from_the_fiftieth_item_on_the_pie_says_others(tmp_path):
    store = kernel_store(tmp_path, [line(name=f"op{d}", duration=d) for d in range(1, 53)])
    items = pie(store, group_by="name", top=-1, columns=("label", "value_us", "items"))
    assert len(items) == 50
    assert (items[0], items[48], items[49]) == (("op52", 52.0, 1), ("op4", 4.0, 1), ("Others", 6.0, 3))
    assert len(pie(store, group_by="name", top=50)) == 50
    assert pie(store, group_by="name", top=50)[49] == ("op3", 3.0)


@pytest.mark.example(SPEC, "O12")
@pytest.mark.row(SPEC, 30)
def test_communication_only_file_has_no_computing_groups(tmp_path):
    store = kernel_store(
        tmp_path, [line("hcom_a__1", "hcom_a_", "HCCL"), line("hcom_b__1", "hcom_b_", "COMMUNICATION")]
    )
    assert operator.facts(store)["groups"].to_pylist() == [["communication", "communication_type"]]
    assert operator.statistics(store).num_rows == 0
    assert operator.share(store).num_rows == 0
    assert operator.details(store).num_rows == 0


def test_arguments_that_make_no_sense_are_refused(fixture):
    for call, wrong in (
        (operator.statistics, {"top": -2}), (operator.statistics, {"sort": "colour"}), (operator.details, {"sort": "colour"}),
        (operator.details, {"offset": -1}), (operator.statistics, {"name": "x"}), (operator.shape_sensitivity, {}),
    ):  # fmt: skip
        with pytest.raises(BadArgument):
            call(fixture, **wrong)
    assert operator.statistics(fixture, top=0).num_rows == 0


def test_queries_answer_by_name_with_arguments_as_text(fixture):
    table = queries.run(fixture, "system.operator.statistics", {"group_by": "communication_type", "top": "1"})
    assert table["sum_us"].to_pylist() == [200.0]
    with pytest.raises(BadArgument):
        queries.run(fixture, "system.operator.statistics", {"group_by": "colour"})


def test_details_sort_by_any_column_with_missing_values_last(tmp_path):
    given = [
        line("b", start=5, duration=3, pmu=(2.5,)),
        line("a10", start=0, duration=2, pmu=("N/A",)),
        line("a9", start=7, pmu=(10,)),
    ]
    store = kernel_store(tmp_path, given, pmu=["aicore_time(us)"])
    for sort, descending, order in (
        ("name", False, ["a9", "a10", "b"]), ("duration_us", False, ["a9", "a10", "b"]), ("start_ms", True, ["a9", "b", "a10"]),
        ("aicore_time(us)", False, ["b", "a9", "a10"]), ("aicore_time(us)", True, ["a9", "b", "a10"]),
        ("input_types", True, ["b", "a10", "a9"]),
    ):  # fmt: skip
        found = operator.details(store, sort=sort, descending=descending)
        assert found["name"].to_pylist() == order, (sort, descending)
    assert operator.details(store, name="a10")["start_ms"].to_pylist() == [None]


@pytest.mark.row(SPEC, 7)
def test_only_kernels_of_the_cards_device_count(tmp_path):
    opened = kernel_store(tmp_path, [line("a", device=3), line("b", device=4), line("c", device="N/A")])
    for device, told, names in (
        (4, "card", ["b", "c"]), (None, "first row of the kernels", ["a", "c"]), (9, "first row of the kernels", ["a", "c"]),
    ):  # fmt: skip
        store = Store([replace(opened.cards[0], device=device)])
        facts = operator.facts(store).to_pylist()[0]
        assert (facts["device"], facts["device_from"], facts["other_devices"]) == (
            device if told == "card" else 3,
            told,
            1,
        )
        assert sorted(operator.details(store)["name"].to_pylist()) == names
        assert facts["message"].startswith(
            f"All figures are those of device {facts['device']}, without 1 kernel of other devices in the same files."
        )


@pytest.mark.row(SPEC, 47)
def test_card_without_kernels_says_what_is_missing(real):
    store = open_store(real("gpu"))
    facts = operator.facts(store, card=store.cards[0].name).to_pylist()[0]
    assert (facts["computing"], facts["communication"], facts["groups"]) == (0, 0, [])
    assert "kernel_details.csv" in facts["message"]
    assert "profiler_level" in facts["fix"]
    for group in ("type", "name", "name_shape", "communication", "communication_type"):
        assert operator.statistics(store, group_by=group).num_rows == 0
        assert operator.share(store, group_by=group).num_rows == 0
    assert operator.details(store).num_rows == operator.outliers(store).num_rows == operator.pareto(store).num_rows == 0
    assert operator.durations(store).num_rows == operator.duration_histogram(store).num_rows == 0


# ---- real data: the unit test files


@pytest.mark.example(SPEC, "OD1")
def test_u0_has_sixteen_computing_and_four_communication_kernels(real, opened):
    facts = operator.facts(opened(real(U0))).to_pylist()[0]
    assert (facts["computing"], facts["communication"], facts["skipped_rows"]) == (16, 4, 1)
    assert len(facts["pmu_columns"]) == 12


@pytest.mark.example(SPEC, "OD2")
@pytest.mark.row(SPEC, 30, 31)
def test_u0_operator_types(real, opened):
    assert figures(operator.statistics(opened(real(U0))), "type", "core") == [
        ("FlashAttentionScore", "MIX_AIC", 3, 21112.85, 7037.62, 7119.97, 6969.31),
        ("DSAStatelessGenBitMask", "DSA_SQE", 2, 5344.21, 2672.11, 5260.93, 83.28),
        ("ZerosLike", "AI_CORE", 1, 496.85, 496.85, 496.85, 496.85),
        ("Cast", "AI_CPU", 2, 145.02, 72.51, 72.86, 72.16),
        ("NonZero", "MIX_AIV", 3, 19.5, 6.5, 6.7, 6.12),
        ("Cast", "AI_CORE", 1, 5.8, 5.8, 5.8, 5.8),
        ("Slice", "AI_CORE", 2, 3.72, 1.86, 1.98, 1.74),
        ("0", "AI_VECTOR_CORE", 2, 2.64, 1.32, 1.44, 1.2),
    ]


@pytest.mark.example(SPEC, "OD3")
@pytest.mark.row(SPEC, 32)
def test_u0_core_pie(real, opened):
    store = opened(real(U0))
    assert pie(store, "cores") == [
        ("MIX_AIC", 21112.85), ("DSA_SQE", 5344.21), ("AI_CORE", 506.37), ("AI_CPU", 145.02), ("MIX_AIV", 19.5),
        ("AI_VECTOR_CORE", 2.64),
    ]  # fmt: skip
    assert dict(pie(store, "cores", group_by="name", top=15))["AI_VECTOR_CORE"] == 1.44


@pytest.mark.example(SPEC, "OD4")
def test_u0_communication(real, opened):
    store = opened(real(U0))
    assert figures(operator.statistics(store, group_by="communication_type"), "type") == [
        ("hcom_broadcast_", 2, 5517.73, 2758.86, 4975.27, 542.46),
        ("hcom_allReduce_", 1, 2976.67, 2976.67, 2976.67, 2976.67),
        ("hcom_allGather_", 1, 1744.15, 1744.15, 1744.15, 1744.15),
    ]
    assert pie(store, group_by="communication") == [
        ("hcom_broadcast__483_0", 4975.27), ("hcom_allReduce__483_2", 2976.67), ("hcom_allGather__483_3", 1744.15),
        ("hcom_broadcast__483_1", 542.46),
    ]  # fmt: skip


@pytest.mark.example(SPEC, "OD5")
@pytest.mark.row(SPEC, 33, 34)
def test_u0_details(real, opened):
    store = opened(real(U0))
    table = operator.details(store, top=15)
    assert (table.num_rows, operator.facts(store)["level"].to_pylist()) == (15, ["l1"])
    values = pie(store, group_by="name")
    assert (values[0][1], values[14]) == (7119.97, ("NonZero_MemSet", 1.44))
    assert operator.details(store, of_type="Cast", of_core="AI_CORE").num_rows == 1
    assert operator.statistics(store, group_by="name_shape", top=-1).num_rows == 9


# ---- real data: text of Level1 and Level2


def sums_by_core(store):
    columns = [operator.details(store, group_by=g, top=-1) for g in ("name", "communication")]
    found: dict[str, list] = {}
    for core, ns in rows(columns[0], "core", "duration_ns"):
        found.setdefault(core, []).append(ns)
    found["HCCL"] = columns[1]["duration_ns"].to_pylist()
    return {core: (len(ns), sum(ns) / 1000) for core, ns in found.items()}


@pytest.mark.example(SPEC, "OD6")
def test_t1r0_cores_and_groups(real, opened):
    store = opened(real(T1R0))
    assert sums_by_core(store) == {
        "AI_CORE": (23, 2805.855), "AI_VECTOR_CORE": (149, 5823.4), "DSA_SQE": (2, 5.52), "MIX_AIV": (13, 238.962),
        "HCCL": (4, 105991.876),
    }  # fmt: skip
    assert operator.statistics(store, top=-1).num_rows == 33
    assert operator.statistics(store, group_by="name_shape", top=-1).num_rows == 156
    assert len(operator.facts(store)["pmu_columns"].to_pylist()[0]) == 25


@pytest.mark.example(SPEC, "OD7")
def test_t1r0_largest_types(real, opened):
    assert figures(operator.statistics(opened(real(T1R0)), limit=6), "type", "core") == [
        ("ForeachAddList", "AI_VECTOR_CORE", 3, 1959.08, 653.03, 706.61, 624.15),
        ("TransData", "AI_VECTOR_CORE", 57, 1423.2, 24.97, 70.8, 6.54),
        ("MatMulV2", "AI_CORE", 8, 921.5, 115.19, 346.57, 16.54),
        ("Conv2D", "AI_CORE", 5, 723.43, 144.69, 313.89, 69.26),
        ("Conv2DBackpropFilter", "AI_CORE", 5, 645.43, 129.09, 311.33, 61.28),
        ("TensorMove", "AI_VECTOR_CORE", 11, 573.79, 52.16, 252.39, 5.78),
    ]


@pytest.mark.example(SPEC, "OD8")
@pytest.mark.row(SPEC, 32)
def test_t1r0_core_pies(real, opened):
    store = opened(real(T1R0))
    assert pie(store, "cores", top=15) == [("AI_VECTOR_CORE", 5636.24), ("AI_CORE", 2729.95), ("MIX_AIV", 203.06)]
    assert [v for _, v in pie(store, "cores", top=-1)] == [5823.4, 2805.85, 238.96, 5.52]
    assert pie(store, "cores", group_by="name", top=15) == [("AI_VECTOR_CORE", 3211.17), ("AI_CORE", 1570.2)]
    assert pie(store, "cores", group_by="name_shape", top=15) == [("AI_VECTOR_CORE", 3321.12), ("AI_CORE", 1685.12)]


@pytest.mark.example(SPEC, "OD9")
@pytest.mark.row(SPEC, 32)
def test_t1r0_operator_pies(real, opened):
    store = opened(real(T1R0))
    items = pie(store, group_by="name", top=-1)
    assert [value for _, value in items[:5]] == [706.61, 628.31, 624.15, 346.57, 313.89]
    assert items[0][0].endswith("ForeachAddList")
    assert [name for name, _ in items[3:5]] == ["aclnnAddmm_MatMulCommon_MatMulV2", "Conv2D1"]
    assert (len(items), items[-1]) == (50, ("Others", 1839.3))
    shapes = pie(store, group_by="name_shape", top=-1)
    assert shapes[-1] == ("Others", 1704.26)
    assert round(sum(value for _, value in shapes), 2) == 8873.68


@pytest.mark.example(SPEC, "OD10")
def test_t1r0_communication(real, opened):
    store = opened(real(T1R0))
    table = operator.statistics(store, group_by="communication_type")
    assert figures(table, "type") == [("hcom_allReduce_", 4, 105991.88, 26497.97, 79089.52, 2281.11)]
    assert [v for _, v in pie(store, group_by="communication")] == [79089.52, 22218.86, 2402.39, 2281.11]


@pytest.mark.example(SPEC, "OD11")
@pytest.mark.row(SPEC, 34)
def test_t1r0_row_of_conv2d1(real, opened):
    store = opened(real(T1R0))
    row = next(r for r in operator.details(store, name="Conv2D1", top=-1).to_pylist() if r["name"] == "Conv2D1")
    wanted = {
        "start_ns": 1736408883704903918, "start_ms": 131.02, "duration_us": 313.886, "wait_us": 96.222, "block_num": 16,
        "input_shapes": '"32,1,224,224,8;121,4,16,8;64"', "output_shapes": '"32,8,55,55,8"', "aic_mac_ratio": 0.519,
        "cube_utilization(%)": 66.301,
    }  # fmt: skip
    assert {name: row[name] for name in wanted} == wanted
    assert operator.facts(store)["base_ns"].to_pylist() == [1736408883573887920]
    pmu = list(row)[list(row).index("output_formats") + 1 :]
    assert pmu == sorted(pmu)


@pytest.mark.example(SPEC, "OD12")
@pytest.mark.row(SPEC, 34)
def test_level0_has_one_core_and_no_shapes(tmp_path):
    # 187 kernels of 8827.454 µs and 4 communication operators of 85516.886 µs, as a Level0 export writes them.
    header = "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim"
    durations = [47.2] * 186 + [48.254]
    text = [f"0,op{i},N/A,N/A,{1000 + i},{d},0,0" for i, d in enumerate(durations)]
    text += [
        f"0,hcom_allReduce__1_{i},hcom_allReduce_,HCCL,{5000 + i},{d},0,0"
        for i, d in enumerate([80000, 5000, 500, 16.886])
    ]
    folder = tmp_path / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    folder.mkdir(parents=True)
    (folder / "kernel_details.csv").write_text("\n".join([header, *text]) + "\n")
    store = open_store(tmp_path)
    facts = operator.facts(store).to_pylist()[0]
    assert (facts["computing"], facts["communication"], facts["level"], facts["pmu_columns"]) == (187, 4, "l0", [])
    assert "Level1" in facts["fix"]
    assert pie(store, "cores") == [("N/A", 8827.45)]
    assert sums_by_core(store) == {"N/A": (187, 8827.454), "HCCL": (4, 85516.886)}
    assert operator.details(store).column_names == [
        "row", "name", "type", "core", "start_ms", "duration_us", "wait_us", "start_ns", "duration_ns", "wait_ns",
    ]  # fmt: skip


@pytest.mark.row(SPEC, 34)
def test_level0_database_has_no_shapes(real, opened):
    store = opened(real("db_level0/rank0_ascend_pt"))
    facts = operator.facts(store).to_pylist()[0]
    assert (facts["computing"], facts["level"], facts["groups"][:2]) == (187, "l0", ["type", "name"])
    assert facts["message"] == "The kernels tell no shapes (collected at Level0)."
    assert len(pie(store, "cores")) == 1


@pytest.mark.example(SPEC, "OD13")
def test_t2r0_cores(real, opened):
    found = sums_by_core(opened(real("text_level2/rank0_ascend_pt")))
    assert {core: us for core, (_, us) in found.items()} == {
        "AI_CORE": 2839.876, "AI_VECTOR_CORE": 5789.577, "DSA_SQE": 5.66, "HCCL": 99973.276, "MIX_AIV": 233.102,
    }  # fmt: skip


# ---- real data: databases


@pytest.mark.example(SPEC, "OD14")
def test_b1r0_types_and_cores(real, opened):
    store = opened(real(B1R0))
    assert operator.statistics(store, top=-1).num_rows == 33
    assert figures(operator.statistics(store, limit=3), "type") == [
        ("ForeachAddList", 3, 1947.62, 649.21, 695.07, 624.51),
        ("TransData", 57, 1408.15, 24.7, 71.7, 6.46),
        ("MatMulV2", 8, 957.98, 119.75, 358.25, 16.54),
    ]
    assert pie(store, "cores", top=15) == [("AI_VECTOR_CORE", 5610.96), ("AI_CORE", 2782.83), ("MIX_AIV", 199.24)]


@pytest.mark.example(SPEC, "OD15")
@pytest.mark.row(SPEC, 35)
def test_b1r0_communication(real, opened):
    store = opened(real(B1R0))
    table = operator.statistics(store, group_by="communication_type")
    assert figures(table, "type") == [("hcom_allReduce_", 4, 102108.1, 25527.03, 88750.99, 2180.32)]
    details = operator.details(store, group_by="communication")
    assert rows(details, "name", "start_ms", "duration_us", "wait_us") == [
        ("hcom_allReduce__210_0_1", 146.95, 88750.993, 693.394), ("hcom_allReduce__210_3_1", 240.31, 8764.155, 0.0),
        ("hcom_allReduce__210_2_1", 237.89, 2412.628, 0.0), ("hcom_allReduce__210_1_1", 235.71, 2180.324, 0.0),
    ]  # fmt: skip


@pytest.mark.example(SPEC, "OD16")
@pytest.mark.row(SPEC, 36)
def test_b1r0_details(real, opened):
    store = opened(real(B1R0))
    table = operator.details(store, top=4)
    assert rows(table, "start_ms", "duration_us", "wait_us")[:3] == [
        (250.6, 695.074, 95.122), (249.48, 628.032, 90.602), (251.39, 624.512, 98.542),
    ]  # fmt: skip
    last = table.to_pylist()[3]
    assert (last["type"], last["start_ms"], last["duration_us"], last["wait_us"]) == (
        "MatMulV2",
        130.46,
        358.247,
        1102.583,
    )
    assert [table["block_num"][i].as_py() for i in (0, 3)] == [48, 16]
    facts = operator.facts(store).to_pylist()[0]
    assert (len(facts["pmu_columns"]), facts["is_db"]) == (28, True)
    every = operator.details(store, top=-1)
    told = [any(row[c] is not None for c in facts["pmu_columns"]) for row in every.to_pylist()]
    assert sum(told) == 185
    conv = next(row for row in every.to_pylist() if row["name"] == "Conv2D1")
    assert (round(conv["aic_mac_time"], 2), round(conv["aic_mac_ratio"], 4)) == (162227.78, 0.5207)


@pytest.mark.row(SPEC, 36)
def test_hint_about_raw_units_is_for_databases_only(real, opened):
    assert operator.facts(opened(real(U0)))["is_db"].to_pylist() == [False]


def waits(store):
    parts = [
        operator.details(store, group_by=g, top=-1, sort="start_ns", descending=False)
        for g in ("name", "communication")
    ]
    found = [row for part in parts for row in rows(part, "start_ns", "name", "duration_ns", "wait_ns")]
    return sorted(found)


@pytest.mark.example(SPEC, "OD17")
@pytest.mark.row(SPEC, 35)
def test_stored_waits_follow_the_rule(real, opened):
    found = waits(opened(real(B1R0)))
    assert len(found) == 191
    previous = None
    for start, _, duration, wait in found:
        assert wait == (0 if previous is None else max(0, start - previous))
        previous = start + duration


@pytest.mark.example(SPEC, "OD19")
@pytest.mark.row(SPEC, 35)
def test_missing_waits_are_computed_and_the_database_stays_as_it_is(real):
    folder = real("db_level1/rank1_ascend_pt")
    before = {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in folder.rglob("*")}
    found = waits(open_store(folder))
    assert len(found) == 191
    assert [(name, wait) for _, name, _, wait in found[:3]] == [
        ("trans_TransData_0", 0), ("trans_TransData_1", 95782), ("Conv2D1", 94822),
    ]  # fmt: skip
    longest = max(found, key=lambda row: row[3])
    assert (longest[1], longest[3]) == ("aclnnInplaceCopy_TensorMoveAiCore_TensorMove", 71761574)
    assert (sum(wait == 0 for *_, wait in found), sum(wait for *_, wait in found)) == (5, 107357948)
    assert {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in folder.rglob("*")} == before


def test_pages_and_the_whole_table_agree(tmp_path):
    given = [
        line(f"n{i % 7}", duration=1 + (i * 37) % 501, start=i + 1, device=i % 2, pmu=(i / 8, "N/A" if i % 3 else i))
        for i in range(5000)
    ]
    store = kernel_store(tmp_path, given, pmu=["aicore_time(us)", "aic_mac_ratio"])
    whole = operator.details(store, top=-1)
    assert whole.num_rows == 2500
    pages = [operator.details(store, top=-1, offset=at, limit=400) for at in range(0, 2500, 400)]
    assert [row for page in pages for row in page.to_pylist()] == whole.to_pylist()
    for row in whole.to_pylist():
        i = row["row"]
        assert (row["duration_us"], row["aicore_time(us)"]) == (1 + (i * 37) % 501, i / 8)
        assert row["aic_mac_ratio"] == (None if i % 3 else i)
    by_counter = operator.details(store, top=-1, sort="aicore_time(us)", limit=3)
    assert by_counter["row"].to_pylist() == [4998, 4996, 4994]


def test_rows_are_numbered_as_they_stand_in_the_table(real, opened):
    for name in (T1R0, B1R0):
        store = opened(real(name))
        table = store.sql("SELECT row FROM kernel")
        assert table["row"].to_pylist() == list(range(191))
