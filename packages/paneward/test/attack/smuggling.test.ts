import assert from "node:assert/strict";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { after, before, test } from "node:test";
import { routes } from "@paneward/sdk";
import { amount } from "../../../tmux/test/support/amount.ts";
import { random } from "../../../tmux/test/support/random.ts";
import { ask } from "../http/support/ask.ts";
import { type Served, served } from "../http/support/served.ts";
import { temporaryFolder } from "../support/folder.ts";
import { documentedSite, makeAuthority, proxyKinds, reservedPort, startProxy } from "../support/proxies.ts";
import { smuggled, wanted } from "./support/smuggled.ts";
import { askThrough, rawThrough } from "./support/through.ts";

const cleanups: (() => void | Promise<void>)[] = [];
const suite = { after: (clean: () => void | Promise<void>) => void cleanups.push(clean) };

// All of them ask within moments.
const limits = { perSecond: 1_000_000, burst: 1_000_000 };

interface Way {
  readonly daemon: Served;
  readonly host: string;
  readonly origin: string;
  readonly open: () => Duplex;
  readonly get: (path: string, token: string) => Promise<{ readonly status: number; readonly text: string }>;
}

const ways = new Map<string, Way>();
before(async () => {
  const folder = await temporaryFolder(suite);
  const authority = makeAuthority(folder);
  const daemon = await served(suite, { limits });
  const host = `127.0.0.1:${daemon.port}`;
  ways.set("straight", {
    ...{ daemon, host, origin: `http://${host}` },
    open: () => connect(daemon.port, "127.0.0.1"),
    get: (path, token) => ask(daemon.port, { path, headers: { authorization: `Bearer ${token}` } }),
  });
  for (const kind of proxyKinds) ways.set(`through ${kind}`, await through(kind, folder, authority));
});
after(async () => {
  for (const clean of cleanups.toReversed()) await clean();
});

async function through(
  kind: "nginx" | "caddy",
  folder: string,
  authority: ReturnType<typeof makeAuthority>,
): Promise<Way> {
  const port = await reservedPort();
  const host = `localhost:${port}`;
  const origin = `https://${host}`;
  const daemon = await served(suite, { limits, sites: { origins: [origin], funnel: false } });
  const { site, beside = "" } = documentedSite(kind, daemon.port);
  // Caddy uses a connection for requests of several clients; nginx does so too, if it is told to keep some.
  const shared =
    kind === "caddy"
      ? { site }
      : {
          site: site.replace(/http:\/\/127\.0\.0\.1:\d+/, "http://daemon"),
          beside: `${beside}\nupstream daemon { server 127.0.0.1:${daemon.port}; keepalive 1; }`,
        };
  await startProxy(suite, { kind, folder, authority, port, ...shared });
  const door = { port, authority };
  return {
    ...{ daemon, host, origin },
    open: () => rawThrough(door),
    get: (path, token) => askThrough(door, { path, headers: { authorization: `Bearer ${token}` } }),
  };
}

for (const name of ["straight", "through nginx", "through caddy"]) {
  test(`${name}: no request, however it is written, speaks for somebody else or for another site`, async (t) => {
    const way = ways.get(name);
    assert.ok(way);
    const { daemon, host, origin, open, get } = way;
    const numbers = random(t);
    const own = daemon.token("admin");
    const aim = { host, origin, token: daemon.token("read") };
    let plain = 0;
    for (let round = 0; round < amount(120, 3_000); round++) {
      const { bytes, isForeign, isPlain } = smuggled(numbers, aim);
      const shown = `${round}: ${JSON.stringify(bytes.toString("latin1"))}`;
      const before = daemon.calls.length;
      const attack = open();
      let received = "";
      attack.on("data", (chunk) => (received = `${received}${chunk}`.slice(0, 10_000))).on("error", () => {});
      const over = new Promise((resolve) => attack.once("close", resolve));
      const first = new Promise<void>((resolve) => void attack.once("data", () => resolve()).once("close", resolve));
      attack.write(bytes);
      if (isPlain) await first;
      // The owner's own requests, beside the attack and after it, perhaps on the same connection to the daemon.
      const answers = [await get(`/api/terminals/own-${round}/output`, own)];
      attack.end();
      answers.push(await get(`/api/terminals/then-${round}/output`, own));
      if (isPlain) assert.match(received, /^HTTP\/1\.1 200 /, shown);
      attack.destroy();
      await over;
      for (const { status } of answers) assert.equal(status, 200, shown);
      const calls = daemon.calls
        .slice(before)
        .map(({ name: call, input, caller }) => ({ call, id: Reflect.get(Object(input), "id"), by: caller.scope }));
      const ofOwner = calls.filter(({ by }) => by === "admin");
      assert.deepEqual(
        ofOwner.map(({ id }) => id),
        [`own-${round}`, `then-${round}`],
        shown,
      );
      const ofOthers = calls.filter(({ by }) => by !== "admin");
      for (const { call, id, by } of ofOthers)
        assert.deepEqual([routes[call].scope, id, by], ["read", wanted, "read"], shown);
      if (isForeign) assert.deepEqual(ofOthers, [], shown);
      if (isPlain) plain++;
    }
    assert.ok(plain > 0, "some requests are answered");
    assert.deepEqual(
      daemon.logged.filter(({ level }) => level === "error"),
      [],
    );
  });
}
