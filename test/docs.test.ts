import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { configKeys, defaultConfig, errorTable, eventTypes, routes } from "@paneward/sdk";
import { allCommands, sections } from "../packages/paneward/src/cli/command-table.ts";
import { keyPage } from "../packages/paneward/src/tui/state/keys.ts";
import { examplesIn, headingsIn, linksIn, tableIn } from "./support/markdown.ts";
import { makePlace } from "./support/place.ts";
import { files, root, text } from "./support/repository.ts";

describe("examples", { concurrency: 3 }, () => {
  const pages = files("README.md", "docs/**/*.md", "packages/*/README.md");
  const found = pages.map((page) => ({ page, examples: examplesIn(text(page)) }));

  test("there are some", () => assert.ok(found.flatMap(({ examples }) => examples).length > 10));

  for (const { page, examples } of found.filter(({ examples }) => examples.length > 0)) {
    test(`${page}, from top to bottom`, async (t) => {
      const place = await makePlace();
      t.after(() => place.close());
      for (const example of examples) {
        await t.test(`line ${example.line} runs`, async () => {
          const { code, stdout, stderr } = await place.run(example);
          assert.equal(code, 0, `${stdout}${stderr}`);
          if (example.prints !== undefined) assert.equal(stdout, example.prints);
        });
      }
    });
  }
});

const shown = allCommands.filter(({ hidden }) => !hidden);

describe("pages say what the code says", () => {
  const cli = text("docs/cli.md");
  const daemon = text("docs/daemon.md");
  const http = text("docs/http.md");

  test("docs/cli.md has every command, below the headings of the help", () => {
    const told = [...cli.matchAll(/^##+ (.*)$/gm)].map(([, heading]) => heading);
    const wanted = sections.flatMap(({ title, commands }) => [
      title,
      ...commands.filter(({ hidden }) => !hidden).map(({ name }) => `\`${name}\``),
    ]);
    assert.deepEqual(told, ["In general", ...wanted]);
  });

  for (const { name, options = [] } of shown) {
    test(`docs/cli.md has the options of ${name}, and an example`, () => {
      const section = cli.split(/^###? /m).find((part) => part.startsWith(`\`${name}\`\n`)) ?? "";
      const flags = tableIn(section, "Option").map(([flag]) => flag);
      assert.deepEqual(
        flags,
        options.map(([flag]) => flag),
      );
      assert.match(section, new RegExp(`^\`\`\`sh\\n(.*\\n)*?.*paneward ${name}`, "m"));
    });
  }

  test("docs/http.md has every operation", () => {
    const wanted = Object.entries(routes).map(([name, { method, path, scope, summary }]) => [
      name,
      `${method.toUpperCase()} ${path}`,
      scope,
      summary,
    ]);
    assert.deepEqual(tableIn(http, "Operation", "Request"), wanted);
  });

  test("docs/http.md has every error", () => {
    const wanted = Object.entries(errorTable).map(([code, { status, exitCode, retry, hint }]) => [
      code,
      String(status),
      String(exitCode),
      retry,
      hint,
    ]);
    assert.deepEqual(tableIn(http, "Code", "Status"), wanted);
  });

  test("docs/tui.md has every key", () => {
    const rows = keyPage().map(([, keys, what]) => [
      keys
        .split(" ")
        .map((key) => `\`${key}\``)
        .join(" "),
      what,
    ]);
    const told = [...text("docs/tui.md").matchAll(/^\| (`.*`) \| (.*) \|$/gm)].map(([, keys, what]) => [keys, what]);
    assert.deepEqual(told, rows);
  });

  test("docs/events.md has every type", () => {
    const types = tableIn(text("docs/events.md"), "Type", "Told when").map(([type]) => type);
    assert.deepEqual(types, eventTypes);
  });

  test("docs/daemon.md has every key of the configuration, with its default", () => {
    const rows = tableIn(daemon, "Key", "Default");
    assert.deepEqual(rows.map(([key]) => key).sort(), [...configKeys].sort());
    for (const [key = "", byDefault] of rows) assert.equal(byDefault, defaultOf(key), key);
  });

  test("docs/daemon.md has every variable that the product reads or sets", () => {
    const sources = files("packages/paneward/src/**/*.ts", "packages/sdk/src/**/*.ts");
    const used = sources
      .filter((path) => !path.endsWith(".test.ts"))
      .flatMap((path) => text(path).match(/\b(PANEWARD|AGENCY)_[A-Z_]+\b/g) ?? []);
    assert.ok(used.length > 10);
    assert.deepEqual(
      [...new Set(used)].filter((name) => !daemon.includes(`\`${name}\``)),
      [],
    );
  });

  test("docs/seed-messages.md names only operations and events that exist", () => {
    const page = text("docs/seed-messages.md");
    const messages = ["StartTask", "StopTask", "ListSessions", "SubscribeEvents", "NotifyTasksChanged", "Shutdown"];
    for (const name of [...messages, "Ping", "Ack", "Error", "Pong"])
      assert.match(page, new RegExp(`^\\| \`${name}\``, "m"));
    const events = page.match(/`(terminal|task|tasks|sessions)_[a-z_]+`/g) ?? [];
    assert.deepEqual(
      events.filter((name) => !eventTypes.some((type) => `\`${type}\`` === name)),
      [],
    );
  });

  for (const [, folder = "", table = ""] of text("ARCHITECTURE.md").matchAll(/^In `(.*)`:\n\n((?:\|.*\n)+)/gm)) {
    test(`ARCHITECTURE.md finds things in ${folder} where they are`, () => {
      const named = [...table.matchAll(/`([\w/-]+(?:\.ts|\/))`/g)].map(([, path = ""]) => path);
      assert.ok(named.length > 4);
      assert.deepEqual(
        named.filter((path) => !existsSync(join(root, folder, path))),
        [],
      );
    });
  }

  for (const page of files("docs/decisions/*.md")) {
    test(`${page} is short`, () => assert.ok(text(page).trimEnd().split("\n").length <= 25));
  }
});

function defaultOf(key: string): string {
  const value = key.split(".").reduce<unknown>((inner, name) => Object(inner)[name], defaultConfig);
  return value === undefined ? "" : JSON.stringify(value);
}

describe("links", () => {
  for (const page of files("*.md", "docs/**/*.md", "packages/**/*.md")) {
    test(`${page} points to what exists`, () => {
      const broken = linksIn(text(page)).filter(({ target, heading }) => {
        const path = target === "" ? page : join(dirname(page), target);
        if (!existsSync(join(root, path))) return true;
        return heading !== undefined && !headingsIn(text(path)).includes(heading);
      });
      assert.deepEqual(broken, []);
    });
  }
});

describe("reading a page", () => {
  const page = [
    "See [this](docs/a.md#part), [that](https://example.org) and `[not](this.md)`.",
    "```ts run",
    "console.log(1);",
    "```",
    "```text prints",
    "1",
    "```",
    "```sh",
    "rm -rf [never](run.md)",
    "```",
  ].join("\n");

  test("finds what is marked as runnable, with what it prints", () => {
    assert.deepEqual(examplesIn(page), [{ language: "ts", line: 2, code: "console.log(1);\n", prints: "1\n" }]);
  });

  test("finds a table by its titles", () => {
    const table = ["| Code | Means |", "|---|---|", "| `a_b` | one \\| two |", "", "| Other |", "|---|", "| c |"].join(
      "\n",
    );
    assert.deepEqual(tableIn(table, "Code", "Means"), [["a_b", "one \\| two"]]);
    assert.deepEqual(tableIn(table, "Nothing"), []);
  });

  test("knows headings by the names that links use", () => {
    assert.deepEqual(headingsIn("# A `b-c` d, e\n```sh\n# no heading\n```\n## Wer Ä sagt"), [
      "a-b-c-d-e",
      "wer-ä-sagt",
    ]);
  });

  test("finds links into the repository, not those of the web or in code", () => {
    assert.deepEqual(linksIn(page), [{ target: "docs/a.md", heading: "part" }]);
  });
});
