"""Order of many texts: that of their bytes, equal ones as they were."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from insight_desktop.views.common.text_order import text_order

alphabet = st.text(st.sampled_from("ab\0é好𝄞_9"), max_size=30)


def by_hand(texts: list[str], descending: bool) -> list[int]:
    # `sorted` keeps equal ones in their order, both ways round.
    return sorted(range(len(texts)), key=lambda i: texts[i].encode(), reverse=descending)


@given(st.lists(alphabet, max_size=60), st.booleans())
def test_any_texts_are_in_the_order_of_their_bytes(texts: list[str], descending: bool) -> None:
    assert text_order(pa.array(texts, pa.string()), descending=descending).tolist() == by_hand(texts, descending)


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        ([], []),
        (["x"], [0]),
        (["", "", ""], [0, 1, 2]),
        (["b", "a", "b", "a"], [1, 3, 0, 2]),
        (["op_10", "op_9", "op_1"], [2, 0, 1]),
        (["a\0", "a", "a\0\0"], [1, 0, 2]),
        (["same_beginning_of_many_bytes_2", "same_beginning_of_many_bytes_1"], [1, 0]),
        (["é", "z", "好"], [1, 0, 2]),
    ],
)
def test_order(texts: list[str], order: list[int]) -> None:
    assert text_order(pa.array(texts, pa.string())).tolist() == order


def test_equal_ones_keep_their_order_when_the_largest_come_first() -> None:
    assert text_order(pa.array(["b", "a", "b", "a", "b"]), descending=True).tolist() == [0, 2, 4, 1, 3]


@pytest.mark.parametrize("descending", [False, True])
def test_texts_that_differ_only_far_behind_are_left_to_arrow(descending: bool) -> None:
    texts = ["x" * 500 + end + "y" for end in ("3", "1", "2")] + ["x", "z"]
    assert text_order(pa.array(texts), descending=descending).tolist() == by_hand(texts, descending)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_a_part_of_an_array_is_sorted_alone(kind: pa.DataType) -> None:
    whole = pa.array(["zzz", "b_long_enough_for_two_words", "b_long_enough_for_two_wordz", "a", "000"], kind)
    assert text_order(whole.slice(1, 3)).tolist() == [2, 0, 1]
