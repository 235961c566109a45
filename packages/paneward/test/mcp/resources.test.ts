import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { wellFormed } from "@paneward/sdk";
import { guide, instructions } from "../../src/mcp/guide.ts";
import { startDaemon } from "../support/daemon.ts";
import { mcpDoors } from "./support/doors.ts";
import { call, startScript } from "./support/tool-calls.ts";

const cases: Readonly<Record<string, (client: Client) => Promise<void>>> = {
  "screen and journal of a terminal are listed, completed and read": async (client) => {
    const id = await startScript(client, "printf 'a\\033[31mb\\033[0m\\n'; sleep 100");
    await call(client, "terminal_wait", { ids: [id], for: [{ kind: "output", pattern: "ab" }] });
    const { resources } = await client.listResources();
    const own = resources.map(({ uri }) => uri).filter((uri) => uri.includes(`/${id}/`));
    assert.deepEqual(own, [`paneward://terminals/${id}/screen`, `paneward://terminals/${id}/journal`]);
    for (const uri of own) {
      const { contents } = await client.readResource({ uri });
      assert.deepEqual(
        contents.map((content) => "text" in content && content.text.trimEnd()),
        ["ab"],
      );
    }
    const ref = { type: "ref/resource" as const, uri: "paneward://terminals/{id}/screen" };
    const { completion } = await client.complete({ ref, argument: { name: "id", value: id.slice(0, 1) } });
    assert.ok(completion.values.includes(id));
    await call(client, "terminal_stop", { id });
  },

  "both are announced as templates": async (client) => {
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ["paneward://terminals/{id}/screen", "paneward://terminals/{id}/journal"],
    );
  },

  "an unknown terminal is an error that names it": async (client) => {
    await assert.rejects(client.readResource({ uri: "paneward://terminals/nobody/screen" }), /nobody/);
  },

  "words of the caller that an answer repeats hold no half of a surrogate pair": async (client) => {
    const half = "x\ud800";
    const calls = [
      () => client.readResource({ uri: half }),
      () => client.getPrompt({ name: half }),
      () => client.callTool({ name: half, arguments: {} }),
    ];
    for (const ask of calls) {
      const said: unknown = await ask().catch(({ message, data }) => ({ message, data }));
      assert.equal(wellFormed(said), said);
    }
  },

  "the short guide comes as instructions, the full one as a prompt": async (client) => {
    assert.equal(client.getInstructions(), instructions);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ["paneward_guide"],
    );
    const { messages } = await client.getPrompt({ name: "paneward_guide" });
    assert.deepEqual(
      messages.map(({ content }) => content.type === "text" && content.text),
      [guide],
    );
  },
};

describe("resources and the guide", { concurrency: 2 }, () => {
  for (const door of mcpDoors) {
    test(`over ${door.name}`, async (t) => {
      const daemon = await startDaemon(t);
      const client = await door.connect(t, daemon);
      for (const [name, run] of Object.entries(cases)) await t.test(name, () => run(client));
    });
  }
});

describe("changes", { concurrency: 2 }, () => {
  for (const door of mcpDoors.filter(({ name }) => name.endsWith("2025"))) {
    test(`are sent over ${door.name}: new terminals, and the end of a subscribed one`, async (t) => {
      const daemon = await startDaemon(t);
      const client = await door.connect(t, daemon);
      const listChanged = Promise.withResolvers<void>();
      const updated = Promise.withResolvers<string>();
      client.setNotificationHandler("notifications/resources/list_changed", () => listChanged.resolve());
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => updated.resolve(params.uri));
      const watched = await startScript(client, "read -r go");
      // The first terminal may exist before the client listens, so keep starting more.
      const more = setInterval(() => void startScript(client, "true"), 200);
      await listChanged.promise.finally(() => clearInterval(more));
      const uri = `paneward://terminals/${watched}/journal`;
      await client.subscribeResource({ uri });
      await call(client, "terminal_send", { id: watched, text: "go" });
      assert.equal(await updated.promise, uri);
    });
  }
});
