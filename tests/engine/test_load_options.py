"""Options of sources: ranges of events, which captures they make, and what a wrong one says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import snapshot_files as sf

from insight_desktop.engine.cache import Cache, capture_key
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.load_options import EventRange, with_options
from insight_desktop.errors import BadArgument
from insight_desktop.ingest.sources import Card, Source


def test_a_range_names_its_first_and_last_event_and_either_may_be_left_out() -> None:
    assert EventRange.parse("10:20").within(100) == (10, 21)
    assert EventRange.parse(":20").within(100) == (0, 21)
    assert EventRange.parse("10:").within(100) == (10, 100)
    assert EventRange.parse("10:20").within(15) == (10, 15)
    assert EventRange.parse("10:20").within(5) == (5, 5)
    assert EventRange.parse(":").text == ""
    assert EventRange.parse(" 3 : 4 ").text == "3:4"


@pytest.mark.parametrize("text", ["", "5", "5:4", "-1:3", "a:b", "1:2:3", "1.5:2", "1:99999999999999999999"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(BadArgument):
        EventRange.parse(text)


def test_a_range_is_a_capture_of_its_own_and_only_snapshots_have_one(tmp_path: Path) -> None:
    path = sf.written(tmp_path, sf.made(n=50))
    both = (Source("snapshot_pickle", "snapshot", (path,)), Source("trace_json", "text", (path,)))
    card = Card("mem", None, None, "", "", path, both)
    part, other = with_options(card, {"events": "1:20"}), with_options(card, {"events": "1:21"})
    assert part.sources[1] == both[1]
    keys = {capture_key(c.sources[0]) for c in (card, part, other)}
    assert len(keys) == 3
    assert with_options(part, {"events": ""}) == card
    assert with_options(part, {"events": ":"}) == card


def test_an_import_reads_the_range(tmp_path: Path) -> None:
    path = sf.written(tmp_path, sf.made(n=50))
    cache = Cache(tmp_path / "cache")
    _, (item,) = import_paths([path], cache=cache, options={"events": "5:14"})
    assert item.status == "ready"
    assert item.tables["snapshot_event"] == 10
    _, (whole,) = import_paths([path], cache=cache)
    assert whole.tables["snapshot_event"] >= 50
    assert whole.capture != item.capture
