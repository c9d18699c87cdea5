#!/bin/sh
# The commands that made the network prelate-11, from prelate-10.nnue: half an hour on two cores and nine
# minutes of an H200 once the games were there, which had taken some five core-hours.
#
# What is new is that it learns from no search, but from a teacher: a network of convolutions that has
# learned from the games how far their scores are from prelate-10's evaluation. It judged 43 million
# positions, of which seven in ten are in no game.

set -eu
engine=${1:-target/release/prelate}
play="--nodes 1000 --chess960 5 --thorough --sensible"

# Games by prelate-10: 5,439,556 positions, 614,647, 2,853,679.
# shellcheck disable=SC2086
{
    "$engine" --eval-file prelate-10.nnue datagen nat-82.vf --games 55610 --seed 82 $play
    "$engine" --eval-file prelate-10.nnue datagen nat-61.vf --games 6330 --seed 61 $play
    "$engine" --eval-file prelate-10.nnue datagen dev-191.vf --games 29210 --seed 191 $play
}
# And of two kinds for which the options were tried and not kept: 23,206 that begin with the openings of
# 8moves_v3 (book-91.vf, 2,170,575 positions), and 119,932 and 46,425 that ended at 20 pieces (full-81.vf,
# 5,668,939 positions, and full-72.vf, 2,207,144; commit c0f1d45 has the option). Others will do.

# 7,519,834 positions and 4,832,194; around them 19,229,440 and 13,342,992.
spread() {
    name=$1
    shift
    "$engine" --eval-file prelate-10.nnue spread "$@" --output "$name.lessons" --td-lambda 0.6 \
        --largest-score 1000
    "$engine" --eval-file prelate-10.nnue spread "$@" --output "$name-around.samples" --around 3 \
        --first-ply 4 --largest-score 1000
}
spread whole nat-82.vf nat-61.vf book-91.vf dev-191.vf
spread cut full-81.vf full-72.vf

# The first round had not the games of dev-191.vf yet, but half as many again of full-72.vf. Both were limited
# by time, to 170 and 390 seconds, and this is what they came to.
scripts/teacher.py learn whole.lessons cut.lessons --output t1.pt --positions 17408000 --rate 1.5e-3 \
    --decay 0.02 --dropout 0
scripts/teacher.py learn cut.lessons whole.lessons --output t2.pt --begin t1.pt --positions 36857856

# Scores were rounded to 4.5 centipawns, and of cut-around 11,534,336 judged in the time that there was.
for some in whole cut; do
    scripts/teacher.py label t2.pt $some.lessons --output t2-$some-rec.samples
    scripts/teacher.py label t2.pt $some-around.samples --output t2-$some-samples.samples
done

learn() {
    "$engine" train t2-whole-rec.samples t2-whole-samples.samples t2-cut-rec.samples t2-cut-samples.samples \
        "$@" --hidden 512 --outputs 8 --deep --hidden-rate 1 --scale 180 --decay 0.1 --held-out 0.005
}
learn --output s1.nnue --from prelate-10.nnue --rate 8e-4 --epochs 1 --seed 1
learn --output prelate-11.nnue --name prelate-11 --from s1.nnue --rate 7e-4 --epochs 2 --seed 2
