"""The opened kernels of a project: which card is meant, and the tables of its capture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.schema_operator import ON_CHIP, TABLES

Row = dict[str, Any]
COLLECT = "Collect the kernel with msprof op (or its simulator) and open its visualize_data.bin."


@dataclass(frozen=True)
class Profile:
    """One kernel."""

    card: StoreCard

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def path(self) -> Path | None:
        """The file it was read from."""
        return self.card.source.files[0] if self.card.source is not None and self.card.source.files else None

    def table(self, name: str) -> pa.Table:
        """A table of `schema_operator`, empty when the file has none of its rows."""
        path = self.card.folder / f"{name}.parquet"
        try:
            stamp = path.stat().st_mtime_ns
        except OSError:
            return (TABLES.get(name) or ON_CHIP[name]).schema.empty_table()
        return _read(path, stamp)

    def rows(self, name: str, **wanted: str | None) -> list[Row]:
        """The rows of a table whose columns have these values; None leaves a column out."""
        table = self.table(name)
        for column, value in wanted.items():
            if value is not None and table.num_rows:
                table = table.filter(pc.equal(table[column], value))
        return table.to_pylist()

    def blocks(self, name: str) -> list[str]:
        """Block ids in a table: NA first, then by number."""
        found = {str(b) for b in pc.unique(self.table(name)["block_id"]).to_pylist()}
        return sorted(found, key=lambda b: (b.isdecimal(), int(b) if b.isdecimal() and len(b) < 20 else 0, b))

    def problem(self, *kinds: int) -> str:
        """Why a block of these types cannot be used; empty when it can, or when there is none."""
        found = [row for row in self.rows("operator_container") if row["type"] in kinds and row["problem"]]
        return f"{found[0]['name']}: {found[0]['problem']}" if found else ""

    def nothing(self, what: str, fix: str, *kinds: int) -> NoData:
        """The error for a page without its block."""
        problem = self.problem(*kinds)
        if problem:
            return NoData(
                f"{self.name}: the data block could not be parsed ({problem}).",
                fix="Collect the kernel again, or copy the file again; the other pages are whole.",
            )
        return NoData(f"{self.name} holds no {what}.", fix=fix)


@lru_cache(maxsize=2048)
def _read(path: Path, stamp: int) -> pa.Table:
    """A table; the stamp makes a file that was written anew another one."""
    del stamp
    return pq.read_table(path)


def kernels(opened: Store, kind: str = "operator") -> list[Profile]:
    """All kernels of a kind (`operator`, `on_chip`, `simulation`) in display order."""
    return [Profile(card) for card in opened.cards_of("operator") if card.kind == kind]


def kernel(opened: Store, name: str | None, kind: str = "operator") -> Profile:
    """The kernel of that name; without a name the only one.

    Raises:
        BadArgument: there is none of that name, or more than one and no name was given.
        NoData: none is open.
    """
    found = kernels(opened, kind)
    listed = ", ".join(one.name for one in found)
    if not found:
        what = {"on_chip": "No memory plan of a kernel is open."}.get(kind, "No profile of a kernel is open.")
        fix = {"on_chip": "Open the memory_info.json that the Triton compiler wrote."}.get(kind, COLLECT)
        raise NoData(what, fix=fix)
    if name is None:
        if len(found) > 1:
            raise BadArgument("Several kernels are open.", fix=f"Choose one with card: {listed}.")
        return found[0]
    chosen = next((one for one in found if one.name == name), None)
    if chosen is None:
        raise BadArgument(f"There is no kernel {name!r}.", fix=f"Kernels: {listed}.")
    return chosen


def pair(opened: Store, card: str | None, baseline: str | None) -> tuple[Profile, Profile | None]:
    """The kernel and the one it is compared with, if one was named. Raises BadArgument when they are one file."""
    main = kernel(opened, card)
    if baseline is None:
        return main, None
    other = kernel(opened, baseline)
    if other.name == main.name or (other.path is not None and other.path == main.path):
        raise BadArgument("Can't set oneself as baseline.", fix="Choose another kernel as baseline.")
    return main, other
