"""Servers as treatments: each combination of levels on each server of a bench, words resolved by its own machine."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from headtohead.model.errors import LimitedError
from headtohead.model.machine.bench import DRIVERS, EACH, SERVER
from headtohead.model.machine.host import Machine
from headtohead.model.machine.link import REACH, SOCKET
from headtohead.model.quantity import scalar_text
from headtohead.model.study.count_words import is_word
from headtohead.model.study.study import Experiment, Factor
from headtohead.plan.arms import Arm, Arms, make_arms
from headtohead.plan.levels import words

CPUS = "cpus"
OF_BENCH = (SERVER, DRIVERS)
"""The factors that stand for machines of a bench."""


@dataclass(frozen=True)
class BenchMachines:
    """The machines of a bench as planning knows them: servers by label, in the bench's order, and labels of drivers."""

    servers: Mapping[str, Machine]
    drivers: tuple[str, ...] = ()


def make_bench_arms(experiment: Experiment, bench: BenchMachines) -> Arms:
    """Return every combination of levels on every server of the experiment, as treatments or refusals.

    The CPUs of a server are the subject's alone, as drivers are other machines; only a client program of the subject's
    own has CPUs of the server. Raises LimitedError for a server or driver that the bench lacks.
    """
    labels = _servers(experiment, bench)
    if not bench.drivers and _is_driven(experiment):
        raise _limited(experiment, "no driver", "Its server needs requests, and the bench has no [driver.NAME].")
    _check_reached(experiment)
    made = Arms()
    senders = list(_senders(experiment, bench, notes=made.notes))
    for label in labels:
        machine = bench.servers[label]
        for factors in _by_cpus(experiment):
            part = make_arms(replace(experiment, factors=factors, driver_elsewhere=True), machine)
            servers = [_on(label, arm, experiment, several=len(labels) > 1) for arm in part.arms]
            made.arms += [_sent_by(each, arm, several=len(senders) > 1) for arm in servers for each in senders]
            made.refusals += [replace(each, label=f"{each.label} {SERVER}={label}") for each in part.refusals]
            made.notes += [f"On {label}: {note}" for note in part.notes]
    return made


def _check_reached(experiment: Experiment) -> None:
    """Raise LimitedError if the study sets a Unix socket between two machines."""
    if any(level.value == SOCKET for each in experiment.factors if each.name == REACH for level in each.levels):
        why = "The driver is another machine, so it reaches a database over TCP only."
        raise _limited(
            experiment, f'{REACH} = "{SOCKET}" on a bench', why, remedy=f'Write {REACH} = ["tcp"], or remove it.'
        )


def check_no_bench(experiment: Experiment) -> None:
    """Raise LimitedError if an experiment chooses servers or drivers, as there is no bench."""
    for name in OF_BENCH:
        if any(factor.name == name for factor in experiment.factors):
            why = f"The factor {name} stands for machines of a bench, and this is one machine."
            raise _limited(experiment, "there is no bench", why, remedy="Name a bench file, as --bench lab.toml.")


def _servers(experiment: Experiment, bench: BenchMachines) -> Sequence[str]:
    factor = next((each for each in experiment.factors if each.name == SERVER), None)
    if factor is None:
        if len(bench.servers) > 1:
            why = f"The bench has {', '.join(bench.servers)}, and the experiment does not choose among them."
            raise _limited(experiment, "which server?", why, remedy=f'Write {SERVER} = "{EACH}", or a list of labels.')
        return tuple(bench.servers)
    labels = [str(level.value) for level in factor.levels]
    if labels == [EACH]:
        return tuple(bench.servers)
    for label in labels:
        if label not in bench.servers:
            why = f"The servers of the bench: {', '.join(bench.servers)}."
            raise _limited(experiment, f'no server "{label}"', why, remedy="Correct the label, or add it to the bench.")
    return labels


def _by_cpus(experiment: Experiment) -> Iterator[tuple[Factor, ...]]:
    """Yield the factors without the bench's, for each level of ``cpus``: a word is not merged with a number."""
    rest = tuple(each for each in experiment.factors if each.name not in OF_BENCH)
    cpus = next((each for each in rest if each.name == CPUS), None)
    if cpus is None:
        yield rest
        return
    for level in cpus.levels:
        yield tuple(replace(each, levels=(level,)) if each is cpus else each for each in rest)


@dataclass(frozen=True)
class _Senders:
    """The drivers of a treatment, and the label of their number; None if the study does not choose it."""

    label: str | None
    drivers: tuple[str, ...]


def _senders(experiment: Experiment, bench: BenchMachines, *, notes: list[str]) -> Iterator[_Senders]:
    """Yield the drivers for each level of their number; all of the bench if the study does not choose."""
    factor = next((each for each in experiment.factors if each.name == DRIVERS), None)
    if not _is_driven(experiment):
        yield _Senders(None, ())
        return
    if factor is None:
        _check_divisible(experiment, len(bench.drivers))
        yield _Senders(None, bench.drivers)
        return
    for label, level in words.of_machine(factor, most=len(bench.drivers), notes=notes):
        count = int(level)
        if count > len(bench.drivers):
            why = f"The drivers of the bench: {', '.join(bench.drivers)}."
            raise _limited(experiment, f"{DRIVERS} = {count}", why, remedy="Write a smaller number, or add drivers.")
        _check_divisible(experiment, count)
        yield _Senders(label, bench.drivers[:count])


def _check_divisible(experiment: Experiment, drivers: int) -> None:
    """Raise LimitedError if several drivers cannot send the load as one would."""
    load = experiment.load
    for what, found, why in (
        ("even arrivals", load.settings.get("arrivals") == "uniform", "Even intervals of each are not even together."),
        ("a number of requests", "requests" in load.settings, "The first to send its share would leave the others."),
    ):
        if found and drivers > 1:
            raise _limited(experiment, f"{what} from {drivers} drivers", why, remedy=f"Write {DRIVERS} = 1.")


def _sent_by(senders: _Senders, arm: Arm, *, several: bool) -> Arm:
    """Return a treatment with its drivers; an engine in process has none."""
    treatment = arm.treatment
    if senders.label is None:
        return replace(arm, treatment=replace(treatment, drivers=() if treatment.in_process else senders.drivers))
    label = f"{treatment.label} {DRIVERS}={senders.label}" if several else treatment.label
    levels = {**treatment.levels, DRIVERS: len(senders.drivers)}
    sent = replace(treatment, label=label, levels=levels, drivers=senders.drivers)
    return Arm({**arm.labels, DRIVERS: senders.label}, sent)


def _on(label: str, arm: Arm, experiment: Experiment, *, several: bool) -> Arm:
    """Return a treatment as one on a server; its label has the words that servers have in common."""
    written = next((each.levels for each in experiment.factors if each.name == CPUS), ())
    words = [each for each in arm.treatment.words.get(CPUS, ()) if is_word(each)]
    labels = {**arm.labels, **({CPUS: words[0]} if words else {}), SERVER: label}
    treatment = arm.treatment
    text = treatment.label
    if len(written) > 1 and f" {CPUS}=" not in text:
        text += f" {CPUS}={labels[CPUS]}"
    text += f" {SERVER}={label}" if several else ""
    levels = {**treatment.levels, SERVER: label}
    return Arm(labels, replace(treatment, label=text, levels=levels, server=label))


def _is_driven(experiment: Experiment) -> bool:
    """Return whether some subject is requested from another machine."""
    return experiment.load.loop != "batch" and any(each.client is None for each in experiment.subjects.values())


def cpus_notes(arms: Sequence[Arm], bench: BenchMachines) -> Iterator[str]:
    """Yield the number of CPUs that a word stands for on each server: "cpus = all: 4 of 4 on quad, 2 of 2 on dual"."""
    found: dict[str, dict[str, str]] = {}
    for arm in arms:
        label = arm.labels.get(CPUS)
        if label is not None and is_word(label):
            all_ = len(bench.servers[arm.labels[SERVER]].cpus)
            found.setdefault(label, {})[arm.labels[SERVER]] = f"{len(arm.treatment.cpus)} of {all_}"
    for word, counts in found.items():
        listed = ", ".join(f"{count} on {server}" for server, count in counts.items())
        yield f"{CPUS} = {scalar_text(word)}: {listed}."


def _limited(experiment: Experiment, what: str, why: str, *, remedy: str = "Add one to the bench.") -> LimitedError:
    return LimitedError(f'experiment "{experiment.name}": {what}', why=why, remedy=remedy)
