"""Sentences of the engine for the pages of a job with many ranks with their Chinese; see `engine_text_zh`."""

from __future__ import annotations

SENTENCES: dict[str, str] = {}
