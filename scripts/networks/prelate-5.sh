#!/bin/sh
# The commands that made the network prelate-5, from what scripts/networks/prelate-4.sh leaves. An
# hour of two cores.
#
# What is new is what it learns: the scores of later positions of a game count too (--td-lambda).
# A few games at more nodes are worth more than many further ones at few.

set -eu
engine=${1:-target/release/prelate}

# 187,833 more games of prelate-3, 829,278 in all; 131,223 of prelate-4; and 13,295 of prelate-4 at
# 800 nodes a move, with 1,628,991 positions.
"$engine" --eval-file prelate-3.nnue datagen games-5.vf --games 829278 --nodes 150 --seed 5 --chess960 5
"$engine" --eval-file prelate-4.nnue datagen games-6.vf --games 131223 --nodes 150 --seed 7 --chess960 5
"$engine" --eval-file prelate-4.nnue datagen games-7.vf --games 13295 --nodes 800 --seed 70 --chess960 5

"$engine" train games-3.vf games-4.vf games-5.vf games-6.vf --output prelate-5a.nnue --name prelate-5 \
    --hidden 512 --outputs 8 --from prelate-3.checkpoint --from prelate-4a.checkpoint --rate 5e-4 \
    --epochs 3 --td-lambda 0.85
"$engine" train games-7.vf --output prelate-5.nnue --name prelate-5 --hidden 512 --outputs 8 \
    --from prelate-5a.checkpoint --rate 2e-4 --epochs 3 --td-lambda 0.5
