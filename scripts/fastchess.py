"""The match runner fastchess: where it is, and what the summary that it prints says."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass

from common import Elo, Trouble

SUMMARY = re.compile(
    r"Results of (?P<first>.+?) vs (?P<second>.+?) \((?P<pace>.+)\):\s*\n"
    r"Elo: (?P<elo>\S+) \+/- (?P<error>[^\s,]+).*\n"
    r"(?:.*\n){1,3}?"
    r"Games: (?P<games>\d+), Wins: (?P<wins>\d+), Losses: (?P<losses>\d+), Draws: (?P<draws>\d+)"
)
FOUL = re.compile(r"^Finished game .*\{.*(?:on time|illegal|disconnect|stall).*\}", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class Summary:
    """The result of a match from the first engine's side."""

    first: str
    second: str
    pace: str
    wins: int
    draws: int
    losses: int
    elo: Elo

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


def find() -> str:
    """The program, in PATH or where FASTCHESS says."""
    name = os.environ.get("FASTCHESS", "fastchess")
    if not (path := shutil.which(name)):
        raise Trouble(f"no {name} in PATH; set FASTCHESS to where fastchess is")
    return os.path.abspath(path)


def summary(text: str) -> Summary | None:
    """The last summary in what it printed."""
    last = None
    for last in SUMMARY.finditer(text):
        pass
    if not last:
        return None
    return Summary(
        first=last["first"],
        second=last["second"],
        pace=last["pace"],
        wins=int(last["wins"]),
        draws=int(last["draws"]),
        losses=int(last["losses"]),
        elo=Elo(float(last["elo"]), float(last["error"])),
    )


def fouls(text: str) -> int:
    """Games that ended by a loss on time, an illegal move or a crash."""
    return len(FOUL.findall(text))
