import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConfig } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import type { World } from "../world.ts";
import { notifyProblems } from "./problems.ts";

const modes: Readonly<Record<string, number>> = {
  "/c.toml": 0o600,
  "~/open": 0o644,
  "~/closed": 0o600,
  "/bin/tell": 0o755,
};

async function problemsOf(channels: Readonly<Record<string, ChannelConfig>>): Promise<readonly string[]> {
  const config = { ...defaultConfig, notify: { ...defaultConfig.notify, channels } };
  const world = {
    configFor: async () => ({ config, files: ["/c.toml"], warnings: [], project: {} }),
    machine: {
      mode: async (path: string) => modes[path],
      text: async (path: string) => (path === "~/closed" ? "whsec_short\n" : undefined),
      unreachable: async (host: string, port: number) =>
        host === "here.test" ? undefined : `no answer from port ${port}`,
    },
  };
  return notifyProblems(world as unknown as World);
}

test("a file with a secret that is missing, or that others can read, is a problem; one that is its owner's is none", async () => {
  const slack = (file: string): ChannelConfig => ({ kind: "slack", text: "title", url_file: file });
  assert.deepEqual(await problemsOf({ a: slack("~/closed"), b: slack("~/open"), c: slack("/missing") }), [
    "~/open holds b.url_file and others can read it: chmod 600 ~/open",
    "c.url_file: /missing is not there",
  ]);
});

test("a program that is not there, or that nobody may run, is a problem", async () => {
  const runs = (program: string): ChannelConfig => ({ kind: "command", text: "full", command: [program, "x"] });
  const prints: ChannelConfig = { kind: "slack", text: "title", url_command: ["~/closed"] };
  assert.deepEqual(await problemsOf({ a: runs("/bin/tell"), b: runs("/missing"), c: prints, d: runs("on-the-path") }), [
    "b.command: /missing is not there",
    "c.url_command: ~/closed may not be run: chmod +x ~/closed",
  ]);
});

test("a service that cannot be reached is a problem", async () => {
  const at = (url: string): ChannelConfig => ({ kind: "webhook", text: "title", url });
  assert.deepEqual(
    await problemsOf({ a: at("https://here.test"), b: at("https://away.test/x"), c: at("http://o.test:81") }),
    [
      "the channel b cannot reach away.test (no answer from port 443)",
      "the channel c cannot reach o.test (no answer from port 81)",
    ],
  );
});

test("a webhook's secret that is no key is a problem before anything is sent, also in a file of its own", async () => {
  const signed = (more: object): ChannelConfig => ({
    kind: "webhook",
    text: "title",
    url: "https://here.test",
    ...more,
  });
  const key = `whsec_${"A".repeat(43)}=`;
  const make = "so nothing can be sent: make one with `echo whsec_$(openssl rand -base64 32)`";
  assert.deepEqual(
    await problemsOf({
      ...{ a: signed({ secret: "whsec_not base64" }), b: signed({ secret: key }), c: signed({}) },
      d: signed({ secret_file: "~/closed" }),
    }).then((all) => all.filter((one) => !one.includes("chmod"))),
    [`a.secret: what is configured is no key, ${make}`, `d.secret: what is in ~/closed is no key, ${make}`],
  );
});
