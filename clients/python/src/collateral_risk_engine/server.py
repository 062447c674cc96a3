"""A server on this computer, for as long as a block runs."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from .client import RiskClient

_NAME = "collateral-risk-engine"


@contextmanager
def local_server(
    *,
    market: str = "sample",
    command: Sequence[str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[RiskClient]:
    """Starts a server with a key of its own on a free port of the loopback, gives its client, and stops it.

    :param market: a market store, or `sample`
    :param command: program and words before `serve`; by default the installed npm package, in the path or in `node_modules`
        of this folder or one above
    :param environment: further variables of the server
    :raises FileNotFoundError: where the package is not installed
    :raises RuntimeError: where the server does not start, with what it wrote
    """
    key = secrets.token_urlsafe(24)
    words = [*(_installed() if command is None else command), "serve", "--port", "0", "--market", market]
    variables = {**os.environ, "HOST": "127.0.0.1", "API_KEYS": key, **(environment or {})}
    process = subprocess.Popen(
        words, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    )
    # Leaving the block of a process closes its output and waits for its end.
    with process:
        try:
            address = _address(process)
            # The server must not wait for a reader of its log.
            log = deque[str](maxlen=0)
            threading.Thread(target=log.extend, args=(process.stdout,), daemon=True).start()
            yield RiskClient(address, key)
        finally:
            process.terminate()


def _installed() -> list[str]:
    found = shutil.which(_NAME)
    if found is not None:
        return [found]
    here = Path.cwd()
    for folder in [here, *here.parents]:
        program = folder / "node_modules" / _NAME / "dist" / "cli" / "main.js"
        if program.exists():
            return ["node", str(program)]
    raise FileNotFoundError(f"{_NAME} is not installed: npm install {_NAME}, or name its program by command=[...]")


def _address(process: subprocess.Popen[str]) -> str:
    """The address that the log names once the server answers."""
    assert process.stdout is not None
    written: deque[str] = deque(maxlen=20)
    for line in process.stdout:
        written.append(line)
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and "address" in entry:
            return entry["address"]
    raise RuntimeError("The server did not start:\n" + "".join(written))
