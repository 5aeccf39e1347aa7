"""What a club does: members, presence, rounds, results, rules, and what is read of them.

Facts are written and views are read; SQL does the sums. Everything takes an open
connection, inside a transaction (see `database`) where it writes, and the id of a
tournament. What makes no sense raises KeizerError with one sentence, and the caller's
transaction is rolled back.

    resolve             who is meant by what people type
    names               what people type, as the file has it
    tournaments         tournaments of a file, their rounds and periods
    roster              who plays: enter, withdraw, prohibit pairings
    members             one member corrected, merged, removed
    identity, merging   who in a list is who in the file; the list merged into the season
    likeness            names that are likely of the same person, among many
    presence            who comes: sign off and on
    rounds, swap        from the file to a pairing and back
    new_season          one that follows another
    publication         between pairing and play: seats given up, dates, publishing
    results             as they come in, and corrected
    rules, presets      the rules as KEY=VALUE, and in the club's words; those of clubs
    views, reports      rows of the public views; what members look up
    queries             a tournament, and what is asked of it (queries.sql)
    demo                a season to look around in
"""
