"""What each word of study.toml, workload.toml and subject.toml means, and what holds where it is left out."""

from collections.abc import Mapping
from typing import Final

from headtohead.describe.study.experiment import LOOKS, MATTERS
from headtohead.describe.workload import loads
from headtohead.describe.workload.objective import ERROR_SHARE
from headtohead.model.study.subject import Stop
from headtohead.model.study.workload import Drawn, Load, Request

SHARED: Final = {("workload", "load")}
"""Tables of common.json that are shown in full, each where it belongs."""

RULES: Final = (
    "Every word that the three kinds of files know, with its type, what holds where it is left out, and what it means.",
    "Made from the schemas (`make docs`); a word that is not here is refused, with the line and the nearest known one.",
    "",
    "Times end in `_s` (seconds) or `_ns`, memory in `_mib`. A *name* has small letters, digits and hyphens. A program",
    "is a list of texts, its name and its arguments: there is no shell. `format = 1` begins each file.",
)

FILES: Final[Mapping[str, str]] = {
    "study": "The question, and nothing about machines: the same file runs everywhere. One `[[experiment]]` for each"
    " question.",
    "workload": "What is asked, and what the right answers are: `workloads/<name>/workload.toml`.",
    "subject": "What is measured: `subjects/<name>/subject.toml`. One that serves `batch/` has `[batch]`, any other"
    " `[start]`, and where it serves `net/` `[driver]` beside it; an engine that works in the program that asks it has"
    " `[client]` in its place.",
}

MEANINGS: Final[Mapping[str, str]] = {
    "study.format": "the version of the words",
    "study.title": "the article's title",
    "study.seed": "fixes every random order",
    "study.within_min": "no look is begun that would not be done after so many minutes",
    "study.experiment": "the questions",
    "study.experiment.name": "its name in tables and files; each once",
    "study.experiment.question": "the question that the verdict answers",
    "study.experiment.workload": "what is asked",
    "study.experiment.primary": "the summary that decides, or a metric: then its geometric mean over all cases",
    "study.experiment.compare": "the factor whose levels are set against each other",
    "study.experiment.matters": "the margin: a smaller ratio does not matter, and is called the same",
    "study.experiment.looks": "after how many blocks a verdict may be given; increasing",
    "study.experiment.within_min": "the same for this experiment alone",
    "study.experiment.optional": "left out, and said so, where this machine cannot carry it out",
    "study.experiment.share_driver": "the driver may use the subject's CPUs; the report then says so",
    "study.experiment.factors": "what is varied, and what is set",
    "study.experiment.load": "words of the workload's `[load]`, in its place; with another loop only its times stay",
    "study.experiment.factors.subject": "the subjects: names, or tables `{ name, label, <factor> = <level> }`",
    "study.experiment.factors.<name>": "levels of a factor of the host, a subject or the workload; the first is the"
    " baseline, one alone is a setting; a level may be `{ value, label }`",
    "workload.format": "the version of the words",
    "workload.version": "raised when old and new numbers no longer compare",
    "workload.name": "the folder's name",
    "workload.title": "a line for people",
    "workload.asks": "the http, sql, net or batch interface that it asks",
    "workload.data": "the data set",
    "workload.factors": "factors of the workload",
    "workload.disk_mib": "what a case may take on the disk of `@run@` at most, in MiB: numbers and fields of the load,"
    " multiplied. So much is asked for before anything starts, and every run tells what its directory lies on",
    "workload.load": "how it is asked",
    "workload.request": "the requests of an http interface",
    "workload.query": "the queries of an sql interface",
    "workload.expect": "the right answers of batch work, and of what a net interface is asked",
    "workload.summary": "what the cases of a run come to; the first is the primary where a study names none",
    "workload.data.set": "the folder in `datasets/`",
    "workload.data.scale": "how much of it: what 1 means, the interface's page says",
    "workload.data.seed": "the same seed gives the same bytes on every machine",
    "workload.data.state": "`kept`: all runs start on one working copy; `fresh`: each on its own",
    "workload.factors.<name>.levels": "all levels: a list, or `{ from, to }`",
    "workload.factors.<name>.default": "the level where a study names none",
    "workload.factors.<name>.timeout_s": "`{ <level> = seconds }`: stands in the load's place at that level",
    "workload.factors.<name>.state": "`fresh`: at every level but the default each run starts on a copy of its own",
    "workload.load.loop": "who decides when a request is sent: users (closed), a schedule (open), or both (sessions)",
    "workload.load.rate_per_s": "requests, or sessions, that arrive each second; a list makes cases (a ladder);"
    ' `"search"` finds the capacity',
    "workload.load.objective": "what a load must keep to count as carried; with a search only, and then needed",
    "workload.load.arrivals": "each by chance and independent of the others, or evenly spaced",
    "workload.load.calls": "requests of one session; of a user before a new connection is opened",
    "workload.load.think_s": "how long a user pauses between an answer and the next request",
    "workload.load.requests": "a case ends after so many requests, not after `measure_s`; below 50 no rate is told",
    "workload.load.connections": "users (closed; a list makes cases); the most connections at once (open, sessions)",
    "workload.load.query": "the query that is asked alone, in place of the mix; a list makes cases",
    "workload.load.in_memory": "a run is invalid where more than 1 % of what a case asked for was not in memory",
    "workload.load.warm_up_s": "how long each case runs before anything counts; the subject's own if that is longer",
    "workload.load.measure_s": "how long each case is measured; with a search the shortest trial",
    "workload.load.timeout_s": "how long a request may take, from its intended instant",
    "workload.load.seconds": "how long a case of batch work is worked on",
    "workload.load.<name>": "a setting of batch work, or a list that makes cases; `@<name>@` in the subject's argv",
    "workload.load.objective.response_time_p50_ns": "half of the requests take no longer",
    "workload.load.objective.response_time_p90_ns": "90 of 100 requests take no longer",
    "workload.load.objective.response_time_p99_ns": "99 of 100 requests take no longer",
    "workload.load.objective.response_time_p999_ns": "999 of 1000 requests take no longer",
    "workload.load.objective.error_share": "errors, as a share of the requests scheduled, are no more",
    "workload.request.name": "its name in files",
    "workload.request.weight": "how often it is asked, beside the others",
    "workload.request.path": "the page; either this or `urls`",
    "workload.request.urls": "a CSV of the data set, `path,length_bytes,sha256`: many pages and their right answers",
    "workload.request.skew": "which of them is asked: all alike, the first lines most, or in the file's order",
    "workload.request.exponent": "of Zipf's law: line k is asked 1 / k^exponent times as often as the first",
    "workload.request.expect": "the right answer",
    "workload.request.expect.status": "its status",
    "workload.request.expect.length_bytes": "its length, checked in every answer; not with `urls`",
    "workload.request.expect.body": "the file of the data set that it equals; not with `urls`",
    "workload.request.expect.sample": "the share of answers whose content is compared",
    "workload.query.name": "its name in files, and in the load's `query`",
    "workload.query.weight": "how often it is asked, beside the others that read, or beside the others that write",
    "workload.query.writes": "it changes rows; how often that is done the factor `write_share` says",
    "workload.query.sql": "one statement, prepared once a connection; `?` stands for a parameter",
    "workload.query.sql_mysql": "in place of `sql` where the protocol is `mysql`",
    "workload.query.sql_postgresql": "in place of `sql` where the protocol is `postgresql`",
    "workload.query.sql_sqlite": "in place of `sql` where the protocol is `sqlite`",
    "workload.query.sql_duckdb": "in place of `sql` where the protocol is `duckdb`",
    "workload.query.parameters": "what each `?` stands for, in their order",
    "workload.query.expect": "the right answer",
    "workload.query.parameters.of": "`table.column`: `thread.id` is column `id` of the data set's `answers/thread.csv`."
    " All of one table are from one row, drawn anew for each request; either this or `counts_from`",
    "workload.query.parameters.skew": "which row is drawn: all alike, the first ones most, or in the file's order;"
    " of the first parameter of a table alone",
    "workload.query.parameters.exponent": "of Zipf's law: row k is drawn 1 / k^exponent times as often as the first",
    "workload.query.parameters.counts_from": "another number in each request of a run, from this one on: for keys of"
    " rows that are written",
    "workload.query.expect.rows": "how many rows every answer has, a number or `table.column`; of a query that writes"
    " how many it changes",
    "workload.query.expect.checksum": "`table.column`: the SHA-256 of the rows, fields parted by a tab, each row ended"
    " by a line's end, NULL as `\\N`",
    "workload.query.expect.sample": "the share of answers whose checksum is compared",
    "workload.expect.answer": "what every record must say; either this or `file`",
    "workload.expect.file": "a file of the workload's folder with an answer for each case",
    "workload.expect.tolerance": "relative, for answers that are numbers",
    "workload.summary.<name>.of": "the metric",
    "workload.summary.<name>.by": "how cases become one number; `where-max` is the number that varies from case to"
    " case, there where the metric is highest: shown, never judged",
    "workload.summary.<name>.<name>": 'of cases with these values of a field only, as in `operation = ["sign"]`',
    "subject.format": "the version of the words",
    "subject.name": "the folder's name",
    "subject.title": "a line for people",
    "subject.serves": "the interfaces that it serves",
    "subject.floor": "shows the harness's own limit: drawn, and compared with other floors only",
    "subject.warm_up_s": "the least warm-up that it needs in each case",
    "subject.needs": "`{ <factor> = <interface> }`: a level of that factor that is a subject's name is started first",
    "subject.install": "what must be installed",
    "subject.build": "how it is compiled on the host under test",
    "subject.factors": "its own factors",
    "subject.prepare": "how a data set becomes what it reads, once",
    "subject.start": "how it is started",
    "subject.client": "the program that is driver and subject in one, for an engine that is no server",
    "subject.reach": "how others reach it: `url`; over TLS `tls_url` and `ca`; sql: `protocol`, and for servers `user`,"
    " `database` and `socket` or `host` and `port`, see their page",
    "subject.stop": "how it is asked to end",
    "subject.batch": "the program of a subject that is no server",
    "subject.driver": "the client program of a server that is asked over a net interface: it runs on the driver's CPUs,"
    " once the server is ready",
    "subject.install.debian": "the packages that `headtohead setup` installs",
    "subject.install.version": "prints the version in its first line; `@<factor>@` is the level in force",
    "subject.build.argv": "compiles `@source@` into `@build@`; kept until the folder, the version or a factor that"
    " it names changes",
    "subject.factors.<name>.levels": "all levels: a list, or `{ from, to }`",
    "subject.factors.<name>.default": "the level where a study names none",
    "subject.factors.<name>.prepares": "each level has a prepared copy of its own",
    "subject.factors.<name>.packages": "`{ <level> = [...] }`: packages that a level needs beside those of `[install]`",
    "subject.prepare.init": "runs before the start: a list, or `{ argv, input }`",
    "subject.prepare.load": "runs while it serves, or on `@data@` alone where it has `[client]`: a list, or"
    " `{ argv, input }`",
    "subject.prepare.check": "whether it holds the data set",
    "subject.prepare.check.argv": "prints what it holds",
    "subject.prepare.check.input": "a file of the subject's folder, its standard input",
    "subject.prepare.check.expect": "the file of the data set that the output equals, byte for byte",
    "subject.start.files": "`{ <file of the folder> = <name in @run@> }`; those named `*.in` are filled in",
    "subject.start.argv": "the program, in the foreground",
    "subject.start.ready": "how it is known to be ready",
    "subject.start.ready.http": "a page on 127.0.0.1, or of `@url@`, that answers 200; either this or `argv`",
    "subject.start.ready.argv": "a program that ends with 0",
    "subject.start.warm": "runs once after it is ready, before the load: a list, or `{ argv, input }`",
    "subject.start.within_s": "how long it may take to be ready",
    "subject.start.configuration": "runs once when it is ready: prints `name<TAB>value<TAB>default`, a line for each"
    " setting in force; the default may be empty",
    "subject.start.counters": "runs before each case and after it: prints `name<TAB>number`, a line for each counter",
    "subject.client.argv": "the program, in the foreground; it is given the words of `h2h-load sql` behind these, and"
    " prints the same records",
    "subject.client.configuration": "runs once before the first case: prints `name<TAB>value<TAB>default`",
    "subject.client.counters": "runs before each case and after it: prints `name<TAB>number`",
    "subject.stop.signal": "the signal",
    "subject.stop.within_s": "how long it may take before it is killed",
    "subject.batch.argv": "started once for each combination of the case fields that it names",
    "subject.batch.refuses": "lines of standard error with one of these texts say, where it fails, that it does not do"
    " the cases of this start: they are kept as refused, with the line as the reason, and the run counts",
    "subject.driver.argv": "as of `[batch]`; it prints batch records, or `parse` makes them",
    "subject.driver.refuses": "as of `[batch]`",
    "subject.driver.parse": "as of `[batch]`",
    "subject.driver.keeps": "as of `[batch]`",
    "subject.driver.takes_s": "as of `[batch]`",
    "subject.batch.parse": "makes batch records of what it printed; without it the program prints them itself",
    "subject.batch.takes_s": "about how long one start takes beside the `seconds` of its cases, on a machine of today:"
    " what `check` reckons with",
    "subject.batch.keeps": "patterns of names: PNG files of `@run@` that one valid run of each treatment keeps, and"
    " every run that does not count; at most 8, of 4 MiB each. The report shows them",
}

DEFAULTS: Final[Mapping[str, str]] = {
    "study.experiment.primary": "the workload's first summary; `capacity_per_s` for a search",
    "study.experiment.compare": "the only factor that varies",
    "study.experiment.matters": f"{MATTERS:g}",
    "study.experiment.looks": f"`{list(LOOKS)}`",
    "study.experiment.optional": "false",
    "study.experiment.share_driver": "false",
    "study.experiment.load": "the workload's",
    "workload.load.loop": "closed",
    "workload.load.rate_per_s": "required (open, sessions)",
    "workload.load.arrivals": "poisson",
    "workload.load.calls": "required (sessions); no limit (closed)",
    "workload.load.think_s": "0",
    "workload.load.connections": f"required (closed); {loads._CONNECTIONS_AT_MOST}",
    "workload.load.warm_up_s": "0",
    "workload.load.measure_s": f"required; {loads._TRIAL_S:g} with a search",
    "workload.load.timeout_s": f"{Load.timeout_s:g}",
    "workload.load.objective.error_share": f"{ERROR_SHARE:g}",
    "workload.load.in_memory": "false",
    "workload.query.writes": "false",
    "workload.query.parameters.skew": str(Drawn.skew),
    "workload.query.parameters.exponent": f"{Drawn.exponent:g}",
    "workload.query.expect.sample": "1 with `checksum`",
    "workload.request.skew": Request.skew,
    "workload.request.exponent": f"{Request.exponent:g}",
    "workload.request.expect.sample": "1 with `body` or `urls`, else 0",
    "workload.expect.tolerance": "0",
    "subject.floor": "false",
    "subject.warm_up_s": "0",
    "subject.factors.<name>.prepares": "false",
    "subject.driver.takes_s": "as of `[batch]`",
    "subject.batch.takes_s": "0 where the load says `seconds`, else 1 for each case",
    "subject.stop.signal": Stop.signal,
    "subject.stop.within_s": f"{Stop.within_s:g}",
}

HOST_FACTORS: Final[Mapping[str, str]] = {
    "cpus": "on how many CPUs the subject, and what it needs, may run: from 1; `all` that the driver leaves; `half`;"
    " `doubling`",
    "placement": "where these CPUs sit: `siblings`, `same-cache`, `same-package`, `spread`"
    " ([definitions](placement.md))",
    "cpu_quota": "the CPU time that the kernel lets it have (cgroups, so root only): from 0.01; 0.85 is 85 % of a CPU",
    "memory_mib": "the memory that the kernel lets it have, cached files included (cgroups, so root only): from 1",
    "numa": "from which nodes its memory is taken: `local`, `interleave`, `remote` ([definitions](placement.md))",
    "link": "of net interfaces alone: what the link between server and client program carries each way (root only):"
    " `unshaped`, which holds where no study names it, or a rate, `100mbit`, `1gbit` (up to 100gbit)",
}

WORDS_MEAN: Final[Mapping[str, str]] = {
    "all": "as many as there are CPUs; `default` in subject.toml may be this",
    "half": "half as many, at least 1",
    "doubling": "1, 2, 4 and so on, and all: several levels, or several cases",
    "twice": "more than there are CPUs, so that they take turns; not of `cpus`",
}

DRIVER_FACTORS: Final[Mapping[str, str]] = {
    "connection": "one connection for many requests, or one for each, closed by the server",
    "gzip": "whether compressed answers are asked for, and checked after inflating",
    "handshake": "over TLS: one for many requests; for each a resumed one; for each a full one",
    "write_share": "the share of all requests that write; at 0, the default, none does",
}

PLACES_MEAN: Final[Mapping[str, str]] = {
    "address": "where the server is, of the link that a net interface is asked over",
    "driver_address": "where its client program is, at the other end of the link",
    "build": "the folder that [build] compiled into",
    "cases": "a file with one case a line, in the order to be walked (batch, driver)",
    "cpus": "on how many CPUs it may run",
    "data": "its data: its prepared copy, or the data set itself where it has no [prepare]",
    "dataset": "the workload's data set",
    "interface": "the interface that it is asked by; in file names with `-` for `/`",
    "port": "a free TCP port",
    "run": "the run's directory, which goes with the run; a needed subject has its own below it",
    "source": "a copy of the subject's folder (what builds, prepares, starts or asks it)",
    "stderr": "what the program wrote to standard error (batch.parse, driver.parse)",
    "stdout": "what the program printed (batch.parse, driver.parse)",
    "workload": "the workload's folder (batch.parse, driver.parse)",
    "url": "the one of `url` and `tls_url` that the interface is asked by (start.ready)",
}
