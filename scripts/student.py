#!/usr/bin/env python3
"""Train a network that plays on a GPU, where it learns dozens of times as fast as on two cores.

Takes the samples that `teacher.py label` judged, and a checkpoint of `prelate train` to go on from.
Writes another one, from which `prelate train` makes the network. Weights and activations are
rounded on the way forward as they are in the engine, so that others make good what is lost by it
(straight-through estimator: Bengio, Léonard and Courville, 2013).

Needs the packages numpy and torch, and a GPU.

Example:

    scripts/student.py judged.samples --begin small.checkpoint --output large.checkpoint --positions 300000000
    prelate train judged.samples --from large.checkpoint --deep --samples 0 --output large.nnue
"""

from __future__ import annotations

import argparse
import math
import struct
import sys
import time
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from common import Trouble, arguments, at_least_one
from teacher import (
    CHUNK,
    DEVICE,
    DIAGONALS,
    POINT,
    RIGHT,
    STRAIGHTS,
    UP,
    Stage,
    batches,
    boards,
    course,
    leaps,
    mirror,
    rays,
    read,
    samples_of,
    shift,
)

# As src/eval/nnue/ and src/train/ have them.
PLANES = 12
INPUTS = PLANES * 64
THREATS = 64
WORTH = [16, 32, 32, 32, 32, 32, 32, 32, 32, *([16, 32, 32, 32, 32] * 3), 32, 32, 16, 16, 16, 16, 8, 16]
SECOND, THIRD = 8, 32
CENTIPAWNS = 400.0  # that an output of 1 stands for
HIDDEN_ONE, OUTPUT_ONE, SECOND_ONE = 512, 1024, 128  # the whole numbers that stand for 1.0 in weights
LARGEST_WEIGHT = 1.9
HEADER = struct.Struct("<8s4IQ5I")
MAGIC, VERSION = b"PRELTRNG", 3
WARM_UP = 500  # steps in which the rate rises from nothing
SHOWN = 200_000  # positions that the loss is measured with
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)


@dataclass
class Seen:
    """What a network sees of some positions, a row each."""

    pieces: Tensor  # bitboards by owner and role, as the side to move sees them
    is_turned: Tensor  # whether the other side's king stands in the other half as it sees it
    threats: Tensor  # counts, 128 for 1.0
    pair: Tensor  # 1 where only the side to move has the bishop pair, -1 where only the other
    output: Tensor  # that judges them
    points: Tensor  # that are to be expected

    def rows(self, chosen: Tensor | slice) -> Seen:
        """Some of them."""
        return Seen(*(tensor[chosen] for tensor in self.tensors()))

    def tensors(self) -> list[Tensor]:
        return [getattr(self, field.name) for field in fields(self)]


class Album:
    """Room for what a network sees of so many positions, filled part by part."""

    def __init__(self, size: int, outputs: int) -> None:
        self.size, self.outputs = size, outputs
        self.count = 0
        self.pages: Seen | None = None

    def add(self, samples: np.ndarray) -> None:
        """Takes in some samples, as far as there is room."""
        samples = samples[: self.size - self.count]
        both = boards(samples)
        men, score = np.bitwise_count(samples["occupied"]).astype(np.int64), samples["score"].astype(np.float32)
        is_turned = (samples["mirrored"] ^ samples["mirrored"] >> 1) & 1
        output = ((men - 2) * self.outputs // 32).astype("i1")
        known = [is_turned.astype(bool), samples["pair"].copy(), output, score / POINT]
        is_turned, pair, output, points = (torch.from_numpy(numbers).to(DEVICE) for numbers in known)
        part = Seen(both[:, :PLANES], is_turned, threats(both), pair, output, points.sigmoid())
        if self.pages is None:
            self.pages = Seen(*(tensor.new_empty((self.size, *tensor.shape[1:])) for tensor in part.tensors()))
        for tensor, rows in zip(self.pages.tensors(), part.tensors(), strict=True):
            tensor[self.count : self.count + len(samples)] = rows
        self.count += len(samples)

    def seen(self) -> Seen:
        """All that is in it."""
        if self.pages is None:
            raise Trouble("there are no samples")
        return self.pages.rows(slice(self.count))


def seen(files: list[Path], outputs: int) -> Seen:
    """All positions of some files of samples."""
    found = [samples_of(read(file)) for file in files]
    album = Album(sum(map(len, found)), outputs)
    for samples in found:
        for begin in range(0, len(samples), CHUNK):
            album.add(samples[begin : begin + CHUNK])
    return album.seen()


def threats(both: Tensor) -> Tensor:
    """The counts of src/eval/nnue/threats.rs from bitboards of pieces and what they attack."""
    own, their = both[:, :6], both[:, 6:12]
    own_attacks, their_attacks = both[:, 12:18], both[:, 18:24]
    sides = (
        threats_of(own, their, own_attacks, their_attacks, UP),
        threats_of(their, own, their_attacks, own_attacks, -UP),
    )
    sets = torch.stack([board for side in sides for board in side], 1)
    ones = torch.tensor([number.bit_count() for number in range(256)], dtype=torch.uint8, device=sets.device)
    counts = ones[sets.view(torch.uint8).view(*sets.shape, 8).int()].sum(2, dtype=torch.uint8)
    worth = torch.tensor(WORTH * 2, dtype=torch.uint8, device=sets.device)
    return counts.minimum(128 // worth) * worth


def any_of(sets: Tensor) -> Tensor:
    """The union of bitboards beside each other."""
    found = sets[:, 0]
    for index in range(1, sets.shape[1]):
        found = found | sets[:, index]
    return found


def threats_of(own: Tensor, their: Tensor, attacks: Tensor, their_attacks: Tensor, forward: int) -> list[Tensor]:
    """What is counted for one side, a bitboard each."""
    own_all, their_all, their_but_king = any_of(attacks), any_of(their_attacks), any_of(their_attacks[:, :KING])
    own_men, their_men = any_of(own), any_of(their)
    by_pawns, by_rooks, by_queens = (their_attacks[:, role] for role in (PAWN, ROOK, QUEEN))
    by_minors = their_attacks[:, KNIGHT] | their_attacks[:, BISHOP]
    cheaper = {KNIGHT: by_pawns, BISHOP: by_pawns, ROOK: by_pawns | by_minors, QUEEN: by_pawns | by_minors | by_rooks}
    takeable = range(PAWN, KING)
    found = [own[:, role] & their_all & ~own_all for role in takeable]
    found += [own[:, role] & danger for role, danger in cheaper.items()]
    found += [own[:, role] & danger for danger in (by_minors, by_rooks, by_queens) for role in takeable]
    found += [own[:, role] & by_pawns for role in (ROOK, QUEEN)]

    safe = ~own_men & (~their_all | their_all & ~their_but_king & own_all)
    empty, king = ~(own_men | their_men), their[:, KING]
    diagonal, straight = rays(king, empty, DIAGONALS), rays(king, empty, STRAIGHTS)
    checks = {KNIGHT: leaps(king), BISHOP: diagonal, ROOK: straight, QUEEN: diagonal | straight}
    found += [squares & attacks[:, role] & safe for role, squares in checks.items()]

    found.append(attacks[:, KING] & ~own_men & ~their_all)
    steps = shift(own[:, PAWN], forward) & empty & ~by_pawns & (own_all | ~their_all)
    attacked = shift(steps, forward + RIGHT) | shift(steps, forward - RIGHT)
    found.append(attacked & their_men & ~their[:, PAWN])
    return found


def rounded(weights: Tensor, one: int, largest: int | None = None) -> Tensor:
    """Weights in whole numbers, with the slopes of those that are not."""
    whole = (weights * one).round()
    if largest:
        whole = whole.clamp(-largest, largest)
    return weights + (whole / one - weights).detach()


def buckets_of(king: Tensor) -> Tensor:
    """The bucket of src/eval/nnue/features.rs that a king belongs to, one-hot, from its bitboard."""
    buckets = [king & squares != 0 for squares in (0x03, 0x0C, 0x0F00)]
    return torch.stack([*buckets, ~(buckets[0] | buckets[1] | buckets[2])], 1)


class Student(nn.Module):
    """The network of src/eval/nnue/, its parameters by their names in src/train/plain.rs."""

    def __init__(self, buckets: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.sizes = buckets, hidden, outputs
        for name, shape in self.shapes().items():
            setattr(self, name, nn.Parameter(torch.zeros(shape)))
        if buckets > 1:
            # What all king buckets have in common is learned from all positions (factoriser).
            self.common = nn.Parameter(torch.zeros(self.inputs.shape[1:]))

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The lists of the checkpoint in their order."""
        buckets, hidden, outputs = self.sizes
        return {
            "inputs": (buckets, INPUTS, hidden),
            "biases": (hidden,),
            "outputs": (outputs, 2, hidden),
            "output_biases": (outputs,),
            "pairs": (outputs,),
            "to_second": (outputs * SECOND, 2, hidden),
            "second_biases": (outputs * SECOND,),
            "to_third": (outputs, 2 * SECOND, THIRD),
            "third_biases": (outputs, THIRD),
            "to_output": (outputs, THIRD),
            "threats_to_second": (outputs * SECOND, THREATS),
            "threats_to_output": (outputs, THREATS),
        }

    def merged(self) -> Tensor:
        """The weights of the inputs, by king bucket."""
        if self.sizes[0] == 1:
            return self.inputs
        return (self.inputs + self.common).clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT)

    def forward(self, some: Seen) -> Tensor:
        """Scores, to be multiplied by CENTIPAWNS."""
        buckets, _, outputs = self.sizes
        weights, biases = rounded(self.merged().flatten(0, 1), HIDDEN_ONE), rounded(self.biases, HIDDEN_ONE)
        other = some.pieces.roll(6, 1).view(torch.uint8).view(-1, PLANES, 8).flip(2).view(torch.int64).squeeze(2)
        other = torch.where(some.is_turned[:, None], mirror(other), other)
        squares = torch.arange(64, device=other.device)
        sides = []
        for pieces in (some.pieces, other):
            inputs = (pieces[:, :, None] >> squares & 1).flatten(1).float()
            if buckets > 1:
                inputs = (buckets_of(pieces[:, KING])[:, :, None] * inputs[:, None]).flatten(1)
            sides.append((inputs @ weights + biases).clamp(0, 1).square())
        neurons, counts = torch.cat(sides, 1), some.threats.float() / 128
        output = some.output.long()

        def chosen(numbers: Tensor) -> Tensor:
            numbers = numbers.view(len(output), outputs, -1)
            return numbers.gather(1, output[:, None, None].expand(-1, -1, numbers.shape[2]))[:, 0]

        second = rounded(neurons, SECOND_ONE) @ rounded(self.to_second.flatten(1), SECOND_ONE, 127).T
        second = second + counts @ rounded(self.threats_to_second, SECOND_ONE, 127).T
        second = chosen(second + self.second_biases)
        features = torch.cat([second.clamp(0, 1), second.square().clamp(max=1)], 1)
        third = features @ self.to_third.transpose(0, 1).flatten(1) + self.third_biases.flatten()
        third = chosen(third).clamp(0, 1).square()
        added = third @ self.to_output.T + some.pair[:, None].float() * self.pairs + self.output_biases
        added = added + counts @ rounded(self.threats_to_output, OUTPUT_ONE).T
        return chosen(added + neurons @ rounded(self.outputs.flatten(1), OUTPUT_ONE).T)[:, 0]


def load(file: Path, buckets: int | None, hidden: int | None) -> Student:
    """The network of a checkpoint, grown to so many king buckets and neurons."""
    content = file.read_bytes()
    if not content.startswith(MAGIC) or len(content) < HEADER.size:
        raise Trouble(f"{file}: it is no checkpoint of 'prelate train'")
    _, version, old_hidden, outputs, points, _, text, sources, has_average, is_deep, old_buckets = HEADER.unpack_from(
        content
    )
    if version != VERSION or not is_deep:
        raise Trouble(f"{file}: it is no checkpoint of version {VERSION} with further layers")
    numbers = np.frombuffer(content, "<f4", -1, HEADER.size + text + 8 * sources + 16 * points)
    numbers = torch.from_numpy(numbers[: len(numbers) // (4 if has_average else 3)].copy())
    shapes = list(Student(old_buckets, old_hidden, outputs).shapes().values())
    if len(numbers) != sum(map(math.prod, shapes)):
        raise Trouble(f"{file}: it is damaged")
    student = Student(buckets or old_buckets, hidden or old_hidden, outputs)
    if student.sizes[0] < old_buckets or student.sizes[1] < old_hidden:
        raise Trouble(f"{file}: it has {old_buckets} king buckets and {old_hidden} neurons; none can be taken away")
    with torch.no_grad():
        # Neurons that are new see something, and say nothing yet.
        student.inputs.uniform_(-0.1, 0.1)
        student.biases.fill_(0.25)
        lists = numbers.split([math.prod(shape) for shape in shapes])
        for name, weights, shape in zip(student.shapes(), lists, shapes, strict=True):
            getattr(student, name)[..., : shape[-1]] = weights.view(shape)
        if student.sizes[0] > 1:
            student.common += student.inputs.mean(0)
            student.inputs -= student.common
    return student.to(DEVICE)


def save(student: Student, file: Path, settings: str, steps: int) -> None:
    """Writes the checkpoint, described in src/train/checkpoint.rs, with an optimiser that has seen nothing."""
    buckets, hidden, outputs = student.sizes
    lists = [student.merged(), *(getattr(student, name) for name in list(student.shapes())[1:])]
    numbers = torch.cat([weights.detach().flatten() for weights in lists]).cpu().numpy().astype("<f4")
    text = settings.encode()
    new = file.with_suffix(file.suffix + ".new")
    with new.open("wb") as out:
        out.write(HEADER.pack(MAGIC, VERSION, hidden, outputs, 0, steps, len(text), 0, 0, 1, buckets))
        out.write(text)
        out.write(numbers.tobytes())
        out.write(bytes(2 * numbers.nbytes))
    new.replace(file)


def loss_of(guess: Tensor, points: Tensor) -> Tensor:
    return ((guess * (CENTIPAWNS / POINT)).sigmoid() - points).square().mean()


def measured(student: Student, some: Seen, batch: int) -> float:
    """The loss on some positions."""
    with torch.no_grad():
        parts = [some.rows(slice(begin, begin + batch)) for begin in range(0, len(some.pair), batch)]
        return sum(loss_of(student(part), part.points).item() * len(part.pair) for part in parts) / len(some.pair)


def learn(student: Student, known: Seen, options: argparse.Namespace, until: float | None = None) -> None:
    """Trains, and writes a checkpoint now and then; some positions are held out."""
    order = torch.randperm(len(known.pair), device=DEVICE)
    order, held_out = order.tensor_split([len(order) - min(SHOWN, len(order) // 20)])
    new = known.rows(held_out)
    steps = options.positions // options.batch
    if not steps or len(order) < options.batch:
        raise Trouble(f"{min(options.positions, len(order))} positions are fewer than a batch of {options.batch}")
    before = measured(student, new, options.batch)
    print(f"{len(order)} positions to learn from, {len(held_out)} held out: loss {before:.6f}", flush=True)
    run = torch.compile(student, dynamic=False) if DEVICE == "cuda" else student
    weights = list(student.parameters())
    optimiser = torch.optim.AdamW(weights, options.rate, weight_decay=options.decay, fused=DEVICE == "cuda")
    settings = "".join(f"{name}: {value}\n" for name, value in vars(options).items())
    told, told_step, losses = time.monotonic(), 0, torch.zeros((), device=DEVICE)

    def tell(stage: Stage) -> None:
        mean = losses.item() / max(stage.step - told_step, 1)
        held_out = measured(student, new, options.batch)
        print(f"{stage.told(options.batch)}: loss {mean:.6f}, held out {held_out:.6f}", flush=True)
        save(student, options.output, settings, stage.step)

    chosen = batches(len(order), options.batch)
    stage = Stage(0, 0.0, 0.0)
    for stage in course(steps, until):
        if time.monotonic() - told > options.every:
            tell(stage)
            told, told_step = time.monotonic(), stage.step
            losses.zero_()
        falling = 0.01 + 0.99 * (0.5 + 0.5 * math.cos(math.pi * stage.done))
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1.0, (stage.step + 1) / WARM_UP) * falling
        batch = known.rows(order[next(chosen)])
        loss = loss_of(run(batch), batch.points)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        with torch.no_grad():
            for some in weights:
                some.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
            losses += loss
    tell(Stage(stage.step + 1, 1.0, stage.seconds))


def parser() -> argparse.ArgumentParser:
    """Of the arguments."""
    parser = arguments(__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="samples")
    parser.add_argument("--begin", type=Path, required=True, help="the checkpoint to go on from")
    parser.add_argument("--output", type=Path, required=True, help="the checkpoint to write")
    parser.add_argument("--king-buckets", type=int, choices=(1, 4), help="places of the own king (default: as it has)")
    parser.add_argument("--hidden", type=at_least_one, help="neurons for each side (default: as it has)")
    parser.add_argument("--positions", type=at_least_one, default=300_000_000, help="in all (default: 300 million)")
    parser.add_argument("--batch", type=at_least_one, default=16_384)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--decay", type=float, default=0.05, help="of the weights (default: 0.05)")
    parser.add_argument("--every", type=float, default=30.0, help="seconds between reports (default: 30)")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def begin(options: argparse.Namespace) -> Student:
    """The network to go on with."""
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")  # more digits than the rounded weights have
    return load(options.begin, options.king_buckets, options.hidden)


def main() -> None:
    options = parser().parse_args()
    student = begin(options)
    learn(student, seen(options.files, student.sizes[2]), options)


if __name__ == "__main__":
    try:
        main()
    except (Trouble, OSError) as trouble:
        sys.exit(str(trouble))
