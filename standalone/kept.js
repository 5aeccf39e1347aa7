// What this browser keeps, in IndexedDB: of each season its file, its snapshots, and how far it
// is saved. A record: { name, at (ms), unsaved (steps), disk (SHA-256 of the file that was saved
// last), handle (to write to that file, where the browser has such), version (another one each time
// it is kept) }.
"use strict";

const done = (asked) =>
  new Promise((fulfil, fail) => {
    asked.onsuccess = asked.oncomplete = () => fulfil(asked.result);
    asked.onerror = asked.onabort = () => fail(asked.error ?? new Error("it was refused"));
  });

// Why a season was not kept that another tab has kept since it was read here.
const TAKEN = new Error("another tab has it");

const kept = {
  base: null,
  closed() {}, // told when the browser closes it
  taken() {}, // told when another tab takes a season of this one

  // Open it; where the browser refuses, nothing is kept. One that was killed may hold it for a
  // while: it is asked again, each time after twice as long (ms).
  async begin(wait = 100) {
    try {
      const asked = indexedDB.open("keizer", 1);
      asked.onupgradeneeded = () => {
        for (const store of ["seasons", "files", "doing"]) asked.result.createObjectStore(store);
      };
      const base = await done(asked);
      base.onclose = () => {
        kept.base = null;
        kept.closed();
      };
      base.onversionchange = () => base.onclose(base.close()); // a newer keizer.html wants it
      kept.base = base;
    } catch (error) {
      if (wait > 800) throw error;
      await new Promise((end) => setTimeout(end, wait));
      await kept.begin(2 * wait);
    }
  },

  async read(store, key) {
    if (!kept.base) return key === undefined ? [] : undefined;
    const found = kept.base.transaction(store).objectStore(store);
    return done(key === undefined ? found.getAll() : found.get(key));
  },

  // The seasons, the latest first.
  async seasons() {
    return (await kept.read("seasons")).sort((one, other) => other.at - one.at);
  },

  // The file and the snapshots of a season: bytes by path.
  async files(name) {
    if (!kept.base) return {};
    const store = kept.base.transaction("files").objectStore("files");
    const range = IDBKeyRange.bound([name], [name, []]);
    const [keys, values] = await Promise.all([done(store.getAllKeys(range)), done(store.getAll(range))]);
    return Object.fromEntries(keys.map(([, path], at) => [path, values[at]]));
  },

  // Do it all or nothing, and be sure that it is on the disk.
  async write(change) {
    if (!kept.base) throw new Error("it is switched off");
    const stores = ["seasons", "files", "doing"];
    const transaction = kept.base.transaction(stores, "readwrite", { durability: "strict" });
    try {
      change(...stores.map((store) => transaction.objectStore(store)));
    } catch (error) {
      transaction.abort();
      throw error;
    }
    await done(transaction);
  },

  // After a step: the record, and of the files those that changed and those that are gone. Its
  // version then; TAKEN where the one that is kept has another than the record: a tab that stood
  // still while another took the season hears of that too late.
  async step(record, changed, gone) {
    const version = crypto.randomUUID();
    let taken = false;
    await kept.write((seasons, files, doing) => {
      const there = seasons.get(record.name);
      there.onsuccess = () => {
        taken = there.result?.version !== record.version;
        if (taken) there.transaction.abort();
      };
      seasons.put({ ...record, version }, record.name);
      for (const [path, bytes] of Object.entries(changed)) files.put(bytes, [record.name, path]);
      for (const path of gone) files.delete([record.name, path]);
      doing.delete(record.name);
    }).catch((error) => {
      throw taken ? TAKEN : error;
    });
    return version;
  },

  // Before a step: what is about to be done, should it never end.
  doing(name, what) {
    return kept.write((_, __, doing) => doing.put({ what, at: Date.now() }, name));
  },

  // It ended, and changed nothing.
  done(name) {
    return kept.write((_, __, doing) => doing.delete(name));
  },

  forget(name) {
    return kept.write((seasons, files, doing) => {
      seasons.delete(name);
      files.delete(IDBKeyRange.bound([name], [name, []]));
      doing.delete(name);
    });
  },

  // Keep a season under another name that is free; what it is called then. bytes: its file, as
  // what is kept may be older.
  async aside(record, bytes) {
    const names = (await kept.seasons()).map(({ name }) => name);
    const stem = record.name.replace(/\.db$/, "");
    let number = 2;
    while (names.includes(`${stem}-${number}.db`)) number++;
    const name = `${stem}-${number}.db`;
    const moved = (path) => path.replace(stem, `${stem}-${number}`);
    const files = await kept.files(record.name);
    const there = Object.entries({ ...files, [record.name]: bytes });
    await kept.write((seasons, files) => {
      const unsaved = record.unsaved || 1; // no file has that name
      seasons.put({ ...record, name, unsaved, handle: undefined, disk: null }, name);
      for (const [path, bytes] of there) files.put(bytes, [name, moved(path)]);
    });
    await kept.forget(record.name);
    return name;
  },
};

// The seasons that this tab has for itself, by name: how each is let go of.
const held = new Map();

// Whether this tab has a season for itself now. force: take it from another tab.
function lock(name, force = false) {
  if (held.has(name)) return Promise.resolve(true);
  return new Promise((fulfil) => {
    let asked = false;
    const have = (got) => {
      asked = true;
      fulfil(Boolean(got));
      return got && new Promise((end) => held.set(name, end));
    };
    const alone = () => held.set(name, () => {}) && fulfil(true); // the browser has no locks
    if (!navigator.locks) return alone();
    const settings = force ? { steal: true } : { ifAvailable: true };
    navigator.locks.request(`keizer ${name}`, settings, have).catch(() => {
      if (!asked) return alone();
      held.delete(name);
      kept.taken();
    });
  });
}

// Let go of all but one.
function release(name) {
  for (const [other, end] of held) {
    if (other === name) continue;
    held.delete(other);
    end();
  }
}
