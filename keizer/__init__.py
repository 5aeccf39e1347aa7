"""Keizer: run a chess club's season on the Keizer system, in one SQLite file.

The rules live in SQL: `schema.sql` holds the facts and what they must obey,
`views/` holds everything that follows from them. This package is the thin
layer around it:

    sql        finds schema.sql and views/
    database   opens and creates season files; one transaction a command
    season     tournaments, their rounds and periods
    roster     who plays: enter, withdraw, keep apart
    presence   who comes: sign off and on, what holds by default
    rounds     from the file to a pairing and back: draft, again, unpair; swap
    evening    between pairing and play: seats given up, dates, publishing
    results    as they come in, and corrected
    pairing    who meets whom; plain data in and out, no database
    tables     what is read: rows of the public views; reports, what members look up
    rules      the rules of a tournament as KEY=VALUE; presets, those of clubs
    imports    players, games and absences from CSV
    ratings    members brought up to a rating list
    formats    files of other programs, a module each
    site       the club's page, from templates
    describe   what tables, views and columns mean, in the file's own words
    names      what people type, as the file has it
    undo       what a command changed, so that it can be taken back
    demo       a season to look around in
    cli        the `keizer` command
"""

from keizer.errors import KeizerError

__all__ = ["KeizerError", "__version__"]
__version__ = "0.1.0"
