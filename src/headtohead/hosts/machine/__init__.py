"""What this machine can give to a plan, and whether it is fit to measure on."""
