"""The two pies: time by item of a group, and by accelerator core."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from insight_desktop.engine.system import operator_groups as groups_of
from insight_desktop.engine.system.operator_groups import Group
from insight_desktop.engine.system.operator_rows import Ints, Kernels, Key

SLICES = 50  # of the left pie; from more items on the last slice is OTHERS
OTHERS = "Others"
_ROWS: tuple[Group, ...] = ("name", "communication")  # groups whose items are single kernels
_SCHEMA = pa.schema(
    [
        ("pie", pa.string()), ("label", pa.string()), ("value_us", pa.float64()), ("share_ratio", pa.float64()),
        ("items", pa.int64()), ("name", pa.string()), ("type", pa.string()), ("shape", pa.string()),
        ("core", pa.string()), ("row", pa.int64()),
    ]
)  # fmt: skip


def pies(kernels: Kernels, group: Group, top: int) -> pa.Table:
    """Rows of both pies, largest first; the core pie adds up the values that the item pie shows."""
    if group in _ROWS:
        order = groups_of.longest_first(kernels, communication=groups_of.is_communication(group))
        at = groups_of.top_limited(order, top)
        values = groups_of.hundredths(kernels.ticks[at], kernels.ticks_per_us)
        keys: tuple[Key, ...] = ("name", "type", "core")
        rows: list[int] | None = kernels.row[at[:SLICES]].tolist()
    else:
        found = groups_of.grouped(kernels, group)
        chosen = groups_of.top_limited(np.arange(len(found)), top)
        at, values = found.first[chosen], groups_of.hundredths(found.total[chosen], found.ticks_per_us)
        keys, rows = found.keys, None
    items = _items(kernels, group, at, values, keys, rows)
    if not groups_of.is_communication(group):
        items += _cores(kernels, at, values)
    return pa.Table.from_pylist(items, _SCHEMA)


def _items(
    kernels: Kernels, group: Group, at: Ints, values: Ints, keys: tuple[Key, ...], rows: list[int] | None
) -> list[dict[str, object]]:
    own = len(values) if len(values) <= SLICES else SLICES - 1
    total = int(values.sum())
    texts = {key: column.at(at[:own]).to_pylist() for key, column in kernels.text.items()}
    out: list[dict[str, object]] = []
    for i in range(own):
        label = texts[groups_of.KEYS[group][0]][i]
        if group in ("name_shape", "type_shape"):
            label += f"[{texts['shape'][i]}]"
        item = {str(key): texts[key][i] for key in texts if key in keys}
        out.append({**_slice("items", label, int(values[i]), total, 1), **item, "row": rows[i] if rows else None})
    if own < len(values):
        out.append(_slice("items", OTHERS, int(values[own:].sum()), total, len(values) - own))
    return out


def _cores(kernels: Kernels, at: Ints, values: Ints) -> list[dict[str, object]]:
    cores = kernels.text["core"]
    codes = cores.codes[at]
    found: dict[int, tuple[int, int]] = {}
    for code in dict.fromkeys(codes.tolist()):
        mine = codes == code
        found[code] = int(values[mine].sum()), int(mine.sum())
    total = int(values.sum())
    ranked = sorted(found.items(), key=lambda item: -item[1][0])
    return [
        {**_slice("cores", cores.words[code], value, total, count), "core": cores.words[code]}
        for code, (value, count) in ranked
    ]


def _slice(pie: str, label: str, value: int, total: int, items: int) -> dict[str, object]:
    return {
        "pie": pie, "label": label, "value_us": value / 100, "share_ratio": value / total if total else 0.0, "items": items,
    }  # fmt: skip
