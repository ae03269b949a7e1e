"""The matrix of ranks and steps, from the rows of `step_heat`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine.store import Store
from insight_desktop.engine.system import summary as queries

_Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class StepMatrix:
    """One figure of every rank (rows) in every step (columns), NaN where a rank has no such step. Times in µs.

    Attributes:
        medians: of each step.
        percent: difference to the median in percent of it; NaN where the median is 0.
        deviation: difference to the median.
    """

    metric: str
    ranks: list[int]
    steps: list[str]
    values: _Matrix
    medians: _Matrix
    percent: _Matrix
    deviation: _Matrix


def matrix(store: Store, *, cluster: str | None, metric: Any) -> StepMatrix:
    """Ask for a figure and lay it out."""
    return laid_out(queries.step_heat(store, metric=metric, cluster=cluster), metric)


def laid_out(found: pa.Table, metric: str) -> StepMatrix:
    """Rows of `step_heat` as a matrix: ranks upwards, steps in the order of the rows."""
    steps: list[str] = found["step"].unique().to_pylist()
    ranks: list[int] = sorted(found["rank"].unique().to_pylist())
    row = np.searchsorted(np.array(ranks), found["rank"].to_numpy())
    encoded = found["step"].combine_chunks().dictionary_encode()
    order = {step: i for i, step in enumerate(steps)}
    places = np.array([order[s] for s in encoded.dictionary.to_pylist()], dtype=np.intp)
    column = places[encoded.indices.to_numpy()] if len(places) else np.zeros(0, np.intp)
    values = np.full((len(ranks), len(steps)), np.nan)
    deviation = np.full((len(ranks), len(steps)), np.nan)
    medians = np.full(len(steps), np.nan)
    values[row, column] = found["value_us"].to_numpy()
    deviation[row, column] = found["deviation_us"].to_numpy()
    medians[column] = found["median_us"].to_numpy()
    percent = np.full_like(values, np.nan)
    np.divide(100.0 * deviation, medians, out=percent, where=(medians != 0) & ~np.isnan(deviation))
    return StepMatrix(metric, ranks, steps, values, medians, percent, deviation)
