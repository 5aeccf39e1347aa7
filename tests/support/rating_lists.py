"""Rating lists as federations publish them."""

FIDE_TEXT = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag
1000001        Munoz, Boris                                                 ESP M   FM        FA                 2301  0   20 2250  0   20 2199  0   20 1975      
1000002        Aa, Anna van der                                             NED F   WFM  WFM                     2040  9   20 0     0   0  0     0   0  1988  w   
"""  # noqa: W291


def player(number: object, name: str, rating: object, **more: object) -> str:
    """Return a player as in players_list_xml_foa.xml; more: further tags, or others."""
    tags = {
        "fideid": number, "name": name, "country": "NED", "sex": "M", "title": "",
        "w_title": "", "o_title": "", "foa_title": "",
        "rating": rating, "games": 0, "k": 20,
        "rapid_rating": 0, "rapid_games": 0, "rapid_k": 20,
        "blitz_rating": 0, "blitz_games": 0, "blitz_k": 20,
        "birthday": 1980, "flag": "",
    } | more  # fmt: skip
    lines = [f"<{tag}>{text}</{tag}>\n" for tag, text in tags.items()]
    return "".join(["<player>\n", *lines, "</player>\n"])


def xml(*players: str) -> str:
    """Return a list of these players."""
    return "<playerslist>\n" + "".join(players) + "</playerslist>\n"
