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
# and all of them without any. Those for Linux run on any Linux: the C library is in them.
#
# Each is built by a profile: knowing which ways the program takes, as a bench counts them with a build for
# Linux and the same processor, if that can run here (ARM by QEMU). That makes it some 1.05 times as fast on
# Windows, 1.06 on Linux. All that can run here (Windows by Wine) have to have one signature. Where there is
# QEMU for x86-64, a package for Linux also has to tell an older processor what that lacks.
#
# It takes rustup on a Linux with gcc and llvm-tools, for Windows MinGW and zip; on Debian
# gcc-mingw-w64-x86-64, zip, wine64 and qemu-user are all that there is to install.
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

# The target of Rust, where its program will be, and what runs that on other systems.
system() {
    local suffix=
    case $1 in
        linux-arm64) target=aarch64-unknown-linux-musl linker=rust-lld runner=qemu-aarch64 ;;
        *-arm64) fail "no package '$1': see --help" ;;
        # With the C library of GNU: that of musl moves memory more slowly, 0.97 times the nodes a second.
        linux-*) target=x86_64-unknown-linux-gnu linker=cc runner= ;;
        windows-*) target=x86_64-pc-windows-gnu linker=x86_64-w64-mingw32-gcc runner=wine suffix=.exe ;;
        *) fail "no package '$1': see --help" ;;
    esac
    binary=target/$target/release/prelate$suffix
}

# What the compiler may use of a kind of processor.
processor() {
    case $1 in
        popcnt) echo '-Ctarget-cpu=x86-64-v2' ;;
        avx2) echo '-Ctarget-cpu=x86-64-v3 -Ctarget-feature=-bmi2' ;;
        bmi2) echo '-Ctarget-cpu=x86-64-v3' ;;
        avx512)
            echo '-Ctarget-cpu=x86-64-v4' \
                '-Ctarget-feature=+avx512vbmi,+avx512vbmi2,+avx512vnni,+avx512vpopcntdq'
            ;;
        arm64) echo '-Ctarget-cpu=generic' ;;
        *) fail "no processor '$1': see --help" ;;
    esac
}

# A processor, as QEMU calls it, that is too old for the package.
too_old() {
    case $1 in
        linux-popcnt) echo Penryn ;;
        linux-avx2 | linux-bmi2) echo SandyBridge ;;
        linux-avx512) echo Haswell ;;
    esac
}

# Cargo has functions named by target, too; what was counted on Linux would then fit none for Windows. This
# calls the compiler with names by package alone.
name_alike() {
    cat <<'EOF'
#!/bin/sh
for word do
    shift
    case $word in
        metadata=*) word=metadata=$CARGO_PKG_NAME-$CARGO_PKG_VERSION ;;
    esac
    set -- "$@" "$word"
done
exec "$@"
EOF
}

# Builds the binary of the system for a kind of processor, with flags of the compiler. Names are to have no
# hash of what a target's library calls its types (v0). Without link-time optimisation: that would compile
# Rust's library for the processor, too, and so what runs before the processor is checked.
build() {
    local kind=$1
    shift
    RUSTC_WRAPPER=$PWD/target/alike \
        RUSTFLAGS="$(processor "$kind") -Clinker=$linker -Csymbol-mangling-version=v0 $*" \
        cargo build --release --locked --target "$target"
}

# Whether the binary could run here, on the right processor.
can_run() {
    [ -z "$runner" ] || command -v "$runner" >/dev/null
}

# Runs a bench, and leaves its last line in $found; false if it cannot run here: the processor is none that
# it was built for, or Wine lacks a library of Windows (status 53; Wine 8 does).
run_bench() {
    local status=0
    found=$(WINEDEBUG=-all $runner "$binary" bench 2>&1 | tr -d '\r' | tail -n 2) || status=$?
    case $status,$found in
        0,*) found=${found##*$'\n'} ;;
        53,* | *"this processor lacks"*) return 1 ;;
        *) fail "$package: bench ended with the status $status: $found" ;;
    esac
}

# Leaves in $profile what a bench counts with a build for Linux and a kind of processor; nothing if that
# cannot run here.
declare -A profiles
count() {
    local kind=$1 folder=target/profile/$1
    if [ -z "${profiles[$kind]+known}" ]; then
        profiles[$kind]=
        system "linux-$kind"
        rm -rf "$folder"
        if can_run; then
            # With the system's C library: what is counted keeps functions that nobody calls, and the
            # static library has not all that these would call.
            build "$kind" "-Cprofile-generate=$folder"
            if run_bench; then
                # Named by what is in it, or Cargo would take it for that of the last time.
                "$profdata" merge -o "$folder/merged" "$folder"/*.profraw
                profiles[$kind]=$PWD/$folder/$(sha256sum "$folder/merged" | cut -c -16).profdata
                mv "$folder/merged" "${profiles[$kind]}"
            fi
        fi
    fi
    profile=${profiles[$kind]}
}

# What a package has beside the binary and the README.
documents=(LICENSE engine.toml scripts/{engines.json,lichess-bot,strength.svg,strength.csv,networks.svg})

# The README without how to build the engine, and without links to what is not in a package.
readme() {
    sed -E -e '/^## Two commands/,/^## Playing/{/^## Playing/!d}' \
        -e 's/\[([^]]*)\]\((src\/[^)]*|scripts\/networks|scripts\/grow\.sh)\)/\1/g' README.md
}

# All that may be missing, before the first minute is spent.
sysroot=$(rustc --print sysroot)
profdata=$sysroot/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/llvm-profdata
[ -x "$profdata" ] || fail 'llvm-profdata is missing: rustup component add llvm-tools'
for package in "${packages[@]}"; do
    processor "${package#*-}" >/dev/null
    for name in "linux-${package#*-}" "$package"; do
        system "$name"
        rustup target add "$target" 2>/dev/null || fail "rustup has no target $target"
    done
    case $package in
        windows-*)
            command -v "$linker" >/dev/null || fail "$package needs $linker, in gcc-mingw-w64-x86-64"
            command -v zip >/dev/null || fail "$package needs zip"
            ;;
    esac
done
mkdir -p target
name_alike >target/alike
chmod +x target/alike

summary=()
signature=
for package in "${packages[@]}"; do
    printf '\n== %s\n' "$package"
    kind=${package#*-}
    count "$kind"
    system "$package"
    build "$kind" -Ctarget-feature=+crt-static ${profile:+"-Cprofile-use=$profile"}
    if can_run && run_bench; then
        now=${found%% *}
        [ "$now" = "${signature:=$now}" ] || fail "$package has the signature $now, not $signature"
    else
        found='not run here'
    fi
    [ -n "$profile" ] || found="$found, without a profile"
    old=$(too_old "$package")
    if [ -n "$old" ] && command -v qemu-x86_64 >/dev/null; then
        told=$(qemu-x86_64 -cpu "$old" "$binary" d 2>&1) || true
        case $told in
            *"this processor lacks"*) ;;
            *) fail "$package does not tell $old what that lacks: $told" ;;
        esac
    fi

    folder=prelate-$version-$package
    rm -rf "${output:?}/$folder"
    mkdir "$output/$folder"
    cp -r --parents "${documents[@]}" "$output/$folder"
    cp "$binary" "$output/$folder"
    readme >"$output/$folder/README.md"
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
