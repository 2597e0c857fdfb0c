"""Several machines on one: namespaces on a bridge, each with its own sshd, host name, mounts and CPUs."""
