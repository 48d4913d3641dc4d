"""Parsers of files forked from one process that has imported their libraries, which takes longer than most files do.

Each file still has a process of its own, which confines itself and ends as a parser does.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from conftest import ENDS
from visavis.corpus.sandbox import _QUIET
from visavis.shared.child import Death

SERVER = """
import gc, importlib, json, os, runpy, sys

for form in ("excel", "hdf5", "images", "parquet"):
    for module in importlib.import_module("visavis.corpus.readers." + form).MODULES:
        importlib.import_module(module)
gc.freeze()  # so that no child looks at all that
for line in sys.stdin:
    words, request = json.loads(line)
    asked, answered = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.dup2(asked[0], 0)
        os.dup2(answered[1], 1)
        for file in (*asked, *answered):
            os.close(file)
        sys.stdin = open(0)
        sys.argv = words
        break
    for file in (asked[0], answered[1]):
        os.close(file)
    print(child, flush=True)
    with os.fdopen(asked[1], "wb") as requests:
        requests.write(request.encode())
    with os.fdopen(answered[0], "rb") as answers:
        said = answers.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([said.decode(), status]), flush=True)
else:
    sys.exit()
runpy.run_module("visavis.corpus.parsing", run_name="__main__")
os._exit(0)  # all is said and written: what was imported need not be taken apart
"""


@functools.cache
def server() -> subprocess.Popen[str]:
    """What forks parsers, until the session ends."""
    pipe, quiet = subprocess.PIPE, {**os.environ, **_QUIET, "PYTHONSAFEPATH": "1"}
    call = [sys.executable, "-P", "-c", SERVER]
    process = subprocess.Popen(call, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=quiet)
    ENDS.callback(process.wait)
    ENDS.callback(process.stdin.close)  # first
    return process


class ForkedParser:
    """What `sandbox` takes for a Child."""

    def __init__(self, script: Sequence[str], environment: Mapping[str, str]) -> None:
        flag, module, *self._words = script
        assert (flag, module, environment) == ("-m", "visavis.corpus.parsing", _QUIET)

    def ask_record(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any] | Death:
        process, late = server(), threading.Event()
        print(json.dumps([["", *self._words], json.dumps(request) + "\n"]), file=process.stdin, flush=True)
        child = int(process.stdout.readline())

        def stop() -> None:
            late.set()
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            said, status = json.loads(process.stdout.readline())
        finally:
            timer.cancel()
            timer.join()
        return json.loads(said) if said.endswith("\n") and not late.is_set() else Death(late.is_set(), status)

    def close(self) -> None:
        """It has ended."""
