"""Sentences of the engine for the area Operator with their Chinese; see `engine_text_zh`."""

from __future__ import annotations

SENTENCES: dict[str, str] = {}
