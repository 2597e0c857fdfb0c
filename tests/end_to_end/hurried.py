"""The command, whose gates let every case begin at once; what this machine does meanwhile discards no run."""

from headtohead.cli import main, run
from tests.contract.bench import ground, rules

if __name__ == "__main__":
    run.ground_here, run.judgment = ground, rules
    main.main()
