"""A Summary page over small or real jobs, with answers awaited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pytestqt.qtbot import QtBot
from tests.support.cluster_files import operator, write_rank

from insight_desktop.engine import members
from insight_desktop.engine.cluster_groups import group_hash
from insight_desktop.engine.store import Store
from insight_desktop.ingest.discover import discover
from insight_desktop.views.common import pools, theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.system.summary import SummaryPage


class DrivenSummary:
    """A shown page and what it told."""

    def __init__(self, qtbot: QtBot, store: Store, *, job: str | None = None, base: str | None = None) -> None:
        theme.set_theme("dark", remember=False)
        self.qtbot = qtbot
        self.context = Context(store)
        self.context.choose_jobs(job, base)
        self.jumps: list[object] = []
        self.places: list[object] = []
        self.parsed: list[list[str]] = []
        self.messages: list[tuple[str, str, str]] = []
        self.status: list[list[str]] = []
        self.context.jump.connect(self.jumps.append)
        self.context.communication_wanted.connect(self.places.append)
        self.context.parse_requested.connect(self.parsed.append)
        self.context.message.connect(lambda *m: self.messages.append(m))
        self.context.status.connect(self.status.append)
        self.page = SummaryPage(self.context)
        self.page.form.confirm = lambda _wanted: True  # type: ignore[method-assign]
        qtbot.addWidget(self.page)
        self.page.resize(1400, 900)
        self.page.show()
        self.page.refresh()
        self.settled()

    def settled(self) -> DrivenSummary:
        """Wait until nobody answers any more."""
        quiet = [0]

        def is_quiet() -> bool:
            quiet[0] = quiet[0] + 1 if pools.is_idle() else 0
            return quiet[0] > 8

        self.qtbot.waitUntil(is_quiet, timeout=20_000)
        return self

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until something holds."""
        self.qtbot.waitUntil(done, timeout=10_000)

    def sizes(self, algorithm: str | None = None, **sizes: int | str) -> DrivenSummary:
        """Type sizes and generate."""
        form = self.page.form
        if algorithm is not None:
            form.algorithm_box.setCurrentIndex(form.algorithm_box.findData(algorithm))
        for name, value in sizes.items():
            form.fields[name].setText(str(value))
        form.generate()
        return self.settled()

    def view(self, dimension: str) -> DrivenSummary:
        """Choose a view of the layout."""
        self.page.above.graph.view_buttons[dimension].click()
        return self.settled()


def open_members(folder: Path) -> Store:
    """The ranks of a folder without reading their cards, as the window knows many ranks."""
    found = discover([folder])
    store = Store([])
    store.members, store.extras = members.members(found.cards), tuple(found.extras)
    return store


def write_job(
    folder: Path,
    ranks: Sequence[int],
    *,
    sizes: Mapping[str, int],
    groups: Mapping[str, Sequence[Sequence[int]]] | None = None,
    times: Callable[[str, int], float] = lambda _name, rank: 0.1 + rank / 100,
    figures: Callable[[int], Sequence[float]] = lambda _rank: (90, 60, 20, 80, 50, 0, 0, 60, 10),
    steps: Sequence[str] = ("1",),
) -> Path:
    """Ranks of a job: a group name has lists of members, an operator per group with `times(name, rank)` ms.

    `figures(rank)` are the columns of the step table from Computing to Preparing; the same in every step.
    """
    names = {"tp": "tensor_model", "pp": "pipeline_model", "dp": "data", "cp": "context", "ep": "expert_model"}
    arguments = {f"{names[k]}_parallel_size": sizes.get(k, 1) for k in names} | {"world_size": len(ranks)}
    for rank in ranks:
        declared, operators = {}, {}
        for name, lists in (groups or {}).items():
            for number, own in enumerate(lists):
                if rank in own:
                    group_id = f"{name}_{number}"
                    declared[group_id] = {
                        "group_name": name, "group_rank": list(own).index(rank), "global_ranks": list(own),
                    }  # fmt: skip
                    operators[f"hcom_allReduce__0_{name}@{group_hash(group_id)}"] = operator(1000.0, times(name, rank))
        write_rank(
            folder, rank, collective=operators or None, groups=declared, sizes=arguments,
            steps=[(step, *figures(rank)) for step in steps], step=f"step{steps[0]}",
        )  # fmt: skip
    return folder
