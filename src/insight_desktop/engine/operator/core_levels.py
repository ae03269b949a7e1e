"""How far the parts of cores are from each other: levels 0 to 10, and the cards that a chip has."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

# What the name of a chip contains behind `910` → number of cards that are drawn.
_CARDS = {
    "B1": 24, "B2": 24, "B3": 20, "B4": 20, "_9362": 20, "_9372": 20, "_9381": 24, "_9382": 24, "_9391": 24,
    "_9392": 24, "_950z": 8, "_956d": 0, "_9579": 28, "_957b": 28, "_957d": 28, "_9581": 32, "_9589": 32, "_958a": 32,
    "_958b": 32, "_9599": 36,
}  # fmt: skip
MAX_CARDS = 1000


def levels(values: Sequence[float], *, narrow: bool = False) -> list[int]:
    """Level of each value among all: 5 is the average, 0 stands for values that do not differ.

    level = int(10 / (1 + e^−z)), z = distance from the mean in sample standard deviations.

    Args:
        values: of one type of part, of all cores.
        narrow: round to 32-bit floats first, as hit rates are stored.
    """
    with np.errstate(over="ignore"):
        given = [float(np.float32(v)) for v in values] if narrow else [float(v) for v in values]
    if len(given) < 2 or not all(abs(v) < 1e150 for v in given):
        return [0] * len(given)
    mean = math.fsum(given) / len(given)
    spread = math.sqrt(math.fsum((v - mean) ** 2 for v in given) / (len(given) - 1))
    if spread <= 1e-12 * max(1.0, abs(mean)):
        return [0] * len(given)
    return [_level((v - mean) / spread) for v in given]


def _level(z: float) -> int:
    return int(10 / (1 + math.exp(-z))) if z > -700 else 0


def card_count(soc: str) -> int:
    """Cards that are drawn for a chip at least; 0 when it is not known."""
    return next((count for key, count in _CARDS.items() if f"910{key}" in soc), 0)
