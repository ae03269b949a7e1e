"""Where the ranks of a job stand in its parallel dimensions: sizes with their rules, elements of a view, groups of elements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, get_args

from insight_desktop.errors import BadArgument

Algorithm = Literal[
    "megatron-lm(tp-cp-ep-dp-pp)", "megatron-lm(tp-cp-pp-ep-dp)", "mindspeed(tp-cp-ep-dp-pp)", "mindie-llm(tp-dp-ep-pp-moetp)",
    "vllm(tp-pp-dp-ep)",
]  # fmt: skip
Dimension = Literal["ep-dp-pp-cp-tp", "ep-dp-pp-cp", "ep-dp-pp", "ep-dp"]
Sizes = dict[str, int]
MEGATRON, MEGATRON_PP, MINDSPEED, MINDIE, VLLM = get_args(Algorithm)
FULL, CP_VIEW, PP_VIEW, DP_VIEW = get_args(Dimension)
MAX_SIZE, MAX_RANKS = 10_000, 1_000_000
_HYBRID = ("hybird_cp_algo", "hybird_adaptive_cp_algo")  # spelt as the data spell them
CP_ALGORITHMS = ("", "ulysses_cp_algo", "megatron_cp_algo", *_HYBRID)
_ORDER = {
    MEGATRON: ("tp", "cp", "dp", "pp"), MEGATRON_PP: ("tp", "cp", "pp", "dp"), MINDSPEED: ("tp", "cp", "dp", "pp"),
    MINDIE: ("tp", "dp", "pp"), VLLM: ("tp", "pp", "dp"),
}  # fmt: skip
_FOLDED = {FULL: (), CP_VIEW: ("tp",), PP_VIEW: ("tp", "cp"), DP_VIEW: ("tp", "cp", "pp")}
_NAMED = ("dp", "pp", "cp", "tp")
_TOKENS = {
    "dp": ("dp",), "cp": ("cp",), "tp": ("tp",), "pp": ("pp",), "dp-cp": ("dp", "cp"), "mp": ("tp", "pp"),
    "tp-dp-cp": ("tp", "dp", "cp"), "tp-dp": ("tp", "dp"), "tp-cp": ("tp", "cp"),
}  # fmt: skip
_EXPERT_TOKENS = {
    "exp": ("ep",), "tp_exp": ("tp", "ep"), "dp_modulo_exp": ("dp",), "dp_modulo_exp_cp": ("dp", "cp"),
    "mp_exp": ("tp", "ep", "pp"),
}  # fmt: skip


@dataclass(frozen=True)
class Strategy:
    """Sizes of the parallel dimensions and the algorithm that gives the ranks their places.

    The fields from `use_tp_2d` on are MindSpeed's alone.
    """

    algorithm: str = MEGATRON
    tp: int = 1
    pp: int = 1
    dp: int = 1
    cp: int = 1
    ep: int = 1
    moe_tp: int = 1
    use_tp_2d: bool = False
    nd1_dim1: int = 1
    nd2_dim1: int = 1
    cp_algorithm: str = ""
    ulysses_degree: int = 1
    window: int = 1

    @property
    def ranks(self) -> int:
        """Number of ranks of the job."""
        return self.tp * self.pp * self.cp * self.dp

    def size(self, dimension: str) -> int:
        """Size of tp, pp, dp, cp or ep."""
        return int(getattr(self, dimension))

    def checked(self) -> Strategy:
        """The strategy with cp 1 for vLLM. Raises BadArgument for the first rule that is broken."""
        if self.algorithm not in _ORDER:
            raise BadArgument(f"There is no algorithm {self.algorithm!r}.", fix=f"Use one of {', '.join(_ORDER)}.")
        names = ["pp", "tp", *(["moe_tp"] if self.algorithm == MINDIE else []), "cp", "dp", "ep"]
        for name in names:
            if not 1 <= self.size(name) <= MAX_SIZE:
                raise BadArgument(f"{name.upper()} size is {self.size(name)}.", fix=f"Use 1 to {MAX_SIZE:,}.")
        made = replace(self, cp=1) if self.algorithm == VLLM else self
        if made.ranks > MAX_RANKS:
            raise BadArgument(f"PP · TP · CP · DP is {made.ranks:,}.", fix=f"Keep it at {MAX_RANKS:,} or less.")
        made._check_experts()
        if made.algorithm == MINDSPEED and made.cp_algorithm:
            made._check_mindspeed()
        return made

    def _check_experts(self) -> None:
        rule, holds = {
            MEGATRON: ("DP must be a multiple of EP", self.dp % self.ep == 0),
            MEGATRON_PP: ("DP must be a multiple of EP", self.dp % self.ep == 0),
            MINDSPEED: ("DP · CP must be a multiple of EP", self.dp * self.cp % self.ep == 0),
            MINDIE: (
                "MoE-TP · EP must be TP · DP, and CP 1",
                self.moe_tp * self.ep == self.tp * self.dp and self.cp == 1,
            ),
            VLLM: (
                "EP must be 1, or a multiple of TP that divides DP · TP",
                self.ep == 1 or (self.dp * self.tp % self.ep == 0 and self.ep % self.tp == 0),
            ),
        }[self.algorithm]
        if not holds:
            raise BadArgument(f"EP size {self.ep} does not fit: {rule}.", fix="Change the sizes.")

    def _check_mindspeed(self) -> None:
        if self.cp_algorithm not in CP_ALGORITHMS:
            raise BadArgument(
                f"There is no CP algorithm {self.cp_algorithm!r}.", fix=f"Use one of {', '.join(CP_ALGORITHMS[1:])}."
            )
        if min(self.nd1_dim1, self.nd2_dim1, self.ulysses_degree, self.window) < 1:
            raise BadArgument("A size of MindSpeed's extra dimensions is below 1.", fix="Use 1 or more.")
        rules = [
            (
                self.use_tp_2d,
                self.tp % self.nd1_dim1 == 0 and self.tp % self.nd2_dim1 == 0,
                "TP by nd1 dim1 and nd2 dim1",
            ),
            (self.cp_algorithm in _HYBRID, self.cp % self.ulysses_degree == 0, "CP by the ulysses degree"),
            (
                self.cp_algorithm == "hybird_cp_algo" and not self.use_tp_2d,
                self.cp % (self.ulysses_degree * self.window) == 0,
                "CP by ulysses degree · window",
            ),
            (
                self.cp_algorithm == "megatron_cp_algo" and not self.use_tp_2d,
                self.cp % self.window == 0,
                "CP by the window",
            ),
        ]
        for applies, holds, text in rules:
            if applies and not holds:
                raise BadArgument(f"The sizes do not divide: {text}.", fix="Change the sizes.")


@dataclass(frozen=True)
class Element:
    """One square of the layout: a rank, or the ranks that a folded dimension puts together.

    Attributes:
        at: its index in each dimension (0 for folded ones).
        ep: expert parallel index, None where the view has none.
        x, y: place in the grid.
    """

    index: int
    name: str
    at: Mapping[str, int]
    ranks: tuple[int, ...]
    ep: int | None
    x: int
    y: int

    @property
    def ranks_text(self) -> str:
        """`5`, `4,5`, `8-11`, `0-3,8-11`."""
        runs: list[list[int]] = []
        for rank in self.ranks:
            if runs and rank == runs[-1][-1] + 1:
                runs[-1].append(rank)
            else:
                runs.append([rank])
        return ",".join(f"{r[0]}-{r[-1]}" if len(r) > 2 else ",".join(map(str, r)) for r in runs)


def shown_sizes(strategy: Strategy, dimension: str) -> Sizes:
    """Sizes of tp, cp, dp and pp in a view: 1 for folded ones."""
    return {d: 1 if d in _FOLDED[dimension] else strategy.size(d) for d in ("tp", "cp", "dp", "pp")}


def elements(strategy: Strategy, dimension: str = FULL) -> list[Element]:
    """The squares of a view in the order of their indices; in the full view an index is a rank."""
    sizes = shown_sizes(strategy, dimension)
    order = _ORDER[strategy.algorithm]
    stride = dict(_strides([(d, strategy.size(d)) for d in order]))
    folded = [range(0, strategy.size(d) * stride[d], stride[d]) for d in order if d in _FOLDED[dimension]]
    inner = [sum(steps) for steps in product(*reversed(folded))] if folded else [0]
    found = []
    for index in range(math.prod(sizes.values())):
        at, rest = {"tp": 0, "cp": 0, "dp": 0, "pp": 0}, index
        for d in order:
            rest, at[d] = divmod(rest, sizes[d])
        base = sum(at[d] * stride[d] for d in order)
        name = "-".join(f"{d}{at[d]}" for d in _NAMED if sizes[d] > 1)
        x = (at["dp"] * sizes["cp"] + at["cp"]) * sizes["tp"] + at["tp"]
        ranks = tuple(sorted(base + offset for offset in inner))
        found.append(Element(index, name, at, ranks, _expert(strategy, dimension, index, at), x, at["pp"]))
    return found


def _expert(strategy: Strategy, dimension: str, index: int, at: Mapping[str, int]) -> int | None:
    s, ep = strategy, strategy.ep
    divides = s.dp % ep == 0
    if s.algorithm == MINDIE:
        return index // s.moe_tp % ep if dimension == FULL else None
    if s.algorithm == MINDSPEED and dimension in (FULL, CP_VIEW):
        return (at["cp"] + s.cp * at["dp"]) // (s.dp * s.cp // ep)
    if s.algorithm == VLLM and dimension == FULL:
        return (at["tp"] + s.tp * at["dp"]) // (s.dp * s.tp // ep)
    return at["dp"] // (s.dp // ep) if divides else None


def groups(strategy: Strategy, dimension: str = FULL) -> list[tuple[str, tuple[int, ...]]]:
    """Communication groups of a view: name and members, which are indices of elements (ranks in the full view).

    Groups of one member are left out; the view of dp alone has none.
    """
    if dimension == DP_VIEW:
        return []
    found = list(_plain_groups(strategy, dimension))
    if strategy.algorithm == MINDSPEED:
        found += _mindspeed_groups(strategy, dimension)
    if strategy.ep > 1:
        found += _expert_groups(strategy, dimension)
    return [(name, members) for name, members in found if len(members) > 1]


Named = Iterator[tuple[str, tuple[int, ...]]]


def generated(order: Sequence[tuple[str, int]], token: Sequence[str]) -> list[tuple[int, ...]]:
    """Groups over the dimensions of a token: one per place in the others, the first dimension running fastest.

    Args:
        order: dimensions and sizes, fastest first.
        token: dimensions whose places are put together.
    """
    sizes, stride = dict(order), dict(_strides(order))

    def offsets(names: list[str]) -> list[int]:
        ranges = [range(0, sizes[d] * stride[d], stride[d]) for d in reversed(names)]
        return [sum(steps) for steps in product(*ranges)]

    inside = offsets([d for d, _ in order if d in token])
    return [tuple(base + offset for offset in inside) for base in offsets([d for d, _ in order if d not in token])]


def _strides(order: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    stride = 1
    for name, size in order:
        yield name, stride
        stride *= size


def _plain_groups(strategy: Strategy, dimension: str) -> Named:
    sizes = shown_sizes(strategy, dimension)
    order = [(d, sizes[d]) for d in _ORDER[strategy.algorithm]]
    simple = strategy.algorithm in (MINDIE, VLLM)
    for name, token in _TOKENS.items():
        if all(sizes[d] > 1 for d in token) and not (simple and len(token) > 1):
            yield from ((name, members) for members in generated(order, token))


def _expert_groups(s: Strategy, dimension: str) -> Named:
    sizes = shown_sizes(s, dimension)
    tp, cp, dp, pp = (("tp", sizes["tp"]), ("cp", sizes["cp"]), ("dp", sizes["dp"] // s.ep), ("pp", sizes["pp"]))
    ep = ("ep", s.ep)
    tokens = _EXPERT_TOKENS
    if s.algorithm == MINDIE:
        order = [("moeTp", s.moe_tp), ep, pp]
        tokens = {"moeTp": ("moeTp",), "exp": ("ep",)}
        sizes["moeTp"] = s.moe_tp
    elif s.algorithm == VLLM:
        inner = s.ep // s.tp
        order = [tp, pp, ("inner", inner), ("outer", s.dp // inner)]
        tokens = {"exp": ("tp", "inner")}
        sizes["tp"] = sizes["inner"] = 2  # one of the two may be 1: they are split sizes
    elif s.algorithm == MINDSPEED:
        order = [tp, ("cp", 1), ep, ("dp", s.dp * s.cp // s.ep), pp]
    else:
        order = [tp, cp, ep, dp, pp] if s.algorithm == MEGATRON else [tp, cp, pp, ep, dp]
    if dimension not in ((FULL,) if s.algorithm in (MINDIE, VLLM) else (FULL, CP_VIEW, PP_VIEW)):
        return
    if s.algorithm == MINDSPEED and dimension == PP_VIEW:
        return
    sizes["ep"] = s.ep
    for name, token in tokens.items():
        if all(sizes[d] > 1 for d in token):
            yield from ((name, members) for members in generated(order, token))


def _mindspeed_groups(s: Strategy, dimension: str) -> Named:
    sizes = shown_sizes(s, dimension)
    tp, dp, pp = (("tp", sizes["tp"]), ("dp", sizes["dp"]), ("pp", sizes["pp"]))
    variants: list[tuple[str, str, list[tuple[str, int]]]] = []  # name, dimension, order
    if sizes["cp"] > 1:
        degree = s.ulysses_degree if s.cp_algorithm in _HYBRID else 1
        ring = s.cp // degree
        if s.cp_algorithm in _HYBRID:
            order = [tp, ("ulysses", degree), ("ring", ring), dp, pp]
            variants += [("cp_ulysses", "ulysses", order), ("cp_ring", "ring", order)]
        if s.cp_algorithm in ("hybird_cp_algo", "megatron_cp_algo") and not s.use_tp_2d:
            order = [tp, ("ulysses", degree), ("win", s.window), ("inter", ring // s.window), dp, pp]
            variants.append(("cp_ring_intra", "win", order))
    if s.use_tp_2d and sizes["tp"] > 1:
        for name, first in (("nd1", s.nd1_dim1), ("nd2", s.nd2_dim1)):
            order = [("dim1", first), ("dim2", s.tp // first), ("cp", sizes["cp"]), dp, pp]
            variants += [(f"{name}_dim1", "dim1", order), (f"{name}_dim2", "dim2", order)]
    for name, one, order in variants:
        if dict(order)[one] > 1:
            yield from ((name, members) for members in generated(order, (one,)))
