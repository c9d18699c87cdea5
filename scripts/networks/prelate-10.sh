#!/bin/sh
# The commands that made the network prelate-10, from prelate-9.nnue alone: what was learnt before is
# in its weights. Some three core-hours, nearly all of them for games.
#
# What is new is where the games begin and end: openings of sensible moves instead of random ones, and
# no more of a game once it is decided. With a thousand nodes a move the scores look far enough ahead
# that later ones need to count less.

set -eu
engine=${1:-target/release/prelate}

# 14,508,842 positions.
"$engine" --eval-file prelate-9.nnue datagen nat-51.vf --games 147329 --nodes 1000 --seed 51 --chess960 5 \
    --thorough --sensible

# 1,201,513 positions of usual games, from a run of which the seed is not known any more: any will do.
"$engine" --eval-file prelate-9.nnue datagen games-41.vf --games 9594 --nodes 1000 --chess960 5 --thorough

"$engine" train nat-51.vf games-41.vf --output prelate-10.nnue --name prelate-10 --from prelate-9.nnue \
    --hidden 512 --outputs 8 --deep --rate 4e-4 --hidden-rate 0.3 --epochs 1 --td-lambda 0.6 \
    --scale 180 --decay 1 --largest-score 1000 --held-out 0.03 --seed 77
