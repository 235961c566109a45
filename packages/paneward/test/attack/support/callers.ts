import { connect } from "node:net";
import { type Scope, scopes } from "@paneward/sdk";
import { createToken } from "../../../src/runtime/access/tokens.ts";
import { browserAt } from "../../http/support/browser.ts";
import type { Served } from "../../http/support/served.ts";

/** Somebody on loopback; without a scope it may do nothing. */
export interface Somebody {
  readonly name: string;
  readonly scope: Scope | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Everybody who may try the port: with and without rights, by tokens and by browsers. */
export async function everybody({ port, token, store, logins, clock }: Served, teams: readonly string[]) {
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const origin = { origin: `http://127.0.0.1:${port}` };
  const session = async (scope: Scope) =>
    (await browserAt(port)).enter({ link: logins.link(scope, 10).secret }).then(({ headers, id }) => ({ headers, id }));
  const expired = await session("admin");
  clock.value += 12 * 3_600_000 + 1;
  const [out, revoked, good] = [await session("admin"), token("admin"), token("admin")];
  logins.revoke(out.id);
  store.write((writer) => writer.removeToken(revoked.split("_")[1] ?? ""));
  const [, id = "", secret = ""] = good.split("_");
  const forged = good.replace(
    secret,
    secret.replace(/./g, (digit) => (digit === "0" ? "1" : "0")),
  );
  const strangers: readonly (readonly [string, Record<string, string>])[] = [
    ["nobody", {}],
    ["a revoked token", bearer(revoked)],
    ["a token of another daemon", bearer(createToken("0".repeat(32)).token)],
    ["a known id with another secret", bearer(forged)],
    ["the id of a token alone", bearer(id)],
    ["a token as a cookie", { cookie: `paneward_${port}=${good}` }],
    ["an expired session", { ...expired.headers, ...origin }],
    ["the session of a revoked login", { ...out.headers, ...origin }],
    ["the id of a login", { ...bearer(`pws_${out.id}`), ...origin }],
    ...teams.map((team) => ["the token of a team", bearer(team)] as const),
  ];
  const known: Somebody[] = [];
  for (const scope of scopes) {
    known.push({ name: `a token for ${scope}`, scope, headers: bearer(token(scope)) });
    const { headers } = await session(scope);
    known.push({ name: `a browser for ${scope}`, scope, headers: { ...headers, ...origin } });
  }
  return [...known, ...strangers.map(([name, headers]): Somebody => ({ name, scope: undefined, headers }))];
}

export interface Heard {
  readonly status: number;
  readonly text: string;
}

/** Sends the head of a request whose body never comes, and hears what is answered all the same. */
export function headOnly(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>();
  const socket = connect(port, "127.0.0.1");
  const all = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${method.toUpperCase()} ${path} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n`);
  let heard = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    heard += chunk;
    const [head = "", text] = heard.split("\r\n\r\n");
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    if (text === undefined || text.length < length) return;
    resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), text });
    socket.destroy();
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error(`${method} ${path} was closed without a response: ${heard}`)));
  return promise;
}
