"""What the tables of the cards add to an import report: rows per table, and what was wrong with their files.

Pages read tables when they are opened first; a report should know of a damaged file at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from insight_desktop import schema
from insight_desktop.engine import tables
from insight_desktop.engine.load import CardImport
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.ingest.report import Issue


def add_tables(report: dict[str, Any], cards: Sequence[CardImport]) -> None:
    """Read the tables of all cards that are ready and note their rows and issues in the report.

    Args:
        report: as `import_report` gives it; `tables` of its cards and `issues` grow.
        cards: the imports that the report is about.
    """
    store = Store([StoreCard.of_import(item) for item in cards if item.status == "ready" and item.kind == "text"])
    rows = {row["name"]: row for row in report["cards"]}
    for card in store.cards:
        for name, count, issues in _tables(store, card.name):
            rows[card.name]["tables"][name] = count
            for issue in issues:
                found = {**issue.as_dict(), "card": card.name}
                if found not in report["issues"]:
                    report["issues"].append(found)


def table_issues(store: Store, card: str) -> list[Issue]:
    """What is wrong with the files of a card's tables, each issue once; reads those that were not read yet.

    Args:
        store: the opened cards.
        card: name of a card.

    Raises BadArgument when there is no such card.
    """
    found: list[Issue] = []
    if store.card(card).kind != "text":  # the tables of a database are looked at when it is imported
        return found
    for _, _, issues in _tables(store, card):
        found += [issue for issue in issues if issue not in found]
    return found


def _tables(store: Store, card: str) -> Iterator[tuple[str, int, list[Issue]]]:
    """Name, rows and issues of every table that a card has files for."""
    for name in schema.TABLES:
        source = tables.sources(store, card, name)
        if source.read:
            yield name, source.rows, tables.issues(store, card, name)
