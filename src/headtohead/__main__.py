"""`python -m headtohead`."""

from headtohead.cli.main import main

main()
