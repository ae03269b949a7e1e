"""Blocks of a MemScope pool as the block chart draws them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from insight_desktop.engine.memory.blocks import Blocks, address_hash
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.kept import kept

Array = npt.NDArray[Any]


def chart_blocks(store: Store, card: str, device: str, kind: str) -> tuple[Blocks, Array]:
    """Lives of the blocks of a pool in ns since the start of the file, and their block_id by row.

    A block that was never freed lives beyond the end; one that is freed in the same ns is drawn for one.
    """

    def read() -> tuple[Blocks, Array]:
        found = store.sql(
            """SELECT block_id, address, size_bytes, alloc_ns, free_ns, never_freed FROM memscope_block
               WHERE card = $card AND device = $device AND type = $kind ORDER BY block_id""",
            card=card, device=device, kind=kind,
        )  # fmt: skip
        points = store.sql(
            """SELECT t_ns, allocated_bytes, reserved_bytes FROM memscope_curve
               WHERE card = $card AND device = $device AND type = $kind ORDER BY t_ns, id""",
            card=card, device=device, kind=kind,
        )  # fmt: skip
        span = store.sql("SELECT span_ns FROM memscope_fact WHERE card = $card", card=card)["span_ns"][0].as_py()
        start, end = found["alloc_ns"].to_numpy(), found["free_ns"].to_numpy()
        never = found["never_freed"].to_numpy(zero_copy_only=False)
        told = points.filter(points["reserved_bytes"].is_valid())
        t, last = _last_of_each(points["t_ns"].to_numpy())
        rt, rlast = _last_of_each(told["t_ns"].to_numpy())
        blocks = Blocks(
            start=start, end=np.where(never, span + 1, np.maximum(end, start + 1)), size=found["size_bytes"].to_numpy(),
            hash=address_hash(found["address"].to_numpy()), curve_t=t, curve_v=points["allocated_bytes"].to_numpy()[last],
            first=0, last=int(span), reserved_t=rt, reserved_v=told["reserved_bytes"].to_numpy()[rlast],
        )  # fmt: skip
        return blocks, found["block_id"].to_numpy()

    return kept(
        store.capture(card),
        ("memscope chart", device, kind),
        read,
        lambda made: 60 * len(made[1]) + 32 * len(made[0].curve_t),
    )


def _last_of_each(times: Array) -> tuple[Array, Array]:
    """Distinct sorted times, and the position of the last point of each."""
    last = np.append(times[1:] != times[:-1], True) if len(times) else np.empty(0, bool)
    at = np.flatnonzero(last)
    return times[at], at
