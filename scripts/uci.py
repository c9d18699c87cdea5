"""A UCI engine in a process of its own, for scripts that have it search positions."""

from __future__ import annotations

import re
import shlex
import subprocess
import threading
from collections.abc import Iterator, Mapping

from common import Trouble

GRACE = 10.0  # seconds an engine may outlast its time, or take to start, before it is given up


class Engine:
    """A running engine. The usual options are set if it has them, the wanted ones it must have."""

    def __init__(self, command: str, usual: Mapping[str, object], wanted: Mapping[str, object]) -> None:
        self.command = command
        try:
            self.process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            raise Trouble(f"cannot start {command}: {error.strerror}") from error
        self.send("uci")
        lines = list(self.lines_until("uciok", GRACE))
        self.name = next((line.removeprefix("id name ") for line in lines if line.startswith("id name ")), command)
        offered = {match[1] for line in lines if (match := re.match(r"option name (.+?) type ", line))}
        for name, value in {**usual, **wanted}.items():
            if name in offered:
                self.send(f"setoption name {name} value {value}")
            elif name in wanted:
                self.close()
                raise Trouble(f"{command} has no option {name}")

    def send(self, line: str) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(line + "\n")
        except OSError as error:
            raise Trouble(f"{self.command} ended unexpectedly") from error

    def lines_until(self, last: str, patience: float | None) -> Iterator[str]:
        """The engine's lines up to and with the one whose first word is `last`."""
        assert self.process.stdout
        watchdog = threading.Timer(patience or 0.0, self.process.kill)
        watchdog.daemon = True
        if patience:  # a thread takes its time to start, which who measures has not
            watchdog.start()
        try:
            for line in self.process.stdout:
                yield line.rstrip()
                if line.split()[:1] == [last]:
                    return
        finally:
            watchdog.cancel()
        code = self.process.wait()
        late = f" or said no {last} in {patience:g} s" if patience and code == -9 else ""
        raise Trouble(f"{self.command} ended unexpectedly{late} (exit status {code})")

    def new_game(self) -> None:
        """Have it forget what it has learnt, and wait until it is ready."""
        self.send("ucinewgame")
        self.send("isready")
        for _ in self.lines_until("readyok", GRACE):
            pass

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
