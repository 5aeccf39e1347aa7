// Chromium's file dialogs and its question whether a page may write cannot be answered without
// a screen: here are handles of the same kind for files that the test names. `disk` is the
// driver's. full, readonly, denied and slow: what is the trouble; writing: whether one was written to.
"use strict";

class TestedHandle {
  kind = "file";
  constructor(path) {
    this.path = path;
    this.name = path.split("/").pop();
  }
  async getFile() {
    const { wrong, data, at } = await disk("read", this.path);
    if (wrong) throw new DOMException("A requested file could not be found.", wrong);
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    return new File([bytes], this.name, { lastModified: at });
  }
  async createWritable() {
    if (window.denied) throw new DOMException("Not allowed.", "NotAllowedError");
    let bytes;
    return {
      async write(given) {
        bytes = given;
        window.writing = true;
        while (window.slow) await new Promise((end) => setTimeout(end, 20));
      },
      abort: async () => {},
      close: async () => {
        if (window.readonly) throw new DOMException("The file cannot be changed.", "NoModificationAllowedError");
        if (window.full) throw new DOMException("No space left on the device.", "QuotaExceededError");
        let text = "";
        for (const byte of bytes) text += String.fromCharCode(byte);
        await disk("write", this.path, btoa(text));
      },
    };
  }
  async isSameEntry(other) {
    return this.path === other.path;
  }
  async queryPermission() {
    return window.denied ? "denied" : "granted";
  }
  async requestPermission() {
    return window.denied ? "denied" : "granted";
  }
}

window.showOpenFilePicker = async () => [new TestedHandle(window.chosen)];
window.showSaveFilePicker = async () => new TestedHandle(window.chosen);

// A browser gives its own handles back with all they can do; these have to be told.
const { get } = Object.getOwnPropertyDescriptor(IDBRequest.prototype, "result");
Object.defineProperty(IDBRequest.prototype, "result", {
  get() {
    const found = get.call(this);
    for (const one of [found].flat()) {
      if (one?.handle?.path) Object.setPrototypeOf(one.handle, TestedHandle.prototype);
    }
    return found;
  },
});
