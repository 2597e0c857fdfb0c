"""A machine in one line: for the head of the page, and as one buys it."""

from collections.abc import Iterable

from headtohead.model.machine.host import HostFacts
from headtohead.report.machine.processor_generation import generation
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, fact


def machine_line(hosts: Iterable[HostFacts]) -> str:
    """Return each host in one line: CPU model, how many CPUs, memory, distribution, kernel, hypervisor."""
    return " | ".join(_one_line(host) for host in hosts) or f"machine: {NOT_VISIBLE}"


def _one_line(host: HostFacts) -> str:
    found = {(each.group, each.name): each for each in host.facts if each.value not in (None, "none")}
    parts = [(form, found[group, name]) for group, name, form in _HEAD if (group, name) in found]
    return ", ".join(form.format(fact(each.value, each.unit)) for form, each in parts) or host.name


def buyer_line(host: HostFacts) -> str:
    """Return a host as one buys it: "2 vCPUs, AMD EPYC (Genoa by family and model), 23.5 GiB of memory, KVM"."""
    known = {(each.group, each.name): each for each in host.facts if each.value not in (None, "none")}

    def text(group: str, name: str) -> str:
        found = known.get((group, name))
        return fact(found.value, found.unit) if found else ""

    def value(name: str) -> object:
        found = known.get(("cpu", name))
        return found.value if found else None

    virtual = text("virtualization", "hypervisor")
    cpus, model = text("cpu", "threads"), text("cpu", "model")
    kind = generation(value("vendor"), value("family"), value("model number"))
    parts = (
        f"{cpus} {'v' if virtual else ''}CPU{'' if cpus == '1' else 's'}" if cpus else "",
        f"{model} ({kind} by family and model)" if kind and model else model,
        f"{memory} of memory" if (memory := text("memory", "total")) else "",
        virtual,
        text("software", "distribution"),
    )
    return ", ".join(each for each in parts if each) or host.name


_HEAD = (
    ("cpu", "model", "{}"),
    ("cpu", "threads", "{} CPUs"),
    ("memory", "total", "{} of memory"),
    ("software", "distribution", "{}"),
    ("software", "kernel", "Linux {}"),
    ("virtualization", "hypervisor", "on {}"),
)
