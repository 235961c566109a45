import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { sharedStage } from "./support/browser.ts";
import { until } from "./support/product.ts";

/** Another program on loopback: it serves a page, and writes down all that it gets. */
async function impostorOn(port: number, t: { after(clean: () => void): void }) {
  const heard: string[] = [];
  const note = (asked: IncomingMessage) => {
    const { authorization, cookie, "sec-websocket-protocol": protocol } = asked.headers;
    heard.push([asked.method, asked.url, authorization, cookie, protocol].filter(Boolean).join(" "));
  };
  const server: Server = createServer((asked, answer) => {
    note(asked);
    asked.on("data", (bytes) => heard.push(String(bytes)));
    answer.setHeader("access-control-allow-origin", "*");
    answer.setHeader("content-type", asked.url === "/" ? "text/html" : "application/json");
    answer.end(
      asked.url === "/" ? "<h1>Paneward</h1>" : JSON.stringify({ challenge: "mine", key: "AA", signature: "AA" }),
    );
  });
  server.on("upgrade", (asked, socket) => {
    note(asked);
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  t.after(() => void close());
  return { heard, close, port: (server.address() as AddressInfo).port };
}

function statusOf(port: number, path: string, headers: Record<string, string>, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const method = body ? "POST" : "GET";
    const json = body ? { "content-type": "application/json" } : {};
    request({ port, path, method, headers: { ...headers, ...json } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on("error", reject)
      .end(body ? JSON.stringify(body) : undefined);
  });
}

interface Plunder {
  readonly found: boolean;
  readonly cookie: string;
  readonly stored: string;
  readonly exported: string;
  readonly login: string;
  readonly signed: string;
}

/** What a page can get out of what its origin keeps. Runs in the page. */
const plunder = `new Promise((resolve, reject) => {
  const stored = JSON.stringify({ ...localStorage, ...sessionStorage });
  const nothing = { found: false, cookie: document.cookie, stored, exported: "", login: "", signed: "" };
  const opening = indexedDB.open("paneward");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const database = opening.result;
    if (!database.objectStoreNames.contains("logins")) return resolve(nothing);
    const reading = database.transaction("logins").objectStore("logins").get("this browser");
    reading.onsuccess = async () => {
      const { login, privateKey } = reading.result;
      const exported = await crypto.subtle.exportKey("pkcs8", privateKey).then(() => "the key", (error) => error.name);
      const text = new TextEncoder().encode(["paneward browser 1", location.host, login, "mine"].join("\\n"));
      const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, text);
      resolve({ ...nothing, found: true, exported, login, signed: btoa(String.fromCharCode(...new Uint8Array(signature))) });
    };
  };
})`;

describe("another program on loopback", () => {
  const shared = sharedStage();

  test("on another port gets nothing of a browser that is logged in", async (t) => {
    const stage = shared();
    const page = await stage.enter();
    const other = await impostorOn(0, t);
    await page.goto(`http://127.0.0.1:${other.port}/`);
    assert.deepEqual(await page.evaluate<Plunder>(plunder), {
      ...{ found: false, cookie: "", stored: "{}", exported: "", login: "", signed: "" },
    });
    assert.doesNotMatch(other.heard.join("\n"), /pw|bearer|cookie/i);
    assert.deepEqual(await page.context().cookies(), []);
  });

  test("whose answer no page can draw costs that page only", async () => {
    const page = await shared().enter();
    await page.route("**/api/logins", (asked) => asked.fulfill({ json: { challenge: "mine" } }));
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("heading", { name: "This page cannot be shown" }).waitFor();
    await page.getByRole("link", { name: "Overview" }).first().click();
    await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
    await page.unroute("**/api/logins");
    await page.getByRole("link", { name: "Settings" }).first().click();
    await page.getByRole("heading", { name: "Browsers that are logged in" }).waitFor();
  });

  test("that takes the daemon's port gets nothing that the daemon would accept later", async (t) => {
    const { daemon, ...stage } = shared();
    const { port } = daemon;
    const page = await stage.enter();
    const config = join(daemon.folder, "config", "paneward", "config.toml");
    writeFileSync(config, readFileSync(config, "utf8").replace("port = 0", `port = ${port}`));
    const sessions: string[] = [];
    page.on("request", (asked) => sessions.push(asked.headers().authorization ?? ""));
    await page.getByRole("link", { name: "Settings" }).first().click();
    await until("the page used its session", () => sessions.some((one) => one.startsWith("Bearer pws_")));
    await daemon.kill("SIGKILL");
    const impostor = await impostorOn(port, t);
    // The open page asks for a proof, gets none, and says so.
    await until("the page asked", () => impostor.heard.filter((line) => line.startsWith("GET /identity")).length > 1);
    await page.getByTitle("another program answers at this address", { exact: false }).waitFor();
    const ofPage = impostor.heard.filter((line) => !line.startsWith("GET /identity"));
    // A call that was under way when the daemon ended may carry the session that ended with it.
    for (const line of ofPage) assert.doesNotMatch(line, /pw_|password/);
    // Its own page, on the same origin, can use the key while it is open, and cannot take it away.
    await page.goto(`http://127.0.0.1:${port}/`);
    const { exported, login, signed, ...rest } = await page.evaluate<Plunder>(plunder);
    assert.deepEqual(rest, { found: true, cookie: "", stored: rest.stored });
    assert.doesNotMatch(rest.stored, /pw/);
    assert.equal(exported, "InvalidAccessError");
    await page.goto("about:blank");
    await impostor.close();
    await daemon.start();
    assert.equal(daemon.port, port);
    const host = { host: `127.0.0.1:${port}` };
    for (const authorization of new Set([
      ...sessions,
      ...impostor.heard.flatMap((line) => /Bearer \S+/.exec(line) ?? []),
    ])) {
      assert.equal(await statusOf(port, "/api/whoami", { ...host, authorization }), 401);
    }
    assert.equal(await statusOf(port, "/session", host, { login, challenge: "mine", signature: signed }), 401);
    // The browser itself is still logged in.
    await page.goto(`${stage.origin}/`);
    await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
  });
});
