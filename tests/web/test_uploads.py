"""Files that a director sends: how often they are on the disk, and how long they are held."""

import io
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from urllib.parse import urljoin

import pytest

from keizer.errors import KeizerError
from keizer.formats import limits
from keizer.web.app import application
from keizer.web.bodies import ANYBODY, UPLOADS, Body
from keizer.web.uploads import HELD, Held, Upload
from keizer.web.visit import Face
from tests.support.face import BASE, Person, as_director, ask, client, director
from tests.support.wsgi import call_application

UNCLEAR = b"name,rating\nAnna Viser,1800\n"
"""A list with somebody who may be a member, and who is asked about."""
LARGE = UNCLEAR + 36 * (b" " * 60_000 + b"\n")


@pytest.fixture(autouse=True)
def _nothing_is_held() -> Iterator[None]:
    HELD.let_go_of_old(float("inf"))
    yield
    HELD.let_go_of_old(float("inf"))
    assert not HELD.size and not UPLOADS.taken


KIND = "multipart/form-data; boundary=x"


def form_of(data: bytes, **fields: str) -> bytes:
    """What a browser sends of a form with a list."""
    part = '--x\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n'
    typed = [f"{part.format(name, '')}{value}\r\n" for name, value in fields.items()]
    head = "".join(typed) + part.format("list", '; filename="list.csv"')
    return head.encode() + data + b"\r\n--x--\r\n"


def looked_at(face: Face, data: bytes) -> Person:
    """The director before the page that asks about a list."""
    person = director(face)
    sent = form_of(data, token=person.page.token, back="members")
    person.read("POST", urljoin(BASE, "/do/import"), data=sent, content_type=KIND)
    return person


def test_a_file_is_held_while_its_page_asks_and_goes_with_the_yes(face: Face) -> None:
    for data in (UNCLEAR, LARGE):
        person = looked_at(face, data)
        assert "Anna Viser" in person.page.html and HELD.size == len(data)
        person.press("Check again")
        assert HELD.size == len(data)
        person.press("Import the list")
        assert person.status == 200 and not HELD.size


def test_what_needs_no_yes_is_not_held(face: Face) -> None:
    """A list that is taken at once, one that is refused, and what a program sends."""
    key = as_director(face)
    for sent in (b"name\nZoe\n", b"\0", UNCLEAR):
        data = {"list": (BytesIO(sent), "list.csv")}
        ask(client(face), "/do/import", "POST", data=data, headers=key)
        assert not HELD.size


def test_more_than_an_act_reads_is_refused_before_it_is_held(face: Face) -> None:
    """16 MB of a season or a list; a rating list can have 128."""
    key, large = as_director(face), bytes(limits.SEASON + 1)
    for act, said in (("import", "larger than 16 MB"), ("rate", "")):
        sent = {"data": form_of(large), "content_type": KIND, "headers": key}
        answer = ask(client(face), f"/do/{act}", "POST", **sent)
        assert answer.status_code == 409 and said in answer.text
        assert said or "larger than" not in answer.text


def test_the_body_is_gone_when_its_file_has_been_copied(face: Face) -> None:
    """So that an upload is on the disk twice at most, and twice it is counted."""
    sent = form_of(LARGE)
    with closing(Body()) as body:
        body.is_directors(KIND)
        body.expect("", len(sent))
        assert len(sent) > ANYBODY and UPLOADS.taken == 2 * len(sent)
        body.write(sent)
        environ = {
            "REQUEST_METHOD": "POST",
            "CONTENT_TYPE": KIND,
            "HTTP_AUTHORIZATION": f"Bearer {face.keys.director}",
            "HTTP_ACCEPT": "application/json",
            **body.environment(),
        }
        assert (
            "Anna Viser"
            in call_application(application(face), "/do/import", **environ)[2]
        )
        assert body.file.seek(0, io.SEEK_END) == 0


def test_a_form_brings_few_files(face: Face) -> None:
    """Each of a thousand could have a megabyte of the memory."""
    data = {f"list{number}": (BytesIO(b"x"), "list.csv") for number in range(4)}
    answer = ask(
        client(face), "/do/import", "POST", data=data, headers=as_director(face)
    )
    assert answer.status_code == 413


def test_who_sends_a_yes_for_a_large_file_takes_room_on_the_disk(face: Face) -> None:
    """It is copied to be read, though the form is small."""
    person = looked_at(face, LARGE)
    UPLOADS.take("elsewhere", UPLOADS.most)
    try:
        (form,) = (one for one in person.page.forms if one.action.endswith("do/import"))
        data = form.sent(None, {"sure": "1"})
        answer = person.client.post(
            "/do/import", data=data, base_url="http://localhost"
        )
        assert answer.status_code == 503 and HELD.size == len(LARGE)
    finally:
        UPLOADS.give_back("elsewhere", UPLOADS.most)


def upload(size: int) -> Upload:
    """A file of so many bytes, of which there is none."""

    class Sized(BytesIO):
        def tell(self) -> int:
            return size

    return Upload(Sized(), "list.csv")


def held(them: Held, whose: object, keys: list[str]) -> list[bool]:
    """Whether each of these is still held."""

    def is_held(key: str) -> bool:
        try:
            return bool(them.find(whose, key))
        except KeizerError:
            return False

    return [is_held(key) for key in keys]


def test_of_a_club_few_files_are_held_the_latest() -> None:
    """Three, in 128 MB."""
    them = Held()
    keys = [them.keep("club", upload(1)) for _ in range(5)]
    assert held(them, "club", keys) == [False, False, True, True, True]
    keys = [them.keep("club", upload(50 << 20)) for _ in range(3)]
    assert held(them, "club", keys) == [False, True, True]


def test_of_all_clubs_256_mb_are_held_the_latest() -> None:
    them = Held()
    keys = [them.keep(club, upload(limits.ZIP)) for club in range(5)]
    assert them.size == 2 * limits.ZIP
    assert [held(them, club, [key])[0] for club, key in enumerate(keys)] == [
        0,
        0,
        0,
        1,
        1,
    ]


def test_a_file_is_held_for_an_hour_and_for_its_own_club() -> None:
    them, file = Held(), upload(1)
    key = them.keep("club", file, now=0)
    assert held(them, "other", [key]) == [False]
    them.let_go("other", key)
    them.let_go_of_old(now=3599)
    assert held(them, "club", [key]) == [True]
    them.let_go_of_old(now=3600)
    assert held(them, "club", [key]) == [False]
    with pytest.raises(KeizerError, match="not held any more"), file.copied():
        pass
