"""The memory diagram of each chip family: which one is drawn, what its transfers are called."""

from __future__ import annotations

from collections.abc import Collection

# Transfers by number; (1) is the second vector core of a mix kernel.
ARROWS: dict[int, str] = {
    0: "GM→L2", 1: "L2→GM", 2: "L2→L1", 3: "L1→L2", 4: "GM/L1→L0A", 5: "GM/L1→L0B", 6: "L0A→Cube", 7: "L0B→Cube",
    8: "Cube→L0C", 9: "L0C→L1", 10: "L0C→L2", 11: "L0C→Cube", 12: "L2→UB", 13: "UB→L2", 14: "UB→Vector", 15: "Vector→UB",
    16: "L2→UB (1)", 17: "UB→L2 (1)", 18: "UB→Vector (1)", 19: "Vector→UB (1)", 20: "L2/UB→L1", 21: "L1→L0A",
    22: "L2/L1→L0B", 23: "Vector(UB)→L0C", 24: "L0C→Vector(UB)", 25: "L2/L1→UB", 35: "GM→L0A", 36: "GM→L0B", 37: "L1→L0A",
    38: "L1→L0B", 39: "L0C→FIXP", 40: "FIXP→L2", 41: "FIXP→L1", 42: "FIXP→UB", 43: "FIXP→UB (1)", 44: "L1→UB",
    45: "L1→UB (1)", 46: "UB→L1", 47: "UB→L1 (1)", 48: "L2→DCache", 49: "L2→DCache (1)", 50: "DCache→L2",
    51: "DCache→L2 (1)", 52: "Vector→DCache", 53: "Vector→DCache (1)", 54: "DCache→Vector", 55: "DCache→Vector (1)",
}  # fmt: skip


def arrow(path: int) -> str:
    """Name of a transfer."""
    return ARROWS.get(path, f"path {path}")


def diagram(soc: str, op_type: str, paths: Collection[int]) -> tuple[str, bool]:
    """(name of the diagram, whether the chip is known): cube, vector or mix, with A5, V2 or 310.

    Chips that are not known get the 910 layout of the kind of kernel.
    """
    kind = op_type if op_type in ("cube", "vector") else "mix"
    if "910A5" in soc:
        newer = "-V2" if 50 in paths and kind != "cube" else ""
        return f"{kind}A5{newer}", True
    if "310" in soc:
        return "mix310", True
    newer = "-V2" if 35 in paths and kind != "vector" else ""
    return f"{kind}{newer}", "910" in soc and op_type in ("cube", "vector", "mix")
