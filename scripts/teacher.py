#!/usr/bin/env python3
"""Have a network that is far too slow to play with learn from games, and judge positions for one that plays.

A network of convolutions sees from as many positions much more than one that must be fast: what it
learns is by how much the scores of searches differ from the static evaluation. Then it judges
other positions, as many as there are, without the noise of a search (distillation: Hinton,
Vinyals and Dean, 2015). `learn` takes lessons, `label` lessons or samples, as `prelate spread`
writes them; `label` makes samples that `prelate train` learns from.

Needs the packages numpy and torch, and a GPU: without one it is some hundred times as slow, and nearly
half of that where the processor multiplies bfloat16.

Example:

    prelate spread games.vf --output games.lessons --td-lambda 0.6 --largest-score 1000
    prelate spread games.vf --output around.samples --around 3 --first-ply 4 --largest-score 1000
    scripts/teacher.py learn games.lessons --output teacher.pt --positions 50000000
    scripts/teacher.py label teacher.pt around.samples --output judged.samples
    prelate train judged.samples --output large.nnue --epochs 2
"""

from __future__ import annotations

import argparse
import itertools
import math
import pickle
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from common import SAMPLES, Trouble, arguments, at_least_one

# Files, as src/train/sample.rs and src/tools/spread.rs describe them.
LESSONS = b"Prelate lessons 1\n".ljust(len(SAMPLES), b"\0")
SAMPLE = np.dtype(
    [
        ("occupied", "<u8"),
        ("codes", "u1", 16),
        ("score", "<i2"),
        ("result", "u1"),
        ("mirrored", "u1"),
        ("pair", "i1"),
        ("rest", "u1", 3),
    ]
)
LESSON = np.dtype([("sample", SAMPLE), ("evaluation", "<i2"), ("move", "<u2")])
UNKNOWN = 3  # the result of a position that belongs to no game
NO_MOVE = 0xFFFF  # of a position whose best move is not known

POINT = 180.0  # centipawns that win e to 1
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
CHUNK = 1 << 19  # positions whose boards are made at once
JUDGED = 8192 if DEVICE == "cuda" else 1024  # positions judged at once; more do not fit a processor's cache
STAGES = (4, 10, 16, 22, 27, 33)  # men, where the stages of a game begin for the report


@dataclass
class Positions:
    """What is known of some positions, a row each."""

    boards: Tensor  # bitboards: own pawns to king, theirs, and what each of these attacks
    evaluations: Tensor  # in units of POINT
    points: Tensor  # that a search expects
    results: Tensor  # lost, drawn or won
    moves: Tensor  # 64 times the square reached, plus the square left, or NO_MOVE
    men: Tensor

    def rows(self, chosen: Tensor | slice) -> Positions:
        """Some of them."""
        return Positions(*(getattr(self, field.name)[chosen] for field in fields(self)))


def read(file: Path, only_lessons: bool = False) -> np.ndarray:
    """The lessons or samples of a file, which stay there until they are looked at."""
    with file.open("rb") as opened:
        magic = opened.read(len(LESSONS))
    if magic not in (SAMPLES, LESSONS):
        raise Trouble(f"{file}: neither lessons nor samples; 'prelate spread' makes both of games")
    if only_lessons and magic == SAMPLES:
        raise Trouble(f"{file}: samples are to be judged, not learned from; 'prelate spread' makes lessons of them")
    kind = LESSON if magic == LESSONS else SAMPLE
    count = (file.stat().st_size - len(magic)) // kind.itemsize
    return np.memmap(file, kind, "r", len(magic), (count,))


def samples_of(found: np.ndarray) -> np.ndarray:
    """Samples as they are, and those of lessons."""
    return found["sample"] if found.dtype == LESSON else found


def lessons_of(found: np.ndarray) -> np.ndarray:
    """Lessons as they are, and of samples with the evaluation as label and without a move."""
    if found.dtype == LESSON:
        return found
    lessons = np.zeros(len(found), LESSON)
    lessons["sample"], lessons["evaluation"], lessons["move"] = found, found["score"], NO_MOVE
    return lessons


def positions(lessons: np.ndarray) -> Positions:
    """Lessons as tensors, mirrored where the side to move sees the board so."""
    samples = lessons["sample"]
    turned = (samples["mirrored"] & 1).astype(np.int64) * (7 | 7 << 6)
    parts = (slice(begin, begin + CHUNK) for begin in range(0, len(samples), CHUNK))

    def tensor(numbers: np.ndarray, kind: type) -> Tensor:
        return torch.from_numpy(numbers.astype(kind)).to(DEVICE)

    return Positions(
        torch.cat([boards(samples[part]) for part in parts]),
        tensor(lessons["evaluation"], np.float32) / POINT,
        torch.sigmoid(tensor(samples["score"], np.float32) / POINT),
        tensor(samples["result"], np.int64),
        tensor(np.where(lessons["move"] == NO_MOVE, NO_MOVE, lessons["move"] ^ turned), np.int64),
        tensor(np.bitwise_count(samples["occupied"]), np.int64),
    )


def boards(samples: np.ndarray) -> Tensor:
    """Bitboards of the pieces by owner and role, and of what they attack."""
    occupied, codes, mirrored = (
        torch.from_numpy(np.ascontiguousarray(numbers)).to(DEVICE)
        for numbers in (samples["occupied"].view(np.int64), samples["codes"], samples["mirrored"])
    )
    squares = torch.arange(64, device=DEVICE)
    is_taken = (occupied[:, None] >> squares & 1).bool()
    place = (is_taken.cumsum(1) - 1).clamp(0, 31)
    code = torch.stack([codes & 15, codes >> 4], 2).flatten(1).gather(1, place)
    piece = (code & 7) + 6 * (code >> 3)
    one = torch.ones((), dtype=torch.int64, device=DEVICE) << squares
    pieces = torch.stack([torch.where(is_taken & (piece == kind), one, 0).sum(1) for kind in range(12)], 1)
    pieces = torch.where((mirrored & 1).bool()[:, None], mirror(pieces), pieces)
    return torch.cat([pieces, attacks(pieces)], 1)


def signed(bits: int) -> int:
    """A bitboard as the integer of 64 bits that torch knows."""
    return bits - (1 << 64) if bits >> 63 else bits


NO_A_FILE, NO_H_FILE = signed(0xFEFEFEFEFEFEFEFE), signed(0x7F7F7F7F7F7F7F7F)
UP, RIGHT = 8, 1
DIAGONALS = (UP + RIGHT, UP - RIGHT, -UP + RIGHT, -UP - RIGHT)
STRAIGHTS = (UP, -UP, RIGHT, -RIGHT)


def shift(boards: Tensor, by: int) -> Tensor:
    """All squares moved by a step of the king; what leaves the board is lost."""
    if by in (RIGHT, UP + RIGHT, -UP + RIGHT):
        boards = boards & NO_H_FILE
    elif by not in (UP, -UP):
        boards = boards & NO_A_FILE
    return boards << by if by > 0 else (boards >> -by) & ((1 << (64 + by)) - 1)


def rays(sliders: Tensor, empty: Tensor, directions: tuple[int, ...]) -> Tensor:
    """What sliders attack."""
    found = torch.zeros_like(sliders)
    for direction in directions:
        step = shift(sliders, direction)
        for _ in range(6):
            found = found | step
            step = shift(step & empty, direction)
        found = found | step
    return found


def leaps(knights: Tensor) -> Tensor:
    """What knights attack."""
    found = torch.zeros_like(knights)
    for one, other in ((UP, RIGHT), (UP, -RIGHT), (-UP, RIGHT), (-UP, -RIGHT)):
        step = shift(knights, one)
        found = found | shift(shift(step, one), other) | shift(shift(step, other), other)
    return found


def attacks(pieces: Tensor) -> Tensor:
    """What the pieces of each owner and role attack."""
    occupied = pieces[:, 0]
    for kind in range(1, 12):
        occupied = occupied | pieces[:, kind]
    empty = ~occupied[:, None]
    diagonal = rays(pieces[:, [2, 4, 8, 10]], empty, DIAGONALS)
    straight = rays(pieces[:, [3, 4, 9, 10]], empty, STRAIGHTS)
    by_kind = []
    for owner, forward in ((0, UP), (1, -UP)):
        pawns, knights, _, _, _, king = (pieces[:, 6 * owner + role] for role in range(6))
        steps = torch.zeros_like(king)
        for direction in DIAGONALS + STRAIGHTS:
            steps = steps | shift(king, direction)
        taking = shift(pawns, forward + RIGHT) | shift(pawns, forward - RIGHT)
        bishops, queens = diagonal[:, 2 * owner], diagonal[:, 2 * owner + 1]
        rooks, queens = straight[:, 2 * owner], queens | straight[:, 2 * owner + 1]
        by_kind += [taking, leaps(knights), bishops, rooks, queens, steps]
    return torch.stack(by_kind, 1)


def mirror(boards: Tensor) -> Tensor:
    """The a-file becomes the h-file."""
    for bits, by in ((0x5555555555555555, 1), (0x3333333333333333, 2), (0x0F0F0F0F0F0F0F0F, 4)):
        boards = (boards >> by & bits) | (boards & bits) << by
    return boards


class Block(nn.Module):
    """Two convolutions around which the input passes, weighed by what all squares say together
    (squeeze and excitation: Hu, Shen and Sun, 2018)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels),
        )
        last = nn.Linear(channels // 4, 2 * channels)
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)
        self.weigh = nn.Sequential(nn.Linear(channels, channels // 4), nn.ReLU(), last)

    def forward(self, before: Tensor) -> Tensor:
        found = self.layers(before)
        factors, added = self.weigh(found.mean((2, 3)))[:, :, None, None].chunk(2, 1)
        return functional.relu(before + found * (2 * factors.sigmoid()) + added, inplace=True)


class Teacher(nn.Module):
    """Tells by how much the evaluation is wrong, in units of POINT. Besides, it guesses how the game ends
    and which move is played: who learns these sees more."""

    def __init__(self, channels: int, blocks: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.sizes = channels, blocks
        self.first = nn.Conv2d(24, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.by_evaluation = nn.Linear(3, channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.narrow = nn.Conv2d(channels, 32, 1)
        self.seen = nn.Sequential(
            nn.Dropout(dropout), nn.Linear(32 * 64 + channels + 3, 256), nn.ReLU(), nn.Dropout(dropout)
        )
        self.correction, self.result = nn.Linear(256, 1), nn.Linear(256, 3)
        nn.init.zeros_(self.correction.weight)
        nn.init.zeros_(self.correction.bias)
        self.ends = nn.Conv2d(channels, 64, 1)

    def forward(self, boards: Tensor, evaluations: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        squares = torch.arange(64, device=boards.device)
        planes = (boards[:, :, None] >> squares & 1).view(-1, 24, 8, 8)
        planes = planes.to(self.first.weight.dtype).contiguous(memory_format=torch.channels_last)
        said = torch.stack([evaluations, evaluations.tanh(), (evaluations / 2).tanh().square()], 1)
        board = self.norm(self.first(planes)) + self.by_evaluation(said)[:, :, None, None]
        board = self.blocks(functional.relu(board))
        seen = self.seen(torch.cat([functional.relu(self.narrow(board)).flatten(1), board.mean((2, 3)), said], 1))
        left, reached = self.ends(board).flatten(2).chunk(2, 1)
        moves = torch.einsum("bcl,bcr->brl", left, reached).flatten(1) / math.sqrt(32)
        return self.correction(seen)[:, 0].float(), self.result(seen).float(), moves.float()


def precision(kind: torch.dtype) -> torch.autocast:
    """Half the bits where the device is fast with them: a GPU with any kind, some processors with bfloat16."""
    if DEVICE == "cuda":
        return torch.autocast(DEVICE, kind)
    # Older versions of PyTorch do not tell what the processor can do.
    known = getattr(torch.cpu, "get_capabilities", dict)()
    is_fast = any(known.get(name, False) for name in ("avx512_bf16", "amx_bf16"))
    return torch.autocast(DEVICE, torch.bfloat16, enabled=is_fast)


def compiled(teacher: Teacher) -> Teacher:
    """It, made faster where that pays."""
    torch.backends.cudnn.benchmark = True
    return torch.compile(teacher, dynamic=False) if DEVICE == "cuda" else teacher


def judged(teacher: Teacher, some: Positions) -> Tensor:
    """The corrections of some positions; always as many at once, for which it may have been compiled."""
    found, count = [], len(some.men)
    with torch.no_grad(), precision(torch.float16):
        for begin in range(0, count, JUDGED):
            part = torch.arange(begin, begin + JUDGED, device=DEVICE).clamp(max=count - 1)
            found.append(teacher(some.boards[part], some.evaluations[part])[0])
    return torch.cat(found)[:count]


def report(name: str, teacher: Teacher, some: Positions) -> None:
    """How far the teacher and the evaluation are from the labels, in all and by men."""
    teacher.eval()
    before = (some.evaluations.sigmoid() - some.points).square()
    after = ((some.evaluations + judged(teacher, some)).sigmoid() - some.points).square()
    words = [f"{name}: loss {before.mean():.6f} becomes {after.mean():.6f}"]
    for low, high in itertools.pairwise(STAGES):
        stage = (some.men >= low) & (some.men < high)
        if stage.any():
            words.append(f"{low}-{high - 1} men {100 * (after[stage].mean() / before[stage].mean() - 1):+.1f} %")
    print(", ".join(words), flush=True)
    teacher.train()


def load(file: Path, dropout: float = 0.0) -> Teacher:
    """The teacher of a file."""
    try:
        saved = torch.load(file, DEVICE, weights_only=True)
        teacher = Teacher(*saved["sizes"], dropout)
        teacher.load_state_dict(saved["weights"])
    except (RuntimeError, KeyError, TypeError, pickle.UnpicklingError) as error:
        raise Trouble(f"{file}: it is no teacher") from error
    return placed(teacher)


def placed(teacher: Teacher) -> Teacher:
    """It, where it works, its channels beside each other as convolutions like them."""
    return teacher.to(DEVICE, memory_format=torch.channels_last)


def save(teacher: Teacher, file: Path) -> None:
    new = file.with_suffix(file.suffix + ".new")
    torch.save({"sizes": teacher.sizes, "weights": teacher.state_dict()}, new)
    new.replace(file)


def learn(options: argparse.Namespace) -> None:
    """Trains a teacher; the last positions of each file are held out."""
    teacher, known, new = begin(options)
    teach(teacher, known, new, options)
    report("positions held out", teacher, new)


def begin(options: argparse.Namespace) -> tuple[Teacher, Positions, Positions]:
    """A teacher, what it is to learn from, and what is held out."""
    torch.manual_seed(options.seed)
    learned, held_out = [], []
    for file in options.files:
        lessons = read(file, only_lessons=True)
        kept = int(len(lessons) * (1 - options.held_out))
        learned.append(lessons[:kept])
        held_out.append(lessons[kept:])
    known, new = positions(np.concatenate(learned)), positions(np.concatenate(held_out))
    count = len(known.men)
    print(f"{count} positions to learn from, {len(new.men)} held out", flush=True)
    if count < options.batch:
        raise Trouble(f"they are fewer than a batch of {options.batch}")
    if options.begin:
        return load(options.begin, options.dropout), known, new
    return placed(Teacher(options.channels, options.blocks, options.dropout)), known, new


def teach(
    teacher: Teacher, known: Positions, new: Positions, options: argparse.Namespace, until: float | None = None
) -> None:
    """Has it learn from some positions, tells now and then what it makes of others, and keeps it in a file."""
    report("before", teacher, new)
    run = compiled(teacher)
    # Biases and norms do not decay.
    decays = {True: options.decay, False: 0.0}
    groups = [
        {
            "params": [weights for weights in teacher.parameters() if (weights.ndim > 1) == is_matrix],
            "weight_decay": decay,
        }
        for is_matrix, decay in decays.items()
    ]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.98))
    told = time.monotonic()
    chosen = batches(len(known.men), options.batch)
    for stage in course(options.positions // options.batch, until):
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1.0, (stage.step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * stage.done))
        batch = known.rows(next(chosen))
        with precision(torch.bfloat16):
            correction, result, moves = run(batch.boards, batch.evaluations)
        loss = 200 * ((batch.evaluations + correction).sigmoid() - batch.points).square().mean()
        loss += 0.1 * surprise(result, batch.results, UNKNOWN) + 0.1 * surprise(moves, batch.moves, NO_MOVE)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(teacher.parameters(), 3.0)
        optimiser.step()
        if time.monotonic() - told > options.every:
            told = time.monotonic()
            report(stage.told(options.batch), teacher, new)
            save(teacher, options.output)
    save(teacher, options.output)


def surprise(guess: Tensor, known: Tensor, unknown: int) -> Tensor:
    """The mean cross entropy where something is known."""
    total = functional.cross_entropy(guess, known, ignore_index=unknown, reduction="sum")
    return total / (known != unknown).sum().clamp(min=1)


@dataclass
class Stage:
    """Where a training stands before a step."""

    step: int
    done: float  # of the whole, from 0 to 1
    seconds: float  # since the second step

    def told(self, batch: int) -> str:
        """It in words, for steps of so many positions."""
        if not self.done:
            return "begun"
        speed, left = self.step * batch / max(self.seconds, 1e-9), self.seconds * (1 / self.done - 1)
        return f"{100 * self.done:.0f} %, {speed:,.0f} positions/s, {left / 60:.1f} min left"


def course(steps: int, until: float | None = None) -> Iterator[Stage]:
    """The stages of a training: so many, or as many as there is time for until the clock (`time.monotonic`)
    says so. It is looked at from the second step on: the first waits for a compiler."""
    begun = time.monotonic()
    for step in itertools.count():
        now = time.monotonic()
        if step == 1:
            begun = now
        done = step / max(steps, 1) if until is None else step and (now - begun) / max(until - begun, 1e-9)
        if done >= 1:
            return
        yield Stage(step, done, now - begun)


def batches(count: int, size: int) -> Iterator[Tensor]:
    """Numbers below `count` in random order, pass after pass."""
    while True:
        order = torch.randperm(count, device=DEVICE)
        for place in range(0, count - size + 1, size):
            yield order[place : place + size]


def label(options: argparse.Namespace) -> None:
    """Writes samples with what the teacher thinks of each."""
    teacher = compiled(load(options.teacher).eval())
    start, done = time.monotonic(), 0
    with options.output.open("xb") as out:
        out.write(SAMPLES)
        for file in options.files:
            found = read(file)
            for first in range(0, len(found), CHUNK):
                samples = relabelled(teacher, found[first : first + CHUNK])
                out.write(samples.tobytes())
                done += len(samples)
                print(f"\r{done} positions, {done / (time.monotonic() - start):,.0f} a second  ", end="", flush=True)
    print(f"\n{done} positions in {options.output}")


def relabelled(teacher: Teacher, found: np.ndarray) -> np.ndarray:
    """Samples with what the teacher thinks of each, of lessons or samples."""
    thought = positions(lessons_of(found))
    scores = POINT * (thought.evaluations + judged(teacher, thought))
    samples = samples_of(found).copy()
    samples["score"] = scores.round().clamp(-2000, 2000).cpu().numpy()
    samples["result"] = UNKNOWN
    return samples


def parser() -> argparse.ArgumentParser:
    """Of the arguments."""
    parser = arguments(__doc__)
    tasks = parser.add_subparsers(required=True)
    task = tasks.add_parser("learn", help="train a teacher")
    task.set_defaults(run=learn)
    task.add_argument("files", type=Path, nargs="+", help="lessons")
    task.add_argument("--output", type=Path, required=True, help="the teacher")
    task.add_argument("--begin", type=Path, metavar="TEACHER", help="what to go on from")
    task.add_argument("--positions", type=at_least_one, default=50_000_000, help="to see in all (default: 50 million)")
    task.add_argument("--channels", type=at_least_one, default=128, help="of each square (default: 128)")
    task.add_argument("--blocks", type=at_least_one, default=8, help="of two convolutions each (default: 8)")
    task.add_argument("--batch", type=at_least_one, default=2048)
    task.add_argument("--rate", type=float, default=1e-3)
    task.add_argument("--decay", type=float, default=0.1, help="of the weights (default: 0.1)")
    task.add_argument("--dropout", type=float, default=0.2, help="before and after the last hidden layer")
    task.add_argument("--held-out", type=float, default=0.004, help="part of each file (default: 0.004)")
    task.add_argument("--every", type=float, default=30.0, help="seconds between reports (default: 30)")
    task.add_argument("--seed", type=int, default=1)
    task = tasks.add_parser("label", help="judge positions")
    task.set_defaults(run=label)
    task.add_argument("teacher", type=Path)
    task.add_argument("files", type=Path, nargs="+", help="lessons or samples")
    task.add_argument("--output", type=Path, required=True, help="samples; a new file")
    return parser


def main() -> None:
    options = parser().parse_args()
    options.run(options)


if __name__ == "__main__":
    try:
        main()
    except (Trouble, OSError) as trouble:
        sys.exit(str(trouble))
