"""Looks at a page in Chromium, without a screen and a network: what axe-core finds, how wide it is, what it fetches."""

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).parent
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
MISSING = "; ".join(
    [
        *([] if CHROMIUM else ["Chromium is not installed (Debian: apt-get install chromium)"]),
        *([] if AXE.is_file() else ["axe-core is not there (`make test` fetches it where npm is installed)"]),
    ]
)
"""Why pages cannot be looked at here; empty where they can."""
WITHIN_S = 120
SCRIPTS = ("axe.min.js", "look.js")
AROUND = """<!doctype html>
<html lang="en">
<body style="margin: 0">
<iframe src="page.html" style="width: {width}px; height: 900px; border: 0"></iframe>
<script>
addEventListener("message", (event) => {{
  const told = document.createElement("pre");
  told.id = "seen";
  told.textContent = event.data;
  document.body.append(told);
}});
</script>
</body>
</html>
"""
"""The page stands in a frame: a window of Chromium is never narrower than 500 px."""


@dataclass(frozen=True)
class Fault:
    """One element in which a rule of axe-core found a fault; ``impact`` is minor, moderate, serious or critical."""

    rule: str
    impact: str
    where: str
    says: str


@dataclass(frozen=True)
class Seen:
    """What was seen of a page, in its own pixels; ``reach`` is how far it goes to the right, opened: with every detail.

    ``cut`` are the tables that are cut off and scroll sideways, by how much; ``second`` is, for each row that has a
    deciding column, whether that is the first after the row's head.
    ``height`` and ``words`` are of the page as it opens, folded parts closed; ``first_chart`` is where its first chart
    ends, 0 without one.

    ``fetched`` is what it asked for beside itself, ``refused`` what its policy kept it from, ``console`` what was said
    there.
    """

    dark: bool
    width: int
    reach: int
    reach_opened: int
    cut: tuple[str, ...]
    second: tuple[bool, ...]
    height: int
    words: int
    first_chart: int
    alerts: int
    rules: int
    fetched: tuple[str, ...]
    refused: tuple[str, ...]
    errors: tuple[str, ...]
    console: tuple[str, ...]
    faults: tuple[Fault, ...]

    @property
    def serious(self) -> list[Fault]:
        """The faults that keep someone from reading the page."""
        return [each for each in self.faults if each.impact in ("serious", "critical")]


def look(page: str, folder: Path, *, width: int, dark: bool, rules: bool = True) -> Seen:
    """Return what Chromium sees of a page, and with ``rules`` axe-core too; a RuntimeError if nothing came back."""
    for source in (AXE, HERE / "look.js"):
        shutil.copy(source, folder / source.name)
    scripts = "".join(f'<script src="{name}"></script>' for name in SCRIPTS[not rules :])
    (folder / "page.html").write_text(page.replace("<head>", f"<head>{scripts}", 1), encoding="utf-8")
    around = folder / "around.html"
    around.write_text(AROUND.format(width=width), encoding="utf-8")
    done = subprocess.run(
        _argv(around, folder, dark=dark), capture_output=True, text=True, timeout=WITHIN_S, check=False
    )
    told = _Told()
    told.feed(done.stdout)
    if not told.text:
        raise RuntimeError(f"Chromium (exit {done.returncode}) showed nothing: {done.stderr[-2000:]}")
    return _seen(json.loads(told.text), console=[line for line in done.stderr.splitlines() if ":CONSOLE" in line])


def printed_pages(page: str, folder: Path) -> int:
    """Return the number of pages on which Chromium prints a page; a RuntimeError if it prints nothing."""
    source, target = folder / "printed.html", folder / "printed.pdf"
    source.write_text(page, encoding="utf-8")
    argv = [*_start(folder), f"--print-to-pdf={target}", "--no-pdf-header-footer", source.as_uri()]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=WITHIN_S, check=False)
    if not target.is_file():
        raise RuntimeError(f"Chromium (exit {done.returncode}) printed nothing: {done.stderr[-2000:]}")
    return len(re.findall(rb"/Type\s*/Page\b", target.read_bytes()))


def opened_by(page: str, folder: Path, anchor: str) -> int:
    """Return how many folded parts Chromium opens when a link leads to ``#anchor``, without those open at first."""
    source = folder / "linked.html"
    source.write_text(page, encoding="utf-8")
    argv = [*_start(folder), "--virtual-time-budget=2000", "--dump-dom", f"{source.as_uri()}#{anchor}"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=WITHIN_S, check=True)
    return len(re.findall(r"<details[^>]* open=", done.stdout)) - page.count("<details open>")


def _start(folder: Path) -> list[str]:
    return [
        CHROMIUM or "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--enable-logging=stderr",
        f"--user-data-dir={folder / 'profile'}",
    ]


def _argv(page: Path, folder: Path, *, dark: bool) -> list[str]:
    return [
        *_start(folder),
        "--window-size=1280,900",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        "--virtual-time-budget=60000",
        "--dump-dom",
        page.as_uri(),
    ]


class _Told(HTMLParser):
    """Finds what look.js left in the page."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "pre" and ("id", "seen") in attrs

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._inside = False

    def handle_data(self, data: str) -> None:
        self.text += data if self._inside else ""


def _seen(found: dict[str, object], *, console: list[str]) -> Seen:
    def texts(name: str) -> tuple[str, ...]:
        told = found[name]
        assert isinstance(told, list)
        return tuple(map(str, told))

    def number(name: str) -> int:
        told = found[name]
        assert isinstance(told, int)
        return told

    faults = found["faults"]
    assert isinstance(faults, list)
    return Seen(
        dark=bool(found["dark"]),
        width=number("width"),
        reach=number("reach"),
        reach_opened=number("reachOpened"),
        cut=texts("cut"),
        second=tuple(each == "True" for each in texts("second")),
        height=number("height"),
        words=number("words"),
        first_chart=number("firstChart"),
        alerts=number("alerts"),
        rules=number("rules"),
        fetched=tuple(each for each in texts("fetched") if not each.endswith(SCRIPTS)),
        refused=texts("refused"),
        errors=texts("errors"),
        console=tuple(console),
        faults=tuple(Fault(**each) for each in faults),
    )
