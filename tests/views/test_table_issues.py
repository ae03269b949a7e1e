"""The window's import report knows what is wrong with csv files, before a page reads them."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot
from tests.views.test_reading import write_trace

from insight_desktop.views.app import make_window
from insight_desktop.views.cards import NOTES, READY

HEAD = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim\n"


def test_a_damaged_csv_is_an_issue_of_its_card_and_the_others_stay_ready(
    qtbot: QtBot, look: None, tmp_path: Path
) -> None:
    for rank in range(2):
        write_trace(tmp_path / "run", rank)
    output = next((tmp_path / "run").glob("host_1_*")) / "ASCEND_PROFILER_OUTPUT"
    rows = "MatMul,MatMul,AI_CORE,100.0,5.0,0.0,8\nAdd,Add,AI_VECTOR_CORE,oops,5.0,0.0,8\n"
    (output / "kernel_details.csv").write_text(HEAD + rows)
    window = make_window()
    window.show()
    window.opening.open_paths([tmp_path / "run"])
    workspace = window.workspace

    def statuses() -> list[str]:
        return [row.status for row in workspace.current.cards or []] if workspace.current is not None else []

    qtbot.waitUntil(lambda: statuses() == [READY, NOTES])
    assert workspace.current is not None
    row = workspace.current.card("1")
    assert row is not None
    assert [issue.where for issue in row.notes] == ["kernel_details.csv, column Start Time(us)"]
    window.show_report(True)
    window.report.show_view("issues")
    shown = [window.report.model.row(n) for n in range(len(window.report.model.shown.rows))]
    assert any("kernel_details.csv, column Start Time(us)" in str(each) for each in shown)
    window.close()
    window.deleteLater()
