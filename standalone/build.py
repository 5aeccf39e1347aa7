"""Build keizer.html: python -m standalone.build OUT.html; what a server needs: --site FOLDER.

From this checkout, npm's package `pyodide` and the wheels of requirements.txt, each of the hash
that is written down; nothing else is fetched. The same checkout gives the same bytes.
"""

import base64
import gzip
import hashlib
import io
import json
import struct
import subprocess
import sys
import zipfile
import zlib
from argparse import ArgumentParser
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from urllib.parse import quote

import keizer

HERE = Path(__file__).parent
ROOT = HERE.parent
PYODIDE = HERE / "node_modules" / "pyodide"
HASHES = {
    "pyodide.js": "3141b814715a72e59b51b1b18b9ceae5bf19f7c852417e431bb0a34feadf825c",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
"""SHA-256 of what is taken from npm's package."""
_CODECS = (
    "big5", "cp10", "cp11", "cp7", "cp85", "cp86", "cp87", "cp9", "euc", "gb", "hp", "hz",
    "iso2022", "johab", "kz", "mac_", "ptcp", "shift", "tis",
)  # fmt: skip
LEFT_OUT = (
    "__hello__", "__phello__/", "_ast_unparse", "_pydatetime", "_pyio", "_pyrepl/",
    "_sysconfigdata", "argparse", "asyncio/__main__", "asyncio/proactor", "asyncio/tools",
    "asyncio/windows", "bdb", "cProfile", "cmd.", "code.", "colorsys", "compileall",
    "concurrent/futures/process", "concurrent/interpreters/", "configparser", "ctypes/",
    "doctest", "ensurepip/", "filecmp", "fileinput", "ftplib", "getopt", "graphlib",
    "http/cookiejar", "imaplib",
    "importlib/_bootstrap", "zipimport",  # they are frozen in Python itself
    "logging/config", "logging/handlers", "mailbox", "modulefinder",
    "multiprocessing/", "netrc", "optparse", "pdb", "pickletools", "plistlib", "poplib", "profile",
    "pstats", "pty.", "py_compile", "pyclbr", "pydoc", "pyodide/_nodesock_transport",
    "pyodide/console", "rlcompleter", "runpy", "sched.", "shelve", "smtplib", "ssl", "statistics",
    "symtable", "tabnanny", "tarfile", "timeit", "trace.", "tracemalloc", "turtle",
    "unittest/", "urllib/robotparser", "venv/", "wave", "webbrowser", "wsgiref/", "xml/dom/",
    "xml/etree/", "xml/sax/", "xmlrpc/", "zipapp", "zoneinfo/",
    *(f"encodings/{name}" for name in _CODECS),
    "keizer/cli/", "keizer/exchange/cli/", "keizer/exchange/sqbpro",
    *(f"keizer/web/{name}" for name in ("folder", "lines", "listening", "public", "server")),
    "click/_termui_impl", "click/_winconsole", "click/shell_completion", "click/testing",
    "jinja2/sandbox", "werkzeug/_reloader", "werkzeug/debug/", "werkzeug/middleware/",
    "werkzeug/testapp",
)  # fmt: skip
"""What of the standard library and of packages nothing in keizer.html uses."""
TAKEN = (
    ".py", ".html", ".css", ".js", ".svg", ".sql", ".po", ".toml", ".json", ".csv", ".txt",
    ".ics", "wasm32-emscripten.so",
)  # fmt: skip
LINKS = """
<link rel="manifest" href="manifest.json">
<link rel="apple-touch-icon" href="icon-192.png">"""
"""What a page from a server has beside."""
LICENCES = [("Pyodide", "MPL-2.0"), ("CPython", "PSF-2.0"), ("SQLite", "public domain")]


class BuildError(Exception):
    """Why there is no keizer.html, in a sentence."""


def run(*line: str) -> str:
    """Run a program; what it printed. BuildError where it is missing or fails."""
    program = which(line[0])
    if program is None:
        raise BuildError(
            f"{line[0]} is not installed: keizer.html is built with node and npm."
        )
    done = subprocess.run(  # noqa: S603  # programs and paths are those named here
        [program, *line[1:]], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BuildError(
            f"`{' '.join(line)}` failed: {(done.stderr or done.stdout).strip()[-2000:]}"
        )
    return done.stdout


def pyodide() -> dict[str, bytes]:
    """The files of Pyodide by name, from npm unless they are there; BuildError for others."""
    wanted = [PYODIDE / name for name in HASHES]
    if not all(path.exists() for path in wanted):
        npm = (
            "npm",
            "install",
            "--prefix",
            str(HERE),
            "--no-package-lock",
            "--no-audit",
            "--no-fund",
        )
        run(*npm, "--silent")
    found = {path.name: path.read_bytes() for path in wanted}
    for name, data in found.items():
        if hashlib.sha256(data).hexdigest() != HASHES[name]:
            raise BuildError(
                f"{name} of Pyodide is not the file that was written down."
            )
    return found


def plain(module: bytes) -> bytes:
    """A module of Pyodide as a part of a script, which browsers let a worker from file:// be."""
    return module.replace(b"import.meta.url", b"location.href").replace(
        b"export default ", b""
    )


def wheels(folder: Path) -> list[zipfile.ZipFile]:
    """The wheels of requirements.txt, each of the hash that stands there."""
    run(
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
        "--only-binary", ":all:", "--platform", "pyemscripten_2026_0_wasm32",
        "--platform", "manylinux2014_x86_64", "--python-version", "3.14", "--implementation", "cp",
        "--dest", str(folder), "-r", str(HERE / "requirements.txt"),
    )  # fmt: skip
    return [zipfile.ZipFile(path) for path in sorted(folder.glob("*.whl"))]


def described(wheel: zipfile.ZipFile) -> dict[str, str]:
    """What a package is called, its version, its licence and the text of that."""
    names = wheel.namelist()
    (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    said = HeaderParser().parsestr(wheel.read(about).decode())
    classed = [line.rpartition(" :: ")[2] for line in said.get_all("Classifier", [])
               if line.startswith("License")]  # fmt: skip
    texts = [name for name in names if ".dist-info/" in name and "LICENSE" in name]
    return {
        "name": said["Name"], "version": said["Version"],
        "licence": said["License-Expression"] or ", ".join(classed),
        "text": wheel.read(texts[0]).decode(),
    }  # fmt: skip


def ours() -> Iterator[tuple[str, Path]]:
    """The files of keizer, as in its wheel, and what the worker calls."""
    for path in sorted((ROOT / "keizer").rglob("*")):
        yield path.relative_to(ROOT).as_posix(), path
    for path in sorted((ROOT / "views").rglob("*.sql")):
        yield f"keizer/{path.relative_to(ROOT).as_posix()}", path
    yield "keizer/schema.sql", ROOT / "schema.sql"
    for name in ("__init__.py", "face.py"):
        yield f"standalone/{name}", HERE / name


def zipped(files: dict[str, bytes]) -> bytes:
    """An archive of files, by path, which is always the same for the same files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in sorted(files.items()):
            if name.endswith(TAKEN) and not name.startswith(LEFT_OUT):
                archive.writestr(zipfile.ZipInfo(name), data)
    return packed.getvalue()


def application(found: list[zipfile.ZipFile]) -> dict[str, bytes]:
    """The files of the program: ours, and those of packages."""
    files = {name: path.read_bytes() for name, path in ours() if path.is_file()}
    for wheel in found:
        inside = (name for name in wheel.namelist() if ".dist-info/" not in name)
        files.update({name: wheel.read(name) for name in inside})
    return files


def parts(folder: Path) -> dict[str, bytes]:
    """What the page unpacks, by name: Python and the program, compiled."""
    found, packages = pyodide(), wheels(folder)
    files = application(packages)
    with zipfile.ZipFile(io.BytesIO(found["python_stdlib.zip"])) as library:
        standard = {name: library.read(name) for name in library.namelist()}
    version = json.loads((PYODIDE / "package.json").read_text(encoding="utf-8"))[
        "version"
    ]
    archives = [folder / "python_stdlib.zip", folder / "application.zip"]
    taken = [
        {"name": "keizer", "version": keizer.__version__, "licence": "MIT",
         "text": (ROOT / "LICENSE").read_text(encoding="utf-8")},
        *map(described, packages),
    ]  # fmt: skip
    archives[0].write_bytes(zipped(standard))
    archives[1].write_bytes(zipped(files))
    inside = json.loads(
        run("node", str(HERE / "compile.mjs"), str(PYODIDE), *map(str, archives))
    )
    versions = [version, inside["python"], inside["sqlite"]]
    for (name, licence), number in zip(LICENCES, versions, strict=True):
        taken.append({"name": name, "version": number, "licence": licence, "text": ""})
    with zipfile.ZipFile(archives[1], "a") as archive:
        archive.writestr(
            zipfile.ZipInfo("standalone/about.json"), json.dumps({"taken": taken})
        )
    script = found["pyodide.js"] + b"\n" + plain(found.pop("pyodide.asm.mjs"))
    return (
        found
        | {"pyodide.js": script}
        | {path.name: path.read_bytes() for path in archives}
    )


def hashed(data: bytes) -> str:
    """SHA-256, as pages name it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


def page(packed: dict[str, bytes], *, served: bool = False) -> str:
    """The page, with its parts in it. served: by a server, the only one that it may ask."""
    sources = {path.name: path.read_text(encoding="utf-8")
               for path in (*HERE.glob("*.js"), HERE / "page.css",
                            ROOT / "keizer" / "web" / "static" / "face.js")}  # fmt: skip
    hashes = {name: f"'{hashed(text.encode())}'" for name, text in sources.items()}
    icon = (ROOT / "keizer" / "web" / "static" / "icon.svg").read_text(encoding="utf-8")
    values = sources | {
        "scripts": " ".join(
            hashes[name]
            for name in ("kept.js", "season.js", "served.js", "page.js", "face.js")
        ),
        "style": hashes["page.css"],
        "icon": quote(icon.strip()),
        "parts": "\n".join(
            f'<script type="text/plain" data-part="{name}">'
            f"{base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()}</script>"
            for name, data in packed.items()
        ),
    }
    text = (HERE / "page.html").read_text(encoding="utf-8")
    text = text.replace("{self}", "'self'" if served else "")
    text = text.replace("{links}", LINKS if served else "")
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value, 1)
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    return text.replace("{version}", f"{keizer.__version__} {version}", 1)


def icon(size: int) -> bytes:
    """The icon as PNG, so many pixels each way (a multiple of 16): that of icon.svg."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return b"".join((struct.pack(">I", len(data)), kind, data,
                         struct.pack(">I", zlib.crc32(kind + data))))  # fmt: skip

    # Half a row, a bit for each pixel.
    light, dark = (bytes(size // 16), b"\xff" * (size // 16))
    rows = (b"\0" + light + dark) * (size // 2) + (b"\0" + dark + light) * (size // 2)
    return b"\x89PNG\r\n\x1a\n" + b"".join((
        chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 1, 3, 0, 0, 0)),
        chunk(b"PLTE", bytes.fromhex("ffffff1f5c43")),
        chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""),
    ))  # fmt: skip


def serve(folder: Path, text: str) -> None:
    """Write what a server needs: the page, what installs it, and what keeps it offline."""
    files = {
        "index.html": text.encode(), "manifest.json": (HERE / "manifest.json").read_bytes(),
        "icon-192.png": icon(192), "icon-512.png": icon(512),
    }  # fmt: skip
    hashes = {
        name.replace("index.html", "./"): hashed(data) for name, data in files.items()
    }
    script = (HERE / "offline.js").read_text(encoding="utf-8")
    files["offline.js"] = script.replace("{files}", json.dumps(hashes), 1).encode()
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def make(out: Path | None, site: Path | None = None) -> None:
    """Write keizer.html, and the folder for a server; BuildError for why there is none."""
    with TemporaryDirectory() as folder:
        packed = parts(Path(folder))
    if out:
        out.write_text(page(packed), encoding="utf-8", newline="\n")
    if site:
        serve(site, page(packed, served=True))


def main() -> None:
    """Write it where the command says."""
    parser = ArgumentParser(prog="python -m standalone.build", description=__doc__)
    parser.add_argument("out", nargs="?", metavar="OUT.html", type=Path)
    parser.add_argument(
        "--site", metavar="FOLDER", type=Path, help="what a web server needs"
    )
    given = parser.parse_args()
    if not (given.out or given.site):
        parser.error("say where it goes: OUT.html, or --site FOLDER.")
    try:
        make(given.out, given.site)
    except (BuildError, OSError) as error:
        sys.exit(f"keizer.html was not built: {error}")
    for made in filter(None, (given.out, given.site and given.site / "index.html")):
        sys.stdout.write(f"{made}: {made.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
