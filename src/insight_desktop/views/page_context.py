"""The context that pages of one project get. It ends with them, so nothing of theirs is called afterwards."""

from __future__ import annotations

from PySide6.QtCore import QObject

from insight_desktop.views.common.context import Context

# Signals of a page that name a place, and the tab that shows such places.
PLACES = {
    "jump": "system.timeline",
    "communication_wanted": "system.communication",
    "curve_wanted": "service.curve",
    "request_wanted": "service.overview",
    "source_wanted": "operator.source",
    "instruction_wanted": "operator.timeline",
}


class PageContext(Context):
    """Shares store, current card and running imports with the window's context; signals pass through.

    The window's news go to the pages; what pages tell goes to the window. A page that makes another card the current
    one tells everybody.
    """

    def __init__(self, whole: Context, parent: QObject | None = None) -> None:
        self._whole = whole
        super().__init__(whole.store, parent)
        self.reading = whole.reading
        for name in (
            "store_changed",
            "theme_changed",
            "language_changed",
            "card_selected",
            "jobs_changed",
            "card_forgotten",
        ):
            getattr(whole, name).connect(getattr(self, name))
        whole.compare_changed.connect(self._take_compared)
        self._take_compared()
        for name in ("status", "cursor", "message", "view_changed", "parse_requested", "option_wanted"):
            getattr(self, name).connect(getattr(whole, name))

    def _take_compared(self) -> None:
        self.set_compared(self._whole.baseline, self._whole.comparison)

    @property
    def card(self) -> str | None:
        """Name of the current card."""
        return self._whole.card

    @card.setter
    def card(self, name: str | None) -> None:
        if name is not None and name != self._whole.card:  # the base class begins with None
            self._whole.card = name
            self._whole.card_selected.emit(name)

    @property
    def job(self) -> str | None:
        """Name of the job that pages of whole jobs show."""
        return self._whole.job

    @job.setter
    def job(self, name: str | None) -> None:
        """Jobs are chosen with `choose_jobs`; the base class begins with None."""

    @property
    def base_job(self) -> str | None:
        """Name of the job that it is compared with."""
        return self._whole.base_job

    @base_job.setter
    def base_job(self, name: str | None) -> None:
        """As `job`."""

    def choose_jobs(self, job: str | None, base: str | None = None) -> None:
        """Show a job on the pages of whole jobs, against a baseline or alone."""
        self._whole.choose_jobs(job, base)

    def select_card(self, name: str) -> None:
        """Make a card the current one of all pages."""
        self._whole.select_card(name)
