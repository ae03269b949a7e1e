"""Highlighting of source code: which characters of a line are keywords, names of types and functions, strings, comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtGui import QColor

from insight_desktop.views.common import theme

KEYWORD, TYPE, FUNCTION, STRING, COMMENT, NUMBER, DIRECTIVE = (
    "keyword", "type", "function", "string", "comment", "number", "directive",
)  # fmt: skip
_LONGEST = 2000  # characters of a line that are coloured; what follows is plain

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """alignas alignof asm auto bool break case catch char class concept const consteval constexpr constinit const_cast
    continue decltype default delete do double dynamic_cast else enum explicit extern false final float for friend goto if
    inline int long mutable namespace new noexcept nullptr operator override private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while""",
    )
)
_PYTHON = frozenset(
    re.findall(
        r"\w+",
        """False None True and as assert async await break class continue def del elif else except finally for from global if
    import in is lambda nonlocal not or pass raise return try while with yield self""",
    )
)
_TYPE_WORDS = re.compile(
    r"(?:u?int(?:8|16|32|64)?_t|size_t|half|bfloat16_t|float16_t|[A-Z][A-Z0-9]*_ADDR|__\w+__|__gm__)\Z"
)
_STRING = r'(?:L|u8?|U|R)?"(?:\\.|[^"\\])*"?|' + r"'(?:\\.|[^'\\])*'?"
_NUMBER = r"\b(?:0[xX][0-9a-fA-F']+|0[bB][01']+|\d[\d']*\.?\d*(?:[eE][+-]?\d+)?)[uUlLfFhH]*\b"
_CPP = re.compile(
    rf"(?P<comment>//.*|/\*.*?(?:\*/|\Z))|(?P<string>{_STRING})|(?P<number>{_NUMBER})|(?P<word>[A-Za-z_]\w*)"
)
_PY = re.compile(rf"(?P<comment>#.*)|(?P<string>{_STRING})|(?P<number>{_NUMBER})|(?P<word>@?[A-Za-z_]\w*)")
_MARKS = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//|/\*|\*/')

_DARK = {
    KEYWORD: "#5AA7F0", TYPE: "#43C4CF", FUNCTION: "#E6C07B", STRING: "#E39A5F", COMMENT: "#8A929E", NUMBER: "#7CC69B",
    DIRECTIVE: "#B49AF5",
}  # fmt: skip
_LIGHT = {
    KEYWORD: "#1A5FB4", TYPE: "#0A7480", FUNCTION: "#7A5700", STRING: "#A3450A", COMMENT: "#5C6572", NUMBER: "#17753C",
    DIRECTIVE: "#6A4BD0",
}  # fmt: skip


class Token(NamedTuple):
    """Characters `start` to `end` of a line, and what they are."""

    start: int
    end: int
    kind: str


def colour(kind: str) -> QColor:
    """Ink of a kind in the current theme."""
    return QColor((_DARK if theme.is_dark() else _LIGHT)[kind])


def is_python(path: str) -> bool:
    """By the name of the file."""
    return path.endswith((".py", ".pyi"))


def comment_starts(lines: Sequence[str]) -> list[bool]:
    """For each line of C++ whether it begins inside a comment that an earlier line opened."""
    found, inside = [], False
    for line in lines:
        found.append(inside)
        if "/*" not in line and "*/" not in line:
            continue
        at = 0
        while at < len(line):
            if inside:
                close = line.find("*/", at)
                if close < 0:
                    break
                inside, at = False, close + 2
                continue
            mark = _MARKS.search(line, at)
            if mark is None or mark[0] == "//":
                break
            at, inside = mark.end(), mark[0] == "/*"
    return found


@lru_cache(maxsize=4096)
def tokens(line: str, *, python: bool = False, inside: bool = False) -> tuple[Token, ...]:
    """What is coloured in a line, from left to right; everything between is plain.

    Args:
        line: its text without the line end.
        python: Python instead of C++.
        inside: the line begins inside a comment.
    """
    line, at, found = line[:_LONGEST], 0, []
    if inside:
        close = line.find("*/")
        end = len(line) if close < 0 else close + 2
        found.append(Token(0, end, COMMENT))
        at = end
    stripped = line.lstrip()
    if not python and not inside and stripped.startswith("#"):
        return tuple(_directive(line, len(line) - len(stripped)))
    for match in (_PY if python else _CPP).finditer(line, at):
        kind = match.lastgroup or ""
        if kind == "word":
            kind = _word(line, match, python)
        if kind:
            found.append(Token(match.start(), match.end(), kind))
    return tuple(found)


def _directive(line: str, at: int) -> list[Token]:
    word = re.compile(r"#\s*\w*").match(line, at)
    end = word.end() if word is not None else at + 1
    found = [Token(at, end, DIRECTIVE)]
    for match in re.compile(rf"(?P<comment>//.*|/\*.*)|(?P<string>{_STRING}|<[^<>]*>)").finditer(line, end):
        found.append(Token(match.start(), match.end(), match.lastgroup or STRING))
    return found


def _word(line: str, match: re.Match[str], python: bool) -> str:
    text = match[0]
    if text in (_PYTHON if python else _KEYWORDS):
        return KEYWORD
    if text.startswith("@"):
        return DIRECTIVE
    if _TYPE_WORDS.match(text):
        return TYPE
    following = line[match.end() :].lstrip()
    if following.startswith("("):
        return FUNCTION
    if (following.startswith("<") and line[match.end() : match.end() + 1] == "<") or following.startswith("::"):
        return TYPE
    before = line[: match.start()].rstrip()
    if before.endswith(("class", "struct", "typename", "namespace", "enum", "using")):
        return TYPE
    return ""
