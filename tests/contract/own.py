"""A subject and a workload of one's own, of an interface that no other content has."""

import re
from pathlib import Path

from headtohead.describe.race.content import write_files
from headtohead.describe.skeletons import skeleton

EXPECT = "status = 200"


def write_own_interface(folder: Path, name: str, *, data: bool = True, expect: str = EXPECT) -> str:
    """Write the subject and the workload that `headtohead new` writes, of an interface of their own; return it.

    Without ``data``, the subject is a service: it serves no files.
    """
    interface = f"http/{name}-v1"
    for path, content in {**skeleton("subject", name), **skeleton("workload", name)}.items():
        text = content.decode().replace("http/static-v1", interface).replace(EXPECT, expect)
        if not data:
            text = re.sub(r"(?m)^data .*$", "", text).replace(', body = "article.html", sample = 0.1', "")
            text = text.replace('"@data@"', '"@source@"')
        write_files({path: text.encode()}, folder)
    return interface
