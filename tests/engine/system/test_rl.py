from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.plain_build import build

from insight_desktop.engine import scene
from insight_desktop.engine.queries import run
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import NoData

MS = 1_000_000
MARKS = {"pid": "9", "tid": "1", "process": "rollout", "label": "CPU"}


def mark(name: str, start: int, end: int, **more: Any) -> dict[str, Any]:
    return {**MARKS, "name": name, "start_ns": start, "end_ns": end, **more}


def card(folder: Path, rank: str, slices: list[dict[str, Any]], *, host: str = "h", kind: str = "text") -> StoreCard:
    name = f"{host}_{rank}"
    build(folder / name, slices=slices)
    return StoreCard(name, rank, int(rank), host, kind, folder / name)


def rows(store: Store, query: str) -> list[dict[str, Any]]:
    return run(store, f"system.rl.{query}").to_pylist()


@pytest.mark.row("system-memory-operator-rl", 42)
@pytest.mark.example("system-memory-operator-rl", "R7")
def test_one_task_of_one_card(tmp_path: Path) -> None:
    host = "uboot14286042774212449010_0"
    store = Store([card(tmp_path, "0", [mark("generate_sequences", 100, 1000)], host=host)])
    assert rows(store, "tasks") == [
        {
            "row": 0, "card": f"{host}_0", "host": "uboot14286042774212449010", "rank": "0", "task": 0, "node_type": "Task",
            "name": "generate_sequences", "role": "ActorRollout", "start_ns": 100, "dur_ns": 900, "id": 0,
        }
    ]  # fmt: skip
    assert rows(store, "facts") == [
        {
            "framework": "verl", "algorithm": "GRPO", "backend": "Megatron", "min_ns": 100, "max_ns": 1000, "cards": 1,
            "note": "",
        }
    ]  # fmt: skip


@pytest.mark.row("system-memory-operator-rl", 42)
@pytest.mark.example("system-memory-operator-rl", "R11")
def test_rows_stand_by_host_and_rank_as_numbers_and_hosts_are_numbered_from_the_top(tmp_path: Path) -> None:
    one = [mark("update_actor", 0, 10)]
    store = Store([card(tmp_path, "2", one), card(tmp_path, "10", one), card(tmp_path, "1", one, host="g")])
    assert [(r["host"], r["rank"], r["host_number"]) for r in rows(store, "bubbles")] == [
        ("g", "1", 1),
        ("h", "2", 2),
        ("h", "10", 2),
    ]


@pytest.mark.row("system-memory-operator-rl", 42)
@pytest.mark.example("system-memory-operator-rl", "R12")
def test_the_role_of_the_earliest_task_orders_the_rows(tmp_path: Path) -> None:
    actor = [mark("update_actor", 5, 9), mark("generate_sequences", 20, 30)]
    rollout = [mark("generate_sequences", 5, 20), mark("update_actor", 5, 9, tid="2")]  # the longer one counts
    store = Store([card(tmp_path, "0", actor), card(tmp_path, "1", rollout), card(tmp_path, "2", actor)])
    assert [r["rank"] for r in rows(store, "bubbles")] == ["0", "2", "1"]


@pytest.mark.row("system-memory-operator-rl", 42)
@pytest.mark.example("system-memory-operator-rl", "R13")
def test_a_bubble_is_the_span_without_the_union_of_the_tasks(tmp_path: Path) -> None:
    spans = [(0, 10), (15, 20), (18, 30)]
    slices = [mark("update_actor", a * MS, b * MS, tid=str(i)) for i, (a, b) in enumerate(spans)]
    (row,) = rows(Store([card(tmp_path, "0", slices)]), "bubbles")
    assert (row["span_ms"], row["busy_ms"], row["bubble_ms"], row["bubble_ratio"]) == (30.0, 25.0, 5.0, 0.1667)


def test_a_task_without_length_has_no_bubble(tmp_path: Path) -> None:
    (row,) = rows(Store([card(tmp_path, "0", [mark("update_actor", 7, 7)])]), "bubbles")
    assert (row["span_ms"], row["bubble_ms"], row["bubble_ratio"]) == (0.0, 0.0, 0.0)


@pytest.mark.row("system-memory-operator-rl", 41)
def test_micro_batches_are_the_passes_inside_their_task(tmp_path: Path) -> None:
    slices = [mark("update_actor", 100, 200), mark("generate_sequences", 300, 400)]
    slices += [mark("TransformerBlock", a, b, tid="2") for a, b in ((90, 110), (110, 120), (310, 320))]
    slices += [mark("TransformerLayer", 130, 140, tid="2")]
    found = rows(Store([card(tmp_path, "0", slices)]), "tasks")
    assert [(r["node_type"], r["task"], r["role"], r["start_ns"], r["dur_ns"]) for r in found] == [
        ("Task", 0, "Actor", 100, 100),
        ("FP", 0, "Actor", 110, 10),
        ("BP", 0, "Actor", 130, 10),
        ("Task", 1, "ActorRollout", 300, 100),
    ]


@pytest.mark.row("system-memory-operator-rl", 41)
def test_fsdp_finds_its_passes_in_the_calls_of_a_database(tmp_path: Path) -> None:
    host = {"pid": "9", "process": "python", "label": "CPU", "tid": "5"}

    def call(name: str, start: int, end: int) -> dict[str, Any]:
        return {**host, "name": name, "start_ns": start, "end_ns": end}

    slices = [mark("update_actor", 0, 1000, role="mstx", lane="MSTX")]
    slices += [call("FullyShardedDataParallel.forward", 10, 60), call("autograd::engine::evaluate", 70, 90)]
    slices += [call("autograd::engine::evaluate", 95, 120), call("Enqueue@record_event", 130, 135)]
    slices += [call("outer", 200, 300), call("autograd::engine::inner", 210, 220)]  # not the outermost call
    found = rows(Store([card(tmp_path, "0", slices, kind="db")]), "tasks")
    assert [(r["node_type"], r["start_ns"], r["dur_ns"]) for r in found] == [
        ("Task", 0, 1000),
        ("FP", 10, 50),
        ("BP", 70, 65),
    ]
    assert rows(Store([card(tmp_path / "b", "0", slices, kind="db")]), "facts")[0]["backend"] == "fsdp"


def test_names_on_other_processes_are_no_tasks(tmp_path: Path) -> None:
    store = Store([card(tmp_path, "0", [mark("update_actor", 0, 10, process="Python")])])
    with pytest.raises(NoData, match="No card has tasks of a reinforcement learning run"):
        run(store, "system.rl.tasks")


def test_a_framework_whose_tasks_are_all_there_is_chosen_first(tmp_path: Path) -> None:
    names = ["ActorHybridWorkerBase.generate_sequences", "IntegratedWorker.compute_ref_log_prob"]
    names += ["ActorRolloutHybrid.update_actor", "Reward.compute_rm_score", "update_actor"]
    slices = [mark(name, 10 * i, 10 * i + 5) for i, name in enumerate(names)]
    store = Store([card(tmp_path, "0", slices)])
    assert rows(store, "facts")[0]["framework"] == "MindSpeed-RL"
    assert [r["name"] for r in rows(store, "tasks")] == names[:4]


@pytest.mark.row("system-memory-operator-rl", 39)
def test_only_data_with_tasks_call_for_the_tab(tmp_path: Path) -> None:
    with_tasks = card(tmp_path, "0", [mark("update_actor", 0, 10)])
    without = card(tmp_path, "1", [mark("forward", 0, 10)])
    store = Store([with_tasks, without])
    assert scene.told([store.capture("h_1")]) == set()
    assert scene.told([store.capture("h_1"), store.capture("h_0")]) == {"system.rl"}


@pytest.mark.row("system-memory-operator-rl", 43)
def test_a_card_that_comes_later_is_a_row_more(tmp_path: Path) -> None:
    store = Store([card(tmp_path, "0", [mark("update_actor", 0, 10)])])
    assert len(rows(store, "bubbles")) == 1
    store.put(card(tmp_path, "1", [mark("update_actor", 0, 10)]))
    assert len(rows(store, "bubbles")) == 2


@pytest.mark.row("system-memory-operator-rl", 42)
def test_hosts_that_only_folders_tell_are_numbered(tmp_path: Path) -> None:
    one = [mark("update_actor", 0, 10)]
    cards = [
        replace(card(tmp_path, rank, one, host=host), host="", source_folder=Path(f"/run/{host}/rank_{rank}_ascend_pt"))
        for host, rank in (("node1", "0"), ("node1", "1"), ("node0", "0"))
    ]
    assert [(r["host"], r["rank"], r["host_number"]) for r in rows(Store(cards), "bubbles")] == [
        ("node0", "0", 1),
        ("node1", "0", 2),
        ("node1", "1", 2),
    ]
