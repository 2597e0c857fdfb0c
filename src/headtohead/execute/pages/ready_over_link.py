"""The load generator's command line to request one page from the driver's end of a link, and what its record shows."""

from headtohead.execute.pages.ready_from_here import READY_WITHIN_S
from headtohead.execute.pages.request_page import Site
from headtohead.store.convert import parsed


def page_argv(site: Site, url: str, within_s: float = READY_WITHIN_S) -> tuple[str, ...]:
    """Return the command line that requests one page of a site once and prints a load record."""
    timeout = f"{round(1000 * within_s)}ms"
    counted = ("--connections", "1", "--warm-up", "0s", "--requests", "1", "--timeout", timeout)
    version = ("--http", "2") if site.http2 else ()
    return ("h2h-load", "http", *counted, *version, *reached(site), "--json", "-", url)


def reached(site: Site) -> tuple[str, ...]:
    """Return the load generator's options to reach a site: the certificate to trust, and the address to connect to."""
    ca = () if site.ca is None else ("--ca", str(site.ca))
    return ca if site.connect is None else (*ca, "--connect", site.connect)


def page_state(record: str, *, any_status: bool = False) -> str:
    """Return "ready" if the record has a correct response, else what happened instead.

    With ``any_status`` a whole response with another status than 200 is correct too.

    >>> page_state('{"right": 0, "errors": {"wrong-status": 1, "timeout": 0}}')
    'the page gave wrong-status'
    >>> page_state('{"right": 0, "errors": {"wrong-status": 1}}', any_status=True)
    'ready'
    """
    try:
        document = parsed(record)
        if document["right"] == 1:
            return "ready"
        kinds = [kind for kind, number in document["errors"].items() if number]
    except (ValueError, KeyError, TypeError, AttributeError):
        return "the load generator printed no record"
    if any_status and kinds == ["wrong-status"]:
        return "ready"
    return f"the page gave {' and '.join(kinds) or 'no response'}"
