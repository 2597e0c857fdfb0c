"""What a plan will take: time, disk, and how small a difference it can detect."""
