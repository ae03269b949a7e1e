"""The command line: imports, named queries, SQL, pictures; without a subcommand the window opens.

Exit codes: 0 all went well, 1 the data cannot be used (in whole or in part), 2 the command was asked wrongly.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import pyarrow as pa

from insight_desktop import __version__
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.errors import BadArgument, BadFile, Cancelled, InsightError

if TYPE_CHECKING:
    from insight_desktop.ingest.sources import Discovery

OK, BAD_DATA, BAD_USE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return _run(arguments)
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python would complain again while it closes stdout.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except InsightError as error:
        _complain(error)
        return BAD_USE if isinstance(error, BadArgument) else BAD_DATA
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str]) -> int:
    arguments = _take_cache(arguments)
    command = arguments[0] if arguments else ""
    if command in ("-h", "--help", "help"):
        _print(_help())
        return OK
    if command == "--version":
        _print(f"insight-desktop {__version__}\n")
        return OK
    if command in COMMANDS:
        return COMMANDS[command][0](arguments[1:])
    if command.startswith("--") and command != "--":
        raise BadArgument(f"There is no option {command!r}.", fix="See insight-desktop --help.")
    if sys.platform.startswith("linux") and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        raise BadArgument(
            "There is no display (DISPLAY and WAYLAND_DISPLAY are not set), so no window can open.",
            fix="Without one use the commands: insight-desktop import PATH, query, sql, shot; see insight-desktop --help.",
        )
    from insight_desktop.views import app

    return int(app.run([Path(a) for a in arguments if a != "--"]) or OK)


def _take_cache(arguments: list[str]) -> list[str]:
    """`--cache DIR` may stand anywhere."""
    from insight_desktop.engine import places

    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            return [*rest, argument, *waiting]
        if argument == "--cache" or argument.startswith("--cache="):
            folder = argument[8:] if "=" in argument else next(waiting, "")
            if not folder:
                raise BadArgument("--cache needs a folder.")
            places.use_cache(folder)
        else:
            rest.append(argument)
    return rest


def _import(arguments: list[str]) -> int:
    """PATH… – read data and print the import report as JSON, or its cards as rows"""
    from insight_desktop.engine import load
    from insight_desktop.engine.import_report import import_report
    from insight_desktop.engine.import_tables import add_tables
    from insight_desktop.engine.load_options import OPTIONS

    parser = _parser("import", _import)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--format", default="json", choices=("json", "table", "csv", "parquet"))
    parser.add_argument("--out", metavar="FILE", help="write the report there")
    parser.add_argument("--fresh", action="store_true", help="read again although it was read before")
    for option in OPTIONS:
        parser.add_argument(f"--{option.name}", default="", metavar=option.value, help=option.about)
    given = parser.parse_args(arguments)
    began = time.perf_counter()
    options = {option.name: getattr(given, option.name) for option in OPTIONS if getattr(given, option.name)}
    found, imports = load.import_paths([Path(p) for p in given.paths], fresh=given.fresh, options=options)
    report = import_report(found, imports, time.perf_counter() - began)
    add_tables(report, imports)
    if given.format == "json":
        with _output(given.out) as out:
            out.write((json.dumps(report, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "backslashreplace"))
    else:
        _rows(_flat(report["cards"]), given)
    for card in report["cards"]:
        if card["status"] == "failed":
            _complain(InsightError(f"Card {card['name']}: {card['message']}", fix=card["fix"]))
    return BAD_DATA if any(card["status"] == "failed" for card in report["cards"]) else OK


def _flat(cards: list[dict[str, Any]]) -> pa.Table:
    """Cards of a report as rows: lists as texts, tables left out."""
    rows = [
        {k: ", ".join(v) if isinstance(v, list) else v for k, v in card.items() if not isinstance(v, dict)}
        for card in cards
    ]
    return pa.Table.from_pylist(rows)


def _queries(arguments: list[str]) -> int:
    """List the named queries with their arguments"""
    from insight_desktop.engine import queries

    parser = _parser("queries", _queries)
    _add_format(parser)
    given = parser.parse_args(arguments)
    found = queries.all_queries()
    if given.format == "table":
        with _output(given.out) as out:
            out.write("".join(f"{query.usage}\n    {query.summary}\n" for query in found).encode())
        return OK
    rows = [{"name": q.name, "usage": q.usage, "summary": q.summary} for q in found]
    return _rows(pa.Table.from_pylist(rows), given)


_OF_JOBS = ("system.summary.", "system.communication.")  # made of small files beside the timelines
_DIAGNOSIS, _FEW_CARDS = "system.diagnosis.findings", 16
_WITH_TIMELINES = frozenset(
    f"system.{name}"
    for name in (
        "summary.computing_detail", "summary.communication_detail", "summary.pipeline", "summary.expert_load",
        "summary.expert_model", "communication.contentions", "communication.alignments", "communication.operator",
        "communication.slices",
    )
)  # fmt: skip


def _query(arguments: list[str]) -> int:
    """PATH NAME [--argument value …] – rows of a named query"""
    from insight_desktop.engine import cluster, queries

    parser = _parser("query", _query)
    parser.add_argument("path", metavar="PATH")
    parser.add_argument("name", metavar="NAME")
    _add_format(parser)
    own, rest = _split(arguments, {"--format", "--out"}, flags={"-h", "--help"})
    given = parser.parse_args(own)
    queries.check(given.name, rest)  # a wrong name or argument is told before anything is read
    cards = [rest[name] for name in ("card", "base") if name in rest]
    store = _job_store(given.path) if _is_of_job(given.name, rest) else None
    if store is None or (given.name == _DIAGNOSIS and len(store.members) <= _FEW_CARDS):
        store = _store(given.path, cards if "card" in rest else None)
    code = _rows(queries.run(store, given.name, rest), given)
    cluster.settle(store)  # a question may be answered before the analysis is whole; the next one shall find it
    return code


def _sql(arguments: list[str]) -> int:
    """PATH "SELECT …" – rows of a SQL query over the tables of the data"""
    parser = _parser("sql", _sql)
    parser.add_argument("path", metavar="PATH")
    parser.add_argument("text", metavar="SELECT")
    _add_format(parser)
    given = parser.parse_args(arguments)
    return _rows(_store(given.path).user_sql(given.text), given)


def _tabs(arguments: list[str]) -> int:
    """PATH… – the tabs that the data can show"""
    from insight_desktop.engine import scene
    from insight_desktop.ingest.discover import discover

    parser = _parser("tabs", _tabs)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    _add_format(parser)
    given = parser.parse_args(arguments)
    found = scene.tabs(discover([Path(p) for p in given.paths]))
    rows = pa.table(
        {"tab": pa.array(found, pa.string()), "built": pa.array([t in scene.BUILT for t in found], pa.bool_())}
    )
    return _rows(rows, given)


def _shot(arguments: list[str]) -> int:
    """PATH --tab ID --out FILE – draw a tab into a picture"""
    parser = _parser("shot", _shot)
    parser.add_argument("path", metavar="PATH")
    parser.add_argument("--tab", required=True)
    parser.add_argument("--out", required=True, metavar="FILE")
    parser.add_argument("--size", default="1600x900", type=_size, metavar="WxH")
    parser.add_argument("--theme", default="dark", choices=("dark", "light"))
    parser.add_argument("--lang", default="en", choices=("en", "zh"))
    given = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from insight_desktop.views import shots

    shots.render(Path(given.path), given.tab, Path(given.out), given.size, given.theme, given.lang)
    return OK


def _sessions(arguments: list[str]) -> int:
    """List the projects that were opened and their saved analyses"""
    from insight_desktop.engine import project, session

    parser = _parser("sessions", _sessions)
    _add_format(parser)
    given = parser.parse_args(arguments)
    rows = []
    for known in project.ProjectList().recent():
        saved = session.autosave_path(known)
        rows.append(
            {
                "name": known.name,
                "paths": ", ".join(map(str, known.paths)),
                "session": str(saved) if saved.exists() else "",
            }
        )
    kinds = pa.schema([("name", pa.string()), ("paths", pa.string()), ("session", pa.string())])
    return _rows(pa.Table.from_pylist(rows, kinds), given)


COMMANDS: dict[str, tuple[Callable[[list[str]], int], str]] = {
    name: (function, " ".join((function.__doc__ or "").split()))
    for name, function in (
        ("import", _import),
        ("queries", _queries),
        ("query", _query),
        ("sql", _sql),
        ("tabs", _tabs),
        ("shot", _shot),
        ("sessions", _sessions),
    )
}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadArgument(
            f"{message[:1].upper()}{message[1:]}.", fix=f"Use: {self.format_usage().removeprefix('usage: ').strip()}"
        )


def _parser(name: str, function: Callable[..., int]) -> argparse.ArgumentParser:
    return _Parser(prog=f"insight-desktop {name}", description=function.__doc__, allow_abbrev=False)


def _add_format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", default="table", choices=("table", "csv", "json", "parquet"))
    parser.add_argument("--out", metavar="FILE", help="write there instead of to the terminal")


def _split(arguments: list[str], known: set[str], flags: set[str]) -> tuple[list[str], dict[str, str]]:
    """Own options and positions on one side, `--argument value` of the query on the other."""
    own: list[str] = []
    rest: dict[str, str] = {}
    waiting = iter(arguments)
    for argument in waiting:
        name, equals, value = argument.partition("=")
        if not argument.startswith("--") or argument in flags:
            own.append(argument)
        elif name in known:
            own += [argument] if equals else [argument, *[v for v in [next(waiting, None)] if v is not None]]
        else:
            given = value if equals else next(waiting, None)
            if given is None:
                raise BadArgument(f"{name} needs a value.")
            rest[name[2:].replace("-", "_")] = given
    return own, rest


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if (
        not cross
        or not width.isdecimal()
        or not height.isdecimal()
        or not (1 <= int(width) <= 16384 and 1 <= int(height) <= 16384)
    ):
        raise argparse.ArgumentTypeError(f"a size is written as 1600x900, not {text!r}")
    return int(width), int(height)


def _store(path: str, cards: list[str] | None = None) -> Store:
    """The store of what lies below a path: of these cards, or of all that can be read; failures go to stderr."""
    from insight_desktop.engine import load
    from insight_desktop.engine.members import members

    found, imports = load.import_paths([Path(path)], cards=cards, ask=_all_cards)
    failed = [item for item in imports if item.status == "failed"]
    ready = [StoreCard.of_import(item) for item in imports if item.status == "ready"]
    known = {item.card.name for item in imports}
    for card in cards or []:
        if card not in known:
            raise BadArgument(
                f"There is no card {card!r}.", fix=f"Cards: {', '.join(i.card.name for i in imports[:20])}."
            )
    if not ready and (imports or not found.extras):  # a finished analysis of a cluster has no cards
        first = (failed or [item for item in imports if cards is None or item.card.name in cards])[0]
        raise BadFile(first.message, fix=first.fix)
    for item in failed:
        _complain(InsightError(f"Card {item.card.name}: {item.message}", fix=item.fix))
    store = Store(ready)
    store.extras = tuple(found.extras)
    store.members = members(found.cards)
    return store


def _is_of_job(name: str, given: dict[str, str]) -> bool:
    """True for a query that needs no timeline: those of jobs, and the diagnosis of a job with many cards."""
    if name == _DIAGNOSIS:
        return "card" not in given
    return name.startswith(_OF_JOBS) and name not in _WITH_TIMELINES


def _job_store(path: str) -> Store:
    """A store that knows the ranks below a path without reading their timelines."""
    from insight_desktop.engine.members import members
    from insight_desktop.ingest.discover import discover

    found = discover([Path(path)])
    store = Store()
    store.extras, store.members = tuple(found.extras), members(found.cards)
    return store


def _all_cards(found: Discovery) -> list[str]:
    return [card.name for card in found.cards]


def _rows(table: pa.Table, given: argparse.Namespace) -> int:
    from insight_desktop.engine import export

    if given.format == "parquet" and given.out is None and sys.stdout is not None and sys.stdout.isatty():
        raise BadArgument("Parquet cannot be shown in a terminal.", fix="Add --out FILE, or send the output to a file.")
    with _output(given.out) as out:
        export.write(table, given.format, out)
    return OK


@contextlib.contextmanager
def _output(path: str | None) -> Any:
    """The file, else the bytes of stdout; nothing when stdout was closed."""
    if path is None:
        if sys.stdout is None:
            with Path(os.devnull).open("wb") as nothing:
                yield nothing
            return
        out: BinaryIO = sys.stdout.buffer
        with _told("The output"):
            yield out
            out.flush()
        return
    try:
        file = Path(path).open("wb")  # noqa: SIM115
    except OSError as error:
        raise BadArgument(f"{path} cannot be written ({error.strerror}).", fix="Choose another file.") from error
    with _told(path), file:
        yield file


@contextlib.contextmanager
def _told(what: str) -> Any:
    """A full disk is told, not traced; who reads no more (BrokenPipeError) is another matter."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if sys.stdout is not None:
            with contextlib.suppress(OSError, ValueError):  # else Python tries again while it closes stdout
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise InsightError(
            f"{what} cannot be written ({error.strerror or error}).",
            fix="Free some space or write elsewhere (--out FILE).",
        ) from error


def _print(text: str) -> None:
    with _output(None) as out:
        out.write(text.encode("utf-8", "backslashreplace"))


def _complain(error: InsightError) -> None:
    if sys.stderr is None:
        return
    lines = [f"error: {error.message}"] + ([f"  {error.fix}"] if error.fix else [])
    if isinstance(error, Cancelled):
        lines[0] = error.message
    text = "\n".join(lines) + "\n"
    with contextlib.suppress(OSError):
        sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def _help() -> str:
    lines = ["insight-desktop [PATH…] opens the window. Commands:", ""]
    lines += [f"  {name:9} {about}" for name, (_, about) in COMMANDS.items()]
    lines += [
        "",
        "  --cache DIR   where what was read is kept",
        "  --format table|csv|json|parquet and --out FILE wherever rows are printed",
        "",
        "Exit codes: 0 well, 1 data that cannot be used, 2 wrong use.",
    ]
    return "\n".join(lines) + "\n"
