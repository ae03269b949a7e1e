"""The opened captures of a project and the one place where SQL is asked of them.

The tables over the memory maps (one row is …; `card` is the name of the card, times are raw int64 ns):

| table     | row              | columns                                                                            |
|-----------|------------------|------------------------------------------------------------------------------------|
| `slice`   | one interval     | card, id, track, row, name, category, ts_ns, end_ns, dur_ns, flags                       |
| `instant` | one point        | card, id, track, name, category, ts_ns; ids go on behind the slices of the card    |
| `counter` | one value        | card, series_id, ts_ns, value (NaN ends a step)                                    |
| `link`    | one link         | card, category, link_id, from_id, to_id                                            |
| `lane`    | one track/series | card, kind, track, series_id, process, pid, thread, tid, lane, unit, role, rows    |
| `card`    | one card         | card, rank, device, host, kind, first_ns, last_ns, offset_ns                       |

Every Parquet table of the captures is a view of its own name with `card` in front.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.engine import places, store_tables
from insight_desktop.engine.capture import Capture
from insight_desktop.engine.members import Member
from insight_desktop.errors import BadArgument, NoData
from insight_desktop.ingest.sources import AREA_OF_KIND, Source

if TYPE_CHECKING:
    from insight_desktop.engine.load import CardImport

_TIMELINE = ("system", "service")


@dataclass
class StoreCard:
    """One opened card.

    Attributes:
        name: unique in the project, the value of `--card`.
        rank: rank number as text, None when unknown.
        device: device number inside the host, None when unknown.
        host: host label, may be empty.
        kind: `text`, `db`, …
        folder: the capture in the cache.
        offset_ns: shown time = recorded time − base − offset.
        alias: the user's own name for the card.
        source_folder: where the data lie, for relinking details.
        source: the files that are read; tables on demand come from them (see `engine.tables`).
        cluster: name of the job, empty when there is one only.
        guest: a card of another project that stands beside these to be compared with; no job counts it.
        lane_offsets: track → offset that its lane has instead of the card's.
    """

    name: str
    rank: str | None
    device: int | None
    host: str
    kind: str
    folder: Path
    offset_ns: int = 0
    alias: str = ""
    source_folder: Path | None = None
    source: Source | None = None
    cluster: str = ""
    guest: bool = False
    lane_offsets: Mapping[int, int] = field(default_factory=dict)

    @property
    def area(self) -> str:
        """Which group of tabs shows it: `system`, `operator`, `memory` or `service`."""
        return AREA_OF_KIND.get(self.kind, "system")

    @classmethod
    def of_import(cls, item: CardImport) -> StoreCard:
        """The card of an import that is ready."""
        if item.capture is None:
            raise NoData(f"Card {item.card.name} is not read.", fix=item.fix)
        card = item.card
        folder = card.folder if card.folder.is_dir() else card.folder.parent
        return cls(
            card.name,
            card.rank,
            card.device,
            card.host,
            item.kind,
            item.capture,
            source_folder=folder,
            source=card.source(item.kind),
            cluster=card.cluster,
        )


class Store:
    """The captures that are open together. All methods may be called from any thread.

    `extras` holds files of the whole project by role (`Discovery.extras`), e.g. a finished cluster analysis; `members` all cards
    that discovery found in it, those that are not read included.
    """

    def __init__(self, cards: tuple[StoreCard, ...] | list[StoreCard] = ()) -> None:
        self._lock = threading.RLock()
        self._cards: dict[str, StoreCard] = {}
        self._captures: dict[Path, tuple[tuple[int, int] | None, Capture]] = {}
        self._version = 0
        self.extras: tuple[tuple[str, Path], ...] = ()
        self.members: tuple[Member, ...] = ()
        self._database: tuple[int, duckdb.DuckDBPyConnection] | None = None
        self._tables: dict[str, pa.Table] = {}
        self._local = threading.local()
        for card in cards:
            self.put(card)

    @property
    def cards(self) -> list[StoreCard]:
        """The cards of the Timeline (areas system and service): ranks in numeric order, then those without a rank, then guests."""
        return [card for card in self.every_card if card.area in _TIMELINE]

    @property
    def every_card(self) -> list[StoreCard]:
        """The cards of all areas, in the same order."""
        with self._lock:
            return sorted(self._cards.values(), key=_card_order)

    def cards_of(self, area: str) -> list[StoreCard]:
        """The cards of one area, in the same order."""
        return [card for card in self.every_card if card.area == area]

    def put(self, card: StoreCard) -> None:
        """Add a card, or replace the one of that name."""
        with self._lock:
            self._cards[card.name] = card
            self._forget_unused()
            self._version += 1

    def remove(self, name: str) -> None:
        """Forget a card; its capture stays in the cache. Unknown names are ignored."""
        with self._lock:
            if self._cards.pop(name, None) is not None:
                self._forget_unused()
                self._version += 1

    def card(self, name: str | None, area: str | None = None) -> StoreCard:
        """The card of that name; without a name the only one of the Timeline, or of an area.

        Raises BadArgument when that is not clear, or when the card is of another area; NoData when there is none.
        """
        cards = self.cards if area is None else self.cards_of(area)
        if name is None:
            if len(cards) == 1:
                return cards[0]
            if not cards:
                raise NoData("No card is open.", fix="Open profiling data first.")
            raise BadArgument("Several cards are open.", fix=f"Choose one with card: {_listed(cards)}.")
        with self._lock:
            found = self._cards.get(name)
        if found is None or (area is not None and found.area != area):
            raise BadArgument(f"There is no card {name!r}.", fix=f"Cards: {_listed(cards) or 'none'}.")
        return found

    def chosen(self, name: str | None) -> list[StoreCard]:
        """All cards, or the one of that name."""
        return self.cards if name is None else [self.card(name)]

    def capture(self, name: str) -> Capture:
        """The capture of a card; raises BadArgument for an unknown card, BadFile when the capture is gone."""
        folder = self.card(name).folder
        with self._lock:
            stamp, found = self._captures.get(folder, (None, None))
            if found is None or stamp is None:
                found = Capture(folder)
                self._captures[folder] = _stamp(folder), found
            return found

    @property
    def base_ns(self) -> int:
        """Raw time at axis zero: the smallest start of the cards' data without outliers; 0 without data."""
        return min((start for _, start, _ in self._spans()), default=0)

    def range(self) -> tuple[int, int]:
        """Start and end of the data without outliers, the cards' offsets applied, in raw ns (axis = value − base)."""
        spans = self._spans()
        if not spans:
            return 0, 0
        return min(a - c.offset_ns for c, a, _ in spans), max(b - c.offset_ns for c, _, b in spans)

    def full_range(self) -> tuple[int, int]:
        """As `range`, outliers included."""
        found = [(c.offset_ns, self.capture(c.name).manifest) for c in self.cards]
        held = [(offset, m) for offset, m in found if _has_data(m.counts)]
        if not held:
            return 0, 0
        return min(m.start_ns - offset for offset, m in held), max(m.end_ns - offset for offset, m in held)

    def default_offsets(self) -> dict[str, int]:
        """Offsets that let groups of cards whose ranges do not overlap begin together.

        Cards whose ranges overlap (also in a chain) keep their distance; each such group is moved to the first start.
        """
        spans = sorted(self._spans(), key=lambda s: (s[1], s[2]))
        offsets = {c.name: 0 for c in self.cards}
        first = spans[0][1] if spans else 0
        start = reach = None
        for card, begin, end in spans:
            if start is None or reach is None or begin > reach:
                start, reach = begin, end
            reach = max(reach, end)
            offsets[card.name] = start - first
        return offsets

    def set_offset(self, name: str, offset_ns: int) -> None:
        """Move a card against the others; positive moves it to the left."""
        with self._lock:
            self._cards[name] = replace(self.card(name), offset_ns=offset_ns)
            self._version += 1

    def set_lane_offsets(self, name: str, offsets: Mapping[int, int]) -> None:
        """Give lanes of a card (by track) offsets of their own; all others follow the card."""
        with self._lock:
            self._cards[name] = replace(self.card(name), lane_offsets=dict(offsets))

    def shift_ns(self, name: str, track: int | None = None) -> int:
        """Recorded time minus axis time of a card, or of one of its lanes."""
        card = self.card(name)
        return self.base_ns + (card.offset_ns if track is None else card.lane_offsets.get(track, card.offset_ns))

    def moved_ns(self, name: str) -> dict[int, int]:
        """Lanes of a card that have an offset of their own: by track how much later their recorded time is than that of
        the card at the same place of the axis."""
        card = self.card(name)
        return {track: ns - card.offset_ns for track, ns in card.lane_offsets.items() if ns != card.offset_ns}

    def shifts_ns(self, name: str) -> npt.NDArray[np.int64]:
        """Recorded time minus axis time of every lane of a card, by track."""
        card = self.card(name)
        found = np.full(self.capture(name).tracks.num_rows, self.base_ns + card.offset_ns, np.int64)
        for track, offset_ns in card.lane_offsets.items():
            if track < len(found):
                found[track] = self.base_ns + offset_ns
        return found

    def axis_ns(self, name: str, stamps: Any, tracks: Any) -> npt.NDArray[np.int64]:
        """Axis times of recorded times on lanes of a card; a track below 0 stands for the card itself."""
        stamps, tracks = np.asarray(stamps, np.int64), np.asarray(tracks, np.int64)
        shifts = np.append(self.shifts_ns(name), self.shift_ns(name))
        return stamps - shifts[np.where((tracks < 0) | (tracks >= len(shifts)), len(shifts) - 1, tracks)]

    def refresh_tables(self) -> None:
        """Let SQL see Parquet tables that came into the captures since."""
        with self._lock:
            self._version += 1

    def sql(self, text: str, **params: Any) -> pa.Table:
        """Rows of a SQL query over the tables above; `$name` in the text takes the keyword argument."""
        return self._cursor().sql(text, params=params or None).to_arrow_table()

    def user_sql(self, text: str) -> pa.Table:
        """Rows of one SELECT that the user wrote; anything else raises BadArgument."""
        cursor = self._cursor()
        try:
            statements = cursor.extract_statements(text)
        except duckdb.Error as error:
            raise BadArgument(f"The SQL cannot be read: {_plain(error)}", fix=self._table_hint()) from error
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise BadArgument(
                "Only one SELECT can be run.", fix="Write a single query that begins with SELECT or WITH."
            )
        try:
            return cursor.sql(text).to_arrow_table()
        except duckdb.Error as error:
            raise BadArgument(f"The query failed: {_plain(error)}", fix=self._table_hint()) from error

    def _forget_unused(self) -> None:
        """Drop captures that no card shows any more, or that were written anew in their place."""
        used = {card.folder for card in self._cards.values()}
        for folder, (stamp, _) in list(self._captures.items()):
            if folder not in used or _stamp(folder) != stamp:
                del self._captures[folder]

    def _spans(self) -> list[tuple[StoreCard, int, int]]:
        found = []
        for card in self.cards:
            m = self.capture(card.name).manifest
            if _has_data(m.counts):
                found.append((card, m.view_start_ns, m.view_start_ns + m.view_span_ns))
        return found

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        with self._lock:
            version = self._version
            held = getattr(self._local, "cursor", None)
            if held is not None and held[0] == version:
                return held[1]
            if self._database is None or self._database[0] != version:
                # A connection whose configuration is locked cannot learn of new files, so a changed project gets a new one;
                # cursors of the old one that still run keep it alive.
                cards = [(card, self.capture(card.name)) for card in self.every_card]
                self._database = version, _connect(cards)
                self._tables = store_tables.tables([(vars(card), capture) for card, capture in cards])
            cursor = self._database[1].cursor()
            for name, table in self._tables.items():
                cursor.register(name, table)  # such tables belong to one cursor
            cursor.execute("CREATE TEMP VIEW slice AS SELECT *, end_ns - ts_ns AS dur_ns FROM slice_columns")
            self._local.cursor = (version, cursor)
            return cursor

    def _table_hint(self) -> str:
        names = self._cursor().execute("SELECT table_name FROM information_schema.tables ORDER BY 1").fetchall()
        return f"Tables: {', '.join(row[0] for row in names)}."


def _listed(cards: list[StoreCard]) -> str:
    return ", ".join(card.name for card in cards)


def _connect(cards: list[tuple[StoreCard, Capture]]) -> duckdb.DuckDBPyConnection:
    options: dict[str, Any] = {
        "memory_limit": f"{_memory_limit_mb()}MB",
        "temp_directory": str(places.spill_dir()),
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    database = duckdb.connect(":memory:", config=options)
    files = store_tables.parquet_files([(c.name, capture.folder) for c, capture in cards])
    if files:
        paths = ", ".join(_literal(str(path)) for _, found in files.items() for _, path in found)
        database.execute(f"SET allowed_paths = [{paths}]")
    database.execute("SET enable_external_access = false")
    for name, found in files.items():
        database.execute(_parquet_view(name, found))
    database.execute("SET lock_configuration = true")
    return database


def _parquet_view(name: str, found: list[tuple[str, Path]]) -> str:
    paths = ", ".join(_literal(str(path)) for _, path in found)
    names = ", ".join(f"({_literal(card)}, {_literal(str(path))})" for card, path in found)
    quoted = '"' + name.replace('"', '""') + '"'
    return (
        f"CREATE VIEW {quoted} AS SELECT f.card, p.* EXCLUDE (filename) "
        f"FROM read_parquet([{paths}], union_by_name = true, filename = true) p "
        f"JOIN (VALUES {names}) f(card, path) ON p.filename = f.path"
    )


def _memory_limit_mb() -> int:
    try:
        ram = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        ram = 8 << 30
    return max(256, min(4 << 30, ram // 4) >> 20)


def _stamp(folder: Path) -> tuple[int, int] | None:
    """What changes when a capture is written anew."""
    try:
        facts = (folder / "manifest.json").stat()
    except OSError:
        return None
    return facts.st_ino, facts.st_mtime_ns


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _plain(error: Exception) -> str:
    return str(error).strip().rstrip(".") + "."


def _has_data(counts: dict[str, int]) -> bool:
    return any(counts.get(name) for name in ("slices", "instants", "counters"))


def _card_order(card: StoreCard) -> tuple[Any, ...]:
    rank = card.rank if card.rank is not None and re.fullmatch(r"-?\d{1,18}", card.rank) else None
    return (card.guest, rank is None, int(rank) if rank is not None else 0)
