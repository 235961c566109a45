import { randomBytes } from "node:crypto";
import { PanewardError, type Scope } from "@paneward/sdk";
import type { PushAddress } from "../../model/push-address.ts";
import type { LoginRecord, Passkey } from "../../model/records.ts";
import type { Identity, Store } from "../ports.ts";
import type { Times } from "../steady-time.ts";
import { browserKey } from "./sessions.ts";
import { createToken, hasHash, hashOf, tokenId } from "./tokens.ts";

/** A browser that logs in: what it calls itself, the public key that it made, and where it opened the dashboard. */
export interface NewBrowser {
  readonly name: string;
  readonly key: string;
  readonly origin?: string | undefined;
}

const loginMs = 30 * 24 * 3_600_000;

/** The secret is in the fragment, which a browser does not send. */
export function loginUrl(origin: string, secret: string): string {
  return `${origin}/#/login/${secret}`;
}

export function loopbackOrigin(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Short, as a QR code holds it: the secret, and the fingerprint by which the page recognises the daemon. */
export function pairUrl(origin: string, secret: string, fingerprint: string): string {
  return `${origin}/#/pair/${secret}_${fingerprint}`;
}

/** Browsers that are logged in, and the links that let one in. */
export class Logins {
  readonly #store: Pick<Store, "logins" | "tokens" | "write" | "keep">;
  readonly #clock: Times;
  readonly #fingerprint: string;
  // By hash, with the monotonic time of the end. Links are short-lived: they need not survive a restart of the daemon.
  readonly #links = new Map<
    string,
    { readonly scope: Scope; readonly endsAt: number; readonly origin: string | undefined }
  >();

  constructor(
    store: Pick<Store, "logins" | "tokens" | "write" | "keep">,
    clock: Times,
    { fingerprint }: Pick<Identity, "fingerprint">,
  ) {
    this.#fingerprint = fingerprint;
    this.#store = store;
    this.#clock = clock;
  }

  /** Valid under the origin only, if one is given: naming another Host does not avoid what is asked of browsers elsewhere. */
  link(scope: Scope, minutes: number, origin?: string): { readonly secret: string; readonly expiresAt: number } {
    const now = this.#clock.monotonic();
    for (const [hash, link] of this.#links) if (link.endsAt <= now) this.#links.delete(hash);
    const { token, hash } = createToken(this.#fingerprint);
    this.#links.set(hash, { scope, endsAt: now + minutes * 60_000, origin });
    return { secret: token, expiresAt: this.#clock.now() + minutes * 60_000 };
  }

  /** Logs in by a link, which works once. */
  byLink(secret: string, browser: NewBrowser): LoginRecord {
    requireKey(browser);
    const hash = hashOf(secret);
    const link = this.#links.get(hash);
    if (link?.origin !== undefined && link.origin !== browser.origin) {
      throw new PanewardError("not_allowed", "this link is for another address of the dashboard", {
        hint: "open it where it leads to, or make one for here: `paneward login link --origin ORIGIN`",
      });
    }
    this.#links.delete(hash);
    if (!link || link.endsAt <= this.#clock.monotonic()) {
      throw new PanewardError("unauthorized", "this link was used already, or it has expired", {
        hint: "make a new one: `paneward login link`",
      });
    }
    return this.#open({ ...browser, scope: link.scope });
  }

  /** A device that was confirmed at the terminal. */
  pair(device: Pick<LoginRecord, "name" | "scope" | "key" | "origin" | "passkeys">): LoginRecord {
    return this.#open({ ...device, paired: true });
  }

  byToken(token: string, browser: NewBrowser): LoginRecord {
    requireKey(browser);
    const known = this.#store.tokens().find(({ id }) => id === tokenId(token));
    if (!known || !hasHash(token, known.hash)) {
      throw new PanewardError("unauthorized", "this token is not known, or it was revoked");
    }
    return this.#open({ ...browser, scope: known.scope, token: known.id });
  }

  find(id: string): LoginRecord | undefined {
    return this.list().find((login) => login.id === id);
  }

  list(): readonly LoginRecord[] {
    const now = this.#clock.now();
    const tokens = new Set(this.#store.tokens().map(({ id }) => id));
    return this.#store
      .logins()
      .filter(
        ({ expiresAt, token, key }) =>
          key !== undefined && expiresAt > now && (token === undefined || tokens.has(token)),
      );
  }

  revoke(id: string): void {
    this.#require(id);
    this.#store.write((writer) => writer.removeLogin(id));
  }

  /** Where its browser gets notices; undefined: nowhere any more. */
  push({ id }: Pick<LoginRecord, "id">, push: PushAddress | undefined): void {
    const record = this.find(id);
    if (!record) return;
    const { push: _before, ...rest } = record;
    this.#store.write((writer) => writer.putLogin(push ? { ...rest, push } : rest));
  }

  update(id: string, change: (login: LoginRecord) => Partial<Pick<LoginRecord, "name" | "passkeys">>): LoginRecord {
    const login = this.#require(id);
    const changed = { ...login, ...change(login) };
    this.#store.write((writer) => writer.putLogin(changed));
    return changed;
  }

  addPasskey(id: string, passkey: Passkey): LoginRecord {
    return this.update(id, ({ passkeys = [] }) => {
      if (passkeys.length < maxPasskeys) return { passkeys: [...passkeys, passkey] };
      throw new PanewardError("wrong_state", `this device has ${maxPasskeys} passkeys already`, {
        hint: "use one of them",
      });
    });
  }

  /** A device that is used stays paired; a browser logs in again after its time. */
  used(record: LoginRecord, from?: string): void {
    const now = this.#clock.now();
    if (now - (record.lastUsedAt ?? 0) < noteEveryMs) return;
    const expiresAt = record.paired ? now + loginMs : record.expiresAt;
    const used = { lastUsedAt: now, ...(from === undefined ? {} : { lastUsedFrom: from }) };
    this.#store.keep((writer) => writer.putLogin({ ...record, expiresAt, ...used }));
  }

  #require(id: string): LoginRecord {
    const login = this.find(id);
    if (login) return login;
    throw new PanewardError("not_found", `there is no login ${id}`, { hint: "`paneward login list` shows them" });
  }

  /** The logins by a token that make room for its next one, those that were not used for longest. */
  #beyond(token: string): readonly LoginRecord[] {
    const own = this.list().filter((login) => login.token === token);
    const usedAt = ({ lastUsedAt, createdAt }: LoginRecord) => lastUsedAt ?? createdAt;
    return own.toSorted((one, other) => usedAt(other) - usedAt(one)).slice(maxPerToken - 1);
  }

  #open(login: Omit<LoginRecord, "id" | "createdAt" | "expiresAt">): LoginRecord {
    const now = this.#clock.now();
    const good = new Set(this.list().map(({ id }) => id));
    if (login.token !== undefined) for (const { id } of this.#beyond(login.token)) good.delete(id);
    const record = { ...login, id: randomBytes(4).toString("hex"), createdAt: now, expiresAt: now + loginMs };
    this.#store.write((writer) => {
      for (const old of this.#store.logins()) if (!good.has(old.id)) writer.removeLogin(old.id);
      writer.putLogin(record);
    });
    return record;
  }
}

const noteEveryMs = 60_000;
const maxPasskeys = 10;
// Every request of a browser looks up its login, and the holder of a token may log in any number of times.
const maxPerToken = 100;

// Checked before a link is used up.
export function requireKey({ key }: Pick<NewBrowser, "key">): void {
  if (!browserKey(key)) throw new PanewardError("bad_input", "`key` is not a P-256 public key in SPKI form");
}
