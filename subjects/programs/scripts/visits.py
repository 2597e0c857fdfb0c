"""Requests, visits, different paths and the median time of each client of a log, in the order of clients."""

import sys
from itertools import pairwise

VISIT_S = 1800

clients: dict[str, tuple[list[int], set[str], list[int]]] = {}
for line in sys.stdin:
    client, at_s, _, path, _, _, took_us = line.split()
    begins, paths, times = clients.setdefault(client, ([], set(), []))
    begins.append(int(at_s))
    paths.add(path)
    times.append(int(took_us))
for client, (begins, paths, times) in sorted(clients.items()):
    visits = 1 + sum(later - one > VISIT_S for one, later in pairwise(begins))
    print(client, len(begins), visits, len(paths), sorted(times)[len(times) // 2])
