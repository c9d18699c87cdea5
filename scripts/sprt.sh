#!/bin/sh
# Test by self-play, with a sequential probability ratio test, whether one engine binary
# is stronger than another. A thin wrapper over fastchess (https://github.com/Disservin/fastchess).

set -eu

usage() {
    cat <<'END'
usage: scripts/sprt.sh [options] NEW BASE [-- more fastchess arguments]

Play NEW against BASE until the test accepts or rejects that NEW is stronger.
Every option can also be set by the environment variable in brackets.

  --book FILE         openings, .epd or .pgn [BOOK]; default: the start position
  --bounds "E0 E1"    normalised Elo of the two hypotheses [BOUNDS]; default: 0 5
  --tc TC             time control in seconds, BASE+INCREMENT [TC]; default: 1+0.01
  --nodes N           nodes for every move, instead of a time control [NODES]
  --network FILE      the network by which NEW evaluates [NETWORK]; default: its own
  --base-network FILE the same for BASE [BASE_NETWORK]; the binaries may be one
  --hash MB           hash table [HASH]; default: 16
  --threads N         search threads [THREADS]; default: 1
  --concurrency N     games at once [CONCURRENCY]; default: 2
  --rounds N          pairs of games at most [ROUNDS]; default: 20000
  --seed N            of the order of the openings [SEED]; default: 1
  --chess960          the book holds Chess960 positions [CHESS960=1]
  --pgn FILE          write the games here [PGN]
  -h, --help          show this text

fastchess is found in PATH, or where FASTCHESS says.

  scripts/sprt.sh --book openings.epd --bounds "-3 1" target/release/prelate ./prelate-before
END
}

fail() {
    echo "sprt.sh: $*" >&2
    exit 2
}

# A bare name means a file here, as it would for any other tool, not one in PATH.
engine() {
    [ -x "$1" ] && [ -f "$1" ] || fail "$1 is not an engine that can be run"
    case $1 in
        */*) echo "$1" ;;
        *) echo "./$1" ;;
    esac
}

new='' base=''
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --chess960) CHESS960=1; shift; continue ;;
        --) shift; break ;;
        --book | --bounds | --tc | --nodes | --network | --base-network | --hash | --threads | --concurrency | --rounds | --seed | --pgn)
            [ $# -gt 1 ] || fail "$1 needs a value" ;;
        -*) fail "unknown option $1; see --help" ;;
        *)
            if [ -z "$new" ]; then new=$1; elif [ -z "$base" ]; then base=$1; else fail "too many engines: $1"; fi
            shift; continue ;;
    esac
    case $1 in
        --book) BOOK=$2 ;;
        --bounds) BOUNDS=$2 ;;
        --tc) TC=$2 ;;
        --nodes) NODES=$2 ;;
        --network) NETWORK=$2 ;;
        --base-network) BASE_NETWORK=$2 ;;
        --hash) HASH=$2 ;;
        --threads) THREADS=$2 ;;
        --concurrency) CONCURRENCY=$2 ;;
        --rounds) ROUNDS=$2 ;;
        --seed) SEED=$2 ;;
        --pgn) PGN=$2 ;;
    esac
    shift 2
done

[ -n "$base" ] || { usage >&2; exit 2; }
fastchess=$(command -v "${FASTCHESS:-fastchess}") || fail "no fastchess in PATH; set FASTCHESS to where it is"
new=$(engine "$new")
base=$(engine "$base")

bounds=${BOUNDS:-0 5}
elo0=${bounds%% *}
elo1=${bounds##* }
[ "$elo0" != "$elo1" ] || fail "--bounds takes two numbers in one argument, as in --bounds \"0 5\""

set -- -srand "${SEED:-1}" "$@"
[ -z "${PGN:-}" ] || set -- -pgnout file="$PGN" append=false "$@"
[ -z "${CHESS960:-}" ] || set -- -variant fischerandom "$@"
if [ -n "${BOOK:-}" ]; then
    [ -r "$BOOK" ] || fail "cannot read the book $BOOK"
    case $BOOK in
        *.pgn) format=pgn ;;
        *) format=epd ;;
    esac
    set -- -openings file="$BOOK" format=$format order=random "$@"
fi
for network in "${NETWORK:-}" "${BASE_NETWORK:-}"; do
    [ -z "$network" ] || [ "$network" = classical ] || [ -r "$network" ] || fail "cannot read the network $network"
done
if [ -n "${NODES:-}" ]; then pace=nodes=$NODES; else pace=tc=${TC:-1+0.01}; fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$fastchess" \
    -engine cmd="$new" name=new ${NETWORK:+option.EvalFile="$NETWORK"} \
    -engine cmd="$base" name=base ${BASE_NETWORK:+option.EvalFile="$BASE_NETWORK"} \
    -each "$pace" option.Hash="${HASH:-16}" option.Threads="${THREADS:-1}" \
    -sprt elo0="$elo0" elo1="$elo1" alpha=0.05 beta=0.05 \
    -rounds "${ROUNDS:-20000}" -games 2 -repeat -concurrency "${CONCURRENCY:-2}" \
    -recover -ratinginterval 10 -config outname="$scratch/config.json" "$@"
