"""Instants, days and durations as text."""

from datetime import UTC, datetime

from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE


def duration(seconds: float) -> str:
    """Return a duration as text.

    >>> duration(8.4), duration(520), duration(4320)
    ('8 s', '8 min 40 s', '1 h 12 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def rough(seconds: float) -> str:
    """Return an estimated duration as text: to 10 s below ten minutes, to a minute above.

    >>> rough(8.4), rough(83), rough(3026)
    ('8 s', '1 min 20 s', '50 min')
    """
    step = 1 if seconds < 60 else 10 if seconds < 600 else 60
    return duration(step * round(seconds / step))


def instant(stamp: str) -> datetime | None:
    """Return an ISO instant of the recording, in UTC unless it has a zone; None for any other text.

    >>> instant("2026-11-20T10:02:11Z"), instant("yesterday")
    (datetime.datetime(2026, 11, 20, 10, 2, 11, tzinfo=datetime.timezone.utc), None)
    """
    try:
        found = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def date(stamp: str | None) -> str:
    """Return an ISO instant of the recording as a date and time; any other text is returned unchanged.

    >>> date("2026-11-20T10:02:11.250Z")
    '20 November 2026, 10:02 UTC'
    """
    if stamp is None:
        return NOT_VISIBLE
    try:
        instant = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    zone = "UTC" if instant.utcoffset() is not None and not instant.utcoffset() else instant.strftime("%z")
    return f"{instant.day} {instant:%B %Y, %H:%M} {zone}".rstrip()


def day(text: str) -> str:
    """Return an ISO day as text; any other text is returned unchanged.

    >>> day("2026-11-01")
    '1 November 2026'
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{found.day} {found:%B %Y}"
