"""A finished analysis of a cluster: cluster_analysis_output with its json and csv files, or cluster_analysis.db in it.

Older exports have no `comm_group_parallel_info`, keep all point-to-point traffic under the key `p2p`, and write sums
without a group; they are read too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop import schema
from insight_desktop.errors import Cancelled, InsightError
from insight_desktop.ingest.formats import cluster_db
from insight_desktop.ingest.formats.cluster_pieces import Growing, entries
from insight_desktop.ingest.formats.cluster_rank import (
    TOTAL,
    Rows,
    figure,
    is_rank,
    items,
    load_json,
    number,
    operator_rows,
    split_name,
    step_figures,
    step_text,
    table,
)
from insight_desktop.ingest.open_files import csv_rows
from insight_desktop.ingest.report import Report

ROLES = ("cluster_analysis_output", "cluster_db")
P2P = "p2p"  # literal group of older exports: all point-to-point traffic
DATABASE = "cluster_analysis.db"
GROUPS, TIME, MATRIX, STEPS = (
    "communication_group.json", "cluster_communication.json", "cluster_communication_matrix.json",
    "cluster_step_trace_time.csv",
)  # fmt: skip
_TABLES_OF = {
    GROUPS: ("cluster_group",),
    TIME: ("cluster_time", "cluster_bandwidth", "cluster_packet"),
    MATRIX: ("cluster_matrix",),
    STEPS: ("cluster_step",),
}
_STEP_HEADS = (
    "Step", "Type", "Index", "Computing", "Communication(Not Overlapped)", "Overlapped", "Communication", "Free",
    "Stage", "Bubble", "Communication(Not Overlapped and Exclude Receive)",
)  # fmt: skip
_INDEX_HEADS = ("DP Index", "PP Index", "TP Index")


def files(output: Path) -> list[Path]:
    """The files that a finished analysis is read from."""
    if not output.is_dir():
        return [output]
    database = output / DATABASE
    return [database] if database.exists() else [p for name in _TABLES_OF if (p := output / name).exists()]


def read(output: Path, report: Report) -> dict[str, pa.Table]:
    """The tables of `schema.CLUSTER` that a finished analysis has; a file that cannot be used is an issue.

    Args:
        output: the folder, or a cluster_analysis.db.
        report: takes what is wrong.
    """
    numbers = _Groups()
    out: dict[str, pa.Table] = {}
    for path in files(output):
        try:
            if path.suffix == ".db":
                return cluster_db.read(path, report)
            rows = _READERS[path.name](path, numbers, report)
        except Cancelled:
            raise
        except InsightError as error:
            report.issue("cluster_text.unusable", "error", path.name, error.message, fix=error.fix)
        except (ValueError, TypeError, AttributeError, OverflowError, OSError) as error:
            report.issue(
                "cluster_text.unusable", "error", path.name, f"{path.name} cannot be used ({error}).",
                fix="Delete the folder, so that the figures are computed from the ranks.",
            )  # fmt: skip
        else:
            out |= {n: t if isinstance(t, pa.Table) else table(schema.CLUSTER[n], t) for n, t in rows.items()}
    if "cluster_group" in out:
        out["cluster_group"] = table(schema.CLUSTER["cluster_group"], numbers.rows())
    return out


def read_steps(output: Path) -> pa.Table | None:
    """The table `cluster_step` alone, for a first look; None when it cannot be read or another file is missing."""
    paths = {path.name: path for path in files(output)}
    if not output.is_dir() or len(paths) < len(_TABLES_OF):
        return None
    try:
        rows = _read_steps(paths[STEPS], _Groups(), Report())["cluster_step"]
    except (InsightError, ValueError, OSError):
        return None  # the whole reading tells what is wrong
    return table(schema.CLUSTER["cluster_step"], rows)


def missing(tables: Mapping[str, pa.Table], ranks: Iterable[int]) -> str:
    """What a finished analysis lacks, in words; empty when it is complete for these ranks."""
    lacking = [name for name, made in _TABLES_OF.items() if any(one not in tables for one in made)]
    if lacking:
        return ", ".join(lacking)
    known = set(pc.unique(tables["cluster_step"]["rank"]).to_pylist())
    gone = [str(rank) for rank in ranks if rank not in known]
    if not gone:
        return ""
    return f"rank{'s' if len(gone) > 1 else ''} {', '.join(gone[:8])}{' and others' if len(gone) > 8 else ''}"


_P2P_NAMES = ("hcom_send", "hcom_receive", "hcom_batchsendrecv", "send", "receive", "batchsendrecv")


class _Groups:
    """Numbers of groups: by members and hash, else by members alone, else a new one of unknown kind.

    An old group file names members only. The first hash of its operators becomes that of the group; each further hash of the
    same members is a group of its own, of a kind in which the file lists these members.
    """

    def __init__(self) -> None:
        self._rows: list[list[Any]] = []
        self._number: dict[tuple[tuple[int, ...], str], int] = {}
        self._kinds: dict[tuple[int, ...], set[str]] = {}  # in which an old group file lists members
        self._p2p: int | None = None

    def list(self, kind: str, ranks: tuple[int, ...]) -> None:
        """Members of an old group file."""
        self._kinds.setdefault(ranks, set()).add(kind)
        self.add(kind, ranks)

    def add(self, kind: str, ranks: tuple[int, ...], key: str = "", group_id: str = "", pg_name: str = "") -> int:
        """Number of a group; the same members and hash give the same."""
        known = self._number.get((ranks, key))
        if known is not None:
            if kind == P2P:
                self._rows[known][1] = P2P
            return known
        found = self._number[ranks, key] = len(self._rows)
        self._rows.append([key, kind, ranks, group_id, pg_name])
        return found

    def find(self, ranks_text: str, key: str, name: str = "") -> int:
        """Number of the group that a file names by its members and the hash of an operator (of some name)."""
        if ranks_text == P2P:
            if self._p2p is None:
                self._p2p = len(self._rows)
                self._rows.append([P2P, P2P, (), "", ""])
            return self._p2p
        ranks = rank_tuple(ranks_text)
        found = self._number.get((ranks, key))
        if found is None:
            found = self._number.get((ranks, ""))
            if found is None or (key and self._rows[found][0]):  # not listed, or another hash has it
                found = self.add(self._listed_kind(ranks), ranks, key)
            elif key:
                self._rows[found][0] = key
                self._rows[found][1] = self._listed_kind(ranks) if ranks in self._kinds else self._rows[found][1]
            self._number[ranks, key] = found
        if len(self._kinds.get(ranks, ())) > 1 and key and name.lower().startswith(_P2P_NAMES):
            self._rows[found][1] = P2P
        return found

    def _listed_kind(self, ranks: tuple[int, ...]) -> str:
        """The kind in which members are listed; of both it is collective until an operator says otherwise."""
        listed = self._kinds.get(ranks, {"unknown"})
        return next(iter(listed)) if len(listed) == 1 else "collective"

    def rows(self) -> Rows:
        """Rows of `cluster_group`."""
        return [(i, key, kind, list(ranks), *names) for i, (key, kind, ranks, *names) in enumerate(self._rows)]


def rank_tuple(text: str) -> tuple[int, ...]:
    """Ranks of `(0, 2)`, `(0,2)` or `[0, 2]`, ascending."""
    return tuple(sorted(int(digits) for digits in re.findall(r"\d+", text)))


def _read_groups(path: Path, groups: _Groups, report: Report) -> dict[str, Rows]:  # noqa: ARG001
    content = load_json(path)
    if not isinstance(content, dict):
        raise ValueError("it holds no JSON object")
    joined = content.get("comm_group_parallel_info")
    for entry in joined if isinstance(joined, list) else []:
        ranks = tuple(sorted(_rank(rank) for rank in entry.get("rank_set") or ()))
        texts = (str(entry.get(k) or "") for k in ("group_name", "group_id", "pg_name"))
        groups.add(str(entry.get("type") or "unknown"), ranks, *texts)
    if not joined:
        for kind in ("collective", P2P):
            for members in content.get(kind) or ():
                groups.list(kind, tuple(sorted(map(_rank, members))))
    return {"cluster_group": []}


def _read_time(path: Path, groups: _Groups, report: Report) -> dict[str, pa.Table]:
    found = Growing(*_TABLES_OF[TIME])
    rows = found.rows
    for ranks, steps in entries(path):
        found.settle()
        report.checkpoint(0, 0, path.name)
        for step, operators in items(steps):
            for key, by_rank in items(operators):
                name, group = split_name(key)
                if name == TOTAL and not group:
                    continue
                number_of = groups.find(ranks, group, name)
                for rank, facts in items(by_rank):
                    if not is_rank(rank):
                        continue
                    head = (step_text(step), int(rank), number_of, name)
                    time, bandwidths, packets = operator_rows(facts, head)
                    rows["cluster_time"].append(time)
                    rows["cluster_bandwidth"] += bandwidths
                    rows["cluster_packet"] += packets
    return found.tables()


def _read_matrix(path: Path, groups: _Groups, report: Report) -> dict[str, pa.Table]:
    found = Growing("cluster_matrix")
    rows = found.rows["cluster_matrix"]
    for ranks, steps in entries(path):
        found.settle()
        report.checkpoint(0, 0, path.name)
        for step, operators in items(steps):
            for key, links in items(operators):
                name, group = split_name(key)
                if name == TOTAL and not group:
                    continue
                number_of = groups.find(ranks, group)
                for ends, link in items(links):
                    src, _, dst = ends.partition("-")
                    if is_rank(src) and is_rank(dst) and isinstance(link, dict):
                        texts = (str(link.get(k) or "") for k in ("Transport Type", "Op Name"))
                        figures = (
                            figure(link.get(k)) for k in ("Transit Size(MB)", "Transit Time(ms)", "Bandwidth(GB/s)")
                        )
                        rows.append((step_text(step), number_of, name, int(src), int(dst), *texts, *figures))
    return found.tables()


def _read_steps(path: Path, groups: _Groups, report: Report) -> dict[str, Rows]:  # noqa: ARG001
    lines = csv_rows(path)
    heads = [head.strip() for head in lines[0]] if lines else []
    lacking = [head for head in _STEP_HEADS if head not in heads]
    if lacking:
        raise ValueError(f"it has no column {', '.join(lacking)}")
    at = {head: i for i, head in enumerate(heads)}
    has_index = all(head in at for head in _INDEX_HEADS)
    rows: Rows = []
    short = 0
    for cells in lines[1:]:
        if len(cells) != len(heads):
            short += bool(cells)
            continue
        kind, index = cells[at["Type"]].strip(), cells[at["Index"]].strip().strip('"')
        rank = int(index) if kind == "rank" and is_rank(index) else None
        if kind == "rank" and rank is None:
            report.issue(
                "cluster_text.no_rank", "warning", path.name, f"Rows of {path.name} without a rank were left out."
            )
            continue
        preparing = _cell(cells[at["Preparing"]]) if "Preparing" in at else None
        values = step_figures([*(_cell(cells[at[head]]) for head in _STEP_HEADS[3:]), preparing])
        indices = [
            int(_cell(cells[at[head]]) or 0) if has_index and rank is not None else None for head in _INDEX_HEADS
        ]
        rows.append((step_text(cells[at["Step"]]), kind, index, rank, *values, *indices))
    if short:
        report.issue(
            "cluster_text.short_rows", "warning", path.name,
            f"{short} rows of {path.name} have another number of cells than its head; they were left out.",
        )  # fmt: skip
    return {"cluster_step": rows}


def _rank(value: Any) -> int:
    """A rank of a list. Raises ValueError or TypeError for anything else."""
    found = int(value)
    if not 0 <= found < 10**9:
        raise ValueError(f"{value} is no rank")
    return found


def _cell(text: str) -> float | None:
    try:
        return number(float(text))
    except ValueError:
        return None


_READERS: dict[str, Callable[[Path, _Groups, Report], Mapping[str, Rows | pa.Table]]] = {
    GROUPS: _read_groups, TIME: _read_time, MATRIX: _read_matrix, STEPS: _read_steps,
}  # fmt: skip
