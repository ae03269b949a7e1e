"""Columns of MemScope rows: what is taken apart many rows at once is what each row tells alone."""

from __future__ import annotations

import random
import re

import pyarrow as pa
import pytest

from insight_desktop.engine.memory import memscope_events
from insight_desktop.ingest.formats.memscope_attr import address

KEYS = ("size", "siz", "used", "owner", "allocation_id", "inefficient", "inefficient_type")


@pytest.mark.parametrize("part", [slice(None), slice(13, 90), slice(0, 0)])
def test_values_of_plain_objects_are_found_by_their_quotes(part: slice) -> None:
    draw = random.Random(4)
    objects = [
        ", ".join(f'"{draw.choice(KEYS)}":{draw.choice(("", " "))}"{"".join(draw.choices("ab,:{} 1é", k=draw.randint(0, 6)))}"' for _ in range(draw.randint(0, 6)))
        for _ in range(400)
    ]  # fmt: skip
    texts = pa.array([f"{{{each}}}" for each in objects])[part]
    pairs = memscope_events._Pairs(texts)
    for key in (*KEYS, "total"):
        first = [re.search(rf'[{{,] ?"{key}": ?"([^"]*)"', text) for text in texts.to_pylist()]
        wanted = [found and found[1] for found in first]
        values = pairs.values(key)
        assert values is not None or not any(first)
        if values is not None:
            values.validate(full=True)
            assert values.to_pylist() == wanted


def test_addresses_are_read_at_once_as_one_by_one() -> None:
    draw = random.Random(4)
    texts = [f"0x{draw.getrandbits(draw.choice((4, 30, 64))):{draw.choice('xX')}}" for _ in range(300)]
    texts += ["", "N/A", "0X1F", "123", "0x", "0x123456789012345678", "-5", " 0x12 ", "0xg1"]
    draw.shuffle(texts)
    for part in (pa.array(texts), pa.array(texts)[20:90], pa.array(texts)[:0]):
        numbers, is_there = memscope_events._addresses(part)
        wanted = [address(text) for text in part.to_pylist()]
        assert numbers.tolist() == [found or 0 for found in wanted]
        assert is_there.tolist() == [found is not None for found in wanted]
