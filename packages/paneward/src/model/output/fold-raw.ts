/** Output with its escape sequences, up to the last complete one. */
export class RawText {
  readonly #out: (text: string) => void;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #kept: Uint8Array = new Uint8Array(0);

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  /** Writes the bytes except for the last `held`, which wait for the rest. */
  write(bytes: Uint8Array, held: number): void {
    const all = new Uint8Array(this.#kept.length + bytes.length);
    all.set(this.#kept);
    all.set(bytes, this.#kept.length);
    const whole = Math.max(0, all.length - held);
    this.#out(this.#decoder.decode(all.subarray(0, whole), { stream: true }));
    this.#kept = all.slice(whole);
  }

  /** Nothing follows. */
  end(): void {
    this.#out(this.#decoder.decode(this.#kept));
    this.#kept = new Uint8Array(0);
  }
}
