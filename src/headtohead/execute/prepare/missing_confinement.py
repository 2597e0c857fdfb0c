"""What a machine cannot keep from the programs under test: shown before a study's first run (SECURITY.md)."""

from collections.abc import Iterator

from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.supervise_process_of_run import new_run

SEE_FILES = "no mount namespace can be made, so programs under test see /home, /root and /tmp, as far as any user may."
REACH_DRIVER = "the kernel has no Landlock, so programs under test can trace and signal the driver."


def missing_confinement(environment: Environment) -> Iterator[str]:
    """Yield a sentence for each way in which programs are less confined than elsewhere, on the machine of the subjects.

    Without root there is one user and one view of files on every machine.
    """
    where = "On this machine" if environment.elsewhere is None else f"On {environment.elsewhere.label}"
    with new_run(environment) as supervised:
        said = supervised.supervisor.hello()
    if environment.user is not None and not said.private_files:
        yield f"{where} {SEE_FILES}"
    if not said.domains:
        yield f"{where} {REACH_DRIVER}"
