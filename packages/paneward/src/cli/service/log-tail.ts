import { closeSync, fstatSync, openSync, readSync, statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { StringDecoder } from "node:string_decoder";

/** The end of a log that others write and rotate. */
export class LogTail {
  readonly #path: string;
  #file: number | undefined;
  #place = 0;
  #decoder = new StringDecoder("utf8");
  #rest = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** Its last lines; undefined: there is none. */
  last(count: number): readonly string[] | undefined {
    this.#open();
    if (this.#file === undefined) return undefined;
    this.#place = Math.max(0, fstatSync(this.#file).size - maxBytes);
    const isCut = this.#place > 0;
    const lines = this.#read();
    return (isCut ? lines.slice(1) : lines).slice(count === 0 ? lines.length : -count);
  }

  /** The lines that are added, also after the log was moved away and a new one begun. */
  async *following(): AsyncGenerator<string> {
    let changed = Promise.withResolvers<void>();
    const watcher = watch(dirname(this.#path), () => changed.resolve());
    try {
      for (;;) {
        yield* this.#read();
        if (this.#isMoved()) {
          this.#open();
          continue;
        }
        await changed.promise;
        changed = Promise.withResolvers<void>();
      }
    } finally {
      watcher.close();
    }
  }

  #open(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    const isThere = statSync(this.#path, { throwIfNoEntry: false })?.isFile() === true;
    this.#file = isThere ? openSync(this.#path, "r") : undefined;
    this.#place = 0;
    this.#decoder = new StringDecoder("utf8");
    this.#rest = "";
  }

  #isMoved(): boolean {
    const now = statSync(this.#path, { throwIfNoEntry: false });
    if (now === undefined) return false;
    if (this.#file === undefined) return true;
    const open = fstatSync(this.#file);
    return open.ino !== now.ino || now.size < this.#place;
  }

  #read(): readonly string[] {
    if (this.#file === undefined) return [];
    const bytes = Buffer.alloc(64 * 1_024);
    let text = this.#rest;
    for (let count = -1; count !== 0; this.#place += count) {
      count = readSync(this.#file, bytes, 0, bytes.length, this.#place);
      text += this.#decoder.write(bytes.subarray(0, count));
    }
    const lines = text.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }
}

const maxBytes = 4 * 1_048_576;
