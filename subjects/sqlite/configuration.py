"""Print the settings in the file of an SQLite database: name, value, default."""

import sqlite3
import sys
from pathlib import Path

STANDARD = {
    "application_id": 0,
    "auto_vacuum": 0,
    "encoding": "UTF-8",
    "journal_mode": "delete",
    "page_size": 4096,
    "user_version": 0,
}
"""The settings of a new database of SQLite 3.12.0 or later."""


def main() -> None:
    """Print one line per setting."""
    with sqlite3.connect(f"{Path(sys.argv[1]).as_uri()}?mode=ro", uri=True) as database:
        for name, standard in STANDARD.items():
            (value,) = database.execute(f"PRAGMA {name}").fetchone()
            print(name, value, standard, sep="\t")
    database.close()


if __name__ == "__main__":
    main()
