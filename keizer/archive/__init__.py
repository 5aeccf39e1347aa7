"""An archive: many club files in one that is only read.

`layout` says what it is made of, `clubs` reads and proves a club's file, `readers` has
several processes do so, `writer` merges, and `proof` checks what came of it. Who is the same
person in several files is said in SQL: views/archive/_person.sql.
"""

from keizer.archive.proof import problems
from keizer.archive.writer import Outcome, merge

__all__ = ["Outcome", "merge", "problems"]
