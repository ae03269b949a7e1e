"""Load of the experts of a mixture-of-experts model: a grid of layers and experts, from a dump or from the kernels of the ranks."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.formats import expert_csv
from insight_desktop.ingest.formats.expert_csv import ExpertData
from insight_desktop.ingest.report import Report

Stage = Literal["decode", "prefill"]
Version = Literal["profiling", "unbalanced", "balanced"]
PROFILING = "profiling"
MOST = 500  # layers or experts that can be asked for
LOAD = pa.schema(
    [
        ("layer", pa.int32()), ("expert_index", pa.int32()), ("expert_id", pa.int32()), ("rank", pa.int32()),
        ("visits", pa.int64()),
    ]
)  # fmt: skip
_LAYERS = {
    f"{prefix}{name}::Execute": stage
    for name, stage in (("Prefill_layer", "prefill"), ("Decoder_layer", "decode"))
    for prefix in ("", "AscendCL@")
}
_END = ("LmHead::Execute", "AscendCL@LmHead::Execute")
_MATMULS = ("aclnnGroupedMatmulV4", "AscendCL@aclnnGroupedMatmulV4", "AscendCL@aclnnGroupedMatmulSwiglu")
_KERNELS = (
    "aclnnGroupedMatmulV4_GroupedMatmul_GroupedMatmul",
    "aclnnGroupedMatmulSwiglu_GroupedMatmulSwiglu_GroupedMatmulSwiglu",
)  # fmt: skip
_lock = threading.Lock()
_read: dict[tuple[Any, ...], ExpertData] = {}


@dataclass
class Model:
    """What the data tell of a model.

    Attributes:
        data: visits and places by MoE layer.
        layers: all layers, with those that have no experts.
        dense: layers without experts.
        is_fixed: True when layers and dense come from the data.
    """

    data: ExpertData
    layers: int = 0
    dense: list[int] = field(default_factory=list)
    is_fixed: bool = False

    @property
    def columns(self) -> int:
        """Experts of all ranks."""
        return self.data.experts_per_rank * self.data.ranks


def model(
    opened: Store, cluster: str, path: str | None, stage: str, version: str, layers: int | None, dense: str, experts: int | None
) -> Model:  # fmt: skip
    """The model with what was given checked against its data.

    Raises BadArgument for figures that do not fit, NoData without data.
    """
    skipped = _listed(dense)
    if version == PROFILING:
        found = _profiled(opened, cluster, stage)
        if layers is None and not dense:
            return found
    else:
        if path is None:
            raise NoData("No expert data were imported.", fix="Import a folder with the dump of the expert hotspots.")
        found = Model(_dumped(Path(path).expanduser(), stage))
    moe = found.data.moe_layers
    made = layers if layers is not None else max(found.layers, moe + len(skipped))
    for name, value in (("Model Layer Num", layers), ("Expert Num", experts)):
        if value is not None and not 1 <= value <= MOST:
            raise BadArgument(f"{name} is {value}.", fix=f"Use 1 to {MOST}.")
    if experts is not None and found.columns and experts != found.columns:
        raise BadArgument(
            f"Expert Num is {found.columns} in the data and cannot be {experts}.", fix=f"Use {found.columns}."
        )
    if len(skipped) >= made or any(layer >= made for layer in skipped):
        raise BadArgument("The list of dense layers does not fit the number of layers.", fix="Shorten the list.")
    if made < moe + len(skipped):
        raise BadArgument(
            f"The model has {moe} MoE layers and {len(skipped)} dense ones; {made} layers are too few.",
            fix=f"Use {moe + len(skipped)} layers or more.",
        )
    return Model(found.data, made, skipped)


def grid(of: Model, experts: int | None) -> pa.Table:
    """Every cell of the grid, by layer, then expert; the k-th layer with experts shows MoE layer k."""
    per_rank = of.data.experts_per_rank
    columns = of.columns or experts or 0
    shape = (of.layers, columns)
    visits, numbers = np.zeros(shape, np.int64), np.full(shape, -1, np.int32)
    sparse = [layer for layer in range(of.layers) if layer not in set(of.dense)]
    for rank, rows in of.data.visits.items():
        for k, row in enumerate(rows):
            if k < len(sparse):
                first = rank * per_rank
                width = min(len(row), columns - first)
                visits[sparse[k], first : first + width] = row[:width]
                numbers[sparse[k], first : first + width] = np.arange(first, first + width)
    for (k, device), placed in of.data.experts.items():
        if k < len(sparse):
            first = device * per_rank
            width = min(len(placed), columns - first)
            numbers[sparse[k], first : first + width] = placed[:width]
    layer, index = np.divmod(np.arange(visits.size), max(columns, 1))
    return pa.table([layer.astype(np.int32), index.astype(np.int32), numbers.ravel(), (index // max(per_rank, 1)).astype(np.int32), visits.ravel()], schema=LOAD)  # fmt: skip


def _listed(text: str) -> list[int]:
    """Layers of `0,2` or `0-2,5`. Raises BadArgument for anything else."""
    found: set[int] = set()
    for part in filter(None, (p.strip() for p in text.strip("[]() ").split(","))):
        first, dash, last = part.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()):
            raise BadArgument(f"{text!r} is no list of layers.", fix="Write it as 0,1,2 or 0-2.")
        found.update(range(int(first), min(int(last or first), MOST) + 1))
    return sorted(found)


def _dumped(folder: Path, stage: str) -> ExpertData:
    paths = expert_csv.files(folder, stage)
    key = (str(folder), stage, *((str(p), p.stat().st_size, p.stat().st_mtime_ns) for p in paths))
    with _lock:
        if key in _read:
            return _read[key]
    data = expert_csv.read(paths, stage, Report())
    with _lock:
        if len(_read) > 8:
            _read.clear()
        _read[key] = data
    return data


def _profiled(store: Store, cluster: str, stage: str) -> Model:
    """Time in the kernels of the experts, by rank and MoE layer; one column per rank."""
    found = Model(ExpertData(experts_per_rank=1), is_fixed=True)
    for card in store.cards_of("system"):
        if card.cluster != cluster or card.guest or card.rank is None or not card.rank.isdigit():
            continue
        walked = walk(*_calls(store.capture(card.name)), stage)
        if walked is None:
            continue
        found.data.visits[int(card.rank)] = [[visits] for visits in walked.visits]
        if walked.layers > found.layers:
            found.layers, found.dense = walked.layers, walked.dense
    if not found.data.visits:
        raise NoData(
            f"No open rank ran layers of the stage {stage} with experts.",
            fix="Read the cards of an inference run, or import a dump of the expert hotspots.",
        )
    found.data.ranks = max(found.data.visits) + 1
    found.data.moe_layers = max(map(len, found.data.visits.values()))
    return found


@dataclass
class Walked:
    """One rank: time in ns per MoE layer, number of layers of a pass, and which have no experts."""

    visits: list[int] = field(default_factory=list)
    layers: int = 0
    dense: list[int] = field(default_factory=list)


def walk(calls: Iterable[str], kernels: Sequence[int], stage: str) -> Walked | None:
    """Follow the calls of a rank in time order; each call of an expert's matrix multiplication takes the next kernel.

    Args:
        calls: names of calls: layers, matrix multiplications, ends of a pass.
        kernels: durations of the kernels in ns, in time order.
        stage: whose layers count.

    Returns:
        None when no layer of the stage has experts.
    """
    found = Walked()
    waiting = iter(kernels)
    layer, mine, used = -1, False, False
    dense: list[int] = []
    moe = -1

    def leave() -> None:
        if layer >= 0 and mine and not used:
            dense.append(layer)

    for name in calls:
        if name in _LAYERS:
            leave()
            layer, mine, used = layer + 1, _LAYERS[name] == stage, False
        elif name in _END:
            leave()
            if mine and layer + 1 >= found.layers:
                found.layers, found.dense = layer + 1, list(dense)
            layer, moe, mine, used = -1, -1, False, False
            dense.clear()
        else:
            duration = next(waiting, 0)
            if layer >= 0 and mine:
                if not used:
                    moe, used = moe + 1, True
                    found.visits += [0] * (moe + 1 - len(found.visits))
                found.visits[moe] += duration
    leave()
    if layer >= 0 and mine and layer + 1 > found.layers:  # the last pass was cut off
        found.layers, found.dense = layer + 1, list(dense)
    return found if found.visits else None


def _calls(capture: Capture) -> tuple[list[str], list[int]]:
    """Names of the calls and durations of the kernels, both in time order."""
    names = np.asarray(capture.slice_name)
    start = np.asarray(capture.slice_start)

    def ordered(wanted: Sequence[str]) -> npt.NDArray[np.int64]:
        mask = np.asarray(
            pc.is_in(capture.strings, pa.array(wanted, capture.strings.type)).to_numpy(zero_copy_only=False)
        )
        ids = np.flatnonzero(mask[names]) if mask.any() else np.zeros(0, np.int64)
        return ids[np.argsort(start[ids], kind="stable")]

    calls, kernels = ordered([*_LAYERS, *_END, *_MATMULS]), ordered(_KERNELS)
    texts = capture.strings.take(pa.array(names[calls])).to_pylist() if len(calls) else []
    return texts, (np.asarray(capture.slice_end)[kernels] - start[kernels]).tolist()
