"""The lane tree against the specification's hierarchy and against real data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.plain_build import build

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline.lanes import Node, card_tree, process_title, walk


def outline(node: Node, depth: int = 0) -> list[str]:
    return [f"{'  ' * depth}{node.title} {node.kind}", *(line for c in node.children for line in outline(c, depth + 1))]


def slices(*rows: dict[str, object]) -> list[dict[str, object]]:
    return [{"name": "x", "start_ns": 0, "end_ns": 5, **row} for row in rows]


def tree(folder: Path, kind: str = "text", **content: object) -> Node:
    capture = build(folder, **content)  # type: ignore[arg-type]
    return card_tree(capture, StoreCard("0", "0", 0, "", kind, folder))


def opened(path: Path, kind: str | None = None) -> Store:
    _, imports = import_paths([path], kinds={"0": kind} if kind else None)
    return Store([StoreCard.of_import(item) for item in imports])


@pytest.mark.row("system-timeline", 18)
@pytest.mark.row("system-timeline", 21)
def test_text_card_has_processes_threads_and_counters_below_metrics(tmp_path: Path) -> None:
    found = tree(
        tmp_path,
        slices=slices(
            {"pid": 5, "process": "Python", "sort": 0, "tid": 51, "thread": "Thread 51", "label": "CPU"},
            {
                "pid": 5,
                "process": "Python",
                "sort": 0,
                "tid": 51,
                "thread": "Thread 51",
                "lane": "Python Stack 51",
                "role": "python_stack",
            },
            {"pid": 9, "process": "Ascend Hardware", "sort": 1, "tid": 2, "thread": "Stream 2"},
        ),
        counters=[
            {"process": "HBM", "counter": "HBM 0/Read", "series": "Read(MB/s)", "ts_ns": 0, "value": 1.0},
            {
                "process": "CPU Usage",
                "counter": "CPU Avg",
                "series": "Usage(%)",
                "ts_ns": 0,
                "value": 1.0,
                "metrics": "CPU Metrics",
            },
        ],
    )
    assert outline(found) == [
        "0 card",
        "  Python (5) process",
        "    Thread 51 thread",
        "      Python Stack 51 lane",
        "  Ascend Hardware (9) process",
        "    Stream 2 thread",
        "  CPU Metrics group",
        "    CPU Usage group",
        "      CPU Avg counter",
        "  NPU Metrics group",
        "    HBM group",
        "      HBM 0/Read counter",
    ]


def test_a_thread_with_one_lane_of_its_name_draws_it_itself(tmp_path: Path) -> None:
    found = {
        n.title: n
        for n in walk(
            tree(tmp_path, slices=slices({"pid": 1, "tid": 2}, {"pid": 1, "tid": 3, "lane": "acl", "group": "CANN"}))
        )
    }
    assert (found["2"].track, found["2"].rows, found["2"].children) == (0, 1, ())
    assert (found["3"].track, [c.title for c in found["3"].children], found["acl"].track) == (None, ["CANN"], 1)


def test_keys_are_texts_of_the_path_and_survive_more_data(tmp_path: Path) -> None:
    one = tree(tmp_path / "a", slices=slices({"pid": 7, "tid": "s/1", "thread": "Stream"}))
    two = tree(tmp_path / "b", slices=slices({"pid": 3, "tid": 1}, {"pid": 7, "tid": "s/1", "thread": "Stream"}))
    key = next(n.key for n in walk(one) if n.title == "Stream")
    assert key == "0/7/s%2F1"
    assert key in {n.key for n in walk(two)}


def test_keys_are_unique(tmp_path: Path) -> None:
    found = tree(
        tmp_path,
        slices=slices(
            *({"pid": 1, "process": f"p{i % 2}", "tid": 1, "thread": f"t{i % 3}", "lane": f"l{i}"} for i in range(6))
        ),
    )
    keys = [n.key for n in walk(found)]
    assert len(keys) == len(set(keys))


def test_a_track_with_instants_only_has_a_row(tmp_path: Path) -> None:
    found = tree(tmp_path, slices=[], instants=[{"pid": 1, "tid": 2, "name": "i", "ts_ns": 0}])
    assert [(n.title, n.rows) for n in walk(found) if n.track is not None] == [("2", 1)]


def test_empty_capture_is_a_bare_card(tmp_path: Path) -> None:
    assert outline(tree(tmp_path, slices=[])) == ["0 card"]


def test_alias_is_the_title_of_the_card(tmp_path: Path) -> None:
    capture = build(tmp_path, slices=[])
    node = card_tree(capture, StoreCard("0", "0", 0, "", "text", tmp_path, alias="left"))
    assert (node.title, node.key) == ("left", "0")


@pytest.mark.row("system-timeline", 19)
def test_database_card_has_the_order_of_the_specification(real: Callable[[str], Path]) -> None:
    store = opened(real("db_level2"))
    found = card_tree(store.capture("0"), store.cards[0])
    assert [n.title for n in found.children] == [
        "Process 3217657",
        "Ascend Hardware",
        "Communication",
        "Overlap Analysis",
        "NPU Metrics",
    ]
    host, hardware, communication, overlap, metrics = found.children
    assert outline(host.children[0]) == [
        "Thread 3217657 thread",
        "  PyTorch lane",
        "  CANN group",
        "    acl lane",
        "    runtime lane",
        "  Python Stack 3217657 lane",
    ]
    assert [n.title for n in hardware.children] == ["Stream 0", "Stream 2", "Stream 3", "Stream 4"]
    assert [n.title for n in communication.children] == ["Group 0 Communication", *(f"Plane {i}" for i in range(8))]
    assert [n.title for n in overlap.children] == [
        "Computing",
        "Communication",
        "Communication(Not Overlapped)",
        "Free",
    ]
    assert [n.title for n in metrics.children] == ["HBM", "LLC", "AI Core Freq", "ACC PMU", "Stars Soc", "NPU MEM"]
    assert [n.title for n in metrics.children[-1].children] == [
        "app/DDR (Byte)",
        "app/HBM (Byte)",
        "device/DDR (Byte)",
        "device/HBM (Byte)",
    ]


@pytest.mark.row("system-timeline", 18)
@pytest.mark.row("system-timeline", 22)
def test_real_text_card_has_the_counts_and_rows_of_the_specification(real: Callable[[str], Path]) -> None:
    store = opened(real("text_level2"))
    capture = store.capture("0")
    found = {
        (capture.tracks["process"][n.track].as_py(), n.title): n
        for n in walk(card_tree(capture, store.cards[0]))
        if n.track is not None
    }
    slices = capture.tracks["slices"].to_pylist()
    wanted = {
        ("Python", "Thread 3178231"): (369, 8), ("Python", "Thread 3186523"): (650, 8), ("Python", "Thread 3181770"): (159, 1),
        ("Python", "Python Stack 3178231"): (1282, 24), ("CANN", "Thread 3181770"): (767, 4), ("CANN", "Thread 3178231"): (109, 3),
        ("CANN", "Thread 3186523"): (168, 2), ("Ascend Hardware", "Stream 2"): (219, 1), ("Ascend Hardware", "Stream 4"): (308, 7),
    }  # fmt: skip
    assert {key: (slices[found[key].track or 0], found[key].rows) for key in wanted} == wanted
    python = next(n for n in walk(card_tree(capture, store.cards[0])) if n.title == "Python (3178231)")
    assert outline(python)[:3] == [
        "Python (3178231) process",
        "  Thread 3178231 thread",
        "    Python Stack 3178231 lane",
    ]


def test_a_process_without_an_id_has_no_empty_brackets() -> None:
    titles = [process_title(*p) for p in (("(no process)", "", "text"), ("Python", "7", "text"), ("7", "7", "text"))]
    assert titles == ["(no process)", "Python (7)", "7"]
