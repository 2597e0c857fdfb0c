"""The command, whose gates let every case begin at once; what this machine does meanwhile discards no run."""

from headtohead.cli import main, run
from tests.contract.bench import environment, rules

if __name__ == "__main__":
    run.environment_here, run.run_rules = environment, rules
    main.main()
