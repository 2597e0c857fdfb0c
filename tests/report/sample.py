"""A study of four experiments, its runs from a seed, and what ``analyze`` makes of them."""

from headtohead.analyze.study import analyze
from headtohead.model.record import Recording
from tests.report.facts import FACTS
from tests.report.plans import PLAN
from tests.report.runs import runs

RECORDING = Recording("2026-11-20-first", PLAN, (FACTS,), runs())

ANALYSIS = analyze(RECORDING)
