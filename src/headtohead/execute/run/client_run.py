"""A run of a server with its own client program, over a link: start, walk the cases, stop."""

from headtohead.execute.context.run_context import Making
from headtohead.execute.run.batch_run import Work, check_answers, walk_cases, workload_words
from headtohead.execute.run.server_run import started, stop
from headtohead.execute.subject.introspection import configuration, joined
from headtohead.hosts.supervise.messages import Waited
from headtohead.hosts.supervise.readback import network
from headtohead.model.errors import SubjectError

GONE_WITHIN_S = 0.2


def converse(making: Making) -> None:
    """Go through the phases of the run; raises SubjectError if one fails, or if the server ends early."""
    driver = making.subject.driver
    if driver is None:
        raise SubjectError(
            f"{making.subject.name} has no client program", why="It has no [driver].", remedy="See its subject.toml."
        )
    system = started(making)
    making.read_back()
    server = system.servers[-1]
    making.diary.configuration = joined(making.diary.configuration, configuration(server))
    words = {**server.words, **workload_words(making)}

    def watch(client: Waited) -> None:
        if client.exited and client.code != 0:  # the client may fail because of the server before the server has ended
            making.sandbox.supervisor.wait(server.name, within_s=GONE_WITHIN_S)
        system.check_alive()

    its = Work(making.subject, driver, making.sandbox, words, group="driver", watch=watch)

    def look() -> None:
        making.used()
        seen = making.sandbox.supervisor.read_back("driver")
        if seen.processes > 0 and "driver_network" not in making.diary.read_back:
            making.diary.read_back["driver_network"] = seen.network
            making.diary.reasons += [f"read-back: {each}" for each in network(seen, of="the client program")]

    walk_cases(making, its, look=look, gate=making.diary.gate_idle)
    making.used()
    stop(making, system)
    check_answers(making)
