"""Who may do what, and from where."""

import socket
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from hmac import compare_digest
from ipaddress import ip_address
from secrets import token_urlsafe
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from werkzeug.datastructures import Headers

from keizer.acts.declare import GUEST


class Person(NamedTuple):
    """Who asks: their rights, the member they are (player.id), and how they came."""

    rights: int = GUEST
    player: int | None = None
    by_key: bool = False
    """With the director's key in the request itself, not by a cookie."""
    device: str = ""
    """What tells one browser from another, by its cookie."""


def is_our_host(host: str) -> bool:
    """Whether a Host is an address of this machine, not a name that somebody points at it."""
    with suppress(ValueError):
        name = urlsplit(f"//{host}").hostname or ""
        here = socket.gethostname().lower() if hasattr(socket, "gethostname") else ""
        if name in {"localhost", here, f"{here}.local"} - {""}:
            return True
        ip_address(name)
        return True
    return False


def is_our_form(headers: Headers, host: str) -> bool:
    """Whether a form was sent by one of our own pages, as far as the browser says."""
    page = "/".join(headers.get("Referer", "").split("/")[:3])
    if not {headers.get("Origin"), page or None} <= {
        None,
        f"http://{host}",
        f"https://{host}",
    }:
        return False
    return headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def key(headers: Headers) -> str:
    """Return the key that a program sends; empty where it sends none."""
    return headers.get("Authorization", "").removeprefix("Bearer ").strip()


def token(session: MutableMapping[str, Any]) -> str:
    """What the forms of this session have to bring along."""
    if not isinstance(session.get("token"), str):
        session["token"] = token_urlsafe(16)
    return str(session["token"])


def is_token(session: Mapping[str, Any], typed: str) -> bool:
    """Whether a form brings it along."""
    known = session.get("token")
    return isinstance(known, str) and compare_digest(known.encode(), typed.encode())
