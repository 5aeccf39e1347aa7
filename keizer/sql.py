"""Find and load the SQL that is the program: schema.sql and views/*.sql."""

APPLICATION_ID = 1264937338
"""`PRAGMA application_id` of a Keizer file: the letters "Keiz"."""

SCHEMA_VERSION = 7
"""`PRAGMA user_version` of the files this version reads and writes."""


def script() -> str:
    """Everything a new file is made of, as `cat schema.sql views/*.sql` has it.

    The SQL lies in the package (wheel) or one folder up (checkout).
    """
    from importlib.resources import as_file, files

    with as_file(files("keizer")) as package:
        home = package if (package / "schema.sql").is_file() else package.parent
        sources = [home / "schema.sql", *sorted((home / "views").glob("*.sql"))]
        return "".join(source.read_text(encoding="utf-8") for source in sources)
