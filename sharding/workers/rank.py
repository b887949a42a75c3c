"""The life of a rank: set itself up, join the process group, answer calls until the kernel's end of the
socket closes.

Everything happens in the order of the messages. An interrupt reaches user code only, never the rank's own book-keeping
(`interruption.py`). Runs in the rank, entered from the platform's way of making one (`forking.py`).
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import linecache
import os
import random
import signal
import sys
import time
from collections import deque
from typing import Any, TextIO

from sharding.workers import figures, flight, keyboard, lifeline, parcel, rendezvous, report, scratch, shipping
from sharding.workers.displays import Displays
from sharding.workers.emission import sender
from sharding.workers.interruption import Interruption
from sharding.workers.namespace import namespace
from sharding.workers.watching import Watch
from sharding.workers.wire import Channel, Message, Payload


class Rank:
    """One rank, serving its channel."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._interruption = Interruption()
        self._call: int | None = None
        self._labels: dict[str, str] = {}
        self._unfit: BaseException | None = None
        self._store_fd: int | None = None
        self._number = 0
        self._max_result_nbytes = 0.0
        self._watch: Watch | None = None
        self._ahead: deque[Message | None] = deque()

    def serve(self) -> None:
        self._interruption.listen()
        handlers = {"setup": self._set_up, "join": self._join, "call": self._answer, "interrupt": self._too_late}
        while (message := self._next_message()) is not None:
            handlers[message.kind](message)

    def _next_message(self) -> Message | None:
        return self._ahead.popleft() if self._ahead else self._channel.receive(mapped=True)

    def _too_late(self, message: Message) -> None:
        """The call that was to be interrupted is over."""

    def _interrupt_if_told_to(self) -> None:
        """Take the interrupt whose signal came before this call could."""
        with contextlib.suppress(BlockingIOError):
            self._ahead.append(self._channel.receive(mapped=True, wait=False))
        message = self._ahead[0] if self._ahead else None
        if message is not None and message.kind == "interrupt" and message["call"] == self._call:
            self._ahead.popleft()
            self._interruption.take()

    def _set_up(self, message: Message) -> None:
        self._number = message["rank"]
        self._max_result_nbytes = message["max_result_mb"] * 1e6
        os.environ.clear()
        os.environ.update(message["env"])
        sys.path[:] = message["path"]
        sys.argv[:] = [""]
        os.chdir(message["cwd"])
        scratch.use(message["folder"])
        _seed(message["seed"])
        _set_num_threads(message["num_threads"])
        keyboard.refuse()
        sender.send = self._emit
        Displays(lambda values: self._emit("display", time.monotonic_ns(), values)).install()
        self._watch = Watch(message["hang_after_s"], self._tell, self._labels)

    def _join(self, message: Message) -> None:
        """Form the process group; what goes wrong is the answer to the next call."""
        try:
            rendezvous.leave()
            if self._store_fd is not None:
                os.close(self._store_fd)
            (self._store_fd,) = message.fds
            rendezvous.join(rendezvous.Membership(**message["membership"]), self._store_fd)
            self._unfit = None
        except Exception as error:
            self._unfit = error
        self._channel.send("ready", generation=message["membership"]["generation"])

    def _answer(self, message: Message) -> None:
        self._call, self._interruption.taken = message["call"], False
        self._labels.update(_learn_sources(message["sources"]))
        assert self._watch is not None
        self._watch.begin()
        kind, fields, payload = self._outcome(message)
        self._watch.end()
        _flush()
        counts = {"num_collectives": rendezvous.num_collectives(), "entered": flight.num_entered()}
        self._channel.send(kind, payload=payload, call=self._call, **counts, **fields)
        self._call = None

    def _outcome(self, message: Message) -> tuple[str, dict[str, Any], Payload]:
        try:
            return "answered", {}, self._run(message.payload)
        except KeyboardInterrupt as error:
            if self._interruption.taken:
                return "interrupted", {}, b""
            return "failed", *report.describe(error, self._labels)
        except BaseException as error:
            fields, pickled = report.describe(error, self._labels)
            fields |= {"joining": error is self._unfit, "interrupted": self._interruption.taken}
            return "failed", fields, pickled

    def _run(self, payload: memoryview) -> Payload:
        if self._unfit is not None:
            raise self._unfit
        assert self._call is not None
        try:
            self._interruption.allow(self._call)
            self._interrupt_if_told_to()
            fn, args, kwargs = parcel.unpack(payload)
            value = namespace.call(fn, args, kwargs)
            figures.show_open_ones()
            return shipping.ship_result(value, self._number, self._max_result_nbytes)
        finally:
            self._interruption.forbid()

    def _emit(self, kind: str, time_ns: int, values: dict[str, Any]) -> None:
        self._channel.send("event", call=self._call, name=kind, time_ns=time_ns, values=values)

    def _tell(self, kind: str, fields: dict[str, Any]) -> None:
        self._channel.send(kind, call=self._call, time_ns=time.monotonic_ns(), **fields)


def _seed(seed: int) -> None:
    """Forked ranks would all continue the zygote's random state; each gets its own, equal at every launch."""
    import torch

    random.seed(seed)
    torch.manual_seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)


def _set_num_threads(num_threads: int) -> None:
    import torch

    torch.set_num_threads(num_threads)
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(num_threads)


def _learn_sources(sources: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Put shipped source lines where tracebacks look for them; returns the names of cells by file name."""
    for filename, source in sources.items():
        lines = source["lines"]
        linecache.cache[filename] = (sum(map(len, lines)), None, lines, filename)
    return {filename: source["label"] for filename, source in sources.items() if source["label"]}


def _line_writer(fd: int) -> TextIO:
    return open(fd, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    ctypes.CDLL(None).fflush(None)


def main(control_fd: int) -> int:
    """Entry point of a new rank whose descriptors 1 and 2 are its pipes; returns the exit status."""
    sys.stdout = sys.__stdout__ = _line_writer(1)
    sys.stderr = sys.__stderr__ = _line_writer(2)
    faulthandler.enable(file=2)
    faulthandler.register(signal.SIGUSR1, file=2, all_threads=True)
    lifeline.tie_forks_to_this_process()
    with contextlib.suppress(ConnectionError):
        Rank(Channel.of_fd(control_fd)).serve()
    _flush()
    return 0
