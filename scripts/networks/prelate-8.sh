#!/bin/sh
# The commands that made the network prelate-8, from prelate-7.nnue alone: what was learnt before is
# in its weights. Some two and a half core-hours, nearly all of them for games.
#
# What is new is how far ahead it is asked to look: scores are averaged with later ones as the points
# that the games really brought (--td-scale), the outcome last. So a lambda of 0.9 no longer makes
# the scores grow. What later scores tell needs many games rather than deep ones.
#
# With the engine of commit 017fae5: it took 120 centipawns as e to 1 for labels and 400 in the loss,
# where later ones have one --scale for both.

set -eu
engine=${1:-target/release/prelate}

# 100,848 games with 11,323,687 positions; 255,181 with 27,004,983.
"$engine" --eval-file prelate-7.nnue datagen games-18.vf --games 100848 --nodes 500 --seed 31 --chess960 5 --thorough
"$engine" --eval-file prelate-7.nnue datagen games-19.vf --games 255181 --nodes 200 --seed 32 --chess960 5 --thorough

"$engine" train games-18.vf games-19.vf --output prelate-8.nnue --name prelate-8 --hidden 512 \
    --outputs 8 --deep --from prelate-7.nnue --rate 5e-4 --hidden-rate 0.15 --epochs 2 \
    --held-out 0.005 --td-lambda 0.9
