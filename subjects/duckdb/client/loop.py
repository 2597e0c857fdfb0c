"""The closed loop: users who wait for the response, think, and send again; each in a thread of its own."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from complaint import Complaint
from engine import NEVER_NS, InterruptedQuery, RefusedQuery
from questions import Drawn, Draws, Questions, Rows, Value, judge
from tally import Course, Tally
from words import Words

PAUSE_NS = 10_000_000
"""After a query that the engine refused: a refusal takes microseconds, and thousands of them would show nothing
more."""


class Seat(Protocol):
    """One user's connection."""

    def ask(self, sql: str, values: Sequence[Value], *, until_ns: int) -> Rows:
        """Return all rows of a result."""

    def abandon(self) -> None:
        """Make its query overdue."""


class Engine(Protocol):
    """What is asked."""

    def seat(self) -> Seat:
        """Return a connection for one more user."""


def run(words: Words, questions: Questions, engine: Engine) -> Tally:
    """Send queries until the window is over; a query under way is then abandoned."""
    began_ns = _beginning(words)
    from_ns = began_ns + words.warm_up_ns
    until_ns = NEVER_NS if words.requests is not None else from_ns + words.duration_ns
    tally = Tally(from_ns, until_ns, words.timeout_ns, words.late_after_ns, words.requests)
    seats = [engine.seat() for _ in range(words.connections)]
    draws = [questions.draws(words.seed, user=user, users=len(seats)) for user in range(len(seats))]
    users = [_User(words, questions, tally, *own) for own in zip(seats, draws, strict=True)]
    with ThreadPoolExecutor(len(users)) as threads:
        asking = [threads.submit(each.ask_on, began_ns, all_of=seats) for each in users]
    for each in asking:
        each.result()
    tally.close(time.monotonic_ns())
    return tally


@dataclass(frozen=True)
class _User:
    words: Words
    questions: Questions
    tally: Tally
    seat: Seat
    draws: Draws

    def ask_on(self, began_ns: int, *, all_of: Sequence[Seat]) -> None:
        """Send queries until the window is over; the user with the last of all requests closes it for all."""
        intended_ns = began_ns
        while intended_ns < self.tally.to_ns:
            course = self._ask(self.questions.draw(self.draws), intended_ns=intended_ns)
            if course is None:
                return
            if self.tally.add(course):
                self.tally.close(time.monotonic_ns())
                for seat in all_of:
                    seat.abandon()
                return
            pause_ns = max(self.words.think_ns, PAUSE_NS) if course.fault == "error-answer" else self.words.think_ns
            intended_ns = course.done_ns + pause_ns
            if pause_ns:
                time.sleep(max(0, min(intended_ns, self.tally.to_ns) - time.monotonic_ns()) / 1e9)

    def _ask(self, drawn: Drawn, *, intended_ns: int) -> Course | None:
        """Send one query; return None if the window ended before the response."""
        sent_ns = time.monotonic_ns()
        overdue_ns = intended_ns + self.tally.timeout_ns
        rows: Rows = ()
        try:
            rows = self.seat.ask(drawn.query.sql, drawn.values, until_ns=min(overdue_ns, self.tally.to_ns))
            done_ns = time.monotonic_ns()
            fault = "timeout" if done_ns > overdue_ns else judge(drawn, rows)
        except InterruptedQuery:
            done_ns, fault = time.monotonic_ns(), "timeout"
            if overdue_ns > self.tally.to_ns:
                self.tally.under_way(intended_ns, done_ns)
                return None
        except RefusedQuery:
            done_ns, fault = time.monotonic_ns(), "error-answer"
        return Course(drawn.query.name, intended_ns, sent_ns, done_ns, fault, len(rows))


def _beginning(words: Words) -> int:
    now_ns = time.monotonic_ns()
    if words.at_ns is None:
        return now_ns
    if words.at_ns < now_ns:
        why = f"it was over {now_ns - words.at_ns} ns ago when the client was ready"
        raise Complaint(f"the beginning at {words.at_ns} ns", why=why, remedy="Give a later instant with --at.")
    time.sleep((words.at_ns - now_ns) / 1e9)
    return words.at_ns
