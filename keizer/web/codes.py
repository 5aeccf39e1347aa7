"""QR codes as drawings for a page."""

import io

from markupsafe import Markup


def svg(link: str) -> Markup:
    """The code of a link, as SVG that takes the size of its place."""
    import segno

    drawn = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=3, light="#fff",
        svgclass="qr", lineclass=None,
    )  # fmt: skip
    return Markup(drawn.getvalue().decode())  # noqa: S704  # made of our own link alone
