#!/usr/bin/env python3
"""From lessons to a network by way of a teacher, in so many minutes of a GPU.

What `teacher.py learn`, `teacher.py label` and `student.py` do one after the other, in one program and by
the clock: the teacher learns, judges as many positions as it has time for, and these stay in the memory of
the GPU for the pupil to learn from. Files of positions to be judged may still be growing when it begins: they
are looked at when the teacher has learned, so that the processor makes them meanwhile. They are judged in
random order, so that each has its share of the time.

Needs the packages numpy and torch, and a GPU.

Example:

    prelate imitate tree.samples --samples 100000000 --part 0.1 &
    prelate spread games.vf --output games.lessons --td-lambda 0.8 --largest-score 1000
    scripts/distil.py games.lessons --judge tree.samples --begin small.checkpoint --output large.checkpoint \\
        --minutes 5 2 6 --student "--king-buckets 4"
    prelate train tree.samples --from large.checkpoint --deep --samples 0 --output large.nnue
"""

from __future__ import annotations

import random
import shlex
import sys
import time
from pathlib import Path

import student
import teacher
from common import Trouble, arguments, at_least_one, minutes
from teacher import CHUNK


def judge(judging: teacher.Teacher, files: list[Path], room: int, outputs: int, until: float) -> student.Album:
    """Positions of these files as the teacher judges them, as far as there is room and time."""
    found = [teacher.read(file) for file in files]
    album = student.Album(min(room, sum(map(len, found))), outputs)
    parts = [some[first : first + CHUNK] for some in found for first in range(0, len(some), CHUNK)]
    random.shuffle(parts)
    run = teacher.compiled(judging.eval())
    for part in parts:
        if album.count == album.size or album.count and time.monotonic() > until:
            break
        album.add(teacher.relabelled(run, part))
    return album


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="lessons")
    parser.add_argument("--judge", type=Path, nargs="+", required=True, help="samples or lessons to be judged")
    parser.add_argument("--begin", type=Path, required=True, help="the pupil's checkpoint to go on from")
    parser.add_argument("--output", type=Path, required=True, help="the checkpoint; the teacher is kept beside it")
    parser.add_argument(
        "--minutes",
        type=minutes,
        nargs=3,
        required=True,
        metavar=("LEARN", "JUDGE", "TRAIN"),
        help="for the teacher's learning, its judging, the pupil's training",
    )
    parser.add_argument(
        "--room", type=at_least_one, default=150_000_000, help="positions judged at most (default: 150 million)"
    )
    parser.add_argument("--teacher", type=shlex.split, default=[], help="options of 'teacher.py learn'")
    parser.add_argument("--student", type=shlex.split, default=[], help="options of 'student.py'")
    parser.add_argument("--seed", type=at_least_one, default=1)
    options = parser.parse_args()

    begun, seed = time.monotonic(), ["--seed", str(options.seed)]
    random.seed(options.seed)
    taught = [*map(str, options.files), "--output", str(options.output.with_suffix(".teacher"))]
    teaching = teacher.parser().parse_args(["learn", *taught, *seed, *options.teacher])
    trained = [*map(str, options.judge), "--begin", str(options.begin), "--output", str(options.output)]
    training = student.parser().parse_args([*trained, *seed, *options.student])
    # A file that is none shows before the teacher has learned.
    pupil = student.begin(training)
    for file in options.judge:
        teacher.read(file)
    ends = [begun + sum(options.minutes[: phase + 1]) for phase in range(3)]

    judging, known, new = teacher.begin(teaching)
    teacher.teach(judging, known, new, teaching, ends[0])
    teacher.report("positions held out", judging, new)
    del known, new
    album = judge(judging, options.judge, options.room, pupil.sizes[2], ends[1])
    print(f"{album.count} positions judged", flush=True)
    student.learn(pupil, album.seen(), training, ends[2])


if __name__ == "__main__":
    try:
        main()
    except (Trouble, OSError) as trouble:
        sys.exit(str(trouble))
