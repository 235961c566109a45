import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Output } from "@paneward/sdk";
import { asked } from "../../src/cli/outside/probe.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
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
import { paneward } from "./support/cli.ts";

type Checks = Output<"doctor">["checks"];

const cleanups: (() => void | Promise<void>)[] = [];
const suite = { after: (clean: () => void | Promise<void>) => void cleanups.push(clean) };

describe("paneward doctor --url", () => {
  let daemon: TestDaemon;
  let authority: Authority;
  const ports: number[] = [];
  before(async () => {
    for (let count = 0; count < 12; count++) ports.push(await reservedPort());
    const origins = [...ports.map((port) => `https://localhost:${port}`), `http://127.0.0.1:${ports[0]}`];
    daemon = await startDaemon(suite, `[web]\norigins = ${JSON.stringify(origins)}\n`);
    authority = makeAuthority(await temporaryFolder(suite));
  });
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean();
  });

  async function doctor(url: string, more: Readonly<Record<string, string>> = {}, idle = "0") {
    const env = { ...daemon.env, NODE_EXTRA_CA_CERTS: authority.ca, ...more };
    const { stdout, stderr, code } = await paneward(["doctor", "--url", url, "--idle", idle, "--json"], { env });
    assert.equal(stderr.replace(/^.*Warning.*$/gm, "").trim(), "");
    const { checks } = JSON.parse(stdout) as { readonly checks: Checks };
    assert.equal(code, checks.every(({ ok }) => ok) ? 0 : 1);
    return {
      checks,
      wrong: checks.filter(({ ok }) => !ok),
      at: (name: string) => checks.find((one) => one.name === name),
    };
  }

  /** What doctor says behind a real proxy with this configuration, and the one check that fails. */
  async function behind(kind: ProxyOptions["kind"], site: Pick<ProxyOptions, "site" | "beside">, idle?: string) {
    const port = ports.shift() ?? 0;
    const proxy = await startProxy(suite, { kind, folder: daemon.folder, authority, port, ...site });
    const found = await doctor(`https://localhost:${port}`, {}, idle);
    await proxy.stop();
    return { ...found, port, failure: found.wrong[0] };
  }

  const inNginx = (lines: string) => ({
    site: `location / { proxy_pass http://127.0.0.1:${daemon.port}; ${lines} }`,
    beside: documentedSite("nginx", 0).beside ?? "",
  });
  const good = `proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $paneward_connection;`;

  for (const kind of proxyKinds) {
    test(`behind ${kind} as docs/remote.md configures it, all is well, and events are not held back`, async () => {
      const { checks, wrong, at } = await behind(kind, documentedSite(kind, daemon.port), "0.2");
      assert.deepEqual(wrong, []);
      const names = ["name", "TLS", "daemon", "Host", "Origin", "identity", "WebSocket", "events", "waiting"];
      assert.deepEqual(
        checks.map(({ name }) => name),
        names,
      );
      assert.match(at("daemon")?.detail ?? "", new RegExp(`answers, through ${kind}$`));
      const [, ms] = /^arrive after (\d+) ms$/.exec(at("events")?.detail ?? "") ?? [];
      assert.ok(Number(ms) < 1_000, `${at("events")?.detail}`);
      assert.deepEqual((await daemon.client.token_list({})).tokens, [], "its own token is gone");
    });
  }

  const troubles: readonly (readonly [
    what: string,
    lines: string,
    name: string,
    detail: RegExp,
    hint: RegExp,
    idle?: string,
  ])[] = [
    [
      "Host is changed",
      "",
      "Host",
      /asked for 127\.0\.0\.1:\d+, not for https:/,
      /^`proxy_set_header Host \$http_host;`$/,
    ],
    [
      "Origin is hidden",
      `${good} proxy_set_header Origin "";`,
      "Origin",
      /every other site are answered/,
      /remove `proxy_set_header Origin/,
    ],
    [
      "WebSockets are not passed on",
      "proxy_set_header Host $http_host;",
      "WebSocket",
      /arrived without `Upgrade`/,
      /proxy_http_version 1\.1; .*Upgrade/,
    ],
    [
      "events are held back",
      `${good} proxy_ignore_headers X-Accel-Buffering;`,
      "events",
      /holds? .*back/,
      /proxy_buffering off/,
    ],
    [
      "requests that wait are cut",
      `${good} proxy_read_timeout 1s;`,
      "waiting",
      /cut after [12]\.\d s: status 504/,
      /`proxy_read_timeout 1h;`/,
      "5",
    ],
  ];
  for (const [what, lines, name, detail, hint, idle] of troubles) {
    test(`${what}: it names the line for nginx`, async () => {
      const { failure, wrong } = await behind("nginx", inNginx(lines), idle);
      assert.equal(failure?.name, name, JSON.stringify(wrong));
      assert.match(failure?.detail ?? "", detail);
      assert.match(failure?.hint ?? "", hint);
      // What follows from it sends nobody elsewhere.
      for (const one of wrong.slice(1))
        if (name === "Host") assert.match(one.hint ?? "", /proxy_set_header Host/, one.name);
    });
  }

  test("every name is answered, because the proxy writes the right one: it warns of DNS rebinding", async () => {
    const host = `localhost:${ports[0]}`;
    const { failure } = await behind("nginx", inNginx(good.replace("$http_host", host)));
    assert.equal(failure?.name, "Host");
    assert.match(failure?.detail ?? "", /every other name are answered too/);
  });

  test("nothing behind the proxy, nothing at all, no TLS, and a certificate of strangers are distinguished", async () => {
    const dead = await reservedPort();
    const nothing = await behind("nginx", { site: `location / { proxy_pass http://127.0.0.1:${dead}; }` });
    assert.match(nothing.failure?.detail ?? "", /^nginx answers with status 502: it does not reach the daemon$/);
    assert.match(nothing.failure?.hint ?? "", /proxy_pass http:\/\/127\.0\.0\.1:\d+;/);
    const refused = await doctor(`https://localhost:${dead}`);
    assert.match(refused.wrong[0]?.detail ?? "", /^nothing accepts connections at localhost:\d+/);
    const plain = await doctor(`https://localhost:${daemon.port}`);
    assert.match(plain.wrong[0]?.detail ?? "", /speaks no TLS/);
    const port = ports.shift() ?? 0;
    const options = { kind: "nginx", folder: daemon.folder, authority, port, ...inNginx(good) } as const;
    await startProxy(suite, options);
    const strange = await doctor(`https://localhost:${port}`, { NODE_EXTRA_CA_CERTS: "" });
    assert.match(strange.wrong[0]?.detail ?? "", /^the certificate is not accepted/);
    assert.match(strange.wrong[0]?.hint ?? "", /NODE_EXTRA_CA_CERTS/);
    const address = await doctor("https://localhost/paneward");
    assert.match(address.wrong[0]?.detail ?? "", /has a path; write https:\/\/localhost/);
  });

  test("an address that `origins` does not name: it says where to name it", async () => {
    const port = await reservedPort();
    await startProxy(suite, {
      kind: "caddy",
      folder: daemon.folder,
      authority,
      port,
      ...documentedSite("caddy", daemon.port),
    });
    const { wrong } = await doctor(`https://localhost:${port}`);
    assert.match(wrong[0]?.detail ?? "", /requests with this Host are refused/);
    assert.match(wrong[0]?.hint ?? "", /`origins` under \[web\] in config\.toml/);
  });

  test("elsewhere it uses the token that is given; that of another daemon is not sent", async () => {
    const port = ports.shift() ?? 0;
    await startProxy(suite, {
      kind: "caddy",
      folder: daemon.folder,
      authority,
      port,
      ...documentedSite("caddy", daemon.port),
    });
    const url = `https://localhost:${port}`;
    const { token } = await daemon.client.token_create({ scope: "read" });
    const elsewhere = await doctor(url, { PANEWARD_URL: url, PANEWARD_TOKEN: token });
    assert.deepEqual(elsewhere.wrong, []);
    assert.equal(elsewhere.at("events")?.detail, "arrive at once");
    const other = await doctor(url, { PANEWARD_URL: url, PANEWARD_TOKEN: token.slice(0, -4).concat("0000") });
    assert.match(other.wrong[0]?.detail ?? "", /not the daemon of this token; the token was not sent/);
    assert.equal(other.at("WebSocket"), undefined);
  });
});

// Whatever is at an address may answer; the command ends with its finding.
const strange: readonly (readonly [what: string, answer: (socket: Socket) => void, found: RegExp])[] = [
  [
    "is cut off",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx");
      setTimeout(() => socket.destroy(), 100);
    },
    /aborted/,
  ],
  [
    "comes byte by byte for ever",
    (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const timer = setInterval(() => socket.write("1\r\nx\r\n"), 50);
      socket.once("close", () => clearInterval(timer));
    },
    /no answer within 0.5 s/,
  ],
  [
    "is a WebSocket that says nothing",
    (socket) => void socket.write("HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
    /no answer within 0.5 s/,
  ],
  ["has no end", flood, /^$/],
];

for (const [what, answer, found] of strange) {
  test(`an answer that ${what} is a finding, soon`, { timeout: 20_000 }, async (t) => {
    const server = createServer((socket) => void socket.on("error", () => {}).once("data", () => answer(socket)));
    const sockets: Socket[] = [];
    server.on("connection", (socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    await once(server, "listening");
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    const { error, value } = await asked(url, { path: "/", headers, patienceMs: 500 });
    assert.match(error?.message ?? "", found);
    assert.equal(value === undefined, error !== undefined);
  });
}

function flood(socket: Socket): void {
  socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  const piece = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const more = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}
