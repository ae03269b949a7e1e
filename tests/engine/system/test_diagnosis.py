"""What costs a job or a card time: rules with hand-made figures, and real data."""

from __future__ import annotations

import json

import pytest
from tests.support.cluster_files import link, open_cluster, operator, write_rank

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import diagnosis, diagnosis_rows
from insight_desktop.errors import NoData

SIZES = {f"{name}_parallel_size": 1 for name in ("tensor_model", "pipeline_model", "context", "expert_model")} | {
    "data_parallel_size": 2, "world_size": 2,
}  # fmt: skip


def job(folder, *, computing=(90_000.0, 90_000.0), waits=(5.0, 5.0), alone=1000.0, free=1000.0, speed=(20.0, 20.0)):
    """Two ranks with one step of computing, communication and idle time in µs, and one operator of `waits` ms."""
    for rank in (0, 1):
        cells = ("1", computing[rank], alone, 0.0, alone, free, 0.0, 0.0, alone, 0.0)
        links = {
            "allreduce-total@7": {
                f"{rank}-{rank}": link(1.0, 1.0, "LOCAL"), f"{rank}-{1 - rank}": link(100.0, 100.0 / speed[rank]),
            }
        }  # fmt: skip
        write_rank(
            folder, rank, steps=[cells], sizes=SIZES, links=links,
            collective={"hcom_allReduce__1@7": operator(1000.0, elapse=waits[rank], transit=0.1)},
        )  # fmt: skip
    return open_cluster(folder)


def codes(found):
    return [row["code"] for row in found.to_pylist()]


def test_balanced_job_has_no_findings(tmp_path):
    assert codes(diagnosis.findings(job(tmp_path))) == []


def test_straggler_costs_what_the_other_waits(tmp_path):
    store = job(tmp_path, computing=(90_000.0, 100_000.0), waits=(10.0, 1.0))
    row = diagnosis.findings(store).to_pylist()[0]
    assert row["text"] == (
        "Rank 1 holds up 1 other rank for 9.00 ms per step. It computes 10.0 ms longer than the ranks that wait for it."
    )
    # A step is 95,000 of computing, 1,000 not overlapped and 1,000 idle.
    assert (row["severity"], row["cost_ms_per_step"], row["share"]) == ("medium", 9.0, pytest.approx(9 / 97))
    assert json.loads(row["arguments"]) == {"rank": 1, "group": "(0, 1):7", "step": "1", "op": "hcom_allReduce__1"}
    assert row["query"] == "system.summary.straggler_waits"


def test_communication_and_idle_time_are_told_from_five_percent_on(tmp_path):
    found = diagnosis.findings(job(tmp_path, alone=20_000.0, free=10_000.0)).to_pylist()
    assert [(r["code"], r["severity"], r["cost_ms_per_step"]) for r in found] == [
        ("uncovered_communication", "high", 20.0), ("free", "medium", 10.0),
    ]  # fmt: skip
    assert found[0]["text"] == ("Communication that nothing is computed beside takes 20.0 ms per step, 17 % of it.")


def test_slow_link_is_named_with_both_bandwidths(tmp_path):
    for rank in (0, 1, 2, 3):
        after = (rank + 1) % 4
        speed = 5.0 if rank == 2 else 20.0
        links = {
            "allreduce-total@7": {
                f"{rank}-{rank}": link(1.0, 1.0, "LOCAL"),
                f"{rank}-{after}": link(100.0, 100.0 / speed),
            }
        }
        write_rank(
            tmp_path, rank, links=links, collective={"hcom_send__1@7": operator(1000.0, elapse=1.0)},
            steps=[("1", 90_000.0, 1000.0, 0.0, 1000.0, 1000.0, 0.0, 0.0, 1000.0, 0.0)],
        )  # fmt: skip
    row = next(r for r in diagnosis.findings(open_cluster(tmp_path)).to_pylist() if r["code"] == "slow_links")
    assert row["text"] == "The link from rank 2 to rank 3 (HCCS) reaches 5 GB/s, 25 % of what its peers reach."
    assert row["cost_ms_per_step"] == pytest.approx(15.0)
    assert row["evidence"] == "1 link of 4 are slow; the median of HCCS is 20 GB/s."


def test_stages_of_unequal_work_cost_the_slowest_above_the_mean(real):
    row = next(r for r in diagnosis.findings(open_cluster(real("cluster_4rank"))).to_pylist() if r["code"] == "stages")
    assert row["text"] == "The pipeline is out of balance: stage 1 computes 401 ms per step, stage 0 231 ms."
    # (400.44826 + 401.1317) / 2 − mean of all four.
    assert row["cost_ms_per_step"] == pytest.approx(400.78998 - 315.943445)


def test_missing_ranks_come_last_and_have_no_cost(tmp_path, monkeypatch):
    monkeypatch.setitem(SIZES, "data_parallel_size", 3)
    monkeypatch.setitem(SIZES, "world_size", 3)
    found = diagnosis.findings(job(tmp_path, alone=20_000.0))
    assert codes(found) == ["uncovered_communication", "incomplete"]
    assert found["cost_ms_per_step"].to_pylist()[-1] is None
    assert found["evidence"].to_pylist()[-1].startswith("1 of 3 ranks were not collected: 2.")


def test_findings_of_a_real_card(real):
    _, imports = import_paths([real("db_level2")])
    found = diagnosis.findings(Store([StoreCard.of_import(item) for item in imports])).to_pylist()
    assert [(r["code"], r["cost_ms_per_step"]) for r in found[:2]] == [
        ("uncovered_communication", pytest.approx(90.080699)), ("idle", pytest.approx(25.238587)),
    ]  # fmt: skip
    assert "the host was still preparing the next task" in found[1]["evidence"]
    assert {r["tab"] for r in found} <= {"system.timeline", "system.operator"}


def test_card_without_tasks_says_so(real):
    _, imports = import_paths([real("cluster_4rank") / "rank_2_ascend_pt"])
    store = Store([StoreCard.of_import(item) for item in imports])
    with pytest.raises(NoData, match="no overlap analysis"):
        diagnosis.findings(store, card="2")


@pytest.mark.parametrize(
    ("value", "text"),
    [(105.2, "105 ms"), (23.41, "23.4 ms"), (9.0, "9.00 ms"), (0.0224, "0.0224 ms"), (99.96, "100 ms")],
)
def test_times_have_three_figures(value, text):
    assert diagnosis_rows.ms(value) == text


def test_steps_that_take_no_time_are_told(tmp_path):
    for rank in (0, 1):
        write_rank(tmp_path, rank, steps=[("1", *[0] * 9)], collective={"hcom_allReduce__1@1": operator(1.0, 2.0)})
    with pytest.raises(NoData, match="All step times of this job are zero"):
        diagnosis.findings(open_cluster(tmp_path))
