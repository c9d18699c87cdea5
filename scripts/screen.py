#!/usr/bin/env python3
"""Measure what many changes to the search are worth, all in the same games.

A factor is a parameter, or a few of one rule, with two settings. In every iteration
each factor gets one of its settings at random, the engine so set plays the engine
with all the other settings, and every game so tells something about every factor:
what one is worth is what the side that had its upper setting won more. A match for
each of thirty rules would need thirty times the games for the same errors. What is
measured is an average over the settings of the other factors (a two-level screening
design, fitted by least squares); a pair of rules that do the same work shows less than
either would alone.

A factor is given as

    NAME              the parameters called or beginning so, each a factor of its own,
                      between --shift steps below its value and as many above; that
                      the upper setting wins need not mean that it beats the value
                      (an aspiration window of 17 beat one of 5 by 27 +- 7 Elo, but
                      not one of 11 by more than the error)
    NAME=VALUE,...    one factor: the parameters as they are, against these values

The run is kept in the state file after each iteration; the same command resumes it,
and --report only prints what it says so far.

Needs a build with `--features tune`, and fastchess, in PATH or where FASTCHESS says.

Example:

    cargo build --release --features tune && cp target/release/prelate prelate-tune
    scripts/screen.py ./prelate-tune null_ hindsight_deeper=99,hindsight_shallower=99 \\
        --state screen.json --games 20000 --book openings.epd -- -resign movecount=3 score=600
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import random
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import spsa
from common import Elo, Progress, Trouble, arguments, clock, option, rating, seconds
from scale import inverse
from spsa import Parameter

# Most changes are worth little: it counts as much as these games say, about 0 +- 36 Elo (one standard
# error). Without it nothing could be said before there are more iterations than factors.
PRIOR_GAMES = 60.0


@dataclass(frozen=True)
class Factor:
    """Something with two settings, each of them values of parameters."""

    name: str
    lower: dict[str, int]
    upper: dict[str, int]

    @classmethod
    def around(cls, parameter: Parameter, shift: float) -> Factor:
        """A parameter, so many steps below its value and above it."""
        far = max(int(shift * parameter.step), 1)
        lower, upper = (round(parameter.clamp(parameter.value + sign * far)) for sign in (-1, 1))
        return cls(parameter.name, {parameter.name: lower}, {parameter.name: upper})

    @classmethod
    def parse(cls, text: str, parameters: dict[str, Parameter]) -> Factor:
        """What `NAME=VALUE,...` means."""
        lower, upper = {}, {}
        for part in text.split(","):
            try:
                name, value = option(part)
                parameter, number = parameters[name], int(value)
            except (argparse.ArgumentTypeError, KeyError, ValueError) as error:
                raise Trouble(f"{part!r} is not NAME=VALUE of a parameter") from error
            if parameter.clamp(number) != number:
                raise Trouble(f"{part}: not in {parameter.low}..={parameter.high}")
            lower[name], upper[name] = parameter.value, number
        return cls(text, lower, upper)

    def __str__(self) -> str:
        settings = [",".join(str(value) for value in side.values()) for side in (self.lower, self.upper)]
        return f"{','.join(self.lower)} {settings[0]} -> {settings[1]}"


@dataclass
class Screen:
    """The factors, and the games won, drawn and lost by the first side of each iteration."""

    plan: spsa.Plan
    factors: list[Factor]
    results: list[tuple[int, int, int]] = field(default_factory=list)
    fouls: int = 0
    played: float = 0.0  # seconds

    def load(self, path: Path) -> None:
        """Goes on with the run of this file, if there is one."""
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise Trouble(f"{path}: {error}") from error
        now = json.loads(json.dumps(dataclasses.asdict(self)))
        if changed := [key for key in ("plan", "factors") if state.get(key) != now[key]]:
            raise Trouble(f"{path} is a run with another {', '.join(changed)}; name another --state for a new one")
        self.results = [tuple(result) for result in state["results"]]
        self.fouls, self.played = state["fouls"], state["played"]

    @property
    def games(self) -> int:
        return sum(map(sum, self.results))

    def signs(self, iteration: int) -> list[int]:
        """Which settings the first side has: depends on the seed and the iteration alone."""
        dice = random.Random(f"{self.plan.seed}/{iteration}")
        return [dice.choice((-1, 1)) for _ in self.factors]

    def side(self, signs: list[int]) -> list[int]:
        """The values of all parameters with these settings."""
        values = {parameter.name: parameter.value for parameter in self.plan.parameters}
        for factor, sign in zip(self.factors, signs, strict=True):
            values |= factor.upper if sign > 0 else factor.lower
        return list(values.values())

    def iterate(self, table: spsa.Table) -> None:
        """Plays one iteration."""
        signs = self.signs(len(self.results))
        sides = self.side(signs), self.side([-sign for sign in signs])
        start = time.monotonic()
        pairs = min(self.plan.batch, self.plan.games - self.games) // 2
        result, fouls = table.play(sides, self.games // 2, pairs)
        self.results.append((result.wins, result.draws, result.losses))
        self.fouls += fouls
        self.played += time.monotonic() - start

    def worths(self) -> list[tuple[Elo, Factor]]:
        """What the upper setting of each factor is worth against the lower, the most first: by least squares,
        so that what the other factors did in the same games is taken out."""
        size = len(self.factors)
        normal = [[PRIOR_GAMES * (index == other) for other in range(size)] for index in range(size)]
        right = [0.0] * size
        for number, (wins, draws, losses) in enumerate(self.results):
            signs, games = self.signs(number), wins + draws + losses
            for index, sign in enumerate(signs):
                right[index] += sign * (wins - losses) / 2
                for other, other_sign in enumerate(signs):
                    normal[index][other] += sign * other_sign * games
        decided = sum(wins + losses for wins, _, losses in self.results)
        variance = decided / 4 / max(self.games, 1)
        covariance = inverse(normal)
        worths = []
        for index, (factor, row) in enumerate(zip(self.factors, covariance, strict=True)):
            mean = sum(cell * value for cell, value in zip(row, right, strict=True))
            error = 1.96 * math.sqrt(variance * row[index])
            worths.append((Elo(rating(0.5 + mean), rating(0.5 + error)), factor))
        return sorted(worths, key=lambda worth: -worth[0].difference)

    def report(self) -> None:
        """Prints the table of worths."""
        print(f"{self.games} games, {self.fouls} fouls; Elo of the upper setting against the lower, at 95 %")
        for elo, factor in self.worths() if len(self.results) > 1 else []:
            print(f"{elo.difference:+7.1f} +-{elo.error:4.1f}  {factor}")

    def __str__(self) -> str:
        pace = self.games / max(self.played, 1e-3)
        left = clock((self.plan.games - self.games) / pace) if self.games else "?"
        fouls = f", {self.fouls} FOULS" if self.fouls else ""
        return f"{self.games} of {self.plan.games} games{fouls}, {pace * 60:.0f} games/min, {left} left"


def chosen(args: argparse.Namespace, parameters: list[Parameter]) -> list[Factor]:
    """The factors that the arguments name."""
    by_name = {parameter.name: parameter for parameter in parameters}
    factors = []
    for name in args.names or [""]:
        if "=" in name:
            factors.append(Factor.parse(name, by_name))
            continue
        found = [parameter for parameter in parameters if parameter.name.startswith(name)]
        if not found:
            raise Trouble(f"no parameter is called {name}, or begins so")
        exact = [parameter for parameter in found if parameter.name == name]
        factors += [Factor.around(parameter, args.shift) for parameter in exact or found]
    factors = [factor for factor in factors if factor.name not in args.without]
    named = [name for factor in factors for name in factor.lower]
    if twice := sorted({name for name in named if named.count(name) > 1}):
        raise Trouble(f"named by more than one factor: {', '.join(twice)}")
    return factors


def parse_args() -> argparse.Namespace:
    parser = arguments(__doc__)
    spsa.add_table_arguments(parser, batch=48)
    parser.add_argument("names", metavar="FACTOR", nargs="*", help="as above (default: all parameters)")
    parser.add_argument("--shift", metavar="X", type=seconds, default=1.5, help="steps to each side (default: 1.5)")
    parser.add_argument("--report", action="store_true", help="play nothing, print what the state file says")
    return spsa.parse(parser)


def main() -> int:
    args = parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    progress = Progress()
    screen = None
    try:
        engine = spsa.existing(args.engine)
        parameters = spsa.listed(args, engine)
        screen = Screen(spsa.Plan.of(args, parameters), chosen(args, parameters))
        screen.load(args.state)
        with tempfile.TemporaryDirectory() as folder:
            table = spsa.Table(args, screen.plan, engine, Path(folder))
            while screen.games < screen.plan.games and not args.report:
                progress.show(str(screen))
                screen.iterate(table)
                spsa.save(screen, args.state)
    except (Trouble, OSError) as trouble:
        progress.clear()
        print(f"screen.py: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        progress.clear()
        if screen:
            screen.report()
        return 130
    progress.clear()
    screen.report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
