"""The selection as a file: read back and counted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest
from pytestqt.qtbot import QtBot
from tests.support import timeline_page as tp

from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.chosen import Chosen, chosen
from insight_desktop.views.timeline.export_dialog import ExportDialog
from insight_desktop.views.timeline.state import TimeRange


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> TimelinePage:
    """0 to 550 µs of Thread 11 is selected: outer, inner and the first half of the second inner."""
    made = tp.basic_page(qtbot, tmp_path)
    made.state.set_range(TimeRange(0, 550_000, "0", (tp.unit(made, "Thread 11").key,)))
    return made


def dialog_of(qtbot: QtBot, page: TimelinePage) -> ExportDialog:
    part = chosen(page.state)
    assert part is not None
    made = ExportDialog(page.state, part)
    qtbot.addWidget(made)
    return made


def written(qtbot: QtBot, dialog: ExportDialog, path: Path) -> Path:
    dialog.path.setText(str(path))
    with qtbot.waitSignal(dialog.accepted):
        dialog.export()
    return path


@pytest.mark.row("system-timeline", 103)
def test_tables_are_cut_to_the_range_unless_slices_stay_whole(qtbot: QtBot, page: TimelinePage, tmp_path: Path) -> None:
    path = written(qtbot, dialog_of(qtbot, page), tmp_path / "a.parquet")
    rows = pyarrow.parquet.read_table(path).select(["name", "ts_ns", "dur_ns"]).to_pylist()
    assert [(r["name"], r["ts_ns"] - tp.T0, r["dur_ns"]) for r in rows] == [
        ("outer", 0, 550_000),
        ("inner", 100_000, 200_000),
        ("inner", 500_000, 50_000),
    ]
    dialog = dialog_of(qtbot, page)
    dialog.whole.setChecked(True)
    path = written(qtbot, dialog, tmp_path / "a.csv")
    assert pyarrow.csv.read_csv(path)["dur_ns"].to_pylist() == [1_000_000, 200_000, 100_000]


@pytest.mark.row("system-timeline", 103)
def test_chrome_json_is_compressed_and_told(qtbot: QtBot, page: TimelinePage, tmp_path: Path) -> None:
    with qtbot.waitSignal(page.context.message) as told:
        path = written(qtbot, dialog_of(qtbot, page), tmp_path / "a.json.gz")
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    assert [e["name"] for e in events if e["ph"] == "X"] == ["outer", "inner", "inner"]
    assert told.args[1] == f"3 slices were written to {path}."


def test_the_ending_follows_the_format_and_errors_stay_in_the_dialog(
    qtbot: QtBot, page: TimelinePage, tmp_path: Path
) -> None:
    dialog = dialog_of(qtbot, page)
    assert dialog.path.text().endswith("card_0_selection.json.gz")
    dialog.format.setCurrentIndex(dialog.format.findData(".parquet"))
    assert dialog.path.text().endswith("card_0_selection.parquet")
    dialog.path.setText(str(tmp_path / "a.xlsx"))
    dialog.export()
    qtbot.waitUntil(lambda: dialog.note.property("state") == "error")
    assert dialog.note.text().startswith("a.xlsx has no known ending.")
    dialog.path.setText(str(tmp_path / "none" / "a.csv"))
    dialog.export()
    qtbot.waitUntil(lambda: "cannot be written" in dialog.note.text())
    assert dialog.ok.isEnabled()


def test_what_is_selected_is_the_range_else_the_slice_else_the_lanes(page: TimelinePage) -> None:
    assert chosen(page.state) == Chosen("0", (0,), (), tp.T0, tp.T0 + 550_000)
    page.state.set_range(None)
    page.state.select(page.state.slice("0", 4))
    assert chosen(page.state) == Chosen("0", (2,), (), tp.T0 + 200_000, tp.T0 + 400_000)
    page.state.select(None)
    page.state.select_lanes([tp.unit(page, "python3 (1)").key])
    assert chosen(page.state) == Chosen("0", (0, 1))
    page.state.select_lanes([])
    assert chosen(page.state) is None
