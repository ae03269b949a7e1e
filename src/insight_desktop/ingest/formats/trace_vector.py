"""Compiled primitives of the trace scanner: bare pointers, unaligned words, looking at 32 bytes at a time.

Kernels hand each other pointers instead of arrays: an array costs a dozen arguments and a locked count of its users at
every call. Vectors are written as LLVM vectors, so each processor gets its own instructions.

A pointer knows no length: what is read here may lie up to PADDING bytes behind the text, so buffers end in that many
bytes of any content, and a position found at or behind the end of the text means that nothing was found.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

PADDING = 64
_BIG_ENDIAN = sys.byteorder == "big"
WIDTH = 32

_BYTES = ir.VectorType(ir.IntType(8), WIDTH)
_BITS = ir.IntType(WIDTH)

_ONES = np.uint64(0x0101010101010101)
_HIGH = np.uint64(0x8080808080808080)
_QUOTES = np.uint64(0x2222222222222222)
_UPPER = np.uint64(0xF0F0F0F0F0F0F0F0)
_ZEROS = np.uint64(0x3030303030303030)
_SIXES = np.uint64(0x0606060606060606)


@intrinsic
def pointer(_typing: Any, array: Any) -> Any:
    """Pointer to the first item of a contiguous array, which has to outlive it."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), code


@intrinsic
def word_at(_typing: Any, _bytes: Any, _place: Any) -> Any:
    """Eight bytes from a place on as one number, the first byte lowest."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        loaded = builder.load(builder.bitcast(builder.gep(args[0], [args[1]]), word.as_pointer()), align=1)
        return builder.bswap(loaded) if _BIG_ENDIAN else loaded

    return types.uint64(types.CPointer(types.uint8), types.intp), code


@intrinsic
def trailing_zeros(_typing: Any, _word: Any) -> Any:
    """Number of zero bits below the lowest one; 64 when there is none."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.intp(types.uint64), code


def _splat(byte: int) -> Any:
    return ir.Constant(_BYTES, [byte] * WIDTH)


def _load(builder: Any, args: Any) -> Any:
    return builder.load(builder.bitcast(builder.gep(args[0], [args[1]]), _BYTES.as_pointer()), align=1)


def _first(builder: Any, found: Any) -> Any:
    """Index of the first true lane, WIDTH when there is none."""
    bits = builder.bitcast(found, _BITS)
    return builder.zext(builder.cttz(bits, ir.Constant(ir.IntType(1), 0)), ir.IntType(64))


@intrinsic
def quote_in(_typing: Any, _bytes: Any, _place: Any) -> Any:
    """How many of the WIDTH bytes from a place on come before the first quote or backslash."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        v = _load(builder, args)
        quote, slash = (builder.icmp_unsigned("==", v, _splat(c)) for c in b'"\\')
        return _first(builder, builder.or_(quote, slash))

    return types.intp(types.CPointer(types.uint8), types.intp), code


@intrinsic
def word_end_in(_typing: Any, _bytes: Any, _place: Any) -> Any:
    """How many of the WIDTH bytes from a place on come before the first that no number or word holds."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        v = _load(builder, args)
        letter = builder.icmp_unsigned("<", builder.sub(builder.or_(v, _splat(32)), _splat(97)), _splat(26))
        # + , - . / 0 .. 9 are neighbours; comma and slash are taken out again.
        figure = builder.icmp_unsigned("<", builder.sub(v, _splat(43)), _splat(15))
        comma, slash, low = (builder.icmp_unsigned("==", v, _splat(c)) for c in b",/_")
        inside = builder.or_(builder.or_(letter, low), builder.and_(figure, builder.not_(builder.or_(comma, slash))))
        return _first(builder, builder.not_(inside))

    return types.intp(types.CPointer(types.uint8), types.intp), code


@njit(nogil=True)
def quote_in_word(x):  # type: ignore[no-untyped-def]
    """How many of the eight bytes of x come before the first quote; 8 when there is none."""
    y = x ^ _QUOTES
    return trailing_zeros((y - _ONES) & ~y & _HIGH) >> 3


@njit(nogil=True)
def low_bytes(x, size):  # type: ignore[no-untyped-def]
    """The first `size` (0 to 7) bytes of x, the others zero."""
    return x & ((np.uint64(1) << np.uint64(8 * size)) - np.uint64(1))


@njit(nogil=True)
def are_digits(x):  # type: ignore[no-untyped-def]
    """True when all eight bytes are decimal digits."""
    return (x & _UPPER) == _ZEROS and ((x + _SIXES) & _UPPER) == _ZEROS


@njit(nogil=True)
def eight_digits(x):  # type: ignore[no-untyped-def]
    """The number that eight decimal digits write."""
    x = x - _ZEROS
    x = x * np.uint64(10) + (x >> np.uint64(8))
    low = (x & np.uint64(0x000000FF000000FF)) * np.uint64(0x000F424000000064)
    high = ((x >> np.uint64(16)) & np.uint64(0x000000FF000000FF)) * np.uint64(0x0000271000000001)
    return np.int64((low + high) >> np.uint64(32))


@njit(nogil=True)
def same_bytes(a, i, b, j, size):  # type: ignore[no-untyped-def]
    """True when a[i:i + size] equals b[j:j + size]."""
    k = 0
    while k + 8 <= size:
        if word_at(a, i + k) != word_at(b, j + k):
            return False
        k += 8
    return low_bytes(word_at(a, i + k) ^ word_at(b, j + k), size - k) == np.uint64(0)


@njit(nogil=True)
def hash_bytes(b, p, e):  # type: ignore[no-untyped-def]
    """64-bit hash of b[p:e]."""
    h = np.uint64(e - p) * np.uint64(0x9E3779B97F4A7C15)
    while p + 8 <= e:
        h = (h ^ word_at(b, p)) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
        p += 8
    h = (h ^ low_bytes(word_at(b, p), e - p)) * np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))
