"""Grid of the experts' load: from a dump, with dense layers, with a deployment, and from the calls of a rank."""

from __future__ import annotations

import json

import pytest

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import summary, summary_experts
from insight_desktop.errors import BadArgument, NoData

SPEC = "system-summary-communication"


@pytest.mark.example(SPEC, "W23")
@pytest.mark.row(SPEC, 25)
def test_decode_hotspot_has_a_cell_per_layer_and_expert(real):
    path = str(real("upstream_unit/expert_hotspot"))
    found = summary.expert_load(Store(), version="unbalanced", path=path)
    assert found.num_rows == 232
    model = summary.expert_model(Store(), version="unbalanced", path=path).to_pylist()[0]
    assert (model["moe_layers"], model["layers"], model["experts"]) == (58, 58, 4)


@pytest.mark.example(SPEC, "W23")
@pytest.mark.row(SPEC, 25)
def test_dense_layers_move_the_others_down(real):
    path = str(real("upstream_unit/expert_hotspot"))
    cells = summary.expert_load(Store(), version="balanced", path=path, layers=61, dense="0,2").to_pylist()
    assert len(cells) == 244
    assert cells[5] == {"layer": 1, "expert_index": 1, "expert_id": 1, "rank": 0, "visits": 35661}
    assert [cells[i]["visits"] for i in (1, 8, -1)] == [0, 0, 0]
    assert cells[1]["expert_id"] == -1


@pytest.mark.example(SPEC, "W23")
@pytest.mark.row(SPEC, 25)
def test_deployment_has_a_column_per_slot(real):
    path = str(real("upstream_unit/expert_deployment"))
    found = summary.expert_load(Store(), version="balanced", stage="prefill", path=path)
    assert found.num_rows == 18560
    assert found.slice(1, 1).to_pylist() == [{"layer": 0, "expert_index": 1, "expert_id": 237, "rank": 0, "visits": 0}]
    assert found["expert_index"].to_pylist()[319] == 319


@pytest.mark.row(SPEC, 25)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"layers": 57}, "57 layers are too few"),
        ({"layers": 58, "dense": "0"}, "58 layers are too few"),
        ({"layers": 501}, "Model Layer Num is 501"),
        ({"experts": 5}, "Expert Num is 4 in the data"),
        ({"layers": 60, "dense": "0-70"}, "list of dense layers"),
        ({"dense": "x"}, "no list of layers"),
    ],
)
def test_figures_that_do_not_fit_are_refused(real, given, message):
    with pytest.raises(BadArgument, match=message):
        summary.expert_load(Store(), version="unbalanced", path=str(real("upstream_unit/expert_hotspot")), **given)


def test_without_a_folder_the_import_is_asked_for():
    with pytest.raises(NoData, match="No expert data were imported"):
        summary.expert_load(Store(), version="balanced")


@pytest.mark.row(SPEC, 26)
def test_calls_of_a_pass_tell_layers_dense_ones_and_time():
    layer, matmul, end = "Decoder_layer::Execute", "aclnnGroupedMatmulV4", "LmHead::Execute"
    one_pass = [layer, layer, matmul, matmul, layer, "AscendCL@aclnnGroupedMatmulSwiglu", end]
    found = summary_experts.walk([*one_pass, *one_pass], [1, 2, 4, 10, 20, 40], "decode")
    assert (found.layers, found.dense, found.visits) == (3, [0], [33, 44])


@pytest.mark.row(SPEC, 26)
def test_kernels_of_the_other_stage_are_passed_over():
    calls = [
        "Prefill_layer::Execute", "aclnnGroupedMatmulV4", "LmHead::Execute", "AscendCL@Decoder_layer::Execute",
        "AscendCL@aclnnGroupedMatmulV4", "AscendCL@LmHead::Execute",
    ]  # fmt: skip
    assert summary_experts.walk(calls, [5, 7], "prefill").visits == [5]
    assert summary_experts.walk(calls, [5, 7], "decode").visits == [7]
    assert summary_experts.walk(calls[:1], [5], "prefill") is None


@pytest.mark.row(SPEC, 26)
def test_ranks_with_timelines_have_a_column_each(tmp_path):
    for rank, length in ((0, 3), (2, 4)):
        events = [
            {"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": i * 10, "dur": 9, "args": {}}
            for i, name in enumerate(
                ["Decoder_layer::Execute", "Decoder_layer::Execute", "aclnnGroupedMatmulV4", "LmHead::Execute"]
            )
        ]
        name = "aclnnGroupedMatmulV4_GroupedMatmul_GroupedMatmul"
        events.append({"ph": "X", "name": name, "pid": 2, "tid": 1, "ts": 25, "dur": length, "args": {}})
        output = tmp_path / f"rank_{rank}_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
        output.mkdir(parents=True)
        (output / "trace_view.json").write_text(json.dumps(events))
        (output.parent / f"profiler_info_{rank}.json").write_text("{}")
    _, imports = import_paths([tmp_path])
    store = Store([StoreCard.of_import(item) for item in imports])
    cells = summary.expert_load(store).to_pylist()
    assert [(c["layer"], c["expert_index"], c["rank"], c["visits"]) for c in cells] == [
        (0, 0, 0, 0), (0, 1, 1, 0), (0, 2, 2, 0), (1, 0, 0, 3000), (1, 1, 1, 0), (1, 2, 2, 4000),
    ]  # fmt: skip
    assert summary.expert_model(store)["dense"].to_pylist() == [[0]]
    with pytest.raises(NoData, match="No open rank"):
        summary.expert_load(store, stage="prefill")
