"""Bad input: one sentence, an exit code that is not 0, the file unchanged."""

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from keizer.store import database
from tests.support.console import Console
from tests.support.files import edit, one_sentence, run_keizer
from tests.support.scenes import scenes

READING = (
    "standings",
    "pairings",
    "explain Anna",
    "rules",
    "check",
    "next-round --dry-run",
)
WRITING = (
    "add Zoe", "withdraw Anna", "absent Anna", "present Anna", "next-round", "result 1 1-0", "undo",
    "rules step=2",
)  # fmt: skip

# ------------------------------------------------------------- what is no season file


NEWER = (
    "PRAGMA application_id = 1264937338",
    "PRAGMA user_version = 99",
    "CREATE TABLE player (x)",
)
NO_SEASON: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda _: None, "does not exist"),
    "a folder": (lambda path: path.mkdir(), "is a folder"),
    "empty": (lambda path: path.touch(), "is empty, not a Keizer file"),
    "a text": (lambda path: path.write_text("Anna,2000\n"), "is not a SQLite database"),
    "foreign": (
        lambda path: edit(path, "CREATE TABLE recipe (x)"),
        "but not a Keizer file",
    ),
    "newer": (lambda path: edit(path, *NEWER), "has layout 99"),
}


@pytest.mark.parametrize("what", NO_SEASON)
def test_what_is_no_season_file(tmp_path: Path, what: str) -> None:
    """Nor does init write over it; what is missing is not made."""
    make, sentence = NO_SEASON[what]
    console = Console(tmp_path / "club.db")
    make(console.db)
    for line in READING + WRITING + ("init --name Club",) * (what != "missing"):
        assert sentence in console.refused(line), line
    assert sorted(tmp_path.iterdir()) == ([console.db] if console.db.exists() else [])


def test_init_where_nothing_can_be_written_or_is_known(tmp_path: Path) -> None:
    nowhere = Console(tmp_path / "nowhere" / "club.db")
    assert "cannot be created" in nowhere.refused("init --name Club")
    here = Console(tmp_path / "club.db")
    assert "there is no preset" in here.refused("init --name Club --preset chess960")
    assert not here.db.exists()


def test_a_read_only_file_is_only_read(example: Console) -> None:
    example.db.chmod(0o444)
    for line in WRITING:
        assert "read-only" in example.refused(line.replace("Anna", "Baker")), line
    for line in READING:
        example(line.replace("Anna", "Baker"))


def test_a_row_that_a_damaged_file_has_lost(console: Console) -> None:
    """Its pages are whole; by one bit the tournament has another number, and so no rules."""
    console("next-round")
    data = bytearray(console.db.read_bytes())
    # Behind its number and the 14 bytes of its header.
    row = data.index(b"Clubrunningon") - 14
    assert data[row - 1 : row + 1] == b"\x01\x0e"
    data[row - 1] ^= 4
    console.db.write_bytes(data)
    assert "restore" in console.refused("result 1 1-0")


@pytest.mark.parametrize("views", ["of this keizer", "of another keizer"])
def test_a_mistake_of_keizer_is_not_blamed_on_the_file(club: Path, views: str) -> None:
    """Whoever reports it needs to know where it is."""
    if views == "of another keizer":
        edit(club, "DROP VIEW z_code")
    with pytest.raises(TypeError, match="ours"), database.reading(club):
        raise TypeError("ours")


# ------------------------------------------------------------- what makes no sense

ONE_OF_THEM = "use names or --list"
NO_DRAFT = "it is no longer a draft"
NOBODY = "there is no player “Nobody”"

# What was typed before, on the club of four: what is refused then, and how.
REFUSED = {
    "": {
        "absent Ana": "there is no player “Ana”: did you mean Anna (#1)?",
        "withdraw Nobody": NOBODY,
        "explain Nobody": NOBODY,
        "add Anna": "Anna has already entered",
        "add '  '": "needs a name",
        "add 'A\x1b[31mB'": "“A\\x1b[31mB” has the character U+001B",
        "absent Anna --kind asleep": "use one of excused, unexcused",
        "absent Anna --kind bye": "a bye is not an absence",
        "absent Anna --kind bye --by-default": "a bye is not an absence",
        "absent Anna --by-default --round 5": "leave --round out",
        "absent Anna --round 8-5": "“8-5” goes from high to low",
        "absent Anna --round 0": "is not a round",
        "absent Anna --round 4-": "is not a round",
        "absent Anna --round x": "is not a round",
        "absent Anna --round 1000": "is not a round",
        "present Anna": "Anna is not signed off",
        "present --others excused": "--others needs --list",
        "present --list - --round 6": "--round needs names",
        "present Anna --list -": ONE_OF_THEM,
        "present Anna --json": ONE_OF_THEM,
        "rounds --date 8-5 2026-12-12": "“8-5” goes from high to low",
        "rounds --date 1 2026-13-01": "“2026-13-01” is not a date such as 2026-03-12 or 12-3-2026.",
        "publish-round": "no round is paired yet",
        "unpair": "no round is paired yet",
        "result": "no round is paired yet",
        "result 1 1-0": "no round is paired yet",
        "swap Anna Boris": "no round",
        "prohibit --name team --remove": "no pairings are prohibited",
        "prohibit Anna Daan": "--name",
        "prohibit --name team": "choose the players.",
        "next-round --keep 1": "--keep needs --again",
        "next-round --pair Anna Anna": "cannot meet themselves",
        "next-round --pair Anna Boris --pair Boris Clara": "cannot be seated twice",
        "next-round --pair Anna Nobody": NOBODY,
        "next-round --bye Anna": "so nobody has the bye",
        "standings -t Blitz": "there is no tournament “Blitz”",
        "init --name ' '": "a tournament needs a name",
        "init --name Club": "already has a tournament",
        "rules setp=2": "there is no rule “setp”; the rules are name, status, ladder,",
        "rules step": "write KEY=VALUE",
        "rules step=2 win=1/7": "win=1/7 was refused",  # which spoils the other
        "rules ladder=rope": "ladder must be top, bottom, range or score",
        "rules recalculation=often": (
            "recalculation must be classic, settled, latest, frozen, lagged or fixed"
        ),
        "rules tiebreaks=score,luck": "there is no tie-break “luck”; choose from aob, aob-f, appo,",
        "rules tiebreaks=,": "a name is missing: write the list as in score,de,sb,wins.",
        "rules excused.season_cap=many": "season_cap must be 0 to 999 or none",
        "rules excused.instead=nap": "unknown kind of unplayed round",
        "rules win=none": "scoring.factor is missing",
        "rules --preset chess960": (
            "there is no preset “chess960”; choose one of keizer, swiss, swiss-half, swiss-fide, magic"
        ),
        "rules --for Anna --preset swiss": "--preset is about all players",
        "rules --diff chess960": "there is no preset “chess960”",
        "rules --add-kind bye": "already has a kind “bye”",
        "rules --for Anna excused=nap": "“nap” is not a kind of unplayed round",
        "rules --for Anna excused": "write KIND=KIND",
        "correct Anna 1.0001": "a correction must be -100000 to 100000 points in thousandths",
        "correct Nobody 1": NOBODY,
        "correct Anna 1 --round 5 --until 3": "must not be before its first",
        "period 2 --by-rating": "--by-rating needs --reset",
        "period 7 --remove": "no period starts with round 7",
        "describe standing": "no table or view standing; did you mean standings",
        "describe standings --datasette": "--datasette describes the whole file",
        "site": "`keizer site DB DIR`",
        "site www --columns value,luck": "“luck” is no column of the page",
        "site www --colour red": "colour must be #rrggbb, such as #1f5c43",
        "site www --lang xx": "there is no language “xx”; choose one of en, de, fr, nl.",
        "player Anna --name Boris": "another player is called Boris",
        "player Anna --name 'BORIS'": "would be taken for Boris (#2)",
        "player Anna --name ' '": "a player needs a name",
        "player Anna --born 17-5-1990": "born must be a year or a date",
        "player Anna --rating 5000": "“5000” is not a whole number from 0 to 4000",
        "player Nobody --rating 1500": NOBODY,
        "player Anna --remove --rating 1500": "leave out the other options",
        "player Anna --merge Anna": "cannot be merged with themselves",
    },
    "init --name Empty": {
        "next-round -t Empty": "nobody is present for round 1",
        "standings": "--tournament",
        "pairings": "“Empty” (#2)",
    },
    "add José && add Jose --new && add JÓSE --new && add Ann": {
        "absent jose": "Jose (#6)",
        "absent josé": "“josé” fits Jose (#6), José (#5), JÓSE (#7): type the number of the one",
        **dict.fromkeys(
            (
                "present jos",
                "card jos",
                "withdraw JOS",
                "explain jos",
                "correct jos 1",
                "swap jos Anna",
                "player jos",
            ),
            "fits Jose (#6)",
        ),
    },
    "absent Anna --round 7": {
        "present Anna --round 6-7": "Anna is not signed off from round 6."
    },
    "absent Daan": {"next-round --pair Anna Daan": "Daan is not present in round 1"},
    "withdraw Anna": {
        "withdraw Anna": "has already withdrawn",
        "add Anna --from-round 9": "comes back in the next round",
    },
    "withdraw Anna && add Anna": {"add Anna": "Anna has already entered"},
    "next-round": {
        "next-round": "round 1 is a draft: --again pairs it again",
        "next-round --again --keep 5": "round 1 has no board 5.",
        "next-round --again --keep 2,7-8": "round 1 has no boards 7 and 8.",
        "next-round --again --keep x": "is not a board",
        "next-round --again --keep 0": "is not a board",
        "next-round --again --keep 1 --bye Anna": "Anna cannot be seated twice",
        "publish-round --take-back": "is already a draft",
        "result -r 3": "round 3 has no boards",
    },
    "next-round && publish-round": {
        "result 1 2-0": "“2-0” is not a result; use one of 1-0",
        "result 1": "board 1 needs a result",
        "result one 1-0": "there is no player “one”",
        "result 9 1-0": "round 1 has no board 9: it has 1 to 2",
        "result 1 1-0 --round 7": "round 7 has no boards",
        "pairings --round 7": "there is no round 7",
        "standings --round 7": "there is no round 7",
        "present Anna --round 1": "is already paired",
        "absent Anna --round 1": "Anna is paired in round 1",
        "swap Anna Clara": "round 1 is published: use --anyway",
        "unpair": NO_DRAFT,
        "next-round --again": NO_DRAFT,
        "publish-round": "round 1 is already published.",
    },
    "next-round && result 2 1-0": {
        "next-round": "no result on board 1:",
        "present Anna": "not signed off from round 2. `keizer seat` adds a board to round 1.",
        "unpair": (
            "round 1 is published or has results: it is no longer a draft."
            " `keizer next-round` pairs round 2; `keizer publish-round DB --take-back` makes"
            " round 1 a draft again while it has no result."
        ),
        "swap Anna Clara --anyway": "board 2 has a result",
        "swap Clara Daan": "has a result",
        "publish-round --take-back": "round 1 has results",
    },
    "absent Daan Clara && next-round": {
        "swap Anna Daan": "both players must be in round",
        "swap Anna Anna": "with themselves",
    },
    "absent Anna && next-round && result 1 1-0 && seat Anna Daan": {
        "seat Anna Daan": "Anna already has a board in round 1",
        "seat Anna Anna": "cannot meet themselves",
    },
}


@pytest.mark.addons
@pytest.mark.parametrize("before", REFUSED)
def test_what_makes_no_sense(console: Console, before: str) -> None:
    console(before)
    for line, sentence in REFUSED[before].items():
        assert sentence in console.refused(line), line


GAMES, AWAY = "import - --games", "import - --unplayed"

# What is typed: what it reads from standard input, and the line and the fault that it tells.
READ = {
    "import -": {
        # the highest number there is room for
        f"name,fide_id,start_rank\nEva,{'9' * 18},{'9' * 18}\nEva,,\n": "line 3",
        "name,rating\n,1500\n": "line 2",
        "Eva,15000\n": "line 1",
        'name,rating\nEva,1500\n"Fem,1500\n': "line 3",
        "": "line 1",
    },
    GAMES: {
        "round,white,black,result\n1,Anna,Boris,1-0\n1,Clara,Dan,1-0\n": "line 3",
        "round,white,black,result\n1,Anna,Boris,2-0\n": "line 2",
        "round,white,black\n1,Anna,Anna\n": "line 2",
        "round,white,black\n1,Anna,Boris\n1,Clara,Anna\n": "line 3",
        "round,white,black\none,Anna,Boris\n": "line 2",
        f"round,white,black\n{'9' * 5000},Anna,Boris\n": "line 2",
        f"round,white,black,board\n1,Anna,Boris,{'9' * 20}\n": "line 2",
    },
    AWAY: {
        "round,player,kind\n1,Anna,ill\n": "line 2",
        "round,player,kind\n1,Anna,excused\n1,anna,bye\n": "line 3",
        "round,player,kind\n1,Eva,bye\n": "line 2",
    },
    "ratings -": {"name,rating\nEva\n": "line 2"},
    "present --list -": {
        "Anna\nBoriss": "the list, line 2: there is no player “Boriss”: did you mean Boris (#2)?",
        "Anna: asleep": "the list, line 1: “asleep” is not a kind of unplayed round",
        "Anna: bye": "the list, line 1: a bye is not an absence",
        "Anna\nanna": "the list, line 2: Anna is in the list twice.",
    },
    "result - --round 1": {
        "1 1-0\n2 3-0\n": "line 2: “3-0” is not a result",
        "1 1-0\n\nx =\n": "line 3: there is no player “x”",
        "1 1-0\n5 =\n": "has no board 5",
        "": "standard input has no results",
    },
}


@pytest.mark.parametrize("line", READ)
def test_a_bad_line_is_named_and_nothing_is_read(console: Console, line: str) -> None:
    console("next-round" if line.startswith("result") else "")
    where = "standard input, " if line.startswith(("import", "ratings")) else ""
    for text, sentence in READ[line].items():
        assert f"{where}{sentence}" in console.refused(line, stdin=text), text


def test_all_faults_of_a_list_are_told_at_once(console: Console) -> None:
    console("next-round")
    before = console.db.read_bytes()
    for line, text, faults in (
        ("present --list -", "Ana\nAnna\nBoris: asleep\nanna", ["nobody was signed on or off",
            "line 1: there is no player “Ana”", "line 3: “asleep” is not a kind", "line 4: Anna is"]),
        ("result -", "1 3-0\n2 =\nx 1\n", ["no result was entered",
            "line 1: “3-0” is not a result", "line 3: there is no player “x”"]),
    ):  # fmt: skip
        command, *rest = line.split()
        said = run_keizer(
            command, console.db, *rest, stdin=text, fails=True
        ).stderr.splitlines()
        assert f" has {len(faults) - 1} faults, {faults[0]}:" in said[0]
        assert all(
            part in told for part, told in zip(faults[1:], said[1:], strict=True)
        )
        assert console.db.read_bytes() == before


def test_a_file_that_is_not_there_or_not_text(console: Console, tmp_path: Path) -> None:
    said = console.refused(f"import {tmp_path}/none.csv")
    assert (
        f"Error: {tmp_path}/none.csv cannot be read: No such file or directory." in said
    )
    said = console.refused(f"import {tmp_path}")
    assert f"Error: {tmp_path} cannot be read: Is a directory." in said
    (tmp_path / "old.csv").write_bytes(b"name\nEva\nJos\x81\n")
    said = console.refused(f"import {tmp_path}/old.csv")
    assert "old.csv, line 3: this is not UTF-8 text: save it as such" in said
    said = console.refused(f"present --list {tmp_path}/old.csv")
    assert said == "Error: what was read is not UTF-8 text: save it as UTF-8.\n"


test_names = scenes("""
Names are matched but never guessed.
  add José && add Jose --new && add JÓSE --new && add Ann && absent Jose '#7' DAAN ann
  SELECT player_id FROM unplayed ORDER BY player_id => 4; 6; 7; 8

Nobody is swapped whom another program has set absent.
  absent Daan && next-round
  UPDATE x_player_tournament SET absent_as = 'excused' WHERE player_id = 3
  ! swap Anna Boris => Clara is not present in round 1: pair it again.
""")


def test_of_many_tournaments_twelve_are_listed(tmp_path: Path) -> None:
    console = Console(tmp_path / "many.db")
    for number in range(14):
        console(f"init --name T{number}")
    assert "“T11” (#12) and 2 more." in console.refused("standings")


# ------------------------------------------------------------- streams


@pytest.mark.addons
@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_what_comes_through_a_pipe_is_read(
    tmp_path: Path, sample: Path, installed: str, name: str
) -> None:
    """CSV or a report; whole, though it can be read only once."""
    if name != "-" and not Path(name).exists():
        pytest.skip("this system has no names for its pipes")
    report = run_keizer("export", sample, "-", "--trf").stdout_bytes
    for text, said in ((b"name\nEva\nDan\n", b"2 players "), (report, b"10 players, ")):
        club = tmp_path / f"{len(text)}.db"
        run_keizer("init", club, "--name", "Club")
        done = subprocess.run(
            [installed, "import", club, name],
            input=text,
            stdout=subprocess.PIPE,
            check=True,
        )
        assert done.stdout.startswith(said)


STREAMS = {
    "{keizer} standings {db} >&-": (0, ""),
    "{keizer} rules {db} 2>&-": (0, "top_value"),
    "{keizer} result {db} - <&-": (1, "standard input has no results"),
    "{keizer} result {db} <&- 2>&1": (0, "boards"),
    # A limit on file size stands in for a full disk.
    "ulimit -f 10; trap '' XFSZ; exec {keizer} next-round {db}": (1, "Error: "),
}


@pytest.mark.posix
@pytest.mark.parametrize("line", STREAMS)
def test_a_stream_that_fails_is_no_traceback(
    sample: Path, installed: str, line: str
) -> None:
    """Closed, as some programs that start others leave it; the file stays as it is."""
    before, (code, said) = sample.read_bytes(), STREAMS[line]
    command = line.format(keizer=shlex.quote(installed), db=shlex.quote(str(sample)))
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False
    )
    assert done.returncode == code and said in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert not said.startswith("Error") or one_sentence(done.stderr)
    Path(f"{sample}-journal").unlink(missing_ok=True)
    assert sample.read_bytes() == before
