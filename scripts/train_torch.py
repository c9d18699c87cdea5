#!/usr/bin/env python3
"""Train a network with PyTorch, where there is a GPU for it.

Reads samples, as `prelate imitate` and `prelate data --write` make them, and writes a
checkpoint, from which `prelate train` makes the network that plays, with the same fit of its
scale and the same rounding as for its own.

Needs the packages numpy and torch.

Example:

    prelate data games.vf --write games.samples
    scripts/train_torch.py games.samples --output large.checkpoint --hidden 768 --epochs 40
    prelate train games.vf --from large.checkpoint --hidden 768 --samples 0 --output large.nnue
"""

from __future__ import annotations

import argparse
import math
import struct
import sys
import time
from pathlib import Path

import numpy as np
import torch

from common import Trouble, arguments, at_least_one

MAGIC = b"Prelate samples 1\n".ljust(32, b"\0")
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
INPUTS = 768
NOTHING = INPUTS  # the input of a piece that is not there
SCALE = 400.0  # centipawns that an output of 1 stands for
UNKNOWN = 3  # the result of a position that belongs to no game
LARGEST_WEIGHT = 1.9
CHECKPOINT = struct.Struct("<8s4IQ4I")


def read(files: list[Path]) -> np.ndarray:
    """All samples of some files, with one axis."""
    parts = []
    for file in files:
        if file.open("rb").read(len(MAGIC)) != MAGIC:
            raise Trouble(f"{file}: no file of samples; 'prelate data {file} --write FILE' makes one of games")
        length = (file.stat().st_size - len(MAGIC)) // SAMPLE.itemsize
        parts.append(np.memmap(file, SAMPLE, "r", len(MAGIC), (length,)))
    return np.concatenate(parts)


def inputs(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The inputs that the side to move sees and those its opponent sees, 32 each."""
    count = len(samples)
    bits = np.unpackbits(
        np.ascontiguousarray(samples["occupied"]).view("u1").reshape(count, 8), axis=1, bitorder="little"
    ).astype(bool)
    row, square = np.nonzero(bits)
    place = (np.cumsum(bits, axis=1) - 1)[bits]
    codes = samples["codes"][row, place // 2] >> (place % 2 * 4) & 15
    role, theirs = (codes & 7).astype(np.int64), (codes >> 3).astype(np.int64)
    seen = []
    for side in range(2):
        turned = square ^ (56 * side) ^ (7 * (samples["mirrored"][row] >> side & 1))
        numbers = np.full((count, 32), NOTHING, np.int64)
        numbers[row, place] = ((theirs ^ side) * 6 + role) * 64 + turned
        seen.append(numbers)
    return seen[0], seen[1]


class Network(torch.nn.Module):
    """The network, its parameters in the order of the checkpoint."""

    def __init__(self, hidden: int, outputs: int) -> None:
        super().__init__()
        near = math.sqrt(1 / 24) / 2
        self.inputs = torch.nn.Parameter(torch.empty(INPUTS, hidden).uniform_(-near, near))
        self.biases = torch.nn.Parameter(torch.full((hidden,), 0.25))
        near = math.sqrt(1 / hidden)
        self.outputs = torch.nn.Parameter(torch.empty(outputs, 2 * hidden).uniform_(-near, near))
        self.output_biases = torch.nn.Parameter(torch.zeros(outputs))
        self.pairs = torch.nn.Parameter(torch.zeros(outputs))

    def forward(
        self, own: torch.Tensor, theirs: torch.Tensor, pair: torch.Tensor, output: torch.Tensor
    ) -> torch.Tensor:
        """A score, to be multiplied by SCALE for centipawns. One-hot inputs times weights is what a GPU does best."""
        sides = []
        for numbers in (own, theirs):
            hot = torch.zeros(len(numbers), INPUTS + 1, device=numbers.device).scatter_(1, numbers, 1.0)
            sides.append((hot[:, :INPUTS] @ self.inputs + self.biases).clamp(0, 1).square())
        all_outputs = torch.cat(sides, 1) @ self.outputs.T + self.output_biases + pair[:, None] * self.pairs
        return all_outputs.gather(1, output[:, None])[:, 0]


def batch_of(samples: np.ndarray, options: argparse.Namespace) -> tuple[list[torch.Tensor], torch.Tensor]:
    """What the network takes, and the points it shall expect."""
    own, theirs = inputs(samples)
    pieces = np.bitwise_count(samples["occupied"]).astype(np.int64)
    score = 1 / (1 + np.exp(-samples["score"].astype(np.float32) / options.scale))
    result = samples["result"].astype(np.float32) / 2
    mixed = np.where(samples["result"] == UNKNOWN, score, score + options.result_weight * (result - score))
    arrays = [own, theirs, samples["pair"].astype(np.float32), (pieces - 2) * options.outputs // 32]
    return [torch.from_numpy(array).to(options.device) for array in arrays], torch.from_numpy(mixed).to(options.device)


def save(path: Path, network: Network, optimiser: torch.optim.AdamW, settings: str, steps: int) -> None:
    """Writes the checkpoint, described in src/train/checkpoint.rs."""
    hidden, outputs = network.inputs.shape[1], network.outputs.shape[0]
    text = settings.encode()
    parameters = list(network.parameters())
    states = [optimiser.state[parameter] for parameter in parameters]
    lists = [*parameters, *(state["exp_avg"] for state in states), *(state["exp_avg_sq"] for state in states)]
    new = path.with_suffix(path.suffix + ".new")
    with new.open("wb") as file:
        file.write(CHECKPOINT.pack(b"PRELTRNG", 2, hidden, outputs, 0, steps, len(text), 0, 0, 0))
        file.write(text)
        for numbers in lists:
            file.write(numbers.detach().cpu().numpy().astype("<f4").tobytes())
    new.replace(path)


def main() -> None:
    """Trains, with a line for every pass."""
    parser = arguments(__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="samples")
    parser.add_argument("--output", type=Path, required=True, help="the checkpoint")
    parser.add_argument("--hidden", type=at_least_one, default=256, help="neurons for each side")
    parser.add_argument("--outputs", type=int, choices=(1, 8), default=1)
    parser.add_argument("--epochs", type=at_least_one, default=20, help="passes over the samples")
    parser.add_argument("--batch", type=at_least_one, default=16_384)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--result-weight", type=float, default=0.0)
    parser.add_argument("--scale", type=float, default=180.0, help="centipawns that count as e to 1 in the loss")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    random = np.random.default_rng(options.seed)
    samples = read(options.files)
    steps_a_pass = len(samples) // options.batch
    if not steps_a_pass:
        raise Trouble(f"{len(samples)} samples are fewer than a batch of {options.batch}")
    network = Network(options.hidden, options.outputs).to(options.device)
    optimiser = torch.optim.AdamW(network.parameters(), options.rate, weight_decay=0.01)
    steps = options.epochs * steps_a_pass
    fall = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps, options.rate / 100)
    start = time.monotonic()
    for epoch in range(1, options.epochs + 1):
        order, total = random.permutation(len(samples)), 0.0
        for step in range(steps_a_pass):
            chosen = np.sort(order[step * options.batch : (step + 1) * options.batch])
            taken, points = batch_of(samples[chosen], options)
            loss = (torch.sigmoid(network(*taken) * (SCALE / options.scale)) - points).square().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            fall.step()
            with torch.no_grad():
                for parameter in network.parameters():
                    parameter.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
            total += loss.item()
        speed = epoch * steps_a_pass * options.batch / (time.monotonic() - start)
        print(f"pass {epoch} of {options.epochs}: loss {total / steps_a_pass:.6f}, {speed:,.0f} samples/s", flush=True)
        settings = "".join(f"{name}: {value}\n" for name, value in vars(options).items())
        save(options.output, network, optimiser, settings, epoch * steps_a_pass)


if __name__ == "__main__":
    try:
        main()
    except Trouble as trouble:
        sys.exit(str(trouble))
