import { PanewardError, type Scope } from "@paneward/sdk";
import type { LoginRecord } from "../../model/records.ts";
import type { Store, WallClock } from "../ports.ts";
import { createToken, hasHash, hashOf, tokenId } from "./tokens.ts";

export interface NewLogin {
  readonly record: LoginRecord;
  /** What the browser's cookie holds; only its hash is kept. */
  readonly secret: string;
}

const loginMs = 30 * 24 * 3_600_000;

/** The secret is in the fragment, which a browser does not send. */
export function loginUrl(port: number, secret: string): string {
  return `http://127.0.0.1:${port}/#/login/${secret}`;
}

/** Browsers that are logged in, and the links that let one in. */
export class Logins {
  readonly #store: Pick<Store, "logins" | "tokens" | "write">;
  readonly #clock: WallClock;
  // By hash. Links are short-lived, so they need not survive a restart of the daemon.
  readonly #links = new Map<string, { readonly scope: Scope; readonly expiresAt: number }>();

  constructor(store: Pick<Store, "logins" | "tokens" | "write">, clock: WallClock) {
    this.#store = store;
    this.#clock = clock;
  }

  link(scope: Scope, minutes: number): { readonly secret: string; readonly expiresAt: number } {
    const now = this.#clock.now();
    for (const [hash, link] of this.#links) if (link.expiresAt <= now) this.#links.delete(hash);
    const { token, hash } = createToken();
    const expiresAt = now + minutes * 60_000;
    this.#links.set(hash, { scope, expiresAt });
    return { secret: token, expiresAt };
  }

  /** Logs in by a link, which works once. */
  byLink(secret: string, name: string): NewLogin {
    const hash = hashOf(secret);
    const link = this.#links.get(hash);
    this.#links.delete(hash);
    if (!link || link.expiresAt <= this.#clock.now()) {
      throw new PanewardError("unauthorized", "this link was used already, or it has expired", {
        hint: "make a new one: `paneward login link`",
      });
    }
    return this.#open({ name, scope: link.scope });
  }

  byToken(token: string, name: string): NewLogin {
    const known = this.#store.tokens().find(({ id }) => id === tokenId(token));
    if (!known || !hasHash(token, known.hash)) {
      throw new PanewardError("unauthorized", "this token is not known, or it was revoked");
    }
    return this.#open({ name, scope: known.scope, token: known.id });
  }

  /** The login that a cookie's secret belongs to, while it is valid. */
  find(secret: string): LoginRecord | undefined {
    const record = this.list().find(({ id }) => id === tokenId(secret));
    return hasHash(secret, record?.hash ?? "0".repeat(64)) ? record : undefined;
  }

  list(): readonly LoginRecord[] {
    const now = this.#clock.now();
    const tokens = new Set(this.#store.tokens().map(({ id }) => id));
    return this.#store
      .logins()
      .filter(({ expiresAt, token }) => expiresAt > now && (token === undefined || tokens.has(token)));
  }

  revoke(id: string): void {
    const hint = "`paneward login list` shows them";
    if (!this.list().some((login) => login.id === id)) {
      throw new PanewardError("not_found", `there is no login ${id}`, { hint });
    }
    this.#store.write((writer) => writer.removeLogin(id));
  }

  used(record: LoginRecord): void {
    const now = this.#clock.now();
    if (now - (record.lastUsedAt ?? 0) < noteEveryMs) return;
    this.#store.write((writer) => writer.putLogin({ ...record, lastUsedAt: now }));
  }

  #open(login: Pick<LoginRecord, "name" | "scope" | "token">): NewLogin {
    const now = this.#clock.now();
    const good = new Set(this.list().map(({ id }) => id));
    const { id, token: secret, hash } = createToken();
    const record = { ...login, id, hash, createdAt: now, expiresAt: now + loginMs };
    this.#store.write((writer) => {
      for (const old of this.#store.logins()) if (!good.has(old.id)) writer.removeLogin(old.id);
      writer.putLogin(record);
    });
    return { record, secret };
  }
}

const noteEveryMs = 60_000;
