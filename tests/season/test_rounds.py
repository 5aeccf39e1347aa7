"""From the file to a pairing and back: rules, reasons, hands, Swiss tournaments.

What is refused meanwhile stands in test_refusals.py.
"""

import sqlite3

import pytest

from keizer.pairing.facts import RULES, Policy
from tests.support.console import ClubOf
from tests.support.scenes import scenes

test_rounds = scenes("""
Families do not meet until nothing else is left.
  prohibit Anna Boris --name family
  prohibit => family           Anna ... family           Boris
  next-round
  SELECT white, black FROM pairings => Clara Anna; Daan Boris
  undo && absent Clara Daan && next-round =>
    Boris and Anna meet, a prohibited pairing. Nobody else is present.
  undo && prohibit --name family --remove
  prohibit !> Anna

Groups meet among themselves, and who is left over crosses at the edge: 3 of A, 3 of B, by turns.
  players 6 max_group_distance=0
  UPDATE player SET category = CASE id % 2 WHEN 1 THEN 'A' ELSE 'B' END
  next-round => meet across groups
  SELECT count(*) FROM round WHERE (white + black) % 2 => 1
  SELECT rule, amount FROM relaxations => group_distance 1

Absences do not count as byes, but where the rules say so they do.
  players 7 excused.counts_as_bye=0 bye_again=off
  absent P07 && next-round
  UPDATE round SET result = '½-½'
  SELECT name, byes, bye_last_round FROM presence ORDER BY rank DESC LIMIT 2 => P07 0 0; P06 0 0
  next-round
  SELECT white FROM pairings WHERE result = 'bye' => P07
  unpair && rules excused.counts_as_bye=1
  SELECT name, byes, bye_last_round FROM presence ORDER BY rank DESC LIMIT 2 => P07 1 1; P06 0 0
  next-round
  SELECT white FROM pairings WHERE result = 'bye' => P06

A late entry does not have the bye at once, nor anybody twice running.
  add Eva --rating 1500 && next-round
  SELECT white FROM pairings WHERE result = 'bye' => Eva
  UPDATE round SET result = '½-½'
  add Fred && add Gina && next-round
  SELECT white FROM pairings WHERE result = 'bye' AND round_number = 2 => Daan

What was given up is printed, kept and explained: four have met within the gap after three rounds.
  rules rematch_gap=5
  next-round && result 1 = && result 2 = && next-round && result 1 = && result 2 =
  next-round && result 1 = && result 2 =
  next-round => Unavoidable: ... met in round 1: 2 rounds between instead of 5. ...
    could meet nobody else of those to be paired within the rules.
  SELECT count(*) FROM relaxations WHERE rule = 'rematch_gap' => 2
  pairings --why => met in round 1: 2 rounds between instead of 5

A rule that is given up where others would do is weighed: eight of nine of a family meet.
  players 10
  prohibit P02 P03 P04 P05 P06 P07 P08 P09 P10 --name family
  next-round => The best pairing without it has more squares of the distances:
  SELECT count(*) FROM relaxations WHERE why LIKE 'The best pairing without it has more sq%' => 4

A board that is settled by hand is a reason for the others.
  rules rematch_gap=5
  next-round && next-round --allow-open --pair Anna Boris
  SELECT why FROM relaxations WHERE rule = 'rematch_gap' ORDER BY 1 =>
    Clara could meet nobody else of those to be paired within the rules.;
    Settled by hand.
  unpair && absent Daan --round 2-3 && next-round --allow-open
  SELECT white, black FROM pairings WHERE round_number = 2 => Clara Anna; Boris None
  next-round --allow-open --pair Clara Anna
  SELECT why FROM relaxations WHERE rule = 'bye_again' => No pairing of those present gives up less.

Boards that are settled stand, and the rest is paired.
  players 7
  next-round --pair P01 P06 --bye P02
  SELECT white, black FROM pairings ORDER BY board NULLS LAST => P01 P06; P04 P03; P07 P05; P02 None
  SELECT colour_by FROM round WHERE board = 1 => fixed

Two players change places, colours or the bye.
  players 5
  next-round
  SELECT white, black FROM pairings ORDER BY board NULLS LAST => P02 P01; P04 P03; P05 None
  swap P01 P02 => Round 1, board 1: P01 – P02
  swap P02 P03
  swap P04 P05 => Round 1, board 2: P05 – P02 ... Round 1, bye: P04
  SELECT white, black FROM pairings ORDER BY board NULLS LAST => P01 P03; P05 P02; P04 None
  SELECT white_place, black_place, colour_by FROM round ORDER BY board => 1 3 fixed; 5 2 fixed
  SELECT count(*) FROM problems => 0

Of six in a Swiss no more are left over than must be: the family of four is not met by chance.
  players 6 system=swiss
  prohibit P01 P02 P03 P04 --name family
  next-round => P03 is left over ... P04 is left over
  SELECT count(*) FROM round => 2
  SELECT white, black, left_over FROM possible_boards WHERE legal = 0 AND black_id IS NOT NULL
    AND white_id + black_id = 7 AND white_id IN (3, 4) => P03 P04 1
  SELECT white, sentence FROM pairing_reasons WHERE about = 'bye' ORDER BY white =>
    P03 Left over: no pairing in which only those meet who may has more boards.;
    P04 Left over: no pairing in which only those meet who may has more boards.

Who has won by forfeit does not have the bye of a Swiss: C.04.1.
  players 5 system=swiss first_round=halves
  next-round && result 2 0-1f && result 1 1-0
  SELECT player.name, byes, bye_last_round FROM presence JOIN player ON player.id = player_id
    WHERE byes ORDER BY 1 => P02 1 1; P05 1 1

A member named White has the white pieces, and what is voided later changes no reason.
  players 2
  add White --rating 100 && add Black --rating 90
  next-round && result 1 1-0 && result 2 1-0 && next-round
  SELECT sentence FROM pairing_reasons WHERE round_number = 2 ORDER BY board, about =>
    Black has the white pieces: nothing else decides, and Black comes later in the order of
    pairing.; P01 is nearer to P02, but they had met too recently: 1 round was missing.; 2 places
    apart in the order of pairing: 3 and 1.; White has the white pieces: nothing else decides, and
    White comes later in the order of pairing.; 2 places apart in the order of pairing: 4 and 2.
  UPDATE round SET result = 'void' WHERE round_number = 1
  SELECT sentence FROM pairing_reasons WHERE round_number = 2 ORDER BY board, about =>
    Black has the white pieces: nothing else decides, and Black comes later in the order of
    pairing.; P01 is nearer to P02, but they had met too recently: 1 round was missing.; 2 places
    apart in the order of pairing: 3 and 1.; White has the white pieces: nothing else decides, and
    White comes later in the order of pairing.; 2 places apart in the order of pairing: 4 and 2.

The gap between two meetings fits the field, and one that decides most boards is named.
  players 10
  SELECT rematch_gap FROM rules => None
  next-round && result 1 = && result 2 = && result 3 = && result 4 = && result 5 =
  SELECT max(rematch_gap) FROM possible_boards => 3

Players are paired by rank, rating, or what they perform: 400 more for a win, less for a loss.
  players 4
  next-round && result 1 1-0 && result 2 1-0
  SELECT name FROM presence ORDER BY pairing_rank => P02; P01; P04; P03
  rules pair_by=rating
  SELECT name FROM presence ORDER BY pairing_rank => P01; P02; P03; P04
  rules pair_by=performance
  SELECT name FROM presence ORDER BY pairing_rank => P02; P04; P01; P03

The order of categories is what the club says, whoever has entered.
  players 3 max_group_distance=0
  player P01 --category Gold && player P02 --category Silver && player P03 --category Bronze
  SELECT name, group_number FROM presence ORDER BY 1 => P01 2; P02 3; P03 1
  rules categories=Gold,Silver,Bronze
  SELECT name, group_number FROM presence ORDER BY 1 => P01 1; P02 2; P03 3
  ! rules categories=Gold,,Silver => a list such as A,B,C

Categories are those that entered members have, here or not: docs/pairing.md, group_distance.
  players 3 max_group_distance=1
  player P01 --category A && player P02 --category C
  SELECT group_distance FROM possible_boards WHERE white_id + black_id = 3 => 0
  add Late --category B --from-round 3
  SELECT name, group_number FROM presence ORDER BY 1 => P01 1; P02 3; P03 4
  SELECT group_distance FROM possible_boards WHERE white_id + black_id = 3 => 1
  next-round && result 1 =
  withdraw P01
  SELECT name, group_number FROM presence ORDER BY 1 => P02 3; P03 4

A swap that breaks a rule needs --anyway, and is put on record.
  rules rematch_gap=5
  next-round && result 1 1-0 && result 2 1-0 && next-round
  SELECT white, black FROM pairings WHERE round_number = 2 => Daan Boris; Clara Anna
  ! swap Clara Boris => that breaks a rule ( ... met in round 1: 0 rounds between instead of 5 ...
    --anyway
  swap Clara Boris --anyway
  SELECT why FROM relaxations WHERE rule = 'rematch_gap' => Settled by hand.; Settled by hand.

In a published round too: what a swap breaks is on record, and each board has its reasons.
  rules rematch_gap=5
  next-round && result 1 1-0 && result 2 1-0 && next-round && publish-round
  ! swap Clara Boris => round 2 is published: use --anyway
  swap Clara Boris --anyway
  SELECT why FROM relaxations WHERE rule = 'rematch_gap' => Settled by hand.; Settled by hand.
  SELECT count(*) FROM pairing_reasons WHERE round_number = 2 AND about = 'colour' => 2
  SELECT state FROM rounds WHERE round_number = 2 => published
  result 1 =
  ! swap Clara Boris --anyway => board 1 has a result: reopen it first.

A round in SQL in which all are left over can be published, or taken away.
  players 4 system=swiss
  INSERT INTO prohibited_pairing (tournament_id, name, player_id) SELECT 1, 'all', id FROM player
  INSERT INTO next_round (tournament_id) VALUES (1)
  SELECT count(*) FROM pairings => 4
  UPDATE schedule SET published_at = CURRENT_TIMESTAMP WHERE round_number = 1
  INSERT INTO next_round (tournament_id) VALUES (1)
  SELECT count(*) FROM pairings WHERE round_number = 2 => 4
""")


# --------------------------------------------------------------- rules as data


def test_the_rules_of_the_file_are_the_policy(conn: sqlite3.Connection) -> None:
    """Each field is a column with the same default."""
    conn.row_factory = sqlite3.Row
    conn.execute("INSERT INTO tournament (description) VALUES ('Club')")
    stored = conn.execute(f"SELECT {', '.join(Policy._fields)} FROM rules").fetchone()
    assert Policy(**dict(stored)) == Policy()


@pytest.mark.parametrize("first", ["adjacent", "halves", "random"])
def test_the_first_round_is_paired_as_the_rules_say(
    club_of: ClubOf, first: str
) -> None:
    console = club_of(8, f"first_round={first} seed=3")

    def paired() -> list[list[str | None]]:
        console("next-round --again" if console.sheet() else "next-round")
        return [sorted(board, key=str) for board in console.sheet()]

    boards = paired()
    if first == "random":
        assert paired() == boards
        console("rules seed=4")
        assert paired() != boards
    else:
        step, tops = (1, (1, 3, 5, 7)) if first == "adjacent" else (4, (1, 2, 3, 4))
        assert boards == [[f"P{top:02}", f"P{top + step:02}"] for top in tops]


test_a_season_has_a_plan = scenes("""
It is listed, and no round is paired beyond it without a word.
  rules rounds=3 && rounds --date 2 2026-11-20
  rounds => 1 ... planned ... 2 ... 2026-11-20  planned ... 3 ... planned
  next-round && result 1 1 && result 2 1 && next-round && result 1 1 && result 2 1
  next-round && result 1 1 && result 2 1
  ! next-round => planned for 3 rounds
  next-round --beyond => Round 4
  next-round --again && rules rounds=4
  SELECT state FROM rounds => complete; complete; complete; draft
""")


# ----------------------------------------------------------------------- given up


def test_every_rule_that_is_given_up_has_words(conn: sqlite3.Connection) -> None:
    """While the board or the bye stands."""
    conn.executescript("""
        INSERT INTO tournament (description) VALUES ('Club');
        INSERT INTO player (name) VALUES ('A'), ('B'), ('C');
        INSERT INTO x_player_tournament (player_id, tournament_id) SELECT id, 1 FROM player;
        INSERT INTO round (tournament_id, round_number, white, black, result)
          VALUES (1, 1, 1, 2, '1-0'), (1, 2, 2, 1, NULL);
        INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (1, 2, 3, 'bye');
    """)
    conn.execute("DELETE FROM reason WHERE about = 'given up'")  # of the board by hand
    begins = dict.fromkeys(RULES, "B and A meet")
    begins |= dict.fromkeys((rule for rule in RULES if "bye" in rule), "C has the bye")
    begins["left_over"] = "C is left over"
    begins["rematch_gap"] = "B and A met in round 1"
    for rule, begin in begins.items():
        ids = (2, 1) if begin.startswith("B and A") else (3, None)
        conn.execute(
            "INSERT INTO reason (tournament_id, round_number, white, black, rule, amount, about,"
            " because) VALUES (1, 2, ?, ?, ?, 1, 'given up', 'So it is.')",
            (*ids, rule),
        )
    rows = conn.execute("SELECT rule, sentence, why FROM relaxations").fetchall()
    assert sorted(rule for rule, _, _ in rows) == sorted(RULES)
    for rule, sentence, why in rows:
        assert why == "So it is."
        assert sentence.startswith(begins[rule])
        assert not sentence.endswith(f": {rule}")
    conn.executescript("DELETE FROM round WHERE round_number = 2; DELETE FROM unplayed")
    assert conn.execute("SELECT count(*) FROM reason").fetchone() == (0,)
