"""The filter language: what a line of text asks for. `filter` turns it into masks.

| term | keeps slices |
|---|---|
| `word`, `"two words"` | whose name contains the text |
| `/regex/` | in whose name the expression is found |
| `args:text` | whose arguments contain the text, as written in the source |
| `dur>1ms`, `dur<=20us` | of such a duration (ns, us, µs, ms, s; ns without a unit; `>`, `>=`, `<`, `<=`, `=`) |
| `rank:0-7`, `rank:1,3` | of these ranks; names of cards count too |
| `lane:Stream 2` | on lanes whose title contains the text; a number is not cut: `Stream 2` is not `Stream 21` |
| `cat:cpu_op` | of this category |
| `-term` | for which the term does not hold |

Terms stand side by side and must all hold. Letter case is ignored. A number behind an unquoted lane belongs to it;
other texts with spaces are put in double quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from insight_desktop.errors import BadArgument

Kind = Literal["name", "regex", "args", "dur", "rank", "lane", "cat"]

HINT = "Use words, /regex/, args:text, dur>1ms, rank:0-7, lane:Stream 2, cat:cpu_op, and - in front for the opposite."
_KEYS: tuple[Kind, ...] = ("args", "rank", "lane", "cat")
_UNITS = {"": 1, "ns": 1, "us": 1000, "µs": 1000, "μs": 1000, "ms": 10**6, "s": 10**9}
_DURATION = re.compile(r"(>=|<=|=|>|<)\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-zµμ]*)", re.IGNORECASE)
_NUMBER = re.compile(r"\s+(\d+)(?=\s|$)")


@dataclass(frozen=True)
class Term:
    """One term.

    Attributes:
        kind: what is looked at.
        text: the text, expression, lane or category to look for.
        negated: the slices that do not fulfil it are wanted.
        position: of its first character in the line, 0 first.
        bounds: of a duration: lowest and highest in ns, None for open.
        ranks: of ranks: pairs of first and last, numbers or texts.
    """

    kind: Kind
    text: str
    negated: bool
    position: int
    bounds: tuple[int | None, int | None] = (None, None)
    ranks: tuple[tuple[int, int] | str, ...] = ()


@dataclass(frozen=True)
class Filter:
    """A parsed line; without terms everything passes."""

    text: str
    terms: tuple[Term, ...]

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """Lowest and highest duration in ns that passes, None for open."""
        lows = [t.bounds[0] for t in self.terms if t.bounds[0] is not None]
        highs = [t.bounds[1] for t in self.terms if t.bounds[1] is not None]
        return max(lows, default=None), min(highs, default=None)

    def of(self, *kinds: Kind) -> tuple[Term, ...]:
        """The terms of some kinds."""
        return tuple(term for term in self.terms if term.kind in kinds)


def parse(text: str) -> Filter:
    """Read a line; raises BadArgument that names the character (1 first) where it cannot be read."""
    terms = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        term, at = _term(text, at)
        terms.append(term)
    return Filter(text, tuple(terms))


def _term(text: str, start: int) -> tuple[Term, int]:
    negated = text[start] == "-"
    at = start + negated
    if at >= len(text) or text[at].isspace():
        raise _wrong(start, "nothing stands behind the minus")
    if text[at] == "/":
        found, at = _regex(text, at)
        return Term("regex", found, negated, start), at
    if text[at] == '"':
        found, at = _quoted(text, at)
        return Term("name", found, negated, start), at
    if text[at : at + 3].lower() == "dur" and text[at + 3 :].lstrip()[:1] in ("<", ">", "="):
        return _duration(text, start, at, negated)
    key = next((k for k in _KEYS if text[at : at + len(k) + 1].lower() == f"{k}:"), None)
    if key is None:
        found, at = _word(text, at)
        return Term("name", found, negated, start), at
    at += len(key) + 1
    value = at
    found, at = _quoted(text, at) if text[at : at + 1] == '"' else _word(text, at)
    if not found:
        raise _wrong(value, f"a value is missing behind {key}:")
    if key == "lane" and text[value] != '"' and (number := _NUMBER.match(text, at)):
        found, at = text[value : number.end()], number.end()
    ranks = tuple(_ranks(found, value)) if key == "rank" else ()
    return Term(key, found, negated, start, ranks=ranks), at


def _word(text: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(text) and not text[end].isspace():
        end += 1
    return text[at:end], end


def _quoted(text: str, at: int) -> tuple[str, int]:
    end = text.find('"', at + 1)
    if end < 0:
        raise _wrong(at, "the quotation mark is not closed")
    if end == at + 1:
        raise _wrong(at, "the quotation marks hold nothing")
    return text[at + 1 : end], end + 1


def _regex(text: str, at: int) -> tuple[str, int]:
    end = at + 1
    while end < len(text) and text[end] != "/":
        end += 2 if text[end] == "\\" else 1
    if end >= len(text):
        raise _wrong(at, "the expression has no / at its end")
    if end == at + 1:
        raise _wrong(at, "the expression is empty")
    if end + 1 < len(text) and not text[end + 1].isspace():
        raise _wrong(end + 1, "a space is missing behind the expression")
    # A slash inside is written \/; both engines read that as a slash.
    found = text[at + 1 : end]
    try:
        re.compile(found)
    except re.error as error:
        raise _wrong(at + 1 + (error.pos or 0), f"the expression cannot be read: {error.msg}") from error
    return found, end + 1


def _duration(text: str, start: int, at: int, negated: bool) -> tuple[Term, int]:
    begin = at + 3
    while text[begin].isspace():
        begin += 1
    found = _DURATION.match(text, begin)
    if found is None:
        raise _wrong(begin, "a duration is expected, such as dur>1ms")
    compare, number, unit = found.groups()
    if unit.lower() not in _UNITS:
        raise _wrong(found.start(3), f"{unit!r} is not a unit of time (ns, us, ms, s)")
    if found.end() < len(text) and not text[found.end()].isspace():
        raise _wrong(found.end(), "a space is missing behind the duration")
    if negated:
        if compare == "=":
            raise _wrong(start, "an exact duration has no opposite")
        compare = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}[compare]
    bounds = _bounds(compare, Decimal(number) * _UNITS[unit.lower()])
    return Term("dur", found.group(), negated, start, bounds), found.end()


def _bounds(compare: str, limit: Decimal) -> tuple[int | None, int | None]:
    """Whole ns that pass; a limit between two of them is between them."""
    floor = int(limit)
    whole = floor == limit
    if compare == ">":
        return floor + 1, None
    if compare == ">=":
        return floor if whole else floor + 1, None
    if compare == "<":
        return None, floor - 1 if whole else floor
    if compare == "<=":
        return None, floor
    return (floor, floor) if whole else (1, 0)


def _ranks(text: str, at: int) -> list[tuple[int, int] | str]:
    found: list[tuple[int, int] | str] = []
    for part in text.split(","):
        span = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if span is not None:
            low, high = int(span[1]), int(span[2] or span[1])
            if high < low:
                raise _wrong(at, f"the ranks {part} run backwards")
            found.append((low, high))
        elif part:
            found.append(part)
        else:
            raise _wrong(at, "a rank is missing")
        at += len(part) + 1
    return found


def _wrong(at: int, what: str) -> BadArgument:
    return BadArgument(f"The filter cannot be read at character {at + 1}: {what}.", fix=HINT)
