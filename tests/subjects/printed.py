"""What a client program printed."""

import json
import subprocess
from typing import Any

Done = subprocess.CompletedProcess[str]


def record(done: Done) -> dict[str, Any]:
    """Return the only record of a program that ended well."""
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found
