"""Named queries of snapshots: literal values of the two real files, of a recorded allocator, and of small hand-made traces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.support import snapshot_files as sf

from insight_desktop.engine.memory import snapshot, snapshot_charts, snapshot_data, snapshot_export, snapshot_warm
from insight_desktop.engine.memory.snapshot_data import SizeMode
from insight_desktop.engine.memory.snapshot_segments import ADDRESS, SIZE, WIDTH, add, cut
from insight_desktop.engine.queries import run
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats import snapshot_child

row = pytest.mark.row
example = pytest.mark.example
EXPANDABLE = "snapshot/snapshot_expandable.pkl"
FIRST = "snapshot/snapshot_1768383987920985470.pkl"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Store]:
    return {"": Store(), "folder": tmp_path_factory.mktemp("snapshots")}  # type: ignore[dict-item]


@pytest.fixture
def store(real: Callable[[str], Path], cache: dict[str, Any]) -> Callable[[str], Store]:
    """The store of a real file, filled once."""

    def of(name: str) -> Store:
        if name not in cache:
            cache[name] = sf.opened(real(name), cache["folder"] / Path(name).stem)
        found: Store = cache[name]
        return found

    return of


def one(table: Any) -> dict[str, Any]:
    rows = table.to_pylist()
    assert len(rows) == 1
    return dict(rows[0])


def peak(store: Store, mode: SizeMode, column: str = "allocated_bytes") -> tuple[int, int]:
    """(highest value, first event)."""
    curve = snapshot.curve(store, mode=mode)
    values = curve[column].to_numpy()
    at = int(values.argmax())
    return int(values[at]), curve["event"][at].as_py()


@row("memory", 25)
@example("memory", "W9")
def test_totals_of_the_first_real_file(store: Callable[[str], Store]) -> None:
    held = store(FIRST)
    found = one(snapshot.summary(held))
    assert {k: found[k] for k in ("events", "segments", "blocks", "preexisting", "active_bytes", "allocated_bytes")} == {
        "events": 9700, "segments": 52, "blocks": 3216, "preexisting": 0, "active_bytes": 0, "allocated_bytes": 0,
    }  # fmt: skip
    assert found["reserved_bytes"] == 551550976
    assert (found["peak_active_bytes"], found["peak_event"]) == (471970304, 2599)
    assert peak(held, "upstream") == (471498368, 2599)
    assert peak(held, "requested") == (471498368, 2599)
    assert peak(held, "estimate", "reserved_bytes") == (551550976, 5141)
    actions = snapshot.events(held)["action"].to_pylist()
    assert {a: actions.count(a) for a in set(actions)} == {
        "segment_alloc": 52, "alloc": 3216, "free_requested": 3216, "free_completed": 3216,
    }  # fmt: skip
    kinds = snapshot.segments(held, event=9699)["kind"].to_pylist()
    assert (kinds.count("small"), kinds.count("large")) == (28, 24)


@row("memory", 25)
@example("memory", "W9")
def test_totals_of_the_expandable_file(store: Callable[[str], Store]) -> None:
    held = store(EXPANDABLE)
    found = one(snapshot.summary(held))
    assert found["events"] == 8092
    assert (found["segments"], found["blocks"], found["preexisting"], found["unreleased"]) == (2, 3219, 320, 325)
    assert (found["allocated_bytes"], found["reserved_bytes"]) == (408698880, 643825664)
    assert (found["peak_active_bytes"], found["peak_event"]) == (597800960, 7430)
    first = snapshot.curve(held).slice(0, 5).to_pylist()
    assert (first[0]["event"], first[0]["allocated_bytes"], first[0]["reserved_bytes"]) == (-1, 94482944, 113246208)
    assert [r["allocated_bytes"] for r in first[1:]] == [94482944, 136426496, 137141248, 137141760]
    assert first[1]["reserved_bytes"] == 155189248
    mixed = snapshot.curve(held, mode="upstream")["allocated_bytes"].slice(1, 4).to_pylist()
    assert mixed == [94482944, 136426496, 137140928, 137140968]
    assert peak(held, "upstream") == (597642080, 7430)
    assert peak(held, "requested") == (597327488, 7430)  # W13: the true peak, whatever is drawn
    assert peak(held, "estimate", "reserved_bytes") == (643825664, 7388)
    ends = {mode: snapshot.curve(held, mode=mode)["allocated_bytes"][-1].as_py() for mode in ("upstream", "requested")}
    assert ends == {"upstream": 408698880, "requested": 408384288}
    events = snapshot.events(held, last=3).to_pylist()
    assert [(e["action"], e["address"], e["size_bytes"]) for e in events[:2]] == [
        ("segment_map", 20697552257024, 41943040), ("alloc", 20697535234048, 41943040),
    ]  # fmt: skip
    assert [e["size_bytes"] for e in events[2:]] == [714432, 40]


@example("memory", "W9")
def test_live_blocks_at_the_peak(store: Callable[[str], Store]) -> None:
    assert snapshot.blocks(store(FIRST), alive_at=2599).num_rows == 968
    live = snapshot.blocks(store(EXPANDABLE), alive_at=7430).to_pylist()
    assert len(live) == 971
    largest = sorted(live, key=lambda b: -b["size_bytes"])[:3]
    assert {(b["size_bytes"], b["address"], b["alloc_event"]) for b in largest} == {
        (41943552, 0x12D317EEC000, 5515), (41943552, 0x12D30C5BC000, 2932), (41943552, 0x12D3053C4000, 1),
    }  # fmt: skip


STATES = [
    (EXPANDABLE, 0, "upstream", 2, 320, 94482944, 155189248, 18, 60706304, 58981888, 0.028406, None, 0),
    (EXPANDABLE, 7430, "upstream", 2, 971, 597642080, 643825664, 380, 46183584, 14614528, 0.683556, 0.001125, 0),
    (EXPANDABLE, 7430, "estimate", 2, 971, 597800960, 643825664, 101, 46024704, 14614016, 0.682475, 0.001125, 0),
    (EXPANDABLE, 8091, "estimate", 2, 645, 408698880, 643825664, 72, 235126784, 143736320, 0.388686, 0.052719, 0),
    (FIRST, 2599, "upstream", 45, 968, 471498368, 517996544, 973, 46498176, 7339520, 0.842155, 0.000458, 10485760),
    (FIRST, 2599, "estimate", 45, 968, 471970304, 517996544, 37, 46026240, 7339008, 0.840547, 0.000458, 10485760),
    (FIRST, 9699, "estimate", 52, 0, 0, 551550976, 52, 551550976, 20971520, 0.961977, 0.033729, 551550976),
]  # fmt: skip


@row("memory", 26, 41)
@example("memory", "W10")
@pytest.mark.parametrize("wanted", STATES, ids=lambda w: f"{w[0][-9:-4]}-{w[1]}-{w[2]}")
def test_allocator_at_an_event(store: Callable[[str], Store], wanted: tuple[Any, ...]) -> None:
    name, event, mode, segments, blocks, live, reserved, gaps, gap, largest, external, viewer, reclaimable = wanted
    held = store(name)
    found = one(snapshot.fragmentation(held, event=event, mode=mode))
    assert (found["segments"], found["blocks"], found["active_bytes"], found["reserved_bytes"]) == (
        segments, blocks, live, reserved,
    )  # fmt: skip
    assert (found["gaps"], found["gap_bytes"], found["largest_gap_bytes"]) == (gaps, gap, largest)
    assert round(found["external"], 6) == external
    assert viewer is None or round(found["viewer"], 6) == viewer
    assert found["reclaimable_bytes"] == reclaimable
    rows = snapshot.state(held, event=event, mode=mode).to_pylist()
    assert sum(r["size_bytes"] for r in rows) == reserved
    assert sum(r["state"] == "free" for r in rows) == gaps
    assert sum(r["block"] is not None for r in rows) == blocks


@row("memory", 26)
@example("memory", "W10")
def test_segments_at_the_end_are_those_of_the_file(store: Callable[[str], Store]) -> None:
    found = snapshot.segments(store(EXPANDABLE), event=8091).to_pylist()
    assert [
        tuple(r[k] for k in ("address", "size_bytes", "blocks", "allocated_bytes", "gaps", "gap_bytes", "largest_gap_bytes"))
        for r in found
    ] == [
        (20623359213568, 56623104, 558, 20156928, 15, 36466176, 15588352),
        (20697447399424, 587202560, 87, 388541952, 57, 198660608, 143736320),
    ]  # fmt: skip


@row("memory", 34)
def test_pending_free_lies_between_request_and_completion(store: Callable[[str], Store]) -> None:
    found = one(snapshot.fragmentation(store(FIRST), event=337, mode="upstream"))
    assert found["active_bytes"] - found["allocated_bytes"] == 16777728
    rows = snapshot.state(store(FIRST), event=337, mode="upstream").to_pylist()
    assert sum(r["size_bytes"] for r in rows if r["state"] == "pending") == 16777728


@row("memory", 27, 29)
@example("memory", "W12")
def test_unreleased_in_a_range_in_two_size_modes(store: Callable[[str], Store]) -> None:
    held = store(EXPANDABLE)
    chips = [
        tuple(one(snapshot.unreleased(held, first=100, last=1000, mode=m))[k] for k in ("blocks", "total_kb", "max_kb", "min_kb"))
        for m in ("upstream", "estimate")
    ]  # fmt: skip
    assert chips == [(146, 108400.086, 9216.0, 0.004), (146, 108473.0, 9216.5, 0.5)]
    whole = one(snapshot.unreleased(held))
    assert (whole["blocks"], whole["total_kb"], whole["max_kb"], whole["min_kb"]) == (325, 306851.5, 40960.5, 0.5)
    assert one(snapshot.unreleased(store(FIRST), first=100, last=1000))["blocks"] == 433
    assert one(snapshot.unreleased(store(FIRST)))["blocks"] == 0


@row("memory", 21)
@example("memory", "W12")
def test_blocks_and_events_of_a_range(store: Callable[[str], Store]) -> None:
    held = store(EXPANDABLE)
    counts = [
        snapshot.blocks(held, first=a, last=b).num_rows for a, b in ((100, 1000), (100, 500), (0, 8091), (7430, 7430))
    ]
    assert counts == [764, 612, 3219, 971]
    assert snapshot.events(held, first=100, last=500).num_rows == 401
    assert snapshot.blocks(store(FIRST), first=100, last=1000).num_rows == 676
    rows = snapshot.blocks(held, first=100, last=1000, unreleased=True).to_pylist()
    assert sum(100 <= r["alloc_event"] <= 500 for r in rows) == 78


@row("memory", 30)
@example("memory", "W12b")
def test_action_is_exact_and_an_address_is_found_in_both_writings(store: Callable[[str], Store]) -> None:
    assert snapshot.events(store(EXPANDABLE), action="alloc").num_rows == 2899
    assert snapshot.events(store(FIRST), action="alloc").num_rows == 3216
    held = store(EXPANDABLE)
    both = [
        snapshot.events(held, address=a)["event"].to_pylist()
        for a in ("20697535234048", "0x12d3053c4000", "12D3053C4000")
    ]
    assert both[0] == both[1] == both[2]
    assert both[0][0] == 1
    with pytest.raises(BadArgument):
        snapshot.events(held, address="xyz")


@row("memory", 40)
@example("memory", "W12c")
def test_the_planted_leak_leads_and_names_its_line(store: Callable[[str], Store]) -> None:
    found = snapshot.leaks(store(EXPANDABLE)).to_pylist()
    assert sum(r["bytes"] for r in found) == 314215936
    assert [(r["blocks"], r["bytes"]) for r in found] == [(3, 125830656), (161, 94192640), (161, 94192640)]
    assert (found[0]["where"].split()[0], found[0]["line"]) == ("train_one_step", 12)
    assert {r["line"] for r in found[1:]} == {174, 178}
    assert found[0]["confidence"] == "high"
    assert {r["confidence"] for r in found[1:]} == {"low"}
    rows = snapshot.blocks(store(EXPANDABLE), alive_at=8091).to_pylist()
    before = [b["size_bytes"] for b in rows if b["preexisting"]]
    assert (len(before), sum(before)) == (320, 94482944)


@row("memory", 39)
def test_a_text_of_a_frame_finds_its_blocks(store: Callable[[str], Store]) -> None:
    found = snapshot.blocks(store(EXPANDABLE), unreleased=True, stack="adam")
    assert found.num_rows == 322
    tree = snapshot.stack_tree(store(EXPANDABLE), of="unreleased").to_pylist()
    assert tree[0]["bytes"] == 314215936
    assert sum(r["self_bytes"] for r in tree) == 314215936


@example("memory", "W14")
def test_bytes_lost_to_rounding(store: Callable[[str], Store]) -> None:
    assert one(snapshot.fragmentation(store(EXPANDABLE)))["internal_bytes"] == 314592
    assert one(snapshot.summary(store(EXPANDABLE)))["pad_bytes"] == 32


@row("memory", 35)
def test_reserved_follows_map_and_unmap(store: Callable[[str], Store]) -> None:
    curve = snapshot.curve(store(EXPANDABLE))["reserved_bytes"].to_numpy()
    assert int((np.diff(curve) != 0).sum()) == 45


@row("memory", 40)
def test_two_snapshots_and_two_events_are_compared(store: Callable[[str], Store], tmp_path: Path, real: Callable[[str], Path]) -> None:  # fmt: skip
    held = store(EXPANDABLE)
    rows = snapshot.compare(held, base_event=0).to_pylist()
    assert sum(r["bytes_before"] for r in rows) == 94482944
    assert sum(r["bytes_after"] for r in rows) == 408698880
    assert [r["bytes_difference"] for r in rows][:3] == [125830656, 94192640, 94192640]
    assert sum(r["blocks_difference"] for r in rows) == 325
    both = sf.opened(real(EXPANDABLE), tmp_path / "b", "b", sf.opened(real(FIRST), tmp_path / "a", "a"))
    segments = snapshot.compare(both, base="a", card="b", by="segment").to_pylist()
    assert {w: sum(r["where"] == w for r in segments) for w in ("before", "after", "both")} == {"before": 52, "after": 2, "both": 0}  # fmt: skip
    totals = {r["name"]: r["difference"] for r in snapshot.compare(both, base="a", card="b", by="totals").to_pylist()}
    assert totals["reserved"] == 643825664 - 551550976
    assert totals["active"] == 408698880
    with pytest.raises(BadArgument):
        snapshot.summary(both, card="c")
    with pytest.raises(BadArgument):
        snapshot.leaks(both)


@row("memory", 26)
@example("memory", "W10b")
def test_mapping_merges_and_unmapping_cuts() -> None:
    table = np.zeros((8, WIDTH), np.int64)
    table[0, :3] = (1000, 500, 1)
    count = cut(table, 1, 1200, 100)
    assert table[:count, [ADDRESS, SIZE]].tolist() == [[1000, 200], [1300, 200]]
    for stream, wanted in ((1, [[1000, 800]]), (2, [[1000, 500], [1500, 300]])):
        table = np.zeros((8, WIDTH), np.int64)
        table[0, :3] = (1000, 500, 1)
        count = add(table, 1, np.array([1500, 300, stream, 4, 0, 0, 1]), True)
        assert table[:count, [ADDRESS, SIZE]].tolist() == wanted


@row("memory", 26)
@example("memory", "W10b")
def test_gaps_of_a_segment(tmp_path: Path) -> None:
    blocks = ((1040, 4, 4, "active_allocated"),)
    other = ((1020, 20, 20, "active_allocated"), (1060, 10, 10, "active_allocated"))
    for number, (held, wanted) in enumerate(((blocks, (96, 2, 56)), (other, (70, 3, 30)))):
        path = sf.written(tmp_path, {"segments": [sf.segment(1000, 100, *held)], "device_traces": []}, f"{number}.pkl")
        found = one(snapshot.segments(sf.opened(path, tmp_path / str(number)), event=-1))
        assert (found["gap_bytes"], found["gaps"], found["largest_gap_bytes"]) == wanted


GENERATED = [
    ({}, 200, 73, 5, (7340624, 23068672), 33223168, 52428800, 19330048, 4),
    ({"expandable": True}, 201, None, 5, None, None, 37748736, 19326976, 2),
    ({"n": 2000, "seed": 11, "timed": True, "pad": 0}, 2001, 718, 5, None, 224473456, 239075328, 211823104, 22),
]  # fmt: skip


@row("memory", 26)
@pytest.mark.parametrize("wanted", GENERATED, ids=["segments", "expandable", "timed"])
def test_a_recorded_allocator_gives_its_totals_back(wanted: tuple[Any, ...], tmp_path: Path) -> None:
    how, events, blocks, before, initial, top, reserved, end, segments = wanted
    content = sf.made(**how)
    held = sf.opened(sf.written(tmp_path, content), tmp_path / "capture")
    found = one(snapshot.summary(held))
    curve = snapshot.curve(held, mode="upstream")
    assert (found["events"], found["preexisting"], found["segments"]) == (events, before, segments)
    assert blocks is None or found["blocks"] == blocks
    assert initial is None or (curve["allocated_bytes"][0].as_py(), curve["reserved_bytes"][0].as_py()) == initial
    assert top is None or max(curve["allocated_bytes"].to_pylist()) == top
    assert max(curve["reserved_bytes"].to_pylist()) == reserved
    assert curve["allocated_bytes"][-1].as_py() == end == found["allocated_bytes"]
    # What the replay gives at the end is what the dump says.
    dump = {s["address"]: (s["total_size"], s["allocated_size"]) for s in content["segments"]}
    rows = snapshot.segments(held, event=events - 1).to_pylist()
    assert {r["address"]: (r["size_bytes"], r["allocated_bytes"]) for r in rows} == dump
    live = {
        b["address"]: b["size"] for s in content["segments"] for b in s["blocks"] if b["state"] == "active_allocated"
    }
    kept = snapshot.state(held, event=events - 1).to_pylist()
    assert {r["address"]: r["size_bytes"] for r in kept if r["state"] == "allocated"} == live
    assert found["anomalies"] == 0


@row("memory", 26)
def test_every_event_agrees_with_a_plain_replay(tmp_path: Path) -> None:
    content = sf.made(n=400, seed=5, preexisting=0)
    held = sf.opened(sf.written(tmp_path, content), tmp_path / "capture")
    live: dict[int, int] = {}
    segments: dict[int, int] = {}
    curve = snapshot.curve(held, mode="estimate").slice(1).to_pylist()
    last = {b["address"]: b["size"] for s in content["segments"] for b in s["blocks"] if b["state"] != "inactive"}
    trace = content["device_traces"][0]
    kept = {i for i, e in enumerate(trace) if e["action"] == "alloc" and e["addr"] in last and not any(
        f["action"] == "free_requested" and f["addr"] == e["addr"] for f in trace[i:])}  # fmt: skip
    for number, e in enumerate(trace):
        if e["action"] == "segment_alloc":
            segments[e["addr"]] = e["size"]
        elif e["action"] == "alloc":
            live[e["addr"]] = last[e["addr"]] if number in kept else max(512, -(-(e["size"] + 32) // 512) * 512)
        elif e["action"] == "free_completed":
            del live[e["addr"]]
        assert curve[number]["active_bytes"] == sum(live.values())
        assert curve[number]["reserved_bytes"] == sum(segments.values())
        if number % 41 == 0:
            rows = snapshot.state(held, event=number).to_pylist()
            assert {r["address"]: r["size_bytes"] for r in rows if r["block"] is not None} == live
            assert {r["segment"] for r in rows} == set(segments)


@row("memory", 33, 42)
def test_an_oom_is_judged_by_the_memory_at_its_time(tmp_path: Path) -> None:
    def judged(free: int, size: int, *segments: dict[str, Any], stream: int = 0) -> str:
        oom = {"action": "oom", "device_free": free, "size": size, "stream": stream, "frames": []}
        content = {"segments": list(segments), "device_traces": [[oom]]}
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        found = one(snapshot.oom(sf.opened(sf.written(folder, content), folder / "capture")))
        assert (found["event"], found["requested_bytes"], found["device_free_bytes"]) == (0, size, free)
        return str(found["verdict"])

    mib = sf.MIB
    half = sf.segment(0, 20 * mib, (4 * mib, 12 * mib, 12 * mib, "active_allocated"), segment_type="large")
    other = sf.segment(100 * mib, 20 * mib, stream=9, segment_type="large")
    assert judged(mib, 64 * mib, half) == "true shortage"
    assert judged(mib, 6 * mib, half) == "fragmentation"
    assert judged(mib, 10 * mib, half, other) == "other pool or stream"


@row("memory", 33)
def test_markers_of_the_trace_are_listed(tmp_path: Path) -> None:
    trace = [
        sf.event("alloc", 512, 512), {"action": "oom", "device_free": 5, "size": 9, "stream": 0},
        sf.event("snapshot", 0, 512), sf.event("something_new"),
    ]  # fmt: skip
    held = sf.opened(sf.written(tmp_path, {"segments": [], "device_traces": [trace]}), tmp_path / "capture")
    assert [(m["event"], m["kind"]) for m in snapshot.marks(held).to_pylist()] == [
        (1, "oom"), (2, "snapshot"), (3, "something_new"),
    ]  # fmt: skip
    assert snapshot.curve(held)["active_bytes"].to_pylist() == [0, 512, 512, 512, 512]
    assert snapshot.anomalies(held).to_pylist() == [
        {"device": 0, "kind": "survivors_unknown", "count": 1, "first_event": 0}
    ]


@row("memory", 36)
def test_private_pools_have_rows_of_their_own(tmp_path: Path) -> None:
    mine = sf.segment(0, 2 * sf.MIB, (0, 512, 512, "active_allocated"), segment_pool_id=(0, 1))
    content = {"segments": [mine, sf.segment(4 * sf.MIB, 2 * sf.MIB)], "device_traces": [[sf.event("segment_alloc", 0, 2 * sf.MIB), sf.event("alloc", 0, 512)]]}  # fmt: skip
    held = sf.opened(sf.written(tmp_path, content), tmp_path / "capture")
    found = {r["pool"]: r for r in snapshot.pools(held).to_pylist()}
    assert (found["0, 1"]["private"], found["0, 1"]["reserved_bytes"], found["0, 1"]["active_bytes"]) == (
        True,
        2 * sf.MIB,
        512,
    )
    assert (found["0, 0"]["private"], found["0, 0"]["gap_bytes"]) == (False, 2 * sf.MIB)
    assert (found["0, 1"]["peak_reserved_bytes"], found["0, 1"]["peak_event"]) == (2 * sf.MIB, 0)


@row("memory", 38, 43, 44)
def test_settings_categories_annotations_and_times(tmp_path: Path) -> None:
    content = sf.made(n=60, timed=True)
    trace = content["device_traces"][0]
    for k, e in enumerate(trace):
        e["category"] = "weight" if k % 2 else "gradient"
        e["user_metadata"] = "step 1" if k < 30 else "step 2"
    content["allocator_settings"] = {"max_split_size": -1, "roundup_power2_divisions": {"1": 4}}
    content["external_annotations"] = [
        {"name": "forward", "stage": "START", "device": 0, "time_us": trace[10]["time_us"]}
    ]
    held = sf.opened(sf.written(tmp_path, content), tmp_path / "capture")
    assert snapshot.settings(held).to_pylist() == [
        {"name": "max_split_size", "value": "-1"}, {"name": "roundup_power2_divisions.1", "value": "4"},
    ]  # fmt: skip
    assert one(snapshot.notes(held))["event"] == 10
    marks = [(m["event"], m["kind"], m["text"]) for m in snapshot.marks(held).to_pylist()]
    assert marks == [(0, "metadata", "step 1"), (10, "annotation", "forward START"), (30, "metadata", "step 2")]
    assert {r["category"] for r in snapshot.categories(held).to_pylist()} <= {"weight", "gradient", "unknown"}
    assert snapshot.events(held, last=1)["time_us"].to_pylist() == [e["time_us"] for e in trace[:2]]


@row("memory", 47)
def test_inconsistent_traces_are_settled_and_counted(tmp_path: Path) -> None:
    trace = [
        sf.event("alloc", 1024, 512), sf.event("free_requested", 1024, 512), sf.event("free_requested", 1024, 512),
        sf.event("free_completed", 1024, 512), sf.event("free_completed", 1024, 512),
        sf.event("alloc", 4096, 512), sf.event("alloc", 4096, 512), sf.event("alloc", 8192, 512), sf.event("segment_free", 99, 1),
    ]  # fmt: skip
    dump = sf.segment(0, 2 * sf.MIB, (4096, 512, 512, "active_allocated"), (1024, 512, 512, "active_pending_free"))
    held = sf.opened(sf.written(tmp_path, {"segments": [dump], "device_traces": [trace]}), tmp_path / "capture")
    found = {r["kind"]: (r["count"], r["first_event"]) for r in snapshot.anomalies(held).to_pylist()}
    assert found == {
        "alloc_without_block": (1, 7), "alloc_of_live_address": (1, 6), "free_of_unknown": (2, 4), "double_free": (1, 2),
    }  # fmt: skip
    assert one(snapshot.summary(held))["active_bytes"] == 1024
    assert snapshot.curve(held)["active_bytes"].to_pylist() == [0, 512, 512, 512, 0, 512, 1024, 1024, 1536, 1024]


def test_what_frees_the_most_and_what_waits(store: Callable[[str], Store]) -> None:
    found = snapshot.savings(store(EXPANDABLE)).to_pylist()
    assert {r["kind"] for r in found} >= {"long life", "unused tail", "fragmentation"}
    assert [r["cost"] for r in found] == sorted((r["cost"] for r in found), reverse=True)
    waits = snapshot.waiting(store(FIRST)).to_pylist()
    assert all(r["events"] > 1 for r in waits)


def test_repeated_frames_and_frames_of_the_interpreter(tmp_path: Path) -> None:
    frame = {"filename": "net.py", "line": 3, "name": "visit"}
    inner = {"filename": "ceval.c", "line": 1, "name": "_PyEval_EvalFrameDefault"}
    trace = [
        sf.event(
            "alloc", 0, 512, frames=[inner, frame, frame, frame, {"filename": "run.py", "line": 1, "name": "main"}]
        )
    ]
    held = sf.opened(sf.written(tmp_path, {"segments": [], "device_traces": [trace]}), tmp_path / "capture")
    stack = snapshot.events(held)["stack"][0].as_py()
    every = snapshot.frames(held, stack=stack).to_pylist()
    assert [(f["function"], f["repeats"]) for f in every] == [
        ("_PyEval_EvalFrameDefault", 1),
        ("visit", 3),
        ("main", 1),
    ]
    assert [f["function"] for f in snapshot.frames(held, stack=stack, every=False).to_pylist()] == ["visit", "main"]
    assert snapshot.find(held, text="RUN.PY:1")["event"].to_pylist() == [0]


def test_queries_are_asked_by_name_and_say_what_is_missing(store: Callable[[str], Store]) -> None:
    found = run(store(EXPANDABLE), "memory.snapshot.events", {"device": "0", "action": "segment_map"})
    assert found.num_rows == 45
    with pytest.raises(BadArgument, match="no device 3"):
        run(store(EXPANDABLE), "memory.snapshot.curve", {"device": "3"})
    with pytest.raises(BadArgument, match="no event 9000"):
        run(store(EXPANDABLE), "memory.snapshot.state", {"event": "9000"})
    with pytest.raises(NoData):
        snapshot.summary(Store())


def test_tables_are_there_for_sql(store: Callable[[str], Store], real: Callable[[str], Path], tmp_path: Path) -> None:
    held = sf.filled(real(EXPANDABLE), tmp_path / "capture")
    import duckdb

    rows = duckdb.sql(f"SELECT count(*), max(active_bytes) FROM '{held.folder}/snapshot_event.parquet'").fetchall()
    assert rows == [(8092, 597800960)]
    rows = duckdb.sql(f"SELECT count(*), sum(size_bytes) FROM '{held.folder}/snapshot_block.parquet' WHERE free_completed_event IS NULL").fetchall()  # fmt: skip
    assert rows == [(645, 408698880)]


@row("memory", 35)
@example("memory", "W13")
def test_segments_as_blocks_follow_the_reserved_curve(store: Callable[[str], Store]) -> None:
    chart = snapshot_charts.chart_of(store(EXPANDABLE), card=None, device=None, kind="segments", mode="estimate")
    assert len(chart.blocks) == 2 + 45
    assert chart.blocks.peak == (7388, 643825664)
    for event in (0, 3000, 7388, 8091):
        alive = (chart.blocks.start <= event) & (chart.blocks.end > event)
        assert int(chart.blocks.size[alive].sum()) == int(chart.blocks.curve_v[event])
    first = snapshot_charts.chart_of(store(FIRST), card=None, device=None, kind="segments", mode="estimate")
    assert (len(first.blocks), first.blocks.peak[1]) == (52, 551550976)


def test_an_unmapped_range_ends_a_piece_and_the_rest_begins_anew(tmp_path: Path) -> None:
    trace = [
        sf.event("segment_map", 1000, 600),
        sf.event("segment_unmap", 1200, 100),
        sf.event("segment_unmap", 1000, 200),
    ]
    held = sf.opened(
        sf.written(tmp_path, {"segments": [sf.segment(1300, 300)], "device_traces": [trace]}), tmp_path / "capture"
    )
    chart = snapshot_charts.chart_of(held, card=None, device=None, kind="segments", mode="estimate")
    rows = zip(chart.blocks.start.tolist(), chart.blocks.end.tolist(), chart.addresses.tolist(), chart.blocks.size.tolist(), strict=True)  # fmt: skip
    assert list(rows) == [(0, 1, 1000, 600), (1, 2, 1000, 200), (1, 3, 1300, 300)]


@row("memory", 36)
def test_a_private_pool_is_an_envelope_with_its_blocks_inside(tmp_path: Path) -> None:
    mine = sf.segment(0, 2 * sf.MIB, (0, 512, 512, "active_allocated"), segment_pool_id=(0, 1))
    other = sf.segment(4 * sf.MIB, 2 * sf.MIB, (4 * sf.MIB, 1024, 1024, "active_allocated"))
    trace = [sf.event("segment_alloc", 0, 2 * sf.MIB), sf.event("alloc", 0, 512), sf.event("alloc", 4 * sf.MIB, 1024)]
    held = sf.opened(sf.written(tmp_path, {"segments": [mine, other], "device_traces": [trace]}), tmp_path / "capture")
    chart = snapshot_charts.chart_of(held, card=None, device=None, kind="pools", mode="estimate")
    assert list(zip(chart.ids.tolist(), chart.blocks.size.tolist(), chart.blocks.start.tolist(), strict=True)) == [
        (-1, 2 * sf.MIB, 0), (1, 1024, 2),
    ]  # fmt: skip
    assert [(i.row, i.ids.tolist(), i.pool) for i in chart.insets] == [(0, [0], "0, 1")]
    plain = sf.opened(sf.written(tmp_path, sf.made(n=20), "b.pkl"), tmp_path / "b")
    with pytest.raises(NoData):
        snapshot_charts.chart_of(plain, card=None, device=None, kind="pools", mode="estimate")


@row("memory", 50)
@pytest.mark.parametrize("name", ["part.pickle", "part.json"])
def test_a_part_of_a_trace_written_as_a_snapshot_gives_the_same_moments(name: str, tmp_path: Path) -> None:
    held = sf.opened(sf.written(tmp_path, sf.made(n=600, timed=True)), tmp_path / "capture")
    path = snapshot_export.write_range(held, card=None, device=None, path=str(tmp_path / name), first=100, last=400)
    part = sf.opened(Path(path), tmp_path / "part_capture")
    assert one(snapshot.summary(part))["anomalies"] == 0
    whole = snapshot.curve(held).slice(101, 301)
    found = snapshot.curve(part).slice(1)
    for column in ("allocated_bytes", "active_bytes", "reserved_bytes"):
        assert found[column].to_pylist() == whole[column].to_pylist()
    left, right = (
        snapshot.state(s, event=e).select(["address", "size_bytes", "state"]) for s, e in ((held, 250), (part, 150))
    )
    assert left.to_pylist() == right.to_pylist()
    assert (
        snapshot.events(part, last=5)["time_us"].to_pylist()
        == snapshot.events(held, first=100, last=105)["time_us"].to_pylist()
    )
    with pytest.raises(BadArgument):
        snapshot_export.write_range(held, card=None, device=None, path=str(tmp_path / "x.pickle"), first=9, last=3)


@row("memory", 44)
def test_the_axis_may_be_time_when_the_events_have_times(tmp_path: Path, store: Callable[[str], Store]) -> None:
    content = sf.made(n=300, timed=True)
    held = sf.opened(sf.written(tmp_path, content), tmp_path / "capture")
    chart = snapshot_charts.chart_of(held, card=None, device=None, kind="time", mode="estimate")
    plain = snapshot_charts.chart_of(held, card=None, device=None, kind="active", mode="estimate")
    us = [e["time_us"] for e in content["device_traces"][0]]
    assert chart.times.tolist() == [(t - us[0]) * 1000 for t in us]
    assert chart.blocks.peak[1] == plain.blocks.peak[1]
    assert (chart.event_at(chart.x_of(123)), chart.event_at(chart.x_of(123) - 1)) == (123, 122)
    assert chart.events_between(chart.x_of(10), chart.x_of(20)) == (10, 20)
    for event in (0, 57, 299):
        live = [(c.blocks.start <= x) & (c.blocks.end > x) for c, x in ((chart, chart.times[event]), (plain, event))]
        assert live[0].tolist() == live[1].tolist()
    with pytest.raises(NoData):
        snapshot_charts.chart_of(store(EXPANDABLE), card=None, device=None, kind="time", mode="estimate")


@row("memory", 43)
def test_blocks_of_one_stack_have_one_colour(store: Callable[[str], Store]) -> None:
    held = store(EXPANDABLE)
    chart = snapshot_charts.chart_of(held, card=None, device=None, kind="active", mode="estimate")
    device = snapshot_data.of_card(held, None).device()
    colours = snapshot_charts.colours_of(device, chart, "stack")
    stacks = device.column("block_stack")
    assert len(np.unique(colours)) == len(np.unique(stacks))
    assert all(len(np.unique(colours[stacks == s])) == 1 for s in np.unique(stacks))
    assert len(np.unique(snapshot_charts.colours_of(device, chart, "stream"))) == 1
    assert snapshot_charts.colours_of(device, chart, "address").tolist() == device.column("block_hash").tolist()


def _random_content(random: Random) -> dict[str, Any]:
    """A trace and a dump that know nothing of each other."""
    actions = ("segment_map", "segment_unmap", "segment_alloc", "segment_free", "alloc", "free_requested", "free_completed",
               "free", "oom", "workspace_snapshot", "other")  # fmt: skip
    trace = [
        sf.event(random.choice(actions), random.randrange(8) * 1024, random.choice([-1, 0, 512, 4096, 2**62]), random.randrange(2))
        for _ in range(random.randrange(50))
    ]  # fmt: skip
    states = ("active_allocated", "inactive", "active_pending_free")
    segments = [
        sf.segment(k * 4096, 4096, *((k * 4096 + b * 1024, 1024, random.choice([1024, 990]), random.choice(states)) for b in range(3)))
        for k in range(random.randrange(3))
    ]  # fmt: skip
    return {"segments": segments, "device_traces": [trace]}


@row("memory", 47)
def test_whatever_a_trace_says_state_and_totals_agree_after_every_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr(
        "insight_desktop.ingest.formats.snapshot_pickle.parse",
        lambda path, folder, _report: snapshot_child.read(path, folder, capped=False),
    )
    random = Random(11)
    for number in range(40):
        content = _random_content(random)
        if not content["segments"] and not content["device_traces"][0]:
            continue
        held = sf.opened(sf.written(tmp_path, content), tmp_path / str(number))
        curve = snapshot.curve(held).to_pylist()
        for point in curve:
            found = one(snapshot.fragmentation(held, event=point["event"]))
            for name in ("allocated_bytes", "active_bytes"):
                assert found[name] == point[name]
        live = sum(
            b[1] for s in content["segments"] for b in [(0, k["size"]) for k in s["blocks"] if k["state"] != "inactive"]
        )
        lost = {a["kind"] for a in snapshot.anomalies(held).to_pylist()}
        if "survivors_unknown" not in lost and not any(
            e["action"] == "workspace_snapshot" for e in content["device_traces"][0]
        ):
            assert curve[-1]["active_bytes"] == live


def test_the_kernels_can_be_warmed() -> None:
    snapshot_warm.warm()


def test_snapshots_of_other_devices_are_compared_all_the_same(tmp_path: Path) -> None:
    held = sf.opened(sf.written(tmp_path, sf.made(n=40, device=1)), tmp_path / "a", "a")
    sf.opened(sf.written(tmp_path, sf.made(n=60), "b.pkl"), tmp_path / "b", "b", held)
    rows = snapshot.compare(held, base="b", card="a", device=1, by="totals").to_pylist()
    assert {r["name"] for r in rows} >= {"reserved", "active", "blocks"}
