import { allows, type Client, routes, type Scope } from "@paneward/sdk";

/**
 * Reports which row a person looks at, while keys are pressed: no notice is sent of what happens there. A terminal interface
 * that is left alone for a minute reports nothing, so notices are sent.
 */
export class Looking {
  readonly #client: Pick<Client, "presence">;
  #viewer: string | undefined;
  #last: { readonly id: string; readonly at: number } | undefined;

  constructor(client: Pick<Client, "presence">) {
    this.#client = client;
  }

  /** A key was pressed while this row is selected. */
  used(id: string | undefined, scope: Scope | undefined, now = performance.now()): void {
    if (id === undefined || (scope && !allows(scope, routes.presence.scope))) return;
    if (this.#last?.id === id && now - this.#last.at < againMs) return;
    this.#last = { id, at: now };
    this.#report([id], looksForSeconds);
  }

  left(): void {
    if (this.#last) this.#report([], 0);
    this.#last = undefined;
  }

  #report(sees: string[], seconds: number): void {
    // Not at the start: loading it takes as long as the first frame.
    this.#viewer ??= `tui ${process.getBuiltinModule("node:crypto").randomUUID()}`;
    this.#client.presence({ viewer: this.#viewer, sees, seconds }).catch(() => undefined);
  }
}

const looksForSeconds = 60;
const againMs = 10_000;
