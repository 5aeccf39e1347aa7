"""The made-up clubs of bench/: what other measurements may rely on."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bench import clubs, files, plain
from bench.seasons import Season, season
from keizer.store import proof


def known(made: Season) -> set[tuple[str, int | None]]:
    return {(person.name, person.fide_id) for person in made.players}


def test_the_same_numbers_make_the_same_season() -> None:
    assert season(3, 2) == season(3, 2)
    games = {tuple(season(club, number).games) for club in range(3) for number in range(3)}
    assert len(games) == 9


def test_the_stronger_win_more_often() -> None:
    won = [0, 0]
    made = season()
    for game in made.games:
        if game.result != "½-½":
            white, black = (made.players[it - 1].rating for it in (game.white, game.black))
            won[(white > black) == (game.result == "1-0")] += 1
    assert won[1] > 1.5 * won[0] > 0


def test_everybody_plays_or_is_accounted_for_once_a_round() -> None:
    made = season(rounds=9, players=25)
    seats = [(game.round_number, it) for game in made.games for it in (game.white, game.black)]
    seats += [(it.round_number, it.player) for it in made.unplayed]
    assert sorted(seats) == [(number, it) for number in range(1, 10) for it in range(1, 26)]
    assert {it.kind for it in made.unplayed} == {"bye", "excused", "unexcused", "club duty"}


def test_members_come_back_and_some_play_in_two_clubs() -> None:
    assert 30 <= len(known(season(4, 0)) & known(season(4, 1))) < 40
    assert len(known(season(4, 0)) & known(season(5, 0))) == 4
    assert not known(season(4, 0)) & known(season(6, 0))


def test_most_have_a_fide_number_and_nobody_shares_name_or_number() -> None:
    everybody = set().union(*(known(season(club, 0, rounds=0)) for club in range(100)))
    numbers = [number for _, number in everybody if number]
    assert 0.85 < len(numbers) / len(everybody) < 0.95
    assert len({name for name, _ in everybody}) == len(everybody)
    assert len({*numbers}) == len(numbers)


def test_club_files_are_sound_and_the_same_every_time(tmp_path: Path) -> None:
    made = [clubs.make(tmp_path / it, 2, players=12, rounds=5) for it in ("one", "two")]
    dumps = []
    for path in (path for paths in made for path in paths):
        with closing(sqlite3.connect(path)) as conn:
            assert proof.proof(conn) == ([], [])
            published = "SELECT count(*) FROM schedule WHERE published_at IS NOT NULL"
            assert conn.execute(published).fetchone() == (5,)
            tables = ("player", "x_player_tournament", "round", "unplayed", "ranking_list")
            dumps.append([conn.execute(f"SELECT * FROM {it}").fetchall() for it in tables])
    assert dumps[0] == dumps[2] != dumps[1] == dumps[3]


def test_the_plain_scorer_makes_the_tables_of_the_file() -> None:
    made = season(players=15, rounds=8)
    with closing(files.of(made)) as conn:
        for number in range(1, 9):
            table = conn.execute(
                "SELECT player_id, score_units, value_units FROM ranking_list"
                " WHERE round_number = ? ORDER BY rank",
                (number,),
            ).fetchall()
            assert plain.table(plain.read(conn, 1, number)) == table
