"""A small store for the panels of the timeline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support import plain_build

from insight_desktop.engine.store import Store, StoreCard

MS = 1_000_000


@pytest.fixture
def two_cards(tmp_path: Path) -> Store:
    """Cards 0 and 1 with names that tell the match modes apart; card 1 begins 1 ms later; one counter on card 0."""
    lane: dict[str, Any] = {"pid": 1, "process": "python3", "tid": 7, "thread": "Thread 7"}
    names = ["aten::add", "aten::add_", "AddN", "100%_done", "xadd"]
    slices = [{**lane, "name": n, "start_ns": i * MS, "end_ns": i * MS + MS // 2} for i, n in enumerate(names)]
    counters = [
        {"process": "HBM", "counter": "Read", "series": "GB/s", "ts_ns": t * MS, "value": v}
        for t, v in ((0, 2.0), (2, 4.0))
    ]
    zero = plain_build.build(tmp_path / "c0", slices=slices, counters=counters)
    late = [{**lane, "name": "aten::add", "start_ns": MS, "end_ns": 3 * MS}]
    points = [{**lane, "name": "add marker", "ts_ns": 4 * MS}]
    one = plain_build.build(tmp_path / "c1", slices=late, instants=points)
    return Store(
        [
            StoreCard("Card 0", "0", 0, "", "text", zero.folder),
            StoreCard("Card 1", "1", 1, "", "text", one.folder),
        ]
    )
