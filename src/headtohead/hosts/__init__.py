"""Machines: the only package that talks to one. ``host`` is the protocol; ``local`` and ``fake`` implement it."""
