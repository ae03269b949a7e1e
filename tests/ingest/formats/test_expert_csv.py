"""Files of an expert hotspot dump: which are read, what is left out and told."""

from __future__ import annotations

import json

import pytest

from insight_desktop.errors import BadFile, NoData
from insight_desktop.ingest.formats import expert_csv
from insight_desktop.ingest.report import Report

SPEC = "system-summary-communication"


def dump(folder, **texts):
    for name, text in texts.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def read(folder, stage="decode", report=None):
    return expert_csv.read(expert_csv.files(folder, stage), stage, report or Report())


def deployment(layers, devices, slots=2):
    listed = [
        {"layer_id": i, "device_list": [{"device_id": d, "device_expert": [d * slots + s for s in range(slots)]} for d in range(devices)]}
        for i in range(layers)
    ]  # fmt: skip
    return json.dumps({"moe_layer_count": layers, "layer_list": listed})


@pytest.mark.row(SPEC, 25)
def test_real_dump_keeps_the_rows_that_are_there(real):
    found = read(real("upstream_unit/expert_hotspot"))
    assert (found.moe_layers, found.ranks, found.experts_per_rank) == (58, 1, 4)
    assert found.visits[0][0] == [33430, 35661, 40893, 126836]


@pytest.mark.row(SPEC, 25)
def test_real_deployment(real):
    found = read(real("upstream_unit/expert_deployment"), "prefill")
    assert (found.moe_layers, found.ranks, found.experts_per_rank) == (58, 64, 5)
    assert found.experts[0, 0] == [0, 237, 88, 240, 85]


def test_only_the_last_rows_are_those_of_moe_layers(tmp_path):
    config = {"model_gen_config.json": '{"num_moe_layers": 2}'}
    found = read(dump(tmp_path, **config, **{"a__decode_0.csv": "9,9\n1,2\n3,4\n", "a__decode_12.csv": "5,6\n7,8,\n"}))
    assert found.visits == {0: [[1, 2], [3, 4]], 12: [[5, 6], [7, 8]]}
    assert found.ranks == 13


def test_broken_file_is_named_and_the_others_stay(tmp_path):
    config = {"model_gen_config.json": '{"num_moe_layers": 1}'}
    report = Report()
    found = read(dump(tmp_path, **config, **{"decode_0.csv": "1,2\n", "decode_1.csv": "1,x\n"}), report=report)
    assert found.visits == {0: [[1, 2]]}
    assert [(i.code, i.where) for i in report.issues] == [("expert_csv.unusable", "decode_1.csv")]


@pytest.mark.row(SPEC, 25)
def test_hotspots_need_their_configuration(tmp_path):
    with pytest.raises(NoData, match=r"model_gen_config\.json is missing"):
        read(dump(tmp_path, **{"decode_0.csv": "1,2\n"}))


@pytest.mark.row(SPEC, 25)
def test_folder_without_anything_says_what_is_looked_for(tmp_path):
    with pytest.raises(NoData, match="No parsable files"):
        read(dump(tmp_path, **{"other.csv": "1,2\n", "decode_12345.csv": "1\n"}))


@pytest.mark.row(SPEC, 25)
def test_dump_and_deployment_of_other_sizes_are_refused(tmp_path):
    texts = {
        "model_gen_config.json": '{"num_moe_layers": 2}',
        "decode_0.csv": "1,2\n3,4\n",
        "decode_global_deployment.json": deployment(2, 3),
    }
    with pytest.raises(BadFile, match="2 layers on 1 ranks were counted, 2 layers on 3 devices are deployed"):
        read(dump(tmp_path, **texts))
