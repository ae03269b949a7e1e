"""What costs a job of many ranks time: rules over the tables of its cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import cluster as cluster_of
from insight_desktop.engine.cluster import Cluster
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import communication, summary
from insight_desktop.engine.system.communication_advice import CONTENTION_GBS
from insight_desktop.engine.system.diagnosis_rows import LOW, MEDIUM, Finding, Rule, count, ms, percent, table
from insight_desktop.errors import NoData

LEAST_SHARE = 0.005  # of a step
SUMMARY, COMMUNICATION = "system.summary", "system.communication"
_STRAGGLERS = 3
_UNCOVERED, _FREE, _PREPARING = 0.05, 0.05, 0.03  # of a step, from here on it is told
_STAGES = 0.05  # of the computing time
_SKEW_US, _SKEW_ERRORS = 100.0, 3.0
_CAUSES = {
    "computing_us": ("computes {0} longer than the ranks that wait for it", "Look for more work on this rank (longer sequences, more tokens or experts), or a slower device: compare its kernels with those of another rank."),
    "free_us": ("is idle {0} longer than the ranks that wait for it", "Its host is too slow: open its Timeline and look why the device is free there (dispatch, garbage collection, data loading, other programs on the host)."),
    "preparing_us": ("begins its work {0} later than the ranks that wait for it", "Look at data loading and the first host operators of this rank."),
}  # fmt: skip
_F64s = npt.NDArray[np.float64]


class JobRules:
    """All rules over one job."""

    def __init__(self, store: Store, cluster: str | None) -> None:
        self.store, self.cluster = store, cluster
        self.job: Cluster = cluster_of.opened(store, cluster)
        rows = self.job.table("cluster_step", kind="rank")
        self.ranks = len(pc.unique(rows["rank"]))
        self.steps = max(len(pc.unique(rows["step"])), 1)
        self._rows = rows
        if not rows.num_rows:
            raise NoData("No rank has step times.", fix="Collect with a schedule of steps on all ranks.")
        parts = ("computing_us", "communication_not_overlapped_us", "free_us", "preparing_us")
        self.mean = {name: float(np.maximum(self._of(name), 0.0).mean()) / 1000 for name in parts}
        self.step_ms = sum(self.mean.values())
        if self.step_ms <= 0:
            raise NoData(
                "All step times of this job are zero.", fix="Collect again with a schedule of steps on all ranks."
            )

    def findings(self) -> pa.Table:
        """What the rules find, the costliest first."""
        rules: list[Rule] = [
            self.stragglers, self.uncovered, self.free, self.preparing, self.stages, self.links, self.packets,
            self.retransmissions, self.contentions, self.alignments, self.clocks, self.issues,
        ]  # fmt: skip
        return table(rules, self.step_ms, LEAST_SHARE)

    # ---- rules -------------------------------------------------------------------------------------------------------

    def stragglers(self) -> Iterator[Finding]:
        """Ranks that the others wait for."""
        for row in summary.stragglers(self.store, top=_STRAGGLERS, cluster=self.cluster).to_pylist():
            rank, times = row["rank"], count(row["times"], "collective operator")
            why, advice = (
                "",
                "Compare this rank with one that waits: kernels, data, clock frequency, other programs on its host.",
            )
            if row["cause"]:
                text, advice = _CAUSES[row["cause"]]
                why = f" It {text.format(ms(row['cause_us'] / 1000))}."
            yield Finding(
                "straggler",
                f"Rank {rank} holds up {count(row['waiters'], 'other rank')} for {ms(row['cost_ms_per_step'])} per step.{why}",
                f"It came last in {times} of {row['operators']:,}; rank {row['worst_waiter']} waited {ms(row['worst_wait_ms'])} in "
                f"{row['worst_op']} of {_short(row['worst_group'])}, step {row['worst_step']}.",
                advice, SUMMARY, "system.summary.straggler_waits",
                self._with(rank=rank, group=row["worst_group"], step=row["worst_step"], op=row["worst_op"]),
                row["cost_ms_per_step"],
            )  # fmt: skip

    def uncovered(self) -> Iterator[Finding]:
        """Communication beside which nothing is computed."""
        cost = self.mean["communication_not_overlapped_us"]
        if cost < _UNCOVERED * self.step_ms:
            return
        worst, value = self._worst("communication_not_overlapped_us")
        yield Finding(
            "uncovered_communication",
            f"Communication that nothing is computed beside takes {ms(cost)} per step, {percent(cost / self.step_ms)} of it.",
            f"Mean over {count(self.ranks, 'rank')}; most on rank {worst}: {ms(value)} per step. It holds the waiting for slow ranks.",
            "Let communication run beside computing (overlapped gradient reduction, prefetch of parameters), use larger buckets, "
            "and mend slow ranks and links first.",
            SUMMARY, "system.summary.overview", self._with(order_by="communication_not_overlapped_us"), cost,
        )  # fmt: skip

    def free(self) -> Iterator[Finding]:
        """Devices that do nothing."""
        cost = self.mean["free_us"]
        if cost < _FREE * self.step_ms:
            return
        worst, value = self._worst("free_us")
        yield Finding(
            "free",
            f"The devices are idle for {ms(cost)} per step, {percent(cost / self.step_ms)} of it.",
            f"Mean over {count(self.ranks, 'rank')}; most on rank {worst}: {ms(value)} per step.",
            "The host does not submit work fast enough: open the Timeline of such a rank and look why it is free; "
            "try task queues, fewer small operators, binding to cores, no synchronisation inside the step.",
            SUMMARY, "system.summary.overview", self._with(order_by="free_us"), cost,
        )  # fmt: skip

    def preparing(self) -> Iterator[Finding]:
        """Time before the first task of a step."""
        cost = self.mean["preparing_us"]
        if cost < _PREPARING * self.step_ms:
            return
        worst, value = self._worst("preparing_us")
        yield Finding(
            "preparing",
            f"{ms(cost)} of each step pass before the device gets its first task.",
            f"Mean over {count(self.ranks, 'rank')}; most on rank {worst}: {ms(value)} per step.",
            "Load and move the data of the next step while this one runs (more workers of the data loader, pinned memory, prefetch).",
            SUMMARY, "system.summary.overview", self._with(order_by="preparing_us"), cost,
        )  # fmt: skip

    def stages(self) -> Iterator[Finding]:
        """Pipeline stages of unequal work."""
        stages = self._rows["pp"].to_numpy()
        computing = self._of("computing_us")
        known = ~np.isnan(stages.astype(np.float64))
        places = np.unique(stages[known])
        if len(places) < 2:
            return
        means = np.array([computing[known & (stages == p)].mean() for p in places]) / 1000
        cost = float(means.max() - means.mean())
        if cost < _STAGES * float(means.mean()):
            return
        most, least = int(places[means.argmax()]), int(places[means.argmin()])
        yield Finding(
            "stages",
            f"The pipeline is out of balance: stage {most} computes {ms(float(means.max()))} per step, stage {least} {ms(float(means.min()))}.",
            f"Every step lasts as long as its slowest stage, {ms(cost)} above the mean of {count(len(places), 'stage')}.",
            "Move layers between the stages, remembering that the first and the last one also hold embedding and loss.",
            SUMMARY, "system.summary.folded_overview", self._with(dimension="ep-dp-pp"), cost,
        )  # fmt: skip

    def links(self) -> Iterator[Finding]:
        """Links slower than the others of their kind."""
        found = communication.link_health(self.store, cluster=self.cluster)
        slow = found.filter(found["is_slow"])
        if not slow.num_rows:
            return
        first = slow.slice(0, 1).to_pylist()[0]
        lost = slow["transit_ms"].to_numpy() * (1 - slow["peer_ratio"].to_numpy())
        by_rank = np.zeros(int(pc.max(slow["src"]).as_py()) + 1)
        np.add.at(by_rank, slow["src"].to_numpy(), lost)
        yield Finding(
            "slow_links",
            f"The link from rank {first['src']} to rank {first['dst']} ({first['transport']}) reaches {first['bandwidth_gbs']:.4g} GB/s, "
            f"{percent(first['peer_ratio'])} of what its peers reach.",
            f"{count(slow.num_rows, 'link')} of {found.num_rows:,} are slow; the median of {first['transport']} is {first['median_gbs']:.4g} GB/s.",
            "Check the network ports and optical modules between these devices, and whether other traffic shares the path.",
            COMMUNICATION, "system.communication.link_health", self._with(), float(by_rank.max()) / self.steps, MEDIUM,
        )  # fmt: skip

    def packets(self) -> Iterator[Finding]:
        """Operators that move little at once."""
        for row in communication.small_packets(self.store, cluster=self.cluster).to_pylist():
            if row["is_issue"]:
                cost = row["small_ms"] / max(self.ranks * self.steps, 1)
                yield Finding(
                    "small_packets",
                    f"{percent(row['share'])} of the operators over {row['category']} move less than {row['standard_mb']:.0f} MB at once.",
                    f"{row['small']:,} of {count(row['operators'], 'operator')}; they take {ms(cost)} per step and rank.",
                    "Enlarge batches or accumulate gradients, prefer ZeRO1 or ZeRO2 to ZeRO3, use fused optimizers and larger buckets.",
                    COMMUNICATION, "system.communication.small_packets", self._with(), cost,
                )  # fmt: skip

    def retransmissions(self) -> Iterator[Finding]:
        """Packets that were sent again."""
        found = communication.retransmissions(self.store, cluster=self.cluster)
        if not found.num_rows:
            return
        first = found.slice(0, 1).to_pylist()[0]
        yield Finding(
            "retransmission",
            f"{count(found.num_rows, 'operator')} took more than 4 s on every rank and on the network: packets were sent again.",
            f"{first['name']} of {_short(first['group'])}, step {first['step']}: {ms(first['min_elapse_ms'])}.",
            "Check the network: time-outs of RDMA, congestion, ports and cables.",
            COMMUNICATION, "system.communication.retransmissions", self._with(),
            float(found["min_elapse_ms"].to_numpy().sum()) / self.steps,
        )  # fmt: skip

    def contentions(self) -> Iterator[Finding]:
        """Communication that shares the memory with matrix multiplications."""
        found = communication.contentions(self.store, cluster=self.cluster)
        if not found.num_rows:
            return
        lost = found["duration_us"].to_numpy() / 1000 * (1 - found["bandwidth_gbs"].to_numpy() / CONTENTION_GBS)
        ranks = len(pc.unique(found["rank"]))
        cost = float(lost.sum()) / max(ranks * self.steps, 1)
        yield Finding(
            "contention",
            f"{count(found.num_rows, 'operator')} run below {CONTENTION_GBS} GB/s beside matrix multiplications: they share the memory.",
            f"At full bandwidth they would be {ms(cost)} shorter per step and rank ({count(ranks, 'rank')} looked at).",
            "Compare a run without this overlap; schedule large communication beside kernels that need less memory.",
            COMMUNICATION, "system.communication.contentions", self._with(), cost,
        )  # fmt: skip

    def alignments(self) -> Iterator[Finding]:
        """Copies whose size does not fit the hardware."""
        found = communication.alignments(self.store, cluster=self.cluster)
        if found.num_rows:
            first = found.slice(0, 1).to_pylist()[0]
            yield Finding(
                "alignment",
                f"{count(found.num_rows, 'operator')} copy sizes that are no multiple of 512 B.",
                f"{first['name']} on rank {first['rank']}: {first['size_bytes']:,} B.",
                "Adapt the size of the data: pad the last dimension, or choose a hidden size that divides well.",
                COMMUNICATION, "system.communication.alignments", self._with(),
            )  # fmt: skip

    def clocks(self) -> Iterator[Finding]:
        """Clocks that are apart: no cost, but starts cannot be compared."""
        rows = self.job.table("cluster_arrival", columns=("rank", "skew_us", "skew_error_us"))
        rows = (
            rows.filter(pc.is_valid(rows["skew_us"]))
            .group_by("rank")
            .aggregate([("skew_us", "mean"), ("skew_error_us", "mean")])
        )
        if not rows.num_rows:
            return
        skew, error = rows["skew_us_mean"].to_numpy(), rows["skew_error_us_mean"].to_numpy()
        apart = (np.abs(skew) > _SKEW_US) & (np.abs(skew) > _SKEW_ERRORS * error)
        if not apart.any():
            return
        worst = int(np.argmax(np.where(apart, np.abs(skew), 0.0)))
        side = "ahead of" if skew[worst] > 0 else "behind"
        yield Finding(
            "clocks",
            f"The clock of rank {rows['rank'][worst].as_py()} is {ms(abs(float(skew[worst])) / 1000)} {side} the others.",
            f"{count(int(apart.sum()), 'rank')} of {rows.num_rows:,} are apart by more than {_SKEW_US:.0f} µs; told by the ends of collective operators.",
            "It costs nothing, but do not compare start times of these ranks; align the cards in the Timeline.",
            SUMMARY, "system.summary.step_heat", self._with(metric="skew_us"), None, LOW,
        )  # fmt: skip

    def issues(self) -> Iterator[Finding]:
        """Data that are missing or do not fit."""
        found = [i for i in self.job.issues if i.severity != "info"]
        if found:
            more = f" {count(len(found) - 1, 'further note')}." if len(found) > 1 else ""
            yield Finding(
                "incomplete", "The figures are incomplete.", f"{found[0].message}{more}", found[0].fix, SUMMARY,
                "system.summary.issues", self._with(),
            )  # fmt: skip

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _of(self, name: str) -> _F64s:
        return np.asarray(pc.fill_null(self._rows[name], 0.0).to_numpy(), np.float64)

    def _worst(self, name: str) -> tuple[int, float]:
        """The rank with the largest mean of a figure, and the mean in ms."""
        means = self._rows.group_by("rank").aggregate([(name, "mean")])
        values = pc.fill_null(means[f"{name}_mean"], 0.0).to_numpy()
        at = int(np.argmax(values))
        return int(means["rank"][at].as_py()), float(values[at]) / 1000

    def _with(self, **arguments: Any) -> dict[str, Any]:
        return {**arguments, **({"cluster": self.cluster} if self.cluster is not None else {})}


def _short(label: str) -> str:
    """A group's label without a long list of ranks."""
    return label if len(label) <= 40 else f"{label[:36]}…)"
