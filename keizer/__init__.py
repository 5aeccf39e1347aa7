"""Keizer: run a chess club's season on the Keizer system, in one SQLite file.

The rules live in SQL: `schema.sql` holds the facts and what they must obey,
`views/` holds everything that follows from them. This package is the thin
layer around it:

    sql        finds schema.sql and views/
    database   opens and creates season files; one transaction a command
    season     tournaments, and the club night: pair, enter results
    roster     who plays: enter, withdraw, sign off
    tables     what is read: rows of the public views
    pairing    who meets whom; plain data in and out, no database
    rules      the rules of a tournament as KEY=VALUE
    imports    players, games and absences from CSV
    names      what people type, as the file has it
    undo       what a command changed, so that it can be taken back
    demo       a season to look around in
    cli        the `keizer` command
"""

from keizer.errors import KeizerError

__all__ = ["KeizerError", "__version__"]
__version__ = "0.1.0"
