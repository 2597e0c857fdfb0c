"""The details of a result: card, curves, bottleneck, cost, energy."""
