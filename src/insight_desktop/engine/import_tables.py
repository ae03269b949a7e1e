"""What the tables of the cards add to an import report: rows per table, and what was wrong with their files.

Pages read tables when they are opened first; a report for scripts should know of a damaged file at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from insight_desktop import schema
from insight_desktop.engine import tables
from insight_desktop.engine.load import CardImport
from insight_desktop.engine.store import Store, StoreCard


def add_tables(report: dict[str, Any], cards: Sequence[CardImport]) -> None:
    """Read the tables of all cards that are ready and note their rows and issues in the report.

    Args:
        report: as `import_report` gives it; `tables` of its cards and `issues` grow.
        cards: the imports that the report is about.
    """
    store = Store([StoreCard.of_import(item) for item in cards if item.status == "ready" and item.kind == "text"])
    rows = {row["name"]: row for row in report["cards"]}
    for card in store.cards:
        for name in schema.TABLES:
            source = tables.sources(store, card.name, name)
            if not source.read:
                continue
            rows[card.name]["tables"][name] = source.rows
            for issue in tables.issues(store, card.name, name):
                found = {**issue.as_dict(), "card": card.name}
                if found not in report["issues"]:
                    report["issues"].append(found)
