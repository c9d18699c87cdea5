"""What the scripts share: their arguments, their running line, the Elo of a score, and a kind of file."""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

SAMPLES = b"Prelate samples 1\n".ljust(32, b"\0")  # what a file of samples begins with


class Trouble(Exception):
    """Something that ends a script, in words: an unreadable file, an engine that fails."""


def arguments(doc: str | None) -> argparse.ArgumentParser:
    """A parser whose help is the script's own documentation."""
    intro, _, rest = (doc or "").partition("\n\n")
    return argparse.ArgumentParser(description=intro, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter)


def option(text: str) -> tuple[str, str]:
    """The argument `NAME=VALUE`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def at_least_one(text: str) -> int:
    """A whole number from 1 as an argument."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def seconds(text: str) -> float:
    """A span of time above zero as an argument."""
    try:
        if 0 < (span := float(text)) < math.inf:
            return span
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is no span of time")


def minutes(text: str) -> float:
    """A span of time above zero as an argument in minutes; in seconds."""
    return 60 * seconds(text)


def clock(span: float) -> str:
    """Seconds as hours, minutes and seconds."""
    minutes, rest = divmod(round(span), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


class Progress:
    """A running line on stderr: rewritten in place on a terminal, every ten seconds elsewhere."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self.next = time.monotonic() + 10

    def show(self, text: str) -> None:
        if self.live:
            room = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[K{text[:room]}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() >= self.next:
            print(text, file=sys.stderr, flush=True)
            self.next = time.monotonic() + 10

    def clear(self) -> None:
        if self.live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Elo:
    """A difference in strength and its error at 95 % confidence; infinite if one side won all."""

    difference: float
    error: float

    def __str__(self) -> str:
        if math.isinf(self.difference):
            return f"{self.difference:+}"
        return f"{self.difference:+.1f} +-{self.error:.1f}"


def elo(counts: Mapping[float, int]) -> Elo:
    """The Elo of so many scores from 0 to 1, each that of a game or the mean of a pair of games."""
    number = sum(counts.values())
    mean = sum(score * count for score, count in counts.items()) / number
    if not 0 < mean < 1:
        return Elo(math.inf if mean else -math.inf, math.inf)
    spread = sum(count * (score - mean) ** 2 for score, count in counts.items())
    error = 1.96 * math.sqrt(spread) / number
    low, high = (rating(min(max(mean + sign * error, 1e-3), 1 - 1e-3)) for sign in (-1, 1))
    return Elo(rating(mean), (high - low) / 2)


def rating(score: float) -> float:
    """The rating difference that makes this score the expected one."""
    return 400 * math.log10(score / (1 - score))


def expected(difference: float) -> float:
    """The score to expect from a rating difference."""
    return 1 / (1 + 10 ** (-difference / 400))
