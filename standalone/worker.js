// In a worker, after Pyodide's own script: Python with the application, and the season that is
// open, in memory. The page sends [number, what, given]; what comes back is [number, answer], or
// [number, null, error]; and ["reads", seconds] when a file is read, with 0 when it was.
"use strict";

const FOLDER = "/season/";
const marks = new Map(); // of the files in there that the page knows: when changed, how long
let python, club;

// By way of a Response, since WebKit cannot read a Blob here, from file://.
const unpacked = (bytes) => new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));

const doing = {
  // Start Python: packed parts, bytes by name.
  async begin(parts) {
    const kinds = { "pyodide.asm.wasm": "application/wasm" };
    self.fetch = async (url) => {
      const name = String(url).split("/").pop();
      return new Response(unpacked(parts[name]), { headers: { "Content-Type": kinds[name] ?? "" } });
    };
    const application = new Response(unpacked(parts["application.zip"])).arrayBuffer();
    python = await self.loadPyodide({
      indexURL: "https://keizer.invalid/",
      lockFileContents: { info: { abi_version: "2026_0" }, packages: {} },
      createPyodideModule: _createPyodideModule,
      env: { HOME: "/" },
    });
    python.unpackArchive(await application, "zip", { extractDir: python._api.sitepackages });
    club = python.runPython("from standalone.face import Club; Club()");
    club.watch((seconds) => postMessage(["reads", seconds]));
  },

  // Whether bytes of a file are a season: what is wrong, or nothing, and whether it may be a list.
  wrong([name, bytes]) {
    return looked([bytes], (there) => club.wrong(name, there).toJs());
  },

  // Whether a file that was found lacks some of a season's log, and the last command of that;
  // bytes of both.
  lacks(both) {
    return looked(both, (found, mine) => club.lacks(found, mine).toJs());
  },

  // Open a season: bytes by path, its file and its snapshots.
  take([name, files]) {
    doing.leave();
    for (const [path, bytes] of Object.entries(files)) {
      python.FS.mkdirTree((FOLDER + path).replace(/\/[^/]*$/, ""));
      python.FS.writeFile(FOLDER + path, bytes);
    }
    changes();
    club.take(name);
  },

  // Look at one as a guest, who changes nothing: its name and its bytes.
  look([name, bytes]) {
    doing.take([name, { [name]: bytes }]);
    club.look();
  },

  // Close it.
  leave() {
    club.leave();
    for (const path of paths()) python.FS.unlink(FOLDER + path);
    marks.clear();
  },

  // Take the files of a season that is not open any more out of memory.
  drop(name) {
    const stem = name.replace(/db$/, "");
    for (const path of paths()) if (path.startsWith(stem)) python.FS.unlink(FOLDER + path);
    changes();
  },

  // Get a page, or post a body of a kind; with the season that is open then, and the files that
  // changed.
  ask([path, kept, body, kind]) {
    const given = [path, JSON.stringify(kept)];
    const found = body ? club.ask(...given, python.toPy(body), kind) : club.ask(...given);
    const [status, at, type, name, data] = found.toJs();
    found.destroy();
    return { status, path: at, type, name, data, season: club.opened(), ...changes() };
  },
};

// Put files into memory while somebody looks into them: run gets their names.
function looked(files, run) {
  const names = files.map((_, at) => `.looked-${at}.db`);
  names.forEach((name, at) => python.FS.writeFile(FOLDER + name, files[at]));
  try {
    return run(...names);
  } finally {
    for (const name of names) python.FS.unlink(FOLDER + name);
  }
}

function paths(folder = FOLDER) {
  const there = python.FS.readdir(folder).filter((name) => !name.startsWith("."));
  return there.flatMap((name) => {
    const inside = python.FS.isDir(python.FS.stat(folder + name).mode);
    return inside ? paths(`${folder + name}/`) : [folder.slice(FOLDER.length) + name];
  });
}

// How often SQLite has changed a file: the clock of a browser may be too coarse to tell.
function counter(path) {
  const bytes = new Uint8Array(4);
  const file = python.FS.open(FOLDER + path);
  python.FS.read(file, bytes, 0, 4, 24);
  python.FS.close(file);
  return bytes;
}

// What changed since it was asked last: bytes by path, and the paths that are gone.
function changes() {
  const now = paths();
  const changed = {};
  for (const path of now) {
    const { mtime, size } = python.FS.stat(FOLDER + path);
    const mark = `${+mtime} ${size} ${counter(path)}`;
    if (marks.get(path) !== mark) changed[path] = python.FS.readFile(FOLDER + path);
    marks.set(path, mark);
  }
  const gone = [...marks.keys()].filter((path) => !now.includes(path));
  for (const path of gone) marks.delete(path);
  return { changed, gone };
}

onmessage = async ({ data: [number, what, given] }) => {
  try {
    postMessage([number, (await doing[what](given)) ?? null]);
  } catch (error) {
    postMessage([number, null, String(error.message ?? error)]);
  }
};
