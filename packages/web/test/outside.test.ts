import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { sharedStage, typeHere } from "./support/browser.ts";
import {
  documentedSite,
  makeAuthority,
  type ProxyKind,
  pinOf,
  proxyKinds,
  reservedPort,
  startProxy,
  until,
} from "./support/product.ts";
import { endDaemon } from "./support/restart.ts";

const cleanups: (() => void | Promise<void>)[] = [];
const suite = { after: (clean: () => void | Promise<void>) => void cleanups.push(clean) };
const folder = mkdtempSync(join(tmpdir(), "pw-outside-"));
const authority = makeAuthority(folder);

const names = [...proxyKinds, "plain"] as const;
const ports = new Map<(typeof names)[number], number>();
const originOf = (kind: (typeof names)[number]) => `https://box.test:${ports.get(kind)}`;

describe("the dashboard from outside", () => {
  const shared = sharedStage(
    async () => {
      for (const name of names) ports.set(name, await reservedPort());
      return `[web]\npasskeys = "off"\norigins = ${JSON.stringify(names.map(originOf))}\n`;
    },
    "whole",
    () => ["--host-resolver-rules=MAP *.test 127.0.0.1", `--ignore-certificate-errors-spki-list=${pinOf(authority)}`],
  );

  before(async () => {
    for (const kind of proxyKinds) {
      const site = documentedSite(kind, shared().daemon.port);
      await startProxy(suite, { kind, folder, authority, port: ports.get(kind) ?? 0, ...site });
    }
  });
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page that was opened through the proxy by a link for its origin. */
  async function enter(kind: ProxyKind, options: BrowserContextOptions = {}): Promise<Page> {
    const { daemon, anonymous } = shared();
    const { url } = await daemon.client.login_link({ origin: originOf(kind) });
    assert.ok(url.startsWith(`${originOf(kind)}/#/login/`), url);
    const page = await anonymous(options);
    await page.goto(url);
    await page.locator("nav.nav").waitFor();
    return page;
  }

  for (const kind of proxyKinds) {
    test(`through ${kind}: a link logs in, the page is live, a terminal is typed into, an app is kept`, async () => {
      const { daemon } = shared();
      const name = `behind-${kind}`;
      const { id } = await daemon.client.run({ argv: ["sh", "-c", "read word; echo I got $word; sleep 600"], name });
      const page = await enter(kind);
      const sockets: string[] = [];
      page.on("websocket", (socket) => sockets.push(socket.url()));
      assert.equal(await page.evaluate("isSecureContext && location.protocol"), "https:");
      await page.getByRole("link", { name }).click();
      await page.locator(".xterm-rows").waitFor();
      await typeHere(page);
      await page.keyboard.type("hello");
      await page.keyboard.press("Enter");
      await page.locator(".xterm-rows", { hasText: "I got hello" }).waitFor();
      assert.ok(sockets.length > 0 && sockets.every((url) => url.startsWith(`wss://box.test:${ports.get(kind)}/`)));
      // What happens now is drawn without a request.
      await page.goto(`${originOf(kind)}/#/`);
      await daemon.client.run({ argv: ["sh", "-c", "printf 'Go on? [y/N] '; read _"], name: `asks-${kind}` });
      await page.locator(".card.needs", { hasText: `asks-${kind}` }).waitFor();
      await until("its files are kept", () => page.evaluate("navigator.serviceWorker.controller !== null"));
      await page.reload();
      await page.locator(".card.needs", { hasText: `asks-${kind}` }).waitFor();
      const { logins } = await daemon.client.login_list({});
      assert.ok(logins.some(({ origin }) => origin === originOf(kind)));
      await daemon.client.stop({ id });
    });
  }

  test("while the proxy reaches no daemon an answer waits and a button can be pressed again; then it is given once", async () => {
    const { daemon } = shared();
    const page = await enter("nginx", { permissions: ["notifications"] });
    const script = "printf 'Go on? [y/N] '; read word; echo I got $word; read word; echo and $word";
    const { id } = await daemon.client.run({ argv: ["sh", "-c", script], name: "restarting" });
    const question = await until("it asks", async () => {
      const { questions } = await daemon.client.questions({});
      return questions.find(({ terminal }) => terminal === id)?.id;
    });
    await page.goto(`${originOf("nginx")}/#/question/${question}`);
    const yes = page.getByLabel("open question").getByRole("button", { name: /y(es)?$/i });
    await yes.waitFor();
    await until("it works", () => page.evaluate("navigator.serviceWorker.controller !== null"));
    const [worker = await page.context().waitForEvent("serviceworker")] = page.context().serviceWorkers();
    const restart = await endDaemon(daemon, "SIGKILL");
    await worker.evaluate(`self.registration.showNotification("Go on?", { tag: "x", data: { page: "#/", taps: ["a-tap"] },
      actions: [{ action: "0", title: "Yes" }] })
      .then(() => self.registration.getNotifications({ tag: "x" }))
      .then(([notification]) => self.dispatchEvent(new NotificationEvent("notificationclick", { notification, action: "0" })))`);
    const shown = `self.registration.getNotifications({ tag: "x" })
      .then((all) => all.map(({ body, actions }) => body + actions.map(({ title }) => title)).join())`;
    await until("the button is kept", async () => {
      const text = await worker.evaluate(shown);
      return text === "Not answered: the daemon could not be reachedYes";
    });
    await yes.click();
    await page.getByText("waits for a connection").first().waitFor();
    await restart();
    await page.getByLabel("closed question").waitFor();
    await page.getByLabel("answers given without a connection").waitFor({ state: "detached" });
    const { lines } = await daemon.client.screen({ id });
    assert.ok(
      lines.some((line) => line.includes("I got y")) && !lines.some((line) => line.includes("and ")),
      `${lines}`,
    );
    await daemon.client.stop({ id });
  });

  test("a key of one origin is of no use under another, nor is a link", async () => {
    const { daemon, anonymous, origin } = shared();
    const [nginx, caddy] = [originOf("nginx"), originOf("caddy")];
    const page = await enter("nginx");
    for (const other of [caddy, origin]) {
      await page.goto(`${other}/`);
      await page.getByLabel("Token").waitFor();
    }
    const stranger = await anonymous();
    const { url } = await daemon.client.login_link({ origin: nginx });
    for (const other of [caddy, origin]) {
      await stranger.goto(url.replace(nginx, other));
      await stranger.getByText("this link is for another address of the dashboard").waitFor();
    }
    await stranger.goto(url);
    await stranger.locator("nav.nav").waitFor();
  });

  test("a name of others that leads here gets nothing, nor does a page of another site", async () => {
    const { daemon, anonymous } = shared();
    const page = await anonymous({ ignoreHTTPSErrors: true });
    const rebound = await page.goto(`${originOf("nginx").replace("box.test", "evil.test")}/`);
    assert.equal(rebound?.status(), 403);
    assert.match((await rebound?.text()) ?? "", /requests with this Host are refused/);
    const { token } = await daemon.client.token_create({ scope: "admin" });
    const got = await page.evaluate(
      async ([ours, bearer]) => {
        const headers = { authorization: `Bearer ${bearer}` };
        const read = (answer: Response) => answer.text();
        const nothing = () => "nothing";
        const fetched = await fetch(`${ours}/api/ps`, { headers }).then(read, nothing);
        const own = await fetch("/api/ps", { headers }).then((answer) => String(answer.status), nothing);
        const socket = await new Promise<string>((resolve) => {
          const open = new WebSocket(`${ours?.replace("http", "ws")}/api/events/ws`, [
            "paneward.v1",
            `bearer.${bearer}`,
          ]);
          open.onmessage = ({ data }) => resolve(String(data));
          open.onclose = () => resolve("nothing");
        });
        return { fetched, own, socket };
      },
      [originOf("nginx"), token],
    );
    assert.deepEqual(got, { fetched: "nothing", own: "403", socket: "nothing" });
  });

  test("behind a proxy that changes Host the page says what to set, also if the proxy hides the Origin", async () => {
    const { daemon, anonymous } = shared();
    const { url } = await daemon.client.login_link({ origin: originOf("nginx") });
    const through = async (more: string) => {
      const port = await reservedPort();
      const site = `location / { proxy_pass http://127.0.0.1:${daemon.port}; ${more} }`;
      await startProxy(suite, { kind: "nginx", folder, authority, port, site });
      const page = await anonymous();
      await page.goto(url.replace(originOf("nginx"), `https://box.test:${port}`));
      return page;
    };
    const bare = await through("");
    await until("what is wrong is shown", () =>
      bare.evaluate("getComputedStyle(document.querySelector('#unloaded')).opacity === '1'"),
    );
    assert.match(await bare.locator("#unloaded").innerText(), /proxy_set_header Host \$http_host/);
    const hiding = await through('proxy_set_header Origin "";');
    await hiding.getByText(`reach the daemon as requests to 127.0.0.1:${daemon.port}`).waitFor();
    await hiding.getByText("proxy_set_header Host $http_host").waitFor();
    assert.equal(await hiding.locator("#unloaded").count(), 0);
  });

  test("behind a proxy that passes no WebSockets on the page says so", async () => {
    const { daemon, anonymous } = shared();
    const origin = originOf("plain");
    const port = ports.get("plain") ?? 0;
    const site = `location / { proxy_pass http://127.0.0.1:${daemon.port}; proxy_set_header Host $http_host; }`;
    await startProxy(suite, { kind: "nginx", folder, authority, port, site });
    const { url } = await daemon.client.login_link({ origin });
    const page = await anonymous();
    await page.goto(url);
    await page
      .getByTitle("requests reach the daemon, but WebSockets do not: a proxy must pass", { exact: false })
      .waitFor();
  });
});
