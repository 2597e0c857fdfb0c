"""Install what the rig needs, as a study's packages are: no service of it is started or enabled."""

import os
import shutil
import sys

from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import packages
from headtohead.model.errors import HostError
from tests.rig.build import why_no_rig

NAMES = ("openssh-server",)


def main() -> int:
    if os.geteuid() != 0 or shutil.which("sshd", path="/usr/sbin:/usr/bin") is not None:
        return 0
    try:
        packages.install(NAMES, host=LocalHost(), show=lambda text: sys.stderr.write(f"{text}\n"))
    except HostError as failed:
        sys.stderr.write(f"{failed}\n")
    return 1 if why_no_rig() else 0


if __name__ == "__main__":
    sys.exit(main())
