#!/bin/sh
# The commands that made the network prelate-9, from prelate-8.nnue alone: what was learnt before is
# in its weights. Some six core-hours, nearly all of them for games.
#
# What is new is that it sees threats: which pieces hang, what cheaper ones attack, where a check is
# safe. The counts begin with weights of zero and are learned at a rate that also moves the hidden
# layer; a second, slower pass over the better data brings its scores nearer to deep searches.
#
# e0, e1, n2 and w2.nnue are networks on the way, trained from prelate-8.nnue and from each other on the
# first of these games, and d3.nnue was a trial of other threats: none was kept, and any network of
# about this strength will do. So will any seeds of the positions of the tree.

set -eu
engine=${1:-target/release/prelate}

# 365,062 games with 38,021,821 positions; 1,822,178; 3,996,039; 0.3 million.
"$engine" --eval-file prelate-8.nnue datagen games-21.vf --games 365062 --nodes 150 --seed 41 --chess960 5 --thorough
"$engine" --eval-file prelate-8.nnue datagen games-22.vf --games 16413 --nodes 500 --seed 52 --chess960 5 --thorough
"$engine" --eval-file prelate-8.nnue datagen games-23.vf --games 33799 --nodes 1000 --seed 43 --chess960 5 --thorough
"$engine" --eval-file prelate-8.nnue datagen games-24.vf --games 2630 --nodes 2500 --seed 44 --chess960 5 --thorough

# 1,875,108 by two networks before n2; 2,083,106; 331,033; 2,086,122; 581,937.
"$engine" --eval-file e0.nnue datagen g1.vf --games 8000 --nodes 1000 --seed 9501 --chess960 5 --thorough
"$engine" --eval-file e1.nnue datagen g2.vf --games 8000 --nodes 1000 --seed 9502 --chess960 5 --thorough
"$engine" --eval-file n2.nnue datagen n2.vf --games 17691 --nodes 1000 --seed 61 --chess960 5 --thorough
"$engine" --eval-file w2.nnue datagen w2.vf --games 2801 --nodes 1000 --seed 62 --chess960 5 --thorough
"$engine" --eval-file w2.nnue datagen w3.vf --games 17555 --nodes 1000 --seed 71 --chess960 5 --thorough
"$engine" --eval-file d3.nnue datagen d3.vf --games 4953 --nodes 300 --seed 81 --chess960 5 --thorough

# Positions of the tree, each with a small search of its own.
"$engine" --eval-file w2.nnue imitate tree1.samples --samples 599807 --label-nodes 400 --thorough
"$engine" --eval-file w2.nnue imitate tree2.samples --samples 3505408 --label-nodes 100 --thorough

few="tree2.samples tree1.samples games-22.vf games-23.vf games-24.vf n2.vf w2.vf w3.vf d3.vf g1.vf g2.vf"
lesson() {
    # shellcheck disable=SC2086
    "$engine" train $few "$@" --hidden 512 --outputs 8 --deep --held-out 0.03 --seed 77 \
        --scale 180 --td-lambda 0.95 --decay 1 --largest-score 1000 --epochs 1
}
lesson games-21.vf --output all.nnue --from prelate-8.nnue --rate 1e-3 --hidden-rate 0.5
lesson --output prelate-9.nnue --name prelate-9 --from all.checkpoint --rate 3e-4 --hidden-rate 0.3
