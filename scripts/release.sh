#!/usr/bin/env bash
# Makes packages for people who have no Rust: an archive for each system and kind of processor.
#
#   scripts/release.sh [--output FOLDER] [PACKAGE]...
#
# FOLDER is target/packages if it is not given. PACKAGEs are, on Linux and Windows,
#   linux-popcnt, windows-popcnt    for processors since 2009
#   linux-avx2, windows-avx2        AMD before Zen 3: has AVX2, but takes its time for BMI2
#   linux-bmi2, windows-bmi2        Intel since Haswell (2013), AMD since Zen 3 (2020)
#   linux-avx512, windows-avx512    Intel since Ice Lake, where it has AVX-512, AMD since Zen 4
#   linux-arm64                     64-bit ARM, such as a Raspberry Pi 4
# and all of them without any. Those for Linux run on any Linux: the C library is in them. Each is run
# once, if that is possible here (Wine for Windows, QEMU for ARM), and has to have the signature of the
# others. A build for the machine at hand is some hundredths faster than its package.
#
# It takes rustup on a Linux with gcc, and for Windows MinGW and zip: on Debian gcc-mingw-w64-x86-64
# and zip.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    echo "release.sh: $*" >&2
    exit 2
}

output=target/packages
packages=()
while [ $# -gt 0 ]; do
    case $1 in
        --output) output=${2:?folder} && shift 2 ;;
        -*)
            sed -n '2,/^set /{/^set /q;s/^# \{0,1\}//;p}' "$0"
            [ "$1" = --help ] || [ "$1" = -h ]
            exit
            ;;
        *) packages+=("$1") && shift ;;
    esac
done
if [ ${#packages[@]} -eq 0 ]; then
    packages=({linux,windows}-{popcnt,avx2,bmi2,avx512} linux-arm64)
fi

version=$(cargo pkgid | sed 's/.*[#@]//')
mkdir -p "$output"
output=$(cd "$output" && pwd)

# The target of Rust, and what runs its programs on other systems.
system() {
    case $1 in
        linux-arm64) target=aarch64-unknown-linux-musl linker=rust-lld runner=qemu-aarch64 ;;
        # With the C library of GNU: that of musl moves memory more slowly, 0.97 times the nodes a second.
        linux-*) target=x86_64-unknown-linux-gnu linker=cc runner= ;;
        windows-*) target=x86_64-pc-windows-gnu linker=x86_64-w64-mingw32-gcc runner=wine ;;
        *) fail "no package '$1': see --help" ;;
    esac
}

# What the compiler may use of the processor.
processor() {
    case ${1#*-} in
        popcnt) echo '-Ctarget-cpu=x86-64-v2' ;;
        avx2) echo '-Ctarget-cpu=x86-64-v3 -Ctarget-feature=-bmi2' ;;
        bmi2) echo '-Ctarget-cpu=x86-64-v3' ;;
        avx512)
            echo '-Ctarget-cpu=x86-64-v4' \
                '-Ctarget-feature=+avx512vbmi,+avx512vbmi2,+avx512vnni,+avx512vpopcntdq'
            ;;
        arm64) echo '-Ctarget-cpu=generic' ;;
        *) fail "no package '$1': see --help" ;;
    esac
}

# All that may be missing, before the first minute is spent.
for package in "${packages[@]}"; do
    system "$package"
    processor "$package" >/dev/null
    case $package in
        windows-*)
            command -v "$linker" >/dev/null || fail "$package needs $linker, in gcc-mingw-w64-x86-64"
            command -v zip >/dev/null || fail "$package needs zip"
            ;;
    esac
    rustup target add "$target" 2>/dev/null || fail "rustup has no target $target"
done

summary=()
signature=
for package in "${packages[@]}"; do
    printf '\n== %s\n' "$package"
    system "$package"
    RUSTFLAGS="$(processor "$package") -Clinker=$linker -Ctarget-feature=+crt-static" \
        cargo build --release --locked --target "$target"
    case $package in windows-*) suffix=.exe ;; *) suffix= ;; esac
    binary=target/$target/release/prelate$suffix

    found='not run here'
    if [ -z "$runner" ] || command -v "$runner" >/dev/null; then
        status=0
        bench=$(WINEDEBUG=-all $runner "$binary" bench 2>/dev/null | tail -n 1 | tr -d '\r') || status=$?
        case $status in
            0)
                now=${bench%% *}
                [ "$now" = "${signature:=$now}" ] || fail "$package has the signature $now, not $signature"
                found=$bench
                ;;
            # An illegal instruction, by Linux and by Windows: this processor is not one of the package's.
            132 | 29) found='not run here, for want of such a processor' ;;
            *) fail "$package: bench ended with the status $status" ;;
        esac
    fi

    folder=prelate-$version-$package
    rm -rf "${output:?}/$folder"
    mkdir "$output/$folder"
    cp "$binary" README.md LICENSE engine.toml "$output/$folder"
    case $package in
        windows-*)
            archive=$folder.zip
            rm -f "$output/$archive"
            (cd "$output" && zip -qr "$archive" "$folder")
            ;;
        *)
            archive=$folder.tar.gz
            tar -C "$output" -czf "$output/$archive" "$folder"
            ;;
    esac
    rm -r "${output:?}/$folder"
    summary+=("$(printf '%-42s %s' "$archive" "$found")")
done

(cd "$output" && sha256sum prelate-"$version"-*.* >SHA256SUMS)
printf '\n'
printf '%s\n' "${summary[@]}"
echo "in $output"
