"""From an operator of a job to its slice in the Timeline, and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine import cluster as cluster_of
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.system import communication_groups as groups_of
from insight_desktop.engine.timeline.lane_kinds import named
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats.cluster_rank import TOTAL

_READ = "Read the card, or open profiling data that hold its timeline."


@dataclass(frozen=True)
class Place:
    """An operator of a job: `group` is a label of `groups`; `start_ns` is None where the data have no start."""

    cluster: str
    step: str
    group: str
    rank: int
    name: str
    start_ns: int | None


def operator_of(opened: Store, card: str, slice_id: int) -> Place:
    """The operator of a job that a slice of a card shows: same rank, same name, nearest start.

    Raises NoData when the card is no rank of a job or the job has no such operator.
    """
    found = opened.card(card)
    capture = opened.capture(card)
    if not 0 <= slice_id < len(capture.slice_start):
        raise BadArgument(f"Card {card} has no slice {slice_id}.", fix="Ids come from the queries of the Timeline.")
    name = capture.text(int(capture.slice_name[slice_id]))
    start = int(capture.slice_start[slice_id])
    if found.rank is None or not found.rank.isdigit():
        raise NoData(
            f"Card {card} has no rank number.", fix="Open the folders of the ranks as the profiler wrote them."
        )
    job = cluster_of.opened(opened, found.cluster)
    columns = ("step", "rank", "group_no", "name", "start_ns")
    rows = job.table("cluster_time", columns=columns, rank=int(found.rank), name=name)
    rows = rows.filter(pc.not_equal(rows["name"], TOTAL))
    if not rows.num_rows:
        raise NoData(
            f"The communication data of rank {found.rank} have no operator {name}.",
            fix="Only operators of communication groups are listed; look at the lanes named Group.",
        )
    starts = pc.fill_null(rows["start_ns"], 0).to_numpy()
    row = rows.slice(int(np.argmin(np.abs(starts - start))), 1).to_pylist()[0]
    group = next((g for g in groups_of.listed(job) if g.no == row["group_no"]), None)
    if group is None:
        raise NoData(
            f"Operator {name} belongs to no group of the job.", fix="Choose a group on the Communication page."
        )
    return Place(found.cluster, row["step"], group.label, row["rank"], name, row["start_ns"])


def card_of(opened: Store, rank: int, cluster: str | None = None) -> StoreCard | None:
    """The open card of a rank of a job; None without one."""
    job = cluster_of.names(opened)[0] if cluster is None else cluster
    return next((c for c in opened.cards if c.cluster == job and c.rank == str(rank)), None)


def slice_of(opened: Store, rank: int, name: str, start_ns: int | None, cluster: str | None = None) -> tuple[str, int]:
    """Card and id of the slice of an operator: the slice of its name that starts nearest to it (the first without a start).

    Raises NoData when the rank has no timeline, or no such slice in it.
    """
    card = card_of(opened, rank, cluster)
    if card is None:
        raise NoData(f"The Timeline of rank {rank} is not open.", fix=_READ)
    capture = opened.capture(card.name)
    ids = named(capture, name)
    if not len(ids):
        raise NoData(f"The Timeline of rank {rank} has no slice {name}.", fix=_READ)
    at = 0 if start_ns is None else int(np.argmin(np.abs(np.asarray(capture.slice_start)[ids] - start_ns)))
    return card.name, int(ids[at])


def place_table(place: Place) -> pa.Table:
    """A place as one row."""
    return pa.table(
        {
            "cluster": [place.cluster], "step": [place.step], "group": [place.group],
            "rank": pa.array([place.rank], pa.int32()), "name": [place.name],
            "start_ns": pa.array([place.start_ns], pa.int64()),
        }
    )  # fmt: skip
