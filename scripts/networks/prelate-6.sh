#!/bin/sh
# The commands that made the network prelate-6, from prelate-5.nnue alone: what was learnt before is
# in its weights. Three core-hours, nearly all of them for games.
#
# What is new is the head: each output has a second and a third layer, which look at the hidden layer
# that prelate-5 has learnt. They learn fast while it hardly moves (--hidden-rate): fewer games than
# it has seen would rather harm it. prelate-6a.recipe tells what the first lesson was.

set -eu
engine=${1:-target/release/prelate}

# 667,165 games of prelate-5 with 68,119,685 positions; 36,756 at 800 nodes a move with 4,424,138.
"$engine" --eval-file prelate-5.nnue datagen games-11.vf --games 667165 --nodes 150 --seed 11 --chess960 5
"$engine" --eval-file prelate-5.nnue datagen games-12.vf --games 36756 --nodes 800 --seed 12 --chess960 5

"$engine" train games-11.vf --output prelate-6a.nnue --name prelate-6 --hidden 512 --outputs 8 --deep \
    --from prelate-5.nnue --rate 1e-3 --hidden-rate 0.05 --epochs 3 --td-lambda 0.85
"$engine" train games-12.vf --output prelate-6.nnue --name prelate-6 --hidden 512 --outputs 8 --deep \
    --from prelate-6a.checkpoint --rate 4e-4 --hidden-rate 0.3 --epochs 5 --td-lambda 0.3
