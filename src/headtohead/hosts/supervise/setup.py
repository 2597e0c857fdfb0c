"""How supervise is started: the run, its folder, its user, and what counts as harness."""

from dataclasses import dataclass
from pathlib import Path

from headtohead.hosts.supervise.heartbeat import LEASE_S


@dataclass(frozen=True)
class Setup:
    """The start of supervise: ``run_id`` is from ``Owner.run_id``, ``run_dir`` from ``paths.run_dir``.

    ``user`` is given as root only. ``harness_pids`` count as harness, as supervise itself does. ``keep`` are folders
    that programs see even in what is hidden from them. ``lease_s``: supervise ends the run when it hears nothing for
    that time; the Supervisor gives a sign of life meanwhile.
    """

    program: Path
    run_id: str
    run_dir: Path
    log: Path
    harness_cpus: tuple[int, ...] = ()
    harness_pids: tuple[int, ...] = ()
    user: str | None = None
    cgroup_root: Path | None = None
    cgroups: bool = True
    keep: tuple[Path, ...] = ()
    lease_s: float = LEASE_S
    journals: Path | None = None

    def argv(self) -> tuple[str, ...]:
        """Return the command line."""
        words = [str(self.program), "supervise", "--id", self.run_id, "--run-dir", str(self.run_dir)]
        words += ["--lease-s", f"{self.lease_s:g}"]
        if self.harness_cpus:
            words += ["--harness-cpus", ",".join(str(cpu) for cpu in self.harness_cpus)]
        for pid in self.harness_pids:
            words += ["--harness-pid", str(pid)]
        for folder in self.keep:
            words += ["--keep", str(folder)]
        words += ["--user", self.user] if self.user else []
        words += ["--cgroup-root", str(self.cgroup_root)] if self.cgroup_root else []
        words += ["--journals", str(self.journals)] if self.journals else []
        return (*words, *([] if self.cgroups else ["--no-cgroups"]))
