"""Two kernels on the parts of a few cores: instructions with pipes, cycles and flags, run in order per pipe.

Everything follows from the seed. Times are cycles of a clock of 1650 MHz.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

MHZ = 1650.0
ADD_PATH = "/home/dev/kernels/add_custom/add_custom.cpp"
ADD_TILING = "/home/dev/kernels/add_custom/add_custom_tiling.h"
MATMUL_PATH = "/home/dev/kernels/matmul_leakyrelu/matmul_leakyrelu_kernel.cpp"

ADD_SOURCE = """\
#include "kernel_operator.h"
#include "add_custom_tiling.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

class KernelAdd {
public:
    __aicore__ inline KernelAdd() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const AddTiling &tiling)
    {
        tileLength = tiling.tileLength;
        tileCount = tiling.tileCount;
        uint32_t offset = GetBlockIdx() * tileLength * tileCount;
        xGm.SetGlobalBuffer((__gm__ half *)x + offset, tileLength * tileCount);
        yGm.SetGlobalBuffer((__gm__ half *)y + offset, tileLength * tileCount);
        zGm.SetGlobalBuffer((__gm__ half *)z + offset, tileLength * tileCount);
        pipe.InitBuffer(inX, BUFFER_NUM, tileLength * sizeof(half));
        pipe.InitBuffer(inY, BUFFER_NUM, tileLength * sizeof(half));
        pipe.InitBuffer(outZ, BUFFER_NUM, tileLength * sizeof(half));
    }

    __aicore__ inline void Process()
    {
        for (int32_t i = 0; i < tileCount; i++) {
            CopyIn(i);
            Compute(i);
            CopyOut(i);
        }
    }

private:
    __aicore__ inline void CopyIn(int32_t i)
    {
        LocalTensor<half> x = inX.AllocTensor<half>();
        LocalTensor<half> y = inY.AllocTensor<half>();
        DataCopy(x, xGm[i * tileLength], tileLength);
        DataCopy(y, yGm[i * tileLength], tileLength);
        inX.EnQue(x);
        inY.EnQue(y);
    }

    __aicore__ inline void Compute(int32_t i)
    {
        LocalTensor<half> x = inX.DeQue<half>();
        LocalTensor<half> y = inY.DeQue<half>();
        LocalTensor<half> z = outZ.AllocTensor<half>();
        Add(z, x, y, tileLength);
        outZ.EnQue<half>(z);
    }

    __aicore__ inline void CopyOut(int32_t i)
    {
        LocalTensor<half> z = outZ.DeQue<half>();
        DataCopy(zGm[i * tileLength], z, tileLength);
        outZ.FreeTensor(z);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> inX, inY;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outZ;
    GlobalTensor<half> xGm, yGm, zGm;
    uint32_t tileLength = 0;
    int32_t tileCount = 0;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR tiling)
{
    KernelAdd op;
    op.Init(x, y, z, ReadTiling(tiling));  // 每个核处理一段
    op.Process();
}
"""

ADD_TILING_SOURCE = """\
#pragma once

struct AddTiling {
    uint32_t tileLength;
    int32_t tileCount;
};

__aicore__ inline AddTiling ReadTiling(GM_ADDR address)
{
    auto *words = reinterpret_cast<__gm__ uint32_t *>(address);
    return {words[0], static_cast<int32_t>(words[1])};
}
"""

MATMUL_SOURCE = """\
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;
using namespace matmul;

template <typename A, typename B, typename C, typename D>
class MatmulLeaky {
public:
    __aicore__ inline MatmulLeaky() {}
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, const TCubeTiling &tiling);
    __aicore__ inline void Process(TPipe *pipe);
    __aicore__ inline void CubeTile(uint32_t k);
    __aicore__ inline void LeakyRelu(uint32_t row);

private:
    Matmul<A, B, C, D> product;
    TQue<QuePosition::VECIN, 1> tiles;
    TQue<QuePosition::VECOUT, 1> results;
    GlobalTensor<D> cGm;
    TCubeTiling tiling;
};

template <typename A, typename B, typename C, typename D>
__aicore__ inline void MatmulLeaky<A, B, C, D>::CubeTile(uint32_t k)
{
    LoadToL1(k);
    for (uint32_t step = 0; step < tiling.stepK; step++) {
        LoadToL0A(step);
        LoadToL0B(step);
        Mmad(step);
    }
}

template <typename A, typename B, typename C, typename D>
__aicore__ inline void MatmulLeaky<A, B, C, D>::Process(TPipe *pipe)
{
    for (uint32_t k = 0; k < tiling.tileCount; k++) {
        CubeTile(k);
    }
    product.GetTensorC(cGm);
    for (uint32_t row = 0; row < tiling.rows; row++) {
        LeakyRelu(row);
    }
}

template <typename A, typename B, typename C, typename D>
__aicore__ inline void MatmulLeaky<A, B, C, D>::LeakyRelu(uint32_t row)
{
    DataCopy(tiles.AllocTensor<D>(), cGm[row * tiling.n], tiling.n);
    VLeakyRelu(results.AllocTensor<D>(), tiles.DeQue<D>(), static_cast<D>(0.001));
    DataCopy(cGm[row * tiling.n], results.DeQue<D>(), tiling.n);
}

extern "C" __global__ __aicore__ void matmul_leakyrelu(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR tilingGm)
{
    TPipe pipe;
    MatmulLeaky<half, half, float, float> op;
    op.Init(a, b, c, ReadTiling(tilingGm));
    op.Process(&pipe);
}
"""


@dataclass(frozen=True)
class Instruction:
    """One instruction of the program.

    Attributes:
        mark: text of the source line that it was made from.
        sets, waits: (flag, pipe of the other side).
        bytes: moved by one execution.
    """

    path: str
    mark: str
    pipe: str
    text: str
    cycles: int
    bytes: int = 0
    sets: tuple[str, str] | None = None
    waits: tuple[str, str] | None = None


@dataclass
class Slice:
    """One execution: interval in cycles, and the flag it set or waited for."""

    address: int
    begin: int
    end: int
    flag: str = ""


@dataclass
class Part:
    """One part of a core: what it ran."""

    core: int
    kind: str  # cube or vector
    number: int
    runs: list[Slice] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"core{self.core}.{'cube' if self.kind == 'cube' else 'vec'}core{self.number}"

    @property
    def cycles(self) -> int:
        return max(run.end for run in self.runs)


@dataclass
class Kernel:
    """A kernel: program by address, parts with their runs, sources by path."""

    short: str
    name: str
    op_type: str
    blocks: int
    sources: dict[str, str]
    program: dict[int, Instruction]
    parts: list[Part]

    @property
    def duration_us(self) -> float:
        return round(max(part.cycles for part in self.parts) / MHZ + 1.85, 6)

    def line(self, address: int) -> int:
        """Line of the source, 1 first."""
        found = self.program[address]
        lines = self.sources[found.path].split("\n")
        return next(i for i, text in enumerate(lines, 1) if found.mark in text)

    def of(self, pipe: str) -> list[int]:
        """Addresses of a pipe's instructions."""
        return [address for address, found in self.program.items() if found.pipe == pipe]


def _addresses(first: int, program: list[Instruction]) -> dict[int, Instruction]:
    return {first + 8 * i: found for i, found in enumerate(program)}


def _run(part: Part, program: dict[int, Instruction], tiles: int, rng: random.Random, slow: float) -> None:
    """Every tile runs the program; a pipe works in order, a wait ends when its flag of this tile is set."""
    free: dict[str, int] = {}
    issue = 10
    for tile in range(tiles):
        flags: dict[str, int] = {}
        for address, found in program.items():
            begin = max(free.get(found.pipe, 0), issue)
            cycles = found.cycles
            if found.bytes:
                cycles = round(cycles * slow * rng.uniform(0.92, 1.15))
            flag = found.sets or found.waits
            ident = f"{part.name}_{tile}_{flag[0]}" if flag else ""
            end = begin + cycles
            if found.waits:
                end = max(end, flags.get(found.waits[0], begin) + 2)
            if found.sets:
                flags[found.sets[0]] = end
            part.runs.append(Slice(address, begin, end, ident))
            free[found.pipe] = end
            if found.pipe == "SCALAR":
                issue = end
        issue = max(issue, min(free.values()) if tile else issue)


def add() -> Kernel:
    """z = x + y in half precision on eight vector cores, double buffered; core 5 is slower."""
    rng = random.Random(11)
    tile = 4096 * 2
    program = [
        Instruction(ADD_PATH, "for (int32_t i = 0; i < tileCount", "SCALAR", "CMP_LT XN:X4,XM:X9", 4),
        Instruction(ADD_PATH, "CopyIn(i);", "SCALAR", "CALL offset:0x40", 6),
        Instruction(ADD_PATH, "DataCopy(x, xGm", "SCALAR", "MUL XD:X12,XN:X4,XM:X11,dtype:U64", 8),
        Instruction(ADD_PATH, "DataCopy(x, xGm", "MTE2", "MOV_OUT_TO_UB XD:X13,XN:X12,nburst:1,lenburst:256", 640, tile),
        Instruction(ADD_PATH, "DataCopy(y, yGm", "MTE2", "MOV_OUT_TO_UB XD:X14,XN:X15,nburst:1,lenburst:256", 640, tile),
        Instruction(ADD_PATH, "inY.EnQue(y)", "MTE2", "SET_FLAG PIPE:MTE2,TRIGGERPIPE:VEC,FLAGID:0", 4, sets=("in", "VECTOR")),
        Instruction(ADD_PATH, "Compute(i);", "SCALAR", "CALL offset:0xa8", 6),
        Instruction(ADD_PATH, "inX.DeQue<half>()", "VECTOR", "WAIT_FLAG PIPE:MTE2,TRIGGERPIPE:VEC,FLAGID:0", 2, waits=("in", "MTE2")),
        Instruction(ADD_PATH, "Add(z, x, y", "SCALAR", "MOV_XD_IMM XD:X20,IMM:0x20", 3),
        Instruction(ADD_PATH, "Add(z, x, y", "VECTOR", "VADD XD:X21,XN:X13,XM:X14,dtype:F16,repeat:32", 84, 3 * tile),
        Instruction(ADD_PATH, "outZ.EnQue<half>(z)", "VECTOR", "SET_FLAG PIPE:VEC,TRIGGERPIPE:MTE3,FLAGID:1", 4, sets=("out", "MTE3")),
        Instruction(ADD_PATH, "CopyOut(i);", "SCALAR", "CALL offset:0xf0", 6),
        Instruction(ADD_PATH, "outZ.DeQue<half>()", "MTE3", "WAIT_FLAG PIPE:VEC,TRIGGERPIPE:MTE3,FLAGID:1", 2, waits=("out", "VECTOR")),
        Instruction(ADD_PATH, "DataCopy(zGm", "MTE3", "MOV_UB_TO_OUT XD:X16,XN:X21,nburst:1,lenburst:256", 520, tile),
        Instruction(ADD_TILING, "return {words[0]", "SCALAR", "LD_XD_XN_IMM XD:X11,XN:X29,IMM:0x0", 22),
    ]  # fmt: skip
    placed = _addresses(0x1134E000, program)
    parts = [Part(core, "vector", 0) for core in range(8)]
    for part in parts:
        _run(part, placed, 8, rng, 1.35 if part.core == 5 else 1.0)
    sources = {ADD_PATH: ADD_SOURCE, ADD_TILING: ADD_TILING_SOURCE}
    return Kernel("add_910b4", "add_custom_5f1c_0_aiv", "vector", 8, sources, placed, parts)


def matmul() -> Kernel:
    """A matrix product with a leaky ReLU on four mix blocks: a cube and two vector parts each; block 2 is slower."""
    rng = random.Random(23)
    p = MATMUL_PATH
    cube = [
        Instruction(p, "for (uint32_t k = 0; k < tiling.tileCount", "SCALAR", "CMP_LT XN:X4,XM:X9", 4),
        Instruction(p, "LoadToL1(k);", "SCALAR", "LD_XD_XN_IMM XD:X11,XN:X29,IMM:0x10", 18),
        Instruction(p, "LoadToL1(k);", "MTE2", "MOV_OUT_TO_L1_MULTI_ND2NZ XD:L1[0],XN:X12", 980, 65536),
        Instruction(p, "LoadToL1(k);", "MTE2", "SET_FLAG PIPE:MTE2,TRIGGERPIPE:MTE1,FLAGID:0", 4, sets=("l1", "MTE1")),
        Instruction(p, "for (uint32_t step = 0", "SCALAR", "JUMPC XN:X17,offset:-0x38", 5),
        Instruction(p, "LoadToL0A(step);", "MTE1", "WAIT_FLAG PIPE:MTE2,TRIGGERPIPE:MTE1,FLAGID:0", 2, waits=("l1", "MTE2")),
        Instruction(p, "LoadToL0A(step);", "MTE1", "LOAD_L1_TO_L0A_2Dv2 XD:L0A[0],XN:L1[0]", 310, 32768),
        Instruction(p, "LoadToL0B(step);", "MTE1", "LOAD_L1_TO_L0B_2Dv2 XD:L0B[0],XN:L1[0x8000]", 310, 32768),
        Instruction(p, "LoadToL0B(step);", "MTE1", "SET_FLAG PIPE:MTE1,TRIGGERPIPE:M,FLAGID:1", 4, sets=("l0", "CUBE")),
        Instruction(p, "Mmad(step);", "CUBE", "WAIT_FLAG PIPE:MTE1,TRIGGERPIPE:M,FLAGID:1", 2, waits=("l0", "MTE1")),
        Instruction(p, "Mmad(step);", "CUBE", "MMAD XD:L0C[0],XN:L0A[0],XM:L0B[0],dtype:F16", 760),
        Instruction(p, "product.GetTensorC(cGm);", "CUBE", "SET_FLAG PIPE:M,TRIGGERPIPE:FIX,FLAGID:2", 4, sets=("l0c", "FIXP")),
        Instruction(p, "product.GetTensorC(cGm);", "FIXP", "WAIT_FLAG PIPE:M,TRIGGERPIPE:FIX,FLAGID:2", 2, waits=("l0c", "CUBE")),
        Instruction(p, "product.GetTensorC(cGm);", "FIXP", "FIX_L0C_TO_OUT XD:X14,XN:L0C[0],NSIZE:128", 420, 65536),
    ]  # fmt: skip
    vector = [
        Instruction(p, "for (uint32_t row = 0", "SCALAR", "ADD XD:X21,XN:X21,XM:X6,dtype:U64", 4),
        Instruction(p, "DataCopy(tiles.AllocTensor", "MTE2", "MOV_OUT_TO_UB XD:UB[0],XN:X12,nburst:1", 430, 16384),
        Instruction(p, "DataCopy(tiles.AllocTensor", "MTE2", "SET_FLAG PIPE:MTE2,TRIGGERPIPE:VEC,FLAGID:3", 4, sets=("ub", "VECTOR")),
        Instruction(p, "VLeakyRelu(", "VECTOR", "WAIT_FLAG PIPE:MTE2,TRIGGERPIPE:VEC,FLAGID:3", 2, waits=("ub", "MTE2")),
        Instruction(p, "VLeakyRelu(", "VECTOR", "VLRELU XD:UB[0x8000],XN:UB[0],XM:X20,dtype:F32", 145, 32768),
        Instruction(p, "VLeakyRelu(", "VECTOR", "SET_FLAG PIPE:VEC,TRIGGERPIPE:MTE3,FLAGID:4", 4, sets=("res", "MTE3")),
        Instruction(p, "DataCopy(cGm[row", "MTE3", "WAIT_FLAG PIPE:VEC,TRIGGERPIPE:MTE3,FLAGID:4", 2, waits=("res", "VECTOR")),
        Instruction(p, "DataCopy(cGm[row", "MTE3", "MOV_UB_TO_OUT XD:X14,XN:UB[0x8000],nburst:1", 380, 16384),
    ]  # fmt: skip
    on_cube, on_vector = _addresses(0x112805A0, cube), _addresses(0x11281000, vector)
    parts = []
    for core in range(4):
        for kind, number in (("cube", 0), ("vector", 0), ("vector", 1)):
            part = Part(core, kind, number)
            slow = 1.22 if core == 2 else 1.0
            _run(part, on_cube if kind == "cube" else on_vector, 12 if kind == "cube" else 18, rng, slow)
            parts.append(part)
    return Kernel(
        "matmul_910b4", "matmul_leakyrelu_9c2e_1_mix_aic", "mix", 4, {p: MATMUL_SOURCE}, on_cube | on_vector, parts
    )
