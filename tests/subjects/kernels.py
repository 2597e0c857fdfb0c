"""The program of the kernels as the tests build and ask it, and what its workloads say."""

import json
import re
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "subjects" / "c-kernels"
WORKLOADS = ROOT / "workloads"
KERNELS: tuple[str, ...] = tuple(sorted(each.stem for each in (SOURCE / "kernels").glob("*.c")))

LEAST_NS = 10_000
"""Half of what the shortest takes on the fastest CPU seen (matrix-exponential, 19,700 ns); an empty one, some tens."""
MOST_OPERATIONS_PER_NS = 200
"""Two vectors of eight doubles each cycle at 6 GHz, multiplied and added apart, come to less."""

ONE = "#include <math.h>\nint main(int count, char **words) { (void)words; return (int)sqrt((double)count - 1); }\n"


class Made(NamedTuple):
    """How the program is compiled: the levels of the subject's factors."""

    compiler: str
    bits: int
    optimize: str

    def __str__(self) -> str:
        """Return its name among the tests."""
        return f"{self.compiler} {self.bits} {self.optimize}"


def build(out: Path, *words: str) -> Path:
    """Compile the program into a folder; words of `make` stand in place of what holds by itself."""
    argv = ["make", "--silent", "--jobs=2", f"--directory={SOURCE}", f"OUT={out}", *words]
    subprocess.run(argv, check=True)
    return out / "c-kernels"


def built(made: Made, out: Path) -> Path:
    """Compile the program as the subject's build does."""
    subject = tomllib.loads((SOURCE / "subject.toml").read_text())
    given = {"source": str(SOURCE), "build": str(out), **{name: str(each) for name, each in made._asdict().items()}}
    argv = [re.sub(r"@(\w+)@", lambda found: given[found[1]], word) for word in subject["build"]["argv"]]
    subprocess.run([*argv, "--jobs=2"], check=True)
    return out / "c-kernels"


@cache
def why_not(compiler: str, bits: int) -> str:
    """Return why a compiler makes no programs of that word size here; empty where it does."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "one.c"
        source.write_text(ONE)
        argv = [compiler, *(["-m32"] if bits == 32 else []), "-o", f"{folder}/one", str(source), "-lm"]
        try:
            subprocess.run(argv, check=True, capture_output=True, text=True)
            subprocess.run([f"{folder}/one"], check=True)
        except FileNotFoundError:
            return f"{compiler} is not installed"
        except (OSError, subprocess.CalledProcessError) as error:
            said = str(getattr(error, "stderr", None) or error).strip().splitlines()[-1]
            return f"{compiler} makes no programs of {bits} bits here: {said}"
    return ""


def ask(program: Path, folder: Path, *words: str, lines: str) -> subprocess.CompletedProcess[str]:
    """Run the program with cases; whatever comes of it."""
    cases = folder / "cases"
    cases.write_text(lines)
    argv = [str(program), "--cases", str(cases), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def records(program: Path, folder: Path, *words: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the record of every kernel, each worked on for as short a time as it can be."""
    lines = "".join(f"kernel={name}\n" for name in KERNELS)
    done = ask(program, folder, "--seconds", "0.002", *words, lines=lines)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["case"]["kernel"] for record in found] == list(KERNELS)
    return {record["case"]["kernel"]: record for record in found}


def asked_of(workload: str) -> tuple[str, ...]:
    """Return the kernels that a workload asks for."""
    return tuple(tomllib.loads((WORKLOADS / workload / "workload.toml").read_text())["load"]["kernel"])


def expected(workload: str = "kernel-sweep") -> dict[str, float]:
    """Return the right answer of every kernel of a workload."""
    answers = tomllib.loads((WORKLOADS / workload / "answers.toml").read_text())["answers"]
    return {case.removeprefix("kernel="): float(answer) for case, answer in answers.items()}


def head(kernel: str) -> str:
    """Return the head comment of a kernel's file."""
    return (SOURCE / "kernels" / f"{kernel}.c").read_text().split("*/")[0]


def least_ns(kernel: str) -> float:
    """Return what an iteration takes at least: by the operations that its head comment counts, if that is more."""
    counted = re.findall(r"([\d,]+) (?:floating-point|integer)\s+(?:\*\s+)?operations", head(kernel))
    operations = max((int(each.replace(",", "")) for each in counted), default=0)
    return max(LEAST_NS, operations / MOST_OPERATIONS_PER_NS)
