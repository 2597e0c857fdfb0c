"""A run of a server with its own client program, over a link: start, walk the cases, stop."""

from headtohead.execute.context.read_back_settings_and_usage import note_usage, observe_driver, read_back
from headtohead.execute.context.run_context import RunContext
from headtohead.execute.response_checks.batch_answers import check_answers
from headtohead.execute.run.batch_run import BatchProgram, walk_cases, workload_words
from headtohead.execute.run.server_run import started, stop
from headtohead.execute.subject.read_configuration_and_counters import configuration, joined
from headtohead.hosts.supervise.messages import Waited
from headtohead.model.errors import SubjectError

GONE_WITHIN_S = 0.2


def run_client(context: RunContext) -> None:
    """Go through the phases of the run; raises SubjectError if one fails, or if the server ends early."""
    driver = context.subject.driver
    if driver is None:
        raise SubjectError(
            f"{context.subject.name} has no client program", why="It has no [driver].", remedy="See its subject.toml."
        )
    system = started(context)
    read_back(context)
    server = system.servers[-1]
    context.log.configuration = joined(context.log.configuration, configuration(server))
    words = {**server.words, **workload_words(context)}

    def watch(client: Waited) -> None:
        if client.exited and client.code != 0:  # the client may fail because of the server before the server has ended
            context.supervised.supervisor.wait(server.name, within_s=GONE_WITHIN_S)
        system.check_alive()

    program = BatchProgram(context.subject, driver, context.supervised, words, group="driver", watch=watch)

    def look() -> None:
        note_usage(context)
        observe_driver(context)

    walk_cases(context, program, look=look, gate=context.log.gate_idle)
    note_usage(context)
    stop(context, system)
    check_answers(context)
