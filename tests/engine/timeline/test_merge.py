"""Merged lanes: depth rows anew, ids there and back, everything that works on a capture, automatic groups."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.ingest.formats.profiler_db_maker import make_db
from tests.support.operator_files import open_store
from tests.support.plain_build import build, rows_of

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import lanes, links, raster, search
from insight_desktop.engine.timeline.merge import automatic, merged, merged_streams, with_merged
from insight_desktop.errors import BadArgument


def task(stream: int, name: str, start: int, end: int) -> dict[str, Any]:
    return {
        "pid": "hw", "process": "Ascend Hardware", "tid": stream, "thread": f"Stream {stream}", "role": "stream",
        "name": name, "start_ns": start, "end_ns": end,
    }  # fmt: skip


HOST = {"pid": 1, "tid": 1, "name": "host", "start_ns": 0, "end_ns": 900, "sort": -1}
SLICES = [
    HOST, task(1, "a", 0, 100), task(1, "b", 200, 300), task(2, "c", 50, 250), task(2, "d", 250, 260),
    task(3, "e", 0, 400), task(3, "z", 90, 90),
]  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    points = [{**task(2, "", 0, 0), "name": "mark", "ts_ns": 70}, {**task(1, "", 0, 0), "name": "mark", "ts_ns": 10}]
    instants = [{k: v for k, v in p.items() if k not in ("start_ns", "end_ns")} for p in points]
    build(tmp_path, slices=SLICES, instants=instants, links=[(0, 3, "HostToDevice")])
    return Store([StoreCard("0", "0", 0, "", "text", tmp_path)])


def names(capture: Any, ids: Any) -> list[str]:
    return [capture.text(int(capture.slice_name[i])) for i in ids]


@pytest.mark.row("system-timeline", 49)
def test_depth_rows_are_worked_out_over_the_union(store: Store) -> None:
    lane = merged(store.capture("0"), [1, 2])
    assert lane.title == "Stream Merged (1, 2)"
    by_row = [names(lane, range(a, b)) for a, b in zip(lane.lane_offset[:-1], lane.lane_offset[1:], strict=True)]
    # a 0…100 and b 200…300 in the first row, c 50…250 and d 250…260 below.
    assert by_row == [["a", "b"], ["c", "d"]]
    three = merged(store.capture("0"), [3, 1, 2])
    by_row = [names(three, range(a, b)) for a, b in zip(three.lane_offset[:-1], three.lane_offset[1:], strict=True)]
    assert by_row == [["e"], ["a", "b"], ["c", "d"], ["z"]]
    (row,) = three.tracks.to_pylist()
    assert (row["slices"], row["instants"], row["rows"], row["sum_ns"], row["busy_ns"]) == (6, 2, 4, 810, 400)


@pytest.mark.row("system-timeline", 49)
def test_depth_rows_agree_with_plain_packing(tmp_path: Path) -> None:
    rng = random.Random(3)
    slices = []
    for stream in (1, 2, 3):
        for k in range(200):
            start = rng.randrange(5000)
            slices.append(task(stream, f"t{k % 7}", start, start + rng.randrange(120)))
    capture = build(tmp_path, slices=slices)
    lane = merged(capture, [0, 1, 2])
    spans = sorted((s["start_ns"], -s["end_ns"]) for s in slices)
    assert len(lane.lane_row) == max(rows_of([(a, -b) for a, b in spans])) + 1
    assert sorted(lane.ids.tolist()) == list(range(600))
    for a, b in zip(lane.lane_offset[:-1], lane.lane_offset[1:], strict=True):
        assert (np.asarray(lane.slice_end[a : b - 1]) <= np.asarray(lane.slice_start[a + 1 : b])).all()


@pytest.mark.row("system-timeline", 49)
def test_ids_lead_to_the_card_and_back(store: Store) -> None:
    capture = store.capture("0")
    lane = merged(capture, [1, 2])
    every = np.arange(6)  # four slices, two instants
    base = lane.to_base(every)
    assert names(capture, base[:4]) == ["a", "b", "c", "d"]
    assert capture.instant_ts[base[4:] - len(capture.slice_start)].tolist() == [10, 70]
    assert lane.from_base(base).tolist() == [0, 1, 2, 3, 4, 5]
    host = int(np.flatnonzero(np.asarray(capture.slice_end) == 900)[0])
    assert lane.from_base([host]).tolist() == [-1]
    assert [lane.stream_of(i) for i in range(4)] == ["Stream 1", "Stream 1", "Stream 2", "Stream 2"]


@pytest.mark.row("system-timeline", 49)
def test_search_links_and_jumps_reach_the_merged_lane(store: Store) -> None:
    capture = store.capture("0")
    lane = merged(capture, [1, 2])
    hits = search.hits(lane, search.name_mask(lane, "c", "name"))
    assert lane.to_base(hits).tolist() == search.hits(capture, search.name_mask(capture, "c", "name")).tolist()
    assert search.hits(lane, search.name_mask(lane, "mark")).tolist() == [4, 5]
    (link,) = links.of_slice(capture, int(lane.to_base([2])[0]))
    assert (capture.text(int(capture.slice_name[link.from_id])), lane.from_base([link.to_id]).tolist()) == ("host", [2])
    assert int(lane.lane_row[lane.lane_of(2)]) == 1


@pytest.mark.row("system-timeline", 49)
def test_it_is_painted_like_any_capture(store: Store) -> None:
    lane = merged(store.capture("0"), [1, 2])
    rows = np.arange(2)
    palette = np.array([0xFF112233], np.uint32)
    image = raster.slice_image(lane, rows, 0, 300, 30, palette, ground=0xFF000000)
    painted = (image == 0xFF112233).tolist()
    assert [[x for x in range(30) if line[x]] for line in painted] == [
        [*range(10), *range(20, 30)],
        [*range(5, 26)],
    ]
    found = raster.spans(lane, rows, 0, 300, 300)
    assert names(lane, found.slice_id) == ["a", "b", "c"]
    assert raster.slice_at(lane, 1, 255) == 3
    assert raster.zero_marks(lane, rows, 0, 300, 30)[1].tolist() == [1.0, 7.0]
    assert raster.busy_density(lane, np.array([0]), 0, 400, 4).tolist() == [1.0, 0.0, 1.0, 0.0]


@pytest.mark.row("system-timeline", 49)
def test_many_slices_have_levels_of_detail(tmp_path: Path) -> None:
    slices = [task(s, "t", 100 * k, 100 * k + 50) for s in (1, 2) for k in range(3000)]
    lane = merged(build(tmp_path, slices=slices), [0, 1])
    assert lane.manifest.mip_shifts[0] == 10
    image = raster.slice_image(lane, np.arange(2), 0, 300_000, 10, np.array([0xFFFFFFFF], np.uint32), ground=0xFF000000)
    assert (image[:, :] != 0xFF000000).all()


@pytest.mark.row("system-timeline", 49)
@pytest.mark.parametrize(
    ("tracks", "message"),
    [([1], "two streams"), ([0, 1], "Only streams"), ([1, 9], "no lane 9"), ([1, 1], "two streams")],
)
def test_what_cannot_be_merged_is_refused(store: Store, tracks: list[int], message: str) -> None:
    with pytest.raises(BadArgument, match=message):
        merged(store.capture("0"), tracks)


@pytest.mark.row("system-timeline", 49)
def test_a_merged_lane_merges_again_with_the_tracks_it_has(store: Store) -> None:
    lane = merged(store.capture("0"), [2, 3])
    assert merged(store.capture("0"), [*lane.tracks_of_base, 1]).title == "Stream Merged (1, 2, 3)"
    with pytest.raises(BadArgument):
        merged(lane, [0, 1])


@pytest.mark.row("system-timeline", 49)
def test_the_tree_shows_it_in_the_place_of_its_first_member(store: Store) -> None:
    capture = store.capture("0")
    tree = lanes.card_tree(capture, store.card("0"))
    lane = merged(capture, [1, 3])
    shown = with_merged(tree, [lane])
    hardware = next(n for n in shown.children if n.title.startswith("Ascend Hardware"))
    assert [(n.title, n.rows, n.track, n.merged) for n in hardware.children] == [
        ("Stream Merged (1, 3)", 3, None, (1, 3)),
        ("Stream 2", 1, 2, ()),
    ]
    assert len({n.key for n in lanes.walk(shown)}) == len(lanes.walk(shown))
    assert with_merged(tree, []) == tree


def trace(path: Path, streams: dict[int, list[object]]) -> Path:
    """A text trace with one task per stream and model."""
    rows: list[dict[str, Any]] = [{"ph": "M", "pid": 9, "name": "process_name", "args": {"name": "Ascend Hardware"}}]
    for stream, models in streams.items():
        rows.append({"ph": "M", "pid": 9, "tid": stream, "name": "thread_name", "args": {"name": f"Stream {stream}"}})
        for k, model in enumerate(models):
            args = {"Model Id": model} if model is not None else {}
            rows.append({"ph": "X", "pid": 9, "tid": stream, "name": "t", "ts": 10 * k, "dur": 5, "args": args})
    path.write_text(json.dumps(rows))
    return path


@pytest.mark.row("system-timeline", 50)
def test_streams_of_one_model_belong_together(tmp_path: Path) -> None:
    none = 4294967295
    streams = {1: [none, 7], 2: [7], 3: [none], 4: [8, none], 5: [None], 6: ["8"], 7: [9], 8: [none]}
    store = open_store(trace(tmp_path / "t.json", streams))
    card = store.cards[0]
    titles = store.capture(card.name).tracks.column("lane").to_pylist()
    groups = [[titles[t] for t in group] for group in automatic(card, store.capture(card.name))]
    assert groups == [["Stream 1", "Stream 2"], ["Stream 4", "Stream 6"]]


@pytest.mark.row("system-timeline", 50)
def test_models_of_a_database_are_told_per_device(tmp_path: Path) -> None:
    # start, end, device, connection, task, process, type, context, stream, task number, model
    rows: list[tuple[int, ...]] = [
        (at, at + 5, device, 4294967295, k, 77, 1, 4294967295, stream, k, model)
        for k, (at, device, stream, model) in enumerate(
            [(10, 0, 1, 7), (20, 0, 2, 7), (30, 0, 3, 4294967295), (40, 1, 1, 7), (50, 1, 2, 8), (60, 1, 3, 8)]
        )
    ]
    store = open_store(make_db(tmp_path / "ascend_pytorch_profiler_0.db", TASK=rows))
    card = store.cards[0]
    tracks = store.capture(card.name).tracks.to_pylist()
    groups = [
        [(tracks[t]["device"], tracks[t]["lane"]) for t in group] for group in automatic(card, store.capture(card.name))
    ]
    assert groups == [[(0, "Stream 1"), (0, "Stream 2")], [(1, "Stream 2"), (1, "Stream 3")]]


@pytest.mark.row("system-timeline", 50)
def test_a_captured_graph_is_one_lane(real: Callable[[str], Path]) -> None:
    store = open_store(real("aclgraph_debug/graph_debug.json"))
    capture = store.capture("graph_debug")
    (group,) = automatic(store.card("graph_debug"), capture)
    assert merged(capture, group).title == "Stream Merged (161, 162, 163, 164, 165)"
    assert len(merged(capture, group).slice_start) == 82
    assert [(r["lane"], r["merged"]) for r in merged_streams(store).to_pylist()] == [
        (f"stream{n}", "Stream Merged (161, 162, 163, 164, 165)") for n in range(161, 166)
    ]


@pytest.mark.row("system-timeline", 50)
@pytest.mark.parametrize("kind", ["text", "db"])
def test_eager_runs_have_nothing_to_merge(real: Callable[[str], Path], kind: str) -> None:
    store = open_store(real(f"{kind}_level2"))
    assert automatic(store.card("0"), store.capture("0")) == []
