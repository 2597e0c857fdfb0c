"""Work shared out over processes: results in their order, and the same whoever computed them.

Another process gets its share by being forked, returns results through a pipe, and does nothing else. Whatever it fails
to return is computed here, so no result and no error depends on it.
"""

import contextlib
import ctypes
import fcntl
import os
import pickle
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, NoReturn, TypeVar

MOST_PROCESSES = 8
PIPE_BYTES = 1024 * 1024
"""Of results that a process computes before they are requested; a user who is not root may have no more."""
_PR_SET_PDEATHSIG = 1
T = TypeVar("T")
R = TypeVar("R")


def side_by_side(function: Callable[[T], R], items: Sequence[T], *, cpus: int | None = None) -> Iterator[R]:
    """Yield the function's result of each item; others than this process compute their share at the same time.

    ``cpus`` is the number of processes, by default that of the CPUs that we may use.
    """
    processes = min(cpus or len(os.sched_getaffinity(0)), MOST_PROCESSES, len(items))
    shares: list[list[T]] = [[] for _ in range(processes)]
    for place, item in enumerate(items):
        shares[_whose(place, processes)].append(item)
    with contextlib.ExitStack() as ended:
        pipes = {number: ended.enter_context(_other(function, shares[number])) for number in range(1, processes)}
        for place, item in enumerate(items):
            pipe = pipes.get(_whose(place, processes))
            received: tuple[R] | None = _received(pipe) if pipe else None
            yield received[0] if received else function(item)


def give_memory_back() -> None:
    """Return freed memory to the system now, as every process that is forked later would hold it too."""
    with contextlib.suppress(AttributeError):  # a C library of another kind than glibc
        ctypes.CDLL(None).malloc_trim(0)


def _received(pipe: BinaryIO) -> "tuple[R] | None":
    """Return the next result that a child computed; None if it ended before it had written all of it."""
    try:
        result: tuple[R] = pickle.load(pipe)
    except (EOFError, pickle.UnpicklingError):
        return None
    return result


def _whose(place: int, processes: int) -> int:
    """Return which process gets an item. It differs from round to round: every second item may be a long one."""
    return (place + place // processes) % processes


@contextlib.contextmanager
def _other(function: Callable[[T], R], share: Sequence[T]) -> Iterator[BinaryIO]:
    """Let another process compute this share; yield the pipe it writes to, and end it on the way out."""
    source, target = os.pipe()
    with contextlib.suppress(OSError):
        fcntl.fcntl(target, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    parent = os.getpid()
    with warnings.catch_warnings():
        # Python warns if there are threads, those of numerical libraries among them: the child needs none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _compute_and_exit(function, share, target, parent)
    os.close(target)
    try:
        with os.fdopen(source, "rb") as pipe:
            yield pipe
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _compute_and_exit(function: Callable[[T], R], share: Sequence[T], target: int, parent: int) -> NoReturn:
    """Compute in the child, write, and end without any cleanup of the parent's; it ends with its parent too.

    An error ends it silently: the parent meets it again, and reports it.
    """
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == parent:
            with os.fdopen(target, "wb") as pipe:
                for each in share:
                    pickle.dump((function(each),), pipe, protocol=pickle.HIGHEST_PROTOCOL)
                    pipe.flush()
    finally:
        os._exit(0)
