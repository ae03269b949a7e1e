from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from insight_desktop.engine import scene
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.sources import Discovery

Real = Callable[[str], Path]

CARD = ["system.timeline", "system.memory", "system.operator"]
SINGLE = [*CARD, "system.diagnosis"]
CLUSTER = [*CARD, "system.summary", "system.communication", "system.diagnosis"]
SERVICE = ["service.curve", "service.overview"]


@pytest.mark.row("system-timeline", 9)
@pytest.mark.parametrize(
    ("paths", "name", "tabs"),
    [
        (["cluster_4rank", "service/g1"], "hybrid", [*CLUSTER, *SERVICE]),
        (["text_level2", "service/g1"], "hybrid", [*SINGLE, *SERVICE]),
        (["gpu"], "trace", ["system.timeline"]),
        (["text_level2/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"], "trace", ["system.timeline"]),
        (["aclgraph_debug"], "trace", ["system.timeline"]),
        (["memscope_synthetic"], "memscope", ["memory.memscope"]),
        (["snapshot"], "snapshot", ["memory.snapshot"]),
        (
            ["upstream_unit/test_bin_mix"],
            "operator",
            ["operator.timeline", "operator.source", "operator.details"],
        ),
        (["text_level1"], "cluster", CLUSTER),
        (["db_level1"], "cluster", CLUSTER),
        (["upstream_unit/cluster_analysis_output"], "cluster", CLUSTER[-3:]),
        (["service/g1"], "service", ["system.timeline", *SERVICE]),
        (["text_level2"], "system", SINGLE),
        (["db_level2"], "system", SINGLE),
    ],
)
def test_what_was_imported_decides_the_tabs(real: Real, paths: list[str], name: str, tabs: list[str]) -> None:
    found = discover([real(path) for path in paths])
    assert (scene.scene(found), scene.tabs(found)) == (name, tabs)


def test_on_chip_memory_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "memory_info.json").write_text('{"Header":{"KernelName":"k"},"Record":[]}')
    found = discover([tmp_path / "memory_info.json"])
    assert (scene.scene(found), scene.tabs(found)) == ("on_chip_memory", ["operator.on_chip_memory"])


def test_what_reading_tells_adds_tabs(real: Real) -> None:
    assert scene.tabs(discover([real("text_level2")]), ["system.rl"]) == [*SINGLE, "system.rl"]
    operator = scene.tabs(discover([real("upstream_unit/test_bin_mix")]), ["operator.cache"])
    assert operator[-1] == "operator.cache"


def test_csv_alone_has_no_timeline(real: Real) -> None:
    found = discover([real("cluster_4rank")])
    assert not any(scene.has_timeline(card) for card in found.cards)


def test_window_shows_what_is_built() -> None:
    assert scene.shown_tabs(["system.timeline", "no.such"]) == ["system.timeline"]


def test_nothing_has_no_tabs() -> None:
    assert (scene.scene(Discovery((), "x")), scene.tabs(Discovery((), "x"))) == ("empty", [])
