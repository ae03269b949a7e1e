"""Large traces of bins: they are left out when the bin is opened, so that its other pages are there at once, and read
when the Timeline asks for them. They become a capture of their own in the same cache."""

from __future__ import annotations

from pathlib import Path

from insight_desktop.engine.cache import LIMIT_BYTES, capture_key
from insight_desktop.engine.capture import Manifest
from insight_desktop.engine.load_worker import Board, Job, run_job
from insight_desktop.engine.store import StoreCard
from insight_desktop.errors import BadFile, InsightError
from insight_desktop.ingest.sources import Card, Source

KIND = "simulation"  # of the source that is the trace alone


def is_deferred(card: StoreCard) -> bool:
    """True when the capture of a card lacks the trace that its file has."""
    try:
        facts = Manifest.read(card.folder).extra.get("operator")
    except BadFile:
        return False
    return isinstance(facts, dict) and bool(facts.get("deferred_trace"))


def trace_source(card: StoreCard) -> Source | None:
    """What has to be read for the trace of a card; None when nothing has."""
    if card.source is None or not card.source.files or not is_deferred(card):
        return None
    return Source(card.source.format, KIND, card.source.files)


def trace_card(card: StoreCard) -> Card | None:
    """The same as a card for an importer."""
    source = trace_source(card)
    if source is None:
        return None
    return Card(card.name, None, None, card.host, card.cluster, source.files[0], (source,))


def folder_of(card: StoreCard) -> Path | None:
    """The capture with the timeline of a card; None when its trace is not read yet."""
    source = trace_source(card)
    if source is None:
        return card.folder
    found = card.folder.parent / capture_key(source)
    return found if (found / "manifest.json").exists() else None


def read(card: StoreCard, board: Board | None = None) -> Path:
    """Read the trace of a card now, if it is not there; the capture with its timeline.

    Raises:
        InsightError: it cannot be read, or was cancelled on the board.
    """
    found = folder_of(card)
    source = trace_source(card)
    if found is not None or source is None:
        return found or card.folder
    outcome = run_job(Job(source, card.folder.parent, LIMIT_BYTES, fresh=False, threads=2), board)
    if outcome.capture is None:
        raise InsightError(outcome.message, fix=outcome.fix)
    return outcome.capture
