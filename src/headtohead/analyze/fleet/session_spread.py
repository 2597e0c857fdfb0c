"""How much the sessions of one machine differ, from repeated results folders of the same tests."""

from collections.abc import Sequence

import numpy as np

from headtohead.analyze.fleet.machine_sessions import Machine, gather
from headtohead.analyze.fleet.same_test import key_text
from headtohead.model.analysis.systems import SystemResults
from headtohead.model.errors import RecordError
from headtohead.model.machine.host import Fact
from headtohead.model.machine.sessions import RecordedSpread, SessionSpreads, steady_values


def session_spreads(folders: Sequence[SystemResults]) -> SessionSpreads:
    """Return the spread between the sessions of every test that two or more of them have.

    RecordError if the machine was not the same in all of them, or no test was measured in two sessions. Folders of one
    day are one session.
    """
    first, *others = folders
    for each in others:
        unlike = [key for key in steady_values(first.facts) if steady_values(each.facts).get(key) != _value(first, key)]
        if unlike or len(steady_values(each.facts)) != len(steady_values(first.facts)):
            named = ": ".join(unlike[0]) if unlike else "the facts that are visible"
            raise RecordError(
                f"{first.name} and {each.name} are not sessions of one machine",
                why=f"They differ in {named}.",
                remedy="Name results folders of one machine, with the same kernel and settings.",
            )
    tests = []
    for own in gather([Machine(first.name, tuple(folders))]):
        sessions = [each for each in (own.sessions[0].values() if own.sessions else ()) if min(each) > 0]
        if len(sessions) > 1:
            centers = [float(np.log(np.asarray(each)).mean()) for each in sessions]
            tests.append(
                RecordedSpread(
                    experiment=own.arm.experiment.name,
                    treatment=own.arm.label,
                    key=key_text(own.arm),
                    sessions=len(sessions),
                    runs=min(map(len, sessions)),
                    spread=float(np.std(centers, ddof=1)),
                )
            )
    if not tests:
        raise RecordError(
            "No test was measured in two sessions",
            why="Folders of one day are one session, and the folders named have no test in common on two days.",
            remedy="Run the same study on several days, and name those results folders.",
        )
    facts = tuple(Fact(*key, *first.facts[key], "hosts.json") for key in steady_values(first.facts))
    return SessionSpreads(tuple(each.name for each in folders), tuple(tests), facts)


def _value(folder: SystemResults, key: tuple[str, str]) -> object:
    return folder.facts[key][0]
