"""Machines: the only room that talks to one. ``host`` is the protocol; ``local`` and ``fake`` satisfy it."""
