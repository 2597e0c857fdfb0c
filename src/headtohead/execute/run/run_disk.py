"""The disk of a run: check its free space before programs start, and record it in the run's configuration."""

from headtohead.execute.context.run_context import Making
from headtohead.execute.data.disk_space import ask_bytes, work_bytes
from headtohead.hosts.facts.storage import lies_on
from headtohead.hosts.tree import Tree
from headtohead.model.record import Setting
from headtohead.store.settings import settings_text


def place(making: Making) -> None:
    """Record the disk of the run's directory if the work uses disk space; raises HostError if it is too full."""
    experiment = making.order.experiment
    wanted = work_bytes(experiment, making.bench.workload(experiment))
    if not wanted:
        return
    folder = making.sandbox.run_dir
    ask_bytes(folder, wanted, what="the files that this run works on")
    disk = lies_on(folder, tree=Tree())
    making.diary.configuration = settings_text(Setting(name, value) for name, value in disk.items()).encode()
