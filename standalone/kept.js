// What this browser keeps, in IndexedDB: of each season its file, its snapshots, and how far it
// is saved. A record: { name, at (ms), unsaved (steps), disk (SHA-256 of the file that was saved
// last), handle (to write to that file, where the browser has such) }.
"use strict";

const done = (asked) =>
  new Promise((fulfil, fail) => {
    asked.onsuccess = asked.oncomplete = () => fulfil(asked.result);
    asked.onerror = asked.onabort = () => fail(asked.error ?? new Error("it was refused"));
  });

const kept = {
  base: null,

  // Open it; where the browser refuses, nothing is kept. One that was killed may hold it for a
  // while: it is asked again, each time after twice as long (ms).
  async begin(wait = 100) {
    try {
      const asked = indexedDB.open("keizer", 1);
      asked.onupgradeneeded = () => {
        for (const store of ["seasons", "files", "doing"]) asked.result.createObjectStore(store);
      };
      kept.base = await done(asked);
      kept.base.onclose = () => (kept.base = null);
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
    change(...stores.map((store) => transaction.objectStore(store)));
    await done(transaction);
  },

  // After a step: the record, and of the files those that changed and those that are gone.
  step(record, changed, gone) {
    return kept.write((seasons, files, doing) => {
      seasons.put(record, record.name);
      for (const [path, bytes] of Object.entries(changed)) files.put(bytes, [record.name, path]);
      for (const path of gone) files.delete([record.name, path]);
      doing.delete(record.name);
    });
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

  // Keep a season under another name that is free; what it is called then. bytes: its file, where
  // what is kept may be older.
  async aside(record, bytes) {
    const names = (await kept.seasons()).map(({ name }) => name);
    const stem = record.name.replace(/\.db$/, "");
    let number = 2;
    while (names.includes(`${stem}-${number}.db`)) number++;
    const name = `${stem}-${number}.db`;
    const moved = (path) => path.replace(stem, `${stem}-${number}`);
    const files = await kept.files(record.name);
    const there = Object.entries(bytes ? { ...files, [record.name]: bytes } : files);
    await kept.write((seasons, files) => {
      seasons.put({ ...record, name, handle: undefined, disk: null }, name);
      for (const [path, bytes] of there) files.put(bytes, [name, moved(path)]);
    });
    await kept.forget(record.name);
    return name;
  },
};

// The lock of a season, which one tab has: whether this one has it now. taken: told when another
// tab takes it by force.
let held = { name: null, release() {} };

function lock(name, { force = false, taken }) {
  if (held.name === name || !navigator.locks) return true;
  return new Promise((fulfil) => {
    const settings = force ? { steal: true } : { ifAvailable: true };
    const have = (got) => {
      fulfil(Boolean(got));
      if (!got) return null;
      held.release();
      return new Promise((release) => (held = { name, release }));
    };
    navigator.locks.request(`keizer ${name}`, settings, have).catch(() => {
      if (held.name === name) held = { name: null, release() {} };
      taken(name);
    });
  });
}
