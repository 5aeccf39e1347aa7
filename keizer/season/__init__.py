"""The season of a club: members, presence, rounds, results, rules, and reports.

Facts are written and views are read; SQL does the sums. Functions take a Tournament of
an open file, inside a transaction (see `database`) if they write. What makes no sense
raises KeizerError with one sentence, and the caller's transaction is rolled back.

    names/          the people and things that are meant by what somebody typed
    people/         members: entered, corrected, merged with a list, removed
    club_night/     a round, from who comes to the last result
    queries         a tournament, its state, and the statements of queries.sql
    views, lookups  rows of the public views; the reports that members look up
    tournaments     the tournaments of a file, their rounds and periods
    rules, presets  the rules as KEY=VALUE, and as questions; those of other clubs
    new_season      a season that follows another
    demo            a season to look around in
"""
