"""Named queries: found by their place, called by name with arguments as text.

`system.timeline.slices` is the function `slices` of `engine/system/timeline.py`. A query is any public function of a
module of an area whose first parameter is `store`; a function that the module imports counts when its `__all__` lists it.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import pkgutil
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument

AREAS = ("system", "operator", "service", "memory")


@dataclass(frozen=True)
class Argument:
    """One argument of a query: name, type, whether it may be left out, its default."""

    name: str
    kind: Any
    required: bool
    default: Any
    choices: tuple[Any, ...] = ()

    @property
    def type(self) -> str:
        """What may be written: the type, or the choices."""
        return ", ".join(map(str, self.choices)) or str(self.kind.__name__)


@dataclass(frozen=True)
class Query:
    """A named query."""

    name: str
    function: Callable[..., pa.Table]
    arguments: tuple[Argument, ...]

    @property
    def doc(self) -> str:
        """Its whole docstring."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """First line of its docstring."""
        return self.doc.split("\n", 1)[0]

    @property
    def usage(self) -> str:
        """The name with its arguments, those that may be left out in brackets."""
        parts = [self.name]
        for a in self.arguments:
            shown = a.type.replace(", ", "|")
            parts.append(f"--{a.name} {shown}" if a.required else f"[--{a.name} {shown}]")
        return " ".join(parts)


@cache
def registry() -> dict[str, Query]:
    """All queries by name, in order of their names."""
    found = {}
    for area in AREAS:
        package = f"insight_desktop.engine.{area}"
        if importlib.util.find_spec(package) is None:
            continue
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
            for query in _queries_of(f"{package}.{module.name}", f"{area}.{module.name}"):
                found[query.name] = query
    return dict(sorted(found.items()))


def all_queries() -> list[Query]:
    """All queries in order of their names."""
    return list(registry().values())


def query(name: str) -> Query:
    """The query of that name; raises BadArgument that lists near names."""
    found = registry().get(name)
    if found is None:
        near = difflib.get_close_matches(name, registry(), 5, 0.5) or list(registry())
        raise BadArgument(f"There is no query {name!r}.", fix=f"Did you mean: {', '.join(near)}?")
    return found


def run(store: Store, name: str, arguments: dict[str, Any] | None = None) -> pa.Table:
    """Run a query; arguments may be texts, which are read as the types of the signature.

    Raises BadArgument for an unknown query or argument, a missing one, or a text that is not of its type.
    """
    return query(name).function(store, **check(name, arguments or {}))


def check(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as the query takes them, without running it. Raises as `run`."""
    chosen = query(name)
    known = {a.name: a for a in chosen.arguments}
    given = {}
    for key, value in arguments.items():
        argument = known.get(key.replace("-", "_"))
        if argument is None:
            raise BadArgument(f"{name} has no argument {key!r}.", fix=f"Use: {chosen.usage}")
        given[argument.name] = parse(argument, value)
    missing = [a.name for a in chosen.arguments if a.required and a.name not in given]
    if missing:
        raise BadArgument(f"{name} needs {', '.join(missing)}.", fix=f"Use: {chosen.usage}")
    return given


def parse(argument: Argument, value: Any) -> Any:
    """The value of an argument from a text; values that are no text pass."""
    if not isinstance(value, str):
        return value
    try:
        read = _READ[argument.kind](value)
    except (KeyError, ValueError) as error:
        raise BadArgument(f"{argument.name} must be {_MEANING[argument.kind]}, not {value!r}.") from error
    if argument.choices and read not in argument.choices:
        raise BadArgument(
            f"{argument.name} cannot be {value!r}.", fix=f"Use one of {', '.join(map(str, argument.choices))}."
        )
    return read


def _queries_of(module_name: str, prefix: str) -> list[Query]:
    module = importlib.import_module(module_name)
    found = []
    listed = getattr(module, "__all__", ())
    for name, function in vars(module).items():
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        if function.__module__ != module_name and name not in listed:
            continue
        parameters = list(inspect.signature(function).parameters.values())
        if parameters and parameters[0].name == "store":
            hints = typing.get_type_hints(function)
            arguments = tuple(_argument(p, hints.get(p.name, str)) for p in parameters[1:])
            found.append(Query(f"{prefix}.{name}", function, arguments))
    return found


def _argument(parameter: inspect.Parameter, hint: Any) -> Argument:
    required = parameter.default is inspect.Parameter.empty
    kind, choices = _kind(hint)
    return Argument(parameter.name, kind, required, None if required else parameter.default, choices)


def _kind(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _kind(next(a for a in typing.get_args(hint) if a is not type(None)))
    if origin is typing.Literal:
        choices = typing.get_args(hint)
        return type(choices[0]), choices
    return (hint, ()) if hint in _READ else (str, ())


def _truth(text: str) -> bool:
    known = {"true": True, "yes": True, "1": True, "on": True, "false": False, "no": False, "0": False, "off": False}
    return known[text.strip().lower()]


_READ: dict[Any, Callable[[str], Any]] = {str: str, int: int, float: float, bool: _truth}
_MEANING: dict[Any, str] = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
