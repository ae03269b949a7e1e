"""Reader of operator bins: container, recognition, damage."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from sample_data import make_bin, simulate_kernel
from tests.support import operator_bins as bins

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import operator_bin, operator_blocks
from insight_desktop.ingest.formats.operator_json import parse_object
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

SPEC = "operator"
REAL = "upstream_unit/test_bin_mix/visualize_data.bin"


def read(path: Path, report: Report | None = None) -> dict[str, pa.Table]:
    """All tables of the stream."""
    found: dict[str, list[pa.RecordBatch]] = {}
    source = Source("operator_bin", "operator", (path,))
    for table, batch in operator_bin.read(source, report or Report()):
        found.setdefault(table, []).append(batch)
    return {name: pa.Table.from_batches(batches) for name, batches in found.items()}


@pytest.mark.row(SPEC, 1)
@pytest.mark.example(SPEC, 1)
def test_real_file_has_six_blocks(real: Callable[[str], Path]) -> None:
    index = operator_blocks.read_index(real(REAL))
    found = [(b.at, b.type, b.start, b.size, b.version) for b in index.blocks]
    assert found == [
        (0, 5, 12, 470, 0x5A),
        (484, 6, 496, 1299, 0x5A),
        (1796, 7, 1808, 6129, 0x5A),
        (7940, 8, 7952, 4685, 0x5A),
        (12640, 9, 12652, 12013, 0x5A),
        (24668, 12, 24680, 919, 0x5A),
    ]
    assert (index.stray, index.bad, index.instruction_version) == (0, [], 90)


@pytest.mark.row(SPEC, 1)
def test_real_file_is_the_same_when_its_json_is_written_again(real: Callable[[str], Path]) -> None:
    data = real(REAL).read_bytes()
    again = [
        (kind, version, path, make_bin.encode(json.loads(raw))) for kind, version, path, raw in make_bin.split(data)
    ]
    assert make_bin.join(again) == data


@pytest.mark.row(SPEC, 1)
@pytest.mark.parametrize("kernel", [simulate_kernel.add, simulate_kernel.matmul], ids=["add", "matmul"])
def test_sample_kernel_is_the_same_when_written_read_and_written_again(
    tmp_path: Path, kernel: Callable[[], simulate_kernel.Kernel]
) -> None:
    data = make_bin.join(make_bin.blocks_of(kernel()))
    index = operator_blocks.read_index(bins.write(tmp_path, data))
    again = [
        (b.type, b.version, b.path, data[b.start : b.start + b.size])
        for b in index.blocks
    ]  # fmt: skip
    assert make_bin.join(again) == data
    assert make_bin.join(make_bin.blocks_of(kernel())) == data


def test_small_kernel_has_thirteen_blocks_and_the_size_of_the_recipe(tmp_path: Path) -> None:
    data = bins.sample()
    index = operator_blocks.read_index(bins.write(tmp_path, data))
    assert len(data) == 47624
    assert list(index.types) == [1, 3, 4, 15, 5, 6, 7, 8, 9, 12, 13, 2, 14]
    assert list(index.sources()) == [bins.PATH]
    assert index.instruction_version == 0


@pytest.mark.row(SPEC, 2)
@pytest.mark.example(SPEC, 2)
def test_recognised_by_size_and_marks(real: Callable[[str], Path]) -> None:
    assert operator_bin.sniff("anything", real(REAL).read_bytes()[:64])
    assert operator_bin.sniff("x.bin", bins.block(4, bins.instructions(), version=0)[:64])
    assert not operator_bin.sniff("visualize_data.bin", bytes(range(64)))
    assert not operator_bin.sniff("visualize_data.bin", struct.pack("<QBBBB", 0, 5, 0, 0x5A, 0x5A) + b"x" * 50)
    assert not operator_bin.sniff("visualize_data.bin", struct.pack("<QBBBB", 8, 5, 0, 0, 0x5A) + b"x" * 50)
    assert not operator_bin.sniff("visualize_data.bin", b"")


@pytest.mark.row(SPEC, 3)
def test_size_larger_than_the_file_names_the_block_and_its_place(tmp_path: Path) -> None:
    first = bins.block(bins.BASE, bins.base())
    later = bytearray(bins.block(bins.GRAPH, bins.graph()))
    later[0:8] = struct.pack("<Q", 1 << 60)
    with pytest.raises(BadFile, match=rf"block 2 \(compute load chart\) at byte {len(first)}"):
        read(bins.write(tmp_path, first + bytes(later)))
    whole = bytearray(bins.sample())
    whole[0:8] = b"\xff" * 8
    with pytest.raises(BadFile, match=r"block 1 \(source text\) at byte 0"):
        read(bins.write(tmp_path, bytes(whole), "first.bin"))


@pytest.mark.row(SPEC, 4)
def test_cut_end_costs_the_last_block_only(tmp_path: Path) -> None:
    report = Report()
    found = read(bins.write(tmp_path, bins.sample()[:-100]), report)
    assert [issue.code for issue in report.issues] == ["operator_bin.cut"]
    assert "block 13 (cache lines)" in report.issues[0].message
    assert found["slice"].num_rows == 4


def test_cut_trace_keeps_its_whole_events(tmp_path: Path) -> None:
    report = Report()
    data = bins.block(bins.BASE, bins.base()) + bins.block(bins.TRACE, bins.trace())
    found = read(bins.write(tmp_path, data[:-130]), report)
    assert found["slice"].num_rows == 3
    assert any(issue.code == "operator_bin.cut" for issue in report.issues)


@pytest.mark.row(SPEC, 5)
def test_unknown_type_is_told_and_ignored(tmp_path: Path) -> None:
    report = Report()
    found = read(bins.write(tmp_path, bins.sample() + bins.block(200, b"new thing")), report)
    assert [(issue.code, issue.severity) for issue in report.issues] == [("operator_bin.unknown_block", "info")]
    assert found["slice"].num_rows == 4


def test_padding_larger_than_its_block_costs_this_block(tmp_path: Path) -> None:
    report = Report()
    broken = bytearray(bins.block(bins.GRAPH, b"{}      "))
    broken[9] = 200
    read(bins.write(tmp_path, bins.block(bins.BASE, bins.base()) + bytes(broken)), report)
    assert [issue.severity for issue in report.issues] == ["error"]
    assert "block 2" in report.issues[0].message
    assert "padding (200)" in report.issues[0].message


def test_empty_json_costs_this_block_and_an_empty_source_is_fine(tmp_path: Path) -> None:
    report = Report()
    data = bins.block(bins.BASE, bins.base()) + bins.block(bins.GRAPH, b"") + bins.block(bins.SOURCE, b"", "/a.cpp")
    path = bins.write(tmp_path, data)
    read(path, report)
    assert ["block 2" in issue.message for issue in report.issues] == [True]
    assert operator_blocks.read_index(path).sources()["/a.cpp"].size == 0


def test_file_without_a_usable_block_is_refused(tmp_path: Path) -> None:
    data = bins.block(10, b"abcd") + bins.block(bins.GRAPH, b"")
    with pytest.raises(BadFile, match="no usable block"):
        read(bins.write(tmp_path, data))


def test_bytes_behind_the_last_block_are_told(tmp_path: Path) -> None:
    report = Report()
    read(bins.write(tmp_path, bins.sample() + b"\0\0\0\0\0"), report)
    assert [issue.code for issue in report.issues] == ["operator_bin.stray"]
    assert "5 bytes" in report.issues[0].message


def test_wrong_marks_are_named(tmp_path: Path) -> None:
    data = bytearray(bins.sample())
    data[10:12] = b"\0\0"
    with pytest.raises(BadFile, match="not an operator file: bytes 10 and 11 are 00 00"):
        read(bins.write(tmp_path, bytes(data)))


def test_of_two_equal_blocks_the_first_counts_and_of_two_sources_the_later(tmp_path: Path) -> None:
    data = bins.block(bins.BASE, bins.base(name="first")) + bins.block(bins.BASE, bins.base(name="second"))
    data += bins.block(bins.SOURCE, b"old", "/a.cpp") + bins.block(bins.SOURCE, b"newer", "/a.cpp")
    index = operator_blocks.read_index(bins.write(tmp_path, data))
    first = index.first(bins.BASE)
    assert first is not None
    assert first.number == 1
    assert index.sources()["/a.cpp"].size == 5


def test_many_empty_blocks_are_no_operator_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_blocks, "MAX_BLOCKS", 100)
    with pytest.raises(BadFile, match="more than 100 blocks"):
        read(bins.write(tmp_path, bins.sample() + bins.block(10, b"") * 200))


def test_two_trace_blocks_become_one_timeline(tmp_path: Path) -> None:
    other = {
        "profilingType": "op",
        "traceEvents": [{"ph": "X", "name": "MMAD", "pid": "core1.cubecore0", "tid": "CUBE", "ts": 1, "dur": 2}],
    }
    data = bins.sample() + bins.block(bins.TRACE, other)
    assert read(bins.write(tmp_path, data))["slice"].num_rows == 5


def test_version_of_the_last_instruction_block_counts_as_a_signed_byte(tmp_path: Path) -> None:
    data = bins.sample() + bins.block(bins.INSTRUCTIONS, bins.instructions(), version=0xFF)
    assert operator_blocks.read_index(bins.write(tmp_path, data)).instruction_version == -1


def test_a_byte_order_mark_before_the_json_of_a_block_is_passed_over() -> None:
    assert parse_object(b'\xef\xbb\xbf{"name": "x", "duration": 1.50}') == {"name": "x", "duration": "1.50"}
