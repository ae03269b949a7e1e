"""Options of sources: ranges of events, pairing of rows, which captures they make, and what a wrong one says."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import snapshot_files as sf
from tests.support.memscope_files import free, malloc, write_db

from insight_desktop.engine.cache import Cache, capture_key
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.load_options import EventRange, Pairing, saved_options, with_options
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


@pytest.mark.parametrize(
    ("text", "wanted", "kept"),
    [
        ("before-tracing", Pairing(True, False), "before-tracing"),
        (" implicit-free ", Pairing(False, True), "implicit-free"),
        ("implicit-free, before-tracing", Pairing(True, True), "before-tracing,implicit-free"),
    ],
)
def test_a_pairing_names_what_counts(text: str, wanted: Pairing, kept: str) -> None:
    assert Pairing.parse(text) == wanted
    assert wanted.text == kept
    assert Pairing().text == ""


@pytest.mark.parametrize("text", ["", "before", "before-tracing;implicit-free", "before-tracing,"])
def test_what_is_no_pairing_is_refused(text: str) -> None:
    with pytest.raises(BadArgument, match="no way to pair rows"):
        Pairing.parse(text)


def test_each_pairing_is_a_capture_of_its_own_and_only_dumps_of_memscope_have_one(tmp_path: Path) -> None:
    path = write_db(tmp_path / "memscope_dump_1.db", [malloc(0, 1, 0x10, 8), free(1, 2, 0x20, size=8)])
    both = (Source("memscope", "memscope", (path,)), Source("snapshot_pickle", "snapshot", (path,)))
    card = Card("dump", None, None, "", "", path, both)
    ways = ["", "before-tracing", "implicit-free", "before-tracing,implicit-free"]
    cards = [with_options(card, {"pairing": way}) for way in ways]
    assert cards[0] == card  # the capture by default stays what it was
    assert len({capture_key(c.sources[0]) for c in cards}) == 4
    assert {c.sources[1] for c in cards} == {both[1]}
    assert capture_key(with_options(card, {"pairing": "implicit-free,before-tracing"}).sources[0]) == capture_key(cards[3].sources[0])  # fmt: skip
    other = with_options(cards[3], {"events": "1:2"})
    assert [source.options for source in other.sources] == [
        (("pairing", "before-tracing,implicit-free"),), (("events", "1:2"),),
    ]  # fmt: skip
    assert with_options(other, {"pairing": "", "events": ""}) == card


def test_an_import_pairs_as_wanted(tmp_path: Path) -> None:
    path = write_db(tmp_path / "memscope_dump_1.db", [malloc(0, 1, 0x10, 8), free(1, 2, 0x20, size=8)])
    cache = Cache(tmp_path / "cache")
    options = [{}, {"pairing": "before-tracing"}, {}]
    items = [import_paths([path], cache=cache, options=each)[1][0] for each in options]
    assert [item.tables["memscope_block"] for item in items] == [1, 2, 1]
    assert [item.cached for item in items] == [False, False, True]
    with pytest.raises(BadArgument):
        import_paths([path], cache=cache, options={"pairing": "both"})


def test_saved_options_are_texts_and_an_older_list_names_events_only() -> None:
    assert saved_options({"options": {"pairing": "implicit-free", "events": ""}}) == {"pairing": "implicit-free"}
    assert saved_options({"events": "1:9"}) == {"events": "1:9"}
    assert saved_options({"options": ["odd"], "events": None}) == {}
