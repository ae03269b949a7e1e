"""Which tabs a scene shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from insight_desktop.engine import scene
from insight_desktop.ingest.sources import Card, Discovery, Source
from insight_desktop.views import tabs


def card(rank: int, fmt: str, kind: str, extras: tuple[tuple[str, Path], ...] = ()) -> Card:
    folder = Path(f"/data/rank_{rank}_ascend_pt")
    return Card(str(rank), str(rank), rank, "", "", folder, (Source(fmt, kind, (folder / "x",), extras),))


STEP = (("step_trace_time", Path("/data/step_trace_time.csv")),)


@pytest.mark.row("system-timeline", 9)
@pytest.mark.parametrize(
    ("cards", "extras", "wanted"),
    [
        (
            [card(0, "profiler_db", "db")],
            [],
            ["system.timeline", "system.memory", "system.operator", "system.diagnosis"],
        ),
        (
            [card(0, "profiler_db", "db"), card(1, "profiler_db", "db")],
            [],
            [
                "system.timeline",
                "system.memory",
                "system.operator",
                "system.summary",
                "system.communication",
                "system.diagnosis",
            ],
        ),
        ([], [("memscope_db", Path("/data/memscope.db"))], ["memory.memscope"]),
        ([], [("on_chip_memory", Path("/data/chip.json"))], ["operator.on_chip_memory"]),
        (
            [],
            [("operator_bin", Path("/data/visualize_data.bin"))],
            ["operator.timeline", "operator.source", "operator.details"],
        ),
    ],
    ids=["one card", "cluster", "memscope", "on-chip memory", "operator"],
)
def test_scene_asks_for_its_tabs(cards: list[Card], extras: list[tuple[str, Path]], wanted: list[str]) -> None:
    found = Discovery((Path("/data"),), "data", cards, extras=extras)
    assert scene.tabs(found) == wanted
    assert [t.id for t in tabs.tabs_for(found)] == [t for t in wanted if t in [x.id for x in tabs.TABS]]


@pytest.mark.row("system-timeline", 9)
def test_bare_trace_shows_the_timeline_alone() -> None:
    lone = Card(
        "trace",
        None,
        None,
        "",
        "",
        Path("/data/trace.json"),
        (Source("trace_json", "text", (Path("/data/trace.json"),)),),
    )
    found = Discovery((Path("/data/trace.json"),), "trace", [lone])
    assert scene.tabs(found) == ["system.timeline"]
    assert [(t.id, t.title) for t in tabs.tabs_for(found)] == [("system.timeline", "Timeline")]


def test_every_tab_says_its_area() -> None:
    assert [(g.area, g.label) for g in tabs.grouped(list(tabs.TABS))] == [
        ("system", "System"),
        ("service", "Service"),
        ("operator", "Operator"),
        ("memory", "Memory"),
    ]
