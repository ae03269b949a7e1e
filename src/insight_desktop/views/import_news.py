"""What an import has to say at once: data that end early or are damaged change what the pages show."""

from __future__ import annotations

from collections.abc import Callable

from insight_desktop.ingest.report import Issue
from insight_desktop.views.banner import Banners, Remedy
from insight_desktop.views.cards import FAILED, CardRow, ProjectRow, rank_order
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr

DAMAGE = frozenset(
    {
        "trace_json.truncated",
        "trace_json.cut",
        "trace_json.damaged",
        "profiler_db.truncated",
        "profiler_db.damaged_table",
    }
)
_NAMED = 8  # cards that are named in one banner


def damage(card: CardRow) -> Issue | None:
    """The first issue because of which something of the card is missing."""
    if card.status == FAILED:
        return None  # it has a banner of its own
    return next((issue for issue in card.issues if issue.code in DAMAGE), None)


def tell_damage(project: ProjectRow | None, banners: Banners, show_report: Callable[[str], None]) -> None:
    """A banner about the cards of which a part could not be read; it leads to the import report."""
    cards = sorted((project.cards or []) if project is not None else [], key=rank_order)
    found = [(card, issue) for card in cards if (issue := damage(card)) is not None]
    if not found:
        return
    card, issue = found[0]
    report = Remedy(tr("Import report"), "list-bullets", lambda: show_report(card.name))
    if len(found) == 1:
        text = tr("Card {name}: {message}").format(name=card.name, message=say(issue.message))
        banners.show_message("warning", text, issue.fix, (report,))
        return
    names = ", ".join(each.name for each, _ in found[:_NAMED]) + (", …" if len(found) > _NAMED else "")
    text = tr("{count} cards are not complete: {names}.").format(count=len(found), names=names)
    banners.show_message("warning", text, tr("The whole rest was kept; the report says what is missing."), (report,))
