"""FIDE's tournament report file (TRF), editions 2016 and 2026.

    report     what a file says, as plain data; how lines are taken apart, and put together
    format     their columns and codes, as a table
    reading    parse: bytes to a report, whose lines agree
    exporting  export: a tournament to a file
    importing  read: a file to a report, apart; Season: a report to a tournament

docs/formats.md says what is read, written and refused.
"""

from keizer.exchange.trf.exporting import export
from keizer.exchange.trf.importing import Season, read
from keizer.exchange.trf.reading import disagreeing, parse
from keizer.exchange.trf.report import Report

__all__ = ["Report", "Season", "disagreeing", "export", "parse", "read"]
