"""Plans of on-chip memory: what is accepted, what is refused and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import on_chip_json

SPEC = "operator"
INFO = {
    "alloc_time_in_ir": 12, "buffer": "%5", "extent": 65536, "is_tmpbuf": False, "life_time_in_ir": [12, 40],
    "offset": [0, 8192], "source_location": "k.py:17",
}  # fmt: skip


def plan(tmp_path: Path, record: dict[str, Any], header: Any = None) -> Path:
    path = tmp_path / "memory_info.json"
    path.write_text(json.dumps({"Header": header or {"KernelName": "k"}, "Record": [record]}))
    return path


def record(**changes: Any) -> dict[str, Any]:
    info = {k: v for k, v in (INFO | changes).items() if v is not None}
    return {"scope": "UB", "status": "success", "memory_info_array": [info]}


@pytest.mark.row(SPEC, 55)
def test_one_block_per_offset_and_bits_become_bytes(tmp_path: Path) -> None:
    name, scopes = on_chip_json.read_plan(plan(tmp_path, record()))
    assert (name, [s.name for s in scopes]) == ("k", ["UB"])
    assert [(b.offset, b.size_bytes, b.start, b.end) for b in scopes[0].buffers] == [
        (0, 8192, 12, 40),
        (8192, 8192, 12, 40),
    ]


@pytest.mark.row(SPEC, 55)
@pytest.mark.parametrize("member", sorted(INFO))
def test_missing_member_rejects_the_file(tmp_path: Path, member: str) -> None:
    with pytest.raises(BadFile, match=f"memory_info_array 0 has no {member}"):
        on_chip_json.read_plan(plan(tmp_path, record(**{member: None})))


@pytest.mark.row(SPEC, 55)
@pytest.mark.parametrize(
    ("member", "value"),
    [("extent", "1"), ("extent", 1.5), ("extent", True), ("is_tmpbuf", 0), ("offset", 3), ("offset", ["a"]),
     ("life_time_in_ir", "x"), ("life_time_in_ir", [1, "b"]), ("buffer", 5), ("alloc_time_in_ir", 2**70)],
)  # fmt: skip
def test_member_of_another_type_rejects_the_file(tmp_path: Path, member: str, value: Any) -> None:
    with pytest.raises(BadFile, match=member):
        on_chip_json.read_plan(plan(tmp_path, record(**{member: value})))


def test_short_life_is_zero_and_the_last_of_equal_scopes_wins(tmp_path: Path) -> None:
    path = tmp_path / "memory_info.json"
    records = [record(life_time_in_ir=[7]), record(buffer="%9")]
    path.write_text(json.dumps({"Header": {"KernelName": "k"}, "Record": records}))
    _, scopes = on_chip_json.read_plan(path)
    assert [b.name for b in scopes[0].buffers] == ["%9", "%9"]
    _, alone = on_chip_json.read_plan(plan(tmp_path, record(life_time_in_ir=[7])))
    assert (alone[0].buffers[0].start, alone[0].buffers[0].end) == (0, 0)


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{", b"5", b'{"Header":{}}', b'{"Header":{"KernelName":1},"Record":[]}', b"\x80\x05"]
)
def test_other_content_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "memory_info.json"
    path.write_bytes(raw)
    with pytest.raises(BadFile, match=r"memory_info\.json"):
        on_chip_json.read_plan(path)


def test_recognised_by_name_or_content() -> None:
    assert on_chip_json.sniff("/x/memory_info.json", b"")
    assert on_chip_json.sniff("/x/other", b'{"Header":{"KernelName":"k"},"Record":[{"memory_info_array":[]}]}')
    assert not on_chip_json.sniff("/x/other.json", b'{"Header":{}}')
