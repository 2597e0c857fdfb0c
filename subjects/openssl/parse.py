"""Turn what ``openssl speed -mr`` printed into batch records: one for signing, one for verifying, if requested.

    parse.py STDOUT STDERR CASES

Of OpenSSL 3: each child reports its counts on standard error (``+R1:4961:2048:1.00``: signatures, bits, seconds;
``+R2``: verifications), its rates on standard output (``Got: +F2...``), and the last ``+F2:index:bits:signs:verifies``
holds the sums of the children's rates per second. ECDSA has ``+R5``, ``+R6`` and ``+F4`` in their place, Ed25519
``+R8``, ``+R9`` and ``+F6``, with its name after the bits. A line of its own reports what the library does not support.
It always does both operations; CASES, one per line, holds those that were requested.
"""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

NS_PER_S = 1_000_000_000
COUNTED = re.compile(r"^\+R(?P<what>\d):(?P<count>-?\d+):\d+(?::Ed\d+)?:(?P<seconds>[\d.]+)$", re.MULTILINE)
RATES = re.compile(
    r"^\+F(?P<kind>[246]):\d+:(?P<bits>\d+)(?::(?P<name>Ed\d+))?:(?P<sign>[^:\s]+):(?P<verify>[^:\s]+)$", re.MULTILINE
)
KINDS = {"2": ("rsa{bits}", "1", "2"), "4": ("ecdsap{bits}", "5", "6"), "6": ("{name}", "8", "9")}
"""From the number of the line of rates to the name of the key, and the numbers of the two lines of counts."""
REFUSED = re.compile(r"^(?P<why>.*failure)\.\s+No \w+ (?P<operation>sign|verify) will be done\.$", re.MULTILINE)
FORKED = re.compile(r"^Forked child \d+$", re.MULTILINE)
FAILED = re.compile(r"^.*(?:failure|error).*$", re.MULTILINE | re.IGNORECASE)
CLOCK_SHARE = 0.05
"""By how much a rate may differ from count / seconds: ``openssl`` prints seconds in hundredths."""


class ParseError(Exception):
    """The output lacks a figure for the record."""


@dataclass(frozen=True)
class Counts:
    """The counts of all children for one operation, and the mean of their seconds."""

    children: int
    work: int
    least: int
    seconds: float


def counts(stderr: str, *, what: str, operation: str) -> Counts:
    """Return the counts of the children for ``sign`` or ``verify``, from lines with the number ``what``."""
    found = [each for each in COUNTED.finditer(stderr) if each["what"] == what]
    if not found:
        raise ParseError(f"no child reported its count of {operation} (a line +R{what}:...)")
    each_count = [int(each["count"]) for each in found]
    seconds = sum(float(each["seconds"]) for each in found) / len(found)
    return Counts(children=len(found), work=sum(each_count), least=min(each_count), seconds=seconds)


def answer(seen: Counts, *, children: int, rate: float, complaint: str | None) -> str:
    """Return "verified", or what is wrong."""
    if complaint is not None:
        return complaint
    if seen.children != children:
        return f"{seen.children} of {children} children reported"
    if seen.least <= 0:
        return f"a child did {seen.least} operations"
    if abs(rate * seen.seconds / seen.work - 1) > CLOCK_SHARE:
        return f"a rate of {rate:g}/s does not fit {seen.work} operations in {seen.seconds:g} s"
    return "verified"


def records(stdout: str, stderr: str, *, cases: str) -> list[dict[str, object]]:
    """Return one batch record for each requested operation. Raise ParseError if a figure is missing."""
    found = list(RATES.finditer(stdout))
    if not found:
        raise ParseError("openssl printed no rates (a line +F2:...)")
    rates = found[-1]
    children = max(1, len(FORKED.findall(stdout)))
    refused = {each["operation"]: each["why"] for each in REFUSED.finditer(stderr)}
    failed = FAILED.search(REFUSED.sub("", stderr)) or FAILED.search(stdout)
    key, *numbers = KINDS[rates["kind"]]
    key = key.format(bits=rates["bits"], name=(rates["name"] or "").lower())
    asked = {field for line in cases.splitlines() for field in line.split(",")}
    made: list[dict[str, object]] = []
    for operation, what in zip(("sign", "verify"), numbers, strict=True):
        if f"operation={operation}" not in asked:
            continue
        case = {"key": key, "operation": operation, "processes": children}
        if operation in refused:
            made.append({"format": 1, "record": "refused", "case": case, "reason": refused[operation]})
            continue
        seen = counts(stderr, what=what, operation=operation)
        rate = float(rates[operation])
        elapsed_s = seen.work / rate if rate > 0 and seen.least > 0 else seen.seconds
        made.append(
            {
                "format": 1,
                "record": "batch",
                "case": case,
                "work": max(0, seen.work),
                "work_in": "operations",
                "elapsed_ns": round(NS_PER_S * elapsed_s),
                "answer": answer(seen, children=children, rate=rate, complaint=failed and failed[0]),
                "metrics": {},
            }
        )
    return made


def main(arguments: Sequence[str]) -> int:
    """Print the records of the files named; 1 if there are none."""
    stdout, stderr, cases = (Path(each).read_text(encoding="utf-8", errors="replace") for each in arguments)
    try:
        made = records(stdout, stderr, cases=cases)
    except ParseError as error:
        print(f"parse.py: {error}", file=sys.stderr)
        return 1
    for record in made:
        print(json.dumps(record))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
