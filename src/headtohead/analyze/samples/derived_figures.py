"""Figures from several sources: the CPU and the bytes for each response, the CPU for each gigabyte."""

from collections.abc import Callable, Mapping

from headtohead.analyze.capacity.objective import scheduled
from headtohead.analyze.runs.has_driver import has_driver
from headtohead.analyze.runs.monitor_columns import COVERED, Columns
from headtohead.analyze.runs.records_and_times_of_case import measured_enough, measured_window
from headtohead.analyze.runs.use_in_window import increase
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric
from headtohead.model.record import BatchRecord, LoadRecord, Recorded

ALL = 0.9
"""CPU is counted by handshakes if at least this share of responses has a handshake of its own."""

GIGABYTE = 1e9
"""Bytes in a gigabyte (SI)."""


class DerivedFigures:
    """The figures of one run that need its records and its readings."""

    def __init__(self, experiment: PlannedExperiment, recorded: Recorded) -> None:
        self.load = experiment.load
        self._phases = recorded.run.phases
        self._readings = recorded.readings
        self._columns: Columns | None = None
        self._driven = has_driver(experiment, recorded.run)
        links = (each.link for each in experiment.treatments if each.label == recorded.run.label)
        self._link = next(links, None)

    def of(self, metric: Metric, record: LoadRecord | BatchRecord) -> float | None:
        """Return the figure for one record's case, None if it is not a derived one or not known."""
        if isinstance(record, BatchRecord):
            of_bytes = _OF_BYTES.get(metric.name)
            return None if of_bytes is None or record.work_in != "bytes" else of_bytes(self, record)
        worked_out = _FIGURES.get(metric.name)
        return None if worked_out is None else worked_out(self, record)

    def subject_cpu_ns(self, record: LoadRecord) -> float | None:
        """Return the CPU that the subject used while the record's case was measured.

        None if it was not read, or if too few requests ended that time.
        """
        return self._rise("subject_cpu_ns", record)

    def package_j(self, record: LoadRecord | BatchRecord) -> float | None:
        """Return the joules that the processor packages used while the case was measured, None if they were not read.

        None too if the time that was watched holds more than the case.
        """
        if isinstance(record, BatchRecord) and not self._watched_alone(record):
            return None
        used = self._rise("package_energy_uj", record)
        return None if used is None else used / 1e6

    def subject_cpu_s_per_gb(self, record: BatchRecord) -> float | None:
        """Return the CPU seconds that the subject used for each gigabyte (10^9 bytes) that was moved."""
        return self._per_gigabyte("subject_cpu_ns", record)

    def driver_cpu_s_per_gb(self, record: BatchRecord) -> float | None:
        """Return the CPU seconds that the driver used for each gigabyte; None if there is none."""
        return self._per_gigabyte("driver_cpu_ns", record) if self._driven else None

    def link_share(self, record: BatchRecord) -> float | None:
        """Return the payload bits per second as a share of the link's rate; None if it has none."""
        if self._link is None or record.elapsed_ns <= 0:
            return None
        return _ratio(8 * record.work / (record.elapsed_ns / 1e9), self._link.rate_bits_per_s)

    def _per_gigabyte(self, column: str, record: BatchRecord) -> float | None:
        """Return CPU seconds by gigabytes; None if the time that was watched is not the case's own.

        A program that does not stamp its cases is watched over its whole phase. If starting and ending it took more
        than a tenth of that, or other cases share it, the cost of its bytes is not known.
        """
        used = self._rise(column, record) if self._watched_alone(record) else None
        return None if used is None else _ratio(used / 1e9, record.work / GIGABYTE)

    def _watched_alone(self, record: BatchRecord) -> bool:
        """Return whether the time that was watched is the case's own, or hardly longer."""
        window = measured_window(record, self._phases)
        stamped = record.from_ns is not None and record.to_ns is not None
        return window is not None and (stamped or record.elapsed_ns >= COVERED * (window.to_ns - window.from_ns))

    def _rise(self, column: str, record: LoadRecord | BatchRecord) -> float | None:
        window = measured_window(record, self._phases)
        if self._readings is None or window is None or not measured_enough(record, self.load):
            return None
        if self._columns is None:
            self._columns = Columns(self._readings)
        return increase(self._columns, column, window=window)

    def cpu_ns_per_answer(self, record: LoadRecord) -> float | None:
        """Return the subject's CPU for each response that was completed in the window, right or wrong."""
        return _ratio(self.subject_cpu_ns(record), _completed(record))

    def cpu_ns_per_handshake(self, record: LoadRecord) -> float | None:
        """Return the subject's CPU for each TLS handshake, including its response; None if few responses have one."""
        handshakes = _in_window(record, "handshakes_per_s")
        completed = _completed(record)
        if handshakes is None or completed is None or handshakes < ALL * completed:
            return None
        return _ratio(self.subject_cpu_ns(record), handshakes)

    def bytes_per_answer(self, record: LoadRecord) -> float | None:
        """Return the bytes received for each response, including its head."""
        return _ratio(_in_window(record, "received_bytes_per_s"), _completed(record))


def error_share(record: LoadRecord) -> float | None:
    """Return errors over the requests intended in the window; None without requests.

    A request that the driver abandoned at the end of an overload (``unfinished``) is not an error of the subject.
    """
    errors = sum(count for kind, count in record.errors.items() if kind != "unfinished")
    return _ratio(float(errors), scheduled(record))


def late_share(record: LoadRecord) -> float | None:
    """Return the share of requests that took longer than the objective's limit; None if they were not counted."""
    return _ratio(record.values.get("late"), scheduled(record))


def queued_share(record: LoadRecord) -> float | None:
    """Return the share of requests that waited for a free connection; None if they were not counted."""
    return _ratio(record.values.get("queued"), scheduled(record))


def buffer_read_share(record: LoadRecord) -> float | None:
    """Return the share of requested pages that were not in the engine's memory; None if it does not count them."""
    reads = record.counters.get("buffer_reads")
    return 0.0 if reads == 0 else _ratio(reads, record.counters.get("buffer_requests"))


def rows_per_s(record: LoadRecord) -> float | None:
    """Return the rows received per second; None if they were not counted."""
    return _ratio(record.values.get("rows"), record.elapsed_ns / 1e9)


def _completed(record: LoadRecord) -> float | None:
    return _in_window(record, "response_rate_per_s")


def _in_window(record: LoadRecord, rate: str) -> float | None:
    per_s = record.values.get(rate)
    return None if per_s is None else per_s * record.elapsed_ns / 1e9


def _ratio(part: float | None, whole: float | None) -> float | None:
    return None if part is None or not whole else part / whole


_FIGURES: Mapping[str, Callable[[DerivedFigures, LoadRecord], float | None]] = {
    "subject_cpu_ns_per_answer": DerivedFigures.cpu_ns_per_answer,
    "subject_cpu_ns_per_handshake": DerivedFigures.cpu_ns_per_handshake,
    "received_bytes_per_answer": DerivedFigures.bytes_per_answer,
    "error_share": lambda _, record: error_share(record),
    "late_share": lambda _, record: late_share(record),
    "buffer_read_share": lambda _, record: buffer_read_share(record),
    "rows_per_s": lambda _, record: rows_per_s(record),
}

_OF_BYTES: Mapping[str, Callable[[DerivedFigures, BatchRecord], float | None]] = {
    "subject_cpu_s_per_gb": DerivedFigures.subject_cpu_s_per_gb,
    "driver_cpu_s_per_gb": DerivedFigures.driver_cpu_s_per_gb,
    "link_share": DerivedFigures.link_share,
}
"""For batch work that is counted in bytes."""
