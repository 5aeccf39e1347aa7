"""The SQL that is the program: schema.sql and views/*/*.sql."""

from functools import cache

from keizer.store import fingerprint

APPLICATION_ID = 1264937338
"""`PRAGMA application_id` of a Keizer file: the letters "Keiz"."""

LAYOUT = fingerprint.LAYOUT
"""`PRAGMA user_version`: the layout of the tables that this version reads and writes."""


def script() -> str:
    """Everything a new file is made of, as `cat schema.sql views/*/*.sql` has it."""
    return schema_script() + code_script()


def schema_script() -> str:
    """The tables of a file, and the rows that are the same in every one."""
    return _joined("schema.sql")


def code_script() -> str:
    """The views and triggers of a file."""
    return _joined("views/*/*.sql")


@cache
def _joined(pattern: str) -> str:
    """Files in the package (wheel), or one folder up from it (checkout), in order."""
    from importlib.resources import as_file, files

    with as_file(files("keizer")) as home:
        found = sorted(home.glob(pattern)) or sorted(home.parent.glob(pattern))
        return "".join(source.read_text(encoding="utf-8") for source in found)
