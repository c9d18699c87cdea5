#!/usr/bin/env bash
# Has the engine play two games in XBoard, a GUI that speaks to UCI engines through Polyglot, on
# a virtual screen, and reports how they end.
set -euo pipefail

usage() {
    cat <<'END'
Usage: scripts/xboard.sh [-o OPPONENT] [-t SECONDS] [-p PICTURE] [-g GAMES] ENGINE

Plays a game with either colour in XBoard against another UCI engine, both pondering, and says
how they ended. The exit status is 1 if a game ended by anything but the rules of chess: by an
illegal move, a crash, or a loss on time.

    -o OPPONENT  the other engine, UCI (default: stockfish)
    -t SECONDS   time of each for a game (default: 30, and half a second more with each move)
    -p PICTURE   a PNG of the screen in the middle of the first game
    -g FILE      the games in PGN

Needs xboard, polyglot and Xvfb, on Debian the packages xboard, polyglot and xvfb; for a
picture also xwd, xwdtopnm and pnmtopng (x11-apps, netpbm).

Example:
    scripts/xboard.sh -p xboard.png target/release/prelate
END
}

fail() {
    echo "xboard.sh: $*" >&2
    exit 2
}

opponent=stockfish seconds=30 picture='' games=''
while getopts 'o:t:p:g:h' letter; do
    case $letter in
    o) opponent=$OPTARG ;;
    t) seconds=$OPTARG ;;
    p) picture=$(realpath "$OPTARG") ;;
    g) games=$(realpath "$OPTARG") ;;
    h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 1 ] || { usage >&2 && exit 2; }
[[ $seconds =~ ^[1-9][0-9]{0,3}$ ]] || fail "'$seconds' is no number of seconds from 1 to 9999"

PATH=$PATH:/usr/games # where Debian keeps them
needed=(xboard polyglot Xvfb)
[ -z "$picture" ] || needed+=(xwd xwdtopnm pnmtopng)
for program in "${needed[@]}"; do
    command -v "$program" >/dev/null || fail "$program is missing"
done
engine=$(realpath "$(command -v "$1")") || fail "$1 is no program"
opponent=$(realpath "$(command -v "$opponent")") || fail "$opponent is no program"

folder=$(mktemp -d)
running=()
end() {
    for process in "${running[@]}"; do
        kill "$process" 2>/dev/null || true
    done
    wait
    rm -rf "$folder"
}
trap end EXIT
cd "$folder"
export HOME=$folder # where XBoard and Polyglot keep their settings

mkfifo display
Xvfb -displayfd 3 -screen 0 430x500x24 3>display 2>xvfb.log &
running+=($!)
read -r number <display || fail "Xvfb gives no screen: $(tail -n 1 xvfb.log)"
export DISPLAY=:$number

clock=$((seconds / 60)):$(printf %02d $((seconds % 60)))
xboard -fcp "$engine" -fUCI -scp "$opponent" -sUCI -mg 2 -tc "$clock" -inc 0.5 \
    -sgf games.pgn -xpopup -xexit -size 49 -soundProgram true \
    -autoCallFlag true -repeatsToDraw 3 -debug -nameOfDebugFile debug.log \
    >xboard.log 2>&1 &
xboard=$!
running+=("$xboard")

moves() {
    local count
    count=$(grep -c 'first *: move' debug.log 2>/dev/null) || true
    echo "${count:-0}"
}
patience=$((4 * seconds + 600))
while kill -0 "$xboard" 2>/dev/null; do
    ((SECONDS < patience)) || fail "the games do not end: $(tail -n 1 debug.log)"
    if [ -n "$picture" ] && (($(moves) >= 15)); then
        xwd -root -silent | xwdtopnm 2>/dev/null | pnmtopng 2>/dev/null >"$picture"
        picture=''
    fi
    sleep 0.2
done
wait "$xboard" || fail "XBoard has failed: $(tail -n 1 xboard.log)"

[ -z "$games" ] || cp games.pgn "$games"
ends=$(grep -oE '\{[^{}]*\} (1-0|0-1|1/2-1/2)$' games.pgn) || true
echo "$ends"
# Both games have an end, and none of these words is in it.
[ "$(grep -c . <<<"$ends")" = 2 ] || fail 'not both games have ended'
if grep -iE 'illegal|exited|forfeit|flag|time|abort|resign' <<<"$ends"; then
    exit 1
fi
