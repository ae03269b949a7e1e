"""Messages of the readers and the engine in the language of the window.

They are made below the views, in English, with values already in them. Here their sentences are recognised again and
said in the current language; a sentence that is not known stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from insight_desktop.views.common import (
    engine_text_zh,
    engine_text_zh_cluster,
    engine_text_zh_memory,
    engine_text_zh_operator,
    engine_text_zh_service,
    engine_text_zh_snapshot,
    language,
)

SENTENCES = {
    **engine_text_zh.SENTENCES,
    **engine_text_zh_cluster.SENTENCES,
    **engine_text_zh_operator.SENTENCES,
    **engine_text_zh_memory.SENTENCES,
    **engine_text_zh_service.SENTENCES,
    **engine_text_zh_snapshot.SENTENCES,
}
_VALUE = re.compile(r"\{(\w+)\}")
_DEPTH = 3  # a value may be a message itself, which may quote another one


def say(text: str) -> str:
    """The message in the current language; unknown messages are given back as they are."""
    if language.current() != "zh" or not text:
        return text
    return _said(text, _DEPTH)


def category(name: str) -> str:
    """A category of Overall Metrics in the current language; names of operators and groups stay as they are."""
    return engine_text_zh.CATEGORIES.get(name, name) if language.current() == "zh" else name


@lru_cache(maxsize=4096)
def _said(text: str, depth: int) -> str:
    for pattern, chinese in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            values = match.groupdict()
            return chinese.format(**{k: _said(v, depth - 1) if depth else v for k, v in values.items()})
    return text


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Sentences with more fixed letters first, so that a general one never hides a particular one."""
    ordered = sorted(SENTENCES.items(), key=lambda pair: -len(_VALUE.sub("", pair[0])))
    return [(_pattern(english), chinese) for english, chinese in ordered]


def _pattern(english: str) -> re.Pattern[str]:
    """`{name}` stands for any text, `(s)` for an s or nothing."""
    pieces = re.split(r"(\{\w+\}|\(s\))", english)
    made = ""
    for piece in pieces:
        value = _VALUE.fullmatch(piece)
        made += f"(?P<{value[1]}>.+?)" if value else "s?" if piece == "(s)" else re.escape(piece)
    return re.compile(made, re.DOTALL)
