"""The wait for quiet CPUs before a case, and what it shows meanwhile: how much CPU others use, and who the most."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.hosts.facts.load_now import BusiestProcess
from headtohead.hosts.supervise.messages import Gate
from headtohead.model.rules import GATE

UNSHOWN_S = 0.6
"""A machine that is quiet by then has nothing to show, and no process was searched for."""
SHOW_EVERY_S = 2.0


def wait_for_quiet(supervised: SupervisedRun, *, apart: Sequence[int], show: Callable[[str], None]) -> Gate:
    """Wait by the gate's rule, on each driver of a bench too; show every two seconds what is waited for.

    What others do on the CPUs ``apart`` is not waited for. ``waited_s`` of the result is the whole wait. After a long
    wait in vain (``--wait``) the later ones are as short as usual: a machine that is never quiet must not take hours.
    """
    environment = supervised.environment
    here, in_vain = environment.elsewhere is None, environment.waits_in_vain
    within_s = min(environment.gate.within_s, GATE.within_s) if in_vain else environment.gate.within_s
    gate = _gate_of_all(supervised, apart=apart, within_s=min(UNSHOWN_S, within_s))
    waited_s = gate.waited_s
    busiest = BusiestProcess() if here and not gate.quiet and waited_s < within_s else None
    while not gate.quiet and waited_s < within_s:
        gate = _gate_of_all(supervised, apart=apart, within_s=min(SHOW_EVERY_S, within_s - waited_s))
        waited_s += gate.waited_s
        if not gate.quiet:
            show(waiting_text(gate, busiest.look() if busiest is not None else None))
    if not gate.quiet and waited_s > GATE.within_s:
        in_vain.append(waited_s)
        show(f"not quiet after {waited_s / 60:.0f} minutes: later runs wait {GATE.within_s:.0f} s each")
    return replace(gate, waited_s=waited_s)


def waiting_text(gate: Gate, who: str | None) -> str:
    """Return what the run waits for.

    >>> waiting_text(Gate(0, False, 2.0, 1.52, 0.0), "chrome (pid 123)")
    'waiting for quiet: 1.5 CPU by chrome (pid 123)'
    """
    used = f"{gate.foreign_cpus:.1f}" if gate.foreign_cpus >= 0.1 else f"{max(0.0, gate.foreign_cpus):.2f}"
    return f"waiting for quiet: {used} CPU" + (f" by {who}" if who else "")


def _gate_of_all(supervised: SupervisedRun, *, apart: Sequence[int], within_s: float) -> Gate:
    rule = supervised.environment.gate

    def gated(each: SupervisedRun, *, apart: Sequence[int] = ()) -> Gate:
        return each.supervisor.gate(below_cpus=rule.below_cpus, for_s=rule.for_s, within_s=within_s, apart=apart)

    with ThreadPoolExecutor(max(1, len(supervised.drivers))) as pool:  # each waits on its own machine
        drivers = list(pool.map(gated, supervised.drivers))
    gate = gated(supervised, apart=apart)
    waited_s = gate.waited_s + max((each.waited_s for each in drivers), default=0.0)
    return replace(gate, quiet=gate.quiet and all(each.quiet for each in drivers), waited_s=waited_s)
