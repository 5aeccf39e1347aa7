-- How one file works and pairs, its log and its triggers: an archive has none of these.
DROP VIEW _code;
DROP VIEW draft_changes;
DROP VIEW next_round;
DROP VIEW possible_boards;
DROP VIEW problems;
DROP VIEW proposal;
DROP VIEW rule_trigger;

-- Procedures, into which one inserts rows, and what these alone read.
DROP VIEW _another;
DROP VIEW _asked;
DROP VIEW _broken;
DROP VIEW _by_hand;
DROP VIEW _credit;
DROP VIEW _direct_encounter;
DROP VIEW _entering;
DROP VIEW _first_value;
DROP VIEW _iterated;
DROP VIEW _logged;
DROP VIEW _met;
DROP VIEW _namesake;
DROP VIEW _nobody_plays;
DROP VIEW _present;
DROP VIEW _publication;
DROP VIEW _result;
DROP VIEW _round_revaluation;
DROP VIEW _seat;
DROP VIEW _seating;
DROP VIEW _sequence;
DROP VIEW _settling;
DROP VIEW _skipped;
DROP VIEW _text;
DROP VIEW _tiebreak;
DROP VIEW _tiebreaks_due;
DROP VIEW _usual_kind;
DROP VIEW revalue;
