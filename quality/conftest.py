"""The fixtures of the tests, for those here."""

from tests.conftest import *  # noqa: F403
