"""What every page and panel shares: the opened data, the selection, and the ways to say something to the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from insight_desktop.engine.store import Store


@dataclass(frozen=True)
class Jump:
    """A place to go to: a slice of a card (by id), or a time range, optionally on a lane, or a counter series."""

    card: str
    slice_id: int | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    track: int | None = None
    series: int | None = None


@dataclass(frozen=True)
class CommunicationPlace:
    """What the Communication page is to show: the operator of a slice of the Timeline, or a group of a job.

    Attributes:
        card: card of the slice.
        slice_id: the operator's slice; step and group are looked up.
        cluster: name of the job; the first one when None.
        step: step as text.
        group: label or hash of a group.
        ranks: members of the group, for a group that is known by its process group name `group` and its ranks only.
        op: name of an operator.
        rank: the rank whose operator is shown.
    """

    card: str | None = None
    slice_id: int | None = None
    cluster: str | None = None
    step: str | None = None
    group: str | None = None
    ranks: tuple[int, ...] = ()
    op: str | None = None
    rank: int | None = None


@dataclass(frozen=True)
class CurvePlace:
    """What the Curve page is to show: a curve of a serving run by its name, or that of the slices like one.

    Attributes:
        card: card of the run.
        name: name of a curve; may be empty.
        slice_id: a slice: the durations of all slices of its name and lane are shown, or the gaps between them.
        kind: duration or bubble.
    """

    card: str
    name: str = ""
    slice_id: int | None = None
    kind: str = "duration"


@dataclass(frozen=True)
class RequestPlace:
    """A request of a serving run, by its name."""

    card: str
    rid: str


@dataclass(frozen=True)
class SourcePlace:
    """What the Source page of a kernel is to show: a line of a file, or the instructions in ranges of addresses.

    Attributes:
        card: the kernel.
        ranges: first and last address of each range, one after the other.
        cache_line: number of the cache line that the ranges are of.
        file: path of a source as the profile names it.
        line: line of it, 1 first.
    """

    card: str
    ranges: tuple[int, ...] = ()
    cache_line: int | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class InstructionPlace:
    """What the Timeline of the kernels is to show: the slices of an instruction, or of a line of the code.

    Attributes:
        card: the kernel.
        ranges: first and last address of each range, one after the other.
        file, line: where it was written; line 1 first.
        name, pipe: what the instruction is called, and the lane it ran on.
        core: part of a core whose slices are wanted first.
    """

    card: str
    ranges: tuple[int, ...] = ()
    file: str | None = None
    line: int | None = None
    name: str = ""
    pipe: str = ""
    core: str | None = None


class Context(QObject):
    """One per window. Pages listen to its signals; they never reach for each other.

    Signals:
        store_changed: cards were added, removed or re-read; `store` is up to date.
        theme_changed, language_changed: repaint or retranslate.
        status: list of texts for the status bar, the first one bold.
        cursor: time text at the mouse for the right end of the status bar.
        message: (level `error|warning|info|success`, text, fix) for a banner.
        jump: a Jump; the timeline goes there.
        communication_wanted: a CommunicationPlace; the Communication page goes there.
        curve_wanted: a CurvePlace; the Curve page goes there.
        request_wanted: a RequestPlace; the Overview of the service goes there.
        request_chosen: a RequestPlace whose events the Timeline marks, or None for none.
        stretch_wanted: (card, start, end) in raw ns: the Timeline shows that stretch where it is.
        source_wanted: a SourcePlace; the Source page of the kernels goes there.
        instruction_wanted: an InstructionPlace; the Timeline of the kernels goes there.
        stretch_shown: (start, end) in ns of the axis that the Timeline shows now.
        tab_wanted: id of a tab that comes to the front.
        jobs_changed: `job` or `base_job` is another one: the pages of a whole job show that, or compare it.
        events_wanted: (card, positions of lanes, title): the Events View of the Timeline shows their slices.
        chain_shown: (card, ids of slices in order): the Timeline marks them; an empty list marks nothing.
        card_selected: name of the card that became current.
        view_changed: something the session file keeps has changed.
        parse_requested: names of cards that the user wants read now; an empty list means all.
        option_wanted: (card, option, text): the card is to be read with an option, as by default when empty.
        flags_changed: `flags` is another list.
        compare_changed: `baseline` or `comparison` is another card.
        card_forgotten: name of a card that will not come back: what was arranged on it goes too.
    """

    store_changed = Signal()
    theme_changed = Signal()
    language_changed = Signal()
    status = Signal(list)
    cursor = Signal(str)
    message = Signal(str, str, str)
    jump = Signal(object)
    communication_wanted = Signal(object)
    curve_wanted = Signal(object)
    request_wanted = Signal(object)
    request_chosen = Signal(object)
    stretch_wanted = Signal(str, object, object)
    source_wanted = Signal(object)
    instruction_wanted = Signal(object)
    stretch_shown = Signal(object, object)
    tab_wanted = Signal(str)
    jobs_changed = Signal()
    events_wanted = Signal(str, list, str)
    chain_shown = Signal(str, list)
    card_selected = Signal(str)
    view_changed = Signal()
    parse_requested = Signal(list)
    option_wanted = Signal(str, str, str)
    flags_changed = Signal()
    compare_changed = Signal()
    card_forgotten = Signal(str)

    def __init__(self, store: Store, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self.card: str | None = None  # the current card
        self.baseline: str | None = None  # cards that are compared, by their names in the store
        self.comparison: str | None = None
        self.job: str | None = None  # the job (cluster) that pages of whole jobs show; None for the first one
        self.base_job: str | None = None  # the job that it is compared with
        self.flags: list[
            Any
        ] = []  # flags of the timeline: name, start_ns, end_ns (None: one time), colour, card (None: axis)
        self.reading: dict[str, Any] = {}  # card name → engine.load.CardImport while it is read or failed

    def set_compared(self, baseline: str | None, comparison: str | None) -> None:
        """Compare two cards of the store, or none."""
        if (baseline, comparison) != (self.baseline, self.comparison):
            self.baseline, self.comparison = baseline, comparison
            self.compare_changed.emit()

    def select_card(self, name: str) -> None:
        """Make a card the current one of all pages."""
        if name != self.card:
            self.card = name
            self.card_selected.emit(name)

    def choose_jobs(self, job: str | None, base: str | None = None) -> None:
        """Show a job on the pages of whole jobs, against a baseline or alone."""
        base = None if base == job else base
        if (job, base) != (self.job, self.base_job):
            self.job, self.base_job = job, base
            self.jobs_changed.emit()
