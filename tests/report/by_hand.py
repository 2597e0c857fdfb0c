"""Small values made by hand, for tests of single sections: an estimate, a card."""

import math
from collections.abc import Sequence
from statistics import mean, stdev

from scipy.stats import t as student

from headtohead.model.analysis.card import Card, MeanPeak
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.plan import PlannedExperiment, Treatment
from tests.report.runs import SPREAD


def estimate(values: Sequence[float], *, alpha: float) -> Estimate:
    logs = [math.log(value) for value in values]
    center = mean(logs)
    half = float(student.ppf(1 - alpha / 2, len(logs) - 1)) * stdev(logs) / math.sqrt(len(logs))
    return Estimate(math.exp(center), Interval(math.exp(center - half), math.exp(center + half), 1 - alpha), len(logs))


def card_of(experiment: PlannedExperiment, treatment: Treatment) -> Card:
    driven = experiment.load.loop == "closed"
    hidden = MeanPeak(None, None)
    return Card(
        versions={treatment.subject: f"{treatment.subject} 1.0 (Debian)"},
        cpus=treatment.cpus,
        driver_cpus=treatment.driver_cpus,
        loop="closed, 10 and 100 connections" if driven else "batch",
        threads=257.0 if "apache" in treatment.label else 1.0,
        processes=4.0 if "apache" in treatment.label else 2.0,
        subject_memory_peak_bytes=48_234_496.0,
        typical_error=2.2 * SPREAD.get(experiment.name, 0.015),
        subject_cpus_busy=0.994 * len(treatment.cpus),
        driver_cpus_busy=0.785 if driven else None,
        driver_memory_peak_bytes=6_291_456.0 if driven else None,
        harness_cpus_busy=0.011,
        foreign_cpus_busy=0.008,
        interrupt_cpus_busy=0.021,
        kernel_cpus_busy=0.004,
        disk_read_bytes_per_s=MeanPeak(0.0, 0.0),
        disk_written_bytes_per_s=MeanPeak(20_480.0, 1_130_000.0),
        network_sent_bytes_per_s=MeanPeak(312.0, 5_400.0, 0.000043) if driven else hidden,
        network_received_bytes_per_s=hidden,
        clock_hz=None,
    )
