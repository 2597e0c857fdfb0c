"""The counts: requests that ended within the window, as h2h-load counts them in a closed loop."""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

SECOND_NS = 1_000_000_000


@dataclass(frozen=True)
class Course:
    """The instants of a request that has ended, in ns of the monotonic clock; ``fault`` is None if it was right."""

    query: str
    intended_ns: int
    sent_ns: int
    done_ns: int
    fault: str | None
    rows: int = 0


@dataclass
class Tally:
    """The counts of one window, which begins at ``from_ns``; ``to_ns`` is its end once it is closed."""

    from_ns: int
    to_ns: int
    timeout_ns: int
    late_after_ns: int | None
    requests: int | None = None
    """No more than these are counted, however many end before the window is closed."""
    courses: list[Course] = field(default_factory=list)
    under_way_ns: int = 0
    ended_ns: int = 0
    """The time within the window of requests that have ended, before, in or after it."""
    _one_at_a_time: threading.RLock = field(default_factory=threading.RLock)

    def holds(self, at_ns: int) -> bool:
        """Whether an instant is in the window."""
        return self.from_ns <= at_ns < self.to_ns

    def add(self, course: Course) -> bool:
        """Count a request; return whether it is the last of all."""
        with self._one_at_a_time:
            self.ended_ns += self.under_way(course.intended_ns, course.done_ns)
            if not self.holds(course.done_ns) or len(self.courses) == self.requests:
                return False
            self.courses.append(course)
            return len(self.courses) == self.requests

    def under_way(self, begin_ns: int, end_ns: int) -> int:
        """Count the time that something was under way within the window, whether it ended or not; return it."""
        with self._one_at_a_time:
            within_ns = max(0, min(end_ns, self.to_ns) - max(begin_ns, self.from_ns))
            self.under_way_ns += within_ns
            return within_ns

    def close(self, at_ns: int) -> None:
        """End the window if it has not ended yet."""
        with self._one_at_a_time:
            self.to_ns = min(self.to_ns, at_ns)

    @property
    def elapsed_ns(self) -> int:
        """The length of the window."""
        return self.to_ns - self.from_ns

    @property
    def queries(self) -> tuple[str, ...]:
        """The names of the queries that were counted, in the order of their first request."""
        return tuple(dict.fromkeys(each.query for each in self.courses))

    @property
    def errors(self) -> dict[str, int]:
        """Faults by their kind."""
        return dict(sorted(Counter(each.fault for each in self.courses if each.fault is not None).items()))

    @property
    def right(self) -> int:
        """Right answers."""
        return sum(each.fault is None for each in self.courses)

    @property
    def late(self) -> int | None:
        """Right answers that took longer than the limit, or None if there is none."""
        if self.late_after_ns is None:
            return None
        limit_ns = self.late_after_ns
        return sum(each.fault is None and each.done_ns - each.intended_ns > limit_ns for each in self.courses)

    def times(self, since: str, *, query: str | None = None, second: int | None = None) -> list[int]:
        """Return sorted times in ns since the instant named (``intended_ns``, ``sent_ns``), of one query or second.

        A request that was given up took at least the timeout.
        """
        return sorted(
            max(each.done_ns - getattr(each, since), self.timeout_ns if each.fault == "timeout" else 0)
            for each in self.courses
            if (query is None or each.query == query)
            and (second is None or (each.done_ns - self.from_ns) // SECOND_NS == second)
        )


def quantile(ordered: Sequence[int], share: float) -> int | None:
    """Return the value that this share of the values does not exceed, or None if there are none.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([7], 0.99)
    (2, 7)
    """
    if not ordered:
        return None
    rank = -int(-share * len(ordered) // 1)
    return ordered[min(max(rank, 1), len(ordered)) - 1]
