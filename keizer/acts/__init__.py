"""What a person does, each once: the command, the form, the call of a program and the method.

    declare     what an act is, and what its parameters are
    session     a season file for one who asks: reading, and each act in one transaction
    presence    who comes
    pairing     made, changed by hand, published
    results     as they come in, also from the members' phones
    members     entered, withdrawn, corrected, merged
    lists       members, games and seasons imported
    rules       the club's regulations, corrections, periods, prohibited pairings
    season      begun, dated, finished
    file        taking back, snapshots, the proof

An act opens nothing and prints nothing: it gets the tournament inside a transaction and returns
what happened, as data and as messages. A face renders that.
"""
