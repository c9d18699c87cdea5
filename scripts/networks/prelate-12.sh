#!/bin/sh
# The commands that made the network prelate-12, from prelate-11: twelve minutes of an H200 once the games
# were there.
#
# What is new is that it learned on the GPU itself, from 113 million judgements of the teacher, with its
# weights rounded as they are in the engine, and that it tells four places of the own king apart. The teacher
# has gone on with 5 million positions of new games.

set -eu
engine=${1:-target/release/prelate}
play="--nodes 1000 --chess960 5 --thorough --sensible"

# Besides the games that prelate-11.sh names, full-72.vf now as a whole (3.3 million positions): 2,047,360
# positions by prelate-10, 2,088,860, and by prelate-11 220,987 and 3,058,058.
# shellcheck disable=SC2086
{
    "$engine" --eval-file prelate-10.nnue datagen dev-201.vf --games 20960 --seed 201 $play
    "$engine" --eval-file prelate-10.nnue datagen dev-202.vf --games 21363 --seed 202 $play
    "$engine" --eval-file prelate-11.nnue datagen nat-92.vf --games 2289 --seed 92 $play
    "$engine" --eval-file prelate-11.nnue datagen nat-93.vf --games 31528 --seed 93 $play
}

# 18,054,928 positions, and 94,622,829 around them.
spread() {
    name=$1
    shift
    "$engine" --eval-file prelate-10.nnue spread "$@" --output "$name.lessons" --td-lambda 0.6 \
        --largest-score 1000
    "$engine" --eval-file prelate-10.nnue spread "$@" --output "$name-around.samples" --around 6 \
        --first-ply 4 --largest-score 1000
}
spread cut full-81.vf full-72.vf
spread book dev-191.vf book-91.vf
spread few nat-61.vf
spread many nat-82.vf
spread new dev-201.vf dev-202.vf nat-92.vf nat-93.vf

scripts/teacher.py learn cut.lessons book.lessons few.lessons many.lessons new.lessons --output t3.pt \
    --begin t2.pt --positions 17500000 --rate 6e-4 --held-out 0.003
scripts/teacher.py label t3.pt ./*.lessons ./*-around.samples --output judged.samples

# It was limited by time, to 128 seconds, and this is what they came to.
scripts/student.py judged.samples --begin prelate-11.checkpoint --output student.checkpoint --king-buckets 4 \
    --positions 331000000
# Only to round it, and to fit its scale.
"$engine" train t2-whole-rec.samples --output prelate-12.nnue --name prelate-12 --from student.checkpoint \
    --king-buckets 4 --hidden 512 --outputs 8 --deep --samples 0 --scale 180 --held-out 0.02
