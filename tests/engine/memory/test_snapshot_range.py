"""A part of a snapshot, read alone, says of its events what the whole file says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support import snapshot_files as sf

from insight_desktop.engine.memory import snapshot
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadFile
from insight_desktop.ingest.report import Report

EXPANDABLE = "snapshot/snapshot_expandable.pkl"
FIRST = "snapshot/snapshot_1768383987920985470.pkl"
TOTALS = ("allocated_bytes", "active_bytes", "reserved_bytes")
STATE = ("segment", "address", "size_bytes", "state", "requested_bytes", "stack")


def agrees(whole: Store, part: Store, first: int, last: int, device: int | None = None) -> None:
    """Totals after every event, the events, and states and blocks at some of them."""
    count = last - first + 1
    for mode in ("estimate", "requested", "upstream"):
        left = snapshot.curve(whole, device=device, mode=mode).slice(first, count + 1)  # type: ignore[arg-type]
        right = snapshot.curve(part, device=device, mode=mode)  # type: ignore[arg-type]
        assert right.num_rows == count + 1
        for column in TOTALS:
            assert right[column].to_pylist() == left[column].to_pylist(), (mode, column)
    for e in {first, (first + last) // 2, last}:
        left, right = (
            [tuple(r[c] for c in STATE) for r in snapshot.state(s, device=device, event=at).to_pylist()]
            for s, at in ((whole, e), (part, e - first))
        )
        assert right == left
        alive = [
            {(b["address"], b["size_bytes"], b["stack"]) for b in snapshot.blocks(s, device=device, alive_at=at).to_pylist()}
            for s, at in ((whole, e), (part, e - first))
        ]  # fmt: skip
        assert alive[0] == alive[1]
    named = ("action", "address", "size_bytes", "stream", "stack", "time_us")
    found = [snapshot.events(whole, device=device, first=first, last=last), snapshot.events(part, device=device)]
    assert found[0].select(named).to_pylist() == found[1].select(named).to_pylist()


@pytest.mark.row("memory", 50)
@pytest.mark.parametrize("name", [EXPANDABLE, FIRST])
@pytest.mark.parametrize(("first", "last"), [(0, 99), (1, 4000), (2599, 7430), (7388, 8091), (5000, 5000)])
def test_a_part_of_a_real_file_has_the_totals_of_the_whole(
    name: str, first: int, last: int, real: Callable[[str], Path], tmp_path: Path
) -> None:
    whole = sf.opened(real(name), tmp_path / "whole")
    agrees(whole, sf.opened(real(name), tmp_path / "part", events=f"{first}:{last}"), first, last)


def test_the_peak_of_the_expandable_file_is_found_in_a_part(real: Callable[[str], Path], tmp_path: Path) -> None:
    part = sf.opened(real(EXPANDABLE), tmp_path / "part", events="7000:")
    found = snapshot.summary(part).to_pylist()[0]
    assert (found["events"], found["peak_active_bytes"], found["peak_event"]) == (1092, 597800960, 430)
    assert (found["allocated_bytes"], found["reserved_bytes"], found["segments"]) == (408698880, 643825664, 2)


@pytest.mark.parametrize("expandable", [False, True])
@pytest.mark.parametrize("pad", [0, 32])
def test_a_part_of_a_recorded_allocator_has_the_totals_of_the_whole(pad: int, expandable: bool, tmp_path: Path) -> None:
    path = sf.written(tmp_path, sf.made(n=600, pad=pad, expandable=expandable, timed=True))
    whole = sf.opened(path, tmp_path / "whole")
    n = snapshot.summary(whole)["events"][0].as_py()
    for k, (first, last) in enumerate([(0, n - 1), (0, 0), (100, 400), (333, n - 1), (n - 1, n - 1)]):
        agrees(whole, sf.opened(path, tmp_path / f"part{k}", events=f"{first}:{last}"), first, last)


def hand_made(folder: Path) -> Path:
    """Block 0x1000 waits at event 3, 0x2000 is taken and freed, 0x3000 survives; device 1 has one event only."""
    events = [
        sf.event("alloc", 0x1000, 512), sf.event("alloc", 0x2000, 1024), sf.event("free_requested", 0x1000, 512),
        sf.event("alloc", 0x3000, 2048), sf.event("free_completed", 0x1000, 512),
        sf.event("free_requested", 0x2000, 1024), sf.event("free_completed", 0x2000, 1024),
    ]  # fmt: skip
    held = [
        sf.segment(0x1000, 0x8000, (0x3000, 2048, 2048, "active_allocated")),
        sf.segment(0x1000, 0x1000, (0x1000, 512, 512, "active_allocated"), device=1),
    ]
    return sf.written(folder, {"segments": held, "device_traces": [events, [sf.event("alloc", 0x1000, 512)]]})


def test_what_lives_at_the_first_event_was_there_before_and_what_lives_after_the_last_is_not_freed(
    tmp_path: Path,
) -> None:
    report = Report()
    found = sf.filled(hand_made(tmp_path), tmp_path / "part", report, events="3:5")
    device = found.device(0)
    wanted: list[tuple[Any, ...]] = [(0x1000, True, 0, 0, 1), (0x2000, True, 0, 2, 3), (0x3000, False, 0, 3, 3)]
    columns = [device.column(f"block_{name}").tolist() for name in ("address", "flags", "start", "pending", "end")]
    assert [(a, bool(f & 1), s, p, e) for a, f, s, p, e in zip(*columns, strict=True)] == wanted
    assert device.column("block").tolist() == [2, 0, 1]
    assert (device.facts["allocated_before"], device.facts["active_before"]) == (1024, 1536)
    assert device.column("allocated").tolist() == [3072, 3072, 2048]
    assert device.column("active").tolist() == [3584, 3072, 3072]
    assert (device.facts["first_event"], device.facts["events"], device.facts["whole_events"]) == (3, 3, 7)
    assert [(i.code, i.message) for i in report.issues if i.code.endswith(".part")] == [
        ("snapshot_pickle.part", "Only a part was read: events 3 to 5 of 7."),
        ("snapshot_pickle.part", "Only a part was read: no events of 1."),
    ]
    # blocks that were there before the part only are recorded ones
    assert "snapshot_pickle.preexisting" not in {i.code for i in report.issues}
    # a device whose trace ends before the range shows what it held at its end
    other = found.device(1)
    assert (other.events, other.facts["allocated"], other.facts["preexisting"], other.facts["reserved"]) == (0, 512, 1, 4096)  # fmt: skip


def test_a_range_behind_the_trace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"mem\.pickle has no event 7: its longest trace has 7 events"):
        sf.filled(hand_made(tmp_path), tmp_path / "part", events="7:")
