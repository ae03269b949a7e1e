"""Details of slices as texts, lines and tables."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from insight_desktop.views.timeline import args_values
from insight_desktop.views.timeline.args_view import ArgsView


@pytest.mark.row("system-timeline", 64)
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a.py(1): f;\r\nb.py(2): g;\r\nc.py(3): h", ["a.py(1): f", "b.py(2): g", "c.py(3): h"]),
        ("a.py(1): f;\nb.py(2): g;\n", ["a.py(1): f", "b.py(2): g"]),
        ("a.py(1): f;\\nb.py(2): g;", ["a.py(1): f", "b.py(2): g"]),
        ("x = 1; y = 2\nz = 3", ["x = 1; y = 2", "z = 3"]),
        ("only one", ["only one"]),
        ("", []),
    ],
)
def test_call_stacks_and_code_have_one_frame_per_line(text: str, lines: list[str]) -> None:
    assert args_values.lines_of(text) == lines


@pytest.mark.row("system-timeline", 64)
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("BFP16", "BFP16"),
        ("88214", '"88214"'),
        (88214, "88214"),
        ("true", '"true"'),
        (True, "true"),
        (None, "null"),
        ("", '""'),
        (" padded", '" padded"'),
        ("-1.5e3", '"-1.5e3"'),
        (-5, "-5"),
        (2.0, "2.0"),
        ("tp (0, 1)", "tp (0, 1)"),
        ("[[1,2],[3]]", '"[[1,2],[3]]"'),
        ([1, 2], "[1, 2]"),
    ],
)
def test_strings_keep_quotes_where_they_could_be_mistaken(value: Any, text: str) -> None:
    assert args_values.shown(value) == text


@pytest.mark.row("system-timeline", 64)
def test_an_array_of_equal_objects_is_a_table() -> None:
    found = args_values.table_of([{"rank": 3, "bytes": 1.5, "link": "HCCS"}, {"rank": 1, "link": None, "bytes": 2}])
    assert found is not None
    assert found.to_pydict() == {"rank": [3, 1], "bytes": [1.5, 2.0], "link": ["HCCS", None]}


@pytest.mark.parametrize("value", [[{"a": 1}, {"b": 1}], [{"a": 1}], [1, 2], {"a": 1}, "text", []])
def test_other_arrays_are_no_tables(value: Any) -> None:
    assert args_values.table_of(value) is None


def test_json_inside_a_text_is_opened_unless_it_is_a_plain_list() -> None:
    assert args_values.nested('{"a": [1]}') == {"a": [1]}
    assert args_values.nested("[[1,2],[3]]") == "[[1,2],[3]]"
    assert args_values.nested("{broken") == "{broken"


def test_entries_on_lines_of_their_own_are_shown_on_one() -> None:
    assert args_values.shown("4096,1024;\r\n1024;\r\n") == "4096,1024; 1024;"
    assert args_values.shown("Scalar;\nNone") == "Scalar; None"
    assert args_values.copied("Scalar;\nNone") == "Scalar;\nNone"


def test_all_details_become_one_json_object() -> None:
    pairs = [("op", "矩阵"), ("shape", [2, 3]), ("op", 1)]
    assert args_values.pairs_as_json(pairs) == '{\n  "op": "矩阵",\n  "shape": [\n    2,\n    3\n  ],\n  "op": 1\n}'
    assert args_values.pairs_as_json([]) == "{}"


def test_huge_integers_in_tables_stay_exact() -> None:
    found = args_values.table_of([{"id": 2**64 - 1}, {"id": 1}])
    assert found is not None
    assert found.column("id").to_pylist() == ["18446744073709551615", "1"]


def test_values_nested_thousands_deep_do_not_break_anything(qtbot: QtBot) -> None:
    deep: Any = 1
    for _ in range(5_000):
        deep = {"a": deep}
    view = ArgsView()
    qtbot.addWidget(view)
    view.show_pairs([("deep", deep), ("long", "x" * 1_000_000), ("Call stack", "f;\n" * 5_000)])
    assert view.tree.topLevelItemCount() == 3
    assert len(view.tree.topLevelItem(1).text(1)) == 2_001
    view.tree.setCurrentItem(view.tree.topLevelItem(1))
    view.copy_value()
    assert QGuiApplication.clipboard().text() == "x" * 1_000_000
    assert args_values.as_json(deep) == '"… nested too deeply"'


@pytest.mark.row("system-timeline", 64)
def test_integers_above_64_bits_are_shown_and_copied_whole(qtbot: QtBot) -> None:
    view = ArgsView()
    qtbot.addWidget(view)
    view.show_pairs([("hash", 18446744073709551615), ("big", -(2**70)), ("list", [2**64, 1])])
    root = view.tree.invisibleRootItem()
    assert [root.child(i).text(1) for i in range(2)] == ["18446744073709551615", "-1180591620717411303424"]
    view.tree.setCurrentItem(root.child(0))
    view.copy_value()
    assert QGuiApplication.clipboard().text() == "18446744073709551615"
