import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import type { Page, Worker } from "playwright-core";
import { holds, openStage, type Stage } from "./support/browser.ts";
import { browserSubscription, pushService, scriptedProgram, signedBy, until } from "./support/product.ts";

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly silent: boolean | null;
  readonly actions: readonly string[];
}

// The browser of a test reaches no push service: the test is one, with its own keys. What it was sent is given to the real
// service worker by the browser's debugger, as its push service would.
describe("web push", () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  const t = { after: (clean: () => void | Promise<void>) => void cleanups.push(clean) };
  let stage: Stage;
  let service: Awaited<ReturnType<typeof pushService>>;

  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), "pw-push-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    service = await pushService(t, folder);
    const channel = `[notify.channels.phones]\nkind = "web_push"\nhosts = ["${service.host}"]\n`;
    const trust = { NODE_EXTRA_CA_CERTS: service.certificate };
    stage = await openStage(t, `[notify]\ndwell_seconds = 0\ndigest = 1000\n${channel}`, "whole", [], trust);
  });
  const logOutAll = async () => {
    const { login_list, login_revoke } = stage.daemon.client;
    for (const { id } of (await login_list({})).logins) await login_revoke({ id });
  };
  afterEach(async () => {
    await Promise.all(stage.browser.contexts().map((context) => context.close()));
    await logOutAll();
  });
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean();
  });

  async function asking(name: string) {
    const agent = scriptedProgram(stage.daemon.folder, "claude", { name });
    const { id } = await stage.daemon.client.run({ argv: [...agent.argv], name, cwd: stage.daemon.folder });
    await agent.noted("ready");
    const ask = () => stage.daemon.client.send({ id, text: `RUN: touch ${name}` });
    return { agent, id, ask, end: () => stage.daemon.client.stop({ id }) };
  }

  /** A browser whose user wants to be told, and its own push address. */
  async function told(name: string, scope: "read" | "admin" = "admin") {
    const browser = browserSubscription(`${service.origin}/push/${name}`);
    const page = await stage.enter({ permissions: ["notifications"] }, scope);
    await page.addInitScript(fakeSubscription(browser.address));
    await page.reload();
    await holds(page, "navigator.serviceWorker.controller !== null");
    await page.goto(`${stage.origin}/#/settings`);
    await page.getByLabel("Notify me when an agent needs me").check();
    await page.getByText("Also while no page is open.").waitFor();
    const worker = await workerOf(page);
    await worker.evaluate(noteShown);
    const deliver = await deliverer(page, stage.origin);
    /** Waits for the n-th push to this browser, and gives it to the service worker. */
    const takes = async (count: number) => {
      const own = () => service.pushed.filter(({ path }) => path === `/push/${name}`);
      const pushed = await until(`push ${count} to ${name}`, () => own()[count - 1]);
      const text = browser.read(pushed.body);
      await deliver(text);
      return { pushed, notice: JSON.parse(text) as Record<string, unknown> & { readonly tag: string } };
    };
    const shown = () => worker.evaluate(shownHere) as Promise<readonly Shown[]>;
    let seen = 0;
    // Chromium forgets a notice that is just being shown when a page or worker lists what is shown, so it is not polled.
    const showsOne = async (what: string, isIt: (one: Shown) => boolean) => {
      const last = await until(what, async () => {
        const all = (await worker.evaluate("self.noted")) as readonly Shown[];
        return all.findIndex((one, at) => at >= seen && isIt(one)) + 1;
      });
      seen = last;
      const one = (await shown()).find(isIt);
      assert.ok(one, what);
      return one;
    };
    const press = (tag: string, action: string) =>
      worker.evaluate(
        `self.registration.getNotifications({ tag: ${JSON.stringify(tag)} }).then(([notification]) =>
          self.dispatchEvent(new NotificationEvent("notificationclick", { notification, action: ${JSON.stringify(action)} })))`,
      );
    return { page, takes, shown, showsOne, press, browser };
  }

  test("is offered with its reason where something can ask, before the browser itself asks; and once", async () => {
    const { client } = stage.daemon;
    const { address } = browserSubscription(`${service.origin}/push/offered`);
    // With this scope it does not count that somebody looks.
    const page = await stage.enter({}, "read");
    const offer = page.getByLabel("notifications");
    await page.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await offer.count(), 0, "nothing runs: nothing can need anybody");
    await page.addInitScript(
      `${fakeSubscription(address)}; window.asked = 0;
      // Its user allows it; no browser of a test has one.
      Notification.requestPermission = async () => { window.asked++; return "granted"; };`,
    );
    await page.reload();
    await holds(page, "navigator.serviceWorker.controller !== null");
    const { id } = await client.run({ argv: ["cat"], name: "offers" });
    await offer.getByText("Be told the moment something needs you").waitFor();
    await offer.getByText("Also when this page is closed, with buttons to answer.").waitFor();
    assert.deepEqual(await page.evaluate("[window.asked, Notification.permission]"), [0, "default"]);
    await offer.getByRole("button", { name: "Tell me" }).click();
    await offer.waitFor({ state: "detached" });
    assert.equal(await page.evaluate("window.asked"), 1);
    await holds(page, "window.subscribedWith !== undefined");
    assert.equal(await page.evaluate("window.subscribedWith"), (await client.push_look({})).key);

    const other = await stage.enter({}, "read");
    await other.getByLabel("notifications").getByRole("button", { name: "Not now" }).click();
    await other.reload();
    await other.locator(".card").first().waitFor();
    assert.equal(await other.getByLabel("notifications").count(), 0, "nobody is asked twice");
    await client.stop({ id });
  });

  test("notifies a browser that asked, by the daemon's key; a button gives that answer, with no page open, and works once", async () => {
    const phone = await told("buttons");
    assert.equal(await phone.page.evaluate("window.subscribedWith"), (await stage.daemon.client.push_look({})).key);
    await phone.page.goto("about:blank");
    const { agent, ask, end } = await asking("answered");
    await ask();
    const { pushed, notice } = await phone.takes(1);
    assert.equal(signedBy(pushed).key, (await stage.daemon.client.push_look({})).key);
    assert.deepEqual([pushed.headers.urgency, pushed.headers.topic], ["high", notice.tag]);
    const one = await phone.showsOne("the notice is shown", ({ tag }) => tag === notice.tag);
    assert.equal(one.title, "answered asks for permission");
    assert.match(one.body, /touch answered/);
    assert.deepEqual(one.actions, ["Yes", "No"]);

    await phone.press(notice.tag, "0");
    await agent.noted("ran");
    await until("the notice is gone", async () => (await phone.shown()).length === 0);
    // It is over: what takes its place makes no sound, and cannot answer.
    const { notice: over } = await phone.takes(2);
    assert.equal(over.tag, notice.tag);
    const quiet = await phone.showsOne("the quiet word is shown", ({ tag }) => tag === notice.tag);
    assert.deepEqual([quiet.silent, quiet.actions], [true, []]);
    assert.match(quiet.body, /^answered by channel:phones/);
    assert.equal(agent.notes().filter(({ kind }) => kind === "approved").length, 1);
    await end();
  });

  test("a button of a question that was answered elsewhere changes nothing, and says so", async () => {
    const phone = await told("late");
    const { agent, id, ask, end } = await asking("stale");
    await ask();
    const { notice } = await phone.takes(1);
    await phone.showsOne("the notice is shown", ({ tag }) => tag === notice.tag);
    const { questions } = await stage.daemon.client.questions({});
    const question = questions.find(({ terminal }) => terminal === id)?.id ?? "";
    await stage.daemon.client.respond({ id, question, option: 4 });
    await agent.noted("denied");
    await until(
      "it is closed",
      async () => (await stage.daemon.client.question({ id: question })).question.state === "closed",
    );
    await phone.press(notice.tag, "0");
    const refused = await phone.showsOne("the refusal is shown", ({ body }) => body.startsWith("Not answered: "));
    assert.match(refused.body, /^Not answered: this question is closed/);
    assert.deepEqual(refused.actions, []);
    assert.deepEqual(
      agent.notes().filter(({ kind }) => kind === "approved"),
      [],
    );
    await end();
  });

  test("a tap opens the question, also without a connection; while a page is seen, what is over just disappears", async () => {
    const phone = await told("opens");
    const { agent, ask, end } = await asking("opened");
    await ask();
    const { notice } = await phone.takes(1);
    await phone.showsOne("the notice is shown", ({ tag }) => tag === notice.tag);
    await phone.page.context().setOffline(true);
    await phone.press(notice.tag, "1");
    const unreached = await phone.showsOne("it is not answered", ({ body }) => body.startsWith("Not answered: "));
    assert.deepEqual(unreached.actions, ["Yes", "No"], "so that it can be pressed again");
    await phone.press(notice.tag, "");
    await phone.page.getByLabel("open question").getByText("touch opened").waitFor();
    assert.equal(new URL(phone.page.url()).hash, notice.page);
    await phone.page.context().setOffline(false);
    await phone.page.getByLabel("open question").getByRole("button", { name: "1 Yes", exact: true }).click();
    await agent.noted("ran");
    await phone.takes(2);
    await until("nothing is shown", async () => (await phone.shown()).length === 0);
    await end();
  });

  test("a browser that may only read gets no buttons; one that is gone, or logged out, gets no more notices", async () => {
    const { client } = stage.daemon;
    const countOf = (name: string) => service.pushed.filter(({ path }) => path === `/push/${name}`).length;
    await told("gone");
    service.answers.push({ status: 410 });
    const first = await asking("first");
    await first.ask();
    await until("the address is gone", async () => {
      const { notices } = await client.notify_history({});
      return notices.some(({ sends }) => sends.some(({ reason = "" }) => reason.includes("410")));
    });
    assert.equal(countOf("gone"), 1);
    await first.end();

    const reader = await told("reader", "read");
    const second = await asking("second");
    await second.ask();
    const { notice } = await reader.takes(1);
    assert.deepEqual(notice.buttons, []);
    assert.equal((notice.asked as { readonly mayAnswer: boolean }).mayAnswer, false);
    await logOutAll();
    const last = await told("last");
    await second.end();
    const third = await asking("third");
    await third.ask();
    await last.takes(1);
    assert.deepEqual([countOf("gone"), countOf("reader")], [1, 1]);
    await third.end();
  });

  test("is sent nowhere but to push services, however it is asked for", async () => {
    const { client } = stage.daemon;
    const { token } = await client.token_create({ scope: "read" });
    const subscribe = async (bearer: string, body: object) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${bearer}` };
      const answer = await fetch(`${stage.origin}/api/push`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: answer.status, ...((await answer.json()) as { error?: { message: string; hint: string } }) };
    };
    const good = browserSubscription(`${service.origin}/push/x`).address;
    const byToken = await subscribe(token, good);
    assert.deepEqual(
      [byToken.status, byToken.error?.message],
      [403, "only a browser that is logged in can get notices"],
    );
    const page = await stage.enter({}, "read");
    const session = await sessionOf(page);
    const bad: readonly (readonly [object, RegExp])[] = [
      [{ ...good, endpoint: `https://127.0.0.1:${stage.daemon.port}/api/shutdown` }, /not the push service of a known/],
      [{ ...good, endpoint: "https://169.254.169.254/latest" }, /not the push service of a known/],
      [{ ...good, endpoint: "https://localhost/x" }, /not the push service of a known/],
      [{ ...good, endpoint: "http://fcm.googleapis.com/x" }, /endpoint/],
      [{ ...good, p256dh: good.auth }, /not the keys of a browser/],
      [{ ...good, p256dh: "A".repeat(87) }, /not the keys of a browser/],
      [{ ...good, auth: "AAAA" }, /not the keys of a browser/],
      [{ ...good, p256dh: "A".repeat(500) }, /p256dh/],
    ];
    for (const [body, why] of bad) {
      const { status, error } = await subscribe(session, body);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(error?.message ?? "", why);
    }
    assert.equal((await subscribe(session, good)).status, 200);
  });
});

/** What the page's requests carry. */
async function sessionOf(page: Page): Promise<string> {
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith("/api/"));
  await page.reload();
  return (await (await asked).headerValue("authorization"))?.slice("Bearer ".length) ?? "";
}

/** Replaces the browser's own push service, which a test cannot reach. */
function fakeSubscription({ endpoint, p256dh, auth }: { endpoint: string; p256dh: string; auth: string }): string {
  return `
    const bytes = (key) => Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)).buffer;
    let own = null;
    PushManager.prototype.getSubscription = async () => own;
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      if (!userVisibleOnly) throw new Error("not allowed");
      window.subscribedWith = applicationServerKey;
      own = {
        endpoint: ${JSON.stringify(endpoint)},
        options: { applicationServerKey: bytes(applicationServerKey) },
        toJSON: () => ({ endpoint: ${JSON.stringify(endpoint)}, keys: ${JSON.stringify({ p256dh, auth })} }),
        unsubscribe: async () => true,
      };
      return own;
    };
  `;
}

async function workerOf(page: Page): Promise<Worker> {
  const [running] = page.context().serviceWorkers();
  return running ?? page.context().waitForEvent("serviceworker");
}

// Without the wait for the worker above, Chromium loses the first push.
async function deliverer(page: Page, origin: string): Promise<(data: string) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (found) resolve(found.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  return (data) => session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
}

/** Notes in the worker what it has shown. */
const noteShown = `
  self.noted = [];
  const show = self.registration.showNotification.bind(self.registration);
  self.registration.showNotification = async (title, options) => {
    await show(title, options);
    const { body, tag, silent = null, actions = [] } = options;
    self.noted.push({ title, body, tag, silent, actions: actions.map(({ title }) => title) });
  };`;

const shownHere = `self.registration.getNotifications().then((all) => all.map(({ title, body, tag, silent, actions }) =>
  ({ title, body, tag, silent, actions: actions.map(({ title }) => title) })))`;
