"""The charts of a page, drawn before it is written: many of them by several processes, side by side.

Drawing takes most of a long report's time. Another process gets the charts by being forked, returns SVG through a pipe,
and does nothing else. Whatever it fails to return is drawn here, so the page never depends on it.
"""

import contextlib
import ctypes
import json
import os
import signal
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

from headtohead.report.document import Document
from headtohead.report.drawing.chart import Chart
from headtohead.report.formats.charts import charts

MANY = 50
"""Fewer charts are drawn here: they take less than two seconds."""
MOST_PROCESSES = 8
Svgs = tuple[str, str]
"""A chart for wide and for narrow screens."""
_PR_SET_PDEATHSIG = 1


def drawn(page: Document, *, cpus: int | None = None) -> Mapping[str, Svgs]:
    """Return the charts of a page by name, if there are many; otherwise none, as each is drawn where it is shown.

    ``cpus`` is the number of processes, by default that of the CPUs that we may use.
    """
    every = [chart for _, chart, _ in charts(page)]
    processes = min(cpus or len(os.sched_getaffinity(0)), MOST_PROCESSES)
    if len(every) < MANY or processes < 2:
        return {}
    import matplotlib.figure  # noqa: F401, PLC0415  once, before the others begin

    with contextlib.ExitStack() as ended:
        others = [ended.enter_context(_other(every[start::processes])) for start in range(1, processes)]
        svgs = {each.name: _svgs(each) for each in every[::processes]}
        for pipe in others:
            svgs |= _received(pipe)
    return svgs | {each.name: _svgs(each) for each in every if each.name not in svgs}


def _svgs(chart: Chart) -> Svgs:
    return chart.wide, chart.narrow


@contextlib.contextmanager
def _other(share: Sequence[Chart]) -> Iterator[int]:
    """Let another process draw these charts; yield the pipe it writes to, and end it on the way out."""
    source, target = os.pipe()
    parent = os.getpid()
    with warnings.catch_warnings():
        # Python warns if there are threads, those of numerical libraries among them: the child needs none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _draw_and_exit(share, target, parent)
    os.close(target)
    try:
        yield source
    finally:
        os.close(source)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _draw_and_exit(share: Sequence[Chart], target: int, parent: int) -> NoReturn:
    """Draw in the child, write, and end without any cleanup of the parent's; it ends with its parent too."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == parent:
            with os.fdopen(target, "w") as pipe:
                json.dump({each.name: _svgs(each) for each in share}, pipe)
    finally:
        os._exit(0)


def _received(pipe: int) -> dict[str, Svgs]:
    """Return what a child drew; nothing if it ended before it had written all of it."""
    with os.fdopen(os.dup(pipe)) as file, contextlib.suppress(ValueError):
        return {name: (wide, narrow) for name, (wide, narrow) in json.load(file).items()}
    return {}
