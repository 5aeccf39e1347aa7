"""Names that somebody could type, paste or smuggle in, by families.

ACCEPTED are names like any other: they come out as they went in. REFUSED get a
sentence, of which a part is given.
"""

import unicodedata

_QUOTES = "'\"‘’‚‛“”„«»‹›`´′″「」『』〝＂"

ACCEPTED = [
    # markup
    '<script>alert("x")</script>', "<b>Anna</b>", "&amp;", "&lt;i&gt;", "<!-- x -->",
    "]]>",
    "<![CDATA[x]]>", "</td></tr></table>", "<img src=x onerror=alert(1)>",
    "<svg/onload=x>",
    "javascript:alert(1)", '"><script>x', "' onmouseover='x", "&#60;", "&nbsp;", "&",
    "<", ">",
    "<style>*{}</style>", "<a href=//x.y>z</a>", "&copy", "<br>", "</script>",
    "<plaintext>",
    # templates
    "{{7*7}}", "{% raw %}", "${7*7}", "#{7*7}", "<%= 7 %>", "[[x]]", "{# x #}", "%s",
    "%d%n",
    "{0}", "{}", "{name}", "%(name)s", "{0.__class__}", "%%", "{{", "}}", "f'{x}'",
    "{!r}",
    # quotes
    *(f"O{quote}Neill {number}" for number, quote in enumerate(_QUOTES)),
    # SQL
    "Robert'); DROP TABLE player; --", "' OR '1'='1", '" OR ""="', "1; SELECT 1", "a%b",
    "_",
    "x' UNION SELECT 1 --", "%", "?", ":name", "?1", "x'00'", "/* x */", "';", "[name]",
    # shells and paths
    "$(rm -rf x)", "`id`", "${HOME}", "$HOME", "~", "*", "a|b", "a&&b", "> x", "< y",
    "!!",
    "\\", "a\\b", "'", '"', "\\n", "\\x41", "%PATH%", "$'x'", "../../etc/passwd",
    "/dev/null",
    "C:\\Windows", "..", ".", "con", "NUL.txt", "a/b", "file:///x", "\\\\server\\x",
    "a=b",
    # CSV and JSON
    "a,b", "a;b c", "Baker, Judit", 'a"b', '"quoted"', ",", ";", "a, b; c|d", "'t Hart",
    "x,'y'", '","', "\\u0041", '{"a":1}', "[1]", '\\"', "null", "a: b", "a:excused",
    "x, -y",
    # values
    "None", "nan", "true", "False", "0", "1", "00", "007", "1e5", "0x10", "½", "1/3",
    "1.0",
    "Infinity", "2026-01-01", "#7", "#1", "#", "1-0", "0-1", "bye", "open", "½-½",
    "adj", "all",
    "name", "rank", "undefined", "9" * 30, "１２", "٣", "²",
    # scripts
    "محمد علي", "דוד שחמט", "Anna דוד", "王皓", "山田 太郎", "김민준", "วิชัย",
    "विश्वनाथन आनंद",
    "விஸ்வநாதன்", "Анна Каренина", "Магнус", "Νίκος Παππάς", "ΣΟΦΟΣ", "თამარ",
    "Լևոն Արոնյան",
    "አበበ", "ខ្មែរ", "ᏣᎳᎩ", "𐌰𐌽𐌽𐌰", "𠮷野", "فارسی ۱۲۳",
    # accents
    "Müller", "Muller", "Mueller", "José", "Jose", "Łukasz", "Lukasz", "Søren", "Soren",
    "Ångström, Zoë", "Angstrom, Zoe", "Dvořák", "İnan", "Inan", "Inän", "ınan", "Groß",
    "Gross",
    "Straẞe", "Ĳsbrand", "Griﬃth", "Æsir", "Œuvre", "ﬂorin", "Phạm", "Nguyễn Thị", "Ǆ",
    "ŉ",
    unicodedata.normalize("NFC", "Z̷̢̛̪á̴̡l̵̨̛g̶̱͘ǫ̷̀"), "q̃", "x" + "\u0301" * 20,
    "\u1ec7",
    # signs
    "♟ Judit", "😀", "👩🔬", "🇳🇱", "1️⃣", "👍🏽",
    "™", "№ 5", "€", "∑", "→", "·", "•", "…",
    # lengths
    "a", "Ж", "ß", "あ", "x" * 200, "Ж" * 200, "é" * 199 + "e", "W " * 99 + "W",
    "Maximiliana Wolkenstein-Hohenzoller", "Maximiliana Wolkenstein-Hohenzollern 1",
    "Maximiliana Wolkenstein-Hohenzollern 2", "Maximiliana Wolkenstein von und zu Z",
    # reports
    "001 1 m GM Baker", "### keizer: player {}", "### x", "012 Open", "XXR 9", "1. e4",
    '[Event "x"]', 'a"]', '\\"]', "{comment}", "(x)", ";x", "%x", "$1", "1-0 {x}",
    "0000 - U",
    "\\textbf{x}", "$x^2$", "a_b^c", "\\input{x}", "100%", "#include", "\\033[31m",
    "^[[31m",
    "https://x.y/?a=1&b=2#c", "a@b.c", "'=1+1", "(=1)", "x+1", "1=1",
]  # fmt: skip

REFUSED = {
    **dict.fromkeys(("", " ", "\t\n", "\u200b", "\ufeff\u200d", "\u00a0\u2009"),
    "needs a name"),
    **dict.fromkeys(
        [f"An{chr(code)}na" for code in (0, 1, 7, 8, 0x1B, 0x7F, 0x80,
        0x9B)]  # controls
        + [f"An{chr(code)}na" for code in (*range(0x202A, 0x202F),
        *range(0x2066, 0x206A))]  # bidi
        + ["\x1b[31mred", "\x1b]0;title\x07", "a\ue000", "a\U000f0000", "a\u0378",
        "a\uffff"]
        + ["\ud800", "x\udcff", "\u3164", "\u2800x", "a\u061cb", "a\ufff9b",
        "🏴\U000e0067"],
        "which nobody can see",
    ),
    **dict.fromkeys(
        ("=1+1", "+49", "-x", "@SUM(A1)", "\t=1", "\u00a0=1", "\u200b=1", "--", "-->",
        "＝1+1",
         "=cmd|' /C x'!A0", "＠x", "x,=1", "x;=1", "x;-1+1", '=HYPERLINK("http://x.y")'),
        "is a formula in spreadsheets",
    ),
    **dict.fromkeys(["y" * 201, "y" * 10_000, "é" * 201], "has at most 200 characters"),
    **dict.fromkeys(["\u0301a", "\u20dd", "\u0338>"], "without a letter"),
    **dict.fromkeys(
        ("MÜLLER", "Mu\u0308LLER", "АННА Каренина", "анна каренина", "νίκος παππάς",
        "σοφος",
         # with a letter of another script
         "J\u043ese", "Gr\u043ess", "\u0391ngstrom, Zoe",
         "Ｍｕｌｌｅｒ", "𝐌𝐮𝐥𝐥𝐞𝐫", "Griffith", "IJsbrand", "O’Neill 0", "ʼt Hart",
         "NONE",
         "12",
         "M\u034fuller", "Muller\ufe0f"),
        "would be taken for",
    ),
}  # fmt: skip
