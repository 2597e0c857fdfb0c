"""What the SSH client complains about, as errors with a cause and a remedy."""

import re

from headtohead.model.errors import HostError

LINES = 4
KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        r"REMOTE HOST IDENTIFICATION HAS CHANGED",
        "Its host key is not the one that is known: it is another machine, or was installed anew.",
        "Find out why. Then `ssh-keygen -R HOST` removes the old key, and `ssh {destination}` shows the new one.",
    ),
    (
        r"Host key verification failed|host key is known",
        "Its host key is not known here, and unknown keys are never accepted.",
        "Run `ssh {destination}` by hand once, and compare the key that it shows.",
    ),
    (
        r"Permission denied \(",
        "It lets this user in by none of the keys that were offered; passwords are not used.",
        "Check the user in {destination}, and that `ssh {destination}` works without a password (ssh-copy-id).",
    ),
    (
        r"Could not resolve hostname",
        "No address is known for that name.",
        "Check the name in the bench file and in the SSH configuration.",
    ),
    (
        r"Connection refused",
        "No SSH server listens there.",
        "Start sshd there (package openssh-server), or give its port in the SSH configuration.",
    ),
    (
        r"timed out|No route to host|Network is unreachable|not responding",
        "It does not respond.",
        "Check that it is switched on, and the network between here and there.",
    ),
    (
        r"No space left on device",
        "Its disk is full.",
        "Make room there; `headtohead clean --caches` removes earlier studies' data.",
    ),
    (
        r"Control socket connect|closed by remote host|Connection reset|Broken pipe|Connection closed",
        "The connection to it was lost.",
        "Check the network between here and there, then run the study again: it resumes.",
    ),
)


def explained(label: str, destination: str, complaint: str, *, doing: str) -> HostError:
    """Return the error for what the client printed; ``doing`` is what was tried, as in ``connecting``."""
    what = f"The host {label} ({destination}) failed while {doing}"
    for pattern, why, remedy in KNOWN:
        if re.search(pattern, complaint):
            return HostError(what, why=why, remedy=remedy.format(destination=destination))
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    said = " / ".join(lines[-LINES:]) or "ssh printed no reason."
    return HostError(what, why=said, remedy=f"Try by hand: ssh {destination}")
