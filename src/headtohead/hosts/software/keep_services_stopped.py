"""Keeps services from starting while packages are installed: Debian's policy-rc.d, restored afterwards.

Interface: invoke-rc.d(8) runs /usr/sbin/policy-rc.d, and exit status 101 forbids the action.
"""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from headtohead.hosts.host import Host
from headtohead.hosts.paths import PROC, is_alive, owner_of, this_owner
from headtohead.hosts.software.package_files import HERE, Files

POLICY = Path("/usr/sbin/policy-rc.d")
SAVED = ".headtohead-"
MARK = "# headtohead "
FORBID = 101
WITHIN_S = 60.0


@contextlib.contextmanager
def services_kept_from_starting(
    host: Host, *, prefix: Sequence[str] = (), policy: Path = POLICY, files: Files = HERE
) -> Iterator[None]:
    """Forbid service starts inside; restore the earlier policy afterwards, also after a failure.

    ``prefix`` is the command that gives the privilege (``sudo``). An existing policy is set aside meanwhile; one that a
    killed installation left is replaced.
    """
    run_id = this_owner().run_id(0)
    saved = policy.with_name(f"{policy.name}{SAVED}{run_id}")
    had_one = files.exists(policy) and _owner_text(files.text(policy)) is None
    try:
        if had_one:
            host.run((*prefix, "mv", "--force", str(policy), str(saved)), within_s=WITHIN_S)
        with files.staged(f"#!/bin/sh\n{MARK}{run_id}\nexit {FORBID}\n") as ours:
            host.run((*prefix, "install", "--mode=0755", ours, str(policy)), within_s=WITHIN_S)
        yield
    finally:
        if files.exists(saved):
            host.run((*prefix, "mv", "--force", str(saved), str(policy)), within_s=WITHIN_S)
        elif not had_one and _owner_text(files.text(policy)) == run_id:
            host.run((*prefix, "rm", "--force", str(policy)), within_s=WITHIN_S)


def put_back(
    *, policy: Path = POLICY, proc: Path = PROC, host: Host | None = None, prefix: Sequence[str] = ()
) -> str | None:
    """Restore what a killed installation left changed; return what that was, None for nothing.

    As root, or by ``host`` with ``prefix``, the command that gives the privilege. OSError without it.
    """
    for saved in sorted(policy.parent.glob(f"{policy.name}{SAVED}*")):
        if _is_left(saved.name.removeprefix(policy.name + SAVED), proc):
            if host is None:
                saved.replace(policy)
            else:
                host.run((*prefix, "mv", "--force", str(saved), str(policy)), within_s=WITHIN_S)
            return f"{policy} (put back)"
    if _is_left(_owner_text(HERE.text(policy)), proc):
        if host is None:
            policy.unlink()
        else:
            host.run((*prefix, "rm", "--force", str(policy)), within_s=WITHIN_S)
        return str(policy)
    return None


def _is_left(run_id: str | None, proc: Path) -> bool:
    owner = owner_of(run_id) if run_id else None
    return owner is not None and not is_alive(owner, proc=proc)


def _owner_text(policy: str | None) -> str | None:
    """Return the id in the text of headtohead's own policy, None for another policy or none."""
    lines = (policy or "").splitlines()
    return next((line.removeprefix(MARK) for line in lines if line.startswith(MARK)), None)
