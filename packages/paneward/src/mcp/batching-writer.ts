import { Writable } from "node:stream";

/** Joins everything written in the same tick into one system call. */
export class BatchingWriter extends Writable {
  readonly #out: Writable;

  constructor(out: Writable) {
    super({ decodeStrings: false, highWaterMark: maxBufferedBytes });
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

const maxBufferedBytes = 1_048_576;
