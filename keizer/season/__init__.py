"""What a club does: members, presence, rounds, results, rules, and what is read of them.

Facts are written and views are read; SQL does the sums. Everything takes an open
connection, inside a transaction (see `database`) where it writes, and the id of a
tournament. What makes no sense raises KeizerError with one sentence, and the caller's
transaction is rolled back.

    names/          who and what is meant by what people type
    people/         members: entered, corrected, merged with a list, removed
    club_night/     a round, from who comes to the last result
    queries         a tournament, and what is asked of it (queries.sql)
    views, lookups  rows of the public views; what members look up
    tournaments     tournaments of a file, their rounds and periods
    rules, presets  the rules as KEY=VALUE, and in the club's words; those of clubs
    new_season      a season that follows another
    demo            a season to look around in
"""
