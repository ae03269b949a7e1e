"""Recorded tables and curves of a run, as they lie in its capture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument, NoData

Kind = Literal["data", "curve", "other"]


@dataclass(frozen=True)
class RecordedView:
    """One recorded view: where its rows are, or why there are none."""

    number: int
    name: str
    kind: str
    rows: int
    columns: tuple[str, ...]
    error: str
    description_en: str
    description_zh: str


def views(project: Store, card: str | None, kind: Kind | None = None) -> list[RecordedView]:
    """Views of a card in their order."""
    path = _capture(project, card).folder / "service_view.parquet"
    if not path.exists():
        return []
    found = [RecordedView(**{**row, "columns": tuple(row["columns"])}) for row in pq.read_table(path).to_pylist()]
    return [view for view in found if kind is None or view.kind == kind]


def table(project: Store, card: str | None, *names: str) -> pa.Table | None:
    """Rows of the first of these views that can be read; None without any."""
    known = {view.name: view for view in reversed(views(project, card))}
    for name in names:
        view = known.get(name)
        if view is not None and not view.error:
            return _rows(project, card, view)
    return None


def view(project: Store, card: str | None, name: str, kind: Kind) -> tuple[RecordedView, pa.Table]:
    """A view with its rows.

    Raises:
        BadArgument: there is none of that name.
        NoData: it cannot be read.
    """
    known = views(project, card)
    found = next((v for v in known if v.name == name and v.kind == kind), None)
    found = found or next((v for v in known if v.name == name), None)
    if found is None:
        listed = ", ".join(v.name for v in known if v.kind == kind) or "none"
        raise BadArgument(
            f"There is no {'curve' if kind == 'curve' else 'table'} {name!r}.", fix=f"There are: {listed}."
        )
    if found.error:
        raise NoData(f"{name} cannot be read: {found.error}.", fix="Use the derived curve or table in its place.")
    return found, _rows(project, card, found)


def _rows(project: Store, card: str | None, found: RecordedView) -> pa.Table:
    path = _capture(project, card).folder / f"service_view_{found.number}.arrow"
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _capture(project: Store, card: str | None) -> Capture:
    return project.capture(project.card(card, "service").name)
