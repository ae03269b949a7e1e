"""The registry of named queries and how arguments are read."""

from __future__ import annotations

import pytest

from insight_desktop.engine import queries
from insight_desktop.engine.queries import Argument
from insight_desktop.engine.store import Store
from insight_desktop.errors import BadArgument


def test_queries_of_the_timeline_are_found_by_their_place() -> None:
    names = {query.name for query in queries.all_queries()}
    own = ("cards", "counters", "flows", "lanes", "search", "slices", "viewport")
    assert names >= {f"system.timeline.{n}" for n in own}


def test_a_listed_function_of_another_module_is_a_query() -> None:
    assert queries.query("system.timeline.alignment").function.__module__ == "insight_desktop.engine.timeline.align"


def test_arguments_come_from_the_signature() -> None:
    found = queries.query("system.timeline.search")
    assert [(a.name, a.type, a.required) for a in found.arguments] == [
        ("text", "str", True),
        ("card", "str", False),
        ("match", "contains, name, word, regex", False),
        ("case", "bool", False),
    ]


def test_unknown_query_names_near_ones() -> None:
    with pytest.raises(BadArgument, match=r"system\.timeline\.slices"):
        queries.query("system.timline.slice")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs text"),
        ({"text": "a", "colour": "red"}, "no argument 'colour'"),
        ({"text": "a", "case": "perhaps"}, "true or false"),
        ({"text": "a", "match": "fuzzy"}, "cannot be 'fuzzy'"),
    ],
)
def test_wrong_arguments_are_told(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(BadArgument, match=message):
        queries.run(Store(), "system.timeline.search", arguments)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [(int, "-5", -5), (float, "1e3", 1000.0), (bool, "Yes", True), (bool, "off", False), (str, "007", "007")],
)
def test_texts_become_values(kind: type, text: str, value: object) -> None:
    assert queries.parse(Argument("x", kind, True, None), text) == value


def test_hyphens_mean_underscores() -> None:
    assert queries.check("system.timeline.slices", {"from-ns": "3"}) == {"from_ns": 3}


def test_what_helps_the_pages_of_a_job_is_no_query() -> None:
    modules = {".".join(name.split(".")[:2]) for name in queries.registry() if name.startswith("system.")}
    assert not [m for m in modules if m.startswith(("system.summary_", "system.communication_", "system.diagnosis_"))]
