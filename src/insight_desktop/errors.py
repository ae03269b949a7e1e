"""Errors that reach the user: what happened, and what to do about it."""

from __future__ import annotations


class InsightError(Exception):
    """A failure with a remedy.

    Args:
        message: what is wrong, where, and what was kept.
        fix: what the user can do; empty when nothing helps.
    """

    def __init__(self, message: str, *, fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix

    def __reduce__(self) -> tuple[object, ...]:
        # Worker processes send errors as pickles; keyword arguments would be lost by default.
        return (_rebuild, (type(self), self.message, self.fix))

    def __str__(self) -> str:
        return f"{self.message} {self.fix}".strip()


def _rebuild(kind: type[InsightError], message: str, fix: str) -> InsightError:
    return kind(message, fix=fix)


class NoData(InsightError):
    """The question is fine but the data to answer it were not collected."""


class BadFile(InsightError):
    """A file cannot be used at all: wrong format, damaged, unreadable."""


class BadArgument(InsightError):
    """A query or command was asked with arguments that make no sense."""


class Cancelled(InsightError):
    """The user stopped the work."""
