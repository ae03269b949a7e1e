"""Instruction and line blocks: the quick way by column gives what the plain way gives, and large blocks stay bounded."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from tests.support import operator_bins as bins

from insight_desktop.ingest.formats import operator_blocks, operator_columns, operator_instructions, operator_records
from insight_desktop.ingest.formats.operator_instructions import Instructions, Lines

CODES = {"Address": 3, "Source": 3, "Cycles": 1, "Rate": 4, "Ratio": 2, "GPR Status": 5, "Stall": 100}


def rows_of(path: Path, kind: int = bins.INSTRUCTIONS) -> list[dict[str, Any]]:
    block = operator_blocks.read_index(path).first(kind)
    assert block is not None
    reading = Instructions(path, block) if kind == bins.INSTRUCTIONS else Lines(path, block)
    return [row for batch, _ in reading.batches() for row in batch.to_pylist()]


def record(rng: random.Random) -> dict[str, Any]:
    choices: dict[str, list[Any]] = {
        "Address": ["0x1134e000", "0XAB", "ab", "zz", "", None, "0x" + "f" * 17],
        "Source": ["MOV X1", 'quo"te', "tab\tx", "中文", "", 5, "back\\slash", "é"],
        "Cycles": [[1, 2], [3], 7, [], -5, [1.5, 2.0], ["x"], None, [10**18], [True], "9", [1e3]],
        "Rate": [50, 50.5, [90.0, -1.0], [], "x", [1e-3], -0.0],
        "Ratio": [0.1, [123456789.123456, 5], 12345678901234567890, [0.30000000000000004]],
        "GPR Status": [[{"regIndex": "R1", "survivalTime": 3, "regStatus": 2}], [], None],
        "Stall": [{"Percent": 0.5, "Details": {"Active": 1}}, [{"Percent": 0.25}], None],
    }
    found = {name: rng.choice(values) for name, values in choices.items() if rng.random() < 0.8}
    items = list(found.items())
    rng.shuffle(items)
    return dict(items)


@pytest.mark.parametrize("seed", range(12))
def test_quick_way_gives_what_the_plain_way_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    rng = random.Random(seed)
    given = (
        [record(rng) for _ in range(40)]
        if seed % 2
        else [dict.fromkeys(CODES, 1) | {"Address": "0x1", "Source": "A"}] * 40
    )
    payload = {"Cores": ["a", "b"], "Instructions": given, "Instructions Dtype": {"Instructions": CODES}}
    raw = json.dumps(payload, indent=rng.choice([None, 2]), ensure_ascii=bool(seed % 3)).encode()
    path = bins.write(tmp_path, bins.block(bins.INSTRUCTIONS, raw))
    quick = rows_of(path)
    monkeypatch.setattr(operator_columns.Group, "of", classmethod(lambda cls, *_: None))
    assert quick == rows_of(path)
    assert len(quick) == 40


def test_decimal_numbers_are_read_exactly(tmp_path: Path) -> None:
    values = [0.1, 2.5, 1234.56789, 99.999999, 0.000001, 3, 12345.678901234]
    given = [{"Address": "0x1", "Rate": values}]
    payload = {"Instructions": given, "Instructions Dtype": {"Instructions": {"Rate": 4}}}
    path = bins.write(tmp_path, bins.block(bins.INSTRUCTIONS, payload))
    assert rows_of(path)[0]["Rate"] == [float(v) for v in values]


def test_small_members_of_a_large_block_are_found_at_its_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_records, "_TAIL", 256)
    given = [{"Address": hex(i), "Source": '"Instructions Dtype":{}'} for i in range(200)]
    payload = {"Cores": ["a"], "Instructions": given, "Instructions Dtype": {"Instructions": {"Source": 3}}}
    path = bins.write(tmp_path, bins.block(bins.INSTRUCTIONS, payload))
    found = rows_of(path)
    assert (len(found), found[0]["Source"]) == (200, '"Instructions Dtype":{}')
    turned = {"Instructions Dtype": {"Instructions": {"Source": 3}}, "Instructions": given, "Cores": ["a", "b"]}
    path = bins.write(tmp_path, bins.block(bins.INSTRUCTIONS, json.dumps(turned).encode()), "turned.bin")
    assert len(rows_of(path)) == 200


def test_more_instructions_than_the_limit_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_instructions, "MAX_INSTRUCTIONS", 30)
    monkeypatch.setattr(operator_records, "GROUP_ITEMS", 8)
    payload = {
        "Instructions": [{"Address": hex(i)} for i in range(100)],
        "Instructions Dtype": {"Instructions": {"Address": 3}},
    }
    path = bins.write(tmp_path, bins.block(bins.INSTRUCTIONS, payload))
    block = operator_blocks.read_index(path).first(bins.INSTRUCTIONS)
    assert block is not None
    reading = Instructions(path, block)
    assert sum(batch.num_rows for batch, _ in reading.batches()) == 30
    assert reading.shape.cut


def test_cut_block_keeps_its_whole_records(tmp_path: Path) -> None:
    given = [{"Address": hex(i), "Cycles": [i]} for i in range(50)]
    payload = {"Cores": ["a"], "Instructions": given}
    data = bins.block(bins.SOURCE, b"x", "/a.cpp") + bins.block(bins.INSTRUCTIONS, payload)
    found = rows_of(bins.write(tmp_path, data[:-300]))
    assert 30 < len(found) < 50
    assert [row["Cycles"] for row in found[:3]] == [[0], [1], [2]]


def test_many_columns_are_bounded(tmp_path: Path) -> None:
    codes = {f"c{i}": 1 for i in range(1000)}
    payload = {"Instructions": [{"c1": 5}], "Instructions Dtype": {"Instructions": codes}}
    path = bins.write(tmp_path, bins.block(bins.INSTRUCTIONS, payload))
    assert len(rows_of(path)[0]) == operator_instructions.MAX_COLUMNS + 1


def test_lines_keep_their_file_and_ranges(tmp_path: Path) -> None:
    files = [
        {"Source": "/a.cpp", "Lines": [{"Line": 3, "Address Range": [["0x10", "0x18"], ["x", "y"]], "Cycles": [4]}]},
        {"Lines": []},
        {"Source": "/b.cpp", "Lines": [{"Line": "4"}, {"Line": 5}]},
    ]
    payload = {"Cores": ["a"], "Files": files, "Files Dtype": {"Lines": {"Cycles": 1, "Line": 1, "Address Range": 0}}}
    found = rows_of(bins.write(tmp_path, bins.block(bins.LINES, payload)), bins.LINES)
    assert [tuple(row.values()) for row in found] == [("/a.cpp", 3, [16, 24], [4]), ("/b.cpp", 5, [], None)]
