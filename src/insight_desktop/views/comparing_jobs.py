"""The two jobs that are compared: the baseline, of any project, and the comparison, of the project that is open.

A job is analysed from small files, so the baseline of another project needs no reading: its ranks stand beside those of the open
project under a name of their own, and the pages of whole jobs offer it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from insight_desktop.engine import cluster as clusters
from insight_desktop.engine.members import Member, member
from insight_desktop.ingest.formats import cluster_rank
from insight_desktop.views.cards import CardRow, ProjectRow
from insight_desktop.views.common.language import tr

if TYPE_CHECKING:
    from insight_desktop.views.workspace import Workspace

PREFIX = "Baseline_"
Job = tuple[ProjectRow, str]  # a project, and the name of a job in it


class ComparingJobs(QObject):
    """Baseline and comparison among jobs; both end when another project is opened.

    Signals:
        changed: another job is baseline or comparison, or none.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self.baseline: Job | None = None
        self.comparison: str | None = None
        workspace.leaving.connect(self.clear)
        workspace.project_opened.connect(self.clear)
        workspace.context.jobs_changed.connect(self._jobs_changed)

    def is_baseline(self, project: ProjectRow, job: str) -> bool:
        return self.baseline is not None and self.baseline[0] is project and self.baseline[1] == job

    def is_comparison(self, project: ProjectRow, job: str) -> bool:
        return project is self.workspace.current and self.comparison == job

    def can_compare(self, project: ProjectRow) -> bool:
        """Only jobs of the open project can be the comparison."""
        return project is self.workspace.current

    def set_baseline(self, project: ProjectRow, job: str) -> None:
        """Make a job the baseline in place of the one before."""
        if self.workspace.current is None or not self._has_data(project, job):
            return
        self.baseline = (project, job)
        if self.is_comparison(project, job):
            self.comparison = None
        self._tell()

    def set_comparison(self, project: ProjectRow, job: str) -> None:
        """Make a job of the open project the comparison."""
        if not self.can_compare(project) or not self._has_data(project, job):
            return
        self.comparison = job
        if self.is_baseline(project, job):
            self.baseline = None
        self._tell()

    def unset_baseline(self) -> None:
        if self.baseline is not None:
            self.baseline = None
            self._tell()

    def unset_comparison(self) -> None:
        if self.comparison is not None:
            self.comparison = None
            self._tell()

    def clear(self) -> None:
        """Neither baseline nor comparison."""
        if self.baseline is not None or self.comparison is not None:
            self.baseline = self.comparison = None
            self._tell()

    # ---- the job of another project ----------------------------------------------------------------------------------

    @property
    def base_name(self) -> str | None:
        """Name of the baseline among the open jobs."""
        if self.baseline is None:
            return None
        project, job = self.baseline
        if project is self.workspace.current:
            return job
        return f"{PREFIX}{project.name}" + (f"/{job}" if job else "")

    def guests(self) -> tuple[Member, ...]:
        """Ranks of a baseline of another project; none for one of the open project."""
        if self.baseline is None or self.baseline[0] is self.workspace.current:
            return ()
        name = self.base_name or PREFIX
        return tuple(
            replace(member(row.source, name=f"{PREFIX}{row.name}", kind=row.kind), cluster=name)
            for row in ranks(*self.baseline)
        )

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _has_data(self, project: ProjectRow, job: str) -> bool:
        found = any(cluster_rank.origin(row.source.source(row.kind)) for row in ranks(project, job))
        if not found:
            text = tr("{name} has no communication data of several ranks.").format(name=job or project.name)
            self.workspace.context.message.emit("warning", text, tr("Choose another job."))
        return found

    def _tell(self) -> None:
        """Ranks and choice to the pages, then everybody hears of it."""
        context = self.workspace.context
        self.workspace.tell_store()
        context.store_changed.emit()
        names = clusters.names(context.store)
        base = self.base_name if self.base_name in names else None
        job = self.comparison if self.comparison in names else next((n for n in names if n != base), None)
        context.choose_jobs(job if base is not None or self.comparison is not None else None, base)
        self.changed.emit()

    def _jobs_changed(self) -> None:
        """A page chose jobs by itself: what is marked follows it."""
        context = self.workspace.context
        if context.base_job == self.base_name:
            return
        current = self.workspace.current
        if context.base_job is not None and current is not None:
            self.baseline, self.comparison = (current, context.base_job), context.job
        elif self.baseline is not None and self.baseline[0] is current:
            self.baseline = self.comparison = None
        self.changed.emit()


def ranks(project: ProjectRow, job: str) -> list[CardRow]:
    """The cards of a job that have a rank."""
    rows = project.cards or []
    return [r for r in rows if r.source.cluster == job and r.source.area == "system" and r.source.rank is not None]


def jobs_of(project: ProjectRow) -> list[str]:
    """Names of the jobs of a project with at least two ranks, in order."""
    found = sorted({row.source.cluster for row in project.cards or []})
    return [job for job in found if len(ranks(project, job)) > 1]
