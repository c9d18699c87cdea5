#!/bin/sh
# From nothing to a network: in each generation the engine plays games, lets a network imitate its
# evaluation, and has it learn from the games. Then the network plays a few at more nodes, searches
# positions of its search trees, and learns from both; it plays the games of the next generation.

set -eu

usage() {
    cat <<'END'
usage: scripts/grow.sh [options] FOLDER

Grow networks in FOLDER: 1.nnue learns from the hand-made evaluation, 2.nnue from 1.nnue, and so
on. What is there already is not made again, so that the way can be gone in parts and lengthened.
Every option can also be set by the environment variable in brackets.

  --engine FILE       the binary [ENGINE]; default: target/release/prelate
  --generations N     networks in all [GENERATIONS]; default: 2
  --games N           games of each generation [GAMES]; default: 200000, some hours on two cores
  --nodes N           nodes of each move [NODES]; default: 150
  --deep-games N      games with more thought, to learn from last [DEEP_GAMES]; default: 15000
  --deep-nodes N      nodes of each of their moves [DEEP_NODES]; default: 800
  --tree N            positions of the search tree beside them, each searched with 200 nodes
                      [TREE]; default: 8000000, half an hour on two cores
  --imitated N        positions to imitate first [IMITATED]; default: 200000000,
                      minutes of work and 6.4 GB of disk
  --hidden N          neurons for each side, a multiple of 64 [HIDDEN]; default: 512
  --outputs N         1, or 8 for stages of the game [OUTPUTS]; default: 8
  --epochs N          passes over the games [EPOCHS]; default: 8
  --td-lambda W       what later scores of a game count [TD_LAMBDA]; default: 0.85
  --threads N         threads [THREADS]; default: one for each core
  --tiny              all as small as it still shows that the way can be gone, in seconds
  -h, --help          show this text

A generation is worth its work if it wins a match: scripts/sprt.sh, with the option EvalFile.
END
}

fail() {
    echo "grow.sh: $*" >&2
    exit 2
}

folder=''
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --tiny)
            GENERATIONS=2 GAMES=300 NODES=50 DEEP_GAMES=100 DEEP_NODES=100 TREE=5000 IMITATED=200000
            HIDDEN=64 EPOCHS=30 THREADS=2 BATCH=2048
            shift; continue ;;
        --engine | --generations | --games | --nodes | --deep-games | --deep-nodes | --tree | --imitated | --hidden | --outputs | --epochs | --td-lambda | --threads)
            [ $# -gt 1 ] || fail "$1 needs a value" ;;
        -*) fail "unknown option $1; see --help" ;;
        *)
            [ -z "$folder" ] || fail "too many folders: $1"
            folder=$1; shift; continue ;;
    esac
    case $1 in
        --engine) ENGINE=$2 ;;
        --generations) GENERATIONS=$2 ;;
        --games) GAMES=$2 ;;
        --nodes) NODES=$2 ;;
        --deep-games) DEEP_GAMES=$2 ;;
        --deep-nodes) DEEP_NODES=$2 ;;
        --tree) TREE=$2 ;;
        --imitated) IMITATED=$2 ;;
        --hidden) HIDDEN=$2 ;;
        --outputs) OUTPUTS=$2 ;;
        --epochs) EPOCHS=$2 ;;
        --td-lambda) TD_LAMBDA=$2 ;;
        --threads) THREADS=$2 ;;
    esac
    shift 2
done
[ -n "$folder" ] || { usage >&2; exit 2; }

engine=${ENGINE:-target/release/prelate}
[ -x "$engine" ] || fail "$engine is not an engine that can be run"
threads=${THREADS:-$(getconf _NPROCESSORS_ONLN)}
nodes=${NODES:-150}
batch=${BATCH:-16384}
mkdir -p "$folder"

teacher=classical
generation=1
while [ "$generation" -le "${GENERATIONS:-2}" ]; do
    base=$folder/$generation
    if [ ! -e "$base.nnue" ]; then
        echo "== generation $generation, taught by $teacher"
        play="--nodes $nodes --seed $generation --threads $threads"
        # Other openings.
        think="--nodes ${DEEP_NODES:-800} --seed $((1000 + generation)) --threads $threads"
        search="--nodes 200 --label-nodes 200 --label-weight 0.5 --part 0.15 --seed $((2000 + generation)) --threads $threads"
        learn="--hidden ${HIDDEN:-512} --outputs ${OUTPUTS:-8} --batch $batch --threads $threads --name prelate-$generation"
        # Words that are to be split.
        # shellcheck disable=SC2086
        {
            "$engine" --eval-file "$teacher" imitate "$base.samples" --samples "${IMITATED:-200000000}" $play
            "$engine" --eval-file "$teacher" datagen "$base.vf" --games "${GAMES:-200000}" $play
            "$engine" data "$base.vf"
            "$engine" train "$base.samples" --output "$base-imitation.nnue" --epochs 2 --resume $learn
            "$engine" train "$base.vf" --output "$base-games.nnue" --from "$base-imitation.checkpoint" \
                --deep --rate 0.0005 --epochs "${EPOCHS:-8}" --td-lambda "${TD_LAMBDA:-0.85}" \
                --resume $learn
            "$engine" --eval-file "$base-games.nnue" datagen "$base-deep.vf" --games "${DEEP_GAMES:-15000}" $think
            "$engine" --eval-file "$base-games.nnue" imitate "$base-tree.samples" --samples "${TREE:-8000000}" $search
            "$engine" data "$base-deep.vf"
            "$engine" train "$base-deep.vf" "$base-tree.samples" --output "$base.new.nnue" \
                --from "$base-games.checkpoint" --deep --rate 0.0003 --decay 0 --epochs 3 --td-lambda 0.8 \
                --resume $learn
        }
        mv "$base.new.nnue" "$base.nnue"
        mv "$base.new.recipe" "$base.recipe"
    fi
    # It loads, and it plays.
    "$engine" --eval-file "$base.nnue" "position startpos" "go nodes 10000" | tail -n 1
    teacher=$base.nnue
    generation=$((generation + 1))
done
