"""Work on untrusted bytes in a child process with little memory and little time: whatever they do, only it dies.

The parent starts a Python script and speaks lines with it; the script confines itself once its imports are done.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

MIB = 2**20
READY = b"ready"
START_SECONDS = 60.0  # for a child's imports, on a slow disk
LONGEST = 64 * MIB  # of an answer
_GRACE = 2.0  # seconds for a child that fell silent to end by itself, so that its own status is told
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # of Linux: a namespace of its own, in which there is no network
_REFUSED = ("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork")
_QUIET = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONSAFEPATH": "1"}


@dataclass(frozen=True)
class Death:
    """What came instead of an answer: the child was stopped because it was `late`, or ended with this status."""

    late: bool
    status: int

    @property
    def cause(self) -> str:
        """The signal or the status it ended with."""
        if self.status >= 0:
            return f"status {self.status}"
        try:
            return signal.Signals(-self.status).name
        except ValueError:
            return f"signal {-self.status}"


class Child:
    """A Python script (`script`: what follows `python`) in a process of its own, to be asked line by line."""

    def __init__(self, script: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", *script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_QUIET, **(environment or {})},
        )

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def starts(self, seconds: float = START_SECONDS) -> bool:
        """Whether the child says in time that it is ready; to be asked once, before anything else."""
        return self.ask(b"", seconds) == READY

    def ask(self, request: bytes, seconds: float) -> bytes | Death:
        """One line in answer to a request, its line break taken off; Death if there is none in time."""
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            answer = self._exchange(request)
        finally:
            timer.cancel()
            timer.join()  # from here on it has struck, or never will
        if answer.endswith(b"\n") and not late.is_set():
            return answer[:-1]
        return Death(late.is_set(), self._end())

    def ask_record(self, request: Mapping[str, Any], seconds: float, body: bytes = b"") -> dict[str, Any] | Death:
        """The same in JSON, the request followed by `body`; an answer that is no object is a Death as well."""
        said = self.ask(json.dumps(request).encode() + b"\n" + body, seconds)
        if isinstance(said, Death):
            return said
        try:
            found = json.loads(said)
        except ValueError:
            found = None
        return found if isinstance(found, dict) else Death(late=False, status=self._end())

    def _exchange(self, request: bytes) -> bytes:
        """What the child says, which is no whole line if it died or said too much."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        try:
            requests.write(request)
            requests.flush()
            return answers.readline(LONGEST)
        except (OSError, ValueError):  # it died, or was closed before
            return b""

    def _end(self) -> int:
        try:
            status = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self.close()
        return status

    def close(self) -> None:
        """End the child; again is harmless."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close() if pipe is not None else None


def answer_channel() -> BinaryIO:
    """In the child: where answers go. What a library prints from now on cannot be taken for one."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return channel


def answer(channel: BinaryIO, line: bytes) -> None:
    """In the child: one answer, at once."""
    channel.write(line + b"\n")
    channel.flush()


def confine(memory_mb: int, cpu_seconds: int, file_bytes: int = 0, *, network: bool = True) -> None:
    """In the child: little memory beyond what is used already, little time, small files or none, no core dump.

    Without `network` it opens no connection and starts no program: Python refuses, and so does the system where it lets
    a process leave its network behind.
    """
    if not network:
        _leave_network()
    try:
        import resource
    except ImportError:  # no such limits on this system; the parent's clock still holds
        return
    statm = Path("/proc/self/statm")
    used = int(statm.read_text().split()[0]) * resource.getpagesize() if statm.exists() else 1024 * MIB
    wanted = {
        resource.RLIMIT_AS: used + memory_mb * MIB,
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_CORE: 0,
    }
    for kind, limit in wanted.items():
        ceiling = resource.getrlimit(kind)[1]
        limit = limit if ceiling == resource.RLIM_INFINITY else min(limit, ceiling)
        resource.setrlimit(kind, (limit, limit))


def _leave_network() -> None:
    with contextlib.suppress(OSError, AttributeError):  # not every system has it, or lets everyone
        ctypes.CDLL(None).unshare(_NEW_USER | _NEW_NETWORK)

    def refuse(event: str, _: object) -> None:
        if event.startswith(_REFUSED):
            raise PermissionError(errno.EPERM, f"{event}: this process has no network and starts no program")

    sys.addaudithook(refuse)
