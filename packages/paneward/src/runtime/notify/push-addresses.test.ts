import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { defaultConfig } from "@paneward/sdk/config";
import { testIdentity } from "../../../test/support/identity.ts";
import { memoryWorld } from "../../../test/support/memory-world.ts";
import { Logins } from "../access/logins.ts";
import { NotifyChannels, withBrowsers } from "./channels.ts";
import { pushAddresses } from "./push-addresses.ts";

const push = { endpoint: "https://fcm.googleapis.com/x", p256dh: "key", auth: "auth" };

describe("browsers that asked for notices", () => {
  test("are a channel as soon as there is one; each address ends with its login, or when it is gone", async (t) => {
    const { store, clock, deps } = await memoryWorld(t, { config: { notify: defaultConfig.notify } });
    const logins = new Logins(store, clock, testIdentity);
    const channels = new NotifyChannels(deps, pushAddresses(logins));
    await channels.read();
    assert.equal(channels.areConfigured, false, "nobody has asked: nothing runs");
    const origin = "http://127.0.0.1:1";
    const browser = { name: "a browser", key: testIdentity.key, origin };
    const enter = (scope: "read" | "approve") => {
      const login = logins.byLink(logins.link(scope, 10, origin).secret, browser);
      logins.push(login, push);
      return login.id;
    };
    const [reader, phone] = [enter("read"), enter("approve")];
    assert.equal(await channels.read(), true);
    const channel = channels.channel("browsers");
    assert.deepEqual([channel?.kind, channel?.text, channel?.key_file], ["web_push", "full", "/home/me/push.key"]);
    const told = channels.destinations("browsers").map(({ to }) => [to, channels.address(to)?.mayAnswer]);
    assert.deepEqual(
      new Map(told as [string, boolean][]),
      new Map([
        [`browsers/${reader}`, false],
        [`browsers/${phone}`, true],
      ]),
    );
    assert.deepEqual(channels.address(`browsers/${phone}`)?.address, push);
    channels.gone(`browsers/${phone}`);
    assert.equal(channels.address(`browsers/${phone}`), undefined);
    logins.revoke(reader);
    await channels.read();
    assert.equal(channels.areConfigured, false);
  });

  test("get what the configuration says, under its name, and only once", () => {
    const own = { kind: "web_push", text: "none", subject: "mailto:me@example.org" } as const;
    const desk = { kind: "desktop", text: "full" } as const;
    assert.deepEqual(withBrowsers({ desk, phones: own }, true, "/key"), { desk, phones: { ...own, key_file: "/key" } });
    assert.deepEqual(Object.keys(withBrowsers({ desk }, true, "/key")), ["desk", "browsers"]);
    assert.deepEqual(withBrowsers({ desk }, false, "/key"), { desk });
  });
});
