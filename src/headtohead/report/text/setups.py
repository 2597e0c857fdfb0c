"""Setups by names that a reader knows: "OpenSSL on 2 CPUs" for the label ``openssl cpus=2``."""

from collections.abc import Mapping
from dataclasses import replace

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.report.text.names import counted, counted_many, listed


def setup_names(planned: PlannedExperiment | None, titles: Mapping[str, str]) -> Mapping[str, str]:
    """Return a name for each label: the subject's title up to its first comma, then the levels in words.

    Labels stay if two names would be equal. ``titles`` are those of subjects, by name.
    """
    if planned is None:
        return {}
    names = {each.label: _name(each, titles) for each in planned.treatments}
    return names if len(set(names.values())) == len(names) else {}


def in_words(result: ExperimentResult, names: Mapping[str, str]) -> ExperimentResult:
    """Return the result with these names in place of its labels; labels without a name stay."""
    return replace(
        result,
        treatments=tuple(_named(each, names) for each in result.treatments),
        comparisons=tuple(_compared(each, names) for each in result.comparisons),
        suites=tuple(
            replace(each, treatment=names.get(each.treatment, each.treatment), against=_of(each.against, names))
            for each in result.suites
        ),
        crossings=tuple(
            replace(each, ahead=_of(each.ahead, names), behind=_of(each.behind, names)) for each in result.crossings
        ),
    )


def _of(label: str, names: Mapping[str, str]) -> str:
    return names.get(label, label)


def _named(treatment: TreatmentResult, names: Mapping[str, str]) -> TreatmentResult:
    return replace(treatment, label=_of(treatment.label, names))


def _compared(comparison: ComparisonResult, names: Mapping[str, str]) -> ComparisonResult:
    return replace(comparison, baseline=_of(comparison.baseline, names), other=_of(comparison.other, names))


def _name(treatment: Treatment, titles: Mapping[str, str]) -> str:
    title = titles.get(treatment.subject, treatment.subject).partition(",")[0].strip() or treatment.subject
    if treatment.floor:
        return treatment.label
    shown = [(name, level) for name, level in treatment.levels.items() if f"{name}=" in treatment.label]
    what = "cores" if "smt" in treatment.levels else "cpus"
    on = [f"on {_count(what, level)}" for name, level in shown if name == "cpus"]
    others = [_level(name, level) for name, level in shown if name != "cpus"]
    with_ = f"with {listed(others)}" if others else ""
    return " ".join(each for each in (title, *on, with_) if each)


def _level(name: str, level: Scalar) -> str:
    if name == "smt":
        return f"{'all threads' if level == 'on' else 'one thread'} of each core"
    return _count(name, level) if counted(name) != name else f"{name.replace('_', ' ')} {scalar_text(level)}"


def _count(name: str, level: Scalar) -> str:
    return f"{scalar_text(level)} {counted(name) if level == 1 else counted_many(name)}"
