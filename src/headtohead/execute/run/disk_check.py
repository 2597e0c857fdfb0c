"""The disk of a run: check its free space before programs start, and record it in the run's configuration."""

from headtohead.execute.context.current_run import RunContext
from headtohead.execute.data.disk_space import check_free_space, work_bytes
from headtohead.hosts.facts.storage import lies_on
from headtohead.hosts.tree import Tree
from headtohead.model.record import Setting
from headtohead.store.run.settings import settings_text


def check_run_disk(context: RunContext) -> None:
    """Record the disk of the run's directory if the work uses disk space; raises HostError if it is too full."""
    experiment = context.request.experiment
    wanted = work_bytes(experiment, context.study_context.workload(experiment))
    if not wanted:
        return
    folder = context.sandbox.run_dir
    check_free_space(folder, wanted, what="the files that this run works on")
    disk = lies_on(folder, tree=Tree())
    context.log.configuration = settings_text(Setting(name, value) for name, value in disk.items()).encode()
