"""Links of slices, and all of a category, on small captures and against the counts of the specification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from tests.support.plain_build import build

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.load import import_paths
from insight_desktop.engine.timeline import links


def capture_of(folder: Path) -> Capture:
    rows = [
        {"pid": 1, "tid": t, "name": n, "start_ns": a, "end_ns": a + 5}
        for n, t, a in (("A", 1, 0), ("B", 2, 100), ("C", 2, 200), ("D", 1, 300))
    ]
    return build(
        folder, slices=rows, links=[(0, 1, "HostToDevice"), (0, 2, "HostToDevice"), (3, 0, "fwdbwd"), (2, 2, "self")]
    )


def named(capture: Capture, found: list[links.Link]) -> list[tuple[str, str, str]]:
    return [
        (x.category, capture.text(int(capture.slice_name[x.from_id])), capture.text(int(capture.slice_name[x.to_id])))
        for x in found
    ]


@pytest.mark.row("system-timeline", 87)
def test_a_slice_has_its_links_of_all_categories_in_both_directions(tmp_path: Path) -> None:
    capture = capture_of(tmp_path)
    ids = {capture.text(int(n)): i for i, n in enumerate(capture.slice_name)}
    assert named(capture, links.of_slice(capture, ids["A"])) == [
        ("HostToDevice", "A", "B"),
        ("HostToDevice", "A", "C"),
        ("fwdbwd", "D", "A"),
    ]
    assert named(capture, links.of_slice(capture, ids["B"])) == [("HostToDevice", "A", "B")]
    assert named(capture, links.of_slice(capture, ids["C"])) == [("self", "C", "C"), ("HostToDevice", "A", "C")]
    assert links.categories(capture) == {"HostToDevice": 2, "fwdbwd": 1, "self": 1}


@pytest.mark.row("system-timeline", 88)
def test_all_links_of_a_category_are_thinned_by_pieces_of_the_window(tmp_path: Path) -> None:
    rows, pairs = [], []
    for i in range(3000):
        rows += [
            {"pid": 1, "tid": 1, "name": "s", "start_ns": i * 10, "end_ns": i * 10 + 5},
            {"pid": 1, "tid": 2, "name": "t", "start_ns": i * 10 + 7, "end_ns": i * 10 + 9},
        ]
        pairs.append((2 * i, 2 * i + 1, "x"))
    capture = build(tmp_path, slices=rows, links=pairs)
    whole = links.in_window(capture, "x", 0, 30_000)
    assert 500 <= len(whole[0]) <= 1000  # one or two per 1/500 of the window
    assert len(links.in_window(capture, "x", 0, 100)[0]) == 11
    assert len(links.in_window(capture, "x", 0, 30_000, limit=9)[0]) == 9
    assert len(links.in_window(capture, "y", 0, 30_000)[0]) == 0


@pytest.mark.row("system-timeline", 57)
def test_a_locked_range_keeps_links_with_an_end_inside(tmp_path: Path) -> None:
    capture = capture_of(tmp_path)
    source, target = links.in_window(capture, "HostToDevice", 0, 400, either_end=(190, 210))
    assert [
        (capture.text(int(capture.slice_name[a])), capture.text(int(capture.slice_name[b])))
        for a, b in zip(source, target, strict=True)
    ] == [("A", "C")]


@pytest.mark.row("system-timeline", 89)
@pytest.mark.parametrize(
    ("name", "kind", "counts"),
    [
        ("text_level2", "text", {"HostToDevice": 215, "async_npu": 210, "async_task_queue": 159, "fwdbwd": 27}),
        ("db_level2", "db", {"HostToDevice": 191, "async_npu": 191, "async_task_queue": 159, "fwdbwd": 27}),
    ],
)
def test_real_data_have_the_links_of_the_specification(
    real: Callable[[str], Path], name: str, kind: str, counts: dict[str, int]
) -> None:
    _, imports = import_paths([real(name)])
    assert imports[0].kind == kind
    assert imports[0].capture is not None
    capture = Capture(imports[0].capture)
    assert links.categories(capture) == counts
    queue = [
        named(capture, [links.Link("", "", int(capture.link_from[r]), int(capture.link_to[r]))])[0][1:]
        for r in links.rows_of(capture, "async_task_queue")
    ]
    assert Counter((a.split("@")[0], b.split("@")[0]) for a, b in queue) == {("Enqueue", "Dequeue"): 159}


@pytest.mark.row("system-timeline", 87)
def test_a_chain_passes_through_the_slices_of_a_thread(tmp_path: Path) -> None:
    host = {"pid": 1, "tid": 7, "process": "python3"}
    cann = {"pid": 2, "tid": 7, "process": "CANN"}  # the same thread, its process packed with another number
    stream = {"pid": 3, "tid": 7, "process": "Ascend Hardware", "role": "stream"}
    rows = [
        {"pid": 1, "tid": 1, "name": "Enqueue", "start_ns": 0, "end_ns": 5},
        {**host, "name": "Dequeue", "start_ns": 10, "end_ns": 60},
        {**cann, "name": "aclnnAdd", "start_ns": 20, "end_ns": 50},
        {**cann, "name": "launch 1", "start_ns": 22, "end_ns": 30},
        {**cann, "name": "launch 2", "start_ns": 32, "end_ns": 40},
        {**cann, "name": "launch 3", "start_ns": 58, "end_ns": 70},  # ends after the Dequeue
        {**stream, "name": "Add", "start_ns": 25, "end_ns": 28},
        {**stream, "name": "Mul", "start_ns": 80, "end_ns": 90},
    ]
    made = [(0, 1, "async_task_queue"), (3, 6, "HostToDevice"), (4, 7, "HostToDevice"), (5, 7, "HostToDevice")]
    capture = build(tmp_path, slices=rows, links=made)
    ids = {capture.text(int(n)): i for i, n in enumerate(capture.slice_name)}
    names = {i: name for name, i in ids.items()}

    def passed(name: str, by: Literal[-1, 1]) -> str | None:
        found = links.passed_through(capture, ids[name], by)
        return None if found is None else names[found]

    assert (passed("Dequeue", 1), passed("aclnnAdd", 1), passed("launch 2", 1)) == ("launch 1", "launch 1", None)
    assert (passed("launch 2", -1), passed("aclnnAdd", -1), passed("launch 3", -1)) == ("Dequeue", "Dequeue", None)
    assert (passed("Enqueue", -1), passed("Add", 1), passed("Add", -1)) == (None, None, None)


@pytest.mark.row("system-timeline", 87)
def test_of_a_slice_with_very_many_links_some_are_taken_evenly_mostly_from_a_window(tmp_path: Path) -> None:
    lane = {"pid": 2, "tid": 2, "process": "NPU"}
    rows = [{"pid": 1, "tid": 1, "name": "hub", "start_ns": 0, "end_ns": 5}]
    rows += [{**lane, "name": "k", "start_ns": 10 * i, "end_ns": 10 * i + 5} for i in range(1, 1001)]
    capture = build(tmp_path, slices=rows, links=[(0, i, "HostToDevice") for i in range(1, 1001)])
    assert links.counts_of(capture, 0) == (1000, 0)
    assert len(links.of_slice(capture, 0)) == 1000
    starts = [int(capture.slice_start[x.to_id]) for x in links.of_slice(capture, 0, most=11)]
    assert starts == [10, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000]
    near = [int(capture.slice_start[x.to_id]) for x in links.of_slice(capture, 0, most=11, window=(5000, 5090))]
    assert set(range(5000, 5100, 10)) <= set(near)
    assert (near[0], near[-1]) == (10, 10000)
    assert len(links.of_slice(capture, 1, most=11)) == 1
