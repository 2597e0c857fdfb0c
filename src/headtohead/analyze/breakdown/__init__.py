"""What lies behind a result: its card, its cases, its bottleneck, its cost and its energy."""
