"""The disk that a run works on: asked for room before its programs start, and told in its configuration."""

from headtohead.execute.context.run_context import Making
from headtohead.execute.data.disk_space import ask_bytes, work_bytes
from headtohead.hosts.facts.storage import lies_on
from headtohead.hosts.tree import Tree
from headtohead.model.record import Setting
from headtohead.store.settings import settings_text


def place(making: Making) -> None:
    """Note what the run's directory lies on, where the work takes disk space; HostError where it has no room."""
    experiment = making.order.experiment
    wanted = work_bytes(experiment, making.bench.workload(experiment))
    if not wanted:
        return
    folder = making.stand.run_dir
    ask_bytes(folder, wanted, what="the files that this run works on")
    told = lies_on(folder, tree=Tree())
    making.diary.configuration = settings_text(Setting(name, value) for name, value in told.items()).encode()
