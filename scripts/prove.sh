#!/usr/bin/env bash
# The long form of what .ci/run does in short: properties, fuzzing, threads under a sanitizer, a soak.
#
#   scripts/prove.sh [--hours H] [--games N] [--only STEP]...
#
# --hours is for each fuzz target (default 1), --games for the soak (default 5000). STEPs are
# checks, properties, repeat, threads, packages, fuzz and soak; without --only all are taken. The
# summary at the end has a line for each, and the exit status says whether all of them passed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

hours=1
games=5000
steps=()
while [ $# -gt 0 ]; do
    case $1 in
        --hours) hours=${2:?hours} && shift 2 ;;
        --games) games=${2:?games} && shift 2 ;;
        --only) steps+=("${2:?a step}") && shift 2 ;;
        *)
            sed -n '2,/^$/{/^set /q;s/^# \{0,1\}//;p}' "$0"
            [ "$1" = --help ]
            exit
            ;;
    esac
done
if [ ${#steps[@]} -eq 0 ]; then
    steps=(checks properties repeat threads packages fuzz soak)
fi

host=$(rustc -vV | awk '/^host: / { print $2 }')
logs=target/proof
mkdir -p "$logs"
# At once, not after hours.
case " ${steps[*]} " in *' soak '*) python=$(scripts/python.sh) || exit ;; esac

# The signatures of a bench and of a second one in the same session.
signatures() {
    printf 'bench\nucinewgame\nbench\n' | "$1" | awk '/^[0-9]+ nodes [0-9]+ nps$/ { print $1 }'
}

take() {
    case $1 in
        # All tests with checks of overflow and with assertions, and those that take minutes.
        checks) cargo test -- --include-ignored && cargo test --release -- --include-ignored ;;

        # A hundred times as many inputs, other ones than on any other day.
        properties)
            PRELATE_PROOF=100 cargo test --release --test suite -- properties fen:: uci_parse::
            ;;

        # The same signature with checks and without, at first and again.
        repeat)
            cargo build --release && cargo build --profile test || return
            local all
            all=$(signatures target/release/prelate && signatures target/debug/prelate)
            echo "$all"
            [ "$(wc -l <<<"$all")" -eq 4 ] && [ "$(sort -u <<<"$all" | wc -l)" -eq 1 ]
            ;;

        # The hash table and the threads under ThreadSanitizer, which every Rust for Linux brings.
        threads)
            RUSTC_BOOTSTRAP=1 TSAN_OPTIONS="suppressions=$PWD/scripts/tsan.txt" \
                RUSTFLAGS='-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer' \
                cargo test --target "$host" --target-dir target/tsan --lib --test suite -- \
                --test-threads 1 contention
            ;;

        # Licences, sources and known weaknesses of the packages, those of the last time a network
        # was there if none is.
        packages)
            if command -v cargo-deny >/dev/null; then
                if cargo deny fetch db; then
                    cargo deny check
                else
                    cargo deny --offline check && echo 'PASS: by the last database, none was fetched'
                fi
            else
                echo 'cargo-deny is missing (cargo install cargo-deny): licences and sources only'
                cargo test --release --test suite licences
            fi
            ;;

        fuzz) nice -n 19 fuzz/run.sh "$(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }')" ;;

        soak)
            cargo build --release &&
                "$python" scripts/soak.py target/release/prelate --games "$games"
            ;;

        *) echo "FAIL: no step '$1'" && return 1 ;;
    esac
}

summary=()
failed=0
for step in "${steps[@]}"; do
    printf '\n== %s\n' "$step"
    begin=$SECONDS
    if take "$step" 2>&1 | tee "$logs/$step.log"; then
        result=PASS
    else
        result=FAIL
        failed=1
    fi
    last=$(grep -aE '^(PASS|FAIL)|^test result' "$logs/$step.log" | tail -n 1)
    summary+=("$(printf '%-10s %s in %d s  %s' "$step" "$result" $((SECONDS - begin)) "$last")")
done
printf '\n'
printf '%s\n' "${summary[@]}"
exit "$failed"
