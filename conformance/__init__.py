"""The Keizer system as numbered rules, with cases that any program can be tested against."""
