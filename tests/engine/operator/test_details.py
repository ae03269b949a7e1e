"""Queries of the page Details on a real kernel and on the small one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support import operator_bins as bins

from insight_desktop.engine.operator import core_levels, details, rooflines
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData

SPEC = "operator"
REAL = "upstream_unit/test_bin_mix/visualize_data.bin"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("home")
        patch.setenv("INSIGHT_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def small(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return bins.opened(bins.write(tmp_path_factory.mktemp("add"), bins.sample()))


@pytest.fixture
def mix(home: Path, real: Callable[[str], Path]) -> Store:
    return bins.opened(real(REAL))


def store_of(tmp_path: Path, home: Path, *payloads: tuple[int, Any]) -> Store:
    return bins.opened(bins.write(tmp_path, b"".join(bins.block(kind, payload) for kind, payload in payloads)))


def rows(table: Any) -> list[dict[str, Any]]:
    return table.to_pylist()


@pytest.mark.row(SPEC, 26)
@pytest.mark.example(SPEC, 3)
def test_base_info_of_the_real_kernel(mix: Store) -> None:
    found = {row["label"]: row["value"] for row in rows(details.base_info(mix))}
    assert list(found.items())[:7] == [
        ("Name", "MatmulLeakyreluCustom_0a4ecf73240c8db04ac5059db7c787a7_2_mix_aic"),
        ("Duration (μs)", "300.0660095214844"),
        ("Op Type", "mix"),
        ("Device Id", "0"),
        ("Pid", "1112422"),
        ("Block Dim", "2"),
        ("Mix Block Dim", "4"),
    ]
    cells = [row["value"] for row in rows(details.block_durations(mix)) if row["row"] == 0]
    assert cells == ["0", "250.377579", "133.206055", "247.620605"]


@pytest.mark.row(SPEC, 26)
def test_pid_is_hidden_without_one_and_the_mix_dimension_for_other_kernels(tmp_path: Path, home: Path) -> None:
    store = store_of(tmp_path, home, (bins.BASE, bins.base(pid="", op_type="Vector", duration=12.50)))
    fields = [row["field"] for row in rows(details.base_info(store))]
    assert fields == ["name", "duration_us", "op_type", "device_id", "block_dim", "soc"]


def test_numbers_and_texts_of_base_info_are_both_accepted(tmp_path: Path, home: Path) -> None:
    raw = b'{"name":"k","op_type":"MIX","duration":"12.500","block_dim":8,"mix_block_dim":16,"device_id":3}'
    store = store_of(tmp_path, home, (bins.BASE, raw))
    found = {row["field"]: row["value"] for row in rows(details.base_info(store))}
    assert (found["duration_us"], found["block_dim"], found["mix_block_dim"], found["device_id"]) == (
        "12.500",
        "8",
        "16",
        "3",
    )


@pytest.mark.row(SPEC, 28, 29)
@pytest.mark.example(SPEC, 6)
def test_levels_of_cycles_of_the_real_kernel(mix: Store) -> None:
    found = rows(details.core_load(mix))
    used = [(r["core"], r["sub_core"], r["value"], r["level"]) for r in found if r["type"]]
    assert used == [
        (0, "vector0", 219790, 2),
        (0, "vector1", 408574, 7),
        (0, "cube0", 413123, 3),
        (1, "vector0", 220004, 2),
        (1, "vector1", 409526, 7),
        (1, "cube0", 413960, 6),
    ]
    assert {r["card"] for r in found} == set(range(20))
    assert [r["card"] for r in found if r["type"] is None] == list(range(2, 20))


@pytest.mark.row(SPEC, 28)
@pytest.mark.example(SPEC, 7)
def test_levels_of_throughput_of_the_real_kernel(mix: Store) -> None:
    found = [r for r in rows(details.core_load(mix, metric="throughput")) if r["type"]]
    assert [(r["level"], r["text"]) for r in found if r["type"] == "cube"] == [(0, "5.87 MB")] * 2
    assert [(r["level"], r["text"]) for r in found if r["type"] == "vector"] == [
        (6, "2.52 MB"),
        (6, "2.52 MB"),
        (1, "2.52 MB"),
        (6, "2.52 MB"),
    ]


@pytest.mark.row(SPEC, 28)
@pytest.mark.example(SPEC, 8)
def test_levels_of_hit_rates_of_the_real_kernel(mix: Store) -> None:
    found = [r for r in rows(details.core_load(mix, metric="hit_rate")) if r["type"]]
    assert [(r["level"], r["text"]) for r in found] == [
        (3, "85.54"),
        (2, "84.29"),
        (3, "93.6"),
        (6, "94.6"),
        (7, "95.92"),
        (6, "96.94"),
    ]


@pytest.mark.row(SPEC, 28, 30)
@pytest.mark.example(SPEC, 17)
def test_vector_cores_come_in_pairs(tmp_path: Path, home: Path) -> None:
    figures = [(7114, "75.700935"), (7453, "76.635513"), (7940, "77.272728")]
    cores = [
        {"core_id": i, "core_detail": [{"subcore_id": "0", "subcore_type": "vector", "cycles": c, "throughput": 15104, "L2cache_hit_rate": h}]}
        for i, (c, h) in enumerate(figures)
    ]  # fmt: skip
    payload = {"soc": "Ascend310P3", "op_type": "vector", "advice": "", "op_detail": cores[::-1]}
    store = store_of(tmp_path, home, (bins.CORES, payload))
    found = rows(details.core_load(store))
    assert [(r["card"], r["shown"], r["core"], r["sub_core"], r["value"], r["level"]) for r in found] == [
        (0, 0, 0, "vector0", 7114, 2),
        (0, 0, 1, "vector1", 7453, 4),
        (1, 1, 2, "vector0", 7940, 7),
    ]
    assert [r["level"] for r in rows(details.core_load(store, metric="throughput"))] == [0, 0, 0]
    assert [r["level"] for r in rows(details.core_load(store, metric="hit_rate"))] == [2, 5, 7]


@pytest.mark.row(SPEC, 31)
def test_simt_figures_are_there_when_they_were_collected(tmp_path: Path, home: Path, small: Store) -> None:
    load = bins.core_load()
    for core in load["op_detail"]:
        core["core_detail"][0]["simt_vf_instructions"] = {"instructions": 640, "instruction_per_cycle": 1.25}
    store = store_of(tmp_path, home, (bins.CORES, load))
    assert [(r["sub_core"], r["core"], r["ipc"]) for r in rows(details.simt(store))] == [
        ("vector0", 0, 1.25),
        ("vector0", 1, 1.25),
    ]
    assert [r["text"] for r in rows(details.core_load(store, metric="simt")) if r["type"]] == ["640", "640"]
    assert rows(details.simt(small)) == []


@pytest.mark.row(SPEC, 29)
@pytest.mark.parametrize(
    ("soc", "cards"),
    [("Ascend910B1", 24), ("Ascend910B4", 20), ("Ascend910_9362", 20), ("Ascend910_9589", 32), ("Ascend910_950z", 8),
     ("Ascend910_956d", 0), ("Ascend910_9599", 36), ("Ascend310P3", 0), ("", 0)],
)  # fmt: skip
def test_number_of_cards_follows_the_chip(soc: str, cards: int) -> None:
    assert core_levels.card_count(soc) == cards


def test_levels_of_one_and_of_equal_values_are_zero() -> None:
    assert core_levels.levels([7.0]) == [0]
    assert core_levels.levels([0.1 + 0.2, 0.3, 0.3]) == [0, 0, 0]
    assert core_levels.levels([]) == []
    assert core_levels.levels([1e308, 2.0, -1e308], narrow=True) == [0, 0, 0]
    assert core_levels.levels([0.0] * 9 + [1e9]) == [4] * 9 + [9]


@pytest.mark.row(SPEC, 32)
@pytest.mark.example(SPEC, 23)
def test_axes_and_roofs_of_the_small_kernel(small: Store) -> None:
    found = rows(details.roofline(small))
    assert [(r["tab"], r["bw_name"], r["turning_x"], r["max_x"], r["low"]) for r in found] == [
        ("Memory Unit", "GM Read + Write", pytest.approx(5.28), 100.0, 0.01),
        ("Memory Unit", "L2 Read + Write", pytest.approx(1.056), 100.0, 0.01),
    ]
    assert [(r["start_x"], r["start_y"]) for r in found] == [
        (pytest.approx(0.0125), 0.01),
        (0.01, pytest.approx(0.04)),
    ]


@pytest.mark.row(SPEC, 32)
@pytest.mark.example(SPEC, 16)
def test_turning_point_and_ratio_on_both_sides_of_it() -> None:
    mte2 = rooflines.Roof(5.2071, 324.4032, 34.8604, 15.3805)
    assert mte2.turning[0] == pytest.approx(62.3, abs=0.01)
    assert mte2.y / (mte2.x * mte2.bandwidth) == pytest.approx(0.084731, abs=5e-7)
    assert mte2.is_memory_side
    assert mte2.y / mte2.peak == pytest.approx(0.047412, abs=5e-7)


@pytest.mark.row(SPEC, 34)
def test_ratio_above_the_roof_is_null_and_entries_without_size_are_not_drawn(tmp_path: Path, home: Path) -> None:
    roof = bins.roofline()
    entries = roof["multiple_rooflines"][0]["rooflines"]
    entries[0]["ratio"] = "NA"
    entries[1]["bw"] = 0
    roof["multiple_rooflines"].append({"title": "Pipeline(Cube)", "rooflines": [{"bw_name": "MTE1", "bw": 1, "computility": 1, "point": [1]}]})  # fmt: skip
    store = store_of(tmp_path, home, (bins.BASE, bins.base()), (bins.ROOFLINE, roof))
    found = rows(details.roofline(store))
    assert [(r["bw_name"], r["ratio"], r["turning_x"] is None) for r in found] == [
        ("GM Read + Write", None, False),
        ("L2 Read + Write", 0.3, True),
        ("MTE1", None, True),
    ]


def test_roofline_needs_the_chip(tmp_path: Path, home: Path) -> None:
    store = store_of(tmp_path, home, (bins.ROOFLINE, bins.roofline()))
    with pytest.raises(NoData, match="roofline"):
        details.roofline(store)


@pytest.mark.row(SPEC, 35)
@pytest.mark.example(SPEC, 4)
def test_pipe_utilisation_of_the_real_kernel(mix: Store) -> None:
    for block, wanted in (
        ("0", [("Cube INT", 0, 0), ("Vector All Active1", 1.61, 6592), ("Vector All Active0", 3, 6592),
               ("Cube All Active", 11.15, 46050), ("Cube FP", 11.15, 46050), ("Cube Wait", 25.44, 105108)]),
        ("1", [("Cube INT", 0, 0), ("Vector All Active1", 1.61, 6592), ("Vector All Active0", 3, 6592),
               ("Cube All Active", 11.12, 46050), ("Cube FP", 11.12, 46050), ("Cube Wait", 25.63, 106113)]),
    ):  # fmt: skip
        found = [r for r in rows(details.compute(mix, block=block)) if r["kind"] == "chart"]
        order = sorted(found, key=lambda r: float(r["value"]))
        assert [(r["name"], float(r["value"]), float(r["cycles"])) for r in order] == wanted


@pytest.mark.row(SPEC, 36)
@pytest.mark.example(SPEC, 5)
def test_compute_table_of_the_real_kernel(mix: Store) -> None:
    table = [r for r in rows(details.compute(mix)) if r["kind"] == "table"]
    assert len(table) == 68
    first = [r for r in table if r["block_id"] == "0"]
    kinds = list(dict.fromkeys(r["block_type"] for r in first))
    assert [(k, sum(r["block_type"] == k for r in first)) for k in kinds] == [
        ("cube0", 4),
        ("vector0", 15),
        ("vector1", 15),
    ]
    by_name = {(r["block_type"], r["name"]): (r["unit"], r["value"]) for r in first}
    assert by_name["cube0", "Cube Compute Data Size"] == ("Data Volume(byte)", "377241600")
    unit, value = by_name["vector0", "Vector Wait"]
    assert (unit, float(value)) == ("Duration(μs)", 17)


@pytest.mark.row(SPEC, 37)
def test_stall_reasons_come_in_the_order_of_the_file(small: Store, mix: Store) -> None:
    assert [(r["reason"], r["count"]) for r in rows(details.stalls(small))] == [
        ("Divergence_Stack_Spill", 0),
        ("IBuf_Empty", 3),
        ("Nop_Cycles", 0),
        ("Others", 2),
        ("Register_bank_conflict", 0),
        ("Resource_conflict", 1),
        ("Scoreboard_Not_Ready", 9),
        ("Warp_Level_Sync", 4),
    ]
    with pytest.raises(NoData, match="warp stall"):
        details.stalls(mix)


@pytest.mark.row(SPEC, 38)
@pytest.mark.parametrize(
    ("soc", "op_type", "paths", "diagram", "known"),
    [("910B", "cube", [2], "cube", True), ("910B", "cube", [35], "cube-V2", True), ("910B", "vector", [35], "vector", True),
     ("910B", "mix", [], "mix", True), ("910B", "mix", [35], "mix-V2", True), ("910A5", "cube", [50], "cubeA5", True),
     ("910A5", "vector", [], "vectorA5", True), ("910A5", "vector", [50], "vectorA5-V2", True),
     ("910A5", "mix", [], "mixA5", True), ("910A5", "other", [50], "mixA5-V2", True), ("310P", "AiCore", [], "mix310", True),
     ("910B", "AiCore", [], "mix", False), ("1000X", "cube", [35], "cube-V2", False), ("", "", [], "mix", False)],
)  # fmt: skip
def test_diagram_follows_chip_kind_and_paths(
    tmp_path: Path, home: Path, soc: str, op_type: str, paths: list[int], diagram: str, known: bool
) -> None:
    units = [{"memory_path": p, "bandwidth": "1", "request": "1", "peak_ratio": "NA"} for p in paths]
    store = store_of(tmp_path, home, (bins.MEMORY, bins.memory(soc=soc, op_type=op_type, memory_unit=units)))
    found = rows(details.memory_units(store, block="0"))
    assert {(r["diagram"], r["known"]) for r in found} == {(diagram, known)}


@pytest.mark.row(SPEC, 39)
@pytest.mark.example(SPEC, 9)
def test_labels_of_the_real_kernel(mix: Store) -> None:
    found = {r["path"]: r for r in rows(details.memory_paths(mix, block="0"))}
    chosen = (0, 1, 2, 3, 7, 9, 10, 12)
    assert [found[p]["bandwidth_text"] for p in chosen] == [
        "19.01",
        "16.5",
        "10.32",
        "24.87",
        "65.09",
        "0",
        "8.14",
        "4.07",
    ]
    assert [found[p]["request_text"] for p in chosen] == [
        "47847",
        "41541",
        "12984",
        "62596",
        "40960",
        "0",
        "20480",
        "10243",
    ]
    assert [found[p]["peak_percent"] for p in (0, 2, 3)] == [None, 4.647074, 18.839386]
    units = {r["unit"]: (r["text"], r["diagram"]) for r in rows(details.memory_units(mix, block="0"))}
    assert units == {
        "L2": ("90.55%", "mix"),
        "Cube": ("11.15%", "mix"),
        "Vector": ("3%", "mix"),
        "Vector1": ("1.61%", "mix"),
    }


@pytest.mark.example(SPEC, 10)
def test_bandwidth_is_requests_times_their_size_over_the_duration(mix: Store) -> None:
    found = {r["path"]: r for r in rows(details.memory_paths(mix, block="0"))}
    for path, size in ((0, 128), (7, 512), (8, 1024)):
        rate = int(found[path]["request"]) * size / 300.0660095214844e-6 / 2**30
        assert float(found[path]["bandwidth_gbps"]) == pytest.approx(rate, abs=2e-4)
    assert found[8]["bandwidth_gbps"] == "16.272491"


def test_suffix_of_old_and_new_collectors_stands_behind_the_figure(tmp_path: Path, home: Path) -> None:
    units = [
        {
            "memory_path": 1,
            "bandwidth": "2.5",
            "request": "7",
            "peak_ratio": "",
            "bandwidth_suffix": "(theoretical value)",
        },
        {"memory_path": 0, "bandwidth": "2.5", "request": "7", "peak_ratio": "NA", "requests_suffix": "*"},
    ]
    store = store_of(tmp_path, home, (bins.MEMORY, bins.memory(memory_unit=units)))
    found = rows(details.memory_paths(store, block="0"))
    assert [(r["bandwidth_text"], r["request_text"], r["peak_percent"]) for r in found] == [
        ("2.5(theoretical value)", "7", None),
        ("2.5", "7*", None),
    ]


def test_missing_rate_is_na(tmp_path: Path, home: Path) -> None:
    store = store_of(tmp_path, home, (bins.MEMORY, bins.memory(L2cache={}, Vector=None)))
    assert {r["text"] for r in rows(details.memory_units(store))} == {"NA"}


@pytest.mark.row(SPEC, 42, 43)
@pytest.mark.example(SPEC, 11)
def test_memory_tables_and_advice_of_the_real_kernel(mix: Store) -> None:
    found = rows(details.memory_tables(mix, block="0"))
    assert len({r["table_number"] for r in found}) == 16

    def values(table: str, name: str) -> list[str]:
        return [r["value"] for r in found if (r["table"], r["name"]) == (table, name)]

    assert values("Cache", "L2 Cache Total") == ["66845", "6976", "73821", "90.550110"]
    assert [float(v) for v in values("Pipe Cube", "FIXP")] == [81, 217412, 0, 52.626453]
    assert values("L1", "L1 Write L0A/L0B") == ["NA", "NA", "NA"]
    assert details.advice(mix, section="memory_table", block="0").num_rows == 5


@pytest.mark.row(SPEC, 44)
@pytest.mark.example(SPEC, 12)
def test_compared_with_its_copy_every_difference_is_zero(
    tmp_path: Path, home: Path, real: Callable[[str], Path]
) -> None:
    data = real(REAL).read_bytes()
    store = bins.opened(bins.write(tmp_path / "one", data), bins.write(tmp_path / "two", data))
    pair = {"card": "one", "baseline": "two"}
    compute = rows(details.compute(store, **pair))
    assert sum(r["kind"] == "chart" for r in compute) == 12
    assert sum(r["kind"] == "table" for r in compute) == 68
    assert {r["diff"] for r in compute} == {"0"}
    paths = rows(details.memory_paths(store, block="0", **pair))
    assert (len(paths), {r["request_diff"] for r in paths}, {r["bandwidth_diff"] for r in paths}) == (20, {"0"}, {"0"})
    assert paths[0]["bandwidth_text"] == "19.01(19.01)"
    tables = rows(details.memory_tables(store, block="0", **pair))
    assert len({r["table_number"] for r in tables}) == 16
    assert {r["diff"] for r in tables if r["value"] != "NA"} == {"0"}
    assert {r["diff"] for r in tables if r["value"] == "NA"} == {"-"}


@pytest.mark.row(SPEC, 44)
def test_rows_of_one_side_only_have_no_difference(tmp_path: Path, home: Path) -> None:
    other = bins.sample(
        memory=bins.memory(
            memory_unit=[{"memory_path": 12, "bandwidth": "4.00", "request": "900", "peak_ratio": "NA"}]
        ),
        stalls={"top_stall_reason_table": {"IBuf_Empty": 1, "Active": 5}},
    )
    store = bins.opened(bins.write(tmp_path / "one", bins.sample()), bins.write(tmp_path / "two", other))
    pair = {"card": "one", "baseline": "two"}
    found = {r["path"]: r for r in rows(details.memory_paths(store, block="0", **pair))}
    assert (found[12]["bandwidth_text"], found[12]["request_diff"], found[12]["bandwidth_diff"]) == ("5(4)", "100", "1")
    assert (found[0]["bandwidth_text"], found[0]["request_diff"]) == ("2.5(-)", "-")
    turned = rows(details.memory_paths(store, block="0", card="two", baseline="one"))
    assert [(r["path"], r["request"], r["baseline_request"]) for r in turned if r["request"] is None] == [
        (0, None, "1000"),
        (1, None, "500"),
        (13, None, "500"),
        (14, None, "640"),
        (15, None, "640"),
    ]
    stalls = {r["reason"]: (r["count"], r["baseline"], r["diff"]) for r in rows(details.stalls(store, **pair))}
    assert stalls["IBuf_Empty"] == (3, 1, 2)
    assert stalls["Others"] == (2, 0, 2)
    assert stalls["Active"] == (0, 5, -5)


@pytest.mark.row(SPEC, 45)
def test_a_kernel_is_no_baseline_of_itself(small: Store) -> None:
    name = small.every_card[0].name
    with pytest.raises(BadArgument, match="Can't set oneself as baseline"):
        details.base_info(small, card=name, baseline=name)


def test_low_frequency_is_an_advice(tmp_path: Path, home: Path) -> None:
    store = store_of(tmp_path, home, (bins.BASE, bins.base(cur_freq=800, rated_freq="1650", advice=["check the host"])))
    assert details.advice(store, section="base_info")["text"].to_pylist() == [
        "check the host",
        "The current frequency is lower than the rated frequency",
    ]


def test_broken_block_is_told_by_the_page_that_needs_it(tmp_path: Path, home: Path) -> None:
    path = bins.write(
        tmp_path, bins.block(bins.BASE, bins.base()) + bins.block(bins.GRAPH, b'{"subblock_detail":[{"na')
    )
    store = bins.opened(path)
    with pytest.raises(NoData, match="could not be parsed"):
        details.compute(store)
    assert rows(details.base_info(store))[0]["value"] == "add_custom"


@pytest.mark.parametrize("raw", [b"[]", b"5", b'"x"', b"{" * 5000, b"\xff\xfe{}", b'{"subblock_detail":5}', b"{}    "])
def test_strange_json_costs_its_page_only(tmp_path: Path, home: Path, raw: bytes) -> None:
    kinds = [k for k in bins.PAYLOADS if k not in (bins.BASE, bins.TRACE)]
    data = bins.block(bins.BASE, bins.base()) + b"".join(bins.block(k, raw) for k in kinds)
    store = bins.opened(bins.write(tmp_path, data))
    assert rows(details.base_info(store))[0]["value"] == "add_custom"
    assert [r["kind"] for r in rows(details.bounds(store))] == []


def test_half_surrogates_and_damaged_text_are_shown_with_replacements(tmp_path: Path, home: Path) -> None:
    raw = b'{"name":"k\\ud800x \\ud83d\\ude00 \xff","op_type":"cube","pid":"\\uD800"}'
    store = store_of(tmp_path, home, (bins.BASE, raw))
    found = {row["field"]: row["value"] for row in rows(details.base_info(store))}
    assert (found["name"], found["pid"]) == ("k\ufffdx \U0001f600 \ufffd", "\ufffd")


def test_kernels_are_ranked_by_their_duration(tmp_path: Path, home: Path) -> None:
    paths = [
        bins.write(tmp_path / name, bins.sample(base=bins.base(name=name, duration=duration)))
        for name, duration in (("short", 5.0), ("long", 15.0), ("untimed", ""))
    ]
    found = rows(details.operators(bins.opened(*paths)))
    assert [(r["card"], r["duration_us"], r["share_percent"]) for r in found] == [
        ("long", 15.0, 75.0),
        ("short", 5.0, 25.0),
        ("untimed", None, None),
    ]
    assert {r["bound"] for r in found} == {"latency"}


def test_several_kernels_need_a_name(tmp_path: Path, home: Path) -> None:
    store = bins.opened(bins.write(tmp_path / "a", bins.sample()), bins.write(tmp_path / "b", bins.sample()))
    with pytest.raises(BadArgument, match="a, b"):
        details.base_info(store)
    with pytest.raises(BadArgument, match="no kernel 'c'"):
        details.base_info(store, card="c")


def test_what_bounds_the_small_kernel_is_said_with_figures(small: Store) -> None:
    found = rows(details.bounds(small))
    assert [(r["kind"], r["severity"]) for r in found] == [
        ("verdict", "warning"),
        ("pipe", "info"),
        ("balance", "info"),
        ("stall", "info"),
        ("cache", "info"),
    ]
    assert found[0]["text"] == (
        "Latency bound: no more than 75.0 % of a roof is reached, that of GM Read + Write "
        "(0.5 operations per byte, the roof turns at 5.28)."
    )
    assert found[2]["text"] == (
        "The vector parts are balanced: the slowest, vector0 of core 1, takes 1.2 % more than the average "
        "(20,500 cycles, 20,250 on average)."
    )
    assert found[3]["text"] == "Warps wait most for Scoreboard_Not_Ready: 9 of 19 samples (47.4 %)."


@pytest.mark.parametrize(
    ("ratio", "x", "bound"), [(0.85, 1.0, "memory"), (0.85, 9.0, "compute"), (0.8, 1.0, "latency")]
)
def test_verdict_follows_the_best_ratio(tmp_path: Path, home: Path, ratio: float, x: float, bound: str) -> None:
    entry = {
        "bw_name": "GM",
        "bw": 1.0,
        "computility_name": "Cube",
        "computility": 5.0,
        "point": [x, 1.0],
        "ratio": ratio,
    }
    roof = {"multiple_rooflines": [{"title": "GM/L2", "rooflines": [entry]}]}
    store = store_of(tmp_path, home, (bins.BASE, bins.base()), (bins.ROOFLINE, roof))
    assert rows(details.operators(store))[0]["bound"] == bound
