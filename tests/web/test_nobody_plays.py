"""A night on which nobody sits at a board: it is a round, and the absences count."""

from pathlib import Path

from tests.support.console import ClubOf, Console
from tests.support.face import director, face_of
from tests.support.files import Client
from tests.support.scenes import scenes

PUBLISHED = (
    "INSERT INTO schedule (tournament_id, round_number, published_at)"
    " VALUES (1, {}, '2026-01-09 19:00:00')"
)
TAKEN_BACK = "UPDATE schedule SET published_at = NULL WHERE round_number = {}"
ALL_AWAY = (
    "INSERT INTO unplayed (tournament_id, round_number, player_id, kind)"
    " SELECT 1, {}, player_id, 'club duty' FROM x_player_tournament"
)
NOW = "SELECT last_round, current_round, coming_round FROM tournament"
AWAY = "absent Anna Boris Clara Daan"

test_nobody_plays = scenes("""
The absences count and the next round is the one after; a dry run says so and writes nothing.
  next-round && result 1 1-0 && result 2 = && absent Anna Boris Clara Daan --kind 'club duty'
  remember
  next-round --dry-run => Round 2: nobody plays; the absences count. Dry run, nothing written.
  next-round --dry-run --json => written. ... []
  undo all
  next-round => Round 2: nobody plays; the absences count. `keizer next-round` pairs round 3.
  SELECT last_round, current_round, coming_round FROM tournament => 2 2 3
  SELECT round_number, state FROM rounds => 1 complete; 2 complete
  SELECT max(round_number) FROM explanation WHERE played_in = 2 AND points > 0 => 2
  standings => after round 2
  result 2 0-1 => Round 1, board 2
  next-round => Round 3
  SELECT count(*) FROM round WHERE round_number = 3 => 2
  check => is sound

The first round of a season can be such a night.
  absent Anna Boris Clara Daan && next-round && next-round
  SELECT DISTINCT round_number FROM round => 2
  SELECT max(round_number) FROM explanation WHERE played_in = 1 AND points > 0 => 2
  check => is sound

Where nobody has said anything it is a mistake, and so it is where somebody is to have the bye.
  next-round && result 1 1-0 && result 2 = && absent Anna Boris Clara Daan --by-default
  ! next-round => nobody is present for round 2
  ! next-round --bye Anna => nobody is present
  absent Anna --kind 'club duty' && next-round
  SELECT kind, count(*) FROM unplayed GROUP BY kind => club duty 1; excused 3

It can be undone and taken back.
  next-round && result 1 1-0 && result 2 = && absent Anna Boris Clara Daan && next-round
  undo => nobody plays
  SELECT last_round, current_round, coming_round FROM tournament => 1 1 2
  next-round && publish-round --take-back => Round 2 to be paired again.
  SELECT last_round, current_round, coming_round FROM tournament => 1 1 2
  SELECT max(round_number) FROM ranking_list => 1
  present Anna Boris && next-round => Round 2
  check => is sound

An absence makes a published round, whichever comes first; one that is announced makes none.
  next-round && result 1 1-0 && result 2 =
  INSERT INTO schedule (tournament_id, round_number, published_at)
    VALUES (1, 2, '2026-01-09 19:00:00')
  SELECT last_round, current_round, coming_round FROM tournament => 1 1 2
  INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (1, 2, 1, 'excused')
  SELECT last_round, current_round, coming_round FROM tournament => 2 2 3
  UPDATE schedule SET published_at = NULL WHERE round_number = 2
  SELECT last_round, current_round, coming_round FROM tournament => 1 1 2
  absent Anna Boris --round 2-3 && rounds --date 2 2026-01-09 --date 3 2026-01-16
  SELECT last_round, current_round, coming_round FROM tournament => 1 1 2
  check => is sound

A round of absences counts once a later one is there; one with open boards is not current.
  next-round && result 1 1-0 && result 2 =
  INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (1, 2, 4, 'excused')
  INSERT INTO round (tournament_id, round_number, white, black) VALUES (1, 3, 1, 2)
  SELECT last_round, current_round, coming_round FROM tournament => 3 2 3
  INSERT INTO unplayed (tournament_id, round_number, player_id, kind) VALUES (1, 3, 3, 'bye')
  SELECT last_round, current_round, coming_round FROM tournament => 3 2 3
  rounds => 2
  UPDATE round SET result = 'void' WHERE round_number = 3
  SELECT last_round, current_round, coming_round FROM tournament => 3 3 4
  check => is sound
""")


def test_any_client_publishes_it_and_takes_it_back(
    club_of: ClubOf, client: Client
) -> None:
    console, now = club_of(4), NOW.replace(", ", " || ' ' || ")
    latest, off = "SELECT max(round_number) FROM ranking_list", "DELETE FROM schedule"
    told = [
        (ALL_AWAY.format(1), "ok"), (now, "0 0 1"), (PUBLISHED.format(1), "ok"), (now, "1 1 2"),
        (latest, "1"), (TAKEN_BACK.format(1), "ok"), (latest, "0"), (off, "ok"),
        (PUBLISHED.format(1), "ok"), (off, "ok"), (now, "0 0 1"),
    ]  # fmt: skip
    assert client(console.db, [line for line, _ in told]) == [said for _, said in told]
    pairs = "INSERT INTO next_round (tournament_id) VALUES (1)"
    assert client(console.db, [pairs, pairs]) == ["ok"] * 2
    assert console.rows(NOW) == [(2, 1, 2)]
    assert console.rows("SELECT DISTINCT round_number FROM round") == [(2,)]
    assert "is sound" in console("check")


def test_it_is_not_published_before_others_nor_after_the_end(
    night: Console, client: Client
) -> None:
    night("absent Anna --round 2-4")
    (said,) = client(night.db, [PUBLISHED.format(4)])
    assert said.startswith("refused") and "rounds follow one another" in said
    night(f"{AWAY} && finish")
    (said,) = client(night.db, [PUBLISHED.format(2)])
    assert said.startswith("refused") and "this tournament is finished" in said
    assert client(night.db, ["UPDATE schedule SET date = '2026-01-08'"]) == ["ok"]


def test_what_people_read_has_the_round(night: Console, tmp_path: Path) -> None:
    nobody = "Nobody played; the absences count."
    night(f"{AWAY} && next-round")
    for line in ("crosstable", "card Anna", "progress", "statistics", "rounds"):
        assert night(line), line
    assert night("pairings").endswith(f", round 2\n{nobody}\n")
    night(f"site {tmp_path / 'site'}")
    for page in ("round/2.html", "index.html"):
        assert nobody in (tmp_path / "site" / page).read_text(encoding="utf-8")


def test_the_face_goes_on(night: Console) -> None:
    night(AWAY)
    me = director(face_of(night.db))
    me.go("/tonight")
    me.press("Pair round 2")
    assert me.said == ["Round 2: nobody plays; the absences count."]
    assert "Nobody played; the absences count." in me.text
    me.go("/results")
    assert "Round 1" in me.text
    for page in (
        "/plan",
        "/me",
        "/screen",
        "/standings.html",
        "/round/2.html",
        "/sheet/2.html",
    ):
        me.go(page)
        assert me.status == 200, page
    me.go("/tonight")
    me.press("Pair it again")
    assert me.said == ["Round 2 to be paired again."]
    me.press("Anna", "1")
    me.press("Boris", "2")
    me.press("Pair round 2")
    assert me.said == ["Round 2 is paired. It is a draft."]
