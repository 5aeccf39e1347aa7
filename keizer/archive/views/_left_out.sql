-- How one file works, its log and its triggers: an archive has none of these.
DROP VIEW _code;
DROP VIEW problems;
DROP VIEW tiebreak_trigger;

-- Procedures, into which one inserts rows, and what these alone read.
DROP VIEW _credit;
DROP VIEW _direct_encounter;
DROP VIEW _entering;
DROP VIEW _logged;
DROP VIEW _namesake;
DROP VIEW _result;
DROP VIEW _round_revaluation;
DROP VIEW _seat;
DROP VIEW _seating;
DROP VIEW _sequence;
DROP VIEW _settling;
DROP VIEW _text;
DROP VIEW _tiebreak;
DROP VIEW _tiebreaks_due;
DROP VIEW _usual_kind;
DROP VIEW revalue;
