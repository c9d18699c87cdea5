#!/bin/sh
# The commands that made the network prelate-3, from what scripts/networks/prelate-2.sh leaves: games
# of the networks before it join those of the hand-made evaluation. An hour of two cores.
#
# Games 3 were made by commit 6f6e16f, games 4 by the same with prelate-2; what their numbers depend
# on is how long the machine was at it.

set -eu
engine=${1:-target/release/prelate}

# 138,988 games of prelate-1 with 15,123,031 positions; 444,496 games of prelate-2 with 48,405,547.
"$engine" --eval-file prelate-1.nnue datagen games-3.vf --games 138988 --nodes 150 --seed 3 --chess960 5
"$engine" --eval-file prelate-2.nnue datagen games-4.vf --games 444496 --nodes 150 --seed 4 --chess960 5

"$engine" train games-1.vf games-2.vf games-3.vf games-4.vf --output prelate-3.nnue --name prelate-3 \
    --hidden 512 --outputs 8 --from prelate-2.checkpoint --rate 5e-4 --epochs 5 --result-weight 0.1 --td-lambda 0
