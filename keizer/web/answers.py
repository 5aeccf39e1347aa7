"""What every answer has, and what somebody gets who gets no page: one sentence."""

from functools import lru_cache
from http import HTTPStatus

from werkzeug import Request, Response
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from keizer import languages, texts
from keizer.errors import KeizerError
from keizer.messages import Message, as_sentence
from keizer.web.rendering import environment

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none';"
    " form-action 'self'",  # blob: the picture that face.js makes
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
_LANGUAGES = 200
"""Characters that are read of the languages that a browser asks for: a dozen of them."""
RETRY_AFTER = 2
"""Seconds after which somebody may try again."""


class RefusedError(KeizerError):
    """A request that is refused, whatever the season is; status: as HTTP has it."""

    def __init__(self, said: str | Message, status: int = 403) -> None:
        super().__init__(said)
        self.status = status


def busy() -> RefusedError:
    """Return what is said where others are served first."""
    return RefusedError("too many people want the file at once: try again.", 503)


def language_of(request: Request) -> str:
    """Return the code of the language that a browser asks for, English if there is none.

    Only the beginning of the header is parsed, and once: it is asked where all clubs wait.
    """
    return best_language(request.headers.get("Accept-Language", "")[:_LANGUAGES])


@lru_cache(1000)
def best_language(accepted: str) -> str:
    """Return the code of the language that suits a header best, English if none does."""
    languages_in_order = parse_accept_header(accepted, LanguageAccept)
    return languages_in_order.best_match(languages.codes()) or "en"


def wants_json(request: Request) -> bool:
    """Return whether a program asks, which reads no pages."""
    return "application/json" in request.headers.get("Accept", "")


def refusal(request: Request, error: RefusedError) -> Response:
    """Make the answer to a request that no season's page answers.

    A program gets it as JSON, in English; a reader gets a page in the language of the browser.
    """
    if wants_json(request) or request.path.endswith(".json"):
        sentence = texts.json({"error": str(error.message)})
        response = Response(sentence, error.status, mimetype="application/json")
    else:
        page = _page(language_of(request), error.message, request.root_path.rstrip("/"))
        response = Response(page, error.status, mimetype="text/html")
    if error.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers.update(HEADERS)
    return response


@lru_cache(100)
def _page(language: str, sentence: Message, root: str) -> str:
    spoken, templates = environment(language)
    return templates.get_template("refused.html").render(
        language=language,
        root=root,
        sentence=as_sentence(sentence, spoken.said(sentence)),
    )
