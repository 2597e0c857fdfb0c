"""What makes two experiments the same test, whatever the subject: one hash over the inputs."""

import hashlib
import json
from collections.abc import Mapping

from headtohead.model.quantity import Scalar
from headtohead.model.study.study import Experiment


def inputs(experiment: Experiment, *, workload_sha256: str, data_sha256: str | None) -> Mapping[str, object]:
    """Return the input of the hash, so that a difference can be named by its key; the subject is not part of it.

    ``workload_sha256`` is of the workload's folder, ``data_sha256`` of its data set's files (None without data).
    """
    load = experiment.load
    metric = experiment.metrics[experiment.primary.of]
    return {
        "workload": experiment.workload.name,
        "workload_version": experiment.workload.version,
        "workload_sha256": workload_sha256,
        "data_sha256": data_sha256,
        "loop": load.loop,
        "settings": _ordered(load.settings),
        "times_s": [load.warm_up_s, load.measure_s, load.timeout_s],
        "cases": {field: list(values) for field, values in sorted(load.cases.items())},
        "compare": experiment.compare,
        "primary": [experiment.primary.of, experiment.primary.by],
        "primary_cases": {field: list(values) for field, values in sorted(experiment.primary.where.items())},
        # Only if there is one: other tests keep the hash that they had before searches, or that time, existed.
        **({} if experiment.settle_s is None else {"settle_s": experiment.settle_s}),
        **({"objective": dict(sorted(load.objective.items()))} if load.objective else {}),
        "metric": [metric.unit, metric.better, metric.source, metric.work, metric.per],
    }


def same_test(experiment: Experiment, *, workload_sha256: str, data_sha256: str | None) -> str:
    """Return the SHA-256 of ``inputs``: equal if the numbers of two experiments may be compared."""
    parts = inputs(experiment, workload_sha256=workload_sha256, data_sha256=data_sha256)
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _ordered(settings: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    return dict(sorted(settings.items()))
