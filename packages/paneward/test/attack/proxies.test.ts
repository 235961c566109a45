import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createClient, directHeaders } from "@paneward/sdk";
import { httpTransport } from "@paneward/sdk/node/http";
import { ask, failureIn, json, type RawRequest } from "../http/support/ask.ts";
import { type Served, served } from "../http/support/served.ts";
import { temporaryFolder } from "../support/folder.ts";
import {
  type Authority,
  documentedSite,
  makeAuthority,
  type ProxyOptions,
  proxyKinds,
  reservedPort,
  startProxy,
} from "../support/proxies.ts";
import { until } from "../support/until.ts";
import { askThrough, type Door } from "./support/through.ts";

const cleanups: (() => void | Promise<void>)[] = [];
const suite = { after: (clean: () => void | Promise<void>) => void cleanups.push(clean) };

let folder = "";
let authority: Authority;
before(async () => {
  folder = await temporaryFolder(suite);
  authority = makeAuthority(join(folder, "authority"));
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(authority.ca, "utf8")]);
});
after(async () => {
  for (const clean of cleanups.toReversed()) await clean();
});

interface Stage extends Door {
  readonly daemon: Served;
  readonly origin: string;
}

/** The app behind a real proxy; its only origin is the proxy's. */
async function behind(
  kind: ProxyOptions["kind"],
  configure: (daemon: Served) => Pick<ProxyOptions, "site" | "beside">,
): Promise<Stage> {
  const port = await reservedPort();
  const origin = `https://localhost:${port}`;
  const daemon = await served(suite, { sites: { origins: [origin], funnel: false } });
  await startProxy(suite, { kind, folder, authority, port, ...configure(daemon) });
  return { daemon, port, authority, origin };
}

const handshake = {
  ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

for (const kind of proxyKinds) {
  describe(`behind ${kind}, configured as docs/remote.md says`, { timeout: 60_000 }, () => {
    let stage: Stage;
    before(async () => {
      stage = await behind(kind, ({ port }) => documentedSite(kind, port));
    });
    const bearer = () => ({ authorization: `Bearer ${stage.daemon.token("read")}` });

    test("programs work: the daemon proves itself, answers, and sends events within 100 ms", async () => {
      const { daemon, origin } = stage;
      const transport = httpTransport(origin, daemon.token("read"));
      const client = createClient(transport);
      const stop = new AbortController();
      try {
        assert.equal((await client.ping({})).pong, true);
        const late: number[] = [];
        const { promise: connected, resolve } = Promise.withResolvers<void>();
        const following = (async () => {
          const onConnection = (is: boolean) => is && resolve();
          for await (const event of client.follow({ signal: stop.signal, onConnection })) {
            if (event.type === "sessions_changed") late.push(performance.now() - Number(event.data.reason));
          }
        })();
        await connected;
        for (let sent = 1; sent <= 20; sent++) {
          daemon.store.write((writer) => writer.append("sessions_changed", { reason: String(performance.now()) }));
          await until(`event ${sent} arrived`, () => late.length === sent);
        }
        stop.abort();
        await following;
        const median = late.toSorted((one, other) => one - other)[10] ?? Number.NaN;
        assert.ok(median < 100, `${late.map(Math.round)}`);
      } finally {
        stop.abort();
        transport.close();
      }
    });

    test("a page of the origin is answered, with a WebSocket; every other Host and Origin is refused", async () => {
      const { origin, port, daemon } = stage;
      const host = `localhost:${port}`;
      const evil = "https://evil.test";
      const socket = { path: "/api/events/ws", headers: { ...handshake, ...bearer() } };
      const at = (asked: RawRequest, more: Record<string, string>) =>
        askThrough(stage, { ...asked, headers: { ...asked.headers, ...more } });
      assert.equal((await at(socket, { origin })).status, 101);
      assert.equal((await at({ path: "/api/whoami", headers: bearer() }, {})).status, 200);
      assert.equal((await at({ path: "/healthz" }, {})).status, 200);
      for (const asked of [
        socket,
        { path: "/api/whoami", headers: bearer() },
        { path: "/healthz" },
        json("POST", "/login", {}),
      ]) {
        for (const more of [
          { origin: evil },
          { origin: `http://${host}` },
          { origin: `http://127.0.0.1:${daemon.port}` },
          { origin: "null" },
          { host: "evil.test" },
          { host: "evil.test", origin: evil },
          {
            host: `evil.test:${port}`,
            origin: `${evil}:${port}`,
            "x-forwarded-host": host,
            "x-forwarded-proto": "https",
          },
          { host: "evil.test", origin },
          { host, "sec-fetch-site": "cross-site" },
          { host, "tailscale-funnel-request": "?1" },
        ]) {
          const { status, text } = await at(asked, more);
          assert.equal(status, 403, `${asked.path} ${JSON.stringify(more)}: ${text}`);
        }
      }
    });
  });
}

describe("a proxy that is configured otherwise", { timeout: 60_000 }, () => {
  const wrong = {
    "nginx that passes on nothing": [
      "nginx",
      ({ port }: Served) => `location / { proxy_pass http://127.0.0.1:${port}; }`,
    ],
    "nginx with a Host of its own": [
      "nginx",
      ({ port }: Served) =>
        `location / { proxy_pass http://127.0.0.1:${port}; proxy_set_header Host backend; proxy_set_header Origin ""; }`,
    ],
    "Caddy with the Host of the daemon": [
      "caddy",
      ({ port }: Served) => `reverse_proxy 127.0.0.1:${port} {\n\theader_up Host {upstream_hostport}\n}`,
    ],
  } as const;

  for (const [what, [kind, site]] of Object.entries(wrong)) {
    test(`${what} gives an error that says what to set, and gets no token`, async () => {
      const stage = await behind(kind, (daemon) => ({ site: site(daemon) }));
      const transport = httpTransport(stage.origin, stage.daemon.token("admin"));
      try {
        await assert.rejects(createClient(transport).ping({}), (error: Error & { hint?: string }) => {
          assert.match(error.message, /is not the daemon of this token/);
          assert.match(error.hint ?? "", /proxy_set_header Host \$http_host|`origins` under \[web\]/);
          return true;
        });
      } finally {
        transport.close();
      }
      assert.deepEqual(stage.daemon.calls, []);
      const { origin } = stage;
      const login = await askThrough(stage, {
        ...json("POST", "/login", {}),
        headers: { origin, "content-type": "application/json" },
      });
      if (login.status !== 400) assert.match(failureIn(login).hint, /proxy_set_header Host \$http_host/);
    });
  }

  test("nginx without Upgrade: the daemon says which lines are missing; its own header keeps events from being held back", async () => {
    const stage = await behind("nginx", ({ port }) => ({
      site: `location / { proxy_pass http://127.0.0.1:${port}; proxy_set_header Host $http_host; }`,
    }));
    const { daemon, origin } = stage;
    const bearer = { authorization: `Bearer ${daemon.token("read")}` };
    const refused = await askThrough(stage, { path: "/api/events/ws", headers: { ...handshake, ...bearer, origin } });
    assert.match(failureIn(refused).message, /arrived without `Upgrade`/);
    assert.match(failureIn(refused).hint, /proxy_http_version 1\.1, and proxy_set_header for Upgrade/);
    const transport = httpTransport(origin, daemon.token("read"));
    const stop = new AbortController();
    const began = performance.now();
    const onConnection = (is: boolean) => is && stop.abort();
    for await (const _ of createClient(transport).follow({ signal: stop.signal, onConnection })) break;
    assert.ok(performance.now() - began < 5_000, "nginx would hold 4 KB back for as long as the stream is open");
    transport.close();
  });
});

describe("a proxy in front of the daemon's Unix socket", { timeout: 60_000 }, () => {
  const passAll = `proxy_http_version 1.1; proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $http_connection;`;
  const ways = {
    "nginx, as it is": ["nginx", (socket: string) => `location / { proxy_pass http://unix:${socket}:; }`],
    "nginx with the lines of the page": [
      "nginx",
      (socket: string) => documentedSite("nginx", 0).site.replace("http://127.0.0.1:0", `http://unix:${socket}:`),
    ],
    "nginx that passes Host and Connection on": [
      "nginx",
      (socket: string) => `location / { proxy_pass http://unix:${socket}:; ${passAll} }`,
    ],
    "nginx that asks as a program does": [
      "nginx",
      (socket: string) => `location / { proxy_pass http://unix:${socket}:; proxy_set_header Host paneward; }`,
    ],
    "Caddy, as it is": ["caddy", (socket: string) => `reverse_proxy unix/${socket}`],
    "Caddy that hides where a request is from": [
      "caddy",
      (socket: string) =>
        `reverse_proxy unix/${socket} {\n${["Host paneward", "-X-Forwarded-For", "-X-Forwarded-Host", "-X-Forwarded-Proto", "-Via"].map((line) => `\t\theader_up ${line}\n`).join("")}\t}`,
    ],
  } as const;

  for (const [what, [kind, site]] of Object.entries(ways)) {
    test(`${what}: no stranger becomes the owner, whatever it sends`, async () => {
      const { beside = "" } = kind === "nginx" ? documentedSite("nginx", 0) : {};
      const stage = await behind(kind, ({ socket }) => ({ site: site(socket), beside }));
      const { socket } = stage.daemon;
      assert.equal((await ask(socket, { path: "/api/whoami" })).status, 200, "a program of the owner may");
      const host = `localhost:${stage.port}`;
      for (const headers of [
        {},
        { origin: stage.origin },
        { host: "localhost" },
        { host: "paneward" },
        { host: "evil.test", origin: "https://evil.test" },
        { ...directHeaders },
        { ...directHeaders, host },
        { ...directHeaders, connection: "keep-alive, paneward_direct" },
        { ...directHeaders, "paneward-direct": "1" },
        { ...directHeaders, connection: "close" },
      ]) {
        for (const asked of [
          { path: "/api/whoami" },
          { path: "/api/tokens" },
          json("POST", "/api/terminals/run", { argv: ["id"] }),
        ]) {
          const answer = await askThrough(stage, { ...asked, headers: { ...asked.headers, ...headers } });
          assert.ok([400, 403, 200].includes(answer.status), `${answer.status}`);
          // Caddy has no site for some names, and answers with an empty page of its own.
          if (answer.status === 200) assert.deepEqual([kind, answer.text], ["caddy", ""]);
        }
        const link = { ...headers, connection: `Upgrade, ${directHeaders.connection}`, upgrade: "paneward-calls" };
        assert.notEqual((await askThrough(stage, { path: "/api/calls", headers: link })).status, 101);
      }
      assert.deepEqual(
        stage.daemon.calls.map(({ name }) => name),
        ["whoami"],
      );
    });
  }
});
