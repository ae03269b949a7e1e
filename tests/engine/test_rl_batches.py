from __future__ import annotations

import pytest

from insight_desktop.engine.rl_batches import Pass, fsdp, megatron

R2 = [("FP", 0, 50), ("BP", 1, 2), ("BP", 4, 4), ("FP", 51, 10), ("BP", 62, 2), ("BP", 65, 3), ("BP", 69, 10)]


def passes(spec: list[tuple[str, int, int]]) -> list[Pass]:
    """Passes of (kind, start, duration)."""
    return [Pass(kind, start, start + length, i) for i, (kind, start, length) in enumerate(spec)]


def told(found: list[Pass]) -> list[tuple[str, int, int]]:
    return [(p.kind, p.start_ns, p.end_ns - p.start_ns) for p in found]


@pytest.mark.row("system-memory-operator-rl", 41)
@pytest.mark.example("system-memory-operator-rl", "R1")
def test_passes_one_after_another_stay_as_they_are() -> None:
    four = [("FP", 0, 10), ("BP", 12, 10), ("FP", 24, 10), ("BP", 35, 2)]
    assert told(megatron(passes(four))) == four


@pytest.mark.row("system-memory-operator-rl", 41)
@pytest.mark.example("system-memory-operator-rl", "R2")
def test_backward_slices_inside_a_forward_pass_tell_how_many_make_its_backward_pass() -> None:
    assert told(megatron(passes(R2))) == [("FP", 0, 50), ("FP", 51, 10), ("BP", 62, 6), ("BP", 69, 10)]


@pytest.mark.row("system-memory-operator-rl", 41)
@pytest.mark.example("system-memory-operator-rl", "R3")
def test_fsdp_takes_every_backward_call_until_the_next_forward() -> None:
    assert told(fsdp(passes(R2))) == [("FP", 0, 50), ("BP", 1, 7), ("FP", 51, 10), ("BP", 62, 17)]


@pytest.mark.row("system-memory-operator-rl", 41)
@pytest.mark.example("system-memory-operator-rl", "R4")
def test_a_forward_call_inside_another_one_is_part_of_it() -> None:
    assert told(fsdp(passes([("FP", 0, 10), ("FP", 2, 8)]))) == [("FP", 0, 10)]


@pytest.mark.row("system-memory-operator-rl", 41)
@pytest.mark.example("system-memory-operator-rl", "R5")
def test_the_first_marker_after_a_backward_pass_ends_it() -> None:
    spec = [("FP", 0, 10), ("FP", 12, 8), ("BP", 22, 5), ("BP", 28, 4), ("marker", 33, 2), ("marker", 36, 1)]
    found = told(fsdp(passes([*spec, ("FP", 40, 10), ("BP", 52, 3)])))
    assert found == [("FP", 0, 10), ("FP", 12, 8), ("BP", 22, 13), ("FP", 40, 10), ("BP", 52, 3)]


@pytest.mark.row("system-memory-operator-rl", 41)
@pytest.mark.example("system-memory-operator-rl", "R6")
def test_counts_of_interleaved_passes_wait_in_the_order_of_the_forward_passes() -> None:
    spec = [("FP", 0, 10), ("BP", 1, 1), ("BP", 3, 1), ("FP", 12, 10), ("BP", 13, 1), ("BP", 15, 1), ("BP", 24, 2)]
    spec += [("BP", 27, 2), ("FP", 31, 10), ("BP", 32, 1), ("BP", 34, 1), ("BP", 43, 2), ("BP", 46, 2)]
    found = told(megatron(passes([*spec, ("BP", 50, 2), ("BP", 53, 2)])))
    assert found == [("FP", 0, 10), ("FP", 12, 10), ("BP", 24, 5), ("FP", 31, 10), ("BP", 43, 5), ("BP", 50, 5)]


def test_backward_passes_alone_are_no_micro_batch() -> None:
    assert megatron(passes([("BP", 0, 5), ("BP", 6, 5)])) == []
    assert fsdp(passes([("BP", 0, 5), ("marker", 6, 5)])) == []


def test_nothing_gives_nothing() -> None:
    assert (megatron([]), fsdp([])) == ([], [])
