#!/bin/sh
# The commands that made the network prelate-7, from prelate-6.nnue alone: what was learnt before is
# in its weights. Less than two core-hours, nearly all of them for games.
#
# What is new is how the games are searched: at some hundred nodes a move late move pruning spoils
# the scores (--thorough leaves it out). Some games had it still.

set -eu
engine=${1:-target/release/prelate}

# 88,227 games with 9,188,584 positions; 36,754 with 3,925,923; 10,959 with 1,248,140; 5,034 with
# 596,723; 172,646 with 19,317,028.
"$engine" --eval-file prelate-6.nnue datagen games-13.vf --games 88227 --nodes 300 --seed 14 --chess960 5
"$engine" --eval-file prelate-6.nnue datagen games-14.vf --games 36754 --nodes 150 --seed 21 --chess960 5 --thorough
"$engine" --eval-file prelate-6.nnue datagen games-15.vf --games 10959 --nodes 500 --seed 23 --chess960 5 --thorough
"$engine" --eval-file prelate-6.nnue datagen games-16.vf --games 5034 --nodes 800 --seed 22 --chess960 5
"$engine" --eval-file prelate-6.nnue datagen games-17.vf --games 172646 --nodes 400 --seed 24 --chess960 5 --thorough

"$engine" train games-13.vf games-14.vf games-15.vf games-16.vf games-17.vf --output prelate-7.nnue \
    --name prelate-7 --hidden 512 --outputs 8 --deep --from prelate-6.nnue --rate 1e-3 \
    --hidden-rate 0.15 --epochs 2 --td-lambda 0.6
