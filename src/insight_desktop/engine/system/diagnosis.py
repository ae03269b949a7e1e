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
    if cluster_of.has_several_ranks(store, cluster):
        return JobRules(store, cluster).findings()
    return CardRules(store, store.card(None).name).findings()
