"""A script of SQL that makes three tables and asks about them, and what it prints."""

from collections import defaultdict
from dataclasses import dataclass
from random import Random

from writing.draws import draw, names

CUSTOMERS, PRODUCTS, KINDS, REGIONS, DAYS = 1500, 300, 12, 8, 365
ROWS_AT_ONCE = 200
MOST = 25
TABLES = """\
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, region INTEGER);
CREATE TABLE product (id INTEGER PRIMARY KEY, kind INTEGER, cents INTEGER);
CREATE TABLE sale (id INTEGER PRIMARY KEY, customer INTEGER, product INTEGER, day INTEGER, pieces INTEGER);
"""
QUESTIONS = f"""\
CREATE INDEX sale_customer ON sale (customer, day);
CREATE INDEX sale_product ON sale (product);
SELECT c.region, p.kind, COUNT(*), SUM(s.pieces * p.cents) FROM sale s JOIN customer c ON c.id = s.customer
  JOIN product p ON p.id = s.product GROUP BY c.region, p.kind ORDER BY c.region, p.kind;
SELECT c.name, SUM(s.pieces * p.cents) AS cents FROM sale s JOIN customer c ON c.id = s.customer
  JOIN product p ON p.id = s.product GROUP BY c.id ORDER BY cents DESC, c.name LIMIT {MOST};
SELECT day / 7, COUNT(DISTINCT customer), MAX(pieces) FROM sale GROUP BY day / 7 ORDER BY day / 7;
SELECT COUNT(*) FROM sale a WHERE EXISTS
  (SELECT 1 FROM sale b WHERE b.customer = a.customer AND b.day = a.day + 1 AND b.pieces > a.pieces);
"""


@dataclass(frozen=True)
class Sale:
    """So many pieces of a product, sold to a customer on a day."""

    customer: int
    product: int
    day: int
    pieces: int


@dataclass(frozen=True)
class Shop:
    """Customers (name and region) and products (kind and price) by their numbers, and all that was sold."""

    customers: list[tuple[str, int]]
    products: list[tuple[int, int]]
    sales: list[Sale]

    def script(self) -> str:
        """Return the script: all in one transaction, then indices and questions."""
        rows = {
            "customer": [f"({number},'{name}',{region})" for number, (name, region) in enumerate(self.customers)],
            "product": [f"({number},{kind},{cents})" for number, (kind, cents) in enumerate(self.products)],
            "sale": [f"({i},{s.customer},{s.product},{s.day},{s.pieces})" for i, s in enumerate(self.sales)],
        }
        return f"BEGIN;\n{TABLES}{''.join(map(_inserts, rows, rows.values()))}COMMIT;\n{QUESTIONS}"

    def answers(self) -> str:
        """Return what the questions come to, a line a row, with ``|`` between columns."""
        return self._by_region() + self._best() + self._by_week() + f"{self._more_next_day()}\n"

    def _cents(self, sale: Sale) -> int:
        return sale.pieces * self.products[sale.product][1]

    def _by_region(self) -> str:
        found: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        for sale in self.sales:
            of = found[self.customers[sale.customer][1], self.products[sale.product][0]]
            of[0] += 1
            of[1] += self._cents(sale)
        return "".join(f"{region}|{kind}|{n}|{cents}\n" for (region, kind), (n, cents) in sorted(found.items()))

    def _best(self) -> str:
        found: dict[str, int] = defaultdict(int)
        for sale in self.sales:
            found[self.customers[sale.customer][0]] += self._cents(sale)
        ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))[:MOST]
        return "".join(f"{name}|{cents}\n" for name, cents in ordered)

    def _by_week(self) -> str:
        found: dict[int, list[Sale]] = defaultdict(list)
        for sale in self.sales:
            found[sale.day // 7].append(sale)
        return "".join(
            f"{week}|{len({each.customer for each in own})}|{max(each.pieces for each in own)}\n"
            for week, own in sorted(found.items())
        )

    def _more_next_day(self) -> int:
        most: dict[tuple[int, int], int] = defaultdict(int)
        for sale in self.sales:
            most[sale.customer, sale.day] = max(most[sale.customer, sale.day], sale.pieces)
        return sum(most.get((each.customer, each.day + 1), 0) > each.pieces for each in self.sales)


def shop(rng: Random, *, sales: int) -> Shop:
    """Return a shop with so many sales."""
    customers = [(name, draw(rng, REGIONS)) for name in names(rng, CUSTOMERS)]
    products = [(draw(rng, KINDS), 50 + draw(rng, 20000)) for _ in range(PRODUCTS)]
    sold = (Sale(draw(rng, CUSTOMERS), draw(rng, PRODUCTS), draw(rng, DAYS), 1 + draw(rng, 20)) for _ in range(sales))
    return Shop(customers, products, list(sold))


def _inserts(table: str, rows: list[str]) -> str:
    groups = (rows[at : at + ROWS_AT_ONCE] for at in range(0, len(rows), ROWS_AT_ONCE))
    return "".join(f"INSERT INTO {table} VALUES {','.join(group)};\n" for group in groups)
