"""What the block chart shows of a MemScope pool besides places: colours by a property, and which blocks carry a tag."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.memory import memscope_tags
from insight_desktop.engine.memory.blocks import address_hash
from insight_desktop.engine.memory.memscope_tags import Threshold
from insight_desktop.engine.store import Store

Array = npt.NDArray[Any]
By = Literal["address", "owner1", "owner2", "owner3", "thread", "size", "life", "tag"]

NONE, OTHER, NEVER, SEVERAL = "(none)", "(other)", "never freed", "several tags"
_MOST = 11  # named colours; what is left shares one
_SIZES = (
    (1 << 10, "< 1 KiB"),
    (1 << 16, "< 64 KiB"),
    (1 << 20, "< 1 MiB"),
    (1 << 24, "< 16 MiB"),
    (1 << 28, "< 256 MiB"),
)
_LIVES = ((10**4, "< 10 µs"), (10**6, "< 1 ms"), (10**7, "< 10 ms"), (10**8, "< 100 ms"), (10**9, "< 1 s"))
_ABSENT = np.iinfo(np.int64).min


@dataclass(frozen=True)
class Look:
    """Per block of the chart, in its order.

    Attributes:
        numbers: uint32, blocks of one number have one colour.
        legend: words and number of what has a name, largest first; empty for addresses.
        tagged: which blocks are inefficient by the thresholds.
    """

    numbers: Array
    tagged: Array
    legend: tuple[tuple[str, int], ...] = field(default=())


def look(
    store: Store, card: str, device: str, kind: str, *, by: By = "address", thresholds: dict[str, Any] | None = None
) -> Look:
    """Colours of the blocks of a pool, and which of them are tagged.

    Args:
        by: what has one colour: an address, a level of the owner path, a thread, a class of sizes or lives, a tag.
        thresholds: early_ns, early_percent, late_ns, … as of `memory.memscope.blocks`.
    """
    found = store.sql(
        """SELECT address, size_bytes, alloc_ns, free_ns, never_freed, owner, tid, first_access_ns, last_access_ns,
                  max_gap_ns, alloc_event
           FROM memscope_block WHERE card = $card AND device = $device AND type = $kind ORDER BY block_id""",
        card=card, device=device, kind=kind,
    )  # fmt: skip
    tags = _tags(found, thresholds or {})
    tagged = np.logical_or.reduce(list(tags.values())) if tags else np.zeros(found.num_rows, np.bool_)
    if by == "address":
        return Look(address_hash(found["address"].to_numpy()), tagged)
    if by == "size":
        return Look(*_classes(found["size_bytes"].to_numpy(), _SIZES, "≥ 256 MiB", tagged))
    if by == "life":
        life = found["free_ns"].to_numpy() - found["alloc_ns"].to_numpy()
        never = found["never_freed"].to_numpy(zero_copy_only=False)
        return Look(*_classes(life, _LIVES, "≥ 1 s", tagged, never))
    if by == "tag":
        words = np.full(found.num_rows, NONE, object)
        for tag, mask in tags.items():
            words[mask] = np.where(words[mask] == NONE, tag, SEVERAL)
        texts = pa.array(words, pa.string())
    elif by == "thread":
        texts = pc.cast(found["tid"], pa.string()).combine_chunks()
    else:
        texts = _level(found["owner"].combine_chunks(), int(by.removeprefix("owner")))
    return Look(*_ranked(texts, found["size_bytes"].to_numpy(), tagged))


def _tags(found: pa.Table, thresholds: dict[str, Any]) -> dict[str, Array]:
    start, end, first, last, gap = (
        pc.fill_null(found[name], _ABSENT).to_numpy()
        for name in ("alloc_ns", "free_ns", "first_access_ns", "last_access_ns", "max_gap_ns")
    )
    early, late, idle = (
        Threshold(int(thresholds.get(f"{name}_ns", 0)), int(thresholds.get(f"{name}_percent", 0)))
        for name in ("early", "late", "idle")
    )
    recorded = found["alloc_event"].to_numpy() >= 0
    return memscope_tags.tags(
        start, end, first, last, gap, none=_ABSENT, recorded=recorded, early=early, late=late, idle=idle
    )


def _classes(
    values: Array, limits: tuple[tuple[int, str], ...], beyond: str, tagged: Array, never: Array | None = None
) -> tuple[Array, Array, tuple[tuple[str, int], ...]]:
    """Numbers of the classes that values fall into, and the names of those that occur."""
    numbers = np.searchsorted(np.array([limit for limit, _ in limits]), values, "right").astype(np.uint32)
    names = [*(name for _, name in limits), beyond, NEVER]
    if never is not None:
        numbers[never] = len(limits) + 1
    there = np.unique(numbers).tolist()
    return numbers, tagged, tuple((names[number], number) for number in there)


def _level(owners: pa.Array, level: int) -> pa.Array:
    """Owner paths cut after so many levels."""
    coded = owners.dictionary_encode()
    cut = ["@".join(path.split("@")[:level]) or NONE for path in coded.dictionary.to_pylist()]
    return pa.array(cut, pa.string()).take(coded.indices)


def _ranked(texts: pa.Array, size: Array, tagged: Array) -> tuple[Array, Array, tuple[tuple[str, int], ...]]:
    """Numbers of texts by the bytes of their blocks; all beyond the largest share one."""
    coded = texts.dictionary_encode()
    names, at = coded.dictionary.to_pylist(), np.asarray(coded.indices)
    order = np.argsort(-np.bincount(at, weights=size.astype(np.float64), minlength=len(names)), kind="stable")
    rank = np.empty(len(names), np.uint32)
    rank[order] = np.minimum(np.arange(len(names)), _MOST)
    legend = [(names[i], k) for k, i in enumerate(order[:_MOST].tolist())]
    if len(names) > _MOST:
        legend.append((OTHER, _MOST))
    return rank[at], tagged, tuple(legend)
