"""A program in C of many functions, and what it prints: worked out here by the same integers modulo 2^32."""

from dataclasses import dataclass
from random import Random

from writing.draws import draw

MASK = 0xFFFFFFFF
STEPS = 12
TURNS = 20
"""How often the program calls each function."""


@dataclass(frozen=True)
class Step:
    """A statement that changes ``v[to]``, of one of the kinds below; it reads two others and a constant first."""

    kind: int
    to: int
    one: int
    other: int
    constant: int

    def code(self) -> str:
        """Return the statement in C."""
        to, c = f"v[{self.to}]", f"{self.constant}u"
        does = (
            f"{to} += a * b + {c};",
            f"{to} ^= (a >> {self.constant % 31 + 1}) + (b << {self.constant % 29 + 1});",
            f"if ((a & {c}) > (b & {c})) {{ {to} -= a; }} else {{ {to} += {c}; }}",
            f"for (unsigned i = 0; i < (a & 7u); i++) {{ {to} = {to} * 31u + (b ^ i); }}",
            f"switch (a % 5u) {{ case 0: {to} += b; break; case 1: {to} ^= {c}; break; case 3: {to} *= 3u; break; "
            f"default: {to}--; }}",
        )[self.kind]
        return f"{{ unsigned a = v[{self.one}], b = v[{self.other}]; {does} }}"

    def do(self, v: list[int]) -> None:
        """Do what the statement does."""
        a, b, c, to = v[self.one], v[self.other], self.constant, self.to
        if self.kind == 0:
            v[to] += a * b + c
        elif self.kind == 1:
            v[to] ^= ((a >> (c % 31 + 1)) + (b << (c % 29 + 1))) & MASK
        elif self.kind == 2:
            v[to] += -a if (a & c) > (b & c) else c
        elif self.kind == 3:
            for i in range(a & 7):
                v[to] = (v[to] * 31 + (b ^ i)) & MASK
        else:
            v[to] = {0: v[to] + b, 1: v[to] ^ c, 3: v[to] * 3}.get(a % 5, v[to] - 1)
        v[to] &= MASK


def source(rng: Random, *, functions: int) -> tuple[str, str]:
    """Return the program and what it prints."""
    made = [[_step(rng) for _ in range(STEPS)] for _ in range(functions)]
    heads = "".join(f"void f{number}(unsigned *);\n" for number in range(functions))
    bodies = [
        f"void f{number}(unsigned *v)\n{{\n" + "".join(f"    {step.code()}\n" for step in steps) + "}\n"
        for number, steps in enumerate(made)
    ]
    calls = "".join(f"        f{number}(v);\n" for number in range(functions))
    main = (
        "int main(void)\n{\n    unsigned v[8] = {1, 2, 3, 5, 7, 11, 13, 17};\n"
        f"    for (int turn = 0; turn < {TURNS}; turn++) {{\n{calls}    }}\n"
        '    for (int i = 0; i < 8; i++) {\n        printf("%u\\n", v[i]);\n    }\n    return 0;\n}\n'
    )
    v = [1, 2, 3, 5, 7, 11, 13, 17]
    for _ in range(TURNS):
        for steps in made:
            for step in steps:
                step.do(v)
    return f"int printf(const char *, ...);\n{heads}{''.join(bodies)}{main}", "".join(f"{each}\n" for each in v)


def _step(rng: Random) -> Step:
    return Step(draw(rng, 5), draw(rng, 8), draw(rng, 8), draw(rng, 8), 1 + draw(rng, 65535))
