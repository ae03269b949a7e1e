"""Insight Desktop: a profile viewer for AI training, inference, operators and memory."""

__version__ = "0.1.0"
