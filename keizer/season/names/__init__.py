"""Who and what is meant by what people type.

Its modules:

spelling  names, results, kinds and numbers as the file has them
resolve   which player is meant, and whose names are near
finding   players and rounds: what an act begins with
likeness  names that are likely of the same person, found among many
identity  who in a list of members is who in the file
"""
