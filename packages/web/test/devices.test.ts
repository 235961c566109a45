import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { type Stage, sharedStage } from "./support/browser.ts";
import {
  documentedSite,
  makeAuthority,
  panewardInTerminal,
  pinOf,
  reservedPort,
  startProxy,
  until,
} from "./support/product.ts";

const android: BrowserContextOptions = {
  ...{ viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true },
  userAgent: "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36",
};

/** A phone with a fingerprint sensor. */
interface Phone {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly sensor: string;
}

const cleanups: (() => void | Promise<void>)[] = [];
const suite = { after: (clean: () => void | Promise<void>) => void cleanups.push(clean) };
const folder = mkdtempSync(join(tmpdir(), "pw-devices-"));
const authority = makeAuthority(folder);
/** A site of somebody else, which no test connects to. */
const evil = "https://evil.test";

describe("a device on an https address", () => {
  const shared = sharedStage(
    async () => {
      port = await reservedPort();
      return `[web]\norigins = ["https://box.test:${port}"]\n`;
    },
    "shell",
    () => ["--host-resolver-rules=MAP *.test 127.0.0.1", `--ignore-certificate-errors-spki-list=${pinOf(authority)}`],
  );
  let port = 0;
  let stage: Stage;
  let origin = "";

  before(async () => {
    stage = shared();
    origin = `https://box.test:${port}`;
    const site = documentedSite("nginx", stage.daemon.port);
    await startProxy(suite, { kind: "nginx", folder, authority, port, ...site });
  });
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean();
    rmSync(folder, { recursive: true, force: true });
  });

  async function phone(options: BrowserContextOptions = android): Promise<Phone> {
    const page = await stage.anonymous(options);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    return { page, cdp, sensor: await addSensor(cdp) };
  }

  async function addSensor(cdp: CDPSession): Promise<string> {
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    return authenticatorId;
  }

  /** `paneward pair` on a terminal, with what it shows. */
  async function pairing(...argv: readonly string[]) {
    const terminal = await panewardInTerminal(suite, ["pair", ...argv], stage.daemon.env, { columns: 100, rows: 50 });
    const shown = await terminal.shows(/and type [A-Z2-9]{4}-[A-Z2-9]{4}[\s\S]*waiting for the device/);
    const [link = ""] = /https:\S+\/#\/pair\/\S+/.exec(shown) ?? [];
    const [, code = ""] = /and type (\S+)/.exec(shown) ?? [];
    return { ...terminal, shown, link, code };
  }

  async function numberOn(page: Page): Promise<string> {
    return (await page.locator("output.pairing-number").textContent()) ?? "";
  }

  /** A phone that was paired from the first look at the code to the passkey. */
  async function paired(name: string): Promise<Phone & { readonly login: string }> {
    const terminal = await pairing("--name", name);
    const one = await phone();
    await one.page.goto(terminal.link);
    await terminal.press(await numberOn(one.page), "Enter");
    await one.page.getByRole("button", { name: "Make a passkey" }).tap();
    await one.page.locator("nav.nav").waitFor();
    const [, login = ""] = /login ([0-9a-f]{8})/.exec(await terminal.shows(/is paired/)) ?? [];
    assert.equal(await terminal.ended(), 0);
    return { ...one, login };
  }

  async function passkeysOf({ cdp, sensor }: Phone) {
    return (await cdp.send("WebAuthn.getCredentials", { authenticatorId: sensor })).credentials;
  }

  test("is paired by code, number and passkey; its answer names it; each visit asks for the passkey", async () => {
    const { daemon } = stage;
    const { id } = await daemon.client.run({
      argv: ["sh", "-c", 'printf "Deploy to production? [y/N] "; read answer; echo "you said $answer"; sleep 600'],
    });
    const terminal = await pairing("--name", "Ada's phone");
    assert.match(terminal.shown, /\u001b\[97m\u001b\[40m[█▀▄ ]+/, "a QR code, light on dark");
    const ada = await phone();
    await ada.page.goto(`${origin}/#/pair`);
    await ada.page.getByLabel("Code").fill(terminal.code.toLowerCase().replace("-", " "));
    await ada.page.getByRole("button", { name: "Pair", exact: true }).tap();
    const number = await numberOn(ada.page);
    assert.match(number, /^\d{4}$/);
    const asked = await terminal.shows("The number that your own device shows");
    assert.match(asked, /Chrome on Android, from 127\.0\.0\.1, asks to be paired/);
    assert.ok(!asked.includes(number), "only the device shows it");
    await terminal.press(number === "0000" ? "0001" : "0000", "Enter");
    await terminal.shows("the device shows another number");
    await terminal.press(number, "Enter");
    await ada.page.getByRole("button", { name: "Make a passkey" }).tap();
    await terminal.shows(/Ada's phone is paired: login [0-9a-f]{8}, scope approve/);
    assert.equal(await terminal.ended(), 0);
    await ada.page.locator("nav.nav").waitFor();
    await ada.page.goto(`${origin}/#/terminal/${id}`);
    await ada.page.getByLabel("open question").getByRole("button", { name: /y/i }).first().tap();
    await ada.page.getByLabel("open question").waitFor({ state: "detached" });
    const [login] = (await daemon.client.login_list({})).logins.filter(({ name }) => name === "Ada's phone");
    const by = `Ada's phone (login:${login?.id})`;
    const { events } = await daemon.client.events({ after: 0, limit: 1_000 });
    const closed = events.findLast(({ type }) => type === "question_closed")?.data as { readonly by: string };
    assert.equal(closed.by, `answered by ${by}`);
    const answer = await until("the answer is in the audit", async () =>
      (await daemon.client.audit({})).entries.find(({ operation }) => operation === "respond"),
    );
    assert.deepEqual([answer.who, answer.device], [`login:${login?.id}`, "Ada's phone"]);
    const { scope, passkeys, origin: at, lastUsedFrom, by: how } = login ?? {};
    assert.deepEqual(
      { scope, passkeys, at, lastUsedFrom, how },
      {
        ...{ scope: "approve", passkeys: 1, at: origin, lastUsedFrom: "127.0.0.1", how: "pairing" },
      },
    );
    const before = (await passkeysOf(ada))[0]?.signCount ?? 0;
    await ada.page.goto(`${origin}/`);
    await ada.page.reload();
    await ada.page.locator("nav.nav").waitFor();
    await until("the passkey was used", async () => ((await passkeysOf(ada))[0]?.signCount ?? 0) > before);
  });

  test("that uses a code second is refused, and the terminal can refuse the first", async () => {
    const terminal = await pairing();
    const thief = await phone({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" });
    await thief.page.goto(terminal.link);
    await numberOn(thief.page);
    const owner = await phone();
    await owner.page.goto(terminal.link);
    await owner.page.getByRole("alert").getByText("used already").waitFor();
    await terminal.shows("Firefox on Linux, from 127.0.0.1, asks");
    await terminal.press("Enter");
    assert.equal(await terminal.ended(), 6);
    await thief.page.getByText("refused at the terminal").waitFor();
  });

  test("is out at once when it is revoked while it is connected, and comes back by pairing only", async () => {
    const { daemon } = stage;
    const lost = await paired("lost phone");
    const desk = await stage.enter();
    await desk.goto(`${stage.origin}/#/settings`);
    desk.on("dialog", (dialog) => void dialog.accept("stolen phone"));
    const row = desk.locator(".rows li", { hasText: lost.login });
    await row.getByText("one passkey").waitFor();
    await row.getByRole("button", { name: "Rename" }).click();
    await row.getByText("stolen phone").waitFor();
    await row.getByRole("button", { name: "Log out" }).click();
    await lost.page.getByText("this browser is not logged in").waitFor();
    await lost.page.reload();
    await lost.page.getByLabel("Token").waitFor();
    // A link or a token is not enough here.
    const { token } = await daemon.client.token_create({ scope: "read" });
    await lost.page.getByLabel("Token").fill(token);
    await lost.page.getByRole("button", { name: "Log in" }).tap();
    await lost.page.getByText("a link or a token is not enough at this address").waitFor();
    await assert.rejects(daemon.client.login_link({ origin }), { code: "wrong_state" });
  });

  test("whose storage was copied gets nowhere without its passkey, and is locked out", async () => {
    const { daemon } = stage;
    const copied = await paired("copied phone");
    const [original] = await passkeysOf(copied);
    assert.ok(original);
    // Same IndexedDB, other hardware.
    await copied.cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId: copied.sensor });
    const sensor = await addSensor(copied.cdp);
    const holds = async (credential: typeof original) => {
      await copied.cdp.send("WebAuthn.clearCredentials", { authenticatorId: sensor });
      await copied.cdp.send("WebAuthn.addCredential", { authenticatorId: sensor, credential });
      return idOf(credential);
    };
    await copied.page.reload();
    await copied.page.getByRole("heading", { name: "Paneward is locked" }).waitFor();
    const own = { ...original, credentialId: Buffer.alloc(16, 7).toString("base64") };
    const ofThief = await attempt(copied.page, await holds(own));
    assert.match(ofThief.got, /this passkey belongs to another device/);
    const behind = await attempt(copied.page, await holds({ ...original, signCount: 0 }));
    assert.match(behind.got, /this passkey was not accepted/, "a copy of it, which counts on its own");
    // Another site that lured the owner: what it gets signed is good for that site only.
    const foreign = await stage.anonymous();
    const lure = await foreign.context().newCDPSession(foreign);
    await lure.send("WebAuthn.enable");
    const credential = { ...original, rpId: new URL(evil).hostname, signCount: 500 };
    await lure.send("WebAuthn.addCredential", { authenticatorId: await addSensor(lure), credential });
    await foreign.route(`${evil}/**`, (asked) => asked.fulfill({ contentType: "text/html", body: "<p>hi" }));
    await foreign.goto(evil);
    const { challenge } = await attempt(copied.page, undefined);
    const lured = await foreign.evaluate<object>(
      assertion(JSON.stringify(challenge), JSON.stringify(idOf(credential))),
    );
    assert.match(await copied.page.evaluate<string>(handIn(lured)), /this passkey was not accepted/);
    // The phone itself in other hands: it signs that somebody touched it, and not who.
    const unverified = await holds({ ...original, signCount: 600 });
    await copied.cdp.send("WebAuthn.setUserVerified", { authenticatorId: sensor, isUserVerified: false });
    assert.match((await attempt(copied.page, unverified, "discouraged")).got, /this passkey was not accepted/);
    await copied.cdp.send("WebAuthn.setUserVerified", { authenticatorId: sensor, isUserVerified: true });
    await attempt(copied.page, await holds(own));
    const right = await attempt(copied.page, await holds({ ...original, signCount: 900 }));
    assert.match(right.got, /too many wrong passkeys/, "now also the right one waits");
    assert.equal(
      (await daemon.client.login_list({})).logins.some(({ id }) => id === copied.login),
      true,
    );
  });
});

function idOf({ credentialId }: { readonly credentialId: string }): string {
  return Buffer.from(credentialId, "base64").toString("base64url");
}

interface Attempt {
  readonly challenge: string;
  readonly got: string;
}

/** Does in the page what a thief of its storage can: signs with its key, and with whatever passkey is there. */
function attempt(page: Page, credential: string | undefined, verification = "required"): Promise<Attempt> {
  return page.evaluate<Attempt>(`(async () => {
    const database = await new Promise((resolve) => {
      const opening = indexedDB.open("paneward");
      opening.onsuccess = () => resolve(opening.result);
    });
    const { login, privateKey } = await new Promise((resolve) => {
      const reading = database.transaction("logins").objectStore("logins").get("this browser");
      reading.onsuccess = () => resolve(reading.result);
    });
    const json = { method: "POST", headers: { "content-type": "application/json" } };
    const { challenge } = await (await fetch("/identity?nonce=" + "0".repeat(64))).json();
    const text = new TextEncoder().encode(["paneward browser 1", location.origin, login, challenge].join("\\n"));
    const signed = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, text));
    const signature = btoa(String.fromCharCode(...signed));
    const answer = await fetch("/session", { ...json, body: JSON.stringify({ login, challenge, signature }) });
    const { passkey, session } = await answer.json();
    if (!passkey) return { challenge: "", got: session ? "a session" : "too many wrong passkeys" };
    const credential = ${JSON.stringify(credential ?? null)};
    if (!credential) return { challenge: passkey.challenge, got: "" };
    const response = await ${assertion("passkey.challenge", "credential", verification)};
    return { challenge: passkey.challenge, got: await (await fetch("/session/passkey", { ...json, body: JSON.stringify({ response }) })).text() };
  })()`);
}

/** What a passkey signs in the page that this is evaluated in; both are expressions there. */
function assertion(challenge: string, credential: string, verification = "required"): string {
  return `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON({
    challenge: ${challenge}, userVerification: "${verification}", allowCredentials: [{ id: ${credential}, type: "public-key" }],
  }) }).then((made) => made.toJSON())`;
}

function handIn(response: object): string {
  const body = JSON.stringify(JSON.stringify({ response }));
  return `fetch("/session/passkey", { method: "POST", headers: { "content-type": "application/json" }, body: ${body} })
    .then((answer) => answer.text())`;
}
