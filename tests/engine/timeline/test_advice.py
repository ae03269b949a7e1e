"""The seven advisors: what is just below and just above each threshold, one sequence per rule, the real runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.support.operator_files import open_store, write
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import advice_rules as rules
from insight_desktop.engine.timeline.advice import advice, aicpu_note, top_operators
from insight_desktop.errors import BadArgument

SPEC = "system-timeline"
HEADER = (
    "Device_id,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim,"
    "Input Data Types,Output Data Types"
)


def one_card(folder: Path, kind: str = "text", **rows: Any) -> Store:
    build(folder, **{"slices": [], **rows})
    return Store([StoreCard("0", "0", 0, "", kind, folder)])


def rows_of(store: Store, kind: str, **more: Any) -> list[dict[str, Any]]:
    return advice(store, card="0", kind=kind, **more).to_pylist()


def ops(names: Iterable[str], *, at: int = 0, thread: int = 7, cat: str = "cpu_op") -> list[dict[str, Any]]:
    """Operators one after the other, 10 ns every 20 ns."""
    return [
        {"pid": 1, "tid": thread, "name": f"aten::{n}", "start_ns": at + 20 * k, "end_ns": at + 20 * k + 10, "cat": cat}
        for k, n in enumerate(names)
    ]


def met(store: Store) -> list[tuple[str, str]]:
    """Origin without aten:: and replacement, by time, then length."""
    found = sorted(rows_of(store, "affinity_api"), key=lambda r: (r["ts_ns"], r["origin"].count(",")))
    return [(r["origin"].replace("aten::", ""), r["replacement"]) for r in found]


@pytest.mark.row(SPEC, 78)
@pytest.mark.parametrize(
    ("lowest", "percent", "is_problem"), [(930, 7, True), (960, 4, False), (941, 5, False), (940, 6, True)]
)
def test_the_frequency_is_a_problem_above_five_whole_percent(
    tmp_path: Path, lowest: int, percent: int, is_problem: bool
) -> None:
    counter = {"process": "AI Core Freq", "counter": "AI Core Freq", "series": "MHz"}
    values = [{**counter, "ts_ns": 5, "value": 1000.0}, {**counter, "ts_ns": 9, "value": float(lowest)}]
    (row,) = rows_of(one_card(tmp_path, counters=values), "ai_core_frequency", from_ns=6)
    assert (row["value"], row["is_problem"], row["name"]) == (percent, is_problem, "AI Core Freq")
    assert f"{percent} %" in row["note"]


def test_without_frequency_data_nothing_is_said(tmp_path: Path) -> None:
    assert rows_of(one_card(tmp_path, slices=ops(["add"])), "ai_core_frequency") == []


# Every rule with and without what may be left out.
SEQUENCES = [
    ("gelu", "torch_npu.fast_gelu"),
    ("linear", "torch_npu.npu_linear"),
    ("mish", "torch_npu.npu_mish / torch_npu.contrib.module.Mish"),
    ("silu", "torch_npu.npu_silu / torch_npu.contrib.module.SiLU"),
    ("mul, sigmoid", "torch_npu.npu_silu / torch_npu.contrib.module.SiLU"),
    ("sigmoid, mul", "torch_npu.npu_silu / torch_npu.contrib.module.SiLU"),
    ("add, reciprocal, mul", "optimizer.clip_grad_norm_fused_"),
    ("softmax, masked_fill_", "torch_npu.npu_scaled_masked_softmax"),
    ("softmax, mul, add", "torch_npu.npu_scaled_masked_softmax"),
    ("permute, reshape", "torch_npu.npu_confusion_transpose"),
    ("transpose, contiguous, view", "torch_npu.npu_confusion_transpose"),
    ("view, transpose", "torch_npu.npu_confusion_transpose"),
    ("reshape, contiguous, permute", "torch_npu.npu_confusion_transpose"),
    ("chunk, neg, cat, add", "torch_npu.npu_rotary_mul"),
    ("slice, neg, cat, mul, mul, add", "torch_npu.npu_rotary_mul"),
    ("matmul, softmax, matmul", "torch_npu.npu_fusion_attention"),
    ("matmul, add, mul, masked_fill_, softmax, dropout, matmul", "torch_npu.npu_fusion_attention"),
    ("rsqrt, mul", "torch_npu.npu_rms_norm"),
    ("slice, silu, mul", "torch_npu.npu_swiglu"),
    ("chunk, mul, silu", "torch_npu.npu_swiglu"),
    ("chunk, sigmoid, mul, mul", "torch_npu.npu_swiglu"),
    ("chunk, mul, sigmoid, mul", "torch_npu.npu_swiglu"),
    ("chunk, mul, mul, sigmoid", "torch_npu.npu_swiglu"),
    ("chunk, gelu, mul", "torch_npu.npu_geglu"),
    ("slice, mul, gelu", "torch_npu.npu_geglu"),
]


@pytest.mark.row(SPEC, 79)
@pytest.mark.parametrize(("origin", "replacement"), SEQUENCES)
def test_a_sequence_of_operators_is_found_and_not_without_its_last_one(
    tmp_path: Path, origin: str, replacement: str
) -> None:
    names = origin.split(", ")
    store = one_card(tmp_path / "whole", slices=ops(["relu", *names]))
    assert (origin, replacement) in met(store)
    first = next(r for r in rows_of(store, "affinity_api") if r["origin"].replace("aten::", "") == origin)
    assert (first["ts_ns"], first["dur_ns"], first["name"]) == (20, 10, f"aten::{names[0]}")
    cut = one_card(tmp_path / "cut", slices=ops(["relu", *names[:-1], "relu"]))
    assert (origin, replacement) not in met(cut)


@pytest.mark.row(SPEC, 79)
def test_every_rule_that_matches_at_a_place_has_its_row(tmp_path: Path) -> None:
    norm = "torch_npu.npu_rms_norm"
    assert met(one_card(tmp_path, slices=ops(["rsqrt", "mul", "type_as"]))) == [
        ("rsqrt, mul", norm),
        ("rsqrt, mul, type_as", norm),
    ]


@pytest.mark.row(SPEC, 79)
def test_operators_inside_an_earlier_one_of_the_list_do_not_count(tmp_path: Path) -> None:
    inside = [*ops(["rsqrt"]), *ops(["mul"], at=100), *ops(["relu"], at=102)]
    inside[1]["end_ns"], inside[2]["end_ns"] = 130, 120  # relu lies in mul
    step = {"pid": 1, "tid": 7, "name": "ProfilerStep#5", "start_ns": 0, "end_ns": 500, "cat": "cpu_op"}
    store = one_card(tmp_path / "a", slices=[step, *inside, *ops(["type_as"], at=200)])
    assert [origin for origin, _ in met(store)] == ["rsqrt, mul", "rsqrt, mul, type_as"]
    other = [*ops(["rsqrt"]), *ops(["mul"], at=100, thread=8)]
    assert met(one_card(tmp_path / "b", slices=other)) == []
    foreign = [*ops(["rsqrt"]), *ops(["relu"], at=50, cat="user_annotation"), *ops(["mul"], at=100)]
    assert [origin for origin, _ in met(one_card(tmp_path / "c", slices=foreign))] == ["rsqrt, mul"]


@pytest.mark.row(SPEC, 79)
def test_rules_that_need_a_cann_version_say_so(tmp_path: Path) -> None:
    store = one_card(tmp_path, slices=ops(["slice", "gelu", "mul", "relu", "rsqrt", "mul"]))
    notes = {r["replacement"]: r["note"] for r in rows_of(store, "affinity_api")}
    assert notes["torch_npu.npu_geglu"] == "Needs CANN 8.0 or later."
    assert notes["torch_npu.npu_rms_norm"] == "Needs CANN 7.0 or later."
    assert notes["torch_npu.fast_gelu"] == ""


@pytest.mark.row(SPEC, 79)
@pytest.mark.parametrize("kind", ["text", "db"])
def test_the_real_run_keeps_177_of_its_operators(real: Callable[[str], Path], kind: str) -> None:
    store = open_store(real(f"{kind}_level2"))
    ids, _ = top_operators(store.card("0"), store.capture("0"))
    assert len(ids) == 177
    linear = [r for r in rows_of(store, "affinity_api") if r["origin"] == "aten::linear"]
    assert [r["replacement"] for r in linear] == ["torch_npu.npu_linear"] * len(linear)


@pytest.mark.row(SPEC, 80)
def test_nine_optimizers_have_a_fused_one(tmp_path: Path) -> None:
    names = ["SGD", "Adadelta", "Lamb", "Adam", "AdamW", "AdamP", "BertAdam", "RMSprop", "RMSpropTF"]
    steps = [f"Optimizer.step#{n}.step" for n in (*names, "Adagrad", "SGDx")] + ["Optimizer.step#SGD.zero_grad"]
    slices = [{"pid": 1, "tid": 7, "name": n, "start_ns": 10 * k, "end_ns": 10 * k + 5} for k, n in enumerate(steps)]
    found = rows_of(one_card(tmp_path, slices=slices), "affinity_optimizer")
    assert [(r["origin"], r["replacement"]) for r in found] == [
        (f"Optimizer.step#{n}.step", f"torch_npu.optim.NpuFused{n}") for n in names
    ]


@pytest.mark.row(SPEC, 81)
@pytest.mark.parametrize(
    ("op_type", "inputs", "outputs", "duration_ns", "note"),
    [
        ("Index", "FLOAT", "FLOAT", 1, "This operator runs on AICPU: use an equivalent operator without it."),
        ("NonZero", "FLOAT16", "INT64", 1, "This operator runs on AICPU: use an equivalent operator without it."),
        ("Add", "FLOAT;INT16", "FLOAT", 19_999, ""),
        ("Add", "FLOAT;INT16", "FLOAT", 20_000, "It takes 20 µs or more on AICPU: avoid AICPU operators."),
        ("Add", "FLOAT;COMPLEX64", "FLOAT", 1, "Its data types call for AICPU."),
        ("Add", "FLOAT", "DOUBLE", 30_000, "Its data types call for AICPU."),
        ("Cast", "FLOAT;INT8", "FLOAT", 1, "Its data types call for AICPU."),
        ("Cast", "DT_BF16;UINT8", "INT64", 1, ""),
        ("Mul", "INT8;INT16", "INT8", 1, "Its data types call for AICPU."),
        ("Mul", '"INT8;INT32"', "INT8", 1, ""),
        ("TensorEqual", "INT64", "BOOL", 1, "Its data types call for AICPU."),
        ("Equal", "INT64", "BOOL", 1, ""),
        ("Equal", "INT64", "INT64", 1, "Its data types call for AICPU."),
        ("Reshape", "N/A", "", 1, ""),
        (None, None, None, None, ""),
    ],
)
def test_an_aicpu_operator_is_judged_by_type_then_data_types_then_time(
    op_type: str | None, inputs: str | None, outputs: str | None, duration_ns: int | None, note: str
) -> None:
    found = aicpu_note(op_type, inputs, outputs, duration_ns)
    assert found[: len(note)] == note
    assert bool(found) == bool(note)


def test_the_note_lists_the_data_types_that_are_allowed() -> None:
    assert aicpu_note("TensorEqual", "INT64", "BOOL", 1).endswith(
        "input float, float32, float16, bool, int32, int8, uint8; output bool."
    )


def kernel_card(folder: Path, rows: list[str], trace: list[dict[str, Any]] | None = None) -> Store:
    path = write(folder, "\n".join([HEADER, *rows]) + "\n")
    if trace is not None:
        (path / "ASCEND_PROFILER_OUTPUT" / "trace_view.json").write_text(json.dumps(trace))
    return open_store(path)


def task(name: str, op_type: str, start: float, *, stream: object = 2, core: str = "AI_CORE", us: float = 1) -> str:
    return f"0,{stream},{name},{op_type},{core},{start},{us},0,1,FLOAT,FLOAT"


@pytest.mark.row(SPEC, 81)
def test_aicpu_kernels_are_listed_with_their_slice(tmp_path: Path) -> None:
    meta = {"ph": "M", "pid": 9, "name": "process_name", "args": {"name": "Ascend Hardware"}}
    lane = {"ph": "M", "pid": 9, "tid": 2, "name": "thread_name", "args": {"name": "Stream 2"}}
    event = {"ph": "X", "pid": 9, "tid": 2, "name": "slow", "ts": "100", "dur": 20}
    kernels = [
        task("slow", "Add", 100, core="AI_CPU", us=20),
        task("quick", "Add", 200, core="AI_CPU", us=19.999),
        task("index", "Index", 300, core="AI_CPU"),
        task("core", "Index", 400, core="AI_CORE", us=50),
    ]
    store = kernel_card(tmp_path, kernels, [meta, lane, event])
    rows = rows_of(store, "aicpu")
    assert [(r["name"], r["ts_ns"], r["dur_ns"], r["slice_id"], r["pid"], r["tid"]) for r in rows] == [
        ("slow", 100_000, 20_000, 0, "9", "2"),
        ("index", 300_000, 1_000, None, None, None),
    ]
    assert [r["name"] for r in rows_of(store, "aicpu", from_ns=120_001)] == ["index"]
    assert [r["name"] for r in rows_of(store, "aicpu", to_ns=299_999)] == ["slow"]


def streams(name: str, count: int, *, role: str = "stream", lane: str = "Stream 2") -> list[dict[str, Any]]:
    return [
        {"pid": 9, "tid": 2, "lane": lane, "role": role, "name": name, "start_ns": 10 * k, "end_ns": 10 * k + 5}
        for k in range(count)
    ]


@pytest.mark.row(SPEC, 82)
@pytest.mark.parametrize(("count", "listed"), [(19, 0), (20, 20)])
def test_aclnn_operators_are_listed_from_twenty_occurrences_on(tmp_path: Path, count: int, listed: int) -> None:
    slices = [*streams("ACLNNMuls_Mul", count), *streams("Mul", 30), *streams("aclnnHost", 30, role="thread", lane="x")]
    store = one_card(tmp_path, slices=slices)
    rows = rows_of(store, "aclnn")
    assert [(r["name"], r["value"]) for r in rows] == [("ACLNNMuls_Mul", 20)] * listed
    # A range limits the rows, not the count: 5…15 touches the slices of 0, 10.
    assert len(rows_of(store, "aclnn", from_ns=5, to_ns=15)) == min(listed, 2)


@pytest.mark.row(SPEC, 83)
@pytest.mark.parametrize(("sequence", "fused"), rules.FUSIONS, ids=lambda v: v if isinstance(v, str) else None)
def test_a_run_of_operator_types_of_one_stream_can_be_fused(
    tmp_path: Path, sequence: tuple[str, ...], fused: str
) -> None:
    lines = [task(f"op{k}", word, 100 + 10 * k) for k, word in enumerate(sequence)]
    lines.insert(2, task("other", "Add", 105, stream=3))
    lines.insert(2, task("hcom", "hcom_allReduce_", 106, core="HCCL"))
    (row,) = rows_of(kernel_card(tmp_path / "whole", lines), "fusion")
    assert (row["name"], row["origin"], row["replacement"]) == ("op0", ", ".join(sequence), fused)
    assert (row["ts_ns"], row["dur_ns"]) == (100_000, 1_000)
    split = [task(f"op{k}", word, 100 + 10 * k, stream=2 + (k > 0)) for k, word in enumerate(sequence)]
    assert rows_of(kernel_card(tmp_path / "split", split), "fusion") == []


@pytest.mark.row(SPEC, 83)
def test_the_seven_sequences_are_those_that_are_known() -> None:
    assert [(len(sequence), fused) for sequence, fused in rules.FUSIONS] == [
        (3, "LayerNorm"), (4, "GatherElements"), (7, "RotaryMul"), (7, "RotaryMul"), (8, "RotaryMul"), (9, "RMSNorm"),
        (12, "RMSNORM"),
    ]  # fmt: skip


def test_types_compare_case_by_case(tmp_path: Path) -> None:
    lines = [task(f"op{k}", word, 100 + 10 * k) for k, word in enumerate(("cast", "LayerNorm", "Cast"))]
    assert rows_of(kernel_card(tmp_path, lines), "fusion") == []


@pytest.mark.row(SPEC, 84)
@pytest.mark.parametrize(("count", "listed"), [(19, 0), (20, 20)])
def test_compilations_are_listed_from_twenty_on(tmp_path: Path, count: int, listed: int) -> None:
    slices = streams("AscendCL@aclopCompileAndExecute", count, role="thread", lane="Thread 5")
    store = one_card(tmp_path, slices=[*slices, *streams("aclopCompileAndExecuteV2", 30, role="thread", lane="T")])
    rows = rows_of(store, "dispatch")
    assert len(rows) == listed
    assert {r["note"] for r in rows} <= {
        "Set torch_npu.npu.set_compile_mode(jit_compile=False), so that operators are not compiled while they run."
    }
    assert rows_of(store, "dispatch", from_ns=6) == []  # 19 at most are left


def test_all_advisors_come_in_their_order_longest_first(tmp_path: Path) -> None:
    slices = ops(["linear", "gelu"])
    slices[1]["end_ns"] += 30
    found = advice(one_card(tmp_path, slices=slices)).to_pylist()
    assert [(r["kind"], r["name"]) for r in found] == [("affinity_api", "aten::gelu"), ("affinity_api", "aten::linear")]


def test_an_unknown_advisor_and_a_turned_range_are_refused(tmp_path: Path) -> None:
    store = one_card(tmp_path, slices=ops(["add"]))
    with pytest.raises(BadArgument, match="no advisor"):
        advice(store, kind="horoscope")  # type: ignore[arg-type]
    with pytest.raises(BadArgument, match="ends before it begins"):
        advice(store, from_ns=5, to_ns=4)
