"""Whom people mean: a number, a name in any order, a word or its beginning; nobody by guess."""

import itertools
import random
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keizer import KeizerError
from keizer.season.names import resolve, spelling
from tests.support.files import campaign

CLUB = dict(enumerate((
    "Jan van den Berg", "Tom O'Neill", "Müller, Hans", "Karl Müller", "Béla Kovács",
    "Maria de la Cruz", "Nguyen Van An", "Jean-Pierre Dupont", "Anna Smit", "Daan Smit",
    "Jansen, Piet", "Pieter Bakker", "Piet Visser", "Visser, Tom", "Łukasz Żółć", "Ünal Öztürk",
    "Anne-Marie van der Meer", "Groß, Uwe", "D'Angelo, Luca", "Kees",
), 1))  # fmt: skip

ONE = {
    "oneill": 2, "O'NEILL": 2, "o neill": 2, "neill": 2, "o’neill, tom": 2,
    "berg": 1, "van den berg, jan": 1, "vandenberg": 1, "v.d. berg": 1, "J. Berg": 1,
    "bela kovacs": 5, "Kovács": 5, "kov": 5, "cruz": 6, "delacruz": 6, "de la cruz maria": 6,
    "nguyen": 7, "an van nguyen": 7, "jean pierre": 8, "jeanpierre": 8, "pierre": 8,
    "hans mueller": 3, "Mueller, K.": 4, "h muller": 3, "a smit": 9, "Smit D": 10,
    "jansen": 11, "jan": 1, "bakker": 12, "p bakker": 12, "zolc": 15, "ozturk": 16,
    "Oeztuerk": 16, "gross": 18, "dangelo": 19, "angelo": 19, "meer": 17, "annemarie": 17,
    "kees": 20, "#13": 13, "13": 13, "Visser, Tom": 14, "tom visser": 14, "  VISSER   tom ": 14,
}  # fmt: skip
SEVERAL = {
    "muller": {3, 4}, "Müller": {3, 4}, "smit": {9, 10}, "visser": {13, 14}, "tom": {2, 14},
    "piet": {11, 13}, "van": {1, 7, 17}, "ann": {9, 17}, "m": {3, 4, 6, 17},
}  # fmt: skip
NOBODY = {
    "...": "there is no player “...”.", "xyz": "there is no player “xyz”.",
    "99": "no player has the number 99.", "#0": "no player has the number 0.",
    "Kovasc": "there is no player “Kovasc”: did you mean Béla Kovács (#5)?",
    "Jan Bakkker": "there is no player “Jan Bakkker”: did you mean Pieter Bakker (#12)?",
    "Visser Kovács":
        "there is no player “Visser Kovács”: did you mean Béla Kovács (#5), Piet Visser (#13) or"
        " Visser, Tom (#14)?",
}  # fmt: skip


def test_one_player_is_meant() -> None:
    assert {typed: resolve.find_player_id(typed, CLUB) for typed in ONE} == ONE


def test_one_of_several_is_never_taken() -> None:
    for typed, found in SEVERAL.items():
        with pytest.raises(KeizerError, match="type the number") as refusal:
            resolve.find_player_id(typed, CLUB)
        assert {*map(int, re.findall(r"[(]#([0-9]+)[)]", str(refusal.value)))} == found


def test_who_is_not_there_is_refused_with_those_who_come_near() -> None:
    """Of whose name a beginning alone is shared comes near to nobody."""
    for typed, said in NOBODY.items():
        with pytest.raises(KeizerError) as refusal:
            resolve.find_player_id(typed, CLUB)
        assert str(refusal.value) == said
    with pytest.raises(KeizerError, match=r"no player “Jan Smit”\.$"):
        resolve.find_player_id("Jan Smit", {1: "Jansen, Piet"})


@given(st.text(), st.dictionaries(st.integers(1, 99), st.text(min_size=1), max_size=5))
def test_whatever_is_typed_means_one_player_or_is_refused(
    typed: str, players: dict[int, str]
) -> None:
    try:
        found = resolve.find_player_id(typed, players)
    except KeizerError:
        return
    assert found in players


@given(st.text(min_size=1))
def test_a_whole_name_means_its_player(name: str) -> None:
    stored = spelling.tidy(name)
    assert (
        not stored or resolve.find_player_id(name, {7: stored, 8: stored + " b"}) == 7
    )


# ------------------------------------------------------ against a slow oracle

WORDS = (
    "Jan", "Jans", "Jansen", "Piet", "Pieter", "Ana", "Anna", "Anne-Marie", "O'Neill", "Neill",
    "van", "den", "de", "Berg", "Bergsma", "Müller", "Muller", "Kovács", "Kovač", "Smit", "Smits",
    "Łuk", "Groß", "Ian", "D'Angelo", "Ng",
)  # fmt: skip


def plain(text: str) -> str:
    """A text in small letters without accents, one by one; what is no letter is a blank."""
    text = text.replace("Ł", "L").replace("ł", "l").replace("ß", "ss")
    letters = unicodedata.normalize("NFD", text).lower()
    return "".join(
        letter if letter.isalnum() else " "
        for letter in letters
        if not unicodedata.combining(letter)
    )


def places(typed: str, name: str, *, whole: bool) -> bool:
    """Whether the words typed are words of the name, or begin some, each at one of its own.

    By trying every choice of places: a word typed may run on over the next words.
    """
    mine, its = plain(typed).split(), plain(name).split()
    for chosen in itertools.permutations(range(len(its)), len(mine)):
        ends = ("".join(its[place:]) for place in chosen)
        whole_ends = [
            {"".join(its[place:after]) for after in range(place + 1, len(its) + 1)}
            for place in chosen
        ]
        if whole and all(
            word in some for word, some in zip(mine, whole_ends, strict=True)
        ):
            return True
        if not whole and all(
            end.startswith(word) for word, end in zip(mine, ends, strict=True)
        ):
            return True
    return False


def typed_for(name: str, draw: random.Random) -> str:
    """What somebody may type for a player: some words or beginnings, in any order and dress."""
    words = (
        plain(name).split() if draw.random() < 0.5 else name.replace(",", " ").split()
    )
    draw.shuffle(words)
    words = words[: draw.randint(1, len(words))]
    words = [
        word[: draw.randint(1, len(word))] if draw.random() < 0.3 else word
        for word in words
    ]
    return draw.choice((str, str.upper, str.lower, str.title))(
        draw.choice((" ", ", ")).join(words)
    )


@pytest.mark.seeds
@pytest.mark.parametrize("count", [2_000, *campaign(10_000, 10_001)])
def test_typed_names_never_mean_a_wrong_player(count: int) -> None:
    """Who is taken fits better than all others: by the whole name, whole words, beginnings."""
    draw = random.Random(24)
    taken = several = 0
    for _ in range(count):
        entered = {" ".join(draw.sample(WORDS, draw.randint(1, 4))) for _ in range(12)}
        club = dict(enumerate(sorted(entered), 1))
        aim = draw.choice(list(club))
        typed = typed_for(club[aim], draw)
        fitting = {
            player for player in club if places(typed, club[player], whole=False)
        }
        whole = {player for player in club if places(typed, club[player], whole=True)}
        found = resolve.closest_names(typed, club)
        assert found
        assert set(found) <= (whole or fitting)
        if len(found) > 1:
            several += 1
            continue
        (one,) = found
        taken += 1
        others = (whole or fitting) - {one}
        letters = sorted(plain(typed).replace(" ", ""))
        assert not others or (letters == sorted(plain(club[one]).replace(" ", ""))), (
            typed,
            club[one],
            [club[other] for other in others],
        )
    assert taken > 0.3 * count
    assert several > 0.1 * count
