"""Arguments of events of serving runs that are spelled oddly or made to hurt."""

from __future__ import annotations

import math

import orjson
import pytest

from insight_desktop.ingest.formats.service_json import object_of


@pytest.mark.parametrize(
    "text", [b"", b"[1]", b"5", b'{"a":', b"[" * 200_000, b'{"a":' * 100_000, b"\xff\xfe", b'{"a": ' + b"9" * 10_000]
)
def test_what_is_no_object_is_none(text: bytes) -> None:
    assert object_of(text) is None


def test_numbers_without_end_and_half_characters_can_be_stored() -> None:
    found = object_of(b'{"rid": "a\\ud800", "big": ' + b"9" * 10_000 + b', "nan": NaN, "n": 5}')
    assert found is not None
    assert (found["rid"], found["n"]) == ("a?", 5)
    assert math.isinf(found["big"])
    assert math.isnan(found["nan"])
    assert orjson.loads(orjson.dumps(found)) == {"rid": "a?", "big": None, "nan": None, "n": 5}
