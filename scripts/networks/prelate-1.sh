#!/bin/sh
# The commands that made the network prelate-1, from nothing; some 2.5 core-hours. scripts/grow.sh
# goes the same way with one command.
#
# Games 1 were made by commit 93cabca, games 2 by d64a8c8 with openings that are more level, the
# samples by 72cd238. What the numbers of games depend on is how long the machine was at it.

set -eu
engine=${1:-target/release/prelate}
teacher="$engine --eval-file classical"

# 220,002,618 positions with the static evaluation.
$teacher imitate imitation.samples --samples 220000000 --part 0.3 --nodes 1000 --seed 5
# 248,389 games with 27,215,509 positions, and 412,527 games with 44,061,235.
$teacher datagen games-1.vf --games 248389 --nodes 150 --seed 1
$teacher datagen games-2.vf --games 412527 --nodes 150 --seed 2 --chess960 5

"$engine" train imitation.samples --output imitation.nnue --hidden 256 --outputs 1 --samples 300000000 --memory 12000
"$engine" train games-1.vf games-2.vf --output prelate-1.nnue --name prelate-1 --hidden 256 \
    --outputs 1 --from imitation.checkpoint --rate 5e-4 --epochs 8 --result-weight 0.1 --td-lambda 0
