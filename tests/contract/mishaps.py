"""What befalls a run in mid-work: a process is killed, a disk becomes full; at an instant that its processes tell."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOOK_EVERY_S = 0.002
FOUND_WITHIN_S = 60.0


@contextmanager
def once_it_runs(name: str, act: Callable[[dict[str, int]], bool]) -> Iterator[None]:
    """Give the ids of our processes to ``act`` while that of one name runs, until it says that it has done its work."""
    over = threading.Event()

    def look() -> None:
        deadline_s = time.monotonic() + FOUND_WITHIN_S
        while not over.is_set() and time.monotonic() < deadline_s:
            found = ours()
            if name in found and act(found):
                return
            time.sleep(LOOK_EVERY_S)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def killing(victim: str, *, once: str) -> Iterator[list[int]]:
    """Kill our process of one name once that of another runs; give the ids of what was killed."""
    killed: list[int] = []

    def kill(found: dict[str, int]) -> bool:
        if victim in found:
            with suppress(ProcessLookupError):
                os.kill(found[victim], signal.SIGKILL)
                killed.append(found[victim])
        return bool(killed)

    with once_it_runs(once, kill):
        yield killed


@contextmanager
def filling(place: Path, *, once: str) -> Iterator[None]:
    """Take all the room that a disk has left once our process of one name runs; give it back in the end."""
    filler = place / "filler"

    def fill(_: dict[str, int]) -> bool:
        with filler.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                with suppress(OSError):  # this is how a full disk says so
                    while file.write(bytes(size)) == size:
                        pass
        return True

    try:
        with once_it_runs(once, fill):
            yield
    finally:
        filler.unlink(missing_ok=True)


def ours() -> dict[str, int]:
    """Return the programs that supervise has started for us, the first process of each name."""
    found: dict[str, int] = {}
    for pid in descendants():
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(each.startswith(f"HEADTOHEAD_OWNER={os.getpid()}-".encode()) for each in environment):
            names = [
                each.partition(b"=")[2].decode() for each in environment if each.startswith(b"HEADTOHEAD_PROCESS=")
            ]
            for name in names:
                found[name] = min(pid, found.get(name, pid))
    return found


def descendants() -> list[int]:
    """Return the processes below this one. To read those of the whole machine again and again would take a CPU."""
    found = [os.getpid()]
    for pid in found:  # which grows meanwhile
        with suppress(OSError):  # it has ended
            for tasks in os.scandir(f"/proc/{pid}/task"):
                found.extend(_children(Path(tasks.path)))
    return found[1:]


def _children(task: Path) -> list[int]:
    try:
        return list(map(int, (task / "children").read_text().split()))
    except OSError:
        return []
