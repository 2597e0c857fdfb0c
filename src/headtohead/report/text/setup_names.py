"""Setups by names that a reader knows: "OpenSSL on 2 CPUs" for the label ``openssl cpus=2``."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.case import Case
from headtohead.model.finding import REPORTED, Finding
from headtohead.model.machine.settings import SYSCTL
from headtohead.model.machine.userland import FACTOR as USERLAND
from headtohead.model.machine.userland import HOST
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.report.text.names import case_phrase, counted, counted_many
from headtohead.report.text.wording import listed

_MIB = "_mib"
_I386, _BITS_32 = "-i386", "32-bit"
_LEVELS = re.compile(", | and ")
"""What is between the levels of a name."""
_BEFORE_LEVEL = ("with", "on", "over", "and")
_DATABASE = "database"
"""The parameter whose level follows the name of a program by its title: "Message board in Java over MariaDB"."""
_TUNED = {
    "ours": "our settings",
    "distribution": "the distribution's settings",
    "article": "the article's settings",
    "article-2006": "the settings of the article of 2006",
}
"""The levels of a database's tuning, in words."""
_IN_CASE = re.compile(r"\bin (\w+=[\w.-]*\w(?:,\w+=[\w.-]*\w)*)")
"""A case as findings have it: ``in connections=100``, ``in key=rsa2048,operation=sign``."""


def setup_names(
    planned: PlannedExperiment | None, titles: Mapping[str, str], *, short: bool = False
) -> Mapping[str, str]:
    """Return a name for each label: the subject's title up to its first comma, then the levels in words.

    Labels stay if two names would be equal. ``titles`` are those of subjects, by name. ``short`` are the levels alone
    if the setups differ in nothing else: "2 CPUs".
    """
    if planned is None:
        return {}
    names = _with_word_sizes({each.label: _name(each, titles) for each in planned.treatments})
    if len(set(names.values())) < len(names):
        return {}
    return _short_names([each.label for each in planned.treatments if not each.floor], names) if short else names


def apart(name: str, other: str) -> str:
    """Return a setup without the words that it shares with the other, for a sentence that names the other first.

    >>> apart("OpenSSL on 1 CPU", "OpenSSL on 2 CPUs"), apart("nginx", "nginx with gzip on")
    ('on 1 CPU', 'nginx')
    >>> apart("MySQL with engine InnoDB and gzip on", "MySQL with engine InnoDB and gzip off")
    'with gzip on'
    """
    for word in (" with ", " on ", " over "):
        start, found, own = name.rpartition(word)
        if found and other.startswith(f"{start}{word}"):
            theirs = _LEVELS.split(other[len(start) + len(word) :])
            left = [each for each in _LEVELS.split(own) if each not in theirs]
            return f"{word.lstrip()}{listed(left)}" if left else name
    return name


def has_words(name: str, words: str) -> bool:
    """Return whether a setup's name has these words, whole.

    >>> has_words("nginx with 1 worker", "1 worker"), has_words("nginx with 11 workers", "1 worker")
    (True, False)
    """
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", name) is not None


def levels_apart(name: str, other: str) -> str:
    """Return only the levels in which a setup differs from the other; empty if their names do not show that.

    >>> levels_apart("OpenSSL on 1 CPU", "OpenSSL on 2 CPUs"), levels_apart("nginx", "Apache HTTP Server")
    ('1 CPU', '')
    """
    own = apart(name, other)
    return re.sub(r"^(with|on|over) ", "", own) if own != name else ""


def short(treatment: TreatmentResult, result: ExperimentResult) -> str:
    """Return a setup's name without the words with which all names of the experiment begin: "2 CPUs".

    A bare level does not name it: of "nginx with gzip on" and "nginx with gzip off" the factor stays, "gzip on".
    """
    words = [each.label.split() for each in result.treatments if not each.floor]
    if len(words) < 2:
        return treatment.label
    common = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))))
    common = _from_factor(words[0][:common], [each[common:] for each in words])
    left = treatment.label.split()[common:] if not treatment.floor else []
    rest = " ".join(left)
    return treatment.label if rest.replace(".", "").isdecimal() or not rest else rest


def _from_factor(common: Sequence[str], left: Sequence[Sequence[str]]) -> int:
    """Return how many words to leave out of those that all names begin with: not those of the factor that differs.

    >>> _from_factor(["nginx", "with", "gzip"], [["on"], ["off"]]), _from_factor(["nginx", "with"], [["1", "CPU"]])
    (2, 2)
    >>> _from_factor(["Board", "in"], [["PHP"], ["Java"]]), _from_factor(["nginx", "with", "gzip", "on"], [["and"], []])
    (2, 4)
    """
    if any(not each or each[0] in ("with", "and") for each in left):
        return len(common)
    starts = [place for place, word in enumerate(common, start=1) if word in _BEFORE_LEVEL or word.endswith(",")]
    return starts[-1] if starts else len(common)


def in_words(result: ExperimentResult, names: Mapping[str, str]) -> ExperimentResult:
    """Return the result with these names in place of its labels; labels without a name stay."""
    short = _short_names([each.label for each in result.treatments if not each.floor], names)
    reported = [str(each.evidence[REPORTED]) for each in result.findings if REPORTED in each.evidence]
    sides = {**{each.subject: short_title(each.title) for each in result.treatments}, **names} if names else {}
    return replace(
        result,
        treatments=tuple(_named(each, names) for each in result.treatments),
        comparisons=tuple(_compared(each, names, short, reported) for each in result.comparisons),
        suites=tuple(
            replace(each, treatment=names.get(each.treatment, each.treatment), against=_of(each.against, names))
            for each in result.suites
        ),
        crossings=tuple(
            replace(each, ahead=_of(each.ahead, sides), behind=_of(each.behind, sides)) for each in result.crossings
        ),
        growth=tuple(
            replace(each, baseline=_of(each.baseline, names), other=_of(each.other, names)) for each in result.growth
        ),
        findings=tuple(_found(each, names, short) for each in result.findings),
    )


def _found(finding: Finding, names: Mapping[str, str], short: Mapping[str, str]) -> Finding:
    """Return a finding with names for labels in its sentence, its setups and its evidence."""
    evidence = dict(finding.evidence)
    if (label := str(evidence.get("treatment", ""))) in names:
        evidence["treatment"] = short.get(label, names[label])
    of = tuple(_of(each, names) for each in finding.of)
    reported = [str(evidence.get(REPORTED, ""))]
    says, advice = (_sentence(text, short, reported) for text in (finding.says, finding.advice))
    return replace(finding, says=says, advice=advice, evidence=evidence, of=of)


def _sentence(text: str, names: Mapping[str, str], reported: Iterable[str]) -> str:
    """Return a finding's sentence with names for labels, and cases in words; what programs reported stays as it is."""
    return _outside(text, reported, lambda part: cases_in_words(_in_text(part, names)))


def _outside(text: str, kept: Iterable[str], change: Callable[[str], str]) -> str:
    """Return a text with each part changed that is outside of the texts to keep.

    >>> _outside("a: version a-1", ["a-1"], str.upper)
    'A: VERSION a-1'
    """
    found = "|".join(re.escape(each) for each in sorted(kept, key=len, reverse=True) if each)
    parts = re.split(f"({found})", text) if found else [text]
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


def cases_in_words(text: str) -> str:
    """Return a finding's sentence with each case as sentences have it: ``with 100 connections``."""
    return _IN_CASE.sub(lambda each: case_phrase(Case.parse(each[1])), text)


def _short_names(labels: Sequence[str], names: Mapping[str, str]) -> Mapping[str, str]:
    """Return the levels alone as names if the setups differ in nothing else: "2 CPUs"."""
    own = [names.get(each, each) for each in labels]
    if len(set(own)) > 2 and any(" and " in each for each in own):
        return names  # a third setup may have the levels in which one differs from another
    short = {name: levels_apart(name, own[0] if name != own[0] else own[-1]) for name in own}
    return {label: short.get(name) or name for label, name in names.items()} if all(short.values()) else names


def _in_text(text: str, names: Mapping[str, str]) -> str:
    """Return a text with names in place of labels, the longest label first: one may begin another."""
    labels = sorted(names, key=len, reverse=True)
    found = "|".join(map(re.escape, labels))
    return re.sub(rf"(?<![\w=-])(?:{found})(?![\w=-])", lambda each: names[each[0]], text) if labels else text


def _of(label: str, names: Mapping[str, str]) -> str:
    return names.get(label, label)


def _named(treatment: TreatmentResult, names: Mapping[str, str]) -> TreatmentResult:
    return replace(treatment, label=_of(treatment.label, names))


def _compared(
    comparison: ComparisonResult, names: Mapping[str, str], short: Mapping[str, str], reported: Iterable[str]
) -> ComparisonResult:
    because = _sentence(comparison.because, short, reported)
    return replace(
        comparison, baseline=_of(comparison.baseline, names), other=_of(comparison.other, names), because=because
    )


def _with_word_sizes(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names with "64-bit" where another setup has 32-bit programs of a Debian.

    >>> _with_word_sizes({"a": "nginx with 32-bit Debian 12", "b": "nginx with Debian 12"})["b"]
    'nginx with 64-bit Debian 12'
    """
    if not any(f"{_BITS_32} Debian" in each for each in names.values()):
        return dict(names)
    return {label: re.sub(rf"(?<!{_BITS_32} )(Debian \d)", r"64-bit \1", name) for label, name in names.items()}


def _name(treatment: Treatment, titles: Mapping[str, str]) -> str:
    title = short_title(titles.get(treatment.subject, "")) or treatment.subject
    if treatment.floor:
        return treatment.label
    shown = [(name, level) for name, level in treatment.levels.items() if f"{name}=" in treatment.label]
    what = "cores" if "smt" in treatment.levels else "cpus"
    on = [_count(what, level) for name, level in shown if name == "cpus"]
    on += [scalar_text(level) for name, level in shown if name == "server"]
    databases = [scalar_text(level) for name, level in shown if name == _DATABASE]
    others = [level_words(name, level) for name, level in shown if name not in ("cpus", "server", _DATABASE)]
    over = f"over {short_title(titles.get(databases[0], '')) or databases[0]}" if databases else ""
    where = f"on {' of '.join(on)}" if on else ""
    with_ = f"with {listed(others)}" if others else ""
    return " ".join(each for each in (title, over, where, with_) if each)


def short_title(title: str) -> str:
    """Return a subject's title up to its first comma."""
    return title.partition(",")[0].strip()


def level_words(name: str, level: Scalar) -> str:
    """Return a factor's level as names of setups have it: ``2 CPUs``, ``gzip on``, ``one thread of each core``.

    >>> level_words("query_cache", "on"), level_words("sysctl.net.ipv4.tcp_sack", 1), level_words("tuning", "article")
    ('query cache on', 'net.ipv4.tcp_sack 1', "the article's settings")
    """
    if name == "smt":
        return f"{'all threads' if level == 'on' else 'one thread'} of each core"
    if name == "tuning" and level in _TUNED:
        return _TUNED[scalar_text(level)]
    if name == "bits":
        return f"{scalar_text(level)} bits"
    if name == USERLAND:
        return _userland_words(scalar_text(level))
    if name.startswith(SYSCTL):
        return f"{name.removeprefix(SYSCTL)} {scalar_text(level)}"
    if name.endswith(_MIB):
        return f"{name.removesuffix(_MIB).replace('_', ' ')} {scalar_text(level)} MiB"
    return _count(name, level) if counted(name) != name else f"{name.replace('_', ' ')} {scalar_text(level)}"


def _userland_words(level: str) -> str:
    """Return a userland as people name it.

    >>> _userland_words("debian-12-i386"), _userland_words("debian-13"), _userland_words("host")
    ('32-bit Debian 12', 'Debian 13', "the machine's own Debian")
    """
    if level == HOST:
        return "the machine's own Debian"
    release = level.removesuffix(_I386).replace("debian-", "Debian ")
    return f"{_BITS_32} {release}" if level.endswith(_I386) else release


def _count(name: str, level: Scalar) -> str:
    return f"{scalar_text(level)} {counted(name) if level == 1 else counted_many(name)}"
