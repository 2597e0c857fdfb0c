"""The names of metrics, cases, factors, treatments and objectives in running text and in the heads of tables."""

import re
from collections.abc import Mapping
from dataclasses import replace

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.model.quantiles import quantile_digits
from headtohead.model.quantity import Metric, Summary
from headtohead.model.study.workload import Load
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import quantity
from headtohead.report.text.wording import listed, plural

_PLAIN = r"[\w./:=@,+%\[\]-]+"
_QUOTED = r"'[\w./:=@,+%;?{}() \"-]*'"
CODE_WORDS = re.compile(rf"`({_PLAIN}(?: (?:{_PLAIN}|{_QUOTED}))*)`")
"""Words to be typed, in backticks, some in single quotes: no character that means anything within code of Markdown."""
_UNITS = re.compile(r"_(per_s|ns|bytes|hz|s)$|_n?s(?=_per_(?!s$))")
_QUANTILE = re.compile(r"_p(\d{2,5})(?=_|$)")
_BY = {
    "geometric-mean": "the geometric mean",
    "mean": "the mean",
    "max": "the highest value",
    "min": "the lowest value",
}
_WAITED = "response time"
ALONE = "alone"
"""A closed loop with a single user: there is no other request at the same time, so there is no saturation."""
_FIELDS = {"rate_per_s": "rate {} /s", "overload_percent": "{} % of the capacity", "query": "{}"}
_SEARCHED = ("capacity_per_s", "overload_goodput_share")
_COUNTED = {
    "cpus": "CPU",
    "cores": "core",
    "copies": "copy",
    "threads": "thread",
    "processes": "process",
    "workers": "worker",
    "clients": "client",
    "connections": "connection",
    "streams": "stream",
    "readers": "reader",
    "writers": "writer",
}
_NAMED = {
    "goodput_per_s": "correct responses",
    "overload_goodput_share": "share of correct responses past the capacity",
    "subject_cpu_ns_per_answer": "CPU time per response",
    "subject_memory_peak_bytes": "memory used, peak",
    "bytes_per_s": "bytes moved",
    "memory_bandwidth_bytes_per_s": "memory bandwidth",
    "local_bandwidth_bytes_per_s": "local bandwidth",
    "remote_bandwidth_bytes_per_s": "remote bandwidth",
    "traffic_most_bytes_per_s": "most traffic",
    "run_time_mean_ns": "time from start to end, mean",
    "time_per_run": "time from start to end",
}
"""Titles of metrics whose names without the unit would be unclear."""
_REPORT_WORDS = (
    (r"\bsubject (?=cpu|memory)", ""),
    (r"\bsubject\b", "program"),
    (r"\bdriver\b", "load generator"),
    (r"\bright answers\b", "correct responses"),
    (r"\banswer(?=s?\b)", "response"),
    (r"\btreatment(?=s?\b)", "setup"),
)
"""Words of files and of the catalog, with those of reports (docs/glossary.md)."""
_WORK = {"goodput_per_s": "correct responses", "capacity_per_s": "requests", "response_rate_per_s": "responses"}
_PLURAL = {"CPU": "CPUs", "copy": "copies", "process": "processes"}


def quantile_text(metric: str) -> str:
    """Return the quantile as people write it: ``p99``, ``p99.9``; empty if there is none."""
    digits = quantile_digits(metric)
    if not digits:
        return ""
    return f"p{digits[:2]}.{digits[2:]}" if len(digits) > 2 else f"p{digits}"


def metric_title(name: str, *, loop: str = "batch", arrivals: str = "poisson") -> str:
    """Return a metric's name as words; a response time includes how the load was generated.

    >>> metric_title("goodput_per_s"), metric_title("response_time_p99_ns", loop="closed")
    ('correct responses', 'response time at saturation, p99')
    >>> metric_title("response_time_p99_ns", loop="sessions", arrivals="uniform")
    'response time (sessions, even arrivals), p99'
    """
    words = _NAMED.get(name) or _UNITS.sub("", _QUANTILE.sub("", name)).replace("_", " ")
    if words.startswith(_WAITED):
        rest = words.removeprefix(_WAITED).strip()
        words = f"{_WAITED}{_asked(loop, arrivals)}{f', {rest}' if rest else ''}"
    words = plain_words(words)
    words = re.sub(r"\bgb\b", "GB", re.sub(r"\bcpu(s?)\b", r"CPU\1", words))
    tail = quantile_text(name)
    return f"{words}, {tail}" if tail else words


def plain_words(text: str) -> str:
    """Return a name or a definition of the catalog in the words of reports.

    >>> plain_words("CPU time that the subject used for each answer"), plain_words("driver delay")
    ('CPU time that the program used for each response', 'load generator delay')
    """
    for pattern, instead in _REPORT_WORDS:
        text = re.sub(pattern, instead, text)
    return text


def _asked(loop: str, arrivals: str) -> str:
    """Return the loop as a part of the title of a response time, which means little without it."""
    if loop == "closed":
        return " at saturation"
    if loop == ALONE:
        return " (one at a time)"
    if loop not in ("open", "sessions"):
        return ""
    return f" ({'open loop' if loop == 'open' else 'sessions'}, {arrivals_text(arrivals)})"


def loop_of(load: Load | None) -> str:
    """Return the loop as names and sentences call it: the load's, ``alone`` for one user, ``batch`` without a load."""
    if load is None:
        return "batch"
    users = load.cases.get("connections") or (load.settings.get("connections"),)
    return ALONE if load.loop == "closed" and set(users) == {1} else load.loop


def arrivals_text(arrivals: str) -> str:
    """Return how requests or sessions arrive, as words."""
    return "even arrivals" if arrivals == "uniform" else "Poisson arrivals"


def case_title(case: Case) -> str:
    """Return a case as a row's head: each field, then its level.

    >>> case_title(Case({"connections": 10})), case_title(Case({"bits": 2048, "operation": "sign"}))
    ('connections 10', 'bits 2048, operation sign')
    >>> case_title(Case({"rate_per_s": 250})), case_title(Case({"overload_percent": 110}))
    ('rate 250 /s', '110 % of the capacity')
    """
    return ", ".join(_field_title(*each) for each in case.levels.items()) if case else "all cases"


def _field_title(name: str, level: str) -> str:
    return _FIELDS.get(name, f"{name} {{}}").format(level).rstrip()


def case_phrase(case: Case) -> str:
    """Return a case as a sentence goes on: ``with 100 connections``, ``with bits 2048, operation sign``."""
    parts = (
        plural(int(level), _COUNTED[name], counted_many(name))
        if name in _COUNTED and level.isdigit()
        else _field_title(name, level)
        for name, level in case.levels.items()
    )
    return f"with {', '.join(parts)}" if case else ""


def summary_of(summary: Summary) -> str:
    """Return what a run's summary is computed from: ``the geometric mean of correct responses over all cases``.

    A search has one value for each run, whatever its summary is.
    """
    if summary.of in _SEARCHED:
        return "one value a run"
    over = " and ".join(f"{key} {', '.join(map(str, levels))}" for key, levels in sorted(summary.where.items()))
    if summary.at:
        field = metric_title(summary.at)
        return f"the {field} with the highest {metric_title(summary.of)}, of {over or 'all cases'}"
    return f"{_BY[summary.by]} of {metric_title(summary.of)} over {over or 'all cases'}"


def summary_title(summary: Summary) -> str:
    """Return a run's summary with its name: ``overall: the geometric mean of correct responses over all cases``."""
    return f"{metric_title(summary.name)}: {summary_of(summary)}"


def metric_of(experiment: ExperimentResult, name: str, summaries: Mapping[str, Summary]) -> Metric | None:
    """Return the metric with a cell's unit and direction: its own, or that of the summary of this name.

    The level at which a metric is highest has no unit and no better direction.
    """
    if name in experiment.metrics:
        return experiment.metrics[name]
    if name == experiment.primary.name:
        return experiment.metric
    summary = summaries.get(name)
    metric = experiment.metrics.get(summary.of) if summary else None
    if summary and metric and summary.at:
        return replace(metric, unit="1", better="neither", words=None)
    return metric


def counted(factor: str) -> str:
    """Return the singular of what a countable factor counts: ``CPU`` for cpus; else the factor's own name."""
    return _COUNTED.get(factor, factor)


def counted_many(factor: str) -> str:
    """Return the plural of what a countable factor counts: ``CPUs``."""
    one = counted(factor)
    return _PLURAL.get(one, one if one == factor else f"{one}s")


def work_unit(metric: Metric) -> str:
    """Return the unit of work of a rate, in the plural: ``correct responses``, ``operations``; bytes in GB."""
    return "GB" if metric.unit == "B/s" else _WORK.get(metric.name) or metric.work or metric_title(metric.name)


def objective_text(objective: Mapping[str, float]) -> str:
    """Return an objective as words.

    >>> objective_text({"response_time_p99_ns": 200e6, "error_share": 0.005})
    'p99 within 200 ms and errors within 0.5 %'
    """
    limits = dict(objective)
    errors = limits.pop("error_share", None)
    parts = [f"{quantile_text(name)} within {quantity(limit, 'ns')}" for name, limit in limits.items()]
    return listed([*parts, *([f"errors within {share(errors)}"] if errors is not None else [])]) or "no objective"
