"""Ranks of the communication groups of a card, from the side file or the database that names them."""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path

from insight_desktop.errors import InsightError
from insight_desktop.ingest.formats import profiler_db_identity, rank_info
from insight_desktop.ingest.formats.profiler_db_tables import Database
from insight_desktop.ingest.open_files import open_sqlite
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

logger = logging.getLogger(__name__)


def group_ranks(source: Source | None, title: str) -> tuple[int, ...]:
    """Global ranks of the group that a communication lane shows; empty when the data do not tell.

    The lane names its group by id (`Group <id> Communication`), or by the name in front of a colon.
    """
    known = _groups(source) if source is not None else ()
    for key, _, ranks in known:
        if key and key in title:
            return ranks
    before, colon, _ = title.partition(":")
    named = {ranks for _, name, ranks in known if colon and name == before}
    return named.pop() if len(named) == 1 else ()


@lru_cache(maxsize=64)
def _groups(source: Source) -> tuple[tuple[str, str, tuple[int, ...]], ...]:
    """Id, name and global ranks of every group that the source tells of."""
    side = source.extra("profiler_metadata")
    found = [(g.id, g.name, g.ranks) for g in rank_info.read_metadata(side).groups] if side is not None else []
    if source.format == "profiler_db":
        found += [group for path in source.files[:1] if not _has_log(path) for group in _of_database(path)]
    return tuple(found)


def _of_database(path: Path) -> list[tuple[str, str, tuple[int, ...]]]:
    try:
        with open_sqlite(path) as file:
            database = Database(file, Report())
            try:
                return [
                    (key, str(group.get("group_name") or ""), _ranks(group.get("global_ranks")))
                    for key, group in profiler_db_identity.groups(database).items()
                ]
            finally:
                database.close()
    except (InsightError, OSError):  # the import has told what is wrong with the file
        logger.info("no communication groups from %s", path, exc_info=True)
        return []


def _ranks(found: object) -> tuple[int, ...]:
    return tuple(r for r in found if isinstance(r, int)) if isinstance(found, list) else ()


def _has_log(path: Path) -> bool:
    """A database with rows in a log has to be copied before it can be read: too much for a few names."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0
