import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { browserText, makeBrowserKey, signWith } from "@paneward/sdk/identity";
import { random } from "../../../tmux/test/support/random.ts";
import { makeCode } from "../../src/model/pairing-code.ts";
import type { Cleanup } from "../support/folder.ts";
import { ask, failureIn, json } from "./support/ask.ts";
import { type ServedOptions, served } from "./support/served.ts";

const box = "https://box.example";

/** A device on this address; undefined is loopback. */
async function stage(t: Cleanup, options: ServedOptions = {}) {
  const daemon = await served(t, { sites: { origins: [box], funnel: false }, passkeys: "required", ...options });
  const { port } = daemon;
  const { privateKey, publicKey: key } = await makeBrowserKey();
  const at = (origin: string | undefined, from: string) =>
    origin === undefined ? {} : { host: new URL(origin).host, origin, "x-forwarded-for": from };
  const post = async (path: string, body: object, origin?: string, from = "100.64.0.7", more = {}) => {
    const asked = json("POST", path, body);
    return ask(port, { ...asked, headers: { ...asked.headers, ...at(origin, from), ...more } });
  };
  const open = async (login: string, origin?: string) => {
    const path = `/identity?nonce=${"0".repeat(64)}`;
    const { challenge } = JSON.parse((await ask(port, { path, headers: at(origin, "100.64.0.7") })).text);
    const signature = await signWith(privateKey, browserText(origin ?? `127.0.0.1:${port}`, login, challenge));
    return post("/session", { login, challenge, signature }, origin);
  };
  /** Asks with the link, and is confirmed. */
  const pair = async (origin?: string) => {
    const { id, secret } = daemon.pairings.start({ scope: "approve" });
    const asked = JSON.parse((await post("/pair", { link: secret, key }, origin)).text);
    daemon.pairings.confirm(id, asked.number);
    return { id, ticket: asked.ticket as string };
  };
  const waited = async (ticket: string, origin?: string) =>
    JSON.parse((await post("/pair/wait", {}, origin, undefined, { "x-paneward-ticket": ticket })).text);
  return { ...daemon, key, post, open, pair, waited };
}

describe("pairing", () => {
  test("on this machine needs no passkey; its key is of no use at an address that others can reach", async (t) => {
    const { pair, waited, open, port } = await stage(t);
    const { ticket } = await pair();
    const { state, login, scope } = await waited(ticket);
    assert.deepEqual([state, scope], ["paired", "approve"]);
    const { session } = JSON.parse((await open(login)).text);
    const authorization = `Bearer ${session}`;
    const who = (headers: Record<string, string>) => ask(port, { path: "/api/whoami", headers });
    assert.equal((await who({ authorization })).status, 200);
    assert.equal((await who({ authorization, host: "box.example" })).status, 401, "a session is bound to its address");
    assert.match(failureIn(await open(login, box)).message, /at another address/);
  });

  test("at an https address ends only with a passkey, and never when the policy is off", async (t) => {
    const required = await stage(t);
    const { ticket } = await required.pair(box);
    const { state, options } = await required.waited(ticket, box);
    assert.equal(state, "confirmed");
    assert.deepEqual(
      [options.rp.id, options.authenticatorSelection.userVerification, options.attestation],
      ["box.example", "required", "none"],
    );
    assert.deepEqual(
      options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg),
      [-7, -257],
    );
    assert.deepEqual(required.logins.list(), []);
    const made = { id: "AA", response: { clientDataJSON: Buffer.from(JSON.stringify(options)).toString("base64url") } };
    const header = { "x-paneward-ticket": ticket };
    const handedIn = await required.post("/pair/passkey", { response: made }, box, undefined, header);
    assert.equal(failureIn(handedIn).code, "unauthorized");
    const off = await stage(t, { passkeys: "off" });
    const paired = await off.waited((await off.pair(box)).ticket, box);
    assert.equal(paired.state, "paired");
    assert.equal((await off.open(paired.login, box)).status, 200);
    assert.equal(failureIn(await off.open(paired.login)).code, "unauthorized", "its key is for its own address");
  });

  test("is the only way in at an https address, unless passkeys are off", async (t) => {
    for (const passkeys of ["required", "off"] as const) {
      const { logins, token, post, key } = await stage(t, { passkeys });
      const statuses = [
        (await post("/login", { link: logins.link("read", 1).secret, key }, box)).status,
        (await post("/login", { token: token("read"), key }, box)).status,
        (await post("/login", { token: token("read"), key })).status,
      ];
      assert.deepEqual(statuses, passkeys === "required" ? [403, 403, 200] : [200, 200, 200]);
    }
  });

  test("gets through a storm of guesses from everywhere, also from its own address", async (t) => {
    const { below, pick } = random(t);
    const { pairings, post, key, logins, waited } = await stage(t, { passkeys: "off" });
    const { id, secret, code } = pairings.start({ scope: "read" });
    let underWay = true;
    const answers = new Map<number, number>();
    const storm = async () => {
      while (underWay) {
        const from = pick(["100.64.0.7", "203.0.113.9", `2001:db8::${below(50)}`, "not an address"]);
        const guess = pick([{ code: makeCode(below) }, { link: "A".repeat(22) }]);
        const { status } = await post("/pair", { ...guess, key }, box, from);
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    };
    const storms = Array.from({ length: 8 }, storm);
    assert.deepEqual(await pairings.wait(id, "open", 20_000), { state: "open", codeIsOff: true });
    while ((answers.get(429) ?? 0) < 200) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(failureIn(await post("/pair", { code, key }, box)).code, "rate_limited");
    const asked = JSON.parse((await post("/pair", { link: secret, key }, box)).text);
    pairings.confirm(id, asked.number);
    const paired = await waited(asked.ticket, box);
    underWay = false;
    await Promise.all(storms);
    assert.equal(paired.state, "paired");
    assert.deepEqual(
      logins.list().map((login) => login.id),
      [paired.login],
    );
    assert.deepEqual([...answers.keys()].toSorted(), [401, 429]);
  });

  test("shows where a device seems to be: what the proxy appended, and nothing that is no address", async (t) => {
    const { pairings, post, key } = await stage(t);
    const table = [
      [box, "1.2.3.4, 100.64.0.7", "100.64.0.7"],
      [box, "fd7a::7", "fd7a::7"],
      [box, "\u0009evil", "an unknown address"],
      [undefined, "100.64.0.7", "127.0.0.1"],
    ] as const;
    for (const [origin, forwarded, shown] of table) {
      const { id, secret } = pairings.start({ scope: "read" });
      await post("/pair", { link: secret, key }, origin, forwarded, { "x-forwarded-for": forwarded });
      const found = await pairings.wait(id, "open", 0);
      assert.equal(found.state === "asked" && found.address, shown);
    }
  });
});
