"""Rules and thresholds of the advisors: what is looked for and what is advised. The window shows them beside the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

FREQUENCY_DROP_PERCENT = 5  # a drop of more whole percent than this is a problem
AICPU_NS = 20_000  # AICPU operators that take this long or longer are listed
ACLNN_COUNT = 20  # names that occur this often or oftener are listed
DISPATCH_COUNT = 20  # so many compilations or more are listed

OPTIMIZER = re.compile(r"Optimizer\.step#(SGD|Adadelta|Lamb|AdamP|AdamW|Adam|BertAdam|RMSpropTF|RMSprop)\.step")
FUSED_OPTIMIZER = "torch_npu.optim.NpuFused"

AICPU_AVOID = frozenset({"index", "indexput", "indexputv2", "nonzero"})
_EQUAL = "float|float32|float16|bool|int32|int8|uint8"
_MUL = "float|float32|float16|bool|int32|uint32|int64|uint64|int8|uint8|dt_bf16"
_CAST = "float|float32|float16|bool|int32|uint32|int64|uint64|uint8|dt_bf16"
_OTHERS = f"{_MUL}|int16|uint16"
# Allowed data types of inputs and outputs by operator type; OTHERS for all further ones.
AICPU_TYPES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    name: (tuple(inputs.split("|")), tuple(outputs.split("|")))
    for name, inputs, outputs in (
        ("cast", _CAST, _CAST),
        ("tensorequal", _EQUAL, "bool"),
        ("equal", f"{_EQUAL}|int64", "bool"),
        ("nonzero", "float16|bool|dt_bf16", "int64"),
        ("mul", _MUL, _MUL),
        ("others", _OTHERS, _OTHERS),
    )
}
NO_TYPES = frozenset({"", "n/a", "null", "none", "undefined", "dt_undefined"})

# Consecutive operator types of a stream and the operator that does their work; the first that matches counts.
FUSIONS: tuple[tuple[tuple[str, ...], str], ...] = tuple(
    (tuple(types.split(", ")), fused)
    for types, fused in (
        ("Cast, LayerNorm, Cast", "LayerNorm"),
        ("Transpose, Transpose, GatherElement, Transpose", "GatherElements"),
        ("Mul, Slice, Neg, Slice, ConcatD, Mul, Add", "RotaryMul"),
        ("Mul, AsStrided, Neg, AsStrided, ConcatD, Mul, Add", "RotaryMul"),
        ("Mul, Slice, Neg, Slice, ConcatD, Cast, Mul, Add", "RotaryMul"),
        ("Cast, Square, MemSet, ReduceMean, Add, Rsqrt, Mul, Cast, Mul", "RMSNorm"),
        ("Cast, Square, ReduceMeanD, Add, Rsqrt, Cast, Cast, Mul, Cast, Cast, Mul, Cast", "RMSNORM"),
    )
)

_SWIGLU = ("silu, mul", "mul, silu", "sigmoid, mul, mul", "mul, sigmoid, mul", "mul, mul, sigmoid")
# Sequence (`a|b` either, `(a)?` may be left out, `(a){0..2}` up to twice), replacement, since which CANN.
_AFFINITY: tuple[tuple[str, str, str], ...] = (
    ("gelu", "torch_npu.fast_gelu", ""),
    ("linear", "torch_npu.npu_linear", ""),
    ("mish", "torch_npu.npu_mish / torch_npu.contrib.module.Mish", ""),
    ("silu", "torch_npu.npu_silu / torch_npu.contrib.module.SiLU", ""),
    ("mul, sigmoid", "torch_npu.npu_silu / torch_npu.contrib.module.SiLU", ""),
    ("sigmoid, mul", "torch_npu.npu_silu / torch_npu.contrib.module.SiLU", ""),
    ("add, reciprocal, mul", "optimizer.clip_grad_norm_fused_", ""),
    ("softmax, (mul)?, masked_fill_|add", "torch_npu.npu_scaled_masked_softmax", ""),
    ("permute|transpose, (contiguous)?, reshape|view", "torch_npu.npu_confusion_transpose", ""),
    ("reshape|view, (contiguous)?, permute|transpose", "torch_npu.npu_confusion_transpose", ""),
    ("chunk|slice, neg, cat, (mul){0..2}, add", "torch_npu.npu_rotary_mul", "7.0"),
    (
        "matmul, (add)?, (mul)?, (masked_fill_|add)?, softmax, (dropout)?, matmul",
        "torch_npu.npu_fusion_attention",
        "7.0",
    ),
    ("(pow)?, (mean)?, (add)?, rsqrt, mul, (type_as)?", "torch_npu.npu_rms_norm", "7.0"),
    *((f"slice|chunk, {rest}", "torch_npu.npu_swiglu", "7.0") for rest in _SWIGLU),
    ("slice|chunk, gelu, mul", "torch_npu.npu_geglu", "8.0"),
    ("slice|chunk, mul, gelu", "torch_npu.npu_geglu", "8.0"),
)
_STEP = re.compile(r"\((?P<optional>[^)]+)\)(?P<times>\?|\{0\.\.(?P<most>\d+)\})")


@dataclass(frozen=True)
class Sequence:
    """Consecutive operators (each one of several names) and what replaces them."""

    steps: tuple[frozenset[str], ...]
    replacement: str
    note: str


def affinity() -> tuple[Sequence, ...]:
    """The rules of the Affinity API advisor, one per variant with and without the optional operators."""
    return _VARIANTS


def _variants() -> Iterator[Sequence]:
    for text, replacement, cann in _AFFINITY:
        note = f"Needs CANN {cann} or later." if cann else ""
        choices = [_choices(step) for step in text.split(", ")]
        seen = set()
        for chosen in product(*choices):
            steps = tuple(step for part in chosen for step in part)
            if steps not in seen:
                seen.add(steps)
                yield Sequence(steps, replacement, note)


def _choices(step: str) -> list[tuple[frozenset[str], ...]]:
    found = _STEP.fullmatch(step)
    names = frozenset(f"aten::{name}" for name in (found["optional"] if found else step).split("|"))
    if found is None:
        return [(names,)]
    return [(names,) * n for n in range(int(found["most"] or 1) + 1)]


_VARIANTS = tuple(_variants())
