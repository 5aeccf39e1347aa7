"""Exports of Sevilla (JSON), as clubs have them.

The files are the facts of exports of the club KSK Colle, with numbers for names
(github.com/Jessevdonck/KSKColle, backend/src/data/sevilla): an autumn tournament with absences,
one of which only the history from both sides is there, and a blitz tournament in four groups.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from keizer import KeizerError
from keizer.exchange import sevilla
from keizer.formats import limits, sent
from tests.support.console import new_club
from tests.support.files import rows
from tests.support.files import run_keizer as keizer
from tests.support.other_programs import note_all_same, note_compared, refuse_import

FILES = Path(__file__).parent / "sevilla"
POINTS = {
    "1-0": (1, 0),
    "0-1": (0, 1),
    "½-½": (0.5, 0.5),
    "1-0R": (1, 0),
    "0-1R": (0, 1),
}


def told(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (FILES / f"{name}.json").read_text(encoding="utf-8")
    )
    return found


def imported(folder: Path, export: dict[str, Any], *options: str) -> tuple[Path, str]:
    """The file it came into, and what was noted."""
    db, file = folder / "club.db", folder / "export.json"
    file.write_text(json.dumps(export, ensure_ascii=False), encoding="utf-8")
    new_club(db)
    return db, keizer("import", db, file, *options).stderr


def group(**lists: Any) -> dict[str, Any]:
    return {"Name": "A", "GroupReport": [{"ID": 1, "Name": "G", **lists}]}


def game(number: int, white: int, black: int, result: str) -> dict[str, Any]:
    return {"Round": number, "WhiteNr": white, "BlackNr": black, "Res": result,
        "White": f"P {white}", "Black": f"P {black}"}  # fmt: skip


def refused(folder: Path, export: dict[str, Any]) -> str:
    """The sentence that refuses it; the season stays as it was."""
    db, file = folder / "club.db", folder / "export.json"
    file.write_text(json.dumps(export), encoding="utf-8")
    new_club(db)
    return refuse_import(db, file)


def with_game(**cells: Any) -> dict[str, Any]:
    return group(RoundHist=[{"ID": 1, "Game": [game(1, 1, 2, "1-0") | cells]}])


def with_line(**cells: Any) -> dict[str, Any]:
    return group(Ranking=[{"Round": 1, "Player": [{"ID": 1, "Name": "P 1"} | cells]}])


class TestRealExports:
    """What the files hold, counted here from their lists."""

    def test_games_absences_and_dates(self, tmp_path: Path) -> None:
        there = told("autumn-2025")["GroupReport"][0]
        games = [one for played in there["RoundHist"] for one in played["Game"]]
        away = [one for played in there["RoundHist"] for one in played["Abs"]]
        db, _ = imported(tmp_path, told("autumn-2025"), "--anyway")
        assert rows(db, "SELECT count(*) FROM x_player_tournament") == [(53,)]
        assert rows(db, "SELECT count(*) FROM round") == [(len(games),)] == [(51,)]
        assert rows(db, "SELECT count(*) FROM round WHERE result IS NULL") == [
            (sum(one["Res"] == "..." for one in games),)
        ]
        assert rows(db, "SELECT kind, count(*) FROM unplayed") == [
            ("excused", len(away))
        ]
        assert rows(db, "SELECT round_number, date FROM schedule ORDER BY 1") == [
            (1, "2025-09-18"), (2, "2025-10-02"),
        ]  # fmt: skip

    def test_four_groups_are_four_tournaments_with_the_printed_points(
        self, tmp_path: Path
    ) -> None:
        export = told("four-groups")
        db, noted = imported(tmp_path, export, "--anyway")
        names = [there["Name"] for there in export["GroupReport"]]
        assert rows(db, "SELECT description FROM tournament ORDER BY id") == [
            (n,) for n in names
        ]
        for number, there in enumerate(export["GroupReport"], 1):
            points = defaultdict[int, float](float)
            for played in there["RoundHist"]:
                for one in played["Game"]:
                    for player, got in zip(
                        (one["WhiteNr"], one["BlackNr"]),
                        POINTS[one["Res"]],
                        strict=True,
                    ):
                        points[player] += got
            here = rows(
                db,
                "SELECT p.name, e.score FROM x_player_tournament AS e JOIN player AS p"
                f" ON p.id = e.player_id WHERE tournament_id = {number}",
            )
            byes = Counter(
                one["PlayerNr"]
                for played in there["RoundHist"]
                for one in played["Abs"]
            )
            assert dict(here) == {
                f"Player {player}": points[player] + byes[player]
                for player in {*points, *byes}
            }
        differing = [line for line in noted.splitlines() if " in the file, " in line]
        assert differing and all(names[3] in line for line in differing)

    def test_where_only_the_history_is_there_each_game_is_once(
        self, tmp_path: Path
    ) -> None:
        (there,) = told("history-only")["GroupReport"]
        halves = sum(len(one["Game"]) for one in there["History"][0]["Player"])
        db, noted = imported(tmp_path, told("history-only"), "--anyway")
        assert rows(db, "SELECT count(*) FROM round") == [(halves // 2,)] == [(172,)]
        assert (
            "11 of the 51 figures in the file’s own standings come out differently"
            in noted
        )

    @pytest.mark.seeds
    def test_that_absences_and_byes_bring_half_a_point_is_found(
        self, tmp_path: Path
    ) -> None:
        db, _ = imported(tmp_path, told("history-only"), "--anyway")
        found = keizer("infer", db, tmp_path / "export.json").stdout
        assert "51 of 51 scores are as printed." in found

    def test_absences_that_bring_half_a_point_are_found(self, tmp_path: Path) -> None:
        """The list prints ½ for each of four who were absent, which no rule in the file says."""
        db, noted = imported(tmp_path, told("autumn-2025"), "--anyway")
        assert (
            "4 of the 53 figures in the file’s own standings come out differently"
            in noted
        )
        assert (
            "53 of 53"
            in keizer("infer", db, tmp_path / "export.json", "--apply").stdout
        )
        assert rows(
            db,
            "SELECT DISTINCT points FROM explanation WHERE fact = 'unplayed'"
            " AND round_number = (SELECT max(round_number) FROM explanation)",
        ) == [(0.5,)]
        keizer("undo", db)
        assert rows(db, "SELECT DISTINCT kind FROM unplayed") == [("excused",)]


class TestPrintedScores:
    """An import gives the standings that the file prints, or is refused."""

    def test_who_differs_is_named_and_nothing_is_written(self, tmp_path: Path) -> None:
        """Those to whom an absence brought half a point."""
        (printed,) = told("autumn-2025")["GroupReport"][0]["Ranking"]
        away = [row["Name"] for row in printed["Player"] if row["AbsScore"] == 0.5]
        db, file = tmp_path / "club.db", FILES / "autumn-2025.json"
        new_club(db)
        before = db.read_bytes()
        for options in ([], ["--dry-run"]):
            assert keizer(
                "import", db, file, *options, fails=True
            ).stderr.splitlines() == [
                "Error: 4 of the 53 figures in the file’s own standings come out differently:"
                " --anyway imports it, with the standings as they are counted here.",
                "The file does not have its rules. After the import `keizer infer DB FILE --apply`"
                " finds those that bring these scores.",
                *(
                    f"{name}, score after round 2: 0.5 in the file, 0 here"
                    for name in away
                ),
            ]
            assert db.read_bytes() == before
        assert keizer("import", db, file, "--anyway").stdout.endswith(
            "51 games imported.\n"
        )

    def test_where_all_are_as_printed_that_is_said(self, tmp_path: Path) -> None:
        export = told("four-groups")
        export["GroupReport"] = export["GroupReport"][:3]
        _, noted = imported(tmp_path, export)
        lists = [one for there in export["GroupReport"] for one in there["Ranking"]]
        printed = sum(len(one["Player"]) for one in lists)
        said, *gaps = noted.splitlines(keepends=True)
        assert said == note_compared(printed)
        assert [gap.partition(" after ")[2] for gap in gaps] == [
            "rounds 1–12.\n", "rounds 1–8.\n", "rounds 1–12.\n"
        ]  # fmt: skip

    def test_one_score_that_was_printed_otherwise_is_enough(
        self, tmp_path: Path
    ) -> None:
        export = told("four-groups")
        export["GroupReport"] = export["GroupReport"][:1]
        row = export["GroupReport"][0]["Ranking"][-1]["Player"][3]
        row["Score"] += 0.5
        db, file = tmp_path / "club.db", tmp_path / "export.json"
        file.write_text(json.dumps(export), encoding="utf-8")
        new_club(db)
        refused = keizer("import", db, file, fails=True).stderr
        assert (
            refused.startswith("Error: 1 of the ")
            and f"{row['Name']}, score after" in refused
        )


class TestFacts:
    def test_results_by_rule_and_games_to_come(self, tmp_path: Path) -> None:
        games = [
            game(1, 1, 2, "1-0R"),
            game(1, 3, 4, "0-1R"),
            game(1, 5, 6, "..."),
            game(1, 7, 8, "½-½"),
        ]
        db, noted = imported(
            tmp_path, group(RoundHist=[{"ID": 1, "Date": "2/10/2025", "Game": games}])
        )
        assert noted == ""
        assert rows(db, "SELECT result FROM round ORDER BY board") == [
            ("+-",), ("-+",), (None,), ("½-½",),
        ]  # fmt: skip

    def test_a_result_that_nobody_knows_leaves_the_game_open_and_is_told(
        self, tmp_path: Path
    ) -> None:
        db, noted = imported(
            tmp_path, group(RoundHist=[{"ID": 1, "Game": [game(1, 1, 2, "x-y")]}])
        )
        assert "round 1: “x-y” is no result known here: the game is open." in noted
        assert rows(db, "SELECT result FROM round") == [(None,)]

    def test_a_reason_in_any_language_is_known_by_what_the_list_counts(
        self, tmp_path: Path
    ) -> None:
        players = [{"ID": n, "Pos": n, "Name": f"P {n}", "Score": 0, "Value": 5 - n,
                    "NAbsMsg": int(n == 3), "NAbsNM": int(n == 4), "NAbsCl": int(n == 5)}
                   for n in range(1, 7)]  # fmt: skip
        reasons = {3: "Afw m.b.", 4: "Afw z.b.", 5: "Voor de club", 6: "Vrij/Exempt 2"}
        away = [
            {"Round": 1, "PlayerNr": n, "Reason": why} for n, why in reasons.items()
        ]
        lists = {"Ranking": [{"Round": 1, "Player": players}],
                 "RoundHist": [{"ID": 1, "Game": [game(1, 1, 2, "1-0")], "Abs": away}]}  # fmt: skip
        db, noted = imported(tmp_path, group(**lists), "--anyway")
        assert rows(db, "SELECT player_id, kind FROM unplayed ORDER BY player_id") == [
            (3, "excused"), (4, "unexcused"), (5, "club duty"), (6, "vrij exempt 2"),
        ]  # fmt: skip
        assert "“Vrij/Exempt 2” became the kind “vrij exempt 2”" in noted

    def test_two_of_one_name_are_two_players(self, tmp_path: Path) -> None:
        same = {
            "ID": 1,
            "Date": "",
            "Game": [game(1, 1, 2, "1-0") | {"White": "Jan", "Black": "Jan"}],
        }
        db, _ = imported(tmp_path, group(RoundHist=[same]))
        assert rows(db, "SELECT name FROM player") == [("Jan",), ("Jan",)]

    def test_who_is_not_in_the_last_list_has_left(self, tmp_path: Path) -> None:
        listed = [{"ID": n, "Name": f"P {n}", "Score": 2 - n} for n in (1, 2)]
        played = [
            {"ID": n, "Game": [game(n, white, 2, "1-0")]}
            for n, white in ((1, 3), (2, 1))
        ]
        ranking = [{"Round": 2, "Player": listed}]
        db, _ = imported(tmp_path, group(Ranking=ranking, RoundHist=played))
        assert rows(db, "SELECT name, first_round, last_round FROM x_player_tournament AS e"
            " JOIN player AS p ON p.id = e.player_id ORDER BY name") == [
            ("P 1", 2, None), ("P 2", 1, None), ("P 3", 1, 1),
        ]  # fmt: skip

    def test_windows_1252_and_a_mark_of_utf_8(self, tmp_path: Path) -> None:
        export = json.dumps(
            group(RoundHist=[{"ID": 1, "Game": [game(1, 1, 2, "½-½")]}]),
            ensure_ascii=False,
        )
        for data in (export.encode("cp1252"), b"\xef\xbb\xbf" + export.encode()):
            file = tmp_path / "export.json"
            file.write_bytes(data)
            assert sent.kind(file) == "sevilla"


class TestContradictions:
    """What a file says twice, and each time otherwise, is refused; nobody chooses."""

    def test_two_results_of_a_game(self, tmp_path: Path) -> None:
        games = [game(1, 1, 2, "1-0"), game(1, 1, 2, "0-1")]
        export = group(RoundHist=[{"ID": 1, "Game": games}])
        assert "round 1, P 1 against P 2: the file has “1-0” and “0-1”." in refused(
            tmp_path, export
        )

    def test_two_results_of_a_game_that_both_sides_have(self, tmp_path: Path) -> None:
        halves = [
            {"ID": 1, "Name": "P 1", "Game": [half("W", 2, "½-½")]},
            {"ID": 2, "Name": "P 2", "Game": [half("B", 1, "0-1")]},
        ]
        export = group(History=[{"Player": halves}])
        assert "round 1, P 1 against P 2: the file has “½-½” and “0-1”." in refused(
            tmp_path, export
        )

    def test_an_open_game_that_is_played_elsewhere(self, tmp_path: Path) -> None:
        games = [game(1, 1, 2, "..."), game(1, 1, 2, "1-0")]
        export = group(RoundHist=[{"ID": 1, "Game": games}])
        assert "the file has “...” and “1-0”." in refused(tmp_path, export)

    def test_two_reasons_of_an_absence(self, tmp_path: Path) -> None:
        away = [
            {"Round": 1, "PlayerNr": 3, "Player": "P 3", "Reason": why}
            for why in ("Bye", "ill")
        ]
        rounds = [{"ID": 1, "Game": [game(1, 1, 2, "1-0")], "Abs": away}]
        assert "round 1, P 3: the file has “Bye” and “ill”." in refused(
            tmp_path, group(RoundHist=rounds)
        )

    def test_two_names_of_a_number(self, tmp_path: Path) -> None:
        games = [game(1, 1, 2, "1-0"), game(2, 3, 1, "1-0") | {"Black": "Zed"}]
        export = group(RoundHist=[{"ID": 1, "Game": games}])
        assert "player 1: the file has “P 1” and “Zed”." in refused(tmp_path, export)

    def test_an_opponent_who_is_nowhere(self, tmp_path: Path) -> None:
        players = [{"ID": 1, "Name": "P 1", "Game": [half("W", 9, "1-0")]}]
        export = group(History=[{"Player": players}])
        assert "player 9: a player needs a name." in refused(tmp_path, export)

    def test_what_is_there_twice_and_the_same_is_once(self, tmp_path: Path) -> None:
        games = [game(1, 1, 2, "1-0"), game(1, 1, 2, "1-0") | {"Res": None}]
        away = [{"Round": 1, "PlayerNr": 3, "Player": "P 3", "Reason": "Bye"}] * 2
        db, _ = imported(
            tmp_path, group(RoundHist=[{"ID": 1, "Game": games, "Abs": away}])
        )
        assert rows(db, "SELECT result FROM round") == [("1-0",)]
        assert rows(db, "SELECT count(*) FROM unplayed") == [(1,)]


def half(colour: str, opponent: int, result: str) -> dict[str, Any]:
    """A game of round 1 as one side has it."""
    return {"Round": 1, "Color": colour, "Opponent": opponent, "Res": result}


def ranked(value: float, *lines: tuple[int, int, float]) -> dict[str, Any]:
    """P 1 won of P 2, P 3 and P 4 drew. lines: place, player and score; value: of everybody."""
    games = [game(1, 1, 2, "1-0"), game(1, 3, 4, "½-½")]
    players = [
        {
            "Pos": place,
            "ID": player,
            "Name": f"P {player}",
            "Score": score,
            "Value": value,
        }
        for place, player, score in lines
    ]
    return group(
        Ranking=[{"Round": 1, "Player": players}], RoundHist=[{"ID": 1, "Game": games}]
    )


class TestRoundedScores:
    """The true points are 1, ½, ½, 0; the true Keizer scores follow from the values."""

    @pytest.mark.parametrize("second", [0, 1])
    def test_a_point_for_half_a_point_is_another_score(
        self, tmp_path: Path, second: int
    ) -> None:
        export = ranked(1, (1, 1, 1), (2, 3, 1), (3, 4, second), (4, 2, 0))
        assert "P 3, score after round 1: 1 in the file, 0.5 here" in refused(
            tmp_path, export
        )

    def test_nor_is_it_rounding_where_all_keizer_scores_are_in_halves(
        self, tmp_path: Path
    ) -> None:
        """Values 4 to 1: 4 + 3; 3; 2 + ½; 1 + 1."""
        export = ranked(2, (1, 1, 7), (2, 2, 3), (3, 3, 3), (4, 4, 2))
        said = refused(tmp_path, export).splitlines()
        assert said[2:] == ["P 3, score after round 1: 3 in the file, 2.5 here"]

    def test_keizer_scores_with_thirds_may_be_printed_as_whole_numbers(
        self, tmp_path: Path
    ) -> None:
        """Values 6 to 2: 6 + 5; 5; 4 + 1½; 3 + 2; and of P 5, who is away, 2 + ⅔."""
        export = ranked(2, (1, 1, 11), (2, 3, 6), (3, 2, 5), (4, 4, 5), (5, 5, 3))
        away = {"Round": 1, "PlayerNr": 5, "Player": "P 5", "Reason": "Abs with msg"}
        export["GroupReport"][0]["RoundHist"][0]["Abs"] = [away]
        _, noted = imported(tmp_path, export)
        assert noted.startswith(note_all_same(5))


class TestPlaces:
    def test_places_that_contradict_the_scores_are_others(self, tmp_path: Path) -> None:
        said = refused(
            tmp_path, ranked(1, (1, 2, 0), (2, 3, 0.5), (3, 4, 0.5), (4, 1, 1))
        )
        assert "P 2, rank after round 1: 1 in the file, 4 here" in said
        assert "P 1, rank after round 1: 4 in the file, 1 here" in said

    @pytest.mark.parametrize("places", [(1, 3, 2, 4), (1, 2, 2, 4), (3, 5, 6, 9)])
    def test_equal_scores_stand_in_any_order_and_places_may_be_of_a_longer_list(
        self, tmp_path: Path, places: Sequence[int]
    ) -> None:
        lines = zip(places, (1, 3, 4, 2), (1, 0.5, 0.5, 0), strict=True)
        assert imported(tmp_path, ranked(1, *lines))[1].startswith(note_all_same(4))


@pytest.mark.parametrize(
    ("export", "sentence"),
    [
        ('{"GroupReport": []}', "there is no group in it."),
        ('{"GroupReport": [', "this is not JSON, or broken."),
        (
            '{"GroupReport": [{"Ranking": [{"Round": "x", "Player": [{}]}]}]}',
            " is no whole number.",
        ),
        (
            json.dumps(group(RoundHist=[{"ID": 1, "Game": [5]}])),
            "Game is not a list of objects.",
        ),
        (
            json.dumps(group(RoundHist=[{"ID": 1, "Game": {}}, 1])),
            "RoundHist is not a list of",
        ),
        ('{"GroupReport": [[[[]]]]}', "GroupReport is not a list of objects."),
        (json.dumps(group()), "there is nobody in it."),
        (json.dumps(with_game(Round=True)), "Round is no whole number."),
        (json.dumps(with_game(Round=1.0)), "Round is no whole number."),
        (json.dumps(with_game(WhiteNr=1 << 63)), "WhiteNr is no whole number."),
        (json.dumps(with_game(White={"x": 1})), "White is not a text."),
        (json.dumps(with_game(White=5)), "White is not a text."),
        (json.dumps(with_game(White="A\ud800")), "White is not a text."),
        (json.dumps(with_game(Res=1)), "Res is not a text."),
        (json.dumps(with_line(IRtg="1800")), "IRtg is not a number."),
        (json.dumps(with_line(NBye=True)), "NBye is not a number."),
        (json.dumps(with_line(Pos="1")), "Pos is not a number."),
        ('{"GroupReport": [{"Name": "A", "Name": "B"}]}', "an object has a key twice."),
        ('{"GroupReport": [{"Name": "A"}], "x": NaN}', "this is not JSON, or broken."),
        (
            json.dumps(group(RoundHist=[{"ID": 1, "Game": [game(1, 1, 1, "1-0")]}])),
            "round 1, player 1: ",
        ),
    ],
)
def test_what_is_no_export_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, export: str, sentence: str
) -> None:
    db, file = tmp_path / "club.db", tmp_path / "export.json"
    file.write_text(export, encoding="utf-8")
    new_club(db)
    refused = keizer("import", db, file, fails=True)
    assert sentence in refused.stderr
    assert rows(db, "SELECT count(*) FROM player") == [(0,)]


@pytest.mark.each
@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("PLAYERS", 4, "more than 4 players"),
        ("GAMES", 2, "more than 2 games"),
        ("PLACES", 20, "more than 20 places in standings"),
        ("LINES", 100, "more than 100 rounds to count"),
    ],
)
def test_the_limits_are_of_all_groups_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, said: str
) -> None:
    """A group of two players, with games in rounds 1 and 5, is within each of them; two are not."""
    hist = [{"ID": number, "Game": [game(number, 1, 2, "1-0")]} for number in (1, 5)]
    one = {"ID": 1, "Name": "G", "RoundHist": hist}
    monkeypatch.setattr(limits, limit, most)
    file = tmp_path / "export.json"
    for groups in (1, 3):
        file.write_text(json.dumps({"GroupReport": [one] * groups}))
        with pytest.raises(KeizerError, match=said) if groups > 1 else nullcontext():
            sevilla.read(file)
