"""Try what races once: what are the correct responses, and do all give the same?"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from headtohead.cli.race.reachable import HIDDEN, obstacle
from headtohead.cli.wiring import home_with, say
from headtohead.describe.race.content import STUDY, files_of, write_files
from headtohead.describe.race.race import Race, Racer, RaceRequest
from headtohead.describe.study.study import read_study
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.pages.request_page import Answer, Sent
from headtohead.execute.prepare.try_racers_once import TriedRequest, first_answer, first_responses
from headtohead.model.errors import SubjectError, WordsError
from headtohead.model.study.subject import Subject

TIMES = 3
"""How often each request is sent, to see whether its response changes from time to time."""


def tried(race: Race, environment: Environment, folder: Path, *, differ: bool) -> Race:
    """Return the race with its correct responses or answer, as all racers give them.

    Raises SubjectError if one fails, or if they give different ones and ``differ`` is false.
    """
    if race.kind != "url":
        for each in race.racers:
            _ask_reachable(each, environment.user)
        environment = replace(environment, shown=tuple(dict.fromkeys(each.directory for each in race.racers)))
    write_files(files_of(race), folder)
    (experiment,) = read_study(folder / STUDY, home_with().with_own([folder])).experiments
    subjects = [experiment.subjects[each.name] for each in race.racers]
    say(f"Trying {', '.join(each.title or each.name for each in race.racers)} once.")
    if race.kind == "batch":
        return _tried_programs(race, subjects, environment, differ=differ)
    wanted = [TriedRequest(each.path, Sent(each.method, each.headers, each.sends)) for each in race.requests]
    found = [first_responses(environment, each, wanted, times=TIMES, http=race.http) for each in subjects]
    by_request = zip(race.requests, zip(*found, strict=True), strict=True)
    names = [each.name for each in race.racers]
    return replace(race, requests=tuple(agreed(each, names, found, differ=differ) for each, found in by_request))


def agreed(
    request: RaceRequest, names: Sequence[str], found: Sequence[tuple[Answer, ...]], *, differ: bool
) -> RaceRequest:
    """Return a request with what all its responses have in common; say what cannot be checked."""
    shown = f"{request.method} {request.path}"
    statuses = [each[0].status for each in found]
    if len({each.status for answers in found for each in answers}) > 1:
        raise _differs(shown, [f"{name} gave status {each}" for name, each in zip(names, statuses, strict=True)], False)
    if statuses[0] >= 500:
        raise _differs(shown, [f"both gave status {statuses[0]}"], False)
    bodies = {each.body for answers in found for each in answers}
    known = replace(request, status=statuses[0])
    if len(bodies) == 1:
        (body,) = bodies
        return replace(known, length_bytes=len(body), body=body)
    steady = all(len({each.body for each in answers}) == 1 for answers in found)
    lengths = {len(each) for each in bodies}
    if steady and not differ:
        observed = [f"{name} gave {len(answers[0].body)} bytes" for name, answers in zip(names, found, strict=True)]
        raise _differs(shown, observed, True)
    if len(lengths) == 1:
        say(f"{shown}: the responses change from time to time; status and length are checked.")
        return replace(known, length_bytes=lengths.pop())
    say(f"{shown}: the responses change from time to time; only the status is checked.")
    return known


def _tried_programs(race: Race, subjects: Sequence[Subject], environment: Environment, *, differ: bool) -> Race:
    answers = []
    for each in subjects:
        answer, why_not = first_answer(environment, each)
        if why_not:
            raise SubjectError(f"{each.name} failed", why=f"{why_not}.", remedy="Run its command by hand.")
        answers.append(answer)
    if len(set(answers)) == 1:
        return replace(race, steps=replace(race.steps, answer=answers[0]))
    if not differ:
        raise _differs("The commands", ["their outputs are not the same bytes"], True)
    say("The outputs differ; only the exit status is checked.")
    return replace(race, steps=replace(race.steps, compares=False))


def _differs(shown: str, observed: Sequence[str], may: bool) -> SubjectError:
    return SubjectError(
        f"{shown}: the racers do not do the same work",
        why=f"{'; '.join(observed)}.",
        remedy="Let them give the same; or allow it with --differ." if may else "Send the request by hand.",
    )


def _ask_reachable(racer: Racer, user: str | None) -> None:
    """Raise WordsError if the user that the subjects run as cannot reach the working directory or the program."""
    if user is None:
        return
    here, program = racer.directory.resolve(), Path(racer.argv[0])
    for path in (here, program):
        closed = obstacle(path, here=here)
        if closed is not None:
            raise WordsError(
                f"{closed} cannot be reached by the user {user}",
                why=f"As you are root, commands run as {user}, who sees nothing of {', '.join(HIDDEN)} but the "
                "folder that you are in.",
                remedy="Run headtohead as an ordinary user, or use a program and a folder that all may enter.",
            )
