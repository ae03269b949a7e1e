from __future__ import annotations

from pathlib import Path

import pytest

from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.formats import memscope_compare
from insight_desktop.ingest.report import Report

HEADER = ",,,Base,Compare\nEvent,Name,Device Id,Allocated Memory(byte),Allocated Memory(byte),Diff Memory(byte)\n"
NAME = "memory_compare_20250428113000.csv"


def read(path: Path, text: str) -> tuple[list[tuple[object, ...]], list[tuple[str, int]]]:
    (path / NAME).write_text(text, encoding="utf-8")
    report = Report()
    rows = memscope_compare.read_rows(path / NAME, report)
    return [tuple(row.values()) for row in rows], [(issue.code, issue.count) for issue in report.issues]


def test_the_two_header_lines_of_the_collector_are_read(tmp_path: Path) -> None:
    text = HEADER + "OP_LAUNCH,aten::add,0,512,1024,512\nKERNEL_LAUNCH,Mul,1,N/A,-512,-512\n"
    assert read(tmp_path, text) == (
        [
            (NAME, "OP_LAUNCH", "aten::add", "0", 512, 1024, None, 512),
            (NAME, "KERNEL_LAUNCH", "Mul", "1", None, -512, None, -512),
        ],
        [],
    )


def test_older_files_have_no_events(tmp_path: Path) -> None:
    text = (
        ",,Base,Compare\nName,Device Id,Allocated Memory(byte),Allocated Memory(byte),Diff Memory(byte)\nMul,0,1,3,2\n"
    )
    assert read(tmp_path, text) == ([(NAME, "", "Mul", "0", 1, 3, None, 2)], [])


def test_columns_of_one_header_line_are_found_by_name(tmp_path: Path) -> None:
    text = "Event,Name,Device Id,Base,Compare,Allocated Memory(byte),Diff Memory(byte)\nOP_LAUNCH,add,0,8,24,16,16\n"
    assert read(tmp_path, text) == ([(NAME, "OP_LAUNCH", "add", "0", 8, 24, 16, 16)], [])


def test_short_rows_are_counted_and_other_files_are_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, HEADER + "OP_LAUNCH,add\n\nOP_LAUNCH,add,0,1,1,0\n") == (
        [(NAME, "OP_LAUNCH", "add", "0", 1, 1, None, 0)],
        [("memscope.compare_rows", 1)],
    )
    assert read(tmp_path, "a,b\n1,2\n") == ([], [("memscope.compare_columns", 1)])
    assert read(tmp_path, "") == ([], [("memscope.compare_columns", 1)])


@pytest.mark.parametrize("name", [NAME, "renamed.csv"])
def test_a_lone_comparison_is_recognised_without_a_card(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(HEADER + "OP_LAUNCH,add,0,1,1,0\n", encoding="utf-8")
    found = discover([tmp_path])
    assert (found.cards, [role for role, _ in found.extras]) == ([], ["memscope_compare"])
