#!/usr/bin/env bash
# The path of a Python that has python-chess, which the other scripts need: that of target/venv,
# which is made if it is not there.
#
#   "$(scripts/python.sh)" scripts/soak.py target/release/prelate --games 12
set -euo pipefail
cd "$(dirname "$0")/.."

venv=target/venv
if ! "$venv/bin/python" -c 'import chess.engine' 2>/dev/null; then
    command -v python3 >/dev/null || {
        echo 'python3 is missing: install Python 3.10 or newer with its venv module' >&2
        exit 1
    }
    python3 -m venv "$venv" >&2
    "$venv/bin/pip" install --quiet 'chess>=1.11,<2' >&2
fi
echo "$PWD/$venv/bin/python"
