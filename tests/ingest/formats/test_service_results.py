"""Result tables of serving runs that are damaged or made to hurt."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from insight_desktop.ingest.formats import service_results
from insight_desktop.ingest.report import Report


def test_a_view_that_never_ends_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_results, "_MOST_SECONDS", 0.5)
    path = tmp_path / "profiler.db"
    endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
    with sqlite3.connect(path) as db:
        db.execute(f"CREATE VIEW a_curve AS {endless} SELECT n FROM r")
        db.execute(f"CREATE VIEW b_curve AS {endless} SELECT count(*) FROM r")
        db.execute("CREATE VIEW c_curve AS SELECT * FROM nowhere")
        db.execute("CREATE VIEW d_curve AS SELECT 1 AS one")
    report = Report()
    found = {view.name: view for view in service_results.results_of_db(path, report)}
    assert [found[f"{name}_curve"].error for name in "ab"] == ["it takes too long"] * 2
    assert "nowhere" in found["c_curve"].error
    assert found["d_curve"].table is not None, "a view that takes no time is read although the time is used up"
    assert found["d_curve"].table.to_pydict() == {"one": [1]}


def test_a_view_of_too_many_rows_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_results, "_MOST_CELLS", 100_000)
    path = tmp_path / "profiler.db"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE VIEW a_curve AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r LIMIT 400000"
        )
    assert [view.error for view in service_results.results_of_db(path, Report())] == ["it has too many rows"]
