"""What the Operator page speaks about: one group of kernels, or one kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from insight_desktop.engine.system.operator_groups import KEYS, Group, is_communication
from insight_desktop.views.common.number_text import NOT_COLLECTED

SINGLE: tuple[Group, ...] = ("name", "communication")  # groups whose table has single kernels


@dataclass(frozen=True)
class Focus:
    """A group of kernels by whole texts (None leaves a column open), or one kernel by its row.

    Attributes:
        name, type, core, shape: texts that all kernels of it have.
        row: number of the kernel, None for a group.
        communication: its kernels are communication operators.
    """

    name: str | None = None
    type: str | None = None
    core: str | None = None
    shape: str | None = None
    row: int | None = None
    communication: bool = False

    @classmethod
    def of_row(cls, row: Mapping[str, Any], group: Group) -> Focus:
        """The focus of a row of a table of this group."""
        texts = {key: row[key] for key in KEYS[group] if key in row}
        return cls(**texts, row=row.get("row"), communication=is_communication(group))

    def texts(self) -> dict[str, str]:
        """The columns that are given, by their names in queries."""
        pairs = (("name", self.name), ("type", self.type), ("core", self.core), ("shape", self.shape))
        return {key: text for key, text in pairs if text is not None}

    @property
    def label(self) -> str:
        """Its texts in one line."""
        lead = self.name if self.name is not None else self.type
        rest = [text for text in (self.shape, self.core) if text and text != NOT_COLLECTED]
        return " · ".join([lead or "–", *rest])

    @property
    def operator(self) -> dict[str, str]:
        """What names the operator itself, without its shape and core."""
        return {"name": self.name} if self.name is not None else {"type": self.type or ""}
