"""The made-up clubs of bench/: what other measurements may rely on."""

from bench.seasons import season


def test_the_same_number_makes_the_same_season() -> None:
    assert season(3) == season(3)
    assert len({str(season(club).games) for club in range(9)}) == 9


def test_the_stronger_win_more_often() -> None:
    made = season()
    ratings = [entry.rating or 0 for entry in made.entries]
    won = [
        (ratings[game.white - 1] > ratings[game.black - 1]) == (game.result == "1-0")
        for game in made.games
        if game.result != "½-½"
    ]
    assert sum(won) > 0.6 * len(won) > 0


def test_everybody_plays_or_is_accounted_for_once_a_round() -> None:
    made = season(rounds=9, players=25)
    seats = [
        (game.round_number, player) for game in made.games for player in (game.white, game.black)
    ]
    seats += made.unplayed
    assert sorted(seats) == [(number, player) for number in range(1, 10) for player in range(1, 26)]
    assert {*made.unplayed.values()} == {"bye", "excused", "unexcused", "club duty"}
