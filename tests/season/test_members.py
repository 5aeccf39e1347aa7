"""Members: listed, corrected, merged where one was entered twice, removed."""

import random

import pytest

from tests.support.console import ClubOf, Console
from tests.support.files import campaign, dump_with_rules
from tests.support.scenes import scenes

STANDINGS = (
    "SELECT round_number, rank, name, score, value, points FROM standings ORDER BY 1, 2"
)


test_members = scenes("""
Players lists members with what the file has of them.
  next-round && result 1 1-0 && withdraw Daan && add Eva --category B --from-round 4
  players => Anna ... 2000 ... 1 ... Daan ... withdrawn after round 1 ... Eva ... B ... from round 4
  players --json => "name": "Eva" ... "category": "B" ... "first_round": 4 ... "games": 0

All lists those too who did not enter this tournament; who plays elsewhere stays in the file.
  init --name Cup && add Zoe -t Cup
  players -t Club !> Zoe
  players -t Club --all => Zoe ... not in this tournament
  player Zoe -t Club => Zoe (#5)
  ! player Zoe --remove -t Club => did not enter this tournament, but Cup
  add Zoe -t Club && player Zoe --remove -t Club => removed from the tournament
  players -t Cup => Zoe

A start rating that is corrected in mid-season moves everybody: first it is tried.
  next-round && result 1 1-0 && result 2 =
  SELECT name FROM standings WHERE round_number = 0 ORDER BY rank => Anna; Boris; Clara; Daan
  player Daan --start-rating 2100 --dry-run => Daan ... Nothing was written.
  SELECT name FROM standings WHERE round_number = 0 ORDER BY rank => Anna; Boris; Clara; Daan
  player Daan --start-rating 2100 => This changes ranks:
  SELECT name FROM standings WHERE round_number = 0 ORDER BY rank => Daan; Anna; Boris; Clara
  check => sound

A rating of 0 is none, from any client.
  INSERT INTO player (id, name, rating) VALUES (9, 'Zoe', 0)
  INSERT INTO x_player_tournament (player_id, tournament_id, rating) VALUES (9, 1, 0)
  UPDATE player SET rating = 0 WHERE id = 1
  UPDATE x_player_tournament SET rating = 0 WHERE player_id = 1
  SELECT player.rating, e.rating FROM player JOIN x_player_tournament AS e ON player_id = player.id
    WHERE player_id IN (1, 9) => None None; None None
  check => sound

Somebody of nearly the same name is asked about, and entered when it is said to be another.
  add 'Béla Kovács'
  ! add 'Kovacs Bela' => may be Béla Kovács (#5)
  ! add 'béla kovács' => would be taken for Béla Kovács (#5)
  ! add 'KOVÁCS, BÉLA' => may be Béla Kovács (#5)
  ! add 'Bela  Kovács' => may be Béla Kovács (#5)
  add 'Bela Kovacs' --new
  SELECT name FROM player WHERE id = 6 => Bela Kovacs

Two of the very same name are two, when that is said; then each is meant by the number.
  ! add Anna => Anna has already entered
  add Anna --new && next-round --dry-run
  SELECT group_concat(id) FROM player WHERE name = 'Anna' => 1,5
  ! absent Anna => #5
  absent '#5' && check => sound

What one of them lacks the other brings.
  player Anna --fide-id 4711 --category A
  add Ann --category B && player Ann --born 1980 && player Ann --merge Anna
  SELECT category, fide_id, born FROM player WHERE name = 'Ann' => B 4711 1980
  players --all !> Anna

Two who both have a game in a round are two.
  next-round
  ! player Anna --merge Daan =>
    Anna (#1) and Daan (#4) each have a game or a bye in round 1 of “Club”

Whoever has no game is removed with their absences.
  add Eva && absent Eva --round 1-3 && next-round
  remember
  player Eva --remove => Eva (#5) removed from the file.
  players --all !> Eva
  undo all
  ! player Anna --remove => Anna has a game or a bye in round 1

A finished tournament keeps its players from being merged, also from another one of the file.
  next-round && result 1 1 && result 2 1 && add Ann && finish && init --name Cup
  add Anna -t Cup && add Ann -t Cup
  ! player Anna --merge Ann -t Cup => --reopen

Who is merged brings the rounds that they would come to, and nobody else's.
  add Eva && absent Eva --by-default && present Eva --round 4
  add Finn && absent Finn --by-default && present Finn --round 5
  player Anna --merge Eva
  SELECT player_id, round_number FROM attendance ORDER BY 1 => 1 4; 6 5

Two who are merged change nobody else's entry.
  add Eva --from-round 4 && add Ann
  player Anna --merge Ann
  SELECT name, first_round FROM player JOIN x_player_tournament ON player_id = player.id
    ORDER BY name => Anna 1; Boris 1; Clara 1; Daan 1; Eva 4

What hangs on an entry goes and comes back with it.
  add Eva && absent Eva --round 1-3 && correct Eva 3 && prohibit Eva Anna --name family
  rules --for Eva excused=unexcused && absent Eva --by-default && present Eva --round 4
  remember
  player Eva --remove && check => sound
  undo all
  player Anna --merge Eva && check => sound
  undo all
""")


CORRECTED = {
    "--name 'Anna Baker'": ("name", "Anna Baker"), "--category Youth": ("category", "Youth"),
    "--rating 1234": ("rating", 1234), "--rating 0": ("rating", None),
    "--rating none": ("rating", None), "--title WIM": ("title", "WIM"),
    "--fide-id 1503014": ("fide_id", 1503014), "--national-id 812": ("national_id", "812"),
    "--federation NED": ("federation", "NED"), "--sex w": ("sex", "w"),
    "--born 1990-05-17": ("born", "1990-05-17"), "--start-rank 2": ("start_rank", 2),
    "--start-rating 900": ("start_rating", 900), "--first-round 3": ("first_round", 3),
}  # fmt: skip


def test_what_the_file_has_of_a_player_is_corrected(console: Console) -> None:
    console("player Anna --rating 1500 --category A")
    for options, (column, value) in CORRECTED.items():
        console(f"player '#1' {options}")
        (row,) = console.json("player '#1'")
        assert row[column] == value, options


def one_and_two(club_of: ClubOf, seed: int) -> tuple[Console, Console]:
    """The same rounds, with P03 as one entry, and as P03 until a round and Double after it."""
    rng = random.Random(seed)
    split, rounds = rng.randint(1, 3), 5
    one, two = club_of(7, name="one"), club_of(7, name="two")
    two(f"add Double --from-round {split + 1}")
    games, away = ["round,white,black,result"], ["round,player,kind"]
    for number in range(1, rounds + 1):
        present = [f"P{player:02}" for player in rng.sample(range(1, 8), 7)]
        away.append(f"{number},{present.pop()},{rng.choice(['bye', 'excused'])}")
        games += [
            f"{number},{present.pop()},{present.pop()},{rng.choice(['1-0', '0-1', '=', '+-'])}"
            for _ in range(3)
        ]

    def doubled(line: str) -> str:
        number = line.partition(",")[0]
        is_later = number.isdecimal() and int(number) > split
        return line.replace("P03", "Double") if is_later else line

    one("import - --games", stdin="\n".join(games))
    one("import - --unplayed", stdin="\n".join(away))
    two("import - --games", stdin="\n".join(map(doubled, games)))
    two("import - --unplayed", stdin="\n".join(map(doubled, away)))
    for number in range(split + 1, rounds + 1):
        two(f"absent P03 --round {number}")  # as whoever does not know would say
    for season in (one, two):
        season("correct P05 2 --round 2")
    one("correct P03 1.5 --round 4 && rules --for P03 excused=unexcused")
    two("correct Double 1.5 --round 4 && rules --for Double excused=unexcused")
    return one, two


@pytest.mark.parametrize("seed", [*range(2), *campaign(2, 6)])
def test_a_person_entered_twice_becomes_one_as_if_they_always_had_been(
    club_of: ClubOf, seed: int
) -> None:
    one, two = one_and_two(club_of, seed)
    before = dump_with_rules(two.db)
    assert "Double (#8) merged into P03 (#3)." in two("player P03 --merge Double --yes")
    assert two.rows(STANDINGS) == one.rows(STANDINGS)
    assert "sound" in two("check")
    two("undo")
    assert dump_with_rules(two.db) == before
