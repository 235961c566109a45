import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { sharedStage } from "./support/browser.ts";

describe("access", () => {
  const shared = sharedStage();

  test("a link logs one browser in, once; the secret disappears from the address", async () => {
    const stage = shared();
    const { url } = await stage.daemon.client.login_link({});
    const page = await stage.anonymous();
    await page.goto(url);
    await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
    assert.doesNotMatch(page.url(), /pw_/);
    await page.reload();
    await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
    const other = await stage.anonymous();
    await other.goto(url);
    await other.getByText("this link was used already").waitFor();
    const failure = other.getByRole("alert");
    await failure.locator("code", { hasText: "paneward login link" }).waitFor();
    assert.match(await failure.innerText(), /^This link was used already[^`]*$/);
  });

  test("a link that has expired is refused", async () => {
    const stage = shared();
    const { url, expiresAt } = await stage.daemon.client.login_link({ minutes: 0.01 });
    const page = await stage.anonymous();
    await page.waitForFunction((at) => Date.now() > at, expiresAt);
    await page.goto(url);
    await page.getByText("it has expired").waitFor();
  });

  test("a token logs in with its own scope: with read there are no action buttons", async () => {
    const stage = shared();
    await stage.daemon.client.run({ argv: ["cat"], name: "for-readers" });
    const { token } = await stage.daemon.client.token_create({ scope: "read" });
    const page = await stage.anonymous();
    await page.goto(stage.origin);
    await page.getByLabel("Token").fill("pw_wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("this is not a token").waitFor();
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("link", { name: "for-readers" }).click();
    await page.getByRole("tab", { name: "terminal" }).waitFor();
    await page.locator(".xterm-rows").waitFor();
    for (const name of ["Stop", "Remove", "Type here", "Send"]) {
      assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
    }
  });

  test("revoking a login closes its page at once, and leaves others alone", async () => {
    const stage = shared();
    for (const { id } of (await stage.daemon.client.login_list({})).logins)
      await stage.daemon.client.login_revoke({ id });
    const page = await stage.enter();
    const [login] = (await stage.daemon.client.login_list({})).logins;
    const admin = await stage.enter();
    await admin.goto(`${stage.origin}/#/settings`);
    admin.on("dialog", (dialog) => void dialog.accept());
    await admin
      .locator(".rows li", { hasText: login?.id ?? "" })
      .getByRole("button", { name: "Log out" })
      .click();
    await page.getByLabel("Token").waitFor();
    await page.getByText("this browser is not logged in").waitFor();
    await admin.locator(".rows li", { hasText: login?.id ?? "" }).waitFor({ state: "detached" });
    const { token } = await stage.daemon.client.token_create({ scope: "send" });
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("heading", { name: "Nothing needs you" }).waitFor();
    for (const { id } of (await stage.daemon.client.token_list({})).tokens)
      await stage.daemon.client.token_revoke({ id });
    await page.getByLabel("Token").waitFor();
    await admin.getByText("It may do everything (admin).").waitFor();
  });

  test("a page of another origin gets nothing: no answer, no stream, no WebSocket", async (t) => {
    const stage = shared();
    const server = createServer((_request, answer) => answer.setHeader("content-type", "text/html").end("<p>hi</p>"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const page = await stage.enter();
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    const got = await page.evaluate(async (ours) => {
      const fetched = await fetch(`${ours}/api/ps`, { credentials: "include" }).then(
        (answer) => answer.text(),
        () => "nothing",
      );
      const streamed = await new Promise<string>((resolve) => {
        const source = new EventSource(`${ours}/api/events/stream`, { withCredentials: true });
        source.onopen = () => resolve("opened");
        source.onerror = () => {
          source.close();
          resolve("nothing");
        };
      });
      const socket = await new Promise<string>((resolve) => {
        const open = new WebSocket(`${ours.replace("http", "ws")}/api/events/ws`);
        open.onmessage = ({ data }) => resolve(String(data));
        open.onclose = () => resolve("nothing");
      });
      return { fetched, streamed, socket };
    }, stage.origin);
    assert.deepEqual(got, { fetched: "nothing", streamed: "nothing", socket: "nothing" });
  });
});
