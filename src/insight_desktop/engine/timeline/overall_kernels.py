"""Computing time by kind of kernel: the ten rules that put every kernel with hardware counters below a path.

A kernel's *cube API* is the framework operator that flash attention, matrix multiplication or convolution is called by and
that contains the start of the link to the kernel; the outermost one counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.system import operator_slices
from insight_desktop.engine.system.operator_rows import NO_TIME, Kernels, kernels
from insight_desktop.engine.timeline import links
from insight_desktop.engine.timeline.kept import kept
from insight_desktop.engine.timeline.slice_sets import I64

SEPARATOR = " > "
_FLASH = ("flash_attention", "fusion_attention", "flashattn", "xformers_flash", "efficient_attention", "flash2attn")
_MATMUL = ("aten::addmm", "aten::bmm", "aten::mm", "aten::matmul")
_CONV = "aten::conv"
_BACKWARD = ("bwd", "backward", "back", "grad")
_TRANS = ("cast", "transdata", "transpose")
_QUEUE = ("Enqueue", "Dequeue")
_FRAMEWORK = "cpu_op"

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Classified:
    """Computing kernels of a card in the order of their table; arrays are of equal length.

    Attributes:
        start, end: in ns; `start` is NO_TIME where the source has none.
        leaf: position in `paths` of each kernel, -1 for kernels without hardware counters.
        paths: `Conv > Forward > Cube` and so on.
        slice_id: slice of the Timeline, -1 without one.
        name: number of the name in `names`.
    """

    start: I64
    end: I64
    leaf: I64
    paths: tuple[str, ...]
    slice_id: I64
    name: I64
    names: tuple[str, ...]

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in (self.start, self.end, self.leaf, self.slice_id, self.name))


def classified(store: Store, card: str) -> Classified | None:
    """The computing kernels of a card by the ten rules; None without hardware counters. Made once."""
    capture, loaded = store.capture(card), kernels(store, card)
    if "classified" not in loaded.made:
        cube = _cube_times(loaded)
        loaded.made["classified"] = None if cube is None else _classify(capture, loaded, *cube)
    found: Classified | None = loaded.made["classified"]
    return found


def path_of(op_type: str, name: str, api: str, *, on_backward: bool, cube: bool) -> str:
    """Path of a kernel by the first rule that fits.

    Args:
        op_type, name: of the kernel.
        api: name of its cube API, empty without one.
        on_backward: the API runs on a backward thread.
        cube: the kernel's cube time is above 0.
    """
    op_type, name, api = op_type.lower(), name.lower(), api.lower()
    unit = "Cube" if cube else "Vector"
    if "pagedattention" in op_type:
        return "Paged Attention"
    if name.startswith("aclnninplacecopy") and "tensormove" in name:
        return _join("SDMA", "Tensor Move")
    if _any(api, _FLASH):
        return _join("Flash Attention", _way(_any(api, _BACKWARD)), unit)
    if _any(api, _MATMUL):
        return _join("Matmul", unit)
    if api.startswith(_CONV):
        return _join("Conv", _way(on_backward or _any(api, _BACKWARD)), unit)
    if "flashattention" in op_type:
        return _join("Flash Attention", _way(_any(op_type, ("bwd", "grad"))), "Cube")
    if op_type.startswith("conv"):
        return _join("Conv", _way(_any(op_type, _BACKWARD)), "Cube")
    if "matmul" in op_type:
        return _join("Matmul", "Cube")
    if cube:
        return "Other Cube"
    return _join("Other Vector", "Trans" if _any(op_type, _TRANS) else "No Trans")


def is_cube_api(name: str) -> bool:
    """True for the name of an operator that rules 3, 4 or 5 look for."""
    lower = name.lower()
    return _any(lower, _FLASH) or _any(lower, _MATMUL) or lower.startswith(_CONV)


def _any(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _way(backward: bool) -> str:
    return "Backward" if backward else "Forward"


def _join(*parts: str) -> str:
    return SEPARATOR.join(parts)


def _cube_times(loaded: Kernels) -> tuple[npt.NDArray[np.float64], Bools] | None:
    """Cube time of each kernel and whether it has counters at all; None when no kernel has."""
    columns = set(loaded.pmu)
    if {"aiv_vec_time(us)", "mac_time(us)"} & columns:
        proof = "aiv_vec_time(us)" if "aiv_vec_time(us)" in columns else "mac_time(us)"
        parts = ["aicore_time(us)", *(["mac_time(us)"] if proof == "mac_time(us)" else [])]
        proofs = [proof]
    elif {"aiv_vec_time", "mac_time"} & columns:
        parts = ["aic_mac_time" if "aic_mac_time" in columns else "mac_time", "aic_total_time"]
        proofs = ["aic_total_time", "aic_mac_time", "mac_time"]
    else:
        return None
    time = np.zeros(len(loaded))
    for column in parts:
        time += np.nan_to_num(_numbers(loaded, column))
    has = np.zeros(len(loaded), np.bool_)
    for column in proofs:
        has |= ~np.isnan(_numbers(loaded, column))
    return time, has


def _numbers(loaded: Kernels, column: str) -> npt.NDArray[np.float64]:
    """A column of counters; NaN where the source has no number."""
    if column not in loaded.pmu:
        return np.full(len(loaded), np.nan)
    return np.asarray(pc.fill_null(loaded.column(column).cast(pa.float64()), float("nan")), np.float64)


def _classify(capture: Capture, loaded: Kernels, cube: npt.NDArray[np.float64], has: Bools) -> Classified:
    mine = np.flatnonzero(~loaded.is_communication)
    slice_id = _slices(capture, loaded, mine)
    api, backward = _apis(capture, slice_id)
    types, names = loaded.text["type"], loaded.text["name"]
    is_cube = cube[mine] > 0
    facts: list[npt.NDArray[Any]] = [types.codes[mine], names.codes[mine], api, backward, is_cube]
    key = np.zeros(len(mine), np.int64)
    for fact in facts:
        distinct, number = np.unique(np.asarray(fact, np.int64), return_inverse=True)
        key = np.unique(key * max(len(distinct), 1) + number, return_inverse=True)[1]
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    paths: dict[str, int] = {}
    kinds = np.empty(max(len(first), 1), np.int64)
    for i, at in enumerate(first.tolist()):
        path = path_of(
            types.words[facts[0][at]], names.words[facts[1][at]], capture.text(int(api[at])),
            on_backward=bool(backward[at]), cube=bool(is_cube[at]),
        )  # fmt: skip
        kinds[i] = paths.setdefault(path, len(paths))
    leaf = np.where(has[mine], kinds[of], -1) if len(mine) else np.empty(0, np.int64)
    start, length = loaded.start_ns[mine], loaded.duration_ns[mine]
    end = np.where(start == NO_TIME, NO_TIME, start + length)
    end[start == NO_TIME] += length[start == NO_TIME]
    return Classified(start, end, leaf, tuple(paths), slice_id, names.codes[mine].astype(np.int64), names.words)


def _slices(capture: Capture, loaded: Kernels, mine: I64) -> I64:
    """Slice of each kernel, -1 without one."""
    found = operator_slices.find(capture, loaded, mine)
    out = np.full(len(mine), -1, np.int64)
    rows = loaded.row[mine]
    order = np.argsort(rows)
    at = order[np.searchsorted(rows, np.asarray(found.column("row")), sorter=order)]
    out[at] = np.asarray(found.column("slice_id"))
    return out


def _apis(capture: Capture, slice_id: I64) -> tuple[I64, Bools]:
    """Name (string id, -1 for none) of the cube API of each kernel slice, and whether it runs on a backward thread."""
    api, backward = np.full(len(slice_id), -1, np.int64), np.zeros(len(slice_id), np.bool_)
    source = _sources(capture, slice_id)
    linked = np.flatnonzero(source >= 0)
    lanes = np.searchsorted(np.asarray(capture.lane_offset), source[linked], "right") - 1
    tracks = np.asarray(capture.lane_track)[lanes]
    going_back = _backward_tracks(capture)
    stamps = np.asarray(capture.slice_start)[source[linked]]
    for track in np.unique(tracks):
        ids = _cube_apis(capture, int(track))
        if not len(ids):
            continue
        here = linked[tracks == track]
        start = np.asarray(capture.slice_start)[ids]
        # The first interval whose end lies behind the stamp is the outermost one that can contain it.
        reach = np.maximum.accumulate(np.asarray(capture.slice_end)[ids])
        at = np.searchsorted(reach, stamps[tracks == track], "right")
        inside = at < len(ids)
        at[~inside] = 0
        inside &= start[at] <= stamps[tracks == track]
        api[here[inside]] = np.asarray(capture.slice_name)[ids[at[inside]]]
        backward[here[inside]] = int(track) in going_back
    return api, backward


def _sources(capture: Capture, slice_id: I64) -> I64:
    """Where the link of the framework to each kernel slice begins (the earliest one), -1 without one."""
    rows = links.rows_of(capture, "async_npu")
    out = np.full(len(slice_id), -1, np.int64)
    if not len(rows):
        return out
    begin, target = np.asarray(capture.link_from)[rows], np.asarray(capture.link_to)[rows]
    order = np.lexsort((np.asarray(capture.slice_start)[begin], target))
    targets, first = np.unique(target[order], return_index=True)
    at = np.minimum(np.searchsorted(targets, slice_id), len(targets) - 1)
    hit = targets[at] == slice_id
    out[hit] = begin[order][first][at[hit]]
    return out


def _backward_tracks(capture: Capture) -> set[int]:
    """Threads that a link from forward to backward reaches from another thread."""
    rows = links.rows_of(capture, "fwdbwd")
    lanes = [
        np.searchsorted(np.asarray(capture.lane_offset), np.asarray(column)[rows], "right") - 1
        for column in (capture.link_from, capture.link_to)
    ]
    tracks = [np.asarray(capture.lane_track)[lane] for lane in lanes]
    return {int(t) for t in np.unique(tracks[1][tracks[0] != tracks[1]])}


def _cube_apis(capture: Capture, track: int) -> I64:
    """Slices of the cube APIs of a thread, by start, the longest of equal ones first."""
    line: dict[str, Any] = capture.tracks.slice(track, 1).to_pylist()[0]
    if line["role"] != schema.ROLE_THREAD:
        return np.empty(0, np.int64)
    wanted, framework = _cube_names(capture)
    low = int(capture.lane_offset[int(capture.track_lane[track])])
    high = int(capture.lane_offset[int(capture.track_lane[track + 1])])
    kinds = np.asarray(capture.slice_category[low:high])
    keep = wanted[np.asarray(capture.slice_name[low:high])]
    if len(kinds):
        keep &= (kinds == framework) | (kinds < 0)
    ids = low + np.flatnonzero(keep)
    start, end = np.asarray(capture.slice_start)[ids], np.asarray(capture.slice_end)[ids]
    return ids[np.lexsort((-end, start))]


def _cube_names(capture: Capture) -> tuple[Bools, int]:
    """Per string id whether it is the name of a cube API, and the id of the framework's category (-2 for none)."""

    def make() -> tuple[Bools, int]:
        words = capture.strings.to_pylist()
        wanted = np.array([is_cube_api(w) and not w.startswith(_QUEUE) for w in words] or [False], np.bool_)
        return wanted, words.index(_FRAMEWORK) if _FRAMEWORK in words else -2

    return kept(capture, "cube_names", make, lambda made: made[0].nbytes)
