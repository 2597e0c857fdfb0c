"""`headtohead race`: its options, the trial before it, and the command."""
