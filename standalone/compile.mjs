// Compile Python to byte code inside Pyodide, so that keizer.html need not.
// Arguments: Pyodide's folder, and archives (zip), each of which is replaced: .py by .pyc, not
// packed. Prints the versions of Python and SQLite as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...archives] = process.argv.slice(2);
await import(pathToFileURL(join(folder, "pyodide.js")));
const python = await globalThis.loadPyodide({ env: { HOME: "/", PYTHONHASHSEED: "0" } });
python.runPython(`
import importlib._bootstrap_external as loading
import zipfile

def compiled(path):
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(f"{path}.new", "w") as made:
        for name in sorted(source.namelist()):
            data = source.read(name)
            if name.endswith(".py"):
                # Without docstrings: no page shows any.
                code = compile(data, name, "exec", dont_inherit=True, optimize=2)
                data = loading._code_to_hash_pyc(code, bytes(8), False)
                name += "c"
            if not name.endswith("/"):
                made.writestr(zipfile.ZipInfo(name), data)
`);
const compiled = python.globals.get("compiled");
for (const archive of archives) {
  python.FS.writeFile("/archive.zip", readFileSync(archive));
  compiled("/archive.zip");
  writeFileSync(archive, python.FS.readFile("/archive.zip.new"));
}
console.log(
  python.runPython(`
import json, platform, sqlite3
json.dumps({"python": platform.python_version(), "sqlite": sqlite3.sqlite_version})
`),
);
