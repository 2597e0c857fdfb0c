"""How long a browser takes to open a report: ``make bench-open RESULTS=results/...``; Chromium and quiet wanted.

Opens a copy of the folder's report.html a few times, each with a profile of its own, at 1280 and 390 px, and prints
what passed from the start of loading to the page's load event, in ms. Exit 1: a median is above a second.
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TIMES = 5
WIDTHS = (1280, 390)
WITHIN_S = 60.0
LIMIT_MS = 1000.0
ASKED = (
    '<script>addEventListener("load", () => { const told = document.createElement("pre"); told.id = "opened_ms"; '
    "told.textContent = performance.now(); document.body.append(told); });</script>"
)


def opened_ms(page: Path, browser: str, *, width: int) -> float:
    """Return how long the page took to its load event, in ms; a RuntimeError where the browser does not say."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "page.html"
        copy.write_text(page.read_text("utf-8").replace("<head>", f"<head>{ASKED}", 1), "utf-8")
        argv = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
        argv += [f"--window-size={width},900", "--dump-dom", copy.as_uri()]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    found = re.search(r'<pre id="opened_ms">([0-9.]+)</pre>', done.stdout)
    if found is None:
        raise RuntimeError(f"{browser} (exit {done.returncode}) showed nothing: {done.stderr[-400:]}")
    return float(found[1])


def main() -> int:
    """Print a line for each width; return the exit status."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("results", type=Path, help="a results folder with its report.html")
    page = words.parse_args().results / "report.html"
    browser = shutil.which("chromium")
    if browser is None:
        sys.stderr.write("bench-open wants Chromium (Debian: apt-get install chromium).\n")
        return 2
    late = False
    for width in WIDTHS:
        taken = [opened_ms(page, browser, width=width) for _ in range(TIMES)]
        middle = statistics.median(taken)
        late = late or middle >= LIMIT_MS
        told = f"{min(taken):.0f} to {max(taken):.0f} ms, median {middle:.0f} ms (limit {LIMIT_MS:.0f} ms)"
        size = f"{page.stat().st_size / 1024:.0f} KiB"
        sys.stdout.write(f"{page.name} of {size} opened at {width} px {TIMES} times: {told}\n")
    return int(late)


if __name__ == "__main__":
    sys.exit(main())
