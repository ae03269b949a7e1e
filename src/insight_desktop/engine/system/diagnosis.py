"""The named query `system.diagnosis.findings`: what costs a job, or one card, the most, and what to try."""

from __future__ import annotations

import pyarrow as pa

from insight_desktop.engine import cluster as cluster_of
from insight_desktop.engine.store import Store
from insight_desktop.engine.system.diagnosis_card import CardRules
from insight_desktop.engine.system.diagnosis_job import JobRules


def findings(store: Store, *, card: str | None = None, cluster: str | None = None) -> pa.Table:
    """Sentences about what costs time, the costliest first; those without a cost last.

    Columns: severity (high from 10 % of a step on, medium from 3 %, low), text, cost_ms_per_step (null where no time can be told), share
    (of a step, 0 to 1), evidence, advice, tab and query with arguments (JSON) where its figures are, code (of the rule).
    Costs overlap: waiting for a slow rank is also communication that is not overlapped. Without card the whole job is judged when several ranks
    are there, else the only card. Raises NoData when there is nothing to judge by.
    """
    if card is not None:
        return CardRules(store, store.card(card).name).findings()
    if _several_ranks(store, cluster):
        return JobRules(store, cluster).findings()
    return CardRules(store, store.card(None).name).findings()


def _several_ranks(store: Store, cluster: str | None = None) -> bool:
    """True when a job has several ranks or a finished analysis."""
    name = cluster_of.names(store)[0] if cluster is None else cluster
    ranks = {m.rank for m in store.members if m.cluster == name and m.rank is not None}
    ranks |= {c.rank for c in store.cards_of("system") if c.cluster == name and c.rank is not None and not c.guest}
    return len(ranks) > 1 or bool(store.extras and cluster_of.outputs(store, name))
