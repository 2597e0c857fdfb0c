"""`headtohead race`: your own servers or programs, from one line; no file to write."""

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from headtohead.cli.commands.run import Wanted, measure
from headtohead.cli.exit_status import (
    FailIfOption,
    JunitOption,
    MarkdownOption,
    TolerateNoiseOption,
    WaitOption,
    ask_verdicts,
)
from headtohead.cli.folders.add_blocks import MoreOption
from headtohead.cli.folders.facts_and_prices import read_stated_files
from headtohead.cli.race.options import RaceOptions, race_of
from headtohead.cli.race.trial import tried
from headtohead.cli.race.typed_line import options_typed
from headtohead.cli.stopped_by_signals import stopped_by_signals
from headtohead.cli.this_machine import environment_here, measuring_here
from headtohead.cli.wiring import JsonOption, read_question, say
from headtohead.describe.home import find_home
from headtohead.describe.race.content import STUDY, files_of, write_files
from headtohead.hosts.own_folder import own_folder
from headtohead.model.errors import WordsError
from headtohead.store.given_facts import RACE, race_as_typed

Texts = list[str] | None


def command(
    *,
    serve: Annotated[
        Texts, typer.Option(metavar="CMD", help="A server to start for each run; @port@ is its port.")
    ] = None,
    url: Annotated[Texts, typer.Option(metavar="URL", help="A server that already runs; it is not restarted.")] = None,
    pid: Annotated[
        list[int] | None, typer.Option(metavar="N", help="The process of each --url (default: who listens there).")
    ] = None,
    cgroup: Annotated[Texts, typer.Option(metavar="PATH", help="The control group of each --url, instead.")] = None,
    ca: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Certificates to trust for https (default: the system's). With --serve: use TLS."
        ),
    ] = None,
    http: Annotated[
        str, typer.Option(metavar="1.1|2", help="The version of HTTP; 2 over https, or --serve with --ca.")
    ] = "1.1",
    batch: Annotated[Texts, typer.Option(metavar="CMD", help="A program to run again and again.")] = None,
    parameter: Annotated[
        Texts,
        typer.Option(metavar="NAME=V,V", help="Run each command with each of these values in place of @NAME@."),
    ] = None,
    get: Annotated[Texts, typer.Option(metavar="PATH", help="A page to request (repeatable).")] = None,
    post: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Send this file by POST, to the only --get.")
    ] = None,
    status: Annotated[
        int | None,
        typer.Option(min=200, max=599, metavar="N", help="The status of correct responses (default: any below 400)."),
    ] = None,
    header: Annotated[Texts, typer.Option(metavar="'NAME: VALUE'", help="A header of every request.")] = None,
    name: Annotated[Texts, typer.Option(metavar="NAME", help="The name of each, in their order.")] = None,
    connections: Annotated[str, typer.Option(metavar="N[,N]", help="Users that wait for each response.")] = "10",
    rate: Annotated[float | None, typer.Option(metavar="N", help="Requests that arrive each second.")] = None,
    search: Annotated[
        str | None, typer.Option(metavar="p99=20ms", help="Find the highest rate that keeps this response time.")
    ] = None,
    cpus: Annotated[str, typer.Option(metavar="N", help="CPUs of each server or program: a number, or all.")] = "1",
    setup: Annotated[str | None, typer.Option(metavar="CMD", help="Run once before the runs of a program.")] = None,
    prepare: Annotated[str | None, typer.Option(metavar="CMD", help="Run before each run of a program.")] = None,
    cleanup: Annotated[str | None, typer.Option(metavar="CMD", help="Run once after the runs of a program.")] = None,
    expect: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Text that the output of a program contains.")
    ] = None,
    differ: Annotated[
        bool, typer.Option("--differ", help="Allow responses or outputs that differ; only their status is checked.")
    ] = False,
    shell: Annotated[bool, typer.Option("--shell", help="Run the commands by /bin/sh.")] = False,
    measure_s: Annotated[str, typer.Option("--measure", metavar="TIME", help="How long each run is measured.")] = "3s",
    matters: Annotated[str, typer.Option(metavar="N%", help="A smaller difference is called the same.")] = "3%",
    budget: Annotated[
        str | None, typer.Option(metavar="TIME", help="Begin no interim analysis that would end after it: 10m.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the study that this is, with its content next to it.")
    ] = None,
    results: Annotated[Path, typer.Option(help="The folder in which the results folder is made.")] = Path("results"),
    fail_if: FailIfOption = None,
    junit: JunitOption = None,
    markdown: MarkdownOption = None,
    wait: WaitOption = False,
    tolerate_noise: TolerateNoiseOption = False,
    more: MoreOption = None,
    json: JsonOption = False,
) -> None:
    """Compare your own servers or programs from one line.

    Each is started freshly in randomized blocks, its responses are checked, and the report has intervals. Servers that
    already run (--url) are measured by turns, and not restarted.
    """
    options = RaceOptions(
        serve=tuple(serve or ()),
        url=tuple(url or ()),
        pid=tuple(pid or ()),
        cgroup=tuple(cgroup or ()),
        batch=tuple(batch or ()),
        parameter=tuple(parameter or ()),
        get=tuple(get or ()),
        post=post,
        status=status,
        header=tuple(header or ()),
        name=tuple(name or ()),
        connections=connections,
        rate=rate,
        search=search,
        cpus=cpus,
        setup=setup,
        prepare=prepare,
        cleanup=cleanup,
        expect=expect,
        shell=shell,
        ca=ca,
        http=http,
        measure=measure_s,
        matters=matters,
        budget=budget,
    )
    ask_verdicts(fail_if, tolerate_noise=tolerate_noise)
    race = race_of(options, known=find_home().known_subjects())
    if save is not None:
        _ask_free(save)
    with stopped_by_signals(), own_folder() as folder:
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        with measuring_here("a race", since=since, wait=wait):
            race = tried(race, environment_here(), folder / "trial", differ=differ)
        write_files(files_of(race), folder / "race")
        study = folder / "race" / STUDY
        if save is not None:
            _save(files_of(race, at=save.parent.resolve()), save)
        print(study.read_text("utf-8"), file=sys.stderr)
        measure(
            read_question(study),
            Wanted(
                results,
                None,
                None,
                read_stated_files(None, None, home=find_home(), ours=True),
                fail_if,
                junit,
                markdown,
                json,
                wait,
                more,
                tolerate_noise,
                {
                    **files_of(race),
                    RACE: race_as_typed(options_typed(options, differ=differ, results=results, wait=wait)),
                },
            ),
        )


def _ask_free(save: Path) -> None:
    taken = [each for each in (save, save.parent / "workloads" / "race") if each.exists()]
    if taken:
        raise WordsError(
            f"{taken[0]} exists", why="A saved race replaces no file.", remedy="Remove it, or name another folder."
        )


def _save(files: Mapping[str, bytes], save: Path) -> None:
    renamed = {(save.name if name == STUDY else name): content for name, content in files.items()}
    write_files(renamed, save.parent)
    say(f"Saved: {save}. `headtohead run {save}` carries it out again.")
