"""What costs one card time: rules over its timeline, its kernels and the findings of the other pages."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import tables
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import operator
from insight_desktop.engine.system.diagnosis_rows import LOW, Finding, Rule, count, ms, percent, table
from insight_desktop.engine.timeline import advice, layers, steps, why_free
from insight_desktop.errors import NoData

LEAST_SHARE = 0.002  # of a step
TIMELINE, OPERATOR = "system.timeline", "system.operator"
_UNCOVERED, _FREE, _TYPE = 0.05, 0.05, 0.2
_SLICES = 4_000_000  # above that the causes of idle time are left to the Timeline
_WHY = {
    "host busy": "the host was still preparing the next task", "queue empty": "the host had nothing to submit",
    "dispatch": "a submitted task had not begun", "synchronisation": "something waited for the device",
    "memcpy": "a copy was waited for", "gc": "Python collected garbage", "waiting for rank": "another rank was waited for",
    "communication": "ranks communicated", "unknown": "nothing tells why",
}  # fmt: skip
_TRY = {
    "host busy": "Submit less and larger work (fused operators, graph mode), bind the process to cores, move host work out of the step.",
    "queue empty": "Look what the host does in the gaps: data loading, logging, evaluation; prefetch and overlap it.",
    "dispatch": "Enable the task queue, avoid compilation while running (jit_compile=False), use fewer small operators.",
    "synchronisation": "Avoid item(), nonzero and printing of tensors inside the step; they wait for the device.",
    "memcpy": "Use pinned memory and non-blocking copies, and copy the next batch while this one is computed.",
    "gc": "Call gc.freeze() after the set-up, or collect garbage between steps only.",
    "waiting for rank": "Look at that rank: it comes later to the collective operators.",
    "communication": "Overlap communication with computing.", "unknown": "Look at the gaps in the Timeline.",
}  # fmt: skip


class CardRules:
    """All rules over one card."""

    def __init__(self, store: Store, card: str) -> None:
        self.store, self.card = store, card
        self.capture = store.capture(card)
        found = steps.steps(store, card=card)
        self.steps = max(found.num_rows, 1)
        spans = layers.overlap_slices(store, card)
        sums = {kind: float((end - start).sum()) / 1e6 / self.steps for kind, (_, start, end) in spans.items()}
        self.computing, self.free = sums[layers.COMPUTING], sums[layers.FREE]
        self.uncovered = sums[layers.UNCOVERED]
        self.step_ms = self.computing + self.free + self.uncovered
        self._spans = spans
        if self.step_ms <= 0:
            raise NoData(
                f"Card {card} has no overlap analysis that tells computing from idle time.",
                fix="It comes with traces and databases of a framework's profiler that hold device tasks.",
            )

    def findings(self) -> pa.Table:
        """What the rules find, the costliest first."""
        rules: list[Rule] = [
            self.idle, self.communication, self.kernels, self.outliers, self.aicpu, self.compilations, self.fusions,
            self.frequency,
        ]  # fmt: skip
        return table(rules, self.step_ms, LEAST_SHARE)

    def idle(self) -> Iterator[Finding]:
        """Time in which the device does nothing, by its cause."""
        if self.free < _FREE * self.step_ms:
            return
        _, start, end = self._spans[layers.FREE]
        longest = int(np.argmax(end - start))
        where = {"card": self.card, "start_ns": int(start[longest]), "end_ns": int(end[longest])}
        causes = self._causes()
        text = f"The device is idle for {ms(self.free)} per step, {percent(self.free / self.step_ms)} of it."
        evidence = f"{count(len(start), 'gap')}; the longest lasts {ms(float(end[longest] - start[longest]) / 1e6)}."
        advice_text = _TRY["unknown"]
        if causes:
            told = "; then ".join(f"{_WHY.get(cause, cause)}: {ms(cost)}" for cause, cost in causes[:3])
            evidence += f" Mostly {told}."
            advice_text = _TRY.get(causes[0][0], advice_text)
        yield Finding("idle", text, evidence, advice_text, TIMELINE, "system.timeline.why_free", where, self.free)

    def communication(self) -> Iterator[Finding]:
        """Communication beside which nothing is computed."""
        if self.uncovered < _UNCOVERED * self.step_ms:
            return
        _, start, end = self._spans[layers.UNCOVERED]
        longest = int(np.argmax(end - start))
        where = {"card": self.card, "start_ns": int(start[longest]), "end_ns": int(end[longest])}
        yield Finding(
            "uncovered_communication",
            f"Communication that nothing is computed beside takes {ms(self.uncovered)} per step, {percent(self.uncovered / self.step_ms)} of it.",
            f"The longest piece lasts {ms(float(end[longest] - start[longest]) / 1e6)}.",
            "Let communication run beside computing, use larger buckets; with several ranks look first whether this one only waits.",
            TIMELINE, "system.timeline.overall_metrics", where, self.uncovered,
        )  # fmt: skip

    def kernels(self) -> Iterator[Finding]:
        """The type of operator that takes most of the computing time."""
        tables.ensure(self.store, "kernel", [self.card])
        found = self.store.sql(
            "SELECT type, sum(duration_ns)::BIGINT AS total, count(*) AS calls FROM kernel WHERE card = $card "
            "AND NOT is_communication AND type IS NOT NULL GROUP BY type ORDER BY total DESC, type",
            card=self.card,
        )
        whole = pc.sum(found["total"]).as_py() or 0
        if not whole or not found.num_rows:
            return
        first = found.slice(0, 1).to_pylist()[0]
        share, cost = first["total"] / whole, first["total"] / 1e6 / self.steps
        if share < _TYPE or first["type"] in ("", "N/A"):
            return
        yield Finding(
            "largest_type",
            f"{first['type']} takes {percent(share)} of the computing time: {ms(cost)} per step.",
            f"{count(first['calls'], 'kernel')} in {count(self.steps, 'step')}, of {found.num_rows:,} types.",
            "Check its shapes and formats: sizes that divide by 16 or 32, no transposes before it, fused variants.",
            OPERATOR, "system.operator.pareto", {"card": self.card}, cost,
        )  # fmt: skip

    def outliers(self) -> Iterator[Finding]:
        """Kernels that took far longer than their like."""
        found = operator.outliers(self.store, card=self.card)
        if not found.num_rows:
            return
        cost = float(np.nan_to_num(found["cost_us"].to_numpy()).sum()) / 1000 / self.steps
        first = found.slice(0, 1).to_pylist()[0]
        yield Finding(
            "outliers",
            f"{count(found.num_rows, 'kernel')} took far longer than others of the same type and shape: {ms(cost)} per step in all.",
            f"{first['name']} took {first['duration_us']:,.1f} µs, {first['factor']:.1f} times the median of {first['median_us']:,.1f} µs.",
            "Look what ran beside them: communication that shares the memory, a lowered clock frequency, the first call.",
            OPERATOR, "system.operator.outliers", {"card": self.card}, cost,
        )  # fmt: skip

    def aicpu(self) -> Iterator[Finding]:
        """Operators on the slow cores."""
        found = advice.advice(self.store, card=self.card, kind="aicpu")
        if found.num_rows:
            cost = float(found["dur_ns"].to_numpy().sum()) / 1e6 / self.steps
            first = found.slice(0, 1).to_pylist()[0]
            yield Finding(
                "aicpu", f"{count(found.num_rows, 'operator')} run on AICPU: {ms(cost)} per step.",
                f"The longest is {first['name']} with {ms(first['dur_ns'] / 1e6)}.",
                "Use data types and operators that AI Core supports.", TIMELINE, "system.timeline.advice",
                self._slice("aicpu", first["slice_id"]), cost,
            )  # fmt: skip

    def compilations(self) -> Iterator[Finding]:
        """Operators that are compiled while they run."""
        found = advice.advice(self.store, card=self.card, kind="dispatch")
        if found.num_rows:
            cost = float(found["dur_ns"].to_numpy().sum()) / 1e6 / self.steps
            first = found.slice(0, 1).to_pylist()[0]
            yield Finding(
                "compilation", f"Operators are compiled while they run, {count(found.num_rows, 'time')}: {ms(cost)} of host time per step.",
                f"The longest took {ms(first['dur_ns'] / 1e6)}.", advice.NO_COMPILE, TIMELINE, "system.timeline.advice",
                self._slice("dispatch", first["slice_id"]), cost,
            )  # fmt: skip

    def fusions(self) -> Iterator[Finding]:
        """Sequences that a single operator could replace."""
        for kind, what in (("fusion", "kernels"), ("affinity_api", "calls"), ("affinity_optimizer", "optimizer steps")):
            found = advice.advice(self.store, card=self.card, kind=kind)  # type: ignore[arg-type]
            if not found.num_rows:
                continue
            cost = float(found["dur_ns"].to_numpy().sum()) / 1e6 / self.steps
            first = found.slice(0, 1).to_pylist()[0]
            better = str(first["replacement"] or "")
            yield Finding(
                kind, f"{count(found.num_rows, 'sequence')} of {what} could be a fused operator: {ms(cost)} per step now.",
                f"For example {first['origin'] or first['name']}.", f"Use {better}." if better else "Use the fused variant.",
                TIMELINE, "system.timeline.advice", self._slice(kind, first["slice_id"]), cost,
            )  # fmt: skip

    def frequency(self) -> Iterator[Finding]:
        """A clock that was lowered."""
        found = advice.advice(self.store, card=self.card, kind="ai_core_frequency")
        bad = found.filter(pc.fill_null(found["is_problem"], False)) if found.num_rows else found
        if bad.num_rows:
            drop = int(pc.max(bad["value"]).as_py() or 0)
            yield Finding(
                "frequency", f"The clock of the AI cores dropped by {drop} %.", f"{count(bad.num_rows, 'row')} of the frequency lane.",
                "Check power and cooling of the device.", TIMELINE, "system.timeline.advice",
                {"card": self.card, "kind": "ai_core_frequency"}, self.computing * drop / 100, LOW,
            )  # fmt: skip

    def _causes(self) -> list[tuple[str, float]]:
        """Causes of idle time with their ms per step, largest first."""
        if len(self.capture.slice_start) > _SLICES:
            return []
        edges = [part for spans in self._spans.values() for part in spans[1:] if len(part)]
        low, high = min(int(e.min()) for e in edges), max(int(e.max()) for e in edges)
        found = why_free.why_free(self.store, card=self.card, from_ns=low, to_ns=high)
        sums: dict[str, int] = {}
        for cause, share in zip(found["cause"].to_pylist(), found["share_ns"].to_pylist(), strict=True):
            if cause not in ("device busy", "communication", "waiting for rank"):
                sums[cause] = sums.get(cause, 0) + share
        return sorted(((c, v / 1e6 / self.steps) for c, v in sums.items()), key=lambda pair: -pair[1])

    def _slice(self, kind: str, slice_id: int | None) -> dict[str, object]:
        return {"card": self.card, "kind": kind, **({"slice_id": slice_id} if slice_id is not None else {})}
