import { Writable } from "node:stream";

/** Hands on together what was written at the same time: a hundred answers are then one system call, not a hundred. */
export class Gathering extends Writable {
  readonly #out: Writable;

  constructor(out: Writable) {
    super({ decodeStrings: false, highWaterMark: mostHeld });
    this.#out = out;
    out.on("error", (error) => this.destroy(error));
  }

  override write(chunk: unknown, ...rest: readonly unknown[]): boolean {
    if (this.writableCorked === 0) {
      this.cork();
      process.nextTick(() => this.uncork());
    }
    return super.write(chunk, ...(rest as []));
  }

  override _writev(chunks: readonly { readonly chunk: string }[], done: () => void): void {
    this.#out.write(chunks.map(({ chunk }) => chunk).join(""), done);
  }
}

const mostHeld = 1_048_576;
