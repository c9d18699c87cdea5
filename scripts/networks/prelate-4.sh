#!/bin/sh
# The commands that made the network prelate-4, from what scripts/networks/prelate-3.sh leaves: only
# games of networks are learnt from. Two hours of two cores.
#
# Eight passes at a high rate learn some of the games by heart. The mean with the network before is
# better than either: so the last command only mixes and fits the scale. prelate-4a.recipe tells what
# the passes were.

set -eu
engine=${1:-target/release/prelate}

# 641,445 games of prelate-3 with 69,584,662 positions.
"$engine" --eval-file prelate-3.nnue datagen games-5.vf --games 641445 --nodes 150 --seed 5 --chess960 5

"$engine" train games-3.vf games-4.vf games-5.vf --output prelate-4a.nnue --name prelate-4 \
    --hidden 512 --outputs 8 --from prelate-3.checkpoint --rate 5e-4 --epochs 8 --result-weight 0.2 --td-lambda 0
"$engine" train games-3.vf games-4.vf games-5.vf --output prelate-4.nnue --name prelate-4 \
    --hidden 512 --outputs 8 --from prelate-3.checkpoint --from prelate-4a.checkpoint --samples 0 \
    --result-weight 0.1 --td-lambda 0
