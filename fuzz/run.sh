#!/usr/bin/env bash
# Fuzzes what the engine reads, each target for some seconds: fuzz/run.sh [SECONDS [TARGET...]]
#
# It needs a C++ compiler for libFuzzer and no nightly Rust. Inputs that led somewhere new are kept
# in fuzz/corpus, those that failed in fuzz/failures; to try one again: target/release/TARGET FILE.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-300}
shift $(($# > 0 ? 1 : 0))
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    targets=(fen uci games config tables network)
fi
host=$(rustc -vV | awk '/^host: / { print $2 }')

# What cargo-fuzz would set; coverage is counted, the engine's own checks are the sanitizer.
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
cargo build --release --target "$host"

failed=()
for target in "${targets[@]}"; do
    printf '\n== %s for %s s\n' "$target" "$seconds"
    mkdir -p "corpus/$target" failures
    "target/$host/release/$target" "corpus/$target" "seeds/$target" \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
        -artifact_prefix="failures/$target-" -print_final_stats=1 -verbosity=0 ||
        failed+=("$target")
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "FAIL: ${failed[*]}; see fuzz/failures" >&2
    exit 1
fi
echo "PASS: ${targets[*]}, $seconds s each"
