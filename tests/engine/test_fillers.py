from __future__ import annotations

import sys
import types
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from insight_desktop.engine import fillers
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadFile
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

TRACE = '[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"a"}]'


@pytest.fixture
def filler(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module that fills captures of service traces."""
    module = types.ModuleType("a_filler")
    monkeypatch.setitem(sys.modules, "a_filler", module)
    monkeypatch.setitem(fillers.FILLERS, ("trace_json", "service"), "a_filler")
    monkeypatch.setattr(fillers, "_exists", lambda name: name == "a_filler")
    return module


def service_trace(folder: Path) -> Path:
    path = folder / "run" / "chrome_tracing.json"
    path.parent.mkdir()
    path.write_text(TRACE)
    return path


def test_tables_of_a_filler_can_be_asked_and_its_notes_are_in_the_report(
    filler: types.ModuleType, tmp_path: Path
) -> None:
    def fill(folder: Path, source: Source, report: Report) -> None:
        pq.write_table(pa.table({"rid": ["7", "8"]}), folder / "service_request.parquet")
        report.add("table.service_request", 2)
        report.issue("service.odd", "warning", source.files[0].name, "One request has no end.")

    filler.fill = fill  # type: ignore[attr-defined]
    _, items = import_paths([service_trace(tmp_path)], fresh=True)
    assert [(item.status, item.tables["service_request"], item.counts["slices"]) for item in items] == [("ready", 2, 1)]
    assert [issue["message"] for issue in items[0].issues] == ["One request has no end."]
    store = Store([StoreCard.of_import(items[0])])
    assert store.sql("SELECT rid FROM service_request ORDER BY rid").to_pylist() == [{"rid": "7"}, {"rid": "8"}]


def test_a_filler_that_cannot_use_the_file_fails_its_card(filler: types.ModuleType, tmp_path: Path) -> None:
    def fill(folder: Path, source: Source, report: Report) -> None:
        raise BadFile("No request has a start.", fix="Collect it again.")

    filler.fill = fill  # type: ignore[attr-defined]
    _, items = import_paths([service_trace(tmp_path)], fresh=True)
    assert [(item.status, item.message, item.fix) for item in items] == [
        ("failed", "No request has a start.", "Collect it again.")
    ]


def test_a_plain_trace_has_no_filler(tmp_path: Path) -> None:
    assert fillers.filler(Source("trace_json", "text", (tmp_path / "x.json",))) is None


def test_cards_of_areas_do_not_stand_among_those_of_the_timeline(tmp_path: Path) -> None:
    store = Store(
        [
            StoreCard(name, None, None, "", kind, tmp_path)
            for name, kind in (("r", "text"), ("s", "service"), ("p", "snapshot"), ("o", "operator"))
        ]
    )
    assert [card.name for card in store.cards] == ["r", "s"]
    assert [[card.name for card in store.cards_of(area)] for area in ("system", "service", "memory", "operator")] == [
        ["r"],
        ["s"],
        ["p"],
        ["o"],
    ]
    assert store.card(None, "memory").name == "p"
