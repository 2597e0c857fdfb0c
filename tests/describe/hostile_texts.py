"""TOML texts that were written to take a reader's time, each as long as a file may be."""

from collections.abc import Mapping

from headtohead.store.untrusted.bounds import MOST_TOML_BYTES

LONG = MOST_TOML_BYTES - 400
"""What begins and ends a text below fits into the rest."""


def times(piece: str) -> str:
    """Return the piece as often as fits."""
    return piece * (LONG // len(piece))


def numbered(piece: str) -> str:
    """Return the piece with a number in place of each ``@``, as often as fits."""
    count = LONG // (len(piece) + 5 * piece.count("@"))
    return "".join(piece.replace("@", str(number)) for number in range(count))


def nested(opens: str, inner: str, closes: str) -> str:
    """Return brackets within brackets, as deep as fits."""
    depth = LONG // len(opens + closes)
    return opens * depth + inner + closes * depth


FIRST = 'format = 1\ntitle = "a"\nseed = 1\n[[experiment]]\nname = "a"\n'
GIVEN = '[[given]]\nworkload = "a"\ntest = "a"\nsystem = "b"\nvalue = 1\nunit = "a"\nwho = "b"\nwhen = "2008"\n'
MIXED = '1,"a",{a=1},[],'

KEYS: Mapping[str, str] = {
    "a key of 50,000 parts": times("a.") + "a = 1\n",
    "a key of 40 KB": "a." * 20_000 + "a = 1\n",
    "quoted parts": times('"a".') + "a = 1\n",
    "literal parts": times("'a'.") + "a = 1\n",
    "parts apart": times("a . ") + "a = 1\n",
    "parts with tabs": times("a\t.\t") + "a = 1\n",
    "a header of many parts": f"[{times('a.')}a]\n",
    "a header of tables of many parts": f"[[{times('a.')}a]]\n",
    "a key of many parts in a table": f"x = {{ {times('a.')}a = 1 }}\n",
    "a key of many parts in a list": f"x = [{{ {times('a.')}a = 1 }}]\n",
    "a key of many parts after a text of quotes": f'x = """"a""""\n{times("a.")}a = 1\n',
    "a key of many parts after a comment": f"# '''\n{times('a.')}a = 1\n",
    "keys of 15 parts": numbered(f"k@.{'a.' * 13}a = 1\n"),
    "headers of 15 parts": numbered(f"[k@.{'a.' * 13}a]\n"),
    "headers of 16 parts twice": times(f"[{'a.' * 15}a]\n"),
    "tables of 16 parts": times(f"[[{'a.' * 15}a]]\n"),
    "keys of one table": numbered("k@=1\n"),
    "keys of one line": f"x = {{ {numbered('k@=1,')}z = 1 }}\n",
    "keys under one": numbered("a.k@=1\n"),
    "tables under one": numbered("[a.k@]\n"),
    "one long key": f"{times('a')} = 1\n",
    "one long quoted key": f'"{"é" * (LONG // 2)}" = 1\n',
    "one key again": times("a = 1\n"),
    "lists of tables in lists": times("[[a]]\n[[a.b]]\n[[a.b.c]]\n"),
    "tables of a list": "[[a]]\n" + times("[[a.b]]\n"),
    "empty keys": times('""."".""=1\n'),
    "factors": f"{FIRST}[experiment.factors]\n{numbered('k@=[1]' + chr(10))}",
    "settings": f"{FIRST}[experiment.load]\n{numbered('k@=1' + chr(10))}",
}
VALUES: Mapping[str, str] = {
    "lists in lists": f"x = {nested('[', '', ']')}\n",
    "tables in tables": f"x = {nested('{a=', '1', '}')}\n",
    "lists and tables in turn": f"x = {nested('[{a=', '1', '}]')}\n",
    "lists 90 deep": numbered(f"x@ = {'[' * 90}{']' * 90}\n"),
    "lists that do not end": f"x = {times('[')}\n",
    "tables that do not end": f"x = {times('{a=')}\n",
    "a list of numbers": f"x = [{times('1,')}]\n",
    "a list of all kinds": f"x = [{times(MIXED)}]\n",
    "a list of days": f"x = [{times('1979-05-27,')}]\n",
    "a list of lists": f"x = [{times('[],')}]\n",
    "a list of texts": f"x = [{times(chr(34) * 2 + ',')}]\n",
    "connections": f"{FIRST}load = {{ connections = [{numbered('@,')}] }}\n",
    "connections of all kinds": f"{FIRST}load = {{ connections = [{times(MIXED)}] }}\n",
    "levels of all kinds": f"{FIRST}factors = {{ subject = [{times(MIXED)}] }}\n",
    "a hexadecimal number": f"format = 0x{times('f')}\n",
    "a binary number": f"format = 0b{times('1')}\n",
    "a decimal number": f"format = {times('9')}\n",
    "numbers of 4000 digits": numbered(f"x@ = {'9' * 4000}\n"),
    "a fraction": f"format = 1.{times('9')}\n",
    "an exponent": f"format = 1e{times('9')}\n",
    "underscores": f"format = {times('1_')}1\n",
    "dates": numbered("k@=1979-05-27T07:32:00Z\n"),
    "infinities": f"x = [{times('inf,')}]\n",
}
TEXTS: Mapping[str, str] = {
    "quotes": times('"'),
    "quotes that are escaped": times('\\"'),
    "literal quotes": times("'"),
    "three quotes": times("'''"),
    "four quotes": times('""""'),
    "a text of escaped quotes": 'x = "' + times('\\"') + '"\n',
    "a text of escaped letters": 'x = "' + times("\\u0041") + '"\n',
    "a text of wrong escapes": 'x = "' + times("\\u00") + '"\n',
    "a text without an end": 'x = "' + times("a"),
    "a long text of line ends": 'x = """' + times("\\\n   ") + '"""\n',
    "a long text of quotes": 'x = """' + times('a""') + '"""\n',
    "a long text without an end": 'x = """' + times('""a'),
    "a long literal of quotes": "x = '''" + times("a''") + "'''\n",
    "a title": 'format = 1\ntitle = "' + times("a") + '"\n',
    "a question": f'{FIRST}question = "{times("a")}"\n',
    "a name": f'format = 1\ntitle = "a"\nseed = 1\n[[experiment]]\nname = "{times("a-")}"\n',
    "a name like ours": f'{FIRST}workload = "{times("static-page")}"\n',
    "comments": times("#\n"),
    "comments of quotes": times("#'''\"\"\"\n"),
    "empty lines": times("\n"),
    "line ends of another system": times("\r\n"),
    "blanks": times(" "),
    "tabs": times("\t"),
    "marks of byte order": "\ufeff" * (LONG // 3),
    "zeros": times("\0"),
    "escapes of terminals": f'x = "{times(chr(0x1B) + "[2J")}"\n',
    "equals": times("="),
    "brackets": times("[["),
    "dots": times("."),
}
ENTRIES: Mapping[str, str] = {
    "experiments without a key": "format = 1\n" + times("[[experiment]]\n"),
    "experiments of one name": "format = 1\n" + times('[[experiment]]\nname = "a"\n'),
    "experiments of many names": "format = 1\n" + numbered('[[experiment]]\nname = "a@"\n'),
    "results without a key": "format = 1\n" + times("[[given]]\n"),
    "results with one key": "format = 1\n" + times('[[given]]\nworkload = "a"\n'),
    "results": "format = 1\n" + times(GIVEN),
    "200 results": "format = 1\n" + GIVEN * 200,
    "results of all kinds": f"format = 1\ngiven = [{times(MIXED)}]\n",
}
ALL: Mapping[str, str] = {**KEYS, **VALUES, **TEXTS, **ENTRIES}
