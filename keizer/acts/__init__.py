"""The acts of a club night: an act is a thing that a person does, declared once.

    declare     the declaration of an act, and the readers of its parameters
    session     a season file and who uses it; each act is one transaction
    presence    who comes
    pairing     a round paired, changed by hand, published
    results     results as they come in, also from the members' phones
    members     members entered, withdrawn, corrected, merged
    lists       members, games and seasons imported
    rules       the club's regulations, corrections, periods, prohibited pairings
    season      a season begun, dated, finished
    file        undo, snapshots, the proof

The command, the form, the call of a program and the method in Python are all made from
the same act. An act opens no file and prints nothing. It gets the tournament inside a
transaction. It returns the outcome as data and as messages, and the front end (the
command line, the web or Python) shows them.
"""
