#!/usr/bin/env python3
"""Tune the search's parameters by SPSA over pairs of games.

Every iteration shifts all chosen parameters at once, each up or down at random, and
plays the engine so shifted against the engine shifted the other way; the winner's
side is where the parameters go. Shifts and steps shrink as the customary schedule
has it (alpha 0.602, gamma 0.101, A a tenth of the pairs): at the end a shift is the
parameter's step, and every game won more than lost moves it by RATE steps.

The engine is a build with `--features tune`, which lists its parameters with range
and step (`prelate parameters`, the form that OpenBench takes). The run is kept in
the state file after each iteration; the same command resumes where it was ended.
The path of each parameter is drawn beside it, in a picture of the same name (.svg).
At the end, or by Ctrl-C, it prints what has changed for src/search/parameters.rs.

nevergrad's SPSA does not serve: its gains are fixed for all parameters, and it asks
for the loss of single points, where a match gives only the difference of two.

Needs fastchess, in PATH or where FASTCHESS says.

Example:

    cargo build --release --features tune && cp target/release/prelate prelate-tune
    scripts/spsa.py ./prelate-tune null_ see_capture --state null.json \\
        --games 20000 --nodes 5000 --book openings.epd -- -resign movecount=4 score=700
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import fastchess
import picture
from common import Progress, Trouble, arguments, at_least_one, clock, seconds

ALPHA, GAMMA = 0.602, 0.101  # how fast the gains of steps and the shifts shrink
STABILITY = 0.1  # the pairs of games, as a share of all, by which the first steps are held back
GRACE = 10.0  # seconds that fastchess may take to end when told
SHOWN = 4  # parameters in the running line
DRAWN = 200  # points of a path in the picture


@dataclass(frozen=True)
class Parameter:
    """A line of `prelate parameters`."""

    name: str
    value: int
    low: int
    high: int
    step: float
    rate: float

    @classmethod
    def parse(cls, line: str) -> Parameter:
        try:
            name, kind, value, low, high, step, rate = (word.strip() for word in line.split(","))
            parameter = cls(name, int(value), int(low), int(high), float(step), float(rate))
        except ValueError as error:
            raise Trouble(f"not NAME, int, VALUE, LOW, HIGH, STEP, RATE: {line!r}") from error
        if kind != "int" or not parameter.low <= parameter.value <= parameter.high or parameter.step <= 0:
            raise Trouble(f"not a whole number in its range, with a step: {line!r}")
        return parameter

    def clamp(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def source(self, value: int) -> str:
        """Its line in parameters.rs."""
        return f"    {self.name} = {value} in {self.low}..={self.high} step {self.step:g};"


@dataclass(frozen=True)
class Plan:
    """What has to be the same when a run goes on."""

    parameters: list[Parameter]
    games: int
    batch: int
    pace: str
    hash: int
    seed: int

    @classmethod
    def of(cls, args: argparse.Namespace, parameters: list[Parameter]) -> Plan:
        """What the arguments say."""
        pace = f"tc={args.tc}" if args.tc else f"nodes={args.nodes}"
        return cls(parameters, args.games, args.batch, pace, args.hash, args.seed)

    @property
    def pairs(self) -> int:
        return self.games // 2


@dataclass
class Run:
    """How far a run has come: values between whole numbers, and the games of the upper side."""

    plan: Plan
    values: list[float]
    pairs: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    fouls: int = 0
    played: float = field(default=0.0)  # seconds
    path: list[list[float]] = field(default_factory=list)  # values on the way, at even distances

    @classmethod
    def load(cls, plan: Plan, path: Path) -> Run:
        """The run of this file, or a new one if there is none yet."""
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls(plan, [parameter.value for parameter in plan.parameters])
        except (OSError, ValueError) as error:
            raise Trouble(f"{path}: {error}") from error
        then, now = state.pop("plan", {}), json.loads(json.dumps(asdict(plan)))
        if changed := [key for key in now if then.get(key) != now[key]]:
            raise Trouble(f"{path} is a run with other {', '.join(changed)}; name another --state for a new one")
        return cls(plan, **state)

    @property
    def left(self) -> int:
        """Pairs still to play."""
        return self.plan.pairs - self.pairs

    def shift(self, parameter: Parameter) -> float:
        """How far to shift the parameter up and down now."""
        return parameter.step * math.pow(self.plan.pairs / (self.pairs + 1), GAMMA)

    def gain(self, parameter: Parameter) -> float:
        """How far, in shifts, a game that is won more than lost moves the parameter now."""
        held = STABILITY * self.plan.pairs
        relative = (held + self.plan.pairs) / (held + self.pairs + 1)
        return parameter.rate * math.pow(parameter.step / self.shift(parameter), 2) * math.pow(relative, ALPHA)

    def learn(self, signs: list[int], pairs: int, result: fastchess.Summary) -> None:
        """Move every parameter to the side that won more games."""
        moved = []
        for parameter, value, sign in zip(self.plan.parameters, self.values, signs, strict=True):
            move = self.gain(parameter) * self.shift(parameter) * sign * (result.wins - result.losses)
            moved.append(parameter.clamp(value + move))
        self.values = moved
        self.pairs += pairs
        while len(self.path) < self.pairs * DRAWN // self.plan.pairs:
            self.path.append([round(value, 2) for value in moved])
        self.wins += result.wins
        self.draws += result.draws
        self.losses += result.losses

    def changes(self) -> list[tuple[float, Parameter, float]]:
        """How many steps each parameter has moved, the largest first."""
        pairs = zip(self.plan.parameters, self.values, strict=True)
        steps = [((value - parameter.value) / parameter.step, parameter, value) for parameter, value in pairs]
        return sorted(steps, key=lambda change: -abs(change[0]))

    def picture(self) -> str:
        """The paths of all parameters, those that went farthest first."""
        paths = []
        for _, parameter, value in self.changes():
            index = self.plan.parameters.index(parameter)
            steps = [(values[index] - parameter.value) / parameter.step for values in self.path]
            paths.append(picture.Path(parameter.name, f"{parameter.value} → {value:.0f}", [0.0, *steps]))
        title = f"Paths of {len(paths)} parameters in {self.pairs * 2:,} games, in steps"
        return picture.paths(title, paths, DRAWN)

    def __str__(self) -> str:
        fouls = f", {self.fouls} FOULS" if self.fouls else ""
        pace = self.pairs * 2 / max(self.played, 1e-3)
        moves = ", ".join(f"{parameter.name} {steps:+.2f}" for steps, parameter, _ in self.changes()[:SHOWN])
        return (
            f"{math.ceil(self.pairs * 2 / self.plan.batch)} iterations, {self.pairs * 2} of {self.plan.games} games "
            f"(+{self.wins} ={self.draws} -{self.losses}{fouls}), {pace * 60:.0f} games/min, "
            f"{clock(self.left * 2 / pace) if self.pairs else '?'} left; in steps: {moves}"
        )


def save(run: object, path: Path) -> None:
    """Replace the state file as a whole, so that an interruption leaves the old or the new one."""
    new = path.with_name(path.name + ".new")
    with new.open("w", encoding="utf-8") as file:
        json.dump(asdict(run), file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


class Table:
    """Where the games are played: fastchess, the engine, and the openings in an order of their own."""

    def __init__(self, args: argparse.Namespace, plan: Plan, engine: Path, folder: Path) -> None:
        self.plan, self.engine, self.folder = plan, engine, folder
        self.program = fastchess.find()
        self.each = [plan.pace, f"option.Hash={plan.hash}"]
        self.concurrency: int = args.concurrency
        self.more: list[str] = args.more
        try:
            self.book = [line for line in args.book.read_text(encoding="utf-8").splitlines() if line.strip()]
        except (OSError, ValueError) as error:
            raise Trouble(f"{args.book}: {error}") from error
        if not self.book or args.book.suffix == ".pgn":
            raise Trouble(f"{args.book}: no positions; the book has to be a file of EPD or FEN lines")
        random.Random(plan.seed).shuffle(self.book)

    def play(self, sides: tuple[list[int], list[int]], first: int, pairs: int) -> tuple[fastchess.Summary, int]:
        """The result of so many pairs of games, from the `first` opening on, and the fouls in them."""
        openings = self.folder / "openings.epd"
        chosen = (self.book[number % len(self.book)] for number in range(first, first + pairs))
        openings.write_text("\n".join(chosen) + "\n", encoding="utf-8")
        command = [self.program]
        for name, values in zip(("up", "down"), sides, strict=True):
            command += ["-engine", f"cmd={self.engine}", f"name={name}"]
            named = zip(self.plan.parameters, values, strict=True)
            command += [f"option.{parameter.name}={value}" for parameter, value in named]
        command += ["-each", *self.each, "-openings", f"file={openings}", "format=epd", "order=sequential"]
        command += ["-rounds", str(pairs), "-games", "2", "-repeat", "-concurrency", str(self.concurrency)]
        command += ["-recover", "-config", f"outname={self.folder / 'config.json'}", *self.more]
        text = self.run(command)
        result = fastchess.summary(text)
        if not result or result.games != 2 * pairs:
            raise Trouble("fastchess did not play all games; it said at last:\n" + "\n".join(text.splitlines()[-15:]))
        return result, fastchess.fouls(text)

    def run(self, command: list[str]) -> str:
        """What it prints. Ctrl-C reaches it only through here, so that it ends its engines once."""
        try:
            process = subprocess.Popen(
                command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace", start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise Trouble(f"{self.program}: {error.strerror}") from error
        try:
            return process.communicate()[0]
        except BaseException:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            raise


def rounded(value: float, parameter: Parameter, lot: float) -> int:
    """The whole number below or above, at random, so that the mean over many games is the value."""
    return int(parameter.clamp(math.floor(value + lot)))


def iterate(run: Run, table: Table) -> None:
    """Play one iteration. Its lots depend on the seed and on how far the run is, on nothing else."""
    dice = random.Random(f"{run.plan.seed}/{run.pairs}")
    pairs = min(run.plan.batch // 2, run.left)
    signs, up, down = [], [], []
    for parameter, value in zip(run.plan.parameters, run.values, strict=True):
        signs.append(sign := dice.choice((-1, 1)))
        shift, lot = sign * run.shift(parameter), dice.random()
        up.append(rounded(value + shift, parameter, lot))
        down.append(rounded(value - shift, parameter, lot))
    start = time.monotonic()
    result, fouls = table.play((up, down), run.pairs, pairs)
    run.learn(signs, pairs, result)
    run.fouls += fouls
    run.played += time.monotonic() - start


def listed(args: argparse.Namespace, engine: Path) -> list[Parameter]:
    """All parameters there are, from the file that was named or from the engine."""
    try:
        if args.parameters:
            text = args.parameters.read_text(encoding="utf-8")
        else:
            command = [str(engine), "parameters"]
            text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout
    except (OSError, ValueError) as error:
        raise Trouble(str(error)) from error
    except subprocess.SubprocessError as error:
        raise Trouble(f"{engine} does not list its parameters; is it built with --features tune?") from error
    return [Parameter.parse(line) for line in text.splitlines() if line.strip()]


def choose(args: argparse.Namespace, engine: Path) -> list[Parameter]:
    """The parameters to tune."""
    every = listed(args, engine)

    def match(pattern: str) -> set[str]:
        found = {parameter.name for parameter in every if parameter.name.startswith(pattern)}
        if not found:
            raise Trouble(f"no parameter is called {pattern}, or begins so")
        return {pattern} if pattern in found else found

    names = set().union(*map(match, args.names)) if args.names else {parameter.name for parameter in every}
    names -= set().union(*map(match, args.without))
    chosen = [parameter for parameter in every if parameter.name in names]
    if not chosen:
        raise Trouble("there are no parameters to tune")
    if args.rate is None:
        return chosen
    return [Parameter(**{**asdict(parameter), "rate": args.rate}) for parameter in chosen]


def existing(engine: Path) -> Path:
    """Where the engine is, wherever a program is started."""
    if not (path := engine.resolve()).is_file():
        raise Trouble(f"{engine} is not a file")
    return path


def add_table_arguments(parser: argparse.ArgumentParser, batch: int) -> None:
    """The engine, and how it plays; a script says of its own what it tries."""
    add = parser.add_argument
    add("engine", metavar="ENGINE", type=Path, help="the binary")
    add("--without", metavar="NAME", action="append", default=[], help="but not these; may be repeated")
    add("--state", metavar="FILE", type=Path, required=True, help="the run is kept here")
    add("--book", metavar="EPD", type=Path, required=True, help="openings, dealt without repetition")
    add("--games", metavar="N", type=at_least_one, default=20000, help="games of the whole run (default: 20000)")
    add("--batch", metavar="N", type=at_least_one, default=batch, help=f"games of an iteration (default: {batch})")
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--nodes", metavar="N", type=at_least_one, default=5000, help="nodes a move (default: 5000)")
    pace.add_argument("--tc", metavar="TC", help="a time control instead, SECONDS+INCREMENT")
    add("--hash", metavar="MB", type=at_least_one, default=8, help="hash table (default: 8)")
    add("--concurrency", metavar="N", type=at_least_one, default=2, help="games at once (default: 2)")
    add("--seed", metavar="N", type=int, default=1, help="of all lots and of the order of the openings (default: 1)")
    add("--parameters", metavar="FILE", type=Path, help="the list of parameters, instead of asking the engine")


def parse(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The arguments; what follows `--` is for fastchess."""
    own, more = sys.argv[1:], []
    if "--" in own:
        own, more = own[: own.index("--")], own[own.index("--") + 1 :]
    args = parser.parse_intermixed_args(own)
    args.more = more
    if args.games % 2 or args.batch % 2:
        parser.error("--games and --batch have to be even: games are played in pairs")
    return args


def parse_args() -> argparse.Namespace:
    parser = arguments(__doc__)
    add_table_arguments(parser, batch=32)
    add = parser.add_argument
    add("names", metavar="NAME", nargs="*", help="parameters to tune, or how their names begin (default: all)")
    add("--rate", metavar="X", type=seconds, help="steps that a game moves a parameter at the end (default: as listed)")
    return parse(parser)


def report(run: Run) -> None:
    """The end of the run, and what it changed."""
    print(run, file=sys.stderr)
    values = dict(zip((parameter.name for parameter in run.plan.parameters), run.values, strict=True))
    for parameter in run.plan.parameters:
        if (value := round(values[parameter.name])) != parameter.value:
            print(parameter.source(value))


def main() -> int:
    args = parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    progress = Progress()
    run = None
    try:
        engine = existing(args.engine)
        plan = Plan.of(args, choose(args, engine))
        run = Run.load(plan, args.state)
        with tempfile.TemporaryDirectory() as folder:
            table = Table(args, plan, engine, Path(folder))
            while run.left:
                progress.show(str(run))
                iterate(run, table)
                save(run, args.state)
                args.state.with_suffix(".svg").write_text(run.picture(), encoding="utf-8")
    except (Trouble, OSError) as trouble:
        progress.clear()
        print(f"spsa.py: {trouble}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        progress.clear()
        if run:
            report(run)
        return 130
    progress.clear()
    report(run)
    return 0


if __name__ == "__main__":
    sys.exit(main())
