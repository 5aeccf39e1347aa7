#!/usr/bin/env python3
"""What SQLAlchemy, Django and connectorx make of a club's file.

    python docs/clients/orm.py club.db

Each is given every table and every public view (a name without _ in front) and reads a
row, makes models, or makes a table of Arrow. A line a library says how many, and what
failed. Nothing is written. It needs

    pip install sqlalchemy django connectorx pyarrow pysqlite3-binary

of which those that lack are left out. CI does not run it.

The type of a computed column: views say it by a CAST, and SQLite hands it on since 3.41.
Python often has an older one; pysqlite3-binary brings one of its own, which takes the
place of sqlite3 here and can do so in a program of yours (the first lines of main).

SQLAlchemy. A NUMERIC column may hold a text, as the club prints it: '1/3' in
scoring.factor and explanation.factor, '1.5(n-1)' in rules.top_value. SQLAlchemy would
make a Decimal of that and raise a TypeError, so leave such columns as they are: see
as_it_is. Automap maps all tables without a word; when the classes are first used it warns
that tournament_id and player_id are each in several foreign keys, which is how the file
keeps out players who did not enter. Relationships that are only read are quiet: see
read_only.

Django. inspectdb knows no NUMERIC, and guesses a TextField; for explanation.factor that is
right. It cannot inspect tables whose definition has a lone figure between two commas, as
in substr(result, 1, 4) of a CHECK (list index out of range: it takes the definition apart
at each ", "). The models of views have no primary key: give them one before use.

connectorx. It types a column by its first row, unless it is plainly one of a table (it
asks no PRAGMA). NULL in the first row is then "Cannot infer type from null": most often
in view explanation, whose first line is of no round and has no opponent. It helps to name
the columns and to say COALESCE(note, '') AS note, or to have a row without NULL first:
SELECT * FROM progress ORDER BY change IS NULL. A column with numbers of both kinds or with
texts is refused ("Invalid column type"): CAST(factor AS TEXT) AS factor.
"""

# ruff: noqa: BLE001, T201

import importlib
import io
import re
import sqlite3
import sys
import warnings
from collections.abc import Callable
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote


def main(file: Path) -> None:
    """A line a library."""
    try:
        sys.modules["sqlite3"] = importlib.import_module("pysqlite3")
    except ImportError:
        print(
            f"SQLite {sqlite3.sqlite_version} of Python: see above on types before 3.41"
        )
    with closing(sqlite3.connect(file)) as conn:
        tables, views = (
            [name for (name,) in conn.execute(
                "SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'z!_%' ESCAPE '!'"
                " AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name", (kind,))]
            for kind in ("table", "view")
        )  # fmt: skip
    readers: list[Callable[[Path, list[str], list[str]], str]] = [
        sqlalchemy,
        django,
        connectorx,
    ]
    for read in readers:
        name = read.__name__
        try:
            print(f"{name} {version(name)}: {read(file, tables, views)}")
        except ImportError:
            print(f"{name}: not installed")


def told(what: str, number: int, failed: dict[str, str]) -> str:
    """How many of them, and which failed for what reason."""
    reasons = "; ".join(f"{name} ({reason})" for name, reason in failed.items())
    return f"{number - len(failed)} of {number} {what}" + (
        f", but {reasons}" if failed else ""
    )


def first_line(error: Warning | Exception | str) -> str:
    """What it says, without the query."""
    return str(error).splitlines()[0]


# ------------------------------------------------------------------- SQLAlchemy


def as_it_is(_inspector: Any, _table: Any, column: dict[str, Any]) -> None:
    """Leave the values of a NUMERIC column alone: some are texts."""
    from sqlalchemy.types import NUMERIC, NullType

    if isinstance(column["type"], NUMERIC):
        column["type"] = NullType()


def read_only(
    base: Any, direction: Any, make: Any, name: str, *classes: Any, **options: Any
) -> Any:
    """A relationship that is read: several may then go through one column."""
    from sqlalchemy.ext.automap import generate_relationship

    return generate_relationship(
        base, direction, make, name, *classes, viewonly=True, **options
    )


def sqlalchemy(file: Path, tables: list[str], views: list[str]) -> str:
    """Automap the tables, and read a row of everything."""
    from sqlalchemy import MetaData, Table, create_engine, event, select
    from sqlalchemy.ext.automap import automap_base
    from sqlalchemy.orm import Session, configure_mappers

    engine = create_engine(f"sqlite:///{file}")
    of_views = MetaData()
    failed: dict[str, str] = {}
    unread: dict[str, str] = {}
    with warnings.catch_warnings(record=True) as warned, engine.connect() as connection:
        warnings.simplefilter("always")
        plain = automap_base()
        plain.prepare(autoload_with=engine)
        plain.registry.dispose()
        base = automap_base()
        for metadata in (base.metadata, of_views):
            event.listen(metadata, "column_reflect", as_it_is)
        base.prepare(autoload_with=engine, generate_relationship=read_only)
        configure_mappers()
        with Session(engine) as session:
            for name in tables:
                try:
                    session.scalars(select(base.classes[name]).limit(1)).first()
                except Exception as error:
                    failed[name] = first_line(error)
        for name in views:
            try:
                view = Table(name, of_views, autoload_with=engine)
                connection.execute(select(view).limit(1)).first()
            except Exception as error:
                unread[name] = first_line(error)
    engine.dispose()
    said = [told("tables", len(tables), failed), told("views", len(views), unread)]
    return "; ".join(
        [
            *said,
            f"{len(warned)} warnings",
            *{first_line(warning.message) for warning in warned},
        ]
    )


# ----------------------------------------------------------------------- Django


def django(file: Path, tables: list[str], views: list[str]) -> str:
    """Have the models made that inspectdb makes, and see which types it guessed."""
    from django import setup
    from django.conf import settings
    from django.core.management import call_command

    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}
    settings.configure(DATABASES={"default": database})
    setup()
    models = io.StringIO()
    call_command("inspectdb", *tables, *views, include_views=True, stdout=models)
    source = models.getvalue()
    compile(source, "models.py", "exec")
    unable = dict(
        re.findall(r"# Unable to inspect table '(\w+)'\n# The error was: (.*)", source)
    )
    guessed: dict[str, list[str]] = {}
    for model in source.split("\nclass ")[1:]:
        table = re.search(r"db_table = '(\w+)'", model)
        guesses = re.findall(
            r"^ +(\w+) = .* # This field type is a guess", model, re.MULTILINE
        )
        if table and guesses:
            guessed[table[1]] = guesses
    said = [
        told(what, len(names), {name: unable[name] for name in names if name in unable})
        for what, names in (("tables", tables), ("views", views))
    ]
    for what, names in (("tables", tables), ("views", views)):
        here = [
            f"{name}.{column}" for name in names for column in guessed.get(name, [])
        ]
        said.append(f"guessed in {what}: {', '.join(here) or 'none'}")
    return "; ".join(said)


# ------------------------------------------------------------------- connectorx


def connectorx(file: Path, _tables: list[str], views: list[str]) -> str:
    """Read all of every view."""
    reader = importlib.import_module("connectorx")
    importlib.import_module("pyarrow")
    failed = {}
    for name in views:
        try:
            url = f"sqlite://{quote(str(file))}"
            reader.read_sql(url, f"SELECT * FROM {name}", return_type="arrow")
        except Exception as error:
            failed[name] = first_line(error)
    return told("views", len(views), failed)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():  # noqa: PLR2004
        sys.exit("usage: docs/clients/orm.py club.db")
    main(Path(sys.argv[1]).resolve())
