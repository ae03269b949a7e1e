"""Summary and trace tables of the layers: hand-computed shares, real figures, paging of many rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.memory_files import open_store
from tests.support.plain_build import build

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import timeline
from insight_desktop.errors import BadArgument


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row("system-timeline", *numbers)


def s(process: str, lane: str, name: str, start_ns: int, end_ns: int, role: str = "thread") -> dict[str, Any]:
    return {
        "pid": process, "process": process, "tid": lane, "thread": lane, "name": name, "start_ns": start_ns,
        "end_ns": end_ns, "role": role,
    }  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    overlap = [
        ("Computing", 0, 60), ("Computing", 100, 120), ("Communication", 40, 100),
        ("Communication(Not Overlapped)", 60, 100), ("Free", 120, 200),
    ]  # fmt: skip
    build(
        tmp_path / "0",
        slices=[
            s("Python", "T1", "aten::add", 0, 30), s("Python", "T1", "aten::mul", 30, 40), s("Python", "T2", "aten::add", 5, 15),
            s("CANN", "T1", "launch", 0, 7), s("Ascend Hardware", "Stream 1", "Add", 10, 20, "stream"),
            s("HCCL", "Group 0", "allReduce", 40, 100, "group"), s("HCCL", "Plane 0", "Notify_Wait", 50, 70, "plane"),
            *(s("Overlap Analysis", name, name, a, b, "overlap") for name, a, b in overlap),
        ],
    )  # fmt: skip
    return Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])


def rows(store: Store, view: Any, **arguments: Any) -> dict[str, tuple[Any, ...]]:
    return {
        r["name"]: (r["ratio"], r["total_ns"], r["count"], r["avg_ns"], r["min_ns"], r["max_ns"])
        for r in timeline.summary(store, view=view, **arguments).to_pylist()
    }


@row(68)
def test_shares_are_of_all_slices_of_the_layer(store: Store) -> None:
    assert rows(store, "python_api") == {
        "aten::add": (0.8, 40, 2, 20.0, 10, 30),
        "aten::mul": (0.2, 10, 1, 10.0, 10, 10),
    }
    assert rows(store, "cann_api") == {"launch": (1.0, 7, 1, 7.0, 7, 7)}
    assert rows(store, "ascend_hw") == {"Add": (1.0, 10, 1, 10.0, 10, 10)}
    assert rows(store, "communication") == {
        "allReduce": (0.75, 60, 1, 60.0, 60, 60),
        "Notify_Wait": (0.25, 20, 1, 20.0, 20, 20),
    }


@row(68)
def test_a_search_does_not_change_the_shares(store: Store) -> None:
    assert rows(store, "python_api", name="MUL") == {"aten::mul": (0.2, 10, 1, 10.0, 10, 10)}


@row(68)
def test_shares_of_the_overlap_analysis_leave_communication_out_of_the_whole(store: Store) -> None:
    # 80 + 40 + 80 = 200; Communication is no part of it
    found = rows(store, "overlap")
    assert {name: figures[:3] for name, figures in found.items()} == {
        "Computing": (0.4, 80, 2), "Communication(Not Overlapped)": (0.2, 40, 1), "Free": (0.4, 80, 1),
        "Communication": (0.3, 60, 1),
    }  # fmt: skip


@row(56)
def test_a_range_cuts_and_whole_slices_do_not(store: Store) -> None:
    assert rows(store, "python_api", from_ns=10, to_ns=35) == {
        "aten::add": (25 / 30, 25, 2, 12.5, 5, 20), "aten::mul": (5 / 30, 5, 1, 5.0, 5, 5),
    }  # fmt: skip
    assert rows(store, "python_api", from_ns=10, to_ns=35, whole=True)["aten::add"][1] == 40
    found = timeline.trace(store, view="python_api", from_ns=10, to_ns=25).to_pylist()
    assert [(r["name"], r["ts_ns"], r["dur_ns"], r["whole_ns"]) for r in found] == [
        ("aten::add", 0, 15, 30), ("aten::add", 5, 5, 10),
    ]  # fmt: skip


def test_sorting_by_any_column(store: Store) -> None:
    found = timeline.summary(store, view="python_api", sort="name", descending=True).column("name").to_pylist()
    assert found == ["aten::mul", "aten::add"]
    with pytest.raises(BadArgument, match="no column 'x'"):
        timeline.summary(store, view="python_api", sort="x")  # type: ignore[arg-type]


@row(69)
def test_traces_are_sorted_filtered_and_paged_over_more_than_ten_thousand_rows(tmp_path: Path) -> None:
    slices = [s("Python", "T1", f"op{i % 3}", i * 100, i * 100 + 1 + (i * 7919) % 97) for i in range(10_001)]
    build(tmp_path / "0", slices=slices)
    store = Store([StoreCard("0", "0", 0, "", "text", tmp_path / "0")])
    expected = sorted(slices, key=lambda x: (x["start_ns"] - x["end_ns"], x["start_ns"]))
    for offset in (0, 5_000, 9_990):
        found = timeline.trace(store, view="python_api", offset=offset, limit=20).to_pylist()
        assert [r["ts_ns"] for r in found] == [x["start_ns"] for x in expected[offset : offset + 20]]
    assert timeline.trace_count(store, view="python_api").to_pylist() == [
        {"count": 10_001, "sum_ns": sum(x["end_ns"] - x["start_ns"] for x in slices)}
    ]
    assert timeline.trace_count(store, view="python_api", name="OP1").column("count").to_pylist() == [3334]
    by_name = timeline.trace(store, view="python_api", sort="name", descending=False, limit=2).to_pylist()
    assert [(r["name"], r["ts_ns"]) for r in by_name] == [("op0", 0), ("op0", 300)]
    with pytest.raises(BadArgument, match="negative"):
        timeline.trace(store, view="python_api", offset=-1)


@row(68)
def test_real_overlap_and_device_tasks(real: Callable[[str], Path]) -> None:
    store = open_store(real("text_level2/rank0_ascend_pt"))
    found = rows(store, "overlap")
    assert {name: (round(100 * f[0], 2), f[1], f[2]) for name, f in found.items()} == {
        "Computing": (6.83, 8868240, 187), "Communication(Not Overlapped)": (73.89, 95962016, 101),
        "Free": (19.28, 25032619, 90), "Communication": (76.98, 99973278, 4),
    }  # fmt: skip
    tasks = rows(store, "ascend_hw")
    assert sum(f[1] for f in tasks.values()) == 258713482
    assert {name: (round(100 * tasks[name][0], 2), *tasks[name][1:3]) for name in ("Notify Wait", "EVENT_WAIT", "SDMA")} == {
        "Notify Wait": (51.97, 134458002, 112), "EVENT_WAIT": (33.17, 85820833, 10), "SDMA": (11.06, 28615354, 72),
    }  # fmt: skip
    first = timeline.trace(store, view="ascend_hw", limit=1).to_pylist()[0]
    assert timeline.slices(store, name=first["name"], from_ns=first["ts_ns"], to_ns=first["ts_ns"]).num_rows >= 1


@row(68)
def test_layers_of_a_database_are_its_tables(real: Callable[[str], Path]) -> None:
    store = open_store(real("db_level1/rank0_ascend_pt"))
    counts = {
        view: sum(f[2] for f in rows(store, view).values()) for view in ("python_api", "cann_api", "communication")
    }
    # SELECT count(*) of PYTORCH_API, CANN_API, COMMUNICATION_TASK_INFO + COMMUNICATION_OP
    assert counts == {"python_api": 2460, "cann_api": 710, "communication": 300}
