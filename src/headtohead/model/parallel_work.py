"""Work shared out over processes: results in their order, and the same whoever computed them.

Another process is forked, computes one item after the other, returns results through a pipe, and does nothing else.
Whatever it fails to return is computed here, so no result and no error depends on it.
"""

import contextlib
import ctypes
import fcntl
import os
import pickle
import signal
import struct
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from multiprocessing.connection import Connection, Pipe, wait
from typing import NoReturn, TypeVar

MOST_PROCESSES = 8
PIPE_BYTES = 1024 * 1024
"""Of results that a process computes before they are requested; a user who is not root may have no more."""
_PR_SET_PDEATHSIG = 1
_PLACE = struct.Struct("I")
T = TypeVar("T")
R = TypeVar("R")


def side_by_side(function: Callable[[T], R], items: Sequence[T], *, cpus: int | None = None) -> Iterator[R]:
    """Yield the function's result of each item; others than this process compute some of them at the same time.

    A process that is free takes the next item; this one takes the first. ``cpus`` is the number of processes, by
    default that of the CPUs that we may use.
    """
    processes = min(cpus or len(os.sched_getaffinity(0)), MOST_PROCESSES, len(items))
    if processes < 2:
        yield from map(function, items)
        return
    with contextlib.ExitStack() as ended:
        queue = ended.enter_context(_queue(len(items)))
        taken = iter(partial(_take, queue), None)
        mine = chain([next(taken)], taken)
        pipes = [ended.enter_context(_other(function, items, queue)) for _ in range(processes - 1)]
        done: dict[int, R] = {}
        for place, item in enumerate(items):
            _receive(pipes, done)
            while place not in done:
                free = next(mine, None)
                if free == place or (free is None and not pipes):
                    done[place] = function(item)
                elif free is not None:
                    with contextlib.suppress(Exception):  # it comes again when this item is due
                        done[free] = function(items[free])
                _receive(pipes, done, waiting=free is None and place not in done)
            yield done.pop(place)


def give_memory_back() -> None:
    """Return freed memory to the system now, as every process that is forked later would hold it too."""
    with contextlib.suppress(AttributeError):  # a C library of another kind than glibc
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def _queue(length: int) -> Iterator[int]:
    """Yield a file with the places of all items; processes forked later share the position at which it is read."""
    queue = os.memfd_create("items")
    try:
        os.write(queue, b"".join(map(_PLACE.pack, range(length))))
        os.lseek(queue, 0, os.SEEK_SET)
        yield queue
    finally:
        os.close(queue)


def _take(queue: int) -> int | None:
    """Return the place of the next item that no process has taken; None if there is none."""
    read = os.read(queue, _PLACE.size)
    return _PLACE.unpack(read)[0] if read else None


def _receive(pipes: list[Connection], done: dict[int, R], *, waiting: bool = False) -> None:
    """Receive every result that is ready, and with ``waiting`` at least one; a pipe that has ended is closed."""
    ready = set(wait(pipes, None if waiting else 0))
    for pipe in [each for each in pipes if each in ready]:
        try:
            place, result = pickle.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            pipes.remove(pipe)
        else:
            done[place] = result


@contextlib.contextmanager
def _other(function: Callable[[T], R], items: Sequence[T], queue: int) -> Iterator[Connection]:
    """Let another process compute items; yield the pipe of its results, and end it on the way out."""
    source, target = Pipe(duplex=False)
    with contextlib.suppress(OSError):
        fcntl.fcntl(target.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    parent = os.getpid()
    with warnings.catch_warnings():
        # Python warns if there are threads, those of numerical libraries among them: the child needs none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _compute_and_exit(function, items, queue, target, parent)
    target.close()
    try:
        with source:
            yield source
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _compute_and_exit(
    function: Callable[[T], R], items: Sequence[T], queue: int, target: Connection, parent: int
) -> NoReturn:
    """Compute in the child, write, and end without any cleanup of the parent's; it ends with its parent too.

    An error ends it silently: the parent meets it again, and reports it.
    """
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == parent:
            for place in iter(partial(_take, queue), None):
                result = function(items[place])
                target.send_bytes(pickle.dumps((place, result), protocol=pickle.HIGHEST_PROTOCOL))
    finally:
        os._exit(0)
