#!/bin/sh
# The commands that made the network prelate-2, from what scripts/networks/prelate-1.sh leaves: a
# larger network learns the same. Half an hour of two cores.

set -eu
engine=${1:-target/release/prelate}

mkdir -p 512
"$engine" train imitation.samples --output 512/imitation.nnue --hidden 512 --outputs 8 \
    --samples 300000000 --memory 12000
"$engine" train games-1.vf games-2.vf --output prelate-2.nnue --name prelate-2 --hidden 512 \
    --outputs 8 --from 512/imitation.checkpoint --rate 5e-4 --epochs 8 --result-weight 0.1 --td-lambda 0
