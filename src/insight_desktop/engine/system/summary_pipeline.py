"""Lanes of a pipeline: forward and backward passes of every rank, and the operators that hand their results on."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.engine.timeline import steps as steps_of
from insight_desktop.errors import BadArgument, InsightError
from insight_desktop.ingest.formats.profiler_db_tables import open_database
from insight_desktop.ingest.open_files import open_sqlite
from insight_desktop.ingest.report import Report

FLOWS = "fwdbwd"  # category of the links from a forward operator to its backward one
FP_BP, P2P = "fp_bp", "p2p"
FORWARD, BACKWARD = "FP", "BP"
_P2P_NAMES = {"hcom_batchsendrecv": "BATCH_SEND_RECV", "hcom_send": "SEND", "hcom_receive": "RECV"}
_KINDS = {0: FORWARD, 1: BACKWARD}
SCHEMA = pa.schema(
    [
        ("rank", pa.int32()), ("card", pa.string()), ("lane", pa.string()), ("name", pa.string()), ("kind", pa.string()),
        ("start_ns", pa.int64()), ("duration_ns", pa.int64()), ("connection", pa.string()),
    ]
)  # fmt: skip
Row = dict[str, Any]
I64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class MicroBatch:
    """One micro batch: its forward and backward pass as (start, end) in ns."""

    forward: tuple[int, int]
    backward: tuple[int, int]


def of_card(opened: Store, card: StoreCard, step: str | None) -> list[Row]:
    """Rows of one card: recorded tasks of a database when it has them, else what the flows of the framework tell."""
    head = {"rank": int(card.rank or 0), "card": card.name}
    recorded = _recorded(card) if card.kind == "db" else []
    if recorded:
        return [{**head, **row} for row in recorded]
    capture = opened.capture(card.name)
    at = window(opened, card, step)
    found = [_row(FP_BP, *parts) for parts in _passes(micro_batches(_flows(capture, at)))]
    return [{**head, **row} for row in (*found, *_p2p(capture, at))]


def paired(rows: list[Row]) -> list[Row]:
    """Connections that have exactly two ends stay, all others go."""
    ends = Counter(row["connection"] for row in rows if row["connection"] is not None)
    return [{**row, "connection": row["connection"] if ends[row["connection"]] == 2 else None} for row in rows]


def micro_batches(flows: Sequence[tuple[int, int, int, int]]) -> list[MicroBatch]:
    """Micro batches of flows (start and end of the forward, start and end of the backward operator).

    Inside a micro batch forward operators start later and later while their backward operators start earlier and earlier: a micro batch ends
    where the next forward operator has a later backward one, or where in the order of the backward operators the forward one jumps ahead.
    """
    rows = sorted(flows)
    if not rows:
        return []
    last = len(rows) - 1
    ends = {i for i in range(last) if rows[i + 1][2] > rows[i][2]} | {last}
    by_backward = sorted(range(len(rows)), key=lambda i: rows[i][2])
    ends |= {here for before, here in itertools.pairwise(by_backward) if rows[here][0] > rows[before][0]}
    found, first = [], 0
    for end in sorted(ends):
        found.append(MicroBatch((rows[first][0], rows[end][1]), (rows[end][2], rows[first][3])))
        first = end + 1
    return found


def labels(batches: Sequence[MicroBatch]) -> list[int]:
    """Number of each micro batch, in the order of their forward passes; chunks of an interleaved schedule share numbers.

    Raises BadArgument when the backward passes do not fit an interleaved schedule.
    """
    backward = [b.backward[0] for b in batches]
    earliest = backward.index(min(backward)) if backward else 0
    if earliest == 0:
        return list(range(len(batches)))
    run = 0
    while run + 1 < len(backward) and backward[run + 1] > backward[run]:
        run += 1
    count = run + 1
    chunks, rest = divmod(earliest, count)
    if rest:
        raise BadArgument(
            f"The backward passes do not fit a schedule of {count} micro batches.",
            fix="Choose one step of the pipeline.",
        )
    chunks += 1
    return [i // (chunks * count) * count + i % (chunks * count) % count for i in range(len(batches))]


def _passes(batches: Sequence[MicroBatch]) -> list[tuple[str, str, int, int]]:
    found = []
    for number, batch in zip(labels(batches), batches, strict=True):
        found.append((f"{FORWARD}{number}", FORWARD, *batch.forward))
        found.append((f"{BACKWARD}{number}", BACKWARD, *batch.backward))
    return sorted(found, key=lambda row: row[2])


def _row(lane: str, name: str, kind: str, start: int, end: int, connection: str | None = None) -> Row:
    return {
        "lane": lane, "name": name, "kind": kind, "start_ns": start, "duration_ns": end - start, "connection": connection,
    }  # fmt: skip


def window(opened: Store, card: StoreCard, step: str | None) -> tuple[int, int] | None:
    """Start and end of a step where the card marks it."""
    if step is None:
        return None
    for row in steps_of.steps(opened, card=card.name).to_pylist():
        if row["source"] == "ProfilerStep" and str(row["step"]) == step:
            return int(row["from_ns"]), int(row["to_ns"])
    return None


def _flows(capture: Capture, window: tuple[int, int] | None) -> list[tuple[int, int, int, int]]:
    category = pc.index(capture.strings, FLOWS).as_py()
    if category < 0:
        return []
    mine = np.flatnonzero(np.asarray(capture.link_category) == category)
    source, target = np.asarray(capture.link_from)[mine], np.asarray(capture.link_to)[mine]
    start, end = np.asarray(capture.slice_start), np.asarray(capture.slice_end)
    columns = (start[source], end[source], start[target], end[target])
    if window is not None:
        inside = (columns[0] >= window[0]) & (columns[0] < window[1])
        columns = tuple(c[inside] for c in columns)
    return list(zip(*(c.tolist() for c in columns), strict=True))


def _p2p(capture: Capture, window: tuple[int, int] | None) -> list[Row]:
    """Operators that send and receive, by their names."""
    lowered = pc.utf8_lower(capture.strings)
    known = pc.starts_with(lowered, next(iter(_P2P_NAMES)))
    for name in _P2P_NAMES:
        known = pc.or_(known, pc.starts_with(lowered, name))
    mask = np.asarray(known.to_numpy(zero_copy_only=False), np.bool_)
    if not mask.any():
        return []
    names = np.asarray(capture.slice_name)
    ids = np.flatnonzero(mask[names])
    start, end = np.asarray(capture.slice_start)[ids], np.asarray(capture.slice_end)[ids]
    if window is not None:
        inside = (start >= window[0]) & (start < window[1])
        ids, start, end = ids[inside], start[inside], end[inside]
    found = []
    for k in np.argsort(start, kind="stable"):
        text = capture.text(int(names[ids[k]]))
        kind = next(kind for name, kind in _P2P_NAMES.items() if text.lower().startswith(name))
        found.append(_row(P2P, text, kind, int(start[k]), int(end[k])))
    return found


def _recorded(card: StoreCard) -> list[Row]:
    """Tasks that a recipe has written into the database, and its operators that send and receive."""
    source = card.source
    if source is None or source.format != "profiler_db" or not source.files:
        return []
    try:
        with open_sqlite(source.files[0], allow_truncated=True) as file, closing(open_database(file, Report())) as base:
            if not base.rows("STEPTASKINFO", "name"):
                return []
            found = [
                _row(FP_BP, str(name), _KINDS.get(kind, f"type {kind}"), int(start), int(end))
                for name, start, end, kind in base.rows("STEPTASKINFO", "name", "startNs", "endNs", "type")
                if start is not None and end is not None
            ]
            texts = dict(base.rows("STRING_IDS", "id", "value"))
            for name, start, end, connection in base.rows(
                "COMMUNICATION_OP", "opName", "startNs", "endNs", "opConnectionId"
            ):
                text = str(texts.get(name, name) or "")
                kind = "SEND" if "send" in text.lower() else "RECV" if "receive" in text.lower() else ""
                if kind and start is not None and end is not None:
                    of = str(texts.get(connection, connection)) if connection is not None else None
                    found.append(_row(P2P, text, kind, int(start), int(end), of))
    except InsightError:
        return []  # the import of the card tells what is wrong with its database
    return sorted(found, key=lambda row: int(row["start_ns"]))
