#!/bin/sh
# The commands that made the network prelate-13, from prelate-12: three hours of two cores.
#
# What is new is that games and the tree teach together. Games of 2,500 and 5,000 nodes a move know more than
# the searches that the network will play with, but too few of them spoil what it knows of other positions;
# positions of the tree, each the mean of its evaluation and a search of 200 nodes, keep that and mend it.

set -eu
engine=${1:-target/release/prelate}
play="--chess960 5 --thorough --sensible"

# 4,201,344 and 4,630,104 positions; each was ended before its number of games, when there were enough.
# shellcheck disable=SC2086
{
    "$engine" --eval-file prelate-12.nnue datagen games-701.vf --games 41465 --nodes 2500 --seed 701 $play
    "$engine" --eval-file prelate-12.nnue datagen games-801.vf --games 44771 --nodes 5000 --seed 801 $play
}

# 10,603,401 samples and 8,001,170. Those of the first file are of seeds 601, 602 and 611, and from before
# there was --label-weight: the same mean, taken afterwards.
tree() {
    seed=$1
    samples=$2
    # shellcheck disable=SC2086
    "$engine" --eval-file prelate-12.nnue imitate "tree-$seed.samples" --samples "$samples" --part 0.15 \
        --nodes 200 --label-nodes 200 --label-weight 0.5 --seed "$seed" $play
}
tree 601 10603401
tree 621 4000000
tree 622 4000000

"$engine" train games-701.vf games-801.vf tree-601.samples tree-621.samples tree-622.samples \
    --output prelate-13.nnue --from prelate-12.nnue --king-buckets 4 --deep --epochs 3 --rate 3e-4 --decay 0 \
    --td-lambda 0.8 --largest-score 1000 --warm-up 50
